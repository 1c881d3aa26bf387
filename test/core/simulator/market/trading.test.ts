import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { SETTLEMENT_PAUSE_MS } from "../../../../src/exchange/market/platform.ts";
import {
  describeOrder,
  describeTrades,
  PERPETUAL,
  startTrader,
  type Params,
  type Placed,
  type WireOrder,
  type WireTrade,
} from "../trader.ts";

/*
 * Orders in the books, over the wire. The market stands still: the mark is 92450, the best ask 220 @ 92451.5, then 1300
 * @ 92453 and 780 @ 92454.5; the best bid 1480 @ 92449.
 */

const stop = { type: "stop_limit", trigger: "mark_price", trigger_price: 91_600, price: 91_500 };

describe("an order that is placed", () => {
  const cases: readonly [string, "buy" | "sell", Params, string, string[]][] = [
    ["limit, which rests", "buy", { price: 92_000 }, "buy 1000 @ 92000 limit open", []],
    [
      "limit, which trades",
      "buy",
      { amount: 60_000, price: 92_460 },
      "buy 60000 @ 92460 limit filled, 60000 filled",
      ["57330 @ 92451.5 T", "2670 @ 92453 T"],
    ],
    [
      "limit, of which a part trades",
      "buy",
      { amount: 60_000, price: 92_451.5 },
      "buy 60000 @ 92451.5 limit open, 57330 filled",
      ["57330 @ 92451.5 T"],
    ],
    ["market", "sell", { type: "market" }, "sell 1000 @ market_price market filled, 1000 filled", ["1000 @ 92449 T"]],
    [
      "market limit: the rest of it rests at the best price",
      "buy",
      { amount: 60_000, type: "market_limit" },
      "buy 60000 @ 92451.5 limit open, 57330 filled",
      ["57330 @ 92451.5 T"],
    ],
    ["stop limit", "sell", stop, "sell 1000 @ 91500 stop_limit untriggered", []],
    [
      "stop market",
      "sell",
      { type: "stop_market", trigger: "index_price", trigger_price: 91_600 },
      "sell 1000 @ market_price stop_market untriggered",
      [],
    ],
    [
      "take limit",
      "sell",
      { type: "take_limit", trigger: "last_price", trigger_price: 93_100, price: 93_000 },
      "sell 1000 @ 93000 take_limit untriggered",
      [],
    ],
    [
      "take market",
      "sell",
      { type: "take_market", trigger: "mark_price", trigger_price: 93_100 },
      "sell 1000 @ market_price take_market untriggered",
      [],
    ],
    [
      "trailing stop",
      "sell",
      { type: "trailing_stop", trigger: "mark_price", trigger_offset: 500 },
      "sell 1000 @ market_price trailing_stop untriggered",
      [],
    ],
    [
      "fill or kill, which can't be filled",
      "buy",
      { price: 92_000, time_in_force: "fill_or_kill" },
      "buy 1000 @ 92000 limit cancelled",
      [],
    ],
    [
      "fill or kill, which can",
      "sell",
      { price: 92_449, time_in_force: "fill_or_kill" },
      "sell 1000 @ 92449 limit filled, 1000 filled",
      ["1000 @ 92449 T"],
    ],
    [
      "immediate or cancel",
      "buy",
      { amount: 60_000, price: 92_451.5, time_in_force: "immediate_or_cancel" },
      "buy 60000 @ 92451.5 limit cancelled, 57330 filled",
      ["57330 @ 92451.5 T"],
    ],
    ["good til day", "buy", { price: 92_000, time_in_force: "good_til_day" }, "buy 1000 @ 92000 limit open", []],
    [
      "post-only, which gets the next price that does not take",
      "buy",
      { price: 93_000, post_only: true },
      "buy 1000 @ 92451 limit open",
      [],
    ],
    ["in contracts", "buy", { amount: undefined, contracts: 3, price: 92_000 }, "buy 30 @ 92000 limit open", []],
    [
      "an option",
      "buy",
      { instrument_name: "BTC-26MAR27-96000-C", amount: 0.1, price: 0.01 },
      "buy 0.1 @ 0.01 limit open",
      [],
    ],
    [
      "spot",
      "buy",
      { instrument_name: "BTC_USDC", amount: 0.4, type: "market" },
      "buy 0.4 @ market_price market filled, 0.4 filled",
      ["0.3094 @ 92420 T", "0.0906 @ 92421 T"],
    ],
  ];
  for (const [title, side, params, expected, trades] of cases) {
    test(title, async () => {
      const trader = await startTrader();
      const placed = await trader.place(side, { amount: 1000, ...params });
      assert.equal(describeOrder(placed.order), expected);
      assert.deepEqual(describeTrades(placed.trades), trades);
      const { order_id } = placed.order;
      assert.deepEqual(await trader.client.result("private/get_order_state", { order_id }), placed.order);
      assert.deepEqual(
        (await trader.client.result<WireTrade[]>("private/get_user_trades_by_order", { order_id, sorting: "asc" })).map(
          ({ trade_id }) => trade_id,
        ),
        placed.trades.map(({ trade_id }) => trade_id),
      );
      const isOpen = ["open", "untriggered"].includes(placed.order.order_state);
      assert.deepEqual(await trader.open(), isOpen ? [expected] : []);
    });
  }

  test("has the members of its kind", async () => {
    const trader = await startTrader();
    const members = async (params: Params, ...names: string[]): Promise<unknown[]> => {
      const { order } = await trader.place("sell", { amount: 1000, ...params });
      return names.map((name) => order[name]);
    };
    assert.deepEqual(await members({ ...stop, label: "mine" }, "trigger", "trigger_price", "triggered", "label"), [
      "mark_price",
      91_600,
      false,
      "mine",
    ]);
    assert.deepEqual(
      await members(
        { type: "trailing_stop", trigger: "mark_price", trigger_offset: 500 },
        "trigger_offset",
        "trigger_reference_price",
        "trigger_price",
      ),
      [500, 92_450, 91_950],
    );
    assert.deepEqual(await members({ price: 93_000, post_only: true, reject_post_only: true }, "reject_post_only"), [
      true,
    ]);
  });

  test("that may only reduce is no larger than the position", async () => {
    const trader = await startTrader();
    await trader.place("buy", { amount: 500, type: "market" });
    const { order } = await trader.place("sell", { amount: 1000, price: 93_000, reduce_only: true });
    assert.equal(describeOrder(order), "sell 500 @ 93000 limit open");
    trader.situation.exchange.control.fill(order.order_id);
    assert.equal(trader.position(), 0);
  });

  test("good til day ends at 8:00 UTC", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { amount: 10, price: 92_000, time_in_force: "good_til_day" });
    await trader.situation.clock.advance(20 * 3_600_000 + SETTLEMENT_PAUSE_MS);
    const client = trader.situation.connect();
    await client.signIn();
    // The next operation finds that its time has come.
    await client.result("private/buy", { instrument_name: PERPETUAL, amount: 10, price: 91_500 });
    const state = await client.result<WireOrder>("private/get_order_state", { order_id: order.order_id });
    assert.equal(describeOrder(state), "buy 10 @ 92000 limit cancelled");
  });

  test("the price falls to it while time passes: it is filled, and a trigger fires", async () => {
    const trader = await startTrader({ still: false });
    const below = await trader.place("buy", { amount: 10, price: 92_440 });
    const above = await trader.place("sell", { amount: 10, price: 92_460 });
    const rise = await trader.place("buy", {
      amount: 10,
      type: "stop_market",
      trigger: "mark_price",
      trigger_price: 92_470,
    });
    const fall = await trader.place("sell", {
      amount: 10,
      type: "stop_market",
      trigger: "mark_price",
      trigger_price: 92_430,
    });
    const { control } = trader.situation.exchange;
    const states = (...placed: Placed[]): (string | undefined)[] =>
      placed.map(({ order }) => control.order(order.order_id)?.order_state);
    for (let seconds = 0; seconds < 3600; seconds++) {
      if (states(below, above).includes("filled") && states(rise, fall).includes("triggered")) break;
      await trader.situation.clock.advance(1000);
    }
    assert.ok(states(below, above).includes("filled"));
    assert.ok(states(rise, fall).includes("triggered"));
  });

  test("the same seed gives the same bytes", async () => {
    const run = async (): Promise<string[]> => {
      const trader = await startTrader({ orders: 24 });
      await trader.client.result("private/subscribe", {
        channels: ["user.orders.any.any.raw", "user.trades.any.any.raw", "user.changes.any.any.100ms"],
      });
      await trader.place("buy", { amount: 5000, type: "market" });
      const { order } = await trader.place("sell", { amount: 5000, price: 92_460 });
      trader.situation.exchange.control.fill(order.order_id, 20);
      await trader.situation.clock.advance(1000);
      return trader.client.received;
    };
    assert.deepEqual(await run(), await run());
  });
});

