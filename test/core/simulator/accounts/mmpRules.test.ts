import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { pluck } from "../../../pluck.ts";
import { PERPETUAL, startTrader, type Params, type Trader, type WireOrder } from "../trader.ts";

/*
 * The limits of market maker protection, and the orders that they allow.
 * https://docs.deribit.com/api-reference/trading/private-set_mmp_config
 * https://docs.deribit.com/articles/market-maker-protection
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */

const SET = "private/set_mmp_config";
const LIMITS = { index_name: "btc_usd", interval: 10, frozen_time: 5, quantity_limit: 2, max_quote_quantity: 1 };
const QUOTING = { ...LIMITS, mmp_group: "makers" };
/** An amount of dollars that is half a coin at its price. */
const half = { amount: 46_000, price: 92_000, mmp: true };

describe("limits", () => {
  const refused: readonly [string, Params, string][] = [
    ["an interval above an hour", { interval: 3601 }, "interval must be less than or equal to 3600"],
    ["a freeze above an hour", { frozen_time: 3601 }, "frozen_time must be less than or equal to 3600"],
    ["a limit below 0", { delta_limit: -1 }, "delta_limit must be greater than or equal to 0"],
    ["a largest quote below 0", { max_quote_quantity: -1 }, "max_quote_quantity must be greater than or equal to 0"],
    ["no largest quote", { max_quote_quantity: undefined }, "max_quote_quantity value required"],
    ["five decimals", { max_quote_quantity: 0.12345 }, "max_quote_quantity at most 4 decimals"],
    ["five decimals of a quantity", { quantity_limit: 1.00001 }, "quantity_limit at most 4 decimals"],
    ["more than 500 BTC", { quantity_limit: 500.5 }, "quantity_limit must be less than or equal to 500"],
    [
      "more than 5000 ETH",
      { index_name: "eth_usd", mmp_group: "ether", quantity_limit: 5001 },
      "quantity_limit must be less than or equal to 5000",
    ],
    ["every index", { index_name: "all" }, "index_name invalid index_name"],
    ["an empty group", { mmp_group: "" }, "mmp_group can't be empty"],
    ["a group of 65 characters", { mmp_group: "m".repeat(65) }, "mmp_group wrong format"],
    ["the group of another index", { index_name: "eth_usd" }, "mmp_group already used for btc_usd"],
    ["a delta that is no less than the quantity", { delta_limit: 2 }, "delta_limit must be less than quantity_limit"],
  ];
  for (const [title, params, expected] of refused)
    test(`that are refused: ${title}`, async () => {
      const trader = await startTrader();
      const { client } = trader;
      await client.result(SET, QUOTING);
      const before = await client.result("private/get_mmp_config");
      assert.equal(await trader.refused(SET, { ...QUOTING, ...params }), `-32602 Invalid params ${expected}`);
      assert.deepEqual(await client.result("private/get_mmp_config"), before);
    });

  test("at their edges are taken, and replace all earlier ones", async () => {
    const { client } = await startTrader();
    const [made] = await client.result<Params[]>(SET, {
      ...QUOTING,
      ...{ interval: 3600, frozen_time: 3600, quantity_limit: 0.0001, max_quote_quantity: 0 },
    });
    assert.deepEqual(made, {
      ...{ id: made?.["id"] },
      ...{ index_name: "btc_usd", mmp_group: "makers", interval: 3600, frozen_time: 3600 },
      ...{ quantity_limit: 0.0001, max_quote_quantity: 0 },
    });
    const { quantity_limit: _, ...others } = QUOTING;
    const [next] = await client.result<Params[]>(SET, { ...others, delta_limit: 5 });
    assert.deepEqual([next?.["quantity_limit"], next?.["delta_limit"]], [undefined, 5]);
  });

  test("of regular orders may have a delta above the quantity, as the documented example", async () => {
    const { client } = await startTrader();
    const limits = { quantity_limit: 5, delta_limit: 15, max_quote_quantity: 2 };
    const [made] = await client.result<Params[]>(SET, {
      ...{ index_name: "btc_usd", interval: 3, frozen_time: 30 },
      ...limits,
    });
    assert.deepEqual({ ...made, ...limits }, made);
  });

  test("of Block RFQ quotes may be of every index, and have groups of their own", async () => {
    const { client } = await startTrader();
    const all = { ...LIMITS, index_name: "all", block_rfq: true, trade_count_limit: 20 };
    const [made] = await client.result<Params[]>(SET, all);
    assert.deepEqual([made?.["index_name"], made?.["trade_count_limit"]], ["all", 20]);
  });

  test("of a 17th group are refused, until one of the others is removed", async () => {
    const trader = await startTrader();
    const { client } = trader;
    const groups = async (): Promise<number> =>
      (await client.result<Params[]>("private/get_mmp_config")).filter(({ mmp_group: name }) => name !== undefined)
        .length;
    for (let count = await groups(); count < 16; count++)
      await client.result(SET, { ...QUOTING, mmp_group: `m${count}`, quantity_limit: 0.1, max_quote_quantity: 0.1 });
    assert.equal(await groups(), 16);
    const next = { ...QUOTING, mmp_group: "one more" };
    assert.equal(await trader.refused(SET, next), "-32602 Invalid params mmp_group at most 16 groups");
    // One that is there can change, and those of regular orders do not count.
    await client.result(SET, { ...QUOTING, mmp_group: "m15", quantity_limit: 0.2, max_quote_quantity: 0.1 });
    await client.result(SET, { ...LIMITS, index_name: "sol_usdc" });
    assert.deepEqual(await client.result(SET, { ...QUOTING, mmp_group: "m15", interval: 0 }), []);
    await client.result(SET, next);
    assert.equal(await groups(), 16);
  });
});

