import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { order as orderSchema } from "../../../../src/catalogue/entities.ts";
import { isResult } from "../../../../src/catalogue/index.ts";
import type { DescribedOrder } from "../../../../src/simulator/wire/control.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation, type Conversation } from "../conversation.ts";

async function signedIn(client: Conversation): Promise<Conversation> {
  await client.signIn();
  return client;
}

function byId(orders: readonly DescribedOrder[], id: string): DescribedOrder | undefined {
  return orders.find((order) => order.order_id === id);
}

/**
 * The members that no order of the simulator has: an earlier name of the shown amount, those of other clients, of block
 * trades, and of option prices in USD or volatility, which it refuses.
 */
const NOT_SIMULATED = [
  ...["max_show", "mobile", "app_name", "auto_replaced", "block_trade", "advanced", "implv", "usd"],
  ...["starbase_order_id", "starbase_last_update_timestamp"],
];

describe("the first world", () => {
  test("has one order of every sort; with what happens to them there is every member that the simulator knows", () => {
    const { control } = createSituation({ account: undefined }).exchange;
    assert.equal(control.openOrders().length, 24);
    const types = new Set(control.openOrders().map((order) => order.order_type));
    assert.deepEqual([...new Set(control.openOrders().map(({ label }) => label))], ["demo"]);
    const [first] = control.openOrders();
    control.fill(first?.order_id ?? "", 12);
    control.fill(control.openOrders().find((order) => order.reject_post_only === true)?.order_id ?? "");
    control.fire(control.openOrders().find((order) => order.order_type === "stop_limit")?.order_id ?? "");
    control.freezeMmp({ index_name: "eth_usd", mmp_group: "g2" });
    const orders = [...control.openOrders(), ...control.closedOrders()];
    const members = new Set(orders.flatMap((order) => Object.keys(order)));
    const found = Object.keys(orderSchema.shape).filter((member) => !members.has(member));
    assert.deepEqual(found, NOT_SIMULATED);
    assert.deepEqual(
      orders.filter((order) => !isResult("private/get_order_state", order)),
      [],
    );
    assert.deepEqual([...types].sort(), [
      "limit",
      "stop_limit",
      "stop_market",
      "take_limit",
      "take_market",
      "trailing_stop",
    ]);
    assert.deepEqual([...new Set(orders.map((order) => order.order_state))].sort(), [
      "cancelled",
      "filled",
      "open",
      "triggered",
      "untriggered",
    ]);
  });

  for (const orders of [0, 1, 5, 21, 22, 23, 25, 300]) {
    test(`--orders ${String(orders)}`, () => {
      const ids = createSituation({ orders })
        .exchange.control.openOrders()
        .map((order) => order.order_id);
      assert.equal(ids.length, orders);
      assert.equal(new Set(ids).size, orders);
    });
  }

  test("numbers are written as the exchange writes them", async () => {
    const client = await signedIn(createSituation({ account: undefined }).connect());
    await client.call("private/get_open_orders");
    const text = client.received.at(-1) ?? "";
    const textOf = (part: string): string => text.split("},{").find((each) => each.includes(part)) ?? "";
    assert.match(textOf('"instrument_name":"SOL_USDC-PERPETUAL"'), /"amount":25\.0/);
    assert.match(textOf('"refresh_amount":2000'), /"amount":20000,/);
    assert.match(textOf('"refresh_amount":2000'), /"user_id":48595,/);
  });

  test("a trigger order that sells at the market says so in words and carries no filled amount", () => {
    const stop = createSituation()
      .exchange.control.openOrders()
      .find((order) => order.order_type === "stop_market");
    assert.equal(stop?.price, "market_price");
    assert.equal(stop.order_state, "untriggered");
    assert.equal("filled_amount" in stop || "average_price" in stop, false);
  });
});

