import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { anOrder, exchangeFailure, type Frame, type UnmaskedResponse } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";

/*
 * Reliability §4.7, rows F57 and F68–F72, for private/cancel: what happens before the send and while the outcome is
 * read. In every row the ledger holds at most one frame. The other rows are in core/fates; F73 and F71 stand in
 * gate.test.ts as well.
 */

interface Row {
  readonly name: string;
  /** What happens at the exchange when the frame arrives. */
  readonly onFrame: (world: GateWorld, frame: Frame, response: UnmaskedResponse) => void;
  /** What happens before, and after, over time. */
  readonly play: (world: GateWorld) => Promise<void>;
  /** Outcome, then verdicts, as they follow each other. */
  readonly expected: readonly unknown[];
}

const UNKNOWN = "unknown";
const applied = (more: object = {}): unknown => ({ kind: "applied", cause: "user_request", isLate: false, ...more });
const notApplied = { kind: "notApplied", state: "open" };
const watched = {
  kind: "unverified",
  reason: "The order was still open after 60 s of watching, but a late cancel is still possible.",
};
const gone = { kind: "gone" };
const unverified = (reason: string): unknown => ({ kind: "unverified", reason });
const NOT_SETTLED = "No response proved the outcome within 60 seconds.";

const apply = (world: GateWorld, frame: Frame): void =>
  world.fake.put(frame.orderId, "cancelled", { cancel_reason: "user_request" });

/** The link dies with the frame on its way, and is up again after a second. */
async function loseAndRecover(world: GateWorld): Promise<void> {
  await world.clock.settle();
  world.fake.lose();
  await world.clock.advance(1000);
  world.fake.becomeReady();
}

const drop = (): void => undefined;
const applyAndDrop = (world: GateWorld, frame: Frame): void => apply(world, frame);

const seedMethodsOnly =
  (code: number) =>
  (world: GateWorld): void => {
    world.fake.readFault = (method) => (method === "private/get_order_state" ? exchangeFailure(code) : undefined);
  };

const minutes = async (world: GateWorld, count = 3): Promise<void> => await world.clock.advance(count * 60_000);

async function recoverAndLook(world: GateWorld): Promise<void> {
  await loseAndRecover(world);
  await minutes(world);
}

/** The exchange does something with the frame after a while. */
const later =
  (delayMs: number, act: Row["onFrame"]): Row["onFrame"] =>
  (world, frame, response) => {
    world.clock.after(delayMs, () => act(world, frame, response));
  };

