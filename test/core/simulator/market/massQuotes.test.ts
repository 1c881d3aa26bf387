import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  describeOrder,
  describeTrades,
  PERPETUAL,
  startTrader,
  type Params,
  type Trader,
  type WireOrder,
  type WireTrade,
} from "../trader.ts";

/* Mass quotes. The market stands still: the best bid is 1480 @ 92449, the best ask 220 @ 92451.5. */

const group = { index_name: "btc_usd", mmp_group: "makers" };

interface Quoted {
  readonly orders: readonly WireOrder[];
  readonly trades: readonly WireTrade[];
  readonly errors: readonly {
    readonly side: string;
    readonly error: { readonly code: number; readonly message: string };
  }[];
}

/** Signs in a trader with an MMP group, over a connection that may quote. */
async function maker(limits: Params = {}): Promise<Trader> {
  const trader = await startTrader();
  await trader.client.result("private/enable_cancel_on_disconnect", {});
  await trader.client.result("private/set_mmp_config", {
    ...{ ...group, interval: 10, frozen_time: 5, max_quote_quantity: 1, quantity_limit: 1 },
    ...limits,
  });
  return trader;
}

/** Quotes one instrument. */
async function quote(trader: Trader, sides: Params, params: Params = {}): Promise<Quoted> {
  return await trader.client.result<Quoted>("private/mass_quote", {
    ...{ quote_id: "1", mmp_group: group.mmp_group, detailed: true },
    quotes: [{ instrument_name: PERPETUAL, quote_set_id: "near", ...sides }],
    ...params,
  });
}

/** Returns the errors of quotes in words. */
function errorsOf({ errors }: Quoted): string[] {
  return errors.map(({ side, error }) => `${side} ${error.code} ${error.message}`);
}

const both = { bid: { price: 92_000, amount: 100 }, ask: { price: 93_000, amount: 200 } };

