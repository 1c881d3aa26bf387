import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { CallError, type LinkTrouble } from "../../src/base/failure.ts";
import { readFrame } from "../../src/rpc/frame.ts";
import { createHttpPeer } from "../../src/rpc/httpPeer.ts";
import { createPeer } from "../../src/rpc/peer.ts";
import { troubleOfClose } from "../../src/rpc/linkTrouble.ts";
import type { Transport, TransportClose } from "../../src/rpc/transport.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { silentLog } from "../../src/base/log.ts";
import { createFakeClock, createFakeRandom } from "../fakeClock.ts";
import { watch, type Watched } from "../core/session/world.ts";
import { openStage } from "../faults/stage.ts";
import {
  bent,
  judge,
  makeFrames,
  makeHead,
  makeHttpResponse,
  makeSlices,
  openFuzzServer,
  type FuzzServer,
  type Heard,
  type Verdict,
} from "./fuzzWire.ts";
import { rounds } from "../rounds.mjs";
import { asPlain } from "../asPlain.ts";

/* Bytes of every kind of wrongness to the sockets that ship: reliability §5.2, G4. */

const STREAMS = rounds({ short: 150, full: 900, long: 70_000 });
const HEADS = rounds({ short: 50, full: 250, long: 15_000 });
const RESPONSES = rounds({ short: 60, full: 300, long: 15_000 });
const SESSIONS = rounds({ short: 3, full: 10, long: 1000 });
const AT_ONCE = 24;
/** Never reached, because the clock stands still: who would need it waits for ever, and the test with it. */
const TIMEOUT_MS = 20_000;
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

const clock = createFakeClock();

