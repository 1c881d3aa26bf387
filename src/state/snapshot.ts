import { msSince, type Clock } from "../base/clock.ts";
import { CallError, type Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import { receivedOf } from "../catalogue/reading.ts";

/**
 * The known state of a resource, and its certainty. A snapshot is replaced when its status, failure or time changes.
 * `items` is the store's living map, the same one in every snapshot, so that thousands of updates a second copy
 * nothing. To keep yesterday's state, keep the items. They are replaced when they change and never altered: a view can
 * compare them to know what to draw again.
 */
export interface Snapshot<Item> {
  readonly status: "loading" | "live" | "stale" | "failed";
  /** The items by id, in the order of the rows: new ones at the end, sorted again at a refresh only. */
  readonly items: ReadonlyMap<string, Item>;
  /**
   * The time when the list was asked for that was last read whole, in ms since the Unix epoch: no item is older.
   * Undefined before the first time.
   */
  readonly readAtMs: number | undefined;
  /** While stale: the last moment at which the list was known to be up to date, in ms since the Unix epoch. */
  readonly currentAtMs?: number | undefined;
  /** The time when that list was there, on the monotonic clock, from which pauses count: the other clock may be set. */
  readonly readAtMonotonicMs?: number | undefined;
  /**
   * The reason why it is stale or failed. While live: why changes are not pushed, so that the list is only as true as
   * its last reading; undefined when they are.
   */
  readonly failure: Failure | undefined;
  /**
   * The pause between two readings while it is shown and changes are not pushed, in ms; undefined without such
   * readings.
   */
  readonly pollPauseMs?: number | undefined;
  /** The rows of the response that do not fit the shape, shown raw and marked. */
  readonly unreadable: readonly unknown[];
}

/** The time that a list that is not pushed counts as up to date after it was read, in ms. */
const FRESH_MS = 10_000;

/** Whether the number of its items can be given: it is up to date, and all rows of the response could be read. */
export function isCountable(
  { status, unreadable, failure, readAtMs = 0, readAtMonotonicMs = -Infinity }: Snapshot<unknown>,
  clock: Pick<Clock, "now" | "monotonicMs">,
): boolean {
  if (status !== "live" || unreadable.length > 0) return false;
  return failure === undefined || msSince(clock, { atMs: readAtMs, monotonicMs: readAtMonotonicMs }) <= FRESH_MS;
}

/**
 * Returns the last moment at which a list was known to be up to date, in ms since the Unix epoch: the one to show.
 * Undefined before the first reading.
 */
export function asOfMs({
  status,
  readAtMs,
  currentAtMs,
}: Partial<Pick<Snapshot<unknown>, "status" | "readAtMs" | "currentAtMs">>): number | undefined {
  return status === "stale" ? (currentAtMs ?? readAtMs) : readAtMs;
}

/**
 * Returns the `currentAtMs` of a list that stops being live. `provenAtMs`: the last moment at which its changes would
 * have come, in ms since the Unix epoch; undefined where that is not known. A list whose changes are not pushed is as
 * old as its reading, and so are figures that no event brings, once the next reading of them is overdue.
 */
export function currentUntil(snapshot: Omit<Snapshot<unknown>, "items">, provenAtMs?: number): number | undefined {
  const { status, readAtMs, failure, pollPauseMs = Infinity, currentAtMs } = snapshot;
  if (provenAtMs === undefined) return status === "live" ? readAtMs : currentAtMs;
  // The link may have been silent for a while when a reading failed.
  if (status !== "live") return currentAtMs === undefined ? undefined : Math.min(currentAtMs, provenAtMs);
  if (readAtMs === undefined || failure !== undefined || provenAtMs - readAtMs > 2 * pollPauseMs) return readAtMs;
  return Math.max(readAtMs, provenAtMs);
}

/** Returns the rows of a result. Throws `unreadableResult` where it is not an array. */
export function rowsIn(result: unknown): readonly unknown[] {
  if (!Array.isArray(result))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response is not an array.") });
  return result as readonly unknown[];
}

/** Reads each row. Returns the items in their order, and the rows that are none as they came. */
export function readRows<Item>(
  rows: readonly unknown[],
  read: (row: unknown) => Item | undefined,
): { readonly list: readonly Item[]; readonly unreadable: readonly unknown[] } {
  const list: Item[] = [];
  const unreadable: unknown[] = [];
  for (const row of rows) {
    const item = read(row);
    if (item === undefined) unreadable.push(row);
    else list.push(item);
  }
  return { list, unreadable };
}

/** Returns a row after an event about it: what the event leaves out stays as it was. */
export function withNews<Name extends "accountSummary" | "position">(
  name: Name,
  known: RowOf<Name> | undefined,
  news: RowOf<Name>,
): RowOf<Name> {
  return known === undefined ? news : (readRow(name, { ...receivedOf(known), ...receivedOf(news) }) ?? news);
}
