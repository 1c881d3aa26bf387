import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { CallError } from "../../../src/base/failure.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../scriptedServer.ts";
import { createWorld, watch } from "./world.ts";

describe("signing in", () => {
  test("introduces itself, reads the time, signs, asks for a heartbeat", async () => {
    const { server, session, clock } = await createWorld().ready();
    assert.deepEqual(server.methods(), [
      "public/hello",
      "public/get_time",
      "public/auth",
      "private/get_account_summaries",
      "public/set_heartbeat",
    ]);
    assert.deepEqual(server.requests[0]?.params, { client_name: "trading-rpc", client_version: "0.1.0" });
    assert.deepEqual(server.requests[3]?.params, { access_token: "canary-access-token-1", extended: true });
    assert.deepEqual(server.requests[4]?.params, { interval: 30 });
    assert.deepEqual(session.state, {
      status: "ready",
      generation: 1,
      isSuspect: false,
      identity: {
        authentication: "key",
        clientId: CLIENT_ID,
        scope: server.scope,
        clockSkewMs: undefined,
        userId: 7001,
        testnet: true,
        serverVersion: "1.2.26",
      },
      sinceMs: clock.now(),
    });
  });

  test("with a signature the secret does not travel", async () => {
    const { server } = await createWorld().ready();
    assert.ok(!server.requests.some((request) => request.text.includes(CLIENT_SECRET)));
  });

  test("a clock that is five minutes off is corrected by the server's", async () => {
    const world = createWorld();
    world.server.skewMs = 300_000;
    await world.ready();
    assert.match(world.lines.join("\n"), /differs from the server's by 300 s/);
  });

  test("a server without public/get_time and public/hello is signed in to by our own clock", async () => {
    const world = createWorld();
    for (const method of ["public/get_time", "public/hello"])
      world.server.on(method, () => ({ error: { code: -32601, message: "Method not found" } }));
    await world.ready();
    assert.equal(world.session.state.status === "ready" && world.session.state.identity.serverVersion, undefined);
  });

  test("client_credentials sends id and secret", async () => {
    const { server } = await createWorld({
      credentials: { kind: "client_credentials", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    }).ready();
    const auth = server.requests.find((request) => request.method === "public/auth");
    assert.deepEqual(auth?.params, {
      grant_type: "client_credentials",
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    });
  });

  test("without a key nothing is signed in, and no token is added", async () => {
    const { server, session } = await createWorld({ credentials: { kind: "none" } }).ready();
    assert.equal(server.methods().includes("public/auth"), false);
    const response = await session.caller.call("private/get_open_orders", "{}");
    assert.equal(response.error?.code, 13009);
    assert.equal(session.state.status, "ready");
    assert.deepEqual(server.requests.at(-1)?.params, {});
  });

  test("a pasted token goes with private calls; a server that refuses it makes the session wait for the user", async () => {
    const world = createWorld({ credentials: { kind: "token", accessToken: "pasted-canary-token" } });
    const { server, session, clock } = world;
    server.on("public/hello", ({ connection }) => {
      connection.tokens.add("pasted-canary-token");
      return { result: { version: "1.2.26" } };
    });
    await world.ready();
    assert.equal(session.state.status === "ready" && session.state.identity.userId, 7001);
    assert.equal((await session.caller.call("private/get_open_orders", "{}")).bodyText, "[]");
    server.last.tokens.clear();
    await session.caller.call("private/get_open_orders", "{}");
    await clock.settle();
    assert.equal(session.state.status, "locked");
  });

  test("a pasted token that is worth nothing is refused when connecting", async () => {
    const { server, session, clock } = createWorld({
      credentials: { kind: "token", accessToken: "pasted-canary-token" },
    });
    session.connect();
    await clock.settle();
    assert.deepEqual(session.state, {
      status: "locked",
      failure: { kind: "exchange", code: 13009, message: "unauthorized" },
    });
    assert.equal(server.last.isOver, true);
  });

  test("the secret is asked for only once the link is open", async () => {
    let asked = 0;
    const world = createWorld({
      credentials: async () => {
        asked++;
        return await Promise.resolve({ kind: "none" });
      },
    });
    world.server.failDials({ kind: "cannotConnect", trouble: "tls", detail: "self-signed" });
    world.session.connect();
    await world.clock.settle();
    assert.equal(asked, 0);
    await world.clock.advance(30_000);
    assert.equal(asked, 1);
  });

  test("refused credentials wait for the user and are not tried again", async () => {
    const world = createWorld({
      credentials: { kind: "client_signature", clientId: CLIENT_ID, clientSecret: "wrong" },
    });
    world.session.connect();
    await world.clock.settle();
    assert.deepEqual(world.session.state, {
      status: "locked",
      failure: { kind: "exchange", code: 13004, message: "invalid_credentials" },
    });
    await world.clock.advance(3_600_000);
    assert.equal(world.server.connections.length, 1);
    assert.equal(world.server.last.isOver, true);
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.server.connections.length, 2);
  });

  test("a signature that expired while the computer slept is replaced, without waiting for the user", async () => {
    const world = createWorld();
    world.server.on("public/auth", ({ connection }) => {
      connection.tokens.add("a-token");
      const expires = { expires_in: 900, scope: "", token_type: "bearer" };
      if (world.server.connections.length > 1)
        return { result: { access_token: "a-token", refresh_token: "r-token", ...expires } };
      // The first one arrives after the night.
      world.clock.sleep(3_600_000, "stops");
      return { error: { code: 13004, message: "invalid_credentials" } };
    });
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.session.state.status, "waiting");
    await world.clock.advance(30_000);
    assert.equal(world.session.state.status, "ready");
  });

  test("a response that is no token, and one with a life that is no life, are tried again", async () => {
    for (const expires of ["0", "-1", "1e400", '"900"']) {
      const world = createWorld();
      world.server.on("public/auth", () => ({
        resultText: `{"access_token":"a-token","refresh_token":"r-token","expires_in":${expires},"scope":"","token_type":"bearer"}`,
      }));
      world.session.connect();
      await world.clock.settle();
      assert.equal(world.session.state.status, "waiting", expires);
    }
  });

  test("a life of any length is believed for ten years at most", async () => {
    for (const expires of [1e305, 1e306, Number.MAX_VALUE]) {
      const world = createWorld();
      world.server.expiresIn = expires;
      await world.ready();
      assert.match(world.lines.join("\n"), /lifetime of the access token of more than ten years/);
    }
  });

  test("no response to public/auth within 10 s gives the link up and signs anew on the next one", async () => {
    const world = createWorld();
    world.server.on("public/auth", () => "silence");
    world.session.connect();
    await world.clock.advance(9999);
    assert.equal(world.session.state.status, "authenticating");
    await world.clock.advance(1);
    assert.equal(world.session.state.status, "waiting");
    await world.clock.advance(1000);
    const nonces = world.server.requests
      .filter((request) => request.method === "public/auth")
      .map((request) => request.params["nonce"]);
    assert.equal(nonces.length, 2);
    assert.notEqual(nonces[0], nonces[1]);
  });

  test("credentials that cannot be had wait for the user", async () => {
    const world = createWorld({ credentials: async () => await Promise.reject(new Error("the keyring is locked")) });
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.session.state.status, "locked");
  });
});

