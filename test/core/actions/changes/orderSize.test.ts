import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readOrderSize, type OrderSize } from "../../../../src/actions/changes/orderSize.ts";

/* The size of a trade from its parameters and from what the server says. Every figure is made for these tests. */

const INVERSE = {
  instrument_name: "INVERSE",
  kind: "future",
  base_currency: "BTC",
  settlement_currency: "BTC",
  contract_size: 10,
  price_index: "btc_usd",
};
const LINEAR = {
  instrument_name: "LINEAR",
  kind: "future",
  base_currency: "SOL",
  settlement_currency: "USDC",
  contract_size: 0.1,
  price_index: "sol_usdc",
};
const OPTION = {
  instrument_name: "OPTION",
  kind: "option",
  base_currency: "BTC",
  settlement_currency: "BTC",
  contract_size: 1,
  price_index: "btc_usd",
};

const SERVER: Readonly<Record<string, unknown>> = {
  "public/get_instrument INVERSE": INVERSE,
  "public/get_instrument LINEAR": LINEAR,
  "public/get_instrument OPTION": OPTION,
  "public/get_instrument EMPTY": { ...INVERSE, contract_size: 0 },
  "public/get_instrument UNPRICED": { ...OPTION, price_index: "eth_usd" },
  "public/get_instrument NEGATIVE": { ...OPTION, price_index: "xrp_usd" },
  "public/get_index_price btc_usd": { index_price: 50_000 },
  "public/get_index_price sol_usdc": { index_price: 200 },
  "public/get_index_price eth_usd": { index_price: 0 },
  "public/get_index_price xrp_usd": { index_price: -3 },
  "private/get_order_state O-1": { order_id: "O-1", instrument_name: "OPTION", amount: 3 },
  // `size` of a linear future counts the quote currency, `size_currency` the coins.
  "private/get_position INVERSE": { instrument_name: "INVERSE", size: -700, size_currency: -0.014 },
  "private/get_position LINEAR": { instrument_name: "LINEAR", size: 2400, size_currency: 12 },
  "private/get_position OPTION": { instrument_name: "OPTION", size: 2 },
};

async function sizeOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  server: Readonly<Record<string, unknown>> = SERVER,
): Promise<OrderSize> {
  return await readOrderSize(method, params, async (name, asked) => {
    const object = asked["instrument_name"] ?? asked["index_name"] ?? asked["order_id"];
    return await Promise.resolve(server[`${name} ${String(object)}`]);
  });
}

/** Returns a size in one text: the largest part, the sum, and what is not told. */
function textOf({ usd, countedUsd, isWhole, isReducing }: OrderSize): string {
  return `${usd} ${countedUsd}${isWhole ? "" : " unknown"}${isReducing ? " reducing" : ""}`;
}

const ORDER = { instrument_name: "OPTION", amount: 50 };
const LEGS = [
  { instrument_name: "OPTION", direction: "buy", ratio: 1, amount: 0.001 },
  { instrument_name: "INVERSE", direction: "sell", ratio: 2 },
];

