// @ts-check
/** The arithmetic of the benchmark: medians, spreads and what a figure means for its goal. Pure. */

/**
 * @typedef {{ median: number, low: number, high: number, count: number }} Spread the middle, and where the middle half
 * begins and ends
 */

/**
 * @typedef {object} Goal
 * @property {"atMost" | "atLeast"} sense
 * @property {number} gate where the build should fail
 * @property {number} stretch
 */

/**
 * @typedef {object} Trust what says whether a figure may be judged at all
 * @property {number} [nullRatio] the limit against a second instance of itself in the same run
 * @property {number} [tolerance] how far that may be from 1
 * @property {boolean} isComparable whether the run had the conditions that its goal asks for, such as one core
 */

/** @typedef {"met" | "missed" | "missed (accepted)" | "void" | "not judged" | "reported"} Verdict */

/**
 * @param {readonly number[]} values
 * @param {number} share 0 for the smallest, 1 for the largest
 */
export function quantile(values, share) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/** @param {readonly number[]} values @returns {Spread} */
export function spreadOf(values) {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75), count: values.length };
}

/**
 * The ratios of two series, pair by pair: both members of a pair were measured in the same moment.
 * @param {readonly number[]} values
 * @param {readonly number[]} references
 */
export function ratios(values, references) {
  if (values.length !== references.length) throw new RangeError("Two series of different length are no pairs.");
  return values.map((value, index) => value / /** @type {number} */ (references[index]));
}

/**
 * How a time grows with a size: the exponent of the power that lies nearest, by least squares of the logarithms. 0 for
 * what does not grow, 1 for what grows as the size does, 2 for what grows as its square.
 * @param {readonly number[]} sizes
 * @param {readonly number[]} times
 */
export function exponentOf(sizes, times) {
  const points = sizes.map((size, index) => [Math.log(size), Math.log(times[index] ?? NaN)]);
  const mean = (/** @type {number} */ axis) =>
    points.reduce((sum, point) => sum + (point[axis] ?? NaN), 0) / points.length;
  const [middleX, middleY] = [mean(0), mean(1)];
  const along = (/** @type {(x: number, y: number) => number} */ product) =>
    points.reduce((sum, [x = NaN, y = NaN]) => sum + product(x - middleX, y - middleY), 0);
  return along((x, y) => x * y) / along((x) => x * x);
}

/**
 * Where two runs of the very same code differ, a ratio says nothing: the run is void.
 * @param {number} value
 * @param {Goal} goal
 * @param {Trust} trust
 * @returns {Verdict}
 */
export function judge(value, { sense, gate }, { nullRatio = 1, tolerance = Infinity, isComparable }) {
  if (!isComparable) return "not judged";
  if (!Number.isFinite(value) || !(Math.abs(nullRatio - 1) <= tolerance + 1e-9)) return "void";
  return (sense === "atMost" ? value <= gate : value >= gate) ? "met" : "missed";
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random in [0, 1)
 * @returns {T[]} the items in another order
 */
export function shuffled(items, random) {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [/** @type {T} */ (result[other]), /** @type {T} */ (result[last])];
  }
  return result;
}

/**
 * Text columns, the first to the left, the others as wide as their widest.
 * @param {readonly (readonly string[])[]} rows
 */
export function table(rows) {
  const widths = rows.reduce(
    (/** @type {number[]} */ most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
