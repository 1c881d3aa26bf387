import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { createAccountStore } from "../../../src/state/account.ts";
import { ApiKeysStore } from "../../../src/state/apiKeys.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";
import { LastTradesStore } from "../../../src/state/lastTrades.ts";
import { MmpStore } from "../../../src/state/mmp.ts";
import { createOrdersStore } from "../../../src/state/orders.ts";
import { createPositionsStore } from "../../../src/state/positions.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { asOfMs, type Snapshot } from "../../../src/state/snapshot.ts";
import { createWorld, type World } from "../session/world.ts";

/* The moment that "Not up to date since" names, in every view, over a whole session. */

type Aged = Omit<Snapshot<unknown>, "items" | "unreadable" | "status"> & { readonly status: string };

interface Views {
  readonly world: World;
  /** Returns, for each view, its status and the moment it shows, in s since the start. */
  ages(): Record<string, string>;
}

async function openViews(positionsShown = true): Promise<Views> {
  const world = createWorld();
  const { server, session, clock } = world;
  server.scope = "account:read_write trade:read_write block_trade:read_write block_rfq:read_write wallet:read_write";
  const lists = [
    ...["private/list_api_keys", "private/get_block_trades", "private/get_mmp_config", "private/get_mmp_status"],
    ...["private/get_positions", "private/get_block_rfq_quotes", "private/get_subaccounts"],
  ];
  for (const method of lists) server.on(method, () => ({ result: [] }));
  server.on("private/get_account_summaries", () => ({ result: { id: 7001, summaries: [] } }));
  server.on("private/get_block_rfqs", () => ({ result: { block_rfqs: [] } }));
  server.on("public/get_last_trades_by_instrument", () => ({ result: { trades: [], has_more: false } }));
  const startMs = clock.now();
  await world.ready();
  const ports = { session, clock, log: silentLog };
  const instruments = { snapshot: { items: [], readAtMs: 0, failure: undefined }, load: async () => await never() };
  const resources = {
    account: createAccountStore(ports),
    "API keys": new ApiKeysStore({
      ...ports,
      ids: { load: () => [], save: async () => await Promise.resolve() },
    }),
    "block trades": createBlockTradesStore(ports),
    MMP: new MmpStore(ports),
    positions: createPositionsStore({ ...ports, instruments, pauseMs: () => 5000 }),
    quotes: createQuotesStore(ports),
  };
  for (const each of Object.values(resources)) each.setVisible(true);
  const orders = createOrdersStore(ports);
  const trades = new LastTradesStore(ports, { instrument_name: "BTC-PERPETUAL" });
  await clock.advance(1000);
  if (!positionsShown) resources.positions.setVisible(false);
  const all = { orders, ...resources, "last trades": trades };
  return {
    world,
    ages: () =>
      Object.fromEntries(
        Object.entries(all).map(([name, { snapshot }]) => {
          const aged = snapshot as Aged;
          const atMs = asOfMs(aged as never);
          return [name, `${aged.status} ${atMs === undefined ? "?" : Math.round((atMs - startMs) / 1000)}`];
        }),
      ),
  };
}

async function never(): Promise<never> {
  return await new Promise(() => undefined);
}

const NAMES = ["orders", "account", "API keys", "block trades", "MMP", "positions", "quotes", "last trades"];

function every(text: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, text]));
}

const HEARTBEAT = '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}';

/** Lives for so many seconds, with a heartbeat in each. */
async function live({ world }: Views, seconds: number): Promise<void> {
  for (let count = 0; count < seconds; count++) {
    world.server.last.send(HEARTBEAT);
    await world.clock.advance(1000);
  }
}

describe("a view that is not up to date says since when", () => {
  test("the connection is dropped: the drop, in every view", async () => {
    const views = await openViews();
    await live(views, 59);
    views.world.server.failDials("never");
    views.world.server.last.transport.close();
    await views.world.clock.advance(5000);
    assert.deepEqual(views.ages(), every("stale 60"));
  });

  test("the connection goes silent: the last frame of any kind", async () => {
    const views = await openViews();
    views.world.server.failDials("never");
    views.world.server.on("public/test", () => "silence");
    await live(views, 59);
    // The last frame is the response to the reading of the positions; the next one gets none.
    views.world.server.on("private/get_positions", () => "silence");
    await views.world.clock.advance(60_000);
    assert.deepEqual(views.ages(), every("stale 60"));
  });

  test("the computer sleeps, and texts lay waiting: the moment it fell asleep", async () => {
    const views = await openViews();
    await live(views, 59);
    const link = views.world.server.last;
    views.world.server.failDials("never");
    views.world.clock.sleep(12 * 3_600_000);
    link.send(HEARTBEAT);
    await views.world.clock.settle();
    link.transport.close();
    await views.world.clock.settle();
    assert.deepEqual(views.ages(), every("stale 60"));
  });

  test("figures that no event brings are as old as their reading where the view was hidden", async () => {
    const views = await openViews(false);
    await live(views, 59);
    views.world.server.failDials("never");
    views.world.server.last.transport.close();
    await views.world.clock.settle();
    assert.deepEqual(views.ages(), { ...every("stale 60"), positions: "stale 0" });
  });

  test("a list whose changes the server refuses to push is as old as its reading", async () => {
    const world = createWorld();
    world.server.on("private/subscribe", () => ({ result: [] }));
    const orders = createOrdersStore({ session: world.session, clock: world.clock, log: silentLog });
    const startMs = world.clock.now();
    await world.ready();
    await world.clock.advance(20_000);
    world.server.last.transport.close();
    await world.clock.settle();
    assert.deepEqual([orders.snapshot.status, asOfMs(orders.snapshot)], ["stale", startMs]);
  });

  test("after a connection that could not be read over, it is still the moment of the first loss", async () => {
    const views = await openViews();
    await live(views, 59);
    const refuse = (): { error: { code: number; message: string } } => ({
      error: { code: 11050, message: "bad_request" },
    });
    views.world.server.on("private/get_open_orders", refuse);
    views.world.server.last.transport.close();
    await views.world.clock.advance(20_000);
    views.world.server.failDials("never");
    views.world.server.last.transport.close();
    await views.world.clock.settle();
    assert.equal(views.ages()["orders"], "stale 60");
  });
});
