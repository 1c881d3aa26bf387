import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { readFromHistoryPage, readToHistoryPage } from "../../../../src/panel/historyMessages.ts";
import { historyColumns } from "../../../../src/present/history/historyColumns.ts";
import {
  historyModel,
  readHistoryFilter,
  type HistoryFilterTexts,
  type ShownHistory,
} from "../../../../src/present/history/historyModel.ts";
import {
  createHistoryCells,
  dayLines,
  historyCells,
  historyCsv,
  historyDetails,
  historyJson,
} from "../../../../src/present/history/historyRows.ts";
import { orderHistoryText } from "../../../../src/present/history/orderHistoryText.ts";
import { hideFigures } from "../../../../src/present/rows/presentation.ts";
import { createTypedMoments } from "../../../../src/present/trades/tradesQuery.ts";
import { NAMED_SHAPES, REFERENCE_SCHEMAS } from "../../../../src/catalogue/generated/reference.ts";
import { methodReference } from "../../../../src/catalogue/reference/reference.ts";
import { HISTORY_LISTS, historyCall, type HistoryQuery, type HistoryRow } from "../../../../src/state/history.ts";
import { HISTORY_FIELDS } from "../../../historyFields.ts";
import { BERLIN, NOON_MS } from "../samples.ts";
import { asPlain } from "../../../asPlain.ts";

const moments = createTypedMoments("Europe/Berlin");
const QUERY: HistoryQuery & { readonly currency: string } = {
  ...{ list: "trades", currency: "BTC", isOld: false },
  ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
};

function row(text: string): HistoryRow {
  return { text, value: JSON.parse(text) as HistoryRow["value"] };
}

const TRADE = row(
  `{"trade_id":"t1","timestamp":${NOON_MS},"instrument_name":"BTC-PERPETUAL","direction":"buy","amount":40.0,"price":1.7e4,"fee":0.000000010,"fee_currency":"BTC","profit_loss":null,"order_id":"12345678901234567890","label":"=1+1","extra":{"a":1.0}}`,
);

function known(change: Partial<ShownHistory> = {}): ShownHistory {
  return {
    ...{ query: QUERY, rows: [TRADE], hasMore: false, isIncomplete: false, isFull: false, isLoading: false },
    ...{ readAtMs: NOON_MS, failure: undefined },
    ...change,
  };
}

function modelOf(shown: ShownHistory, hide = (text: Plain): Plain => text): ReturnType<typeof historyModel> {
  return historyModel(shown, {
    place: plain`TESTNET main`,
    currencies: ["ETH", "BTC"],
    times: BERLIN,
    cellsOf: createHistoryCells(BERLIN),
    moments,
    hide,
  });
}

describe("a row", () => {
  test("shows all digits that were received, from five before the point in groups, and times as local ones", () => {
    assert.deepEqual(historyCells(TRADE, historyColumns("trades"), BERLIN), [
      "13:00:00",
      ...["BTC-PERPETUAL", "buy", "40.0", "1.7e4", "0.000000010", "BTC", "", "12345678901234567890"],
    ]);
    const large = row('{"amount":250000.50,"price":-12345.0,"order_id":"12345"}');
    assert.deepEqual(historyCells(large, historyColumns("trades"), BERLIN).filter(Boolean), [
      ...["250\u202F000.50", "-12\u202F345.0", "12345"],
    ]);
    assert.match(historyCsv([large]), /250000\.50,-12345\.0,/);
  });

  test("has a short time, and one line a day says which day that is, with the distance to UTC", () => {
    const at = (atMs: number | null): HistoryRow => row(`{"timestamp":${String(atMs)}}`);
    const day = 24 * 3_600_000;
    const rows = [at(NOON_MS), at(NOON_MS - 1000), at(null), at(NOON_MS - day), at(NOON_MS - 3 * day)];
    assert.deepEqual(dayLines(rows, historyColumns("trades"), BERLIN), [
      { row: 0, text: "2026-11-20 · GMT+1" },
      { row: 3, text: "2026-11-19 · GMT+1" },
      { row: 4, text: "2026-11-17 · GMT+1" },
    ]);
    assert.deepEqual(modelOf(known()).days, [{ row: 0, text: "2026-11-20 · GMT+1" }]);
  });

  test("has every member in its details", () => {
    const details = new Map(historyDetails(TRADE, BERLIN));
    assert.deepEqual([...details.keys()], Object.keys(TRADE.value));
    assert.equal(details.get("extra"), '{"a":1.0}');
    assert.equal(details.get("timestamp"), `2026-11-20 13:00:00.000 GMT+1 (${NOON_MS})`);
  });

  test("text of the exchange is harmless in it", () => {
    const odd = row('{"instrument_name":"\\u202e[x](command:y)"}');
    for (const text of [...historyCells(odd, historyColumns("trades"), BERLIN), ...historyDetails(odd, BERLIN).flat()])
      assert.doesNotMatch(text, /\u202e|\]\(/);
  });
});

