import { DAY_MS, HOUR_MS } from "./market/calendar.ts";

/** What happened longer ago is forgotten: trades, entries of transaction logs, and closed orders. */
export const HISTORY_MS = 2 * DAY_MS;

/** As many of each are kept however old they are. */
const ALWAYS_KEPT = 1000;

/**
 * Adds to a list of which the last `kept`, and up to twice as many, are kept.
 * @param timeOf returns when a value happened: never before the value that was added before it. With it, values of more
 *   than two days ago are forgotten, within the hour, but for the last 1,000.
 */
export function keepLatest<T>(list: T[], value: T, kept: number, timeOf?: (value: T) => number): void {
  list.push(value);
  if (list.length > 2 * kept) list.splice(0, list.length - kept);
  if (timeOf === undefined || list.length <= ALWAYS_KEPT) return;
  const sinceMs = timeOf(value) - HISTORY_MS;
  if (timeOf(list[0] ?? value) >= sinceMs - HOUR_MS) return;
  const old = list.findIndex((each) => timeOf(each) >= sinceMs);
  list.splice(0, Math.min(old, list.length - ALWAYS_KEPT));
}

/** A map that forgets its oldest entries. */
export interface LatestMap<Value> {
  get(key: string): Value | undefined;
  /** Adds an entry as the newest one; an entry whose key is there already keeps its place. */
  set(key: string, value: Value): void;
  /** Goes through the values, oldest first. */
  values(): Iterable<Value>;
}

/**
 * Makes a map that keeps the latest `kept` entries, without those of more than two days ago, but for the last 1,000.
 * The keys stand in a list beside it: to find the first key of a map from which thousands were deleted, one has to walk
 * past the holes that they left.
 * @param timeOf returns when a value happened: never before the value that was added before it
 */
export function createLatestMap<Value>(kept: number, timeOf: (value: Value) => number): LatestMap<Value> {
  const values = new Map<string, Value>();
  /** From `first` on. */
  const keys: string[] = [];
  let first = 0;
  const isOld = (key: string, sinceMs: number): boolean => {
    const value = values.get(key);
    return value !== undefined && timeOf(value) < sinceMs;
  };
  return {
    get: (key) => values.get(key),
    set(key, value) {
      const known = values.size;
      values.set(key, value);
      if (values.size === known) return;
      keys.push(key);
      const sinceMs = timeOf(value) - HISTORY_MS;
      for (let oldest = keys[first]; oldest !== undefined; oldest = keys[first]) {
        if (values.size <= kept && (values.size <= ALWAYS_KEPT || !isOld(oldest, sinceMs))) break;
        values.delete(oldest);
        first += 1;
      }
      if (first <= kept) return;
      keys.splice(0, first);
      first = 0;
    },
    values: () => values.values(),
  };
}
