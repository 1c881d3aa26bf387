import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { httpServerOf } from "../../src/rpc/address.ts";
import { streamsAddressOf } from "../../src/rpc/gateway.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSessionAt } from "../../src/session/gatewaySession.ts";
import type { Session } from "../../src/session/session.ts";
import { silentLog } from "../../src/base/log.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { sessionPorts } from "../sessionPorts.ts";

/* The played gateway on loopback: its two ports, and single requests over HTTP. */

const clock = createSystemClock();
let server: SimulatorServer;
let session: Session | undefined;

async function start(): Promise<Exchange> {
  const exchange = createExchange({ clock, random: createFakeRandom(7), still: true, gateway: {} });
  server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
  return exchange;
}

async function connect(way: "webSocket" | "http"): Promise<Session> {
  const { webSocket, key } = server.addresses;
  const streams = way === "http" ? undefined : streamsAddressOf(webSocket);
  const made = createSessionAt(
    {
      isGateway: true,
      dialStreams:
        streams === undefined ? undefined : async (signal) => await dialWebSocket(streams, { clock }, signal),
    },
    {
      ...sessionPorts(clock)(),
      dial: async (signal) =>
        way === "http" ? httpServerOf(webSocket) : await dialWebSocket(webSocket, { clock }, signal),
      credentials: async () =>
        await Promise.resolve({
          kind: "cdp_key",
          clientId: key?.name ?? "",
          privateKey: key?.privateKey ?? "",
        }),
    },
  );
  session = made;
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      const states = [made.state, ...(made.streams === undefined ? [] : [made.streams.state])];
      if (states.every(({ status }) => status === "ready")) resolve();
      else if (made.state.status === "locked" || made.state.status === "waiting")
        reject(new Error(JSON.stringify(made.state.failure)));
    };
    made.onDidChangeState(look);
    made.streams?.onDidChangeState(look);
    made.connect();
  });
  return made;
}

describe("the played gateway on loopback", () => {
  afterEach(async () => {
    session?.dispose();
    session = undefined;
    await server.close();
  });

  test("has its two sockets at ports in a row, and each takes what is its own", async () => {
    const exchange = await start();
    assert.equal(server.addresses.streams, streamsAddressOf(server.addresses.webSocket));
    const { caller } = await connect("webSocket");
    assert.equal((await caller.call("private/get_open_orders", "{}")).error, undefined);
    const { result } = await caller.call("public/subscribe", '{"channels":["quote.BTC-PERPETUAL","quote.X.raw"]}');
    assert.deepEqual(result, ["quote.BTC-PERPETUAL"]);
    assert.deepEqual(
      exchange.control.connections().map(({ channels }) => channels),
      [[], ["quote.BTC-PERPETUAL"]],
    );
    const plainPort = await fetch(server.addresses.streams?.replace("ws:", "http:") ?? "");
    assert.equal(plainPort.status, 404);
  });

  test("takes single requests over HTTP with a token in the header, and says over which way it offers what", async () => {
    const exchange = await start();
    const { caller, state } = await connect("http");
    assert.equal(state.status === "ready" && state.identity.isGateway, true);
    assert.equal((await caller.call("private/get_open_orders", "{}")).error, undefined);
    assert.equal((await caller.call("private/get_access_log", "{}")).error?.message, "method not in allowlist");
    const texts = exchange.control.ledger().map(({ text }) => text);
    assert.ok(texts.length > 3);
    assert.deepEqual(
      texts.filter((text) => text.includes("access_token")),
      [],
    );
  });
});
