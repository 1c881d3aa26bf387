/*
 * Numbers as JSON writes them, calculated with digit by digit: nothing is rounded, and 0.1 + 0.2 is 0.3. Functions that
 * take texts return undefined where one of them is no number.
 */

/** A decimal number without any rounding: `units` × 10^−`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The most digits, and the largest exponent, that are read; beyond it a text names no price or amount. */
const MAX_DIGITS = 400;

/** Reads a JSON number, e.g. `2100.50` or `1e-8`; undefined for every other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === "" || text.length > MAX_DIGITS || Math.abs(Number(exponent)) > MAX_DIGITS) return undefined;
  const units = BigInt(`${whole}${fraction}`) * (sign === "-" ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Whether two texts are the same number, digit by digit. False where one of them is none. */
export function isSameDecimal(one: string, other: string): boolean {
  const [first, second] = [parseDecimal(one), parseDecimal(other)];
  return first !== undefined && second !== undefined && compareDecimals(first, second) === 0;
}

/** Returns a negative number, 0, or a positive one, as for sorting. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  return orderOf(...aligned(one, other));
}

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const [first, second] = aligned(one, other);
  return { units: first + second, scale: Math.max(one.scale, other.scale) };
}

export function subtractDecimals(one: Decimal, other: Decimal): Decimal {
  return addDecimals(one, { ...other, units: -other.units });
}

export function multiplyDecimals(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, scale: one.scale + other.scale };
}

/** Rounds to a multiple of a step above 0: to the one below, or to the one above. A multiple stays as it is. */
export function roundDecimal(value: Decimal, step: Decimal, to: "below" | "above"): Decimal {
  const [units, size] = aligned(value, step);
  const rest = ((units % size) + size) % size;
  const below = units - rest;
  return {
    units: rest === 0n || to === "below" ? below : below + size,
    scale: Math.max(value.scale, step.scale),
  };
}

/** Returns a decimal as a JSON number with all its digits, without an exponent and without zeros at the end. */
export function formatDecimal(value: Decimal): string {
  const text = fixedText(value, value.scale);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Returns the exact product of two numbers. */
export function productOf(left: string, right: string): string | undefined {
  const [one, other] = [parseDecimal(left), parseDecimal(right)];
  return one && other && formatDecimal(multiplyDecimals(one, other));
}

/** Returns the exact sum of two numbers, or their difference where `sign` is -1. */
export function sumOf(left: string, right: string, sign: 1 | -1 = 1): string | undefined {
  const [one, other] = [parseDecimal(left), parseDecimal(right)];
  return one && other && formatDecimal((sign === 1 ? addDecimals : subtractDecimals)(one, other));
}

/**
 * Returns a number divided by another one above zero, cut to this many digits after the point. `isExact`: whether
 * nothing was cut.
 */
export function quotientOf(
  dividend: string,
  divisor: string,
  places: number,
): { readonly text: string; readonly isExact: boolean } | undefined {
  const [top, bottom] = [parseDecimal(dividend), parseDecimal(divisor)];
  if (top === undefined || bottom === undefined || bottom.units <= 0n) return undefined;
  const scaled = top.units * 10n ** BigInt(places + bottom.scale);
  const unit = bottom.units * 10n ** BigInt(top.scale);
  return { text: formatDecimal({ units: scaled / unit, scale: places }), isExact: scaled % unit === 0n };
}

/**
 * Returns the two nearest multiples of a step, the one below and the one above, with the digits that the step has after
 * its point. Undefined for a number that is a multiple itself.
 */
export function nearestMultiples(text: string, step: string): readonly [below: string, above: string] | undefined {
  const [value, unit] = [parseDecimal(text), parseDecimal(step)];
  if (value === undefined || unit === undefined || unit.units <= 0n) return undefined;
  const below = roundDecimal(value, unit, "below");
  if (compareDecimals(below, value) === 0) return undefined;
  return [fixedText(below, unit.scale), fixedText(addDecimals(below, unit), unit.scale)];
}

/** Returns a decimal with this many digits after the point; further ones are cut. */
function fixedText({ units, scale }: Decimal, places: number): string {
  const digits = String((units < 0n ? -units : units) / 10n ** BigInt(scale - places)).padStart(places + 1, "0");
  const point = digits.length - places;
  return `${units < 0n ? "-" : ""}${digits.slice(0, point)}${places === 0 ? "" : `.${digits.slice(point)}`}`;
}

function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  return [one.units * 10n ** BigInt(scale - one.scale), other.units * 10n ** BigInt(scale - other.scale)];
}

/** Compares two numbers with any exponents: -1, 0 or 1. What is no number counts as 0. */
export function compareNumbers(left: string, right: string): number {
  const [a, b] = [sizeOf(left), sizeOf(right)];
  const [less, more] = a.sign < 0 ? [b, a] : [a, b];
  return orderOf(a.sign, b.sign) || orderOf(less.power, more.power) || orderOf(less.digits, more.digits);
}

interface Size {
  readonly sign: -1 | 0 | 1;
  /** The digits, without zeros at either end. */
  readonly digits: string;
  /** The power of ten of the first digit. A big integer, because a text can hold any. */
  readonly power: bigint;
}

function sizeOf(text: string): Size {
  const [, minus = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  // A loop, because an expression that is tried at each zero takes the square of their number.
  let { length } = significant;
  while (length > 0 && significant[length - 1] === "0") length -= 1;
  if (length === 0) return { sign: 0, digits: "", power: 0n };
  const power = BigInt(exponent.replace("+", "")) + BigInt(whole.length - (all.length - significant.length));
  return { sign: minus === "" ? 1 : -1, digits: significant.slice(0, length), power };
}

function orderOf<T extends bigint | number | string>(one: T, other: T): -1 | 0 | 1 {
  return one === other ? 0 : one < other ? -1 : 1;
}

/**
 * Returns a number with its digits in groups of three, from five digits before the point. Every other text is returned
 * as it is. For reading alone: a file, a copy, and a request have the digits as received.
 */
export function groupedDigits(text: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d{5,})((?:\.\d+)?)$/.exec(text) ?? [];
  return whole === "" ? text : `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, DIGIT_SPACE)}${rest}`;
}

/**
 * Returns a text with the digits of its numbers together again, and with their percent sign, as a file, a copy, and a
 * request have them.
 */
export function withoutDigitSpaces(text: string): string {
  return text.replaceAll(/(?<=\d)\u202F(?=\d{3}|%)/g, "");
}

/** The narrow no-break space between the groups of a number's digits, and before a percent sign. */
export const DIGIT_SPACE = "\u202F";
