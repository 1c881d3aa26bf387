import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createTradesModels, type TradesModel } from "../../../src/present/trades/lastTrades.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { applyTradesDelta, tradesDelta } from "../../../src/present/trades/tradesDelta.ts";
import type { Outlet } from "../../../src/simulator/sessions/connection.ts";
import type { Exchange } from "../../../src/simulator/wire/exchange.ts";
import { LastTradesStore, type PublicTrade, type TradesQuery } from "../../../src/state/lastTrades.ts";
import type { FakeClock } from "../../fakeClock.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* Last trades over a connection to the simulator: what is held and shown against what is true there. */

const METHOD = "public/get_last_trades_by_instrument";
const instrument_name = "BTC-PERPETUAL";
/** The history of a perpetual. */
const HISTORY = 1500;

interface Lab extends Pick<World, "clock" | "exchange" | "live"> {
  open(query?: Partial<TradesQuery>): Promise<LastTradesStore>;
  /** The numbers of all trades, read page by page from the exchange. */
  truth(): Promise<number[]>;
  /** Calls of the method so far. */
  asked(): number;
  dispose(): void;
}

async function connect(options: WorldOptions = {}): Promise<Lab> {
  const { clock, exchange, live, ...world } = createWorld(options);
  await world.connect();
  const stores: LastTradesStore[] = [];
  return {
    clock,
    exchange,
    live,
    async open(query = {}) {
      const store = live.createStore((ports) => new LastTradesStore(ports, { instrument_name, ...query }));
      stores.push(store);
      await clock.advance(100);
      return store;
    },
    async truth() {
      const found: number[] = [];
      for (let start_seq = 0, hasMore = true; hasMore; start_seq = (found.at(-1) ?? 0) + 1) {
        const page = await ask(exchange, clock, { instrument_name, start_seq, count: 1000 });
        found.push(...page.trades.map((trade) => trade.trade_seq));
        hasMore = page.has_more;
      }
      return found;
    },
    asked: () => world.frames(METHOD).length,
    dispose() {
      for (const store of stores) store.dispose();
      live.dispose();
      exchange.dispose();
    },
  };
}

/** One response of the exchange to another client. */
async function ask(
  exchange: Exchange,
  clock: FakeClock,
  params: TradesQuery,
): Promise<{ readonly trades: readonly PublicTrade[]; readonly has_more: boolean }> {
  const texts: string[] = [];
  const outlet: Outlet = {
    send: (text) => {
      texts.push(text);
    },
    close: () => undefined,
    terminate: () => undefined,
  };
  exchange.respondOverHttp({ text: JSON.stringify({ jsonrpc: "2.0", id: 1, method: METHOD, params }) }, outlet);
  await clock.settle();
  return (
    JSON.parse(texts[0] ?? "") as {
      readonly result: { readonly trades: readonly PublicTrade[]; readonly has_more: boolean };
    }
  ).result;
}

function held(store: LastTradesStore): number[] {
  return store.snapshot.trades.map((trade) => trade.trade_seq);
}

function situation({ snapshot }: LastTradesStore): string {
  const { status, trades, more, isPaused, waiting } = snapshot;
  return [status, trades.length, more ?? "all", ...(isPaused ? [`paused ${waiting}`] : [])].join(" ");
}

function modelsOf(store: LastTradesStore): () => TradesModel {
  const make = createTradesModels(createTimes(0));
  return () => make({ connectionName: "lab", environment: "simulator", query: store.query, snapshot: store.snapshot });
}

/** Waits for something that goes over the wire. */
async function after<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  await clock.advance(100);
  return await promise;
}

