import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";

/**
 * Returns a number of the exchange with all its digits and without an exponent, the same in every language of VS Code.
 */
export function decimalText(value: number | undefined): Plain {
  if (value === undefined) return NOT_KNOWN;
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return plain`${value}`;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return plain.text(`${sign}0.${"0".repeat(-point)}${digits}`);
  return plain.text(`${sign}${digits.padEnd(point, "0")}`);
}
