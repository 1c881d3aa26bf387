import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { describeAccount } from "../../../../src/simulator/wire/accountFile.ts";
import { PERPETUAL, startTrader, type Params, type Trader } from "../trader.ts";

/*
 * "MMP margin reserved will be set to 3% of max(MQQ, Quantity Limit)", and none is assigned "to individual quotes or MMP
 * orders": https://support.deribit.com/hc/en-us/articles/31600682719645 (release of 25 November 2025). It is kept
 * "regardless of whether you have any open positions or open orders":
 * https://docs.deribit.com/api-reference/trading/private-set_mmp_config
 */

const SET = "private/set_mmp_config";
const LIMITS = { index_name: "btc_usd", interval: 10, frozen_time: 5 };

interface Summary {
  readonly initial_margin: number;
  readonly available_funds: number;
  readonly margin_balance: number;
  readonly maintenance_margin: number;
}

async function summary({ client }: Trader, currency = "BTC"): Promise<Summary> {
  return await client.result<Summary>("private/get_account_summary", { currency });
}

async function initial(trader: Trader, currency = "BTC"): Promise<number> {
  return (await summary(trader, currency)).initial_margin;
}

/** Signs in a trader without any limits. */
async function start(options: Parameters<typeof startTrader>[0] = {}): Promise<Trader> {
  const trader = await startTrader(options);
  for (const { id: _, ...config } of await trader.client.result<Params[]>("private/get_mmp_config"))
    await trader.client.result(SET, { ...config, interval: 0 });
  return trader;
}

describe("the margin of limits", () => {
  test.for<[Params, number]>([
    [{ quantity_limit: 2, max_quote_quantity: 1 }, 0.06],
    [{ quantity_limit: 2, max_quote_quantity: 3 }, 0.09],
    [{ quantity_limit: 0, max_quote_quantity: 0.5 }, 0.015],
    [{ delta_limit: 5, max_quote_quantity: 0 }, 0],
    [{ mmp_group: "makers", quantity_limit: 10, max_quote_quantity: 1 }, 0.3],
    [{ block_rfq: true, quantity_limit: 10, max_quote_quantity: 10 }, 0],
  ])("of %o is %d BTC", async ([limits, expected]) => {
    const trader = await start();
    assert.equal(await initial(trader), 0);
    await trader.client.result(SET, { ...LIMITS, ...limits });
    const { initial_margin, available_funds, margin_balance, maintenance_margin } = await summary(trader);
    assert.deepEqual([initial_margin, available_funds, maintenance_margin], [expected, margin_balance - expected, 0]);
  });

  test("adds up over groups, follows changes, and is free again once they are removed", async () => {
    const trader = await start();
    const set = async (limits: Params): Promise<number> => {
      await trader.client.result(SET, { ...LIMITS, ...limits });
      return await initial(trader);
    };
    const makers = { mmp_group: "makers", quantity_limit: 1, max_quote_quantity: 1 };
    assert.equal(await set({ quantity_limit: 2, max_quote_quantity: 1 }), 0.06);
    assert.equal(await set(makers), 0.09);
    assert.equal(await set({ ...makers, quantity_limit: 3 }), 0.15);
    assert.equal(await set({ ...makers, interval: 0 }), 0.06);
    assert.equal(await set({ max_quote_quantity: 1, interval: 0 }), 0);
  });

  test("of a linear index is in its settlement currency, at the index price", async () => {
    const trader = await start();
    const { index_price: price } = await trader.client.result<{ index_price: number }>("public/get_index_price", {
      index_name: "sol_usdc",
    });
    const before = await initial(trader, "USDC");
    await trader.client.result(SET, { ...LIMITS, index_name: "sol_usdc", max_quote_quantity: 100 });
    assert.ok(Math.abs((await initial(trader, "USDC")) - before - 3 * price) < 1e-6);
  });

  test("is told with the portfolio", async () => {
    const trader = await start();
    await trader.client.result("private/subscribe", { channels: ["user.portfolio.btc"] });
    await trader.client.result(SET, { ...LIMITS, max_quote_quantity: 1 });
    await trader.situation.clock.settle();
    const told = trader.client.events("user.portfolio.btc") as Summary[];
    assert.equal(told.at(-1)?.initial_margin, 0.03);
  });

  test("has to be covered by the available funds", async () => {
    const trader = await start({ account: describeAccount({ balances: { BTC: 0.05 } }) });
    const limits = { ...LIMITS, max_quote_quantity: 2 };
    assert.equal(await trader.refused(SET, limits), "10009 not_enough_funds");
    assert.deepEqual(await trader.client.result("private/get_mmp_config"), []);
    await trader.client.result(SET, { ...limits, max_quote_quantity: 1 });
    assert.equal(await initial(trader), 0.03);
  });

  test("is not kept at first by an account that can't cover it", async () => {
    const trader = await startTrader({ account: describeAccount({ balances: { BTC: 0.05 } }) });
    const { available_funds: available } = await summary(trader);
    assert.ok(available >= 0);
  });
});

describe("protected orders", () => {
  test("need no margin of their own, and no quote does; what they trade does", async () => {
    const trader = await start();
    await trader.client.result(SET, { ...LIMITS, max_quote_quantity: 1 });
    await trader.client.result(SET, { ...LIMITS, max_quote_quantity: 1, mmp_group: "makers" });
    const { order } = await trader.place("buy", { amount: 90_000, price: 92_000, mmp: true });
    await trader.client.result("private/enable_cancel_on_disconnect", {});
    await trader.client.result("private/mass_quote", {
      ...{ quote_id: "1", mmp_group: "makers" },
      quotes: [{ instrument_name: PERPETUAL, ask: { price: 93_000, amount: 90_000 } }],
    });
    assert.equal(await initial(trader), 0.06);
    const [margin] = await trader.client.result<Params[]>("private/get_order_margin_by_ids", { ids: [order.order_id] });
    assert.equal(margin?.["initial_margin"], 0);
    const edit = { order_id: order.order_id, amount: 80_000, price: 91_900 };
    assert.equal(await trader.refused("private/edit", edit), "not refused");
    assert.equal(await initial(trader), 0.06);
    trader.situation.exchange.control.fill(order.order_id, 50_000);
    const { initial_margin, maintenance_margin } = await summary(trader);
    assert.ok(initial_margin > 0.06 && maintenance_margin > 0);
  });

  test("are placed although other orders leave no funds, and those are not", async () => {
    const trader = await start({ account: describeAccount({ balances: { BTC: 0.05 } }) });
    await trader.client.result(SET, { ...LIMITS, max_quote_quantity: 1 });
    const order = { instrument_name: PERPETUAL, amount: 90_000, price: 92_000 };
    assert.equal(await trader.refused("private/buy", { ...order, amount: 200_000 }), "10009 not_enough_funds");
    assert.equal(await trader.refused("private/buy", { ...order, mmp: true }), "not refused");
    assert.equal(await trader.refused("private/buy", { ...order, amount: 200_000 }), "10009 not_enough_funds");
  });
});
