import { DAY_MS, HOUR_MS, lastSettlement, MINUTE_MS, nextSettlement, SECOND_MS, YEAR_MS } from "./calendar.ts";
import { partSeed, smooth } from "./noise.ts";

/** A coin whose price moves. */
export interface Coin {
  /** The price in USD at the start. */
  readonly usdPrice: number;
  /** The volatility of a year, as a part: 0.5 is 50 %. */
  readonly volatility: number;
}

/** The index prices: each is a function of the time, so that what was and what is to come can be asked for. */
export interface IndexPaths {
  /** Returns the price of an index, e.g. `btc_usd`: a new one each second, in its digits. */
  price(indexName: string, atMs: number): number;
  /** Returns the mean of the index over the last half hour before 08:00 UTC of a day, in its digits. */
  deliveryPrice(indexName: string, settlementMs: number): number;
  /** Returns what a delivery price is to be: within its half hour the mean so far, before that the index. */
  estimatedDeliveryPrice(indexName: string, atMs: number, settlementMs?: number): number;
  /** Multiplies the prices of a coin from a moment on. */
  move(coin: string, factor: number, fromMs: number): void;
  /** The number of moves so far: what was worked out before one does not hold after it. */
  readonly moves: number;
  /** Rounds a price to the digits of its index. */
  round(indexName: string, price: number): number;
}

/** The time before a delivery over which the index is averaged. */
export const DELIVERY_WINDOW_MS = 30 * MINUTE_MS;

/** The movements that a path is the sum of: each lasts four times as long as the one before and goes twice as far. */
const OCTAVES = Array.from({ length: 12 }, (_, octave) => ({ lasts: 4 ** octave, goes: 2 ** octave }));
/** How volatile a second is, as a share of a year. */
const PER_SECOND = Math.sqrt(SECOND_MS / YEAR_MS);
/** Makes the sum of the movements as volatile as a path of that volatility is, over an hour and over a day. */
const STRENGTH = 1.09;

/** How many delivery prices are remembered. */
const REMEMBERED = 2000;

/**
 * Makes the paths of a seed. An index is the price of its first coin divided by that of its second, both in USD, so
 * that `btc_usdc`, `eth_usdc`, and `eth_btc` agree. A currency that is no coin is worth 1 USD.
 */
export function createIndexPaths(seed: number, startMs: number, coins: ReadonlyMap<string, Coin>): IndexPaths {
  const moved: { readonly coin: string; readonly factor: number; readonly fromSecond: number }[] = [];
  const movedBy = (name: string, second: number): number =>
    moved.reduce(
      (all, { coin, factor, fromSecond }) => (coin === name && second >= fromSecond ? all * factor : all),
      1,
    );
  const paths = new Map(
    [...coins].map(([name, { usdPrice, volatility }]) => {
      const own = partSeed(seed, name);
      const startLevel = levelAt(own, Math.floor(startMs / SECOND_MS));
      return [
        name,
        (second: number) =>
          usdPrice * Math.exp(volatility * (levelAt(own, second) - startLevel)) * movedBy(name, second),
      ];
    }),
  );
  const one = (): number => 1;
  const pairs = new Map<string, Pair>();
  const pairOf = (indexName: string): Pair => {
    const found = pairs.get(indexName);
    if (found !== undefined) return found;
    const [base = "", quote = ""] = indexName.toUpperCase().split("_");
    const start = (coins.get(base)?.usdPrice ?? 1) / (coins.get(quote)?.usdPrice ?? 1);
    const pair = { base: paths.get(base) ?? one, quote: paths.get(quote) ?? one, decimals: decimalsOf(start) };
    pairs.set(indexName, pair);
    return pair;
  };
  let remember = remembering();
  const exact = (indexName: string, second: number): number => {
    const { base, quote } = pairOf(indexName);
    return base(second) / quote(second);
  };
  const round = (indexName: string, price: number): number => roundDecimals(price, pairOf(indexName).decimals);
  const price = (indexName: string, atMs: number): number => {
    const second = Math.floor(atMs / SECOND_MS);
    return remember(indexName, second, () => round(indexName, exact(indexName, second)));
  };
  const meanUntil = (indexName: string, settlementMs: number, untilMs: number): number => {
    const from = settlementMs - DELIVERY_WINDOW_MS;
    const until = Math.floor(untilMs / SECOND_MS) * SECOND_MS;
    return remember(`${indexName} ${settlementMs}`, until, () => {
      let sum = 0;
      for (let at = from; at <= until; at += SECOND_MS) sum += exact(indexName, at / SECOND_MS);
      return round(indexName, sum / ((until - from) / SECOND_MS + 1));
    });
  };
  return {
    price,
    round,
    move(coin, factor, fromMs) {
      moved.push({ coin, factor, fromSecond: Math.floor(fromMs / SECOND_MS) });
      remember = remembering();
    },
    get moves() {
      return moved.length;
    },
    deliveryPrice: (indexName, settlementMs) => meanUntil(indexName, settlementMs, settlementMs),
    estimatedDeliveryPrice(indexName, atMs, settlementMs = nextSettlement(atMs - 1)) {
      const isWithin = atMs >= settlementMs - DELIVERY_WINDOW_MS;
      return isWithin ? meanUntil(indexName, settlementMs, Math.min(atMs, settlementMs)) : price(indexName, atMs);
    },
  };
}

