import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ParamsOf } from "../../../src/catalogue/index.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import type { CallOptions, ChannelState, SessionState } from "../../../src/session/session.ts";
import { LastTradesStore, type PublicTrade, type TradesQuery } from "../../../src/state/lastTrades.ts";
import type { ResourcePorts } from "../../../src/state/resource.ts";
import { MAX_TRADES } from "../../../src/state/tradeItems.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { ready } from "./fakeStoreSession.ts";
import { countAccounts } from "./accounts.ts";

/* The store on a session that a test moves by hand. */

const METHOD = "public/get_last_trades_by_instrument";
const NAME = "BTC-PERPETUAL";
const LOST: Failure = { kind: "connectionLost", trouble: "silent", detail: "" };

function trade(seq: number, members: Partial<PublicTrade> = {}): PublicTrade {
  return {
    trade_id: `T${seq}`,
    trade_seq: seq,
    instrument_name: NAME,
    timestamp: seq * 10,
    direction: "buy",
    price: 100,
    amount: 10,
    tick_direction: 0,
    ...members,
  };
}

/** Trades with these numbers, both included. */
function trades(from: number, to: number): PublicTrade[] {
  return Array.from({ length: to - from + 1 }, (_, index) => trade(from + index));
}

interface Call {
  readonly params: ParamsOf<typeof METHOD>;
  readonly options: CallOptions | undefined;
  /** Responses and lets the store go on. */
  respond(rows: unknown, hasMore?: boolean): Promise<void>;
  respondWith(result: unknown): Promise<void>;
  fail(failure: Failure): Promise<void>;
}

interface Lab {
  readonly clock: FakeClock;
  readonly store: LastTradesStore;
  readonly calls: Call[];
  /** The latest call. */
  readonly last: Call;
  readonly channels: string[];
  readonly fired: number;
  move(state: SessionState): void;
  channel(state: ChannelState): void;
  push(...rows: unknown[]): void;
  /** Ready and followed, in this generation. */
  follow(generation: number): void;
  /** Status, numbers as ranges, where there is more. */
  text(): string;
}

function createLab(query: Partial<TradesQuery> = {}): Lab {
  const clock = createFakeClock();
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "connecting", generation: 1 };
  let listener: (data: unknown) => void = () => undefined;
  let onChannel: (state: ChannelState) => void = () => undefined;
  const channels: string[] = [];
  const calls: Call[] = [];
  let fired = 0;
  const readResponse = async (method: string, params: unknown, options?: CallOptions): Promise<MaskedResponse> => {
    assert.equal(method, METHOD);
    return await new Promise<MaskedResponse>((resolve, reject) => {
      const respondWith = async (result: unknown): Promise<void> => {
        resolve({
          ...ANSWER,
          bodyText: JSON.stringify(result),
          result,
          timing: { ...ANSWER.timing, receivedAtMs: clock.now() },
        });
        await clock.settle();
      };
      calls.push({
        params: params as ParamsOf<typeof METHOD>,
        options,
        respond: async (rows, hasMore = false) => {
          await respondWith({ trades: rows, has_more: hasMore });
        },
        respondWith,
        async fail(failure) {
          reject(new CallError(failure));
          await clock.settle();
        },
      });
    });
  };
  const session: ResourcePorts["session"] = {
    get state() {
      return state;
    },
    onDidChangeState: states.event,
    get epoch() {
      return accounts.epoch;
    },
    reader: { readResponse, read: async () => await Promise.reject(new Error("not used")) },
    subscribe(name, listen, hear) {
      channels.push(name);
      listener = (data) => listen(data, "");
      onChannel = hear;
      return {
        dispose: () => {
          channels.splice(channels.indexOf(name), 1);
        },
      };
    },
  };
  const store = new LastTradesStore({ session, clock, log: silentLog }, { instrument_name: NAME, ...query });
  store.onDidChange(() => {
    fired++;
  });
  const lab: Lab = {
    clock,
    store,
    calls,
    get last() {
      return calls.at(-1)!;
    },
    channels,
    get fired() {
      return fired;
    },
    move(next) {
      state = next;
      states.fire(next);
    },
    channel: (next) => {
      onChannel(next);
    },
    push: (...rows) => {
      listener(rows);
    },
    follow(generation) {
      lab.move(ready(generation));
      lab.channel({ kind: "accepted", generation });
    },
    text() {
      const { status, more, unreadable, dropped } = store.snapshot;
      return [
        status,
        rangesOf(store.snapshot.trades),
        ...(more === undefined ? [] : [more]),
        ...(unreadable > 0 ? [`${unreadable} odd`] : []),
        ...(dropped > 0 ? [`${dropped} dropped`] : []),
      ].join(" ");
    },
  };
  return lab;
}

