import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { pluck } from "../../pluck.ts";
import { PERPETUAL, startTrader, type Trader, type WireOrder, type WireTrade } from "./trader.ts";

/*
 * Clients that read a whole list in pages, forward and backward, as the documentation lets them: each item comes exactly
 * once, whatever the size of a page.
 * https://docs.deribit.com/api-reference/trading/private-get_user_trades_by_currency
 * https://docs.deribit.com/api-reference/trading/private-get_user_trades_by_instrument
 */

type Params = Record<string, unknown>;

interface Trade {
  readonly trade_id: string;
  readonly trade_seq: number;
  readonly timestamp: number;
}

const SPOT = "BTC_USDC";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Reads trades page by page; `after`: the bound of the next page by the last trade of this one. */
type NextPage = (last: Trade) => Params;

/** Returns the IDs of the trades in the order in which they came, those of the page before left out. */
async function readTrades(
  { client }: Trader,
  method: string,
  params: Params,
  { count, after }: { readonly count: number; readonly after: NextPage },
): Promise<string[]> {
  const read: Trade[] = [];
  for (let pages = 0, bound: Params = {}; pages < 100; pages++) {
    const page = await client.result<{ trades: Trade[]; has_more: boolean }>(method, { ...params, ...bound, count });
    assert.ok(page.trades.length <= count);
    const known = new Set(pluck(read, "trade_id"));
    read.push(...page.trades.filter(({ trade_id: id }) => !known.has(id)));
    const last = page.trades.at(-1);
    if (!page.has_more || last === undefined) return pluck(read, "trade_id");
    bound = after(last);
  }
  return assert.fail("It never ends.");
}

/** Lets time pass, and connects again: a silent connection is closed meanwhile. */
async function laterBy(trader: Trader, ms: number): Promise<Trader> {
  await trader.situation.clock.advance(ms);
  const client = trader.situation.connect();
  await client.signIn();
  return { ...trader, client };
}

/** Makes fills of two instruments, up to five of them in one millisecond. */
async function fillMany(trader: Trader): Promise<void> {
  const { clock, exchange } = trader.situation;
  for (const [instrument_name, amount, part] of [
    [PERPETUAL, 1000, 10],
    [SPOT, 0.1, 0.001],
  ] as const) {
    // What offers more is filled before the first fill of the other order.
    await trader.place("buy", { instrument_name, amount: part, price: 90_001 });
    const { order } = await trader.place("buy", { instrument_name, amount, price: 90_000 });
    for (const fills of [4, 1, 2, 4, 3]) {
      for (let fill = 0; fill < fills; fill++) exchange.control.fill(order.order_id, part);
      await clock.advance(7);
    }
  }
}