describe("private/mass_quote", () => {
  test("places both sides as protected orders that say what they belong to", async () => {
    const trader = await maker();
    const { orders, errors } = await quote(trader, both);
    assert.deepEqual(orders.map(describeOrder), ["buy 100 @ 92000 limit open", "sell 200 @ 93000 limit open"]);
    assert.deepEqual(errors, []);
    const [{ quote: isQuote, mmp, mmp_group, quote_set_id, quote_id }] = orders as [WireOrder];
    assert.deepEqual([isQuote, mmp, mmp_group, quote_set_id, quote_id], [true, true, "makers", "near", "1"]);
    assert.deepEqual(await trader.open(), ["buy 100 @ 92000 limit open", "sell 200 @ 93000 limit open"]);
    assert.deepEqual(await quote(trader, both, { detailed: false }), { errors_count: 0, pending_requests_count: 0 });
  });

  test("takes the place of the quotes that the group has, also with a price alone", async () => {
    const trader = await maker();
    const first = await quote(trader, both);
    const higher = { bid: { price: 93_100 }, ask: { price: 93_200 } };
    // The bid could only move after the ask, which it would have met.
    const second = await quote(trader, higher, { quote_id: "2" });
    assert.deepEqual(errorsOf(second), []);
    const ids = ({ orders }: Quoted): string[] => orders.map(({ order_id }) => order_id).sort();
    assert.deepEqual(ids(second), ids(first));
    assert.deepEqual(
      second.orders.map(({ quote_id }) => quote_id),
      ["2", "2"],
    );
    assert.deepEqual(describeTrades(second.trades).slice(0, 1), ["100 @ 92451.5 T"]);
  });

  test("offers the whole amount again after a part was filled", async () => {
    const trader = await maker({ quantity_limit: 10 });
    const { orders } = await quote(trader, { bid: both.bid });
    trader.situation.exchange.control.fill(orders[0]?.order_id ?? "", 60);
    await quote(trader, { bid: both.bid });
    assert.deepEqual(await trader.open(), ["buy 160 @ 92000 limit open, 60 filled"]);
  });

  test("leaves the quotes of another group and other orders alone", async () => {
    const trader = await maker();
    await trader.client.result("private/set_mmp_config", {
      ...{ ...group, mmp_group: "others", interval: 10, frozen_time: 5, max_quote_quantity: 1 },
    });
    await trader.place("buy", { amount: 10, price: 92_000 });
    await quote(trader, { bid: both.bid });
    await quote(trader, { bid: both.bid }, { mmp_group: "others" });
    assert.equal((await trader.open()).length, 3);
  });

  const refused: readonly [string, Params, Params, string][] = [
    ["a price beyond the band", { bid: { price: 100_000, amount: 10 } }, {}, "bid 10007 price_too_high"],
    ["more than max_quote_quantity", { bid: { price: 92_000, amount: 92_010 } }, {}, "bid 10021 invalid_amount"],
    ["a price alone where there is no quote", { bid: { price: 92_000 } }, {}, "bid 10004 order_not_found"],
    [
      "an option",
      { instrument_name: "BTC-26MAR27-96000-C", bid: { price: 0.05, amount: 1 } },
      {},
      "bid 13902 mass_quotes_disabled",
    ],
    ["too late", { bid: both.bid }, { valid_until: 1 }, "bid 13888 timed_out"],
  ];
  for (const [title, sides, params, expected] of refused) {
    test(`refuses both sides where one is refused: ${title}`, async () => {
      const trader = await maker();
      const result = await quote(trader, { ask: both.ask, ...sides }, params);
      const [bid, ask, ...others] = errorsOf(result);
      assert.equal(bid?.slice(0, expected.length), expected);
      const own = sides["instrument_name"] !== undefined || params["valid_until"] !== undefined;
      assert.equal(ask, own ? bid.replace("bid", "ask") : "ask 11030 other_reject other_side_rejected");
      assert.deepEqual([others, result.orders, await trader.open()], [[], [], []]);
      const sums = await quote(trader, { ask: both.ask, ...sides }, { ...params, detailed: false });
      assert.deepEqual(sums, { errors_count: 2, pending_requests_count: 0 });
    });
  }

  // "A rejected quote will no longer cancel the current quote":
  // https://support.deribit.com/hc/en-us/articles/31600682719645
  const rejected: readonly [string, Params][] = [
    ["a price beyond the band", { bid: { price: 100_000, amount: 10 }, ask: { price: 93_100, amount: 200 } }],
    ["more than the largest quote", { bid: { price: 92_000, amount: 92_010 } }],
    ["a price that would take", { bid: { price: 92_460, post_only: true, reject_post_only: true } }],
    ["two sides that cross", { bid: { price: 92_450, amount: 100 }, ask: { price: 92_450, amount: 100 } }],
    ["two sides that cross by what rests", { bid: { price: 93_000 }, ask: { amount: 100 } }],
  ];
  for (const [title, sides] of rejected)
    test(`leaves the quotes that rest where a new one is refused: ${title}`, async () => {
      const trader = await maker();
      await quote(trader, both);
      const before = await trader.open();
      assert.notEqual(errorsOf(await quote(trader, sides)).length, 0);
      assert.deepEqual(await trader.open(), before);
    });

  test("moves both sides past where the other one was, with orders that never take", async () => {
    const trader = await maker();
    const careful = { amount: 100, post_only: true, reject_post_only: true };
    const at = async (bid: number, ask: number): Promise<string[]> =>
      errorsOf(await quote(trader, { bid: { ...careful, price: bid }, ask: { ...careful, price: ask } }));
    assert.deepEqual(await at(92_449.5, 92_450), []);
    assert.deepEqual(await at(92_450.5, 92_451), []);
    assert.deepEqual(await at(92_449.5, 92_450), []);
    assert.deepEqual(await trader.open(), ["buy 100 @ 92449.5 limit open", "sell 100 @ 92450 limit open"]);
  });

  test("cancels the quote of a side with an amount of 0", async () => {
    const trader = await maker();
    await quote(trader, both);
    const { orders, errors } = await quote(trader, { bid: { price: 92_000, amount: 0 }, ask: { price: 93_100 } });
    assert.deepEqual(orders.map(describeOrder), ["sell 200 @ 93100 limit open", "buy 100 @ 92000 limit cancelled"]);
    assert.deepEqual(errors, []);
    assert.deepEqual(errorsOf(await quote(trader, { bid: { amount: 0 } })), []);
    assert.deepEqual(await trader.open(), ["sell 200 @ 93100 limit open"]);
  });

  // https://docs.deribit.com/articles/mass-quotes-specifications: a quote "amended without changing price, amount, or
  // quote_set_id … loses its priority"; it is kept "when reducing size or changing only the quote_set_id".
  const amendments: readonly [string, Params, boolean][] = [
    ["the same", {}, false],
    ["another quote_set_id", { quote_set_id: "other" }, true],
    ["less", { bid: { price: 92_000, amount: 50 } }, true],
    ["more", { bid: { price: 92_000, amount: 150 } }, false],
  ];
  for (const [title, sides, isKept] of amendments)
    test(`${isKept ? "keeps" : "loses"} its place when it is sent again with ${title}`, async () => {
      const trader = await maker({ quantity_limit: 10 });
      const { orders } = await quote(trader, { bid: both.bid });
      const behind = await trader.place("buy", { amount: 10, price: 92_000 });
      await quote(trader, { bid: both.bid, ...sides });
      trader.situation.exchange.control.fill(orders[0]?.order_id ?? "", 10);
      const state = trader.situation.exchange.control.order(behind.order.order_id)?.order_state;
      assert.equal(state, isKept ? "open" : "filled");
    });

  test("refuses a request as a whole: its group, another index, too many quotes", async () => {
    const trader = await maker();
    const one = { instrument_name: PERPETUAL, ...both };
    const ether = { instrument_name: "ETH-PERPETUAL", bid: { price: 2000, amount: 10 } };
    const cases: readonly [Params, string][] = [
      [{ mmp_group: "none" }, "-32602 Invalid params mmp_group the group has no limits"],
      [{ mmp_group: "Makers" }, "-32602 Invalid params mmp_group the group has no limits"],
      [{ quotes: [one, ether] }, "-32602 Invalid params quotes all quotes must be of btc_usd"],
      [{ quotes: Array.from({ length: 101 }, () => one) }, "-32602 Invalid params quotes at most 100 quotes"],
    ];
    for (const [params, expected] of cases)
      assert.equal(
        await trader.refused("private/mass_quote", { quote_id: "1", mmp_group: "makers", quotes: [one], ...params }),
        expected,
      );
    assert.deepEqual(await trader.open(), []);
  });

  // https://docs.deribit.com/changelogs/jsonrpc (release of 19 May 2026)
  test("makes quotes that no edit finds", async () => {
    const trader = await maker();
    const { orders } = await quote(trader, both);
    const edit = { amount: 50, price: 91_000 };
    for (const { order_id } of orders)
      assert.equal(await trader.refused("private/edit", { order_id, ...edit }), "10004 order_not_found");
    assert.deepEqual(await trader.open(), ["buy 100 @ 92000 limit open", "sell 200 @ 93000 limit open"]);
  });

  test("ends with the group: fills trip its limits, and new quotes are refused until it thaws", async () => {
    const trader = await maker({ quantity_limit: 0.5 });
    const { orders } = await quote(trader, { bid: { price: 92_000, amount: 46_000 }, ask: both.ask });
    trader.situation.exchange.control.fill(orders[0]?.order_id ?? "");
    assert.deepEqual(await trader.open(), []);
    assert.deepEqual(errorsOf(await quote(trader, both)), ["bid 13030 mmp_trigger", "ask 13030 mmp_trigger"]);
    await trader.situation.clock.advance(5000);
    assert.deepEqual(errorsOf(await quote(trader, both)), []);
  });
});

