/**
 * Compares two numbers as JSON writes them by their decimal value: -1, 0 or 1. No digit is lost: 9007199254740993 is
 * more than 9007199254740992, and 1.0 is 1e0.
 */
export function compareNumbers(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1;
  return a.sign * compareSizes(a, b);
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