describe("orders with mmp", () => {
  const protectedTrader = async (limits: Params = {}): Promise<Trader> => {
    const trader = await startTrader();
    await trader.client.result(SET, { ...LIMITS, ...limits });
    return trader;
  };

  test("are refused on an index without limits", async () => {
    const trader = await protectedTrader();
    await trader.client.result(SET, { ...LIMITS, interval: 0 });
    const params = { instrument_name: PERPETUAL, ...half };
    assert.equal(await trader.refused("private/buy", params), "13040 mmp_required no MMP limits for the index");
    // The limits of a group of mass quotes are not for orders.
    await trader.client.result(SET, QUOTING);
    assert.equal(await trader.refused("private/buy", params), "13040 mmp_required no MMP limits for the index");
    await trader.client.result(SET, LIMITS);
    await trader.place("buy", half);
  });

  for (const [type, params] of [
    ["market", { price: undefined }],
    ["market_limit", { price: undefined }],
    ["stop_limit", { trigger: "mark_price", trigger_price: 93_000 }],
  ] as const)
    test(`are limit orders, and not ${type}`, async () => {
      const trader = await protectedTrader();
      const asked = { instrument_name: PERPETUAL, ...half, type, ...params };
      assert.equal(await trader.refused("private/buy", asked), "-32602 Invalid params mmp only for limit orders");
      assert.deepEqual(await trader.open(), []);
    });

  test("offer no more than the largest quote on one side of a book, together", async () => {
    const trader = await protectedTrader();
    const buy = async (params: Params): Promise<string> =>
      await trader.refused("private/buy", { instrument_name: PERPETUAL, ...half, ...params });
    const tooMuch = "10021 invalid_amount more than max_quote_quantity 1";
    assert.equal(await buy({ amount: 92_010 }), tooMuch);
    assert.equal(await buy({}), "not refused");
    assert.equal(await buy({}), "not refused");
    assert.equal(await buy({ amount: 10 }), tooMuch);
    // Neither the other side, nor another book, nor an order without protection counts.
    assert.equal(await buy({ amount: 10, mmp: false }), "not refused");
    await trader.place("sell", { ...half, price: 93_000 });
    await trader.place("buy", { ...half, instrument_name: "BTC-26MAR27", price: 92_000 });
    const [first] = await trader.client.result<WireOrder[]>("private/get_open_orders");
    await trader.client.result("private/cancel", { order_id: first?.order_id });
    assert.equal(await buy({ amount: 10 }), "not refused");
  });

  test("count what they offer still, and an edit what it leaves", async () => {
    const trader = await protectedTrader({ quantity_limit: 100 });
    const { order } = await trader.place("buy", { ...half, amount: 92_000 });
    trader.situation.exchange.control.fill(order.order_id, 46_000);
    await trader.place("buy", half);
    const edit = async (amount: number): Promise<string> =>
      await trader.refused("private/edit", { order_id: order.order_id, amount });
    assert.equal(await edit(92_010), "10021 invalid_amount more than max_quote_quantity 1");
    assert.equal(await edit(92_000), "not refused");
    assert.equal(await edit(91_000), "not refused");
  });

  // https://docs.deribit.com/changelogs/jsonrpc (release of 19 May 2026)
  test("keep being protected, or not: an edit with another value is refused", async () => {
    const trader = await protectedTrader();
    for (const mmp of [true, false]) {
      const { order } = await trader.place("buy", { ...half, amount: 10, mmp });
      const edit = { order_id: order.order_id, amount: 20 };
      assert.equal(
        await trader.refused("private/edit", { ...edit, mmp: !mmp }),
        "-32602 Invalid params mmp editing mmp flag is not supported",
      );
      assert.equal(await trader.refused("private/edit", { ...edit, mmp }), "not refused");
      assert.equal(await trader.refused("private/edit", { ...edit, amount: 30 }), "not refused");
    }
  });

  test("end where the largest quote becomes less, the latest first, and where the limits are removed", async () => {
    const trader = await protectedTrader();
    const ids: string[] = [];
    for (const amount of [46_000, 45_000]) ids.push((await trader.place("buy", { ...half, amount })).order.order_id);
    ids.push((await trader.place("sell", { ...half, price: 93_000 })).order.order_id);
    ids.push((await trader.place("buy", { ...half, mmp: false })).order.order_id);
    const states = async (): Promise<unknown[]> => {
      const found: WireOrder[] = [];
      for (const order_id of ids)
        found.push(await trader.client.result<WireOrder>("private/get_order_state", { order_id }));
      return pluck(found, "order_state", "cancel_reason").map((each) => each.filter((word) => word !== undefined));
    };
    await trader.client.result(SET, { ...LIMITS, max_quote_quantity: 0.6 });
    const ended = ["cancelled", "mmp_config_curtailment"];
    assert.deepEqual(await states(), [["open"], ended, ["open"], ["open"]]);
    await trader.client.result(SET, { ...LIMITS, interval: 0 });
    assert.deepEqual(await states(), [ended, ended, ended, ["open"]]);
  });
});
