import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { OrderContext } from "../../../src/actions/changes/orders.ts";
import { CallError } from "../../../src/base/failure.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { OrderSpec } from "../../../src/simulator/methods/orderTerms.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { runShift } from "../../../src/ui/orders/edits.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../ui/scriptedDialogs.ts";

/* Several orders are moved together: one question, one call for each, and an end at the first unknown outcome. */

const SPEC: OrderSpec = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 20, price: 1000 };

async function aWorld(specs: readonly Partial<OrderSpec>[], options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ orders: 0, ...options });
  for (const spec of specs) world.exchange.control.place({ ...SPEC, ...spec });
  await world.connect();
  return world;
}

const THREE = [{ price: 1000 }, { price: 1010 }, { price: 1020 }];

async function shift(world: World, ...answers: readonly ScriptedAnswer[]): Promise<readonly string[]> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const context: OrderContext = {
    origin: "view",
    nowMs: world.clock.now(),
    ...orderLookups(world.live.orders),
  };
  const running = runShift(world.live, openOrders(world.live.orders.snapshot), context, {
    dialogs,
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    times: createTimes(0),
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  await world.clock.advance(20_000);
  const error = await running;
  done();
  world.live.dispose();
  if (error !== undefined) throw error as Error;
  return shown;
}

const pricesOf = (world: World): unknown[] => world.exchange.control.openOrders().map(({ price }) => price);

describe("Edit Order for several orders", () => {
  test("ticks: one question lists each change, one call for each order, and the count of the edited", async () => {
    const world = await aWorld(THREE);
    const shown = await shift(world, "By Ticks", "1.5", "-3");
    assert.ok(shown.includes("refused: Enter a whole number other than 0, for example -2."));
    const [question, ...others] = world.questions;
    assert.deepEqual(others, []);
    assert.ok(question?.kind === "modal");
    assert.equal(question.message, "Edit 3 orders on SIMULATOR lab?");
    assert.deepEqual([question.confirm, question.show], ["Edit 3 Orders", "Show Orders"]);
    assert.match(question.detail, /BTC-PERPETUAL buy 20 @ 1000 · price: 1000 → 998\.5\n/);
    assert.deepEqual(pricesOf(world), [998.5, 1008.5, 1018.5]);
    assert.equal(world.frames("private/edit").length, 3);
    assert.equal(shown.at(-1), "passing: $(check) 3 of 3 edited on SIMULATOR lab.");
  });

  test("percent: each price is calculated in decimal and rounded away from a trade", async () => {
    const world = await aWorld([{ price: 1000.5 }, { price: 99_999.5, direction: "sell" }]);
    await shift(world, "By Percent", "0.07");
    assert.deepEqual(pricesOf(world), [1001, 100_069.5]);
  });

  test("on production the count is typed, after a dialog that lists the new prices and says the rule for all", async () => {
    const world = await aWorld(THREE, { declared: "production" });
    await world.live.gate.allowChanges();
    await shift(world, "By Ticks", "1");
    const [, list, count, ...others] = world.questions;
    assert.deepEqual([others, count?.kind === "typed" && count.expected], [[], "3"]);
    assert.ok(list?.kind === "modal");
    assert.match(list.detail, /^Prices move by this number of ticks: 1\. Each order is edited with a separate call/);
    assert.match(list.detail, /price: 1010 → 1010\.5\n/);
  });

  test("the first unknown outcome ends the rest: edited, unknown, and not sent are told apart", async () => {
    const world = await aWorld([...THREE, { price: 1030 }]);
    const { control } = world.exchange;
    control.setFault({ method: "private/edit", effect: "applied" });
    control.setFault({ method: "private/edit", effect: "applied", response: "none" });
    const shown = await shift(world, "By Ticks", "2");
    assert.equal(world.frames("private/edit").length, 2);
    assert.deepEqual(pricesOf(world), [1001, 1011, 1020, 1030]);
    assert.equal(
      shown.at(-1),
      "warning: 1 of 4 edited on SIMULATOR lab. 1 with unknown outcome, being checked. 2 not sent.",
    );
  });

  test("a refusal does not end the rest", async () => {
    const world = await aWorld(THREE);
    world.exchange.control.setFault({ method: "private/edit", effect: "skipped", response: { code: 10_009 } });
    const shown = await shift(world, "By Ticks", "2");
    assert.equal(world.frames("private/edit").length, 3);
    assert.equal(shown.at(-1), "warning: 2 of 3 edited on SIMULATOR lab. 1 refused by the exchange.");
  });

  test("orders without a price are named as left out; without any other, nothing is asked", async () => {
    const market = { type: "take_market", trigger: "mark_price", trigger_price: 900, price: undefined } as never;
    const world = await aWorld([...THREE, market]);
    const shown = await shift(world, "By Ticks", "1");
    assert.ok(shown.includes("warning: 1 of 4 orders have no price that can be moved, or are no longer open."));
    assert.equal(world.frames("private/edit").length, 3);
    const none = await aWorld([market, market]);
    await assert.rejects(shift(none, "By Ticks", "1"), CallError);
    assert.deepEqual(none.questions, []);
  });

  test("Escape sends nothing", async () => {
    const world = await aWorld(THREE);
    await shift(world, "By Ticks", LEAVE);
    assert.deepEqual([world.questions, world.frames("private/edit")], [[], []]);
  });

  test("an order that changes while the question stands is not sent; the others are", async () => {
    const known: { order?: Order } = {};
    // The second one rests at the best price: it trades first.
    const world: World = await aWorld([{ price: 1000 }, { price: 1020 }, { price: 1010 }], {
      answer: async () => {
        known.order = openOrders(world.live.orders.snapshot)[1] ?? assert.fail("no second order");
        world.exchange.control.fill(known.order.order_id, 10);
        await world.clock.advance(500);
        return true;
      },
    });
    const shown = await shift(world, "By Ticks", "2");
    assert.deepEqual(pricesOf(world), [1001, 1020, 1011]);
    assert.equal(shown.at(-1), "warning: 2 of 3 edited on SIMULATOR lab. 1 not sent.");
  });
});
