import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Failure } from "../../../src/base/failure.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import type { SessionState } from "../../../src/session/session.ts";
import type { Responder, Reply, ReceivedRequest } from "../../scriptedServer.ts";
import { createWorld, hear, watch, type Watched, type World } from "./world.ts";

/* Switch Subaccount: public/exchange_token through a session, and the way back. */

const METHOD = "public/exchange_token";
const PARAMS = `{"refresh_token":"${SESSION_REFRESH_TOKEN}","subject_id":7002}`;
const CHANNEL = "user.orders.any.any.raw";
const MAIN = 7001;
const SUB = 7002;

interface Desk extends World {
  /** What the exchange of a token is answered with; a fitting grant at first. */
  responseWith(handler: Responder): void;
  /** The grant as the exchange would answer it. */
  readonly grant: (request: ReceivedRequest, more?: object) => Reply;
  switchTo(paramsText?: string): Watched<unknown>;
  frames(method: string): ReceivedRequest[];
}

async function openDesk(): Promise<Desk> {
  const world = createWorld();
  const { server, session } = world;
  let account = { id: MAIN, username: "main" };
  let handler: Responder | undefined;
  let number = 0;
  const grant = ({ connection }: ReceivedRequest, more: object = {}): Reply => {
    number++;
    connection.tokens.clear();
    connection.tokens.add(`canary-access-token-sub-${String(number)}`);
    account = { id: SUB, username: "desk_options" };
    return {
      result: {
        access_token: `canary-access-token-sub-${String(number)}`,
        refresh_token: `canary-refresh-token-sub-${String(number)}`,
        expires_in: 31_536_000,
        scope: "account:read connection trade:read",
        token_type: "bearer",
        ...more,
      },
    };
  };
  server.on(METHOD, (request) => (handler ?? grant)(request));
  server.on("public/unsubscribe_all", () => ({ result: "ok" }));
  server.on("private/get_account_summaries", ({ connection, params }) => {
    if (!connection.tokens.has(String(params["access_token"])))
      return { error: { code: 13009, message: "unauthorized" } };
    const isOwn = !String(params["access_token"]).includes("-sub-");
    return { result: { ...(isOwn ? { id: MAIN, username: "main" } : account), summaries: [] } };
  });
  await world.ready();
  return {
    ...world,
    responseWith: (next) => {
      handler = next;
    },
    grant,
    switchTo: (paramsText = PARAMS) => watch(session.caller.call(METHOD, paramsText)),
    frames: (method) => server.requests.filter((request) => request.method === method),
  };
}

function identityOf({ session }: World): Extract<SessionState, { status: "ready" }>["identity"] {
  assert.equal(session.state.status, "ready", JSON.stringify(session.state));
  return session.state.identity;
}

/**
 * Nothing goes out that is worth nothing: no placeholder ever, and after its exchange no token of the account before.
 */
function assertClean({ server }: World): void {
  for (const { text, method, connection, params } of server.requests) {
    assert.doesNotMatch(text, /\$session/, text);
    if (!method.startsWith("private/")) continue;
    const exchanges = server.requests.filter((each) => each.method === METHOD && each.connection === connection);
    const isAfter = exchanges.some(
      (each) => server.requests.indexOf(each) < server.requests.findIndex((other) => other.text === text),
    );
    if (isAfter) assert.match(String(params["access_token"]), /-sub-/, text);
  }
}