async function inParallel(count: number, play: (seed: number) => Promise<void>): Promise<void> {
  let next = 1;
  const work = async (): Promise<void> => {
    for (let seed = next++; seed <= count; seed = next++) await play(seed);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function buffered(): number {
  const { arrayBuffers, external } = process.memoryUsage();
  return arrayBuffers + external;
}

describe("bytes of every kind of wrongness", () => {
  let server: FuzzServer;
  let bytesBefore = 0;
  beforeAll(async () => {
    server = await openFuzzServer();
    bytesBefore = buffered();
  });
  afterAll(async () => {
    await server.close();
  });

  const dial = async (number: number): Promise<Transport> =>
    await dialWebSocket(
      `ws://127.0.0.1:${String(server.port)}/s/${String(number)}`,
      { clock },
      new AbortController().signal,
    );

  test(`${String(STREAMS)} streams after the upgrade: whole texts arrive, everything else ends the link with its code`, async () => {
    const codes = new Set<string>();
    await inParallel(STREAMS, async (seed) => {
      const random = createFakeRandom(seed);
      const bytes = makeFrames(random);
      const verdict = judge(bytes);
      const end = verdict.code !== undefined ? "wait" : random() < 0.2 ? "rst" : "fin";
      const { number, heard } = server.expect({ bytes, isUpgraded: true, slices: makeSlices(random), end });
      const result = await listen(await dial(number));
      await over(heard);
      checkStream({ seed, bytes, verdict, end, heard, result });
      codes.add(String(verdict.code));
    });
    for (const code of [1000, 1001, 1002, 1003, 1005, 1007, 1009, 3000, undefined])
      assert.ok(codes.has(String(code)), `no stream for ${String(code)}`);
  });

  test(`${String(HEADS)} responses to the request for an upgrade: open only where it is one`, async () => {
    let opened = 0;
    await inParallel(HEADS, async (seed) => {
      const random = createFakeRandom(500_000 + seed);
      const bytes = makeHead(random);
      const { number } = server.expect({ bytes, isUpgraded: false, slices: makeSlices(random), end: "fin" });
      const about = `seed ${String(seed)}: ${JSON.stringify(bytes.toString("latin1").slice(0, 400))}`;
      const transport = await dial(number).catch((error: unknown) => {
        assert.ok(error instanceof CallError && error.failure.kind === "cannotConnect", about);
        assert.ok(
          !["tls", "wrongHost", "closedByUs", "dns", "connectTimeout"].includes(error.failure.trouble),
          `${error.failure.trouble} ${about}`,
        );
        assert.ok(error.failure.detail.length <= 200, about);
        return undefined;
      });
      if (transport === undefined) return;
      opened++;
      const head = bytes.toString("latin1");
      assert.match(head, /^HTTP\/\d\.\d 101[ \r\n]/, about);
      assert.match(head, /upgrade\s*:\s*websocket/i, about);
      assert.match(head, /sec-websocket-accept\s*:\s*\{accept\}/i, about);
      transport.terminate();
    });
    assert.ok(opened > HEADS / 20 && opened < HEADS / 2, String(opened));
  });

  test(`${String(RESPONSES)} responses to HTTP requests: each call has its response or its failure`, async () => {
    let answered = 0;
    await inParallel(RESPONSES, async (seed) => {
      const random = createFakeRandom(900_000 + seed);
      const bytes = makeHttpResponse(random);
      const { number } = server.expect({ bytes, isUpgraded: false, slices: makeSlices(random), end: "fin" });
      const origin = `http://127.0.0.1:${String(server.port)}`;
      let id = 0;
      const peer = createHttpPeer({
        server: { origin, basePath: `/s/${String(number)}` },
        clock,
        log: silentLog,
        nextWireId: () => ++id,
      });
      const call = watch(peer.call("private/cancel", '{"order_id":"O1"}', { timeoutMs: TIMEOUT_MS, httpForm: "post" }));
      await settled(call);
      assert.equal(peer.pendingCount, 0);
      peer.dispose();
      const about = `seed ${String(seed)}: ${JSON.stringify(bytes.toString("latin1").slice(0, 400))}`;
      if (call.value === undefined) {
        assert.ok(
          ["connectionLost", "unreadableResult", "cannotConnect"].includes(String(call.failure?.kind)),
          `${String(call.failure?.kind)} ${about}`,
        );
        return;
      }
      answered++;
      const sent = bytes.toString().replaceAll(/\r\n[\da-f]+\r\n/gi, "");
      assert.ok(sent.includes(call.value.bodyText), `a response that was never sent, ${about}`);
    });
    assert.ok(answered > RESPONSES / 20, String(answered));
  });

  test(`${String(SESSIONS)} sessions that hear such bytes: they say why the link is gone, and everything that waited is settled`, async () => {
    for (let seed = 1; seed <= SESSIONS; seed++) await playSession(seed);
  });

  test("nothing of it is kept", async () => {
    for (let turn = 0; server.openCount > 0 && turn < 1000; turn++) await nextTurn();
    assert.equal(server.openCount, 0, "sockets");
    assert.equal(clock.pendingTimers, 0, "timers");
    assert.ok(
      buffered() - bytesBefore < MAX_GROWTH_BYTES,
      `${String(buffered() - bytesBefore)} bytes more than before`,
    );
  });
});

interface Listened {
  readonly texts: readonly string[];
  readonly close: TransportClose;
  readonly calls: readonly Watched<{ readonly wireId: number; readonly bodyText: string }>[];
  readonly pendingCount: number;
}

/** Lets three calls wait on a link until it is over. */
async function listen(transport: Transport): Promise<Listened> {
  const texts: string[] = [];
  let id = 0;
  const closing = new Promise<TransportClose>((resolve) => {
    transport.onClose(resolve);
  });
  const peer = createPeer({
    transport,
    clock,
    log: silentLog,
    nextWireId: () => ++id,
    trace: (direction, text) => {
      if (direction === "received") texts.push(text);
    },
  });
  const calls = ["private/cancel", "private/get_order_state", "private/buy"].map((method) =>
    watch(peer.call(method, "{}", { timeoutMs: TIMEOUT_MS })),
  );
  const close = await closing;
  await nextTurn();
  return { texts, close, calls, pendingCount: peer.pendingCount };
}

interface Played {
  readonly seed: number;
  readonly bytes: Buffer;
  readonly verdict: Verdict;
  readonly end: string;
  readonly heard: Heard;
  readonly result: Listened;
}

function checkStream({ seed, bytes, verdict, end, heard, result }: Played): void {
  const about = `seed ${String(seed)}, ${end}: ${bytes.toString("hex").slice(0, 600)}`;
  const { texts, close, calls, pendingCount } = result;
  // A reset may overtake what was sent before it.
  if (end === "rst") assert.deepEqual(texts, verdict.texts.slice(0, texts.length), about);
  else assert.deepEqual(texts, verdict.texts, about);
  if (verdict.code !== undefined) assert.equal(heard.closeCode, verdict.code, `close code, ${about}`);
  assert.equal(close.trouble, troubleOf(verdict, close), about);
  assert.equal(pendingCount, 0, about);
  for (const [index, call] of calls.entries()) {
    assert.ok(call.isSettled, `a call still waits, ${about}`);
    const decisive = texts
      .map((text) => readFrame(text))
      .find((frame) => (frame.kind === "response" || frame.kind === "odd") && frame.id === index + 1);
    const expected =
      decisive === undefined ? "connectionLost" : decisive.kind === "odd" ? "unreadableResult" : undefined;
    assert.equal(call.failure?.kind, expected, about);
  }
}

/** What is said of the end: the rules that were broken, the server's own code, or that it just hung up. */
function troubleOf({ code, isClosedByServer }: Verdict, { detail }: TransportClose): LinkTrouble {
  if (code === undefined) return "closedByServer";
  return isClosedByServer ? troubleOfClose(code, asPlain(detail)).trouble : "protocol";
}

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

async function over(heard: Heard): Promise<void> {
  while (!heard.isOver) await nextTurn();
}

async function settled(call: Watched<unknown>): Promise<void> {
  while (!call.isSettled) await nextTurn();
}

async function playSession(seed: number): Promise<void> {
  const random = createFakeRandom(700_000 + seed);
  const stage = await openStage("loopback", { isTracing: false });
  try {
    await stage.ready();
    stage.server.on("public/get_time", () => "silence");
    const read = watch(stage.session.reader.read("public/get_time", {}));
    await stage.settle();
    // Half a frame hangs until the signs of life are missed: the server ends it.
    const bytes = random() < 0.2 ? bent(random, Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")) : makeFrames(random);
    const { code, isClosedByServer } = judge(bytes);
    stage.wire.bytes.slice(1 + Math.floor(random() * 30));
    stage.wire.bytes.raw(bytes);
    await stage.settle();
    if (code === undefined) stage.wire.fin();
    const { session } = stage;
    await stage.until(
      () => session.state.status !== "ready",
      `the link is gone, seed ${String(seed)}: ${bytes.toString("hex")}`,
    );
    await stage.until(() => read.isSettled, `the read is settled, seed ${String(seed)}`);
    assert.ok(session.state.status === "waiting", `${session.state.status}, seed ${String(seed)}`);
    const { failure } = session.state;
    assert.ok(failure.kind === "connectionLost", JSON.stringify(failure));
    if (code !== undefined && !isClosedByServer) assert.equal(failure.trouble, "protocol", `seed ${String(seed)}`);
    await stage.settle();
    if (code !== undefined) assert.equal(stage.wires[0]?.closeCode, code, `seed ${String(seed)}`);
    await stage.advance(25_000);
    assert.equal(session.state.status, "ready", `it comes back, seed ${String(seed)}`);
  } finally {
    await stage.end();
  }
}
