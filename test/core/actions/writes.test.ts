import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { endAfterUnknown } from "../../../src/actions/judge/outcome.ts";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { plain, type Plain } from "../../../src/base/plain.ts";
import { pluck } from "../../pluck.ts";
import { anOrder } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";
import { asPlain } from "../../asPlain.ts";

/* What a write brings along on its way: the note about isolated orders, the place of a secret, the end at an unknown outcome. */

function request(method: string, params: object, note?: Plain): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: {
      action: plain`Send`,
      target: asPlain(method),
      detail: [],
      keep: plain`Don't Send`,
      ...(note === undefined ? {} : { note }),
    },
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
    assert.deepEqual(outcome.kind === "confirmed" && outcome.isolatedLeft, []);
    assert.equal(detailOf(world), LEFT);
    await world.gate.submit(request("private/cancel_all", {}, plain`Mind this.`));
    assert.equal(detailOf(world), `Mind this. ${LEFT}`);
  });

  test("are not told of where the outcome is unknown", async () => {
    const world = createGateWorld({}, { hasIsolated: () => true });
    world.fake.onFrame = () => undefined;
    const started = world.start(request("private/cancel_all", {}));
    await world.clock.advance(16_000);
    assert.deepEqual(
      [started.outcome?.kind, started.outcome !== undefined && "isolatedLeft" in started.outcome],
      ["unknown", false],
    );
    world.gate.dispose();
  });

  test("are no matter of other changes, nor of accounts that have none", async () => {
    const cancel = createGateWorld({}, { hasIsolated: () => true });
    const one = await cancel.gate.submit(cancel.cancel());
    assert.deepEqual([one.kind, "isolatedLeft" in one, detailOf(cancel).includes(LEFT)], ["confirmed", false, false]);
    for (const ports of [{}, { hasIsolated: () => false }]) {
      const world = createGateWorld({}, ports);
      world.fake.onFrame = (_frame, response) => response.result(2);
      const outcome = await world.gate.submit(request("private/cancel_all", {}));
      assert.deepEqual([outcome.kind, "isolatedLeft" in outcome, detailOf(world)], ["confirmed", false, ""]);
    }
  });
});

describe("several that end at the first unknown outcome", () => {
  function three(world: GateWorld): readonly Intent[] {
    for (const id of ["O2", "O3"]) world.fake.put(id, "open");
    return ["O1", "O2", "O3"].map((id) => world.cancel(id));
  }
  const words = { action: plain`Cancel`, target: plain`them`, detail: [], keep: plain`Keep` };

  test("go out one after another, and not any more after it", async () => {
    const world = createGateWorld();
    const { onFrame } = world.fake;
    world.fake.onFrame = (frame, response) => {
      if (frame.orderId === "O1") onFrame(frame, response);
    };
    const outcomes = world.gate.submitAll(three(world), () => words, { endReason: endAfterUnknown });
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
    // The user stopped nothing.
    const [, , unsent] = await outcomes;
    assert.deepEqual(unsent?.kind === "notSent" && unsent.failure, {
      kind: "stopped",
      wasSent: false,
      reason: "The outcome of an earlier request is unknown.",
    });
    world.gate.dispose();
  });

  test("end where it can't be told whether the next one may go out, and each says so", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (frame, response) => response.result(anOrder(frame.orderId, { order_state: "cancelled" }));
    const outcomes = await world.gate.submitAll(three(world), () => words, {
      endReason: async () => await Promise.reject(new Error("read")),
    });
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "notSent", "notSent"]);
    for (const unsent of outcomes.slice(1))
      assert.deepEqual(unsent.kind === "notSent" && unsent.failure, {
        kind: "stopped",
        wasSent: false,
        reason: "It couldn't be checked whether the rest may be sent.",
      });
    world.gate.dispose();
  });

  test("end at the user's stop too; without the option all are sent", async () => {
    const stop = new AbortController();
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => {
      stop.abort();
      response.result(anOrder("O1", { order_state: "cancelled" }));
    };
    const options = { endReason: endAfterUnknown, stop: stop.signal };
    const outcomes = await world.gate.submitAll(three(world), () => words, options);
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "notSent", "notSent"]);
    const other = createGateWorld();
    other.fake.onFrame = () => undefined;
    // More than are under way at a time.
    const ids = Array.from({ length: 51 }, (_, index) => `O${String(index)}`);
    for (const id of ids) other.fake.put(id, "open");
    void other.gate.submitAll(
      ids.map((id) => other.cancel(id)),
      () => words,
    );
    await other.clock.advance(20_000);
    assert.equal(other.fake.frames.length, 51);
    other.gate.dispose();
  });
});

