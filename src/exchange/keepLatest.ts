/** Adds to a list of which the last `kept`, and up to twice as many, are kept. */
export function keepLatest<T>(list: T[], value: T, kept: number): void {
  list.push(value);
  if (list.length > 2 * kept) list.splice(0, kept);
}

/** A map that forgets its oldest entry where there would be too many. */
export interface LatestMap<Value> {
  get(key: string): Value | undefined;
  /** Adds an entry as the newest one; an entry whose key is there already keeps its place. */
  set(key: string, value: Value): void;
  /** Goes through the values, oldest first. */
  values(): Iterable<Value>;
}

/**
 * Makes a map that keeps the latest `kept` entries. The keys stand in a ring beside it: to find the first key of a map
 * from which thousands were deleted, one has to walk past the holes that they left.
 */
export function createLatestMap<Value>(kept: number): LatestMap<Value> {
  const values = new Map<string, Value>();
  const ring: string[] = [];
  let oldest = 0;
  return {
    get: (key) => values.get(key),
    set(key, value) {
      const known = values.size;
      values.set(key, value);
      if (values.size === known) return;
      const forgotten = ring[oldest];
      if (forgotten !== undefined) values.delete(forgotten);
      ring[oldest] = key;
      oldest = (oldest + 1) % kept;
    },
    values: () => values.values(),
  };
}
