import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../src/actions/intent/question.ts";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { effectOf, isCancel, allMethods, methodFacts, type Effect } from "../../../src/catalogue/index.ts";
import { paramFactsOf } from "../../../src/catalogue/reference/paramFacts.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { runRequest, type RunResult } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createWorld, type World } from "../../world.ts";
import { ownService } from "../../ownService.ts";

/*
 * Every method that the exchange is known to have, from a request file to a production server that keeps what arrives.
 */

const FULL_SCOPE = ["account", "trade", "block_trade", "block_rfq", "wallet"]
  .map((area) => `${area}:read_write`)
  .join(" ");

function namesOf(...effects: readonly Effect[]): readonly string[] {
  return allMethods()
    .filter(({ effect }) => effects.includes(effect))
    .map(({ name }) => name);
}

async function production(answer: (question: Question) => boolean): Promise<World> {
  const placeFor = async (): Promise<SecretPlace> =>
    await Promise.resolve({
      lines: [],
      take: async () => await Promise.resolve(),
      release: async () => await Promise.resolve(),
    });
  const world = createWorld({ declared: "production", maxScope: FULL_SCOPE, answer, placeFor });
  await world.connect();
  return world;
}

/** The least that a method accepts. */
function leastOf(method: string): Record<string, unknown> {
  const required = paramFactsOf(method).filter(({ isRequired }) => isRequired);
  return Object.fromEntries(
    required.map(({ name, type, values: [value], members, least = 1 }) => [
      name,
      type === "array"
        ? [value ?? (members.length > 0 ? {} : "x")]
        : (value ?? { string: "x", number: least, boolean: true, object: {} }[type]),
    ]),
  );
}

/** The same as a file has it: a secret is entered when it is sent. */
function writtenOf(method: string): Record<string, unknown> {
  const secrets = methodFacts(method)?.paramSecrets ?? [];
  return Object.fromEntries(
    Object.entries(leastOf(method)).map(([name, value]) => [name, secrets.includes(name) ? "{{$ask.secret}}" : value]),
  );
}

async function send(world: World, method: string): Promise<RunResult> {
  const file = scanRequests(JSON.stringify({ id: 1, method, params: writtenOf(method) }));
  const request = file.requests[0] ?? assert.fail(method);
  const running = runRequest(file, request, {
    gate: world.live.gate,
    environment: world.live.environment,
    fileName: "all.rpc.json",
    sendAnyway: true,
    resolved: JSON.stringify(leastOf(method)),
  });
  await world.clock.advance(20_000);
  return await running;
}

describe("every method of the exchange", () => {
  test("is known once, with what it does", () => {
    const names = allMethods().map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 185, "none is lost");
    // A change that becomes a smaller one is missing here. New ones need no line.
    for (const [effect, count] of [
      ["write", 29],
      ["mass", 9],
      ["key", 14],
      ["money", 14],
      ["session", 12],
    ] as const)
      assert.ok(namesOf(effect).length >= count, effect);
    assert.deepEqual(namesOf("reduce"), [
      "private/cancel",
      "private/cancel_block_rfq_quote",
      "private/cancel_block_rfq",
      "private/cancel_block_rfq_trigger",
    ]);
  });

  test("that reads arrives at read-only production without a question", async () => {
    const world = await production(() => assert.fail("a read was confirmed"));
    for (const method of namesOf("read")) {
      const before = world.frames(method).length;
      await send(world, method);
      assert.ok(world.frames(method).length > before, method);
    }
    assert.equal(world.live.environment, "production");
  });

  test("that changes something does not arrive at read-only production without a confirmation", async () => {
    const world = await production(() => false);
    const changes = namesOf("write", "reduce", "mass", "key", "money");
    for (const method of changes) {
      const asked = world.questions.length;
      const { outcome } = await send(world, method);
      assert.equal(
        outcome.kind === "notSent" && outcome.failure.kind,
        isCancel(method) ? "declined" : "refused",
        method,
      );
      assert.equal(world.questions.length - asked, isCancel(method) ? 1 : 0, method);
    }
    const found = changes.filter((method) => world.frames(method).length > 0);
    assert.deepEqual(found, []);
  });

  test("that changes something needs confirmation where changes are allowed, and a typed one for money, keys and many objects", async () => {
    const isTyped = (method: string): boolean => !["write", "reduce"].includes(effectOf(method));
    let method = "";
    let isAllowing = true;
    const world = await production(({ kind }) => isAllowing || (kind === "modal" && isTyped(method)));
    await world.live.gate.allowChanges();
    isAllowing = false;
    const changes = namesOf("write", "reduce", "mass", "key", "money");
    for (method of changes) {
      const asked = world.questions.length;
      const { outcome } = await send(world, method);
      assert.equal(outcome.kind === "notSent" && outcome.failure.kind, "declined", method);
      assert.equal(world.questions.at(-1)?.kind, isTyped(method) ? "typed" : "modal", method);
      assert.ok(world.questions.length > asked, method);
    }
    // What a dry run shows is read before the confirmation.
    const found = changes.filter((each) => world.frames(each).some((frame) => !frame.includes('"dry_run":true')));
    assert.deepEqual(found, []);
  });

  test("is not called unknown in a file, and its least parameters fit", () => {
    const told = allMethods()
      .filter(({ effect }) => effect !== "session")
      .flatMap(({ name }) =>
        checkFile(
          scanRequests(JSON.stringify({ id: 1, method: name, params: writtenOf(name) })),
          undefined,
          ownService(name),
        ).map(({ message }) => `${name}: ${message}`),
      );
    assert.deepEqual(told, []);
  });
});

describe("a method that the exchange is not known to have", () => {
  const rows: readonly (readonly [string, Effect])[] = [
    ["private/get_new_thing", "write"],
    ["private/ticker", "write"],
    ["public/get_new_thing", "read"],
    ["public/list_things", "read"],
    ["public/new/get_thing", "read"],
    ["public/new/status", "read"],
    ["public/getaway", "write"],
    ["public/get_thing/close", "write"],
    ["public/tickers", "write"],
    ["public/new_thing", "write"],
    ["Public/get_thing", "write"],
    ["get_thing", "write"],
    // Over HTTP the name is a part of the address: these would end elsewhere.
    ["public/../private/withdraw?x=/get_x", "write"],
    ["public/../private/get_x", "write"],
    ["public/get_x\n", "write"],
  ];
  for (const [method, effect] of rows)
    test(`${JSON.stringify(method)} counts as a ${effect}`, () => assert.equal(effectOf(method), effect));
});
