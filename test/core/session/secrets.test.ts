import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import type { Credentials } from "../../../src/session/session.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../scriptedServer.ts";
import { createWorld, hear, watch } from "./world.ts";

const CANARY = /canary-(?:client-secret|access-token|refresh-token|other)/;

const KEY_RESPONSE = `{"id":4,"client_id":"${CLIENT_ID}","client_secret":"canary-other-1","default":false,"nested":[{"secret":"canary-other-2","client\\u005fsecret":"canary-other-3","accessToken":"canary-other-4"}],"n":9007199254740993,"signature":{"a":"canary-other-5"},"password":null}`;

describe("secrets", () => {
  test("are in no response, event, state, failure or log line, at any level, whatever the server echoes", async () => {
    for (const kind of ["client_signature", "client_credentials"] as const) {
      const credentials: Credentials = { kind, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
      const world = createWorld({ credentials });
      world.server.expiresIn = 100;
      const seen: unknown[] = [];
      const channel = hear(world.session, "user.orders.any.any.raw");
      await world.ready();
      const { server, session, clock } = world;
      session.caller.onLateResponse((response) => seen.push(response));
      const token = (): string => [...server.last.tokens][0] ?? "";

      server.on("private/keys", () => ({ resultText: KEY_RESPONSE }));
      server.on("private/echo", ({ text }) => ({
        resultText: JSON.stringify({ note: `you sent ${text}`, again: token() }),
      }));
      server.on("private/complain", ({ text }) => ({
        error: {
          code: 10001,
          message: `bad request: ${text}`,
          data: { reason: `token ${token()} is odd`, param: "access_token", refresh_token: "canary-other-6" },
        },
      }));
      for (const method of ["private/keys", "private/echo", "private/complain"])
        seen.push(await session.caller.call(method, '{"name":"x"}'));
      server.last.event("user.orders.any.any.raw", `{"label":"${token()}","access_token":"canary-other-7"}`);
      server.last.event("user.orders.any.any.raw", '{"price":0.10}');

      server.on("private/cancel", () => "silence");
      watch(session.caller.call("private/cancel", "{}", { timeoutMs: 10 }));
      await clock.advance(10);
      server.last.respond(server.requests.at(-1)!, { resultText: KEY_RESPONSE });
      // Truncated, odd, without an id: what cannot be read must not be written down either.
      server.last.send('{"jsonrpc":"2.0","id":1,"result":{"access_token":"canary-other-8');
      server.last.send(`{"jsonrpc":"2.0","error":{"code":11051,"message":"${token()}"}}`);
      server.last.send(`{"jsonrpc":"2.0","method":"${token()}"}`);
      server.last.send(`${"[".repeat(70)}"canary-other-9"`);
      await clock.advance(80_000);

      const request = watch(session.caller.call("private/cancel", "{}"));
      await clock.settle();
      const { last } = server;
      last.send(
        `{"jsonrpc":"2.0","id":${String(server.requests.at(-1)?.id)},"result":1,"error":{"code":1,"message":"${token()}"}}`,
      );
      await clock.settle();
      assert.equal(request.failure?.kind, "unreadableResult");
      server.on("public/auth", ({ text }) => ({
        error: { code: 13004, message: `refused: ${text} ${CLIENT_SECRET}` },
      }));
      last.transport.terminate();
      await clock.advance(60_000);
      assert.equal(session.state.status, "locked");

      seen.push(...world.states, ...channel.data, ...channel.states, request.failure, session.state);
      for (const each of [...seen.map((value) => JSON.stringify(value)), ...world.lines])
        assert.doesNotMatch(each, CANARY);
      assert.ok(
        world.lines.some((line) => line.startsWith("trace → ")) &&
          world.lines.some((line) => line.startsWith("trace ← ")),
      );
      assert.deepEqual(channel.data, [{ label: "‹hidden›", access_token: "‹hidden›" }, { price: 0.1 }]);
    }
  });

  test("are in no text of a refused or failed sign-in, whatever the server repeats, however it is written", async () => {
    for (const kind of ["client_signature", "client_credentials"] as const) {
      const credentials: Credentials = { kind, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
      for (const write of [
        (text: string) => text,
        encodeURIComponent,
        (text: string) => JSON.stringify(JSON.stringify(text)),
        (text: string) => `Basic ${Buffer.from(`${CLIENT_ID}:${text}`).toString("base64")}`,
      ])
        for (const code of [13004, 10041]) {
          const world = createWorld({ credentials });
          await world.ready();
          const { server, session, clock } = world;
          server.on("public/auth", ({ params }) => {
            const sent = [CLIENT_SECRET, String(params["signature"] ?? params["client_secret"])].map(write).join(" ");
            return { error: { code, message: `a ${sent}`, data: { reason: `b ${sent}`, param: `c ${sent}` } } };
          });
          server.last.transport.terminate();
          await clock.advance(1000);
          const { status, ...rest } = session.state;
          assert.equal(status, code === 13004 ? "locked" : "waiting");
          const told = [...world.states, rest].map((each) => JSON.stringify(each)).join("\n");
          assert.match(told, /"message":"a .*‹hidden›.*"param":"c .*‹hidden›.*"reason":"b .*‹hidden›/);
          const kept = [told, ...world.lines].join("\n");
          assert.ok(![CLIENT_SECRET, write(CLIENT_SECRET)].some((secret) => kept.includes(secret)), kept);
          session.dispose();
        }
    }
  });

  test("that a call sends are hidden in what comes back to it, under any name", async () => {
    const { server, session } = await createWorld().ready();
    server.on("private/withdraw", ({ text }) => ({ error: { code: 10001, message: "no", data: { reason: text } } }));
    const { error } = await session.caller.call("private/withdraw", '{"password":"canary-\\u002fother-1"}');
    assert.equal(error?.reason?.includes("canary"), false, error?.reason);
    assert.match(
      error.reason ?? "",
      /"method":"private\/withdraw","params":\{"access_token":"‹hidden›","password":"‹hidden›"\}/,
    );
  });

  test("that a server repeats in a redirect, when the connection is made again", async () => {
    const world = await createWorld({
      credentials: { kind: "client_credentials", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    }).ready();
    world.server.failDials({
      kind: "cannotConnect",
      trouble: "redirect",
      detail: `HTTP 302, redirect to x?${CLIENT_SECRET}`,
    });
    world.server.last.transport.terminate();
    await world.clock.advance(1000);
    assert.match(JSON.stringify(world.states), /redirect to x\?‹hidden›/);
  });

  test("the key's own secret is hidden by its value after any number of renewals", async () => {
    for (const kind of ["client_signature", "client_credentials"] as const) {
      const credentials: Credentials = { kind, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
      const world = createWorld({ credentials });
      world.server.expiresIn = 100;
      await world.ready();
      const { server, session, clock } = world;
      for (let renewals = 0; renewals < 20; renewals++) await clock.advance(80_000);
      server.on("private/echo", () => ({ resultText: JSON.stringify({ note: `it is ${CLIENT_SECRET}` }) }));
      assert.equal((await session.caller.call("private/echo", "{}")).bodyText, '{"note":"it is ‹hidden›"}');
      assert.ok(server.requests.filter(({ method }) => method === "public/auth").length > 20);
    }
  });

  test("what an error carries beside code and message ends in no log line but for the parameter and the reason", async () => {
    const world = await createWorld({ isTracing: () => false }).ready();
    const { server, session, clock } = world;
    const error = {
      code: 13004,
      message: "invalid_credentials",
      data: { param: "p-told", reason: "r-told", account: "never-told" },
    };
    server.on("private/complain", () => ({ error }));
    const { error: heard } = await session.caller.call("private/complain", "{}");
    assert.deepEqual(heard, {
      kind: "exchange",
      code: 13004,
      message: "invalid_credentials",
      param: "p-told",
      reason: "r-told",
    });
    server.on("public/auth", () => ({ error }));
    server.last.transport.terminate();
    await clock.advance(60_000);
    assert.equal(session.state.status, "locked");
    assert.ok(world.lines.some((line) => line.includes("r-told")));
    const found = world.lines.filter((line) => line.includes("never-told"));
    assert.deepEqual(found, []);
  });

  test("are hidden in the text by place: everything else stays as it was, and the result is made of that text", async () => {
    const { server, session } = await createWorld().ready();
    server.on("private/keys", () => ({ resultText: KEY_RESPONSE }));
    const response = await session.caller.call("private/keys", "{}");
    const hidden = KEY_RESPONSE.replaceAll(/"canary-other-[1-4]"|\{"a":"canary-other-5"\}/g, '"‹hidden›"');
    assert.equal(response.bodyText, hidden);
    assert.deepEqual(response.result, JSON.parse(hidden));
    assert.equal(response.hasMaskedSecrets, true);
    server.on("private/plain", () => ({ resultText: '{"a": 1.0e-8}' }));
    assert.equal((await session.caller.call("private/plain", "{}")).hasMaskedSecrets, false);
  });

  test("do not reach failures that are thrown at callers when the link ends with a secret in its reason", async () => {
    const world = createWorld();
    const [client] = [world];
    await client.ready();
    const call = client.session.caller.call("private/none", "{}");
    await call;
    const token = [...client.server.last.tokens][0] ?? "";
    client.server.on("private/cancel", () => "silence");
    const pending = client.session.caller.call("private/cancel", "{}");
    client.server.last.send(`{"jsonrpc":"2.0","error":{"code":11051,"message":"maintenance of ${token}"}}`);
    await client.clock.settle();
    client.server.last.transport.close();
    await assert.rejects(pending, (error) => {
      assert.deepEqual(toFailure(error), {
        kind: "connectionLost",
        trouble: "maintenance",
        detail: "11051 maintenance of ‹hidden›",
      });
      return true;
    });
  });

  test("lines of the log are one each, cut, and free of control characters", async () => {
    const { server, session, lines } = await createWorld().ready();
    server.on("public/odd", () => ({ result: `\u202e\n[31m](command:x) ${"x".repeat(5000)}` }));
    await session.caller.call("public/odd", "{}");
    const line = lines.at(-1) ?? "";
    assert.match(line, /^trace ← \{"jsonrpc"/);
    assert.ok(line.length < 2200);
    assert.match(line, /\(\d+ characters\)$/);
    assert.equal(/[\p{Cc}\p{Cf}]/u.test(lines.join("")), false);
  });

  test("nothing is traced unless tracing is on", async () => {
    const { lines } = await createWorld({ isTracing: () => false }).ready();
    const found = lines.filter((line) => line.startsWith("trace"));
    assert.deepEqual(found, []);
  });
});
