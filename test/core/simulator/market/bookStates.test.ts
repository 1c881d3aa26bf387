import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createFakeClock } from "../../../fakeClock.ts";
import type { Conversation } from "../conversation.ts";
import { PERPETUAL, startTrader, type Params, type Trader, type WireOrder } from "../trader.ts";

/*
 * What books take in each state, and who is told. The market stands still, so that only the clock passes.
 * https://docs.deribit.com/api-reference/market-data/public-get_instrument,
 * https://docs.deribit.com/subscriptions/platform/platform_state
 */

const SECOND_MS = 1000;
const EIGHT = Date.UTC(2026, 10, 21, 8, 0, 0);
const OPTION = "BTC-26MAR27-96000-C";
const SPOT = "BTC_USDC";

/** Starts a trader some seconds before eight o'clock. */
async function beforeEight(options: Params = {}): Promise<Trader> {
  return await startTrader({ clock: createFakeClock(EIGHT - 5 * SECOND_MS), ...options });
}

/** Returns what a place, an edit, and a cancel of an order come to: the code of the error, or `ok`. */
async function attempts({ client }: Trader, { order_id, price }: WireOrder): Promise<readonly (number | string)[]> {
  const calls: readonly (readonly [string, Params])[] = [
    ["private/buy", { instrument_name: PERPETUAL, amount: 10, price }],
    ["private/edit", { order_id, amount: 20, price }],
    ["private/cancel", { order_id }],
  ];
  const results = [];
  for (const [method, params] of calls) results.push((await client.call(method, params)).error?.code ?? "ok");
  return results;
}

/** Returns the state of a book as each method tells it. */
async function shownStates(client: Conversation, name: string): Promise<readonly string[]> {
  const methods = ["public/ticker", "public/get_order_book", "public/get_instrument"];
  const shown = methods.map(
    async (method) => (await client.result<{ state: string }>(method, { instrument_name: name })).state,
  );
  return await Promise.all(shown);
}

const all = (state: string): readonly string[] => [state, state, state];

describe("the daily settlement", () => {
  test.each([true, false])("takes nothing for five seconds from eight o'clock, standing still: %s", async (still) => {
    const trader = await beforeEight({ still });
    const { client, situation } = trader;
    const [first, second] = [
      await trader.place("buy", { amount: 10, price: 92_000 }),
      await trader.place("buy", { amount: 10, price: 91_990 }),
    ];
    await situation.clock.advance(5 * SECOND_MS);
    assert.deepEqual(await attempts(trader, first.order), [10_041, 10_041, 10_041]);
    for (const name of [PERPETUAL, OPTION]) assert.deepEqual(await shownStates(client, name), all("settlement"));
    assert.deepEqual(await shownStates(client, SPOT), all("open"));
    await situation.clock.advance(5 * SECOND_MS - 1);
    assert.deepEqual(await attempts(trader, second.order), [10_041, 10_041, 10_041]);
    await situation.clock.advance(1);
    assert.deepEqual(await shownStates(client, PERPETUAL), all("open"));
    assert.deepEqual(await attempts(trader, first.order), ["ok", "ok", "ok"]);
  });

  test("leaves spot as it is, and what rests in the books", async () => {
    const trader = await beforeEight();
    const { client, situation } = trader;
    await trader.place("buy", { amount: 10, price: 92_000 });
    const book = async (): Promise<{ bids: unknown[] }> =>
      await client.result<{ bids: unknown[] }>("public/get_order_book", { instrument_name: PERPETUAL });
    const { bids } = await book();
    await situation.clock.advance(5 * SECOND_MS);
    assert.deepEqual((await book()).bids, bids);
    await client.result("private/buy", { instrument_name: SPOT, amount: 0.01, price: 80_000 });
  });

  test("ends good-til-day orders, and tells it at once", async () => {
    const trader = await beforeEight();
    const channels = ["user.orders.any.any.raw", `ticker.${PERPETUAL}.raw`];
    await trader.client.result("private/subscribe", { channels });
    await trader.place("buy", { amount: 10, price: 92_000, time_in_force: "good_til_day" });
    const states = (): (readonly [string, unknown])[] => [
      ...(trader.client.events(channels[0] ?? "") as WireOrder[]).map(({ order_state: s }) => ["order", s] as const),
      ...(trader.client.events(channels[1] ?? "") as { state: string }[]).map(({ state: s }) => ["book", s] as const),
    ];
    await trader.situation.clock.advance(4 * SECOND_MS);
    assert.deepEqual(
      states().filter(([, state]) => state !== "open"),
      [],
    );
    await trader.situation.clock.advance(6 * SECOND_MS);
    const told = states().map((each) => each.join(" "));
    assert.deepEqual([...new Set(told)], ["order open", "order cancelled", "book open", "book settlement"]);
    assert.equal(told.at(-1), "book open");
    assert.deepEqual(await trader.open(), []);
  });

  test("doesn't tell of itself where instruments that end are told", async () => {
    const trader = await beforeEight();
    await trader.client.result("public/subscribe", { channels: ["instrument.state.any.any", "platform_state"] });
    await trader.situation.clock.advance(20 * SECOND_MS);
    assert.deepEqual(trader.client.events("instrument.state.any.any"), []);
    assert.deepEqual(trader.client.events("platform_state"), []);
  });
});

