import type { TradedInstrument } from "../instrument.ts";
import type { BookState } from "../orders/bookState.ts";
import { lastSettlement, nextSettlement } from "./calendar.ts";

/** What an operator, an error, or a test puts books into. */
export interface BookStateChange {
  /** `settlement` concerns futures and options alone. `open` lets them be as usual again. */
  readonly state: Exclude<BookState, "closed">;
  /** The books that are meant, by their index, e.g. `btc_usd`; all when left out. */
  readonly indexName?: string;
  /** How long it lasts, in ms; when left out: a settlement as long as the daily one, others until another change. */
  readonly forMs?: number;
}

/**
 * The state of the exchange as a whole: which books are open, which indexes are locked, and whether it is in
 * maintenance. Times are in ms since the epoch.
 */
export interface Platform {
  /** Returns the state of the book of an instrument that has not expired. */
  bookState(instrument: Pick<TradedInstrument, "kind" | "indexName">, atMs: number): Exclude<BookState, "closed">;
  setBookState(change: BookStateChange, nowMs: number): void;
  /** Returns the indexes, of all that have instruments, whose books are locked. */
  lockedIndexes(atMs: number): readonly string[];
  /** Whether all indexes are locked. */
  isLocked(atMs: number): boolean;
  /** Returns when a state changes next without a call. */
  nextChange(afterMs: number): number;
  /** During maintenance no call is served, and every book is halted. */
  isInMaintenance: boolean;
}

/**
 * How long the daily settlement at 08:00 UTC lasts, in ms. Documented are "a few seconds".
 * https://docs.deribit.com/articles/errors (10041), https://docs.deribit.com/starbase/market-model
 */
export const SETTLEMENT_PAUSE_MS = 5000;

/** Makes the platform of an exchange that begins now, with books of these indexes: all is open. */
export function createPlatform(indexes: ReadonlySet<string>, startMs: number): Platform {
  const isSettlement = (atMs: number): boolean => {
    const beganMs = lastSettlement(atMs);
    return beganMs > startMs && atMs - beganMs < SETTLEMENT_PAUSE_MS;
  };
  const changes = new Map<
    string,
    { readonly state: Exclude<BookState, "closed" | "open">; readonly untilMs: number }
  >();
  const changeAt = (index: string, atMs: number): BookStateChange["state"] | undefined => {
    const change = changes.get(index);
    return change === undefined || change.untilMs <= atMs ? undefined : change.state;
  };
  const platform: Platform = {
    isInMaintenance: false,
    bookState({ kind, indexName }, atMs) {
      if (platform.isInMaintenance) return "halted";
      const state = changeAt(indexName, atMs);
      if (state === "locked" || state === "halted") return state;
      const isSettled = kind !== "spot" && (state === "settlement" || isSettlement(atMs));
      return isSettled ? "settlement" : "open";
    },
    setBookState({ state, indexName: index, forMs }, nowMs) {
      const lastsMs = forMs ?? (state === "settlement" ? SETTLEMENT_PAUSE_MS : Infinity);
      for (const each of index === undefined ? indexes : [index])
        if (state === "open") changes.delete(each);
        else changes.set(each, { state, untilMs: nowMs + lastsMs });
    },
    lockedIndexes: (atMs) => [...indexes].filter((index) => changeAt(index, atMs) === "locked"),
    isLocked: (atMs) => [...indexes].every((index) => changeAt(index, atMs) === "locked"),
    nextChange(afterMs) {
      const ends = [...changes.values()].map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > afterMs);
      return Math.min(
        isSettlement(afterMs) ? lastSettlement(afterMs) + SETTLEMENT_PAUSE_MS : nextSettlement(afterMs),
        ...ends,
      );
    },
  };
  return platform;
}
