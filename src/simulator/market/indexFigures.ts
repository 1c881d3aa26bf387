import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../exchange/market/calendar.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import type { Market } from "./market.ts";

/** The names of the indexes. */
export const INDEX_NAMES: readonly string[] = [
  "btc_usd",
  "eth_usd",
  "btc_usdc",
  "eth_usdc",
  "sol_usdc",
  "xrp_usdc",
  "btc_usdt",
  "btc_eurr",
  "eth_btc",
];

/**
 * Returns the prices of an index from one moment to another at full steps, oldest first. While the market stood still,
 * the price did.
 */
export function indexPrices(
  { venue }: Market,
  index: string,
  { fromMs, untilMs, stepMs }: { readonly fromMs: number; readonly untilMs: number; readonly stepMs: number },
): [atMs: number, price: number][] {
  const { indexes, pauses } = venue.market;
  const prices: [number, number][] = [];
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= untilMs; at += stepMs)
    prices.push([at, indexes.price(index, pauses.heldAt(at))]);
  return prices;
}

/** How far apart the prices are that the range of a day is found from. */
const SAMPLED_MS = 5 * MINUTE_MS;

/** Returns the lowest and the highest price of an index in the last 24 hours, and its change in percent. */
export function indexDay(
  market: Market,
  index: string,
): { readonly low: number; readonly high: number; readonly change: number } {
  market.venue.catchUp([]);
  const { marketMs, market: own } = market.venue;
  const range = { fromMs: marketMs - DAY_MS, untilMs: marketMs, stepMs: SAMPLED_MS };
  const first = own.indexes.price(index, marketMs - DAY_MS);
  const last = own.indexes.price(index, marketMs);
  const prices = [first, ...indexPrices(market, index, range).map(([, price]) => price), last];
  return { low: Math.min(...prices), high: Math.max(...prices), change: roundDecimals((last / first - 1) * 100, 4) };
}

/** The lengths of candles of a volatility index in ms, by their names: seconds, and a day. */
export const VOLATILITY_RESOLUTIONS: ReadonlyMap<string, number> = new Map([
  ["1", SECOND_MS],
  ["60", MINUTE_MS],
  ["3600", HOUR_MS],
  ["43200", 12 * HOUR_MS],
  ["1D", DAY_MS],
]);

/** How many candles of a volatility index are returned at most, and how many values each is found from. */
const MOST_CANDLES = 1000;
const VALUES_OF_A_CANDLE = 6;

/**
 * Returns the candles of the volatility that options of an index are marked from, oldest first: time, open, high, low,
 * and close. Where there are more than fit, `continuation` is the end of the earlier ones.
 */
export function volatilityCandles(
  { venue }: Market,
  index: string,
  { fromMs, untilMs, stepMs }: { readonly fromMs: number; readonly untilMs: number; readonly stepMs: number },
): { readonly data: readonly (readonly number[])[]; readonly continuation: number | null } {
  const { marks, pauses } = venue.market;
  const last = Math.floor(untilMs / stepMs) * stepMs;
  const first = Math.max(Math.ceil(fromMs / stepMs) * stepMs, last - (MOST_CANDLES - 1) * stepMs);
  const data: number[][] = [];
  for (let start = first; start <= last; start += stepMs) {
    const end = Math.min(untilMs, start + stepMs - 1);
    const values = Array.from({ length: VALUES_OF_A_CANDLE }, (_, count) =>
      marks.atTheMoney(index, pauses.heldAt(start + ((end - start) * count) / (VALUES_OF_A_CANDLE - 1))),
    );
    data.push([start, values[0] ?? 0, Math.max(...values), Math.min(...values), values.at(-1) ?? 0]);
  }
  return { data, continuation: first - stepMs >= fromMs ? first - 1 : null };
}