describe("a state that is set", () => {
  test.each([
    ["settlement", [10_041, 10_041, 10_041]],
    ["locked", [10_019, 10_019, "ok"]],
    ["halted", [10_012, 10_012, "ok"]],
    ["open", ["ok", "ok", "ok"]],
  ] as const)("%s takes place, edit, cancel: %j", async (state, expected) => {
    const trader = await startTrader();
    const { control } = trader.situation.exchange;
    const { order } = await trader.place("buy", { amount: 10, price: 92_000 });
    control.setBookState({ state });
    assert.deepEqual(await shownStates(trader.client, PERPETUAL), all(state));
    assert.deepEqual(await attempts(trader, order), expected);
    control.setBookState({ state: "open" });
    assert.deepEqual(await shownStates(trader.client, PERPETUAL), all("open"));
    await trader.place("buy", { amount: 10, price: 92_000 });
  });

  test("settlement lasts as long as the daily one unless it says how long, and ends good-til-day orders", async () => {
    const trader = await startTrader();
    const { clock, exchange } = trader.situation;
    await trader.place("buy", { amount: 10, price: 92_000, time_in_force: "good_til_day" });
    await trader.place("buy", { amount: 10, price: 91_000 });
    for (const [forMs, lastsMs] of [
      [undefined, 5000],
      [30_000, 30_000],
    ]) {
      exchange.control.setBookState({ state: "settlement", ...(forMs === undefined ? {} : { forMs }) });
      assert.deepEqual(await trader.open(), ["buy 10 @ 91000 limit open"]);
      await clock.advance((lastsMs ?? 0) - 1);
      assert.deepEqual(await shownStates(trader.client, PERPETUAL), all("settlement"));
      await clock.advance(1);
      assert.deepEqual(await shownStates(trader.client, PERPETUAL), all("open"));
    }
  });

  test("a lock is told on platform_state and public/status, of the index that is locked", async () => {
    const { client, situation } = await startTrader();
    const { control } = situation.exchange;
    await client.result("public/subscribe", { channels: ["platform_state"] });
    const status = async (): Promise<unknown> => await client.result("public/status");
    assert.deepEqual(await status(), { locked: "false", locked_indices: [] });
    control.setBookState({ state: "locked", indexName: "btc_usd" });
    assert.deepEqual(await status(), { locked: "partial", locked_indices: ["btc_usd"] });
    assert.deepEqual(await shownStates(client, "ETH-PERPETUAL"), all("open"));
    control.setBookState({ state: "open" });
    await situation.clock.settle();
    assert.deepEqual(client.events("platform_state"), [
      { price_index: "btc_usd", locked: true },
      { price_index: "btc_usd", locked: false },
    ]);
    control.setBookState({ state: "locked" });
    const { locked, locked_indices } = (await status()) as { locked: string; locked_indices: readonly string[] };
    assert.deepEqual([locked, locked_indices.includes("eth_usd")], ["true", true]);
  });

  test("a cancel of the exchange itself comes in every state", async () => {
    const trader = await startTrader();
    const { situation, client } = trader;
    await client.result("private/enable_cancel_on_disconnect", {});
    const { order } = await trader.place("buy", { amount: 10, price: 92_000 });
    situation.exchange.control.setBookState({ state: "settlement" });
    client.close();
    await situation.clock.settle();
    assert.equal(situation.exchange.control.order(order.order_id)?.cancel_reason, "cancel_on_disconnect");
  });
});

