import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  groupedDigits,
  isSameDecimal,
  multiplyDecimals,
  parseDecimal,
  productOf,
  quotientOf,
  roundDecimal,
  withoutDigitSpaces,
  subtractDecimals,
  sumOf,
  type Decimal,
} from "../../../src/base/decimal.ts";

const decimal = (text: string): Decimal => parseDecimal(text) ?? assert.fail(`${text} is not a number`);

describe("decimals", () => {
  for (const [text, expected] of [
    ["2100.50", "2100.5"],
    ["1e-8", "0.00000001"],
    ["-0.5", "-0.5"],
    ["1.5E+3", "1500"],
    ["9007199254740993", "9007199254740993"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["-0", "0"],
  ] as const)
    test(`${text} is read whole and written as ${expected}`, () =>
      assert.equal(formatDecimal(decimal(text)), expected));

  for (const text of ["", " 1", "01", "1.", ".5", "+1", "0x10", "1e999", "NaN", "1,5", "1 000"])
    test(`${JSON.stringify(text)} is not a number`, () => assert.equal(parseDecimal(text), undefined));

  test("0.1 + 0.2 is 0.3, and the product of two has the decimals of both", () => {
    assert.equal(formatDecimal(addDecimals(decimal("0.1"), decimal("0.2"))), "0.3");
    assert.equal(formatDecimal(subtractDecimals(decimal("0.3"), decimal("1"))), "-0.7");
    assert.equal(formatDecimal(multiplyDecimals(decimal("0.07"), decimal("-1.1"))), "-0.077");
  });

  test("equal numbers are equal however they are written, and neighbors beyond 2^53 are not", () => {
    assert.ok(isSameDecimal("1e2", "100.0"));
    assert.ok(!isSameDecimal("9007199254740993", "9007199254740992"));
    assert.ok(!isSameDecimal("x", "x"));
    assert.ok(compareDecimals(decimal("-1"), decimal("-0.9")) < 0);
  });

  for (const [value, step, below, above] of [
    ["2100.7", "0.5", "2100.5", "2101"],
    ["2100.5", "0.5", "2100.5", "2100.5"],
    ["-2100.7", "0.5", "-2101", "-2100.5"],
    ["0.00012", "0.00005", "0.0001", "0.00015"],
    ["7", "2.5", "5", "7.5"],
  ] as const)
    test(`${value} is between the multiples ${below} and ${above} of ${step}`, () => {
      assert.equal(formatDecimal(roundDecimal(decimal(value), decimal(step), "below")), below);
      assert.equal(formatDecimal(roundDecimal(decimal(value), decimal(step), "above")), above);
    });
});

test("sums and products lose no digit", () => {
  assert.equal(sumOf("0.1", "0.2"), "0.3");
  assert.equal(sumOf("9007199254740993", "1e-8"), "9007199254740993.00000001");
  assert.equal(sumOf("0.3", "0.1", -1), "0.2");
  assert.equal(sumOf("1", "2.5", -1), "-1.5");
  assert.equal(productOf("9007199254740993", "3"), "27021597764222979");
  assert.equal(productOf("0.1", "0.20"), "0.02");
  assert.equal(productOf("1e-8", "50000"), "0.0005");
  assert.equal(productOf("0", "1.5"), "0");
  assert.equal(productOf("x", "1"), undefined);
});

test("a quotient is cut, and says so", () => {
  assert.deepEqual(quotientOf("100", "50000", 8), { text: "0.002", isExact: true });
  assert.deepEqual(quotientOf("10", "3", 4), { text: "3.3333", isExact: false });
  assert.deepEqual(quotientOf("0.1", "0.3", 2), { text: "0.33", isExact: false });
  assert.deepEqual(quotientOf("1e-8", "2", 8), { text: "0", isExact: false });
  assert.equal(quotientOf("1", "0", 8), undefined);
});

describe("digits in groups", () => {
  const cases: readonly [string, string][] = [
    ["1234", "1234"],
    ["12345", "12\u202F345"],
    ["-248982.5", "-248\u202F982.5"],
    ["100000000", "100\u202F000\u202F000"],
    ["94869.123456", "94\u202F869.123456"],
    ["0.123456789", "0.123456789"],
    // Names and other texts are no numbers.
    ["BTC-27NOV26-94000-C", "BTC-27NOV26-94000-C"],
    ["81230000223a", "81230000223a"],
    ["1e21", "1e21"],
    ["", ""],
  ];
  for (const [text, grouped] of cases)
    test(JSON.stringify(text), () => {
      assert.equal(groupedDigits(text), grouped);
      assert.equal(withoutDigitSpaces(grouped), text);
    });

  test("only the space between digits is taken out", () => {
    assert.equal(
      withoutDigitSpaces("buy 94\u202F869.5 @ 1\u202F000, a\u202Fb, 5\u202F12"),
      "buy 94869.5 @ 1000, a\u202Fb, 5\u202F12",
    );
    assert.equal(withoutDigitSpaces("+10\u202F% a\u202F%"), "+10% a\u202F%");
  });
});