describe("calls", () => {
  test("every literal survives the way out and back, byte for byte", async () => {
    const { server, session } = await createWorld().ready();
    const literals =
      '{ "a":1e-8,"b":0.10,\n"c":9007199254740993,"d":123456789012345678901234567890,"e":-0.0,"f":1.0E+3 ,"g":"\\u0041"}';
    server.on("public/echo", ({ text }) => ({ resultText: text.slice(text.indexOf('"params":') + 9, -1) }));
    const response = await session.caller.call("public/echo", literals);
    assert.equal(response.bodyText, literals);
    server.on("private/echo", ({ text }) => ({ resultText: text.slice(text.indexOf('"params":') + 9, -1) }));
    const spliced = (await session.caller.call("private/echo", literals)).bodyText;
    assert.equal(spliced, literals.replace("{", '{"access_token":"‹hidden›",'));
  });

  test("the token is the only thing that is added", async () => {
    const { server, session } = await createWorld().ready();
    await session.caller.call("private/get_open_orders", " { } ");
    assert.match(
      server.requests.at(-1)?.text ?? "",
      /^\{"jsonrpc":"2\.0","id":\d+,"method":"private\/get_open_orders","params":\{"access_token":"canary-access-token-1" \} \}$/,
    );
  });

  test("ids grow and never repeat, over reconnects too", async () => {
    const world = await createWorld().ready();
    world.server.last.transport.terminate();
    await world.clock.advance(1000);
    const ids = world.server.requests.map((request) => request.id);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    );
    assert.equal(world.session.caller.generation, 2);
  });

  test("parameters that would make another request, or that are ambiguous, are refused", async () => {
    const { server, session } = await createWorld().ready();
    const before = server.requests.length;
    for (const paramsText of [
      '{},"method":"private/withdraw"',
      "[]",
      "null",
      "",
      '{"order_id":"1","order_id":"2"}',
      '{"__proto__":{}}',
      '{"access_token":"x"}',
      `${'{"a":'.repeat(65)}1${"}".repeat(65)}`,
    ]) {
      await assert.rejects(
        session.caller.call("private/cancel", paramsText),
        (error: CallError) => error.failure.kind === "invalidParams",
      );
    }
    assert.equal(server.requests.length, before);
  });

  test("a request above the exchange's limit is refused here, token included", async () => {
    const { server, session } = await createWorld().ready();
    const before = server.requests.length;
    await assert.rejects(
      session.caller.call("private/cancel", JSON.stringify({ order_id: "ü".repeat(15_960) })),
      (error: CallError) => error.failure.kind === "tooLarge" && error.failure.bytes > 32_000,
    );
    assert.equal(server.requests.length, before);
  });

  test("times are split into queue, exchange and the rest", async () => {
    const { server, session, clock } = await createWorld().ready();
    server.on("private/cancel", () => "silence");
    const call = watch(session.caller.call("private/cancel", '{"order_id":"1"}'));
    await clock.advance(40);
    const request = server.requests.at(-1)!;
    server.last.respond(request, { result: {} });
    await clock.settle();
    assert.ok(call.value !== undefined);
    assert.deepEqual(call.value.timing, { receivedAtMs: clock.now(), totalMs: 40, queuedMs: 0, exchangeMs: 2 });
    assert.equal(session.latencyMs, 38);
  });

  test("a call of another generation is refused, and not sent", async () => {
    const world = await createWorld().ready();
    const { session, server, clock } = world;
    const asked = session.caller.generation!;
    server.last.transport.terminate();
    await clock.advance(1000);
    const before = server.requests.length;
    await assert.rejects(
      session.caller.call("private/cancel", '{"order_id":"1"}', { generation: asked }),
      (error: CallError) => error.failure.kind === "situationChanged",
    );
    assert.equal(server.requests.length, before);
  });

  test("without a session nothing is sent", async () => {
    const { session } = createWorld();
    assert.equal(session.caller.generation, undefined);
    await assert.rejects(
      session.caller.call("public/test", "{}"),
      (error: CallError) => error.failure.kind === "notConnected",
    );
  });

  test("a signal before the send keeps the request back, after it gives the waiting up and hears the late response", async () => {
    const { session, server, clock } = await createWorld().ready();
    const aborted = AbortSignal.abort();
    await assert.rejects(
      session.caller.call("private/cancel", "{}", { signal: aborted }),
      (error: CallError) => error.failure.kind === "stopped" && !error.failure.wasSent,
    );
    server.on("private/cancel", () => "silence");
    const late: unknown[] = [];
    session.caller.onLateResponse((response) => late.push([response.wireId, response.bodyText]));
    const controller = new AbortController();
    let wireId = 0;
    const call = watch(
      session.caller.call("private/cancel", '{"order_id":"1"}', {
        signal: controller.signal,
        onSend: (id) => {
          wireId = id;
        },
      }),
    );
    await clock.settle();
    controller.abort();
    await clock.settle();
    assert.deepEqual(call.failure, { kind: "stopped", wasSent: true });
    server.last.respond(server.requests.at(-1)!, {
      resultText: '{"order_id":"1","refresh_token":"canary-refresh-token-9"}',
    });
    await clock.settle();
    assert.deepEqual(late, [[wireId, '{"order_id":"1","refresh_token":"‹hidden›"}']]);
  });

  test("a timeout leaves the response open; reads have 10 s, changes 15 s", async () => {
    const { session, server, clock } = await createWorld().ready();
    for (const method of ["private/cancel", "private/get_open_orders"]) server.on(method, () => "silence");
    const change = watch(session.caller.call("private/cancel", "{}"));
    const read = watch(session.caller.call("private/get_open_orders", "{}"));
    await clock.advance(10_000);
    assert.deepEqual(read.failure, { kind: "timeout", timeoutMs: 10_000 });
    assert.equal(change.isSettled, false);
    await clock.advance(5000);
    assert.deepEqual(change.failure, { kind: "timeout", timeoutMs: 15_000 });
  });

  test("onSend hears the id before the text goes out", async () => {
    const { session, server } = await createWorld().ready();
    const before = server.requests.length;
    let sentAtCall = -1;
    await session.caller.call("public/test", "{}", {
      onSend: () => {
        sentAtCall = server.requests.length;
      },
    });
    assert.equal(sentAtCall, before);
    await assert.rejects(
      session.caller.call("public/test", "{}", {
        onSend: () => {
          throw new Error("the journal is full");
        },
      }),
      /journal is full/,
    );
    assert.equal(server.requests.length, before + 1);
  });
});

