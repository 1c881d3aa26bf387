import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createWorld, hear } from "./world.ts";

const ORDERS = "user.orders.any.any.raw";
const TRADES = "trades.BTC-PERPETUAL.100ms";
const PLATFORM = "platform_state";

describe("subscriptions", () => {
  test("what is wanted is asked for in one call for each kind of access, with a token for the private one", async () => {
    const world = createWorld();
    const channels = [ORDERS, TRADES, PLATFORM, "user.portfolio.any"].map((channel) => hear(world.session, channel));
    await world.ready();
    const calls = world.server.requests
      .filter((request) => request.method.endsWith("/subscribe"))
      .map((request) => [request.method, request.params]);
    assert.deepEqual(calls, [
      ["private/subscribe", { access_token: "canary-access-token-1", channels: [ORDERS, "user.portfolio.any"] }],
      ["public/subscribe", { channels: [TRADES, PLATFORM] }],
    ]);
    for (const channel of channels) assert.deepEqual(channel.states, [{ kind: "accepted", generation: 1 }]);
  });

  test("channels wanted in the same turn of a ready session share a call", async () => {
    const { session, server, clock } = await createWorld().ready();
    hear(session, ORDERS);
    hear(session, "user.trades.any.any.raw");
    await clock.settle();
    const found = server.requests.slice(5).map((request) => request.params["channels"]);
    assert.deepEqual(found, [[ORDERS, "user.trades.any.any.raw"]]);
  });

  test("they come back after a reconnect, in one call, and say so", async () => {
    const world = createWorld();
    const orders = hear(world.session, ORDERS);
    const trades = hear(world.session, TRADES);
    await world.ready();
    world.server.last.transport.terminate();
    await world.clock.advance(1000);
    assert.deepEqual(orders.states, [
      { kind: "accepted", generation: 1 },
      { kind: "lost" },
      { kind: "accepted", generation: 2 },
    ]);
    assert.deepEqual(trades.states, orders.states);
    assert.equal(
      world.server.requests.filter((request) => request.connection.number === 2 && request.method.endsWith("subscribe"))
        .length,
      2,
    );
  });

  test("a response that a lost link still owes is no refusal", async () => {
    const world = await createWorld().ready();
    const { server, session, clock } = world;
    server.on("private/subscribe", () => "silence");
    const orders = hear(session, ORDERS);
    await clock.settle();
    server.last.transport.terminate();
    await clock.settle();
    assert.deepEqual(orders.states, [{ kind: "lost" }]);
    server.on("private/subscribe", ({ params }) => ({ result: params["channels"] }));
    await clock.advance(1000);
    assert.deepEqual(orders.states, [{ kind: "lost" }, { kind: "accepted", generation: 2 }]);
  });

  test("a channel that the server does not list is refused, and so are all when it answers with an error", async () => {
    const { session, server, clock, lines } = await createWorld().ready();
    server.on("private/subscribe", () => ({ result: [ORDERS] }));
    server.on("public/subscribe", () => ({ error: { code: 11050, message: "bad_request" } }));
    const orders = hear(session, ORDERS);
    const lock = hear(session, "user.lock");
    const trades = hear(session, TRADES);
    await clock.settle();
    assert.deepEqual(orders.states, [{ kind: "accepted", generation: 1 }]);
    assert.deepEqual(lock.states, [{ kind: "refused", failure: undefined }]);
    assert.deepEqual(trades.states, [
      { kind: "refused", failure: { kind: "exchange", code: 11050, message: "bad_request" } },
    ]);
    assert.match(lines.join("\n"), /did not accept the subscription to user\.lock/);
  });

  test("events reach every subscriber, even before the response and after one that throws", async () => {
    const { session, server, clock, lines } = await createWorld().ready();
    server.on("private/subscribe", ({ connection, params }) => {
      connection.event(ORDERS, '{"order_id":"1","price":0.10}');
      return { result: params["channels"] };
    });
    session.subscribe(
      ORDERS,
      () => {
        throw new Error("mine");
      },
      () => undefined,
    );
    const other = hear(session, ORDERS);
    await clock.settle();
    assert.deepEqual(other.data, [{ order_id: "1", price: 0.1 }]);
    assert.match(lines.join("\n"), /A listener of user\.orders\.any\.any\.raw failed: Error: mine/);
  });

  test("whoever comes later hears how the channel stands", async () => {
    const world = createWorld();
    hear(world.session, ORDERS);
    await world.ready();
    const later = hear(world.session, ORDERS);
    const gone = hear(world.session, ORDERS);
    gone.dispose();
    await world.clock.settle();
    assert.deepEqual(later.states, [{ kind: "accepted", generation: 1 }]);
    assert.deepEqual(gone.states, []);
    assert.equal(world.server.methods().filter((method) => method === "private/subscribe").length, 1);
  });

  test("the last holder ends it; one that is left keeps it", async () => {
    const world = createWorld();
    const first = hear(world.session, ORDERS);
    const second = hear(world.session, ORDERS);
    await world.ready();
    first.dispose();
    first.dispose();
    await world.clock.settle();
    assert.equal(world.server.methods().includes("private/unsubscribe"), false);
    world.server.last.event(ORDERS, "1");
    await world.clock.settle();
    assert.deepEqual([first.data, second.data], [[], [1]]);
    second.dispose();
    await world.clock.settle();
    assert.deepEqual(world.server.requests.at(-1)?.params["channels"], [ORDERS]);
    assert.equal(world.server.methods().at(-1), "private/unsubscribe");
    world.server.last.event(ORDERS, "2");
    await world.clock.settle();
    assert.deepEqual(second.data, [1]);
  });

  test("a channel that is let go of and wanted again stays", async () => {
    const world = createWorld();
    const first = hear(world.session, ORDERS);
    await world.ready();
    first.dispose();
    const second = hear(world.session, ORDERS);
    await world.clock.settle();
    assert.equal(world.server.methods().includes("private/unsubscribe"), false);
    assert.deepEqual(second.states, [{ kind: "accepted", generation: 1 }]);
    second.dispose();
    await world.clock.settle();
    const third = hear(world.session, ORDERS);
    await world.clock.settle();
    assert.deepEqual(world.server.methods().slice(-2), ["private/unsubscribe", "private/subscribe"]);
    assert.deepEqual(third.states, [{ kind: "accepted", generation: 1 }]);
  });

  test("more channels than fit in one call go in several", async () => {
    const world = createWorld();
    for (let each = 0; each < 1200; each++) hear(world.session, `trades.I${String(each)}.100ms`);
    await world.ready();
    await world.clock.advance(2000);
    const calls = world.server.requests
      .filter((request) => request.method === "public/subscribe")
      .map((request) => (request.params["channels"] as unknown[]).length);
    assert.deepEqual(calls, [500, 500, 200]);
  });
});
