import * as l10n from "@vscode/l10n";

/**
 * A number of the exchange with all digits and without an exponent. An integer that a JavaScript number cannot hold
 * exactly is marked with ≈, because its last digits may not be those that were sent.
 */
export function numberText(value: number): string {
  return isExact(value) ? digitsOf(value) : l10n.t("≈{0}", digitsOf(value));
}

/** False for integers beyond 2^53, which may have lost digits when they were read. */
export function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

const counts = new Intl.NumberFormat("en-US");

/** How many of something there are, with its thousands apart. */
export function countText(count: number): string {
  return counts.format(count);
}

/** The shortest digits that mean this number, with the decimal point moved to where the exponent says. */
function digitsOf(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}
