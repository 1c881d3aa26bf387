import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readBlockTradesSince } from "../../../../src/actions/proof/readBacks.ts";
import { readLists } from "../../../../src/actions/proof/placedOrders.ts";
import type { Reader } from "../../../../src/session/session.ts";
import { pluck } from "../../../pluck.ts";
import { aResponse } from "../fakeSession.ts";

/* Lists that prove absence: read to their end, or to a moment, whatever the size of a server's pages. */

type Members = Readonly<Record<string, unknown>>;
type Serve = (params: Members) => unknown;

const OPEN = "private/get_open_orders_by_instrument";
const ENDED = "private/get_order_history_by_instrument";
const TRADES = "private/get_user_trades_by_instrument";
const SINCE_MS = 1_765_000_000_000;

/** Answers reads from functions, and keeps what was asked. */
function readerOf(methods: Readonly<Record<string, Serve>>): { readonly reader: Reader; readonly asked: Members[] } {
  const asked: Members[] = [];
  const readResponse = async (method: string, params: Members): Promise<unknown> => {
    asked.push({ method, ...params });
    const serve = methods[method] ?? (() => (method === TRADES ? { trades: [], has_more: false } : []));
    return await Promise.resolve(aResponse(method, asked.length, { result: serve(params) }));
  };
  const reader = { readResponse, read: () => assert.fail("not used") } as unknown as Reader;
  return { reader, asked };
}

const wanted = { instrument: "SOL_USDC-PERPETUAL", sinceMs: SINCE_MS, isOld: false };

/** Ended orders, the newest first, one each second up to a while after the moment. */
const ended = (count: number): Members[] =>
  Array.from({ length: count }, (_, index) => ({
    order_id: `USDC-${String(7000 - index)}`,
    label: "mm-7",
    last_update_timestamp: SINCE_MS + 1000 * (count - index),
  }));

/** Trades, the newest first. */
const traded = (count: number, atMs = (index: number): number => SINCE_MS + 1000 * (count - index)): Members[] =>
  Array.from({ length: count }, (_, index) => ({
    order_id: `USDC-${String(9000 - index)}`,
    trade_seq: 4_000_000 - index,
    timestamp: atMs(index),
  }));

/** A server whose pages have three rows, whatever is asked for. */
const capped = (all: readonly Members[]): Serve => {
  return ({ continuation = "0" }) => {
    const start = Number(continuation);
    const rest = start + 3 < all.length ? { continuation: String(start + 3) } : { continuation: null };
    return { orders: all.slice(start, start + 3), ...rest };
  };
};
const cappedTrades = (all: readonly Members[]): Serve => {
  return ({ end_seq: endSeq = Infinity }) => {
    const rest = all.filter(({ trade_seq: seq }) => Number(seq) <= Number(endSeq));
    return { trades: rest.slice(0, 3), has_more: rest.length > 3 };
  };
};

async function idsOf(reader: Reader, isOld = false): Promise<readonly unknown[] | string> {
  const lists = await readLists(reader, { ...wanted, isOld });
  return lists === "unreadable" ? lists : [lists.isWhole, ...pluck([...lists.rows], "order_id")];
}

