import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { DescribedOrder } from "../../../../src/simulator/wire/control.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

interface Trade {
  readonly trade_id: string;
  readonly trade_seq: number;
  readonly timestamp: number;
  readonly instrument_name: string;
  readonly order_id?: string;
  readonly block_trade_id?: string;
  readonly [member: string]: unknown;
}

interface Trades {
  readonly trades: readonly Trade[];
  readonly has_more: boolean;
}

const instrument_name = "BTC_USDC";
const BY_INSTRUMENT = "private/get_user_trades_by_instrument";
const BY_CURRENCY = "private/get_user_trades_by_currency";

async function start(): Promise<{ readonly situation: Situation; readonly client: Conversation }> {
  const situation = createSituation();
  const client = situation.connect();
  await client.signIn();
  return { situation, client };
}

/** Fills an order of 0.05 in five parts, a second apart; hands out the order as it was placed. */
async function fillFiveTimes(
  { exchange: { control }, clock }: Situation,
  more: Partial<Parameters<typeof control.place>[0]> = {},
): Promise<DescribedOrder> {
  const order = control.place({ instrument_name, direction: "buy", amount: 0.05, price: 91_000, ...more });
  for (let part = 0; part < 5; part++) {
    await clock.advance(1000);
    control.fill(order.order_id, 0.01);
  }
  return order;
}

const ids = ({ trades }: Trades): string[] => trades.map(({ trade_id }) => trade_id);

