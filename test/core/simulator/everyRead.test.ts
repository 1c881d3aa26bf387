import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethodFacts } from "../../../src/catalogue/describe.ts";
import { methodRole } from "../../../src/simulator/methods/methodTable.ts";
import { ACCOUNTS } from "../../../src/simulator/accounts/accounts.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { PERPETUAL, startTrader, type Params, type Trader } from "./trader.ts";

/*
 * Each read whose result follows from the state of the simulated exchange, with a change that must alter its result.
 * Two readings without a change are the same: the market stands still.
 */

/** Half a minute before the futures, options, and combos of March are delivered, and the perpetuals settled. */
const START_MS = Date.UTC(2027, 2, 26, 7, 59, 30);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const LABEL = "pair";
const OF_BTC = { currency: "BTC" };
const OF_PERPETUAL = { instrument_name: PERPETUAL };
/** The market trades many instruments at the same moment, which come in the order of the IDs of their trades. */
const LATEST_OF_BTC = { ...OF_BTC, sorting: "desc", count: 1000 };
const FUTURE = "BTC-26MAR27";
const COMBO = "BTC-FS-26MAR27_PERP";
const SUBACCOUNT = ACCOUNTS[1]?.id;
/** From the beginning to long after it, for what is asked for by its time. */
const RANGE = { start_timestamp: START_MS - 2 * HOUR_MS, end_timestamp: START_MS + 24 * HOUR_MS };

interface Pair {
  /** What happens before the first reading; it returns the order, trade, or quote to read. */
  readonly first?: (trader: Trader) => Promise<string | number>;
  readonly params?: Params | ((id: string | number) => Params);
  readonly change: (trader: Trader, id: string | number) => unknown;
}

const call =
  (method: string, params: Params): Pair["change"] =>
  async ({ client }) =>
    await client.result(method, params);

const buy: Pair["change"] = async (trader) => await trader.place("buy", { amount: 1000, type: "market" });

/** Places an order that rests far below the market. Returns its ID. */
const rest = async (trader: Trader): Promise<string> => {
  const { min_price: price } = await trader.client.result<{ min_price: number }>("public/ticker", OF_PERPETUAL);
  const { order } = await trader.place("buy", { amount: 1000, price, label: LABEL });
  return order.order_id;
};

const cancel: Pair["change"] = async ({ client }, id) => await client.result("private/cancel", { order_id: id });

/** Lets time pass for the market; what happens meanwhile at the exchange happens. */
const passes =
  (ms: number): Pair["change"] =>
  async ({ situation, client }) => {
    situation.exchange.control.setStill(false);
    situation.clock.sleep(ms);
    situation.exchange.control.setStill(true);
    await client.signIn();
  };

/** The perpetual is bought, and settled at eight o'clock. */
const settle: Pair["change"] = async (trader, id) => {
  await buy(trader, id);
  await passes(MINUTE_MS)(trader, id);
};

const addBlockTrade: Pair["change"] = ({ situation }) =>
  situation.exchange.control.addBlockTrade({
    id: "pair",
    legs: [{ instrument_name: PERPETUAL, direction: "buy", amount: 1000, price: 90_000, block_rfq_id: 722 }],
  });

/** What expires at eight o'clock is no longer listed. */
const expires = passes(MINUTE_MS);

