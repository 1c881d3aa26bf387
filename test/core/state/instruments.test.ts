import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { createInstrumentsStore, type InstrumentsStore } from "../../../src/state/instruments.ts";
import type { SharedList } from "../../../src/state/knownList.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { ready } from "./fakeStoreSession.ts";
import { countAccounts } from "./accounts.ts";

const METHOD = "public/get_instruments";

interface Lab {
  readonly clock: FakeClock;
  readonly store: InstrumentsStore;
  /** What is asked next ends with this. */
  next: unknown;
  readonly asked: unknown[];
  move(state: SessionState): void;
}

function createLab(shared?: SharedList): Lab {
  const clock = createFakeClock();
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "off" };
  const readResponse = async (_method: string, params: unknown): Promise<MaskedResponse> => {
    lab.asked.push(params);
    const { next } = lab;
    await Promise.resolve();
    if (typeof next === "object" && next !== null && "kind" in next) throw new CallError(next as Failure);
    const timing = { receivedAtMs: clock.now(), totalMs: 0, queuedMs: 0, exchangeMs: undefined };
    return {
      wireId: 1,
      method: METHOD,
      bodyText: "",
      result: next,
      error: undefined,
      hasMaskedSecrets: false,
      timing,
      testnet: true,
    };
  };
  const session = {
    get state() {
      return state;
    },
    onDidChangeState: states.event,
    get epoch() {
      return accounts.epoch;
    },
    reader: { readResponse, read: async () => await Promise.reject(new Error("not used")) },
    subscribe: () => ({ dispose: () => undefined }),
  };
  const lab: Lab = {
    clock,
    store: createInstrumentsStore({ session, clock, log: silentLog }, shared),
    next: [],
    asked: [],
    move(next) {
      state = next;
      states.fire(next);
    },
  };
  return lab;
}

function names(store: InstrumentsStore): string[] {
  return store.snapshot.items.map(({ name, isActive }) => `${name}${isActive ? "" : " (not active)"}`);
}