describe("switching to a sub-account", () => {
  test("the session goes on as that account: another generation, its tokens, its channels, its name", async () => {
    const desk = await openDesk();
    const channel = hear(desk.session, CHANNEL);
    await desk.clock.settle();
    desk.states.length = 0;
    desk.server.requests.length = 0;
    const epochs: number[] = [desk.session.epoch];
    desk.session.onDidChangeState(() => epochs.push(desk.session.epoch));
    const call = desk.switchTo();
    assert.equal(call.isSettled, false);
    await desk.clock.settle();
    assert.deepEqual(epochs, [0, 1, 1]);

    assert.deepEqual(desk.server.methods(), [
      METHOD,
      "public/unsubscribe_all",
      "private/get_account_summaries",
      "private/subscribe",
    ]);
    assert.deepEqual(
      desk.states.map(({ status, ...rest }) => ({
        status,
        generation: "generation" in rest ? rest.generation : undefined,
        isOther: "isOtherSubject" in rest,
      })),
      [
        { status: "authenticating", generation: 2, isOther: true },
        { status: "ready", generation: 2, isOther: false },
      ],
    );
    const { subject, userId, scope, clientId, authentication } = identityOf(desk);
    assert.deepEqual(
      { subject, userId, scope, clientId, authentication },
      {
        subject: { id: SUB, name: "desk_options" },
        userId: SUB,
        scope: "account:read connection trade:read",
        clientId: "canary-client-id",
        authentication: "key",
      },
    );
    assert.equal(desk.session.caller.generation, 2);
    assert.equal(desk.frames(METHOD)[0]?.params["refresh_token"], "canary-refresh-token-1");
    assert.equal(desk.frames("private/subscribe")[0]?.params["access_token"], "canary-access-token-sub-1");
    assert.deepEqual(channel.states, [
      { kind: "accepted", generation: 1 },
      { kind: "lost" },
      { kind: "accepted", generation: 2 },
    ]);
    assert.doesNotMatch(JSON.stringify([call.value, desk.states]), /canary-(?:access|refresh)/);
    assert.match(JSON.stringify(call.value), /‹hidden›/);
    for (const line of desk.lines) assert.doesNotMatch(line, /canary-(?:access|refresh)/);

    await desk.session.caller.call("private/get_open_orders", "{}");
    assert.equal(desk.frames("private/get_open_orders")[0]?.params["access_token"], "canary-access-token-sub-1");
    assertClean(desk);
  });

  test("the call resolves when the session is ready again, not before", async () => {
    const desk = await openDesk();
    desk.server.on("public/unsubscribe_all", () => "silence");
    const call = desk.switchTo();
    await desk.clock.settle();
    assert.deepEqual(
      [call.isSettled, desk.session.state.status, desk.session.caller.generation],
      [false, "authenticating", undefined],
    );
    assert.equal(watch(desk.session.caller.call("private/get_open_orders", "{}")).isSettled, false);
    desk.server.last.respond(desk.server.requests.at(-1)!, { result: "ok" });
    await desk.clock.settle();
    assert.deepEqual([call.isSettled, call.failure, desk.session.state.status], [true, undefined, "ready"]);
    assert.equal(desk.frames("private/get_open_orders").length, 0, "a request without a sign-in is refused");
    assertClean(desk);
  });

  test("only the token's text changes; every other literal stays as it was", async () => {
    const texts = [
      [
        `{ "scope":"trade:read",\n "refresh_token" : "${SESSION_REFRESH_TOKEN}" ,"subject_id": 7002.0 , "x":1e400}`,
        '{ "scope":"trade:read",\n "refresh_token" : "canary-refresh-token-1" ,"subject_id": 7002.0 , "x":1e400}',
      ],
      [
        '{"refresh\\u005ftoken":"{{\\u0024session.refreshToken}}","subject_id":7002}',
        '{"refresh\\u005ftoken":"canary-refresh-token-1","subject_id":7002}',
      ],
      [
        '{"refresh_token":"one-from-elsewhere","subject_id":7002}',
        '{"refresh_token":"one-from-elsewhere","subject_id":7002}',
      ],
    ] as const;
    for (const [text, sent] of texts) {
      const desk = await openDesk();
      const call = desk.switchTo(text);
      await desk.clock.settle();
      assert.equal(call.failure, undefined);
      assert.ok(desk.frames(METHOD)[0]?.text.endsWith(`"params":${sent}}`) === true, desk.frames(METHOD)[0]?.text);
      for (const line of desk.lines) assert.doesNotMatch(line, /one-from-elsewhere/);
    }
  });

  test("in no other place has the placeholder a meaning", async () => {
    const desk = await openDesk();
    await desk.session.caller.call("public/test", `{"refresh_token":"${SESSION_REFRESH_TOKEN}"}`);
    desk.switchTo(`{"refresh_token":"other","nested":{"refresh_token":"${SESSION_REFRESH_TOKEN}"},"subject_id":7002}`);
    await desk.clock.settle();
    assert.doesNotMatch(
      desk.server.requests
        .slice(-5)
        .map(({ text }) => text)
        .join(""),
      /canary-refresh/,
    );
  });

  test("without a key, and without the number of an account, nothing is sent", async () => {
    for (const credentials of [
      { kind: "none" },
      { kind: "token", accessToken: "canary-access-token-other" },
    ] as const) {
      const world = createWorld({ credentials });
      world.server.on("private/get_account_summaries", () => ({ result: { id: MAIN, summaries: [] } }));
      await world.ready();
      const call = watch(world.session.caller.call(METHOD, PARAMS));
      await world.clock.settle();
      assert.equal(call.failure?.kind, "refused");
      assert.ok(!world.server.methods().includes(METHOD));
    }
    const desk = await openDesk();
    for (const subject of ['"seven"', "1e400", "70.5", "null"]) {
      const call = desk.switchTo(`{"refresh_token":"${SESSION_REFRESH_TOKEN}","subject_id":${subject}}`);
      await desk.clock.settle();
      assert.equal(call.failure?.kind, "invalidParams", subject);
    }
    assert.equal(desk.frames(METHOD).length, 0);
    assert.equal(identityOf(desk).subject, undefined);
  });

  test("a consent to another generation sends nothing", async () => {
    const desk = await openDesk();
    const call = watch(desk.session.caller.call(METHOD, PARAMS, { generation: 7 }));
    await desk.clock.settle();
    assert.deepEqual([call.failure?.kind, desk.frames(METHOD).length], ["situationChanged", 0]);
  });

  test("what the caller throws as it is sent keeps it from being sent, and nothing changes", async () => {
    const desk = await openDesk();
    const call = watch(
      desk.session.caller.call(METHOD, PARAMS, {
        onSend: () => {
          throw new RangeError("no");
        },
      }),
    );
    await desk.clock.settle();
    assert.deepEqual([call.failure?.kind, desk.frames(METHOD).length, desk.session.state.status], ["bug", 0, "ready"]);
    await desk.session.caller.call("private/get_open_orders", "{}");
  });

  test("a scope without account:read: who it is cannot be asked, and the response's success is what is known", async () => {
    const desk = await openDesk();
    desk.responseWith((request) => desk.grant(request, { scope: "connection trade:read" }));
    desk.switchTo();
    await desk.clock.settle();
    const { subject, userId, scope } = identityOf(desk);
    assert.deepEqual(
      { subject, userId, scope },
      { subject: { id: SUB, name: undefined }, userId: undefined, scope: "connection trade:read" },
    );
    assert.equal(desk.frames("private/get_account_summaries").length, 1);
  });
});

