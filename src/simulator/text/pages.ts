import { invalidParam } from "./errors.ts";

/** A part of a list, and where the next part begins; undefined at the end of the list. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: number | undefined;
}

/**
 * Returns the items of a page of a list that begins with the newest. A continuation is the number of items that are
 * older than the page before: what comes in meanwhile moves none. Refuses any other continuation.
 */
export function pageAfter<T>(all: readonly T[], count: number, continuation?: string): Page<T> {
  const left = continuation === undefined ? all.length : Number(continuation);
  if (!Number.isSafeInteger(left) || left < 0) throw invalidParam("continuation", "invalid continuation");
  const first = Math.max(0, all.length - left);
  const items = all.slice(first, first + count);
  const older = all.length - first - items.length;
  return { items, next: older > 0 ? older : undefined };
}

/**
 * The time after which a trade or an ended order is history too, in ms. The documentation speaks of a short delay for
 * indexing and names no figure.
 */
const INDEXING_MS = 60_000;

/**
 * Whether a list has a record of an age, in ms. Recent records are listed for a time alone, `recentMs`; history has all
 * that were indexed, and nothing that has just happened.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
export function isListed(ageMs: number, recentMs: number, isHistorical = false): boolean {
  return isHistorical ? ageMs >= INDEXING_MS : ageMs < recentMs;
}
