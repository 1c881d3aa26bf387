import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { PERPETUAL, startTrader, type Params, type Trader } from "../trader.ts";

/* Everything that the exchange refuses of an order in the books, with its code and words. The mark is 92450. */

const ETHER = "ETH-PERPETUAL";
const OPTION = "BTC-26MAR27-96000-C";
const stop = { type: "stop_limit", trigger: "mark_price", trigger_price: 91_600, price: 91_500 };

describe("an order is refused", () => {
  const cases: readonly [Params, string][] = [
    [{ amount: 5 }, "10002 qty_too_low 10"],
    [{ amount: 0 }, "10002 qty_too_low 10"],
    [{ amount: 15 }, "10027 non_integer_contract_amount"],
    [{ amount: undefined }, "-32602 Invalid params amount amount or contracts required"],
    [{ amount: 10, contracts: 2 }, "-32602 Invalid params contracts contracts and amount don't agree"],
    [{ amount: 1e12 }, "10021 invalid_amount 100000000"],
    [{ instrument_name: OPTION, amount: 0.15, price: 0.01 }, "10021 invalid_amount"],
    [{ price: 92_000.3 }, "10043 price_wrong_tick 92000.5"],
    [{ price: 99_000 }, "10007 price_too_high 93837"],
    [{ price: -5 }, "10023 invalid_price"],
    [{ price: undefined }, "11043 bad_argument price invalid price"],
    [{ price: 1e18 }, "10023 invalid_price"],
    [{ type: "market" }, "11043 bad_argument price invalid price"],
    [{ type: "odd" }, "-32602 Invalid params type invalid type"],
    [{ time_in_force: "odd" }, "-32602 Invalid params time_in_force invalid time_in_force"],
    [{ post_only: true, time_in_force: "fill_or_kill" }, "11055 post_only_not_allowed"],
    [{ price: 93_000, post_only: true, reject_post_only: true }, "11054 post_only_reject"],
    [{ instrument_name: ETHER, price: 2000, reduce_only: true }, "11030 other_reject reduce_only"],
    [{ amount: 5000, display_amount: 5 }, "10036 invalid_max_show_amount"],
    [{ amount: 5000, display_amount: 990 }, "10036 invalid_max_show_amount 1000"],
    [{ price: undefined, type: "market", display_amount: 10 }, "11047 unsupported_arg_combination"],
    [{ valid_until: 1 }, "13888 timed_out"],
    [{ ...stop, trigger_price: 91_600.2 }, "10044 trigger_price_wrong_tick 91600"],
    [{ ...stop, trigger: undefined }, "11043 bad_argument trigger invalid trigger"],
    [{ ...stop, trigger: "odd" }, "-32602 Invalid params trigger invalid trigger"],
    [{ ...stop, trigger_price: 91_600 }, "10035 trigger_price_too_low 92450"],
    [{ ...stop, trigger_price: -1 }, "11036 invalid_trigger_price"],
    [
      { price: undefined, type: "trailing_stop", trigger: "mark_price" },
      "11043 bad_argument trigger_offset invalid trigger_offset",
    ],
    [{ amount: 100_000_000, price: 92_000 }, "10009 not_enough_funds"],
    [{ advanced: "usd" }, "11038 no_adv_for_futures"],
    [
      { instrument_name: OPTION, amount: 1, price: 0.01, advanced: "implv" },
      "10033 not_implemented the simulator has no orders in USD or implied volatility",
    ],
    [
      { instrument_name: "BTC-FS-26MAR27_PERP" },
      "10020 invalid_or_unsupported_instrument the simulator has no order books of combos",
    ],
    [{ instrument_name: "BTC-NOPE" }, "13020 not_found"],
    [{ linked_order_type: "one_cancels_other" }, "-32602 Invalid params otoco_config value required"],
    [{ otoco_config: [{ price: 93_000 }] }, "-32602 Invalid params linked_order_type value required"],
    [
      { linked_order_type: "one_triggers_other", otoco_config: [] },
      "11043 bad_argument otoco_config invalid otoco_config",
    ],
  ];
  for (const [params, expected] of cases) {
    test(JSON.stringify(params), async () => {
      const trader = await startTrader();
      assert.equal(
        await trader.refused("private/buy", { instrument_name: PERPETUAL, amount: 10, price: 92_000, ...params }),
        expected,
      );
      assert.deepEqual(await trader.open(), []);
      assert.equal(trader.position(), 0);
    });
  }

  test("because it would trade with another one of the account", async () => {
    const trader = await startTrader();
    await trader.place("buy", { amount: 10, price: 92_449.5 });
    assert.equal(
      await trader.refused("private/sell", { instrument_name: PERPETUAL, amount: 10, price: 92_449.5 }),
      "10003 order_overlap",
    );
  });
});

