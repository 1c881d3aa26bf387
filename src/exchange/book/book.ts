import type { BookChange, LevelChange } from "../facts.ts";
import type { Side } from "../instrument.ts";
import { remainingOf, type BookOrder } from "../orders/order.ts";
import type { Lots, Ticks } from "../units.ts";
import { append, createQueue, leave, type Queue, type Queued } from "./queue.ts";
import { createSortedMap, type SortedMap } from "./sortedMap.ts";

/**
 * The orders of one instrument that rest, in price-time priority. An iceberg order that has traded what it shows shows
 * its next part at the end of the queue.
 */
export interface Book {
  /** Puts an open order with a price at the end of its queue. */
  rest(order: BookOrder): void;
  /** Takes note that a resting order traded: `filled` has grown by the amount. An order that is done leaves. */
  consume(order: BookOrder, amount: Lots): void;
  /** Takes note that a resting order was made smaller: it keeps its place, and loses of what it hides first. */
  shrink(order: BookOrder, by: Lots): void;
  /** Takes an order out, if it rests. */
  remove(order: BookOrder): void;
  /** Returns the order that trades next on a side, and how much of it until another one's turn. */
  next(side: Side): { readonly order: BookOrder; readonly tip: Lots } | undefined;
  /** Goes through the levels of a side, best first. */
  levels(side: Side): Iterable<PriceLevel>;
  /** What others see, best price first. */
  depth(levels: number): BookDepth;
  /** Returns what others see differently since the last time, if anything. */
  change(atMs: number, nextId: () => number): BookChange | undefined;
}

export interface BookDepth {
  /** The ID of the latest change, undefined of a book without one. */
  readonly changeId: number | undefined;
  readonly bids: readonly VisibleLevel[];
  readonly asks: readonly VisibleLevel[];
}

export interface VisibleLevel {
  readonly price: Ticks;
  readonly amount: Lots;
}

export interface PriceLevel {
  readonly price: Ticks;
  readonly side: Side;
  readonly queue: Queue<Resting>;
  /** The sum of what the orders show. */
  visible: Lots;
}

/** An order in its level. `tip` + `reserve` is what it still wants. */
export interface Resting extends Queued<Resting> {
  readonly order: BookOrder;
  readonly level: PriceLevel;
  /** The part that trades before other orders have their turn. */
  tip: Lots;
  /** What an iceberg order does not show yet. */
  reserve: Lots;
}

export function createBook(instrument: string): Book {
  const sides = { buy: createSortedMap<PriceLevel>(), sell: createSortedMap<PriceLevel>() };
  const resting = new Map<string, Resting>();
  const watch = createLevelWatch(instrument);

  const levelAt = (side: Side, price: Ticks): PriceLevel => {
    const known = sides[side].get(keyOf(side, price));
    if (known !== undefined) return known;
    const level = { price, side, queue: createQueue<Resting>(), visible: 0 };
    sides[side].add(keyOf(side, price), level);
    return level;
  };
  /** Changes what a level shows. */
  const show = (level: PriceLevel, by: Lots): void => {
    watch.before(level);
    level.visible += by;
  };
  const takeOut = (entry: Resting): void => {
    const { order, level } = entry;
    show(level, -entry.tip);
    leave(level.queue, entry);
    resting.delete(order.id);
    if (level.queue.head === undefined) sides[level.side].remove(keyOf(level.side, level.price));
  };
  /** Lets an iceberg order show its next part, behind all others. */
  const refresh = (entry: Resting): void => {
    const { order, level } = entry;
    leave(level.queue, entry);
    append(level.queue, entry);
    entry.tip = Math.min(order.refreshAmount ?? entry.reserve, entry.reserve);
    entry.reserve -= entry.tip;
    show(level, entry.tip);
  };
  const lessen = (entry: Resting, by: Lots): void => {
    entry.tip -= by;
    show(entry.level, -by);
    if (entry.tip > 0) return;
    if (entry.reserve > 0) refresh(entry);
    else takeOut(entry);
  };
  return {
    rest(order) {
      const remaining = remainingOf(order);
      const tip = Math.min(order.refreshAmount ?? remaining, remaining);
      const level = levelAt(order.direction, order.price ?? 0);
      const entry = { order, level, tip, reserve: remaining - tip, before: undefined, after: undefined };
      append(level.queue, entry);
      resting.set(order.id, entry);
      show(level, tip);
      tell(entry);
    },
    consume(order, amount) {
      const entry = resting.get(order.id);
      if (entry === undefined) return;
      lessen(entry, amount);
      tell(entry);
    },
    shrink(order, by) {
      const entry = resting.get(order.id);
      if (entry === undefined) return;
      const ofReserve = Math.min(by, entry.reserve);
      entry.reserve -= ofReserve;
      if (by > ofReserve) lessen(entry, by - ofReserve);
      tell(entry);
    },
    remove(order) {
      const entry = resting.get(order.id);
      if (entry !== undefined) takeOut(entry);
    },
    next: (side) => sides[side].first()?.queue.head,
    levels: (side) => sides[side].values(),
    depth: (levels) => ({
      changeId: watch.changeId(),
      bids: visibleLevels(sides.buy, levels),
      asks: visibleLevels(sides.sell, levels),
    }),
    change: (atMs, nextId) => watch.change(atMs, nextId),
  };
}

