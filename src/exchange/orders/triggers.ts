import { append, createQueue, leave, type Queue, type Queued } from "../book/queue.ts";
import { createSortedMap, type SortedMap } from "../book/sortedMap.ts";
import type { Ticks } from "../units.ts";
import type { BookOrder, PriceSource } from "./order.ts";

/** The orders of one instrument that wait for a price. */
export interface Triggers {
  /** Lets an order wait, from the price that its source has now. */
  add(order: BookOrder, price: Ticks | undefined): void;
  /** Takes an order out, if it waits here. */
  remove(order: BookOrder): void;
  /**
   * Takes out the orders that a price triggers: first those that wait for a rise, the lowest price first, then those
   * that wait for a fall, the highest first; at one price in the order of their coming. Trailing stops follow first.
   */
  reach(source: PriceSource, price: Ticks): BookOrder[];
}

interface Waiting extends Queued<Waiting> {
  readonly order: BookOrder;
  /** Where it waits; undefined of a trailing stop whose source has no price yet. */
  key: number | undefined;
}

interface SourceBook {
  readonly rising: SortedMap<Queue<Waiting>>;
  readonly falling: SortedMap<Queue<Waiting>>;
  readonly trailing: Set<Waiting>;
}

export function createTriggers(): Triggers {
  const sources: Record<PriceSource, SourceBook> = {
    last_price: createSourceBook(),
    mark_price: createSourceBook(),
    index_price: createSourceBook(),
  };
  const waiting = new Map<string, Waiting>();
  const bookOf = (order: BookOrder): SourceBook => sources[order.trigger ?? "last_price"];
  const sideOf = (order: BookOrder): SortedMap<Queue<Waiting>> =>
    waitsForRise(order) ? bookOf(order).rising : bookOf(order).falling;

  const arrive = (entry: Waiting): void => {
    const { order } = entry;
    if (order.triggerPrice === undefined) return;
    entry.key = waitsForRise(order) ? order.triggerPrice : -order.triggerPrice;
    const side = sideOf(order);
    const known = side.get(entry.key);
    const queue = known ?? createQueue<Waiting>();
    append(queue, entry);
    if (known === undefined) side.add(entry.key, queue);
  };
  const depart = (entry: Waiting): void => {
    if (entry.key === undefined) return;
    const side = sideOf(entry.order);
    const queue = side.get(entry.key);
    if (queue === undefined) return;
    leave(queue, entry);
    if (queue.head === undefined) side.remove(entry.key);
    entry.key = undefined;
  };
  const remove = (order: BookOrder): void => {
    const entry = waiting.get(order.id);
    if (entry === undefined) return;
    depart(entry);
    bookOf(order).trailing.delete(entry);
    waiting.delete(order.id);
  };
  const takeUpTo = (side: SortedMap<Queue<Waiting>>, key: number): BookOrder[] => {
    const taken: BookOrder[] = [];
    for (let first = side.first()?.head; first?.key !== undefined && first.key <= key; first = side.first()?.head) {
      taken.push(first.order);
      remove(first.order);
    }
    return taken;
  };
  return {
    add(order, price) {
      const entry: Waiting = { order, key: undefined, before: undefined, after: undefined };
      waiting.set(order.id, entry);
      if (order.triggerOffset !== undefined) {
        bookOf(order).trailing.add(entry);
        const reference = order.triggerReferencePrice ?? price;
        if (reference !== undefined) followPrice(order, reference);
      }
      arrive(entry);
    },
    remove,
    reach(source, price) {
      const { rising, falling, trailing } = sources[source];
      for (const entry of trailing) {
        if (!isBetter(entry.order, price)) continue;
        depart(entry);
        followPrice(entry.order, price);
        arrive(entry);
      }
      return [...takeUpTo(rising, price), ...takeUpTo(falling, -price)];
    },
  };
}

/** Whether an order waits for the price to rise to its trigger price, not to fall to it. */
export function waitsForRise({ type, direction }: Pick<BookOrder, "type" | "direction">): boolean {
  const isTake = type === "take_limit" || type === "take_market";
  return isTake === (direction === "sell");
}

/** Whether a price triggers an order that waits for one. */
export function isMet(order: BookOrder, price: Ticks): boolean {
  if (order.triggerPrice === undefined) return false;
  return waitsForRise(order) ? price >= order.triggerPrice : price <= order.triggerPrice;
}

/** Whether a price is further from a trailing stop than all before it. */
function isBetter({ direction, triggerReferencePrice }: BookOrder, price: Ticks): boolean {
  if (triggerReferencePrice === undefined) return true;
  return direction === "sell" ? price > triggerReferencePrice : price < triggerReferencePrice;
}

function followPrice(order: BookOrder, price: Ticks): void {
  const offset = order.triggerOffset ?? 0;
  order.triggerReferencePrice = price;
  order.triggerPrice = order.direction === "sell" ? price - offset : price + offset;
}

function createSourceBook(): SourceBook {
  return { rising: createSortedMap(), falling: createSortedMap(), trailing: new Set() };
}
