import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "vitest";
import * as fc from "fast-check";
import { createLinkedPair } from "../../linkedPair.ts";
import { createPeer, type Peer } from "../../../src/rpc/peer.ts";
import type { ChannelEvent } from "../../../src/rpc/frame.ts";
import type { UnmaskedResponse } from "../../../src/rpc/maskResponse.ts";
import type { Transport, TransportClose } from "../../../src/rpc/transport.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createLines, watch, type Watched } from "../session/world.ts";

interface World {
  readonly peer: Peer;
  readonly server: Transport;
  readonly clock: FakeClock;
  readonly lines: string[];
  /** What the server got. */
  readonly sent: string[];
  readonly closes: TransportClose[];
  readonly events: ChannelEvent[];
  readonly late: UnmaskedResponse[];
  readonly call: (method?: string, timeoutMs?: number) => Watched<UnmaskedResponse>;
  readonly say: (text: string) => Promise<void>;
}

/** The first call gets id 101. */
function createWorld(): World {
  const clock = createFakeClock();
  const [client, server] = createLinkedPair();
  const lines: string[] = [];
  const sent: string[] = [];
  const closes: TransportClose[] = [];
  const events: ChannelEvent[] = [];
  const late: UnmaskedResponse[] = [];
  let id = 100;
  const peer = createPeer({ transport: client, clock, log: createLines(lines), nextWireId: () => ++id });
  server.onText((text) => sent.push(text));
  peer.onClose((close) => closes.push(close));
  peer.onEvent((event) => events.push(event));
  peer.onLateResponse((response) => late.push(response));
  return {
    peer,
    server,
    clock,
    lines,
    sent,
    closes,
    events,
    late,
    call: (method = "private/get_open_orders", timeoutMs = 10_000) => watch(peer.call(method, "{}", { timeoutMs })),
    async say(text) {
      server.send(text);
      await clock.settle();
    },
  };
}

const responseText = (id: number | string, result = "1"): string =>
  `{"jsonrpc":"2.0","id":${String(id)},"result":${result}}`;

describe("matching responses", () => {
  test("by id, in any order, each with its own result", async () => {
    const { call, say, peer } = createWorld();
    const calls = Array.from({ length: 20 }, () => call());
    for (let id = 120; id > 100; id--) await say(responseText(id, String(id)));
    assert.deepEqual(
      calls.map((each) => each.value?.result),
      Array.from({ length: 20 }, (_, index) => 101 + index),
    );
    assert.equal(peer.pendingCount, 0);
  });

  test("only by the number as we wrote it", async () => {
    const { call, say, closes, lines } = createWorld();
    const waiting = call();
    for (const id of ['"101"', "1.01e2", "101.0", "101.5", "-101", "0101", "null", "9007199254740993"])
      await say(responseText(id));
    await say('{"jsonrpc":"2.0","result":1}');
    assert.equal(waiting.isSettled, false);
    assert.deepEqual(closes, []);
    assert.ok(lines.length >= 9);
    await say(responseText(101));
    assert.equal(waiting.value?.result, 1);
  });

  test("a duplicate settles once and is only noted", async () => {
    const { call, say, lines } = createWorld();
    const first = call();
    await say(responseText(101, '"a"'));
    await say(responseText(101, '"b"'));
    assert.equal(first.value?.result, "a");
    assert.match(lines.at(-1) ?? "", /warn .*an unexpected response to request ID 101/);
  });

  test("late answers of calls that timed out are handed out once and count as no strays", async () => {
    const world = createWorld();
    const calls = Array.from({ length: 30 }, () => world.call("private/cancel", 50));
    await world.clock.advance(50);
    assert.ok(calls.every((each) => each.failure?.kind === "timeout"));
    for (let id = 101; id <= 130; id++) await world.say(responseText(id, `{"n":${String(id)}}`));
    assert.deepEqual(
      world.late.map((response) => [response.wireId, response.method, response.bodyText]),
      Array.from({ length: 30 }, (_, index) => [101 + index, "private/cancel", `{"n":${String(101 + index)}}`]),
    );
    assert.deepEqual(world.closes, []);
  });
});

