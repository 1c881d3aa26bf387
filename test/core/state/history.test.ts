import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import { elementTexts, memberTexts } from "../../../src/rpc/elementTexts.ts";
import {
  createHistoryReader,
  HISTORY_LISTS,
  HISTORY_PAGE_SIZE,
  historyCall,
  historyCost,
  historyPage,
  type HistoryCursor,
  type HistoryList,
  type HistoryPage,
  type HistoryQuery,
} from "../../../src/state/history.ts";
import { createHistoryPages } from "../../../src/state/historyPages.ts";
import { readMerged } from "../../../src/state/tradePages.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createAlarmSession } from "./alarmSession.ts";
import { IDENTITY, ready } from "./fakeStoreSession.ts";

const QUERY: HistoryQuery & { readonly currency: string } = {
  ...{ list: "orders", currency: "BTC", isOld: false },
  ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
};
const DAY_MS = 24 * 3_600_000;

type Cursor = Parameters<typeof historyPage>[1];

function callText(query: Partial<typeof QUERY>, cursor?: Cursor): string {
  const { method, params } = historyCall({ ...QUERY, ...query }, cursor, 30 * DAY_MS);
  return `${method} ${JSON.stringify(params)}`;
}

describe("the call for a page", () => {
  test("of each list, by currency", () => {
    assert.deepEqual(
      HISTORY_LISTS.map((list) => callText({ list })),
      [
        'private/get_order_history_by_currency {"currency":"BTC","count":100,"include_old":true,"include_unfilled":true,"historical":false}',
        'private/get_user_trades_by_currency {"currency":"BTC","count":100,"sorting":"desc","historical":false}',
        'private/get_transaction_log {"currency":"BTC","start_timestamp":1987200000,"end_timestamp":2592000000,"count":100}',
        'private/get_settlement_history_by_currency {"currency":"BTC","count":100}',
        'private/get_trigger_order_history {"currency":"BTC","count":100}',
        'private/get_deposits {"currency":"BTC","count":100}',
        'private/get_withdrawals {"currency":"BTC","count":100}',
      ],
    );
  });

  test("selects on the server what the method can select", () => {
    const narrow = { instrument: "BTC-PERPETUAL", kind: "future", fromMs: 1, toMs: 2, isOld: true };
    assert.equal(
      callText({ ...narrow, list: "trades" }),
      'private/get_user_trades_by_instrument {"instrument_name":"BTC-PERPETUAL","count":100,"sorting":"desc","historical":true,"start_timestamp":1,"end_timestamp":2}',
    );
    assert.equal(
      callText({ ...narrow, list: "transactions" }, 7),
      'private/get_transaction_log {"currency":"BTC","start_timestamp":1,"end_timestamp":2,"count":100,"query":"BTC-PERPETUAL","continuation":7}',
    );
    assert.match(callText({ kind: "option" }, 200), /"kind":"option","count":100,"offset":200/);
  });

  test("costs what its method costs", () => {
    assert.deepEqual(historyCost({ ...QUERY, list: "transactions" }), { credits: 10_000, budget: 80_000 });
    assert.deepEqual(historyCost(QUERY), { credits: 500, budget: 50_000 });
    const all = { ...QUERY, currency: undefined };
    assert.deepEqual(historyCost({ ...all, list: "transactions" }), { credits: 50_000, budget: 80_000 });
    assert.deepEqual(historyCost({ ...all, list: "trades", instrument: "BTC-PERPETUAL" }), {
      ...{ credits: 500, budget: 50_000 },
    });
  });
});

