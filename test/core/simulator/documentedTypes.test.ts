import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { typeMisfits } from "./market/shapeNames.ts";
import { PERPETUAL, startTrader, type Params } from "./trader.ts";

/* The documented types of results: they fit what the exchange sends, and the simulator's results fit them. */

describe("the documented type of a result", () => {
  /** Results of the exchange, recorded or from the examples of its pages, cut to the members in question. */
  const SENT: readonly (readonly [method: string, result: unknown])[] = [
    // https://docs.deribit.com/api-reference/market-data/public-get_historical_volatility
    ["public/get_historical_volatility", [[1_549_720_800_000, 14.747743607344217]]],
    ["public/get_expirations", ["26MAR27", "PERPETUAL"]],
    ["public/get_expirations", { future: ["26MAR27", "PERPETUAL"], option: ["26MAR27"] }],
    // https://docs.deribit.com/api-reference/market-data/public-get_supported_index_names
    ["public/get_supported_index_names", ["btc_eth", "btc_usdc"]],
    ["public/get_supported_index_names", [{ name: "btc_eth", future_combo_creation_enabled: true }]],
    // https://docs.deribit.com/api-reference/market-data/public-get_instrument
    ["public/get_instrument", { tick_size: 0.0005, tick_size_steps: [{ above_price: 120, tick_size: 0.001 }] }],
    ["public/get_instrument", { tick_size: 0.5, tick_size_steps: [] }],
    ["public/ticker", { underlying_index: "BTC-26MAR27", underlying_price: 94_002.25 }],
    // https://docs.deribit.com/subscriptions/user/usertradesinstrument_nameinterval
    [
      "private/get_user_trades_by_order",
      [{ reduce_only: false, post_only: false, matching_id: null, profit_loss: 0.00004898 }],
    ],
    ["private/get_user_trades_by_order", [{ profit_loss: null }]],
  ];

  for (const [method, result] of SENT)
    test(`of ${method} fits ${JSON.stringify(result)}`, () => {
      assert.deepEqual(typeMisfits(method, result), []);
    });

  test("says what does not fit", () => {
    assert.deepEqual(typeMisfits("public/get_expirations", [7]), ["public/get_expirations[] is number, not string"]);
    assert.deepEqual(typeMisfits("public/get_instrument", { tick_size_steps: { tick_size: 1 } }), [
      "public/get_instrument.tick_size_steps is object, not array",
    ]);
  });

  test("fits the results of the simulator", async () => {
    const trader = await startTrader({ orders: 24 });
    const { client } = trader;
    const { order } = await trader.place("buy", { amount: 1000, type: "market" });
    await trader.place("sell", { instrument_name: "BTC-26MAR27-96000-C", amount: 1, type: "market" });
    await trader.place("buy", {
      ...{ amount: 60, price: 90_000, linked_order_type: "one_triggers_other" },
      otoco_config: [{ type: "stop_market", trigger: "mark_price", trigger_price: 91_000 }],
    });
    const calls: readonly (readonly [method: string, params: Params])[] = [
      ["private/simulate_portfolio", { currency: "BTC" }],
      ["private/get_user_trades_by_order", { order_id: order.order_id }],
      ["private/get_subaccounts_details", { currency: "BTC", with_open_orders: true }],
      ["private/get_transaction_log", { currency: "BTC", start_timestamp: 0, end_timestamp: 4e12 }],
      ["private/get_deposits", { currency: "BTC" }],
      ["private/get_margins", { instrument_name: PERPETUAL, amount: 100, price: 92_000 }],
      ["private/get_order_margin_by_ids", { ids: [order.order_id] }],
      ["private/get_order_history_by_currency", { currency: "BTC", include_unfilled: true }],
      ["private/get_trigger_order_history", { currency: "BTC" }],
      ["private/get_settlement_history_by_currency", { currency: "BTC" }],
    ];
    for (const [method, params] of calls) {
      const result = await client.result(method, params);
      assert.deepEqual(typeMisfits(method, result), []);
      assert.notEqual(JSON.stringify(result), "[]", method);
    }
  });
});
