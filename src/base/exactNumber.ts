/**
 * Compares two numbers as JSON writes them by their decimal value: -1, 0 or 1. No digit is lost: 9007199254740993 is
 * more than 9007199254740992, and 1.0 is 1e0.
 */
export function compareNumbers(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1;
  return a.sign < 0 ? compareSizes(b, a) : compareSizes(a, b);
}

interface Parts {
  readonly sign: -1 | 0 | 1;
  /** The digits, without zeros at either end. */
  readonly digits: string;
  /** The power of ten of the first digit. A big integer, because a text can hold any. */
  readonly power: bigint;
}

function partsOf(text: string): Parts {
  const [, minus = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  const digits = withoutTrailingZeros(all.replace(/^0+/, ""));
  if (digits === "") return { sign: 0, digits, power: 0n };
  const leadingZeros = all.length - all.replace(/^0+/, "").length;
  return {
    sign: minus === "" ? 1 : -1,
    digits,
    power: BigInt(exponent.replace("+", "")) + BigInt(whole.length - leadingZeros),
  };
}

/**
 * Returns digits without zeros at the end. A loop, because an expression that is tried at each zero takes the square of
 * their number.
 */
function withoutTrailingZeros(digits: string): string {
  let { length } = digits;
  while (length > 0 && digits[length - 1] === "0") length -= 1;
  return digits.slice(0, length);
}

function compareSizes(a: Parts, b: Parts): number {
  if (a.power !== b.power) return a.power < b.power ? -1 : 1;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

/**
 * Returns the two nearest multiples of a step, the one below and the one above, with the digits that the step has after
 * its point. Undefined for a number that is a multiple itself, and where it cannot be told. Nothing is rounded: both
 * numbers are texts as JSON writes them, and are calculated with as whole numbers.
 */
export function nearestMultiples(text: string, step: string): readonly [below: string, above: string] | undefined {
  const [value, unit] = [wholeOf(text), wholeOf(step)];
  if (value === undefined || unit === undefined || unit.digits <= 0n) return undefined;
  const places = Math.max(value.places, unit.places);
  const [scaled, scaledUnit] = [scaledTo(value, places), scaledTo(unit, places)];
  // The rest of a negative number is negative.
  const rest = ((scaled % scaledUnit) + scaledUnit) % scaledUnit;
  if (rest === 0n) return undefined;
  const shrink = 10n ** BigInt(places - unit.places);
  const written = (number: bigint): string => decimalOf({ digits: number / shrink, places: unit.places });
  return [written(scaled - rest), written(scaled - rest + scaledUnit)];
}

/** A decimal number as a whole one, of which this many digits stand after the point. */
interface Whole {
  readonly digits: bigint;
  readonly places: number;
}

/** The most digits, and the largest exponent, of a number that is calculated with. */
const MAX_DIGITS = 100;

function wholeOf(text: string): Whole | undefined {
  const [, minus = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const power = Number(exponent);
  if (whole === "" || text.length > MAX_DIGITS || Math.abs(power) > MAX_DIGITS) return undefined;
  const digits = BigInt(`${minus}${whole}${fraction}`);
  const places = fraction.length - power;
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function scaledTo({ digits, places }: Whole, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places);
}

function decimalOf({ digits, places }: Whole): string {
  const sign = digits < 0n ? "-" : "";
  const all = String(digits < 0n ? -digits : digits).padStart(places + 1, "0");
  const point = all.length - places;
  return `${sign}${all.slice(0, point)}${places === 0 ? "" : `.${all.slice(point)}`}`;
}

/** Returns the exact product of two numbers as JSON writes them; undefined where it cannot be told. */
export function productOf(left: string, right: string): string | undefined {
  const [one, other] = [wholeOf(left), wholeOf(right)];
  if (one === undefined || other === undefined) return undefined;
  return withoutZeros(decimalOf({ digits: one.digits * other.digits, places: one.places + other.places }));
}

/**
 * Returns the sum of two numbers as JSON writes them, or their difference where `sign` is -1; undefined where it cannot
 * be told. No digit is lost: 0.1 + 0.2 is 0.3.
 */
export function sumOf(left: string, right: string, sign: 1 | -1 = 1): string | undefined {
  const [one, other] = [wholeOf(left), wholeOf(right)];
  if (one === undefined || other === undefined) return undefined;
  const places = Math.max(one.places, other.places);
  return withoutZeros(decimalOf({ digits: scaledTo(one, places) + BigInt(sign) * scaledTo(other, places), places }));
}

/**
 * Returns a number divided by another one above zero, cut to this many digits after the point. `isExact`: whether
 * nothing was cut. Undefined where it cannot be told.
 */
export function quotientOf(
  dividend: string,
  divisor: string,
  places: number,
): { readonly text: string; readonly isExact: boolean } | undefined {
  const [top, bottom] = [wholeOf(dividend), wholeOf(divisor)];
  if (top === undefined || bottom === undefined || bottom.digits <= 0n) return undefined;
  const scaled = top.digits * 10n ** BigInt(places + bottom.places);
  const unit = bottom.digits * 10n ** BigInt(top.places);
  return {
    text: withoutZeros(decimalOf({ digits: scaled / unit, places })),
    isExact: scaled % unit === 0n,
  };
}

/** Returns a decimal text without zeros at the end of its fraction. */
function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
