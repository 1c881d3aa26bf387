/*
 * The exchange's days: they end at 08:00 UTC, when sessions are settled and instruments expire.
 */

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
export const YEAR_MS = 365 * DAY_MS;

const SETTLEMENT_HOUR_MS = 8 * HOUR_MS;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] as const;
const FRIDAY = 5;

/** Returns the first 08:00 UTC after a moment. */
export function nextSettlement(afterMs: number): number {
  const today = Math.floor(afterMs / DAY_MS) * DAY_MS + SETTLEMENT_HOUR_MS;
  return today > afterMs ? today : today + DAY_MS;
}

/** Returns the last 08:00 UTC at a moment. */
export function lastSettlement(atMs: number): number {
  return nextSettlement(atMs) - DAY_MS;
}

/** Returns every 08:00 UTC after a moment and until another one, the latter included. */
export function settlementsBetween(afterMs: number, untilMs: number): number[] {
  const settlements = [];
  for (let at = nextSettlement(afterMs); at <= untilMs; at += DAY_MS) settlements.push(at);
  return settlements;
}

/** How many expirations of each cycle are listed. Weeks end on Fridays, months and quarters on their last ones. */
export interface Cycles {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
  readonly quarters: number;
}

/**
 * Returns the expirations that are listed at a moment, in ms since the epoch, next first. One that ends several cycles,
 * such as a quarter and its last week, is one.
 * https://support.deribit.com/hc/en-us/articles/25944688876957-Contract-Introduction-Policy
 */
export function expirations(nowMs: number, { days, weeks, months, quarters }: Cycles): number[] {
  const next = nextSettlement(nowMs);
  const friday = next + ((FRIDAY - weekday(next) + 7) % 7) * DAY_MS;
  const listed = new Set([
    ...Array.from({ length: days }, (_, count) => next + count * DAY_MS),
    ...Array.from({ length: weeks }, (_, count) => friday + count * WEEK_MS),
    ...lastFridays(nowMs).slice(0, months),
    ...quarterEnds(nowMs).slice(0, quarters),
  ]);
  return [...listed].sort((one, other) => one - other);
}

/** Returns the ends of the quarters after a moment, more than four, in ms since the epoch. */
export function quarterEnds(nowMs: number): number[] {
  return lastFridays(nowMs).filter((at) => civil(at).month % 3 === 0);
}

/** The longest cycle that an expiration ends. */
export type Cycle = "day" | "week" | "month" | "quarter";

/** Returns the longest cycle that an expiration ends. */
export function cycleOf(expiresAtMs: number): Cycle {
  if (weekday(expiresAtMs) !== FRIDAY) return "day";
  const { month } = civil(expiresAtMs);
  if (civil(expiresAtMs + WEEK_MS).month === month) return "week";
  return month % 3 === 0 ? "quarter" : "month";
}

/** Returns the last Fridays of the months after a moment, for more than four quarters. */
function lastFridays(nowMs: number): number[] {
  const { year, month } = civil(nowMs);
  const all = Array.from({ length: 16 }, (_, count) => {
    const end = momentOf(year + Math.floor((month + count) / 12), ((month + count) % 12) + 1, 1) - DAY_MS;
    return end - ((weekday(end) - FRIDAY + 7) % 7) * DAY_MS;
  });
  return all.filter((at) => at > nowMs);
}

/** Returns an expiration as instruments are named after it, e.g. `26MAR27`. */
export function expirationName(atMs: number): string {
  const { year, month, day } = civil(atMs);
  return `${day}${MONTHS[month - 1] ?? ""}${String(year % 100).padStart(2, "0")}`;
}

/** Returns the expirations that are in the name of an instrument, in ms since the epoch, in the order of the name. */
export function expirationsIn(name: string): number[] {
  return [...name.matchAll(EXPIRATION)].map(([, day, month, year]) =>
    momentOf(2000 + Number(year), MONTHS.findIndex((each) => each === month) + 1, Number(day)),
  );
}

const EXPIRATION = new RegExp(`(?<![A-Z0-9])(\\d{1,2})(${MONTHS.join("|")})(\\d\\d)(?!\\d)`, "g");

/** Returns a day as delivery prices are listed, e.g. `2027-03-26`. */
export function dayName(atMs: number): string {
  const { year, month, day } = civil(atMs);
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns the day of the week, 0 for Sunday. The epoch was a Thursday. */
function weekday(atMs: number): number {
  return (Math.floor(atMs / DAY_MS) + 4) % 7;
}

/** Returns 08:00 UTC of a day; months count from 1. */
function momentOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const days = 365 * shifted + Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return (days + dayOfYear - DAYS_TO_EPOCH) * DAY_MS + SETTLEMENT_HOUR_MS;
}

/** The days from the first of March of the year 0 to the epoch. */
const DAYS_TO_EPOCH = 719_468;

/** Returns the date of a moment in UTC. Years begin in March here, so that the leap day is the last one. */
function civil(atMs: number): { readonly year: number; readonly month: number; readonly day: number } {
  const days = Math.floor(atMs / DAY_MS) + DAYS_TO_EPOCH;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** The distances between the strikes of one expiration: near the price, and farther away. */
interface StrikeSteps {
  readonly near: number;
  readonly far: number;
}

/**
 * How far strikes reach, as a part of the price, by how long the options still live. The exchange lists deltas from 0.1
 * to 0.9, closer together near the price and near the expiry; its own figures are not documented.
 * https://support.deribit.com/hc/en-us/articles/25944688876957-Contract-Introduction-Policy
 */
const REACHES: Readonly<Record<Cycle, { readonly near: number; readonly far: number }>> = {
  day: { near: 0.02, far: 0.05 },
  week: { near: 0.04, far: 0.12 },
  month: { near: 0.08, far: 0.25 },
  quarter: { near: 0.175, far: 0.5 },
};

/** Returns the cycle within which options expire that still live for a time: up to 3, 21, or 59 days, or longer. */
export function remainingCycle(livesMs: number): Cycle {
  if (livesMs <= 3 * DAY_MS) return "day";
  if (livesMs <= 21 * DAY_MS) return "week";
  return livesMs <= 59 * DAY_MS ? "month" : "quarter";
}

/** The steps of an underlying, by the cycle within which its options expire. */
export type StrikeLadder = Readonly<Record<Cycle, StrikeSteps>>;

/** Returns the strikes that are listed around a price for options that expire within a cycle, lowest first. */
export function strikesAround(price: number, cycle: Cycle, ladder: StrikeLadder): number[] {
  const { near, far } = REACHES[cycle];
  const steps = ladder[cycle];
  const outside = multiples(steps.far, price, far).filter((strike) => Math.abs(strike / price - 1) > near);
  const strikes = new Set([...multiples(steps.near, price, near), ...outside]);
  return [...strikes].sort((one, other) => one - other);
}

/** Returns the multiples of a step above 0 that are within a part of a price. */
function multiples(step: number, price: number, reach: number): number[] {
  const first = Math.max(1, Math.ceil((price * (1 - reach)) / step));
  const last = Math.floor((price * (1 + reach)) / step);
  // Steps such as 0.025 have no exact binary form.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, count) =>
    Number(((first + count) * step).toPrecision(8)),
  );
}
