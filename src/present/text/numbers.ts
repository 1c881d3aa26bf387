import { addDecimals, formatDecimal, parseDecimal } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { decimalText } from "../../actions/intent/decimal.ts";

/**
 * Returns a number of the exchange with all digits and without an exponent. An integer that a JavaScript number cannot
 * hold exactly is marked with ≈, because its last digits may differ from those that were sent.
 */
export function numberText(value: number | undefined): Plain {
  return value === undefined || isExact(value) ? decimalText(value) : l10n.t("≈{0}", decimalText(value));
}

/**
 * Returns an amount of money for a row, where all digits have no room: four decimals, or four significant digits below
 * 1.
 */
export function shortMoneyText(value: number): Plain {
  return numberText(Number(Math.abs(value) >= 1 ? value.toFixed(4) : value.toPrecision(4)));
}

/** Returns a price for a row: five significant digits, and all digits before the point. */
export function shortPriceText(value: number): Plain {
  return numberText(Number(Math.abs(value) >= 10_000 ? value.toFixed(0) : value.toPrecision(5)));
}

/** Returns a text of a number with its sign, as a profit has it. The minus is the sign of mathematics. */
export function signedText(value: number, text: Plain): Plain {
  const digits = plain.text(text.replace("-", ""));
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

/**
 * Returns a count with its thousands apart. Written by hand: the first `Intl.NumberFormat` of a process takes as long
 * to make as a fifth of the program to load.
 */
export function countText(count: number): Plain {
  return plain.text(String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ","));
}