describe("orders and trades since a moment", () => {
  test("are read to the end of a server's smaller pages", async () => {
    const { reader, asked } = readerOf({ [ENDED]: capped(ended(8)), [TRADES]: cappedTrades(traded(7)) });
    const ids = await idsOf(reader);
    assert.deepEqual(ids, [true, ...pluck(ended(8), "order_id"), ...pluck(traded(7), "order_id")]);
    assert.deepEqual(pluck(asked, "method"), [OPEN, ENDED, ENDED, ENDED, TRADES, TRADES, TRADES]);
    // The open orders come first: what ends meanwhile is in a later list.
    assert.deepEqual(pluck(asked, "end_seq").slice(4), [undefined, 3_999_997, 3_999_994]);
  });

  test("end where a page is earlier than the moment", async () => {
    const rows = ended(8).map((row, index) => ({ ...row, last_update_timestamp: SINCE_MS + 1500 - 1000 * index }));
    const trades = traded(9, (index) => SINCE_MS + 1500 - 1000 * index);
    const { reader, asked } = readerOf({ [ENDED]: capped(rows), [TRADES]: cappedTrades(trades) });
    assert.equal((await idsOf(reader))[0], true);
    assert.deepEqual(pluck(asked, "method"), [OPEN, ENDED, TRADES]);
  });

  test("that are not in order are read to the end", async () => {
    const rows = ended(5).map((row, index): Members => ({
      ...row,
      last_update_timestamp: SINCE_MS + (index % 2) * 10 - 5,
    }));
    const { reader } = readerOf({ [ENDED]: capped(rows) });
    assert.deepEqual(await idsOf(reader), [true, ...pluck(rows, "order_id")]);
  });

  test("of a server without continuation are read by offset until nothing comes", async () => {
    const all = ended(5);
    const { reader, asked } = readerOf({
      [ENDED]: ({ offset = 0 }) => all.slice(Number(offset), Number(offset) + 2),
    });
    assert.deepEqual(await idsOf(reader), [true, ...pluck(all, "order_id")]);
    assert.deepEqual(pluck(asked, "offset").slice(1, 5), [undefined, 2, 4, 5]);
  });

  test("of one moment, more than a page of them, are read by their numbers", async () => {
    const trades = traded(8, () => SINCE_MS + 1);
    const { reader } = readerOf({ [TRADES]: cappedTrades(trades) });
    assert.deepEqual(await idsOf(reader), [true, ...pluck(trades, "order_id")]);
  });

  test("without a sign of the end are read until nothing comes", async () => {
    const trades = traded(4);
    const { reader, asked } = readerOf({
      [TRADES]: (params) => ({ trades: (cappedTrades(trades)(params) as Members)["trades"] }),
    });
    assert.deepEqual(await idsOf(reader), [true, ...pluck(trades, "order_id")]);
    assert.equal(asked.filter(({ method }) => method === TRADES).length, 3);
  });

  test("of long ago are looked for in the history too", async () => {
    const { reader, asked } = readerOf({});
    assert.equal((await idsOf(reader, true))[0], true);
    assert.deepEqual(pluck(asked, "historical"), [undefined, undefined, undefined, true, true]);
  });

  const partial: readonly (readonly [string, Readonly<Record<string, Serve>>])[] = [
    [
      "trades without numbers",
      { [TRADES]: () => ({ trades: [{ order_id: "X", timestamp: SINCE_MS + 5 }], has_more: true }) },
    ],
    [
      "pages that do not go on",
      { [TRADES]: () => ({ trades: [{ order_id: "X", trade_seq: 9, timestamp: SINCE_MS + 5 }], has_more: true }) },
    ],
    ["a continuation that leads back", { [ENDED]: () => ({ orders: ended(2), continuation: "again" }) }],
  ];
  for (const [name, methods] of partial)
    test(`${name}: the lists are not whole`, async () => {
      assert.equal((await idsOf(readerOf(methods).reader))[0], false);
    });

  for (const [name, methods] of [
    ["an open order", { [OPEN]: () => [{ label: "mm-7" }] }],
    ["an ended order", { [ENDED]: () => ({ orders: [null], continuation: null }) }],
    ["a trade", { [TRADES]: () => ({ trades: [{ trade_seq: 1 }], has_more: false }) }],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, Serve>>])[])
    test(`${name} without an ID: it may be any`, async () => {
      assert.equal(await idsOf(readerOf(methods).reader), "unreadable");
    });
});

describe("block trades since a moment", () => {
  const METHOD = "private/get_block_trades";
  const all = Array.from({ length: 7 }, (_, index) => ({
    id: `BLOCK-${String(500 - index)}`,
    timestamp: SINCE_MS + 1000 * (5 - index),
  }));
  const serve = (rows: readonly Members[], size: number, isInclusive = false): Serve => {
    return ({ start_id: startId }) => {
      const index = rows.findIndex(({ id }) => id === startId);
      const start = index < 0 ? 0 : isInclusive ? index : index + 1;
      return rows.slice(start, start + size);
    };
  };

  test("are read back before it, however small a server's pages are", async () => {
    const { reader, asked } = readerOf({ [METHOD]: serve(all, 2) });
    const { rows, isWhole } = await readBlockTradesSince(reader, SINCE_MS);
    assert.deepEqual([isWhole, rows.length], [true, 7]);
    assert.deepEqual(pluck(asked, "start_id"), [undefined, "BLOCK-499", "BLOCK-497", "BLOCK-495"]);
  });

  test("come once where a page begins with the last one of the page before, and end with the list", async () => {
    const { reader } = readerOf({ [METHOD]: serve(all, 3, true) });
    const { rows, isWhole } = await readBlockTradesSince(reader, SINCE_MS - 1_000_000);
    assert.deepEqual([isWhole, ...pluck(rows as Members[], "id")], [true, ...pluck(all, "id")]);
  });

  test("without an ID lead nowhere", async () => {
    const { reader } = readerOf({ [METHOD]: () => [{ timestamp: SINCE_MS + 9 }] });
    assert.equal((await readBlockTradesSince(reader, SINCE_MS)).isWhole, false);
  });
});