describe("every documented field of a list", () => {
  const values: Readonly<Record<string, string>> = { integer: "7", number: "0.50", text: '"word"', flag: "false" };
  for (const list of HISTORY_LISTS) {
    const fields = Object.entries(HISTORY_FIELDS[list]);
    const members = fields.map(([name, type]) => `"${name}":${values[type] ?? '{"some":1.0}'}`);
    const full = row(`{${members.join(",")}}`);

    test(`${list}: is in the details of a row, and in what is exported`, () => {
      const details = historyDetails(full, BERLIN);
      assert.deepEqual(
        details.map(([name]) => name),
        fields.map(([name]) => name),
      );
      for (const [name, shown] of details) {
        const received = (values[HISTORY_FIELDS[list][name] ?? ""] ?? '{"some":1.0}').replaceAll('"word"', "word");
        assert.ok(shown === received || shown.endsWith(`(${received})`), `${name} ${shown}`);
      }
      assert.equal(historyCsv([full]).split("\r\n")[0], fields.map(([name]) => name).join(","));
      for (const each of members) assert.ok(historyJson([full]).includes(each));
    });

    test(`${list}: has those that are columns`, () => {
      for (const { member } of historyColumns(list)) assert.ok(member in HISTORY_FIELDS[list], member);
    });
  }
});

describe("an export", () => {
  test("as JSON has each row as it was received", () => {
    assert.equal(historyJson([TRADE, TRADE]), `[\n  ${TRADE.text},\n  ${TRADE.text}\n]\n`);
    assert.equal(historyJson([]), "[]\n");
  });

  test("as CSV has all members, the digits as received, and nothing that a spreadsheet would calculate", () => {
    const other = row('{"trade_id":"a,\\"b\\"","change":-0.50}');
    assert.equal(
      historyCsv([TRADE, other]),
      [
        "trade_id,timestamp,instrument_name,direction,amount,price,fee,fee_currency,profit_loss,order_id,label,extra,change",
        `t1,${NOON_MS},BTC-PERPETUAL,buy,40.0,1.7e4,0.000000010,BTC,,12345678901234567890,'=1+1,"{""a"":1.0}",`,
        '"a,""b""",,,,,,,,,,,,-0.50',
        "",
      ].join("\r\n"),
    );
  });
});