describe("pages", () => {
  test("back from the newest trade to the first one, in steps of 1000, none twice and none missing", async () => {
    const lab = await connect();
    const store = await lab.open();
    assert.equal(situation(store), "live 1000 older");
    await after(lab.clock, store.loadMore());
    assert.equal(situation(store), `live ${HISTORY} all`);
    assert.equal(lab.asked(), 2);
    assert.deepEqual(held(store), await lab.truth());
    await store.loadMore();
    assert.equal(lab.exchange.control.ledger().filter((entry) => entry.text.includes('"desc"')).length, 1);
    lab.dispose();
  });

  test("small ones fit together as well, whatever the order they are asked in", async () => {
    const lab = await connect();
    const all = await lab.truth();
    for (const sorting of ["asc", "desc", "default"] as const) {
      const store = await lab.open({ count: 400, sorting });
      while (store.snapshot.more !== undefined) await after(lab.clock, store.loadMore());
      assert.deepEqual(held(store), all, sorting);
    }
    lab.dispose();
  });

  test("from a start towards the newest, and only there live", async () => {
    const lab = await connect();
    const all = await lab.truth();
    const store = await lab.open({ start_seq: all[0]!, count: 1000 });
    assert.equal(situation(store), "asOf 1000 newer");
    const models = modelsOf(store);
    assert.deepEqual(
      [models().loadMoreLabel, models().canLoadMore, models().isLive, models().canPause],
      ["Load Newer", true, false, false],
    );
    lab.exchange.control.trade(instrument_name);
    await lab.clock.advance(1000);
    assert.equal(situation(store), "asOf 1000 newer");
    await after(lab.clock, store.refresh());
    assert.equal(situation(store), `live ${HISTORY + 1} all`);
    lab.exchange.control.trade(instrument_name);
    await lab.clock.advance(1000);
    assert.deepEqual(held(store), await lab.truth());
    lab.dispose();
  });

  test("within two bounds nothing else is held, in either direction; nothing is followed", async () => {
    const lab = await connect();
    const all = await lab.truth();
    const [start_seq, end_seq] = [all[100]!, all[349]!];
    for (const sorting of ["asc", "desc"] as const) {
      const store = await lab.open({ start_seq, end_seq, count: 100, sorting });
      assert.equal(situation(store), sorting === "asc" ? "asOf 100 newer" : "asOf 100 older");
      while (store.snapshot.more !== undefined) await after(lab.clock, store.loadMore());
      assert.deepEqual(held(store), all.slice(100, 350), sorting);
    }
    assert.deepEqual(
      lab.exchange.control
        .connections()
        .flatMap((each) => each.channels)
        .filter((name) => name.startsWith("trades.")),
      [],
    );
    lab.dispose();
  });

  test("times bound it too, though pages go by numbers", async () => {
    const lab = await connect();
    const { trades } = (await lab.open({ count: 900 })).snapshot;
    const [from, to] = [trades[200]!, trades[650]!];
    const bounds = { start_timestamp: from.timestamp, end_timestamp: to.timestamp };
    const expected = trades
      .filter(
        (trade) => Number(trade.timestamp) >= Number(from.timestamp) && Number(trade.timestamp) <= Number(to.timestamp),
      )
      .map((trade) => trade.trade_seq);
    for (const sorting of ["asc", "desc", "default"] as const) {
      const store = await lab.open({ ...bounds, count: 130, sorting });
      while (store.snapshot.more !== undefined) await after(lab.clock, store.loadMore());
      assert.deepEqual(held(store), expected, sorting);
    }
    const until = await lab.open({ end_timestamp: to.timestamp, count: 300 });
    assert.equal(held(until).at(-1), to.trade_seq);
    assert.equal(situation(until), "asOf 300 older");
    lab.dispose();
  });

  test("an instrument that does not exist: the exchange's error in words", async () => {
    const lab = await connect();
    const store = await lab.open({ instrument_name: "DOGE-PERPETUAL" });
    assert.equal(situation(store), "failed 0 all");
    assert.match(modelsOf(store)().status, /^The exchange returned error 13020/);
    const wrong = await lab.open({ count: 1001 });
    assert.match(modelsOf(wrong)().status, /error -32602.*Parameter count/);
    lab.dispose();
  });
});

