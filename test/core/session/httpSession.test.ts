import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { HttpExchange, Transport } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import type { Session } from "../../../src/session/session.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";

/*
 * Sessions at an exchange that allows sixteen for a key, as documented: each sign-in over HTTP makes one, a name takes
 * the place of the one before under it, the seventeenth ends the oldest, and only a WebSocket can end one.
 */

const MAX_SESSIONS = 16;
const NAME = "trading-rpc-w1";

interface Server {
  /** Names of sessions with their token, oldest first. */
  readonly sessions: Map<string, string>;
  /** Methods in their order; what `refuse` names gets a 429 that the exchange did not write. */
  readonly methods: string[];
  refuse: string;
  readonly http: HttpExchange;
  readonly dial: () => Promise<Transport>;
  signIn(scope?: string): string;
  /** What was asked over WebSockets. */
  readonly said: string[];
}

function createServer(isReachable = true): Server {
  const sessions = new Map<string, string>();
  const said: string[] = [];
  const methods: string[] = [];
  let count = 0;
  const signIn = (scope = ""): string => {
    const name = /session:(\S+)/.exec(scope)?.[1] ?? `rest-${++count}`;
    sessions.delete(name);
    sessions.set(name, `token-${++count}-of-a-session`);
    for (const oldest of [...sessions.keys()].slice(0, Math.max(0, sessions.size - MAX_SESSIONS)))
      sessions.delete(oldest);
    return name;
  };
  const resultOf = (method: string, params: { readonly scope?: string }): unknown => {
    if (method !== "public/auth") return method === "public/get_time" ? 0 : { version: "1" };
    const name = signIn(params.scope);
    const token = sessions.get(name) ?? "";
    return {
      access_token: token,
      refresh_token: `refresh-${token}`,
      expires_in: 900,
      scope: `mainaccount session:${name} trade:read`,
      token_type: "bearer",
    };
  };
  const http: HttpExchange = {
    async send({ body = "" }, { onSend }) {
      await Promise.resolve();
      onSend();
      const { id, method, params } = JSON.parse(body) as {
        readonly id: number;
        readonly method: string;
        readonly params: { readonly scope?: string };
      };
      methods.push(method);
      if (method === server.refuse) return { status: 429, location: undefined, retryAfter: 40, text: "slow down" };
      return {
        status: 200,
        location: undefined,
        text: JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: resultOf(method, params),
          testnet: true,
          usIn: 1,
          usOut: 2,
          usDiff: 1,
        }),
      };
    },
    dispose: () => undefined,
  };
  const dial = async (): Promise<Transport> => {
    await Promise.resolve();
    if (!isReachable) throw new CallError({ kind: "cannotConnect", trouble: "notWebSocket", detail: "HTTP 404" });
    let close: () => void = () => undefined;
    return {
      description: "ws",
      send(text) {
        said.push(text);
        const { method, params } = JSON.parse(text) as {
          readonly method: string;
          readonly params: { readonly access_token?: string };
        };
        const [name] = [...sessions].find(([, token]) => token === params.access_token) ?? [];
        if (method === "private/logout" && name !== undefined) sessions.delete(name);
        close();
      },
      onText: () => ({ dispose: () => undefined }),
      onClose(listener) {
        close = () => listener({ trouble: "closedByServer", detail: "1000" });
        return { dispose: () => undefined };
      },
      close: () => undefined,
      terminate: () => undefined,
      dispose: () => undefined,
    };
  };
  const server: Server = { sessions, methods, refuse: "", http, dial, signIn, said };
  return server;
}

let numbers = 0;
function open(clock: FakeClock, server: Server, kind: "client_signature" | "token" = "client_signature"): Session {
  return createSession({
    dial: async () =>
      await Promise.resolve({ origin: "https://x.example", basePath: "/api/v2", openExchange: () => server.http }),
    credentials: async () =>
      await Promise.resolve(
        kind === "token"
          ? { kind, accessToken: server.sessions.get("bot") ?? "" }
          : { kind, clientId: "id", clientSecret: "a-secret-of-a-key" },
      ),
    httpSession: { name: NAME, dial: server.dial },
    client: { name: "test", version: "0" },
    clock,
    random: createFakeRandom(1),
    log: silentLog,
    nextWireId: () => ++numbers,
    nextGeneration: () => ++numbers,
    limits: "off",
    isTracing: () => false,
  });
}

async function connect(clock: FakeClock, session: Session): Promise<void> {
  session.connect();
  await clock.settle();
  assert.equal(session.state.status, "ready");
}

describe("a session over HTTP at the exchange", () => {
  test("is one, however often it is connected, and ends with the connection: no other program is logged out", async () => {
    const clock = createFakeClock();
    const server = createServer();
    server.signIn("session:bot");
    const session = open(clock, server);
    for (let times = 0; times < 2 * MAX_SESSIONS; times++) {
      await connect(clock, session);
      assert.deepEqual([...server.sessions.keys()], ["bot", NAME]);
      session.disconnect();
      await clock.settle();
      assert.deepEqual([...server.sessions.keys()], ["bot"]);
    }
    assert.equal(server.said.length, 2 * MAX_SESSIONS);
  });

  test("is one also where it cannot be ended, for every connection of the window's", async () => {
    const clock = createFakeClock();
    const server = createServer(false);
    server.signIn("session:bot");
    for (let times = 0; times < 2 * MAX_SESSIONS; times++) {
      const session = open(clock, server);
      await connect(clock, session);
      session.dispose();
      await clock.settle();
    }
    assert.deepEqual([...server.sessions.keys()], ["bot", NAME]);
  });

  test("is ended when the connection is disposed of without a word", async () => {
    const clock = createFakeClock();
    const server = createServer();
    const session = open(clock, server);
    await connect(clock, session);
    session.dispose();
    await clock.settle();
    assert.deepEqual([...server.sessions.keys()], []);
  });

  test("is left alone where its token was given to us: others use it", async () => {
    const clock = createFakeClock();
    const server = createServer();
    server.signIn("session:bot");
    const session = open(clock, server, "token");
    await connect(clock, session);
    session.disconnect();
    await clock.settle();
    assert.deepEqual([[...server.sessions.keys()], server.said], [["bot"], []]);
  });
});

describe("too many requests over HTTP", () => {
  test("pause what is read, for as long as the server names; a change goes out all the same", async () => {
    const clock = createFakeClock();
    const server = createServer();
    const session = open(clock, server);
    await connect(clock, session);
    server.refuse = "public/get_instruments";
    const refused = session.caller.call("public/get_instruments", "{}").then(
      () => "answered",
      (error: unknown) => (error instanceof CallError ? error.failure.kind : "?"),
    );
    await clock.settle();
    assert.equal(await refused, "exchange");
    assert.deepEqual(session.state.status === "ready" && session.state.pause, {
      reason: "rateLimit",
      untilMs: clock.now() + 40_000,
    });
    server.refuse = "";
    const read = session.caller.call("public/get_instruments", "{}");
    const change = session.caller.call("private/cancel", '{"order_id":"X-1"}');
    await clock.settle();
    const count = (name: string): number => server.methods.filter((each) => each === name).length;
    assert.deepEqual([count("public/get_instruments"), count("private/cancel")], [1, 1]);
    await change;
    await clock.advance(40_000);
    await read;
    assert.deepEqual(
      [count("public/get_instruments"), session.state.status === "ready" && session.state.pause],
      [2, undefined],
    );
  });
});
