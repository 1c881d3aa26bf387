import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Verdict } from "../../../src/actions/judge/outcome.ts";
import { createCancelReconciler, verdictOf, WATCH_PAUSES_MS } from "../../../src/actions/proof/reconcile.ts";
import { identityKey } from "../../../src/actions/intent/situation.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";
import { createFakeSession, DEFAULT_IDENTITY, exchangeFailure, type FakeSession } from "./fakeSession.ts";

/** A cancel without a response, verified as still open by the list alone, and watched from then on. */
async function watched(): Promise<GateWorld> {
  const world = createGateWorld();
  world.fake.onFrame = () => undefined;
  world.fake.readFault = (method) => (method === "private/get_order_state" ? exchangeFailure(-32601) : undefined);
  const started = world.start();
  for (let second = 0; second < 60 && (started.outcome === undefined || world.entry().verdicts.length === 0); second++)
    await world.clock.advance(1000);
  assert.deepEqual(world.verdicts(), [{ kind: "notApplied", state: "open" }]);
  return world;
}

test("what a read says is as old as its question, also where the computer slept before the response", async () => {
  const world = createGateWorld();
  world.fake.onFrame = () => undefined;
  const askedAtMs: number[] = [];
  world.fake.readFault = () => {
    askedAtMs.push(world.clock.now());
    world.clock.sleep(3_600_000, "stops");
    return undefined;
  };
  world.start();
  await world.clock.advance(1000);
  for (let second = 0; second < 60 && world.entry().verdicts.length === 0; second++) await world.clock.advance(1000);
  assert.deepEqual(world.verdicts(), [{ kind: "notApplied", state: "open" }]);
  assert.equal(world.entry().verdicts[0]?.atMs, askedAtMs.at(-1));
  world.gate.dispose();
});

describe("an order that was not seen before the request", () => {
  async function verdictOn(prepare: (fake: FakeSession) => void): Promise<unknown> {
    const world = createGateWorld({}, { isSeen: () => false });
    world.fake.onFrame = () => undefined;
    prepare(world.fake);
    world.start();
    for (let second = 0; second < 60 && (world.gate.activity[0]?.verdicts.length ?? 0) === 0; second++)
      await world.clock.advance(1000);
    world.gate.dispose();
    return world.verdicts()[0];
  }

  test("is not gone where it is not listed", async () => {
    assert.deepEqual(await verdictOn((fake) => fake.orders.delete("O1")), {
      kind: "unverified",
      reason: "The order isn't listed, but it wasn't seen before the request either, so this proves nothing.",
    });
  });

  test("is gone where a read has seen it meanwhile", async () => {
    const verdict = await verdictOn((fake) => {
      fake.readFault = (method) => {
        if (method === "private/get_order_state") return exchangeFailure(-32601);
        if (fake.reads.filter((each) => each === method).length > 1) fake.orders.delete("O1");
        return undefined;
      };
    });
    assert.deepEqual(verdict, { kind: "gone" });
  });

  test("has the state that it shows", async () => {
    assert.deepEqual(await verdictOn((fake) => fake.put("O1", "filled")), { kind: "other", state: "filled" });
  });
});

test("what was filled of an order stays with the verdict", () => {
  const fill = { filled: 2, amount: 5 };
  assert.deepEqual(verdictOf({ kind: "ended", state: "filled", fill }, 7), {
    kind: "other",
    atMs: 7,
    state: "filled",
    fill,
  });
  assert.deepEqual(verdictOf({ kind: "cancelled", cause: "user_request", fill }, 7, true), {
    kind: "applied",
    atMs: 7,
    cause: "user_request",
    isLate: true,
    fill,
  });
});

