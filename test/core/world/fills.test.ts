import assert from "node:assert/strict";
import { createFillsStore } from "../../../src/state/fills.ts";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { dayText, fillNodes, fillsRemark } from "../../../src/present/fills/fills.ts";
import type { RowNode } from "../../../src/present/rows/nodes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { dayOf, dayStartMs } from "../../../src/state/dayResult.ts";
import { asPlain } from "../../asPlain.ts";
import { createExchange } from "../../../src/simulator/wire/exchange.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { connectTo, createWorld, type World, type WorldOptions } from "../../world.ts";

/* The account's own trades against the simulator: the view and the transaction log say the same. */

const times = createTimes(0);
const MINUTE_MS = 60_000;

async function open(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  world.live.storeOf(createFillsStore).setVisible(true);
  await world.clock.advance(2000);
  return world;
}

/** A world that begins two minutes before the exchange's day does. */
async function openBeforeDay(): Promise<Pick<World, "live" | "clock" | "exchange">> {
  const clock = createFakeClock(Date.UTC(2026, 10, 20, 7, 58));
  const exchange = createExchange({ random: createFakeRandom(7), still: true, limits: false, clock });
  const { clientId, clientSecret } = exchange;
  const world = connectTo({ clock, server: exchange, key: { kind: "client_signature", clientId, clientSecret } });
  await world.connect();
  return { ...world, exchange };
}

