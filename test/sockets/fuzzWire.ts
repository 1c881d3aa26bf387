import * as net from "node:net";
import type { Random } from "../../src/base/clock.ts";
import { upgradeResponse } from "../faults/server.ts";
import { FINAL, frameBytes, OPCODES, takeClientFrames } from "../faults/wire.ts";

/*
 * A server that writes what it is told, byte for byte, and what a stream of bytes is by the rules of the protocol
 * alone.
 */

/** What one connection gets. */
export interface Stream {
  /** After the upgrade and the first request, or in the place of the upgrade, or as the response to an HTTP request. */
  readonly bytes: Buffer;
  /** The bytes come after an upgrade as it should be. */
  readonly isUpgraded: boolean;
  /**
   * Sizes of the first pieces in which it leaves, a turn of the loop between them; the last one repeats for a while.
   */
  readonly slices: readonly number[];
  /** Hangs up after it, or waits for the other side to do that. */
  readonly end: "fin" | "rst" | "wait";
}

/** What came back from a client. */
export interface Heard {
  /** The code with which it closed; undefined without a Close frame. */
  closeCode: number | undefined;
  isOver: boolean;
}

export interface FuzzServer {
  readonly port: number;
  /** Keeps a stream for the connection that asks for the path with its number. */
  expect(stream: Stream): { readonly number: number; readonly heard: Heard };
  /** Sockets that are open. */
  readonly openCount: number;
  close(): Promise<void>;
}

export async function openFuzzServer(): Promise<FuzzServer> {
  const waiting = new Map<number, { readonly stream: Stream; readonly heard: Heard }>();
  const sockets = new Set<net.Socket>();
  let count = 0;
  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    let isAnswered = false;
    let rest: Buffer = Buffer.alloc(0);
    let heard: Heard | undefined;
    let begin: (() => void) | undefined;
    socket.on("end", () => socket.end());
    socket.on("data", (data: Buffer) => {
      if (isAnswered) {
        const taken = takeClientFrames(Buffer.concat([rest, data]));
        rest = taken.rest;
        if (taken.frames.length > 0) begin?.();
        begin = undefined;
        const close = taken.frames.find(({ opcode }) => opcode === OPCODES.close);
        if (close === undefined || heard === undefined) return;
        heard.closeCode = close.payload.length >= 2 ? close.payload.readUInt16BE(0) : 1005;
        socket.end();
        return;
      }
      isAnswered = true;
      const head = data.toString("latin1");
      const number = Number(/^\w+ \/s\/(\d+)/.exec(head)?.[1]);
      const expected = waiting.get(number);
      waiting.delete(number);
      if (expected === undefined) {
        socket.destroy();
        return;
      }
      const ours = expected.heard;
      heard = expected.stream.isUpgraded ? ours : undefined;
      socket.on("close", () => {
        ours.isOver = true;
      });
      const { bytes, isUpgraded, slices, end } = expected.stream;
      if (isUpgraded) {
        // Calls wait before the first of the bytes comes.
        begin = () => void write(socket, sliced(bytes, slices), end);
        socket.write(upgradeResponse(head));
      } else {
        void write(
          socket,
          sliced(Buffer.from(bytes.toString("latin1").replace("{accept}", acceptOf(head)), "latin1"), slices),
          end,
        );
      }
    });
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (listener.address() as net.AddressInfo).port,
    expect(stream) {
      const heard: Heard = { closeCode: undefined, isOver: false };
      waiting.set(++count, { stream, heard });
      return { number: count, heard };
    },
    get openCount() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        listener.close(resolve);
      });
    },
  };
}

function acceptOf(head: string): string {
  return /accept: (\S+)/i.exec(upgradeResponse(head))?.[1] ?? "";
}

const MAX_PIECES = 60;

function sliced(bytes: Buffer, slices: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, which = 0; at < bytes.length; which++) {
    const size = which < MAX_PIECES ? (slices[Math.min(which, slices.length - 1)] ?? bytes.length) : bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

async function write(socket: net.Socket, pieces: readonly Buffer[], end: Stream["end"]): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return;
    socket.write(piece);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  if (end === "fin") socket.end();
  else if (end === "rst") socket.resetAndDestroy();
}

/** What a client has to make of a stream: the texts that are whole, and how the link ends. */
export interface Verdict {
  readonly texts: readonly string[];
  /** The code with which the client has to close; undefined where the stream ends without a reason to close. */
  readonly code: number | undefined;
  /** Closed by the server's own frame, in order. */
  readonly isClosedByServer: boolean;
}

/**
 * https://www.rfc-editor.org/rfc/rfc6455#section-5, for a client that takes texts of up to 64 MiB and no binary
 * message.
 */
