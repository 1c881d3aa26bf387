import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readTerms } from "../../../src/state/instruments.ts";
import { isSameSize, positionSize, type SizedPosition } from "../../../src/state/positions.ts";

/*
 * The size of a position, by kind of instrument. Instruments and positions have the form in which the exchange sends
 * them: of a future, `size` counts the quote currency, of a linear one too, and `size_currency` the coins.
 */

const INVERSE = readTerms({
  ...{ instrument_name: "ETH-25SEP26", kind: "future", instrument_type: "reversed", contract_size: 1 },
  ...{ base_currency: "ETH", quote_currency: "USD", settlement_currency: "ETH", counter_currency: "USD" },
});
const LINEAR = readTerms({
  ...{ instrument_name: "AVAX_USDC-PERPETUAL", kind: "future", instrument_type: "linear", contract_size: 1 },
  ...{ base_currency: "AVAX", quote_currency: "USDC", settlement_currency: "USDC", counter_currency: "USDC" },
});
const OPTION = readTerms({
  ...{ instrument_name: "BTC_USDC-25SEP26-88000-P", kind: "option", instrument_type: "linear", contract_size: 0.01 },
  ...{ base_currency: "BTC", quote_currency: "USDC", settlement_currency: "USDC", counter_currency: "USDC" },
});

const SHORT_INVERSE = { kind: "future", direction: "sell", size: -420, size_currency: -0.16406 };
const LONG_LINEAR = { kind: "future", direction: "buy", size: 33.4125, size_currency: 1.5 };

describe("the size of a position", () => {
  test("in an inverse future is USD, with its coins beside", () => {
    assert.deepEqual(positionSize(SHORT_INVERSE, INVERSE), {
      ...{ side: "short", amount: 420, unit: "USD", coins: 0.16406, quoteValue: 420 },
    });
  });

  test("in a linear future is coins, with its value beside", () => {
    assert.deepEqual(positionSize(LONG_LINEAR, LINEAR), {
      ...{ side: "long", amount: 1.5, unit: "AVAX", coins: 1.5, quoteValue: 33.4125 },
    });
  });

  test("in an option is coins, of a linear one too", () => {
    assert.deepEqual(positionSize({ kind: "option", direction: "sell", size: -0.35 }, OPTION), {
      ...{ side: "short", amount: 0.35, unit: "BTC", coins: 0.35, quoteValue: undefined },
    });
  });

  const unknown: readonly (readonly [string, SizedPosition, typeof LINEAR])[] = [
    ["a linear future without coins", { ...LONG_LINEAR, size_currency: undefined }, LINEAR],
    ["a linear future with 0 coins and a value", { ...LONG_LINEAR, size_currency: 0 }, LINEAR],
    ["a future without its instrument", LONG_LINEAR, undefined],
    ["a future without its currencies", LONG_LINEAR, readTerms({ instrument_name: "X", kind: "future" })],
    ["a future without its settlement", LONG_LINEAR, readTerms({ instrument_name: "X", base_currency: "AVAX" })],
    ["a kind that has no documented size", { ...LONG_LINEAR, kind: "future_combo" }, LINEAR],
    ["an option without a size", { kind: "option", direction: "buy" }, OPTION],
  ];
  for (const [name, position, instrument] of unknown)
    test(`is unknown of ${name}`, () => {
      const { side, amount } = positionSize(position, instrument);
      assert.deepEqual([side, amount], [position.direction === "buy" ? "long" : "short", undefined]);
    });

  test("is 0 of one that was closed, whatever its instrument is", () => {
    for (const instrument of [INVERSE, LINEAR, OPTION, undefined])
      assert.deepEqual(
        [{ direction: "zero", size: 0 }, { direction: "zero" }, { size: 0 }].map((closed) => {
          const { side, amount } = positionSize({ kind: "future", ...closed }, instrument);
          return [side, amount];
        }),
        [1, 2, 3].map(() => ["none", 0]),
      );
  });

  test("has the side of the direction, and without one that of the sign", () => {
    assert.deepEqual(
      [{ direction: "sell", size: -2 }, { size: -2 }, { size: 2 }, {}, { direction: "buy" }].map(
        (members) => positionSize(members, INVERSE).side,
      ),
      ["short", "short", "long", undefined, "long"],
    );
  });
});

describe("two descriptions of a position", () => {
  test("are of one size whatever the mark is: the dollars of an inverse future, the coins of a linear one", () => {
    assert.ok(isSameSize(SHORT_INVERSE, { ...SHORT_INVERSE, size_currency: -0.17 }, INVERSE));
    assert.ok(!isSameSize(SHORT_INVERSE, { ...SHORT_INVERSE, size: -421 }, INVERSE));
    assert.ok(isSameSize(LONG_LINEAR, { ...LONG_LINEAR, size: 40 }, LINEAR));
    assert.ok(!isSameSize(LONG_LINEAR, { ...LONG_LINEAR, size_currency: 1.6 }, LINEAR));
  });

  test("on two sides are not", () => {
    assert.ok(
      !isSameSize(LONG_LINEAR, { kind: "future", direction: "sell", size: -33.4125, size_currency: -1.5 }, LINEAR),
    );
  });

  test("of a future that is not known are, if nothing differs", () => {
    assert.ok(isSameSize(LONG_LINEAR, { ...LONG_LINEAR }, undefined));
    assert.ok(!isSameSize(LONG_LINEAR, { ...LONG_LINEAR, size: 40 }, undefined));
    assert.ok(!isSameSize({ direction: "buy" }, { direction: "buy" }, undefined));
  });
});