const PAIRS: Readonly<Record<string, Pair>> = {
  "public/get_time": { change: passes(1) },
  "public/status": {
    change: ({ situation }) => {
      situation.exchange.control.setBookState({ state: "locked", indexName: "btc_usd" });
    },
  },

  "private/get_account_summaries": { change: buy },
  "private/get_account_summary": { params: OF_BTC, change: buy },
  "private/get_position": { params: OF_PERPETUAL, change: buy },
  "private/get_positions": { change: buy },
  "private/get_margins": { params: { ...OF_PERPETUAL, amount: 1000, price: 90_000 }, change: passes(HOUR_MS) },
  "private/get_order_margin_by_ids": {
    first: rest,
    params: (id) => ({ ids: [id] }),
    change: async ({ client }, id) => await client.result("private/edit", { order_id: id, amount: 2000 }),
  },
  "private/simulate_portfolio": { params: OF_BTC, change: buy },
  "private/get_transaction_log": { params: { ...OF_BTC, ...RANGE }, change: buy },
  "private/get_settlement_history_by_currency": { params: OF_BTC, change: settle },
  "private/get_settlement_history_by_instrument": { params: OF_PERPETUAL, change: settle },
  "private/get_deposits": {
    params: OF_BTC,
    change: ({ situation }) => {
      situation.exchange.control.deposit("BTC", 1);
    },
  },
  "private/get_transfers": {
    params: OF_BTC,
    change: call("private/submit_transfer_to_subaccount", { ...OF_BTC, amount: 1, destination: SUBACCOUNT }),
  },

  "private/get_subaccounts": { change: call("private/change_subaccount_name", { sid: SUBACCOUNT, name: "pair" }) },
  "private/get_subaccounts_details": { params: OF_BTC, change: buy },
  "private/get_email_language": { change: call("private/set_email_language", { language: "ko" }) },
  "private/get_access_log": { change: call("private/create_api_key", { max_scope: "trade:read" }) },
  "private/list_api_keys": { change: call("private/create_api_key", { max_scope: "trade:read" }) },
  "private/get_cancel_on_disconnect": { change: call("private/enable_cancel_on_disconnect", {}) },

  "private/get_open_orders": { change: rest },
  "private/get_open_orders_by_currency": { params: OF_BTC, change: rest },
  "private/get_open_orders_by_instrument": { params: OF_PERPETUAL, change: rest },
  "private/get_open_orders_by_label": { params: { ...OF_BTC, label: LABEL }, change: rest },
  "private/get_order_state": { first: rest, params: (id) => ({ order_id: id }), change: cancel },
  "private/get_order_state_by_label": { first: rest, params: { ...OF_BTC, label: LABEL }, change: cancel },
  "private/get_order_history_by_currency": { params: OF_BTC, change: buy },
  "private/get_order_history_by_instrument": { params: OF_PERPETUAL, change: buy },
  "private/get_trigger_order_history": {
    params: OF_BTC,
    first: async (trader) => {
      const stop = { type: "stop_market", trigger: "mark_price", trigger_price: 1000 };
      const { order } = await trader.place("sell", { amount: 1000, ...stop });
      return order.order_id;
    },
    change: cancel,
  },
  "private/get_user_trades_by_order": {
    first: rest,
    params: (id) => ({ order_id: id }),
    change: ({ situation }, id) => situation.exchange.control.fill(String(id)),
  },
  "private/get_user_trades_by_currency": { params: OF_BTC, change: buy },
  "private/get_user_trades_by_currency_and_time": { params: { ...OF_BTC, ...RANGE }, change: buy },
  "private/get_user_trades_by_instrument": { params: OF_PERPETUAL, change: buy },
  "private/get_user_trades_by_instrument_and_time": { params: { ...OF_PERPETUAL, ...RANGE }, change: buy },

  "private/get_mmp_config": {
    change: call("private/set_mmp_config", {
      index_name: "btc_usd",
      interval: 7,
      frozen_time: 60,
      max_quote_quantity: 3,
    }),
  },
  "private/get_mmp_status": {
    change: ({ situation }) => situation.exchange.control.freezeMmp({ index_name: "eth_usd", mmp_group: "g2" }),
  },

  "private/get_block_trades": { change: addBlockTrade },
  "private/get_block_trade": { params: { id: "pair" }, change: addBlockTrade },
  "private/simulate_block_trade": {
    params: { role: "maker", trades: [{ ...OF_PERPETUAL, price: 90_000, amount: 40_000_000, direction: "sell" }] },
    // More than the account can carry without the deposit.
    change: ({ situation }) => {
      situation.exchange.control.deposit("BTC", 1000);
    },
  },
  "public/get_block_rfq_trades": { params: OF_BTC, change: addBlockTrade },
  "private/get_block_rfq_quotes": { change: call("private/cancel_all_block_rfq_quotes", {}) },
  "private/get_block_rfqs": { change: ({ situation }) => situation.exchange.control.expireBlockRfq(724) },

  "public/ticker": { params: OF_PERPETUAL, change: buy },
  "public/get_order_book": { params: OF_PERPETUAL, change: buy },
  "public/get_order_book_by_instrument_id": { params: { instrument_id: 210_001 }, change: passes(MINUTE_MS) },
  "public/get_book_summary_by_currency": { params: OF_BTC, change: buy },
  "public/get_book_summary_by_instrument": { params: OF_PERPETUAL, change: buy },
  "public/get_last_trades_by_currency": { params: LATEST_OF_BTC, change: buy },
  "public/get_last_trades_by_currency_and_time": { params: { ...LATEST_OF_BTC, ...RANGE }, change: buy },
  "public/get_last_trades_by_instrument": { params: OF_PERPETUAL, change: buy },
  "public/get_last_trades_by_instrument_and_time": {
    params: { ...OF_PERPETUAL, ...RANGE, sorting: "desc" },
    change: buy,
  },
  "public/get_trade_volumes": { change: buy },
  "public/get_tradingview_chart_data": { params: { ...OF_PERPETUAL, ...RANGE, resolution: "1" }, change: buy },

  "public/get_index_price": { params: { index_name: "btc_usd" }, change: passes(MINUTE_MS) },
  "public/get_index_chart_data": { params: { index_name: "btc_usd", range: "1h" }, change: passes(MINUTE_MS) },
  "public/get_historical_volatility": { params: OF_BTC, change: passes(HOUR_MS) },
  "public/get_volatility_index_data": { params: { ...OF_BTC, ...RANGE, resolution: "60" }, change: passes(HOUR_MS) },
  "public/get_mark_price_history": { params: { ...OF_PERPETUAL, ...RANGE }, change: passes(HOUR_MS) },
  "public/get_funding_chart_data": { params: { ...OF_PERPETUAL, length: "8h" }, change: passes(HOUR_MS) },
  "public/get_funding_rate_history": { params: { ...OF_PERPETUAL, ...RANGE }, change: passes(HOUR_MS) },
  "public/get_funding_rate_value": { params: { ...OF_PERPETUAL, ...RANGE }, change: passes(20 * HOUR_MS) },
  "private/get_leg_prices": {
    params: {
      price: 100,
      legs: [
        { instrument_name: PERPETUAL, amount: 1000, direction: "buy" },
        { instrument_name: "BTC-25JUN27", amount: 1000, direction: "sell" },
      ],
    },
    change: passes(MINUTE_MS),
  },

  "public/get_instrument": { params: { instrument_name: FUTURE }, change: expires },
  "public/get_instruments": { params: OF_BTC, change: expires },
  "public/get_expirations": { params: { ...OF_BTC, kind: "future" }, change: expires },
  "public/get_combos": { params: OF_BTC, change: expires },
  "public/get_combo_ids": { params: { ...OF_BTC, state: "active" }, change: expires },
  "public/get_combo_details": { params: { combo_id: COMBO }, change: expires },
  "public/get_delivery_prices": { params: { index_name: "btc_usd" }, change: expires },
  "public/get_last_settlements_by_currency": { params: OF_BTC, change: settle },
  "public/get_last_settlements_by_instrument": { params: OF_PERPETUAL, change: settle },
};

