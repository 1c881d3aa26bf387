interface Timed {
  /** In ms since the Unix epoch; undefined for what has no time. */
  readonly atMs?: number | undefined;
}

/**
 * Returns as many entries as fit, the newest first. Entries that have no time keep their order after them. Of very many
 * entries, only possible results are ever sorted.
 */
export function newestFirst<Entry extends Timed>(entries: readonly Entry[], maxCount: number): readonly Entry[] {
  const sorted = (some: readonly Entry[]): Entry[] =>
    some.toSorted((left, right) => compare(timeOf(right), timeOf(left))).slice(0, maxCount);
  let best: Entry[] = [];
  let least: number | undefined;
  for (const entry of entries) {
    if (least !== undefined && timeOf(entry) <= least) continue;
    best.push(entry);
    if (best.length < 4 * maxCount) continue;
    best = sorted(best);
    least = timeOf(best.at(-1));
  }
  return sorted(best);
}

function timeOf(entry: Timed | undefined): number {
  return entry?.atMs ?? -Infinity;
}

function compare(left: number, right: number): number {
  return left === right ? 0 : left - right;
}
