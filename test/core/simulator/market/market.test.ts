import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { publicTrade } from "../../../../src/catalogue/entities.ts";
import { createSituation } from "../conversation.ts";

interface Trades {
  readonly trades: {
    readonly trade_seq: number;
    readonly trade_id: string;
    readonly timestamp: number;
    readonly direction: string;
    readonly price: number;
    readonly amount: number;
  }[];
  readonly has_more: boolean;
}

const METHOD = "public/get_last_trades_by_instrument";
const instrument_name = "BTC-PERPETUAL";

describe("public/get_last_trades_by_instrument", () => {
  const situation = createSituation();
  const client = situation.connect();
  const read = async (params: Record<string, unknown> = {}): Promise<Trades> =>
    await client.result<Trades>(METHOD, { instrument_name, ...params });
  const sequences = ({ trades }: Trades): number[] => trades.map((trade) => trade.trade_seq);

  test("the ten newest when nothing is said, the newest first", async () => {
    const response = await read();
    assert.equal(response.trades.length, 10);
    assert.equal(response.has_more, true);
    const [first = 0] = sequences(response);
    assert.deepEqual(
      sequences(response),
      Array.from({ length: 10 }, (_, index) => first - index),
    );
    assert.deepEqual(sequences(await read({ sorting: "desc" })), sequences(response));
    assert.deepEqual(sequences(await read({ sorting: "default" })), sequences(response));
    assert.deepEqual(sequences(await read({ sorting: "asc" })), sequences(response).reverse());
  });

  test("pages from the first trade to the last by start_seq, without a gap", async () => {
    const found: number[] = [];
    let start_seq = 0;
    for (let hasMore = true; hasMore;) {
      const page = await read({ start_seq, count: 400 });
      found.push(...sequences(page));
      start_seq = (found.at(-1) ?? 0) + 1;
      hasMore = page.has_more;
    }
    assert.equal(found.length, 1500);
    assert.deepEqual(
      found,
      Array.from({ length: 1500 }, (_, index) => (found[0] ?? 0) + index),
    );
  });

  test("bounds are included; has_more tells whether something was left out", async () => {
    const [newest = 0] = sequences(await read());
    const range = { start_seq: newest - 20, end_seq: newest - 11 };
    assert.deepEqual(
      sequences(await read(range)),
      Array.from({ length: 10 }, (_, index) => newest - 20 + index),
    );
    assert.equal((await read(range)).has_more, false);
    assert.equal((await read({ ...range, count: 9 })).has_more, true);
    assert.deepEqual(sequences(await read({ ...range, count: 3, sorting: "desc" })), [
      newest - 11,
      newest - 12,
      newest - 13,
    ]);
    assert.deepEqual(sequences(await read({ end_seq: newest - 11, count: 2 })), [newest - 11, newest - 12]);
    assert.deepEqual(await read({ start_seq: newest + 1 }), { trades: [], has_more: false });
  });

  test("times bound it too", async () => {
    const { trades } = await read({ count: 30 });
    const [from, to] = [trades[20]?.timestamp ?? 0, trades[10]?.timestamp ?? 0];
    const within = await read({ start_timestamp: from, end_timestamp: to, count: 100 });
    assert.deepEqual(
      sequences(within),
      trades
        .slice(10, 21)
        .map((trade) => trade.trade_seq)
        .reverse(),
    );
    assert.ok(within.trades.every((trade) => trade.timestamp >= from && trade.timestamp <= to));
  });

  test("an instrument that does not exist is not found", async () => {
    assert.deepEqual(await client.refusal(METHOD, { instrument_name: "DOGE-PERPETUAL" }), [13020]);
  });

  test("what no parameter may be is refused, with its name", async () => {
    const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ count: 0 }, "count"],
      [{ count: 1001 }, "count"],
      [{ count: "ten" }, "count"],
      [{ sorting: "up" }, "sorting"],
      [{ start_seq: "first" }, "start_seq"],
      [{ end_seq: 1.5 }, "end_seq"],
      [{ start_timestamp: "today" }, "start_timestamp"],
      [{ end_timestamp: true }, "end_timestamp"],
      [{ instrument_name: "no such thing" }, "instrument_name"],
      [{ instrument_name: "" }, "instrument_name"],
    ];
    for (const [params, name] of wrong) {
      const { error } = await client.call(METHOD, { instrument_name, ...params });
      assert.deepEqual([error?.code, error?.data?.param], [-32602, name], JSON.stringify(params));
    }
    assert.deepEqual((await client.call(METHOD)).error?.data?.param, "instrument_name");
  });

  test("between them trades carry every member that the catalogue knows", async () => {
    const members = new Set<string>();
    for (const name of [
      instrument_name,
      "BTC-26MAR27-96000-C",
      "BTC-26MAR27-90000-P",
      "BTC_USDC",
      "BTC-FS-26MAR27_PERP",
    ]) {
      for (const trade of (await read({ instrument_name: name, count: 1000 })).trades)
        for (const member of Object.keys(trade)) members.add(member);
    }
    const found = Object.keys(publicTrade.shape).filter((member) => !members.has(member));
    assert.deepEqual(found, []);
  });
});

test("a fill is a public trade: at the order's price, in the direction of whoever took it, and the history is the same whenever it is read", async () => {
  const [early, late] = [createSituation({ orders: 0 }), createSituation({ orders: 0 })];
  const before = await early.connect().result<Trades>(METHOD, { instrument_name, count: 1000 });
  for (const { exchange } of [early, late]) {
    const { order_id } = exchange.control.place({ instrument_name, direction: "buy", amount: 100, price: 90_000.5 });
    exchange.control.fill(order_id, 30);
  }
  const after = await early.connect().result<Trades>(METHOD, { instrument_name, count: 1000 });
  const newest = after.trades[0];
  assert.deepEqual(
    [newest?.price, newest?.amount, newest?.direction, newest?.trade_seq],
    [90_000.5, 30, "sell", (before.trades[0]?.trade_seq ?? 0) + 1],
  );
  assert.deepEqual(after.trades.slice(1), before.trades.slice(0, -1));
  assert.deepEqual(await late.connect().result<Trades>(METHOD, { instrument_name, count: 1000 }), after);
});
