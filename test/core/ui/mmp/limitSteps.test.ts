import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { limitsOf } from "../../../../src/actions/changes/mmpLimits.ts";
import { groupKey } from "../../../../src/state/mmpGroups.ts";
import { askLimits, type AskedLimits, type LimitStepsPorts } from "../../../../src/ui/mmp/limitSteps.ts";
import { createWorld, type World } from "../../../world.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";
import { createMmpStore } from "../../../../src/state/mmp.ts";

const G1 = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false };

async function aWorld(): Promise<World> {
  const world = createWorld();
  await world.connect();
  world.live.storeOf(createMmpStore).setVisible(true);
  await world.clock.advance(1000);
  return world;
}

async function asked(
  world: World,
  answers: readonly ScriptedAnswer[],
  ports: Partial<LimitStepsPorts> = {},
): Promise<{ readonly result: AskedLimits | undefined; readonly shown: readonly string[] }> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const result = await askLimits({
    ...{ dialogs, connections: [world.live], start: undefined },
    read: async (live, group) =>
      await Promise.resolve(limitsOf(live.storeOf(createMmpStore).snapshot.items.get(groupKey(group))?.config)),
    ...ports,
  });
  done();
  return { result, shown };
}

describe("the steps of MMP limits", () => {
  test("of a row: those that are ticked, each with its present value; Back loses nothing, the others stay", async () => {
    const world = await aWorld();
    const start = { live: world.live, group: G1 };
    const { result, shown } = await asked(
      world,
      [[], ["interval", "frozen_time", "delta_limit"], "31", BACK, BACK, ["interval", "delta_limit"], "30", "0.40"],
      { start },
    );
    assert.deepEqual(result?.limits, {
      ...limitsOf(world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(G1))?.config),
      ...{ interval: "30", delta_limit: "0.40" },
    });
    assert.deepEqual([result.group, result.live === world.live], [G1, true]);
    assert.match(
      shown[0] ?? "",
      /^Set MMP Limits for btc_usd group g1 on SIMULATOR lab 1\/\d: Select the limits to change\. The others stay as they are\. </,
    );
    assert.equal(shown[1], "refused: Select at least one limit.");
    assert.match(shown[2] ?? "", / 2\/4: interval: .*Current value: 60\. \[60\]$/);
    assert.match(shown[5] ?? "", /ticked <interval \| frozen_time \| delta_limit>$/);
    assert.match(shown[6] ?? "", / 2\/3: interval: .*\[31\]$/);
    world.live.dispose();
  });

  test("of a group that is not listed: its index, its part and its name, then every limit; what will not do is refused", async () => {
    const world = await aWorld();
    const { result, shown } = await asked(world, [
      ...["$(add) Another Group", "Other", BACK, "Other", "all", "sol_usdc", "Orders and Quotes", "x".repeat(65)],
      ...["fast", BACK, "fast", "5000", "10", "0", "4", "7", "", ""],
    ]);
    assert.deepEqual(result?.group, { index_name: "sol_usdc", mmp_group: "fast", block_rfq: false });
    assert.deepEqual(result.limits, { interval: "10", frozen_time: "0", max_quote_quantity: "4", quantity_limit: "7" });
    assert.equal(shown.filter((each) => each.startsWith("refused: ")).length, 3);
    world.live.dispose();
  });

  test("an interval of 0 removes the limits: nothing else is asked", async () => {
    const world = await aWorld();
    const { result } = await asked(world, [["interval", "vega_limit"], "0"], {
      start: { live: world.live, group: G1 },
    });
    assert.deepEqual(result?.limits.interval, "0");
    world.live.dispose();
  });

  test("left in the middle, nothing is handed on", async () => {
    const world = await aWorld();
    const start = { live: world.live, group: G1 };
    const { result } = await asked(world, [["interval", "vega_limit"], "60", LEAVE], { start });
    assert.equal(result, undefined);
    world.live.dispose();
  });

  test("of several connections one is chosen first; where the limits cannot be read, they are said to be not known", async () => {
    const [world, other] = [await aWorld(), await aWorld()];
    const { result, shown } = await asked(world, ["SIMULATOR lab", LEAVE], {
      connections: [
        world.live,
        Object.create(other.live, { place: { value: "SIMULATOR other" } }) as typeof other.live,
      ],
    });
    assert.equal(result, undefined);
    assert.match(shown[0] ?? "", /On which connection\? <SIMULATOR lab \| SIMULATOR other>/);
    const unread = await asked(world, ["60", "0", "1", "", "", ""], {
      start: { live: world.live, group: G1 },
      read: async () => await Promise.resolve(undefined),
    });
    assert.match(unread.shown[0] ?? "", /The current value is unknown\./);
    assert.deepEqual([unread.result?.present, unread.result?.limits.max_quote_quantity], [undefined, "1"]);
    world.live.dispose();
    other.live.dispose();
  });
});
