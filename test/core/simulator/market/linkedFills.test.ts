import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { PERPETUAL, startTrader, type Params, type Trader } from "../trader.ts";

/*
 * What a fill does to the order of which one cancels the other, against the documented words of
 * trigger_fill_condition (https://docs.deribit.com/api-reference/trading/private-sell):
 *
 *   first_hit      any execution of the primary order will fully cancel/place all secondary orders
 *   complete_fill  a complete execution will cancel/place the secondary orders
 *   incremental    any fill of the primary order will cause proportional partial cancellation/placement of the
 *                  secondary order. The amount that will be subtracted/added to the secondary order will be rounded
 *                  down to the contract size
 *
 * Of cancel_reason: oco_other_closed means that the order linked to this one was closed.
 */

/** USD of a contract of the perpetual. */
const CONTRACT = 10;

/** USD of the position that is closed. */
const POSITION = 45_000;

/** Long, with a take profit and a stop. The primary order is the take profit. */
async function protectedTrader(takeProfit: number, stop: number, params: Params): Promise<Trader & Pair> {
  const trader = await startTrader();
  await trader.place("buy", { amount: POSITION, type: "market" });
  const { order } = await trader.place("sell", {
    ...{ amount: takeProfit, price: 93_000, reduce_only: true, label: "tp", linked_order_type: "one_cancels_other" },
    otoco_config: [
      {
        ...{ direction: "sell", amount: stop, type: "stop_market", trigger: "mark_price", trigger_price: 91_600 },
        ...{ reduce_only: true, label: "sl" },
      },
    ],
    ...params,
  });
  const { control } = trader.situation.exchange;
  const secondary = control.openOrders().find(({ label }) => label === "sl");
  return { ...trader, takeProfitId: order.order_id, stopId: secondary?.order_id ?? assert.fail("no stop") };
}

interface Pair {
  readonly takeProfitId: string;
  readonly stopId: string;
}

/** Returns the state and the amount of an order; the reason where it was cancelled. */
function shown({ situation }: Trader, id: string): string {
  const { order_state: state, amount, cancel_reason: reason } = situation.exchange.control.order(id) ?? {};
  return [state, amount, reason].filter((each) => each !== undefined).join(" ");
}

describe("a pair of which one cancels the other", () => {
  for (const [takeProfit, stop, fill] of [
    [1000, 1000, 300],
    [1000, 1000, 10],
    [45_000, 45_000, 44_990],
    [1000, 500, 300],
    // A half of 30 is no whole contract, a half of 10 not even one.
    [1000, 500, 30],
    [1000, 500, 10],
    [300, 1000, 100],
  ] as const)
    test(`incremental: a fill of ${fill} of ${takeProfit} takes its share off a stop of ${stop}`, async () => {
      const trader = await protectedTrader(takeProfit, stop, { trigger_fill_condition: "incremental" });
      trader.situation.exchange.control.fill(trader.takeProfitId, fill);
      const share = Math.floor((stop * fill) / takeProfit / CONTRACT) * CONTRACT;
      assert.equal(shown(trader, trader.stopId), `untriggered ${stop - share}`);
      assert.equal(shown(trader, trader.takeProfitId), `open ${takeProfit}`);
    });

  test("incremental: several fills leave the rest of the position protected until it is closed", async () => {
    const trader = await protectedTrader(45_000, 45_000, { trigger_fill_condition: "incremental" });
    const { control } = trader.situation.exchange;
    for (const [fill, left] of [
      [15_000, 30_000],
      [20_000, 10_000],
    ] as const) {
      control.fill(trader.takeProfitId, fill);
      assert.deepEqual([shown(trader, trader.stopId), control.position(PERPETUAL)], [`untriggered ${left}`, left]);
    }
    control.fill(trader.takeProfitId);
    assert.equal(shown(trader, trader.stopId), "cancelled 10000 oco_other_closed");
    assert.equal(control.position(PERPETUAL), 0);
  });

  test("incremental: a stop that fires takes no more than the take profit has left", async () => {
    const trader = await protectedTrader(45_000, 45_000, { trigger_fill_condition: "incremental" });
    const { control } = trader.situation.exchange;
    control.fill(trader.takeProfitId, 15_000);
    control.fire(trader.stopId);
    assert.equal(control.position(PERPETUAL), 0);
    assert.match(shown(trader, trader.takeProfitId), /^cancelled /);
  });

  test("first_hit, the documented default: the first fill removes the whole stop", async () => {
    for (const params of [{ trigger_fill_condition: "first_hit" }, {}]) {
      const trader = await protectedTrader(1000, 1000, params);
      trader.situation.exchange.control.fill(trader.takeProfitId, 10);
      assert.equal(shown(trader, trader.stopId), "cancelled 1000 oco_other_closed");
    }
  });

  test("complete_fill: the stop stays whole until the take profit is filled", async () => {
    const trader = await protectedTrader(1000, 1000, { trigger_fill_condition: "complete_fill" });
    const { control } = trader.situation.exchange;
    control.fill(trader.takeProfitId, 990);
    assert.equal(shown(trader, trader.stopId), "untriggered 1000");
    control.fill(trader.takeProfitId);
    assert.equal(shown(trader, trader.stopId), "cancelled 1000 oco_other_closed");
  });

  test("the cancel of one cancels the other", async () => {
    for (const cancelled of ["takeProfitId", "stopId"] as const) {
      const trader = await protectedTrader(1000, 1000, { trigger_fill_condition: "incremental" });
      await trader.client.result("private/cancel", { order_id: trader[cancelled] });
      const other = cancelled === "stopId" ? trader.takeProfitId : trader.stopId;
      assert.equal(shown(trader, other), "cancelled 1000 oco_other_closed");
    }
  });
});
