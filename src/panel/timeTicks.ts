import type { WallTime } from "../base/wallTime.ts";

/* Marks of a time axis. The page shows the times of the extension's zone, as the table's texts do. */

/** A mark of the axis: the moment in ms since the Unix epoch and the text below it. */
interface TimeTick {
  readonly atMs: number;
  readonly text: string;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The distances between marks, in ms, that a clock face knows. */
const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((each) => each * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((each) => each * DAY_MS),
];

/**
 * Returns at most `maxCount` marks between two moments, at round local times. The first mark, and each one on a later
 * day than the one before, shows its day on a second line.
 */
export function timeTicks(
  fromMs: number,
  toMs: number,
  maxCount: number,
  wall: (atMs: number) => WallTime,
): readonly TimeTick[] {
  const spanMs = toMs - fromMs;
  if (!(spanMs > 0) || maxCount < 1) return [];
  const stepMs = STEPS_MS.find((step) => spanMs / step <= maxCount) ?? Math.ceil(spanMs / maxCount / DAY_MS) * DAY_MS;
  const { sinceMidnightMs } = wall(fromMs);
  const firstMs = fromMs + ((stepMs - (sinceMidnightMs % stepMs)) % stepMs);
  const ticks: TimeTick[] = [];
  let lastDay: string | undefined;
  for (let atMs = firstMs; atMs <= toMs; atMs += stepMs) {
    const moment = wall(atMs);
    ticks.push({ atMs, text: tickText(moment, stepMs, moment.day !== lastDay) });
    lastDay = moment.day;
  }
  return ticks;
}

function tickText({ day, sinceMidnightMs }: WallTime, stepMs: number, isNewDay: boolean): string {
  if (stepMs >= DAY_MS) return day;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const minutes = `${two(sinceMidnightMs / HOUR_MS)}:${two((sinceMidnightMs % HOUR_MS) / MINUTE_MS)}`;
  const seconds = stepMs >= MINUTE_MS ? "" : `:${two((sinceMidnightMs % MINUTE_MS) / SECOND_MS)}`;
  const rest = stepMs >= SECOND_MS ? "" : `.${String(sinceMidnightMs % SECOND_MS).padStart(3, "0")}`;
  return `${minutes}${seconds}${rest}${isNewDay ? `\n${day}` : ""}`;
}
