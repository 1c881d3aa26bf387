import type { Clock } from "../base/clock.ts";
import { isEndState } from "../catalogue/orderStates.ts";
import { receivedOf } from "../catalogue/reading.ts";
import type { RowOf } from "../catalogue/index.ts";
import { ListedOrder, type OrderList } from "../rpc/orderList.ts";

/** An order as the exchange describes it. */
export type Order = RowOf<"order">;

/** An order in the store. Replaced when something changes, never altered. */
export interface OrderItem {
  readonly order: Order;
  /**
   * The time when the exchange reported an end state, or a fresh list did not have the order any more. In that case its
   * state still reads open: its outcome is not known. The row stays, greyed and without actions, for 10 s.
   */
  readonly endedAtMs: number | undefined;
}

/** Returns the instrument of an order, also where the order is not parsed yet. */
export function instrumentNameOf(item: OrderItem): string | undefined {
  return item instanceof ListedOrder ? item.instrumentName : item.order.instrument_name;
}

/**
 * Returns an order with the members and the state of this one, where only those are of interest: itself, unless it is
 * not parsed yet.
 */
export function sampleOf(item: OrderItem): Order {
  return item instanceof ListedOrder ? item.sample : item.order;
}

/** The orders by id, merged from lists and single updates. Knows nothing of the session. */
export interface OrderItems {
  readonly items: ReadonlyMap<string, OrderItem>;
  /**
   * Takes an order as it was pushed. An older one than the known one is ignored; an equally old one counts as newer.
   * Updates come by the thousand, and few end an order: only those ask the clock.
   */
  apply(order: Order, clock: Pick<Clock, "now">): "same" | "changed" | "added" | "full";
  /**
   * Takes the first list, sorted, which is parsed when it is looked at: it costs the most and is waited for. Returns
   * false, with nothing taken, where there are items already, and for a list with ended orders, repeated ids, or too
   * many, which `merge` sorts out.
   */
  fill(list: OrderList): boolean;
  /** Parses some of the orders that are not parsed yet; returns whether there are more. */
  parse(count: number): boolean;
  /** Takes a list that was read whole, and returns which orders changed, came or left. */
  merge(reading: OrderReading, nowMs: number): ReadonlySet<string>;
  /** Removes what ended at or before this moment, and returns which. */
  removeEnded(untilMs: number): ReadonlySet<string>;
  /**
   * Forgets all, as of another account: an old message brings none of them back. Returns what is left, which is
   * nothing.
   */
  clear(): ReadonlyMap<string, OrderItem>;
  /** The time when the first of the ended orders ended; undefined when there are none. */
  readonly firstEndedAtMs: number | undefined;
}

/** A list that was read whole, with the facts that its merge needs. */
interface OrderReading {
  readonly list: readonly Order[];
  /**
   * Whether there are rows without a readable id. An order that is not found may be one of them, so it is dropped, not
   * reported as ended.
   */
  readonly hasUnreadable: boolean;
  /** The orders pushed since the request for the list was sent, the newest of each: the list may not have them yet. */
  readonly pushed: ReadonlyMap<string, Order>;
  /** Whether the known items come from the same generation of the session. Older ones never replace a list. */
  readonly isSameGeneration: boolean;
  /** Whether all rows are sorted; otherwise known rows keep their places and new ones are appended. */
  readonly isSorted: boolean;
}

/** The maximum number of orders that are held; beyond it the exchange would have to be read page by page. */
export const MAX_ORDERS = 100_000;

/** The number of ended orders that are remembered: repeated messages come soon. */
const MAX_GONE = 5000;

