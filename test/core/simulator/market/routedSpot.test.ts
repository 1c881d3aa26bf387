import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { describeOrder, startTrader, type Params, type Placed, type Trader, type WireOrder } from "../trader.ts";

/*
 * Spot that is matched at the partner's exchange. The market stands still.
 * https://docs.deribit.com/articles/spot-trading-venues
 */

const SPOT = "BTC_USDC";
const OF_SPOT = { instrument_name: SPOT };
/** Longer than any order is on its way. */
const ARRIVED_MS = 300;
const CHANNELS = ["user.orders.any.any.raw", "user.trades.any.any.raw"];

interface Desk extends Trader {
  readonly bid: number;
  readonly ask: number;
  spot(side: "buy" | "sell", params: Params): Promise<Placed>;
  stateOf(order: WireOrder): Promise<string>;
  /** The kinds of the events that came so far. */
  told(): string[];
}

async function open(options: Params = {}): Promise<Desk> {
  const trader = await startTrader({ routedSpot: true, ...options });
  const { client } = trader;
  await client.result("private/subscribe", { channels: CHANNELS });
  const { best_bid_price: bid, best_ask_price: ask } = await client.result<Record<string, number>>(
    "public/ticker",
    OF_SPOT,
  );
  return {
    ...trader,
    bid: bid ?? 0,
    ask: ask ?? 0,
    spot: async (side, params) => await trader.place(side, { ...OF_SPOT, amount: 0.001, ...params }),
    stateOf: async ({ order_id }) => describeOrder(await client.result("private/get_order_state", { order_id })),
    told: () =>
      client.received.flatMap((text) => {
        const { params } = JSON.parse(text) as { params?: { channel: string; data: unknown } };
        if (params === undefined) return [];
        if (params.channel === CHANNELS[0]) return [`order ${(params.data as WireOrder).order_state}`];
        return params.channel === CHANNELS[1] ? ["trade"] : [];
      }),
  };
}

describe("a routed order", () => {
  test.each([
    ["market", {}],
    ["market", { time_in_force: "immediate_or_cancel" }],
    ["limit", { price: 0 }],
    ["limit", { price: 0, time_in_force: "fill_or_kill" }],
  ])("%s %j is acknowledged, and filled when it has arrived", async (type, terms) => {
    const desk = await open();
    const price = "price" in terms ? { price: desk.ask } : {};
    const { order, trades } = await desk.spot("buy", { type, ...terms, ...price });
    assert.deepEqual([order.order_state, order.filled_amount, trades], ["open", 0, []]);
    await desk.situation.clock.advance(49);
    assert.deepEqual([desk.told(), (await desk.open()).length], [["order open"], 1]);
    await desk.situation.clock.advance(ARRIVED_MS - 49);
    assert.deepEqual(desk.told(), ["order open", "trade", "order filled"]);
    assert.match(await desk.stateOf(order), /filled, 0\.001 filled$/);
    const own = await desk.client.result<unknown[]>("private/get_user_trades_by_order", { order_id: order.order_id });
    assert.equal(own.length, 1);
  });

  test("takes the same time with the same seed", async () => {
    const arrivals = async (seed: number): Promise<number[]> => {
      const desk = await open({ seed });
      const times = [];
      for (let count = 0; count < 3; count++) {
        const before = desk.told().length;
        const { situation } = desk;
        await desk.spot("buy", { type: "market" });
        const startMs = situation.clock.now();
        while (desk.told().length < before + 3) await situation.clock.advance(1);
        times.push(situation.clock.now() - startMs);
      }
      return times;
    };
    const first = await arrivals(1);
    assert.deepEqual(await arrivals(1), first);
    assert.notDeepEqual(await arrivals(2), first);
    for (const each of first) assert.ok(each >= 50 && each < ARRIVED_MS, String(each));
  });

  test("that would not trade rests at once, and is filled, edited, and cancelled like others", async () => {
    const desk = await open();
    const { order } = await desk.spot("buy", { price: desk.bid - 100, post_only: true, reject_post_only: true });
    const { bids } = await desk.client.result<{ bids: [number, number][] }>("public/get_order_book", {
      ...OF_SPOT,
      depth: 1000,
    });
    assert.ok(bids.some(([price]) => price === desk.bid - 100));
    const { order_id } = order;
    const { trades } = await desk.client.result<Placed>("private/edit", {
      ...{ order_id, amount: 0.002, price: desk.ask, post_only: false },
    });
    assert.deepEqual(trades, []);
    await desk.situation.clock.advance(ARRIVED_MS);
    assert.match(await desk.stateOf(order), /limit filled, 0\.002 filled$/);
    const { order: other } = await desk.spot("sell", { price: desk.bid });
    await desk.client.result("private/cancel", { order_id: other.order_id });
    await desk.situation.clock.advance(ARRIVED_MS);
    assert.match(await desk.stateOf(other), /limit cancelled$/);
  });

  test("of a stop waits for the last price, and is on its way when that has come", async () => {
    const desk = await open();
    const stop = { type: "stop_limit", trigger: "last_price", trigger_price: desk.ask + 1000, price: desk.ask + 1010 };
    const { order } = await desk.spot("buy", stop);
    assert.equal(order.order_state, "untriggered");
    desk.situation.exchange.control.fire(order.order_id);
    assert.deepEqual((await desk.open()).length, 1);
    await desk.situation.clock.advance(ARRIVED_MS);
    assert.deepEqual(desk.told().slice(-2), ["trade", "order filled"]);
  });

  test("arrives nowhere when the exchange ends", async () => {
    const desk = await open();
    await desk.spot("buy", { type: "market" });
    desk.situation.exchange.dispose();
    await desk.situation.clock.settle();
    assert.equal(desk.situation.clock.pendingTimers, 0);
  });
});

