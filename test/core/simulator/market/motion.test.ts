import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ExchangeOptions } from "../../../../src/simulator/wire/exchange.ts";
import { createSituation } from "../conversation.ts";

const ALL = "user.orders.any.any.raw";

/** All that a client sees in a minute. */
async function transcript(options: Partial<ExchangeOptions>): Promise<string[]> {
  const { connect, clock, exchange } = createSituation({ still: false, account: undefined, ...options });
  const client = connect();
  await client.signIn();
  await client.result("private/subscribe", { channels: [ALL, "trades.any.any.100ms"] });
  await client.result("private/get_open_orders");
  await clock.advance(30_000);
  await client.call("private/cancel", { order_id: exchange.control.openOrders()[3]?.order_id });
  await clock.advance(30_000);
  await client.result("private/get_open_orders");
  await client.result("public/get_last_trades_by_instrument", { instrument_name: "ETH-PERPETUAL" });
  exchange.dispose();
  return client.received;
}

describe("the world moves", () => {
  test("the same for a seed, another way for another", async () => {
    const [one, same, other] = [
      await transcript({ seed: 5 }),
      await transcript({ seed: 5 }),
      await transcript({ seed: 6 }),
    ];
    assert.ok(one.length > 40);
    assert.deepEqual(one, same);
    assert.notDeepEqual(one, other);
  });

  test("at a human pace: something every one to three seconds, a few orders more or less", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, account: undefined, seed: 2 });
    const client = connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: [ALL] });
    await clock.advance(600_000);
    const count = client.events(ALL).length;
    assert.ok(count >= 200 && count <= 700, String(count));
    const states = new Set((client.events(ALL) as { order_state: string }[]).map((order) => order.order_state));
    for (const state of ["cancelled", "filled", "open"]) assert.ok(states.has(state), state);
    const open = exchange.control.openOrders().length;
    assert.ok(open >= 16 && open <= 34, String(open));
  });

  test("at a given rate, with as many orders as at the beginning", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, orders: 200, updatesPerSecond: 500 });
    const client = connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: [ALL] });
    await clock.advance(2000);
    const count = client.events(ALL).length;
    assert.ok(count >= 990 && count <= 1100, String(count));
    assert.ok(Math.abs(exchange.control.openOrders().length - 200) <= 2);
    exchange.dispose();
  });

  test("of what a long stop has missed a second is made up for, in pieces", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, orders: 200, updatesPerSecond: 1000 });
    const client = connect();
    await client.signIn();
    await client.result("private/subscribe", { channels: [ALL] });
    clock.sleep(20_000, "runs");
    await clock.advance(0);
    const first = client.events(ALL).length;
    assert.ok(first > 0 && first <= 60, String(first));
    await clock.advance(1000);
    const count = client.events(ALL).length;
    assert.ok(count >= 1900 && count <= 2200, String(count));
    exchange.dispose();
  });

  test("what the events tell, put together, is what the list says", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, orders: 60, updatesPerSecond: 100, seed: 9 });
    const client = connect();
    await client.signIn();
    const known = new Map(exchange.control.openOrders().map((order) => [order.order_id, order]));
    await client.result("private/subscribe", { channels: [ALL] });
    await clock.advance(5000);
    for (const order of client.events(ALL) as ReturnType<typeof exchange.control.openOrders>) {
      const before = known.get(order.order_id)?.last_update_timestamp ?? 0;
      assert.ok(Number(order.last_update_timestamp) >= before);
      if (["open", "untriggered"].includes(order.order_state)) known.set(order.order_id, order);
      else known.delete(order.order_id);
    }
    const ids = (orders: Iterable<{ order_id: string }>): string[] => [...orders].map((order) => order.order_id).sort();
    assert.deepEqual(ids(known.values()), ids(exchange.control.openOrders()));
    for (const order of exchange.control.openOrders()) assert.deepEqual(known.get(order.order_id), order);
    exchange.dispose();
  });

  test("others trade too: every five seconds on a perpetual, pushed in lists without a gap, options with their volatility", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, account: undefined, seed: 3 });
    const client = connect();
    const channels = ["trades.BTC-PERPETUAL.100ms", "trades.option.any.100ms", "trades.any.any.100ms"];
    assert.deepEqual(await client.result("public/subscribe", { channels }), channels);
    await clock.advance(60_100);
    const lists = client.events("trades.BTC-PERPETUAL.100ms") as { trade_seq: number; timestamp: number }[][];
    const trades = lists.flat();
    // One of others every five seconds, and those that fill the account's orders.
    assert.ok(trades.length >= 12 && trades.length <= 30, String(trades.length));
    const ofOthers = new Set(trades.map(({ timestamp }) => timestamp).filter((each) => each % 5000 === 0));
    assert.equal(ofOthers.size, 12);
    const all = client.events("trades.any.any.100ms") as unknown[][];
    assert.ok(all.some((list) => list.length > 1));
    const { trade_seq: first = 0 } = trades[0] ?? {};
    assert.deepEqual(
      trades.map((trade) => trade.trade_seq),
      trades.map((_, index) => first + index),
    );
    assert.ok(trades.every(({ timestamp }, index) => timestamp >= (trades[index - 1]?.timestamp ?? 0)));
    const instruments = new Set(
      (client.events("trades.any.any.100ms") as { instrument_name: string }[][])
        .flat()
        .map((trade) => trade.instrument_name),
    );
    assert.ok(instruments.size >= 10, String(instruments.size));
    const options = (client.events("trades.option.any.100ms") as { iv?: number }[][]).flat();
    assert.ok(options.length > 0 && options.every(({ iv }) => iv !== undefined && iv > 0));
    exchange.dispose();
  });

  test("at a given rate of order updates others still trade every five seconds", async () => {
    const { connect, clock, exchange } = createSituation({ still: false, orders: 0, updatesPerSecond: 1 });
    const client = connect();
    await client.result("public/subscribe", { channels: ["trades.ETH-PERPETUAL.100ms"] });
    await clock.advance(60_100);
    const times = (client.events("trades.ETH-PERPETUAL.100ms") as { timestamp: number }[][])
      .flat()
      .map(({ timestamp }) => timestamp);
    assert.equal(new Set(times.filter((each) => each % 5000 === 0)).size, 12);
    exchange.dispose();
  });

  test("not at all when it is to be still", async () => {
    const { clock, exchange } = createSituation({ still: true });
    const before = exchange.control.openOrders();
    await clock.advance(3_600_000);
    assert.deepEqual(exchange.control.openOrders(), before);
    assert.equal(clock.pendingTimers, 0);
  });

  test("the secret follows from the seed, unless one is given", () => {
    const secret = (options: Partial<ExchangeOptions>): string => createSituation(options).exchange.clientSecret;
    assert.equal(secret({ seed: 1 }), secret({ seed: 1 }));
    assert.notEqual(secret({ seed: 1 }), secret({ seed: 2 }));
    assert.match(secret({ seed: 1 }), /^[\w-]{43}$/);
    assert.equal(secret({ clientSecret: "mine" }), "mine");
  });
});
