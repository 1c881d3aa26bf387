import * as l10n from "@vscode/l10n";
import { decimalText } from "../../actions/decimal.ts";

/**
 * Returns a number of the exchange with all digits and without an exponent. An integer that a JavaScript number cannot
 * hold exactly is marked with ≈, because its last digits may differ from those that were sent.
 */
export function numberText(value: number | undefined): string {
  return value === undefined || isExact(value) ? decimalText(value) : l10n.t("≈{0}", decimalText(value));
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
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
