import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  describeOrder,
  describeTrades,
  PERPETUAL,
  startTrader,
  type Params,
  type Trader,
  type Placed,
  type WireOrder,
  type WireTrade,
} from "../trader.ts";

/* What is announced of orders and trades in the books, and that both sorts of orders are one account. */

const CHANNELS = ["user.orders.any.any.raw", "user.trades.any.any.raw", "trades.any.any.raw"];

interface Change {
  readonly instrument_name: string;
  readonly trades: readonly WireTrade[];
  readonly orders: readonly WireOrder[];
  readonly positions: readonly { readonly size: number; readonly direction: string; readonly average_price: number }[];
}

/** Signs a trader in that has subscribed to all channels. */
async function listening(channels = CHANNELS, options: Params = {}): Promise<Trader> {
  const trader = await startTrader(options);
  assert.deepEqual(await trader.client.result("private/subscribe", { channels }), channels);
  return trader;
}

/** Returns the events that came so far, in their order, in words. */
function announced({ client }: Trader): string[] {
  return client.received.flatMap((text) => {
    const frame = JSON.parse(text) as { params?: { channel: string; data: unknown } };
    if (frame.params === undefined) return [];
    const { channel, data } = frame.params;
    if (channel.startsWith("user.orders")) return [describeOrder(data as WireOrder)];
    const trades = data as WireTrade[];
    return channel.startsWith("user.trades")
      ? describeTrades(trades)
      : trades.map(({ price, amount, direction }) => `public ${String(direction)} ${amount} @ ${price}`);
  });
}

describe("the events of an order in the book", () => {
  test("say what happened, in its order", async () => {
    const trader = await listening();
    const { order } = await trader.place("buy", { amount: 60_000, price: 92_451.5 });
    const { order_id } = order;
    await trader.client.result("private/edit", { order_id, amount: 60_000, price: 92_000 });
    trader.situation.exchange.control.fill(order_id, 30);
    await trader.client.result("private/cancel", { order_id });
    assert.deepEqual(announced(trader), [
      "public buy 57330 @ 92451.5",
      "buy 60000 @ 92451.5 limit open",
      "57330 @ 92451.5 T",
      "buy 60000 @ 92451.5 limit open, 57330 filled",
      "buy 60000 @ 92000 limit open, 57330 filled",
      "public sell 30 @ 92000",
      "30 @ 92000 M",
      "buy 60000 @ 92000 limit open, 57360 filled",
      "buy 60000 @ 92000 limit cancelled, 57360 filled",
    ]);
  });

  test("come once for an order that takes several others", async () => {
    const trader = await listening(["user.orders.any.any.raw"]);
    await trader.place("buy", { amount: 2000, type: "market" });
    assert.deepEqual(announced(trader), [
      "buy 2000 @ market_price market open",
      "buy 2000 @ market_price market filled, 2000 filled",
    ]);
  });

  test("are those of linked orders too", async () => {
    const trader = await listening(["user.orders.any.any.raw"]);
    const { order } = await trader.place("buy", {
      amount: 60,
      price: 92_000,
      linked_order_type: "one_triggers_other",
      otoco_config: [{ price: 93_500 }],
    });
    trader.situation.exchange.control.fill(order.order_id);
    await trader.situation.clock.settle();
    assert.deepEqual(announced(trader), [
      "buy 60 @ 92000 limit open",
      "sell 60 @ 93500 limit untriggered",
      "buy 60 @ 92000 limit filled, 60 filled",
      "sell 60 @ 93500 limit triggered",
      "sell 60 @ 93500 limit open",
    ]);
  });

  test("go to the account alone", async () => {
    const trader = await listening(["user.orders.any.any.raw"]);
    const { client } = trader;
    await client.result("private/buy", {
      instrument_name: PERPETUAL,
      amount: 10,
      price: 92_000,
      subaccount_id: 48_602,
    });
    assert.deepEqual(announced(trader), []);
    assert.deepEqual(await trader.open(), []);
    const own = await client.result<WireOrder[]>("private/get_open_orders_by_currency", {
      currency: "BTC",
      kind: "future",
      subaccount_id: 48_602,
    });
    assert.deepEqual(own.map(describeOrder), ["buy 10 @ 92000 limit open"]);
  });
});

