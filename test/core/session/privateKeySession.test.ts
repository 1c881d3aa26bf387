import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { describe, test } from "vitest";
import type { Credentials } from "../../../src/session/session.ts";
import { makeKey, pkcs8, secretLines } from "../../privateKeys.ts";
import { CLIENT_ID, type ReceivedRequest } from "../../scriptedServer.ts";
import { createWorld, hear, type World } from "./world.ts";
import { testInFull } from "../../sizes.ts";

const KEYS = [
  ["Ed25519", makeKey("ed25519")],
  ["RSA", makeKey("rsa")],
] as const;

const HOUR_MS = 3_600_000;

/** A session that signs in with a private key, at a server that verifies each signature. */
function createKeyWorld(key: (typeof KEYS)[number][1], privateKey = pkcs8(key)): World {
  const credentials: Credentials = { kind: "private_key", clientId: CLIENT_ID, privateKey };
  const world = createWorld({ credentials });
  world.server.publicKey = createPublicKey(key);
  return world;
}

const signIns = ({ server }: World): readonly ReceivedRequest[] =>
  server.requests.filter(({ method }) => method === "public/auth");

describe("a session that signs in with a private key", () => {
  for (const [name, key] of KEYS) {
    testInFull(
      `${name}: stays signed in for 24 hours, at four fifths of each life, also where refreshing is refused`,
      async () => {
        const world = createKeyWorld(key);
        const { server, session, clock, states } = world;
        server.expiresIn = 900;
        await world.ready();
        // Tokens that end are noticed: the server takes the newest one alone, and forgets each after its time.
        const dueMs: number[] = [];
        let refreshes = 0;
        const grants = new Map<string, number>();
        server.on("private/get_open_orders", ({ params, connection }) => {
          const token = String(params["access_token"]);
          if (!grants.has(token)) grants.set(token, clock.now());
          const isAlive = connection.tokens.has(token) && clock.now() - (grants.get(token) ?? 0) < 900_000;
          return isAlive ? { result: [] } : { error: { code: 13009, message: "unauthorized" } };
        });
        const before = signIns(world).length;
        const refusing = (request: ReceivedRequest) => {
          dueMs.push(clock.now());
          refreshes++;
          return refreshes % 5 === 0 ? { error: { code: 13009, message: "unauthorized" } } : server.behave(request);
        };
        server.on("public/auth", (request) =>
          request.params["grant_type"] === "refresh_token" ? refusing(request) : server.behave(request),
        );
        const startMs = clock.now();
        for (let minutes = 0; minutes < 24 * 60; minutes += 4) {
          await clock.advance(4 * 60_000);
          assert.equal((await session.caller.call("private/get_open_orders", "{}")).error, undefined);
        }
        const made = signIns(world).slice(before);
        const signed = made.filter(({ params }) => params["grant_type"] === "client_signature");
        assert.equal(clock.now() - startMs, 24 * HOUR_MS);
        assert.equal(refreshes, 24 * 5, "one each 720 s");
        assert.equal(signed.length, 24, "each fifth was refused, and the key signed in");
        assert.equal(made.length, refreshes + signed.length);
        assert.deepEqual([...new Set(dueMs.slice(1).map((each, index) => each - (dueMs[index] ?? 0)))], [720_000]);
        assert.equal(new Set(signed.map(({ params }) => params["nonce"])).size, signed.length, "each nonce once");
        assert.equal(server.connections.length, 1);
        assert.deepEqual([...new Set(states.slice(3).map(({ status }) => status))], ["ready"]);
        for (const line of secretLines(pkcs8(key)))
          assert.ok(!server.requests.some(({ text }) => text.includes(line)), "the key itself is never sent");
      },
    );

    test(`${name}: signs with the server's time, however wrong the clock of this computer is`, async () => {
      const world = createKeyWorld(key);
      world.server.skewMs = -HOUR_MS;
      await world.ready();
      assert.equal(world.session.state.status, "ready");
    });

    test(`${name}: no line of the key is in a response, event, state, failure, or line of the log, whatever the server sends`, async () => {
      const privateKey = pkcs8(key);
      const world = createKeyWorld(key);
      const channel = hear(world.session, "user.orders.any.any.raw");
      await world.ready();
      const { server, session, clock } = world;
      const shown: unknown[] = [];
      const lines = secretLines(privateKey);
      const whole = lines.join("");
      for (const text of [privateKey, privateKey.replaceAll("\n", ""), whole, ...lines]) {
        server.on("private/echo", () => ({ result: { text, nested: [{ note: `it is ${text}!` }] } }));
        server.on("private/complain", () => ({
          error: { code: 10001, message: `bad: ${text}`, data: { reason: text } },
        }));
        server.last.event("user.orders.any.any.raw", JSON.stringify({ label: text }));
        shown.push(await session.caller.call("private/echo", "{}"));
        shown.push(await session.caller.call("private/complain", "{}"));
      }
      server.on("public/auth", () => ({ error: { code: 13004, message: privateKey } }));
      server.last.transport.terminate();
      await clock.advance(60_000);
      assert.equal(session.state.status, "locked");
      shown.push(...world.states, ...channel.data, session.state);
      const told = [...shown.map((each) => JSON.stringify(each)), ...world.lines].join("\n");
      assert.match(told, /‹hidden›/);
      assert.deepEqual(
        lines.filter((line) => told.includes(line)),
        [],
      );
    });
  }

  test("a key whose public key the server does not have ends locked: only the user can help", async () => {
    const world = createKeyWorld(KEYS[0][1], pkcs8(makeKey("ed25519")));
    world.session.connect();
    await world.clock.advance(60_000);
    const { state } = world.session;
    assert.deepEqual(state.status === "locked" && state.failure, {
      kind: "exchange",
      code: 13004,
      message: "invalid_credentials",
    });
    assert.equal(signIns(world).length, 1, "and is not tried again and again");
  });

  test("a stored key that cannot be read ends locked, and nothing goes to the server that could sign in", async () => {
    const world = createKeyWorld(KEYS[0][1], "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    world.session.connect();
    await world.clock.advance(60_000);
    const { state } = world.session;
    assert.equal(state.status === "locked" && state.failure.kind, "refused");
    assert.equal(signIns(world).length, 0);
  });
});
