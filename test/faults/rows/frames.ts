import assert from "node:assert/strict";
import { hear, watch, type Watched } from "../../core/session/world.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import { openStage, type FaultRow, type Stage } from "../stage.ts";
import { FINAL, frameBytes, OPCODES, type Wire } from "../wire.ts";

const NO_FRAMES = "a link in memory has no frames";
const BROKEN =
  /The connection failed because messages from \{server\} are not valid for JSON-RPC API v2 \(.+\)\. Check that the address points to the exchange's JSON-RPC API v2 and not to another service\./;

/** A read that waits for its response while something happens to the link. */
async function withPendingRead(stage: Stage): Promise<Watched<MaskedResponse>> {
  await stage.ready();
  stage.server.on("private/get_order_state", () => "silence");
  const read = watch(stage.session.caller.call("private/get_order_state", '{"order_id":"1"}'));
  await stage.until(() => stage.server.methods().includes("private/get_order_state"), "the read was sent");
  return read;
}

/** What breaks the rules of framing ends the link: the name of the case, what is sent, the code with which we close. */
function violations(): FaultRow[] {
  const raw =
    (...bytes: readonly number[]) =>
    (wire: Wire): void =>
      wire.bytes.raw(Buffer.from(bytes));
  const cases: readonly [string, (wire: Wire) => void, number][] = [
    ["F32", (wire) => wire.bytes.bin(Buffer.from('{"jsonrpc":"2.0","id":1,"result":1}')), 1003],
    ["F33 2^40", raw(0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0), 1009],
    ["F33 2^63", raw(0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0), 1009],
    ["F33 64 MiB and a byte", raw(0x81, 127, 0, 0, 0, 0, 4, 0, 0, 1), 1009],
    ["F35 RSV1", raw(0xc1, 1, 0x61), 1002],
    ["F37 masked", raw(0x81, 0x81, 1, 2, 3, 4, 5), 1002],
    ["F37 unknown opcode", raw(0x83, 0), 1002],
    ["F37 continuation of nothing", raw(0x80, 0), 1002],
    ["F37 no UTF-8", raw(0x81, 2, 0xc3, 0x28), 1007],
    ["F37 fragmented ping", raw(0x09, 0), 1002],
    ["F37 ping of 126 bytes", raw(0x89, 126, 0, 126), 1002],
    ["F37 close code 1005", raw(0x88, 2, 0x03, 0xed), 1002],
    ["F37 close code 1006", raw(0x88, 2, 0x03, 0xee), 1002],
    ["F37 close code 999", raw(0x88, 2, 0x03, 0xe7), 1002],
    ["F37 close code 5000", raw(0x88, 2, 0x13, 0x88), 1002],
    ["F37 close of one byte", raw(0x88, 1, 0x03), 1002],
  ];
  return cases.map(([id, break_, closeCode]) => ({
    id,
    title: "breaks the rules of framing",
    on: { only: "loopback", why: NO_FRAMES },
    async run(stage: Stage) {
      const read = await withPendingRead(stage);
      const memoryBefore = process.memoryUsage().arrayBuffers;
      const { wire } = stage;
      break_(wire);
      wire.bytes.raw(frameBytes(FINAL | OPCODES.text, Buffer.from('{"jsonrpc":"2.0","id":99999,"result":"after"}')));
      await stage.until(() => stage.session.state.status === "waiting", "the link is lost");
      assert.equal(read.failure?.kind, "connectionLost");
      assert.ok(
        process.memoryUsage().arrayBuffers - memoryBefore < 16 * 1024 * 1024,
        "a length that is only announced takes no memory",
      );
      await stage.settle();
      assert.equal(wire.closeCode, closeCode);
      await stage.until(() => wire.isOver, "the socket is gone");
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "authenticating", "ready", "waiting"],
      dials: 1,
      row: /^TESTNET · next attempt in [234] s$/,
      sentences: BROKEN,
      notLogged: /"after"/,
    },
  }));
}

function largeFrame(): FaultRow {
  return {
    id: "F33 9 MiB",
    title: "a frame of 9 MiB is read",
    on: "both",
    design: "frames of up to 64 MiB are taken",
    ports: { isTracing: false },
    async run(stage) {
      await stage.ready();
      const text = JSON.stringify("x".repeat(9 * 1024 * 1024));
      stage.server.on("public/test", () => ({ resultText: text }));
      const call = watch(stage.session.caller.call("public/test", "{}"));
      await stage.until(() => call.isSettled, "it was answered");
      assert.ok(call.value?.bodyText === text, call.failure?.kind);
    },
    expected: { status: "ready", dials: 1 },
  };
}

