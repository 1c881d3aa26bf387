import assert from "node:assert/strict";
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import tls from "node:tls";
import { describe, test } from "vitest";
import { WebSocketServer } from "ws";
import type { LinkTrouble } from "../../src/base/failure.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { CallError, type Failure } from "../../src/base/failure.ts";
import { plain } from "../../src/base/plain.ts";
import { troubleOfClose, troubleOfError, troubleOfRefusal } from "../../src/rpc/linkTrouble.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createFakeClock } from "../fakeClock.ts";
import { createSelfSigned } from "../faults/certificates.ts";
import { asPlain } from "../asPlain.ts";

const SELF_SIGNED = createSelfSigned("localhost");
const never = new AbortController().signal;

async function listen(server: net.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as net.AddressInfo).port;
}

/** Not `once`, which takes the reset that a cut may bring for a failure. */
async function ended(socket: net.Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on("close", () => {
      resolve();
    });
  });
}

/** The failure with which dialling ends. */
async function failureOf(url: string, signal = never): Promise<Extract<Failure, { kind: "cannotConnect" }>> {
  const clock = createFakeClock();
  try {
    const transport = await dialWebSocket(url, { clock }, signal);
    transport.dispose();
  } catch (thrown) {
    assert.ok(thrown instanceof CallError && thrown.failure.kind === "cannotConnect", String(thrown));
    assert.equal(clock.pendingTimers, 0);
    return thrown.failure;
  }
  throw new assert.AssertionError({ message: "the link was opened" });
}