describe("live", () => {
  test("a world that moves by itself: a trade every five seconds and those of the account, in order, and only what is new goes on", async () => {
    const lab = await connect({ still: false, seed: 4 });
    const store = await lab.open({ count: 100 });
    const models = modelsOf(store);
    let shown = models();
    const before = held(store).length;
    let sentRows = 0;
    const sizes: number[] = [];
    store.onDidChange(() => {
      const next = models();
      const delta = tradesDelta(shown, next);
      assert.ok(delta.kind === "change");
      sentRows += delta.newer.rows.length + delta.older.rows.length;
      shown = applyTradesDelta(shown, delta);
      assert.deepEqual(shown, next);
      sizes.push(next.rows.length);
    });
    await lab.clock.advance(60_000);
    lab.exchange.control.setStill(true);
    await lab.clock.advance(1000);
    assert.match(shown.status, /^live · \d+ trades · newest 12:0[01]:\d\d$/);
    const came = held(store).length - before;
    assert.ok(came >= 12 && came <= 30, String(came));
    assert.equal(sentRows, came);
    const askedByStore = lab.asked();
    assert.deepEqual(held(store), (await lab.truth()).slice(-held(store).length));
    assert.deepEqual(
      [...sizes].sort((one, other) => one - other),
      sizes,
    );
    // The first page was all that had to be asked for.
    assert.equal(askedByStore, 1);
    lab.dispose();
  });

  test("what happened while the link was down is read when it is back", async () => {
    const lab = await connect();
    const store = await lab.open({ count: 50 });
    lab.exchange.control.disconnectAll("reset");
    await lab.clock.settle();
    assert.equal(store.snapshot.status, "stale");
    assert.match(modelsOf(store)().status, /^not up to date since 12:00:01 · 50 trades/);
    const before = (await lab.truth()).length;
    // Where one of them takes all of a quote, it goes on with the next one: that is a trade more.
    for (let count = 0; count < 1200; count++) lab.exchange.control.trade(instrument_name);
    const missed = (await lab.truth()).length - before;
    assert.ok(missed >= 1200, String(missed));
    await lab.clock.advance(20_000);
    assert.equal(situation(store), `live ${50 + missed} older`);
    lab.exchange.control.trade(instrument_name);
    await lab.clock.advance(1000);
    const all = await lab.truth();
    assert.deepEqual(held(store), all.slice(before - 50));
    lab.dispose();
  });

  test("held back by a pause, counted, and taken in afterwards", async () => {
    const lab = await connect();
    const store = await lab.open({ count: 10 });
    store.pause();
    for (let count = 0; count < 7; count++) lab.exchange.control.trade(instrument_name);
    await lab.clock.advance(1000);
    assert.equal(situation(store), "live 10 older paused 7");
    assert.match(modelsOf(store)().status, /^paused, 7 newer not shown · 10 trades/);
    store.resume();
    await lab.clock.advance(1000);
    assert.equal(situation(store), "live 17 older");
    assert.deepEqual(held(store), (await lab.truth()).slice(-17));
    lab.dispose();
  });

  test("an event that comes twice changes nothing; one from further on makes us ask for what lies between, once", async () => {
    const lab = await connect();
    const store = await lab.open({ count: 10 });
    const push = (data: unknown): void =>
      lab.exchange.control.sendText(
        JSON.stringify({
          jsonrpc: "2.0",
          method: "subscription",
          params: { channel: `trades.${instrument_name}.100ms`, data },
        }),
      );
    lab.exchange.control.trade(instrument_name);
    await lab.clock.advance(1000);
    const last = store.snapshot.trades.at(-1)!;
    const before = lab.asked();
    push([last]);
    await lab.clock.advance(1000);
    assert.deepEqual(held(store), (await lab.truth()).slice(-11));
    push([{ ...last, trade_seq: last.trade_seq + 5 }]);
    await lab.clock.advance(60_000);
    // The exchange has nothing in between. Two of the calls are those of the truth.
    assert.equal(lab.asked(), before + 3);
    assert.deepEqual(held(store).slice(-2), [last.trade_seq, last.trade_seq + 5]);
    lab.dispose();
  });

  test("an option has its volatility in every row", async () => {
    const lab = await connect({ still: false });
    const store = await lab.open({ instrument_name: "BTC-26MAR27-96000-C" });
    const { hasIv, rows, series } = modelsOf(store)();
    assert.equal(hasIv, true);
    assert.equal(rows.length, 40);
    assert.ok(rows.every(({ iv }) => /^\d+(\.\d+)?\u202F%$/.test(iv)));
    assert.ok(series.ivs.every((iv) => iv !== null && iv > 20 && iv < 120));
    const marks = new Set<string>(rows.flatMap((row) => row.marks));
    for (const mark of ["block trade, 2 legs", "Block RFQ", "combo"]) assert.ok(marks.has(mark), mark);
    lab.dispose();
  });
});

describe("the list of instruments", () => {
  const calls = (lab: Lab): number =>
    lab.exchange.control.ledger().filter((entry) => entry.method === "public/get_instruments").length;

  test("read once for all who ask, at most once an hour", async () => {
    const lab = await connect();
    const { instruments } = lab.live;
    assert.equal(calls(lab), 0);
    const [one, other] = await after(lab.clock, Promise.all([instruments.load(), instruments.load()]));
    assert.equal(one, other);
    assert.equal(one.failure, undefined);
    assert.ok(one.items.some(({ name, kind, isActive }) => name === instrument_name && kind === "future" && isActive));
    assert.equal(calls(lab), 1);
    await lab.clock.advance(3_500_000);
    await instruments.load();
    assert.equal(calls(lab), 1);
    await lab.clock.advance(200_000);
    await after(lab.clock, instruments.load());
    assert.equal(calls(lab), 2);
    lab.dispose();
  });

  test("a server without it says so and is not asked again on this link; its trades can be had all the same", async () => {
    const lab = await connect({ methods: "contract" });
    const { failure, items } = await after(lab.clock, lab.live.instruments.load());
    assert.equal(failure?.kind === "exchange" && failure.code, -32601);
    assert.deepEqual(items, []);
    await after(lab.clock, lab.live.instruments.load());
    assert.equal(calls(lab), 1);
    const store = await lab.open();
    assert.equal(situation(store), "asOf 1000 older");
    assert.match(
      modelsOf(store)().status,
      /Live updates aren't available for this connection\. Use Refresh to load new trades/,
    );
    lab.dispose();
  });
});