describe("the page", () => {
  test("says what it shows, what is left, and what the next page costs", () => {
    const { heading, status, cost, problem, kinds } = modelOf(known());
    assert.deepEqual(
      [heading, status, cost, problem, kinds.length],
      [
        "Own trades · TESTNET main",
        "Entries: 1, as of 13:00:00. These are all.",
        "A page costs 500 of 50\u202F000 rate-limit credits.",
        "",
        6,
      ],
    );
    assert.match(modelOf(known({ hasMore: true })).status, /There are more\.$/);
    assert.match(modelOf(known({ rows: [], hasMore: true })).status, /^No entries match on the pages read so far/);
    assert.match(modelOf(known({ isFull: true })).status, /Select a shorter time/);
    assert.equal(
      modelOf(known({ isIncomplete: true })).status,
      "Entries: 1, as of 13:00:00. Incomplete: the exchange has more, but returns no further page.",
    );
    assert.equal(modelOf(known({ isLoading: true })).status, "Loading…");
    assert.match(
      modelOf(known({ failure: { kind: "missingScope", scope: "trade:read" } })).problem,
      /scope trade:read/,
    );
  });

  test("in presentation mode, no figure of the account is on it", () => {
    const model = modelOf(known(), (text) => asPlain(hideFigures(text, ["main"])));
    assert.equal(model.heading, "Own trades · TESTNET •••");
    for (const cells of model.rows)
      for (const cell of cells)
        assert.ok(cell === "BTC-PERPETUAL" || /^\d\d:\d\d:\d\d$/.test(cell) || !/\d/.test(cell), cell);
  });

  test("every list has columns that its method documents", () => {
    for (const list of HISTORY_LISTS) {
      const { method } = historyCall({ ...QUERY, list }, undefined, 0);
      const { hint = "" } = methodReference(method) ?? assert.fail(method);
      const shapes = Object.entries(NAMED_SHAPES).flatMap(([name, shape]) => (hint.includes(name) ? [shape] : []));
      const documented = [hint, ...shapes, method.includes("trades") ? JSON.stringify(REFERENCE_SCHEMAS) : ""].join(
        " ",
      );
      for (const { member } of historyColumns(list))
        assert.match(documented, new RegExp(`\\b${member}\\b`), `${list} ${member}`);
      assert.ok(historyColumns(list).length >= 6, list);
      assert.equal(new Set(historyColumns(list).map(({ member }) => member)).size, historyColumns(list).length);
    }
  });
});

describe("a filter that was typed", () => {
  const filter: HistoryFilterTexts = {
    ...{ list: "trades", currency: "btc", instrument: " btc-perpetual ", kind: "option" },
    ...{ from: "2026-11-20 13:00", to: "", isOld: true },
  };
  const read = (change: Partial<HistoryFilterTexts>): HistoryQuery | string =>
    readHistoryFilter({ ...filter, ...change }, moments);
  const refusal = (change: Partial<HistoryFilterTexts>): string => {
    const query = read(change);
    return typeof query === "string" ? query : assert.fail("it was taken");
  };

  test("becomes a selection", () => {
    assert.deepEqual(read({}), {
      ...{ list: "trades", currency: "BTC", instrument: "BTC-PERPETUAL", kind: "option" },
      ...{ fromMs: NOON_MS, toMs: undefined, isOld: true },
    });
    assert.deepEqual(read({ list: "deposits" }), {
      ...{ list: "deposits", currency: "BTC", instrument: undefined, kind: undefined },
      ...{ fromMs: NOON_MS, toMs: undefined, isOld: false },
    });
  });

  test("that is not valid is refused with a sentence", () => {
    assert.match(refusal({ from: "yesterday" }), /Enter a time/);
    assert.match(refusal({ to: "2026-11-19" }), /start is after the end/);
    assert.match(refusal({ list: "cancel" }), /Select a list/);
    assert.match(refusal({ currency: "B/../" }), /Select a list and a currency/);
  });

  test("is all that the page can send besides reading, showing and copying", () => {
    assert.deepEqual(readFromHistoryPage({ kind: "filter", filter: { ...filter, method: "private/buy" } }), {
      kind: "filter",
      filter,
    });
    for (const kind of ["ready", "loadMore", "reload", "exportCsv", "exportJson"])
      assert.deepEqual(readFromHistoryPage({ kind, command: "x" }), { kind });
    for (const kind of ["copy", "details", "openOrder"])
      assert.deepEqual(readFromHistoryPage({ kind, row: 3, text: "x" }), { kind, row: 3 });
    for (const other of [
      ...[undefined, null, "ready", [], {}, { kind: "cancel" }, { kind: "copy", row: -1 }, { kind: "copy", row: "1" }],
      ...[{ kind: "filter" }, { kind: "filter", filter: { ...filter, from: 7 } }],
      { kind: "filter", filter: { ...filter, from: "x".repeat(101) } },
    ])
      assert.equal(readFromHistoryPage(other), undefined, JSON.stringify(other));
  });

  test("the page takes nothing that others post into it", () => {
    for (const message of [{ kind: "run" }, "history", { kind: "history", model: {} }, { kind: "details", row: 1 }])
      assert.equal(readToHistoryPage(message), undefined);
    const message = { kind: "history", model: modelOf(known()) };
    assert.equal(readToHistoryPage(message), message);
  });
});