describe("the place of a secret", () => {
  const RESET = request("private/reset_api_key", { id: 4 });
  const KEY = { id: 4, client_id: "c", client_secret: "s", max_scope: "", timestamp: 1 };

  function worldWithPlace(happened: string[]): GateWorld {
    const place: SecretPlace = {
      lines: [plain`It goes to a place.`],
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

test("of no other order it is read whether it is passed on", async () => {
  const market = {
    orderOf: () => undefined,
    isRouted: () => undefined,
    readIsRouted: async () => await Promise.resolve(true),
  };
  const world = createGateWorld({ scope: "trade:read_write" }, { market });
  const order = { ...anOrder("O9"), reduce_only: false };
  world.fake.onFrame = (_frame, response) => response.result({ order, trades: [] });
  const { instrument_name, amount, price, label } = order;
  const outcome = await world.gate.submit(request("private/buy", { instrument_name, amount, price, label }));
  assert.equal(outcome.kind, "confirmed");
  assert.equal(outcome.isAcknowledged, undefined);
});

describe("what is kept of a write", () => {
  test("has the deadline with which it was sent", async () => {
    const world = createGateWorld();
    world.fake.onFrame = ({ method }, response) => response.result(method === "public/get_time" ? 1000 : {});
    world.start({ ...request("private/edit", { order_id: "O1", amount: 40, price: 1 }), validForMs: 500 });
    await world.clock.advance(1000);
    const sent = world.fake.frames.find(({ method }) => method === "private/edit");
    assert.equal(sent?.paramsText, '{"order_id":"O1","amount":40,"price":1,"valid_until":1500}');
    assert.equal(world.entry().intent.paramsText, sent.paramsText);
    world.gate.dispose();
  });

  test("is told in the log, and what the journal did not take", async () => {
    const world = createGateWorld();
    world.onAppend = async () => await Promise.reject(new Error("disk full"));
    await world.gate.submit(world.cancel());
    const { id } = world.entry();
    assert.ok(world.logged.includes(`intent ${id}: private/cancel confirmed`), world.logged.join("\n"));
    assert.match(
      world.logged.join("\n"),
      new RegExp(`^the journal did not take the record "intent" of ${id}: .*disk full`, "m"),
    );
  });

  test("a refusal is looked up before it is done", async () => {
    const world = createGateWorld();
    const phases: string[] = [];
    world.gate.onDidChangeActivity(({ phase }) => {
      phases.push(phase);
    });
    world.fake.onFrame = (_frame, response) => response.error(11_044, "not_open_order");
    await world.gate.submit(world.cancel());
    await world.clock.settle();
    assert.deepEqual(phases.slice(-3), ["sending", "verifying", "done"]);
  });

  test("an order of which no record says that it was there is not gone where it is not listed", async () => {
    const world = createGateWorld({}, { isSeen: undefined });
    world.fake.onFrame = () => undefined;
    world.start();
    await world.clock.settle();
    world.fake.orders.delete("O1");
    await world.clock.advance(60_000);
    assert.equal(world.entry().verdicts[0]?.kind, "unverified");
    world.gate.dispose();
  });
});

describe("right before the send", () => {
  const look = { method: "private/get_order_state", paramsText: '{"order_id":"O1"}' };

  test("the object is read once more, in the same session; one that has changed is left", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => response.result({});
    const changed = await world.gate.submit({ ...world.cancel(), lastLook: { ...look, changedBy: () => "order" } });
    assert.deepEqual(changed, { kind: "notSent", failure: { kind: "situationChanged", changed: "order" } });
    assert.deepEqual(pluck(world.fake.frames, "method"), [look.method]);
    const options = world.fake.frames[0]?.options;
    assert.deepEqual([options?.generation, options?.signal?.aborted], [1, false]);
  });

  for (const [name, transport, words] of [
    ["the connection", undefined, "The connection couldn't send the request within 8 s."],
    ["its own WebSocket", "webSocket", "The connection couldn't send the request within 8 s."],
    ["HTTP beside it", "http", "The request couldn't be sent over HTTP within 8 s."],
  ] as const)
    test(`a write that ${name} does not take says so`, async () => {
      const never = async (): Promise<never> => await new Promise<never>(() => undefined);
      const world = createGateWorld(
        {},
        { routes: { call: never, onLateResponse: () => ({ dispose: () => undefined }) } },
      );
      const started = world.start({ ...world.cancel(), ...(transport === undefined ? {} : { transport }) });
      await world.clock.advance(9000);
      const { outcome } = started;
      assert.ok(outcome?.kind === "notSent" && outcome.failure.kind === "refused", JSON.stringify(outcome));
      assert.ok(outcome.failure.reason.startsWith(words), outcome.failure.reason);
      world.gate.dispose();
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
