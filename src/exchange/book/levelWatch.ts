import type { BookChange, LevelChange } from "../facts.ts";
import type { Side } from "../instrument.ts";
import type { Lots, Ticks } from "../units.ts";

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

export function createLevelWatch(instrument: string): LevelWatch {
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