describe("calls around a switch", () => {
  test("a private call that was made during the switch is refused afterwards, a public one goes out", async () => {
    const desk = await openDesk();
    desk.responseWith(() => "silence");
    desk.switchTo();
    await desk.clock.settle();
    const held = ["private/get_open_orders", "private/cancel", METHOD].map((method) =>
      watch(desk.session.caller.call(method, method === METHOD ? PARAMS : "{}")),
    );
    const free = watch(desk.session.caller.call("public/get_time", "{}"));
    await desk.clock.settle();
    assert.deepEqual([held.map(({ isSettled }) => isSettled), free.isSettled], [[false, false, false], true]);
    const [exchange] = desk.frames(METHOD);
    desk.server.last.respond(exchange!, desk.grant(exchange!));
    await desk.clock.settle();
    const found = held.map(({ failure }) => failure?.kind);
    assert.deepEqual(found, ["situationChanged", "situationChanged", "situationChanged"]);
    assert.deepEqual(
      [desk.frames("private/get_open_orders").length, desk.frames("private/cancel").length, desk.frames(METHOD).length],
      [0, 0, 1],
    );
    assertClean(desk);
  });

  test("after a refusal those that waited go out with the token that is still worth something", async () => {
    const desk = await openDesk();
    desk.responseWith(() => "silence");
    const call = desk.switchTo();
    await desk.clock.settle();
    const held = watch(desk.session.caller.call("private/get_open_orders", "{}"));
    await desk.clock.settle();
    desk.server.last.respond(desk.frames(METHOD)[0]!, { error: { code: -32602, message: "Invalid params" } });
    await desk.clock.settle();
    assert.deepEqual([call.isSettled, held.failure, desk.session.caller.generation], [true, undefined, 1]);
    assert.equal(desk.frames("private/get_open_orders")[0]?.params["access_token"], "canary-access-token-1");
  });

  test("a read that was under way and meets the end of its token is not repeated as the other account", async () => {
    const desk = await openDesk();
    desk.server.on("private/get_open_orders", () => "silence");
    const read = watch(desk.session.caller.call("private/get_open_orders", "{}"));
    await desk.clock.settle();
    desk.responseWith(() => "silence");
    desk.switchTo();
    await desk.clock.settle();
    const [request] = desk.frames("private/get_open_orders");
    desk.server.last.respond(request!, { error: { code: 13009, message: "unauthorized" } });
    await desk.clock.settle();
    assert.equal(read.isSettled, false);
    desk.server.last.respond(desk.frames(METHOD)[0]!, desk.grant(request!));
    await desk.clock.settle();
    assert.match(JSON.stringify(read.value), /13009/);
    assert.equal(desk.frames("private/get_open_orders").length, 1);
    assert.equal(desk.session.state.status, "ready");
    assertClean(desk);
  });

  test("a reading of the previous account for a view is dropped, late or not", async () => {
    const desk = await openDesk();
    const late: unknown[] = [];
    desk.session.caller.onLateResponse((response) => late.push(response.method));
    desk.server.on("private/get_open_orders", () => "silence");
    desk.server.on("private/cancel", () => "silence");
    const view = watch(desk.session.caller.call("private/get_open_orders", "{}", { lane: "view" }));
    for (const method of ["private/get_open_orders", "private/cancel"])
      watch(desk.session.caller.call(method, "{}", { timeoutMs: 10 }));
    await desk.clock.advance(10);
    desk.switchTo();
    await desk.clock.settle();
    const orders = desk.frames("private/get_open_orders");
    for (const request of [...orders, ...desk.frames("private/cancel")])
      desk.server.last.respond(request, { result: [] });
    await desk.clock.settle();
    assert.equal(view.failure?.kind, "situationChanged");
    assert.deepEqual(late, ["private/cancel"], "an outcome is still of use to whoever waits for it");
  });

  test("no event of the account before is heard once the session is not that account any more", async () => {
    const desk = await openDesk();
    const heard: string[] = [];
    const account = (): number | undefined =>
      desk.session.state.status === "ready" ? desk.session.state.identity.userId : undefined;
    desk.session.subscribe(
      CHANNEL,
      (data) => heard.push(`${String(data)}, heard as ${String(account())}`),
      () => undefined,
    );
    await desk.clock.settle();
    desk.server.on("public/unsubscribe_all", ({ connection }) => {
      connection.event(CHANNEL, '"of main"');
      return { result: "ok" };
    });
    desk.server.last.event(CHANNEL, '"before"');
    desk.responseWith((request) => {
      // With the response, in the same turn of the loop, and later.
      queueMicrotask(() => {
        request.connection.event(CHANNEL, '"of main too"');
      });
      return desk.grant(request);
    });
    desk.switchTo();
    await desk.clock.settle();
    desk.server.last.event(CHANNEL, '"of sub"');
    await desk.clock.settle();
    assert.deepEqual(heard, ["before, heard as 7001", "of main too, heard as 7001", "of sub, heard as 7002"]);
  });
});

