import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createEmitter, type Disposable, type Emitter } from "../../../../src/base/emitter.ts";
import { silentLog } from "../../../../src/base/log.ts";
import type { AlarmSettings } from "../../../../src/state/alarmRules.ts";
import type { MmpFreeze } from "../../../../src/state/mmpGroups.ts";
import { SIMULATOR_ID } from "../../../../src/state/records.ts";
import { createAlarmClaims, type AlarmClaims } from "../../../../src/ui/alarms/alarmClaims.ts";
import { createAlarms } from "../../../../src/ui/alarms/alarms.ts";
import { freezeNotice } from "../../../../src/present/mmp/freezeNotice.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { BERLIN } from "../../present/samples.ts";
import { createAlarmSession, LOST, type AlarmSession } from "../../state/alarmSession.ts";

/* Windows of one user on one computer, with the files in which they agree on who tells an alarm. */

interface AlarmWindow extends Disposable {
  readonly session: AlarmSession;
  readonly told: string[];
  readonly settings: { -readonly [Name in keyof AlarmSettings]: AlarmSettings[Name] };
  changeSettings(): void;
  /** Closes the connection. */
  close(): void;
  freeze(freeze: MmpFreeze): void;
}

let clock: FakeClock;
let folder: string;
let windows: AlarmWindow[];

function openWindow(id = "main"): AlarmWindow {
  const session = createAlarmSession();
  const freezes = createEmitter<MmpFreeze>();
  const settingChanges: Emitter<void> = createEmitter();
  const nothing = createEmitter<LiveConnection>();
  const closed = createEmitter<LiveConnection>();
  const told: string[] = [];
  const settings: AlarmWindow["settings"] = {
    ...{ isOn: true, fillUsd: undefined, marginShare: 0.8 },
    ...{ off: new Set(), leastFreezeMs: 10_000 },
  };
  const live = {
    record: { id, url: "wss://test.example/ws/api/v2", clientId: "key" },
    place: "TESTNET main",
    get state() {
      return session.session.state;
    },
    storeOf: () => ({ onDidFreeze: freezes.event, snapshot: { items: new Map() } }),
    instruments: { load: async () => await Promise.resolve({ items: [PERPETUAL] }) },
    followChannel: () => ({ dispose: () => undefined }),
    createStore: (create: (ports: object) => unknown) => create({ session: session.session, clock, log: silentLog }),
  } as unknown as LiveConnection;
  const alarms = createAlarms(
    {
      liveConnections: { all: [live], onDidOpen: nothing.event, onDidClose: closed.event },
      settings: { alarms: () => settings, onDidChange: settingChanges.event },
      dialogs: {
        tell: (level, text, actions = []) =>
          told.push(`${level}: ${text}${actions.map(({ title }) => ` [${title}]`).join("")}`),
      },
      freezeText: (freeze, place) => freezeNotice(freeze, place, BERLIN),
      times: BERLIN,
      isOwnSimulator: ({ record }) => record.id === SIMULATOR_ID,
      clock,
      log: silentLog,
      run: () => undefined,
      folder,
      onReset: () => undefined,
    },
    counted(createAlarmClaims({ folder, clock, log: silentLog })),
  );
  const window: AlarmWindow = {
    ...{ session, told, settings },
    changeSettings: () => settingChanges.fire(),
    close: () => closed.fire(live),
    freeze: (freeze) => freezes.fire(freeze),
    dispose: () => alarms.dispose(),
  };
  windows.push(window);
  return window;
}

/** The claims that the disk has not answered yet. */
let open = 0;

function counted(claims: AlarmClaims): AlarmClaims {
  const count = async <Result>(work: Promise<Result>): Promise<Result> => {
    open++;
    return await work.finally(() => open--);
  };
  return {
    claim: async (...args) => await count(claims.claim(...args)),
    release: async (...args) => await count(claims.release(...args)),
  };
}

