import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import { createLiveConnection, type LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Disposable } from "../../../src/base/emitter.ts";
import type { Identity } from "../../../src/session/session.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import type { ResourcePorts } from "../../../src/state/resource.ts";
import type { ConnectionRecord } from "../../../src/state/records.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createFakeSession, type FakeSession } from "./fakeSession.ts";

const RECORD: ConnectionRecord = {
  id: "c1",
  name: "main",
  declared: "test",
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "key-1",
};

interface Built {
  readonly clock: FakeClock;
  readonly fake: FakeSession;
  readonly live: LiveConnection;
  readonly questions: Question[];
  saved: ConnectionRecord | undefined;
}

function build(record = RECORD, isOwnSimulator = false): Built {
  const clock = createFakeClock();
  const fake = createFakeSession(clock);
  const questions: Question[] = [];
  const built: Built = {
    clock,
    fake,
    questions,
    saved: record,
    live: createLiveConnection(record, {
      createSession: () => fake.session,
      currentRecord: () => built.saved,
      isOwnSimulator,
      ask: async (question) => {
        questions.push(question);
        return await Promise.resolve(true);
      },
      journal: createMemoryJournal(),
      clock,
      settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
      log: silentLog,
    }),
  };
  return built;
}

describe("a live connection", () => {
  test("dials nothing before it is told to", () => {
    const { live, fake } = build();
    assert.equal(live.state.status, "off");
    live.connect();
    assert.equal(live.state.status, "ready");
    assert.equal(fake.frames.length, 0);
  });

  test("reads its orders and cancels one through its gate", async () => {
    const { live, fake, clock, questions } = build();
    fake.put("O1", "open");
    live.connect();
    await clock.advance(1000);
    const order = live.orders.snapshot.items.get("O1")?.order;
    assert.ok(order !== undefined);
    const outcome = await live.gate.submit(
      cancelOrder(order, {
        origin: "view",
        nowMs: clock.now(),
        ...orderLookups(live.orders),
      }),
    );
    assert.equal(outcome.kind, "confirmed");
    assert.equal(questions[0]?.message, "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main?");
  });

  const environments: readonly (readonly [string, ConnectionRecord["declared"], boolean, Partial<Identity>, string])[] =
    [
      ["a test server that says so", "test", false, { testnet: true }, "test"],
      ["a test server that denies it", "test", false, { testnet: false }, "production"],
      ["a test server that does not say", "test", false, { testnet: undefined }, "production"],
      ["production", "production", false, { testnet: false }, "production"],
      ["production that says it is a test server", "production", false, { testnet: true }, "production"],
      ["our simulator", "simulator", true, { testnet: true }, "simulator"],
      ["a simulator that is not ours", "simulator", false, { testnet: true }, "production"],
    ];
  for (const [name, declared, isOwnSimulator, identity, expected] of environments) {
    test(`${name}: ${expected}`, () => {
      const { live, fake } = build({ ...RECORD, declared }, isOwnSimulator);
      assert.equal(live.environment, declared);
      fake.becomeReady(identity);
      assert.equal(live.environment, expected);
    });
  }

  test("an outage does not make the server another one", () => {
    const { live, fake } = build();
    fake.becomeReady({ testnet: false });
    fake.lose();
    assert.notEqual(live.state.status, "ready");
    assert.equal(live.environment, "production");
  });

  test("a new name, and a new class, count at once", () => {
    const built = build();
    built.live.connect();
    built.saved = { ...RECORD, name: "desk", declared: "production" };
    assert.deepEqual([built.live.record.name, built.live.environment], ["desk", "production"]);
    built.saved = undefined;
    assert.equal(built.live.record.name, "main");
  });

  test("hands out nothing that can send beside the gate", () => {
    const { live } = build();
    for (const name of ["session", "caller", "reader"]) assert.equal(name in live, false, name);
    const given = live.createStore(({ session }) => Object.keys(session));
    assert.deepEqual(
      given.sort(),
      ["epoch", "onDidChangeState", "reader", "state", "subscribe"],
      "a store may only read",
    );
  });

  test("makes a store once, which can only read, and ends it with itself", () => {
    const { live } = build();
    let ended = 0;
    let made = 0;
    const createCounted = ({ session }: ResourcePorts): Disposable & { readonly parts: readonly string[] } => {
      made++;
      return { parts: Object.keys(session), dispose: () => void ended++ };
    };
    assert.deepEqual(live.storeOf(createCounted).parts, ["state", "onDidChangeState", "epoch", "reader", "subscribe"]);
    assert.equal(live.storeOf(createCounted), live.storeOf(createCounted));
    assert.deepEqual([made, ended], [1, 0]);
    live.dispose();
    assert.deepEqual([made, ended], [1, 1]);
  });

  test("ends with its session and leaves no timer", async () => {
    const { live, fake, clock } = build();
    fake.onFrame = () => undefined;
    fake.put("O1", "open");
    live.connect();
    await clock.advance(1000);
    void live.gate.submit(
      cancelOrder(fake.orders.get("O1")!, { origin: "view", nowMs: clock.now(), current: () => undefined }),
    );
    await clock.advance(20_000);
    live.dispose();
    await clock.settle();
    assert.equal(fake.session.state.status, "off");
    assert.equal(clock.pendingTimers, 0);
    const reads = fake.reads.length;
    fake.becomeReady();
    await clock.advance(60_000);
    assert.equal(fake.reads.length, reads);
  });
});
