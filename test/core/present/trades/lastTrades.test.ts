import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import {
  createTradesModels,
  type TradeRow,
  type TradesModel,
  type TradesSource,
} from "../../../../src/present/trades/lastTrades.ts";
import { applyTradesDelta, tradesDelta } from "../../../../src/present/trades/tradesDelta.ts";
import type { PublicTrade, TradesSnapshot } from "../../../../src/state/lastTrades.ts";
import { MAX_TRADES } from "../../../../src/state/tradeItems.ts";
import { createFakeRandom } from "../../../fakeClock.ts";
import { CONTRACT_FIELDS, CONTRACT_VALUES } from "../../../contract.ts";
import { pluck } from "../../../pluck.ts";
import { BERLIN, NOON_MS } from "../samples.ts";
import { runs } from "../../../sizes.ts";

function trade(trade_seq: number, members: Partial<PublicTrade> = {}): PublicTrade {
  return {
    trade_id: `T${trade_seq}`,
    trade_seq,
    instrument_name: "BTC-PERPETUAL",
    timestamp: NOON_MS + trade_seq,
    direction: "buy",
    price: 92_418.5,
    amount: 10,
    ...members,
  };
}

function source(trades: readonly PublicTrade[], members: Partial<TradesSnapshot> = {}): TradesSource {
  const snapshot: TradesSnapshot = {
    ...{
      status: "live",
      trades,
      readAtMs: NOON_MS,
      failure: undefined,
      more: undefined,
      isLoadingMore: false,
      moreFailure: undefined,
    },
    ...{ isPaused: false, isOpenEnded: true, waiting: 0, dropped: 0, unreadable: 0, ...members },
  };
  return { connectionName: "main", environment: "test", query: { instrument_name: "BTC-PERPETUAL" }, snapshot };
}

function model(trades: readonly PublicTrade[], members: Partial<TradesSnapshot> = {}): TradesModel {
  return createTradesModels(BERLIN)(source(trades, members));
}

function row(members: Partial<PublicTrade>): TradeRow {
  return model([trade(7, members)]).rows[0]!;
}

/** Everything of a row that is shown or spoken. */
function shownOf({ time, direction, price, amount, iv, tickText, marks, details, spoken }: TradeRow): string {
  return [time, direction, price, amount, iv, tickText, ...marks, ...details, spoken].join("\n");
}

const FULL: PublicTrade = {
  ...trade(467, {
    trade_id: "415305279",
    direction: "sell",
    price: 0.0525,
    amount: 3,
    instrument_name: "BTC-24APR26-72000-C",
    tick_direction: 2,
    mark_price: 0.05253883,
    iv: 45.91,
    index_price: 66_930.31,
    contracts: 3,
  }),
  ...{
    block_trade_id: "BLOCK-282155",
    block_trade_leg_count: 2,
    block_rfq_id: 1777,
    combo_id: "BTC-STRG-26MAR27-72000_112000",
    combo_trade_id: 7_100_467,
    liquidation: "MT",
  },
};

describe("a row", () => {
  test("everything that a trade can say, each in its place", () => {
    assert.deepEqual(row(FULL), {
      seq: 467,
      id: "415305279",
      time: "13:00:00.467",
      isBuy: false,
      direction: "sell",
      price: "0.0525",
      amount: "3",
      iv: "45.91\u202F%",
      tick: 2,
      tickText: "minus tick",
      marks: ["block trade, 2 legs", "Block RFQ", "combo", "liquidation of both sides"],
      details: [
        "Time: 2026-11-20 13:00:00.467 GMT+1",
        "Trade ID: 415305279",
        "Sequence number: 467",
        "Instrument: BTC-24APR26-72000-C",
        "Mark price: 0.05253883",
        "Index price: 66\u202F930.31",
        "Contracts: 3",
        "Liquidation: MT (of both sides)",
        "Block trade ID: BLOCK-282155",
        "Block trade legs: 2",
        "Block RFQ ID: 1777",
        "Combo: BTC-STRG-26MAR27-72000_112000",
        "Combo trade ID: 7100467",
      ],
      spoken:
        "sell 3 BTC-24APR26-72000-C at 0.0525, 13:00:00.467, minus tick, implied volatility 45.91%, block trade, 2 legs, Block RFQ, combo, liquidation of both sides.",
    });
  });

  test("no member of the contract is left out", () => {
    const plainRow = row({});
    for (const [name, type] of Object.entries(CONTRACT_FIELDS.publicTrade)) {
      if (["timestamp", "trade_seq", "tick_direction", "direction", "liquidation"].includes(name)) continue;
      const value = type === "text" ? "X9Z" : 987_123;
      assert.doesNotMatch(shownOf(plainRow), /X9Z|987\u202F?123/);
      assert.match(shownOf(row({ [name]: value })), /X9Z|987\u202F?123/, name);
    }
    assert.deepEqual(
      CONTRACT_VALUES.trade.direction.map((direction) => [row({ direction }).direction, row({ direction }).isBuy]),
      [
        ["buy", true],
        ["sell", false],
      ],
    );
    const ticks = CONTRACT_VALUES.trade.tick_direction.map((tick_direction) => row({ tick_direction }));
    assert.deepEqual(pluck(ticks, "tick", "tickText"), [
      [0, "plus tick"],
      [1, "zero-plus tick"],
      [2, "minus tick"],
      [3, "zero-minus tick"],
    ]);
  });

  test("what is missing, new or odd: nothing is made up, nothing is swallowed", () => {
    assert.deepEqual([row({}).tick, row({}).tickText, row({}).iv, row({}).marks], [undefined, "", "", []]);
    assert.deepEqual([row({ tick_direction: 9 }).tick, row({ tick_direction: 9 }).tickText], [undefined, "tick 9"]);
    assert.deepEqual(row({ liquidation: "X" }).marks, ["liquidation X"]);
    assert.deepEqual(row({ block_trade_id: "BLOCK-1" }).marks, ["block trade"]);
    const odd = row({ starbase_match_id: "m-1", "toString\u202E": { a: 1 } });
    assert.deepEqual(odd.details.slice(-2), ["starbase_match_id: m-1", 'toString\\u202E: {"a":1}']);
  });

  test("all digits and no exponent; text from outside is harmless", () => {
    const { price, amount, iv, details, id } = row({
      price: 1e-7,
      amount: 2.5e21,
      iv: 1e-9,
      combo_id: "a\u0000b",
      trade_id: "[x](command:y)",
    });
    assert.deepEqual(
      [price, amount, iv],
      ["0.0000001", "≈2\u202F500\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000", "0.000000001\u202F%"],
    );
    assert.equal(id, "[x] (command:y)");
    assert.ok(details.includes(plain`Combo: a\\u0000b`));
  });

  test("a trade is put into words once", () => {
    const make = createTradesModels(BERLIN);
    const [one, other] = [trade(1), trade(2)];
    const before = make(source([one])).rows[0];
    const after = make(source([one, other])).rows;
    assert.equal(after[1], before);
    assert.deepEqual(pluck(after, "seq"), [2, 1]);
  });
});

