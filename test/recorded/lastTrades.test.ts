import assert from "node:assert/strict";
import { test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { plain } from "../../src/base/plain.ts";
import { createTradesModels, type TradeRow, type TradesModel } from "../../src/present/trades/lastTrades.ts";
import { createTimes } from "../../src/present/text/times.ts";
import type { MaskedResponse } from "../../src/rpc/response.ts";
import type { SessionState } from "../../src/session/session.ts";
import { LastTradesStore } from "../../src/state/lastTrades.ts";
import { createFakeClock } from "../fakeClock.ts";
import { describeRecorded, fileText } from "./data.ts";

/* Trades as the exchange and its documentation show them, from the response to the row. */

const METHOD = "public/get_last_trades_by_instrument";

function read(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(fileText(file)) as Readonly<Record<string, unknown>>;
}

/** What is shown of a result, and of events after it. */
async function shown(instrument_name: string, result: unknown, events: readonly unknown[] = []): Promise<TradesModel> {
  const clock = createFakeClock();
  const state: SessionState = {
    status: "ready",
    generation: 1,
    isSuspect: false,
    identity: { authentication: "none", clientId: undefined, scope: "", testnet: true, serverVersion: undefined },
    sinceMs: 0,
  };
  const timing = { receivedAtMs: clock.now(), totalMs: 0, queuedMs: 0, exchangeMs: undefined };
  const response: MaskedResponse = {
    wireId: 1,
    method: METHOD,
    bodyText: "",
    result,
    error: undefined,
    hasMaskedSecrets: false,
    timing,
    testnet: true,
  };
  let push: (data: unknown) => void = () => undefined;
  const session = {
    state,
    epoch: 0,
    onDidChangeState: () => ({ dispose: () => undefined }),
    reader: {
      readResponse: async () => await Promise.resolve(response),
      read: async () => await Promise.reject(new Error("not used")),
    },
    subscribe(
      _channel: string,
      listener: (data: unknown, frameText: string) => void,
      onState: (channel: { readonly kind: "accepted"; readonly generation: number }) => void,
    ) {
      push = (data) => listener(data, "");
      queueMicrotask(() => onState({ kind: "accepted", generation: 1 }));
      return { dispose: () => undefined };
    },
  };
  const store = new LastTradesStore({ session, clock, log: silentLog }, { instrument_name });
  await clock.settle();
  for (const data of events) push(data);
  await clock.settle();
  const model = createTradesModels(createTimes(0))({
    connectionName: "main",
    environment: "test",
    query: store.query,
    snapshot: store.snapshot,
  });
  store.dispose();
  return model;
}

function lines(row: TradeRow | undefined): string[] {
  assert.ok(row !== undefined);
  return [
    [row.time, row.direction, row.price, row.amount, row.iv, row.tickText, ...row.marks].join(" | "),
    ...row.details,
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

describeRecorded("the rows of", () => {
  test("the documentation's example, an option", async () => {
    const model = await shown(
      "BTC-24APR26-72000-C",
      read("public_get_last_trades_by_instrument.response.json")["result"],
    );
    assert.equal(model.status, "live · 1 trade · newest 12:07:34");
    assert.equal(model.canLoadMore, true);
    assert.equal(model.hasIv, true);
    assert.deepEqual(lines(model.rows[0]), [
      "12:07:34.552 | buy | 0.0525 | 3 | 45.91% | minus tick",
      "Time: 2026-02-13 12:07:34.552 GMT+0",
      "Trade ID: 415305279",
      "Sequence number: 467",
      "Instrument: BTC-24APR26-72000-C",
      "Mark price: 0.05253883",
      "Index price: 66\u202F930.31",
      "Contracts: 3",
    ]);
  });

  test("a recorded response, a spot pair", async () => {
    const model = await shown(
      "BTC_USDT",
      read("public_get_last_trades_by_instrument.response.recorded-spot.json")["result"],
    );
    assert.equal(model.hasIv, false);
    assert.deepEqual(lines(model.rows[0]), [
      "10:40:20.359 | sell | 73\u202F260.86 | 0.0001 |  | zero-minus tick",
      "Time: 2024-03-13 10:40:20.359 GMT+0",
      "Trade ID: BTC_USDT-1097032",
      "Sequence number: 53466",
      "Instrument: BTC_USDT",
      "Mark price: 73\u202F147.6867",
      "Index price: 73\u202F147.6867",
      "Contracts: 1",
    ]);
  });

  test("the documentation's event", async () => {
    const { data } = read("channel.trades.BTC-PERPETUAL.100ms.json")["params"] as { readonly data: unknown };
    const model = await shown("BTC-PERPETUAL", { trades: [], has_more: false }, [data]);
    assert.deepEqual(lines(model.rows[0]), [
      "09:15:12.188 | sell | 8950 | 10 |  | minus tick",
      "Time: 2020-05-26 09:15:12.188 GMT+0",
      "Trade ID: 48079269",
      "Sequence number: 30289442",
      "Instrument: BTC-PERPETUAL",
      "Mark price: 8948.9",
      "Index price: 8955.88",
    ]);
  });

  test("a trade of a Block RFQ, as it was seen", async () => {
    const trade = read("public_trade.block-rfq.live-verified.json");
    const model = await shown(textOf(trade["instrument_name"]), { trades: [trade], has_more: false });
    assert.equal(model.rows.length, 1);
    const text = lines(model.rows[0]).join("\n").replaceAll("\u202F", "");
    for (const name of [
      "trade_id",
      "trade_seq",
      "instrument_name",
      "mark_price",
      "index_price",
      "price",
      "amount",
      "block_rfq_id",
      "block_trade_id",
    ]) {
      if (trade[name] !== undefined) assert.ok(text.includes(textOf(trade[name])), name);
    }
    assert.deepEqual(model.rows[0]?.marks.includes(plain`Block RFQ`), trade["block_rfq_id"] !== undefined);
  });
});
