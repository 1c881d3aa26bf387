import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelOrder, cancelOrders } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { misbehaviours } from "../../../src/present/observing/misbehaviours.ts";
import { runControl } from "../../../src/simulator/wire/controlRoutes.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { createWorld, type World } from "../../world.ts";

/* A cancel against the simulator. Every fate of one stands in core/fates. */

interface Conversation extends World {
  readonly orderId: string;
  readonly cancel: () => Promise<Outcome>;
  readonly verdicts: () => string[];
}

const LOST_TIME_MS = 120_000;

async function connect(): Promise<Conversation> {
  const world = createWorld();
  await world.connect();
  const { live, clock, exchange } = world;
  const orderId = exchange.control.openOrders()[0]?.order_id ?? "";
  const order = live.orders.snapshot.items.get(orderId)?.order ?? assert.fail("the order is not in the store");
  const context = { origin: "view" as const, nowMs: clock.now(), ...orderLookups(live.orders) };
  return {
    ...world,
    orderId,
    cancel: async () => await live.gate.submit(cancelOrder(order, context)),
    verdicts: () => (live.gate.activity[0]?.verdicts ?? []).map((verdict) => verdict.kind),
  };
}

describe("a cancel against the simulator", () => {
  test("is confirmed, and the row ends because the exchange says so", async () => {
    const conversation = await connect();
    const { clock, live, exchange, orderId } = conversation;
    const outcome = conversation.cancel();
    await clock.advance(1000);
    assert.equal((await outcome).kind, "confirmed");
    assert.equal(exchange.control.order(orderId)?.order_state, "cancelled");
    assert.equal(live.orders.snapshot.items.get(orderId)?.order.order_state, "cancelled");
    assert.equal(conversation.frames("private/cancel").length, 1);
  });

  const offered: readonly (readonly [label: string, Outcome["kind"], readonly string[]])[] = [
    ["Drop the Next Write Response", "unknown", ["applied"]],
    ["Delay the Next Write Response", "unknown", ["applied"]],
    ["Drop the Connection on the Next Write", "unknown", ["applied"]],
    ["Return an Error for the Next Write", "unknown", ["notApplied", "unverified"]],
    ["Fill an Order Right Before Its Cancel", "rejected", ["other"]],
  ];
  for (const [label, expected, verdicts] of offered) {
    test(`what the user can choose: ${label}: ${[expected, ...verdicts].join(", then ")}; what is read meanwhile goes as usual`, async () => {
      const conversation = await connect();
      for (const [name, body] of misbehaviours().find((each) => each.label === label)?.controls ?? [])
        runControl(conversation.exchange.control, name, JSON.stringify(body));
      const reading = conversation.live.orders.refresh();
      await conversation.clock.advance(1000);
      await reading;
      assert.equal(conversation.exchange.control.faults().length, 1);
      const outcome = conversation.cancel();
      await conversation.clock.advance(LOST_TIME_MS);
      assert.equal((await outcome).kind, expected);
      assert.deepEqual(conversation.verdicts(), verdicts);
      assert.deepEqual(conversation.exchange.control.faults(), []);
    });
  }

  test("several go out as one frame each", async () => {
    const conversation = await connect();
    const { clock, live, exchange } = conversation;
    const orders = exchange.control.openOrders().slice(0, 7);
    const { intents, describe: words } = cancelOrders(orders, {
      origin: "view",
      nowMs: clock.now(),
      current: () => undefined,
    });
    const outcomes = live.gate.submitAll(intents, words);
    await clock.advance(5000);
    assert.deepEqual(new Set((await outcomes).map((outcome) => outcome.kind)), new Set(["confirmed"]));
    assert.equal(conversation.frames("private/cancel").length, 7);
  });

  test("nothing runs on after it is disposed", async () => {
    const conversation = await connect();
    conversation.exchange.control.setFault({ method: "private/cancel", response: "none" });
    void conversation.cancel();
    await conversation.clock.advance(16_000);
    conversation.live.dispose();
    conversation.exchange.dispose();
    await conversation.clock.settle();
    assert.equal(conversation.clock.pendingTimers, 0);
  });
});
