/* What the chart computes before it draws: ranges and distances, without a canvas. */

/** A range of time, in ms since the Unix epoch. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The room beside the first and the last trade, as a fraction of the whole. */
const MARGIN = 0.02;
/** The room on both sides of a single moment, in ms. */
const LONELY_MS = 1000;
/** The narrowest range, in ms: zooming in further shows nothing more. */
const NARROWEST_MS = 10;

/** Returns the range that shows all trades. `timesMs` ascends. */
export function fullRange(timesMs: readonly number[]): TimeRange {
  const first = timesMs[0] ?? 0;
  const last = timesMs.at(-1) ?? first;
  const margin = last > first ? (last - first) * MARGIN : LONELY_MS;
  return { fromMs: first - margin, toMs: last + margin };
}

/** Returns a range zoomed in (`factor` below 1) or out, about its middle or another moment; never more than `whole`. */
export function zoomedRange(range: TimeRange, factor: number, aboutMs: number, whole: TimeRange): TimeRange {
  const spanMs = range.toMs - range.fromMs;
  const wantedMs = Math.max(NARROWEST_MS, spanMs * factor);
  const fromMs = aboutMs - ((aboutMs - range.fromMs) / spanMs) * wantedMs;
  return within({ fromMs, toMs: fromMs + wantedMs }, whole);
}

/** Returns the range moved so that a moment is in it. */
export function rangeWith(range: TimeRange, atMs: number, whole: TimeRange): TimeRange {
  const spanMs = range.toMs - range.fromMs;
  if (atMs >= range.fromMs && atMs <= range.toMs) return range;
  return within({ fromMs: atMs - spanMs / 2, toMs: atMs + spanMs / 2 }, whole);
}

function within({ fromMs, toMs }: TimeRange, whole: TimeRange): TimeRange {
  const spanMs = toMs - fromMs;
  if (spanMs >= whole.toMs - whole.fromMs) return whole;
  const from = Math.min(Math.max(fromMs, whole.fromMs), whole.toMs - spanMs);
  return { fromMs: from, toMs: from + spanMs };
}

/** Returns the first index whose time is not before the moment; the length if all are. `timesMs` ascends. */
export function indexFrom(timesMs: readonly number[], atMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the number of trades within a range. */
export function countWithin(timesMs: readonly number[], { fromMs, toMs }: TimeRange): number {
  return indexFrom(timesMs, toMs + 1) - indexFrom(timesMs, fromMs);
}

/**
 * Returns the index of the nearest place between two indexes; undefined if none is as near as `reach`. A place is NaN
 * where nothing is drawn.
 */
export function nearestIndex(
  from: number,
  end: number,
  reach: number,
  distanceTo: (index: number) => number,
): number | undefined {
  let nearest: number | undefined;
  let least = reach;
  for (let index = from; index < end; index++) {
    const distance = distanceTo(index);
    // Of two at one place the later is on top.
    if (distance > least) continue;
    if (!Number.isNaN(distance)) {
      least = distance;
      nearest = index;
    }
  }
  return nearest;
}

/**
 * Returns the lowest and highest of some values, with room around; a range of its own for one value alone. Null values
 * do not count.
 */
export function valueRange(values: readonly (number | null)[], from: number, end: number): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let index = from; index < end; index++) {
    const value = values[index] ?? null;
    if (value === null) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const room = high > low ? (high - low) * VALUE_MARGIN : Math.abs(high) * LONELY_PART || 1;
  return [low - room, high + room];
}

const VALUE_MARGIN = 0.08;
const LONELY_PART = 0.001;

/**
 * Returns a mark of an axis of values, without an exponent and with the decimals that its distance to the next one
 * needs.
 */
export function valueText(value: number, stepBetween: number): string {
  let decimals = 0;
  while (decimals < MAX_DECIMALS && !isWhole(stepBetween * 10 ** decimals)) decimals++;
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? "0" : text;
}

function isWhole(value: number): boolean {
  return Math.round(value) > 0 && Math.abs(value - Math.round(value)) < EPSILON;
}

const MAX_DECIMALS = 12;
const EPSILON = 1e-6;
