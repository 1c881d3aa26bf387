import { DIGIT_SPACE, groupedDigits } from "../../base/decimal.ts";
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

/**
 * Returns a number for reading, with its digits in groups. A text of digits keeps all of them; any other text is a name
 * from outside.
 */
export function figureText(value: number | string | undefined): Plain {
  const digits = typeof value === "string" ? plain.text(value) : decimalText(value);
  return digits.length < 5 ? digits : plain.join(groupedDigits(digits).split(DIGIT_SPACE).map(asPlain), DIGIT_SPACE);
}

/** Returns a figure in percent, as every text has it: with a narrow space that no line breaks at. */
export function percentText(digits: Plain | number): Plain {
  return plain`${digits}${DIGIT_SPACE}%`;
}

function asPlain(digits: string): Plain {
  return plain.text(digits);
}
