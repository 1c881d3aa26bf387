import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createActivityList, type ActivityEntry, type ActivityList } from "../../../src/actions/journal/activity.ts";
import { checkedBefore } from "../../../src/actions/judge/check.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import type { Reconciler, ReconcileTask } from "../../../src/actions/proof/reconcile.ts";
import { createVerification, needsReading, type Verification } from "../../../src/actions/gate/verification.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { plain } from "../../../src/base/plain.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { aResponse, anOrder, exchangeFailure } from "./fakeSession.ts";

/* What is looked up after a write, what further writes have to wait for, and what a response that comes late adds. */

const CANCEL = "private/cancel";
const UNKNOWN: Outcome = { kind: "unknown", failure: { kind: "timeout", timeoutMs: 15_000 }, response: undefined };
const REFUSED: Outcome = {
  kind: "rejected",
  failure: exchangeFailure(10010),
  response: aResponse(CANCEL, 1, { error: exchangeFailure(10010) }),
};

function wish(method = CANCEL, params: object = { order_id: "O1" }, covers?: readonly string[]): Intent {
  const words = { action: plain`Cancel`, target: plain`it`, detail: [], keep: plain`Keep` };
  return {
    method,
    paramsText: JSON.stringify(params),
    words,
    origin: "palette",
    ...(covers === undefined ? {} : { covers: covers.map((orderId) => ({ orderId, target: orderId })) }),
  };
}

const ofAll = (covers: readonly string[]): Intent => wish("private/cancel_all", {}, covers);

interface World {
  readonly clock: FakeClock;
  readonly activity: ActivityList;
  readonly verification: Verification;
  /** The looks that were started, oldest first; one that is given up ends. */
  readonly tasks: ReconcileTask[];
  /** Ends a look. */
  readonly ends: (() => void)[];
  /** The single looks after a refusal. */
  readonly looks: ReconcileTask[];
  /** What a single look finds. */
  found: Verdict | undefined;
  /** Of the session that is ready. */
  generation: number;
  /** Kinds of what was kept. */
  readonly kept: string[];
  readonly logged: string[];
  /** Sends a write whose outcome is already known, and says its id. */
  send(outcome?: Outcome, intent?: Intent): string;
  entry(id: string): ActivityEntry;
  verdict(kind: "applied" | "notApplied" | "gone" | "unverified" | "filled" | "rejected"): Verdict;
  respondLate(wireId: number, method: string, body: Parameters<typeof aResponse>[2]): void;
  /** Fills the list with what is done, so that settled entries leave it. */
  forgetSettled(): void;
}

function aWorld({ isReadable = true } = {}): World {
  const clock = createFakeClock();
  const late = createEmitter<MaskedResponse>();
  const logged: string[] = [];
  const write = (message: string): void => {
    logged.push(message);
  };
  const log = { trace: write, debug: write, info: write, warn: write, error: write };
  const activity = createActivityList({ connectionId: "c1", clock, log });
  const tasks: ReconcileTask[] = [];
  const ends: (() => void)[] = [];
  const looks: ReconcileTask[] = [];
  const kept: string[] = [];
  const reconciler: Reconciler = {
    verify: async (task) =>
      await new Promise((resolve) => {
        tasks.push(task);
        ends.push(resolve);
        task.signal.addEventListener("abort", () => resolve());
      }),
    look: async (task) => {
      looks.push(task);
      return await Promise.resolve(world.found);
    },
  };
  const verification = createVerification({
    caller: { onLateResponse: late.event },
    generation: () => world.generation,
    clock,
    log,
    activity,
    reconcilerOf: () => (isReadable ? reconciler : undefined),
    record: (_write, { kind }) => {
      kept.push(kind);
    },
  });
  let wireId = 0;
  const world: World = {
    clock,
    activity,
    verification,
    tasks,
    ends,
    looks,
    found: undefined,
    generation: 1,
    kept,
    logged,
    send(outcome = UNKNOWN, intent = wish()) {
      const { id } = activity.start(intent, undefined);
      activity.update(id, { outcome, phase: "done" });
      verification.follow(
        {
          entryId: id,
          checked: checkedBefore(intent),
          isSeen: true,
          wireId: ++wireId,
          sentAtMs: clock.monotonicMs(),
          sentAtWallMs: clock.now(),
          identity: "me",
        },
        outcome,
      );
      return id;
    },
    entry: (id) => activity.find(id) ?? assert.fail("the entry has left the list"),
    verdict(kind) {
      const atMs = clock.now();
      if (kind === "applied") return { kind, atMs, cause: "user_request", isLate: false };
      if (kind === "notApplied") return { kind, atMs, state: "open" };
      if (kind === "gone") return { kind, atMs };
      return kind === "unverified" ? { kind, atMs, reason: "in vain" } : { kind: "other", atMs, state: kind };
    },
    respondLate: (id, method, body) => late.fire(aResponse(method, id, body)),
    forgetSettled() {
      for (let count = 0; count < 500; count++)
        activity.update(activity.start(wish(), undefined).id, {
          phase: "done",
          outcome: { kind: "notSent", failure: { kind: "declined" } },
        });
    },
  };
  return world;
}

