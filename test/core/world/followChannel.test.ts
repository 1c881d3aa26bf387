import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { payloadText, channelsOf } from "../../../src/requests/running/channels.ts";
import { openOrders } from "../../../src/state/orders.ts";
import { createWorld, type World } from "../../world.ts";

/* Channels that a request file follows, beside those that the views live on. */

interface Heard {
  readonly payloads: (string | undefined)[];
  readonly states: string[];
  stop(): void;
}

function follow({ live }: World, channel: string): Heard {
  const payloads: (string | undefined)[] = [];
  const states: string[] = [];
  const following = live.followChannel(
    channel,
    (_data, frameText) => {
      payloads.push(payloadText(frameText));
    },
    ({ kind }) => {
      states.push(kind);
    },
  );
  return { payloads, states, stop: () => following.dispose() };
}

async function connected(): Promise<World> {
  const world = createWorld({ orders: 3 });
  await world.connect();
  return world;
}

const ORDERS = "user.orders.any.any.raw";

describe("a followed channel", () => {
  test("its events come as the text that the exchange sent", async () => {
    const world = await connected();
    const heard = follow(world, "trades.BTC-PERPETUAL.100ms");
    await world.clock.advance(1000);
    world.exchange.control.trade("BTC-PERPETUAL");
    await world.clock.advance(1000);
    assert.deepEqual(heard.states, ["accepted"]);
    const [sent] = world.exchange.control
      .published()
      .filter(({ channel }) => channel === "trades.BTC-PERPETUAL.100ms")
      .slice(-1);
    assert.ok(sent !== undefined && heard.payloads.length > 0);
    assert.equal(heard.payloads.at(-1), sent.dataText);
    world.live.dispose();
  });

  test("digits that a number cannot hold are still there", async () => {
    const world = await connected();
    const heard = follow(world, "trades.BTC-PERPETUAL.100ms");
    await world.clock.advance(1000);
    world.exchange.control.sendText(
      '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.BTC-PERPETUAL.100ms","data":[{"price":0.10,"amount":9007199254740993,"tiny":1e-8}]}}',
    );
    await world.clock.advance(1000);
    assert.deepEqual(heard.payloads, ['[{"price":0.10,"amount":9007199254740993,"tiny":1e-8}]']);
    world.live.dispose();
  });

  test("no secret comes with it", async () => {
    const world = await connected();
    const heard = follow(world, "trades.BTC-PERPETUAL.100ms");
    await world.clock.advance(1000);
    world.exchange.control.sendText(
      `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.BTC-PERPETUAL.100ms","data":[{"client_secret":"very-secret-thing","text":${JSON.stringify(world.exchange.clientSecret)}}]}}`,
    );
    await world.clock.advance(1000);
    assert.equal(heard.payloads.length, 1);
    assert.doesNotMatch(String(heard.payloads[0]), /very-secret-thing/);
    assert.equal(String(heard.payloads[0]).includes(world.exchange.clientSecret), false);
    world.live.dispose();
  });

  test("letting go of it unsubscribes; of what a view follows too nothing is taken away", async () => {
    const world = await connected();
    const [own, shared] = [follow(world, "trades.BTC-PERPETUAL.100ms"), follow(world, ORDERS)];
    await world.clock.advance(1000);
    own.stop();
    shared.stop();
    await world.clock.advance(1000);
    const ended = [...world.frames("public/unsubscribe"), ...world.frames("private/unsubscribe")].join();
    assert.match(ended, /trades\.BTC-PERPETUAL\.100ms/);
    assert.doesNotMatch(ended, /user\.orders/);
    const [first] = openOrders(world.live.orders.snapshot);
    assert.ok(first);
    world.exchange.control.cancel(first.order_id);
    await world.clock.advance(1000);
    assert.ok(!openOrders(world.live.orders.snapshot).some(({ order_id: id }) => id === first.order_id));
    assert.deepEqual(shared.payloads, []);
    world.live.dispose();
  });

  test("after a lost link it goes on by itself", async () => {
    const world = await connected();
    const heard = follow(world, "trades.BTC-PERPETUAL.100ms");
    await world.clock.advance(1000);
    world.exchange.control.disconnectAll();
    await world.clock.advance(30_000);
    world.exchange.control.trade("BTC-PERPETUAL");
    await world.clock.advance(1000);
    assert.deepEqual(heard.states, ["accepted", "lost", "accepted"]);
    assert.equal(heard.payloads.length > 0, true);
    world.live.dispose();
  });
});

describe("the channels that a request names", () => {
  test("a list of names, each once", () => {
    assert.deepEqual(channelsOf('{"channels":["a","b","a"]}'), ["a", "b"]);
    for (const params of ["{}", '{"channels":[]}', '{"channels":"a"}', '{"channels":[1]}', '{"channels":[""]}'])
      assert.equal(channelsOf(params), undefined, params);
  });
});
