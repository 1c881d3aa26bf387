import { multiplyDivide, type Lots } from "../units.ts";
import { remainingOf, type CancelCause, type FillCondition, type BookOrder } from "./order.ts";

/** What orders do to those that they are linked to. */
export interface Links {
  /** Lets orders cancel each other. */
  couple(ref: string, condition: FillCondition, orders: readonly BookOrder[]): void;
  /** Lets orders wait for a primary one. `minAmount`: the smallest part that goes on alone. */
  follow(primary: BookOrder, condition: FillCondition, waiting: readonly BookOrder[], minAmount: Lots): void;
  /** Puts the order as which another one goes on into its place. */
  succeed(parent: BookOrder, child: BookOrder): void;
  /** To be called after the amount of an order was edited. */
  resized(order: BookOrder): void;
  /** To be called after each fill of an order. */
  filled(order: BookOrder): void;
  /** To be called after an order was cancelled or rejected. */
  closed(order: BookOrder): void;
}

/** What links can have done to an order. */
interface LinkActions {
  cancel(order: BookOrder, reason: CancelCause): void;
  /** Makes an order smaller; one that has nothing left is cancelled. */
  reduce(order: BookOrder, by: Lots, reason: CancelCause): void;
  /** Lets parts of waiting orders go on, at once but after what is under way. */
  activate(parts: readonly LinkedPart[], condition: FillCondition): void;
}

export interface LinkedPart {
  readonly order: BookOrder;
  readonly amount: Lots;
}

/** One of two orders that cancel each other. */
interface Member {
  order: BookOrder;
  /** The amount before the other one's fills made it smaller. */
  total: Lots;
  /** By how much they did. */
  cut: Lots;
}

interface Couple {
  readonly condition: FillCondition;
  readonly members: readonly Member[];
}

interface Followers {
  readonly condition: FillCondition;
  readonly minAmount: Lots;
  readonly waiting: readonly {
    readonly order: BookOrder;
    /** The amount before parts of it went on. */
    total: Lots;
    /** How much of it went on. */
    gone: Lots;
  }[];
}

export function createLinks(actions: LinkActions): Links {
  const couples = new Map<string, Couple>();
  const followers = new Map<string, Followers>();
  // From a waiting order to the followers that it is one of.
  const following = new Map<string, Followers>();

  const coupleOf = ({ ocoRef }: BookOrder): Couple | undefined => couples.get(ocoRef ?? "");
  const memberOf = (order: BookOrder): Member | undefined =>
    coupleOf(order)?.members.find((member) => member.order === order);

  const hitOthers = (order: BookOrder): void => {
    const couple = coupleOf(order);
    const own = memberOf(order);
    if (couple === undefined || own === undefined) return;
    const isOver = remainingOf(order) === 0 || couple.condition === "first_hit";
    // Before the others close, or they would close this one in turn.
    if (isOver) couples.delete(order.ocoRef ?? "");
    for (const member of couple.members) {
      if (member === own) continue;
      if (isOver) actions.cancel(member.order, "oco_other_closed");
      else if (couple.condition === "incremental") cut(member, shareOf(member.total, order.filled, own.total));
    }
  };
  const cut = (member: Member, upTo: Lots): void => {
    const by = upTo - member.cut;
    if (by <= 0) return;
    member.cut = upTo;
    actions.reduce(member.order, by, "oco_other_closed");
  };
  const release = (primary: BookOrder): void => {
    const found = followers.get(primary.id);
    if (found === undefined) return;
    const isDone = remainingOf(primary) === 0;
    if (isDone) followers.delete(primary.id);
    const parts: LinkedPart[] = [];
    for (const each of found.waiting) {
      const amount = dueOf(found, each, primary);
      if (amount <= 0) continue;
      each.gone += amount;
      if (each.gone === each.total) following.delete(each.order.id);
      parts.push({ order: each.order, amount });
    }
    if (parts.length > 0) actions.activate(parts, found.condition);
  };
  return {
    couple(ref, condition, orders) {
      couples.set(ref, { condition, members: orders.map((order) => ({ order, total: order.amount, cut: 0 })) });
    },
    follow(primary, condition, waiting, minAmount) {
      const made = { condition, minAmount, waiting: waiting.map((order) => ({ order, total: order.amount, gone: 0 })) };
      followers.set(primary.id, made);
      for (const { id } of waiting) following.set(id, made);
    },
    succeed(parent, child) {
      const member = memberOf(parent);
      if (member !== undefined) member.order = child;
      const found = followers.get(parent.id);
      if (found === undefined) return;
      followers.delete(parent.id);
      followers.set(child.id, found);
    },
    resized(order) {
      const member = memberOf(order);
      if (member !== undefined) member.total = order.amount + member.cut;
      const own = following.get(order.id)?.waiting.find((each) => each.order === order);
      if (own !== undefined) own.total = order.amount + own.gone;
    },
    filled(order) {
      hitOthers(order);
      release(order);
    },
    closed(order) {
      following.delete(order.id);
      const couple = coupleOf(order);
      if (memberOf(order) !== undefined) couples.delete(order.ocoRef ?? "");
      for (const member of couple?.members ?? [])
        if (member.order !== order) actions.cancel(member.order, "oco_other_closed");
      const found = followers.get(order.id);
      followers.delete(order.id);
      for (const { order: waiting } of found?.waiting ?? []) actions.cancel(waiting, "oto_primary_closed");
    },
  };
}

/** Returns how much of a waiting order goes on now. */
function dueOf(
  { condition, minAmount }: Followers,
  { order, total, gone }: { readonly order: BookOrder; readonly total: Lots; readonly gone: Lots },
  primary: BookOrder,
): Lots {
  if (order.state !== "untriggered") return 0;
  const isDone = remainingOf(primary) === 0;
  if (isDone || condition === "first_hit") return total - gone;
  if (condition === "complete_fill") return 0;
  const due = shareOf(total, primary.filled, primary.amount) - gone;
  return due < minAmount ? 0 : due;
}

/** Returns the part of an amount that is as large as a fill is of its order, rounded down to a lot. */
function shareOf(total: Lots, filled: Lots, amount: Lots): Lots {
  return Math.min(total, multiplyDivide(total, filled, amount, "down"));
}