function bombs(): FaultRow[] {
  const flood: FaultRow = {
    id: "F34 fragments",
    title: "a million fragments of a byte, and never the last one",
    on: { only: "loopback", why: NO_FRAMES },
    async run(stage) {
      const read = await withPendingRead(stage);
      const { wire } = stage;
      const heapBefore = process.memoryUsage().heapUsed;
      wire.bytes.raw(Buffer.from([0x01, 1, 0x7b]));
      const some = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0x00, 1, 0x20])));
      for (let each = 0; each < 100 && stage.session.state.status === "ready"; each++) {
        wire.bytes.raw(some);
        await stage.settle();
      }
      await stage.until(() => stage.session.state.status === "waiting", "the link is lost");
      assert.equal(read.failure?.kind, "connectionLost");
      assert.ok(process.memoryUsage().heapUsed - heapBefore < 64 * 1024 * 1024);
      assert.equal(wire.closeCode, 1008);
    },
    expected: { status: "waiting", dials: 1, sentences: BROKEN },
  };
  const trickle: FaultRow = {
    id: "F34 small writes",
    title: "one text in writes of a byte each is read like any other",
    on: { only: "loopback", why: NO_FRAMES },
    async run(stage) {
      await stage.ready();
      stage.wire.bytes.slice(1);
      stage.server.on("public/test", () => ({ result: "y".repeat(3000) }));
      const call = watch(stage.session.caller.call("public/test", "{}"));
      await stage.settle();
      await stage.until(() => call.isSettled, "it was answered");
      assert.equal(call.value?.bodyText.length, 3002);
    },
    expected: { status: "ready", dials: 1 },
  };
  return [flood, trickle];
}

function pings(): FaultRow {
  return {
    id: "F36",
    title: "a hundred thousand pings at once; a cancel comes through behind them",
    on: { only: "loopback", why: "a link in memory has no pings" },
    async run(stage) {
      await stage.ready();
      stage.server.on("private/cancel", () => ({ result: { order_state: "cancelled" } }));
      stage.wire.bytes.raw(
        Buffer.concat(Array.from({ length: 100_000 }, () => frameBytes(FINAL | OPCODES.ping, Buffer.from("1234")))),
      );
      const cancel = watch(stage.session.caller.call("private/cancel", '{"order_id":"1"}'));
      await stage.until(() => cancel.isSettled, "the cancel was answered, or the link lost");
      await stage.settle();
      assert.equal(cancel.value?.bodyText, '{"order_state":"cancelled"}');
      assert.ok(stage.wire.pongs <= 100_000);
    },
    expected: { status: "ready", dials: 1 },
  };
}

/** None of them is a response that could be attributed: the read waits until its time is over, the link stays. */
const ODD_TEXTS: Readonly<Record<string, string>> = {
  "nothing at all": "",
  null: "null",
  "an array": "[]",
  "a number": "42",
  truncated: '{"jsonrpc":"2.0","id":',
  "a byte order mark": '\uFEFF{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}',
  "two documents": '{"jsonrpc":"2.0"}{"jsonrpc":"2.0"}',
  NaN: '{"jsonrpc":"2.0","id":NaN,"result":1}',
  "10 KiB of noise": Array.from({ length: 10_240 }, (_, each) => String.fromCharCode(33 + ((each * 7919) % 90))).join(
    "",
  ),
};