describe("the list of instruments", () => {
  test("the active ones first, otherwise as they come; what cannot be read is not offered", async () => {
    const lab = createLab();
    lab.move(ready(1));
    lab.next = [
      { instrument_name: "A", kind: "future", is_active: false },
      {
        instrument_name: "B",
        instrument_id: 124972,
        kind: "option",
        tick_size: 0.0001,
        tick_size_steps: [
          { above_price: 1, tick_size: 0.001 },
          { above_price: 0.005, tick_size: 0.0005 },
        ],
        min_trade_amount: 0.1,
        contract_size: 1,
        base_currency: "BTC",
        quote_currency: "USD",
        settlement_currency: "BTC",
        is_active: true,
        state: "open",
        expiration_timestamp: lab.clock.now() + 1,
      },
      { instrument_name: "C", kind: "option", is_active: true, expiration_timestamp: lab.clock.now() },
      { instrument_name: 5, kind: "option" },
      { instrument_name: "D", kind: "option", state: "closed" },
      { instrument_name: "E", kind: "spot", tick_size: "0.1", tick_size_steps: { above_price: 2, tick_size: 5 } },
    ];
    await lab.store.load();
    assert.deepEqual(names(lab.store), ["B", "E", "A (not active)", "C (not active)", "D (not active)"]);
    assert.deepEqual(lab.store.snapshot.items[0], {
      name: "B",
      id: 124972,
      kind: "option",
      isActive: true,
      expiresAtMs: lab.clock.now() + 1,
      steps: {
        tickSize: 0.0001,
        tickSizes: [
          { abovePrice: 0.005, tickSize: 0.0005 },
          { abovePrice: 1, tickSize: 0.001 },
        ],
        minAmount: 0.1,
        contractSize: 1,
      },
      currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
    });
    assert.deepEqual(lab.store.snapshot.items[1]?.steps, {
      tickSize: undefined,
      tickSizes: [{ abovePrice: 2, tickSize: 5 }],
      minAmount: undefined,
      contractSize: undefined,
    });
    const [, , first, second] = lab.store.snapshot.items;
    assert.equal(first?.steps, second?.steps, "thousands of instruments share a handful of steps");
    assert.deepEqual(lab.asked, [{ currency: "any" }]);
    lab.store.dispose();
  });

  test("over reconnects it stays for its hour", async () => {
    const lab = createLab();
    lab.move(ready(1));
    lab.next = [{ instrument_name: "A", kind: "future" }];
    await lab.store.load();
    lab.move({ status: "waiting", retryAtMs: 0, failure: { kind: "notConnected" } });
    await lab.store.load();
    assert.deepEqual(names(lab.store), ["A"]);
    lab.move(ready(2));
    await lab.store.load();
    assert.equal(lab.asked.length, 1);
    lab.move({ status: "locked", failure: { kind: "notConnected" }, isOtherSubject: true });
    assert.deepEqual(names(lab.store), []);
    lab.move(ready(3));
    await lab.store.load();
    assert.equal(lab.asked.length, 2);
    lab.store.dispose();
  });

  test("without a connection: says so, and reads once there is one", async () => {
    const lab = createLab();
    assert.deepEqual((await lab.store.load()).failure, { kind: "notConnected" });
    assert.equal(lab.asked.length, 0);
    lab.move(ready(1));
    lab.next = [{ instrument_name: "A", kind: "future" }];
    assert.equal((await lab.store.load()).failure, undefined);
    lab.store.dispose();
  });

  test("what fails for a moment is asked again after a pause, what is refused for good after another dial", async () => {
    const lab = createLab();
    lab.move(ready(1));
    lab.next = { kind: "timeout", timeoutMs: 30_000 };
    await lab.store.load();
    await lab.store.load();
    assert.equal(lab.asked.length, 1);
    await lab.clock.advance(10_000);
    lab.next = { kind: "exchange", code: -32602, message: "Invalid params", param: "currency" };
    await lab.store.load();
    await lab.clock.advance(600_000);
    assert.deepEqual((await lab.store.load()).failure, lab.next);
    assert.equal(lab.asked.length, 2);
    lab.move({ status: "connecting", generation: 2 });
    lab.move(ready(2));
    lab.next = [{ instrument_name: "A", kind: "future" }];
    await lab.store.load();
    assert.deepEqual([names(lab.store), lab.store.snapshot.failure], [["A"], undefined]);
    lab.store.dispose();
  });

  for (const [what, code] of [
    ["a token that is refused is renewed", 13009],
    ["an error that may pass passes", 13888],
  ] as const)
    test(`${what}: the list is asked for again after a pause`, async () => {
      const lab = createLab();
      lab.move(ready(1));
      lab.next = { kind: "exchange", code, message: "any" };
      await lab.store.load();
      await lab.clock.advance(10_000);
      lab.next = [{ instrument_name: "A", kind: "future" }];
      await lab.store.load();
      assert.deepEqual([names(lab.store), lab.asked.length], [["A"], 2]);
      lab.store.dispose();
    });

  test("a failure later on leaves what is known, and says that it may be old", async () => {
    const lab = createLab();
    lab.move(ready(1));
    lab.next = [{ instrument_name: "A", kind: "future" }];
    await lab.store.load();
    await lab.clock.advance(3_600_000);
    lab.next = {};
    await lab.store.load();
    assert.deepEqual(names(lab.store), ["A"]);
    assert.equal(lab.store.snapshot.failure?.kind, "unreadableResult");
    lab.store.dispose();
  });
});

describe("instruments that another window of the computer has read", () => {
  test("are taken over without a call, and are as old as they are", async () => {
    const kept: (readonly unknown[] | undefined)[] = [];
    let given: Awaited<ReturnType<SharedList["take"]>>;
    const lab = createLab({
      take: async () => await Promise.resolve(given),
      keep: async (elements) => void kept.push(await Promise.resolve(elements)),
    });
    given = { elements: [{ instrument_name: "A" }], readAtMs: lab.clock.now() - 3_000_000 };
    lab.move(ready(1));
    assert.deepEqual(
      (await lab.store.load()).items.map(({ name }) => name),
      ["A"],
    );
    assert.equal(lab.asked.length, 0);
    given = undefined;
    lab.next = [{ instrument_name: "B" }];
    await lab.clock.advance(599_000);
    await lab.store.load();
    assert.equal(lab.asked.length, 0);
    await lab.clock.advance(1000);
    assert.deepEqual(
      (await lab.store.load()).items.map(({ name }) => name),
      ["B"],
    );
    assert.deepEqual([lab.asked.length, kept], [1, [[{ instrument_name: "B" }]]]);
  });

  test("a spot instrument is routed where one of the two flags says so", async () => {
    const lab = createLab();
    lab.move(ready(1));
    const spot = { kind: "spot", base_currency: "SOL", quote_currency: "USDC" };
    lab.next = [
      { ...spot, instrument_name: "A_USDC", is_csr: true, is_cbe_routed: true },
      { ...spot, instrument_name: "B_USDC", is_csr: true },
      { ...spot, instrument_name: "C_USDC", is_cbe_routed: true },
      { ...spot, instrument_name: "D_USDC", is_csr: false },
      { ...spot, instrument_name: "E_USDC" },
    ];
    const { items } = await lab.store.load();
    assert.deepEqual(
      items.map(({ isRouted = false }) => isRouted),
      [true, true, true, false, false],
    );
  });
});