describe("a page", () => {
  const page = (list: HistoryList, bodyText: string, query: Partial<HistoryQuery> = {}, cursor?: Cursor): HistoryPage =>
    historyPage({ ...QUERY, ...query, list }, cursor, { bodyText, result: JSON.parse(bodyText) });

  test("keeps the text of each row, with every digit", () => {
    const text = '{ "order_id": "a", "price": 0.10, "amount": 12345678901234567890, "label": "[{\\"" }';
    assert.deepEqual(
      page("orders", `[${text}, 7, ${text}]`).rows.map((row) => row.text),
      [text, text],
    );
  });

  test("leaves out rows that are not selected, and ends where all are older", () => {
    const rows = [5, 4, 3].map((atMs) => ({ last_update_timestamp: atMs, instrument_name: "A" }));
    const body = JSON.stringify([...rows, { last_update_timestamp: 4, instrument_name: "B" }, {}]);
    assert.equal(page("orders", body, { fromMs: 4, toMs: 4, instrument: "A" }).rows.length, 2);
    const full = JSON.stringify(Array.from({ length: HISTORY_PAGE_SIZE }, () => ({ last_update_timestamp: 1 })));
    assert.deepEqual(page("orders", full, { fromMs: 2 }), { rows: [], next: undefined, isIncomplete: false });
    assert.equal(page("orders", full, {}, 100).next, 200);
  });

  test("the next one begins where the server says, or where this one ended", () => {
    const trades = (more: boolean, ...times: number[]): string =>
      JSON.stringify({
        trades: times.map((timestamp, index) => ({ timestamp, trade_id: `t${index}` })),
        has_more: more,
      });
    assert.deepEqual(
      [page("trades", trades(true, 9, 8)).next, page("trades", trades(false, 9, 8)).next],
      [{ endMs: 8 }, undefined],
    );
    const logs = (continuation: unknown, count = 1): string =>
      JSON.stringify({ logs: Array.from({ length: count }, () => ({ id: 1 })), continuation });
    assert.deepEqual(
      [
        page("transactions", logs(3)).next,
        page("transactions", logs(null)).next,
        page("transactions", logs(3, 0)).next,
      ],
      [3, undefined, 3],
    );
    assert.equal(page("transactions", logs(3), {}, 3).isIncomplete, true, "a page that repeats itself is no end");
    const entries = '{"entries":[{}],"continuation":"none"}';
    assert.equal(page("triggers", entries).next, undefined);
  });

  test("of another shape is empty", () => {
    for (const body of ["{}", "null", '"x"', '{"trades":{}}']) assert.deepEqual(page("trades", body).rows, []);
  });
});

test("texts of elements and members end where JSON ends them", () => {
  assert.deepEqual(elementTexts(' [ 1.0 , "a,]" , {"x":[1,{"y":"}"}]} , [2, 3], null ] '), [
    "1.0",
    '"a,]"',
    '{"x":[1,{"y":"}"}]}',
    "[2, 3]",
    "null",
  ]);
  for (const text of ["", "[]", "{}", '{"a":[1]}', "7"]) assert.deepEqual(elementTexts(text), []);
  assert.deepEqual(
    [...memberTexts('{"a": 1e2, "b": {"a": 2}}', ["a", "b"])],
    [
      ["a", "1e2"],
      ["b", '{"a": 2}'],
    ],
  );
});

