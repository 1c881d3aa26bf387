import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { allAtOnce } from "../../../../src/base/slices.ts";
import { stepHints, type KeptNumbers, type KnownSteps } from "../../../../src/requests/checking/instrumentSteps.ts";
import { rescanRequests, scanRequests } from "../../../../src/requests/file/scan.ts";
import { nearestMultiples } from "../../../../src/base/decimal.ts";
import type { InstrumentSteps } from "../../../../src/state/instruments.ts";
import { runs } from "../../../sizes.ts";

/* Prices and amounts in files, beside what is known of their instruments. */

const STEPS: Readonly<Record<string, InstrumentSteps>> = {
  "ETH-PERPETUAL": { tickSize: 0.05, tickSizes: [], minAmount: 1, contractSize: 1 },
  "BTC-PERPETUAL": { tickSize: 0.5, tickSizes: [], minAmount: 10, contractSize: 10 },
  "BTC-26MAR27-90000-C": {
    tickSize: 0.0001,
    tickSizes: [
      { abovePrice: 0.005, tickSize: 0.0005 },
      { abovePrice: 1, tickSize: 0.001 },
    ],
    minAmount: 0.1,
    contractSize: 1,
  },
  SHIB_USDC: { tickSize: 1e-8, tickSizes: [], minAmount: 1000, contractSize: 100 },
  OLD: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
};
const KNOWN: KnownSteps = {
  stepsOf: (name) => STEPS[name],
  instrumentOf: (id) => (id === "ETH-1" ? "ETH-PERPETUAL" : undefined),
};

function hints(text: string, kept: KeptNumbers = new WeakMap()): string[] {
  return allAtOnce(stepHints(scanRequests(text), KNOWN, kept)).map(
    ({ code, message, range, nearest = [] }) =>
      `${code} ${text.slice(range.start, range.end)} → ${nearest.join(" ")}: ${message}`,
  );
}

const buy = (params: string, method = "private/buy"): string => `{ "method": "${method}", "params": { ${params} } }`;
const ofEther = (params: string): string[] => hints(buy(`"instrument_name": "ETH-PERPETUAL", ${params}`));

