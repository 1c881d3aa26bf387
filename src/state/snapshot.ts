import type { Clock } from "../base/clock.ts";
import type { Failure } from "../base/failure.ts";

/**
 * What is known of a resource, and how sure it is. A snapshot is replaced when its status, failure or time changes;
 * `items` is the store's living map, the same one in every snapshot, so that thousands of updates a second copy
 * nothing. Whoever needs yesterday's state keeps the items, which are replaced when they change and never altered: a
 * view can tell by comparison what to draw again.
 */
export interface Snapshot<Item> {
  readonly status: "loading" | "live" | "stale" | "failed";
  /** By id, in the order in which rows stand: new ones at the end, sorted anew at a refresh only. */
  readonly items: ReadonlyMap<string, Item>;
  /** When the list was last read whole, ms since the Unix epoch; undefined before the first time. */
  readonly readAtMs: number | undefined;
  /** The same on the monotonic clock, for its age: the other one is set. */
  readonly readAtMonotonicMs?: number | undefined;
  /**
   * Why it is stale or failed. While it is live: why changes are not pushed to us, so that the list is only as true as
   * its last reading; undefined when they are.
   */
  readonly failure: Failure | undefined;
  /**
   * The pause between two readings while changes are not pushed and somebody looks, ms; undefined when nobody polls.
   */
  readonly pollPauseMs?: number | undefined;
  /** Rows of the response that do not fit the shape, shown raw and marked. */
  readonly unreadable: readonly unknown[];
}

/** A list that is not pushed counts as up to date for so long after it was read. */
const FRESH_MS = 10_000;

/** Whether the number of its items can be said: it is up to date, and all rows of the response could be read. */
export function isCountable(
  { status, unreadable, failure, readAtMs = 0, readAtMonotonicMs = -Infinity }: Snapshot<unknown>,
  clock: Pick<Clock, "now" | "monotonicMs">,
): boolean {
  if (status !== "live" || unreadable.length > 0) return false;
  // One clock stands still while the computer sleeps, the other one is set.
  return failure === undefined || Math.max(clock.now() - readAtMs, clock.monotonicMs() - readAtMonotonicMs) <= FRESH_MS;
}
