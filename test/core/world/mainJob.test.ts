import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { plain } from "../../../src/base/plain.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World } from "../../world.ts";

/* The whole core in conversation with the simulator: what was sent is counted in the exchange's own ledger. */

const times = createTimes(0);

function firstOpenOrder(world: World): Order {
  const item = [...world.live.orders.snapshot.items.values()].find(({ order }) => order.order_state === "open");
  assert.ok(item);
  return item.order;
}

/** Submits a cancel as the palette does, without waiting for its end. */
async function submitCancel(world: World, order: Order): ReturnType<World["live"]["gate"]["submit"]> {
  const { gate, orders } = world.live;
  return await gate.submit(
    cancelOrder(order, { origin: "palette", nowMs: world.clock.now(), ...orderLookups(orders) }),
  );
}

/** What the view knows of orders, and what is true, in the same words. */
function shownOrders(world: World): string[] {
  return openOrders(world.live.orders.snapshot).map(summary).sort();
}
function trueOrders(world: World): string[] {
  return world.exchange.control.openOrders().map(summary).sort();
}
function summary(order: Order): string {
  return [order.order_id, order.order_state, order.filled_amount, order.price, order.last_update_timestamp].join(" ");
}

describe("a connection to the simulator", () => {
  test("signs in, reads the orders and follows a world that moves", async () => {
    const world = createWorld({ seed: 5, still: false });
    await world.connect();
    assert.equal(world.live.state.status, "ready");
    assert.equal(world.live.orders.snapshot.status, "live");
    assert.deepEqual(shownOrders(world), trueOrders(world));
    const before = shownOrders(world);
    await world.clock.advance(60_000);
    assert.deepEqual(shownOrders(world), trueOrders(world));
    assert.notDeepEqual(shownOrders(world), before);
    // One list, then events: the exchange asks not to poll.
    assert.equal(world.frames("private/get_open_orders").length, 1);
    world.live.dispose();
  });

  test("after a lost link everything is stale, then read anew; nothing that happened meanwhile is missed", async () => {
    const world = createWorld();
    await world.connect();
    const order = firstOpenOrder(world);
    world.exchange.control.disconnectAll("reset");
    await world.clock.settle();
    assert.equal(world.live.orders.snapshot.status, "stale");
    assert.ok(world.live.orders.snapshot.items.has(order.order_id));
    world.exchange.control.cancel(order.order_id, "mmp_trigger");
    await world.clock.advance(40_000);
    assert.equal(world.live.orders.snapshot.status, "live");
    assert.deepEqual(shownOrders(world), trueOrders(world));
    world.live.dispose();
  });

  test("no secret is in the log, the journal, a response or the state", async () => {
    const world = createWorld({ clientSecret: "CANARY-secret-0123456789" });
    await world.connect();
    await submitCancel(world, firstOpenOrder(world));
    const issued = world.exchange.control
      .ledger()
      .flatMap((entry) => [...entry.text.matchAll(/"access_token":"([^"]+)"/g)].map((match) => String(match[1])));
    assert.ok(issued.length > 0, "private calls carry the token");
    const seen = JSON.stringify([world.logged, world.journal.records, world.live.state, world.live.gate.activity]);
    for (const canary of ["CANARY-secret", ...issued]) assert.equal(seen.includes(canary), false);
    world.live.dispose();
  });

  test("a disposed connection leaves nothing behind", async () => {
    const world = createWorld();
    await world.connect();
    world.live.dispose();
    await world.clock.advance(3_600_000);
    world.exchange.dispose();
    assert.equal(world.clock.pendingTimers, 0);
  });
});

describe("cancel", () => {
  test("one frame, confirmed; the row goes because of the event", async () => {
    const world = createWorld();
    await world.connect();
    const order = firstOpenOrder(world);
    const outcome = submitCancel(world, order);
    await world.clock.settle();
    assert.equal((await outcome).kind, "confirmed");
    assert.equal(world.frames("private/cancel").length, 1);
    assert.deepEqual(shownOrders(world), trueOrders(world));
    assert.ok(!shownOrders(world).some((each) => each.startsWith(`${order.order_id} `)));
    assert.deepEqual(pluck(world.journal.records, "event"), ["intent", "sent", "outcome"]);
    world.live.dispose();
  });

  const lost: readonly {
    readonly name: string;
    readonly effect: "applied" | "skipped";
    readonly link: "keep" | "reset";
    readonly verdict: RegExp;
    readonly state: string;
  }[] = [
    {
      name: "applied, link lost",
      effect: "applied",
      link: "reset",
      verdict: /: verified cancelled at/,
      state: "cancelled",
    },
    { name: "not applied, link lost", effect: "skipped", link: "reset", verdict: /not cancelled/i, state: "open" },
    {
      name: "applied, link kept",
      effect: "applied",
      link: "keep",
      verdict: /: verified cancelled at/,
      state: "cancelled",
    },
    { name: "not applied, link kept", effect: "skipped", link: "keep", verdict: /not cancelled/i, state: "open" },
  ];
  for (const { name, effect, link, verdict, state } of lost) {
    test(`a lost response, ${name}: unknown first, then the verdict; one frame`, async () => {
      const world = createWorld();
      await world.connect();
      const order = firstOpenOrder(world);
      world.exchange.control.setFault({ method: "private/cancel", effect, response: "none", link });
      const submitted = submitCancel(world, order);
      await world.clock.advance(16_000);
      const outcome = await submitted;
      assert.equal(outcome.kind, "unknown");
      const { intent } = world.live.gate.activity[0]!;
      assert.match(outcomeText(outcome, { intent, place: plain`SIMULATOR lab`, times }), /unknown/);
      await world.clock.advance(120_000);
      const entry = world.live.gate.activity[0]!;
      assert.match(verdictText(entry.verdicts[0]!, { intent, place: plain`SIMULATOR lab`, times }), verdict);
      assert.equal(world.frames("private/cancel").length, 1);
      assert.equal(world.exchange.control.order(order.order_id)?.order_state, state);
      assert.deepEqual(shownOrders(world), trueOrders(world));
      world.live.dispose();
    });
  }

  test("on production one question names the environment; a no sends nothing, a yes allows further cancels and cancels this one", async () => {
    for (const isYes of [false, true]) {
      const world = createWorld({ declared: "production", answer: () => isYes });
      await world.connect();
      const submitted = submitCancel(world, firstOpenOrder(world));
      await world.clock.settle();
      assert.equal((await submitted).kind, isYes ? "confirmed" : "notSent");
      assert.equal(world.questions.length, 1);
      assert.match(JSON.stringify(world.questions), /PRODUCTION lab.*Allow Cancels and Cancel/);
      assert.equal(world.frames("private/cancel").length, isYes ? 1 : 0);
      assert.equal(world.live.gate.cancelsAllowedUntilMs !== undefined, isYes);
      assert.equal(world.live.gate.changesAllowedUntilMs, undefined);
      world.live.dispose();
    }
  });
});

describe("a request file", () => {
  async function send(
    world: World,
    text: string,
    index = 0,
  ): Promise<{ result: Awaited<ReturnType<typeof runRequest>>; text: string }> {
    const file = scanRequests(text);
    const request = file.requests[index];
    assert.ok(request);
    const running = runRequest(file, request, {
      gate: world.live.gate,
      environment: world.live.environment,
      fileName: "test.rpc.json",
    });
    await world.clock.advance(1000);
    const result = await running;
    const document = responseDocument({
      result,
      environment: world.live.environment,
      connectionName: "lab",
      endedAtMs: world.clock.now(),
      verdicts: [],
      times,
    });
    return { result, text: document.text };
  }

  test("digits arrive as they stand in the file", async () => {
    const world = createWorld();
    await world.connect();
    const params =
      '{"a": 1e-8, /* kept */ "b": 0.10, "c": 9007199254740993, "d": [123456789012345678901234567890, -0.0],}';
    await send(world, `{ "method": "private/new_method", "params": ${params} }`);
    assert.match(
      world.frames("private/new_method")[0] ?? "",
      /"a":1e-8,"b":0\.10,"c":9007199254740993,"d":\[123456789012345678901234567890,-0\.0\]/,
    );
    world.live.dispose();
  });

  test("an unknown method counts as a write: it needs confirmation, and the response is the exchange's error", async () => {
    const world = createWorld();
    await world.connect();
    const { text } = await send(world, '{ "method": "private/new_method" }');
    assert.equal(world.questions.length, 1);
    assert.match(text, /-32601/);
    world.live.dispose();
  });

  test("a write with a wrong type is refused with its place; nothing is sent", async () => {
    const world = createWorld();
    await world.connect();
    const { result, text } = await send(world, '{\n  "method": "private/cancel",\n  "params": { "order_id": 5 }\n}');
    assert.equal(result.outcome.kind, "notSent");
    assert.match(text, /expected a string, got 5/);
    assert.equal(world.frames("private/cancel").length, 0);
    world.live.dispose();
  });

  test("a cancel from a file passes the same gate", async () => {
    const world = createWorld({ declared: "production", answer: () => false });
    await world.connect();
    const { result } = await send(
      world,
      `{ "method": "private/cancel", "params": { "order_id": "${firstOpenOrder(world).order_id}" } }`,
    );
    assert.equal(result.outcome.kind, "notSent");
    assert.equal(world.questions.length, 1);
    assert.equal(world.frames("private/cancel").length, 0);
    world.live.dispose();
  });

  test("40 kB are refused with the size, before anything is sent", async () => {
    const world = createWorld();
    await world.connect();
    const { text } = await send(
      world,
      `{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "${"X".repeat(40_000)}" } }`,
    );
    assert.match(text, /40[ ,.]?\d|kB|bytes/);
    assert.equal(world.frames("public/get_last_trades_by_instrument").length, 0);
    world.live.dispose();
  });
});