const ROWS: readonly Row[] = [
  {
    // A session forgets a call with the first late response to it; the gate does not rely on that.
    name: "F62 the late response comes twice",
    onFrame: (world, frame, response) => {
      world.fake.readFault = () => exchangeFailure(13028);
      apply(world, frame);
      for (const delayMs of [20_000, 21_000])
        world.clock.after(delayMs, () => response.result(world.fake.orders.get(frame.orderId)));
    },
    play: async (world) => await minutes(world),
    expected: [UNKNOWN, "confirmed"],
  },
  {
    name: "F68 reads fail and the link dies again: unverified after a minute, found out on demand",
    onFrame: applyAndDrop,
    play: async (world) => {
      world.fake.readFault = () => exchangeFailure(13028);
      await loseAndRecover(world);
      await world.clock.advance(9000);
      await loseAndRecover(world);
      await world.clock.advance(9000);
      await loseAndRecover(world);
      await world.clock.advance(38_999);
      assert.deepEqual(world.verdicts(), []);
      await world.clock.advance(1001);
      assert.deepEqual(world.verdicts(), [unverified(NOT_SETTLED)]);
      world.fake.readFault = () => undefined;
      const again = world.gate.checkAgain(world.entry().id);
      await world.clock.settle();
      await again;
    },
    expected: [UNKNOWN, unverified(NOT_SETTLED), applied()],
  },
  {
    name: "F68 the link stays away for an hour: the minute counts from its return",
    onFrame: applyAndDrop,
    play: async (world) => {
      await world.clock.settle();
      world.fake.lose();
      await minutes(world, 60);
      assert.deepEqual(world.verdicts(), []);
      assert.equal(world.entry().phase, "verifying");
      world.fake.becomeReady();
      await world.clock.advance(5000);
    },
    expected: [UNKNOWN, applied()],
  },
  {
    name: "F68 another account signs in: unverified",
    onFrame: applyAndDrop,
    play: async (world) => {
      await world.clock.settle();
      world.fake.lose();
      world.fake.becomeReady({ clientId: "key-2" });
      await world.clock.settle();
    },
    expected: [UNKNOWN, unverified("A different account is signed in now.")],
  },
  {
    name: "F68 another account signs in while the first read is awaited: nothing is read as that account",
    onFrame: applyAndDrop,
    play: async (world) => {
      await world.clock.settle();
      world.fake.lose();
      world.fake.becomeReady();
      await world.clock.advance(1000);
      world.fake.becomeReady({ clientId: "key-2" });
      await minutes(world);
      assert.deepEqual(world.fake.reads, []);
    },
    expected: [UNKNOWN, unverified("A different account is signed in now.")],
  },
  {
    name: "F68 the user disconnects: unverified",
    onFrame: applyAndDrop,
    play: async (world) => {
      await world.clock.settle();
      world.fake.lose();
      world.fake.setState({ status: "off" });
      await world.clock.settle();
    },
    expected: [UNKNOWN, unverified("The connection was closed.")],
  },
  {
    name: "F68 the session is locked: unverified",
    onFrame: applyAndDrop,
    play: async (world) => {
      await world.clock.settle();
      world.fake.lose();
      world.fake.setState({ status: "locked", failure: exchangeFailure(13004) });
      await world.clock.settle();
    },
    expected: [
      UNKNOWN,
      unverified("The connection is stopped, because signing in again needs your input. Use Connect… first."),
    ],
  },
  {
    name: "F68 the key may not read at all: unverified at once",
    onFrame: applyAndDrop,
    play: async (world) => {
      world.fake.readFault = () => exchangeFailure(13021);
      await loseAndRecover(world);
      await world.clock.advance(3000);
    },
    expected: [UNKNOWN, unverified("This API key isn't allowed to read orders.")],
  },
  {
    name: "F69 the list has it, its own state is cancelled, and still after a third read",
    onFrame: drop,
    play: async (world) => {
      world.fake.reported = { single: "cancelled", listed: true };
      await loseAndRecover(world);
      await world.clock.advance(8000);
      assert.deepEqual(world.fake.reads, [
        "private/get_order_state",
        "private/get_open_orders",
        "private/get_order_state",
      ]);
    },
    expected: [UNKNOWN, applied({ cause: undefined })],
  },
  {
    name: "F69 the list has it, its own state is cancelled, but open at the third read",
    onFrame: drop,
    play: async (world) => {
      world.fake.reported = { single: "cancelled", listed: true };
      await loseAndRecover(world);
      await world.clock.advance(3000);
      world.fake.reported = { single: "open", listed: true };
      await world.clock.advance(5000);
      assert.equal(world.fake.reads.length, 3);
      await minutes(world);
    },
    expected: [UNKNOWN, notApplied, watched],
  },
  {
    name: "F69 the list does not have it, its own state is open, and still after a third read",
    onFrame: drop,
    play: async (world) => {
      world.fake.reported = { single: "open", listed: false };
      await loseAndRecover(world);
      await world.clock.advance(9000);
      assert.equal(world.fake.reads.length, 3);
      await minutes(world);
    },
    expected: [UNKNOWN, notApplied, watched],
  },
  ...[-32601, 13021].flatMap((code): Row[] => [
    {
      name: `F70 only the list can be read (${String(code)}), the order is gone`,
      onFrame: applyAndDrop,
      play: async (world) => {
        seedMethodsOnly(code)(world);
        await loseAndRecover(world);
        await world.clock.advance(2000);
        assert.deepEqual(world.verdicts(), []);
        await world.clock.advance(3000);
        assert.deepEqual(world.fake.reads.slice(1), ["private/get_open_orders", "private/get_open_orders"]);
      },
      expected: [UNKNOWN, gone],
    },
    {
      name: `F70 only the list can be read (${String(code)}), the order is there`,
      onFrame: drop,
      play: async (world) => {
        seedMethodsOnly(code)(world);
        await loseAndRecover(world);
        await minutes(world);
      },
      expected: [UNKNOWN, notApplied, watched],
    },
    {
      name: `F70 only the list can be read (${String(code)}), the order goes later`,
      onFrame: later(20_000, apply),
      play: async (world) => {
        seedMethodsOnly(code)(world);
        await loseAndRecover(world);
        await minutes(world);
      },
      expected: [UNKNOWN, notApplied, gone],
    },
  ]),
  {
    name: "F70 only the order itself can be read, and it is cancelled",
    onFrame: applyAndDrop,
    play: async (world) => {
      world.fake.readFault = (method) => (method === "private/get_open_orders" ? exchangeFailure(13021) : undefined);
      await loseAndRecover(world);
      await minutes(world);
    },
    expected: [UNKNOWN, applied()],
  },
  {
    name: "F70 only the order itself can be read, and it is open",
    onFrame: drop,
    play: async (world) => {
      world.fake.readFault = (method) => (method === "private/get_open_orders" ? exchangeFailure(13021) : undefined);
      await loseAndRecover(world);
      await minutes(world);
    },
    expected: [UNKNOWN, unverified("This API key isn't allowed to read orders.")],
  },
  {
    name: "F70 the server forgot the order: gone",
    onFrame: (world, frame) => {
      world.fake.orders.delete(frame.orderId);
    },
    play: recoverAndLook,
    expected: [UNKNOWN, gone],
  },
];