describe("the size of a trade", () => {
  for (const [name, method, params, expected] of [
    ["an order in coins", "private/buy", ORDER, "2500000 2500000"],
    ["an order in USD", "private/sell", { instrument_name: "INVERSE", amount: 40 }, "40 40"],
    ["contracts", "private/buy", { instrument_name: "LINEAR", contracts: 30 }, "600 600"],
    [
      "the larger of amount and contracts",
      "private/buy",
      { instrument_name: "LINEAR", amount: 1, contracts: 30 },
      "600 600",
    ],
    ["digits in quotes", "private/buy", { instrument_name: "INVERSE", amount: "4e1" }, "40 40"],
    ["contracts in quotes", "private/buy", { instrument_name: "LINEAR", contracts: "30" }, "600 600"],
    [
      "digits in quotes in a list",
      "private/verify_block_trade",
      { trades: [{ ...ORDER, amount: "1" }] },
      "50000 50000",
    ],
    ...["forty", "", " 40", "0x28", "Infinity", true, null, [40], { value: 40 }].map(
      (amount) =>
        [
          `${JSON.stringify(amount)} for an amount`,
          "private/buy",
          { instrument_name: "INVERSE", amount },
          "0 0 unknown",
        ] as const,
    ),
    ["no amount", "private/buy", { instrument_name: "OPTION" }, "0 0 unknown"],
    ["no instrument", "private/buy", { amount: 1 }, "0 0 unknown"],
    [
      "linked orders",
      "private/buy",
      { ...ORDER, amount: 1, otoco_config: [{ amount: 2 }, { amount: 1 }] },
      "100000 200000",
    ],
    [
      "a linked order without an amount",
      "private/buy",
      { ...ORDER, amount: 1, otoco_config: [{}] },
      "50000 50000 unknown",
    ],
    [
      "an edit that makes an order larger adds the difference",
      "private/edit",
      { order_id: "O-1", amount: 5 },
      "250000 100000",
    ],
    ["an edit that makes it smaller adds nothing", "private/edit", { order_id: "O-1", amount: 1 }, "50000 0"],
    ["an edit of the price adds nothing", "private/edit", { order_id: "O-1", price: 0.1 }, "150000 0"],
    ["an edit by contracts", "private/edit", { order_id: "O-1", contracts: 4 }, "200000 50000"],
    ["an edit of an order that the server doesn't tell", "private/edit", { order_id: "O-2", amount: 5 }, "0 0 unknown"],
    ["an edit by label", "private/edit_by_label", { instrument_name: "INVERSE", label: "a", amount: 30 }, "30 30"],
    [
      "a mass quote",
      "private/mass_quote",
      { quotes: [{ instrument_name: "OPTION", bid: { amount: 1 }, ask: { amount: 3 } }] },
      "150000 200000",
    ],
    [
      "a mass quote with a side that is no object",
      "private/mass_quote",
      { quotes: [{ instrument_name: "OPTION", bid: 5 }] },
      "0 0 unknown",
    ],
    [
      "a block trade",
      "private/verify_block_trade",
      {
        trades: [
          { instrument_name: "OPTION", amount: 2 },
          { instrument_name: "INVERSE", amount: 10 },
        ],
      },
      "100000 100010",
    ],
    ["a Block RFQ", "private/accept_block_rfq", { amount: 10, legs: LEGS }, "500000 500020"],
    [
      "a Block RFQ with a hedge",
      "private/add_block_rfq_quote",
      { amount: 10, legs: LEGS, hedge: { instrument_name: "INVERSE", amount: 900_000 } },
      "900000 1400020",
    ],
    [
      "a Block RFQ with a leg without a ratio",
      "private/add_block_rfq_quote",
      { amount: 10, legs: [{ instrument_name: "OPTION" }] },
      "0 0 unknown",
    ],
    [
      "a block trade that is named by its nonce",
      "private/approve_block_trade",
      { nonce: "n", amount: 1 },
      "0 0 unknown",
    ],
    ["an unknown method, whatever its parameters are called", "private/place", ORDER, "0 0 unknown"],
    ["a name that every object has", "toString", ORDER, "0 0 unknown"],
    ["a close of an inverse future", "private/close_position", { instrument_name: "INVERSE" }, "700 700 reducing"],
    [
      "a close of a linear future counts its coins",
      "private/close_position",
      { instrument_name: "LINEAR" },
      "2400 2400 reducing",
    ],
    ["a close of what is not told", "private/close_position", { instrument_name: "UNPRICED" }, "0 0 unknown"],
  ] as const)
    test(`${name}: ${expected}`, async () => assert.equal(textOf(await sizeOf(method, params)), expected));

  for (const name of ["order_id", "legs", "trades", "quotes", "hedge"])
    test(`of an order is not read from ${name}, which the method doesn't have`, async () => {
      for (const value of ["O-1", [], [{ instrument_name: "INVERSE", amount: 1 }], {}, null, 0])
        assert.equal(textOf(await sizeOf("private/buy", { ...ORDER, [name]: value })), "2500000 2500000");
    });

  for (const [amount, expected] of [
    ["50", "2500000 2500000"],
    ["0.5", "25000 25000"],
    ["5e1", "2500000 2500000"],
    ["-50", "2500000 2500000"],
    ["", "0 0 unknown"],
    [" 50", "0 0 unknown"],
    ["0x32", "0 0 unknown"],
    ["50,5", "0 0 unknown"],
    ["1_000", "0 0 unknown"],
    ["Infinity", "0 0 unknown"],
    [[50], "0 0 unknown"],
    [{ amount: 50 }, "0 0 unknown"],
    [true, "0 0 unknown"],
    [null, "0 0 unknown"],
    [NaN, "0 0 unknown"],
  ] as const)
    test(`of the amount ${JSON.stringify(amount)} is ${expected}`, async () =>
      assert.equal(textOf(await sizeOf("private/buy", { ...ORDER, amount })), expected));

  for (const [name, params] of [
    ["a contract size of 0", { instrument_name: "EMPTY", contracts: 1_000_000 }],
    ["an index price of 0", { instrument_name: "UNPRICED", amount: 1_000_000 }],
    ["a negative index price", { instrument_name: "NEGATIVE", amount: 1_000_000 }],
  ] as const)
    test(`is unknown with ${name}`, async () =>
      assert.equal(textOf(await sizeOf("private/buy", params)), "0 0 unknown"));
});

