import { DAY_MS, MINUTE_MS } from "../../exchange/market/calendar.ts";
import type { Candle } from "../../exchange/market/candles.ts";
import { fromSteps } from "../../exchange/units.ts";
import { volumesOf } from "./figures.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { Market } from "./market.ts";

/** The lengths of candles in ms, by their names: minutes, and a day. */
export const RESOLUTIONS: ReadonlyMap<string, number> = new Map([
  ...[1, 3, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => [String(minutes), minutes * MINUTE_MS] as const),
  ["1D", DAY_MS],
]);

/** A candle with the exchange's names. */
type CandleMembers = {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly cost: number;
};

/** Returns a candle as it goes over the wire. */
export function candleMembers(market: Market, instrument: SimulatedInstrument, candle: Candle): CandleMembers {
  const { tick } = market.terms(instrument);
  return {
    open: fromSteps(candle.open, tick),
    high: fromSteps(candle.high, tick),
    low: fromSteps(candle.low, tick),
    close: fromSteps(candle.close, tick),
    ...volumesOf(market, instrument, candle),
  };
}