describe("a switch that does not succeed", () => {
  for (const code of [13009, 13004, -32602, -32601, 13021, 13403]) {
    test(`refused with ${String(code)}: everything stays as it was`, async () => {
      const desk = await openDesk();
      hear(desk.session, CHANNEL);
      await desk.clock.settle();
      desk.states.length = 0;
      desk.responseWith(() => ({ error: { code, message: "no" } }));
      const call = desk.switchTo();
      await desk.clock.advance(1000);
      assert.match(JSON.stringify(call.value), new RegExp(`"code":${String(code)}`));
      assert.deepEqual([desk.states, desk.session.caller.generation, desk.server.connections.length], [[], 1, 1]);
      await desk.session.caller.call("private/get_open_orders", "{}");
      assert.equal(desk.frames("private/get_open_orders")[0]?.params["access_token"], "canary-access-token-1");
      desk.responseWith(desk.grant);
      desk.switchTo();
      await desk.clock.settle();
      assert.equal(identityOf(desk).subject?.id, SUB, "and can be tried again");
    });
  }

  const doubts: readonly (readonly [string, (desk: Desk) => Responder, Failure["kind"] | "answered"])[] = [
    ["no response in time", () => () => "silence", "timeout"],
    ["an error that proves nothing", () => () => ({ error: { code: 10001, message: "error" } }), "answered"],
    [
      "a link that is lost before the response",
      () =>
        ({ connection }) => {
          connection.transport.terminate();
          return "silence";
        },
      "connectionLost",
    ],
    [
      "a link that is lost after the exchange was made",
      (desk) => (request) => {
        desk.grant(request);
        request.connection.transport.terminate();
        return "silence";
      },
      "connectionLost",
    ],
    ["a response without tokens", () => () => ({ result: "ok" }), "unreadableResult"],
    [
      "a token of a kind that we do not know",
      (desk) => (request) => desk.grant(request, { token_type: "mac" }),
      "unreadableResult",
    ],
    ["a token without a life", (desk) => (request) => desk.grant(request, { expires_in: 0 }), "unreadableResult"],
    [
      "a response that is no response",
      () =>
        ({ id }) => ({ frame: `{"jsonrpc":"2.0","id":${String(id)},"result":1,"error":{"code":1,"message":""}}` }),
      "unreadableResult",
    ],
  ];
  for (const [name, handler, expected] of doubts) {
    test(`${name}: the link is given up and the key signs in anew`, async () => {
      const desk = await openDesk();
      desk.responseWith(handler(desk));
      const call = desk.switchTo();
      await desk.clock.advance(15_000);
      assert.equal(call.failure?.kind ?? "answered", expected);
      assert.ok(desk.statuses().includes("waiting"));
      await desk.clock.advance(30_000);
      assert.deepEqual([identityOf(desk).subject, identityOf(desk).userId], [undefined, MAIN]);
      assert.ok(desk.states.every((state) => state.status !== "ready" || state.identity.subject === undefined));
      assert.equal(
        desk.server.requests.filter(({ text }) => text.includes("canary-refresh-token-1")).length,
        1,
        "a refresh token is used once",
      );
      assert.equal(desk.server.connections[0]?.isOver, true);
      assertClean(desk);
    });
  }

  test("a switch that the user gives up closes the connection as well", async () => {
    const desk = await openDesk();
    desk.responseWith(() => "silence");
    const stop = new AbortController();
    const call = watch(desk.session.caller.call(METHOD, PARAMS, { signal: stop.signal }));
    await desk.clock.settle();
    stop.abort();
    await desk.clock.settle();
    assert.deepEqual([call.failure, desk.session.state.status], [{ kind: "stopped", wasSent: true }, "waiting"]);
  });

  const afterwards: readonly (readonly [string, (desk: Desk) => void])[] = [
    [
      "the link is lost before the new token was used",
      (desk) => {
        desk.server.on("public/unsubscribe_all", ({ connection }) => {
          connection.transport.terminate();
          return "silence";
        });
      },
    ],
    [
      "the new token is worth nothing",
      (desk) => {
        desk.server.on("private/get_account_summaries", ({ params }) =>
          String(params["access_token"]).includes("-sub-")
            ? { error: { code: 13009, message: "unauthorized" } }
            : { result: { id: MAIN, summaries: [] } },
        );
      },
    ],
    [
      "channels of the account before cannot be ended",
      (desk) => {
        desk.server.on("public/unsubscribe_all", () => ({ error: { code: -32601, message: "Method not found" } }));
      },
    ],
    [
      "nothing is said to the end of the channels",
      (desk) => {
        desk.server.on("public/unsubscribe_all", () => "silence");
      },
    ],
  ];
  for (const [name, spoil] of afterwards) {
    test(`${name}: interrupted, never taken for a refusal, and the key's own account comes back`, async () => {
      const desk = await openDesk();
      hear(desk.session, CHANNEL);
      await desk.clock.settle();
      spoil(desk);
      const call = desk.switchTo();
      await desk.clock.advance(5000);
      assert.equal(call.failure?.kind, "connectionLost");
      await desk.clock.advance(60_000);
      assert.deepEqual([identityOf(desk).subject, identityOf(desk).userId], [undefined, MAIN]);
      assert.ok(desk.states.every((state) => state.status !== "ready" || state.identity.subject === undefined));
    });
  }

  test("where no channel was subscribed to, a server without unsubscribe_all is good enough", async () => {
    const desk = await openDesk();
    desk.server.on("public/unsubscribe_all", () => ({ error: { code: -32601, message: "Method not found" } }));
    desk.switchTo();
    await desk.clock.settle();
    assert.equal(identityOf(desk).subject?.id, SUB);
  });

  test("another account than the one that was asked for locks the session; the user goes on with the key's own", async () => {
    const desk = await openDesk();
    const call = desk.switchTo(`{"refresh_token":"${SESSION_REFRESH_TOKEN}","subject_id":7009}`);
    await desk.clock.settle();
    assert.equal(call.failure?.kind, "unreadableResult");
    const { state } = desk.session;
    assert.ok(state.status === "locked" && state.isOtherSubject === true && state.failure.kind === "refused");
    assert.equal(
      state.failure.reason,
      "The server signed you in as account 7002 instead of the selected account 7009. Connect again to continue as the API key's own account.",
    );
    assert.ok(!desk.statuses().slice(desk.statuses().lastIndexOf("authenticating")).includes("ready"));
    desk.session.connect();
    await desk.clock.settle();
    assert.equal(identityOf(desk).userId, MAIN);
  });
});