export function judge(bytes: Buffer): Verdict {
  const texts: string[] = [];
  const end = (code: number | undefined, isClosedByServer = false): Verdict => ({ texts, code, isClosedByServer });
  let fragments: { readonly opcode: number; readonly parts: Buffer[] } | undefined;
  for (let at = 0; ;) {
    const frame = readHead(bytes, at, fragments !== undefined);
    if (typeof frame !== "object") return end(frame);
    const payload = bytes.subarray(frame.payloadAt, frame.payloadAt + frame.length);
    if (payload.length < frame.length) return end(undefined);
    at = frame.payloadAt + frame.length;
    if (frame.opcode === OPCODES.close) return closed(payload, end);
    if (frame.opcode >= 8) continue;
    fragments ??= { opcode: frame.opcode, parts: [] };
    fragments.parts.push(payload);
    if (!frame.isFinal) continue;
    const text = utf8Of(Buffer.concat(fragments.parts));
    if (fragments.opcode === OPCODES.binary) return end(1003);
    if (text === undefined) return end(1007);
    texts.push(text);
    fragments = undefined;
  }
}

function closed(payload: Buffer, end: (code: number, isClosedByServer?: boolean) => Verdict): Verdict {
  if (payload.length === 0) return end(1005, true);
  const code = payload.readUInt16BE(0);
  const isCode = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
  if (!isCode) return end(1002);
  return utf8Of(payload.subarray(2)) === undefined ? end(1007) : end(code, true);
}

interface FrameHead {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payloadAt: number;
  readonly length: number;
}

/** Undefined where the bytes end within it; a close code where it breaks a rule. */
function readHead(bytes: Buffer, at: number, isFragmented: boolean): FrameHead | number | undefined {
  if (bytes.length < at + 2) return undefined;
  const first = bytes[at]!;
  const second = bytes[at + 1]!;
  const opcode = first & 0x0f;
  const isFinal = (first & FINAL) !== 0;
  const short = second & 0x7f;
  if ((first & 0x70) !== 0 || second >= 0x80 || !Object.values<number>(OPCODES).includes(opcode)) return 1002;
  if (opcode >= 8 ? isBadControl(opcode, isFinal, short) : (opcode === 0) !== isFragmented) return 1002;
  const lengthSize = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (bytes.length < at + 2 + lengthSize) return undefined;
  const length =
    lengthSize === 0 ? short : lengthSize === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  return length > 64 * 1024 * 1024 ? 1009 : { opcode, isFinal, payloadAt: at + 2 + lengthSize, length };
}

function isBadControl(opcode: number, isFinal: boolean, length: number): boolean {
  return !isFinal || length > 125 || (opcode === OPCODES.close && length === 1);
}

function utf8Of(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

const TEXTS = [
  '{"jsonrpc":"2.0","id":1,"result":1}',
  '{"jsonrpc":"2.0","id":2,"result":{"order_state":"open"}}',
  '{"jsonrpc":"2.0","id":3,"error":{"code":10004,"message":"no"}}',
  '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}',
  "",
  "no JSON",
  "€ 😀 \u0000",
  "x".repeat(300),
  '{"jsonrpc":"2.0","id":1,"result":',
];
const CLOSES = [1000, 1001, 1002, 1005, 1006, 1009, 1011, 1012, 1013, 1015, 999, 3000, 4999, 5000, 0];
const RARE = [
  Buffer.from([0x88, 0]),
  Buffer.from([0xc1, 0x00]),
  Buffer.from([0x81, 0x80, 1, 2, 3, 4]),
  Buffer.from([0x83, 0]),
  Buffer.from([0x89, 126, 0, 126]),
  Buffer.from([0x09, 0]),
  Buffer.from([0x80, 1, 65]),
  Buffer.from([0x88, 1, 3]),
  Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0]),
  Buffer.from([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  Buffer.from([0x82, 127, 0, 0, 0, 0, 4, 0, 0, 1]),
  Buffer.from([0x81, 2, 0xc3, 0x28]),
  Buffer.from([0x81, 3, 0xed, 0xa0, 0x80]),
];

/** Frames as they should be with some that should not, and then perhaps something bent in the bytes. */
export function makeFrames(random: Random): Buffer {
  const frames = Array.from({ length: 1 + Math.floor(random() * 6) }, () => makeWireFrame(random));
  const bytes = Buffer.concat(frames);
  return random() < 0.5 ? bytes : bent(random, bytes);
}

function makeWireFrame(random: Random): Buffer {
  const kind = random();
  const text = Buffer.from(pick(random, TEXTS));
  if (kind < 0.5) return frameBytes(FINAL | OPCODES.text, text);
  if (kind < 0.65) {
    const cut = Math.floor(random() * (text.length + 1));
    return Buffer.concat([
      frameBytes(OPCODES.text, text.subarray(0, cut)),
      ...(random() < 0.5 ? [frameBytes(FINAL | OPCODES.ping, Buffer.from("p"))] : []),
      frameBytes(FINAL | OPCODES.continuation, text.subarray(cut)),
    ]);
  }
  if (kind < 0.75) return frameBytes(FINAL | pick(random, [OPCODES.ping, OPCODES.pong]), text.subarray(0, 125));
  if (kind < 0.82) return frameBytes(FINAL | OPCODES.binary, text);
  if (kind < 0.9) {
    const code = pick(random, CLOSES);
    return frameBytes(
      FINAL | OPCODES.close,
      Buffer.concat([
        Buffer.from([code >> 8, code & 0xff]),
        Buffer.from(pick(random, ["", "too_many_requests", "connection_too_slow", "\u001b[31m"])),
        ...(random() < 0.1 ? [Buffer.from([0xff])] : []),
      ]),
    );
  }
  return pick(random, RARE);
}

/** Bytes changed, put in, taken away or cut off. */
export function bent(random: Random, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes);
  const at = Math.floor(random() * (result.length + 1));
  const kind = random();
  if (kind < 0.4) {
    if (at < result.length) result[at] = Math.floor(random() * 256);
    return result;
  }
  if (kind < 0.6) return result.subarray(0, at);
  if (kind < 0.8)
    return Buffer.concat([
      result.subarray(0, at),
      Buffer.from(Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * 256))),
      result.subarray(at),
    ]);
  return Buffer.concat([result.subarray(0, at), result.subarray(at + 1 + Math.floor(random() * 4))]);
}

