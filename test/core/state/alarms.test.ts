import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { AlarmLimits } from "../../../src/state/alarmRules.ts";
import { AlarmWatch } from "../../../src/state/alarms.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { exchangeFailure } from "../actions/fakeSession.ts";
import { createAlarmSession, LOST, Refusal, type AlarmSession } from "./alarmSession.ts";
import { IDENTITY, ready } from "./fakeStoreSession.ts";

const MINUTE_MS = 60_000;
const START_MS = createFakeClock().now();
const TRADES = "private/get_user_trades_by_currency";

let clock: FakeClock;
let fake: AlarmSession;
let watch: AlarmWatch;
let limits: AlarmLimits;
/** What was reported, in order. */
let told: string[];
/** How far the exchange's clock is ahead of ours, in ms. */
let exchangeAheadMs: number;

function start(): void {
  watch = new AlarmWatch({
    session: fake.session,
    clock,
    log: silentLog,
    limits: () => limits,
    instrumentOf: async (name) =>
      await Promise.resolve({
        ...{ name, id: 1, kind: "future", isActive: true, expiresAtMs: undefined },
        steps: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
        currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
      }),
  });
  watch.onDidRaise(({ key }) => told.push(key));
  watch.onDidClear((key) => told.push(`${key} is over`));
  watch.onDidMiss(({ families, failure, span }) =>
    told.push(
      `missed ${families.join(" ")}: ${failure.kind}${span === undefined ? "" : ` ${(span.fromMs - START_MS) / 1000}–${(span.toMs - START_MS) / 1000} s`}`,
    ),
  );
}

const LIQUIDATED = { trades: [{ trade_id: "t", order_id: "o", order_type: "liquidation" }], has_more: false };

async function openWithBtc(): Promise<void> {
  fake.results.set("private/get_account_summaries", { summaries: [margin(1)] });
  fake.open(1);
  await clock.settle();
}

function tradeCalls(): string[] {
  return fake.calls.filter((each) => each.startsWith(TRADES));
}

function margin(share: number): object {
  return { currency: "BTC", maintenance_margin: share, margin_balance: 100 };
}