describe("a cancel in flight", () => {
  for (const { name, onFrame, play, expected } of ROWS) {
    test(name, async () => {
      const world = createGateWorld();
      world.fake.onFrame = (frame, response) => onFrame(world, frame, response);
      const outcomes: string[] = [];
      world.gate.onDidChangeActivity(({ outcome }) => {
        const word = outcome?.kind === "confirmedOther" ? `confirmedOther ${outcome.state}` : outcome?.kind;
        if (word !== undefined && outcomes.at(-1) !== word) outcomes.push(word);
      });
      const started = world.start();
      await play(world);
      assert.deepEqual([...outcomes, ...world.verdicts()], expected);
      assert.equal(world.entry().phase, "done");
      assert.equal(started.outcome?.kind, (expected[0] as string).split(" ")[0]);
      assert.equal(world.fake.frames.length, 1);
      assert.equal(
        world.logged.some((line) => line.includes("contradict")),
        name.startsWith("F69"),
      );
      // "Cancelled" only where the exchange says so.
      const isCancelled = world.fake.orders.get("O1")?.order_state === "cancelled";
      if (!isCancelled && name.slice(0, 3) !== "F69" && !name.includes("another order"))
        assert.ok(!world.verdicts().some((verdict) => (verdict as { kind: string }).kind === "applied"));
      const written = world.journal.records.filter(({ event }) => event === "verdict").map(({ result }) => result);
      const recorded = world.journal.records.filter(({ event }) => event === "outcome").map(({ result }) => result);
      assert.deepEqual(
        recorded,
        outcomes.map((word) => word.split(" ")[0]),
      );
      assert.deepEqual(
        written,
        world.verdicts().map((verdict) => (verdict as { kind: string }).kind),
      );
    });
  }
});

describe("timing of the reads", () => {
  test("the first is 3 s after the send at the earliest, the next 3 s later", async () => {
    const world = createGateWorld();
    world.fake.onFrame = drop;
    world.start();
    await loseAndRecover(world);
    await world.clock.advance(1999);
    assert.equal(world.fake.reads.length, 0);
    await world.clock.advance(1);
    assert.equal(world.fake.reads.length, 1);
    await world.clock.advance(2999);
    assert.equal(world.fake.reads.length, 1);
    await world.clock.advance(1);
    assert.equal(world.fake.reads.length, 2);
    assert.deepEqual(world.verdicts(), [notApplied]);
  });
  test("failing reads are spaced, not spun", async () => {
    const world = createGateWorld();
    world.fake.onFrame = drop;
    world.fake.readFault = () => exchangeFailure(13028);
    world.start();
    await loseAndRecover(world);
    await minutes(world);
    assert.ok(world.fake.reads.length <= 20, String(world.fake.reads.length));
  });
  test("nothing is left running", async () => {
    const world = createGateWorld();
    world.fake.onFrame = drop;
    world.start();
    await loseAndRecover(world);
    await minutes(world);
    assert.equal(world.clock.pendingTimers, 0);
  });
});

