import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { silentLog, type Log } from "../../../src/base/log.ts";
import { createOrdersStore, type Order, type OrdersChange, type OrdersStore } from "../../../src/state/orders.ts";
import { MAX_ORDERS } from "../../../src/state/orderItems.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createFakeStoreSession, order, ready, type FakeStoreSession } from "./fakeStoreSession.ts";
import { runs } from "../../sizes.ts";

interface World extends FakeStoreSession {
  readonly clock: FakeClock;
  readonly store: OrdersStore;
  readonly changes: OrdersChange[];
  readonly warnings: string[];
  /** Responses the latest reading and lets it settle. */
  respond(result: unknown): Promise<void>;
}

function createWorld(): World {
  const fake = createFakeStoreSession();
  const clock = createFakeClock();
  const warnings: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message) => {
      warnings.push(message);
    },
    error: (message) => {
      warnings.push(message);
    },
  };
  const store = createOrdersStore({ session: fake.session, clock, log });
  const changes: OrdersChange[] = [];
  store.onDidChange((change) => {
    changes.push(change);
  });
  return {
    ...fake,
    clock,
    store,
    changes,
    warnings,
    async respond(result) {
      fake.reads.at(-1)!.respond(result, clock.now());
      await clock.settle();
    },
  };
}

/** A world whose list has been read. */
async function createOpenWorld(...list: readonly unknown[]): Promise<World> {
  const world = createWorld();
  world.open(1);
  await world.respond(list);
  world.changes.length = 0;
  return world;
}

/** `id state filled` of each row, ended ones marked, in the order of the rows. */
function rows({ snapshot }: OrdersStore): string[] {
  return [...snapshot.items.values()].map(
    ({ order: { order_id, order_state, filled_amount }, endedAtMs }) =>
      `${order_id} ${order_state} ${String(filled_amount)}${endedAtMs === undefined ? "" : " ended"}`,
  );
}

function states(change: OrdersChange | undefined): string {
  return change === undefined ? "nothing" : `${change.membership}: ${[...change.changed].join(",")}`;
}