describe("an order in the book is changed", () => {
  test("its price and amount, by ID and by label", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { amount: 1000, price: 92_000, label: "mine" });
    const edited = await trader.client.result<Placed>("private/edit", {
      order_id: order.order_id,
      amount: 500,
      price: 92_100,
    });
    assert.equal(describeOrder(edited.order), "buy 500 @ 92100 limit open");
    assert.equal(edited.order["replaced"], true);
    assert.equal(edited.order.order_id, order.order_id);
    const taking = await trader.client.result<Placed>("private/edit_by_label", {
      instrument_name: PERPETUAL,
      label: "mine",
      amount: 60_000,
      price: 92_451.5,
    });
    assert.equal(describeOrder(taking.order), "buy 60000 @ 92451.5 limit open, 57330 filled");
    assert.deepEqual(describeTrades(taking.trades), ["57330 @ 92451.5 T"]);
  });

  test("the price that a trigger order waits for", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("sell", { amount: 1000, ...stop });
    const edited = await trader.client.result<Placed>("private/edit", {
      order_id: order.order_id,
      amount: 1000,
      trigger_price: 91_700,
    });
    assert.equal(edited.order["trigger_price"], 91_700);
  });

  test("one that becomes post-only and would take ends, where that is to be rejected", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { amount: 1000, price: 92_000 });
    const { order: after } = await trader.client.result<Placed>("private/edit", {
      order_id: order.order_id,
      contracts: 100,
      price: 93_000,
      post_only: true,
      reject_post_only: true,
    });
    assert.deepEqual([after.order_state, after["cancel_reason"]], ["cancelled", "edit_post_only_reject"]);
  });

  test("by another party", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", { amount: 1000, price: 92_000 });
    const { control } = trader.situation.exchange;
    assert.equal(control.amend(order.order_id, { amount: 600, price: 91_999.9 }).price, 92_000);
    control.cancel(order.order_id, "autoliquidation");
    const state = await trader.client.result<WireOrder>("private/get_order_state", { order_id: order.order_id });
    assert.deepEqual(
      [describeOrder(state), state["cancel_reason"]],
      ["buy 600 @ 92000 limit cancelled", "autoliquidation"],
    );
  });

  test("it is cancelled by ID, by label, and with all", async () => {
    const trader = await startTrader();
    const place = async (label: string): Promise<string> =>
      (await trader.place("buy", { amount: 10, price: 92_000, label })).order.order_id;
    const [first] = [await place("a"), await place("b"), await place("b"), await place("c")];
    const cancelled = await trader.client.result<WireOrder>("private/cancel", { order_id: first });
    assert.deepEqual([cancelled.order_state, cancelled["cancel_reason"]], ["cancelled", "user_request"]);
    assert.equal(await trader.client.result("private/cancel_by_label", { label: "b" }), 2);
    assert.equal(await trader.client.result("private/cancel_all_by_currency", { currency: "BTC", kind: "future" }), 1);
    assert.deepEqual(await trader.open(), []);
  });

  test("the position is closed with one call", async () => {
    const trader = await startTrader();
    await trader.place("buy", { amount: 110_000, type: "market" });
    assert.equal(trader.position(), 110_000);
    const { order, trades } = await trader.client.result<Placed>("private/close_position", {
      instrument_name: PERPETUAL,
      type: "market",
    });
    assert.equal(describeOrder(order), "sell 110000 @ market_price market filled, 110000 filled");
    assert.deepEqual(describeTrades(trades), ["101660 @ 92449 T", "8340 @ 92447.5 T"]);
    assert.equal(trader.position(), 0);
  });
});