export function createOrderItems(): OrderItems {
  const items = new Map<string, OrderItem>();
  /** The ended orders, in the order in which they ended. */
  const endings = new Map<string, number>();

  /**
   * The latest orders that ended or were forgotten, with the age of the news: a repeated message must not bring them
   * back.
   */
  const gone = new Map<string, number>();
  const noteGone = ({ order_id: id, last_update_timestamp: atMs = -Infinity }: Order): void => {
    gone.delete(id);
    gone.set(id, atMs);
    const [oldest] = gone.keys();
    if (gone.size > MAX_GONE && oldest !== undefined) gone.delete(oldest);
  };

  /** The orders of the first list that may not be parsed yet. */
  let unparsed: ListedOrder[] = [];

  const nameOf = createNameSharing();
  const put = (id: string, item: OrderItem): void => {
    nameOf(item.order);
    items.set(id, item);
    if (item.endedAtMs === undefined && endings.size === 0) return;
    if (item.endedAtMs === undefined) endings.delete(id);
    else if (!endings.has(id)) endings.set(id, item.endedAtMs);
  };

  /**
   * Returns a reading without kept news that tells nothing new. That is not a reason to believe an order open that the
   * list omits, because a server may resend an old event. In one generation such events are not kept.
   */
  const withoutOldNews = (reading: OrderReading): OrderReading => {
    const isNews = (order: Order): boolean => {
      const { order_id: id } = order;
      if (isEndState(order.order_state)) return true;
      if (ageOf(order) <= (gone.get(id) ?? -Infinity)) return false;
      const known = reading.isSameGeneration ? undefined : items.get(id)?.order;
      if (known === undefined || ageOf(order) > ageOf(known)) return true;
      // Two changes can have the same time. Who is listed has not ended, so that the other one can be believed.
      const isOther = isAsOld(order, known) && !isSameOrder(order, known);
      return isOther && reading.list.some((listed) => listed.order_id === id);
    };
    return { ...reading, pushed: new Map([...reading.pushed].filter(([, order]) => isNews(order))) };
  };

  return {
    items,
    get firstEndedAtMs() {
      for (const endedAtMs of endings.values()) return endedAtMs;
      return undefined;
    },

    apply(order, clock) {
      const known = items.get(order.order_id);
      const hasEnded = isEndState(order.order_state);
      if (known === undefined) {
        if (hasEnded) noteGone(order);
        if (hasEnded || ageOf(order) <= (gone.get(order.order_id) ?? -Infinity)) return "same";
        if (items.size >= MAX_ORDERS) return "full";
        put(order.order_id, { order, endedAtMs: undefined });
        return "added";
      }
      if (isOlder(order, known.order)) return "same";
      if (
        isAsOld(order, known.order) &&
        ((isEndState(known.order.order_state) && !hasEnded) || isSameOrder(order, known.order))
      )
        return "same";
      put(order.order_id, { order, endedAtMs: hasEnded ? (known.endedAtMs ?? clock.now()) : undefined });
      return "changed";
    },

    fill({ byInstrument, count, samples }) {
      const isUsual = count <= MAX_ORDERS && !samples.some(({ order_state: state }) => isEndState(state));
      if (items.size > 0 || !isUsual) return false;
      unparsed = ([] as ListedOrder[]).concat(...byInstrument.toSorted(compareFirst).map(inOrder));
      // A loop would be compiled again while it runs, which takes longer than what it does.
      unparsed.forEach((each) => items.set(each.id, each));
      if (items.size === count) return true;
      unparsed = [];
      items.clear();
      return false;
    },

    parse(count) {
      for (const each of unparsed.splice(-count)) each.parse();
      return unparsed.length > 0;
    },

    merge(reading, nowMs) {
      const next = nextItems(items, withoutOldNews(reading), nowMs);
      const changed = new Set<string>();
      for (const [id, item] of next) if (items.get(id) !== item) changed.add(id);
      for (const id of items.keys()) if (!next.has(id)) changed.add(id);
      items.clear();
      const rows = reading.isSorted
        ? sortOrders(Array.from(next.values(), ({ order }) => order)).flatMap(({ order_id: id }) => next.get(id) ?? [])
        : next.values();
      for (const item of rows) put(item.order.order_id, item);
      for (const id of endings.keys()) if (!items.has(id)) endings.delete(id);
      return changed;
    },

    clear() {
      for (const { order } of items.values()) noteGone(order);
      items.clear();
      endings.clear();
      unparsed = [];
      return items;
    },

    removeEnded(untilMs) {
      const removed = new Set<string>();
      for (const [id, endedAtMs] of endings) {
        if (endedAtMs > untilMs) break;
        removed.add(id);
      }
      for (const id of removed) {
        const item = items.get(id);
        if (item !== undefined) noteGone(item.order);
        endings.delete(id);
        items.delete(id);
      }
      return removed;
    },
  };
}

/**
 * Makes a function that puts the shared copy of a name into an order. Each message brings its own copy; thousands of
 * orders share a few hundred names.
 */
function createNameSharing(): (order: Order) => void {
  const names = new Map<string, string>();
  return (order) => {
    const { instrument_name: name } = order;
    if (name === undefined) return;
    const known = names.get(name);
    // Instruments expire: over weeks, more names come than there are orders.
    if (known === undefined && names.size >= MAX_ORDERS) names.clear();
    if (known === undefined) names.set(name, name);
    else order.instrument_name = known;
  };
}

