import type { TradedInstrument } from "../instrument.ts";
import type { Greeks } from "../ledger/prices.ts";
import { fromSteps } from "../units.ts";
import { isPaidInCoin } from "../ledger/valuation.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, YEAR_MS } from "./calendar.ts";
import { DELIVERY_WINDOW_MS, roundDecimals, type Coin, type IndexPaths } from "./indexPath.ts";
import { createPartSeeds, smooth } from "./noise.ts";

/** What an instrument is worth, at any time. */
export interface Marks {
  /** Returns the mark price: in the settlement currency for options, else in the quote currency. */
  mark(instrument: TradedInstrument, atMs: number): number;
  /** Returns the price of the future of the same expiry, whether it is listed or not; the index for all others. */
  underlying(instrument: TradedInstrument, atMs: number): number;
  /** Returns what else is known of an option; undefined for all others. */
  option(instrument: TradedInstrument, atMs: number): OptionMark | undefined;
  /** Returns what an option would pay if it ended now, in the settlement currency; 0 for all others. */
  intrinsicValue(instrument: TradedInstrument, atMs: number): number;
  /** Returns the volatility, in percent, at which an option has a price; undefined for all others. */
  volatilityAt(instrument: TradedInstrument, price: number, atMs: number): number | undefined;
  /** Returns the implied volatility at the money that all options on an index are marked from, in percent. */
  atTheMoney(indexName: string, atMs: number): number;
}

/** An option's mark with what it follows from. */
interface OptionMark {
  readonly mark: number;
  /** The volatility of a year, in percent. */
  readonly markIv: number;
  readonly underlying: number;
  readonly greeks: Greeks;
}

/** What a future's price is above the index for each year to its expiry. */
const BASIS = 0.06;
/** The decimals of an option's mark. */
const OPTION_DECIMALS = 4;

/**
 * Returns the part of its delta that an instrument has at a moment: it goes evenly in the last 30 minutes, over which
 * the delivery price is averaged.
 * https://support.deribit.com/hc/en-us/articles/25944751433757-Delta-decay-during-settlement
 */
export function deltaLeft({ expiresAtMs = Infinity }: TradedInstrument, atMs: number): number {
  return Math.min(1, Math.max(0, expiresAtMs - atMs) / DELIVERY_WINDOW_MS);
}

/** Makes the marks of a seed. */
export function createMarks(seed: number, paths: IndexPaths, coins: ReadonlyMap<string, Coin>): Marks {
  const seedOf = createPartSeeds(seed);
  const drift = (name: string, what: string, atMs: number, periodMs: number): number =>
    smooth(seedOf(name, what), atMs / periodMs);
  const forward = ({ indexName }: TradedInstrument, expiresAtMs: number, atMs: number): number => {
    const basis = BASIS + 0.02 * drift(indexName, "basis", atMs, DAY_MS);
    const years = Math.max(0, expiresAtMs - atMs) / YEAR_MS;
    const spot = paths.estimatedDeliveryPrice(indexName, atMs, expiresAtMs);
    return paths.round(indexName, spot * Math.exp(basis * years));
  };
  const underlying = (instrument: TradedInstrument, atMs: number): number =>
    instrument.expiresAtMs === undefined
      ? paths.price(instrument.indexName, atMs)
      : forward(instrument, instrument.expiresAtMs, atMs);
  const perpetual = ({ name, indexName }: TradedInstrument, atMs: number): number => {
    const second = atMs - (atMs % 1000);
    const premium =
      0.0001 +
      0.0005 * drift(name, "premium", second, 8 * HOUR_MS) +
      0.0002 * drift(name, "hour", second, HOUR_MS) +
      0.000_05 * drift(name, "minute", second, MINUTE_MS);
    return paths.round(indexName, paths.price(indexName, atMs) * (1 + premium));
  };
  const levelOf = (indexName: string, atMs: number): number => {
    const [coin = ""] = indexName.toUpperCase().split("_");
    const base = coins.get(coin)?.volatility ?? 0.5;
    return base * (1 + 0.15 * drift(indexName, "volatility", atMs, DAY_MS));
  };
  /** Returns the terms of an option with its implied volatility; undefined for all others. */
  const marked = (instrument: TradedInstrument, atMs: number): OptionTerms | undefined => {
    const terms = optionTerms(instrument, underlying(instrument, atMs), atMs);
    if (terms === undefined) return undefined;
    const { right, strike, forward: price, years } = terms;
    const volatility = smile(levelOf(instrument.indexName, atMs), terms) / 100;
    return { right, strike, forward: price, years, volatility };
  };
  const option = (instrument: TradedInstrument, atMs: number): OptionMark | undefined => {
    const terms = marked(instrument, atMs);
    if (terms === undefined) return undefined;
    const greeks = optionGreeks(terms);
    return {
      mark: optionMark(instrument, terms),
      markIv: roundDecimals(100 * terms.volatility, 2),
      underlying: terms.forward,
      greeks: { ...greeks, delta: greeks.delta * deltaLeft(instrument, atMs) },
    };
  };
  return {
    underlying,
    option,
    atTheMoney: (indexName, atMs) => roundDecimals(100 * levelOf(indexName, atMs), 2),
    mark(instrument, atMs) {
      // Without the sensitivities, which most who ask for marks do not need.
      const terms = instrument.kind === "option" ? marked(instrument, atMs) : undefined;
      if (terms !== undefined) return optionMark(instrument, terms);
      if (instrument.kind === "future" && instrument.expiresAtMs === undefined) return perpetual(instrument, atMs);
      return underlying(instrument, atMs);
    },
    intrinsicValue(instrument, atMs) {
      const terms = optionTerms(instrument, underlying(instrument, atMs), atMs);
      if (terms === undefined) return 0;
      return optionValue({ ...terms, years: 0, volatility: 0 }) / (isPaidInCoin(instrument) ? terms.forward : 1);
    },
    volatilityAt(instrument, price, atMs) {
      const terms = optionTerms(instrument, underlying(instrument, atMs), atMs);
      if (terms === undefined) return undefined;
      const value = price * (isPaidInCoin(instrument) ? terms.forward : 1);
      return roundDecimals(100 * impliedVolatility(terms, value), 2);
    },
  };
}

