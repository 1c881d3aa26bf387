import type { BookChange, LevelChange } from "../facts.ts";
import type { Side } from "../instrument.ts";
import type { Lots, Ticks } from "../units.ts";

/** Remembers what the levels showed before they were touched, so that a change costs what it changed. */
export interface LevelWatch {
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
  let touched: { buy: Touched; sell: Touched } = { buy: new Map(), sell: new Map() };
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
      const { buy, sell } = touched;
      if (buy.size === 0 && sell.size === 0) return undefined;
      touched = { buy: new Map(), sell: new Map() };
      const bids = differences(buy);
      const asks = differences(sell);
      if (bids.length === 0 && asks.length === 0) return undefined;
      const prevChangeId = changeId;
      changeId = nextId();
      return { kind: "book", instrument, atMs, changeId, prevChangeId, bids, asks };
    },
    changeId: () => changeId,
  };
}

type Touched = Map<Ticks, { readonly was: Lots; level: WatchedLevel }>;

function differences(touched: Touched): LevelChange[] {
  return [...touched].flatMap(([price, { was, level }]): LevelChange[] => {
    const amount = level.visible;
    if (amount === was) return [];
    return [{ action: was === 0 ? "new" : amount === 0 ? "delete" : "change", price, amount }];
  });
}
