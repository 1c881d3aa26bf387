import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { OneTimeSecret } from "../../../src/rpc/oneTimeSecret.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { fillIn } from "../../../src/session/fillIn.ts";
import type { Credentials } from "../../../src/session/session.ts";
import { createWorld, SIGNATURE, watch } from "./world.ts";

/* A session whose secret was replaced, and secrets that it fills in when it sends. */

describe("signing in again", () => {
  test("ends the link, settles what waits as a lost link does, and uses the credentials of now", async () => {
    let credentials: Credentials = SIGNATURE;
    const asked: string[] = [];
    const world = createWorld({
      credentials: async () => {
        asked.push(credentials.kind === "client_signature" ? credentials.clientSecret : "");
        return await Promise.resolve(credentials);
      },
    });
    await world.ready();
    world.server.on("private/buy", () => "silence");
    const waiting = watch(world.session.caller.call("private/buy", "{}"));
    await world.clock.settle();
    credentials = { ...SIGNATURE, clientSecret: "another-secret" } as Credentials;
    world.states.length = 0;
    world.session.signInAgain();
    assert.equal(world.session.state.status, "connecting");
    await world.clock.settle();
    assert.equal(waiting.failure?.kind, "connectionLost");
    assert.equal(asked.at(-1), "another-secret");
    assert.equal(world.server.connections.length, 2);
    assert.equal(world.server.connections[0]?.isOver, true);
  });

  test("is without effect while off, and goes on from a session that waits for the user", async () => {
    const world = createWorld();
    world.session.signInAgain();
    assert.deepEqual([world.session.state.status, world.server.connections.length], ["off", 0]);
    world.server.on("public/auth", () => ({ error: { code: 13004, message: "invalid_credentials" } }));
    world.session.connect();
    await world.clock.settle();
    assert.equal(world.session.state.status, "locked");
    world.session.signInAgain();
    assert.equal(world.session.state.status, "connecting");
    await world.clock.settle();
    assert.equal(world.server.connections.length, 2);
  });
});

describe("a secret that is filled in", () => {
  const secret = (value: string): OneTimeSecret => new OneTimeSecret("signature", value);

  test("takes the place of a parameter's value; every other literal stays as it was", () => {
    const text =
      '{ "price": 2100.50, "signature" : "‹signature of verify›" , "label":"‹signature of verify›", "n":1e2}';
    assert.equal(
      fillIn(text, new Map([["signature", secret('a"b\\')]]), createSecretValues()),
      '{ "price": 2100.50, "signature" : "a\\"b\\\\" , "label":"‹signature of verify›", "n":1e2}',
    );
    assert.equal(fillIn(text, undefined, createSecretValues()), text);
  });

  test("is hidden by value from then on", () => {
    const values = createSecretValues();
    fillIn('{"signature":"x"}', new Map([["signature", secret("the-signature-itself")]]), values);
    assert.equal(values.hide("the-signature-itself"), "‹hidden›");
  });

  test("that was forgotten, or has no place, sends nothing", async () => {
    const world = createWorld();
    await world.ready();
    const gone = secret("the-signature-itself");
    OneTimeSecret.forget(gone);
    for (const [params, fills] of [
      ['{"signature":"x"}', new Map([["signature", gone]])],
      ['{"other":"x"}', new Map([["signature", secret("the-signature-itself")]])],
      ['{"deep":{"signature":"x"}}', new Map([["signature", secret("the-signature-itself")]])],
    ] as const) {
      const call = watch(world.session.caller.call("private/invalidate_block_trade_signature", params, { fills }));
      await world.clock.settle();
      assert.equal(call.failure?.kind, "invalidParams", params);
    }
    assert.ok(!world.lines.some((line) => line.includes("invalidate_block_trade_signature")));
  });
});
