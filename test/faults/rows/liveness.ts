import assert from "node:assert/strict";
import { createFakeRandom } from "../../fakeClock.ts";
import { hear, watch } from "../../core/session/world.ts";
import type { FaultRow, Stage } from "../stage.ts";
import type { Encounter } from "../wire.ts";

const NO_CLOSING = "a link in memory ends at once: it has no closing in which the other side could be slow";

const SILENT =
  /The connection was closed because \{server\} stopped responding \(no messages received\)\. This happens after sleep or a network change/;

function halfOpen(): FaultRow {
  return {
    id: "F14",
    title: "ready and idle, then nothing arrives any more in either direction",
    on: "both",
    async run(stage) {
      const { orders } = stage.live();
      await stage.ready();
      await stage.until(() => orders.snapshot.status === "live", "the orders are read");
      stage.wire.halfOpen();
      await stage.advance(29_999);
      assert.equal(stage.shown().row, "TESTNET · ready · 0 ms");
      await stage.advance(1);
      assert.equal(stage.shown().row, "TESTNET · not responding, checking… · 0 ms");
      await stage.advance(5000);
      await stage.until(() => stage.session.state.status === "waiting", "35 s without a sign of life");
      assert.equal(orders.snapshot.status, "stale");
      await stage.settle();
      assert.equal(stage.wires[0]?.isOver, true);
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "authenticating", "ready", "waiting"],
      dials: 1,
      row: /^TESTNET · next attempt in \d+ ms$/,
      sentences: SILENT,
    },
  };
}

function pinged(): FaultRow {
  return {
    id: "F15",
    title: "the same, while the server's kernel still pings once a second",
    on: { only: "loopback", why: "a link in memory has no pings" },
    async run(stage) {
      await stage.ready();
      stage.wire.halfOpen();
      for (let second = 1; second <= 34; second++) {
        stage.wire.bytes.ping(Buffer.from("alive"));
        await stage.advance(1000);
      }
      assert.equal(stage.wire.pongs, 34, "each ping was answered");
      assert.equal(stage.session.state.status, "ready");
      await stage.advance(1000);
      await stage.until(() => stage.session.state.status === "waiting", "35 s without a text");
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "authenticating", "ready", "waiting"],
      dials: 1,
      sentences: SILENT,
    },
  };
}

function notRead(): FaultRow {
  return {
    id: "F16",
    title: "the server stops reading, 64 reads of 4 KiB",
    on: { only: "loopback", why: "a link in memory has no buffers that could fill" },
    ports: { limits: "off" },
    async run(stage) {
      await stage.ready();
      stage.wire.bytes.noRead();
      const reads = Array.from({ length: 64 }, () =>
        watch(stage.session.caller.call("public/test", JSON.stringify({ expected_result: "x".repeat(4096) }))),
      );
      await stage.advance(9999);
      assert.ok(reads.every((read) => !read.isSettled));
      await stage.advance(1);
      const found = new Set(reads.map((read) => JSON.stringify(read.failure)));
      assert.deepEqual(found, new Set([JSON.stringify({ kind: "timeout", timeoutMs: 10_000 })]));
      await stage.advance(25_000);
      await stage.until(() => stage.session.state.status === "waiting", "35 s without a sign of life");
    },
    expected: { status: "waiting", dials: 1, sentences: SILENT },
  };
}

function manyNotRead(): FaultRow {
  return {
    id: "F16 flood",
    title:
      "the server stops reading while changes of 30 kB each are sent: what waits is bounded, what is refused was not sent",
    on: { only: "loopback", why: "a link in memory has no buffers that could fill" },
    ports: { limits: "off", isTracing: false },
    async run(stage) {
      await stage.ready();
      stage.wire.bytes.noRead();
      const params = JSON.stringify({ expected_result: "x".repeat(30_000) });
      let failures: (string | undefined)[] = [];
      const calls = [];
      for (let round = 0; round < 100 && failures.every((failure) => failure === undefined); round++) {
        const some = Array.from({ length: 20 }, () => watch(stage.session.caller.call("private/edit", params)));
        calls.push(...some);
        await stage.settle();
        failures = some.map((call) => (call.failure === undefined ? undefined : JSON.stringify(call.failure)));
      }
      const refused = JSON.stringify({ kind: "notConnected", detail: "the server isn't reading the sent data" });
      assert.ok(failures.includes(refused), "at last one was refused before it was sent");
      const sent = calls.filter((call) => call.failure === undefined).length;
      assert.ok(sent * 30_000 < 32 * 1024 * 1024, `${String(sent)} went out`);
      await stage.advance(35_000);
      await stage.until(() => stage.session.state.status === "waiting", "the link is given up");
      assert.ok(calls.every((call) => call.isSettled));
      assert.deepEqual(new Set(calls.map((call) => call.failure?.kind)), new Set(["timeout", "notConnected"]));
    },
    expected: { status: "waiting", dials: 1 },
  };
}

function slow(): FaultRow {
  return {
    id: "F17",
    title: "every response takes two to four seconds, for five minutes, idle and busy",
    on: "both",
    async run(stage) {
      const { orders } = stage.live();
      await stage.ready();
      await stage.until(() => orders.snapshot.status === "live", "the orders are read");
      stage.wire.latency(2000, 4000);
      const reads = [];
      for (let second = 0; second < 300; second += 5) {
        if (second >= 150) reads.push(watch(stage.session.caller.call("private/get_open_orders", "{}")));
        await stage.advance(5000);
      }
      assert.equal(reads.length, 30);
      assert.ok(reads.every((read) => read.value?.bodyText === "[]"));
      const before = stage.server.methods().length;
      const twice = [orders.refresh(), orders.refresh()];
      await stage.advance(5000);
      await Promise.all(twice);
      assert.deepEqual(
        stage.server.methods().slice(before),
        ["private/get_open_orders"],
        "the second reading of a view joins the first",
      );
    },
    expected: { status: "ready", statuses: ["connecting", "authenticating", "ready"], dials: 1 },
  };
}