describe("whether an outcome leaves something to be read", () => {
  const confirmed = (result: unknown): Outcome => ({
    kind: "confirmed",
    response: aResponse("private/cancel_all", 1, { result }),
  });
  const other = (state: string): Outcome => ({
    kind: "confirmedOther",
    state,
    response: aResponse(CANCEL, 1, { result: {} }),
  });
  const rows: readonly (readonly [string, Outcome, Intent, boolean])[] = [
    ["the outcome is unknown", UNKNOWN, wish(), true],
    ["it was refused", REFUSED, wish(), true],
    ["it was not sent", { kind: "notSent", failure: { kind: "declined" } }, wish(), false],
    ["it is cancelled", confirmed({}), wish(), false],
    ["as many are cancelled as were shown", confirmed(2), ofAll(["O1", "O2"]), false],
    ["fewer are cancelled than were shown", confirmed(1), ofAll(["O1", "O2"]), true],
    ["more are cancelled than were shown", confirmed(3), ofAll(["O1", "O2"]), true],
    ["the response has no number", confirmed({}), ofAll(["O1", "O2"]), true],
    ["the order is still open", other("open"), wish(), true],
    ["the order is filled", other("filled"), wish(), false],
    ["the order is rejected", other("rejected"), wish(), false],
    ["the key is not as it was wanted", other("enabled"), wish("private/edit_api_key", { id: 1 }), false],
  ];
  for (const [name, outcome, intent, expected] of rows) {
    test(`${name}: ${expected ? "yes" : "no"}`, () => {
      assert.equal(needsReading(outcome, checkedBefore(intent)), expected);
      const world = aWorld();
      world.send(outcome, intent);
      assert.equal(world.tasks.length + world.looks.length, expected ? 1 : 0);
    });
  }
});