describe("orders: the first list", () => {
  const many = Array.from({ length: 450 }, (_, index) => order(`o${String(index)}`, { creation_timestamp: index }));

  test("is there before it is parsed, which is done in pauses", async () => {
    const world = await createOpenWorld(...many);
    assert.equal(world.store.snapshot.items.size, many.length);
    assert.equal(world.store.snapshot.status, "live");
    assert.equal(world.clock.pendingTimers, 1);
    await world.clock.advance(0);
    await world.clock.advance(0);
    assert.equal(world.clock.pendingTimers, 0);
    assert.deepEqual(
      [...world.store.snapshot.items.values()].map((item) => item.order),
      many,
    );
  });

  test("has the same rows where its orders are parsed at once: repeated ids, ended orders, and a list that isn't plain", async () => {
    const last = { filled_amount: 3 };
    for (const list of [
      [order("a"), order("b"), order("a", last)],
      [order("c", { order_state: "filled" }), order("b"), order("a", last)],
      [order("b"), order("a", { ...last, oto_order_ids: ["b"] })],
    ])
      assert.deepEqual(rows((await createOpenWorld(...list)).store), ["a open 3", "b open 0"]);
  });

  test("is wanted unparsed by a store without orders alone", async () => {
    const world = await createOpenWorld(order("a"));
    void world.store.refresh();
    assert.deepEqual(
      world.reads.map(({ options }) => options?.wantsOrders),
      [true, false],
    );
  });

  test("a store that goes parses no more", async () => {
    const world = await createOpenWorld(...many);
    world.store.dispose();
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("of another account, the orders of the one before are not parsed any more", async () => {
    const world = await createOpenWorld(...many);
    world.setState({ status: "authenticating", generation: 2, isOtherSubject: true });
    world.open(2);
    await world.respond([order("x")]);
    await world.clock.advance(0);
    assert.deepEqual(rows(world.store), ["x open 0"]);
    assert.equal(world.clock.pendingTimers, 0);
  });
});

describe("orders: subscribe, read, merge", () => {
  test("the channel is wanted at once, and the list is read when it is accepted", () => {
    const world = createWorld();
    assert.deepEqual(world.calls, ["subscribe user.orders.any.any.raw"]);
    assert.equal(world.store.snapshot.status, "failed");
    assert.deepEqual(world.store.snapshot.failure, { kind: "notConnected" });
    world.setState({ status: "connecting", generation: 1 });
    assert.equal(world.store.snapshot.status, "loading");
    world.setState(ready(1));
    assert.equal(world.reads.length, 0);
    world.setChannel({ kind: "accepted", generation: 1 });
    assert.deepEqual(world.calls.slice(1), ["read private/get_open_orders 1"]);
    assert.equal(world.reads[0]!.options?.lane, "view");
  });

  test("accepted before ready is as good", () => {
    const world = createWorld();
    world.setState({ status: "authenticating", generation: 3 });
    world.setChannel({ kind: "accepted", generation: 3 });
    assert.equal(world.reads.length, 0);
    world.setState(ready(3));
    assert.equal(world.reads.length, 1);
  });

  test("what is pushed before the list is there is kept: the newer one wins, and of equally old ones the pushed one", async () => {
    const world = createWorld();
    world.open(1);
    world.push(order("newer", { filled_amount: 5, last_update_timestamp: 200 }));
    world.push(order("older", { filled_amount: 1, last_update_timestamp: 50 }));
    world.push(order("equal", { filled_amount: 7, last_update_timestamp: 100 }));
    world.push(order("unlisted", { last_update_timestamp: 200 }));
    world.push(order("cameAndWent", { order_state: "filled", last_update_timestamp: 200 }));
    world.push(order("cancelled", { order_state: "cancelled", last_update_timestamp: 200 }));
    assert.deepEqual(rows(world.store), []);
    await world.respond([order("newer"), order("older"), order("equal"), order("cancelled")]);
    assert.deepEqual(rows(world.store), ["equal open 7", "newer open 5", "older open 0", "unlisted open 0"]);
    assert.equal(world.store.snapshot.status, "live");
    assert.equal(world.store.snapshot.failure, undefined);
    assert.equal(world.store.snapshot.readAtMs, world.clock.now());
  });

  test("one order, an array of orders, and an order in `order`", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    world.push(order("a", { filled_amount: 1, last_update_timestamp: 101 }));
    world.push([
      order("a", { filled_amount: 2, last_update_timestamp: 102 }),
      order("b", { filled_amount: 3, last_update_timestamp: 102 }),
    ]);
    world.push({ order: order("c") });
    assert.deepEqual(rows(world.store), ["a open 2", "b open 3", "c open 0"]);
    assert.deepEqual(world.changes.map(states), ["same: a", "same: a,b", "changed: c"]);
  });

  test("older and identical updates fire nothing", async () => {
    const world = await createOpenWorld(order("a", { oto_order_ids: ["x"] }));
    const item = world.store.snapshot.items.get("a");
    world.push(order("a", { oto_order_ids: ["x"] }));
    world.push(order("a", { filled_amount: 9, last_update_timestamp: 99 }));
    world.push(order("gone", { order_state: "cancelled" }));
    assert.deepEqual(world.changes, []);
    assert.equal(world.store.snapshot.items.get("a"), item);
  });

  test("new orders are appended; only Refresh sorts, by instrument and age", async () => {
    const world = await createOpenWorld(
      order("2", { creation_timestamp: 2 }),
      order("9", { instrument_name: "BTC-PERPETUAL" }),
      order("1", { creation_timestamp: 1 }),
    );
    assert.deepEqual([...world.store.snapshot.items.keys()], ["9", "1", "2"]);
    world.push(order("0", { instrument_name: "AAA", creation_timestamp: 0 }));
    assert.deepEqual([...world.store.snapshot.items.keys()], ["9", "1", "2", "0"]);
    const refreshed = world.store.refresh();
    await world.respond([
      order("1"),
      order("2"),
      order("0", { instrument_name: "AAA" }),
      order("9", { instrument_name: "BTC-PERPETUAL" }),
    ]);
    await refreshed;
    assert.deepEqual([...world.store.snapshot.items.keys()], ["0", "9", "1", "2"]);
    assert.equal(world.changes.at(-1)?.membership, "reset");
  });

  test("refreshing joins a reading that is under way", async () => {
    const world = await createOpenWorld(order("a"));
    const all = Promise.all(
      Array.from({ length: 100 }, async () => {
        await world.store.refresh();
      }),
    );
    assert.equal(world.reads.length, 2);
    await world.respond([]);
    await all;
    assert.equal(world.reads.length, 2);
  });

  test("20,000 updates copy nothing: one map, one item each", async () => {
    const world = await createOpenWorld(...Array.from({ length: 1000 }, (_, index) => order(String(index))));
    const { items } = world.store.snapshot;
    const untouched = items.get("999");
    for (let index = 0; index < 20_000; index++)
      world.push(order(String(index % 500), { filled_amount: index, last_update_timestamp: 200 + index }));
    assert.equal(world.store.snapshot.items, items);
    assert.equal(items.get("999"), untouched);
    assert.equal(world.changes.length, 20_000);
    assert.equal(items.get("499")?.order.filled_amount, 19_999);
  });
});

describe("orders: the end of an order", () => {
  for (const state of ["filled", "cancelled", "rejected", "triggered", "archive"]) {
    test(`${state}: stays for 10 s and leaves`, async () => {
      const world = await createOpenWorld(order("a"), order("b"));
      world.push(order("a", { order_state: state, last_update_timestamp: 101 }));
      assert.deepEqual(rows(world.store), [`a ${state} 0 ended`, "b open 0"]);
      await world.clock.advance(9999);
      assert.equal(world.store.snapshot.items.size, 2);
      await world.clock.advance(1);
      assert.deepEqual(rows(world.store), ["b open 0"]);
      assert.deepEqual(world.changes.map(states), ["same: a", "changed: a"]);
      assert.equal(world.clock.pendingTimers, 0);
    });
  }

  test("each leaves in its own time", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    world.push(order("b", { order_state: "filled", last_update_timestamp: 101 }));
    await world.clock.advance(4000);
    world.push(order("a", { order_state: "filled", last_update_timestamp: 101 }));
    await world.clock.advance(6000);
    assert.deepEqual(rows(world.store), ["a filled 0 ended"]);
    await world.clock.advance(4000);
    assert.deepEqual(rows(world.store), []);
  });

  test("an unknown state does not end an order", async () => {
    const world = await createOpenWorld(order("a"), order("b", { order_state: "untriggered" }));
    world.push(order("a", { order_state: "hibernating", last_update_timestamp: 101 }));
    await world.clock.advance(20_000);
    assert.deepEqual(rows(world.store), ["a hibernating 0", "b untriggered 0"]);
  });

  test("a list that was asked for before the end does not bring an order back", async () => {
    const world = await createOpenWorld(order("a"));
    void world.store.refresh();
    world.push(order("a", { order_state: "cancelled", last_update_timestamp: 101 }));
    await world.clock.advance(15_000);
    await world.respond([order("a")]);
    assert.deepEqual(rows(world.store), ["a cancelled 0 ended"]);
    await world.clock.advance(1);
    assert.deepEqual(rows(world.store), []);
  });

  test("an end in the same millisecond as the order's last change is not taken back by it", async () => {
    const world = await createOpenWorld(order("a"));
    world.push(order("a", { order_state: "cancelled" }));
    world.push(order("a", { filled_amount: 3 }));
    assert.deepEqual(rows(world.store), ["a cancelled 0 ended"]);
  });

  test("an order that a fresh list lacks is ended without a word of how; a later word corrects it", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    void world.store.refresh();
    await world.respond([order("b")]);
    assert.deepEqual(rows(world.store), ["a open 0 ended", "b open 0"]);
    world.push(order("a", { order_state: "filled", filled_amount: 40, last_update_timestamp: 150 }));
    assert.deepEqual(rows(world.store), ["a filled 40 ended", "b open 0"]);
  });

  test("a list that lags behind what was pushed before does not turn time back", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    world.push(order("a", { filled_amount: 5, last_update_timestamp: 200 }));
    void world.store.refresh();
    await world.respond([order("a", { filled_amount: 4, last_update_timestamp: 150 }), order("b")]);
    assert.deepEqual(rows(world.store), ["a open 5", "b open 0"]);
  });

  test("what was pushed during a reading that failed says nothing about the next one", async () => {
    const world = await createOpenWorld();
    void world.store.refresh();
    world.push(order("a"));
    world.reads.at(-1)!.fail({ kind: "timeout", timeoutMs: 1 });
    await world.clock.advance(1000);
    await world.respond([]);
    assert.deepEqual(rows(world.store), ["a open 0 ended"]);
  });

  test("an order that came while the list was under way is not missing from it", async () => {
    const world = await createOpenWorld();
    void world.store.refresh();
    world.push(order("new"));
    await world.respond([]);
    assert.deepEqual(rows(world.store), ["new open 0"]);
  });
});

