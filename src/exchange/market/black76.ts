import type { Greeks } from "../ledger/prices.ts";

/*
 * Options on a future without interest (Black, 1976).
 */

/** What the price of an option follows from. */
export interface OptionTerms {
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
