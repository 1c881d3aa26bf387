import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { paramFactsOf, type ParamFacts } from "../../../src/catalogue/reference/paramFacts.ts";
import { isSwitch } from "../../../src/catalogue/sessionCalls.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import { offeredMethods, snippetOf } from "../../../src/present/requests/requestSnippets.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { channelWish } from "../../../src/requests/running/channels.ts";
import { runRequest, type RunResult } from "../../../src/requests/running/run.ts";
import { fileRequestText } from "../../../src/requests/values/requestText.ts";
import { filledSnippet } from "../../snippets.ts";
import { createWorld, type World } from "../../world.ts";

/*
 * Each method as a request file that a snippet made: without problems, and the right frame on the wire. And
 * that a check which accepted everything would be found out.
 */

type Params = Readonly<Record<string, unknown>>;

const OFFERED: readonly string[] = offeredMethods().map(({ facts }) => facts.name);
const CHANNEL_METHODS = ["public/subscribe", "public/unsubscribe", "private/subscribe", "private/unsubscribe"];

/** The methods that act on the connection of all views, with the words of the refusal. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["public/auth", /signs in/],
  ["public/fork_token", /./],
  ["private/logout", /./],
  ["public/set_heartbeat", /heartbeat/],
  ["public/disable_heartbeat", /heartbeat/],
  ["public/unsubscribe_all", /./],
  ["private/unsubscribe_all", /./],
];

function minimalParams(method: string): Params {
  const { params = {} } = JSON.parse(filledSnippet(snippetOf(method, 1))) as { readonly params?: Params };
  return params;
}

function problemsOf(method: string, params: Params): readonly string[] {
  return checkFile(scanRequests(fileRequestText({ id: 1, method, params }))).map(({ code }) => code);
}

async function connected(): Promise<World> {
  const placeFor = async (): Promise<SecretPlace> =>
    await Promise.resolve({
      lines: [],
      take: async () => await Promise.resolve(),
      release: async () => await Promise.resolve(),
    });
  const world = createWorld({ declared: "test", placeFor });
  await world.connect();
  return world;
}

async function send(world: World, text: string): Promise<RunResult> {
  const file = scanRequests(text);
  const request = file.requests[0] ?? assert.fail(text);
  const { gate, environment } = world.live;
  const running = runRequest(file, request, { gate, environment, fileName: "all.rpc.json" });
  await world.clock.advance(20_000);
  return await running;
}

function without(params: Params, name: string): Params {
  return Object.fromEntries(Object.entries(params).filter(([each]) => each !== name));
}

/** The parameters of a frame, without the token of the session. */
function sentParams(frame: string): Params {
  return without((JSON.parse(frame) as { readonly params: Params }).params, "access_token");
}

