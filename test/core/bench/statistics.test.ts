import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { exponentOf, judge, median, quantile, ratios, shuffled, spreadOf, table } from "../../bench/statistics.mjs";

describe("the benchmark's arithmetic", () => {
  test("median and middle half, of odd and even counts, whatever the order", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(quantile([10, 20], 0.25), 12.5);
    assert.deepEqual(spreadOf([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4, count: 5 });
    assert.ok(Number.isNaN(median([])));
  });

  test("ratios are made pair by pair", () => {
    assert.deepEqual(ratios([2, 9], [1, 3]), [2, 3]);
    assert.throws(() => ratios([1], [1, 2]), RangeError);
  });

  test("growth is told by its exponent, whatever the unit", () => {
    const sizes = [1000, 10_000, 100_000];
    const exponents = [
      [3, 3, 3],
      [0.2, 2, 20],
      [7, 700, 70_000],
    ].map((times) => Number(exponentOf(sizes, times).toFixed(9)));
    assert.deepEqual(exponents, [0, 1, 2]);
    // Three points off the line: the slope that lies nearest, not that of the ends or of a neighbour.
    assert.ok(Math.abs(exponentOf([1, Math.E, Math.E ** 3], [1, Math.E ** 2, Math.E ** 3]) - 13 / 14) < 1e-9);
    assert.ok(Number.isNaN(exponentOf(sizes, [1, NaN, 3])));
  });

  test("a gate is met up to and including its value, from the side that it says", () => {
    const fine = { isComparable: true };
    const atMost = { sense: "atMost", gate: 1.05, stretch: 1 } as const;
    const atLeast = { sense: "atLeast", gate: 1.1, stretch: 1.3 } as const;
    assert.deepEqual(
      [1.05, 1.06].map((value) => judge(value, atMost, fine)),
      ["met", "missed"],
    );
    assert.deepEqual(
      [1.1, 1.09].map((value) => judge(value, atLeast, fine)),
      ["met", "missed"],
    );
  });

  test("a run whose null test is out of range is void, however good it looks", () => {
    const goal = { sense: "atMost", gate: 2, stretch: 1 } as const;
    const verdict = (nullRatio: number): string => judge(1, goal, { isComparable: true, nullRatio, tolerance: 0.03 });
    assert.deepEqual([0.96, 0.97, 1, 1.03, 1.04, NaN].map(verdict), ["void", "met", "met", "met", "void", "void"]);
    assert.equal(judge(NaN, goal, { isComparable: true }), "void");
  });

  test("what cannot be compared is not judged", () => {
    assert.equal(
      judge(99, { sense: "atMost", gate: 1, stretch: 1 }, { isComparable: false, nullRatio: 5, tolerance: 0.03 }),
      "not judged",
    );
  });

  test("shuffling keeps everything and reaches every order", () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 64; seed++) {
      let state = seed;
      const random = (): number => (state = (state * 16_807 + 11) % 2_147_483_647) / 2_147_483_647;
      for (let skip = 0; skip < 5; skip++) random();
      orders.add(shuffled(["a", "b", "c"], random).join(""));
    }
    assert.deepEqual([...orders].sort(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
  });

  test("columns line up", () => {
    assert.equal(
      table([
        ["a", "bb", "c"],
        ["aaa", "b", ""],
      ]),
      "a    bb  c\naaa  b",
    );
  });
});