/** Bids are kept by the negative price, so that the best of each side has the lowest key. */
function keyOf(side: Side, price: Ticks): number {
  return side === "sell" ? price : -price;
}

/** Writes into an iceberg order what it shows. */
function tell({ order, tip }: Resting): void {
  if (order.refreshAmount !== undefined) order.displayAmount = tip;
}

function visibleLevels(side: SortedMap<PriceLevel>, count: number): VisibleLevel[] {
  const found: VisibleLevel[] = [];
  if (count <= 0) return found;
  for (const { price, visible } of side.values()) {
    found.push({ price, amount: visible });
    if (found.length === count) break;
  }
  return found;
}

/** Remembers what the levels showed before they were touched, so that a change costs what it changed. */
interface LevelWatch {
  /** To be called before what a level shows changes. */
  before(level: WatchedLevel): void;
  /** Returns what the touched levels show differently since the last time, if anything. */
  change(atMs: number, nextId: () => number): BookChange | undefined;
  /** Returns the ID of the latest change. */
  changeId(): number | undefined;
}

interface WatchedLevel {
  readonly side: Side;
  readonly price: Ticks;
  readonly visible: Lots;
}

function createLevelWatch(instrument: string): LevelWatch {
  const touched: { readonly buy: Touched; readonly sell: Touched } = { buy: new Map(), sell: new Map() };
  let changeId: number | undefined;
  return {
    before(level) {
      const levels = touched[level.side];
      const known = levels.get(level.price);
      // A level that was emptied and made again is another object with the same past.
      if (known === undefined) levels.set(level.price, { was: level.visible, level });
      else known.level = level;
    },
    change(atMs, nextId) {
      const bids = takeDifferences(touched.buy);
      const asks = takeDifferences(touched.sell);
      if (bids.length === 0 && asks.length === 0) return undefined;
      const prevChangeId = changeId;
      changeId = nextId();
      return { kind: "book", instrument, atMs, changeId, prevChangeId, bids, asks };
    },
    changeId: () => changeId,
  };
}

type Touched = Map<Ticks, { readonly was: Lots; level: WatchedLevel }>;

/** Returns what levels show differently, and forgets that they were touched. */
function takeDifferences(touched: Touched): LevelChange[] {
  const differences: LevelChange[] = [];
  for (const [price, { was, level }] of touched) {
    // One by one: clearing a map makes a new table, which takes longer for one or two levels.
    touched.delete(price);
    const amount = level.visible;
    if (amount !== was)
      differences.push({ action: was === 0 ? "new" : amount === 0 ? "delete" : "change", price, amount });
  }
  return differences;
}
