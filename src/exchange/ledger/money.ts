import { divideRounded, type DecimalStep } from "../units.ts";

/*
 * The ledger's numbers. Every rounding in the ledger is to the nearest, from the middle away from 0, so that the two
 * sides of a trade round alike and nothing is made or lost between them.
 */

/** A price, an amount, a rate, or money that can be paid, as a whole number of 1e-8. */
export type Fixed = bigint;

/** Money as a whole number of 1e-24 of a currency: profit before it is paid. */
export type Fine = bigint;

export const FIXED_ONE: Fixed = 10n ** 8n;
export const FINE_ONE: Fine = 10n ** 24n;

const FIXED_DECIMALS = 8;

/** The units of 1e-8 that one unit of a decimal place has, by the number of decimals. */
const FIXED_UNITS: readonly Fixed[] = Array.from(
  { length: FIXED_DECIMALS + 1 },
  (_, decimals) => 10n ** BigInt(FIXED_DECIMALS - decimals),
);

/** Returns a number of steps exactly. Throws a RangeError for a step that is finer than 1e-8. */
export function fixedOfSteps(steps: number, { mantissa, decimals }: DecimalStep): Fixed {
  const unit = FIXED_UNITS[decimals];
  if (unit === undefined) throw new RangeError(`A step of 1e-${decimals} is finer than money.`);
  const product = steps * mantissa;
  return (Number.isSafeInteger(product) ? BigInt(product) : BigInt(steps) * BigInt(mantissa)) * unit;
}

/** Returns a finite number, rounded to 1e-8. */
export function fixedOf(value: number): Fixed {
  return BigInt(Math.sign(value) * Math.round(Math.abs(value) * 1e8));
}

/** Returns the number nearest to a value. */
export function numberOf(value: Fixed): number {
  return Number(value) / 1e8;
}

/** Returns money that can be paid, rounded to 1e-8. */
export function payable(value: Fine): Fixed {
  return divideRounded(value, FINE_ONE / FIXED_ONE, "nearest");
}

/** Returns the product of two values, rounded to 1e-8. */
export function times(a: Fixed, b: Fixed): Fixed {
  return divideRounded(a * b, FIXED_ONE, "nearest");
}

/** Returns the distance from 0. */
export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns the sum of what a function makes of each value. */
export function total<T>(values: Iterable<T>, of: (value: T) => bigint): bigint {
  let sum = 0n;
  for (const value of values) sum += of(value);
  return sum;
}
