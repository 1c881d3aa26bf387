import type { Failure } from "../base/failure.ts";

/**
 * What is known of a resource, and how sure it is. Items keep their identity while they do not change, so that a view
 * can tell by comparison what to draw again.
 */
export interface Snapshot<Item> {
  readonly status: "loading" | "live" | "stale" | "failed";
  /** By id, in the order in which rows stand: new ones at the end, sorted anew at a refresh only. */
  readonly items: ReadonlyMap<string, Item>;
  /** When the list was last read whole, ms since the Unix epoch; undefined before the first time. */
  readonly readAtMs: number | undefined;
  /** Why it is stale or failed. */
  readonly failure: Failure | undefined;
  /** Rows of the answer that do not fit the shape, shown raw and marked. */
  readonly unreadable: readonly unknown[];
}