describe("a look", () => {
  for (const [name, intent, orderIds] of [
    ["the order that was named", wish(), ["O1"]],
    ["those that were shown", ofAll(["O7", "O8"]), ["O7", "O8"]],
    ["none if the orders are unknown", wish("private/cancel_all", {}), []],
  ] as const) {
    test(`is about ${name}`, () => {
      const world = aWorld();
      world.send(UNKNOWN, intent);
      world.send(REFUSED, intent);
      assert.deepEqual(pluck([...world.tasks, ...world.looks], "orderIds"), [orderIds, orderIds]);
    });
  }

  test("that is under way is the one that whoever asks again waits for", async () => {
    const world = aWorld();
    const id = world.send();
    let isOver = false;
    const again = world.verification.checkAgain(id).then(() => {
      isOver = true;
    });
    await world.clock.settle();
    assert.deepEqual([world.tasks.length, isOver, world.entry(id).phase], [1, false, "verifying"]);
    world.tasks[0]?.onVerdict(world.verdict("applied"));
    await again;
    assert.deepEqual([world.entry(id).verdicts, world.entry(id).phase], [[world.verdict("applied")], "done"]);
  });

  test("in vain can be taken again", async () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("unverified"));
    world.ends[0]?.();
    await world.clock.settle();
    assert.equal(world.entry(id).phase, "done");
    void world.verification.checkAgain(id);
    assert.deepEqual([world.tasks.length, world.entry(id).phase], [2, "verifying"]);
  });

  test("in vain takes back nothing that an earlier one has proved", () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("gone"));
    void world.verification.checkAgain(id);
    world.tasks[1]?.onVerdict(world.verdict("unverified"));
    assert.deepEqual(
      [world.entry(id).verdicts, world.entry(id).phase, world.kept],
      [[world.verdict("gone")], "done", ["gone"]],
    );
  });

  test("that ends after its verdict changes nothing more", async () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("applied"));
    let changeCount = 0;
    world.activity.onDidChange(() => {
      changeCount++;
    });
    world.ends[0]?.();
    await world.clock.settle();
    assert.equal(changeCount, 0);
    assert.deepEqual(world.logged, [`intent ${id}: verdict applied`]);
  });

  test("takes the place of the one before it, and ends with the connection", async () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("gone"));
    void world.verification.checkAgain(id);
    await world.clock.settle();
    const found = world.tasks.map(({ signal }) => signal.aborted);
    assert.deepEqual(found, [true, false]);
    world.verification.dispose();
    assert.deepEqual(
      world.tasks.map(({ signal }) => signal.aborted),
      [true, true],
    );
  });

  test("that a late response ends does not wait any longer", async () => {
    const world = aWorld();
    const id = world.send();
    const again = world.verification.checkAgain(id);
    world.respondLate(1, CANCEL, { result: anOrder("O1", { order_state: "cancelled" }) });
    await again;
    assert.deepEqual([world.entry(id).outcome?.kind, world.entry(id).verdicts], ["confirmed", []]);
  });

  for (const [method, reason] of [
    ["private/buy", "No request can check this outcome."],
    [
      "public/exchange_token",
      "No request can check this. The connection signs in again with its API key and uses that key's account. A token of the other account may remain valid until it expires.",
    ],
  ] as const) {
    test(`where nothing reads ${method}: told at once, and again to whoever asks again`, async () => {
      const world = aWorld({ isReadable: false });
      const id = world.send(UNKNOWN, wish(method, {}));
      const verdict = { kind: "unverified", atMs: world.clock.now(), reason };
      assert.deepEqual([world.entry(id).verdicts, world.entry(id).phase], [[verdict], "done"]);
      const [told] = world.entry(id).verdicts;
      await world.verification.checkAgain(id);
      assert.deepEqual(world.entry(id).verdicts, [verdict]);
      assert.notEqual(world.entry(id).verdicts[0], told, "the same once more, in the place of the first");
    });
  }

  test("that comes to the same as an earlier one is kept where the user has asked, and takes its place", async () => {
    const world = aWorld();
    const id = world.send();
    const end = async (index: number): Promise<void> => {
      world.tasks[index]?.onVerdict(world.verdict("unverified"));
      world.ends[index]?.();
      await world.clock.settle();
    };
    await end(0);
    await world.clock.advance(1000);
    world.generation = 2;
    world.verification.lookAnew(id);
    await end(1);
    assert.deepEqual([world.kept, world.entry(id).verdicts.length, world.entry(id).phase], [["unverified"], 1, "done"]);
    void world.verification.checkAgain(id);
    await end(2);
    assert.deepEqual(
      [world.kept, world.entry(id).verdicts],
      [["unverified", "unverified"], [world.verdict("unverified")]],
    );
  });

  test("is made anew only in another generation of the session, and only of what is open and not being looked up", async () => {
    const world = aWorld();
    const id = world.send();
    const looks = (): number => {
      world.verification.lookAnew(id);
      return world.tasks.length;
    };
    world.generation = 2;
    assert.equal(looks(), 1, "a look is under way");
    world.tasks[0]?.onVerdict(world.verdict("unverified"));
    world.ends[0]?.();
    await world.clock.settle();
    assert.equal(looks(), 1, "it has ended in this generation");
    world.generation = 3;
    assert.equal(looks(), 2);
    world.tasks[1]?.onVerdict(world.verdict("applied"));
    world.ends[1]?.();
    await world.clock.settle();
    world.generation = 4;
    assert.equal(looks(), 2, "it is known");
    world.verification.lookAnew("another");
    assert.equal(world.tasks.length, 2);
  });

  test("may ask the user only while the user waits for it", () => {
    const world = aWorld();
    const id = world.send();
    const mayAsk = (): boolean | undefined => world.tasks[0]?.mayAsk?.();
    assert.equal(mayAsk(), false);
    void world.verification.checkAgain(id);
    assert.equal(mayAsk(), true);
    world.tasks[0]?.onVerdict(world.verdict("notApplied"));
    assert.equal(mayAsk(), false, "what is watched after the verdict asks for nothing");
  });

  test("of a write that leaves nothing to be read is none", async () => {
    const world = aWorld();
    await world.verification.checkAgain("c1/unknown");
    await world.verification.checkAgain(world.send({ kind: "notSent", failure: { kind: "declined" } }));
    assert.equal(world.tasks.length, 0);
  });
});