/** Waits until the disk has answered every window. */
async function settle(): Promise<void> {
  do {
    await clock.settle();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    await clock.settle();
  } while (open > 0);
}

const PERPETUAL = {
  ...{ name: "BTC-PERPETUAL", id: 1, kind: "future", isActive: true, expiresAtMs: undefined },
  currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
};

const allTold = (): string[] => windows.flatMap(({ told }) => told);
const LIQUIDATION = {
  ...{ trade_id: "t", order_id: "o", order_type: "liquidation", instrument_name: "BTC-PERPETUAL" },
  ...{ direction: "sell", amount: 40, price: 17_000 },
};

describe("alarms in windows", () => {
  beforeEach(() => {
    clock = createFakeClock();
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "rpc-alarms-")), "alarms");
    windows = [];
  });

  afterEach(() => {
    for (const each of windows) each.dispose();
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  describe("two windows with one key", () => {
    test("one of them shows an alarm; after a reconnect and a restart no window shows it again", async () => {
      const [left, right] = [openWindow(), openWindow()];
      left.session.open(1);
      right.session.open(2);
      for (const { session } of [left, right]) session.push("user.trades.any.any.raw", [LIQUIDATION]);
      await settle();
      assert.deepEqual(allTold(), [
        "error: TESTNET main: liquidation. The exchange has placed an order: sell 40 BTC-PERPETUAL @ 17\u202F000. [Show Orders]",
      ]);
      left.session.setState(LOST);
      left.session.open(3);
      left.session.push("user.orders.any.any.raw", { order_id: "o", is_liquidation: true });
      const third = openWindow();
      third.session.open(4);
      third.session.push("user.trades.any.any.raw", [LIQUIDATION]);
      await settle();
      assert.equal(allTold().length, 1);
    });

    test("while the link of one is dead, the other one tells; the outage of both is told once", async () => {
      const [left, right] = [openWindow(), openWindow()];
      left.session.open(1);
      right.session.open(2);
      await settle();
      left.session.setState(LOST);
      right.session.push("user.lock", { currency: "ALL", locked: true });
      await settle();
      assert.deepEqual(right.told, ["error: TESTNET main: the exchange has locked the account. [Show Orders]"]);
      right.session.setState(LOST);
      await clock.advance(61_000);
      await settle();
      assert.equal(allTold().length, 2);
      assert.match(allTold().join("\n"), /alarms have not worked for a minute \(liquidation, MMP, account locks/);
    });

    test("a condition that is over and comes back is told again, once", async () => {
      const [left, right] = [openWindow(), openWindow()];
      left.session.open(1);
      right.session.open(2);
      for (const share of [90, 70, 90]) {
        for (const { session } of [left, right]) {
          session.push("user.portfolio.any", { currency: "BTC", maintenance_margin: share, margin_balance: 100 });
        }
        await settle();
      }
      const text =
        "error: TESTNET main: maintenance margin is 90\u202F% of the margin balance in BTC. The limit is 80\u202F%. [Show Orders]";
      assert.deepEqual(allTold(), [text, text]);
    });
  });

  test("an alarm that was claimed on the disk is told, also when the connection is closed in that moment", async () => {
    const window = openWindow();
    window.session.open(1);
    window.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    window.close();
    await settle();
    assert.match(window.told.join("\n"), /liquidation\. The exchange has placed an order/);
  });

  test("where the window closes in that moment, another one tells it", async () => {
    const [left, right] = [openWindow(), openWindow()];
    left.session.open(1);
    right.session.open(2);
    await settle();
    left.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    left.dispose();
    await settle();
    right.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    await settle();
    assert.equal(allTold().length, 1);
  });

  test("nothing on the disk names an account or an order", async () => {
    const window = openWindow();
    window.session.open(1);
    window.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    await settle();
    const [name = ""] = fs.readdirSync(folder);
    assert.match(name, /^[0-9a-f]{32}$/);
    assert.equal(fs.readFileSync(path.join(folder, name), "utf8"), String(clock.now()));
  });

  test("a disk that takes nothing keeps no alarm back", async () => {
    fs.writeFileSync(folder, "not a folder");
    const window = openWindow();
    window.session.open(1);
    window.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    await settle();
    assert.equal(window.told.length, 1);
  });

  test("the built-in simulator of each window is its own", async () => {
    for (const each of [openWindow(SIMULATOR_ID), openWindow(SIMULATOR_ID)]) {
      each.session.open(1);
      for (let count = 0; count < 2; count++) each.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    }
    await settle();
    assert.deepEqual(
      windows.map(({ told }) => told.length),
      [1, 1],
    );
    assert.equal(fs.existsSync(folder), false);
  });

  test("one setting turns all of them off", async () => {
    const window = openWindow();
    window.settings.isOn = false;
    window.changeSettings();
    window.session.open(1);
    window.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    window.freeze(FREEZE);
    await clock.advance(120_000);
    await settle();
    assert.deepEqual(window.told, []);
  });

  test("a freeze offers a reset", async () => {
    const window = openWindow();
    window.session.open(1);
    window.freeze(FREEZE);
    await settle();
    assert.deepEqual(window.told, [
      "warning: TESTNET main: MMP has frozen group g1 of btc_usd. The freeze lasts until it is reset. [Reset…] [Show MMP]",
    ]);
  });

  test("each kind has its setting; what is off is not told as missing either", async () => {
    const window = openWindow();
    window.settings.off = new Set(["mmp", "margin", "lock", "liquidation"]);
    window.session.open(1);
    window.freeze(FREEZE);
    window.session.push("user.lock", { currency: "ALL", locked: true });
    window.session.push("user.portfolio.any", { currency: "BTC", maintenance_margin: 90, margin_balance: 100 });
    window.session.push("user.trades.any.any.raw", [LIQUIDATION]);
    window.session.setState(LOST);
    await clock.advance(61_000);
    await settle();
    assert.equal(window.told.length, 1);
    assert.match(window.told[0] ?? "", /alarms have not worked for a minute \(platform locks\)/);
  });

  test("a freeze is told from the least duration on, and without an end always", async () => {
    const window = openWindow();
    window.session.open(1);
    const startMs = clock.now();
    for (const [group, seconds] of [
      ["short", 9],
      ["long", 10],
    ] as const)
      window.freeze({ ...FREEZE, mmp_group: group, heardAtMs: startMs, frozen_until: startMs + seconds * 1000 });
    window.freeze(FREEZE);
    window.freeze({ ...FREEZE, mmp_group: "unknown", frozen_until: undefined });
    await settle();
    assert.deepEqual(
      window.told.map((each) => /group (\w+)/.exec(each)?.[1]),
      ["long", "g1", "unknown"],
    );
  });

  test("on the built-in simulator, only the user's own orders raise alarms", async () => {
    const window = openWindow(SIMULATOR_ID);
    window.settings.fillUsd = 1;
    window.session.open(1);
    window.freeze(FREEZE);
    window.session.push("user.lock", { currency: "ALL", locked: true });
    window.session.push("user.portfolio.any", { currency: "BTC", maintenance_margin: 90, margin_balance: 100 });
    const fill = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 40, price: 17_000 };
    window.session.push("user.trades.any.any.raw", [
      { ...fill, trade_id: "own", order_id: "own" },
      { ...fill, trade_id: "bot", order_id: "bot", label: "demo" },
    ]);
    window.session.setState(LOST);
    await clock.advance(61_000);
    await settle();
    assert.deepEqual(window.told, [
      "warning: TESTNET main: filled buy 40 BTC-PERPETUAL @ 17\u202F000, about 40 USD. [Show Orders]",
    ]);
  });

  const FREEZE: MmpFreeze = {
    ...{ index_name: "btc_usd", mmp_group: "g1", block_rfq: false, frozen_until: 0 },
    ...{ heardAtMs: 0, isListed: false, received: {} },
  };
});
