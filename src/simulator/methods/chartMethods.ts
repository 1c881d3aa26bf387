import type { ParamsOf } from "../../catalogue/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../exchange/market/calendar.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { candleMembers, RESOLUTIONS } from "../market/charts.ts";
import { isPerpetual } from "../market/figures.ts";
import { invalidParam } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { handlersOf } from "./handlers.ts";
import { instrumentOf } from "./marketMethods.ts";
import { unsupported } from "../text/routedSpot.ts";

/** How many candles or points are returned at most: the latest of those that were asked for. */
const MOST_POINTS = 5000;
/** The time between two marks of the history. */
const MARKS_EVERY_MS = 5 * MINUTE_MS;
/** How far back funding can be asked for from the end of a range: it has to be worked out minute by minute. */
const FUNDING_MS = 31 * DAY_MS;

/** The lengths of funding charts, and the time between two points. */
const FUNDING_CHARTS: ReadonlyMap<string, { readonly lengthMs: number; readonly stepMs: number }> = new Map([
  ["8h", { lengthMs: 8 * HOUR_MS, stepMs: 10 * MINUTE_MS }],
  ["24h", { lengthMs: DAY_MS, stepMs: 30 * MINUTE_MS }],
  ["1m", { lengthMs: 30 * DAY_MS, stepMs: 8 * HOUR_MS }],
]);

/** Makes the methods for what was: candles of trades, marks, and funding. */
export const chartMethods = handlersOf(({ world }) => {
  const { instruments, market } = world;
  const { venue } = market;
  const { funding, indexes, pauses } = venue.market;
  const nowMs = (): number => {
    venue.catchUp([]);
    return venue.marketMs;
  };
  const perpetual = (name: string): TradedInstrument => {
    const terms = market.terms(instrumentOf(instruments, name));
    if (isPerpetual(terms)) return terms;
    throw invalidParam("instrument_name", "must be a perpetual");
  };
  return {
    "public/get_tradingview_chart_data": ({ params }) => {
      const instrument = instrumentOf(instruments, params.instrument_name);
      if (venue.isRouted(instrument)) throw unsupported();
      const lengthMs = RESOLUTIONS.get(params.resolution);
      if (lengthMs === undefined) throw invalidParam("resolution", "wrong resolution");
      const { start_timestamp, end_timestamp } = readRange(params);
      const first = Math.max(start_timestamp, Math.min(end_timestamp, nowMs()) - MOST_POINTS * lengthMs);
      const candles = market.candles(instrument, lengthMs, first, end_timestamp);
      const members = candles.map((candle) => candleMembers(market, instrument, candle));
      return writeJson({
        status: candles.length === 0 ? "no_data" : "ok",
        ticks: candles.map(({ startMs }) => startMs),
        open: members.map(({ open }) => open),
        high: members.map(({ high }) => high),
        low: members.map(({ low }) => low),
        close: members.map(({ close }) => close),
        volume: members.map(({ volume }) => volume),
        cost: members.map(({ cost }) => cost),
      });
    },
    "public/get_mark_price_history": ({ params }) => {
      const instrument = instrumentOf(instruments, params.instrument_name);
      const { start_timestamp, end_timestamp } = readRange(params);
      const untilMs = Math.min(end_timestamp, nowMs());
      const fromMs = Math.max(start_timestamp, untilMs - MOST_POINTS * MARKS_EVERY_MS);
      const points: [number, number][] = [];
      for (let at = Math.ceil(fromMs / MARKS_EVERY_MS) * MARKS_EVERY_MS; at <= untilMs; at += MARKS_EVERY_MS)
        points.push([at, market.markPrice(instrument, pauses.heldAt(at))]);
      return writeJson(points);
    },
    "public/get_funding_chart_data": ({ params }) => {
      const terms = perpetual(params.instrument_name);
      const chart = FUNDING_CHARTS.get(params.length);
      if (chart === undefined) throw invalidParam("length", "wrong length");
      const atMs = nowMs();
      const { lengthMs, stepMs } = chart;
      const points = [];
      for (let at = Math.ceil((atMs - lengthMs) / stepMs) * stepMs; at <= atMs; at += stepMs)
        points.push({
          timestamp: at,
          index_price: indexes.price(terms.indexName, at),
          interest_8h: funding.between(terms, at - 8 * HOUR_MS, at),
        });
      return writeJson({
        current_interest: funding.current(terms, atMs),
        interest_8h: funding.between(terms, atMs - 8 * HOUR_MS, atMs),
        data: points,
      });
    },
    "public/get_funding_rate_history": ({ params }) => {
      const terms = perpetual(params.instrument_name);
      const { fromMs, untilMs } = fundingRange(params, nowMs());
      return writeJson(
        funding.history(terms, fromMs - 1, untilMs).map((hour) => ({
          timestamp: hour.atMs,
          index_price: hour.indexPrice,
          prev_index_price: hour.prevIndexPrice,
          interest_1h: hour.interest1h,
          interest_8h: hour.interest8h,
        })),
      );
    },
    "public/get_funding_rate_value": ({ params }) => {
      const terms = perpetual(params.instrument_name);
      const { fromMs, untilMs } = fundingRange(params, nowMs());
      return writeJson(funding.between(terms, fromMs, untilMs));
    },
  };
});

type RangeParams = Pick<ParamsOf<"public/get_mark_price_history">, "start_timestamp" | "end_timestamp">;

function readRange({ start_timestamp, end_timestamp }: RangeParams): RangeParams {
  if (start_timestamp > end_timestamp) throw invalidParam("start_timestamp", "must not be after end_timestamp");
  return { start_timestamp, end_timestamp };
}

function fundingRange(params: RangeParams, nowMs: number): { readonly fromMs: number; readonly untilMs: number } {
  const { start_timestamp, end_timestamp } = readRange(params);
  const untilMs = Math.min(end_timestamp, nowMs);
  return { fromMs: Math.max(start_timestamp, untilMs - FUNDING_MS), untilMs };
}