/** Serves for as long as `use` runs; connections that are left are cut off. */
async function withServer(server: net.Server, use: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => sockets.add(socket));
  const port = await listen(server);
  try {
    await use(port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

function httpServer(status: number, headers: http.OutgoingHttpHeaders = {}): http.Server {
  return http.createServer((_request, response) =>
    response.writeHead(status, headers).end("<html>a secret page</html>"),
  );
}

describe("dialling", () => {
  test("connection refused: no server listens on the port", async () => {
    let port = 0;
    await withServer(net.createServer(), async (each) => {
      port = await Promise.resolve(each);
    });
    const { trouble, detail } = await failureOf(`ws://127.0.0.1:${String(port)}/ws/api/v2`);
    assert.equal(trouble, "refused");
    assert.match(detail, /ECONNREFUSED/);
    assert.equal((await failureOf(`ws://localhost:${String(port)}/`)).trouble, "refused");
  });

  const refusals = {
    200: "notWebSocket",
    400: "notWebSocket",
    401: "forbidden",
    403: "forbidden",
    404: "notWebSocket",
    407: "proxy",
    500: "unavailable",
    503: "unavailable",
    511: "portal",
  } as const;
  for (const [status, trouble] of Object.entries(refusals)) {
    test(`HTTP ${status} instead of an upgrade`, async () => {
      await withServer(httpServer(Number(status)), async (port) => {
        assert.deepEqual(await failureOf(`ws://127.0.0.1:${String(port)}/`), {
          kind: "cannotConnect",
          trouble,
          detail: `HTTP ${status}`,
        });
      });
    });
  }

  test("HTTP 429", async () => {
    await withServer(httpServer(429), async (port) => {
      assert.equal((await failureOf(`ws://127.0.0.1:${String(port)}/`)).trouble, "tooManyConnections");
    });
  });

  for (const status of [301, 302, 307, 308]) {
    test(`a redirect (${String(status)}) is not followed`, async () => {
      let visits = 0;
      const decoy = net.createServer((socket) => {
        visits++;
        socket.destroy();
      });
      await withServer(decoy, async (decoyPort) => {
        await withServer(httpServer(status, { location: `ws://127.0.0.1:${String(decoyPort)}/` }), async (port) => {
          const { trouble, detail } = await failureOf(`ws://127.0.0.1:${String(port)}/`);
          assert.equal(trouble, "redirect");
          assert.equal(detail, `HTTP ${String(status)}, redirect to ws:\\/\\/127.0.0.1:${String(decoyPort)}/`);
        });
      });
      assert.equal(visits, 0);
    });
  }

  const handshakes: readonly [string, string, LinkTrouble][] = [
    [
      "a wrong accept",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: d3Jvbmc=\r\n\r\n",
      "notWebSocket",
    ],
    [
      "an upgrade to something else",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
      "notWebSocket",
    ],
    ["no HTTP", "220 mail.example ESMTP\r\n", "notWebSocket"],
    [
      "a megabyte of headers",
      `HTTP/1.1 101 Switching Protocols\r\nX: ${"x".repeat(1_000_000)}\r\n\r\n`,
      "notWebSocket",
    ],
  ];
  for (const [name, text, expected] of handshakes) {
    test(name, async () => {
      const server = net.createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.write(text));
      });
      await withServer(server, async (port) => {
        assert.equal((await failureOf(`ws://127.0.0.1:${String(port)}/`)).trouble, expected);
      });
    });
  }

  test("a server that hangs up at once", async () => {
    await withServer(
      net.createServer((socket) => socket.destroy()),
      async (port) => {
        assert.equal((await failureOf(`ws://127.0.0.1:${String(port)}/`)).trouble, "closedByServer");
      },
    );
    await withServer(
      net.createServer((socket) => {
        socket.once("data", () => socket.end());
      }),
      async (port) => {
        assert.equal((await failureOf(`ws://127.0.0.1:${String(port)}/`)).trouble, "closedByServer");
      },
    );
  });

  test("a server that never answers, or drips, is given up after 10 s of the clock", async () => {
    for (const firstByte of ["", "H"]) {
      const server = net.createServer((socket) => {
        socket.on("error", () => undefined);
        if (firstByte !== "") socket.write(firstByte);
      });
      await withServer(server, async (port) => {
        const clock = createFakeClock();
        const dial = dialWebSocket(`ws://127.0.0.1:${String(port)}/`, { clock }, never);
        const [socket] = (await once(server, "connection")) as [net.Socket];
        const hungUp = ended(socket);
        socket.resume();
        await clock.advance(9_999);
        if (firstByte !== "") socket.write("T");
        await clock.advance(1);
        await assert.rejects(
          dial,
          (error) =>
            error instanceof CallError &&
            error.failure.kind === "cannotConnect" &&
            error.failure.trouble === "connectTimeout",
        );
        await hungUp;
        assert.equal(clock.pendingTimers, 0);
      });
    }
  });

  test("giving up, before and while dialling", async () => {
    await withServer(net.createServer(), async (port) => {
      const url = `ws://127.0.0.1:${String(port)}/`;
      assert.equal((await failureOf(url, AbortSignal.abort())).trouble, "closedByUs");
      const controller = new AbortController();
      const failing = failureOf(url, controller.signal);
      controller.abort();
      assert.equal((await failing).trouble, "closedByUs");
    });
  });

  test("an address that cannot be one is not dialled", async () => {
    for (const url of ["ws://192.0.2.1/", "wss://user@localhost/", "http://localhost/", "nonsense"]) {
      const { trouble, detail } = await failureOf(url);
      assert.equal(trouble, "address", url);
      assert.ok(detail.length > 20);
    }
  });

  test("an untrusted certificate is refused, whatever the environment says, before a byte is sent", async () => {
    let bytes = 0;
    const server = https.createServer(SELF_SIGNED, () => {
      bytes++;
    });
    server.on("upgrade", () => {
      bytes++;
    });
    server.on("secureConnection", (socket: tls.TLSSocket) => socket.on("error", () => undefined));
    await withServer(server, async (port) => {
      const url = `wss://localhost:${String(port)}/ws/api/v2`;
      assert.equal((await failureOf(url)).trouble, "tls");
      const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
      try {
        // The setting does work for whoever leaves it to the environment.
        const careless = tls.connect({ port, host: "localhost" });
        await once(careless, "secureConnect");
        careless.destroy();
        const { trouble, detail } = await failureOf(url);
        assert.equal(trouble, "tls");
        assert.match(detail, /DEPTH_ZERO_SELF_SIGNED_CERT/);
      } finally {
        if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
        else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
      }
    });
    assert.equal(bytes, 0);
  });

  test("an old protocol, and none at all, are no TLS that we take", async () => {
    const old = tls.createServer({
      ...SELF_SIGNED,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    old.on("tlsClientError", () => undefined);
    const { DEFAULT_MIN_VERSION: version, DEFAULT_CIPHERS: ciphers } = tls;
    Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: "ALL:@SECLEVEL=0" });
    try {
      await withServer(old, async (port) => {
        // What Node can be told to take by its defaults.
        const careless = tls.connect({ port, host: "localhost", rejectUnauthorized: false });
        await once(careless, "secureConnect");
        careless.destroy();
        const { trouble, detail } = await failureOf(`wss://localhost:${String(port)}/`);
        assert.equal(trouble, "tls");
        assert.match(detail, /protocol/i);
      });
    } finally {
      Object.assign(tls, { DEFAULT_MIN_VERSION: version, DEFAULT_CIPHERS: ciphers });
    }
    const none = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    await withServer(none, async (port) => {
      assert.equal((await failureOf(`wss://localhost:${String(port)}/`)).trouble, "tls");
    });
  });

  test("no compression is offered", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: true });
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    const connected = once(server, "connection") as Promise<[unknown, http.IncomingMessage]>;
    const transport = await dialWebSocket(`ws://127.0.0.1:${String(port)}/`, { clock: createSystemClock() }, never);
    const [, request] = await connected;
    assert.equal(request.headers["sec-websocket-extensions"], undefined);
    assert.equal(transport.description, `ws://127.0.0.1:${String(port)}`);
    transport.dispose();
    server.close();
  });
});