describe("after a refusal", () => {
  for (const [name, isReadable, found] of [
    ["an end state is told", true, "filled"],
    ["nothing to tell", true, undefined],
    ["nothing that reads it", false, undefined],
  ] as const) {
    test(name, async () => {
      const world = aWorld({ isReadable });
      world.found = found === undefined ? undefined : world.verdict(found);
      const id = world.send(REFUSED);
      world.activity.update(id, { phase: "verifying" });
      await world.clock.settle();
      assert.deepEqual(
        [world.entry(id).phase, world.entry(id).verdicts],
        ["done", world.found === undefined ? [] : [world.found]],
      );
      assert.deepEqual([world.tasks.length, world.looks.length], [0, isReadable ? 1 : 0]);
    });
  }
});

describe("what further writes on the same object wait for", () => {
  const ended = async (world: World, index: number): Promise<void> => {
    world.tasks[index]?.onVerdict(world.verdict("unverified"));
    world.ends[index]?.();
    await world.clock.settle();
  };
  const earlier = (world: World, orderId = "O1"): unknown => world.verification.earlierOn(`order ${orderId}`).state;

  test("the first read, or ten seconds, then the end of looking", async () => {
    const world = aWorld();
    world.send();
    assert.equal(earlier(world), "wait");
    await world.clock.advance(9_999);
    assert.equal(earlier(world), "wait");
    await world.clock.advance(1);
    assert.equal(earlier(world), "mayCancel");
    await ended(world, 0);
    assert.equal(earlier(world), "mayRepeat");
    world.send();
    assert.equal(earlier(world), "wait");
    world.tasks[1]?.onRead();
    assert.equal(earlier(world), "mayCancel");
    world.tasks[1]?.onVerdict(world.verdict("applied"));
    assert.equal(earlier(world), "mayRepeat");
  });

  test("another object is another matter", () => {
    const world = aWorld();
    world.send();
    world.send(UNKNOWN, wish(CANCEL, { order_id: "O2" }));
    assert.deepEqual(
      ["O1", "O2", "O3"].map((id) => earlier(world, id)),
      ["wait", "wait", "none"],
    );
  });

  test("what is found names the earlier change", () => {
    const world = aWorld();
    const intent = wish();
    world.send(UNKNOWN, intent);
    assert.deepEqual(world.verification.earlierOn("order O1"), { state: "wait", intent });
  });

  test("a proof ends it; that it does not show yet is none", async () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onRead();
    world.tasks[0]?.onVerdict(world.verdict("notApplied"));
    assert.deepEqual([earlier(world), world.entry(id).phase], ["mayCancel", "verifying"]);
    world.ends[0]?.();
    await world.clock.settle();
    assert.deepEqual([earlier(world), world.entry(id).phase], ["mayRepeat", "done"]);
    void world.verification.checkAgain(id);
    world.tasks[1]?.onVerdict(world.verdict("gone"));
    assert.equal(earlier(world), "none");
  });
});

describe("a write that has left the list", () => {
  async function forgotten(): Promise<{ readonly world: World; readonly id: string }> {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("gone"));
    world.forgetSettled();
    assert.equal(world.activity.find(id), undefined);
    return await Promise.resolve({ world, id });
  }
  test("is not looked up again, and nothing waits for it", async () => {
    const { world, id } = await forgotten();
    await world.verification.checkAgain(id);
    world.generation = 2;
    world.verification.lookAnew(id);
    assert.deepEqual([world.tasks.length, world.verification.earlierOn("order O1").state], [1, "none"]);
  });
  test("a late response adds nothing; a late application is kept", async () => {
    const { world } = await forgotten();
    world.respondLate(1, CANCEL, { result: anOrder("O1", { order_state: "cancelled" }) });
    assert.deepEqual(world.kept, ["gone"]);
    world.tasks[0]?.onVerdict(world.verdict("applied"));
    assert.deepEqual(world.kept, ["gone", "applied"]);
    world.tasks[0]?.onVerdict(world.verdict("unverified"));
    assert.deepEqual(world.kept, ["gone", "applied", "unverified"]);
    world.ends[0]?.();
    await world.clock.settle();
  });
});