describe("a change of an order is refused", () => {
  const placed = async (): Promise<{ readonly trader: Trader; readonly order_id: string }> => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { amount: 100, price: 92_000, label: "twice" });
    return { trader, order_id: order.order_id };
  };

  test("of an order that does not exist, has ended, or belongs to another account", async () => {
    const { trader, order_id } = await placed();
    assert.equal(await trader.refused("private/edit", { order_id: "1", amount: 10 }), "10004 order_not_found");
    assert.equal(await trader.refused("private/cancel", { order_id: "1" }), "10004 order_not_found");
    await trader.client.result("private/cancel", { order_id });
    assert.equal(await trader.refused("private/edit", { order_id, amount: 10 }), "11044 not_open_order");
    assert.equal(await trader.refused("private/cancel", { order_id }), "11044 not_open_order");
    const filled = await trader.place("buy", { amount: 10, type: "market" });
    const ended = { order_id: filled.order.order_id };
    assert.equal(await trader.refused("private/edit", { ...ended, amount: 20 }), "10010 already_closed");
    assert.equal(await trader.refused("private/cancel", ended), "10010 already_closed");
  });

  test("to what no order can be", async () => {
    const { trader, order_id } = await placed();
    const edit = async (params: Params): Promise<string> =>
      await trader.refused("private/edit", { order_id, amount: 100, ...params });
    assert.equal(await edit({ amount: 15 }), "10027 non_integer_contract_amount");
    assert.equal(await edit({ price: 0.3 }), "10043 price_wrong_tick 0.5");
    assert.equal(await edit({ price: 99_000 }), "10007 price_too_high 93837");
    assert.equal(await edit({ trigger_price: 92_000 }), "11047 unsupported_arg_combination");
    assert.equal(await edit({ valid_until: 1 }), "13888 timed_out");
    assert.equal(await edit({ advanced: "usd" }), "11038 no_adv_for_futures");
    trader.situation.exchange.control.fill(order_id, 50);
    assert.equal(await edit({ amount: 50 }), "10021 invalid_amount 50");
    assert.deepEqual(await trader.open(), ["buy 100 @ 92000 limit open, 50 filled"]);
  });

  test("without a size, which the exchange requires, of an order in the book and of one of the scenario", async () => {
    const { trader, order_id } = await placed();
    const { control } = trader.situation.exchange;
    const spec = { instrument_name: PERPETUAL, direction: "buy", amount: 10, price: 50_000 } as const;
    const { order_id: other } = control.place(spec);
    for (const id of [order_id, other])
      assert.match(await trader.refused("private/edit", { order_id: id, price: 92_000 }), /^-32602 Invalid params/);
    assert.match(
      await trader.refused("private/edit_by_label", { instrument_name: PERPETUAL, label: "twice", price: 92_000 }),
      /^-32602 Invalid params/,
    );
    assert.deepEqual((await trader.open()).toSorted(), ["buy 10 @ 50000 limit open", "buy 100 @ 92000 limit open"]);
  });

  test("by a label that no open order has, or two", async () => {
    const { trader } = await placed();
    const edit = { instrument_name: PERPETUAL, amount: 100, price: 91_900 };
    assert.equal(await trader.refused("private/edit_by_label", { ...edit, label: "no" }), "10004 order_not_found");
    await trader.place("buy", { amount: 100, price: 92_000, label: "twice" });
    assert.equal(
      await trader.refused("private/edit_by_label", { ...edit, label: "twice" }),
      "13032 non_unique_order_label",
    );
  });

  test("a position that is not there is not closed", async () => {
    const trader = await startTrader();
    const close = { instrument_name: ETHER, type: "market" };
    assert.equal(await trader.refused("private/close_position", close), "11030 other_reject reduce_only");
    assert.equal(
      await trader.refused("private/close_position", { ...close, type: "limit" }),
      "-32602 Invalid params price value required",
    );
    assert.equal(
      await trader.refused("private/close_position", { ...close, type: "odd" }),
      "-32602 Invalid params type invalid type",
    );
  });
});
