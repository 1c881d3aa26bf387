/*
 * Prices, amounts, and money are whole numbers inside the exchange, so that nothing is lost by adding and comparing.
 * Decimals exist at its edge alone: there they become whole numbers of a step, and back.
 */

/** A price as a whole number of the instrument's finest tick size; may be negative for combos. */
export type Ticks = number;

/** An amount as a whole number of the instrument's amount step. */
export type Lots = number;

/** A size of a decimal scale: `mantissa` × 10^-`decimals`, e.g. 0.0005 is 5 and 4; 10 is 10 and 0. */
export interface DecimalStep {
  /** A whole number above 0. */
  readonly mantissa: number;
  /** A whole number from 0. */
  readonly decimals: number;
}

/**
 * Where a value between two whole numbers goes: `down` towards minus infinity, `up` towards infinity, `nearest` to the
 * nearer one, and from the middle away from 0.
 */
type Rounding = "down" | "up" | "nearest";

/** Returns a size as a step. Throws a RangeError where it is not above 0. */
export function stepOf(size: number): DecimalStep {
  const { digits, decimals } = decimalOf(size);
  if (digits <= 0n) throw new RangeError(`A step is above 0, not ${String(size)}.`);
  return { mantissa: Number(digits), decimals };
}

/** Returns a decimal number as a whole number of steps; undefined where it lies between two of them, or is unsafe. */
export function toSteps(value: number, step: DecimalStep): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  // Mostly the value has no more decimals than the step. Up to 15 digits no other decimal is the same number.
  const units = 10 ** step.decimals;
  const whole = Math.round(value * units);
  if (Math.abs(whole) < 1e15 && whole / units === value)
    return whole % step.mantissa === 0 ? whole / step.mantissa : undefined;
  const [numerator, denominator] = inSteps(value, step);
  if (numerator % denominator !== 0n) return undefined;
  const steps = Number(numerator / denominator);
  return Number.isSafeInteger(steps) ? steps : undefined;
}

/** Returns the whole number of steps next to a finite decimal number. Throws a RangeError where it is unsafe. */
export function roundToSteps(value: number, step: DecimalStep, rounding: Rounding): number {
  const [numerator, denominator] = inSteps(value, step);
  return safe(divideRounded(numerator, denominator, rounding));
}

/** Returns a number of steps as the decimal number nearest to it. */
export function fromSteps(steps: number, { mantissa, decimals }: DecimalStep): number {
  return (steps * mantissa) / 10 ** decimals;
}

/** Returns a × b / c, exact up to the rounding of the result. Throws a RangeError where the result is unsafe. */
export function multiplyDivide(a: number, b: number, c: number, rounding: Rounding): number {
  return safe(divideRounded(BigInt(a) * BigInt(b), BigInt(c), rounding));
}

/** Returns a quotient as a whole number. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator < 0n) return divideRounded(-numerator, -denominator, rounding);
  // One division, which goes towards 0: orders are checked by the thousand, and most of that is dividing.
  const quotient = numerator / denominator;
  const rest = numerator - quotient * denominator;
  if (rest === 0n) return quotient;
  const isNegative = rest < 0n;
  if (rounding === "down") return isNegative ? quotient - 1n : quotient;
  if (rounding === "up") return isNegative ? quotient : quotient + 1n;
  if (2n * (isNegative ? -rest : rest) < denominator) return quotient;
  return isNegative ? quotient - 1n : quotient + 1n;
}

function safe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${String(value)} is beyond the whole numbers kept.`);
  return number;
}

function inSteps(value: number, step: DecimalStep): [numerator: bigint, denominator: bigint] {
  const { digits, decimals } = decimalOf(value);
  return [digits * 10n ** BigInt(step.decimals), BigInt(step.mantissa) * 10n ** BigInt(decimals)];
}

/** Returns a number by its shortest decimal text: 0.1 is one tenth, not the binary fraction next to it. */
function decimalOf(value: number): { readonly digits: bigint; readonly decimals: number } {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (whole === "") throw new RangeError(`${String(value)} is not a decimal number.`);
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return decimals < 0 ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0 } : { digits, decimals };
}