describe("user.changes", () => {
  test("has the orders, the trades, and the position of one instrument", async () => {
    const trader = await listening([`user.changes.${PERPETUAL}.raw`]);
    await trader.place("buy", { amount: 60_000, type: "market" });
    const [change, ...others] = trader.client.events(`user.changes.${PERPETUAL}.raw`) as Change[];
    assert.deepEqual(others, []);
    assert.deepEqual(change?.orders.map(describeOrder), ["buy 60000 @ market_price market filled, 60000 filled"]);
    assert.deepEqual(describeTrades(change.trades), ["57330 @ 92451.5 T", "2670 @ 92453 T"]);
    assert.deepEqual(
      change.positions.map(({ size, direction }) => [size, direction]),
      [[60_000, "buy"]],
    );
  });

  test("has no position where nothing traded, and is silent about other instruments", async () => {
    const trader = await listening([`user.changes.${PERPETUAL}.raw`, "user.changes.option.any.raw"]);
    await trader.place("buy", { amount: 10, price: 92_000 });
    const [change] = trader.client.events(`user.changes.${PERPETUAL}.raw`) as Change[];
    assert.deepEqual([change?.trades, change?.positions, change?.orders.length], [[], [], 1]);
    assert.deepEqual(trader.client.events("user.changes.option.any.raw"), []);
  });

  test("collects, at its interval", async () => {
    const channel = "user.changes.future.BTC.100ms";
    const trader = await listening([channel]);
    await trader.place("buy", { amount: 10, price: 92_000 });
    await trader.place("buy", { amount: 20, price: 92_000 });
    assert.deepEqual(trader.client.events(channel), []);
    await trader.situation.clock.advance(100);
    const amounts = (trader.client.events(channel) as Change[]).map(({ orders }) => orders.map(({ amount }) => amount));
    assert.deepEqual(amounts, [[10], [20]]);
  });
});

describe("an order that another session placed", () => {
  const spec = { instrument_name: PERPETUAL, direction: "buy", amount: 100, price: 92_000 } as const;

  test("is listed, found, and cancelled with those in the books", async () => {
    const trader = await startTrader();
    const { control } = trader.situation.exchange;
    control.place({ ...spec, label: "both" });
    await trader.place("buy", { amount: 10, price: 92_000, label: "both" });
    assert.deepEqual(await trader.open(), ["buy 100 @ 92000 limit open", "buy 10 @ 92000 limit open"]);
    const labelled = await trader.client.result<WireOrder[]>("private/get_open_orders_by_label", {
      currency: "BTC",
      label: "both",
    });
    assert.equal(labelled.length, 2);
    assert.equal(await trader.client.result("private/cancel_all"), 2);
    const ended = await trader.client.result<WireOrder[]>("private/get_order_state_by_label", {
      currency: "BTC",
      label: "both",
    });
    assert.deepEqual(ended.map(describeOrder), ["buy 100 @ 92000 limit cancelled", "buy 10 @ 92000 limit cancelled"]);
  });

  test("changes position and balance when it fills, and is on the same tape", async () => {
    const trader = await listening(["user.trades.any.any.raw", "trades.any.any.raw"]);
    const { control } = trader.situation.exchange;
    const { order_id } = control.place(spec);
    control.fill(order_id, 60);
    assert.equal(trader.position(), 60);
    control.fill(order_id);
    assert.equal(trader.position(), 100);
    const placed = await trader.place("sell", { amount: 100, type: "market" });
    assert.equal(trader.position(), 0);
    assert.deepEqual(announced(trader), [
      "public sell 60 @ 92000",
      "60 @ 92000 M",
      "public sell 40 @ 92000",
      "40 @ 92000 M",
      "public sell 100 @ 92449",
      "100 @ 92449 T",
    ]);
    // It was bought at 92000 and sold at 92449: 90 × (1 / 92000 - 1 / 92449), less the part that closed -10 before.
    const [trade] = placed.trades;
    assert.equal(trade?.["profit_loss"], 0.00000528);
    const ids = (trader.client.events("user.trades.any.any.raw") as WireTrade[][])
      .flat()
      .map(({ trade_id }) => trade_id);
    assert.equal(new Set(ids).size, 3);
  });

  test("is edited across the spread as every order is: it trades, is re-priced, or is cancelled", async () => {
    const trader = await startTrader();
    const { control } = trader.situation.exchange;
    const edit = async (more: Params): Promise<Placed> => {
      const { order_id } = control.place(spec);
      return await trader.client.result<Placed>("private/edit", { order_id, amount: 100, price: 93_000, ...more });
    };
    const plain = await edit({});
    assert.equal(describeOrder(plain.order), "buy 100 @ 93000 limit filled, 100 filled");
    assert.deepEqual(describeTrades(plain.trades), ["100 @ 92451.5 T"]);
    const repriced = await edit({ post_only: true });
    assert.equal(describeOrder(repriced.order), "buy 100 @ 92451 limit open");
    assert.deepEqual(repriced.trades, []);
    const rejected = await edit({ post_only: true, reject_post_only: true });
    assert.equal(describeOrder(rejected.order), "buy 100 @ 92000 limit cancelled");
    assert.equal(rejected.order["cancel_reason"], "edit_post_only_reject");
  });
});