describe("trades of the account, page by page", () => {
  let trader: Trader;
  /** The IDs of each instrument's trades as the events told them, oldest first. */
  let told: Record<string, readonly string[]>;
  let sinceMs: number;
  let untilMs: number;

  beforeAll(async () => {
    trader = await startTrader();
    const channels = [PERPETUAL, SPOT].map((name) => `user.trades.${name}.raw`);
    await trader.client.result("private/subscribe", { channels });
    sinceMs = trader.situation.clock.now();
    await fillMany(trader);
    untilMs = trader.situation.clock.now();
    const idsOf = (name: string): string[] =>
      pluck(trader.client.events(`user.trades.${name}.raw`).flat() as Trade[], "trade_id");
    told = { [PERPETUAL]: idsOf(PERPETUAL), [SPOT]: idsOf(SPOT), BTC: [...idsOf(PERPETUAL), ...idsOf(SPOT)] };
  });

  test("have many in one millisecond", () => {
    assert.deepEqual([told[PERPETUAL]?.length, told[SPOT]?.length], [15, 15]);
  });

  const byCurrency = "private/get_user_trades_by_currency";
  const byInstrument = "private/get_user_trades_by_instrument";
  const bySeq: NextPage = ({ trade_seq: seq }) => ({ start_seq: seq + 1 });
  const downSeq: NextPage = ({ trade_seq: seq }) => ({ end_seq: seq - 1 });
  const byId: NextPage = ({ trade_id: id }) => ({ start_id: id });
  const downId: NextPage = ({ trade_id: id }) => ({ end_id: id });
  const byTime: NextPage = ({ timestamp }) => ({ start_timestamp: timestamp });
  const downTime: NextPage = ({ timestamp }) => ({ end_timestamp: timestamp });
  const all = (): Params => ({ start_timestamp: sinceMs, end_timestamp: untilMs });

  // A pager by ID or time sees the last trade again, so that it needs pages of two, or larger than a millisecond.
  test.for<[string, string, Params, () => Params, NextPage, number[]]>([
    ["by number", byInstrument, { instrument_name: SPOT }, () => ({ start_seq: 0 }), bySeq, [1, 2, 3, 7, 1000]],
    [
      "by number, sorted",
      byInstrument,
      { instrument_name: SPOT, sorting: "asc" },
      () => ({ start_seq: 0 }),
      bySeq,
      [1, 5],
    ],
    ["by ID", byCurrency, { currency: "BTC" }, () => ({ start_id: told["BTC"]?.[0] }), byId, [2, 3, 7, 1000]],
    [
      "by ID, sorted",
      byCurrency,
      { currency: "BTC", sorting: "asc" },
      () => ({ start_id: told["BTC"]?.[0] }),
      byId,
      [2, 9],
    ],
    ["by time", byInstrument, { instrument_name: PERPETUAL }, all, byTime, [6, 7, 1000]],
    ["by time, of a currency", byCurrency, { currency: "BTC" }, all, byTime, [6, 11]],
    ["by time alone", `${byCurrency}_and_time`, { currency: "BTC" }, all, byTime, [6, 7]],
    ["by time alone, of an instrument", `${byInstrument}_and_time`, { instrument_name: SPOT }, all, byTime, [6, 7]],
  ])("forward %s: the first trades from a start come first", async ([, method, params, start, after, counts]) => {
    for (const count of counts)
      assert.deepEqual(
        await readTrades(trader, method, { ...params, ...start() }, { count, after }),
        told[String(params["instrument_name"] ?? params["currency"])],
        `pages of ${count}`,
      );
  });

  test.for<[string, string, Params, () => Params, NextPage, number[]]>([
    ["by number", byInstrument, { instrument_name: SPOT }, () => ({}), downSeq, [1, 2, 3, 7, 1000]],
    ["by number, sorted", byInstrument, { instrument_name: SPOT, sorting: "desc" }, () => ({}), downSeq, [1, 5]],
    ["by ID", byCurrency, { currency: "BTC" }, () => ({}), downId, [2, 3, 7, 1000]],
    ["by ID, sorted", byCurrency, { currency: "BTC", sorting: "desc" }, () => ({}), downId, [2, 9]],
    ["by time", byInstrument, { instrument_name: PERPETUAL }, () => ({}), downTime, [6, 7, 1000]],
    ["by time, sorted", `${byCurrency}_and_time`, { currency: "BTC", sorting: "desc" }, all, downTime, [6, 7]],
  ])("backward %s: the newest come first", async ([, method, params, start, after, counts]) => {
    const made = told[String(params["instrument_name"] ?? params["currency"])] ?? [];
    for (const count of counts) {
      const read = await readTrades(trader, method, { ...params, ...start() }, { count, after });
      // The account may have older ones.
      assert.deepEqual(
        read.filter((id) => made.includes(id)),
        made.toReversed(),
        `pages of ${count}`,
      );
    }
  });

  test.for<[string, Params, NextPage, boolean]>([
    ["forward", {}, byId, false],
    ["backward", { sorting: "desc" }, downId, true],
  ])("of the public by ID, %s: however many of a millisecond come before", async ([, params, after, isBackward]) => {
    const method = "public/get_last_trades_by_currency";
    const wanted = { currency: "BTC", kind: "future", start_timestamp: sinceMs, end_timestamp: untilMs };
    const { trades } = await trader.client.result<{ trades: Trade[] }>(method, { ...wanted, count: 1000 });
    const ids = pluck(trades, "trade_id");
    assert.ok(ids.length >= 15);
    const bound = isBackward ? { ...wanted, end_id: ids.at(-1) } : { ...wanted, start_id: ids[0] };
    for (const count of [2, 7]) {
      const read = await readTrades(trader, method, { ...params, ...bound }, { count, after });
      assert.deepEqual(read, isBackward ? ids.toReversed() : ids, `pages of ${count}`);
    }
  });

  test("an end and a start are both returned, in the order of sorting", async () => {
    const [first, , third, , , last] = told[SPOT] ?? [];
    const ids = async (params: Params): Promise<string[]> => {
      const given = { currency: "BTC", count: 100, ...params };
      return pluck((await trader.client.result<{ trades: Trade[] }>(byCurrency, given)).trades, "trade_id");
    };
    const between = told[SPOT]?.slice(0, 6);
    assert.deepEqual(await ids({ start_id: first, end_id: last }), between);
    assert.deepEqual(await ids({ start_id: first, end_id: last, sorting: "desc" }), between?.toReversed());
    assert.deepEqual(await ids({ start_id: third, end_id: third }), [third]);
    assert.deepEqual(await ids({ start_id: last, end_id: first }), []);
  });

  test("of an order are all of its trades", async () => {
    const [order] = await trader.client.result<WireOrder[]>("private/get_open_orders_by_instrument", {
      instrument_name: SPOT,
    });
    const ids = async (params: Params): Promise<string[]> =>
      pluck(
        await trader.client.result<Trade[]>("private/get_user_trades_by_order", {
          order_id: order?.order_id,
          ...params,
        }),
        "trade_id",
      );
    const oldestFirst = await ids({ sorting: "asc" });
    assert.deepEqual(oldestFirst, told[SPOT]?.slice(1));
    assert.deepEqual(await ids({ sorting: "desc" }), oldestFirst.toReversed());
  });
});