describe("linked orders in the books", () => {
  const takeProfit = { type: "limit", price: 93_500 };
  const stopLoss = { type: "stop_market", trigger: "mark_price", trigger_price: 91_000 };

  test("OTOCO: the fill of the first lets two others go on, of which one cancels the other", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", {
      amount: 60,
      price: 92_000,
      linked_order_type: "one_triggers_one_cancels_other",
      trigger_fill_condition: "first_hit",
      otoco_config: [takeProfit, stopLoss],
    });
    assert.deepEqual(await trader.open(), [
      "buy 60 @ 92000 limit open",
      "sell 60 @ 93500 limit untriggered",
      "sell 60 @ market_price stop_market untriggered",
    ]);
    assert.equal(order["is_primary_otoco"], true);
    const { control } = trader.situation.exchange;
    control.fill(order.order_id);
    assert.deepEqual(await trader.open(), [
      "sell 60 @ 93500 limit open",
      "sell 60 @ market_price stop_market untriggered",
    ]);
    const [profit] = await trader.client.result<WireOrder[]>("private/get_open_orders");
    control.fill(profit?.order_id ?? "");
    assert.deepEqual(await trader.open(), []);
    assert.equal(trader.position(), 0);
  });

  test("OTO: the second goes with the first", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", {
      amount: 60,
      price: 92_000,
      linked_order_type: "one_triggers_other",
      otoco_config: [takeProfit],
    });
    const [oto = ""] = order["oto_order_ids"] as string[];
    assert.match(oto, /^OTO-\d+$/);
    await trader.client.result("private/cancel", { order_id: order.order_id });
    const second = await trader.client.result<WireOrder>("private/get_order_state", { order_id: oto });
    assert.deepEqual([second.order_state, second["cancel_reason"]], ["cancelled", "oto_primary_closed"]);
  });

  // An order and its linked one in ETH-PERPETUAL, recorded in February 2026.
  test("OTO: both have the members of recorded ones", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", {
      ...{ instrument_name: "ETH-PERPETUAL", amount: 1, price: 2000, label: "test-123", post_only: true },
      ...{ linked_order_type: "one_triggers_other", trigger_fill_condition: "incremental" },
      otoco_config: [
        {
          ...{ amount: 1, direction: "sell", type: "take_limit", label: "test-123", price: 2400, reduce_only: true },
          ...{ time_in_force: "good_til_cancelled", post_only: true, trigger_price: 2390, trigger: "last_price" },
        },
      ],
    });
    const [oto = ""] = order["oto_order_ids"] as string[];
    assert.match(oto, /^ETH-OTO-\d+$/);
    assert.deepEqual([order["contracts"], order.filled_amount, order.average_price], [1, 0, 0]);
    const waiting = await trader.client.result<WireOrder>("private/get_order_state", { order_id: oto });
    const recorded = {
      ...{ label: "test-123", price: 2400, amount: 1, direction: "sell", time_in_force: "good_til_cancelled" },
      ...{ instrument_name: "ETH-PERPETUAL", web: false, api: true, order_id: oto, triggered: false },
      ...{ is_secondary_oto: true, replaced: false, trigger: "last_price", trigger_price: 2390, filled_amount: 0 },
      ...{ trigger_fill_condition: "incremental", post_only: true, reduce_only: true, mmp: false },
      ...{ reject_post_only: false, order_state: "untriggered", order_type: "take_limit", is_liquidation: false },
      risk_reducing: false,
    };
    const { user_id, creation_timestamp, last_update_timestamp, primary_order_id, ...rest } = waiting;
    assert.deepEqual(rest, recorded);
    // The last one is documented, and was not in the recorded message.
    assert.deepEqual([user_id, primary_order_id], [order["user_id"], order.order_id]);
    assert.equal(creation_timestamp, last_update_timestamp);
  });

  test("OCO: what fills one cancels the other", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("buy", {
      amount: 60,
      price: 92_000,
      linked_order_type: "one_cancels_other",
      otoco_config: [{ type: "stop_limit", price: 93_500, trigger: "mark_price", trigger_price: 93_400 }],
    });
    assert.deepEqual(await trader.open(), ["buy 60 @ 92000 limit open", "buy 60 @ 93500 stop_limit untriggered"]);
    trader.situation.exchange.control.fill(order.order_id);
    assert.deepEqual(await trader.open(), []);
  });

  test("a trigger that fires leaves another order, which points back, and an entry of the history", async () => {
    const trader = await startTrader();
    const { order } = await trader.place("sell", { amount: 1000, ...stop });
    trader.situation.exchange.control.fire(order.order_id);
    const ended = await trader.client.result<WireOrder[]>("private/get_order_history_by_instrument", {
      instrument_name: PERPETUAL,
    });
    const child = ended.find((each) => each["trigger_order_id"] === order.order_id);
    assert.ok(child !== undefined);
    assert.equal(describeOrder(child), "sell 1000 @ 91500 limit filled, 1000 filled");
    const { entries } = await trader.client.result<{ entries: Record<string, unknown>[] }>(
      "private/get_trigger_order_history",
      { currency: "BTC" },
    );
    assert.deepEqual(
      entries.map((entry) => [entry["trigger_order_id"], entry["order_id"], entry["order_state"], entry["request"]]),
      [[order.order_id, child["order_id"], "new", "trigger:order"]],
    );
  });
});