describe("timeouts", () => {
  test("a settled call no longer listens to its signal", async () => {
    const { peer, say, clock } = createWorld();
    const { signal } = new AbortController();
    const answered = watch(peer.call("public/test", "{}", { timeoutMs: 100, signal }));
    watch(peer.call("public/test", "{}", { timeoutMs: 100, signal }));
    assert.equal(getEventListeners(signal, "abort").length, 2);
    await say(responseText(101));
    assert.equal(answered.isSettled, true);
    assert.equal(getEventListeners(signal, "abort").length, 1);
    await clock.advance(100);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("each call has its own although one timer serves all", async () => {
    const { call, clock } = createWorld();
    const calls = [call("public/test", 300), call("public/test", 100), call("public/test", 200)];
    assert.equal(clock.pendingTimers, 1);
    const settled = (): boolean[] => calls.map((each) => each.isSettled);
    await clock.advance(99);
    assert.deepEqual(settled(), [false, false, false]);
    await clock.advance(1);
    assert.deepEqual(settled(), [false, true, false]);
    await clock.advance(100);
    assert.deepEqual(settled(), [false, true, true]);
    await clock.advance(100);
    assert.deepEqual(settled(), [true, true, true]);
    assert.equal(clock.pendingTimers, 0);
  });
});

describe("frames that break the protocol", () => {
  const odd: readonly [string, string][] = [
    ["both result and error", '{"jsonrpc":"2.0","id":101,"result":1,"error":{"code":1,"message":"x"}}'],
    ["another version", '{"jsonrpc":"1.0","id":101,"result":1}'],
    ["no version", '{"id":101,"result":1}'],
    ["an error without code", '{"jsonrpc":"2.0","id":101,"error":{"message":"x"}}'],
    ["an error that is a text", '{"jsonrpc":"2.0","id":101,"error":"x"}'],
    ["neither", '{"jsonrpc":"2.0","id":101}'],
    ["a name twice in the result", '{"jsonrpc":"2.0","id":101,"result":{"order_id":"1","order_id":"2"}}'],
    ["two results", '{"jsonrpc":"2.0","id":101,"result":1,"result":2}'],
    ["own __proto__", '{"jsonrpc":"2.0","id":101,"result":{"__proto__":{"polluted":true}}}'],
    ["too deep", `{"jsonrpc":"2.0","id":101,"result":${"[".repeat(64)}${"]".repeat(64)}}`],
    ["truncated", '{"jsonrpc":"2.0","id":101,"result":{"a":1'],
    ["no JSON", '{"jsonrpc":"2.0","id":101,"result":NaN}'],
    ["in a large frame, a member twice", `{"jsonrpc":"2.0","id":101,"result":1,"result":"${"x".repeat(300_000)}"}`],
  ];
  for (const [name, text] of odd) {
    test(`${name}: the call becomes unreadable, the link stays`, async () => {
      const { call, say, closes, lines } = createWorld();
      const waiting = call();
      const other = call();
      await say(text);
      assert.equal(waiting.failure?.kind, "unreadableResult");
      assert.equal(other.isSettled, false);
      assert.deepEqual(closes, []);
      assert.match(lines.join("\n"), /warn The response to private\/get_open_orders \(101\) cannot be read/);
      await say(responseText(102));
      assert.equal(other.value?.result, 1);
      assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    });
  }

  const stray: readonly string[] = [
    "",
    "null",
    "42",
    "[]",
    `[${responseText(101)}]`,
    "\ufeff{}",
    "garbage",
    `${responseText(101)}${responseText(102)}`,
    '{"jsonrpc":"2.0","id":101',
    '{"id":101,"id":102,"jsonrpc":"2.0","result":1}',
    '{"jsonrpc":"2.0","method":"subscription","params":{"channel":7}}',
    "{".repeat(100),
  ];
  for (const text of stray) {
    test(`${JSON.stringify(text.slice(0, 50))} belongs to nothing: it is noted, and nothing is guessed`, async () => {
      const { call, say, closes, lines } = createWorld();
      const waiting = call();
      await say(text);
      assert.equal(waiting.isSettled, false);
      assert.deepEqual(closes, []);
      assert.match(lines.at(-1) ?? "", /^warn /);
    });
  }

  test("more than ten within a minute end the link, and settle what waits", async () => {
    const { call, say, closes, clock } = createWorld();
    const waiting = call("private/cancel", 120_000);
    for (let each = 0; each < 10; each++) await say("garbage");
    await clock.advance(60_000);
    for (let each = 0; each < 10; each++) await say("garbage");
    assert.deepEqual(closes, []);
    await say("garbage");
    assert.deepEqual(closes, [{ trouble: "protocol", detail: "the message is not valid JSON" }]);
    assert.deepEqual(waiting.failure, {
      kind: "connectionLost",
      trouble: "protocol",
      detail: "the message is not valid JSON",
    });
    assert.equal(clock.pendingTimers, 0);
  });

  test("unknown notifications and requests of the server are neither answered nor fatal, and hardly logged", async () => {
    const { say, closes, sent, lines } = createWorld();
    for (let each = 0; each < 200; each++)
      await say(`{"jsonrpc":"2.0","id":${String(each)},"method":"client/do_${String(each)}","params":{}}`);
    assert.deepEqual(closes, []);
    assert.deepEqual(sent, []);
    assert.ok(lines.length <= 10);
  });

  test("any text at all leaves the peer in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.constantFrom(responseText(101), '{"jsonrpc":"2.0","method":"heartbeat","params":{}}'),
          ),
          { maxLength: 9 },
        ),
        async (texts) => {
          const { call, say, clock, peer } = createWorld();
          const waiting = call();
          for (const text of texts) await say(text);
          await clock.advance(10_000);
          assert.equal(waiting.isSettled, true);
          assert.equal(peer.pendingCount, 0);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("errors about the link", () => {
  test("too large and maintenance, both without an id, are noted and explain the end that follows", async () => {
    for (const [code, trouble] of [
      [-32600, "protocol"],
      [11051, "maintenance"],
    ] as const) {
      const { call, say, closes, server, clock } = createWorld();
      const waiting = call();
      await say(`{"jsonrpc":"2.0","error":{"code":${String(code)},"message":"why"},"usIn":1}`);
      assert.equal(waiting.isSettled, false);
      server.close();
      await clock.settle();
      assert.deepEqual(closes, [{ trouble, detail: `${String(code)} why` }]);
      assert.deepEqual(waiting.failure, { kind: "connectionLost", trouble, detail: `${String(code)} why` });
    }
  });

  test("maintenance as a response explains the end that follows, too", async () => {
    const { call, say, closes, server, clock } = createWorld();
    call();
    await say(`{"jsonrpc":"2.0","id":101,"error":{"code":11051,"message":"system_maintenance"}}`);
    server.close();
    await clock.settle();
    assert.deepEqual(closes, [{ trouble: "maintenance", detail: "11051 system_maintenance" }]);
  });
});

describe("before the send", () => {
  test("a request of more than 32,000 bytes is refused with its size", async () => {
    const { peer, sent, clock } = createWorld();
    const frame = '{"jsonrpc":"2.0","id":101,"method":"public/test","params":{"x":""}}';
    const fits = watch(peer.call("public/test", `{"x":"${"a".repeat(32_000 - frame.length)}"}`, { timeoutMs: 1 }));
    await clock.settle();
    assert.equal(sent[0]?.length, 32_000);
    assert.equal(fits.isSettled, false);
    const large = watch(peer.call("public/test", `{"x":"${"a".repeat(32_001 - frame.length)}"}`, { timeoutMs: 1 }));
    await clock.settle();
    assert.deepEqual(large.failure, { kind: "tooLarge", bytes: 32_001, limitBytes: 32_000 });
    assert.equal(sent.length, 1);
  });

  test("after the end nothing is sent", async () => {
    const { peer, call, clock, sent } = createWorld();
    peer.close();
    const late = call();
    await clock.settle();
    assert.deepEqual(late.failure, { kind: "notConnected" });
    assert.deepEqual(sent, []);
  });
});

describe("events", () => {
  test("come with channel, data and their text", async () => {
    const { say, events } = createWorld();
    const text =
      '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{"price":0.10}}}';
    await say(text);
    assert.deepEqual(events, [
      { channel: "user.orders.any.any.raw", data: { price: 0.1 }, text, secrets: [], longestText: 23 },
    ]);
  });
});
