import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WATCH_PAUSES_MS } from "../../../src/actions/reconcile.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";
import { exchangeFailure } from "./fakeSession.ts";

/** A cancel without an answer, verified as still open by the list alone, and watched from then on. */
async function watched(): Promise<GateWorld> {
  const world = createGateWorld();
  world.fake.onFrame = () => undefined;
  world.fake.readFault = (method) => (method === "private/get_order_state" ? exchangeFailure(-32601) : undefined);
  const started = world.start();
  for (let second = 0; second < 60 && (started.outcome === undefined || world.entry().verdicts.length === 0); second++) await world.clock.advance(1000);
  assert.deepEqual(world.verdicts(), [{ kind: "notApplied", state: "open" }]);
  return world;
}

describe("watching an order that only the list tells of", () => {
  test("its absence is believed the second time", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
    await world.clock.advance(120_000);
    assert.equal(world.verdicts().length, 2);
  });

  test("one that comes back between two looks is not gone", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    world.fake.put("O1", "open");
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[2]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[3]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
  });

  test("one that stays is watched for a minute, and no longer", async () => {
    const world = await watched();
    const reads = world.fake.reads.length;
    await world.clock.advance(120_000);
    assert.equal(world.fake.reads.length - reads, WATCH_PAUSES_MS.length);
    assert.equal(world.verdicts().length, 1);
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("looks that fail, and a time without a session, prove nothing", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    const { readFault } = world.fake;
    world.fake.readFault = () => exchangeFailure(10028);
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    world.fake.readFault = readFault;
    world.fake.lose();
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    world.fake.becomeReady();
    // A new session may offer the order itself again: that is tried first.
    await world.clock.advance(WATCH_PAUSES_MS[2]);
    await world.clock.advance(WATCH_PAUSES_MS[3]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[4]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
  });
});
