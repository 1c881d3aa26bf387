import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ParamsOf } from "../../../src/catalogue/index.ts";
import type { CallOptions, ChannelState, SessionState } from "../../../src/session/session.ts";
import { createBlockTradesStore, type BlockTradesStore } from "../../../src/state/blockTrades.ts";
import type { ResourcePorts } from "../../../src/state/resource.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { IDENTITY, ready } from "./fakeStoreSession.ts";
import { countAccounts } from "./accounts.ts";

/* The pages of the list, from a server whose list grows and whose link dies while they are read. */

type Params = ParamsOf<"private/get_block_trades">;

interface Lab {
  readonly clock: FakeClock;
  readonly store: BlockTradesStore;
  /** The server's list, the newest first. */
  readonly list: unknown[];
  /** Parameters of the calls that were answered. */
  readonly asked: Params[];
  knowsStartId: boolean;
  /** Runs before each call is answered, with its number. */
  during: (call: number) => unknown;
  move(state: SessionState): void;
  push(data: unknown): void;
  /** Ids as shown, in a few words. */
  text(): string;
}

function trade(number: number): object {
  return { id: `BLOCK-${String(number)}`, timestamp: number, trades: [] };
}

function createLab(size: number): Lab {
  const clock = createFakeClock();
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "off" };
  const listeners: ((data: unknown) => void)[] = [];
  const list: unknown[] = Array.from({ length: size }, (_, index) => trade(size - index));
  const asked: Params[] = [];
  const readResponse = async (_method: string, params: Params, options?: CallOptions): Promise<unknown> => {
    await Promise.resolve();
    lab.during(asked.push(params));
    if (state.status !== "ready" || state.generation !== options?.generation)
      throw new CallError({ kind: "connectionLost", trouble: "silent", detail: "" });
    const start = lab.knowsStartId ? list.findIndex((each) => (each as { id?: string }).id === params.start_id) + 1 : 0;
    return { result: list.slice(start, start + (params.count ?? 20)) };
  };
  const session = {
    get state() {
      return state;
    },
    onDidChangeState: states.event,
    get epoch() {
      return accounts.epoch;
    },
    reader: { readResponse },
    subscribe(_channel: string, listen: (data: unknown) => void, hear: (channel: ChannelState) => void) {
      listeners.push(listen);
      hear({ kind: "accepted", generation: 1 });
      return { dispose: () => undefined };
    },
  } as unknown as ResourcePorts["session"];
  const store = createBlockTradesStore({ session, clock, log: silentLog });
  const lab: Lab = {
    clock,
    store,
    list,
    asked,
    knowsStartId: true,
    during: () => undefined,
    move(next) {
      state = next;
      states.fire(next);
    },
    push: (data) => {
      for (const listen of listeners) listen(data);
    },
    text() {
      const ids = [...store.snapshot.items.keys()].map((id) => id.replace("BLOCK-", ""));
      const range = ids.length > 2 ? `${ids[0]!}…${ids.at(-1)!}` : ids.join(",");
      return `${store.snapshot.status} ${String(ids.length)}: ${range}${store.hasMore ? " and more" : ""}`;
    },
  };
  return lab;
}

async function open(lab: Lab): Promise<void> {
  lab.store.setVisible(true);
  lab.move(ready(1, { ...IDENTITY, scope: "block_trade:read trade:read" }));
  await lab.clock.advance(0);
}