describe("orders: the link", () => {
  test("leaving ready makes the list stale at once; rows stay", async () => {
    const world = await createOpenWorld(order("a"));
    const failure = { kind: "connectionLost", trouble: "silent", detail: "" } as const;
    world.setState({ status: "waiting", retryAtMs: 0, failure });
    assert.equal(world.store.snapshot.status, "stale");
    assert.equal(world.store.snapshot.failure, failure);
    assert.deepEqual(rows(world.store), ["a open 0"]);
    world.setState({ status: "connecting", generation: 2 });
    assert.equal(world.store.snapshot.status, "stale");
  });

  test("silence that is only suspected changes nothing", async () => {
    const world = await createOpenWorld(order("a"));
    world.setState({ ...(ready(1) as Extract<ReturnType<typeof ready>, { status: "ready" }>), isSuspect: true });
    assert.equal(world.store.snapshot.status, "live");
    assert.equal(world.reads.length, 1);
  });

  test("each reconnect reads again; nothing of the old link counts", async () => {
    const world = await createOpenWorld(order("a", { last_update_timestamp: 900 }), order("b"), order("c"));
    void world.store.refresh();
    const old = world.reads.at(-1)!;
    world.setState({
      status: "waiting",
      retryAtMs: 0,
      failure: { kind: "connectionLost", trouble: "silent", detail: "" },
    });
    world.open(2);
    assert.deepEqual(world.calls.slice(-1), ["read private/get_open_orders 2"]);
    world.push(order("c", { filled_amount: 2, last_update_timestamp: 300 }));
    old.respond([]);
    await world.clock.settle();
    assert.deepEqual(rows(world.store), ["a open 0", "b open 0", "c open 0"]);
    assert.equal(world.store.snapshot.status, "stale");
    // The server went back in time, as a restarted simulator does: the list is right, what was known is not.
    await world.respond([order("d"), order("c"), order("a", { filled_amount: 1, last_update_timestamp: 5 })]);
    assert.deepEqual(rows(world.store), ["a open 1", "b open 0 ended", "c open 2", "d open 0"]);
    assert.equal(world.store.snapshot.status, "live");
    await world.clock.advance(10_000);
    assert.deepEqual(rows(world.store), ["a open 1", "c open 2", "d open 0"]);
  });

  test("a change in the millisecond of the last one that was known is taken, if the order is listed", async () => {
    for (const isListed of [true, false]) {
      const world = await createOpenWorld(order("a"));
      world.setChannel({ kind: "lost" });
      world.open(2);
      world.push(order("a", { filled_amount: 1 }));
      await world.respond(isListed ? [order("a")] : []);
      assert.deepEqual(rows(world.store), [isListed ? "a open 1" : "a open 0 ended"]);
    }
  });

  test("what was pushed in an earlier generation and never merged is dropped", async () => {
    const world = createWorld();
    world.open(1);
    world.push(order("old", { last_update_timestamp: 999 }));
    world.setState({ status: "connecting", generation: 2 });
    world.open(2);
    await world.respond([]);
    assert.deepEqual(rows(world.store), []);
  });

  test("an old event that a server sends again brings no order back that the list does not have", async () => {
    const known = order("a");
    // Before the first list of a new link: it was known already, or it had been seen to end.
    for (const ended of [false, true]) {
      const world = await createOpenWorld(known);
      if (ended) {
        world.push(order("a", { order_state: "cancelled", last_update_timestamp: 150 }));
        await world.clock.advance(10_000);
        assert.deepEqual(rows(world.store), []);
      }
      world.setChannel({ kind: "lost" });
      world.open(2);
      world.push(known);
      await world.respond([]);
      assert.deepEqual(rows(world.store), ended ? [] : ["a open 0 ended"]);
    }
    // Of the account before, when another one was switched to.
    const other = await createOpenWorld(known);
    other.setState({ status: "authenticating", generation: 2, isOtherSubject: true });
    other.setChannel({ kind: "lost" });
    other.open(2);
    other.push(known);
    await other.respond([]);
    other.push(known);
    assert.deepEqual(rows(other.store), []);
    // While a list is read.
    const world = await createOpenWorld(known);
    void world.store.refresh();
    world.push(known);
    await world.respond([]);
    assert.deepEqual(rows(world.store), ["a open 0 ended"]);
  });

  test("a refused subscription leaves a list that is read, and says why it is not pushed", async () => {
    for (const failure of [undefined, { kind: "exchange", code: -32601, message: "Method not found" } as const]) {
      const world = createWorld();
      world.setState(ready(1));
      world.setChannel({ kind: "refused", failure });
      await world.respond([order("a")]);
      assert.equal(world.store.snapshot.status, "live");
      assert.deepEqual(
        world.store.snapshot.failure,
        failure ?? { kind: "refused", reason: "The exchange didn't accept the subscription to order updates." },
      );
      assert.deepEqual(rows(world.store), ["a open 0"]);
    }
  });

  test("refreshing without a link fails in words and sends nothing", async () => {
    const world = createWorld();
    world.setState({ status: "connecting", generation: 1 });
    await world.store.refresh();
    assert.deepEqual(world.store.snapshot.failure, { kind: "notConnected" });
    assert.equal(world.reads.length, 0);
  });

  test("disposal lets go of everything", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    world.push(order("a", { order_state: "filled", last_update_timestamp: 101 }));
    world.push({ nonsense: true });
    void world.store.refresh();
    world.store.dispose();
    world.changes.length = 0;
    await world.respond([]);
    world.setState({ status: "off" });
    assert.equal(world.clock.pendingTimers, 0);
    assert.deepEqual(world.channels, []);
    assert.deepEqual(world.changes, []);
  });
});