/** What an index follows from: prices in USD by second. */
interface Pair {
  readonly base: (second: number) => number;
  readonly quote: (second: number) => number;
  readonly decimals: number;
}

/** Returns the logarithm of a path of volatility 1 at a second. */
function levelAt(seed: number, second: number): number {
  let level = 0;
  OCTAVES.forEach(({ lasts, goes }, octave) => {
    level += goes * smooth(Math.imul(seed, octave + 1) >>> 0, second / lasts);
  });
  return STRENGTH * PER_SECOND * level;
}

/** Remembers the last results of each name: a delivery asks for 1800 prices, and everything asks for those of now. */
function remembering(): (name: string, key: number, make: () => number) => number {
  const known = new Map<string, Map<number, number>>();
  return (name, key, make) => {
    const own = known.get(name) ?? new Map<number, number>();
    if (!known.has(name)) known.set(name, own);
    const found = own.get(key);
    if (found !== undefined) return found;
    const made = make();
    if (own.size >= REMEMBERED) own.clear();
    if (known.size >= REMEMBERED) known.clear();
    own.set(key, made);
    return made;
  };
}

/** Returns the digits after the point in which prices of a size are given. */
function decimalsOf(price: number): number {
  if (price >= 100) return 2;
  return price >= 10 ? 4 : 6;
}

/** Rounds to a number of decimals. */
export function roundDecimals(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/**
 * Returns the volatility of an index for each hour of the last days, oldest first: of a year, in percent, from the
 * returns of the 24 hours before.
 */
export function historicalVolatility(
  paths: IndexPaths,
  indexName: string,
  nowMs: number,
): (readonly [atMs: number, percent: number])[] {
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: 16 * 24 + 25 }, (_, index) => last - (16 * 24 + 24 - index) * HOUR_MS);
  const prices = hours.map((at) => paths.price(indexName, at));
  const returns = prices.slice(1).map((price, index) => Math.log(price / (prices[index] ?? price)));
  return hours.slice(25).map((at, index) => {
    const window = returns.slice(index + 1, index + 25);
    const mean = window.reduce((sum, each) => sum + each, 0) / window.length;
    const variance = window.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (window.length - 1);
    return [at, roundDecimals(100 * Math.sqrt((variance * YEAR_MS) / HOUR_MS), 4)] as const;
  });
}

/** Returns the delivery prices of the last days, newest first. */
export function deliveryPrices(
  paths: IndexPaths,
  indexName: string,
  nowMs: number,
  page: { readonly offset: number; readonly count: number },
): (readonly [settlementMs: number, price: number])[] {
  const newest = lastSettlement(nowMs);
  return Array.from({ length: page.count }, (_, index) => {
    const at = newest - (page.offset + index) * DAY_MS;
    return [at, paths.deliveryPrice(indexName, at)] as const;
  });
}