describe("prices and amounts of known instruments", () => {
  test("a price that is not a multiple of the tick size is told with its neighbours", () => {
    assert.deepEqual(ofEther('"price": 2100.03'), [
      "tickSize 2100.03 → 2100.00 2100.05: Price 2100.03 isn't a multiple of the tick size 0.05. Nearest: 2100.00 and 2100.05.",
    ]);
    assert.deepEqual(ofEther('"trigger_price": 2100.01'), [
      "tickSize 2100.01 → 2100.00 2100.05: Trigger price 2100.01 isn't a multiple of the tick size 0.05. Nearest: 2100.00 and 2100.05.",
    ]);
    for (const price of ["2100.05", "2100.050", "21.0005e2", "0.15", "2100"])
      assert.deepEqual(ofEther(`"price": ${price}`), [], price);
    assert.deepEqual(ofEther('"price": 0.03'), [
      "tickSize 0.03 → 0.05: Price 0.03 isn't a multiple of the tick size 0.05. Nearest: 0.05.",
    ]);
  });

  test("an option has another tick size above a price", () => {
    const ofOption = (price: string): string[] =>
      hints(buy(`"instrument_name": "BTC-26MAR27-90000-C", "price": ${price}`)).map(
        (each) => each.split(": ")[0] ?? "",
      );
    assert.deepEqual(ofOption("0.0049"), []);
    assert.deepEqual(ofOption("0.005"), []);
    assert.deepEqual(ofOption("0.00493"), ["tickSize 0.00493 → 0.0049 0.0050"]);
    assert.deepEqual(ofOption("0.0052"), ["tickSize 0.0052 → 0.0050 0.0055"]);
    assert.deepEqual(ofOption("1.0005"), ["tickSize 1.0005 → 1.000 1.001"]);
  });

  test("an amount below the minimum, or between two steps", () => {
    const amount = (instrument: string, text: string): string[] =>
      hints(buy(`"instrument_name": "${instrument}", "amount": ${text}`));
    assert.deepEqual(amount("BTC-PERPETUAL", "15"), [
      "amountStep 15 → 10 20: Amount 15 isn't a multiple of 10. Nearest: 10 and 20.",
    ]);
    assert.deepEqual(amount("BTC-PERPETUAL", "5"), ["amountStep 5 → 10: Amount 5 is below the minimum 10."]);
    assert.deepEqual(amount("BTC-26MAR27-90000-C", "0.1"), [], "an option has amounts below one contract");
    assert.deepEqual(amount("BTC-26MAR27-90000-C", "0.15").length, 1);
    assert.deepEqual(amount("SHIB_USDC", "1100"), [], "a minimum is not a step");
    assert.deepEqual(amount("SHIB_USDC", "1050"), [
      "amountStep 1050 → 1000 1100: Amount 1050 isn't a multiple of 100. Nearest: 1000 and 1100.",
    ]);
  });

  test("of every method of an order book, in orders that are linked, and in quotes", () => {
    assert.equal(hints(buy('"order_id": "ETH-1", "price": 2100.03, "amount": 1', "private/edit")).length, 1);
    const named = '"instrument_name": "ETH-PERPETUAL", "price": 2100.03';
    for (const method of ["sell", "edit_by_label", "close_position"])
      assert.equal(hints(buy(named, `private/${method}`)).length, 1, method);
    assert.equal(ofEther('"otoco_config": [{ "price": 1.01, "amount": 0.5, "trigger_price": 1.02 }]').length, 3);
    const quotes =
      '"quotes": [{ "instrument_name": "ETH-PERPETUAL", "bid": { "price": 1.01 }, "ask": { "amount": 0.5 } }]';
    assert.equal(hints(buy(quotes, "private/mass_quote")).length, 2);
  });

  test("nothing is told of what is not known, of placeholders, and of other methods", () => {
    for (const text of [
      buy('"instrument_name": "SOL-PERPETUAL", "price": 2100.03'),
      buy('"instrument_name": "OLD", "price": 2100.03, "amount": 0.0001'),
      buy('"instrument_name": "{{instrument}}", "price": 2100.03'),
      buy('"instrument_name": "ETH-PERPETUAL", "price": "{{price}}", "amount": "{{amount}}"'),
      buy('"instrument_name": "ETH-PERPETUAL", "price": "2100.03"'),
      buy('"instrument_name": "ETH-PERPETUAL", "price": 1e999'),
      buy('"order_id": "unknown", "price": 2100.03', "private/edit"),
      buy('"instrument_name": "ETH-PERPETUAL", "price": 2100.03', "private/get_margins"),
      buy('"trades": [{ "instrument_name": "ETH-PERPETUAL", "price": 2100.03 }]', "private/execute_block_trade"),
      // Its price is a volatility.
      buy('"instrument_name": "BTC-26MAR27-90000-C", "advanced": "implv", "price": 51.23456'),
    ])
      assert.deepEqual(hints(text), [], text);
  });

  test("after an edit before it, a hint has moved with its number", () => {
    const text = `[${buy('"instrument_name": "X"')}, ${buy('"instrument_name": "ETH-PERPETUAL", "price": 2100.03')}]`;
    const kept: KeptNumbers = new WeakMap();
    const file = scanRequests(text);
    allAtOnce(stepHints(file, KNOWN, kept));
    const edited = text.replace('"X"', '"longer"');
    const [hint] = allAtOnce(stepHints(rescanRequests(file, edited), KNOWN, kept));
    assert.equal(edited.slice(hint?.range.start, hint?.range.end), "2100.03");
  });
});

describe("the nearest multiples of a step", () => {
  test("are exact, whatever the digits", () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }));
    const unit = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }));
    const written = ([digits, places]: readonly [bigint, number]): string => {
      const all = String(digits < 0n ? -digits : digits).padStart(places + 1, "0");
      const point = all.length - places;
      return `${digits < 0n ? "-" : ""}${all.slice(0, point)}${places === 0 ? "" : `.${all.slice(point)}`}`;
    };
    const whole = (text: string): bigint => {
      const [before = "", after = ""] = text.split(".");
      return BigInt(`${before}${after.padEnd(20, "0")}`);
    };
    fc.assert(
      fc.property(decimal, unit, (value, step) => {
        const found = nearestMultiples(written(value), written(step));
        const [number, size] = [whole(written(value)), whole(written(step))];
        if (found === undefined) assert.equal(number % size, 0n);
        else {
          const [below, above] = found.map(whole) as [bigint, bigint];
          assert.equal(below % size, 0n);
          assert.equal(above - below, size);
          assert.ok(below < number && number < above);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("of what is not a number, or is too long to be meant, there are none", () => {
    for (const [text, step] of [
      ["x", "1"],
      ["1e200", "1"],
      ["1", "0"],
      ["1", "-1"],
      ["1", ""],
      [`1.${"1".repeat(400)}`, "1"],
    ] as const)
      assert.equal(nearestMultiples(text, step), undefined);
    assert.deepEqual(nearestMultiples("-0.03", "0.05"), ["-0.05", "0.00"]);
    assert.deepEqual(nearestMultiples("1.5e-8", "1e-8"), ["0.00000001", "0.00000002"]);
  });
});