describe("what a routed order can't have", () => {
  const otoco = { linked_order_type: "one_cancels_other", otoco_config: [{ price: 93_000 }] };
  test.each<[string, Params]>([
    ["13922 linked_order_type_not_supported_for_csr_spot", { price: 90_000, ...otoco }],
    ["11059 iceberg_not_allowed", { price: 90_000, display_amount: 0.001 }],
    ["11055 post_only_not_allowed", { price: 90_000, post_only: true }],
    ["11054 post_only_reject", { price: 93_500, post_only: true, reject_post_only: true }],
    ["-32602 Invalid params reduce_only not available for spot", { price: 90_000, reduce_only: true }],
    ["-32602 Invalid params mmp not available for spot", { price: 90_000, mmp: true }],
    ["11060 not_supported_for_coinbase_routed_spot", { price: 90_000, time_in_force: "good_til_day" }],
    ["11060 not_supported_for_coinbase_routed_spot", { type: "market", time_in_force: "good_til_cancelled" }],
    ["11060 not_supported_for_coinbase_routed_spot", { type: "market", time_in_force: "fill_or_kill" }],
    ["11060 not_supported_for_coinbase_routed_spot", { type: "market_limit" }],
    [
      "11060 not_supported_for_coinbase_routed_spot",
      { type: "stop_market", trigger: "last_price", trigger_price: 93_000 },
    ],
    [
      "11060 not_supported_for_coinbase_routed_spot",
      { type: "stop_limit", trigger: "mark_price", trigger_price: 93_000, price: 93_000 },
    ],
    ["11030 other_reject price_band", { price: 500_000 }],
    ["11030 other_reject not_enough_funds", { price: 92_000, amount: 1000 }],
  ])("%s for %j", async (expected, params) => {
    const desk = await open();
    assert.equal(await desk.refused("private/buy", { ...OF_SPOT, amount: 0.001, ...params }), expected);
    assert.deepEqual(desk.told(), []);
  });

  test.each<[string, Params]>([
    ["11059 iceberg_not_allowed", { display_amount: 0.001 }],
    ["11055 post_only_not_allowed", { post_only: true }],
    ["11054 post_only_reject", { post_only: true, reject_post_only: true, price: 93_500 }],
    ["11030 other_reject price_band", { price: 500_000 }],
  ])("%s for an edit with %j", async (expected, params) => {
    const desk = await open();
    const { order } = await desk.spot("buy", { price: 90_000 });
    const edit = { order_id: order.order_id, amount: 0.001, ...params };
    const refused = await desk.refused("private/edit", edit);
    // An edit that would take although it may not ends the order.
    if (expected.startsWith("11054"))
      assert.deepEqual([refused, desk.told().at(-1)], ["not refused", "order cancelled"]);
    else assert.deepEqual([refused, await desk.stateOf(order)], [expected, "buy 0.001 @ 90000 limit open"]);
  });
});

describe("the market of a routed pair", () => {
  test("is marked by the pair, and has books and tickers, but no public trades", async () => {
    const { client, ...desk } = await open();
    const { is_csr, is_cbe_routed, ...rest } = await client.result<Params>("public/get_instrument", OF_SPOT);
    assert.deepEqual([is_csr, is_cbe_routed], [true, true]);
    assert.deepEqual(
      Object.keys(rest).filter((name) => name.startsWith("block_trade")),
      [],
    );
    const { stats } = await client.result<{ stats: object }>("public/ticker", OF_SPOT);
    assert.deepEqual(Object.keys(stats), ["high", "low", "price_change", "volume"]);
    const range = { start_timestamp: 0, end_timestamp: desk.situation.clock.now() };
    const none = "11060 not_supported_for_coinbase_routed_spot";
    const calls: readonly (readonly [string, Params, string])[] = [
      ["public/get_last_trades_by_instrument", OF_SPOT, none],
      ["public/get_last_trades_by_instrument_and_time", { ...OF_SPOT, ...range }, none],
      ["public/get_tradingview_chart_data", { ...OF_SPOT, ...range, resolution: "60" }, none],
      ["public/get_last_trades_by_currency", { currency: "BTC" }, none],
      ["public/get_last_trades_by_currency", { currency: "BTC", kind: "any" }, none],
      ["public/get_last_trades_by_currency_and_time", { currency: "BTC", kind: "spot", ...range }, none],
      ["public/get_last_trades_by_currency", { currency: "BTC", kind: "future" }, "not refused"],
      ["public/get_last_trades_by_instrument", { instrument_name: "BTC-PERPETUAL" }, "not refused"],
    ];
    for (const [method, params, expected] of calls) assert.equal(await desk.refused(method, params), expected, method);
  });

  test("has no channels of trades", async () => {
    const { client } = await open();
    const there = ["ticker.BTC_USDC.100ms", "book.BTC_USDC.100ms", "quote.BTC_USDC", "trades.future.any.100ms"];
    const none = ["trades.BTC_USDC.100ms", "chart.trades.BTC_USDC.60", "trades.spot.BTC.100ms", "trades.any.any.100ms"];
    assert.deepEqual(await client.result("public/subscribe", { channels: [...there, ...none] }), there);
  });

  test("is as it always was without the option", async () => {
    const desk = await open({ routedSpot: false });
    const { order, trades } = await desk.spot("buy", { type: "market", time_in_force: "good_til_cancelled" });
    assert.deepEqual([order.order_state, trades.length], ["filled", 1]);
    const instrument = await desk.client.result<Params>("public/get_instrument", OF_SPOT);
    assert.equal("is_csr" in instrument, false);
    await desk.client.result("public/get_last_trades_by_instrument", OF_SPOT);
  });
});
