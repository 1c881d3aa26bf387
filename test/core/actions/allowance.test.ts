import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createAllowance } from "../../../src/actions/allowance.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createFakeSession, exchangeFailure, type FakeSession } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";

function production(): GateWorld {
  const world = createGateWorld();
  world.environment = "production";
  world.connectionName = "desk";
  return world;
}

describe("Allow Changes", () => {
  test("asks, and lasts for the time of the settings", async () => {
    const world = production();
    world.settings = { confirmSingleWrites: "always", changesWindowMinutes: 5 };
    const changes: (number | undefined)[] = [];
    world.gate.onDidChangeAllowance(() => { changes.push(world.gate.changesAllowedUntilMs); });
    const startMs = world.clock.now();
    assert.equal(await world.gate.allowChanges(), true);
    assert.equal(world.questions[0]?.message, "Allow changes on PRODUCTION desk for 5 minutes?");
    assert.equal(world.gate.changesAllowedUntilMs, startMs + 300_000);
    await world.clock.advance(299_999);
    assert.equal(world.gate.changesAllowedUntilMs, startMs + 300_000);
    await world.clock.advance(1);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
    assert.deepEqual(changes, [startMs + 300_000, undefined]);
  });

  test("a no leaves it read-only", async () => {
    const world = production();
    world.answer = () => false;
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });

  test("a question that cannot be put leaves it read-only", async () => {
    const world = production();
    world.answer = async () => await Promise.reject(new Error("no window"));
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });

  test("is not asked where nothing is locked, nor without a session", async () => {
    const world = production();
    world.environment = "test";
    assert.equal(await world.gate.allowChanges(), true);
    world.environment = "production";
    world.fake.lose();
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.questions.length, 0);
  });

  test("does not hold for a session that changed meanwhile", async () => {
    const world = production();
    world.answer = () => {
      world.fake.lose();
      world.fake.becomeReady();
      return true;
    };
    assert.equal(await world.gate.allowChanges(), false);
  });

  test("lets a cancel through with its own question", async () => {
    const world = production();
    await world.gate.allowChanges();
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    assert.deepEqual(world.questions.map((question) => (question.kind === "modal" ? question.confirm : "")), ["Allow Changes", "Cancel Order"]);
  });

  test("comes with the cancel on read-only production", async () => {
    const world = production();
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    assert.equal(world.questions.length, 1);
    assert.notEqual(world.gate.changesAllowedUntilMs, undefined);
  });

  test("but not when that was declined", async () => {
    const world = production();
    world.answer = () => false;
    await world.gate.submit(world.cancel());
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });

  const endings: readonly (readonly [string, (fake: FakeSession) => void, boolean])[] = [
    ["disconnecting", (fake) => fake.session.disconnect(), true],
    ["a session that waits for a person", (fake) => fake.setState({ status: "locked", failure: exchangeFailure(13004) }), true],
    ["another account", (fake) => fake.becomeReady({ clientId: "key-2" }), true],
    ["a link that was lost", (fake) => fake.lose(), false],
    ["the same account on a new link", (fake) => {
      fake.lose();
      fake.becomeReady();
    }, false],
    ["the scope in another order", (fake) => fake.becomeReady({ scope: "trade:read_write account:read" }), false],
  ];
  for (const [name, happen, isEnded] of endings) {
    test(`${isEnded ? "ends with" : "survives"} ${name}`, async () => {
      const world = production();
      await world.gate.allowChanges();
      happen(world.fake);
      assert.equal(world.gate.changesAllowedUntilMs === undefined, isEnded);
    });
  }

  test("ends with Make Read-Only", async () => {
    const world = production();
    await world.gate.allowChanges();
    world.gate.makeReadOnly();
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("is over after a sleep in which no timer ran", () => {
    const clock = createFakeClock();
    const fake = createFakeSession(clock);
    fake.becomeReady();
    let sleptMs = 0;
    const allowance = createAllowance({ clock: { ...clock, now: () => clock.now() + sleptMs }, windowMinutes: () => 30, session: fake.session, log: silentLog });
    allowance.allow();
    assert.notEqual(allowance.untilMs, undefined);
    sleptMs = 30 * 60_000;
    assert.equal(allowance.untilMs, undefined);
  });

  test("asked for again it starts anew", async () => {
    const world = production();
    await world.gate.allowChanges();
    await world.clock.advance(20 * 60_000);
    await world.gate.allowChanges();
    await world.clock.advance(20 * 60_000);
    assert.notEqual(world.gate.changesAllowedUntilMs, undefined);
    await world.clock.advance(10 * 60_000);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });
});