describe("watching an order that only the list tells of", () => {
  test("its absence is believed the second time", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
    await world.clock.advance(120_000);
    assert.equal(world.verdicts().length, 2);
  });

  test("one that comes back between two looks is not gone", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    world.fake.put("O1", "open");
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    world.fake.orders.delete("O1");
    await world.clock.advance(WATCH_PAUSES_MS[2]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[3]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
  });

  test("one that stays is watched for a minute, and no longer", async () => {
    const world = await watched();
    const reads = world.fake.reads.length;
    await world.clock.advance(120_000);
    assert.equal(world.fake.reads.length - reads, WATCH_PAUSES_MS.length);
    assert.deepEqual(world.verdicts().slice(1), [
      {
        kind: "unverified",
        reason: "The order was still open after 60 s of watching, but a late cancel is still possible.",
      },
    ]);
    assert.equal(world.entry().phase, "done");
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("looks that fail, and a time without a session, prove nothing", async () => {
    const world = await watched();
    world.fake.orders.delete("O1");
    const { readFault } = world.fake;
    world.fake.readFault = () => exchangeFailure(10028);
    await world.clock.advance(WATCH_PAUSES_MS[0]);
    world.fake.readFault = readFault;
    world.fake.lose();
    await world.clock.advance(WATCH_PAUSES_MS[1]);
    world.fake.becomeReady();
    // A new session may offer the order itself again: that is tried first.
    await world.clock.advance(WATCH_PAUSES_MS[2]);
    await world.clock.advance(WATCH_PAUSES_MS[3]);
    assert.equal(world.verdicts().length, 1);
    await world.clock.advance(WATCH_PAUSES_MS[4]);
    assert.deepEqual(world.verdicts().slice(1), [{ kind: "gone" }]);
  });

  for (const [name, happen] of [
    ["the connection is gone", (world) => world.gate.dispose()],
    ["another account is signed in", (world) => world.fake.becomeReady({ clientId: "key-2" })],
  ] as readonly (readonly [string, (world: GateWorld) => void])[]) {
    test(`${name}: nothing is read`, async () => {
      const world = await watched();
      world.fake.orders.delete("O1");
      await world.clock.advance(1000);
      const reads = world.fake.reads.length;
      happen(world);
      await world.clock.advance(120_000);
      assert.deepEqual([world.fake.reads.length - reads, world.verdicts().length], [0, 1]);
    });
  }

  test("the connection went while it was read: nothing is said", async () => {
    const world = await watched();
    world.fake.put("O1", "filled");
    world.fake.readFault = () => {
      world.gate.dispose();
      return undefined;
    };
    world.fake.becomeReady();
    await world.clock.advance(120_000);
    assert.equal(world.verdicts().length, 1);
  });
});

describe("one look after a refusal", () => {
  const SINGLE = "private/get_order_state";
  async function look(
    prepare: (fake: FakeSession) => void,
    isSeen = true,
  ): Promise<{
    readonly verdict: Verdict | undefined;
    readonly reads: readonly string[];
    readonly logged: readonly string[];
  }> {
    const clock = createFakeClock(5);
    const fake = createFakeSession(clock);
    const logged: string[] = [];
    const write = (message: string): void => {
      logged.push(message);
    };
    fake.becomeReady();
    fake.put("O1", "open");
    prepare(fake);
    const reconciler = createCancelReconciler({
      session: fake.session,
      clock,
      log: { trace: write, debug: write, info: write, warn: write, error: write },
    });
    const intent = {
      method: "private/cancel",
      paramsText: '{"order_id":"O1"}',
      words: { action: "", target: "", detail: [], keep: "" },
      origin: "view",
    } as const;
    const verdict = await reconciler.look({
      intent,
      orderIds: ["O1"],
      isSeen,
      sentAtMs: 0,
      sentAtWallMs: 0,
      identity: identityKey(DEFAULT_IDENTITY),
      signal: new AbortController().signal,
      onRead: () => undefined,
      onVerdict: () => undefined,
    });
    return { verdict, reads: fake.reads, logged };
  }
  const rows: readonly (readonly [
    string,
    (fake: FakeSession) => void,
    Verdict | undefined,
    readonly string[],
    isSeen?: boolean,
  ])[] = [
    ["it is filled", (fake) => fake.put("O1", "filled"), { kind: "other", atMs: 5, state: "filled" }, [SINGLE]],
    [
      "it is filled, and was never seen",
      (fake) => fake.put("O1", "filled"),
      { kind: "other", atMs: 5, state: "filled" },
      [SINGLE],
      false,
    ],
    [
      "it was cancelled before",
      (fake) => fake.put("O1", "cancelled"),
      { kind: "other", atMs: 5, state: "cancelled" },
      [SINGLE],
    ],
    ["it is open", () => undefined, undefined, [SINGLE]],
    [
      "the server knows it no more",
      (fake) => fake.orders.delete("O1"),
      { kind: "gone", atMs: 5 },
      [SINGLE, "private/get_open_orders"],
    ],
    [
      "the server knows no such order, and it was never seen: it is not gone",
      (fake) => fake.orders.delete("O1"),
      undefined,
      [SINGLE, "private/get_open_orders"],
      false,
    ],
    [
      "the server does not know it, and lists it",
      (fake) => {
        fake.readFault = (method) => (method === SINGLE ? exchangeFailure(10004) : undefined);
      },
      undefined,
      [SINGLE, "private/get_open_orders"],
    ],
    [
      "it cannot be read now: its absence from the list would say nothing",
      (fake) => {
        fake.orders.delete("O1");
        fake.readFault = (method) => (method === SINGLE ? exchangeFailure(13028) : undefined);
      },
      undefined,
      [SINGLE],
    ],
    ["another account has signed in", (fake) => fake.becomeReady({ clientId: "key-2" }), undefined, []],
    [
      "another account signs in meanwhile",
      (fake) => {
        fake.put("O1", "filled");
        fake.readFault = () => {
          fake.becomeReady({ clientId: "key-2" });
          return undefined;
        };
      },
      undefined,
      [SINGLE],
    ],
  ];
  for (const [name, prepare, expected, read, isSeen] of rows) {
    test(name, async () => {
      const { verdict, reads } = await look(prepare, isSeen);
      assert.deepEqual([verdict, reads], [expected, read]);
    });
  }
  test("that fails leaves a line in the log", async () => {
    const { logged } = await look((fake) => {
      fake.readFault = () => exchangeFailure(13028);
    });
    assert.deepEqual(logged, ["order O1 could not be read after a refusal: exchange"]);
  });
});
