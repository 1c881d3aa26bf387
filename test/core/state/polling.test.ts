import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { createOrdersStore, type OrdersChange, type OrdersStore } from "../../../src/state/orders.ts";
import { isCountable } from "../../../src/state/snapshot.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { order } from "../present/samples.ts";
import { createFakeStoreSession, ready, type FakeStoreSession } from "./fakeStoreSession.ts";

/* If the exchange refuses the channel, the list is polled, but only while it is watched. */

interface Polled {
  readonly clock: FakeClock;
  readonly fake: FakeStoreSession;
  readonly store: OrdersStore;
  readonly changes: OrdersChange[];
}

async function refused(): Promise<Polled> {
  const clock = createFakeClock();
  const fake = createFakeStoreSession();
  const store = createOrdersStore({ session: fake.session, clock, log: silentLog });
  const changes: OrdersChange[] = [];
  fake.setState(ready(1));
  fake.setChannel({
    kind: "refused",
    failure: { kind: "exchange", code: 13778, message: "raw_subscriptions_not_available_for_unauthorized" },
  });
  await respondLast({ clock, fake }, [order("A"), order("B")]);
  store.onDidChange((change) => void changes.push(change));
  return { clock, fake, store, changes };
}

async function respondLast({ clock, fake }: Pick<Polled, "clock" | "fake">, rows: unknown): Promise<void> {
  fake.reads.at(-1)?.respond(rows, clock.now());
  await clock.settle();
}

describe("orders that are not pushed", () => {
  test("without a watcher: one read, and the snapshot has the reason", async () => {
    const { clock, fake, store } = await refused();
    await clock.advance(60_000);
    assert.equal(fake.reads.length, 1);
    assert.equal(store.snapshot.pollPauseMs, undefined);
    assert.equal(store.snapshot.failure?.kind, "exchange");
    store.dispose();
  });

  test("with a watcher: read 5 s after each response, stale before, until the last watcher is gone", async () => {
    const polled = await refused();
    const { clock, fake, store } = polled;
    await clock.advance(20_000);
    const watch = store.watch();
    assert.equal(store.snapshot.pollPauseMs, 5000);
    await clock.advance(0);
    assert.equal(fake.reads.length, 2, "whoever comes back sees at once what is now");
    await clock.advance(8000);
    assert.equal(fake.reads.length, 2, "not while one is under way");
    await respondLast(polled, [order("A"), order("B")]);
    await clock.advance(4999);
    assert.equal(fake.reads.length, 2);
    await clock.advance(1);
    assert.equal(fake.reads.length, 3);
    assert.deepEqual(fake.reads.at(-1)?.options?.lane, "view");
    await respondLast(polled, [order("A")]);
    watch.dispose();
    watch.dispose();
    assert.equal(store.snapshot.pollPauseMs, undefined);
    await clock.advance(60_000);
    assert.equal(fake.reads.length, 3);
    store.dispose();
    assert.equal(clock.pendingTimers, 0);
  });

  test("an order that comes into an empty list is told like any other", async () => {
    const polled = await refused();
    const { clock, store, changes } = polled;
    store.watch();
    for (let reads = 0; reads < 5; reads++) {
      await clock.advance(5000);
      await respondLast(polled, []);
    }
    assert.equal(store.snapshot.items.size, 0);
    changes.length = 0;
    await clock.advance(5000);
    await respondLast(polled, [order("C")]);
    assert.deepEqual(changes, [{ changed: new Set(["C"]), membership: "changed" }]);
    store.dispose();
  });

  for (const [name, shiftMs] of [
    ["an hour back", -3_600_000],
    ["an hour forward", 3_600_000],
    ["by the age of the list", -60_000],
  ] as const) {
    test(`the wall clock is set ${name}: reading goes on every 5 s, and the age of a list is told by no clock that is set`, async () => {
      const polled = await refused();
      const { clock, fake, store } = polled;
      assert.equal(isCountable(store.snapshot, clock), true);
      const watching = store.watch();
      await clock.advance(5000);
      clock.shiftWall(shiftMs);
      await respondLast(polled, [order("A")]);
      for (let reads = 3; reads < 6; reads++) {
        await clock.advance(4999);
        assert.equal(fake.reads.length, reads - 1);
        await clock.advance(1);
        assert.equal(fake.reads.length, reads);
        clock.shiftWall(shiftMs);
        await respondLast(polled, [order("A")]);
      }
      watching.dispose();
      await clock.advance(60_000);
      clock.shiftWall(shiftMs);
      assert.equal(isCountable(store.snapshot, clock), false, "it was not read for a minute");
      store.watch();
      await clock.advance(0);
      assert.equal(fake.reads.length, 6, "whoever comes back sees what is now");
      store.dispose();
    });
  }

  test("a response that says the same draws no row anew; one that came or went draws its group only", async () => {
    const polled = await refused();
    const { clock, changes, store } = polled;
    store.watch();
    await clock.advance(5000);
    changes.length = 0;
    await respondLast(polled, [order("A"), order("B")]);
    const found = changes.map(({ membership, changed }) => [membership, changed.size]);
    assert.deepEqual(found, [["same", 0]]);
    await clock.advance(5000);
    changes.length = 0;
    await respondLast(polled, [
      order("A"),
      order("B", { price: 2000, last_update_timestamp: Number(order("B").last_update_timestamp) + 1 }),
    ]);
    assert.deepEqual(
      changes.map(({ membership, changed }) => [membership, [...changed]]),
      [["same", ["B"]]],
    );
    await clock.advance(5000);
    changes.length = 0;
    await respondLast(polled, [order("A"), order("B"), order("C")]);
    assert.equal(changes[0]?.membership, "changed");
    assert.ok(store.snapshot.items.has("C"));
    store.dispose();
  });

  test("a failed reading is stale and has its own pause; a channel that is accepted after all ends the polling", async () => {
    const polled = await refused();
    const { clock, fake, store } = polled;
    store.watch();
    await clock.advance(5000);
    fake.reads.at(-1)?.fail({ kind: "timeout", timeoutMs: 10_000 });
    await clock.settle();
    assert.equal(store.snapshot.status, "stale");
    await clock.advance(1000);
    assert.equal(fake.reads.length, 3);
    await respondLast(polled, [order("A")]);
    assert.equal(store.snapshot.status, "live");
    fake.setState({ status: "waiting", retryAtMs: 0, failure: { kind: "timeout", timeoutMs: 1 } });
    await clock.advance(60_000);
    assert.equal(fake.reads.length, 3, "no reading without a link");
    fake.open(2);
    await respondLast(polled, [order("A")]);
    await clock.advance(60_000);
    assert.equal(fake.reads.length, 4);
    assert.equal(store.snapshot.pollPauseMs, undefined);
    store.dispose();
  });
});