describe("several writes without a response", () => {
  test("a late response settles the one it belongs to", async () => {
    const world = createGateWorld();
    world.fake.put("O2", "open");
    world.fake.readFault = () => exchangeFailure(13028);
    world.fake.onFrame = (frame, response) => {
      if (frame.orderId === "O2")
        world.clock.after(20_000, () => response.result({ ...anOrder("O2"), order_state: "cancelled" }));
    };
    world.start(world.cancel("O1"));
    world.start(world.cancel("O2"));
    await world.clock.advance(21_000);
    const outcomes = new Map(world.gate.activity.map((entry) => [entry.targetId, entry.outcome?.kind]));
    assert.deepEqual([outcomes.get("O1"), outcomes.get("O2")], ["unknown", "confirmed"]);
  });

  test("what one server did not offer is tried again with the next link", async () => {
    const world = createGateWorld();
    world.fake.onFrame = drop;
    seedMethodsOnly(-32601)(world);
    world.start();
    await loseAndRecover(world);
    await minutes(world);
    world.fake.readFault = () => undefined;
    world.fake.put("O2", "open");
    world.fake.onFrame = (frame) => apply(world, frame);
    world.start(world.cancel("O2"));
    await loseAndRecover(world);
    await minutes(world);
    assert.deepEqual(world.verdicts(0), [applied()]);
  });
});

describe("a link that dies before the send (F57)", () => {
  test("leaves nothing sent, also after it is back", async () => {
    const world = createGateWorld();
    world.onAppend = async ({ event }) => {
      if (event === "intent") world.fake.lose();
      await Promise.resolve();
    };
    const started = world.start();
    await world.clock.settle();
    world.fake.becomeReady();
    await minutes(world);
    assert.deepEqual(started.outcome, { kind: "notSent", failure: { kind: "notConnected" } });
    assert.equal(world.fake.frames.length, 0);
  });
  test("and is back already when it would be sent", async () => {
    const world = createGateWorld();
    world.onAppend = async ({ event }) => {
      if (event === "intent") {
        world.fake.lose();
        world.fake.becomeReady();
      }
      await Promise.resolve();
    };
    assert.deepEqual(await world.gate.submit(world.cancel()), {
      kind: "notSent",
      failure: { kind: "situationChanged", changed: "connection" },
    });
    assert.equal(world.fake.frames.length, 0);
  });
});

describe("fifty cancels pending (F72)", () => {
  for (const [name, isSingleOffered] of [
    ["each order can be read", true],
    ["only the list can be read", false],
  ] as const) {
    test(`half carried out, link lost; ${name}`, async () => {
      const world = createGateWorld();
      const ids = Array.from({ length: 50 }, (_, index) => `O${String(index + 1)}`);
      for (const id of ids) world.fake.put(id, "open");
      const isApplied = (id: string): boolean => Number(id.slice(1)) % 2 === 0;
      world.fake.onFrame = (frame) => {
        if (isApplied(frame.orderId)) apply(world, frame);
      };
      if (!isSingleOffered) seedMethodsOnly(-32601)(world);
      const { intents, describe: words } = world.cancelAll(ids);
      const all = world.gate.submitAll(intents, words);
      await loseAndRecover(world);
      assert.deepEqual(new Set((await all).map((outcome) => outcome.kind)), new Set(["unknown"]));
      await world.clock.advance(10_000);
      const kinds = new Map(world.gate.activity.map((entry) => [entry.targetId, entry.verdicts[0]?.kind]));
      assert.deepEqual(
        ids.map((id) => kinds.get(id)),
        ids.map((id) => (isApplied(id) ? (isSingleOffered ? "applied" : "gone") : "notApplied")),
      );
      assert.equal(world.fake.frames.length, 50);
      const lists = world.fake.reads.filter((method) => method === "private/get_open_orders").length;
      assert.ok(lists <= 4, `${String(lists)} lists were read`);
    });
  }
});