function slowClose(): FaultRow {
  return {
    id: "F18",
    title: "the user disconnects; the server never answers the closing",
    on: { only: "loopback", why: NO_CLOSING },
    async run(stage) {
      await stage.ready();
      const { wire } = stage;
      wire.bytes.slowClose();
      stage.session.disconnect();
      assert.equal(stage.session.state.status, "off");
      await stage.advance(1999);
      assert.equal(wire.closeCode, 1000);
      assert.equal(wire.isOver, false);
      await stage.advance(1);
      await stage.until(() => wire.isOver, "cut off after 2 s");
      assert.equal(stage.clock.pendingTimers, 0);
    },
    expected: { status: "off", row: "TESTNET · not connected", sentences: "TESTNET main: not connected", dials: 1 },
  };
}

function lateTexts(): FaultRow {
  return {
    id: "F19",
    title: "a response and an event come after our Close frame",
    on: { only: "loopback", why: NO_CLOSING },
    async run(stage) {
      await stage.ready();
      const channel = "user.orders.any.any.raw";
      const heard = hear(stage.session, channel);
      const late: unknown[] = [];
      stage.session.caller.onLateResponse((response) => late.push(response));
      await stage.until(() => heard.states.length > 0, "the channel is live");
      stage.server.on("private/cancel", () => "silence");
      const cancel = watch(stage.session.caller.call("private/cancel", '{"order_id":"1"}'));
      await stage.until(() => stage.server.methods().includes("private/cancel"), "the cancel was sent");
      const { wire } = stage;
      wire.bytes.slowClose();
      stage.session.disconnect();
      await stage.until(() => wire.closeCode === 1000, "our Close arrived");
      const { id } = stage.server.requests.at(-1)!;
      wire.text(`{"jsonrpc":"2.0","id":${String(id)},"result":{"order_id":"1","order_state":"cancelled"}}`);
      wire.text(`{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${channel}","data":[]}}`);
      await stage.settle();
      assert.equal(cancel.value, undefined);
      assert.deepEqual(cancel.failure, { kind: "connectionLost", trouble: "closedByUs", detail: "closed" });
      assert.deepEqual([heard.data, late], [[], []]);
      heard.dispose();
    },
    expected: { status: "off", statuses: ["connecting", "authenticating", "ready", "off"], dials: 1 },
  };
}

/** Four states in which the user may lose patience, at fifty moments each. */
function disconnects(): FaultRow[] {
  const cases: readonly [string, Encounter | undefined, number][] = [
    ["connecting", { meets: "stall" }, 9999],
    ["authenticating", { meets: "server", then: (wire) => wire.halfOpen() }, 4999],
    ["waiting", { meets: "refuse" }, 249],
    ["cooling down", { meets: "http", status: 429 }, 9999],
  ];
  return cases.map(([name, encounter, longestMs]) => ({
    id: `F20 ${name}`,
    title: "the user disconnects, at fifty moments",
    on: "both",
    async run(stage: Stage) {
      const random = createFakeRandom(20);
      for (let round = 1; round <= 50; round++) {
        if (encounter !== undefined) stage.meet(encounter);
        stage.session.connect();
        const wanted = name === "cooling down" ? "waiting" : name;
        await stage.until(() => stage.session.state.status === wanted, name);
        await stage.advance(Math.floor(random() * longestMs));
        assert.equal(stage.session.state.status, wanted);
        stage.session.disconnect();
        assert.equal(stage.session.state.status, "off");
        await stage.advance(2000);
        assert.equal(stage.clock.pendingTimers, 0);
        await stage.advance(3_600_000);
        assert.equal(stage.dials, round, "nothing is dialled any more");
        assert.ok(stage.wires.every((wire) => wire.isOver));
      }
    },
    expected: { status: "off", dials: 50, row: "TESTNET · not connected", ledger: name === "authenticating" ? [] : [] },
  }));
}

function doubledEnd(): FaultRow {
  return {
    id: "F21",
    title: "the link is reset, which tells of its end twice; what was timed on it comes due when the next one is ready",
    on: "both",
    async run(stage) {
      await stage.ready();
      stage.server.on("private/get_order_state", () => "silence");
      const old = watch(stage.session.caller.call("private/get_order_state", '{"order_id":"1"}'));
      await stage.until(() => stage.server.methods().includes("private/get_order_state"), "the read was sent");
      stage.wire.rst();
      await stage.until(() => stage.session.state.status === "waiting", "the link is lost");
      assert.equal(old.failure?.kind, "connectionLost");
      await stage.advance(1000);
      await stage.until(() => stage.session.state.status === "ready", "ready again");
      const before = stage.states.length;
      await stage.advance(25_000);
      assert.equal(stage.states.length, before, "the old link has no say");
      assert.equal((await stage.session.caller.call("private/get_open_orders", "{}")).bodyText, "[]");
    },
    expected: {
      status: "ready",
      statuses: ["connecting", "authenticating", "ready", "waiting", "connecting", "authenticating", "ready"],
      dials: 2,
    },
  };
}

/** Signs of life, and the end: F14 to F21. */
export const LIVENESS_ROWS: readonly FaultRow[] = [
  halfOpen(),
  pinged(),
  notRead(),
  manyNotRead(),
  slow(),
  slowClose(),
  lateTexts(),
  ...disconnects(),
  doubledEnd(),
];
