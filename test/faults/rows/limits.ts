import assert from "node:assert/strict";
import type { Transport } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { CLIENT_ID, CLIENT_SECRET, createScriptedServer } from "../../scriptedServer.ts";
import { watch } from "../../core/session/world.ts";
import { countOf, withOrders } from "../orders.ts";
import type { FaultRow } from "../stage.ts";

const LIST = "private/get_open_orders";

const tooMuch: FaultRow = {
  id: "F94",
  title: "10028 on a view's read, then the server closes, with a cancel pending",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { gate, orders: store } = stage.live();
    orders.onCancel = () => "silence";
    const cancel = orders.cancel("O1");
    await stage.until(() => orders.cancels === 1, "it is at the server");
    let isOver = false;
    stage.server.on(LIST, () =>
      isOver ? { result: [...orders.byId.values()] } : { error: { code: 10028, message: "too_many_requests" } },
    );
    void store.refresh();
    await stage.until(
      () => stage.session.state.status === "ready" && stage.session.state.pause !== undefined,
      "the session holds back",
    );
    assert.match(stage.shown().row, /^TESTNET · rate limited, resuming in 10 s/);
    isOver = true;
    stage.wire.close(1000);
    await stage.until(() => stage.session.state.status === "waiting", "the link is gone");
    assert.match(stage.shown().row, /rate limited, resuming in 1\d s/);
    assert.equal(cancel.value?.kind, "unknown");
    await stage.advance(9999);
    assert.equal(stage.dials, 1, "not within 10 s");
    await stage.advance(1001);
    await stage.until(() => stage.session.state.status === "ready", "it comes back");
    await stage.advance(4000);
    await stage.until(() => gate.activity[0]?.verdicts.length === 1, "the cancel is looked up");
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 2 },
};

const stayingOpen: FaultRow = {
  id: "F94 the link stays",
  title: "10028 four times on a link that stays: the pauses double; a cancel goes out all the same",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    stage.server.on(LIST, () => ({ error: { code: 10028, message: "too_many_requests" } }));
    const before = countOf(stage, LIST);
    const first = watch(stage.session.caller.call(LIST, "{}"));
    await stage.until(() => first.isSettled, "refused");
    const reads = [1, 2, 3].map(() => watch(stage.session.caller.call(LIST, "{}")));
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "the user's cancel does not wait");
    assert.equal(cancel.value?.kind, "confirmed");
    await stage.advance(10_000);
    assert.equal(countOf(stage, LIST) - before, 2, "one tries whether it is over");
    await stage.advance(19_999);
    assert.equal(countOf(stage, LIST) - before, 2);
    stage.server.on(LIST, () => ({ result: [] }));
    await stage.advance(10);
    await stage.until(() => reads.every((read) => read.isSettled), "then the others follow");
    assert.equal(stage.session.state.status === "ready" && stage.session.state.pause, undefined);
  },
  expected: { status: "ready", dials: 1 },
};

const crowded: FaultRow = {
  id: "F95",
  title: "HTTP 429 on each dial",
  on: "both",
  meets: Array.from({ length: 6 }, () => ({ meets: "http" as const, status: 429 })),
  async run(stage) {
    stage.session.connect();
    const pauses: number[] = [];
    for (let dial = 1; dial <= 6; dial++) {
      await stage.until(() => stage.session.state.status === "waiting", `dial ${String(dial)} is refused`);
      const { state } = stage.session;
      if (state.status === "waiting") pauses.push(state.retryAtMs - stage.clock.now());
      await stage.advance(pauses.at(-1)!);
    }
    await stage.until(() => stage.session.state.status === "ready", "there is room again");
    assert.ok(
      pauses.every(
        (pause, index) =>
          pause >= Math.min(300_000, 10_000 * 2 ** index) && pause <= 1.1 * Math.min(300_000, 10_000 * 2 ** index),
      ),
      pauses.join(" "),
    );
  },
  expected: { status: "ready", dials: 7 },
};

const maintenance = [11051, 10041].map((code): FaultRow => ({
  id: `F96 ${String(code)}`,
  title: "maintenance for ten minutes: every call ends with the same error",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    const error = { error: { code, message: "system_maintenance" } };
    stage.server.on(LIST, () => error);
    orders.onCancel = () => error;
    void store.refresh();
    await stage.until(() => store.snapshot.status === "stale", "the view says that it is old");
    assert.match(stage.shown().row, /^TESTNET · maintenance, checking again in 30 s/);
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "a change is not held");
    assert.equal(cancel.value?.kind, "rejected", "the code is a documented refusal of one cancel");
    // For a minute the change is being looked up, too.
    await stage.advance(61_000);
    const before = countOf(stage, LIST);
    await stage.advance(600_000);
    assert.equal(countOf(stage, LIST) - before, 20, "one reading each 30 s");
    stage.server.on(LIST, () => ({ result: [...orders.byId.values()] }));
    await stage.advance(61_000);
    await stage.until(() => store.snapshot.status === "live", "its end is seen");
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 1 },
}));