async function switched(): Promise<Desk> {
  const desk = await openDesk();
  desk.switchTo();
  await desk.clock.settle();
  assert.equal(identityOf(desk).subject?.id, SUB);
  desk.states.length = 0;
  desk.server.requests.length = 0;
  return desk;
}

/**
 * The key's own account is back, over a link of its own, and until then every state has said that it is another one.
 */
function assertOwn(desk: Desk): void {
  assert.deepEqual(
    [identityOf(desk).subject, identityOf(desk).userId, desk.server.connections.length],
    [undefined, MAIN, 2],
  );
  const since = desk.states.slice(
    1 + desk.states.findLastIndex((state) => state.status === "ready" && state.identity.subject !== undefined),
  );
  const before = since.slice(
    0,
    since.findIndex(({ status }) => status === "ready"),
  );
  assert.ok(desk.session.epoch >= 2, "the epoch is neither that of the other account nor the one before it");
  assert.ok(
    before.length > 1 && before.every((state) => state.status !== "ready" && state.isOtherSubject === true),
    JSON.stringify(before),
  );
  const auths = desk.frames("public/auth").filter(({ params }) => params["grant_type"] === "client_signature");
  assert.deepEqual(
    auths.map(({ connection }) => connection.number),
    [2],
    "the key signs in on no link of a sub-account",
  );
}

