/** What became of a text between two of its versions: everything outside of the change is as it was. */
export interface TextChange {
  /** Where the versions begin to differ. */
  readonly start: number;
  /** Where they end to differ, in the newer version. */
  readonly end: number;
  /** How far the newer version has moved what stands behind; negative where it is shorter. */
  readonly by: number;
}

/**
 * The smallest change that makes one text of another. Several edits are one change from the first to the last of them.
 */
export function changeOf(before: string, after: string): TextChange {
  const least = Math.min(before.length, after.length);
  const start = sameCount(least, (from, to) => before.slice(from, to) === after.slice(from, to));
  const fromEnd = ({ length }: string, count: number): number => length - count;
  const kept = sameCount(
    least - start,
    (from, to) =>
      before.slice(fromEnd(before, to), fromEnd(before, from)) ===
      after.slice(fromEnd(after, to), fromEnd(after, from)),
  );
  return { start, end: after.length - kept, by: after.length - before.length };
}

/** Long slices are compared by the engine without copying them: megabytes take a fraction of a millisecond. */
const SLICE = 16_384;

/** How many of so many characters are the same, counted from where the counting begins. */
function sameCount(most: number, isSame: (from: number, to: number) => boolean): number {
  let low = 0;
  while (low < most && isSame(low, Math.min(low + SLICE, most))) low = Math.min(low + SLICE, most);
  let high = Math.min(low + SLICE, most);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
