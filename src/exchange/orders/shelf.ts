import type { AccountId } from "../instrument.ts";
import { createLatestMap, type LatestMap } from "../keepLatest.ts";
import { isWaitingOrder, type BookOrder } from "./order.ts";

/** All orders by what they are asked for by. Open ones are kept until they close, and the latest closed ones after. */
export interface Shelf {
  /** Files an order that is open or waits. */
  add(order: BookOrder): void;
  /** To be called after an order was edited. */
  edited(order: BookOrder): void;
  /** Files an order whose state has become a final one, at the time of its last change. */
  close(order: BookOrder): void;
  /** Returns an order, closed or not. */
  find(id: string): BookOrder | undefined;
  /** Returns an order that is open or waits. */
  findOpen(id: string): BookOrder | undefined;
  /** Returns the latest closed orders of an account, in the order of their closing. */
  closed(account: AccountId): Iterable<BookOrder>;
  /** Returns the orders that are open or wait, of one account or of all, in the order of their coming. */
  open(account?: AccountId): Iterable<BookOrder>;
  /** How many orders of an account wait: for a price, or for another order. */
  waiting(account: AccountId): { readonly triggers: number; readonly linked: number };
  /** Returns the orders of an account that may only reduce its position and no longer wait. */
  reducing(account: AccountId, instrument: string): Iterable<BookOrder>;
  /** Returns the good-til-day orders whose end has come. */
  endedBy(nowMs: number): BookOrder[];
}

/** How many closed orders of each account are kept at most. */
const MAX_CLOSED = 10_000;

export function createShelf(): Shelf {
  const open = new Map<string, BookOrder>();
  const closed = new Map<AccountId, LatestMap<BookOrder>>();
  const byAccount = new Map<AccountId, Map<string, BookOrder>>();
  const counts = new Map<AccountId, { triggers: number; linked: number }>();
  const reducing = new Map<string, Set<BookOrder>>();
  // Their ends are all at the same hour, so there are few.
  const ending = new Map<number, Set<BookOrder>>();

  const findClosed = (id: string): BookOrder | undefined => {
    for (const orders of closed.values()) {
      const order = orders.get(id);
      if (order !== undefined) return order;
    }
    return undefined;
  };
  const count = (order: BookOrder, by: 1 | -1): void => {
    const counted = entryOf(counts, order.account, () => ({ triggers: 0, linked: 0 }));
    if (order.isSecondaryOto) counted.linked += by;
    else counted.triggers += by;
  };
  const fileReducing = (order: BookOrder): void => {
    if (order.reduceOnly && order.state === "open")
      entryOf(reducing, reducingKey(order), () => new Set<BookOrder>()).add(order);
    else reducing.get(reducingKey(order))?.delete(order);
  };
  return {
    add(order) {
      open.set(order.id, order);
      entryOf(byAccount, order.account, () => new Map<string, BookOrder>()).set(order.id, order);
      if (isWaitingOrder(order)) count(order, 1);
      fileReducing(order);
      if (order.endsAtMs !== undefined) entryOf(ending, order.endsAtMs, () => new Set<BookOrder>()).add(order);
    },
    edited: fileReducing,
    close(order) {
      open.delete(order.id);
      byAccount.get(order.account)?.delete(order.id);
      if (startsWaiting(order)) count(order, -1);
      reducing.get(reducingKey(order))?.delete(order);
      if (order.endsAtMs !== undefined) ending.get(order.endsAtMs)?.delete(order);
      entryOf(closed, order.account, () => createLatestMap(MAX_CLOSED, (each: BookOrder) => each.updatedAtMs)).set(
        order.id,
        order,
      );
    },
    find: (id) => open.get(id) ?? findClosed(id),
    findOpen: (id) => open.get(id),
    closed: (account) => closed.get(account)?.values() ?? [],
    open: (account) => (account === undefined ? open : byAccount.get(account))?.values() ?? [],
    waiting: (account) => counts.get(account) ?? { triggers: 0, linked: 0 },
    reducing: (account, instrument) => reducing.get(reducingKey({ account, instrument })) ?? [],
    endedBy(nowMs) {
      if (ending.size === 0) return [];
      const ended = [...ending].filter(([endsAtMs]) => endsAtMs <= nowMs).sort(([one], [other]) => one - other);
      for (const [endsAtMs] of ended) ending.delete(endsAtMs);
      return ended.flatMap(([, orders]) => [...orders]);
    },
  };
}

/** Whether the order has waited all its life: what it goes on as is another order. */
function startsWaiting(order: BookOrder): boolean {
  return order.isSecondaryOto || (order.trigger !== undefined && order.originalType === undefined);
}

function reducingKey({ account, instrument }: Pick<BookOrder, "account" | "instrument">): string {
  return `${account}\n${instrument}`;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
