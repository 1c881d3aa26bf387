import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent.ts";
import type { SecretPlace } from "../../../src/actions/secretPlace.ts";
import { pluck } from "../../pluck.ts";
import { anOrder } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";

/* What a write brings along on its way: the note about isolated orders, the place of a secret, the end at an unknown outcome. */

function request(method: string, params: object, note?: string): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: { action: "Send", target: method, detail: [], keep: "Don't Send", ...(note === undefined ? {} : { note }) },
  };
}

function detailOf({ questions }: GateWorld): string {
  const question = questions.at(-1);
  return question?.kind === "modal" ? question.detail : assert.fail("no dialog");
}

describe("isolated orders", () => {
  const LEFT = "Isolated orders aren't covered and stay open. Check them on the exchange.";

  test("that a mass cancel leaves are told before it and after it", async () => {
    const world = createGateWorld({}, { hasIsolated: () => true });
    world.fake.onFrame = (_frame, response) => response.result(2);
    const outcome = await world.gate.submit(request("private/cancel_all", {}));
    assert.equal(outcome.kind === "confirmed" && outcome.isIsolatedLeft, true);
    assert.equal(detailOf(world), LEFT);
    await world.gate.submit(request("private/cancel_all", {}, "Mind this."));
    assert.equal(detailOf(world), `Mind this. ${LEFT}`);
  });

  test("are no matter of other changes, nor of accounts that have none", async () => {
    const cancel = createGateWorld({}, { hasIsolated: () => true });
    const one = await cancel.gate.submit(cancel.cancel());
    assert.deepEqual([one.kind, "isIsolatedLeft" in one, detailOf(cancel).includes(LEFT)], ["confirmed", false, false]);
    for (const ports of [{}, { hasIsolated: () => false }]) {
      const world = createGateWorld({}, ports);
      world.fake.onFrame = (_frame, response) => response.result(2);
      const outcome = await world.gate.submit(request("private/cancel_all", {}));
      assert.deepEqual([outcome.kind, "isIsolatedLeft" in outcome, detailOf(world)], ["confirmed", false, ""]);
    }
  });
});

describe("several that end at the first unknown outcome", () => {
  function three(world: GateWorld): readonly Intent[] {
    for (const id of ["O2", "O3"]) world.fake.put(id, "open");
    return ["O1", "O2", "O3"].map((id) => world.cancel(id));
  }
  const words = { action: "Cancel", target: "them", detail: [], keep: "Keep" };

  test("go out one after another, and not any more after it", async () => {
    const world = createGateWorld();
    const { onFrame } = world.fake;
    world.fake.onFrame = (frame, response) => {
      if (frame.orderId === "O1") onFrame(frame, response);
    };
    const outcomes = world.gate.submitAll(three(world), () => words, { endsAtUnknown: true });
    await world.clock.advance(14_000);
    assert.deepEqual(pluck(world.fake.frames, "orderId"), ["O1", "O2"]);
    await world.clock.advance(2000);
    assert.deepEqual(
      (await outcomes).map((each) => [each.kind, "failure" in each && each.failure.kind]),
      [
        ["confirmed", false],
        ["unknown", "timeout"],
        ["notSent", "stopped"],
      ],
    );
    world.gate.dispose();
  });

  test("end at the user's stop too; without the option all are sent", async () => {
    const stop = new AbortController();
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => {
      stop.abort();
      response.result(anOrder("O1", { order_state: "cancelled" }));
    };
    const options = { endsAtUnknown: true, stop: stop.signal } as const;
    const outcomes = await world.gate.submitAll(three(world), () => words, options);
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "notSent", "notSent"]);
    const other = createGateWorld();
    other.fake.onFrame = () => undefined;
    void other.gate.submitAll(three(other), () => words);
    await other.clock.advance(20_000);
    assert.equal(other.fake.frames.length, 3);
    other.gate.dispose();
  });
});

describe("the place of a secret", () => {
  const RESET = request("private/reset_api_key", { id: 4 });
  const KEY = { id: 4, client_id: "c", client_secret: "s", max_scope: "", timestamp: 1 };

  function worldWithPlace(happened: string[]): GateWorld {
    const place: SecretPlace = {
      lines: ["It goes to a place."],
      take: async () => {
        await Promise.resolve(happened.push("taken"));
      },
      release: async () => {
        await Promise.resolve(happened.push("released"));
      },
    };
    const world = createGateWorld(
      { scope: "account:read_write" },
      { placeFor: async () => await Promise.resolve(place) },
    );
    world.fake.onFrame = (_frame, response) => response.result(KEY);
    return world;
  }

  test("gets what the response has", async () => {
    const happened: string[] = [];
    const outcome = await worldWithPlace(happened).gate.submit(RESET);
    assert.deepEqual([outcome.kind, happened], ["confirmed", ["taken"]]);
  });

  test("is given up where nothing is sent", async () => {
    const happened: string[] = [];
    const world = worldWithPlace(happened);
    world.answer = () => false;
    const outcome = await world.gate.submit(RESET);
    assert.deepEqual([outcome.kind, happened], ["notSent", ["released"]]);
  });
});

describe("an order that may be passed on to another venue", () => {
  const ORDER = { ...anOrder("O9"), instrument_name: "ETH_USDC" };
  const { instrument_name, amount, price, label } = ORDER;

  for (const [name, isKnown, isRead, expected] of [
    ["is acknowledged where it is known", true, false, true],
    ["is acknowledged where reading tells", undefined, true, true],
    ["is open where reading tells that it is none", undefined, false, undefined],
  ] as const)
    test(name, async () => {
      const market = {
        orderOf: () => undefined,
        isRouted: () => isKnown,
        readIsRouted: async () => await Promise.resolve(isRead),
      };
      const world = createGateWorld({ scope: "trade:read_write" }, { market });
      world.fake.onFrame = (_frame, response) => response.result({ order: ORDER, trades: [] });
      const outcome = await world.gate.submit(request("private/buy", { instrument_name, amount, price, label }));
      assert.equal(outcome.kind, "confirmed");
      assert.equal(outcome.isAcknowledged, expected);
    });
});

test("a write waits 15 s for its response, or as long as is said", async () => {
  const world = createGateWorld();
  await world.gate.submit(world.cancel());
  world.fake.put("O1", "open");
  await world.gate.submit(world.cancel(), { timeoutMs: 700 });
  assert.deepEqual(
    world.fake.frames.map(({ options }) => options.timeoutMs),
    [15_000, 700],
  );
});