describe("reading", () => {
  test("a result of another shape is unreadable; readResponse hands it out", async () => {
    const { session, server } = await createWorld().ready();
    server.on("private/get_open_orders", () => ({ result: [{ order_id: 7 }] }));
    await assert.rejects(
      session.reader.read("private/get_open_orders", {}),
      (error: CallError) =>
        error.failure.kind === "unreadableResult" && error.failure.detail.startsWith("0.order_id: "),
    );
    const response = await session.reader.readResponse("private/get_open_orders", {});
    assert.deepEqual(response.result, [{ order_id: 7 }]);
  });

  test("an error object is thrown as what it is", async () => {
    const { session, server } = await createWorld().ready();
    server.on("private/get_open_orders", () => ({
      error: { code: -32602, message: "Invalid params", data: { param: "kind", reason: "wrong" } },
    }));
    await assert.rejects(session.reader.read("private/get_open_orders", {}), (error: CallError) => {
      assert.deepEqual(error.failure, {
        kind: "exchange",
        code: -32602,
        message: "Invalid params",
        param: "kind",
        reason: "wrong",
      });
      return true;
    });
  });

  test("whoever gets round the compiler does not get round the reader", async () => {
    const { session, server } = await createWorld().ready();
    const before = server.requests.length;
    await assert.rejects(
      session.reader.read("private/cancel" as "private/get_order_state", { order_id: "1" }),
      (error: CallError) => error.failure.kind === "bug",
    );
    assert.equal(server.requests.length, before);
  });
});

