import { NOT_KNOWN } from "../base/plain.ts";

/**
 * Returns a number of the exchange with all its digits and without an exponent, the same in every language of VS Code.
 */
export function decimalText(value: number | undefined): string {
  if (value === undefined) return NOT_KNOWN;
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}