test("columns ascend, rows descend, and both are of the same trades", () => {
  const { series, rows, hasIv } = model([trade(1, { iv: 50 }), trade(2, { direction: "sell", price: 3, amount: 4 })]);
  assert.deepEqual(series, {
    timesMs: [NOON_MS + 1, NOON_MS + 2],
    prices: [92_418.5, 3],
    amounts: [10, 4],
    ivs: [50, null],
    isBuy: [true, false],
  });
  assert.deepEqual(pluck(rows, "seq"), [2, 1]);
  assert.equal(hasIv, true);
  assert.equal(model([trade(1)]).hasIv, false);
});

test("where there are no trades it says why, and that there are none only once they were read", () => {
  const empty = (members: Partial<TradesSnapshot>): string => model([], members).emptyText;
  assert.equal(empty({}), "No trades to show.");
  assert.equal(empty({ status: "loading", readAtMs: undefined }), "Loading…");
  assert.equal(
    empty({
      status: "failed",
      readAtMs: undefined,
      failure: { kind: "exchange", code: 11_094, message: "internal_server_error" },
    }),
    "The trades were not read.",
  );
  assert.equal(empty({ status: "stale", readAtMs: undefined }), "The trades were not read.");
});

describe("the line above", () => {
  const one = [trade(1)];
  const cases: readonly [string, Partial<TradesSnapshot>, string][] = [
    ["live", {}, "live · 1 trade · newest 13:00:00"],
    ["loading", { status: "loading", trades: [], readAtMs: undefined }, "loading…"],
    ["nothing there", { trades: [] }, "live · no trades"],
    ["paused", { isPaused: true }, "paused · 1 trade · newest 13:00:00"],
    [
      "paused with some held back",
      { isPaused: true, waiting: 1234 },
      "paused, 1234 newer not shown · 1 trade · newest 13:00:00",
    ],
    ["a closed range", { status: "asOf", isOpenEnded: false }, "as of 13:00:00 · 1 trade · newest 13:00:00"],
    [
      "not pushed",
      { status: "asOf", failure: { kind: "refused", reason: "Subscriptions are not available over HTTP." } },
      "as of 13:00:00 · 1 trade · newest 13:00:00. Live updates aren't available for this connection. Use Refresh to load new trades",
    ],
    [
      "stale",
      { status: "stale", failure: { kind: "timeout", timeoutMs: 10_000 } },
      "not up to date since 13:00:00 · 1 trade · newest 13:00:00. No response from TESTNET main within 10 s",
    ],
    [
      "dropped",
      { dropped: 3 },
      "live · 1 trade · newest 13:00:00. Up to 20\u202F000 trades are kept. Older trades are omitted",
    ],
    ["odd rows", { unreadable: 2 }, "live · 1 trade · newest 13:00:00. Items that are not valid trades, omitted: 2"],
    [
      "a page that failed",
      { moreFailure: { kind: "timeout", timeoutMs: 10_000 } },
      "live · 1 trade · newest 13:00:00. Couldn't load the next page: No response from TESTNET main within 10 s",
    ],
  ];
  for (const [name, members, expected] of cases)
    test(name, () => {
      assert.equal(model(one, members).status, expected);
    });

  test("failed: the exchange's error in sentences", () => {
    const { status, rows, isLive } = model([], {
      status: "failed",
      readAtMs: undefined,
      failure: { kind: "exchange", code: 13020, message: "not_found" },
    });
    assert.match(status, /^The exchange returned error 13020: not_found\. /);
    assert.deepEqual([rows, isLive], [[], false]);
  });

  test("which connection, and what can be pressed", () => {
    const heading = (members: Partial<TradesSnapshot>): unknown[] => {
      const { isLive, isPaused, canPause, canLoadMore, isLoading, loadMoreLabel } = model(one, members);
      return [isLive, isPaused, canPause, canLoadMore, isLoading, loadMoreLabel];
    };
    assert.equal(model(one).heading, "BTC-PERPETUAL · TESTNET main");
    assert.deepEqual(heading({ more: "older" }), [true, false, true, true, false, "Load Older"]);
    assert.deepEqual(heading({ more: "newer", status: "asOf" }), [false, false, false, true, false, "Load Newer"]);
    assert.deepEqual(heading({ more: "older", isLoadingMore: true }), [true, false, true, false, true, "Load Older"]);
    assert.deepEqual(heading({ more: "older", isPaused: true }), [false, true, true, true, false, "Load Older"]);
    assert.deepEqual(heading({ more: "older", status: "stale", failure: { kind: "notConnected" } }), [
      false,
      false,
      false,
      false,
      false,
      "Load Older",
    ]);
    const full = model(
      Array.from({ length: MAX_TRADES }, (_, index) => trade(index + 1)),
      { more: "older" },
    );
    assert.deepEqual(
      [full.canLoadMore, full.status],
      [
        false,
        "live · 20\u202F000 trades · newest 13:00:20. Up to 20\u202F000 trades are kept. Older trades are omitted",
      ],
    );
  });
});