describe("the watch for alarms", () => {
  beforeEach(() => {
    clock = createFakeClock();
    fake = createAlarmSession();
    fake.results.set("public/get_time", () => clock.now() + exchangeAheadMs);
    exchangeAheadMs = 0;
    limits = { marginShare: 0.8, fillUsd: undefined };
    told = [];
    start();
  });

  afterEach(() => {
    watch.dispose();
    assert.equal(clock.pendingTimers, 0, "a watch that is gone waits for nothing");
  });

  describe("what lasts", () => {
    test("a margin share that swings around its limit is one alarm, over 5 points below it", async () => {
      fake.open(1);
      await clock.settle();
      for (const share of [70, 81, 79, 82, 76, 85]) fake.push("user.portfolio.any", margin(share));
      assert.deepEqual(
        told.filter((each) => each.startsWith("margin")),
        ["margin BTC is over", "margin BTC"],
      );
      fake.push("user.portfolio.any", margin(75));
      fake.push("user.portfolio.any", margin(90));
      assert.deepEqual(told.slice(-2), ["margin BTC is over", "margin BTC"]);
    });

    test("what was there before is read when the connection opens, and not told again after a reconnect", async () => {
      fake.results.set("private/get_user_locks", [{ currency: "BTC", locked: true }]);
      fake.results.set("private/get_account_summaries", { summaries: [margin(95)] });
      fake.results.set("public/status", { locked: "partial", locked_indices: ["sol_usdc"] });
      fake.open(1);
      await clock.settle();
      const first = told.filter((each) => !each.endsWith("over"));
      assert.deepEqual(first.toSorted(), ["lock BTC", "margin BTC", "platform sol_usdc"]);
      const before = told.length;
      fake.setState(LOST);
      fake.open(2);
      await clock.settle();
      assert.deepEqual(told.slice(before), []);
    });

    test("another account begins anew", async () => {
      fake.results.set("private/get_user_locks", [{ currency: "BTC", locked: true }]);
      fake.open(1);
      await clock.settle();
      fake.setState({ ...LOST, isOtherSubject: true });
      fake.open(2);
      await clock.settle();
      assert.equal(told.filter((each) => each === "lock BTC").length, 2);
    });

    test("after a lock of everything, the locks of single currencies are not told as well", async () => {
      fake.open(1);
      await clock.settle();
      fake.push("user.lock", { currency: "ALL", locked: true });
      fake.push("user.lock", { currency: "BTC", locked: true });
      assert.deepEqual(told.slice(-1), ["lock ALL"]);
    });
  });

  describe("events", () => {
    test("liquidations come from trades and from orders", async () => {
      fake.open(1);
      await clock.settle();
      fake.push("user.trades.any.any.raw", [{ trade_id: "t", order_id: "o", liquidity: "T", liquidation: "T" }]);
      fake.push("user.orders.any.any.raw", { order_id: "o", is_liquidation: true });
      assert.deepEqual(told.slice(-2), ["liquidation o", "liquidation o"]);
    });

    test("fills are told only with a limit, from it on", async () => {
      fake.open(1);
      await clock.settle();
      const fill = { trade_id: "t", instrument_name: "BTC-PERPETUAL", amount: 500 };
      fake.push("user.trades.any.any.raw", [fill]);
      limits = { ...limits, fillUsd: 500 };
      fake.push("user.trades.any.any.raw", [fill, { ...fill, trade_id: "u", amount: 499 }]);
      await clock.settle();
      assert.deepEqual(
        told.filter((each) => each.startsWith("fill")),
        ["fill t"],
      );
    });

    test("trades of an outage are read afterwards, in the currencies that the account uses", async () => {
      fake.results.set("private/get_account_summaries", {
        summaries: [margin(1), { currency: "ETH", margin_balance: 0 }],
      });
      fake.open(1);
      await clock.settle();
      await clock.advance(10 * MINUTE_MS);
      fake.setState(LOST);
      const lostAtMs = clock.now();
      await clock.advance(5000);
      fake.results.set(TRADES, { trades: [{ trade_id: "t", order_id: "o", order_type: "liquidation" }] });
      fake.open(2);
      await clock.settle();
      assert.equal(tradeCalls().length, 1);
      assert.match(
        tradeCalls()[0] ?? "",
        new RegExp(
          `"currency":"BTC","historical":false,"start_timestamp":${lostAtMs - MINUTE_MS},"end_timestamp":${clock.now()},`,
        ),
      );
      assert.deepEqual(told.slice(-1), ["liquidation o"]);
    });

    test("they are read from the last sign of life on, by the exchange's clock, once trades are pushed again", async () => {
      await openWithBtc();
      await clock.advance(10 * MINUTE_MS);
      exchangeAheadMs = 7 * MINUTE_MS;
      const aliveAt = { atMs: clock.now(), monotonicMs: clock.monotonicMs() };
      clock.sleep(8 * MINUTE_MS);
      fake.setState({ ...LOST, aliveAt });
      fake.setState(ready(2));
      await clock.settle();
      assert.deepEqual(tradeCalls(), [], "what comes before the channel is accepted would be missed");
      fake.open(2);
      await clock.settle();
      assert.match(
        tradeCalls()[0] ?? "",
        new RegExp(
          `"start_timestamp":${aliveAt.atMs + exchangeAheadMs - MINUTE_MS},"end_timestamp":${clock.now() + exchangeAheadMs},`,
        ),
      );
    });

    test("what could not be read is read over the next link, from the same moment on", async () => {
      await openWithBtc();
      await clock.advance(10 * MINUTE_MS);
      fake.setState(LOST);
      const lostAtMs = clock.now();
      fake.results.set(TRADES, new Refusal({ kind: "timeout", timeoutMs: 10_000 }));
      fake.open(2);
      await clock.advance(1000);
      fake.setState(LOST);
      await clock.advance(20_000);
      fake.results.set(TRADES, LIQUIDATED);
      told = [];
      fake.open(3);
      await clock.settle();
      assert.match(tradeCalls().at(-1) ?? "", new RegExp(`"start_timestamp":${lostAtMs - MINUTE_MS},`));
      assert.deepEqual(told, ["liquidation o"]);
      fake.setState(LOST);
      fake.open(4);
      await clock.settle();
      assert.doesNotMatch(tradeCalls().at(-1) ?? "", new RegExp(`"start_timestamp":${lostAtMs - MINUTE_MS},`));
    });

    test("a reading that fails for a minute is told once, and goes on; one that is refused is told at once", async () => {
      await openWithBtc();
      await clock.advance(10 * MINUTE_MS);
      fake.setState(LOST);
      fake.results.set(TRADES, new Refusal({ kind: "timeout", timeoutMs: 10_000 }));
      told = [];
      fake.open(2);
      await clock.advance(3 * MINUTE_MS);
      assert.deepEqual(told, ["missed liquidation: timeout 540–660 s"]);
      fake.results.set(TRADES, LIQUIDATED);
      await clock.advance(MINUTE_MS);
      assert.deepEqual(told.slice(1), ["liquidation o"]);
      fake.setState(LOST);
      fake.results.set(TRADES, new Refusal(exchangeFailure(-32_601, "Method not found")));
      fake.open(3);
      await clock.advance(3 * MINUTE_MS);
      assert.deepEqual(told.slice(2), ["missed liquidation: exchange 780–840 s"]);
    });

    test("without the account's summaries, every settlement currency is read; after a day, old trades too", async () => {
      fake.results.set("private/get_account_summaries", new Refusal(exchangeFailure(13_021, "forbidden")));
      fake.open(1);
      await clock.advance(25 * 60 * MINUTE_MS);
      const aliveAt = { atMs: START_MS + MINUTE_MS, monotonicMs: MINUTE_MS };
      fake.setState({ ...LOST, aliveAt });
      fake.open(2);
      await clock.settle();
      assert.deepEqual(
        tradeCalls().map((each) => /"currency":"(\w+)","historical":(\w+)/.exec(each)?.slice(1).join(" ")),
        ["BTC", "ETH", "USDC", "USDT", "EURR"].flatMap((currency) => [`${currency} true`, `${currency} false`]),
      );
    });

    test("trades that the server refuses to push are read every 30 s, and are not missed", async () => {
      fake.refused.add("user.trades.any.any.raw");
      await openWithBtc();
      await clock.advance(MINUTE_MS);
      fake.results.set(TRADES, LIQUIDATED);
      await clock.advance(MINUTE_MS);
      assert.ok(told.includes("liquidation o"));
      assert.ok(!told.some((each) => each.startsWith("missed")), told.join());
    });

    test("more trades of an outage than a page are read on; where that leads nowhere, the rest is told", async () => {
      await openWithBtc();
      fake.setState(LOST);
      await clock.advance(5000);
      const atMs = clock.now() - 1000;
      fake.results.set(TRADES, { trades: [{ trade_id: "t", order_id: "o", timestamp: atMs }], has_more: true });
      told = [];
      fake.open(2);
      await clock.settle();
      assert.equal(tradeCalls().length, 2);
      assert.match(tradeCalls()[1] ?? "", /"end_id":"t"/);
      assert.deepEqual(told, ["missed liquidation: refused 0–4 s"]);
    });

    test("more trades in one millisecond than a page are read by their IDs", async () => {
      await openWithBtc();
      fake.setState(LOST);
      await clock.advance(5000);
      const all = Array.from({ length: 2500 }, (_, index) => ({
        ...{
          trade_id: `BTC-${index}`,
          order_id: `o${index}`,
          order_type: "liquidation",
          timestamp: clock.now() - 1000,
        },
      })).reverse();
      fake.results.set(TRADES, ({ end_id: endId }: { readonly end_id?: string }) => {
        const rest = endId === undefined ? all : all.slice(all.findIndex(({ trade_id: id }) => id === endId));
        return { trades: rest.slice(0, 1000), has_more: rest.length > 1000 };
      });
      told = [];
      fake.open(2);
      await clock.settle();
      assert.equal(new Set(told).size, 2500);
      assert.ok(!told.some((each) => each.startsWith("missed")));
    });
  });

  describe("what cannot be evaluated", () => {
    const ALL = "liquidation mmp lock margin platform";

    test("an outage is told once after a minute, and again only after the connection was there", async () => {
      fake.open(1);
      await clock.settle();
      told = [];
      fake.setState(LOST);
      await clock.advance(MINUTE_MS - 1);
      assert.deepEqual(told, []);
      await clock.advance(1);
      assert.deepEqual(told, [`missed ${ALL}: connectionLost`]);
      await clock.advance(60 * MINUTE_MS);
      fake.setState({ ...LOST, retryAtMs: 1 });
      await clock.advance(60 * MINUTE_MS);
      assert.equal(told.length, 1);
      fake.open(2);
      await clock.settle();
      fake.setState(LOST);
      await clock.advance(MINUTE_MS);
      assert.equal(told.length, 2);
    });

    test("a connection that the user closed misses nothing; one that was closed as idle does", async () => {
      fake.open(1);
      await clock.settle();
      told = [];
      fake.setState({ status: "off" });
      await clock.advance(2 * MINUTE_MS);
      assert.deepEqual(told, []);
      fake.open(2);
      await clock.settle();
      fake.setState({ status: "off", reason: "idle" });
      await clock.advance(2 * MINUTE_MS);
      assert.deepEqual(told, [`missed ${ALL}: notConnected`]);
    });

    test("a missing scope is told once, whatever happens to the link", async () => {
      fake.refused.add("user.lock").add("user.portfolio.any");
      const state = (generation: number): ReturnType<typeof ready> =>
        ready(generation, { ...IDENTITY, scope: "trade:read" });
      fake.open(1, state(1));
      await clock.advance(2 * MINUTE_MS);
      assert.deepEqual(
        told.filter((each) => each.startsWith("missed")),
        ["missed lock margin: missingScope"],
      );
      assert.ok(!fake.calls.some((each) => each.startsWith("private/")), "what the key may not read is not asked for");
      fake.setState(LOST);
      fake.open(2, state(2));
      await clock.advance(5 * MINUTE_MS);
      assert.equal(told.filter((each) => each.startsWith("missed")).length, 1);
    });

    test("what is not pushed is read every 30 s, and then is not missed", async () => {
      fake.refused.add("user.portfolio.any");
      fake.open(1);
      await clock.advance(MINUTE_MS);
      fake.results.set("private/get_account_summaries", { summaries: [margin(90)] });
      await clock.advance(MINUTE_MS / 2);
      assert.ok(told.includes("margin BTC"));
      assert.ok(!told.some((each) => each.startsWith("missed")));
    });

    test("a reading that fails for a minute is missed", async () => {
      fake.refused.add("user.portfolio.any");
      fake.results.set("private/get_account_summaries", new Refusal(exchangeFailure(13_888, "timed_out")));
      fake.open(1);
      await clock.advance(2 * MINUTE_MS);
      assert.deepEqual(
        told.filter((each) => each.startsWith("missed")),
        ["missed margin: exchange"],
      );
    });

    test("without a key only the platform is watched", async () => {
      for (const channel of ["user.lock", "user.portfolio.any", "user.trades.any.any.raw", "platform_state"])
        fake.refused.add(channel);
      fake.results.set("public/status", new Refusal(exchangeFailure(-32_601, "Method not found")));
      fake.open(1, ready(1, { ...IDENTITY, authentication: "none", scope: "" }));
      await clock.advance(5 * MINUTE_MS);
      assert.deepEqual(told, ["missed platform: exchange"]);
    });
  });
});