describe("orders: failures", () => {
  test("a payload that does not match the pattern makes the list stale, is logged, and the list is read again", async () => {
    const world = await createOpenWorld(order("a"));
    world.push([order("a", { filled_amount: 4, last_update_timestamp: 101 }), { order_id: "b", instrument_name: 5 }]);
    assert.equal(world.store.snapshot.status, "stale");
    assert.equal(world.store.snapshot.failure?.kind, "unreadableResult");
    assert.deepEqual(rows(world.store), ["a open 4"], "what fits of it counts");
    assert.equal(world.warnings.length, 1);
    for (const odd of [null, 5, "text", [null], { order: 1 }]) world.push(odd);
    assert.equal(world.warnings.length, 1, "one doubt is logged once");
    await world.clock.advance(1000);
    assert.equal(world.reads.length, 2);
    await world.respond([order("a", { filled_amount: 4, last_update_timestamp: 101 })]);
    assert.equal(world.store.snapshot.status, "live");
    assert.equal(world.store.snapshot.failure, undefined);
    world.push(null);
    await world.clock.advance(1999);
    assert.equal(world.reads.length, 2, "the pause grows");
    await world.clock.advance(1);
    assert.equal(world.reads.length, 3);
  });

  test("an odd payload during a reading is not forgotten when the reading ends", async () => {
    const world = await createOpenWorld(order("a"));
    void world.store.refresh();
    world.push(null);
    await world.respond([order("a")]);
    assert.equal(world.store.snapshot.status, "stale");
    await world.clock.advance(1000);
    await world.respond([order("a")]);
    assert.equal(world.store.snapshot.status, "live");
  });

  test("a row without an id is kept raw beside the others, and what may be it is not reported as ended", async () => {
    const world = await createOpenWorld(order("a"), order("b"));
    const odd = { ...order("b"), order_id: 7 };
    void world.store.refresh();
    await world.respond([order("a"), odd]);
    assert.deepEqual(rows(world.store), ["a open 0"]);
    assert.deepEqual(world.store.snapshot.unreadable, [odd]);
    assert.equal(world.store.snapshot.status, "live");
    void world.store.refresh();
    await world.respond([order("a"), order("b")]);
    assert.deepEqual(world.store.snapshot.unreadable, []);
    assert.deepEqual(rows(world.store), ["a open 0", "b open 0"]);
  });

  test("a response that is no list fails the reading and keeps the rows", async () => {
    const world = await createOpenWorld(order("a"));
    void world.store.refresh();
    await world.respond({ orders: [] });
    assert.equal(world.store.snapshot.status, "stale");
    assert.deepEqual(rows(world.store), ["a open 0"]);
  });

  test("more orders than are held fail the reading instead of showing some", async () => {
    const world = createWorld();
    world.open(1);
    await world.respond(Array<Order>(MAX_ORDERS + 1).fill(order("a")));
    assert.equal(world.store.snapshot.status, "failed");
    assert.equal(world.store.snapshot.items.size, 0);
  });

  const pauses: readonly [string, Parameters<World["reads"][number]["fail"]>[0], readonly number[]][] = [
    ["timeout", { kind: "timeout", timeoutMs: 10_000 }, [1000, 3000, 30_000, 30_000]],
    ["too many pending", { kind: "tooManyPending", limit: 256 }, [1000, 3000]],
    ["rate limit", { kind: "exchange", code: 10028, message: "too_many_requests" }, [10_000, 10_000]],
    [
      "rate limit with a wait",
      { kind: "exchange", code: 10028, message: "too_many_requests", waitSeconds: 42 },
      [42_000],
    ],
    ["passing trouble", { kind: "exchange", code: 11051, message: "system_maintenance" }, [1000, 3000]],
  ];
  for (const [name, failure, expected] of pauses) {
    test(`${name} is tried again after ${expected.join(", ")} ms`, async () => {
      const world = createWorld();
      world.open(1);
      for (const [index, pauseMs] of expected.entries()) {
        world.reads.at(-1)!.fail(failure);
        await world.clock.advance(pauseMs - 1);
        assert.equal(world.reads.length, index + 1);
        await world.clock.advance(1);
        assert.equal(world.reads.length, index + 2);
      }
      assert.equal(world.store.snapshot.status, "failed");
      await world.respond([order("a")]);
      assert.equal(world.store.snapshot.status, "live");
    });
  }

  for (const failure of [
    { kind: "missingScope", scope: "trade:read" },
    { kind: "exchange", code: 13009, message: "unauthorized" },
    { kind: "exchange", code: -32601, message: "Method not found" },
  ] as const) {
    test(`${JSON.stringify(failure)} waits for the user`, async () => {
      const world = createWorld();
      world.open(1);
      world.reads.at(-1)!.fail(failure);
      await world.clock.advance(600_000);
      assert.equal(world.reads.length, 1);
      assert.equal(world.store.snapshot.failure, failure);
      void world.store.refresh();
      assert.equal(world.reads.length, 2);
    });
  }
});

