import assert from "node:assert/strict";
import * as net from "node:net";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { silentLog } from "../../src/base/log.ts";
import { isResult } from "../../src/catalogue/index.ts";
import { runRequest, type RunResult } from "../../src/requests/running/run.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { addBlockTrades } from "../blockTradeSpecs.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { connectionTo, createQuickClock, ready } from "./liveOverSockets.ts";

/*
 * Every method of the contract on every way, from a request file through the gate to the simulator; what went out is
 * read at a plain socket between the two.
 */

const WAYS = ["websocket", "http-get-query", "http-get-body", "http-post"] as const;
type Way = (typeof WAYS)[number];

/** Stands between client and server and keeps what the client sent. */
interface Tap {
  readonly port: number;
  /** What was sent since the last look. */
  take(): string;
  close(): void;
}

async function openTap(serverPort: number): Promise<Tap> {
  let sent: Buffer[] = [];
  const sockets = new Set<net.Socket>();
  const tap = net.createServer((client) => {
    const server = net.connect(serverPort, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (piece: Buffer) => {
      sent.push(piece);
      server.write(piece);
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => {
    tap.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (tap.address() as net.AddressInfo).port,
    take() {
      const bytes = Buffer.concat(sent);
      sent = [];
      const text = bytes.toString("latin1");
      return /(?:GET|POST) \S+ HTTP\/1\.1\r\n/.test(text) ? text : unmasked(bytes);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      tap.close();
    },
  };
}

/** The texts of a client's frames, one a line. RFC 6455 §5.2. */
function unmasked(bytes: Buffer): string {
  const texts: string[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes[at + 1]! & 0x7f;
    const [length, head] = short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [short, 2];
    const mask = bytes.subarray(at + head, at + head + 4);
    const payload = Buffer.from(bytes.subarray(at + head + 4, at + head + 4 + length));
    for (let index = 0; index < payload.length; index++) payload[index]! ^= mask[index % 4]!;
    texts.push(payload.toString("latin1"));
    at += head + 4 + length;
  }
  return texts.join("\n");
}

async function send(live: LiveConnection, method: string, params: object, way?: Way): Promise<RunResult> {
  const file = scanRequests(
    JSON.stringify({ method, params, ...(way === undefined ? {} : { $run: { transport: way } }) }),
  );
  return await runRequest(file, file.requests[0]!, {
    gate: live.gate,
    environment: live.environment,
    fileName: "every.rpc.json",
  });
}

/** What became of it, in a word, with the sentence where it was not sent. */
function told({ outcome }: RunResult): string {
  if (outcome.kind !== "notSent") return outcome.kind;
  const { failure } = outcome;
  return `notSent: ${failure.kind === "invalidParams" ? (failure.problems[0]?.message ?? "") : JSON.stringify(failure)}`;
}

/** First line without its version, and the body's method: what tells one way from another. */
function seen(sent: string, method: string): string {
  const { length } = sent.split(method);
  assert.ok(length >= 2, `${method} was not sent`);
  const line = /^(GET|POST) (\S+) HTTP\/1\.1\r\n/.exec(sent);
  if (line === null) return "frame";
  const head = sent.slice(0, sent.indexOf("\r\n\r\n"));
  const token = /\r\nauthorization: Bearer /i.test(head) ? " token" : "";
  return `${line[1]!} ${line[2]!.split("?")[0]!}${line[2]!.includes("?") ? "?…" : ""}${sent.includes('"jsonrpc"') ? " body" : ""}${token}`;
}

let exchange: Exchange;
let server: SimulatorServer;
let tap: Tap;
let live: LiveConnection;
const clock = createQuickClock();

beforeAll(async () => {
  exchange = createExchange({ clock, random: createFakeRandom(7), still: true, limits: false });
  addBlockTrades(exchange.control, 3);
  server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
  tap = await openTap(Number(new URL(server.addresses.http).port));
  live = connectionTo(exchange, `ws://127.0.0.1:${tap.port}/ws/api/v2`, undefined, clock);
  await ready(live);
});
afterAll(async () => {
  live.dispose();
  tap.close();
  await server.close();
});

/** Parameters that the first world responses, made anew for each use where a call uses something up. */
const CALLS: readonly (readonly [string, () => object])[] = [
  ["public/get_last_trades_by_instrument", () => ({ instrument_name: "BTC-PERPETUAL", count: 3 })],
  ["private/get_open_orders", () => ({ kind: "future", type: "limit" })],
  ["private/get_block_trades", () => ({ count: 3 })],
  ["private/get_block_trade", () => ({ id: exchange.control.blockTrades()[0]!["id"] })],
  ["private/get_mmp_config", () => ({ index_name: "btc_usd" })],
  ["private/cancel", () => ({ order_id: exchange.control.openOrders()[0]!.order_id })],
  ["private/cancel_all_block_rfq_quotes", () => ({ block_rfq_id: 1 })],
  [
    "private/edit_api_key",
    () => ({ id: exchange.control.apiKeys()[2]!["id"], max_scope: "account:read trade:read", name: "renamed" }),
  ],
  ["private/change_scope_in_api_key", () => ({ id: exchange.control.apiKeys()[2]!["id"], max_scope: "account:read" })],
];

describe("every method on every way, from a request file", () => {
  for (const [method, params] of CALLS) {
    for (const way of WAYS) {
      test(`${method} by ${way}`, async () => {
        tap.take();
        const result = await send(live, method, params(), way);
        const sent = tap.take();
        assert.match(told(result), /^confirmed(?:Other)?$/, JSON.stringify(result.outcome));
        assert.ok(
          "response" in result.outcome &&
            result.outcome.response !== undefined &&
            isResult(method, result.outcome.response.result),
        );
        const token = method.startsWith("public/") ? "" : " token";
        const path = `/api/v2/${method}`;
        const expected: Record<Way, string> = {
          websocket: "frame",
          "http-get-query": `GET ${path}?…${token}`,
          "http-get-body": `GET ${path} body${token}`,
          "http-post": `POST /api/v2 body${token}`,
        };
        assert.equal(
          seen(sent.slice(Math.max(0, sent.lastIndexOf("GET /"), sent.lastIndexOf("POST /"))), method),
          expected[way],
        );
        assert.doesNotMatch(sent, new RegExp(exchange.clientSecret));
      });
    }
  }

  test("lists cannot stand in a query: the sentence, and nothing is sent", async () => {
    tap.take();
    const result = await send(
      live,
      "private/edit_api_key",
      { id: 3, max_scope: "account:read", ip_whitelist: ["1.2.3.4"] },
      "http-get-query",
    );
    assert.equal(
      told(result),
      "notSent: ip_whitelist can't be sent in a query, which supports only strings, numbers, true, and false. Send it with POST or in the body.",
    );
    assert.doesNotMatch(tap.take(), /edit_api_key/);
  });

  test("one sign-in over HTTP serves every request, and its token is in no response", () => {
    const ledger = exchange.control.ledger().filter(({ method }) => method === "public/auth");
    assert.equal(ledger.length, 2, "one on the WebSocket, one over HTTP");
    assert.equal(live.httpState?.status, "ready");
  });
});

describe("a connection over HTTP alone", () => {
  test("reads its views, polls them, sends, and says what it cannot do", async () => {
    const alone = connectionTo(exchange, `http://127.0.0.1:${tap.port}/api/v2`, undefined, clock);
    try {
      await ready(alone);
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (alone.orders.snapshot.status === "live") resolve();
        };
        alone.orders.onDidChange(look);
        look();
      });
      assert.deepEqual(
        [...alone.orders.snapshot.items.keys()].sort(),
        exchange.control
          .openOrders()
          .map(({ order_id }) => order_id)
          .sort(),
      );
      assert.equal(alone.orders.snapshot.failure?.kind, "refused");
      tap.take();
      assert.equal(told(await send(alone, "private/get_mmp_config", {})), "confirmed");
      assert.match(tap.take(), /^POST \/api\/v2 /);
      assert.equal(
        told(await send(alone, "public/get_time", {}, "websocket")),
        'notSent: {"kind":"refused","reason":"This connection uses HTTP only, so the request can\'t be sent over a WebSocket."}',
      );
      const [order] = exchange.control.openOrders();
      assert.equal(told(await send(alone, "private/cancel", { order_id: order!.order_id })), "confirmed");
    } finally {
      alone.dispose();
    }
  });

  test("a change whose response is lost is unknown, then verified by reading", async () => {
    const alone = connectionTo(exchange, `http://127.0.0.1:${tap.port}/api/v2`, undefined, clock);
    try {
      await ready(alone);
      const order = exchange.control.openOrders()[0]!;
      exchange.control.setFault({
        method: "private/cancel",
        times: 1,
        effect: "applied",
        response: "none",
        link: "reset",
      });
      const { outcome, activityId } = await send(alone, "private/cancel", { order_id: order.order_id });
      assert.equal(outcome.kind, "unknown");
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (
            alone.gate.activity.find(({ id }) => id === activityId)?.verdicts.some(({ kind }) => kind === "applied") ===
            true
          )
            resolve();
        };
        alone.gate.onDidChangeActivity(look);
        look();
      });
      assert.equal(
        exchange.control
          .ledger()
          .filter(({ text }) => text.includes('private/cancel"') && text.includes(order.order_id)).length,
        1,
      );
    } finally {
      alone.dispose();
    }
  });
});