/** Sends a request as a file would, and returns its result. */
async function send(world: Pick<World, "live" | "clock">, method: string, params: object): Promise<unknown> {
  const intent: Intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Send`, target: asPlain(method), detail: [], keep: plain`Cancel` },
    origin: "requestFile",
  };
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(500);
  const outcome = await submitted;
  if (outcome.kind !== "confirmed") throw new Error(JSON.stringify(outcome));
  return outcome.response.result;
}

async function trade(
  world: Pick<World, "live" | "clock">,
  side: "buy" | "sell",
  instrument: string,
  amount: number,
): Promise<void> {
  await send(world, `private/${side}`, { instrument_name: instrument, amount, type: "market" });
}

interface LogEntry {
  readonly type: string;
  readonly timestamp: number;
  readonly order_id: string | null;
  readonly commission: number;
  readonly cashflow: number;
  readonly change: number;
  readonly profit_as_cashflow?: boolean;
  readonly total_interest_pl?: number;
  readonly session_rpl?: number;
  readonly session_upl?: number;
}

/** The log of a currency since 08:00 UTC, by a request of its own. */
async function logOf(world: Pick<World, "live" | "clock">, currency: string): Promise<readonly LogEntry[]> {
  const nowMs = world.clock.now();
  const { logs } = (await send(world, "private/get_transaction_log", {
    ...{ currency, start_timestamp: dayStartMs(nowMs), end_timestamp: nowMs + 1000, count: 250 },
  })) as { readonly logs: readonly LogEntry[] };
  return logs;
}

const rows = ({ live }: World): readonly RowNode[] => fillNodes(live.storeOf(createFillsStore), times);
const lineOf = ({ label, description }: RowNode): string => `${label} | ${description}`;

/** A sum in units of 1e-8, so that it is exact. */
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + Math.round(each * 1e8), 0);

describe("fills", () => {
  test("a trade is in the view at once, below its order, with its role and its fee", async () => {
    const world = await open();
    assert.deepEqual(rows(world).map(lineOf), []);
    const reads = world.frames("private/get_user_trades_by_currency").length;
    await trade(world, "buy", "ETH-PERPETUAL", 50);
    const resting = world.exchange.control.place({
      ...{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 100, price: 92_000, label: "mine" },
    });
    world.exchange.control.fill(resting.order_id, 40);
    world.exchange.control.fill(resting.order_id, 60);
    await world.clock.advance(100);
    assert.deepEqual(rows(world).map(lineOf), [
      "Today | not read, use Refresh Fills",
      "BTC-PERP buy 100 @ 92\u202F000 | 12:00:03 · maker · fee 0 BTC",
      "ETH-PERP buy 50 @ 2104.7 | 12:00:03 · taker · fee 0.00001188 ETH",
    ]);
    assert.deepEqual(
      rows(world).map(({ spoken, contextValue }) => [contextValue, spoken]),
      [
        ["fills.unreadDay", "Today: not read yet. Refresh Fills reads the transaction log."],
        [
          "fill.order",
          "Fill BTC-PERPETUAL buy 100 @ 92\u202F000: 12:00:03, maker, 2 trades, fee 0 BTC, label mine, order 81230000215",
        ],
        ["fill.order", "Fill ETH-PERPETUAL buy 50 @ 2104.7: 12:00:03, taker, fee 0.00001188 ETH, order ETH-349088"],
      ],
    );
    assert.deepEqual((rows(world)[1]?.below?.() ?? []).map(lineOf), [
      "buy 60 @ 92\u202F000 | 12:00:03 · maker · fee 0 BTC",
      "buy 40 @ 92\u202F000 | 12:00:03 · maker · fee 0 BTC",
    ]);
    assert.equal(world.frames("private/get_user_trades_by_currency").length, reads);
    world.live.dispose();
  });

  test("a fresh reading says the same as what was pushed", async () => {
    const world = await open();
    await trade(world, "buy", "ETH-PERPETUAL", 50);
    await trade(world, "sell", "BTC-26MAR27-96000-C", 0.5);
    const pushed = rows(world).slice(1).map(lineOf);
    assert.equal(pushed.length, 2);
    const reading = world.live.storeOf(createFillsStore).refresh();
    await world.clock.advance(10_000);
    await reading;
    assert.deepEqual(
      rows(world)
        .map(lineOf)
        .filter((line) => !line.startsWith("Today")),
      pushed,
    );
    world.live.dispose();
  });

  test("the result of the day is what the transaction log says since 08:00 UTC, and each of its trades is a fill", async () => {
    const world = await openBeforeDay();
    const fills = world.live.storeOf(createFillsStore);
    fills.setVisible(true);
    await trade(world, "buy", "ETH-PERPETUAL", 700);
    // A market that stands still has no settlement.
    await world.clock.advance(MINUTE_MS + 50_000);
    world.exchange.control.setStill(false);
    await world.clock.advance(20_000);
    world.exchange.control.setStill(true);
    await trade(world, "sell", "ETH-PERPETUAL", 30_000);
    await trade(world, "buy", "ETH-PERPETUAL", 45_000);
    await trade(world, "sell", "BTC-26MAR27-96000-C", 0.5);
    const reading = fills.refresh();
    await world.clock.advance(10_000);
    await reading;
    const { currencies = [] } = fills.day ?? {};
    assert.deepEqual(
      currencies.map(({ currency }) => currency),
      ["BTC", "ETH", "USDC"],
    );
    for (const { currency, realized, fees, funding, settled } of currencies) {
      const log = await logOf(world, currency);
      const trades = log.filter(({ type }) => type === "trade");
      const settlements = log.filter(({ type }) => type === "settlement");
      const futures = trades.filter(({ profit_as_cashflow: isProfit }) => isProfit === true);
      const premiums = trades.filter((entry) => !futures.includes(entry)).map(({ cashflow }) => cashflow);
      assert.ok(settlements.length > 0, currency);
      assert.equal(sum([Number(realized)]), sum(futures.map(({ cashflow }) => cashflow)));
      assert.equal(sum([Number(fees)]), sum(trades.map(({ commission }) => commission)));
      assert.equal(sum([Number(funding)]), sum(settlements.map((each) => each.total_interest_pl ?? 0)));
      assert.equal(
        sum([Number(settled)]),
        sum(settlements.flatMap((each) => [each.session_rpl ?? 0, each.session_upl ?? 0])),
      );
      // The cash changed by exactly this: what was paid out, premiums, and fees. Realized profit waits for settlement.
      assert.equal(sum(log.map(({ change }) => change)), sum([Number(settled), ...premiums]) - sum([Number(fees)]));
      for (const id of new Set(trades.map(({ order_id: orderId }) => orderId))) {
        const own = [...fills.snapshot.items.values()].filter((each) => each.order_id === id);
        const booked = trades.filter((each) => each.order_id === id);
        assert.equal(own.length, booked.length, id ?? "");
        assert.equal(sum(own.map(({ fee = NaN }) => fee)), sum(booked.map(({ commission }) => commission)));
      }
    }
    const eth = currencies.find(({ currency }) => currency === "ETH");
    assert.ok(Number(eth?.realized) !== 0 && Number(eth?.fees) > 0 && Number(eth?.settled) !== 0);
    world.live.dispose();
  });

  test("the transaction log is read on refresh alone, one currency a second", async () => {
    const world = await open();
    const reads = (): number => world.frames("private/get_transaction_log").length;
    await trade(world, "buy", "ETH-PERPETUAL", 50);
    world.exchange.control.disconnectAll();
    await world.clock.advance(5 * MINUTE_MS);
    assert.equal(world.live.storeOf(createFillsStore).snapshot.status, "live");
    assert.equal(reads(), 0);
    assert.equal(dayText(world.live.storeOf(createFillsStore), times), "");
    assert.equal(lineOf(rows(world)[0] ?? assert.fail("no row")), "Today | not read, use Refresh Fills");
    const reading = world.live.storeOf(createFillsStore).refresh();
    await world.clock.advance(1500);
    assert.equal(reads(), 2);
    await world.clock.advance(10_000);
    await reading;
    assert.equal(reads(), 5);
    assert.equal(
      dayText(world.live.storeOf(createFillsStore), times),
      "today ETH +0.0004066, fees 0.00001188, funding 0 (as of 12:05)",
    );
    world.live.dispose();
  });

  test("without the scope of the transaction log, the trades are shown and the result is not", async () => {
    const world = await open({ maxScope: "account:none trade:read" });
    const reading = world.live.storeOf(createFillsStore).refresh();
    await world.clock.advance(10_000);
    await reading;
    assert.equal(world.live.storeOf(createFillsStore).snapshot.status, "live");
    assert.equal(dayText(world.live.storeOf(createFillsStore), times), "");
    assert.match(fillsRemark(world.live.storeOf(createFillsStore)), /^The result of the day couldn't be read\. /);
    world.live.dispose();
  });
});

describe("the result of a day", () => {
  test("begins at the last 08:00 UTC", () => {
    const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 10, day, hour, minute);
    assert.equal(dayStartMs(at(20, 8)), at(20, 8));
    assert.equal(dayStartMs(at(20, 7, 59)), at(19, 8));
    assert.equal(dayStartMs(at(20, 23, 59)), at(20, 8));
  });

  test("of the settlement in the documentation: its funding, and what it paid out", () => {
    const settlement = {
      ...{ type: "settlement", total_interest_pl: 0.00001243, session_upl: 0.00220172, session_rpl: -0.00004467 },
      ...{ interest_pl: 0.00000993, commission: null, change: 0.00215706, cashflow: 0.00215706 },
    };
    assert.deepEqual(dayOf("BTC", [settlement, { type: "transfer", change: -2.5, cashflow: -2.5 }]), {
      ...{ currency: "BTC", realized: "0", fees: "0", funding: "0.00001243", settled: "0.00215706" },
    });
    assert.equal(dayOf("BTC", [{ type: "transfer", change: -2.5 }]), undefined);
  });
});