describe("what errors and codes mean", () => {
  const errors: readonly [string, LinkTrouble][] = [
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["ECONNREFUSED", "refused"],
    ["EHOSTUNREACH", "unreachable"],
    ["ENETUNREACH", "unreachable"],
    ["ETIMEDOUT", "connectTimeout"],
    ["ECONNRESET", "closedByServer"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "wrongHost"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
    ["EPROTO", "tls"],
    ["HPE_HEADER_OVERFLOW", "notWebSocket"],
    ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "protocol"],
    ["ESOMETHING", "other"],
  ];
  for (const [code, trouble] of errors) {
    test(code, () => {
      assert.deepEqual(troubleOfError(Object.assign(new Error("it failed"), { code })), {
        trouble,
        detail: `${code} it failed`,
      });
    });
  }

  test("attempts at several addresses count as one", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" });
    assert.equal(troubleOfError(new AggregateError([refused, refused])).trouble, "refused");
  });

  test("close codes and reasons", () => {
    const meanings = [1000, 1001, 1002, 1006, 1009, 1011, 1012, 1013, 4000].map((code) => [
      code,
      troubleOfClose(code, "").trouble,
    ]);
    assert.deepEqual(Object.fromEntries(meanings), {
      1000: "closedByServer",
      1001: "maintenance",
      1002: "protocol",
      1006: "closedByServer",
      1009: "protocol",
      1011: "closedByServer",
      1012: "maintenance",
      1013: "maintenance",
      4000: "closedByServer",
    });
    assert.deepEqual(troubleOfClose(1000, plain`connection_too_slow`), {
      trouble: "tooSlow",
      detail: "close code 1000: connection_too_slow",
    });
    assert.equal(troubleOfClose(1008, plain`too_many_requests`).trouble, "rateLimit");
    assert.equal(
      troubleOfRefusal({ status: 302, location: undefined, contentType: undefined, isFromProxy: false }).detail,
      "HTTP 302",
    );
    assert.ok(troubleOfClose(1000, asPlain("x".repeat(10_000))).detail.length <= 200);
  });
});
