import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createMemoryJournal } from "../../../src/actions/journal.ts";
import { createLiveConnection, type LiveConnection } from "../../../src/actions/liveConnection.ts";
import { cancelOrder, cancelOrders, type OrderContext } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/outcome.ts";
import { silentLog } from "../../../src/base/log.ts";
import { misbehaviours } from "../../../src/present/observing/misbehaviours.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { runControl } from "../../../src/simulator/wire/controlRoutes.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { createExchange, type Exchange } from "../../../src/simulator/wire/exchange.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { simulatorRecord } from "../../../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";

/*
 * The gate on the real session, against the simulator: that ids, late answers, links and generations fit together.
 * What becomes of every kind of fault stands in faults.test.ts.
 */

interface Conversation {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  readonly live: LiveConnection;
  readonly orderId: string;
  /** Requests that the exchange received for a method. */
  readonly received: (method: string) => number;
  readonly cancel: () => Promise<Outcome>;
  readonly verdicts: () => string[];
}

const LOST_TIME_MS = 120_000;

async function connect(): Promise<Conversation> {
  const clock = createFakeClock();
  const random = createFakeRandom();
  const exchange = createExchange({ clock, random, still: true, limits: false });
  let wireId = 100;
  let generation = 0;
  const live = createLiveConnection(simulatorRecord(), {
    createSession: () =>
      createSession({
        dial: async () => {
          const [near, far] = createLinkedPair();
          exchange.accept(far);
          return await Promise.resolve(near);
        },
        credentials: async () =>
          await Promise.resolve({
            kind: "client_credentials",
            clientId: exchange.clientId,
            clientSecret: exchange.clientSecret,
          }),
        client: { name: "test", version: "1" },
        clock,
        random,
        log: silentLog,
        nextWireId: () => ++wireId,
        nextGeneration: () => ++generation,
        limits: "off",
        isTracing: () => false,
      }),
    currentRecord: () => undefined,
    isOwnSimulator: true,
    ask: async () => await Promise.resolve(true),
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  live.connect();
  await clock.advance(2000);
  const orderId = exchange.control.openOrders()[0]?.order_id ?? "";
  const context: OrderContext = {
    origin: "view",
    nowMs: clock.now(),
    ...orderLookups(live.orders),
  };
  return {
    clock,
    exchange,
    live,
    orderId,
    received: (method) => exchange.control.ledger().filter((entry) => entry.method === method).length,
    cancel: async () =>
      await live.gate.submit(
        cancelOrder(
          live.orders.snapshot.items.get(orderId)?.order ?? assert.fail("the order is not in the store"),
          context,
        ),
      ),
    verdicts: () => (live.gate.activity[0]?.verdicts ?? []).map((verdict) => verdict.kind),
  };
}

describe("a cancel against the simulator", () => {
  test("is confirmed, and the row ends because the exchange says so", async () => {
    const { clock, live, exchange, orderId, cancel, received } = await connect();
    const outcome = cancel();
    await clock.advance(1000);
    assert.equal((await outcome).kind, "confirmed");
    assert.equal(exchange.control.order(orderId)?.order_state, "cancelled");
    assert.equal(live.orders.snapshot.items.get(orderId)?.order.order_state, "cancelled");
    assert.equal(received("private/cancel"), 1);
  });

  const faults: readonly (readonly [string, Fault, Outcome["kind"], readonly string[]])[] = [
    ["carried out, the link lost", { effect: "applied", response: "none", link: "reset" }, "unknown", ["applied"]],
    [
      "not carried out, the link lost",
      { effect: "skipped", response: "none", link: "reset" },
      "unknown",
      ["notApplied", "unverified"],
    ],
    [
      "carried out 8 s late, the link lost",
      { applyAfterMs: 8000, response: "none", link: "reset" },
      "unknown",
      ["notApplied", "applied"],
    ],
    ["filled before, the link lost", { effect: "overtaken", response: "none", link: "reset" }, "unknown", ["other"]],
    ["carried out, no response", { effect: "applied", response: "none" }, "unknown", ["applied"]],
    ["not carried out, no response", { effect: "skipped", response: "none" }, "unknown", ["notApplied", "unverified"]],
    ["carried out, answered 16 s later", { holdMs: 16_000 }, "unknown", ["applied"]],
    ["filled before", { effect: "overtaken" }, "rejected", ["other"]],
    [
      "carried out, answered with an error that proves nothing",
      { effect: "applied", response: { code: 13888 } },
      "unknown",
      ["applied"],
    ],
    ["carried out, the response cut in half", { mutate: { how: "truncate" } }, "unknown", ["applied"]],
    [
      "carried out, the response without order_id",
      { mutate: { how: "drop", member: "order_id" } },
      "unknown",
      ["applied"],
    ],
    [
      "carried out, the response says open",
      { mutate: { how: "set", member: "order_state", value: "open" } },
      "confirmedOther",
      ["applied"],
    ],
    ["the response twice", { mutate: { how: "twice" } }, "confirmed", []],
  ];
  for (const [name, fault, expected, verdicts] of faults) {
    test(`${name}: ${[expected, ...verdicts].join(", then ")}`, async () => {
      const conversation = await connect();
      conversation.exchange.control.setFault({ method: "private/cancel", ...fault });
      const outcome = conversation.cancel();
      await conversation.clock.advance(LOST_TIME_MS);
      assert.equal((await outcome).kind, expected);
      assert.deepEqual(conversation.verdicts(), verdicts);
      assert.equal(conversation.received("private/cancel"), 1);
      const isCancelled = conversation.exchange.control.order(conversation.orderId)?.order_state === "cancelled";
      assert.equal(isCancelled, expected === "confirmed" || verdicts.includes("applied"));
    });
  }

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

  test("a response after the time-out settles the outcome", async () => {
    const conversation = await connect();
    const kindNow = (): string | undefined => conversation.live.gate.activity[0]?.outcome?.kind;
    conversation.exchange.control.setFault({ method: "private/cancel", holdMs: 16_000 });
    conversation.exchange.control.setFault({ method: "private/get_order_state", response: { code: 13028 }, times: 9 });
    const outcome = conversation.cancel();
    await conversation.clock.advance(15_000);
    assert.equal((await outcome).kind, "unknown");
    assert.equal(kindNow(), "unknown");
    await conversation.clock.advance(2000);
    assert.equal(kindNow(), "confirmed");
    assert.deepEqual(conversation.verdicts(), []);
  });

  test("several go out as one frame each", async () => {
    const { clock, live, exchange, received } = await connect();
    const orders = exchange.control.openOrders().slice(0, 7);
    const { intents, describe: words } = cancelOrders(orders, {
      origin: "view",
      nowMs: clock.now(),
      current: () => undefined,
    });
    const outcomes = live.gate.submitAll(intents, words);
    await clock.advance(5000);
    assert.deepEqual(new Set((await outcomes).map((outcome) => outcome.kind)), new Set(["confirmed"]));
    assert.equal(received("private/cancel"), 7);
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