interface ListOfPages {
  readonly method: string;
  readonly params: Params;
  /** Returns the rows of a page as texts that tell them apart. */
  readonly rows: (result: never) => string[];
}

/** Reads a list, the newest first, by its continuations. `meanwhile`: what happens after each page. */
async function readOn(
  { client }: Trader,
  { method, params, rows }: ListOfPages,
  count: number,
  meanwhile?: () => Promise<unknown>,
): Promise<string[]> {
  const read: string[] = [];
  for (let pages = 0, bound: Params = {}; pages < 200; pages++) {
    const page = await client.result<{ continuation?: unknown }>(method, { ...params, ...bound, count });
    read.push(...rows(page as never));
    const { continuation } = page;
    if (continuation === undefined || continuation === null || continuation === "none") return read;
    bound = { continuation };
    await meanwhile?.();
  }
  return assert.fail("It never ends.");
}

/*
 * https://docs.deribit.com/api-reference/trading/private-get_order_history_by_currency
 * https://docs.deribit.com/api-reference/trading/private-get_settlement_history_by_currency
 * https://docs.deribit.com/api-reference/account-management/private-get_transaction_log
 */
describe("lists with a continuation", () => {
  const sizes = [1, 2, 3, 7, 100];
  const orderIds = ({ orders }: { readonly orders: WireOrder[] }): string[] => pluck(orders, "order_id");
  const history = { include_unfilled: true, with_continuation: true };
  /** Ends orders, three of them in each millisecond. Returns their IDs, the newest first. */
  const endOrders = async (trader: Trader, params: Params): Promise<string[]> => {
    const ended: string[] = [];
    for (let group = 0; group < 3; group++) {
      for (let index = 0; index < 3; index++) {
        const { order } = await trader.place("buy", params);
        await trader.client.result("private/cancel", { order_id: order.order_id });
        ended.unshift(order.order_id);
      }
      await trader.situation.clock.advance(1);
    }
    return ended;
  };

  test.for<[string, ListOfPages]>([
    [
      "ended orders of an instrument",
      {
        method: "private/get_order_history_by_instrument",
        params: { instrument_name: PERPETUAL, ...history },
        rows: orderIds,
      },
    ],
    [
      "ended orders of a currency",
      { method: "private/get_order_history_by_currency", params: { currency: "BTC", ...history }, rows: orderIds },
    ],
    [
      "trigger orders",
      {
        method: "private/get_trigger_order_history",
        params: { currency: "BTC" },
        rows: ({ entries }: { readonly entries: { trigger_order_id: string }[] }) => pluck(entries, "trigger_order_id"),
      },
    ],
  ])("%s: each comes once, and what ends meanwhile moves none", async ([, list]) => {
    const trader = await startTrader();
    const terms = list.method.includes("trigger")
      ? { type: "stop_market", trigger: "index_price", trigger_price: 200_000 }
      : { price: 90_000 };
    const params = { amount: 10, ...terms };
    const ended = await endOrders(trader, params);
    // The account may have older ones.
    const own = (read: readonly string[]): string[] => read.filter((id) => ended.includes(id));
    for (const count of sizes) assert.deepEqual(own(await readOn(trader, list, count)), ended, `pages of ${count}`);
    const read = await readOn(trader, list, 2, async () => await endOrders(trader, params));
    assert.deepEqual(own(read), ended);
  });

  test("ended orders by offset", async () => {
    const trader = await startTrader();
    const ended = await endOrders(trader, { amount: 10, price: 90_000 });
    for (const count of sizes) {
      const read: string[] = [];
      for (let page; page === undefined || page.length > 0; read.push(...pluck(page, "order_id")))
        page = await trader.client.result<WireOrder[]>("private/get_order_history_by_instrument", {
          ...{ instrument_name: PERPETUAL, include_unfilled: true, offset: read.length, count },
        });
      assert.deepEqual(
        read.filter((id) => ended.includes(id)),
        ended,
        `pages of ${count}`,
      );
    }
  });

  test("a continuation whose order has become too old goes on with what is older, which is nothing", async () => {
    let trader = await startTrader();
    await endOrders(trader, { amount: 10, price: 90_000 });
    const params = { instrument_name: PERPETUAL, ...history };
    const method = "private/get_order_history_by_instrument";
    const { continuation } = await trader.client.result<{ continuation: string }>(method, { ...params, count: 2 });
    trader = await laterBy(trader, HOUR_MS);
    assert.deepEqual(await trader.client.result(method, { ...params, continuation }), {
      orders: [],
      continuation: null,
    });
    assert.deepEqual(await trader.client.refusal(method, { ...params, continuation: "later" }), [
      -32602,
      "continuation",
      "invalid continuation",
    ]);
  });

  test("the transaction log: each entry comes once, and what is booked meanwhile moves none", async () => {
    const trader = await startTrader();
    const { clock } = trader.situation;
    const trade = async (): Promise<void> => {
      for (const side of ["buy", "sell"] as const) await trader.place(side, { type: "market", amount: 10 });
    };
    const list = {
      method: "private/get_transaction_log",
      params: { currency: "BTC", start_timestamp: clock.now() - HOUR_MS, end_timestamp: clock.now() + HOUR_MS },
      rows: ({ logs }: { readonly logs: { id: number }[] }) => logs.map(({ id }) => String(id)),
    };
    for (let group = 0; group < 4; group++) {
      await trade();
      await clock.advance(1);
    }
    const whole = await readOn(trader, list, 250);
    assert.ok(whole.length >= 8);
    assert.deepEqual(
      whole,
      whole.toSorted((one, other) => Number(other) - Number(one)),
    );
    for (const count of sizes) assert.deepEqual(await readOn(trader, list, count), whole, `pages of ${count}`);
    assert.deepEqual(await readOn(trader, list, 3, trade), whole);
  });

  test("settlements: each comes once, and a later one moves none", async () => {
    let trader = await startTrader();
    const futures = await trader.client.result<{ instrument_name: string; expiration_timestamp: number }[]>(
      "public/get_instruments",
      { currency: "BTC", kind: "future" },
    );
    const lasting = futures.toSorted((one, other) => other.expiration_timestamp - one.expiration_timestamp).slice(0, 2);
    for (const { instrument_name } of lasting)
      await trader.place("buy", { instrument_name, type: "market", amount: 10 });
    const days = async (count: number): Promise<void> => {
      trader = await laterBy(trader, count * 24 * HOUR_MS);
      // A market that stands still settles nothing: it catches up for the next read.
      trader.situation.exchange.control.setStill(false);
      await trader.client.result("private/get_positions");
      trader.situation.exchange.control.setStill(true);
    };
    await days(3);
    const own = {
      method: "private/get_settlement_history_by_currency",
      params: { currency: "BTC" },
      rows: ({ settlements }: { readonly settlements: { timestamp: number; instrument_name: string }[] }) =>
        settlements.map(({ timestamp, instrument_name }) => `${timestamp} ${instrument_name}`),
    };
    const ofPerpetual = {
      ...own,
      method: "private/get_settlement_history_by_instrument",
      params: { instrument_name: PERPETUAL },
    };
    const told = { ...own, method: "public/get_last_settlements_by_currency" };
    for (const list of [own, ofPerpetual, told]) {
      const whole = await readOn(trader, list, 1000);
      assert.ok(whole.length >= 3, list.method);
      assert.equal(new Set(whole).size, whole.length);
      for (const count of sizes) assert.deepEqual(await readOn(trader, list, count), whole, `pages of ${count}`);
      const { continuation } = await trader.client.result<{ continuation: string }>(list.method, {
        ...list.params,
        count: 2,
      });
      await days(1);
      const rest = list.rows(await trader.client.result(list.method, { ...list.params, continuation, count: 1000 }));
      // What everybody sees goes seven days back, so that the oldest day is not among it any more.
      assert.deepEqual(rest, whole.slice(2, 2 + rest.length), list.method);
      assert.ok(rest.length > 0);
    }
  });
});

