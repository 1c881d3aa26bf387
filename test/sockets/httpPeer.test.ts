import assert from "node:assert/strict";
import * as net from "node:net";
import { afterEach, describe, test } from "vitest";
import { outcomeOf } from "../../src/actions/judge/responseOutcome.ts";
import { CallError, toFailure, type Failure } from "../../src/base/failure.ts";
import { silentLog } from "../../src/base/log.ts";
import { createHttpPeer } from "../../src/rpc/httpPeer.ts";
import type { Peer, PeerCallOptions } from "../../src/rpc/peer.ts";
import type { UnmaskedResponse } from "../../src/rpc/maskResponse.ts";
import { retryPauseMs } from "../../src/state/readRetry.ts";
import { createFakeClock, type FakeClock } from "../fakeClock.ts";

/* Requests over HTTP, seen byte for byte at a plain socket. Timers stand on a clock that only the test moves. */

/** A server that answers each request with the next of these texts; `undefined` leaves it without a response. */
interface RawServer {
  readonly origin: string;
  readonly received: string[];
  readonly sockets: net.Socket[];
  readonly close: () => Promise<void>;
  /** Resolves once that many requests have come in whole. */
  readonly requests: (count: number) => Promise<void>;
}

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function listen(respond: (request: string, socket: net.Socket) => void): Promise<RawServer> {
  const received: string[] = [];
  const sockets: net.Socket[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (piece) => {
      text += piece.toString();
      for (let request = takeRequest(); request !== undefined; request = takeRequest()) {
        received.push(request);
        for (const each of waiting) if (received.length >= each.count) each.resolve();
        respond(request, socket);
      }
    });
    const takeRequest = (): string | undefined => {
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return undefined;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return undefined;
      const request = text.slice(0, end + 4 + length);
      text = text.slice(end + 4 + length);
      return request;
    };
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  };
  cleanups.push(close);
  return {
    origin: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    received,
    sockets,
    close,
    requests: async (count) =>
      await new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

function http(status: string, body: string, headers = ""): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

interface Lab {
  readonly peer: Peer;
  readonly clock: FakeClock;
  readonly sent: number[];
  readonly call: (method: string, paramsText: string, options?: Partial<PeerCallOptions>) => Promise<UnmaskedResponse>;
  readonly fail: (method: string, paramsText: string, options?: Partial<PeerCallOptions>) => Promise<Failure>;
}

function createLab(origin: string): Lab {
  const clock = createFakeClock();
  let numbers = 10;
  const sent: number[] = [];
  const peer = createHttpPeer({
    server: { origin, basePath: "/api/v2" },
    clock,
    log: silentLog,
    nextWireId: () => ++numbers,
  });
  cleanups.push(() => peer.dispose());
  const call: Lab["call"] = async (method, paramsText, options = {}) =>
    await peer.call(method, paramsText, { timeoutMs: 15_000, onSend: (id) => sent.push(id), ...options });
  return {
    peer,
    clock,
    sent,
    call,
    fail: async (...args) => {
      try {
        await call(...args);
      } catch (thrown) {
        assert.ok(thrown instanceof CallError, String(thrown));
        return toFailure(thrown);
      }
      return assert.fail("it was answered");
    },
  };
}

const OK = (request: string, socket: net.Socket): void => {
  socket.write(
    http(
      "200 OK",
      '{"jsonrpc":"2.0","result":{"price":0.10}}',
      request === "" ? "" : "content-type: application/json\r\n",
    ),
  );
};

/** First line, token and body. */
function essence(request: string | undefined): string {
  const [head = "", body = ""] = (request ?? "").split("\r\n\r\n");
  const authorization = /^authorization: .*$/im.exec(head)?.[0];
  return [head.split("\r\n")[0], authorization, body].filter((line) => line !== undefined && line !== "").join(" | ");
}

describe("the forms of a request", () => {
  const params =
    '{"instrument_name":"BTC-PERPETUAL","count":1e2,"price":0.10,"id":9007199254740993,"text":"a b&c=ü","include":true}';

  test("GET with a query: every digit as written, text encoded, no id", async () => {
    const server = await listen(OK);
    const { call } = createLab(server.origin);
    const response = await call("public/get_last_trades_by_instrument", params, { httpForm: "query" });
    assert.equal(
      essence(server.received[0]),
      "GET /api/v2/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL&count=1e2&price=0.10&id=9007199254740993&text=a%20b%26c%3D%C3%BC&include=true HTTP/1.1",
    );
    assert.equal(response.bodyText, '{"price":0.10}');
  });

  test("GET with a body, at the address of the method", async () => {
    const server = await listen(OK);
    const { call } = createLab(server.origin);
    await call("public/test", '{"a":1.0}', { httpForm: "body" });
    assert.equal(
      essence(server.received[0]),
      'GET /api/v2/public/test HTTP/1.1 | {"jsonrpc":"2.0","id":11,"method":"public/test","params":{"a":1.0}}',
    );
    assert.match(server.received[0]!, /content-type: application\/json/i);
  });

  test("POST at the base address, the token in the header", async () => {
    const server = await listen(OK);
    const { call } = createLab(server.origin);
    await call("private/cancel", '{"order_id":"X-1"}', { httpForm: "post", accessToken: "T0KEN" });
    assert.equal(
      essence(server.received[0]),
      'POST /api/v2 HTTP/1.1 | authorization: Bearer T0KEN | {"jsonrpc":"2.0","id":11,"method":"private/cancel","params":{"order_id":"X-1"}}',
    );
  });

  test("a list, an object and null cannot stand in a query: nothing is sent", async () => {
    const server = await listen(OK);
    const { fail, sent } = createLab(server.origin);
    for (const value of ["[1]", "{}", "null"]) {
      const failure = await fail("public/test", `{"x":${value}}`, { httpForm: "query" });
      assert.equal(
        failure.kind === "invalidParams" && failure.problems[0]?.message,
        "x can't be sent in a query, which supports only strings, numbers, true, and false. Send it with POST or in the body.",
      );
    }
    assert.deepEqual([server.received.length, sent.length], [0, 0]);
  });

  test("half of a surrogate pair cannot stand in a query: nothing is sent, and the sentence says where it is", async () => {
    const server = await listen(OK);
    const { fail, sent } = createLab(server.origin);
    for (const [params, name] of [
      ['{"label":"a\\ud800"}', "label"],
      ['{"\\udc00":1}', "\\uDC00"],
    ] as const) {
      const failure = await fail("public/test", params, { httpForm: "query" });
      assert.equal(
        failure.kind === "invalidParams" && failure.problems[0]?.message,
        `${name} has an incomplete character (half of a surrogate pair), which can't be sent in a query. Send it with POST or in the body.`,
      );
    }
    assert.deepEqual([server.received.length, sent.length], [0, 0]);
  });

  test("a method that would lead to another path is not put into an address", async () => {
    const server = await listen(OK);
    const { fail } = createLab(server.origin);
    for (const method of ["../admin", "public/a?b", "public/a/b"])
      assert.equal((await fail(method, "{}", { httpForm: "query" })).kind, "invalidParams");
    assert.equal(server.received.length, 0);
  });

  test("a request over 32 kB is refused with its size", async () => {
    const server = await listen(OK);
    const { fail } = createLab(server.origin);
    assert.equal((await fail("public/test", `{"x":"${"y".repeat(33_000)}"}`)).kind, "tooLarge");
    assert.equal(server.received.length, 0);
  });

  test("whether POST is taken is learnt from a call that changes nothing", async () => {
    const server = await listen((request, socket) => {
      socket.write(
        request.startsWith("POST")
          ? http("405 Method Not Allowed", "")
          : http("200 OK", '{"jsonrpc":"2.0","result":1}'),
      );
    });
    const { call } = createLab(server.origin);
    await call("private/cancel", '{"order_id":"X-1"}', { accessToken: "T" });
    await call("private/cancel", '{"order_id":"X-2"}', { accessToken: "T" });
    assert.deepEqual(
      server.received.map((request) => essence(request).slice(0, 40)),
      [
        'POST /api/v2 HTTP/1.1 | {"jsonrpc":"2.0"',
        "GET /api/v2/private/cancel HTTP/1.1 | au",
        "GET /api/v2/private/cancel HTTP/1.1 | au",
      ].map((text) => text.slice(0, 40)),
    );
    assert.match(server.received[0]!, /public\/test/);
  });
});

describe("responses", () => {
  test("the body counts whatever the status, and whatever its id", async () => {
    const bodies = [
      '{"jsonrpc":"2.0","id":77,"error":{"code":13009,"message":"unauthorized"}}',
      '{"jsonrpc":"2.0","id":"x","result":5}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":11051,"message":"maintenance"}}',
    ];
    const server = await listen((_request, socket) => {
      socket.write(http("401 Unauthorized", bodies[server.received.length - 1]!));
    });
    const { call } = createLab(server.origin);
    const responses = [
      await call("public/test", "{}"),
      await call("public/test", "{}"),
      await call("public/test", "{}"),
    ];
    const found = responses.map((response) => [response.wireId, response.error?.code, response.result]);
    assert.deepEqual(found, [
      [11, 13009, undefined],
      [12, undefined, 5],
      [13, 11051, undefined],
    ]);
  });

  test("a body that is no JSON-RPC is an error with its first line, and a redirect one with its target", async () => {
    const responses = [
      http("502 Bad Gateway", "<html>\n<title>Bad gateway</title>"),
      http("302 Found", "", "location: https://portal.example/login\r\n"),
      http("200 OK", '{"hello":1}'),
      http("200 OK", ""),
    ];
    const server = await listen((_request, socket) => {
      socket.write(responses[server.received.length - 1]!);
    });
    const { fail } = createLab(server.origin);
    const failures: Failure[] = [];
    while (failures.length < responses.length) failures.push(await fail("public/test", "{}"));
    assert.deepEqual(failures, [
      { kind: "unreadableResult", detail: "HTTP 502: <html>" },
      { kind: "unreadableResult", detail: "HTTP 302, redirect to https:\\/\\/portal.example/login: an empty body" },
      { kind: "unreadableResult", detail: 'HTTP 200: {"hello":1}' },
      { kind: "unreadableResult", detail: "HTTP 200: an empty body" },
    ]);
    assert.equal(server.received.length, 4);
  });

  test("429 is too many requests, with the time that the server names; of a change it proves nothing", async () => {
    const responses = [
      http("429 Too Many Requests", "<html>slow down", "retry-after: 25\r\n"),
      http("429 Too Many Requests", "error code: 1015"),
      http("429 Too Many Requests", '{"jsonrpc":"2.0","error":{"code":10028,"message":"too_many_requests"}}'),
    ];
    const server = await listen((_request, socket) => {
      socket.write(responses[server.received.length - 1]!);
    });
    const { call, fail } = createLab(server.origin);
    const failure = await fail("public/get_time", "{}");
    assert.deepEqual(failure, { kind: "exchange", code: 10028, message: "HTTP 429: <html>slow down", waitSeconds: 25 });
    assert.equal(retryPauseMs(failure, 0), 25_000);
    const ofChange = await fail("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    assert.deepEqual(ofChange, { kind: "exchange", code: 10028, message: "HTTP 429: error code: 1015" });
    assert.equal(outcomeOf("private/cancel", "reduce", ofChange).kind, "unknown");
    assert.equal(
      (await call("public/get_time", "{}")).error?.code,
      10028,
      "what the exchange itself says comes as it is",
    );
  });

  test("sixty requests at once take sixteen connections at most, and each is answered; a change waits for no read", async () => {
    let held: net.Socket[] = [];
    const server = await listen((request, socket) => {
      if (request.startsWith("POST")) OK(request, socket);
      else held.push(socket);
    });
    const { call, clock } = createLab(server.origin);
    const reads = Array.from({ length: 60 }, async () => await call("public/get_time", "{}"));
    await server.requests(10);
    const change = await call("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    assert.equal(change.error, undefined);
    // As long as a connection may take; those that wait for one are not given up for that.
    await clock.advance(10_000);
    for (let served = 0; served < 60;) {
      await server.requests(Math.min(61, served + 11));
      const ready = held;
      held = [];
      served += ready.length;
      for (const socket of ready) OK("GET", socket);
    }
    await Promise.all(reads);
    assert.ok(server.sockets.length <= 16, `${server.sockets.length} connections`);
  });

  test("a change that is stopped while it is asked whether the server takes POST is not sent", async () => {
    const stopping = new AbortController();
    const server = await listen((request, socket) => {
      stopping.abort();
      OK(request, socket);
    });
    const { fail, sent } = createLab(server.origin);
    assert.deepEqual(
      await fail("private/cancel", '{"order_id":"X-1"}', { accessToken: "T", signal: stopping.signal }),
      { kind: "stopped", wasSent: false },
    );
    assert.deepEqual([sent, server.received.length], [[], 1]);
    assert.match(server.received[0] ?? "", /public\/test/);
  });

  test("connection refused: certainly not sent", async () => {
    const server = await listen(OK);
    await server.close();
    const { fail, sent } = createLab(server.origin);
    const failure = await fail("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    assert.deepEqual([failure.kind, "trouble" in failure && failure.trouble, sent], ["cannotConnect", "refused", []]);
  });

  test("the connection ends after the send: what happened is open", async () => {
    const server = await listen((_request, socket) => {
      socket.resetAndDestroy();
    });
    const { fail, sent } = createLab(server.origin);
    const failure = await fail("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    assert.deepEqual([failure.kind, sent.length, server.received.length], ["connectionLost", 1, 1]);
  });

  test("a response that breaks off is none", async () => {
    const server = await listen((_request, socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\n{"jsonrpc":"2.0","result":1');
    });
    const { fail } = createLab(server.origin);
    assert.equal((await fail("public/test", "{}")).kind, "connectionLost");
  });

  test("no response to a change in time is a timeout; the response that comes later still tells", async () => {
    const server = await listen(() => undefined);
    const { fail, peer, clock } = createLab(server.origin);
    const late: UnmaskedResponse[] = [];
    peer.onLateResponse((response) => late.push(response));
    const failing = fail("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    await server.requests(1);
    await clock.advance(15_000);
    assert.deepEqual(await failing, { kind: "timeout", timeoutMs: 15_000 });
    const heard = new Promise<UnmaskedResponse>((resolve) => {
      peer.onLateResponse(resolve);
    });
    server.sockets[0]!.write(http("200 OK", '{"jsonrpc":"2.0","result":{"order_state":"cancelled"}}'));
    assert.equal((await heard).bodyText, '{"order_state":"cancelled"}');
    assert.equal(late.length, 1);
    assert.equal(peer.pendingCount, 0);
  });

  test("closing settles what waits, and leaves no timer", async () => {
    const server = await listen(() => undefined);
    const { fail, peer, clock } = createLab(server.origin);
    const failing = fail("private/cancel", '{"order_id":"X-1"}', { httpForm: "post" });
    await server.requests(1);
    peer.close();
    assert.equal((await failing).kind, "connectionLost");
    assert.equal(clock.pendingTimers, 0);
    assert.equal((await fail("public/test", "{}")).kind, "notConnected");
  });
});