/*
 * The exchange as it is: events in order, several changes within a millisecond, lists that are taken at one moment and
 * arrive at another, links that break. Once everything has arrived the store shows what the exchange has.
 */
describe("orders: any interleaving ends with the truth", () => {
  type Step =
    | { readonly do: "create" | "fill" | "cancel"; readonly id: number; readonly later: boolean }
    | { readonly do: "deliver" | "refresh" | "take" | "respond" | "reconnect" };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constantFrom("create" as const, "fill" as const, "cancel" as const),
      id: fc.integer({ min: 0, max: 4 }),
      later: fc.boolean(),
    }),
    fc.record({
      do: fc.constantFrom(
        "deliver" as const,
        "deliver" as const,
        "refresh" as const,
        "take" as const,
        "respond" as const,
        "reconnect" as const,
      ),
    }),
  );

  test("of events, lists and broken links", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = createWorld();
        const open = new Map<string, Order>();
        const sent: Order[] = [];
        let nowMs = 100;
        let created = 0;
        let generation = 1;
        let taken: readonly Order[] | undefined;
        let answered = 0;
        const change = (id: string, next: Order): void => {
          if (next.order_state === "open") open.set(id, next);
          else open.delete(id);
          sent.push(next);
        };
        const take = (): void => {
          taken ??= [...open.values()];
        };
        const respond = async (): Promise<void> => {
          if (world.reads.length <= answered) return;
          take();
          world.reads[answered++]!.respond(taken, world.clock.now());
          taken = undefined;
          await world.clock.settle();
        };
        const moves: Readonly<Record<Step["do"], (each: Step) => Promise<void> | void>> = {
          create: () => {
            const id = `o${String(created++)}`;
            change(id, order(id, { last_update_timestamp: nowMs, creation_timestamp: nowMs }));
          },
          fill: (each) => {
            const [id, known] = [...open][("id" in each ? each.id : 0) % Math.max(1, open.size)] ?? [];
            if (id !== undefined && known !== undefined)
              change(id, { ...known, filled_amount: (known.filled_amount ?? 0) + 1, last_update_timestamp: nowMs });
          },
          cancel: (each) => {
            const [id, known] = [...open][("id" in each ? each.id : 0) % Math.max(1, open.size)] ?? [];
            if (id !== undefined && known !== undefined)
              change(id, { ...known, order_state: "cancelled", last_update_timestamp: nowMs });
          },
          deliver: () => {
            const next = sent.shift();
            if (next !== undefined) world.push(next);
          },
          refresh: () => {
            void world.store.refresh();
          },
          take: () => {
            if (world.reads.length > answered) take();
          },
          respond,
          reconnect: () => {
            world.setState({
              status: "waiting",
              retryAtMs: 0,
              failure: { kind: "connectionLost", trouble: "other", detail: "" },
            });
            sent.length = 0;
            taken = undefined;
            answered = world.reads.length;
            world.open(++generation);
          },
        };
        world.open(generation);
        for (const each of steps) {
          if ("later" in each && each.later) nowMs++;
          await moves[each.do](each);
        }
        for (const next of sent.splice(0)) world.push(next);
        await respond();
        await world.clock.advance(10_001);
        assert.deepEqual(new Map([...world.store.snapshot.items].map(([id, item]) => [id, item.order])), open);
        assert.equal(world.store.snapshot.status, "live");
      }),
      { numRuns: runs(200) },
    );
  });
});