function optionMark(instrument: TradedInstrument, terms: OptionTerms): number {
  return roundDecimals(optionValue(terms) / (isPaidInCoin(instrument) ? terms.forward : 1), OPTION_DECIMALS);
}

function optionTerms(
  { option, expiresAtMs = 0 }: TradedInstrument,
  forward: number,
  atMs: number,
): Omit<OptionTerms, "volatility"> | undefined {
  // Member by member: a candle of an option asks for hundreds of these.
  return option && { right: option.right, strike: option.strike, forward, years: (expiresAtMs - atMs) / YEAR_MS };
}

/** Returns an implied volatility in percent: it rises on both sides of the forward, and more on that of the puts. */
function smile(level: number, { forward, strike, years }: Omit<OptionTerms, "volatility">): number {
  const distance = Math.log(strike / forward) / Math.sqrt(Math.max(years, 1 / 52));
  const raised = level * (1 + 0.12 * distance ** 2 - 0.08 * distance);
  return roundDecimals(100 * Math.min(3, Math.max(0.1, raised)), 2);
}

/** Returns an instrument's tick as a decimal. */
export function tickSize({ tick }: TradedInstrument): number {
  return fromSteps(1, tick);
}

/*
 * Options on a future without interest (Black, 1976).
 */

/** What the price of an option follows from. */
interface OptionTerms {
  readonly right: "call" | "put";
  /** The price of the future of the same expiry. */
  readonly forward: number;
  readonly strike: number;
  /** The time to expiry, in years; at 0 or below the option is worth what it pays. */
  readonly years: number;
  /** The volatility of a year as a part: 0.5 is 50 %. */
  readonly volatility: number;
}

/** Returns what an option is worth, in the currency of the strike. */
export function optionValue(terms: OptionTerms): number {
  const { right, forward, strike, years } = terms;
  if (years <= 0) return Math.max(0, right === "call" ? forward - strike : strike - forward);
  const { d1, d2 } = distances(terms);
  const call = forward * cumulative(d1) - strike * cumulative(d2);
  return Math.max(0, right === "call" ? call : call - forward + strike);
}

/** Returns the sensitivities of an option; all but delta are 0 at its end. */
export function optionGreeks(terms: OptionTerms): Greeks {
  const { right, forward, strike, years, volatility } = terms;
  if (years <= 0) {
    const isPaying = optionValue(terms) > 0;
    return { delta: isPaying ? (right === "call" ? 1 : -1) : 0, gamma: 0, vega: 0, theta: 0, rho: 0 };
  }
  const { d1, d2 } = distances(terms);
  const width = volatility * Math.sqrt(years);
  const isCall = right === "call";
  return {
    delta: isCall ? cumulative(d1) : cumulative(d1) - 1,
    gamma: density(d1) / (forward * width),
    vega: (forward * density(d1) * Math.sqrt(years)) / 100,
    theta: -(forward * density(d1) * volatility) / (2 * Math.sqrt(years)) / 365,
    rho: ((isCall ? 1 : -1) * strike * years * cumulative(isCall ? d2 : -d2)) / 100,
  };
}

/** The range in which implied volatility is looked for, as parts. */
const LEAST_VOLATILITY = 0.001;
const LARGEST_VOLATILITY = 10;

/**
 * Returns the volatility at which an option is worth a value; 0 where the value is below every one, and the largest one
 * that is looked for where it is above.
 */
export function impliedVolatility(terms: Omit<OptionTerms, "volatility">, value: number): number {
  let [low, high] = [LEAST_VOLATILITY, LARGEST_VOLATILITY];
  if (terms.years <= 0 || value <= optionValue({ ...terms, volatility: low })) return 0;
  for (let count = 0; count < 50; count++) {
    const volatility = (low + high) / 2;
    if (optionValue({ ...terms, volatility }) < value) low = volatility;
    else high = volatility;
  }
  return high;
}

function distances({ forward, strike, years, volatility }: OptionTerms): { readonly d1: number; readonly d2: number } {
  const width = volatility * Math.sqrt(years);
  const d1 = Math.log(forward / strike) / width + width / 2;
  return { d1, d2: d1 - width };
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Returns the normal distribution's share below a value, with an error below 1e-7 (Abramowitz and Stegun, 26.2.17).
 */
function cumulative(x: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(x));
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const above = density(x) * series;
  return x < 0 ? above : 1 - above;
}