describe("a request that a snippet made", () => {
  test("is offered for every method but the seven that are never sent", () => {
    assert.deepEqual(
      allMethods()
        .map(({ name }) => name)
        .filter((name) => !OFFERED.includes(name))
        .sort(),
      REFUSED.map(([name]) => name).sort(),
    );
  });

  test("has no problems at all, for every method", () => {
    const told = OFFERED.flatMap((method) =>
      checkFile(scanRequests(filledSnippet(snippetOf(method, 1)))).map(({ message }) => `${method}: ${message}`),
    );
    assert.deepEqual(told, []);
  });

  test("arrives once, with its parameters, for every method that goes through the gate", async () => {
    const world = await connected();
    for (const method of OFFERED.filter((each) => !CHANNEL_METHODS.includes(each) && !isSwitch(each))) {
      const before = world.frames(method).length;
      const text = filledSnippet(snippetOf(method, 1));
      await send(world, text);
      const params = minimalParams(method);
      const frames = world.frames(method).slice(before).map(sentParams);
      // Views read the same, with parameters of their own.
      assert.equal(frames.filter((each) => JSON.stringify(each) === JSON.stringify(params)).length >= 1, true, method);
    }
    world.live.dispose();
  });

  test("that switches the account arrives with the session's token in place of its text", async () => {
    const world = await connected();
    const [method = ""] = OFFERED.filter(isSwitch);
    await send(world, filledSnippet(snippetOf(method, 1)));
    const [frame = "{}"] = world.frames(method);
    const { refresh_token: token, ...params } = sentParams(frame);
    assert.deepEqual(params, { subject_id: 60 });
    assert.equal(minimalParams(method)["refresh_token"], SESSION_REFRESH_TOKEN);
    assert.ok(typeof token === "string" && token !== SESSION_REFRESH_TOKEN && token.length > 20);
    world.live.dispose();
  });

  test("about channels is a wish that the session carries out with the same method", async () => {
    for (const method of CHANNEL_METHODS) {
      const wish = channelWish({ method, paramsText: JSON.stringify({ channels: ["platform_state"] }) });
      assert.deepEqual(wish, { kind: method.endsWith("/subscribe") ? "follow" : "end", channels: ["platform_state"] });
    }
    const world = await connected();
    for (const channel of ["trades.BTC-PERPETUAL.100ms", "user.orders.ETH-PERPETUAL.raw"]) {
      const method = `${channel.startsWith("user.") ? "private" : "public"}/subscribe`;
      const nothing = (): void => undefined;
      const following = world.live.followChannel(channel, nothing, nothing);
      await world.clock.advance(1000);
      assert.ok(
        world
          .frames(method)
          .map(sentParams)
          .some((each) => JSON.stringify(each["channels"]).includes(channel)),
        method,
      );
      following.dispose();
      await world.clock.advance(1000);
      assert.ok(
        world.frames(method.replace("/sub", "/unsub")).some((each) => each.includes(channel)),
        method,
      );
    }
    world.live.dispose();
  });

  for (const [method, reason] of REFUSED)
    test(`of ${method} is an error, and is not sent`, async () => {
      const world = await connected();
      const before = world.frames(method).length;
      const text = filledSnippet(snippetOf(method, 1));
      const [problem] = checkFile(scanRequests(text)).filter(({ code }) => code === "sessionMethod");
      assert.equal(problem?.severity, "error");
      assert.match(problem.message, reason);
      const { outcome } = await send(world, text);
      assert.equal(outcome.kind, "notSent");
      assert.equal(world.frames(method).length, before);
      world.live.dispose();
    });
});

/** A value of another type than a parameter has. */
function ofAnotherType({ type }: ParamFacts): unknown {
  return type === "object" || type === "array" ? 5 : {};
}

describe("a check that accepted everything would be found out", () => {
  /*
   * The documentation has 136 methods with a required parameter and 164 with parameters. Ours differ: the currency of
   * get_instruments is optional, one of the parameters of cancel_block_rfq_quote is needed, and list_api_keys can be
   * repeated with a 2FA code.
   */
  test("each parameter that 141 methods require is noticed when it is missing", () => {
    const methods = allMethods().filter(({ name }) => paramFactsOf(name).some(({ isRequired }) => isRequired));
    assert.equal(methods.length, 141);
    let dropped = 0;
    for (const { name: method } of methods) {
      const params = minimalParams(method);
      for (const param of Object.keys(params)) {
        assert.ok(problemsOf(method, without(params, param)).includes("params"), `${method} without ${param}`);
        dropped += 1;
      }
    }
    assert.equal(dropped, 251);
  });

  test("a renamed parameter, and one of another type, are noticed in the 171 methods that have some", () => {
    const methods = allMethods().filter(({ name }) => paramFactsOf(name).length > 0);
    assert.equal(methods.length, 171);
    for (const { name: method } of methods) {
      const [fact] = paramFactsOf(method);
      assert.ok(fact !== undefined);
      const params = minimalParams(method);
      const { [fact.name]: value = "x", ...rest } = params;
      assert.ok(
        problemsOf(method, { ...rest, [`${fact.name}_x`]: value }).includes("params"),
        `${method} ${fact.name}`,
      );
      for (const each of paramFactsOf(method))
        assert.ok(
          problemsOf(method, { ...params, [each.name]: ofAnotherType(each) }).includes("params"),
          `${method} ${each.name} of another type`,
        );
    }
  });

  test("an invented parameter is noticed in the other 21", () => {
    const methods = allMethods().filter(({ name }) => paramFactsOf(name).length === 0);
    assert.equal(methods.length, 21);
    for (const { name } of methods) assert.ok(problemsOf(name, { invented: 1 }).includes("params"), name);
  });
});