describe("trades of the account", () => {
  test("have one identifier each in public, among the account's own, and in its transaction log", async () => {
    for (const name of ["BTC_USDC", "BTC-PERPETUAL"]) {
      const { situation, client } = await start();
      const order = await fillFiveTimes(situation, {
        instrument_name: name,
        ...(name === "BTC_USDC" ? {} : { amount: 50_000 }),
      });
      const own = await client.result<Trades>(BY_INSTRUMENT, { instrument_name: name, count: 5 });
      const { trades } = await client.result<Trades>("public/get_last_trades_by_instrument", {
        ...{ instrument_name: name, count: 1000 },
      });
      const { logs } = await client.result<{ logs: Trade[] }>("private/get_transaction_log", {
        ...{ currency: "BTC", start_timestamp: 0, end_timestamp: situation.clock.now() + 1, count: 250 },
      });
      const expected = ids(own).sort();
      assert.equal(new Set(expected).size, 5);
      const shown = new Set(ids({ trades, has_more: false }));
      assert.ok(expected.every((id) => shown.has(id)));
      const logged = logs.filter((each) => each.order_id === order.order_id);
      assert.deepEqual(logged.map(({ trade_id }) => trade_id).sort(), expected);
    }
  });

  test("a fill is one, the other side of a public trade with the same identifier", async () => {
    const { situation, client } = await start();
    const { order_id } = situation.exchange.control.place({
      instrument_name,
      direction: "buy",
      amount: 0.05,
      price: 91_000,
      label: "mine",
      post_only: true,
    });
    situation.exchange.control.fill(order_id, 0.02);
    const [trade] = (await client.result<Trades>(BY_INSTRUMENT, { instrument_name })).trades;
    const [seen] = (await client.result<Trades>("public/get_last_trades_by_instrument", { instrument_name, count: 1 }))
      .trades;
    assert.ok(trade !== undefined && seen !== undefined);
    for (const member of [
      "trade_id",
      "trade_seq",
      "timestamp",
      "tick_direction",
      "price",
      "amount",
      "contracts",
      "index_price",
      "mark_price",
      "instrument_name",
    ])
      assert.equal(trade[member], seen[member], member);
    assert.deepEqual([trade["direction"], seen["direction"]], ["buy", "sell"]);
    const { order_id: id, state, liquidity, fee, fee_currency, label, post_only, matching_id } = trade;
    assert.deepEqual(
      { id, state, liquidity, fee, fee_currency, label, post_only, matching_id },
      {
        id: order_id,
        state: "open",
        liquidity: "M",
        fee: 0,
        fee_currency: "BTC",
        label: "mine",
        post_only: true,
        matching_id: null,
      },
    );
    assert.match(
      client.received.find((text) => text.includes('"matching_id"')) ?? "",
      /"price":91000\.0,"amount":0\.02,/,
    );
  });

  test("the last part says that the order is filled; one at the market pays", async () => {
    const { situation, client } = await start();
    await fillFiveTimes(situation);
    const { trades } = await client.result<Trades>(BY_INSTRUMENT, { instrument_name });
    assert.deepEqual(pluck(trades, "state"), ["filled", "open", "open", "open", "open"]);
    situation.exchange.control.place({
      instrument_name: "BTC-PERPETUAL",
      direction: "sell",
      amount: 9000,
      type: "market",
    });
    const [taken] = (await client.result<Trades>(BY_INSTRUMENT, { instrument_name: "BTC-PERPETUAL" })).trades;
    assert.deepEqual(
      [taken?.["order_type"], taken?.["liquidity"], taken?.["fee"], taken?.["fee_currency"]],
      // 0.05 % of 9000 USD at 92449.
      ["market", "T", 0.00004868, "BTC"],
    );
  });

  test("are cut and turned as public ones are", async () => {
    const { situation, client } = await start();
    await fillFiveTimes(situation);
    const read = async (params: object = {}): Promise<Trades> =>
      await client.result<Trades>(BY_INSTRUMENT, { instrument_name, ...params });
    const { trades } = await read({ sorting: "asc" });
    const [first, second, third, fourth, fifth] = trades;
    assert.ok(
      first !== undefined && second !== undefined && third !== undefined && fourth !== undefined && fifth !== undefined,
    );
    assert.deepEqual(
      ids(await read()),
      [fifth, fourth, third, second, first].map(({ trade_id }) => trade_id),
    );
    assert.deepEqual(await read({ count: 2 }), { trades: [fifth, fourth], has_more: true });
    assert.deepEqual(await read({ start_seq: second.trade_seq, end_seq: third.trade_seq }), {
      trades: [second, third],
      has_more: false,
    });
    assert.deepEqual(await read({ start_timestamp: fourth.timestamp }), { trades: [fourth, fifth], has_more: false });
    const timed = async (params: object): Promise<Trades> =>
      await client.result<Trades>(`${BY_INSTRUMENT}_and_time`, { instrument_name, ...params });
    assert.deepEqual(await timed({ start_timestamp: second.timestamp, end_timestamp: third.timestamp }), {
      trades: [second, third],
      has_more: false,
    });
    assert.deepEqual(await timed({ end_timestamp: first.timestamp }), { trades: [first], has_more: false });
  });

  test("either time has to be there where the method is about times", async () => {
    const { client } = await start();
    for (const [method, params] of [
      [`${BY_INSTRUMENT}_and_time`, { instrument_name }],
      [`${BY_CURRENCY}_and_time`, { currency: "BTC" }],
      ["public/get_last_trades_by_instrument_and_time", { instrument_name }],
    ] as const) {
      assert.equal((await client.refusal(method, params))[0], -32602, method);
      await client.result(method, { ...params, start_timestamp: 0 });
    }
  });

  test("by currency: those of its instruments, of a kind, from one trade to another", async () => {
    const { situation, client } = await start();
    await fillFiveTimes(situation);
    await fillFiveTimes(situation, { instrument_name: "ETH-PERPETUAL", price: 2100, amount: 5 });
    await fillFiveTimes(situation, { instrument_name: "BTC-24SEP27-96000-C", price: 0.1, amount: 0.5 });
    const read = async (params: object): Promise<Trades> =>
      await client.result<Trades>(BY_CURRENCY, { count: 1000, ...params });
    const named = async (params: object): Promise<string[]> =>
      [
        ...new Set(
          (await read(params)).trades
            .filter(({ block_trade_id: block }) => block === undefined)
            .map((trade) => trade.instrument_name),
        ),
      ].sort();
    assert.deepEqual(await named({ currency: "USDC" }), ["BTC_USDC"]);
    assert.deepEqual(await named({ currency: "ETH" }), ["ETH-PERPETUAL"]);
    assert.deepEqual(await named({ currency: "BTC", kind: "spot" }), ["BTC_USDC"]);
    assert.deepEqual(await named({ currency: "BTC", kind: "option" }), ["BTC-24SEP27-96000-C"]);
    const all = ids(await read({ currency: "USDC", sorting: "asc" }));
    assert.deepEqual(
      ids(await read({ currency: "USDC", start_id: all.at(-4), end_id: all.at(-2), sorting: "asc" })),
      all.slice(-4, -1),
    );
    assert.deepEqual(await client.refusal(BY_CURRENCY, { currency: "USDC", start_id: "no such" }), [13020]);
    assert.deepEqual(await client.refusal(BY_CURRENCY, { currency: "XYZ" }), [-32602, "currency", "invalid currency"]);
    assert.deepEqual(await client.refusal(BY_INSTRUMENT, { instrument_name: "DOGE-PERPETUAL" }), [13020]);
  });

  test("those within block trades are among them; what is older than a day is history", async () => {
    const { situation, client } = await start();
    const {
      exchange: { control },
      clock,
    } = situation;
    const name = "SOL_USDC-PERPETUAL";
    for (const direction of ["buy", "sell"] as const) {
      control.addBlockTrade({ legs: [{ instrument_name: name, direction, amount: 10 }] });
      await clock.advance(1);
    }
    const legs = control.blockTrades().flatMap((each) => each["trades"] as Trade[]);
    assert.equal(legs.length, 2);
    const read = async (params: object = {}): Promise<Trades> =>
      await client.result<Trades>(BY_INSTRUMENT, { instrument_name: name, ...params });
    assert.deepEqual(
      ids(await read()),
      legs.map(({ trade_id }) => trade_id),
    );
    await fillFiveTimes(situation);
    const mine = ids(await client.result<Trades>(BY_INSTRUMENT, { instrument_name }));
    await clock.advance(24 * 3_600_000 - 1000);
    const later = situation.connect();
    await later.signIn();
    assert.deepEqual(ids(await later.result<Trades>(BY_INSTRUMENT, { instrument_name })), mine.slice(0, 1));
    assert.deepEqual(ids(await later.result<Trades>(BY_INSTRUMENT, { instrument_name, historical: true })), mine);
  });

  test("are not visible to other accounts", async () => {
    const { situation, client } = await start();
    await fillFiveTimes(situation);
    const { refresh_token } = await client.signIn();
    await client.result("public/exchange_token", { refresh_token, subject_id: 48_604 });
    assert.deepEqual(await client.result(BY_INSTRUMENT, { instrument_name }), { trades: [], has_more: false });
    assert.deepEqual(await situation.connect().refusal(BY_INSTRUMENT, { instrument_name }), [13009]);
  });
});

