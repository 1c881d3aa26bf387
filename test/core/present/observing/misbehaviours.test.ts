import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { misbehaviours } from "../../../../src/present/observing/misbehaviours.ts";
import { runControl } from "../../../../src/simulator/wire/controlRoutes.ts";
import { createExchange } from "../../../../src/simulator/wire/exchange.ts";
import { OPEN_REPLAY } from "../../../openReplay.ts";
import { createReplayExchange } from "../../../../src/simulator/wire/replayExchange.ts";
import { createFakeClock, createFakeRandom } from "../../../fakeClock.ts";

describe("what the simulator can be told to do wrong", () => {
  test("is understood by it, each of them, and the last takes back what waits", () => {
    const exchange = createExchange({ clock: createFakeClock(), random: createFakeRandom(1), seed: 1 });
    const all = misbehaviours();
    for (const [index, { label, controls }] of all.entries()) {
      for (const [name, body] of controls)
        assert.notEqual(runControl(exchange.control, name, JSON.stringify(body)), undefined, label);
      assert.equal(exchange.control.faults().length > 0, index < all.length - 1, label);
    }
    assert.equal(all.at(-1)?.label, "Clear All Faults");
    assert.ok(exchange.control.frozen().length > 0);
    exchange.dispose();
  });

  test("on a replay, what has no account and no market can show, is offered and understood", () => {
    const recording = { startedAtMs: 0, environment: "sim", isFinished: true, entries: [] };
    const { control, dispose } = createReplayExchange({
      recording,
      clock: createFakeClock(),
      speed: 1,
      access: OPEN_REPLAY,
    });
    const offered = misbehaviours(true);
    for (const { label, controls } of offered)
      for (const [name, body] of controls)
        assert.notEqual(runControl(control, name, JSON.stringify(body)), undefined, label);
    assert.equal(runControl(control, "freezeMmp", "{}"), undefined);
    assert.deepEqual(
      offered.map(({ label }) => label),
      [
        "Drop the Next Write Response",
        "Delay the Next Write Response",
        "Drop the Connection on the Next Write",
        "Return an Error for the Next Write",
        "Drop the Connection",
        "Clear All Faults",
      ],
    );
    assert.deepEqual(control.faults(), []);
    dispose();
  });

  test("is told in sentences, each its own", () => {
    const all = misbehaviours();
    assert.equal(new Set(all.map(({ label }) => label)).size, all.length);
    for (const { done, detail } of all) assert.ok(/^Simulator: .*[^.]\.$/.test(done) && !detail.endsWith("."), done);
  });
});
