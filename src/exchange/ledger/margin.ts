import type { TradedInstrument } from "../instrument.ts";
import { divideRounded } from "../units.ts";
import { FINE_ONE, FIXED_ONE, fixedOf, larger, magnitude, times, type Fine, type Fixed } from "./money.ts";
import type { Prices } from "./prices.ts";
import { isPaidInCoin, valueOf } from "./valuation.ts";

/*
 * The segregated standard margin: each position has its own, and they are added for each currency.
 * https://support.deribit.com/hc/en-us/articles/25944811317149-Margin-types-and-usage
 */

/** Margin in the settlement currency, rounded to 1e-8. */
export interface Margin {
  readonly initial: Fixed;
  readonly maintenance: Fixed;
}

export const NO_MARGIN: Margin = { initial: 0n, maintenance: 0n };

/** The part of a future's value that is margin: it grows with the size in coins. */
interface FutureRates {
  readonly initial: Fixed;
  readonly maintenance: Fixed;
  /** What each coin of the position adds to both rates. */
  readonly perCoin: Fixed;
}

/**
 * The published rates for BTC and for SOL; ETH has those of BTC with a smaller step, the others those of SOL. The step
 * of ETH: https://support.deribit.com/hc/en-us/articles/25944826427293-11-January-2022
 */
const FUTURE_RATES: ReadonlyMap<string, FutureRates> = new Map([
  ["BTC", { initial: 2_000_000n, maintenance: 1_000_000n, perCoin: 5000n }],
  ["ETH", { initial: 2_000_000n, maintenance: 1_000_000n, perCoin: 400n }],
]);
const OTHER_FUTURE_RATES: FutureRates = { initial: 4_000_000n, maintenance: 2_000_000n, perCoin: 500n };

/** Returns the leverage that the margin of a small position in a future allows: 50 for BTC and ETH. */
export function maxLeverage({ baseCurrency }: TradedInstrument): number {
  const { initial } = FUTURE_RATES.get(baseCurrency) ?? OTHER_FUTURE_RATES;
  return Number(FIXED_ONE / initial);
}

const SHORT_OPTION = 15_000_000n;
const SHORT_OPTION_LEAST = 10_000_000n;
const SHORT_OPTION_MAINTENANCE = 7_500_000n;

/** Returns the margin of a signed size. Spot has none, and an option that was bought has been paid for. */
export function marginOf(instrument: TradedInstrument, size: Fixed, prices: Prices): Margin {
  if (size === 0n) return NO_MARGIN;
  switch (instrument.kind) {
    case "future":
      return futureMargin(instrument, magnitude(size), prices);
    case "option":
      return size > 0n ? NO_MARGIN : shortOptionMargin(instrument, -size, prices);
    case "spot":
    case "future_combo":
    case "option_combo":
      return NO_MARGIN;
  }
}

/** The prices of an instrument, and the margins that were worked out at them, by size. */
interface KnownMargins {
  readonly mark: Fixed;
  readonly underlying: Fixed;
  readonly bySize: Map<Fixed, Margin>;
}

/** The most margins that are kept of an instrument: each order asks for those of all positions. */
const MAX_KNOWN = 100;

/** Returns `marginOf` at the prices of now, worked out once for each size while an instrument's prices stand. */
export function createMargins(prices: Prices): (instrument: TradedInstrument, size: Fixed) => Margin {
  const known = new Map<TradedInstrument, KnownMargins>();
  return (instrument, size) => {
    if (size === 0n) return NO_MARGIN;
    const mark = prices.mark(instrument);
    // That of a future follows from nothing else.
    const underlying = instrument.kind === "option" ? prices.underlying(instrument) : mark;
    let at = known.get(instrument);
    const isOld = at?.mark !== mark || at.underlying !== underlying;
    if (at === undefined || isOld || at.bySize.size >= MAX_KNOWN) {
      at = { mark, underlying, bySize: new Map() };
      known.set(instrument, at);
    }
    const found = at.bySize.get(size) ?? marginOf(instrument, size, prices);
    at.bySize.set(size, found);
    return found;
  };
}

/** Returns what a position is in coins: of an inverse future its value at the mark, else its size. */
export function coinsOf(instrument: TradedInstrument, size: Fixed, markPrice: Fixed): Fine {
  return instrument.isInverse ? valueOf(instrument, size, markPrice) : size * (FINE_ONE / FIXED_ONE);
}

/** The unit of squared coins in money. */
const RATED_ONE = FINE_ONE * FINE_ONE * FIXED_ONE;

/**
 * Returns the margin of a future. That of a linear one is counted at its mark price: a position of 0.0001 BTC in
 * BTC_USDC-PERPETUAL at a mark of 85295.36 was recorded with an initial margin of 0.170590763 USDC.
 */
function futureMargin(instrument: TradedInstrument, size: Fixed, prices: Prices): Margin {
  const rates = FUTURE_RATES.get(instrument.baseCurrency) ?? OTHER_FUTURE_RATES;
  const markPrice = prices.mark(instrument);
  const coins = coinsOf(instrument, size, markPrice);
  const inMoney = instrument.isInverse ? FIXED_ONE : markPrice;
  const growth = coins * coins * rates.perCoin;
  const at = (rate: Fixed): Fixed => divideRounded((coins * rate * FINE_ONE + growth) * inMoney, RATED_ONE, "nearest");
  return { initial: at(rates.initial), maintenance: at(rates.maintenance) };
}

/**
 * Returns the margin of options that were sold. For one call the initial margin is max(0.15 - out of the money /
 * underlying, 0.1) + mark, and the maintenance margin 0.075 + mark. For one put the latter is max(0.075, 0.075 × mark)
 * + mark, and the former at least that. Where the premium is not paid in the coin, the parts of the underlying are
 * multiplied by its price.
 */
function shortOptionMargin(instrument: TradedInstrument, size: Fixed, prices: Prices): Margin {
  const mark = prices.mark(instrument);
  const unit = isPaidInCoin(instrument) ? FIXED_ONE : prices.underlying(instrument);
  const maintenance = times(SHORT_OPTION_MAINTENANCE, larger(unit, isPut(instrument) ? mark : 0n)) + mark;
  const initial = times(larger(SHORT_OPTION - outOfTheMoney(instrument, prices), SHORT_OPTION_LEAST), unit) + mark;
  return {
    initial: times(size, isPut(instrument) ? larger(initial, maintenance) : initial),
    maintenance: times(size, maintenance),
  };
}

function isPut({ option }: TradedInstrument): boolean {
  return option?.right === "put";
}

/** Returns how far the option is out of the money, as a part of its underlying. */
function outOfTheMoney(instrument: TradedInstrument, prices: Prices): Fixed {
  const underlying = prices.underlying(instrument);
  const strike = strikeOf(instrument);
  const distance = isPut(instrument) ? underlying - strike : strike - underlying;
  return divideRounded(larger(0n, distance) * FIXED_ONE, underlying, "nearest");
}

/** Returns the strike of an option; 0 for everything else. */
export function strikeOf({ option }: TradedInstrument): Fixed {
  return fixedOf(option?.strike ?? 0);
}
