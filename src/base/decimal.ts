/** A decimal number without any rounding: `units` × 10^−`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The number of decimals that are read; beyond it a text names no price or amount. */
const MAX_SCALE = 400;

/** Reads a JSON number, e.g. `2100.50` or `1e-8`; undefined for every other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === "" || Math.abs(Number(exponent)) > MAX_SCALE) return undefined;
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
  const [first, second] = aligned(one, other);
  return first === second ? 0 : first < second ? -1 : 1;
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
export function formatDecimal({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  return [one.units * 10n ** BigInt(scale - one.scale), other.units * 10n ** BigInt(scale - other.scale)];
}
