import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createListing } from "../../../../src/simulator/market/listing.ts";
import { describeAccount } from "../../../../src/simulator/wire/accountFile.ts";
import type { DescribedOrder } from "../../../../src/simulator/wire/control.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { rounds } from "../../../rounds.mjs";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

/* The default world while nothing is sent: what the demo does to the account, and that an account of a file is left alone. */

const SEEDS = Array.from({ length: rounds({ short: 1, full: 2, long: 20 }) }, (_, index) => index + 1);
const MINUTES = rounds({ short: 5, full: 20, long: 60 });
const MINUTE_MS = 60_000;

interface Held {
  readonly instrument_name: string;
  readonly size: number;
}

interface Summary {
  readonly currency: string;
  readonly equity: number;
  readonly balance: number;
  readonly available_funds: number;
}

/** Reads as a session of its own does: the first one would be closed for its silence. */
async function read<T>(situation: Situation, method: string, params: Record<string, unknown> = {}): Promise<T> {
  const client: Conversation = situation.connect();
  await client.signIn();
  const result = await client.result<T>(method, params);
  client.close();
  return result;
}

async function summaries(situation: Situation): Promise<readonly Summary[]> {
  return (await read<{ summaries: Summary[] }>(situation, "private/get_account_summaries")).summaries;
}

async function positions(situation: Situation): Promise<Held[]> {
  return (await read<Held[]>(situation, "private/get_positions")).filter(({ size }) => size !== 0);
}

/** The equity in each currency is within 20 % of what it was. */
function assertEquityIsNear(before: readonly Summary[], after: readonly Summary[]): void {
  for (const [at, { currency, equity }] of after.entries()) {
    const change = equity - (before[at]?.equity ?? 0);
    assert.ok(Math.abs(change) <= 0.2 * (before[at]?.equity ?? 0), `${currency}: ${change}`);
  }
}

/** Each fill is at the order's price or a better one. An edit can move the price away from what was filled before. */
function assertPricesAreKept(orders: readonly DescribedOrder[]): void {
  for (const {
    order_id: id,
    direction,
    price,
    average_price: average = 0,
    filled_amount: filled,
    replaced,
  } of orders) {
    if ((filled ?? 0) === 0 || typeof price !== "number" || replaced === true) continue;
    const worseBy = direction === "buy" ? average - price : price - average;
    assert.ok(worseBy <= 1e-9, id);
  }
}

for (const seed of SEEDS)
  test(`seed ${seed}: the demo stays within its funds, its instruments, and the touch`, async () => {
    const situation = createSituation({ account: undefined, still: false, seed });
    const { clock, exchange } = situation;
    const before = await summaries(situation);
    for (let minute = 0; minute < MINUTES; minute++) {
      await clock.advance(MINUTE_MS);
      if (minute % 10 !== 0) continue;
      assert.ok((await positions(situation)).length <= 12);
      for (const { currency, available_funds: funds } of await summaries(situation)) assert.ok(funds >= 0, currency);
    }
    assertEquityIsNear(before, await summaries(situation));
    const orders = [...exchange.control.openOrders(), ...exchange.control.closedOrders()];
    assert.deepEqual([...new Set(orders.map(({ label }) => label))], ["demo"]);
    const states = new Set(orders.map(({ order_state: state }) => state));
    for (const state of ["open", "filled", "cancelled"]) assert.ok(states.has(state), state);
    assertPricesAreKept(orders);
    exchange.dispose();
  });

describe("with an account of a file", () => {
  const account = describeAccount(
    {
      balances: { BTC: 2, ETH: 10, USDC: 20_000 },
      positions: [
        { instrument_name: "BTC-PERPETUAL", size: 40_000, average_price: 90_000 },
        { instrument_name: "ETH-PERPETUAL", size: -5000, average_price: 2000 },
      ],
    },
    createListing(createFakeClock().now()).instruments,
  );

  test("nothing is placed and nothing trades; but for funding the account is unchanged", async () => {
    const situation = createSituation({ account, orders: undefined, still: false, seed: 1 });
    const [held, before] = [await positions(situation), await summaries(situation)];
    await situation.clock.advance(MINUTES * MINUTE_MS);
    assert.deepEqual(
      (await positions(situation)).map(({ instrument_name: name, size }) => [name, size]),
      held.map(({ instrument_name: name, size }) => [name, size]),
    );
    assert.deepEqual(
      (await summaries(situation)).map(({ currency, balance }) => [currency, balance]),
      before.map(({ currency, balance }) => [currency, balance]),
    );
    const { control } = situation.exchange;
    assert.deepEqual([control.openOrders(), control.closedOrders(), control.blockTrades()], [[], [], []]);
    situation.exchange.dispose();
  });
});

describe("the demo", () => {
  test("is switched off and on while the market goes on", async () => {
    const situation = createSituation({ account: undefined, still: false, seed: 1 });
    const { control } = situation.exchange;
    const lastUpdate = (): number =>
      Math.max(...[...control.openOrders(), ...control.closedOrders()].map(({ creation_timestamp: at }) => Number(at)));
    control.setDemo({ isOn: false });
    const stoppedAt = situation.clock.now();
    await situation.clock.advance(5 * MINUTE_MS);
    assert.ok(lastUpdate() <= stoppedAt);
    assert.deepEqual(control.blockTrades(), []);
    control.setDemo({ isOn: true });
    await situation.clock.advance(MINUTE_MS);
    assert.ok(lastUpdate() > stoppedAt);
    situation.exchange.dispose();
  });

  test("a stop fires only when its trigger price went there", async () => {
    const situation = createSituation({ account: undefined, still: false, seed: 2 });
    const { clock, exchange } = situation;
    const name = "BTC-PERPETUAL";
    const { mark_price: mark } = await read<{ mark_price: number }>(situation, "public/ticker", {
      instrument_name: name,
    });
    const stop = (trigger: "last_price" | "mark_price", factor: number): string =>
      exchange.control.place({
        ...{ instrument_name: name, direction: "sell", amount: 10, type: "stop_market", trigger },
        trigger_price: Math.round(mark * factor * 2) / 2,
      }).order_id;
    const ids = (["last_price", "mark_price"] as const).flatMap((trigger) => [
      stop(trigger, 0.9995),
      stop(trigger, 0.98),
    ]);
    let [lowestMark, lowestTrade] = [mark, mark];
    for (let second = 0; second < MINUTES * 60; second++) {
      await clock.advance(1000);
      const { trades } = await read<{ trades: { price: number }[] }>(
        situation,
        "public/get_last_trades_by_instrument",
        {
          ...{ instrument_name: name, count: 100, start_timestamp: clock.now() - 1000 },
        },
      );
      const ticker = await read<{ mark_price: number }>(situation, "public/ticker", { instrument_name: name });
      lowestMark = Math.min(lowestMark, ticker.mark_price);
      lowestTrade = Math.min(lowestTrade, ...trades.map(({ price }) => price));
      const states = ids.map((id) => exchange.control.order(id)?.order_state === "triggered");
      const [last, farLast, atMark, farMark] = states;
      assert.equal(farLast, lowestTrade <= Math.round(mark * 0.98 * 2) / 2);
      assert.equal(farMark, lowestMark <= Math.round(mark * 0.98 * 2) / 2);
      if (last === true) assert.ok(lowestTrade <= Math.round(mark * 0.9995 * 2) / 2);
      if (atMark === true) assert.ok(lowestMark <= Math.round(mark * 0.9995 * 2) / 2 + 0.25);
      if (last === true && atMark === true) break;
    }
    exchange.dispose();
  });
});