/*
 * Recent trades are listed for 24 hours, ended orders for 30 minutes. History has them "after a short delay for
 * indexing", and nothing recent.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
describe("history", () => {
  /** Returns `recent/history`: how often an order is in a list, by its ID or by its trades. */
  const counts = async ({ client }: Trader, method: string, params: Params, orderId: string): Promise<string> => {
    const found: number[] = [];
    for (const historical of [false, true]) {
      const result = await client.result<{ trades: WireTrade[] } | WireTrade[]>(method, { ...params, historical });
      const rows = Array.isArray(result) ? result : result.trades;
      found.push(rows.filter(({ order_id: id }) => id === orderId).length);
    }
    return found.join("/");
  };

  test("has what was done a while ago, and nothing that has just been done", async () => {
    let trader = await startTrader();
    const { order } = await trader.place("buy", { type: "market", amount: 100 });
    const lists: readonly [string, Params][] = [
      ["private/get_user_trades_by_instrument", { instrument_name: PERPETUAL }],
      ["private/get_user_trades_by_currency", { currency: "BTC" }],
      ["private/get_user_trades_by_order", { order_id: order.order_id }],
      ["private/get_order_history_by_instrument", { instrument_name: PERPETUAL }],
      ["private/get_order_history_by_currency", { currency: "BTC" }],
    ];
    const each = async (): Promise<string> => {
      const found: string[] = [];
      for (const [method, params] of lists) found.push(await counts(trader, method, params, order.order_id));
      return found.join(" ");
    };
    assert.equal(await each(), "1/0 1/0 1/0 1/0 1/0", "at once");
    trader = await laterBy(trader, 2 * MINUTE_MS);
    assert.equal(await each(), "1/1 1/1 1/1 1/1 1/1", "minutes later");
    trader = await laterBy(trader, HOUR_MS);
    assert.equal(await each(), "1/1 1/1 1/1 0/1 0/1", "an hour later");
    trader = await laterBy(trader, 24 * HOUR_MS);
    assert.equal(await each(), "0/1 0/1 0/1 0/1 0/1", "a day later");
  });
});
