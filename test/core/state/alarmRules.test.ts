import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  freezeAlarm,
  largeFill,
  liquidationOfTrade,
  liquidationsOfOrders,
  lockConditions,
  marginConditions,
  platformConditions,
  statusConditions,
  usdOfTrade,
  userTradesOf,
  type AlarmCondition,
} from "../../../src/state/alarmRules.ts";
import type { Instrument } from "../../../src/state/instruments.ts";
import { order } from "../present/samples.ts";

const TRADE = { trade_id: "t1", order_id: "o1", instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 40 };

function states(conditions: readonly AlarmCondition[]): string[] {
  return conditions.map(({ alarm, state }) => `${alarm.key}: ${state}`);
}

describe("liquidation", () => {
  const keyOf = (members: object): string | undefined => {
    const [trade] = userTradesOf({ ...TRADE, ...members });
    assert.ok(trade !== undefined);
    return liquidationOfTrade(trade)?.key;
  };

  test("a trade is one where the account's own side was liquidated, not the other one", () => {
    assert.equal(keyOf({ liquidity: "M", liquidation: "M" }), "liquidation o1");
    assert.equal(keyOf({ liquidity: "T", liquidation: "MT" }), "liquidation o1");
    assert.equal(keyOf({ liquidity: "M", liquidation: "T" }), undefined);
    assert.equal(keyOf({ liquidity: "T" }), undefined);
    assert.equal(keyOf({ order_type: "liquidation" }), "liquidation o1");
  });

  test("all trades of an order are one alarm; a trade that names no order is its own", () => {
    assert.equal(keyOf({ trade_id: "t2", order_type: "liquidation" }), "liquidation o1");
    assert.equal(keyOf({ order_id: null, order_type: "liquidation" }), "liquidation t1");
  });

  test("an order of the exchange is one, and orders that are cancelled for it are one together", () => {
    const alarms = liquidationsOfOrders([
      order("a", { is_liquidation: true }),
      order("b", { order_state: "cancelled", cancel_reason: "autoliquidation" }),
      order("c", { order_state: "cancelled", cancel_reason: "autoliquidation" }),
      order("d", { order_state: "cancelled", cancel_reason: "user_request" }),
      { no: "order" },
    ]);
    assert.deepEqual(
      alarms.map(({ key }) => key),
      ["liquidation a", "liquidationCancels", "liquidationCancels"],
    );
  });
});

describe("the size of a fill in USD", () => {
  const instrument = (kind: string, base: string, quote: string, settlement?: string): Instrument => ({
    name: "X",
    id: 1,
    kind,
    isActive: true,
    expiresAtMs: undefined,
    steps: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
    currencies: { base, quote, settlement },
  });
  const usd = (members: object, of: Instrument | undefined): number | undefined => {
    const [trade] = userTradesOf({ ...TRADE, price: 2000, index_price: 1990, amount: 3, ...members });
    assert.ok(trade !== undefined);
    return usdOfTrade(trade, of);
  };

  test("is the amount of an inverse future, whatever its price", () => {
    assert.equal(usd({}, instrument("future", "BTC", "USD", "BTC")), 3);
  });

  test("is amount times price of linear futures and spot in USD or a stablecoin", () => {
    assert.equal(usd({}, instrument("future", "ETH", "USDC", "USDC")), 6000);
    assert.equal(usd({}, instrument("spot", "ETH", "USDT")), 6000);
  });

  test("is the value of the underlying of an option", () => {
    assert.equal(usd({ price: 0.01 }, instrument("option", "BTC", "BTC", "BTC")), 5970);
  });

  test("is not guessed: for another currency, without an index, for an unknown instrument", () => {
    assert.equal(usd({}, instrument("spot", "ETH", "BTC")), undefined);
    assert.equal(usd({ index_price: null }, instrument("option", "BTC", "BTC", "BTC")), undefined);
    assert.equal(usd({}, undefined), undefined);
  });

  test("a fill is told from the limit on", () => {
    const [trade] = userTradesOf(TRADE);
    const inverse = instrument("future", "BTC", "USD", "BTC");
    assert.ok(trade !== undefined);
    assert.equal(largeFill(trade, inverse, 40)?.key, "fill t1");
    assert.equal(largeFill(trade, inverse, 41), undefined);
  });
});

