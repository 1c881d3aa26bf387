import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import { lendToken, type LentToken } from "../../../src/session/lentToken.ts";
import { narrowScope } from "../../../src/session/tokenRequest.ts";
import type { Credentials } from "../../../src/session/session.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { CLIENT_ID, CLIENT_SECRET, createScriptedServer, type ScriptedServer } from "../../scriptedServer.ts";

const SIGNATURE: Credentials = { kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };

interface Lending {
  readonly server: ScriptedServer;
  readonly lent: LentToken | undefined;
  /** Why there is no token. */
  readonly reason: string | undefined;
  /** What was sent so far, a line for each request. */
  readonly sent: () => readonly string[];
  readonly settle: () => Promise<void>;
}

/** Asks for a token of these scopes at a server that grants that scope. */
async function lendFrom(
  granted: string,
  scope: readonly string[],
  credentials = SIGNATURE,
  signal = new AbortController().signal,
): Promise<Lending> {
  const clock = createFakeClock();
  const server = createScriptedServer(clock);
  server.scope = granted;
  server.on("private/logout", ({ connection }) => {
    connection.transport.close();
    return "silence";
  });
  let wireId = 0;
  const lending = lendToken(
    scope,
    {
      dial: server.dial,
      session: { name: "lent-1", dial: async () => await Promise.resolve(dialled(await server.dial(signal))) },
      credentials: async () => await Promise.resolve(credentials),
      clock,
      random: createFakeRandom(5),
      log: silentLog,
      nextWireId: () => ++wireId,
      isTracing: () => false,
    },
    signal,
  ).then(
    (lent) => ({ lent, reason: undefined }),
    (thrown: unknown) => {
      const failure = toFailure(thrown);
      return { lent: undefined, reason: failure.kind === "refused" ? failure.reason : failure.kind };
    },
  );
  await clock.settle();
  return {
    ...(await lending),
    server,
    sent: () =>
      server.requests.map(({ method, params }) =>
        [method, params["grant_type"], params["scope"], params["access_token"], params["invalidate_token"]]
          .flatMap((each) => (typeof each === "string" || typeof each === "boolean" ? [String(each)] : []))
          .join(" "),
      ),
    settle: async () => await clock.settle(),
  };
}

function dialled<T>(transport: T): Exclude<T, { readonly origin: string }> {
  return transport as Exclude<T, { readonly origin: string }>;
}

const SIGNED_IN = ["public/get_time", "public/auth client_signature session:lent-1 account:read trade:read"] as const;
const READS = ["account:read", "trade:read"];

describe("a token for another process", () => {
  test("is asked for with these scopes and a session of its own; the link that got it is gone, and ending it signs out", async () => {
    const { lent, sent, server, settle } = await lendFrom(
      "account:read mainaccount name:bot session:lent-1 trade:read",
      READS,
    );
    assert.equal(lent?.accessToken, "canary-access-token-1");
    assert.deepEqual(sent(), SIGNED_IN);
    assert.ok(server.last.isOver);
    const ending = lent.end();
    await settle();
    await ending;
    assert.deepEqual(sent().slice(SIGNED_IN.length), ["private/logout canary-access-token-1 true"]);
    assert.ok(server.last.isOver);
  });

  test("it holds neither the secret nor the refresh token", async () => {
    const { lent } = await lendFrom("session:lent-1 trade:read", READS);
    const held = JSON.stringify(lent);
    assert.match(held, /canary-access-token/);
    assert.doesNotMatch(held, /refresh|secret/);
  });

  const EXCESS: readonly [string, string, string][] = [
    ["a scope that was not asked for", "account:read session:lent-1 trade:read wallet:read", "wallet:read"],
    ["a higher level than was asked for", "account:read session:lent-1 trade:read_write", "trade:read_write"],
    ["an unknown word", "account:read session:lent-1 trader", "trader"],
    ["a token of the connection", "account:read connection trade:read", "connection"],
    ["another session, which others use", "account:read session:shared trade:read", "session:shared"],
    ["a scope without a session", "account:read trade:read", "no session of its own"],
    ["nothing that could be checked", "", "no session of its own"],
  ];
  for (const [title, granted, excess] of EXCESS)
    test(`${title}: refused, and its session is ended`, async () => {
      const { lent, reason, sent } = await lendFrom(granted, READS);
      assert.equal(lent, undefined);
      assert.equal(reason, `The server didn't limit the access token to the requested scopes (${excess}).`);
      assert.deepEqual(sent(), [...SIGNED_IN, "private/logout canary-access-token-1 true"]);
    });

  test("less than was asked for is fine", async () => {
    const { lent } = await lendFrom("session:lent-1 trade:read wallet:none", ["trade:read_write", "wallet:read"]);
    assert.notEqual(lent, undefined);
  });

  test("a connection without a key lends nothing, and sends nothing", async () => {
    const { lent, sent } = await lendFrom("", READS, { kind: "token", accessToken: "canary-own-token" });
    assert.equal(lent, undefined);
    assert.deepEqual(sent(), []);
  });

  test("wrong credentials are the exchange's error", async () => {
    const { reason, sent } = await lendFrom("", READS, { ...SIGNATURE, clientSecret: "another" });
    assert.equal(reason, "exchange");
    assert.deepEqual(sent(), SIGNED_IN);
  });
});

describe("the scopes of a token", () => {
  const KEY = "account:read_write block_trade:read connection mainaccount name:trade:read trade:read_write wallet:none";
  const CASES: readonly [string, string, readonly string[], string, string][] = [
    ["by default, whatever can be read", KEY, [], "account:read trade:read block_trade:read", ""],
    ["more where it is asked for", KEY, ["trade:read_write"], "trade:read_write", ""],
    ["less where it is asked for, once", KEY, ["trade:read", "trade:read"], "trade:read", ""],
    [
      "not more than the connection has",
      KEY,
      ["block_trade:read_write", "wallet:read"],
      "",
      "block_trade:read_write wallet:read",
    ],
    [
      "not what isn't a scope",
      KEY,
      ["session:other", "trade:all", "mainaccount"],
      "",
      "session:other trade:all mainaccount",
    ],
    ["nothing where the server names no areas", "connection trader", [], "", ""],
  ];
  for (const [title, granted, wanted, scope, excess] of CASES)
    test(title, () => {
      const found = narrowScope(granted, wanted);
      assert.deepEqual([found.scope.join(" "), found.excess.join(" ")], [scope, excess]);
    });
});