/** The reads that the table says follow from the state. */
const READS = allMethodFacts()
  .filter(({ name, effect }) => effect === "read" && methodRole(name) === "ledger")
  .map(({ name }) => name);

describe("each read is altered by what must alter it, and by nothing else", () => {
  for (const name of READS)
    test(name, async () => {
      const pair = PAIRS[name];
      assert.ok(pair !== undefined, `There is no change that must alter the result of ${name}.`);
      const trader = await startTrader({ clock: createFakeClock(START_MS) });
      const id = (await pair.first?.(trader)) ?? "";
      const params = typeof pair.params === "function" ? pair.params(id) : (pair.params ?? {});
      // What can't be found is refused, and is there after the change.
      const read = async (): Promise<unknown> => {
        const { result, error } = await trader.client.call(name, params);
        assert.notEqual(error?.code, -32602, JSON.stringify(error));
        return result ?? error;
      };
      const before = await read();
      assert.deepEqual(await read(), before, "without a change");
      await pair.change(trader, id);
      const after = await read();
      assert.notDeepEqual(after, before, "after the change");
      trader.situation.exchange.dispose();
    });

  test("no change is about another method", () => {
    const left = Object.keys(PAIRS).filter((name) => !READS.some((read) => read === name));
    assert.deepEqual(left, []);
  });
});