describe("a call that cancels several orders", () => {
  const SPOT_ORDER = { instrument_name: SPOT, amount: 0.01, price: 80_000 };

  test("cancels what it can in a settlement, and says why the rest stays", async () => {
    const trader = await startTrader();
    const { client, situation } = trader;
    await trader.place("buy", { amount: 10, price: 92_000 });
    await trader.place("buy", SPOT_ORDER);
    situation.exchange.control.setBookState({ state: "settlement" });
    const batches = await client.result<{ result?: WireOrder[] }[]>("private/cancel_all", { detailed: true });
    assert.deepEqual(
      batches.map(({ result, ...batch }) => ({ ...batch, result: result?.map(({ order_state: state }) => state) })),
      [
        {
          ...{ instrument_name: PERPETUAL, currency: "BTC", type: "limit" },
          ...{ error: { message: "settlement_in_progress", code: 10_041 }, result: undefined },
        },
        { instrument_name: SPOT, currency: SPOT, type: "limit", result: ["cancelled"] },
      ],
    );
    assert.deepEqual(await trader.open(), ["buy 10 @ 92000 limit open"]);
    await trader.place("buy", SPOT_ORDER);
    assert.equal(await client.result("private/cancel_all"), 1);
    assert.deepEqual(await client.refusal("private/cancel_all"), [10_041]);
  });
});

describe("maintenance", () => {
  const NO_ID = '{"jsonrpc":"2.0","error":{"code":11051,"message":"system_maintenance"}}';

  test("is told to all, with an error without an ID, and closes their connections", async () => {
    const { client, situation } = await startTrader();
    const other = situation.connect();
    await client.result("public/subscribe", { channels: ["platform_state"] });
    situation.exchange.control.setMaintenance(true);
    await situation.clock.settle();
    assert.deepEqual(client.events("platform_state"), [{ maintenance: true }]);
    for (const each of [client, other]) assert.deepEqual([each.received.at(-1), each.isOpen], [NO_ID, false]);
  });

  test("refuses calls with their ID, and closes their connection; only public/status is served", async () => {
    const trader = await startTrader();
    const { situation } = trader;
    const { access_token: token } = await trader.client.signIn("session:bot");
    const { order } = await trader.place("buy", { amount: 10, price: 92_000 });
    situation.exchange.control.setMaintenance(true);
    const client = situation.connect();
    assert.deepEqual(await client.result("public/status"), { locked: "true", locked_indices: [] });
    assert.deepEqual([await client.refusal("public/test"), client.isOpen], [[11_051], false]);
    const params = { order_id: order.order_id };
    const { error, status } = await situation.post({ id: 1, method: "private/cancel", params }, token);
    assert.deepEqual([error?.code, error?.message, status], [11_051, "system_maintenance", 11_051]);
    situation.exchange.control.setMaintenance(false);
    const { result } = await situation.post({ id: 2, method: "private/cancel", params }, token);
    assert.equal((result as WireOrder).order_state, "cancelled");
  });

  test("lets nothing trade meanwhile", async () => {
    const trader = await startTrader({ still: false });
    const { order } = await trader.place("buy", { amount: 10, price: 92_440 });
    const { control } = trader.situation.exchange;
    const filled = (): unknown => control.order(order.order_id)?.filled_amount;
    control.setMaintenance(true);
    await trader.situation.clock.advance(600_000);
    assert.equal(filled(), 0);
    control.setMaintenance(false);
    await trader.situation.clock.advance(600_000);
    assert.equal(filled(), 10);
  });
});
