import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readOrderLine } from "../../../../src/actions/changes/orderLine.ts";

function lineOf(text: string): unknown {
  const read = readOrderLine(text);
  return "problem" in read ? `${String(read.at)} ${read.problem}` : read;
}

describe("the line of an order", () => {
  test("numbers stay the texts that were typed", () => {
    for (const digits of ["0.1", "0.30000000000000004", "1e-8", "0.00000001", "9007199254740993", "12.50", "1E2"]) {
      assert.deepEqual(lineOf(`${digits} @ ${digits}`), {
        ...{ amount: digits, price: digits },
        ...{ timing: undefined, isReduceOnly: false },
      });
    }
    assert.deepEqual(lineOf("5@-0.0005"), { amount: "5", price: "-0.0005", timing: undefined, isReduceOnly: false });
  });

  test("words after the price, in any case and order", () => {
    assert.deepEqual(lineOf("  40 @ 2100.5 IOC reduce"), {
      ...{ amount: "40", price: "2100.5" },
      ...{ timing: "ioc", isReduceOnly: true },
    });
    assert.deepEqual(lineOf("40@Market Reduce fok"), {
      ...{ amount: "40", price: undefined },
      ...{ timing: "fok", isReduceOnly: true },
    });
  });

  test("a side before the amount, and every word of time and liquidity", () => {
    assert.deepEqual(lineOf("BUY 100 @ 92000 gtc post reduce"), {
      ...{ side: "buy", amount: "100", price: "92000" },
      ...{ timing: "gtc", liquidity: "post", isReduceOnly: true },
    });
    assert.deepEqual(lineOf("sell 0.5@market taker"), {
      ...{ side: "sell", amount: "0.5", price: undefined },
      ...{ timing: undefined, liquidity: "taker", isReduceOnly: false },
    });
  });

  test("a separator between digits is an error", () => {
    assert.equal(
      lineOf("45,000 @ 92000"),
      "0 At 45,000 (character 1): Use a point for decimals and no separator for thousands.",
    );
    assert.equal(lineOf("45 000 @ 92000"), "3 At 000 (character 4): Enter @ between the amount and the price.");
  });

  test("a line that is not valid says where", () => {
    const lines = {
      "": "0 Enter amount @ price, for example 40 @ 2100.5.",
      "40": "2 At the end of the line: Enter @ and a price after the amount.",
      "40 @ ": "5 At the end of the line: Enter a price, or market, after @.",
      "40 2100": "3 At 2100 (character 4): Enter @ between the amount and the price.",
      "@ 40": "0 At @ (character 1): Enter a number such as 40, 0.001, or 1e-8.",
      "0 @ 1": "0 At 0 (character 1): The amount must be greater than 0.",
      "-4 @ 1": "0 At -4 (character 1): The amount must be greater than 0.",
      "1,000 @ 1": "0 At 1,000 (character 1): Use a point for decimals and no separator for thousands.",
      "4 @ 1,5": "4 At 1,5 (character 5): Use a point for decimals and no separator for thousands.",
      "010 @ 1": "0 At 010 (character 1): Enter a number such as 40, 0.001, or 1e-8.",
      "1 @ .5": "4 At .5 (character 5): Enter a number such as 40, 0.001, or 1e-8.",
      "1 @ 1e999": "4 At 1e999 (character 5): Enter a number such as 40, 0.001, or 1e-8.",
      buy: "3 At the end of the line: Enter an amount after the side.",
      "buy @ 2": "4 At @ (character 5): Enter a number such as 40, 0.001, or 1e-8.",
      "1 @ 2 buy": "6 At buy (character 7): After the price, only gtc, ioc, fok, post, taker, and reduce are allowed.",
      "1 @ 2 3": "6 At 3 (character 7): After the price, only gtc, ioc, fok, post, taker, and reduce are allowed.",
      "1 @ 2 post ioc": "11 At ioc (character 12): A post-only order stays open, so it can't be ioc or fok.",
      "1 @ 2 fok post": "10 At post (character 11): A post-only order stays open, so it can't be ioc or fok.",
      "1 @ 2 gtc ioc": "10 At ioc (character 11): Only one of gtc, ioc, and fok is possible.",
      "1 @ 2 taker post": "12 At post (character 13): Only one of post and taker is possible.",
      "1 @ 2 ioc IOC": "10 At IOC (character 11): The word is there twice.",
      "1 @ 2 reduce reduce": "13 At reduce (character 14): The word is there twice.",
      "1 @ market post": "11 At post (character 12): A market order can't be post-only. Remove post, or enter a price.",
    };
    for (const [line, problem] of Object.entries(lines)) assert.equal(lineOf(line), problem, line);
  });
});