describe("private/cancel_quotes", () => {
  const selections: readonly [Params, number][] = [
    [{ cancel_type: "all" }, 3],
    [{ cancel_type: "quote_set_id", quote_set_id: "near" }, 2],
    [{ cancel_type: "quote_set_id", quote_set_id: "none" }, 0],
    [{ cancel_type: "instrument", instrument_name: PERPETUAL }, 2],
    [{ cancel_type: "instrument_kind", kind: "future" }, 3],
    [{ cancel_type: "instrument_kind", kind: "future", currency: "ETH" }, 1],
    [{ cancel_type: "instrument_kind", kind: "option" }, 0],
    [{ cancel_type: "currency", currency: "ETH" }, 1],
    [{ cancel_type: "currency_pair", currency_pair: "btc_usd" }, 2],
    [{ cancel_type: "delta", min_delta: 0, max_delta: 1 }, 0],
  ];
  for (const [params, count] of selections) {
    test(`cancels ${count} of 3 by ${JSON.stringify(params)}`, async () => {
      const trader = await maker();
      await trader.client.result("private/set_mmp_config", {
        ...{ index_name: "eth_usd", mmp_group: "ether", interval: 10, frozen_time: 5, max_quote_quantity: 1 },
      });
      await trader.place("buy", { amount: 10, price: 92_000 });
      await quote(trader, both);
      const far = { instrument_name: "ETH-PERPETUAL", quote_set_id: "far", bid: { price: 2090, amount: 10 } };
      assert.deepEqual(errorsOf(await quote(trader, far, { mmp_group: "ether" })), []);
      assert.equal(await trader.client.result("private/cancel_quotes", params), count);
      assert.equal((await trader.open()).length, 4 - count);
    });
  }

  test("needs what its cancel_type names", async () => {
    const trader = await maker();
    const refusals: readonly [string, string][] = [
      ["quote_set_id", "-32602 Invalid params quote_set_id value required"],
      ["instrument", "-32602 Invalid params instrument_name value required"],
      ["delta", "-32602 Invalid params min_delta value required"],
      ["instrument_kind", "-32602 Invalid params kind value required"],
      ["no such type", "-32602 Invalid params cancel_type invalid cancel_type"],
    ];
    for (const [cancel_type, expected] of refusals)
      assert.equal(await trader.refused("private/cancel_quotes", { cancel_type }), expected);
  });

  for (const [method, selection] of [
    ["private/cancel_quotes", { cancel_type: "all" }],
    ["private/cancel_all", {}],
    ["private/cancel_all_by_instrument", { instrument_name: PERPETUAL }],
    ["private/cancel_all_by_currency", { currency: "BTC" }],
    ["private/cancel_all_by_currency_pair", { currency_pair: "btc_usd" }],
    ["private/cancel_all_by_kind_or_type", { currency: "any" }],
  ] as const)
    test(`freezes quotes for a second where ${method} asks for it`, async () => {
      const trader = await maker();
      await trader.client.result(method, selection);
      assert.deepEqual(errorsOf(await quote(trader, both)), []);
      await trader.client.result(method, { ...selection, freeze_quotes: true });
      const params = { quote_id: "1", mmp_group: "makers", quotes: [{ instrument_name: PERPETUAL, ...both }] };
      assert.equal(await trader.refused("private/mass_quote", params), "13043 quotes_frozen");
      await trader.situation.clock.advance(1000);
      assert.deepEqual(errorsOf(await quote(trader, both)), []);
    });
});
