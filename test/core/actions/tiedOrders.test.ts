import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { changeNote } from "../../../src/actions/changes/changes.ts";
import { tiedSentence } from "../../../src/actions/gate/tiedOrders.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import { createLiveConnection, type LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { tiedCount } from "../../../src/present/connections/disconnectRisk.ts";
import { createConnections } from "../../../src/state/connections.ts";
import { formatRecords, type ConnectionRecord } from "../../../src/state/records.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createWorld } from "../../world.ts";
import { createFakeSession, type FakeSession } from "./fakeSession.ts";
import { asPlain } from "../../asPlain.ts";

const RECORD: ConnectionRecord = {
  id: "c1",
  name: "main",
  declared: "test",
  trading: { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" },
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "key-1",
};

function build({ isOn = true, idleMinutes = 0 } = {}): {
  readonly clock: FakeClock;
  readonly fake: FakeSession;
  readonly live: LiveConnection;
} {
  const clock = createFakeClock();
  const [fake, beside] = [createFakeSession(clock), createFakeSession(clock)];
  Object.assign(fake.session.reader, { read: async () => await Promise.resolve({ enabled: isOn }) });
  // Each order is placed and rests.
  for (const each of [fake, beside])
    each.onFrame = ({ wireId }, response) => {
      response.result({
        order: { order_id: `O${String(wireId)}${each === fake ? "" : " over HTTP"}`, order_state: "open" },
        trades: [],
      });
    };
  const live = createLiveConnection(RECORD, {
    createSession: (_record, way) => (way === "own" ? fake.session : beside.session),
    currentRecord: () => RECORD,
    isOwnSimulator: false,
    ask: async () => await Promise.resolve(true),
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    idleDisconnectMinutes: () => idleMinutes,
    log: silentLog,
  });
  return { clock, fake, live };
}

function buy(more: Partial<Intent> = {}): Intent {
  return {
    method: "private/buy",
    paramsText: '{"instrument_name":"ETH-PERPETUAL","amount":40}',
    origin: "requestFile",
    words: { action: plain`Send buy`, target: plain`buy`, detail: [], keep: plain`Don't Send` },
    ...more,
  };
}

describe("orders that are placed through the gate", () => {
  test("over the connection's own link they are tied to it; over HTTP they are not", async () => {
    const { clock, live } = build();
    live.connect();
    await clock.advance(1000);
    assert.equal((await live.gate.submit(buy())).kind, "confirmed");
    assert.equal(tiedCount(live.cancelOnDisconnect), 1);
    assert.equal((await live.gate.submit(buy({ transport: "http" }))).kind, "confirmed");
    assert.equal(tiedCount(live.cancelOnDisconnect), 1, "no link ends with a request over HTTP");
    live.dispose();
  });

  test("a response that came late counts too", async () => {
    const { clock, fake, live } = build();
    live.connect();
    await clock.advance(1000);
    const responses: (() => void)[] = [];
    fake.onFrame = (_frame, response) => {
      responses.push(() => response.result({ order: { order_id: "late", order_state: "open" } }));
    };
    const asked = live.gate.submit(buy(), { timeoutMs: 1000 });
    await clock.advance(2000);
    assert.equal((await asked).kind, "unknown");
    assert.equal(tiedCount(live.cancelOnDisconnect), 0);
    for (const respond of responses) respond();
    assert.equal(tiedCount(live.cancelOnDisconnect), 1);
    live.dispose();
  });

  for (const [isOn, ends] of [
    [true, false],
    [false, true],
  ] as const) {
    test(`an unused connection ${ends ? "is closed" : "stays open"} while an order is open and cancel-on-disconnect is ${isOn ? "on" : "off"}`, async () => {
      const { clock, live } = build({ isOn, idleMinutes: 5 });
      live.connect();
      await clock.advance(1000);
      await live.gate.submit(buy());
      await clock.advance(30 * 60_000);
      assert.equal(live.state.status, ends ? "off" : "ready");
      live.dispose();
    });
  }

  test("the Connections view learns of it", async () => {
    const { clock, live } = build();
    const connections = createConnections({
      storage: {
        load: () => formatRecords({ records: [RECORD], activeId: "c1", unreadable: [] }),
        save: async () => await Promise.resolve(),
      },
      now: () => clock.now(),
    });
    connections.attach("c1", live, false);
    live.connect();
    await clock.advance(1000);
    await live.gate.submit(buy());
    assert.equal(tiedCount(connections.find("c1")?.cancelOnDisconnect), 1);
    live.dispose();
  });
});

describe("cancel-on-disconnect of the simulator", () => {
  test("is off, needs confirmation with its own warning, and is read again once it is on", async () => {
    const world = createWorld({ declared: "test", orders: 2 });
    await world.connect();
    const { live, clock, questions } = world;
    assert.equal(live.cancelOnDisconnect.isOn, false);
    const send = async (text: string): Promise<string> => {
      const file = scanRequests(text);
      const [request] = file.requests;
      assert.ok(request !== undefined);
      const running = runRequest(file, request, {
        gate: live.gate,
        environment: live.environment,
        fileName: "a.rpc.json",
      });
      await clock.advance(1000);
      return (await running).outcome.kind;
    };
    assert.equal(await send('{ "method": "private/enable_cancel_on_disconnect", "params": {} }'), "confirmed");
    const question = questions.at(-1);
    assert.ok(question?.kind === "modal");
    assert.equal(question.message, "Send private/enable_cancel_on_disconnect on TESTNET lab?");
    assert.equal(
      question.detail.split("\n")[0],
      "When this connection ends, the exchange cancels all orders placed over it. This includes Disconnect, reloading or closing this window, and network failures.",
    );
    assert.equal(live.cancelOnDisconnect.isOn, true);
    await send('{ "method": "private/disable_cancel_on_disconnect", "params": { "scope": "account" } }');
    assert.equal(live.cancelOnDisconnect.isOn, true, "the account's setting is what new connections begin with");
    await send('{ "method": "private/disable_cancel_on_disconnect" }');
    assert.equal(live.cancelOnDisconnect.isOn, false);
    await send('{ "method": "private/enable_cancel_on_disconnect", "params": { "scope": "account" } }');
    live.disconnect();
    await world.connect();
    assert.equal(live.cancelOnDisconnect.isOn, true);
    live.dispose();
  });

  test("on because of the account's setting, it is said before an order is placed over the connection, and of nothing else", async () => {
    const world = createWorld({ declared: "test", orders: 1 });
    await world.connect();
    const { live, clock, questions } = world;
    const detailOf = async (method: string, params: object, more: Partial<Intent> = {}): Promise<string> => {
      const words = {
        action: plain`Send`,
        target: asPlain(method),
        detail: [plain`its params`],
        keep: plain`Don't Send`,
      };
      void live.gate.submit({ method, paramsText: JSON.stringify(params), origin: "requestFile", words, ...more });
      await clock.advance(1000);
      const question = questions.at(-1);
      assert.ok(question?.kind === "modal");
      return question.detail;
    };
    const order = { instrument_name: "ETH-PERPETUAL", amount: 3, price: 1200 };
    assert.doesNotMatch(await detailOf("private/buy", order), /COD/);
    await detailOf("private/enable_cancel_on_disconnect", { scope: "account" });
    live.disconnect();
    await world.connect();
    const tied = "Cancel-on-disconnect (COD) is on. The exchange cancels the order when this connection ends.";
    assert.deepEqual((await detailOf("private/buy", { ...order, amount: 4 })).split("\n").slice(-2), [
      "its params",
      tied,
    ]);
    assert.match(await detailOf("private/sell", { ...order, price: 3000 }), /\(COD\) is on/);
    assert.doesNotMatch(await detailOf("private/buy", { ...order, amount: 5 }, { transport: "http" }), /COD/);
    const [open] = world.exchange.control.openOrders();
    assert.doesNotMatch(await detailOf("private/cancel", { order_id: open?.order_id }), /COD/);
    live.dispose();
  });

  test("a program says that its orders end with it, also where the setting is not known", () => {
    assert.deepEqual(
      [true, false, undefined].flatMap((isOn) => [tiedSentence(isOn, "window"), tiedSentence(isOn, "program")]),
      [
        "Cancel-on-disconnect (COD) is on. The exchange cancels the order when this connection ends.",
        "Cancel-on-disconnect (COD) is on. The exchange cancels the order when this program ends.",
        undefined,
        undefined,
        undefined,
        "It isn't known whether cancel-on-disconnect (COD) is on. If it is, the exchange cancels the order when this program ends.",
      ],
    );
  });

  test("each of its changes says what it means, and nothing else does", () => {
    const notes = ["enable", "disable"].flatMap((change) =>
      [{}, { scope: "account" }].map((params) => changeNote(`private/${change}_cancel_on_disconnect`, params)),
    );
    assert.equal(new Set(notes).size, 4);
    assert.equal(notes.includes(undefined), false);
    assert.equal(changeNote("private/get_cancel_on_disconnect", { scope: "account" }), undefined);
  });
});
