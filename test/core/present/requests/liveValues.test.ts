import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { NOTHING_KNOWN, type KnownObjects } from "../../../../src/present/requests/knownObjects.ts";
import { objectSuggestions } from "../../../../src/present/requests/objectSuggestions.ts";
import type { ParamMeaning } from "../../../../src/present/requests/paramMeanings.ts";
import type { Suggestion } from "../../../../src/present/text/suggestion.ts";
import { cursorAt } from "../../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";
import type { TradesSnapshot } from "../../../../src/state/lastTrades.ts";
import { BERLIN, item, NOON_MS, order } from "../samples.ts";

/* What is known of the account, as the value of a parameter. ¦ marks the cursor. */

function snapshot<Item>(items: readonly (readonly [string, Item])[]): {
  readonly status: "live";
  readonly items: ReadonlyMap<string, Item>;
  readonly readAtMs: number;
  readonly failure: undefined;
  readonly unreadable: [];
} {
  return { status: "live", items: new Map(items), readAtMs: NOON_MS, failure: undefined, unreadable: [] };
}

function list<Item>(...items: readonly Item[]): {
  readonly items: readonly Item[];
  readonly readAtMs: number;
  readonly failure: undefined;
} {
  return { items, readAtMs: NOON_MS, failure: undefined };
}

const instrument = (name: string, kind: string, id: number): Instrument => ({
  ...{ name, kind, id, isActive: true, expiresAtMs: undefined },
  steps: { tickSize: 0.05, tickSizes: [], minAmount: 1, contractSize: 1 },
  currencies: { base: undefined, quote: undefined, settlement: undefined },
});

const PERPETUAL: Instrument = {
  ...instrument("ETH-PERPETUAL", "future", 210838),
  currencies: { base: "ETH", quote: "USD", settlement: "ETH" },
};

const TRADE = { trade_id: "ETH-77", trade_seq: 77, instrument_name: "ETH-PERPETUAL", price: 2100, amount: 40 };

const KNOWN: KnownObjects = {
  place: "TESTNET main",
  summaries: snapshot([
    ["BTC", { currency: "BTC", equity: 12.5 }],
    ["SOL", { currency: "SOL", equity: 0 }],
  ]),
  positions: {
    snapshot: snapshot([
      ["ETH-27MAR27", { instrument_name: "ETH-27MAR27", kind: "future", direction: "sell", size: -30 }],
      ["BTC-25DEC26", { instrument_name: "BTC-25DEC26", kind: "future", direction: "zero", size: 0 }],
    ]),
    instrumentOf: () => PERPETUAL,
  },
  orders: snapshot([["ETH-1", item(order("ETH-1", { label: "mm-1", quote_set_id: "set-1" }))]]),
  blockTrades: snapshot([["61", { id: "61", timestamp: NOON_MS, trades: [{ ...TRADE, trade_id: "ETH-99" }] }]]),
  apiKeys: snapshot([
    ["4", { id: 4, key: { id: 4, name: "main", client_id: "x" }, source: "listed", seenAtMs: 0, isTyped: false }],
  ]),
  quotes: snapshot([["8", { block_rfq_quote_id: 8, block_rfq_id: 3, label: "rfq-1", creation_timestamp: NOON_MS }]]),
  rfqs: new Map([[5, { block_rfq_id: 5, state: "open", creation_timestamp: NOON_MS }]]),
  mmp: snapshot([
    ["g", { index_name: "sol_usdc", mmp_group: "g1", block_rfq: false, config: undefined, frozen: undefined }],
  ]),
  instruments: list(instrument("BTC-FS-26MAR27_PERP", "future_combo", 7), PERPETUAL),
  currencies: list("SOL", "BTC"),
  indexNames: list("eth_usd", "paxg_btc"),
  accounts: list({ id: 48602, name: "desk", type: "subaccount" }),
  lastTrades: [{ status: "live", trades: [{ ...TRADE, timestamp: NOON_MS - 1000 }] } as unknown as TradesSnapshot],
} as unknown as KnownObjects;

function suggested(method: string, params: string, known: KnownObjects): readonly Suggestion[] {
  const input = `{ "method": "${method}", "params": ${params} }`;
  const text = input.replace("¦", "");
  const cursor = cursorAt(scanRequests(text), input.indexOf("¦")) ?? assert.fail(input);
  return objectSuggestions(text, cursor, known, { nowMs: NOON_MS, times: BERLIN }).items;
}

function offered(method: string, params: string, known = KNOWN): string[] {
  return suggested(method, params, known).map(({ label, description }) => `${label} ${description}`);
}

/** Which connection knows each instrument, as the last line about it says. */
function lastLines(known: KnownObjects): (string | undefined)[] {
  return suggested("private/buy", '{ "instrument_name": "¦" }', known).map(({ lines }) => lines.at(-1));
}

