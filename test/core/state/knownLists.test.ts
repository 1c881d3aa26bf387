import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { LastTradesStore } from "../../../src/state/lastTrades.ts";
import { createWorld } from "../../world.ts";
import { createKnownLists } from "../../../src/state/knownList.ts";

/* Names and IDs that requests use: read on request, from the simulator. */

describe("the lists of names", () => {
  test("are read when they are asked for, each with one call, and not again within an hour", async () => {
    const world = createWorld();
    await world.connect();
    const { live, clock } = world;
    const lists = live.storeOf(createKnownLists);
    const calls = (): number[] =>
      ["public/get_currencies", "public/get_index_price_names", "private/get_subaccounts"].map(
        (method) => world.frames(method).length,
      );
    const before = calls();
    const load = async (): Promise<void> => {
      const loading = Promise.all([lists.currencies.load(), lists.indexNames.load(), lists.accounts.load()]);
      await clock.advance(1000);
      await loading;
    };
    await load();
    await load();
    assert.deepEqual(
      calls().map((count, index) => count - (before[index] ?? 0)),
      [1, 1, 1],
    );
    assert.ok(lists.currencies.snapshot.items.includes("EURR"));
    assert.ok(lists.indexNames.snapshot.items.includes("btc_usd"));
    assert.deepEqual(
      lists.accounts.snapshot.items.map(({ type }) => type),
      ["main", "subaccount", "subaccount"],
    );
    await clock.advance(3_600_000);
    await load();
    assert.deepEqual(
      calls().map((count, index) => count - (before[index] ?? 0)),
      [2, 2, 2],
    );
    world.live.dispose();
  });

  test("that the key must not read are not asked for", async () => {
    const world = createWorld({ maxScope: "trade:read" });
    await world.connect();
    const before = world.frames("private/get_subaccounts").length;
    assert.equal((await world.live.storeOf(createKnownLists).accounts.load()).failure?.kind, "missingScope");
    assert.equal(world.frames("private/get_subaccounts").length, before);
    world.live.dispose();
  });

  test("trades are known for as long as a view reads them", async () => {
    const world = createWorld();
    await world.connect();
    const trades = world.live.createStore(
      (ports) => new LastTradesStore(ports, { instrument_name: "BTC-PERPETUAL" }, world.live.lastTrades),
    );
    await world.clock.advance(1000);
    assert.deepEqual(
      [...world.live.lastTrades].map(({ snapshot }) => snapshot),
      [trades.snapshot],
    );
    trades.dispose();
    assert.equal(world.live.lastTrades.size, 0);
    world.live.dispose();
  });
});