describe("pages that were read", () => {
  test("become one list without repeated rows; another selection begins anew, and its late page has no effect", async () => {
    const waiting: ((page: HistoryPage) => void)[] = [];
    const asked: (HistoryCursor | undefined)[] = [];
    const fake = createAlarmSession();
    const pages = createHistoryPages(QUERY, {
      session: fake.session,
      clock: createFakeClock(),
      reader: {
        read: async (_query, cursor) => {
          asked.push(cursor);
          return await new Promise((resolve) => waiting.push(resolve));
        },
      },
    });
    const row = (text: string): HistoryPage["rows"][number] => ({ text, value: {} });
    const answer = async (index: number, texts: readonly string[], next?: HistoryCursor): Promise<void> => {
      waiting[index]?.({ rows: texts.map(row), next, isIncomplete: false });
      await Promise.resolve().then(() => undefined);
    };
    const texts = (): string[] => pages.known.rows.map(({ text }) => text);
    const first = pages.select(QUERY);
    await answer(0, ["a", "b"], 2);
    await first;
    const more = pages.loadMore();
    await pages.loadMore();
    await answer(1, ["b", "c"], 3);
    await more;
    assert.deepEqual([texts(), asked, pages.known.hasMore], [["a", "b", "c"], [undefined, 2], true]);
    const late = pages.loadMore();
    const other = pages.select({ ...QUERY, currency: "ETH" });
    await answer(2, ["late"]);
    await answer(3, ["z"]);
    await Promise.all([late, other]);
    assert.deepEqual([texts(), pages.known.query.currency, pages.known.hasMore], [["z"], "ETH", false]);
    fake.setState({ status: "off", isOtherSubject: true });
    assert.deepEqual([texts(), pages.known.readAtMs], [[], undefined]);
    pages.dispose();
  });

  test("a missing scope is a failure without a call", async () => {
    const fake = createAlarmSession();
    const reader = createHistoryReader({ session: fake.session });
    const failureOf = async (): Promise<string> =>
      await reader.read({ ...QUERY, list: "deposits" }, undefined).then(
        () => "",
        (error: unknown) => toFailure(error).kind,
      );
    assert.equal(await failureOf(), "notConnected");
    fake.open(1, ready(1, { ...IDENTITY, scope: "trade:read" }));
    assert.equal(await failureOf(), "missingScope");
    assert.deepEqual(fake.calls, []);
  });

  /** Reads a list to its end. Returns the texts of the rows, what is known at the end, and the number of calls. */
  const readAll = async (
    query: Partial<HistoryQuery>,
    method: string,
    respond: (params: Readonly<Record<string, unknown>>) => unknown,
  ): Promise<{ readonly ids: number; readonly isIncomplete: boolean; readonly hasMore: boolean }> => {
    const fake = createAlarmSession();
    fake.results.set(method, respond);
    fake.open(1, ready(1, { ...IDENTITY, scope: "trade:read account:read wallet:read" }));
    const pages = createHistoryPages(QUERY, {
      session: fake.session,
      clock: createFakeClock(),
      reader: createHistoryReader({ session: fake.session }),
    });
    await pages.select({ ...QUERY, ...query });
    for (let count = 0; pages.known.hasMore && count < 50; count++) await pages.loadMore();
    const { rows, isIncomplete, hasMore, failure } = pages.known;
    assert.equal(failure, undefined);
    pages.dispose();
    return { ids: new Set(rows.map(({ text }) => text)).size, isIncomplete, hasMore };
  };

  /** 410 trades, the newest first; 150 of them happened in one millisecond. */
  const TRADES = Array.from({ length: 410 }, (_, index) => ({
    ...{ trade_id: `BTC-${index}`, trade_seq: index, instrument_name: "BTC-PERPETUAL" },
    timestamp: index < 100 ? index : index < 250 ? 100 : index - 149,
  })).reverse();

  /** Returns the page of a server that selects by time, and by ID or number where it knows them. */
  const tradesPage =
    (isById: boolean, most = 100) =>
    (params: Readonly<Record<string, unknown>>): unknown => {
      const { end_timestamp: endMs = Infinity, end_id: endId, end_seq: endSeq, count } = params;
      const place = TRADES.findIndex(({ trade_id: id, trade_seq: seq }) => id === endId || seq === endSeq);
      const matching =
        isById && place >= 0 ? TRADES.slice(place) : TRADES.filter((each) => each.timestamp <= Number(endMs));
      const chosen = matching.slice(0, Math.min(most, Number(count)));
      return { trades: chosen, has_more: matching.length > chosen.length };
    };

  test("trades of one millisecond that fill more than a page are read by ID, and by number in an instrument", async () => {
    const whole = { ids: 410, isIncomplete: false, hasMore: false };
    const [byCurrency, byInstrument] = ["currency", "instrument"].map((way) => `private/get_user_trades_by_${way}`);
    const instrument = "BTC-PERPETUAL";
    for (const most of [100, 30]) {
      assert.deepEqual(await readAll({ list: "trades" }, byCurrency!, tradesPage(true, most)), whole);
      assert.deepEqual(await readAll({ list: "trades", instrument }, byInstrument!, tradesPage(true, most)), whole);
    }
  });

  test("where the server has more and returns no further page, the list says so", async () => {
    const found = await readAll({ list: "trades" }, "private/get_user_trades_by_currency", tradesPage(false));
    assert.deepEqual([found.isIncomplete, found.hasMore, found.ids < 410], [true, false, true]);
  });

  test("a server with smaller pages than asked for is read to its end", async () => {
    const rows = Array.from({ length: 410 }, (_, index) => ({ order_id: String(index), id: index }));
    const of = ({ offset = 0 }: { readonly offset?: unknown }): unknown[] =>
      rows.slice(Number(offset), Number(offset) + 30);
    const whole = { ids: 410, isIncomplete: false, hasMore: false };
    assert.deepEqual(await readAll({ list: "orders" }, "private/get_order_history_by_currency", of), whole);
    for (const list of ["deposits", "withdrawals"] as const)
      assert.deepEqual(
        await readAll({ list }, `private/get_${list}`, (params) => ({ count: 30, data: of(params) })),
        whole,
      );
  });

  test("no row comes before a newer one of a list whose page had no rows", async () => {
    const pages: Readonly<Record<string, readonly { readonly rows: readonly number[]; readonly next?: string }[]>> = {
      one: [{ rows: [], next: "1" }, { rows: [9] }],
      other: [{ rows: [8, 7] }],
    };
    const lists = {
      readPage: async (name: string, next: string | undefined) => {
        const { rows = [], next: after } = pages[name]?.[Number(next ?? 0)] ?? {};
        return await Promise.resolve({ rows, next: after, isIncomplete: false });
      },
      timeOf: (row: number) => row,
      pageSize: 10,
    };
    const first = await readMerged(["one", "other"], lists);
    const second = await readMerged(first.next ?? [], lists);
    assert.deepEqual([first.rows, second.rows, second.next], [[], [9, 8, 7], undefined]);
  });

  test("the transaction log is read until the exchange's present, whatever this computer's clock says", async () => {
    const fake = createAlarmSession();
    fake.results.set("public/get_time", 30 * DAY_MS);
    fake.results.set("private/get_transaction_log", { logs: [], continuation: null });
    fake.open(1);
    await createHistoryReader({ session: fake.session }).read({ ...QUERY, list: "transactions" }, undefined);
    assert.match(fake.calls.at(-1) ?? "", new RegExp(`"end_timestamp":${30 * DAY_MS},`));
  });
});
