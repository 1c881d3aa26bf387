import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  isSameDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
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