const ANSWER: MaskedResponse = {
  wireId: 1,
  method: METHOD,
  bodyText: "",
  result: undefined,
  error: undefined,
  hasMaskedSecrets: false,
  timing: { receivedAtMs: 0, totalMs: 0, queuedMs: 0, exchangeMs: undefined },
  testnet: true,
};

/** `5-9,12`; the order of the list decides. */
function rangesOf(list: readonly PublicTrade[]): string {
  const ranges: [number, number][] = [];
  for (const { trade_seq: seq } of list) {
    const last = ranges.at(-1);
    if (last?.[1] === seq - 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges.length === 0
    ? "none"
    : ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}

/** Followed, with the trades 101 to 110 held and older ones to be had. */
async function followed(query: Partial<TradesQuery> = {}): Promise<Lab> {
  const lab = createLab(query);
  lab.follow(1);
  await lab.last.respond(trades(101, 110).reverse(), true);
  assert.equal(lab.text(), "live 101-110 older");
  return lab;
}

describe("the beginning", () => {
  test("nothing is read before the channel has answered; what is asked is what was wanted, a page of 1000", async () => {
    const lab = createLab({ sorting: "desc" });
    assert.equal(lab.text(), "loading none");
    assert.deepEqual(lab.channels, ["trades.BTC-PERPETUAL.100ms"]);
    lab.move(ready(1));
    assert.equal(lab.calls.length, 0);
    lab.channel({ kind: "accepted", generation: 1 });
    assert.deepEqual(pluck(lab.calls, "params", "options"), [
      [
        { count: 1000, instrument_name: NAME, sorting: "desc" },
        { lane: "userRead", generation: 1 },
      ],
    ]);
    await lab.last.respond([]);
    assert.equal(lab.text(), "live none");
    lab.push(trade(1), trade(2));
    assert.equal(lab.text(), "live 1-2");
    lab.store.dispose();
  });

  test("what is pushed while the first page is on its way is joined to it, each number once", async () => {
    const lab = createLab();
    lab.follow(1);
    lab.push(trade(9), trade(10));
    lab.push(trade(12), trade(11));
    assert.equal(lab.text(), "loading none");
    await lab.last.respond(trades(5, 10), true);
    assert.equal(lab.text(), "live 5-12 older");
    assert.equal(lab.calls.length, 1);
    lab.store.dispose();
  });

  test("a range with an end is neither followed nor read again after a reconnect", async () => {
    const lab = createLab({ end_seq: 50, count: 3 });
    assert.deepEqual(lab.channels, []);
    lab.move(ready(1));
    await lab.last.respond([trade(50), trade(49), trade(48)], true);
    assert.equal(lab.text(), "asOf 48-50 older");
    lab.store.pause();
    assert.equal(lab.store.snapshot.isPaused, false);
    lab.move({ status: "waiting", retryAtMs: 0, failure: LOST });
    assert.equal(lab.text(), "stale 48-50 older");
    lab.move(ready(2));
    assert.equal(lab.text(), "asOf 48-50 older");
    assert.equal(lab.calls.length, 1);
    lab.store.dispose();
  });

  test("parameters reach the exchange as they are", () => {
    const query: TradesQuery = {
      instrument_name: NAME,
      start_seq: 1,
      end_seq: 9,
      start_timestamp: 10,
      end_timestamp: 90,
      count: 7,
      sorting: "asc",
    };
    const lab = createLab(query);
    lab.move(ready(1));
    assert.deepEqual(lab.last.params, query);
    lab.store.dispose();
  });
});

describe("what is missing between numbers", () => {
  test("is read, in the largest pages, before anything newer is shown", async () => {
    const lab = await followed({ count: 10 });
    lab.push(trade(114));
    assert.equal(lab.text(), "live 101-110 older");
    assert.deepEqual(lab.last.params, { instrument_name: NAME, start_seq: 111, count: 1000, sorting: "asc" });
    assert.equal(lab.last.options?.lane, "view");
    await lab.last.respond(trades(111, 112), true);
    assert.deepEqual(lab.last.params.start_seq, 113);
    await lab.last.respond(trades(113, 114));
    assert.equal(lab.text(), "live 101-114 older");
    assert.equal(lab.calls.length, 3);
    lab.store.dispose();
  });

  test("is not asked for again where the exchange has nothing; a gap that shows meanwhile is another one", async () => {
    const lab = await followed();
    lab.push(trade(113));
    lab.push(trade(114), trade(120));
    await lab.last.respond([]);
    // 120 came after the exchange had been asked: nothing is proven for what lies before it.
    assert.equal(lab.text(), "live 101-110,113-114 older");
    assert.equal(lab.last.params.start_seq, 115);
    await lab.last.respond([]);
    assert.equal(lab.text(), "live 101-110,113-114,120 older");
    lab.push(trade(121));
    assert.equal(lab.calls.length, 3);
    assert.equal(lab.text(), "live 101-110,113-114,120-121 older");
    lab.store.dispose();
  });

  test("a page of older ones that is on its way does not hide it", async () => {
    const lab = await followed({ count: 5 });
    void lab.store.loadMore();
    await lab.clock.settle();
    assert.deepEqual(lab.last.params, { instrument_name: NAME, end_seq: 100, count: 5, sorting: "desc" });
    lab.push(trade(113));
    await lab.last.respond(trades(96, 100).reverse(), true);
    assert.equal(lab.text(), "live 96-110 older");
    assert.equal(lab.last.params.start_seq, 111);
    await lab.last.respond(trades(111, 113));
    assert.equal(lab.text(), "live 96-113 older");
    lab.store.dispose();
  });

  test("that can't be read: stale with the reason, tried again, then whole", async () => {
    const lab = await followed();
    lab.push(trade(115));
    await lab.last.fail({ kind: "timeout", timeoutMs: 10_000 });
    assert.equal(lab.text(), "stale 101-110 older");
    assert.deepEqual(lab.store.snapshot.failure, { kind: "timeout", timeoutMs: 10_000 });
    lab.push(trade(116));
    assert.equal(lab.text(), "stale 101-110 older");
    await lab.clock.advance(1000);
    await lab.last.respond(trades(111, 116));
    assert.equal(lab.text(), "live 101-116 older");
    assert.equal(lab.store.snapshot.failure, undefined);
    lab.store.dispose();
    assert.equal(lab.clock.pendingTimers, 0);
  });

  test("that could not be read is not made good for by a page of older ones", async () => {
    const lab = await followed();
    lab.push(trade(115));
    await lab.last.fail({ kind: "exchange", code: 13021, message: "forbidden" });
    void lab.store.loadMore();
    await lab.clock.settle();
    await lab.last.respond(trades(91, 100));
    assert.equal(lab.text(), "stale 91-110");
    await lab.last.respond(trades(111, 115));
    assert.equal(lab.text(), "live 91-115");
    lab.store.dispose();
  });

  test("that is longer than what is held: begun anew at the new end", async () => {
    const lab = await followed();
    lab.push(trade(90_000));
    for (let page = 0; page <= 20; page++) await lab.last.respond(trades(111 + page * 1000, 1110 + page * 1000), true);
    assert.deepEqual(lab.last.params, { instrument_name: NAME, count: 1000 });
    await lab.last.respond(trades(89_001, 90_000).reverse(), true);
    assert.equal(lab.text(), "live 89001-90000 older");
    lab.store.dispose();
  });

  test("that is longer, where a start was asked for: the list goes on from where it is", async () => {
    const lab = createLab({ start_seq: 101 });
    lab.follow(1);
    await lab.last.respond(trades(101, 110));
    lab.push(trade(90_000));
    for (let page = 0; page <= 20; page++) await lab.last.respond(trades(111 + page * 1000, 1110 + page * 1000), true);
    assert.equal(lab.text(), "asOf 1111-21110 newer 1010 dropped");
    lab.store.dispose();
  });
});

describe("links and accounts", () => {
  test("after a reconnect only what is newer is read; a response of the old link has no effect", async () => {
    const lab = await followed();
    lab.push(trade(113));
    const old = lab.last;
    lab.move({ status: "waiting", retryAtMs: 0, failure: LOST });
    lab.channel({ kind: "lost" });
    assert.equal(lab.text(), "stale 101-110 older");
    lab.follow(2);
    assert.equal(lab.last.options?.generation, 2);
    await old.respond(trades(111, 113));
    assert.equal(lab.text(), "stale 101-110 older");
    assert.equal(lab.last.params.start_seq, 111);
    await lab.last.respond(trades(111, 115));
    assert.equal(lab.text(), "live 101-115 older");
    lab.store.dispose();
  });

  test("a page that was asked for over a lost link is not loading for ever", async () => {
    const lab = await followed();
    const loading = lab.store.loadMore();
    await lab.clock.settle();
    assert.equal(lab.store.snapshot.isLoadingMore, true);
    lab.move({ status: "waiting", retryAtMs: 0, failure: LOST });
    await lab.last.fail(LOST);
    await loading;
    assert.deepEqual(
      [lab.text(), lab.store.snapshot.isLoadingMore, lab.store.snapshot.moreFailure],
      ["stale 101-110 older", false, undefined],
    );
    await lab.store.loadMore();
    assert.equal(lab.calls.length, 2);
    lab.store.dispose();
  });

  test("nothing of one account is shown under the name of another", async () => {
    const lab = await followed();
    lab.move({ status: "locked", failure: { kind: "refused", reason: "Another account." }, isOtherSubject: true });
    assert.equal(lab.text(), "failed none");
    lab.follow(2);
    assert.deepEqual(lab.last.params, { instrument_name: NAME, count: 1000 });
    await lab.last.respond(trades(201, 203));
    assert.equal(lab.text(), "live 201-203");
    lab.store.dispose();
  });

  test("a channel that is refused: as of a time, with the reason; read on demand; accepted later, followed", async () => {
    const lab = createLab();
    const refusal: Failure = { kind: "refused", reason: "Subscriptions are not available over HTTP." };
    lab.move(ready(1));
    lab.channel({ kind: "refused", failure: refusal });
    await lab.last.respond(trades(1, 5));
    assert.equal(lab.text(), "asOf 1-5");
    assert.deepEqual(lab.store.snapshot.failure, refusal);
    void lab.store.refresh();
    assert.equal(lab.last.params.start_seq, 6);
    await lab.last.respond(trades(6, 7));
    assert.equal(lab.text(), "asOf 1-7");
    lab.channel({ kind: "accepted", generation: 1 });
    await lab.last.respond(trades(8, 8));
    assert.equal(lab.text(), "live 1-8");
    assert.equal(lab.store.snapshot.failure, undefined);
    lab.store.dispose();
  });

  test("an exchange that refuses is not asked again by itself; the user may", async () => {
    const lab = createLab();
    lab.follow(1);
    await lab.last.fail({ kind: "exchange", code: 13020, message: "not_found" });
    assert.equal(lab.text(), "failed none");
    await lab.clock.advance(3_600_000);
    assert.equal(lab.calls.length, 1);
    void lab.store.refresh();
    assert.equal(lab.text(), "loading none");
    await lab.last.respond(trades(1, 2));
    assert.equal(lab.text(), "live 1-2");
    lab.store.dispose();
  });

  test("disposed: its channel is let go of, nothing is armed, a late response has no effect", async () => {
    const lab = createLab();
    lab.follow(1);
    lab.store.dispose();
    await lab.last.respond(trades(1, 2));
    assert.deepEqual([lab.channels, lab.clock.pendingTimers, lab.text()], [[], 0, "loading none"]);
  });
});

describe("more of them", () => {
  test("a page that does not come leaves the rest as it is, live, and says so", async () => {
    const lab = await followed();
    const loading = lab.store.loadMore();
    await lab.clock.settle();
    const failure: Failure = { kind: "exchange", code: 10028, message: "too_many_requests" };
    await lab.last.fail(failure);
    await loading;
    assert.equal(lab.text(), "live 101-110 older");
    assert.deepEqual(lab.store.snapshot.moreFailure, failure);
    lab.push(trade(111));
    assert.equal(lab.text(), "live 101-111 older");
    const again = lab.store.loadMore();
    await lab.clock.settle();
    assert.equal(lab.store.snapshot.moreFailure, undefined);
    await lab.last.respond(trades(91, 100));
    await again;
    assert.equal(lab.text(), "live 91-111");
    lab.store.dispose();
  });

  test("a server that always says there is more, and always answers with the same, is believed once", async () => {
    const lab = await followed();
    void lab.store.loadMore();
    await lab.clock.settle();
    await lab.last.respond(trades(101, 110).reverse(), true);
    assert.equal(lab.text(), "live 101-110");
    lab.push(trade(200));
    await lab.last.respond(trades(101, 110), true);
    assert.equal(lab.text(), "live 101-110,200");
    assert.equal(lab.calls.length, 3);
    lab.store.dispose();
  });

  test("no more than can be held: the oldest go, and there is no room for older ones", async () => {
    const lab = createLab();
    lab.follow(1);
    await lab.last.respond(trades(30_001, 31_000).reverse(), true);
    for (let page = 1; page < MAX_TRADES / 1000; page++) {
      void lab.store.loadMore();
      await lab.clock.settle();
      await lab.last.respond(trades(30_001 - page * 1000, 31_000 - page * 1000).reverse(), true);
    }
    assert.equal(lab.text(), "live 11001-31000 older");
    const asked = lab.calls.length;
    await lab.store.loadMore();
    assert.equal(lab.calls.length, asked);
    lab.push(...trades(31_001, 31_005));
    assert.equal(lab.text(), "live 11006-31005 older 5 dropped");
    // One that was dropped does not come back by an event.
    lab.push(trade(11_003));
    assert.equal(lab.text(), "live 11006-31005 older 5 dropped");
    lab.store.dispose();
  });
});

describe("what cannot be read", () => {
  test("rows that have no number are counted, wherever they come from; what else is odd in a trade leaves no gap", async () => {
    const lab = createLab();
    lab.follow(1);
    await lab.last.respond([trade(10), { ...trade(9), price: "dear" }, "what?", trade(8)], true);
    assert.equal(lab.text(), "live 8-10 older 1 odd");
    assert.equal(lab.store.snapshot.trades[1]?.price, undefined);
    lab.push({ ...trade(11), amount: null }, { ...trade(0), trade_seq: "0" }, trade(12));
    assert.equal(lab.text(), "live 8-12 older 2 odd");
    assert.equal(lab.calls.length, 1);
    void lab.store.loadMore();
    await lab.clock.settle();
    await lab.last.respond([{ ...trade(7), timestamp: null }], true);
    assert.equal(lab.text(), "live 7-12 older 2 odd");
    void lab.store.loadMore();
    await lab.clock.settle();
    assert.equal(lab.last.params.end_seq, 6);
    lab.store.dispose();
  });

  test("a response that is no list of trades fails the reading", async () => {
    const lab = createLab();
    lab.follow(1);
    await lab.last.respondWith({ trades: {}, has_more: false });
    assert.equal(lab.text(), "failed none");
    assert.equal(lab.store.snapshot.failure?.kind, "unreadableResult");
    lab.store.dispose();
  });

  test("events of something else, and those before the start that was asked for, are not taken", async () => {
    const lab = createLab({ start_timestamp: 2000 });
    lab.follow(1);
    await lab.last.respond([]);
    lab.push(trade(150), trade(300, { instrument_name: "ETH-PERPETUAL" }));
    assert.equal(lab.text(), "live none");
    lab.push(trade(200), trade(201));
    assert.equal(lab.text(), "live 200-201");
    lab.store.dispose();
  });
});

test("while paused nothing comes in, over a reconnect neither; resuming reads it", async () => {
  const lab = await followed();
  lab.store.pause();
  lab.push(trade(111), trade(112));
  assert.deepEqual([lab.text(), lab.store.snapshot.waiting], ["live 101-110 older", 2]);
  lab.move({ status: "waiting", retryAtMs: 0, failure: LOST });
  lab.follow(2);
  assert.equal(lab.calls.length, 1);
  lab.store.resume();
  assert.equal(lab.last.params.start_seq, 111);
  await lab.last.respond(trades(111, 140));
  assert.deepEqual([lab.text(), lab.store.snapshot.waiting], ["live 101-140 older", 0]);
  lab.store.dispose();
});

test("while paused a channel that comes back is not followed; resuming reads, whether it is followed or not", async () => {
  const lab = await followed();
  lab.store.pause();
  lab.channel({ kind: "refused", failure: undefined });
  assert.equal(lab.text(), "asOf 101-110 older");
  lab.channel({ kind: "accepted", generation: 1 });
  assert.equal(lab.text(), "live 101-110 older");
  lab.channel({ kind: "refused", failure: undefined });
  assert.equal(lab.calls.length, 1);
  lab.store.resume();
  await lab.last.respond(trades(111, 112));
  assert.equal(lab.text(), "asOf 101-112 older");
  lab.store.dispose();
});

test("a state that says the same changes nothing and fires nothing", async () => {
  const lab = await followed();
  const before = lab.fired;
  lab.move(ready(1));
  lab.push(trade(110));
  lab.store.resume();
  assert.equal(lab.fired, before);
  lab.store.dispose();
});