describe("private/get_open_orders", () => {
  const situation = createSituation({ orders: 400 });
  const { control } = situation.exchange;
  const kinds = ["future", "option", "spot"];

  test("filters by kind: together they are all", async () => {
    const client = await signedIn(situation.connect());
    const lists = await Promise.all(
      kinds.map(async (kind) => await client.result<DescribedOrder[]>("private/get_open_orders", { kind })),
    );
    const found = lists.map((list) => list.length > 0);
    assert.deepEqual(
      found,
      kinds.map(() => true),
    );
    assert.equal(lists.flat().length, 400);
    assert.deepEqual(
      lists[2]?.map((order) => order.instrument_name).filter((name) => name?.includes("-") === true),
      [],
    );
  });

  const types: readonly [string, readonly string[]][] = [
    ["limit", ["limit"]],
    ["stop_all", ["stop_limit", "stop_market"]],
    ["take_all", ["take_limit", "take_market"]],
    ["trailing_all", ["trailing_stop"]],
    ["trigger_all", ["stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"]],
    ["stop_market", ["stop_market"]],
    ["take_limit", ["take_limit"]],
  ];
  for (const [type, expected] of types) {
    test(`filters by type ${type}`, async () => {
      const client = await signedIn(situation.connect());
      const list = await client.result<DescribedOrder[]>("private/get_open_orders", { type });
      assert.deepEqual([...new Set(list.map((order) => order.order_type))].sort(), expected);
      assert.equal(
        list.length,
        control.openOrders().filter((order) => expected.includes(order.order_type ?? "")).length,
      );
    });
  }
});

describe("private/cancel", () => {
  test("cancels, says why, and the order is gone from the list", async () => {
    const { connect, clock, exchange } = createSituation();
    const client = await signedIn(connect());
    const [before] = exchange.control.openOrders();
    assert.ok(before !== undefined);
    await clock.advance(5000);
    const after = await client.result<DescribedOrder>("private/cancel", { order_id: before.order_id });
    assert.deepEqual(
      [after.order_state, after.cancel_reason, after.last_update_timestamp],
      ["cancelled", "user_request", clock.now()],
    );
    assert.deepEqual(
      { ...before, order_state: 0, cancel_reason: 0, last_update_timestamp: 0 },
      { ...after, order_state: 0, cancel_reason: 0, last_update_timestamp: 0 },
    );
    assert.equal(byId(await client.result<DescribedOrder[]>("private/get_open_orders"), before.order_id), undefined);
    assert.deepEqual(await client.result("private/get_order_state", { order_id: before.order_id }), after);
  });

  test("what has ended already is refused: filled, cancelled, never heard of", async () => {
    const { connect, exchange } = createSituation();
    const client = await signedIn(connect());
    const [filled, cancelled] = exchange.control.openOrders().map((order) => order.order_id);
    exchange.control.fill(filled ?? "");
    exchange.control.cancel(cancelled ?? "");
    assert.deepEqual(await client.refusal("private/cancel", { order_id: filled }), [10010]);
    assert.deepEqual(await client.refusal("private/cancel", { order_id: cancelled }), [11044]);
    assert.deepEqual(await client.refusal("private/cancel", { order_id: "ETH-1" }), [10004]);
    assert.deepEqual(await client.refusal("private/get_order_state", { order_id: "ETH-1" }), [10004]);
  });

  test("its event comes before or behind its response", async () => {
    const { connect, exchange } = createSituation({ orders: 60 });
    const client = await signedIn(connect());
    await client.result("private/subscribe", { channels: ["user.orders.any.any.raw"] });
    const isEventFirst: boolean[] = [];
    for (const { order_id } of exchange.control.openOrders().slice(30)) {
      const start = client.received.length;
      await client.result("private/cancel", { order_id });
      isEventFirst.push(client.received[start]?.includes('"subscription"') ?? false);
      assert.equal(client.received.length, start + 2);
    }
    assert.deepEqual([...new Set(isEventFirst)].sort(), [false, true]);
  });
});

