import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { PERPETUAL, startTrader, type Params, type Trader } from "../trader.ts";

/* Market maker protection that trips because protected orders were filled. */

const index_name = "btc_usd";
/** An amount of dollars that is half a coin at its price. */
const half = { amount: 46_000, price: 92_000 };

/** Signs in a trader with these limits alone. */
async function limited(limits: Params): Promise<Trader> {
  const trader = await startTrader();
  await trader.client.result("private/set_mmp_config", {
    ...{ index_name, interval: 10, frozen_time: 5, max_quote_quantity: 100 },
    ...limits,
  });
  await trader.client.result("private/subscribe", { channels: [`user.mmp_trigger.${index_name}`] });
  return trader;
}

/** Places protected orders, and lets the market fill them wholly, one after the other. */
async function fillEach(trader: Trader, ...orders: ["buy" | "sell", Params][]): Promise<void> {
  for (const [side, params] of orders) {
    const { order } = await trader.place(side, { mmp: true, ...params });
    trader.situation.exchange.control.fill(order.order_id);
  }
}

async function frozen(trader: Trader): Promise<number> {
  return (await trader.client.result<unknown[]>("private/get_mmp_status", { index_name, mmp_group: "" })).length;
}

describe("fills of protected orders", () => {
  test("that meet the quantity limit freeze the index: its orders end, and new ones are refused", async () => {
    const trader = await limited({ quantity_limit: 1 });
    const { control } = trader.situation.exchange;
    const rest = await trader.place("sell", { amount: 10, price: 93_500, mmp: true });
    const other = await trader.place("sell", { amount: 10, price: 93_500 });
    const scenario = control.place({
      instrument_name: PERPETUAL,
      direction: "sell",
      amount: 10,
      price: 95_000,
      mmp: true,
    });
    await fillEach(trader, ["buy", half]);
    assert.equal(await frozen(trader), 0);
    await fillEach(trader, ["buy", half]);
    assert.equal(await frozen(trader), 1);
    const state = (id: string): (string | undefined)[] => {
      const order = control.order(id);
      return [order?.order_state, order?.cancel_reason];
    };
    assert.deepEqual(state(rest.order.order_id), ["cancelled", "mmp_trigger"]);
    assert.deepEqual(state(scenario.order_id), ["cancelled", "mmp_trigger"]);
    assert.deepEqual(state(other.order.order_id), ["open", undefined]);
    assert.equal(trader.client.events(`user.mmp_trigger.${index_name}`).length, 1);
    const params = { instrument_name: PERPETUAL, amount: 10, price: 92_000, mmp: true };
    assert.equal(await trader.refused("private/buy", params), "13030 mmp_trigger");
    await trader.place("buy", { ...params, mmp: false });
    await trader.situation.clock.advance(5000);
    await trader.place("buy", params);
  });

  test("of both directions add up to a quantity, and cancel out in delta", async () => {
    const both: ["buy" | "sell", Params][] = [
      ["buy", half],
      ["sell", { ...half, price: 92_500 }],
    ];
    const quantity = await limited({ quantity_limit: 0.99 });
    await fillEach(quantity, ...both);
    assert.equal(await frozen(quantity), 1);
    const delta = await limited({ delta_limit: 0.6 });
    await fillEach(delta, ...both);
    assert.equal(await frozen(delta), 0);
    await fillEach(delta, ["buy", half], ["buy", half]);
    assert.equal(await frozen(delta), 1);
  });

  test("of options count their vega", async () => {
    const option = { instrument_name: "BTC-26MAR27-96000-C", amount: 1, price: 0.05 };
    const trader = await limited({ vega_limit: 0.0001 });
    await fillEach(trader, ["buy", half]);
    assert.equal(await frozen(trader), 0);
    await fillEach(trader, ["buy", option]);
    assert.equal(await frozen(trader), 1);
  });

  // "Net Transaction Delta = Delta - Mark Price": https://docs.deribit.com/articles/market-maker-protection
  test("of options count their delta without their price", async () => {
    const name = "BTC-26MAR27-96000-C";
    for (const [share, expected] of [
      [1.01, 0],
      [0.99, 1],
    ] as const) {
      const trader = await startTrader();
      const { greeks, mark_price: mark } = await trader.client.result<{
        greeks: { delta: number };
        mark_price: number;
      }>("public/ticker", { instrument_name: name });
      // The limit is below the delta, so that the price decides.
      const limit = Number(((greeks.delta - mark) * share).toFixed(4));
      assert.ok(mark > 0.02 && limit < greeks.delta);
      await trader.client.result("private/set_mmp_config", {
        ...{ index_name, interval: 10, frozen_time: 5, max_quote_quantity: 10, delta_limit: limit },
      });
      await fillEach(trader, ["buy", { instrument_name: name, amount: 1, price: 0.05 }]);
      assert.equal(await frozen(trader), expected);
    }
  });

  test("count within an interval, which begins with its first fill", async () => {
    const trader = await limited({ quantity_limit: 1 });
    await fillEach(trader, ["buy", half]);
    await trader.situation.clock.advance(10_001);
    await fillEach(trader, ["buy", half]);
    assert.equal(await frozen(trader), 0);
    await trader.situation.clock.advance(9000);
    await fillEach(trader, ["buy", half]);
    assert.equal(await frozen(trader), 1);
  });

  test("of orders that are not protected do not count", async () => {
    const trader = await limited({ quantity_limit: 0.4 });
    await fillEach(trader, ["buy", { ...half, mmp: false }]);
    assert.equal(await frozen(trader), 0);
  });

  test("without an end of the freeze need a reset", async () => {
    const trader = await limited({ quantity_limit: 0.4, frozen_time: 0 });
    await fillEach(trader, ["buy", half]);
    await trader.situation.clock.advance(60_000);
    assert.equal(await frozen(trader), 1);
    await trader.client.result("private/reset_mmp", { index_name });
    await trader.place("buy", { amount: 10, price: 92_000, mmp: true });
    assert.equal(await frozen(trader), 0);
  });
});
