import assert from "node:assert/strict";
import { once } from "node:events";
import * as net from "node:net";
import { createHash } from "node:crypto";
import { describe, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { CallError } from "../../src/base/failure.ts";
import type { Transport, TransportClose } from "../../src/rpc/transport.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createFakeClock, type FakeClock } from "../fakeClock.ts";

interface Link {
  readonly transport: Transport;
  readonly clock: FakeClock;
  /** The server's end. */
  readonly far: WebSocket;
  readonly farSocket: net.Socket;
}

/** An open link to a server of our own; both are gone when `use` has run. */
async function withLink(
  use: (link: Link) => Promise<void>,
  onConnection: (socket: WebSocket) => void = () => undefined,
): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.on("connection", onConnection);
  const connected = once(server, "connection") as Promise<[WebSocket, { socket: net.Socket }]>;
  const clock = createFakeClock();
  const transport = await dialWebSocket(
    `ws://127.0.0.1:${String(port)}/ws/api/v2`,
    { clock },
    new AbortController().signal,
  );
  const [far, request] = await connected;
  try {
    await use({ transport, clock, far, farSocket: request.socket });
  } finally {
    transport.dispose();
    far.terminate();
    server.close();
  }
}

async function closeOf(transport: Transport): Promise<TransportClose> {
  return await new Promise((resolve) => {
    transport.onClose(resolve);
  });
}

async function texts(transport: Transport, count: number): Promise<string[]> {
  const heard: string[] = [];
  return await new Promise((resolve) => {
    transport.onText((text) => {
      heard.push(text);
      if (heard.length === count) resolve(heard);
    });
  });
}

/** Not `once`, which takes the reset that a cut may bring for a failure. */
async function ended(socket: net.Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on("close", () => {
      resolve();
    });
  });
}

/** How often the socket with this local port hands something to the system, from now until it is asked. */
function countWrites(localPort: number): () => number {
  const prototype = net.Socket.prototype as unknown as Record<
    "_writev" | "_write",
    (this: net.Socket, ...args: readonly unknown[]) => unknown
  >;
  const { _writev: writev, _write: write } = prototype;
  let count = 0;
  const counting = (original: typeof write): typeof write =>
    function (...args) {
      if (this.localPort === localPort) count++;
      return Reflect.apply(original, this, args);
    };
  prototype._writev = counting(writev);
  prototype._write = counting(write);
  return () => {
    Object.assign(prototype, { _writev: writev, _write: write });
    return count;
  };
}

/** A server that upgrades and then does with the raw socket what a WebSocket library would not let it do. */
async function withRawServer(
  use: (transport: Transport, socket: net.Socket, clock: FakeClock) => Promise<void>,
): Promise<void> {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (head) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString())?.[1] ?? "";
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const connected = once(server, "connection") as Promise<[net.Socket]>;
  const clock = createFakeClock();
  const transport = await dialWebSocket(`ws://127.0.0.1:${String(port)}/`, { clock }, new AbortController().signal);
  const [socket] = await connected;
  try {
    await use(transport, socket, clock);
  } finally {
    transport.dispose();
    socket.destroy();
    server.close();
  }
}