describe("margin", () => {
  const row = (margin: number, balance: number): object => ({
    currency: "BTC",
    maintenance_margin: margin,
    margin_balance: balance,
  });

  test("is raised at the limit and cleared 5 points below it; in between nothing changes", () => {
    const stateAt = (margin: number): string[] => states(marginConditions(row(margin, 100), 0.8));
    assert.deepEqual([80, 79.9, 75.1, 75].map(stateAt).flat(), [
      "margin BTC: raised",
      "margin BTC: between",
      "margin BTC: between",
      "margin BTC: clear",
    ]);
  });

  test("without a balance, any margin is all of it, and no margin is nothing", () => {
    assert.deepEqual(states(marginConditions([row(1, 0), { ...row(0, 0), currency: "ETH" }], 0.8)), [
      "margin BTC: raised",
      "margin ETH: clear",
    ]);
  });

  test("currencies that share one margin are one alarm, from the totals in USD", () => {
    const cross = (currency: string): object => ({
      ...row(99, 100),
      currency,
      cross_collateral_enabled: true,
      total_maintenance_margin_usd: 10,
      total_margin_balance_usd: 100,
    });
    assert.deepEqual(states(marginConditions([cross("BTC"), cross("ETH")], 0.8)), ["margin cross: clear"]);
  });

  test("what is missing or no number is not evaluated", () => {
    assert.deepEqual(marginConditions([{ currency: "BTC" }, { ...row(1, 1), margin_balance: "1" }, 7], 0.8), []);
  });
});

describe("locks", () => {
  test("both names of the flag count; a list in which all is locked is one lock", () => {
    assert.deepEqual(states(lockConditions({ currency: "ALL", locked: true })), ["lock ALL: raised"]);
    assert.deepEqual(
      states(
        lockConditions([
          { currency: "BTC", enabled: true, message: "why" },
          { currency: "ETH", locked: false },
        ]),
      ),
      ["lock BTC: raised", "lock ETH: clear"],
    );
    const both = ["BTC", "ETH"].map((currency) => ({ currency, locked: true }));
    assert.deepEqual(states(lockConditions(both)), ["lock ALL: raised"]);
  });

  test("the platform, an index, and maintenance are told apart", () => {
    assert.deepEqual(states(platformConditions({ price_index: "sol_usdc", locked: true })), [
      "platform sol_usdc: raised",
    ]);
    assert.deepEqual(states(platformConditions({ locked: false })), ["platform : clear"]);
    assert.deepEqual(states(platformConditions({ maintenance: true })), ["maintenance: raised"]);
  });

  test("a status ends the locks that it does not list any more", () => {
    assert.deepEqual(
      states(statusConditions({ locked: "partial", locked_indices: ["a"] }, ["platform a", "platform b"])),
      ["platform a: raised", "platform b: clear", "platform : clear"],
    );
    assert.deepEqual(states(statusConditions({ locked: true }, [])), ["platform : raised"]);
    assert.deepEqual(states(statusConditions({ locked: "false" }, ["platform ", "margin BTC"])), ["platform : clear"]);
  });
});

test("freezes with an end are told apart by it; without one, a later one is another", () => {
  const freeze = (frozen_until: number | undefined): ReturnType<typeof freezeAlarm> =>
    freezeAlarm({
      ...{ index_name: "btc_usd", mmp_group: "g", block_rfq: false, frozen_until },
      ...{ heardAtMs: 0, isListed: false, received: {} },
    });
  assert.notEqual(freeze(5).key, freeze(6).key);
  assert.deepEqual([freeze(5).againAfterMs, freeze(0).againAfterMs], [undefined, 2000]);
});
