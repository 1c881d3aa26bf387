import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createRoutes } from "../../src/actions/gate/route.ts";
import type { Intent } from "../../src/actions/intent/intent.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { toFailure } from "../../src/base/failure.ts";
import { silentLog } from "../../src/base/log.ts";
import { httpServerOf } from "../../src/rpc/address.ts";
import type { HttpForm } from "../../src/rpc/httpRequest.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import { SESSION_REFRESH_TOKEN } from "../../src/catalogue/values.ts";
import type { Session } from "../../src/session/session.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { sessionPorts } from "../sessionPorts.ts";

/* Switch Subaccount over real sockets: a WebSocket, HTTP alone, and HTTP beside a WebSocket. */

const MAIN = 48_595;
const SUB = 48_602;
const METHOD = "public/exchange_token";
const PARAMS = JSON.stringify({ refresh_token: SESSION_REFRESH_TOKEN, subject_id: SUB });

let exchange: Exchange;
let server: SimulatorServer;
const clock = createSystemClock();
const portsOf = sessionPorts(clock);

beforeAll(async () => {
  exchange = createExchange({ clock: createSystemClock(), random: createFakeRandom(7), still: true, limits: false });
  server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
});
afterAll(async () => {
  await server.close();
});

function makeSession(way: "webSocket" | "http"): Session {
  const { http } = server.addresses;
  const url = `ws://127.0.0.1:${new URL(http).port}/ws/api/v2`;
  return createSession({
    ...portsOf(),
    dial: async (signal) => (way === "http" ? httpServerOf(url) : await dialWebSocket(url, { clock }, signal)),
    credentials: async () =>
      await Promise.resolve({
        kind: "client_signature",
        clientId: exchange.clientId,
        clientSecret: exchange.clientSecret,
      }),
  });
}

async function ready(session: Session): Promise<void> {
  session.connect();
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (session.state.status === "ready") resolve();
      if (session.state.status === "locked") reject(new Error(JSON.stringify(session.state)));
    };
    session.onDidChangeState(look);
    look();
  });
}

/** Whose open orders a session is told. */
async function owners(session: Session): Promise<unknown[]> {
  return userIds((await session.caller.call("private/get_open_orders", "{}")).result);
}

function userIds(result: unknown): unknown[] {
  return [...new Set((result as { user_id: number }[]).map(({ user_id: id }) => id))];
}

function whoIs({ state }: Session): string {
  return state.status === "ready"
    ? `${String(state.identity.userId)} ${String(state.identity.subject?.id)} ${String(state.identity.subject?.name)}`
    : state.status;
}

/** What the server got carries no placeholder, and each refresh token was exchanged once. */
function assertFrames(): void {
  const texts = exchange.control.ledger().map(({ text }) => text);
  for (const text of texts) assert.doesNotMatch(text, /session\.refreshToken/);
  const used = texts
    .filter((text) => text.includes(METHOD))
    .map((text) => /refresh_token(?:"\s*:\s*"|=)([^"&]+)/.exec(text)?.[1]);
  assert.equal(new Set(used).size, used.length);
}

describe("switching to a subaccount over real sockets", () => {
  test("a WebSocket goes on as that account, and back", async () => {
    const session = makeSession("webSocket");
    await ready(session);
    assert.deepEqual(await owners(session), [MAIN]);
    await session.caller.call(METHOD, PARAMS);
    assert.deepEqual(
      [whoIs(session), await owners(session)],
      [`${String(SUB)} ${String(SUB)} simulator_options`, [SUB]],
    );
    session.backToMain();
    await ready(session);
    assert.deepEqual([whoIs(session), await owners(session)], [`${String(MAIN)} undefined undefined`, [MAIN]]);
    assertFrames();
    session.dispose();
  });

  for (const form of ["post", "body", "query"] as const satisfies readonly HttpForm[]) {
    test(`HTTP alone, sent as ${form}`, async () => {
      const session = makeSession("http");
      await ready(session);
      assert.deepEqual(await owners(session), [MAIN]);
      const { result, error } = await session.caller.call(METHOD, PARAMS, { httpForm: form });
      assert.equal(error, undefined);
      assert.doesNotMatch(JSON.stringify(result), /\d{13}\.1/);
      assert.deepEqual(
        [whoIs(session), await owners(session)],
        [`${String(SUB)} ${String(SUB)} simulator_options`, [SUB]],
      );
      session.backToMain();
      await ready(session);
      assert.deepEqual(await owners(session), [MAIN]);
      assertFrames();
      session.dispose();
    });
  }

  test("HTTP alone: an exchange whose response is lost signs in anew, as the key's own account", async () => {
    const session = makeSession("http");
    await ready(session);
    exchange.control.setFault({ method: METHOD, response: "none", link: "reset" });
    const failure = await session.caller.call(METHOD, PARAMS).catch((thrown: unknown) => toFailure(thrown));
    assert.equal("kind" in failure ? failure.kind : "", "connectionLost");
    await ready(session);
    assert.deepEqual([whoIs(session), await owners(session)], [`${String(MAIN)} undefined undefined`, [MAIN]]);
    assertFrames();
    session.dispose();
  });

  test("a request by HTTP beside a WebSocket is always of the same account", async () => {
    const session = makeSession("webSocket");
    const routes = createRoutes({ session, isHttpOnly: false, createHttpSession: () => makeSession("http") });
    const ask = async (): Promise<unknown[]> => {
      const intent: Intent = {
        method: "private/get_open_orders",
        paramsText: "{}",
        words: { action: "", target: "", detail: [], keep: "" },
        origin: "requestFile",
        transport: "post",
      };
      return userIds((await routes.call(intent, {})).result);
    };
    await ready(session);
    assert.deepEqual(await ask(), [MAIN]);
    await session.caller.call(METHOD, PARAMS);
    assert.equal(routes.httpState, undefined, "what spoke for the main account is gone");
    assert.deepEqual([await ask(), await owners(session)], [[SUB], [SUB]]);
    session.backToMain();
    await ready(session);
    assert.deepEqual([await ask(), await owners(session)], [[MAIN], [MAIN]]);
    assertFrames();
    routes.dispose();
    session.dispose();
  });
});
