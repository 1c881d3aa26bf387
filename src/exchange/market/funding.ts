import type { TradedInstrument } from "../instrument.ts";
import { HOUR_MS, MINUTE_MS } from "./calendar.ts";
import type { IndexPaths } from "./indexPath.ts";
import type { Marks } from "./marks.ts";

/*
 * What holders of perpetuals pay each other for the distance of the mark from the index. The rate of a minute is that
 * of its beginning, so that sums over any time agree.
 * https://support.deribit.com/hc/en-us/articles/31424939178397-Funding-Specifications
 */

/** The rates of perpetuals, as parts of a position's worth; above 0 longs pay. */
export interface Funding {
  /** Returns the rate for eight hours that counts at a moment. */
  current(instrument: TradedInstrument, atMs: number): number;
  /** Returns what was to be paid from one moment to another. */
  between(instrument: TradedInstrument, fromMs: number, untilMs: number): number;
  /** Returns the whole hours that end after a moment and until another one, oldest first. */
  history(instrument: TradedInstrument, fromMs: number, untilMs: number): FundingHour[];
}

/** The funding of an hour. */
interface FundingHour {
  /** The end of the hour. */
  readonly atMs: number;
  readonly indexPrice: number;
  /** The index an hour before. */
  readonly prevIndexPrice: number;
  readonly interest1h: number;
  /** The interest of the eight hours that end with this one. */
  readonly interest8h: number;
}

/** The time that a rate is for. */
const PERIOD_MS = 8 * HOUR_MS;
/** A premium within this distance of 0 costs nothing. */
const DAMPER = 0.000_25;
/** The largest rate. */
const CAP = 0.005;
const REMEMBERED = 20_000;

/** Makes the funding that follows from marks and index. */
export function createFunding(paths: IndexPaths, marks: Marks): Funding {
  const rates = new Map<string, number>();
  const rateOf = (instrument: TradedInstrument, minute: number): number => {
    const key = `${instrument.name} ${minute}`;
    const known = rates.get(key);
    if (known !== undefined) return known;
    const rate = fundingRate(
      marks.mark(instrument, minute * MINUTE_MS),
      paths.price(instrument.indexName, minute * MINUTE_MS),
    );
    if (rates.size >= REMEMBERED) rates.clear();
    rates.set(key, rate);
    return rate;
  };
  const between = (instrument: TradedInstrument, fromMs: number, untilMs: number): number => {
    let sum = 0;
    for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute++) {
      const lengthMs = Math.min(untilMs, (minute + 1) * MINUTE_MS) - Math.max(fromMs, minute * MINUTE_MS);
      sum += (rateOf(instrument, minute) * lengthMs) / PERIOD_MS;
    }
    return sum;
  };
  return {
    current: (instrument, atMs) => rateOf(instrument, Math.floor(atMs / MINUTE_MS)),
    between,
    history(instrument, fromMs, untilMs) {
      const hours: FundingHour[] = [];
      const first = (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS;
      const rates: number[] = [];
      for (let at = first - PERIOD_MS + HOUR_MS; at <= untilMs; at += HOUR_MS) {
        rates.push(between(instrument, at - HOUR_MS, at));
        if (at < first) continue;
        hours.push({
          atMs: at,
          indexPrice: paths.price(instrument.indexName, at),
          prevIndexPrice: paths.price(instrument.indexName, at - HOUR_MS),
          interest1h: rates.at(-1) ?? 0,
          interest8h: rates.slice(-8).reduce((sum, rate) => sum + rate, 0),
        });
      }
      return hours;
    },
  };
}

/** Returns the rate for eight hours: the premium beyond the damper, up to the cap. */
export function fundingRate(mark: number, index: number): number {
  const premium = (mark - index) / index;
  const damped = Math.max(DAMPER, premium) + Math.min(-DAMPER, premium);
  return Math.min(CAP, Math.max(-CAP, damped));
}