describe("linked orders", () => {
  const linked = (orders: readonly DescribedOrder[]): { primary: DescribedOrder; secondaries: DescribedOrder[] } => {
    const primary = orders.find((order) => order.is_primary_otoco === true);
    assert.ok(primary !== undefined);
    return { primary, secondaries: orders.filter((order) => order.primary_order_id === primary.order_id) };
  };

  test("cancelling the first takes the others with it", () => {
    const { control } = createSituation().exchange;
    const { primary, secondaries } = linked(control.openOrders());
    assert.deepEqual(pluck(secondaries, "order_id"), primary.oto_order_ids);
    control.cancel(primary.order_id);
    const found = secondaries.map((order) => control.order(order.order_id)?.order_state);
    assert.deepEqual(found, ["cancelled", "cancelled"]);
    assert.equal(control.order(secondaries[0]?.order_id ?? "")?.cancel_reason, "oto_primary_closed");
  });

  test("filling the first starts the others, and then one cancels the other", () => {
    const { control } = createSituation().exchange;
    const { primary, secondaries } = linked(control.openOrders());
    control.fill(primary.order_id, 10);
    const found = secondaries.map((order) => control.order(order.order_id)?.order_state);
    assert.deepEqual(found, ["untriggered", "untriggered"]);
    control.fill(primary.order_id);
    assert.deepEqual(
      secondaries.map((order) => control.order(order.order_id)?.order_state),
      ["triggered", "triggered"],
    );
    // What they go on as has other IDs, and points back.
    const children = secondaries.map(({ order_id: id }) =>
      control.openOrders().find((order) => order.trigger_order_id === id),
    );
    assert.deepEqual(
      children.map((order) => order?.order_state),
      ["open", "untriggered"],
    );
    control.fill(children[0]?.order_id ?? "");
    const other = control.order(children[1]?.order_id ?? "");
    assert.deepEqual([other?.order_state, other?.cancel_reason], ["cancelled", "oco_other_closed"]);
  });
});

describe("what happens to orders", () => {
  test("filling a little, then the rest", () => {
    const { control } = createSituation().exchange;
    const { order_id } = control.place({
      instrument_name: "ETH-PERPETUAL",
      direction: "buy",
      amount: 1000,
      price: 2000,
      display_amount: 300,
    });
    const partly = control.fill(order_id, 800);
    assert.deepEqual(
      [partly.order_state, partly.filled_amount, partly.average_price, partly.display_amount],
      // It has shown 300, 300, and 200 of the next 300.
      ["open", 800, 2000, 100],
    );
    control.amend(order_id, { price: 2010 });
    const wholly = control.fill(order_id);
    assert.deepEqual([wholly.order_state, wholly.filled_amount, wholly.average_price], ["filled", 1000, 2002]);
  });

  test("a trigger that fires ends, and another order with another id takes its place", () => {
    const { control } = createSituation({ account: undefined }).exchange;
    const stops = control
      .openOrders()
      .filter((order) => order.order_type?.startsWith("stop_") === true && order.is_secondary_oto !== true);
    const children = stops.map(({ order_id: id }) => control.fire(id));
    assert.deepEqual(
      pluck(children, "trigger_order_id"),
      stops.map(({ order_id: id }) => id),
    );
    // Both buy: at the market, and up to a price above the one that triggers it.
    assert.deepEqual(
      children.map((order) => [order.order_type, order.order_state]),
      [
        ["market", "filled"],
        ["limit", "filled"],
      ],
    );
    assert.deepEqual(
      stops.map((order) => control.order(order.order_id)).map((order) => [order?.order_state, order?.triggered]),
      [
        ["triggered", true],
        ["triggered", true],
      ],
    );
  });

  test("what cannot be done is refused as the exchange does", () => {
    const { control } = createSituation().exchange;
    const untriggered = control.openOrders().find((order) => order.order_state === "untriggered");
    assert.throws(() => control.fill(untriggered?.order_id ?? ""), {
      failure: { kind: "exchange", code: 11044, message: "not_open_order" },
    });
    assert.throws(() => control.fire(control.openOrders()[0]?.order_id ?? ""), { message: "exchange" });
    assert.throws(() => control.place({ instrument_name: "DOGE-1", direction: "buy", amount: 1, price: 1 }), {
      failure: { kind: "exchange", code: 13020, message: "not_found" },
    });
  });
});