describe("the pages of block trades", () => {
  test("a page is asked for with one more, which tells whether there are more", async () => {
    const lab = createLab(51);
    await open(lab);
    assert.equal(lab.text(), "live 50: 51…2 and more");
    assert.deepEqual(lab.asked, [{ count: 51 }]);
    await lab.store.loadMore();
    assert.equal(lab.text(), "live 51: 51…1");
    await lab.store.loadMore();
    assert.equal(lab.asked.length, 2, "without more there is nothing to load");
  });

  test("what one call cannot hold is read on from where it ended, never more than 101 at once", async () => {
    const lab = createLab(300);
    await open(lab);
    await lab.store.loadMore();
    await lab.store.loadMore();
    assert.equal(lab.text(), "live 150: 300…151 and more");
    assert.deepEqual(lab.asked.slice(2), [{ count: 101 }, { count: 50, start_id: "BLOCK-200" }]);
  });

  test("a block trade that comes between two calls makes no gap and no duplicate, and is read by the announcement", async () => {
    const lab = createLab(300);
    await open(lab);
    await lab.store.loadMore();
    lab.during = (call) => {
      if (call === 4) lab.list.unshift(trade(301));
    };
    await lab.store.loadMore();
    assert.equal(lab.asked.length, 4);
    assert.equal(lab.text(), "live 150: 300…151 and more");
    assert.deepEqual(
      [...lab.store.snapshot.items.keys()],
      Array.from({ length: 150 }, (_, index) => `BLOCK-${String(300 - index)}`),
    );
    lab.push({ trade_id: "1", block_trade_id: "BLOCK-301" });
    await lab.clock.advance(0);
    assert.equal(lab.text(), "live 150: 301…152 and more");
    assert.deepEqual([...lab.store.arrivals.keys()], ["BLOCK-301"]);
  });

  test("the link dies between two calls: the next link reads from the start, and pages are never joined", async () => {
    const lab = createLab(300);
    await open(lab);
    await lab.store.loadMore();
    lab.during = (call) => {
      if (call === 4)
        lab.move({
          status: "waiting",
          retryAtMs: 0,
          failure: { kind: "connectionLost", trouble: "silent", detail: "" },
        });
    };
    await lab.store.loadMore();
    assert.equal(lab.text(), "stale 100: 300…201 and more");
    lab.list.unshift(trade(301));
    lab.move(ready(2, { ...IDENTITY, scope: "block_trade:read trade:read" }));
    await lab.clock.advance(0);
    assert.equal(lab.text(), "live 150: 301…152 and more");
    assert.deepEqual(lab.asked.slice(4), [{ count: 101 }, { count: 50, start_id: "BLOCK-201" }]);
  });

  test("a server that does not know start_id is not asked for ever", async () => {
    const lab = createLab(120);
    await open(lab);
    await lab.store.loadMore();
    lab.knowsStartId = false;
    await lab.store.loadMore();
    assert.equal(lab.asked.length, 4);
    assert.equal(lab.text(), "live 101: 120…20");
  });

  test("a filter forgets the list at once; a reading that was under way counts no more", async () => {
    const lab = createLab(60);
    await open(lab);
    const texts: string[] = [];
    lab.during = () => texts.push(lab.text());
    void lab.store.refresh();
    lab.store.setFilter({ currency: "BTC", count: 10 });
    assert.equal(lab.text(), "loading 0: ");
    await lab.clock.advance(0);
    assert.deepEqual(texts, ["loading 0: ", "loading 0: "]);
    assert.equal(lab.text(), "live 10: 60…51 and more");
    assert.deepEqual(lab.asked.at(-1), { currency: "BTC", count: 11 });
    assert.equal(lab.store.arrivals.size, 0);
  });

  test("the last page of an end_id is the last: the exchange is not asked for what lies behind", async () => {
    const lab = createLab(5);
    lab.store.setFilter({ start_id: "BLOCK-5", end_id: "BLOCK-1", count: 4 });
    await open(lab);
    assert.deepEqual(lab.asked, [{ start_id: "BLOCK-5", end_id: "BLOCK-1", count: 5 }]);
    assert.equal(lab.text(), "live 4: 4…1");
  });

  test("a row of another shape is kept as it came, beside the others", async () => {
    const lab = createLab(3);
    lab.list[1] = { id: 2, timestamp: 2 };
    await open(lab);
    assert.equal(lab.text(), "live 2: 3,1");
    assert.deepEqual(lab.store.snapshot.unreadable, [{ id: 2, timestamp: 2 }]);
  });
});

describe("what announces a block trade", () => {
  const readingsAfter = async (data: unknown): Promise<number> => {
    const lab = createLab(3);
    await open(lab);
    const before = lab.asked.length;
    lab.push(data);
    await lab.clock.advance(0);
    return lab.asked.length - before;
  };

  for (const [name, data] of [
    ["a confirmation with both sides done", { nonce: "n", state: { value: "executed", timestamp: 1 }, trades: [] }],
    ["a trade of the account that is part of one", { trade_id: "1", block_trade_id: "BLOCK-4", state: "filled" }],
    ["one among several trades", [{ trade_id: "1" }, { trade_id: "2", block_trade_id: "BLOCK-4" }]],
  ] as const) {
    test(`${name} has the list read again`, async () => {
      assert.ok((await readingsAfter(data)) > 0);
    });
  }

  for (const [name, data] of [
    ["a confirmation that still waits", { nonce: "n", state: { value: "initial", timestamp: 1 }, trades: [] }],
    ["a trade of the order book", { trade_id: "1", state: "filled" }],
    ["nothing of an object", null],
  ] as const) {
    test(`${name} does not`, async () => {
      assert.equal(await readingsAfter(data), 0);
    });
  }
});