const CASES: Readonly<Record<ParamMeaning, readonly [method: string, params: string, expected: readonly string[]]>> = {
  account: ["private/get_positions", '{ "subaccount_id": ¦ }', ["48602 desk · subaccount"]],
  apiKey: ["private/change_api_key_name", '{ "id": ¦ }', ["4 main"]],
  blockRfq: ["private/accept_block_rfq", '{ "block_rfq_id": ¦ }', ["3 quoted", "5 open"]],
  blockTrade: ["private/get_broker_trades", '{ "start_id": "¦" }', ['"61" ']],
  combo: ["public/get_combo_details", '{ "combo_id": "¦" }', ['"BTC-FS-26MAR27_PERP" future_combo']],
  currency: ["public/get_book_summary_by_currency", '{ "currency": "¦" }', ['"BTC" equity 12.5', '"SOL" ', '"ETH" ']],
  currencyPair: ["private/cancel_all_by_currency_pair", '{ "currency_pair": "¦" }', ['"eth_usd" ', '"paxg_btc" ']],
  index: ["public/get_index_price", '{ "index_name": "¦" }', ['"sol_usdc" has MMP', '"eth_usd" ', '"paxg_btc" ']],
  instrument: [
    "private/buy",
    '{ "instrument_name": "¦" }',
    ['"ETH-27MAR27" short 30 USD', '"ETH-PERPETUAL" has open orders', '"BTC-FS-26MAR27_PERP" '],
  ],
  instrumentNumber: [
    "public/get_order_book_by_instrument_id",
    '{ "instrument_id": ¦ }',
    ["7 BTC-FS-26MAR27_PERP · future_combo", "210838 ETH-PERPETUAL"],
  ],
  mmpGroup: ["private/mass_quote", '{ "mmp_group": "¦" }', ['"g1" ']],
  order: ["private/get_order_margin_by_ids", '{ "ids": ["¦"] }', ['"ETH-1" ETH-PERPETUAL']],
  orderLabel: ["private/edit_by_label", '{ "label": "¦" }', ['"mm-1" ETH-PERPETUAL']],
  quote: ["private/edit_block_rfq_quote", '{ "block_rfq_quote_id": ¦ }', ["8 "]],
  quoteLabel: ["private/add_block_rfq_quote", '{ "label": "¦" }', ['"rfq-1" ']],
  quoteSet: ["private/cancel_quotes", '{ "quote_set_id": "¦" }', ['"set-1" ETH-PERPETUAL']],
  trade: [
    "public/get_last_trades_by_currency",
    '{ "start_id": "¦" }',
    ['"ETH-77" ETH-PERPETUAL', '"ETH-99" ETH-PERPETUAL'],
  ],
};

describe("known values at a parameter", () => {
  for (const [meaning, [method, params, expected]] of Object.entries(CASES))
    test(meaning, () => {
      const found = offered(method, params);
      assert.deepEqual(
        expected.map((each, index) => found[index]?.slice(0, each.length)),
        expected,
      );
    });

  test("at any depth, and not where the name means something else", () => {
    assert.equal(offered("private/create_combo", '{ "trades": [{ "instrument_name": "¦" }] }').length, 3);
    assert.equal(offered("private/mass_quote", '{ "quotes": [{ "instrument_name": "ETH¦" }] }').length, 2);
    for (const [method, params] of [
      ["private/add_to_address_book", '{ "label": "¦" }'],
      ["private/cancel_withdrawal", '{ "id": ¦ }'],
      ["private/submit_transfer_to_user", '{ "destination": "¦" }'],
      ["private/buy", '{ "amount": ¦ }'],
    ] as const)
      assert.deepEqual(offered(method, params), [], params);
  });

  test("a position that was closed is not offered as one; one with open orders says so; a stale one says as of when", () => {
    const { positions } = KNOWN;
    const of = (members: Partial<typeof positions.snapshot>, instrumentOf = positions.instrumentOf): KnownObjects => ({
      ...KNOWN,
      positions: { snapshot: { ...positions.snapshot, ...members }, instrumentOf },
    });
    const items = new Map([
      ["ETH-PERPETUAL", { instrument_name: "ETH-PERPETUAL", direction: "buy", size: 50 }],
      ["BTC-25DEC26", { instrument_name: "BTC-25DEC26", direction: "zero", size: 0 }],
    ]);
    assert.deepEqual(offered("private/close_position", '{ "instrument_name": "¦" }', of({ items })), [
      '"ETH-PERPETUAL" long 50 USD · has open orders',
      '"BTC-FS-26MAR27_PERP" future_combo',
    ]);
    assert.equal(
      offered(
        "private/get_position",
        '{ "instrument_name": "¦" }',
        of({ items }, () => undefined),
      )[0],
      '"ETH-PERPETUAL" long, size unknown · has open orders',
    );
    assert.deepEqual(lastLines(of({ items })), ["TESTNET main", "TESTNET main, as of 13:00:00"]);
    for (const members of [{ status: "stale" }, { failure: { kind: "refused", reason: "" } }] as const)
      assert.equal(lastLines(of({ items, ...members }))[0], "TESTNET main, as of 13:00:00");
  });

  test("without a connection, what is documented", () => {
    assert.deepEqual(offered("private/get_positions", '{ "currency": "¦" }', NOTHING_KNOWN), [
      ...['"BTC" ', '"ETH" ', '"USDC" ', '"USDT" ', '"EURR" '],
    ]);
    assert.ok(offered("public/get_index_price", '{ "index_name": "¦" }', NOTHING_KNOWN).includes('"btc_usd" '));
    assert.deepEqual(offered("private/buy", '{ "instrument_name": "¦" }', NOTHING_KNOWN), []);
  });
});
