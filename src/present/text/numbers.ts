import { addDecimals, formatDecimal, parseDecimal } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { decimalText, figureText } from "../../actions/intent/decimal.ts";

/**
 * Returns a number of the exchange for reading, with all digits, in groups, and without an exponent. An integer that a
 * JavaScript number cannot hold exactly is marked with ≈, because its last digits may differ from those that were sent.
 */
export function numberText(value: number | undefined): Plain {
  return value === undefined || isExact(value) ? figureText(value) : l10n.t("≈{0}", figureText(value));
}

/** Returns a number without groups: to copy, or where it is a name, e.g. the ID of an account. */
export function digitsText(value: number | undefined): Plain {
  return value === undefined || isExact(value) ? decimalText(value) : l10n.t("≈{0}", decimalText(value));
}

/**
 * Returns an amount of money for a row, where all digits have no room: four decimals, or four significant digits below
 * 1.
 */
export function shortMoneyText(value: number): Plain {
  return numberText(Number(Math.abs(value) >= 1 ? value.toFixed(4) : value.toPrecision(4)));
}

/** Returns a size for a row: from 10,000 in thousands, from a million in millions, with four significant digits. */
export function compactText(value: number): Plain {
  const part = (unit: number): Plain => plain.text(String(Number((value / unit).toPrecision(4))));
  if (value >= 999_950) return value >= 1e12 ? numberText(value) : l10n.t("{0}M", part(1e6));
  return value >= 10_000 ? l10n.t("{0}k", part(1000)) : numberText(value);
}

/** Returns a price for a row: five significant digits, and all digits before the point. */
export function shortPriceText(value: number): Plain {
  return numberText(Number(Math.abs(value) >= 10_000 ? value.toFixed(0) : value.toPrecision(5)));
}

/**
 * Returns a number with its sign, as a profit has it. The minus is the sign of mathematics. `textOf` writes the number
 * without a sign.
 */
export function signedText(value: number, textOf: (size: number) => Plain): Plain {
  const digits = textOf(Math.abs(value));
  return value > 0 ? plain`+${digits}` : value < 0 ? plain`−${digits}` : digits;
}

/** Returns the exact sum of decimal numbers as text: what JavaScript adds has digits that were never sent. */
export function sumText(values: readonly number[]): string {
  const parts = values.flatMap((value) => parseDecimal(String(value)) ?? []);
  return formatDecimal(parts.reduce(addDecimals, { units: 0n, scale: 0 }));
}

/**
 * Whether a number is exact. False for integers beyond 2^53, which may have lost digits on reading, and for infinity.
 */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Returns a count for reading, with its digits in groups. */
export function countText(count: number): Plain {
  return figureText(count);
}