/** A take profit of 2 in an option with its stop. */
function pair(
  stop: Readonly<Record<string, unknown>>,
  linkedType = "one_cancels_other",
): Readonly<Record<string, unknown>> & { readonly otoco_config: readonly unknown[] } {
  return {
    ...{ instrument_name: "OPTION", amount: 2, reduce_only: true, linked_order_type: linkedType },
    otoco_config: [{ amount: 2, direction: "sell", reduce_only: true, ...stop }],
  };
}

describe("an order that can only make a position smaller", () => {
  for (const [name, method, params, isReducing] of [
    ["the whole short position", "private/buy", { instrument_name: "INVERSE", amount: 700, reduce_only: true }, true],
    ["more than the position", "private/buy", { instrument_name: "INVERSE", amount: 710, reduce_only: true }, false],
    [
      "contracts within the position",
      "private/buy",
      { instrument_name: "INVERSE", contracts: 70, reduce_only: true },
      true,
    ],
    [
      "contracts beyond the position",
      "private/buy",
      { instrument_name: "INVERSE", contracts: 71, reduce_only: true },
      false,
    ],
    [
      "the direction of the position",
      "private/sell",
      { instrument_name: "INVERSE", amount: 700, reduce_only: true },
      false,
    ],
    ["no reduce_only", "private/buy", { instrument_name: "INVERSE", amount: 700 }, false],
    ["reduce_only in quotes", "private/buy", { instrument_name: "INVERSE", amount: 700, reduce_only: "true" }, false],
    [
      "all coins of a linear future",
      "private/sell",
      { instrument_name: "LINEAR", amount: 12, reduce_only: true },
      true,
    ],
    [
      "the quote currency of a linear future",
      "private/sell",
      { instrument_name: "LINEAR", amount: 2400, reduce_only: true },
      false,
    ],
    ["an option", "private/sell", { instrument_name: "OPTION", amount: 2, reduce_only: true }, true],
    [
      "linked orders",
      "private/sell",
      { instrument_name: "OPTION", amount: 2, reduce_only: true, otoco_config: [] },
      false,
    ],
    ["no position", "private/sell", { instrument_name: "EMPTY", amount: 1, reduce_only: true }, false],
    ["a pair that cancels each other, each within the position", "private/sell", pair({}), true],
    ["a pair whose other order is larger", "private/sell", pair({ amount: 2.1 }), false],
    ["a pair whose other order says no amount", "private/sell", pair({ amount: undefined }), false],
    ["a pair whose other order may open a position", "private/sell", pair({ reduce_only: false }), false],
    ["a pair whose other order has the other side", "private/sell", pair({ direction: "buy" }), false],
    ["a pair whose other order says no side", "private/sell", pair({ direction: undefined }), false],
    ["a pair of the wrong side", "private/buy", pair({ direction: "buy" }), false],
    ["a pair in which one triggers the other", "private/sell", pair({}, "one_triggers_other"), false],
    [
      "three that are linked",
      "private/sell",
      { ...pair({}), otoco_config: [...pair({}).otoco_config, ...pair({}).otoco_config] },
      false,
    ],
  ] as const)
    test(`${name}: ${isReducing ? "yes" : "no"}`, async () =>
      assert.equal((await sizeOf(method, params)).isReducing, isReducing));

  test("is not told by a linear position without its coins", async () => {
    const server = { ...SERVER, "private/get_position LINEAR": { instrument_name: "LINEAR", size: 2400 } };
    const order = { instrument_name: "LINEAR", amount: 12, reduce_only: true };
    assert.equal(textOf(await sizeOf("private/sell", order, server)), "2400 2400");
    assert.equal(textOf(await sizeOf("private/close_position", { instrument_name: "LINEAR" }, server)), "0 0 unknown");
  });
});
