import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  divideRounded,
  fromSteps,
  multiplyDivide,
  roundToSteps,
  stepOf,
  toSteps,
} from "../../../src/exchange/units.ts";

/* Decimals at the edge of the exchange become whole numbers of a step, and back. */

describe("units", () => {
  test("a size as a step", () => {
    assert.deepEqual([0.5, 0.0005, 10, 0.05, 1, 1e-8, 2.5e21].map(stepOf), [
      { mantissa: 5, decimals: 1 },
      { mantissa: 5, decimals: 4 },
      { mantissa: 10, decimals: 0 },
      { mantissa: 5, decimals: 2 },
      { mantissa: 1, decimals: 0 },
      { mantissa: 1, decimals: 8 },
      { mantissa: 2.5e21, decimals: 0 },
    ]);
    for (const size of [0, -0.5, NaN, Infinity]) assert.throws(() => stepOf(size), RangeError);
  });

  test("decimals as whole numbers of steps, where they are", () => {
    const cases: readonly (readonly [value: number, size: number, steps: number | undefined])[] = [
      [92_418.5, 0.5, 184_837],
      [92_418.4, 0.5, undefined],
      [0.1 + 0.2, 0.1, undefined],
      [0.3, 0.1, 3],
      [1.005, 0.001, 1005],
      [1e-7, 1e-8, 10],
      [-0.0005, 0.0005, -1],
      [30, 10, 3],
      [35, 10, undefined],
      [1e22, 0.5, undefined],
      [NaN, 0.5, undefined],
      [Infinity, 0.5, undefined],
      [0, 0.5, 0],
    ];
    for (const [value, size, steps] of cases) assert.equal(toSteps(value, stepOf(size)), steps, String(value));
  });

  test("and back, to the decimal that was meant", () => {
    for (const size of [0.5, 0.05, 0.0001, 0.0005, 10, 1e-8])
      for (const steps of [0, 1, 3, 7, 184_837, 99_999_999, -12])
        assert.equal(
          toSteps(fromSteps(steps, stepOf(size)), stepOf(size)),
          steps,
          `${String(steps)} × ${String(size)}`,
        );
    assert.equal(fromSteps(3, stepOf(0.1)), 0.3);
  });

  test("what lies between two steps goes where it is told", () => {
    const rounded = (value: number): readonly number[] =>
      (["down", "nearest", "up"] as const).map((rounding) => roundToSteps(value, stepOf(0.5), rounding));
    assert.deepEqual([1.1, 1.25, 1.4, -1.1, -1.25, -1.4, 1.5].map(rounded), [
      [2, 2, 3],
      [2, 3, 3],
      [2, 3, 3],
      [-3, -2, -2],
      [-3, -3, -2],
      [-3, -3, -2],
      [3, 3, 3],
    ]);
    assert.throws(() => roundToSteps(1e300, stepOf(0.5), "down"), RangeError);
  });

  test("a product is exact, though it is beyond the safe numbers on its way", () => {
    assert.equal(multiplyDivide(9_007_199_254_740_991, 3, 9, "down"), 3_002_399_751_580_330);
    assert.equal(multiplyDivide(9_007_199_254_740_991, 3, 9, "up"), 3_002_399_751_580_331);
    assert.throws(() => multiplyDivide(9_007_199_254_740_991, 3, 1, "down"), RangeError);
  });

  test("a quotient of negative numbers", () => {
    const divided = (numerator: bigint, denominator: bigint): readonly bigint[] =>
      (["down", "nearest", "up"] as const).map((rounding) => divideRounded(numerator, denominator, rounding));
    assert.deepEqual(divided(-7n, 2n), [-4n, -4n, -3n]);
    assert.deepEqual(divided(7n, -2n), [-4n, -4n, -3n]);
    assert.deepEqual(divided(-7n, -2n), [3n, 4n, 4n]);
    assert.deepEqual(divided(-7n, 3n), [-3n, -2n, -2n]);
    assert.deepEqual(divided(6n, 3n), [2n, 2n, 2n]);
  });
});