const storm: FaultRow = {
  id: "F97",
  title: "50 windows are closed at once with 1012, and the server refuses connections for a minute",
  on: { only: "memory", why: "it is about the times of 50 windows' dials, which sockets do not change" },
  async run() {
    const clock = createFakeClock();
    const server = createScriptedServer(clock);
    const dials: number[] = [];
    let isUp = true;
    const sessions = Array.from({ length: 50 }, (_, window) => {
      let count = 0;
      return createSession({
        dial: async (signal) => {
          dials.push(clock.monotonicMs());
          if (!isUp) throw new CallError({ kind: "cannotConnect", trouble: "refused", detail: "ECONNREFUSED" });
          const transport = (await server.dial(signal)) as Transport;
          return {
            ...transport,
            onClose: (listener) =>
              transport.onClose(() => {
                listener({ trouble: "maintenance", detail: "close code 1012" });
              }),
          };
        },
        credentials: async () =>
          await Promise.resolve({ kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }),
        client: { name: "trading-rpc", version: "0.1.0" },
        clock,
        random: createFakeRandom(window + 1),
        log: silentLog,
        nextWireId: () => ++count,
        nextGeneration: () => ++count,
        limits: "exchange",
        isTracing: () => false,
      });
    });
    for (const session of sessions) session.connect();
    await clock.settle();
    assert.ok(sessions.every(({ state }) => state.status === "ready"));
    const sentAwayAtMs = clock.monotonicMs();
    isUp = false;
    dials.length = 0;
    for (const connection of [...server.connections]) connection.transport.close();
    await clock.advance(60_000);
    const perSecond = new Map<number, number>();
    for (const atMs of dials)
      perSecond.set(
        Math.floor((atMs - sentAwayAtMs) / 1000),
        (perSecond.get(Math.floor((atMs - sentAwayAtMs) / 1000)) ?? 0) + 1,
      );
    const busiest = Math.max(...perSecond.values());
    assert.ok(
      dials.length >= 50 && busiest <= dials.length / 10,
      `${String(busiest)} of ${String(dials.length)} dials in one second`,
    );
    isUp = true;
    await clock.advance(60_000);
    assert.ok(
      sessions.every(({ state }) => state.status === "ready"),
      "all are back",
    );
    for (const session of sessions) session.dispose();
  },
};

const asked = [1, 100].map((times): FaultRow => ({
  id: `F98 ${String(times)} test requests`,
  title: "the server asks for a sign of life behind a queue of reads",
  on: "both",
  async run(stage) {
    await stage.ready();
    for (let each = 0; each < 200; each++) watch(stage.session.caller.call(LIST, "{}"));
    await stage.settle();
    const before = countOf(stage, "public/test");
    for (let each = 0; each < times; each++)
      stage.wire.text('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
    await stage.until(() => countOf(stage, "public/test") > before, "answered without moving the clock");
    await stage.settle();
    assert.ok(countOf(stage, "public/test") - before <= Math.max(2, times / 2));
    stage.session.disconnect();
    await stage.settle();
    const after = countOf(stage, "public/test");
    stage.wire.text('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
    await stage.settle();
    assert.equal(countOf(stage, "public/test"), after, "not after the end");
  },
  expected: { status: "off", dials: 1 },
}));

const ownLimits: FaultRow = {
  id: "F94 the account's own limits",
  title: "the account may do 200 calls at once, and 50 a second",
  on: "both",
  async run(stage) {
    stage.server.on("private/get_account_summaries", () => ({
      result: { id: 7001, summaries: [{ currency: "BTC", limits: { non_matching_engine: { burst: 200, rate: 50 } } }] },
    }));
    await stage.ready();
    for (let each = 0; each < 400; each++) watch(stage.session.caller.call(LIST, "{}"));
    await stage.settle();
    const atOnce = countOf(stage, LIST);
    assert.ok(atOnce > 100 && atOnce <= 200, String(atOnce));
    await stage.advance(1000);
    const later = countOf(stage, LIST) - atOnce;
    assert.ok(later > 20 && later <= 50, String(later));
  },
  expected: { status: "ready", dials: 1 },
};

export const LIMITS_ROWS: readonly FaultRow[] = [
  tooMuch,
  stayingOpen,
  ownLimits,
  crowded,
  ...maintenance,
  storm,
  ...asked,
];
