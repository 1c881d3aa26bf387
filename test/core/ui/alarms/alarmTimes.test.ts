import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createEmitter, type Disposable } from "../../../../src/base/emitter.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { createAlarms } from "../../../../src/ui/alarms/alarms.ts";
import { BERLIN } from "../../present/samples.ts";
import { createWorld, type World } from "../../session/world.ts";

/* What is told of a liquidation that happened while the computer slept or the link was down: over a whole session. */

const MINUTE_MS = 60_000;
const TRADES = "private/get_user_trades_by_currency";

let world: World;
let alarms: Disposable;
let folder: string;
let told: string[];
/** The trades of the account at the exchange, by its clock. */
let trades: { readonly trade_id: string; readonly timestamp: number }[];

const exchangeNow = (): number => world.clock.now() + world.server.skewMs;

/** The exchange liquidates: pushed where the connection is there. */
function liquidate(id: string, isPushed: boolean, agoMs = 0): void {
  const trade = {
    ...{ trade_id: id, order_id: id, order_type: "liquidation", instrument_name: "BTC-PERPETUAL" },
    ...{ direction: "sell", amount: 40, price: 17_000, timestamp: exchangeNow() - agoMs },
  };
  trades.push(trade);
  if (isPushed) world.server.last.event("user.trades.any.any.raw", JSON.stringify([trade]));
}

async function begin(skewMs = 0): Promise<void> {
  world = createWorld();
  trades = [];
  told = [];
  const { server, session, clock } = world;
  server.skewMs = skewMs;
  server.on("private/get_account_summaries", () => ({
    result: { summaries: [{ currency: "BTC", margin_balance: 100, maintenance_margin: 1 }] },
  }));
  server.on("public/get_time", () => ({ result: Math.round(exchangeNow()) }));
  server.on("private/get_user_locks", () => ({ result: [] }));
  server.on("public/status", () => ({ result: { locked: "false", locked_indices: [] } }));
  server.on(TRADES, ({ params }) => {
    const { start_timestamp: fromMs = 0, end_timestamp: toMs = Infinity } = params;
    const found = trades.filter(({ timestamp: atMs }) => atMs >= Number(fromMs) && atMs <= Number(toMs));
    return { result: { trades: found.toReversed(), has_more: false } };
  });
  const none = createEmitter<never>();
  const live = {
    record: { id: "main", url: "wss://test.example/ws/api/v2", clientId: "key" },
    place: "TESTNET main",
    get state() {
      return session.state;
    },
    storeOf: () => ({ onDidFreeze: none.event, snapshot: { items: new Map() } }),
    instruments: { load: async () => await Promise.resolve({ items: [] }) },
    followChannel: () => ({ dispose: () => undefined }),
    createStore: (create: (ports: object) => unknown) => create({ session, clock, log: silentLog }),
  } as unknown as LiveConnection;
  alarms = createAlarms(
    {
      liveConnections: { all: [live], onDidOpen: none.event, onDidClose: none.event },
      settings: {
        alarms: () => ({ isOn: true, fillUsd: undefined, marginShare: 0.8, off: new Set(), leastFreezeMs: 0 }),
        onDidChange: none.event,
      },
      dialogs: { tell: (level, text) => told.push(`${level}: ${text}`) },
      freezeText: () => "",
      times: BERLIN,
      isOwnSimulator: () => false,
      clock,
      log: silentLog,
      run: () => undefined,
      folder,
      onReset: () => undefined,
    },
    // The disk has its own tests: here every claim is new.
    {
      claim: async (_account, { key }) => await Promise.resolve(isNew(key)),
      release: async () => await Promise.resolve(),
    },
  );
  await world.ready();
  await clock.advance(10 * MINUTE_MS);
}

const claimed = new Set<string>();

function isNew(key: string): boolean {
  if (claimed.has(key)) return false;
  claimed.add(key);
  return true;
}

/** What is told of a liquidation, once. */
const LIQUIDATION =
  "error: TESTNET main: liquidation. The exchange has placed an order: sell 40 BTC-PERPETUAL @ 17\u202F000.";

