/** The change of a text between two of its versions. Everything outside of the change is the same. */
export interface TextChange {
  /** The place where the versions begin to differ. */
  readonly start: number;
  /** The end of the difference, in the newer version. */
  readonly end: number;
  /** The distance that the newer version has moved the text after the change; negative where it is shorter. */
  readonly by: number;
}

/**
 * Returns the smallest change that makes one text of another. Several edits are one change from the first to the last
 * of them.
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

/**
 * The length of a slice. The engine compares long slices and does not copy them: megabytes take a fraction of a
 * millisecond.
 */
const SLICE = 16_384;

/** Returns how many characters are the same, from the start of the counting. */
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