/** Returns what is in the store after a list was read: known ids first, in their order, then new ones. */
function nextItems(
  known: ReadonlyMap<string, OrderItem>,
  reading: OrderReading,
  nowMs: number,
): Map<string, OrderItem> {
  const next = new Map<string, OrderItem>();
  if (known.size === 0 && reading.pushed.size === 0) {
    for (const order of reading.list) {
      if (isEndState(order.order_state)) next.delete(order.order_id);
      else next.set(order.order_id, { order, endedAtMs: undefined });
    }
    return next;
  }
  const listed = new Map<string, Order>();
  for (const order of reading.list) listed.set(order.order_id, order);
  const isAccountedFor = (id: string, { endedAtMs }: OrderItem): boolean =>
    !reading.hasUnreadable || listed.has(id) || reading.pushed.has(id) || endedAtMs !== undefined;
  for (const [id, item] of known) {
    if (isAccountedFor(id, item)) next.set(id, nextItem(item, listed.get(id), reading, nowMs));
  }
  const addNew = (id: string, order: Order): void => {
    // An order that came and went while not shown has no row that could turn grey.
    if (!known.has(id) && !isEndState(order.order_state)) next.set(id, { order, endedAtMs: undefined });
  };
  for (const [id, order] of listed) addNew(id, newestOf(reading.pushed.get(id), order) ?? order);
  for (const [id, order] of reading.pushed) if (!listed.has(id)) addNew(id, order);
  return next;
}

/** Returns the next state of a known order; the item itself when it does not change. */
function nextItem(item: OrderItem, listed: Order | undefined, reading: OrderReading, nowMs: number): OrderItem {
  const news = newestOf(reading.pushed.get(item.order.order_id), listed);
  const order = newestOf(news, reading.isSameGeneration ? item.order : undefined) ?? item.order;
  const isOpen = news !== undefined && !isEndState(order.order_state);
  const endedAtMs = isOpen ? undefined : (item.endedAtMs ?? nowMs);
  return endedAtMs === item.endedAtMs && isSameOrder(order, item.order) ? item : { order, endedAtMs };
}

/** Returns the newer of two descriptions of an order; the first one when they are equally old. */
function newestOf(one: Order | undefined, other: Order | undefined): Order | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isOlder(one, other) ? other : one;
}

/** Whether an order is older. The age of an order without a time is not known: it is taken as it comes. */
function isOlder({ last_update_timestamp: atMs }: Order, { last_update_timestamp: thanMs }: Order): boolean {
  return atMs !== undefined && thanMs !== undefined && atMs < thanMs;
}

function ageOf({ last_update_timestamp: atMs = -Infinity }: Order): number {
  return atMs;
}

function isAsOld(order: Order, as: Order): boolean {
  return order.last_update_timestamp === as.last_update_timestamp;
}

function isSameOrder(one: Order, other: Order): boolean {
  const [received, before] = [receivedOf(one), receivedOf(other)] as [Order, Order];
  let count = 0;
  // A list of names for each order of a list would be most of what the comparison costs.
  for (const name in received) {
    if (!isSameValue(received[name], before[name])) return false;
    count++;
  }
  for (const _ in before) count--;
  return count === 0;
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null) return Object.is(one, other);
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Sorts by instrument, then by the order of placing, then by id so that no two rows are equal. */
function sortOrders(orders: readonly Order[]): Order[] {
  // There are few instruments: sorting their names once is much less work than comparing them in each pair of orders.
  const byInstrument = new Map<string, Order[]>();
  const unsorted = new Set<Order[]>();
  orders.forEach((order) => {
    const { instrument_name: name = "" } = order;
    const together = byInstrument.get(name);
    const last = together?.at(-1);
    if (together === undefined || last === undefined) byInstrument.set(name, [order]);
    else {
      if (compareOrders(last, order) > 0) unsorted.add(together);
      together.push(order);
    }
  });
  for (const together of unsorted) together.sort(compareOrders);
  return ([] as Order[]).concat(...[...byInstrument.keys()].sort().map((name) => byInstrument.get(name) ?? []));
}

function compareOrders(one: Order, other: Order): number {
  return (one.creation_timestamp ?? 0) - (other.creation_timestamp ?? 0) || compare(one.order_id, other.order_id);
}

function compareListed(one: ListedOrder, other: ListedOrder): number {
  return (one.createdAtMs ?? 0) - (other.createdAtMs ?? 0) || compare(one.id, other.id);
}

/** Returns the orders of an instrument sorted, as mostly they are. */
function inOrder(orders: readonly ListedOrder[]): readonly ListedOrder[] {
  const isSorted = orders.every((each, index) => compareListed(orders[index - 1] ?? each, each) <= 0);
  return isSorted ? orders : orders.toSorted(compareListed);
}

function compareFirst([one]: readonly ListedOrder[], [other]: readonly ListedOrder[]): number {
  return compare(one?.instrumentName ?? "", other?.instrumentName ?? "");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