export function makeSlices(random: Random): readonly number[] {
  return random() < 0.5 ? [Infinity] : Array.from({ length: 3 }, () => 1 + Math.floor(random() * 40));
}

const STATUS_LINES = [
  "HTTP/1.1 101 Switching Protocols",
  "HTTP/1.1 200 OK",
  "HTTP/1.1 302 Found",
  "HTTP/1.1 401 No",
  "HTTP/1.1 429 Slow",
  "HTTP/1.1 503 Later",
  "HTTP/1.0 101 X",
  "HTTP/9.9 101 X",
  "HTTP/1.1 999 X",
  "HTTP/1.1 100 Continue",
  "HTTP/1.1",
  "",
  "\u0016\u0003\u0001",
  "GET / HTTP/1.1",
];
const HEAD_LINES = [
  "Upgrade: websocket",
  "Upgrade: WebSocket",
  "Upgrade: h2c",
  "Connection: Upgrade",
  "Connection: keep-alive",
  "Sec-WebSocket-Accept: {accept}",
  "Sec-WebSocket-Accept: AAAA",
  "Sec-WebSocket-Extensions: permessage-deflate",
  "Sec-WebSocket-Protocol: chat",
  "Location: https://evil.example/",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 9999999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  " folded: x",
  "Set-Cookie: a=b",
  "no colon",
  ": empty",
  `Big: ${"x".repeat(20_000)}`,
  "N\u0000L: x",
  "Content-Type: text/html",
];

/** The head of a response to a request for an upgrade: as it should be, nearly so, or nothing of the sort. */
export function makeHead(random: Random): Buffer {
  const lines =
    random() < 0.5 ? [STATUS_LINES[0]!, HEAD_LINES[0]!, HEAD_LINES[3]!, HEAD_LINES[5]!] : [pick(random, STATUS_LINES)];
  for (let more = Math.floor(random() * 4); more > 0; more--)
    lines.splice(1 + Math.floor(random() * lines.length), 0, pick(random, HEAD_LINES));
  const bytes = Buffer.from(
    `${lines.join(random() < 0.95 ? "\r\n" : "\n")}\r\n\r\n${pick(random, ["", "", "hello", "5\r\nhello\r\n0\r\n\r\n"])}`,
    "latin1",
  );
  return random() < 0.7 ? bytes : bent(random, bytes);
}

const BODIES = [
  '{"jsonrpc":"2.0","id":1,"result":{"order_id":"O1","order_state":"cancelled"}}',
  '{"jsonrpc":"2.0","result":7}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":10004,"message":"no"}}',
  "<html>portal</html>",
  "",
  "[]",
  '{"jsonrpc":"2.0","id":1,"result":1,"result":2}',
];

/** An HTTP response, whole or in chunks, with a body that may be too short or too long for its head. */
export function makeHttpResponse(random: Random): Buffer {
  const body = pick(random, BODIES);
  const framing = pick(random, [
    [`Content-Length: ${String(body.length)}`, body],
    [`Content-Length: ${String(body.length)}`, body],
    [`Content-Length: ${String(body.length + 5)}`, body],
    [`Content-Length: ${String(Math.max(0, body.length - 5))}`, body],
    ["Transfer-Encoding: chunked", body === "" ? "0\r\n\r\n" : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ["Transfer-Encoding: chunked", `ffffffffffffffff\r\n${body}`],
    ["Connection: close", body],
    [
      pick(
        random,
        HEAD_LINES.filter((line) => !line.startsWith("Upgrade")),
      ),
      body,
    ],
  ] as const);
  const bytes = Buffer.from(
    `${pick(random, ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 400 Bad", "HTTP/1.1 503 Later", ...STATUS_LINES.slice(5)])}\r\n${framing[0]}\r\n\r\n${framing[1]}`,
    "latin1",
  );
  return random() < 0.6 ? bytes : bent(random, bytes);
}