describe("from one model to the next", () => {
  const make = createTradesModels(BERLIN);
  const known = Array.from({ length: 60 }, (_, index) => trade(index + 1, index % 3 === 0 ? { iv: 40 + index } : {}));
  /** The trades from one number to another, both included. */
  const of = (from: number, to: number, members: Partial<TradesSnapshot> = {}): TradesModel =>
    make(source(known.slice(from - 1, to), members));
  const text = (before: TradesModel, after: TradesModel): string => {
    const delta = tradesDelta(before, after);
    assert.deepEqual(applyTradesDelta(before, delta), after);
    if (delta.kind === "reset") return "reset";
    return `-${delta.droppedOldest} +${delta.older.rows.map(({ seq }) => seq).join(",")} +${delta.newer.rows.map(({ seq }) => seq).join(",")}`;
  };

  test("what came at either end, what left at the old one", () => {
    assert.equal(text(of(10, 20), of(10, 23)), "-0 + +23,22,21");
    assert.equal(text(of(10, 20), of(7, 20)), "-0 +9,8,7 +");
    assert.equal(text(of(10, 20), of(7, 22)), "-0 +9,8,7 +22,21");
    assert.equal(text(of(10, 20), of(12, 22)), "-2 + +22,21");
    assert.equal(text(of(10, 20), of(20, 25)), "-10 + +25,24,23,22,21");
    assert.equal(text(of(10, 20), of(10, 20, { status: "stale", failure: { kind: "notConnected" } })), "-0 + +");
  });

  test("another list is a reset: nothing in common, something in the middle, from or to nothing", () => {
    assert.equal(text(of(10, 20), of(21, 30)), "reset");
    assert.equal(text(of(10, 20), of(1, 9)), "reset");
    const gapped = make(source([...known.slice(9, 14), ...known.slice(15, 20)]));
    assert.equal(text(gapped, of(10, 20)), "reset");
    assert.equal(text(of(10, 20), gapped), "reset");
    assert.equal(text(of(10, 20), make(source([]))), "reset");
    assert.equal(text(make(source([])), of(1, 3)), "reset");
    assert.equal(text(make(source([])), make(source([], { status: "asOf" }))), "-0 + +");
    const other = createTradesModels(BERLIN)(
      source([trade(19, { trade_id: "other" }), trade(20, { trade_id: "other" })]),
    );
    assert.equal(text(of(10, 20), other), "reset");
  });

  test("whatever the two are, the delta leads from one to the other", () => {
    const random = createFakeRandom(11);
    const some = (): TradesModel => {
      const from = 1 + Math.floor(random() * 50);
      const to = from + Math.floor(random() * (60 - from));
      const list = known.slice(from - 1, to);
      return make(source(random() < 0.3 ? list.filter(() => random() < 0.9) : list));
    };
    let resets = 0;
    const ROUNDS = runs(2000);
    for (let round = 0; round < ROUNDS; round++) if (text(some(), some()) === "reset") resets++;
    assert.ok(resets > ROUNDS / 20 && resets < ROUNDS * 0.95, String(resets));
  });
});