describe("the history of orders", () => {
  test("has those with fills, the newest first; the others on request", async () => {
    const trader = await startTrader();
    await trader.situation.clock.advance(3_600_000);
    const client = trader.situation.connect();
    await client.signIn();
    const buy = async (params: Params): Promise<unknown> =>
      await client.result("private/buy", { instrument_name: PERPETUAL, ...params });
    const history = async (params: Params = {}): Promise<string[]> =>
      (await client.result<WireOrder[]>("private/get_order_history_by_currency", { currency: "BTC", ...params })).map(
        describeOrder,
      );
    await buy({ amount: 10, type: "market" });
    await trader.situation.clock.advance(1000);
    await buy({ amount: 20, price: 92_000 });
    await client.result("private/cancel_all");
    await trader.situation.clock.advance(1000);
    await buy({ amount: 30, type: "market" });
    const filled = ["buy 30 @ market_price market filled, 30 filled", "buy 10 @ market_price market filled, 10 filled"];
    assert.deepEqual(await history(), filled);
    assert.deepEqual(await history({ kind: "option" }), []);
    assert.deepEqual(await history({ include_unfilled: true }), [
      filled[0],
      "buy 20 @ 92000 limit cancelled",
      filled[1],
    ]);
    assert.deepEqual(await history({ historical: true }), []);
    assert.deepEqual(await history({ count: 1, offset: 1 }), [filled[1]]);
    const page = { currency: "BTC", count: 1, with_continuation: true };
    const first = await client.result<{ orders: WireOrder[]; continuation: string }>(
      "private/get_order_history_by_currency",
      page,
    );
    assert.deepEqual(first.orders.map(describeOrder), [filled[0]]);
    const second = await client.result<{ orders: WireOrder[]; continuation: null }>(
      "private/get_order_history_by_currency",
      { ...page, continuation: first.continuation },
    );
    assert.deepEqual([second.orders.map(describeOrder), second.continuation], [[filled[1]], null]);
  });
});

describe("the margin of orders", () => {
  test("is said before and after", async () => {
    const trader = await startTrader();
    const { client } = trader;
    const margins = await client.result<Record<string, number>>("private/get_margins", {
      instrument_name: PERPETUAL,
      amount: 10_000,
      price: 92_000,
    });
    assert.deepEqual([margins["min_price"], margins["max_price"]], [91_063, 93_837]);
    assert.equal(margins["buy"], margins["sell"]);
    const { order } = await trader.place("buy", { amount: 10_000, price: 92_000 });
    const scenario = trader.situation.exchange.control.place({
      instrument_name: PERPETUAL,
      direction: "sell",
      amount: 10_000,
      price: 95_000,
    });
    const ids = [order.order_id, scenario.order_id];
    const each = await client.result<{ order_id: string; initial_margin: number; initial_margin_currency: string }[]>(
      "private/get_order_margin_by_ids",
      { ids },
    );
    assert.deepEqual(
      each.map(({ order_id, initial_margin, initial_margin_currency }) => [
        order_id,
        initial_margin,
        initial_margin_currency,
      ]),
      ids.map((id) => [id, margins["buy"], "BTC"]),
    );
    assert.equal(await trader.refused("private/get_order_margin_by_ids", { ids: ["1"] }), "10004 order_not_found");
  });
});

describe("faults of placing and editing", () => {
  const order = { instrument_name: PERPETUAL, amount: 10, price: 92_000 };

  test("a response that claims an order which is not there", async () => {
    const trader = await startTrader();
    trader.situation.exchange.control.setFault({ isChange: true, effect: "skipped" });
    const { order: claimed } = await trader.place("buy", { amount: 10, price: 92_000, label: "mine" });
    assert.equal(describeOrder(claimed), "buy 10 @ 92000 limit open");
    assert.deepEqual(await trader.open(), []);
    assert.equal(
      await trader.refused("private/get_order_state", { order_id: claimed.order_id }),
      "10004 order_not_found",
    );
  });

  test("a response that claims an edit which was not made", async () => {
    const trader = await startTrader();
    const { order: placed } = await trader.place("buy", order);
    trader.situation.exchange.control.setFault({ method: "private/edit", effect: "skipped" });
    const claimed = await trader.client.result("private/edit", { order_id: placed.order_id, amount: 20 });
    assert.deepEqual(claimed, { order: placed, trades: [] });
  });

  test("an order that is filled before its edit arrives", async () => {
    const trader = await startTrader();
    const { order: placed } = await trader.place("buy", order);
    trader.situation.exchange.control.setFault({ method: "private/edit", effect: "overtaken" });
    assert.equal(
      await trader.refused("private/edit", { order_id: placed.order_id, amount: 20 }),
      "10010 already_closed",
    );
  });

  test("a lost response: the order is there", async () => {
    const trader = await startTrader();
    trader.situation.exchange.control.setFault({ method: "private/buy", response: "none" });
    await trader.client.send(JSON.stringify({ jsonrpc: "2.0", id: 900, method: "private/buy", params: order }));
    assert.deepEqual(await trader.open(), ["buy 10 @ 92000 limit open"]);
  });
});