describe("tokens", () => {
  test("are refreshed at four fifths of their life", async () => {
    const world = createWorld();
    world.server.expiresIn = 900;
    await world.ready();
    await world.clock.advance(719_000);
    const refreshes = (): string[] =>
      world.server.requests
        .filter((request) => request.params["grant_type"] === "refresh_token")
        .map((request) => String(request.params["refresh_token"]));
    assert.deepEqual(refreshes(), []);
    await world.clock.advance(1000);
    assert.deepEqual(refreshes(), ["canary-refresh-token-1"]);
    await world.session.caller.call("private/get_open_orders", "{}");
    assert.equal(world.server.requests.at(-1)?.params["access_token"], "canary-access-token-2");
    assert.equal(world.server.connections.length, 1);
    assert.deepEqual(world.statuses(), ["connecting", "authenticating", "ready"]);
  });

  test("a life of a year neither overflows a timer nor refreshes at once", async () => {
    const world = await createWorld().ready();
    await world.clock.advance(3_600_000);
    assert.equal(world.server.requests.filter((request) => request.method === "public/auth").length, 1);
  });

  test("private calls wait for a refresh that is under way, and go out once, with the new token", async () => {
    const world = createWorld();
    world.server.expiresIn = 100;
    await world.ready();
    const { server, clock, session } = world;
    const refreshes: (typeof server.requests)[number][] = [];
    server.on("public/auth", (request) => {
      refreshes.push(request);
      return "silence";
    });
    await clock.advance(80_000);
    assert.equal(refreshes.length, 1);
    server.on("private/cancel", () => ({ result: {} }));
    const cancel = watch(session.caller.call("private/cancel", '{"order_id":"1"}'));
    const controller = new AbortController();
    const stopped = watch(session.caller.call("private/cancel", '{"order_id":"2"}', { signal: controller.signal }));
    const open = watch(session.caller.call("public/test", "{}"));
    await clock.advance(300);
    controller.abort();
    await clock.settle();
    assert.deepEqual(stopped.failure, { kind: "stopped", wasSent: false });
    assert.equal(open.isSettled, true);
    assert.equal(server.methods().includes("private/cancel"), false);
    server.last.tokens.add("fresh-token");
    server.last.respond(refreshes[0]!, {
      result: {
        access_token: "fresh-token",
        refresh_token: "fresh-refresh",
        expires_in: 900,
        scope: server.scope,
        token_type: "bearer",
      },
    });
    await clock.settle();
    assert.deepEqual(
      server.requests.filter((request) => request.method === "private/cancel").map((request) => request.params),
      [{ access_token: "fresh-token", order_id: "1" }],
    );
    assert.equal(cancel.value?.timing.queuedMs, 300);
  });

  test("a refresh that fails, or whose response is lost, is followed by a full sign-in and never repeated", async () => {
    for (const response of [{ error: { code: 13009, message: "unauthorized" } }, "silence"] as const) {
      const world = createWorld();
      world.server.expiresIn = 100;
      await world.ready();
      const { server, clock } = world;
      let refreshes = 0;
      const grants: unknown[] = [];
      server.on("public/auth", ({ params, connection }) => {
        grants.push(params["grant_type"]);
        if (params["grant_type"] === "refresh_token") {
          refreshes++;
          return response;
        }
        connection.tokens.add("second-token");
        return {
          result: {
            access_token: "second-token",
            refresh_token: "second-refresh",
            expires_in: 31_536_000,
            scope: server.scope,
            token_type: "bearer",
          },
        };
      });
      await clock.advance(95_000);
      assert.equal(refreshes, 1);
      assert.deepEqual(grants, ["refresh_token", "client_signature"]);
      assert.equal(world.session.state.status, "ready");
      assert.equal((await world.session.caller.call("private/get_open_orders", "{}")).error, undefined);
    }
  });

  test("a full sign-in that is refused after a failed refresh waits for the user", async () => {
    const world = createWorld();
    world.server.expiresIn = 100;
    await world.ready();
    world.server.on("public/auth", () => ({ error: { code: 13004, message: "invalid_credentials" } }));
    await world.clock.advance(80_000);
    assert.equal(world.session.state.status, "locked");
    await world.clock.advance(3_600_000);
    assert.equal(world.server.connections.length, 1);
  });

  test("13009 on a read signs in again and repeats it once", async () => {
    const { server, session } = await createWorld().ready();
    server.last.tokens.clear();
    const [first, second] = await Promise.all([
      session.caller.call("private/get_open_orders", "{}"),
      session.caller.call("private/get_open_orders", "{}"),
    ]);
    assert.equal(first.bodyText, "[]");
    assert.equal(second.bodyText, "[]");
    assert.equal(server.requests.filter((request) => request.method === "public/auth").length, 2);
    assert.equal(server.requests.filter((request) => request.method === "private/get_open_orders").length, 4);
  });

  test("13009 that comes when there is a newer token already only repeats the read", async () => {
    const { server, session, clock } = await createWorld().ready();
    const slow: (typeof server.requests)[number][] = [];
    server.on("private/get_order_state", (request) => {
      slow.push(request);
      return slow.length === 1 ? "silence" : { result: "second" };
    });
    const read = watch(session.caller.call("private/get_order_state", '{"order_id":"1"}'));
    await clock.settle();
    server.last.tokens.clear();
    await session.caller.call("private/get_open_orders", "{}");
    server.last.respond(slow[0]!, { error: { code: 13009, message: "unauthorized" } });
    await clock.settle();
    assert.equal(read.value?.result, "second");
    assert.equal(slow[1]?.params["access_token"], "canary-access-token-2");
    assert.equal(server.requests.filter((request) => request.method === "public/auth").length, 2);
  });

  test("13009 that stays is handed out, without a loop", async () => {
    const { server, session, clock } = await createWorld().ready();
    server.on("private/get_open_orders", () => ({ error: { code: 13009, message: "unauthorized" } }));
    for (let round = 0; round < 3; round++)
      assert.equal((await session.caller.call("private/get_open_orders", "{}")).error?.code, 13009);
    assert.equal(server.requests.filter((request) => request.method === "public/auth").length, 2);
    await clock.advance(30_000);
    await session.caller.call("private/get_open_orders", "{}");
    assert.equal(server.requests.filter((request) => request.method === "public/auth").length, 3);
  });

  test("13009 on a cancel is handed out, and the cancel goes out once", async () => {
    const { server, session } = await createWorld().ready();
    server.last.tokens.clear();
    assert.equal((await session.caller.call("private/cancel", '{"order_id":"1"}')).error?.code, 13009);
    assert.equal(server.requests.filter((request) => request.method === "private/cancel").length, 1);
    assert.equal(server.requests.filter((request) => request.method === "public/auth").length, 1);
  });
});