describe("what other clients ask besides", () => {
  test("open orders of a currency and of an instrument are those of the whole list", async () => {
    const { situation, client } = await start();
    const all = await client.result<DescribedOrder[]>("private/get_open_orders");
    const { control } = situation.exchange;
    assert.deepEqual(control.openOrders(), all);
    for (const [currency, pattern] of [
      ["BTC", /^BTC-|^BTC_(USDC|USDT|EURR)$|^ETH_BTC$/],
      ["ETH", /^ETH-|^ETH_(USDC|BTC)$/],
      ["USDC", /_USDC/],
      ["SOL", /^$/],
    ] as const) {
      const expected = all.filter((order) => pattern.test(order.instrument_name ?? ""));
      assert.equal(expected.length > 0, currency !== "SOL");
      assert.deepEqual(await client.result("private/get_open_orders_by_currency", { currency }), expected, currency);
      const options = expected.filter(
        (order) => /-[CP]$/.test(order.instrument_name ?? "") && order.order_type === "limit",
      );
      assert.deepEqual(
        await client.result("private/get_open_orders_by_currency", { currency, kind: "option", type: "limit" }),
        options,
        currency,
      );
    }
    const ofEther = all.filter((order) => order.instrument_name === "ETH-PERPETUAL");
    assert.deepEqual(
      await client.result("private/get_open_orders_by_instrument", { instrument_name: "ETH-PERPETUAL" }),
      ofEther,
    );
    assert.deepEqual(
      await client.result("private/get_open_orders_by_instrument", {
        instrument_name: "ETH-PERPETUAL",
        type: "trigger_all",
      }),
      ofEther.filter(({ trigger }) => trigger !== undefined),
    );
    assert.deepEqual(await client.refusal("private/get_open_orders_by_currency", { currency: "XYZ" }), [
      -32602,
      "currency",
      "invalid currency",
    ]);
    assert.deepEqual(
      await client.refusal("private/get_open_orders_by_instrument", { instrument_name: "DOGE-PERPETUAL" }),
      [13020],
    );
  });

  test("every currency of an instrument is one of the exchange's, and all instruments come where no currency is named", async () => {
    interface Instrument {
      readonly instrument_name: string;
      readonly kind: string;
      readonly [member: string]: unknown;
    }
    const { client } = await start();
    const currencies = (await client.result<{ currency: string }[]>("public/get_currencies")).map(
      ({ currency }) => currency,
    );
    const all = await client.result<Instrument[]>("public/get_instruments");
    assert.deepEqual(await client.result("public/get_instruments", { currency: "any" }), all);
    assert.deepEqual(
      [
        ...new Set(
          all.flatMap((each) => [each["base_currency"], each["settlement_currency"] ?? each["quote_currency"]]),
        ),
      ].filter((each) => !currencies.includes(String(each))),
      [],
    );
    const option = all.find(({ instrument_name: name }) => name === "BTC-26MAR27-96000-C");
    assert.deepEqual(
      [
        option?.["base_currency"],
        option?.["quote_currency"],
        option?.["counter_currency"],
        option?.["settlement_currency"],
      ],
      ["BTC", "BTC", "USD", "BTC"],
    );
  });

  test("a server with the ten methods alone has none of it", async () => {
    const client = createSituation({ methods: "contract" }).connect();
    await client.signIn();
    const timed = [BY_INSTRUMENT, BY_CURRENCY, "public/get_last_trades_by_instrument"].map(
      (method) => `${method}_and_time`,
    );
    for (const method of [
      ...timed,
      BY_INSTRUMENT,
      BY_CURRENCY,
      "private/get_open_orders_by_currency",
      "private/get_open_orders_by_instrument",
      "public/get_currencies",
    ]) {
      assert.deepEqual(await client.refusal(method), [-32601], method);
    }
  });
});