/** The server closes a link that did not answer its heartbeats while the computer slept. */
async function wake(monotonic: "stops" | "runs", sleptMs: number): Promise<void> {
  const link = world.server.last;
  world.clock.sleep(sleptMs, monotonic);
  link.transport.close();
  await world.clock.advance(10_000);
  assert.equal(world.session.state.status, "ready");
}

describe("a liquidation while the link was not there is told once", () => {
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "rpc-alarms-")), "alarms");
    claimed.clear();
  });

  afterEach(() => {
    alarms.dispose();
    world.session.dispose();
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  for (const monotonic of ["stops", "runs"] as const) {
    test(`sleep of 20 s, the link survives (the monotonic clock ${monotonic})`, async () => {
      await begin();
      world.clock.sleep(20_000, monotonic);
      liquidate("a", true, 10_000);
      await world.clock.advance(10_000);
      assert.deepEqual(told, [LIQUIDATION]);
      assert.ok(!world.server.methods().includes(TRADES), "nothing was missed");
    });

    for (const [name, sleptMs] of [
      ["8 minutes", 8 * MINUTE_MS],
      ["12 hours", 12 * 60 * MINUTE_MS],
    ] as const)
      test(`sleep of ${name} (the monotonic clock ${monotonic})`, async () => {
        await begin();
        const asleep = wake(monotonic, sleptMs);
        // Just after the computer fell asleep.
        liquidate("a", false, sleptMs - 1000);
        await asleep;
        assert.deepEqual(told, [LIQUIDATION]);
      });
  }

  test("texts that lay waiting during the sleep prove nothing of it", async () => {
    await begin();
    const link = world.server.last;
    world.clock.sleep(12 * 60 * MINUTE_MS);
    link.event("user.orders.any.any.raw", "[]");
    liquidate("a", false, 11 * 60 * MINUTE_MS);
    await world.clock.settle();
    link.transport.close();
    await world.clock.advance(10_000);
    assert.deepEqual(told, [LIQUIDATION]);
  });

  test("a flap", async () => {
    await begin();
    liquidate("a", true);
    for (const id of ["b", "c"]) {
      world.server.last.transport.close();
      liquidate(id, false);
      await world.clock.advance(10_000);
    }
    assert.deepEqual(told, [LIQUIDATION, LIQUIDATION, LIQUIDATION]);
  });

  test("a link that goes silent", async () => {
    await begin();
    const link = world.server.last;
    world.server.on("public/test", ({ connection }) =>
      connection === link ? "silence" : { result: { version: "1.2.26" } },
    );
    liquidate("a", false);
    await world.clock.advance(MINUTE_MS);
    assert.notEqual(world.server.last, link);
    assert.deepEqual(told, [LIQUIDATION]);
  });

  test("a refused read: the gap is told", async () => {
    await begin();
    world.server.on(TRADES, () => ({ error: { code: -32_601, message: "Method not found" } }));
    const asleep = wake("stops", 8 * MINUTE_MS);
    liquidate("a", false, MINUTE_MS);
    await asleep;
    await world.clock.advance(5 * MINUTE_MS);
    assert.deepEqual(told, [
      "warning: TESTNET main: alarms have a gap from 13:08:59 to 13:18:00 (liquidation), because the trades of that time can't be read. The exchange returned error -32601: Method not found. Unknown method name. This server may not support the method, or its name is misspelled.",
    ]);
  });

  test("a clock that is 10 minutes slow, and one that is fast", async () => {
    for (const skewMs of [10 * MINUTE_MS, -10 * MINUTE_MS]) {
      claimed.clear();
      await begin(skewMs);
      world.server.last.transport.close();
      liquidate("a", false);
      await world.clock.advance(10_000);
      assert.deepEqual(told, [LIQUIDATION]);
      if (skewMs > 0) {
        alarms.dispose();
        world.session.dispose();
      }
    }
  });
});