describe("an open link", () => {
  test("sends of one tick leave together and arrive in order, with those of the next tick behind them", async () => {
    await withLink(async ({ transport, far, farSocket }) => {
      const heard: string[] = [];
      const writes = countWrites(farSocket.remotePort ?? 0);
      const all = new Promise<void>((resolve) => {
        far.on("message", (data: Buffer) => {
          heard.push(data.toString());
          if (heard.length === 300) resolve();
        });
      });
      for (let each = 0; each < 100; each++) transport.send(`{"n":${String(each)}}`);
      process.nextTick(() => {
        for (let each = 100; each < 200; each++) transport.send(`{"n":${String(each)}}`);
      });
      setImmediate(() => {
        for (let each = 200; each < 300; each++) transport.send(`{"n":${String(each)}}`);
      });
      await all;
      assert.deepEqual(
        heard,
        Array.from({ length: 300 }, (_, each) => `{"n":${String(each)}}`),
      );
      assert.equal(writes(), 3);
    });
  });

  test("texts come whole, short or long, ASCII or not", async () => {
    const samples = [
      "",
      "{}",
      "é€🐎",
      "x".repeat(5_000_000),
      `${"x".repeat(200_000)}é`,
      "🐎".repeat(20_000),
      "\u007f".repeat(20_000),
      "\u0080".repeat(20_000),
    ];
    await withLink(async ({ transport, far }) => {
      const heard = texts(transport, samples.length);
      for (const sample of samples) far.send(sample);
      const got = await heard;
      for (const [index, sample] of samples.entries()) assert.ok(got[index] === sample, `sample ${String(index)}`);
    });
  });

  test("messages and a close that arrive before the first listener are not lost", async () => {
    await withLink(
      async ({ transport, far }) => {
        if (far.readyState !== far.CLOSED) await once(far, "close");
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        const heard = texts(transport, 2);
        const close = closeOf(transport);
        assert.deepEqual(await heard, ["early", "bird"]);
        assert.equal((await close).trouble, "maintenance");
      },
      (socket) => {
        socket.send("early");
        socket.send("bird");
        socket.close(1012, "restart");
      },
    );
  });

  test("the server's closing is told with its code and reason", async () => {
    await withLink(async ({ transport, far }) => {
      const close = closeOf(transport);
      far.close(1008, "connection_too_slow");
      assert.deepEqual(await close, { trouble: "tooSlow", detail: "close code 1008: connection_too_slow" });
      assert.throws(
        () => {
          transport.send("x");
        },
        (error) => error instanceof CallError && error.failure.kind === "notConnected",
      );
    });
  });

  test("a cut is told too", async () => {
    await withLink(async ({ transport, farSocket }) => {
      const close = closeOf(transport);
      farSocket.destroy();
      assert.equal((await close).trouble, "closedByServer");
    });
    await withLink(async ({ transport, farSocket }) => {
      const close = closeOf(transport);
      farSocket.resetAndDestroy();
      assert.equal((await close).trouble, "closedByServer");
    });
  });

  test("closing in order delivers what was sent before", async () => {
    await withLink(async ({ transport, far, clock }) => {
      const heard: string[] = [];
      far.on("message", (data: Buffer) => heard.push(data.toString()));
      const farClose = once(far, "close") as Promise<[number]>;
      const close = closeOf(transport);
      transport.send("last words");
      transport.close();
      transport.close();
      assert.equal((await farClose)[0], 1000);
      assert.equal((await close).trouble, "closedByUs");
      assert.deepEqual(heard, ["last words"]);
      assert.equal(clock.pendingTimers, 0);
    });
  });

  test("a peer that does not answer the closing is cut off after 2 s of the clock", { timeout: 10_000 }, async () => {
    await withRawServer(async (transport, socket, clock) => {
      const hungUp = ended(socket);
      const close = closeOf(transport);
      transport.close();
      await clock.advance(1999);
      assert.equal(socket.destroyed, false);
      await clock.advance(1);
      assert.equal((await close).trouble, "closedByUs");
      await hungUp;
      assert.equal(clock.pendingTimers, 0);
    });
  });

  test("cutting off what is closing leaves no timer", async () => {
    await withRawServer(async (transport, _socket, clock) => {
      transport.close();
      assert.equal(clock.pendingTimers, 1);
      transport.dispose();
      assert.equal(clock.pendingTimers, 0);
      await Promise.resolve();
    });
  });

  test("cutting off is at once, and told once", async () => {
    await withLink(async ({ transport, clock, far }) => {
      const closes: TransportClose[] = [];
      transport.onClose((close) => closes.push(close));
      const hungUp = once(far, "close");
      transport.terminate();
      transport.terminate();
      transport.dispose();
      transport.close();
      await hungUp;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      assert.deepEqual(closes, [{ trouble: "closedByUs", detail: "cut off" }]);
      assert.equal(clock.pendingTimers, 0);
    });
  });

  test("a binary frame ends the link, even if it says what a text would", async () => {
    await withLink(async ({ transport, far }) => {
      const heard: string[] = [];
      transport.onText((text) => heard.push(text));
      const close = closeOf(transport);
      const farClose = once(far, "close") as Promise<[number]>;
      far.send(Buffer.from('{"jsonrpc":"2.0","id":1,"result":1}'), { binary: true });
      far.send("after");
      assert.deepEqual(await close, { trouble: "protocol", detail: "a binary frame" });
      assert.equal((await farClose)[0], 1003);
      assert.deepEqual(heard, []);
    });
  });

  const violations: readonly [string, Buffer][] = [
    ["a binary frame", Buffer.from([0x82, 1, 0x7b])],
    ["a length of 2^40", Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0])],
    ["a length of 2^63", Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])],
    ["more than 64 MiB", Buffer.from([0x81, 127, 0, 0, 0, 0, 4, 0, 0, 1])],
    ["a compressed frame without a negotiated extension", Buffer.from([0xc1, 1, 0x61])],
    ["a masked frame", Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5])],
    ["an unknown opcode", Buffer.from([0x83, 0])],
    ["text that is no UTF-8", Buffer.from([0x81, 2, 0xc3, 0x28])],
    ["a fragmented ping", Buffer.from([0x09, 0])],
    ["a ping of 126 bytes", Buffer.from([0x89, 126, 0, 126])],
    ["close code 1005", Buffer.from([0x88, 2, 0x03, 0xed])],
    ["close code 999", Buffer.from([0x88, 2, 0x03, 0xe7])],
  ];
  for (const [name, bytes] of violations) {
    test(`${name} ends the link, without waiting for the other side`, { timeout: 10_000 }, async () => {
      await withRawServer(async (transport, socket, clock) => {
        const close = closeOf(transport);
        socket.write(bytes);
        assert.equal((await close).trouble, "protocol");
        const hungUp = ended(socket);
        socket.resume();
        await clock.advance(2000);
        await hungUp;
        assert.equal(clock.pendingTimers, 0);
      });
    });
  }

  test("a flood of pings gets pongs and does not disturb other messages", async () => {
    await withLink(async ({ transport, far }) => {
      const heard = texts(transport, 1);
      for (let each = 0; each < 50; each++) far.ping();
      far.send("still here");
      assert.deepEqual(await heard, ["still here"]);
    });
  });
});
