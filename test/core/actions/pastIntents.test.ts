import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { IntentNote } from "../../../src/actions/journal/journal.ts";
import { followPastIntents } from "../../../src/actions/connection/pastIntents.ts";
import type { RecordedIntent } from "../../../src/actions/journal/recordedIntents.ts";
import { identityKey } from "../../../src/actions/intent/situation.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { createFakeSession, DEFAULT_IDENTITY } from "./fakeSession.ts";
import { createGateWorld } from "./gateWorld.ts";

/* What an earlier window left is looked up by the gate of the next one, under the same account and by reading alone. */

const note: IntentNote = {
  askedAtMs: 1,
  connectionName: "main",
  environment: "test",
  identity: identityKey(DEFAULT_IDENTITY),
  clientId: "key-1",
  action: "Cancel Order",
  target: "ETH-PERPETUAL buy 40 @ 2100",
  targetId: "O1",
};

function left(more: Partial<RecordedIntent> = {}): RecordedIntent {
  return {
    id: "c1/earlier-1",
    connectionId: "c1",
    method: "private/cancel",
    paramsText: '{"order_id":"O1"}',
    note,
    writtenAtMs: 2,
    sentAtMs: undefined,
    wireId: undefined,
    outcome: { kind: "unknown", atMs: 3, failure: { kind: "programEnded" }, state: undefined, count: undefined },
    verdicts: [],
    isSetAside: false,
    holder: "here",
    isKept: true,
    ...more,
  };
}