test("the document about an order is a page: what it is, its trades, its log, what was done from here, and every field", () => {
  const at = (seconds: number): number => NOON_MS + seconds * 1000;
  const text = orderHistoryText(
    {
      order: `{"order_id":"81230000223","instrument_name":"BTC-PERPETUAL","direction":"buy","amount":280,"price":94869.5,"filled_amount":280,"order_state":"filled","label":"mm-1","order_type":"limit","post_only":true,"creation_timestamp":${at(0)},"newcomer":null}`,
      trades: [
        `{"trade_id":"t1","timestamp":${at(1)},"direction":"buy","amount":180,"price":94869.5,"fee":1e-8,"fee_currency":"BTC","liquidity":"M","profit_loss":null}`,
        `{"trade_id":"t2","timestamp":${at(61)},"direction":"buy","amount":100,"price":94869.0,"fee":-0.0000001,"fee_currency":"BTC","liquidity":"T","profit_loss":null}`,
      ],
      log: [
        `{"timestamp":${at(1)},"type":"trade","change":-0.00000001,"currency":"BTC","commission":1e-8,"balance":1.5}`,
      ],
      failures: [{ part: "log", failure: { kind: "missingScope", scope: "account:read" } }],
    },
    [],
    { orderId: "81230000223", place: plain`TESTNET main`, connectionId: "main", nowMs: at(100), times: BERLIN },
  );
  assert.equal(
    text,
    `81230000223 on TESTNET main, as of 2026-11-20 13:01:40.000 GMT+1
BTC-PERPETUAL buy 280 @ 94\u202F869.5 · mm-1
filled · 280 filled · post-only
Transaction log: The API key doesn't have the required scope account:read. Use an API key with this scope, or change the scope of this one on the exchange.

Trades
  Time                           Side  Amount  Price     Fee             Role   Trade ID
  2026-11-20 13:00:01.000 GMT+1  buy   180     94\u202F869.5  0.00000001 BTC  maker  t1
  2026-11-20 13:01:01.000 GMT+1  buy   100     94\u202F869    -0.0000001 BTC  taker  t2

Transaction log
  Time                           Type   Change           Fee         Balance
  2026-11-20 13:00:01.000 GMT+1  trade  -0.00000001 BTC  0.00000001  1.5

Actions from here
  None.

All fields of the order
  order_id            81230000223
  instrument_name     BTC-PERPETUAL
  direction           buy
  amount              280
  price               94\u202F869.5
  filled_amount       280
  order_state         filled
  label               mm-1
  order_type          limit
  post_only           true
  creation_timestamp  2026-11-20 13:00:00.000 GMT+1 (2026-11-20 12:00:00.000 UTC)
  newcomer            null
`,
  );
});

test("the document about an order that the exchange doesn't have says so, with the reason", () => {
  const text = orderHistoryText(
    {
      ...{ order: undefined, trades: [], log: [] },
      failures: [{ part: "order", failure: { kind: "exchange", code: 11044, message: "not_open_order" } }],
    },
    [],
    { orderId: "ETH-1", place: plain`TESTNET main`, connectionId: "main", nowMs: NOON_MS, times: BERLIN },
  );
  assert.match(text, /^ETH-1 on TESTNET main, as of .*\nThe exchange returned no such order\.\nOrder: /);
  assert.match(text, /\nTrades\n {2}None\.\n/);
  assert.doesNotMatch(text, /All fields/);
});
