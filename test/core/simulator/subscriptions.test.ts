import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { DescribedOrder } from "../../../src/simulator/wire/control.ts";
import { createSituation } from "./conversation.ts";

const ALL = "user.orders.any.any.raw";

describe("subscribing", () => {
  test("responds with the accepted channels only", async () => {
    const client = createSituation().connect();
    await client.signIn();
    const channels = [
      ALL,
      ALL,
      "user.orders.any.any",
      "user.orders.DOGE-1.raw",
      "user.orders.stock.any.raw",
      "user.orders.future.BTC.5ms",
      "ticker.BTC-PERPETUAL",
      "ticker.DOGE-PERPETUAL.raw",
      "book.BTC-PERPETUAL.3.10.100ms",
      "deribit_price_index.doge_usd",
      "chart.trades.BTC-PERPETUAL.7",
      "user.orders.ETH-PERPETUAL.raw",
      "trades.BTC-PERPETUAL.100ms",
      "user.orders.any.any.raw.x",
      "constructor",
    ];
    assert.deepEqual(await client.result("private/subscribe", { channels }), [
      ALL,
      "user.orders.ETH-PERPETUAL.raw",
      "trades.BTC-PERPETUAL.100ms",
    ]);
    assert.deepEqual(client.exchange.control.connections()[0]?.channels, [
      ALL,
      "user.orders.ETH-PERPETUAL.raw",
      "trades.BTC-PERPETUAL.100ms",
    ]);
  });

  test("channels of the account need its scope", async () => {
    const client = createSituation().connect();
    await client.signIn("account:read_write");
    assert.deepEqual(await client.result("private/subscribe", { channels: [ALL, "trades.any.BTC.100ms"] }), [
      "trades.any.BTC.100ms",
    ]);
  });

  test("without a sign-in, raw channels refuse the call and channels of the account are omitted", async () => {
    const client = createSituation().connect();
    assert.deepEqual(await client.refusal("public/subscribe", { channels: ["trades.any.any.raw"] }), [13778]);
    assert.deepEqual(
      await client.result("public/subscribe", { channels: ["user.orders.any.any.100ms", "trades.any.any.100ms"] }),
      ["trades.any.any.100ms"],
    );
    assert.deepEqual(await client.refusal("private/subscribe", { channels: [ALL] }), [13009]);
  });

  test("unsubscribing ends the events and names what it ended", async () => {
    const client = createSituation().connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: [ALL] });
    assert.deepEqual(await client.result("private/unsubscribe", { channels: [ALL, "trades.any.any.raw"] }), [ALL]);
    client.exchange.control.move(5);
    await client.clock.settle();
    assert.deepEqual(client.events(ALL), []);
  });
});

describe("events", () => {
  test("each change comes once, in order, to each connection that subscribed", async () => {
    const { connect, exchange, clock } = createSituation();
    const clients = [connect(), connect(), connect()] as const;
    for (const client of clients) await client.signIn();
    for (const client of clients.slice(0, 2))
      await client.result("private/subscribe", { channels: [ALL], label: "mine" });
    const order = exchange.control.openOrders().find(({ direction }) => direction === "sell");
    const changes = [
      exchange.control.amend(order?.order_id ?? "", { price: 2106 }),
      exchange.control.fill(order?.order_id ?? "", 5),
      exchange.control.cancel(order?.order_id ?? ""),
    ];
    await clock.settle();
    const found = clients.map((client) => client.events(ALL));
    assert.deepEqual(found, [changes, changes, []]);
    assert.match(clients[0].received.at(-1) ?? "", /,"label":"mine"\}\}$/);
    assert.equal(exchange.control.published().length, 6);
    assert.deepEqual(JSON.parse(exchange.control.published()[0]?.dataText ?? ""), changes[0]);
  });

  test("kinds and currencies select", async () => {
    const { connect, exchange, clock } = createSituation();
    const client = connect();
    await client.signIn();
    const channels = [
      "user.orders.future.ETH.raw",
      "user.orders.spot.USDC.raw",
      "user.orders.combo.any.raw",
      "user.orders.option.any.raw",
      "user.orders.BTC-PERPETUAL.raw",
    ];
    await client.result("private/subscribe", { channels });
    for (const [name, amount] of [
      ["ETH-26MAR27", 1],
      ["BTC-PERPETUAL", 10],
      ["BTC_USDC", 0.01],
      ["XRP_USDC-26MAR27-2d25-C", 1000],
    ] as const)
      exchange.control.place({
        instrument_name: name,
        direction: "buy",
        amount,
        price: name.startsWith("XRP") ? 0.1 : 1,
      });
    await clock.settle();
    const names = channels.map((channel) =>
      (client.events(channel) as DescribedOrder[]).map((order) => order.instrument_name),
    );
    assert.deepEqual(names, [["ETH-26MAR27"], ["BTC_USDC"], [], ["XRP_USDC-26MAR27-2d25-C"], ["BTC-PERPETUAL"]]);
  });

  test("an interval collects them into a list", async () => {
    const { connect, exchange, clock } = createSituation();
    const client = connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: ["user.orders.any.any.100ms", "user.orders.any.any.agg2"] });
    const [order] = exchange.control.openOrders();
    const changes = [
      exchange.control.amend(order?.order_id ?? "", { price: 2050 }),
      exchange.control.amend(order?.order_id ?? "", { price: 2051 }),
    ];
    await clock.advance(99);
    assert.deepEqual(client.events("user.orders.any.any.100ms"), []);
    await clock.advance(1);
    assert.deepEqual(client.events("user.orders.any.any.100ms"), [changes]);
    await clock.advance(900);
    assert.deepEqual(client.events("user.orders.any.any.agg2"), [changes]);
  });

  test("trades come as a list on every interval", async () => {
    const { connect, exchange, clock } = createSituation();
    const client = connect();
    await client.signIn();
    await client.result("public/subscribe", { channels: ["trades.BTC-PERPETUAL.raw"] });
    exchange.control.trade("BTC-PERPETUAL");
    exchange.control.trade("ETH-PERPETUAL");
    await clock.settle();
    const [event, ...others] = client.events("trades.BTC-PERPETUAL.raw") as { instrument_name: string }[][];
    assert.deepEqual([event?.map((trade) => trade.instrument_name), others], [["BTC-PERPETUAL"], []]);
  });
});