describe("an intent that an ended window left", () => {
  for (const [state, verdict] of [
    ["cancelled", "applied"],
    ["open", "notApplied"],
    ["filled", "other"],
  ] as const) {
    test(`of an order that is ${state}: ${verdict}, by reading, and kept`, async () => {
      const world = createGateWorld();
      world.fake.put("O1", state);
      await world.gate.resume([left()]);
      assert.deepEqual(pluck(world.gate.activity, "id", "phase"), [["c1/earlier-1", "verifying"]]);
      await world.clock.advance(10_000);
      assert.deepEqual(pluck(world.entry().verdicts, "kind"), [verdict]);
      assert.deepEqual(
        world.journal.records.map(({ intentId, event, result, verdict: kept }) => [
          intentId,
          event,
          result,
          kept?.kind,
        ]),
        [["c1/earlier-1", "verdict", verdict, verdict]],
      );
      assert.deepEqual([world.fake.frames.length, world.questions.length], [0, 0]);
    });
  }

  const strangers: readonly (readonly [string, Partial<IntentNote>])[] = [
    ["another key", { identity: identityKey({ ...DEFAULT_IDENTITY, clientId: "key-2" }) }],
    ["another account of the same key", { userId: 2 }],
    ["the same key at another exchange", { server: "other.example" }],
  ];
  for (const [who, more] of strangers) {
    test(`by ${who} is left alone`, async () => {
      const world = createGateWorld({ userId: 1 });
      await world.gate.resume([left({ note: { ...note, ...more } })]);
      await world.clock.advance(60_000);
      assert.deepEqual([world.gate.activity.length, world.fake.reads.length, world.journal.records.length], [0, 0, 0]);
    });
  }

  test("by a token that says of whom it is only by the account's number is left alone where that is not known", async () => {
    const token = { authentication: "token", clientId: undefined } as const;
    const identity = identityKey({ ...DEFAULT_IDENTITY, ...token });
    for (const [userId, isLookedUp] of [
      [undefined, false],
      [1, true],
      [2, false],
    ] as const) {
      const world = createGateWorld({ ...token, userId });
      await world.gate.resume([left({ note: { ...note, identity, userId: 1 } })]);
      assert.equal(world.gate.activity.length > 0, isLookedUp, String(userId));
    }
    const nameless = createGateWorld(token);
    await nameless.gate.resume([left({ note: { ...note, identity } })]);
    assert.equal(nameless.gate.activity.length, 0, "unknown account numbers are not the same");
  });

  for (const [name, known, written] of [
    ["was not recorded", 1, undefined],
    ["is not known now", undefined, 1],
  ] as const) {
    test(`by a key whose account ${name} is that key's`, async () => {
      const world = createGateWorld(known === undefined ? {} : { userId: known });
      await world.gate.resume([left({ note: { ...note, ...(written === undefined ? {} : { userId: written }) } })]);
      assert.equal(world.gate.activity.length, 1);
    });
  }

  test("is left alone without a sign-in", async () => {
    const world = createGateWorld();
    world.fake.lose();
    await world.gate.resume([left()]);
    assert.deepEqual([world.gate.activity.length, world.logged], [0, []]);
  });

  test("is shown as it was confirmed, with the reason why its outcome is unknown", async () => {
    const covers = [{ orderId: "O1", target: "one" }];
    const before = { enabled: "true" };
    const timeout = { kind: "timeout", timeoutMs: 15_000 } as const;
    const world = createGateWorld();
    await world.gate.resume([
      left({ id: "bare", outcome: undefined, note: { ...note, target: "it" } }),
      left({
        id: "whole",
        note: { ...note, sentence: "Cancel the order", covers, before },
        outcome: { kind: "unknown", atMs: 3, failure: timeout, state: undefined, count: undefined },
      }),
    ]);
    const common = { method: "private/cancel", paramsText: '{"order_id":"O1"}', origin: "view" };
    const words = { action: "Cancel Order", target: "ETH-PERPETUAL buy 40 @ 2100", detail: [], keep: "" };
    assert.deepEqual(
      world.gate.activity.map(({ id, intent, outcome, startedAtMs, targetId }) => ({
        id,
        intent,
        outcome,
        startedAtMs,
        targetId,
      })),
      [
        {
          id: "bare",
          intent: { ...common, words: { ...words, target: "it" } },
          outcome: { kind: "unknown", failure: { kind: "programEnded" }, response: undefined },
          startedAtMs: 1,
          targetId: "O1",
        },
        {
          id: "whole",
          intent: { ...common, words: { ...words, sentence: "Cancel the order" }, covers, before },
          outcome: { kind: "unknown", failure: timeout, response: undefined },
          startedAtMs: 1,
          targetId: "O1",
        },
      ],
    );
  });

  /** Ms before now, then ms until the first read. */
  const times: readonly (readonly [string, number | undefined, number, number])[] = [
    ["long ago", 60_000, 70_000, 0],
    ["a second ago", 1_000, 90_000, 2_000],
    ["at an unknown time, recorded two seconds ago", undefined, 2_000, 1_000],
    ["in the future, by a clock that was put back", -60_000, 1_000, 3_000],
  ];
  for (const [name, sentAgoMs, writtenAgoMs, waitMs] of times) {
    test(`sent ${name}: the first read keeps its distance`, async () => {
      const world = createGateWorld();
      const nowMs = world.clock.now();
      await world.gate.resume([
        left({ sentAtMs: sentAgoMs === undefined ? undefined : nowMs - sentAgoMs, writtenAtMs: nowMs - writtenAgoMs }),
      ]);
      await world.clock.advance(Math.max(0, waitMs - 1));
      assert.equal(world.fake.reads.length > 0, waitMs === 0);
      await world.clock.advance(1);
      assert.ok(world.fake.reads.length > 0);
    });
  }

  for (const [name, seen, verdict] of [
    ["was", { isSeen: true }, "gone"],
    ["was never", {}, "unverified"],
  ] as const)
    test(`of an order that is not there, and ${name} seen: ${verdict}`, async () => {
      const world = createGateWorld();
      world.fake.orders.delete("O1");
      const phases: string[] = [];
      world.gate.onDidChangeActivity(({ phase }) => {
        phases.push(phase);
      });
      await world.gate.resume([left({ note: { ...note, ...seen } })]);
      await world.clock.advance(60_000);
      assert.deepEqual(pluck(world.entry().verdicts, "kind"), [verdict]);
      assert.deepEqual([...new Set(phases)], ["verifying", "done"]);
    });

  test("is not looked up again once it is known", async () => {
    const world = createGateWorld();
    world.fake.put("O1", "cancelled");
    await world.gate.resume([left()]);
    await world.clock.advance(20_000);
    const reads = world.fake.reads.length;
    await world.gate.resume([left()]);
    await world.clock.advance(20_000);
    assert.deepEqual([world.fake.reads.length, world.verdicts().length], [reads, 1]);
  });

  test("of a method that nothing reads is told so once, and stays unknown", async () => {
    const world = createGateWorld();
    const edit = left({ method: "private/edit_by_label", paramsText: "{}", note: { ...note, target: "mm-1" } });
    await world.gate.resume([edit]);
    world.fake.becomeReady();
    await world.gate.resume([edit]);
    await world.clock.advance(60_000);
    assert.deepEqual(pluck(world.journal.records, "event"), ["verdict"]);
    assert.deepEqual(world.verdicts(), [{ kind: "unverified", reason: "No request can check this outcome." }]);
  });

  test("is known when its order is to be changed again: the next cancel waits for the first look", async () => {
    const world = createGateWorld();
    void world.gate.resume([left()]);
    const outcome = await world.gate.submit(world.cancel());
    assert.equal(outcome.kind, "notSent");
    assert.equal(world.fake.frames.length, 0);
  });

  test("stands below what was done since", async () => {
    const world = createGateWorld();
    world.fake.put("O2", "open");
    await world.gate.submit(world.cancel("O2"));
    await world.gate.resume([left({ id: "younger" }), left({ id: "older" })]);
    const found = world.gate.activity.map(({ id }) => id.replace(/^c1\/.*/, "own"));
    assert.deepEqual(found, ["own", "younger", "older"]);
  });

  test("and could not be looked up before is looked up again after the next sign-in", async () => {
    const world = createGateWorld();
    world.fake.put("O1", "open");
    world.fake.readFault = () => ({ kind: "exchange", code: 13021, message: "forbidden" });
    await world.gate.resume([left()]);
    await world.clock.advance(120_000);
    assert.deepEqual(pluck(world.entry().verdicts, "kind"), ["unverified"]);
    world.fake.readFault = () => undefined;
    world.fake.put("O1", "cancelled");
    world.fake.becomeReady();
    await world.gate.resume([left()]);
    await world.clock.advance(20_000);
    assert.deepEqual(pluck(world.entry().verdicts, "kind"), ["unverified", "applied"]);
  });
});

describe("when it is looked for what others left", () => {
  test("at each sign-in and every 15 s while it lasts, not before and not after", async () => {
    const clock = createFakeClock();
    const fake = createFakeSession(clock);
    const { session } = fake;
    let asked = 0;
    const resumed: number[] = [];
    const following = followPastIntents({
      session,
      clock,
      connectionId: "c1",
      adopt: async () => {
        asked++;
        return await Promise.resolve([]);
      },
      resume: (intents) => {
        resumed.push(intents.length);
      },
    });
    await clock.advance(60_000);
    assert.equal(asked, 0);
    fake.becomeReady();
    await clock.settle();
    assert.deepEqual([asked, resumed.length], [1, 1]);
    await clock.advance(30_000);
    assert.equal(asked, 3);
    fake.lose();
    await clock.advance(60_000);
    assert.equal(asked, 3);
    fake.becomeReady();
    await clock.settle();
    following.dispose();
    await clock.advance(60_000);
    assert.deepEqual([asked, resumed.length], [4, 4]);
  });
});