describe("a response that comes late", () => {
  type Settled = Parameters<World["verdict"]>[0] | undefined;
  const order = (orderState: string): Parameters<typeof aResponse>[2] => ({
    result: anOrder("O1", { order_state: orderState }),
  });
  const refusal = { error: exchangeFailure(10010) };
  /** What had been found out, the response, then the outcome, the phase, what is added, and how many looks begin. */
  const rows: readonly (readonly [
    Settled,
    string,
    Parameters<typeof aResponse>[2],
    Outcome["kind"],
    ActivityEntry["phase"],
    unknown,
    number,
  ])[] = [
    [undefined, "cancelled", order("cancelled"), "confirmed", "done", undefined, 0],
    [undefined, "filled", order("filled"), "confirmedOther", "done", undefined, 0],
    [undefined, "still open", order("open"), "confirmedOther", "verifying", undefined, 1],
    [undefined, "refused", refusal, "rejected", "done", undefined, 1],
    [
      undefined,
      "of another order",
      { result: anOrder("O9", { order_state: "cancelled" }) },
      "unknown",
      "verifying",
      undefined,
      0,
    ],
    ["unverified", "cancelled", order("cancelled"), "confirmed", "done", undefined, 0],
    ["applied", "cancelled", order("cancelled"), "unknown", "done", undefined, 0],
    ["notApplied", "cancelled", order("cancelled"), "confirmed", "done", undefined, 0],
    [
      "filled",
      "cancelled",
      order("cancelled"),
      "unknown",
      "done",
      { kind: "applied", cause: undefined, isLate: true },
      0,
    ],
    [
      "gone",
      "cancelled",
      order("cancelled"),
      "unknown",
      "done",
      { kind: "applied", cause: undefined, isLate: true },
      0,
    ],
    ["applied", "filled", order("filled"), "unknown", "done", { kind: "other", state: "filled" }, 0],
    ["notApplied", "filled", order("filled"), "confirmedOther", "done", undefined, 0],
    ["rejected", "filled", order("filled"), "unknown", "done", { kind: "other", state: "filled" }, 0],
    ["filled", "filled", order("filled"), "unknown", "done", undefined, 0],
    ["notApplied", "still open", order("open"), "confirmedOther", "verifying", undefined, 1],
    ["applied", "still open", order("open"), "unknown", "done", undefined, 0],
    ["notApplied", "refused", refusal, "rejected", "done", undefined, 1],
    ["filled", "refused", refusal, "unknown", "done", undefined, 0],
  ];
  for (const [settled, name, body, outcome, phase, added, lookCount] of rows) {
    test(`${name}, after ${settled ?? "nothing"}: ${outcome}${added === undefined ? "" : ", amended"}`, async () => {
      const world = aWorld();
      const id = world.send();
      if (settled !== undefined) world.tasks[0]?.onVerdict(world.verdict(settled));
      const before = world.entry(id).verdicts;
      world.respondLate(1, CANCEL, body);
      await world.clock.settle();
      assert.deepEqual([world.entry(id).outcome?.kind, world.entry(id).phase], [outcome, phase]);
      assert.deepEqual(world.entry(id).verdicts, [
        ...before,
        ...(added === undefined ? [] : [{ ...(added as object), atMs: world.clock.now() }]),
      ]);
      assert.equal(world.tasks.length + world.looks.length, 1 + lookCount);
      // What the response has changed is looked up no longer.
      assert.equal(world.tasks[0]?.signal.aborted, outcome !== "unknown" || added !== undefined);
    });
  }

  test("is told in the log, and ends the look that the user has asked for", () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("gone"));
    void world.verification.checkAgain(id);
    assert.equal(world.entry(id).phase, "verifying");
    world.respondLate(1, CANCEL, order("cancelled"));
    assert.equal(world.entry(id).phase, "done");
    assert.deepEqual(world.logged, [
      `intent ${id}: verdict gone`,
      `intent ${id}: late response, confirmed`,
      `intent ${id}: verdict applied`,
    ]);
  });

  test("that refuses is looked up once, and is not over before", async () => {
    const world = aWorld();
    const id = world.send();
    world.respondLate(1, CANCEL, refusal);
    assert.equal(world.entry(id).phase, "verifying");
    await world.clock.settle();
    assert.equal(world.entry(id).phase, "done");
  });

  test("brings its secret to the place that was prepared for it", async () => {
    const world = aWorld();
    const taken: MaskedResponse[] = [];
    const intent = wish("private/reset_api_key", { id: 4 });
    const { id } = world.activity.start(intent, undefined);
    world.activity.update(id, { outcome: UNKNOWN, phase: "done" });
    world.verification.follow(
      {
        ...{ entryId: id, checked: checkedBefore(intent), isSeen: true, wireId: 5, identity: "me" },
        ...{ sentAtMs: 0, sentAtWallMs: 0 },
        place: {
          lines: [],
          take: async (response) => {
            taken.push(response);
            await Promise.resolve();
          },
          release: () => assert.fail("the secret has come"),
        },
      },
      UNKNOWN,
    );
    const key = { id: 4, client_id: "c", client_secret: "s", max_scope: "", timestamp: 1 };
    world.respondLate(5, "private/reset_api_key", { result: key });
    await world.clock.settle();
    assert.deepEqual(pluck(taken, "wireId"), [5]);
  });

  test("of an order that may be passed on to another venue is only acknowledged where it was known to be", () => {
    const placed = { order: anOrder("O1"), trades: [] };
    const isAcknowledged = (more: Partial<Intent>): unknown => {
      const world = aWorld();
      const { label, amount, price, instrument_name } = placed.order;
      const id = world.send(UNKNOWN, { ...wish("private/buy", { label, amount, price, instrument_name }), ...more });
      world.respondLate(1, "private/buy", { result: placed });
      const { outcome } = world.entry(id);
      assert.equal(outcome?.kind, "confirmed");
      return outcome.isAcknowledged;
    };
    assert.deepEqual([isAcknowledged({}), isAcknowledged({ isRouted: true })], [undefined, true]);
  });

  test("also corrects a verdict after the checks have ended", async () => {
    const world = aWorld();
    const id = world.send();
    world.tasks[0]?.onVerdict(world.verdict("gone"));
    world.ends[0]?.();
    await world.clock.settle();
    world.respondLate(1, CANCEL, order("cancelled"));
    assert.deepEqual(pluck(world.entry(id).verdicts, "kind"), ["gone", "applied"]);
  });

  test("settles what nothing reads", () => {
    const world = aWorld({ isReadable: false });
    const id = world.send(UNKNOWN, wish("private/invented", {}));
    world.respondLate(1, "private/invented", { result: {} });
    assert.equal(world.entry(id).outcome?.kind, "confirmed");
    world.verification.dispose();
  });

  test("belongs to one write: a response to another one changes nothing", () => {
    const world = aWorld();
    const ids = [world.send(), world.send(UNKNOWN, wish(CANCEL, { order_id: "O2" }))];
    world.respondLate(2, CANCEL, { result: anOrder("O2", { order_state: "cancelled" }) });
    world.respondLate(7, CANCEL, order("cancelled"));
    const found = ids.map((id) => world.entry(id).outcome?.kind);
    assert.deepEqual(found, ["unknown", "confirmed"]);
  });

  test("a number says less than what was found out of each order, and another number than was shown is looked up", () => {
    const world = aWorld();
    const id = world.send(UNKNOWN, ofAll(["O1"]));
    world.respondLate(1, "private/cancel_all", { result: 2 });
    assert.deepEqual(
      [world.entry(id).outcome?.kind, world.entry(id).phase, world.tasks.length],
      ["confirmed", "verifying", 2],
    );
    const other = world.send(UNKNOWN, ofAll(["O1"]));
    const several: Verdict = {
      kind: "several",
      atMs: 1,
      isLate: false,
      orders: [{ orderId: "O1", verdict: { kind: "gone", atMs: 1 } }],
    };
    world.tasks[2]?.onVerdict(several);
    world.respondLate(2, "private/cancel_all", { result: 1 });
    assert.deepEqual([world.entry(other).outcome?.kind, world.entry(other).verdicts], ["unknown", [several]]);
  });
});
