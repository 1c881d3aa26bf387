import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { openOrders } from "../../../../src/state/orders.ts";
import { chooseOrders, ORDER_LIST } from "../../../../src/ui/orders/picks.ts";
import { createWorld } from "../../../world.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

describe("choosing from the open orders", () => {
  test("hands on what is ticked, else the only one that fits what was typed; ticking none is told", async () => {
    const world = createWorld();
    await world.connect();
    const orders = openOrders(world.live.orders.snapshot);
    const [one, two] = orders;
    assert.ok(one !== undefined && two !== undefined);
    const pick = async (...answers: readonly ScriptedAnswer[]): Promise<readonly [unknown, readonly string[]]> => {
      const { dialogs, shown, done } = scriptedDialogs(...answers);
      const ui = {
        ...{ dialogs, clock: world.clock, times: createTimes(0) },
        liveConnections: { all: [world.live] } as never,
      };
      const chosen = await chooseOrders(plain`Cancel Order`, ui);
      done();
      return [chosen.map(({ item }) => item.order_id), shown];
    };
    const labels = orders.map(
      (item) => ORDER_LIST.choice({ live: world.live, item }, { clock: world.clock, times: createTimes(0) }).label,
    );
    const unique = labels.filter((label) => labels.indexOf(label) === labels.lastIndexOf(label)).slice(0, 2);
    const [ticked] = await pick(unique);
    assert.deepEqual(
      ticked,
      unique.map((label) => orders[labels.indexOf(label)]?.order_id),
    );
    const [typed, shown] = await pick("", `type ${one.order_id}`, "");
    assert.deepEqual(typed, [one.order_id]);
    assert.match(shown[1] ?? "", /^refused: Cancel Order · select orders, or move to one with the arrow keys/);
    assert.deepEqual((await pick(LEAVE))[0], []);
    world.live.dispose();
  });
});
