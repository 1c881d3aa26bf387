import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { plain } from "../../../src/base/plain.ts";
import { NO_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { ordersHeading } from "../../../src/present/orders/ordersHeading.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { isIsolated } from "../../../src/state/isolated.ts";
import { openOrders, orderLookups } from "../../../src/state/orders.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* An account with isolated margin: its isolated orders are on no list of the main account, and no mass cancel reaches them. */

const times = createTimes(0);

/** Makes each order that the exchange tells of one of an isolated subaccount. */
const isolated = (text: string): string =>
  text.replaceAll('"order_id":', '"isolated":true,"main_uid":90210,"order_id":');

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  await world.clock.advance(1000);
  return world;
}

const ordersOf = (world: World): ReturnType<typeof openOrders> => openOrders(world.live.orders.snapshot);

describe("records of isolated margin", () => {
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ["an isolated order", { order_id: "SOL_USDC-1", isolated: true, main_uid: 5, user_id: 6 }, true],
    ["one that names the main account alone", { order_id: "SOL_USDC-1", main_uid: 5 }, true],
    ["an order of the main account", { order_id: "SOL_USDC-1", user_id: 5 }, false],
    ["isolated: false, and null", { isolated: false, main_uid: null }, false],
    ["no record", "isolated", false],
  ];
  for (const [name, record, expected] of cases)
    test(`${name}: ${String(expected)}`, () => assert.equal(isIsolated(record), expected));
});

describe("an account with isolated margin", () => {
  test("is known by a record of its orders; without one it is not", async () => {
    assert.equal((await aWorld()).live.isolatedMargin.isSeen, false);
    assert.equal((await aWorld({ alter: isolated })).live.isolatedMargin.isSeen, true);
  });

  test("is known by a liquidation of an isolated position", async () => {
    const { isolatedMargin } = (await aWorld()).live;
    isolatedMargin.takeLiquidation();
    assert.equal(isolatedMargin.isSeen, true);
  });

  test("the list of orders says that isolated orders are not covered", async () => {
    const { live } = await aWorld({ alter: isolated });
    const { record, name: connectionName, environment, orders, isolatedMargin } = live;
    const view = {
      sources: [
        {
          connectionId: record.id,
          ...{ connectionName, environment, snapshot: orders.snapshot, pending: new Map() },
          hasIsolated: isolatedMargin.isSeen,
        },
      ],
      ...{ groupBy: "instrument", filter: NO_FILTER, times, nowMs: 0 },
    } as unknown as Parameters<typeof ordersHeading>[0];
    const counts = { shown: 1, all: 1 } as unknown as Parameters<typeof ordersHeading>[1];
    assert.match(
      ordersHeading(view, counts, undefined).message ?? "",
      /Isolated margin is in use\. Isolated orders and positions aren't covered here\.$/,
    );
  });

  test("a mass cancel says so in its confirmation, and with its result", async () => {
    const world = await aWorld({ alter: isolated });
    const wish = cancelMatching({ kind: "all" }, { orders: ordersOf(world), isCounted: true, hiddenCount: 0 }, "view");
    const done = world.live.gate.submit(wish);
    await world.clock.advance(1000);
    const outcome = await done;
    assert.match(JSON.stringify(world.questions), /Isolated orders aren't covered and stay open\. Check them/);
    assert.match(
      outcomeText(outcome, { intent: wish, place: plain`X`, times }),
      /the exchange reports \d+ cancelled.* Isolated orders aren't covered and stay open\. Check them on the exchange\.$/,
    );
    // No flag is sent on a native connection.
    assert.doesNotMatch(world.frames("private/cancel_all").join(), /isolated/);
  });

  test("an order that is not found and not listed is not gone", async () => {
    for (const alter of [undefined, isolated]) {
      const world = await aWorld(alter === undefined ? {} : { alter });
      const [order] = ordersOf(world);
      assert.ok(order !== undefined);
      const { exchange, live, clock } = world;
      exchange.control.setFault({ method: "private/cancel", response: "none" });
      exchange.control.setFault({
        method: "private/get_order_state",
        effect: "skipped",
        times: 100,
        response: { code: 10_004 },
      });
      const intent = cancelOrder(order, { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) });
      const done = live.gate.submit(intent);
      await clock.advance(150_000);
      await done;
      const verdict = live.gate.activity[0]?.verdicts.at(-1);
      assert.equal(verdict?.kind, alter === undefined ? "gone" : "unverified");
      assert.match(
        verdictText(verdict, { intent, place: plain`X`, times }),
        alter === undefined ? /no longer open/ : /outcome still unknown/,
      );
      live.dispose();
    }
  });
});