function oddTexts(): FaultRow[] {
  return Object.entries(ODD_TEXTS).map(([name, text]) => ({
    id: `F38 ${name}`,
    title: "while a read and a cancel are pending",
    on: "both",
    design:
      "a frame that belongs to nothing is logged and the socket stays; what waits for a response ends by its own time, a write as unknown",
    async run(stage: Stage) {
      const read = await withPendingRead(stage);
      stage.server.on("private/cancel", () => "silence");
      const cancel = watch(stage.session.caller.call("private/cancel", '{"order_id":"1"}'));
      await stage.until(() => stage.server.methods().includes("private/cancel"), "the cancel was sent");
      stage.wire.text(text);
      await stage.advance(9999);
      assert.equal(read.isSettled, false);
      await stage.advance(5001);
      assert.deepEqual(read.failure, { kind: "timeout", timeoutMs: 10_000 });
      assert.deepEqual(cancel.failure, { kind: "timeout", timeoutMs: 15_000 });
      assert.equal(
        stage.server.methods().filter((method) => method === "private/cancel").length,
        1,
        "and was sent once",
      );
    },
    expected: {
      status: "ready",
      statuses: ["connecting", "authenticating", "ready"],
      dials: 1,
      row: /^TESTNET · ready/,
      logged: /warn A message of the server belongs to nothing: /,
    },
  }));
}

function manyOddTexts(): FaultRow {
  return {
    id: "F38 eleven in a minute",
    title: "nothing can be attributed any more",
    on: "both",
    design: "the socket is closed when nothing can be attributed any more",
    async run(stage) {
      const read = await withPendingRead(stage);
      for (let each = 0; each < 10; each++) stage.wire.text("[]");
      await stage.settle();
      assert.equal(stage.session.state.status, "ready");
      stage.wire.text("[]");
      await stage.until(() => stage.session.state.status === "waiting", "the link is given up");
      assert.equal(read.failure?.kind, "connectionLost");
    },
    expected: { status: "waiting", dials: 1, row: /^TESTNET · next attempt in [234] s$/, sentences: BROKEN },
  };
}

/** However the bytes are cut, what arrives is the same. */
function slices(): FaultRow[] {
  const cut: readonly [string, (wire: Wire) => void][] = [
    ["slices of 1 byte", (wire) => wire.bytes.slice(1)],
    ["slices of 7 bytes", (wire) => wire.bytes.slice(7)],
    ...[2, 3, 5, 20].map((count): [string, (wire: Wire) => void] => [
      `${String(count)} fragments`,
      (wire) => wire.bytes.fragmentResponses(count),
    ]),
    [
      "5 fragments in slices of 3 bytes",
      (wire): void => {
        wire.bytes.fragmentResponses(5);
        wire.bytes.slice(3);
      },
    ],
  ];
  return cut.map(([name, then]) => ({
    id: `F39 ${name}`,
    title: "the conversation is the same as with whole frames",
    on: { only: "loopback", why: NO_FRAMES },
    meets: [{ meets: "server", then }],
    async run(stage: Stage) {
      const whole = await openStage("loopback");
      const expected = await converse(whole);
      await whole.end();
      assert.equal(expected.response, SAMPLE);
      assert.deepEqual(await converse(stage), expected);
    },
    expected: { status: "ready", statuses: ["connecting", "authenticating", "ready"], dials: 1 },
  }));
}

const SAMPLE = '[{"label":"é€🐎","price":1.10,"amount":9007199254740993}]';
interface Conversation {
  readonly response: string | undefined;
  readonly error: unknown;
  readonly events: readonly unknown[];
  readonly methods: readonly string[];
}

async function converse(stage: Stage): Promise<Conversation> {
  stage.server.on("private/get_open_orders", () => ({ resultText: SAMPLE }));
  stage.server.on("private/get_order_state", () => ({ error: { code: 10004, message: "order_not_found" } }));
  await stage.ready();
  const heard = hear(stage.session, "user.orders.any.any.raw");
  await stage.until(() => heard.states.length > 0, "the channel is live");
  stage.wire.text(
    '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":[{"label":"é€🐎"}]}}',
  );
  await stage.until(() => heard.data.length > 0, "the event came");
  const calls = [
    watch(stage.session.caller.call("private/get_open_orders", "{}")),
    watch(stage.session.caller.call("private/get_order_state", '{"order_id":"1"}')),
  ];
  await stage.until(() => calls.every((call) => call.isSettled), "both were answered");
  heard.dispose();
  const [first, second] = calls;
  return {
    response: first?.value?.bodyText,
    error: second?.value?.error,
    events: heard.data,
    methods: stage.server.methods().filter((method) => method !== "private/unsubscribe"),
  };
}

/** Unexpected frames and texts: F32 to F39. */
export const FRAME_ROWS: readonly FaultRow[] = [
  ...violations(),
  largeFrame(),
  ...bombs(),
  pings(),
  ...oddTexts(),
  manyOddTexts(),
  ...slices(),
];