describe("while it is switched", () => {
  test("tokens are renewed and the account stays", async () => {
    const desk = await openDesk();
    desk.responseWith((request) => desk.grant(request, { expires_in: 100 }));
    desk.server.on("public/auth", (request) => desk.grant(request, { expires_in: 100 }));
    desk.switchTo();
    await desk.clock.settle();
    await desk.clock.advance(80_000);
    assert.equal(desk.frames("public/auth").at(-1)?.params["refresh_token"], "canary-refresh-token-sub-1");
    await desk.session.caller.call("private/get_open_orders", "{}");
    assert.equal(desk.frames("private/get_open_orders").at(-1)?.params["access_token"], "canary-access-token-sub-2");
    assert.deepEqual([identityOf(desk).subject?.id, desk.session.caller.generation], [SUB, 2]);
  });

  for (const code of [13004, 13009, 10001]) {
    test(`a renewal that is refused with ${String(code)} ends the link; the key does not sign in on it`, async () => {
      const desk = await openDesk();
      desk.responseWith((request) => desk.grant(request, { expires_in: 100 }));
      desk.switchTo();
      await desk.clock.settle();
      desk.states.length = 0;
      desk.server.requests.length = 0;
      const [first] = desk.server.connections;
      const { connections } = desk.server;
      desk.server.on("public/auth", (request) => {
        if (request.connection === first) return { error: { code, message: "no" } };
        request.connection.tokens.add("canary-access-token-own");
        return {
          result: {
            access_token: "canary-access-token-own",
            refresh_token: "canary-refresh-token-own",
            expires_in: 1000,
            scope: "account:read connection mainaccount name:bot trade:read_write",
            token_type: "bearer",
          },
        };
      });
      await desk.clock.advance(100_000);
      assert.equal(connections.length, 2);
      assertOwn(desk);
    });
  }

  test("13009 on a read ends the link; the read is not repeated as the key's own account", async () => {
    const desk = await switched();
    desk.server.last.tokens.clear();
    const read = watch(desk.session.caller.call("private/get_open_orders", "{}"));
    await desk.clock.settle();
    assert.match(JSON.stringify(read.value), /13009/);
    await desk.clock.advance(30_000);
    assertOwn(desk);
    assert.equal(desk.frames("private/get_open_orders").length, 1);
  });

  test("a lost link comes back as the key's own account", async () => {
    const desk = await switched();
    desk.server.last.transport.terminate();
    await desk.clock.advance(30_000);
    assertOwn(desk);
  });

  test("several attempts in between change nothing about that", async () => {
    const desk = await switched();
    const failure: Failure = { kind: "cannotConnect", trouble: "refused", detail: "" };
    desk.server.failDials(failure, failure, failure);
    desk.server.last.transport.terminate();
    await desk.clock.advance(60_000);
    assertOwn(desk);
  });

  test("back to the main account: a new link, and nothing of the subaccount until it is ready", async () => {
    const desk = await switched();
    desk.session.backToMain();
    assert.deepEqual(desk.states[0], { status: "connecting", generation: 3, isOtherSubject: true });
    await desk.clock.settle();
    assertOwn(desk);
    assert.equal(desk.server.connections[0]?.isOver, true);
    desk.states.length = 0;
    desk.session.backToMain();
    await desk.clock.settle();
    assert.deepEqual(desk.states, [], "without effect on the key's own account");
  });

  test("one subaccount after the other, as far as the exchange allows", async () => {
    const desk = await switched();
    desk.responseWith(() => ({ error: { code: -32602, message: "Invalid params" } }));
    desk.switchTo(`{"refresh_token":"${SESSION_REFRESH_TOKEN}","subject_id":7009}`);
    await desk.clock.settle();
    assert.equal(desk.frames(METHOD)[0]?.params["refresh_token"], "canary-refresh-token-sub-1");
    assert.equal(identityOf(desk).subject?.id, SUB);
  });

  test("disconnected and connected again it is the key's own account, and says so from the start", async () => {
    const desk = await switched();
    desk.session.disconnect();
    assert.deepEqual(desk.session.state, { status: "off", isOtherSubject: true });
    desk.session.connect();
    await desk.clock.settle();
    assertOwn(desk);
  });
});
