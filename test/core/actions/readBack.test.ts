import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Verdict } from "../../../src/actions/judge/outcome.ts";
import { createReadBackReconciler, type Shown } from "../../../src/actions/proof/readBack.ts";
import { identityKey } from "../../../src/actions/intent/situation.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createFakeSession, DEFAULT_IDENTITY, exchangeFailure } from "./fakeSession.ts";

const LOG = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const asBefore: Shown = { kind: "asBefore", state: "old" };
const timeout: Failure = { kind: "timeout", timeoutMs: 1 };

/** Plays readings in their order, the last one again and again; a failure is thrown. */
async function play(
  readings: readonly (Shown | Failure)[],
  minutes = 3,
  sleepMs = 0,
): Promise<{
  readonly verdicts: readonly Verdict[];
  readonly readAtMs: readonly number[];
  readonly askedAtMs: number;
}> {
  const clock = createFakeClock();
  const fake = createFakeSession(clock);
  fake.becomeReady();
  const startMs = clock.monotonicMs();
  const readAtMs: number[] = [];
  const verdicts: Verdict[] = [];
  let askedAtMs = 0;
  const reconciler = createReadBackReconciler({ session: fake.session, clock, log: LOG }, async () => {
    const reading = readings[Math.min(readAtMs.length, readings.length - 1)];
    readAtMs.push(clock.monotonicMs() - startMs);
    askedAtMs = clock.now();
    clock.sleep(sleepMs, "stops");
    if (reading === undefined || isFailure(reading)) throw new CallError(reading ?? timeout);
    return await Promise.resolve(reading);
  });
  const done = reconciler.verify({
    intent: {
      method: "private/edit_api_key",
      paramsText: "{}",
      words: { action: "", target: "", detail: [], keep: "" },
      origin: "view",
    },
    orderIds: [],
    isSeen: true,
    sentAtMs: startMs,
    sentAtWallMs: clock.now(),
    identity: identityKey(DEFAULT_IDENTITY),
    signal: new AbortController().signal,
    onRead: () => undefined,
    onVerdict: (verdict) => verdicts.push(verdict),
  });
  await clock.advance(minutes * 60_000);
  await done;
  return { verdicts, readAtMs, askedAtMs };
}

function isFailure(reading: Shown | Failure): reading is Failure {
  return !["asAsked", "asBefore", "never", "other", "gone", "barred"].includes(reading.kind);
}

const told = (verdicts: readonly Verdict[]): unknown[] =>
  verdicts.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => name !== "atMs")));

describe("what reading back proves", () => {
  test("what a read says is as old as its question, also where the computer slept before the response", async () => {
    const { verdicts, askedAtMs } = await play([{ kind: "other", state: "third" }], 3, 3_600_000);
    assert.deepEqual(verdicts, [{ kind: "other", state: "third", atMs: askedAtMs }]);
  });

  const cases: readonly [string, readonly (Shown | Failure)[], readonly unknown[]][] = [
    [
      "as asked, at once",
      [{ kind: "asAsked", state: "new" }],
      [{ kind: "applied", cause: undefined, isLate: false, state: "new" }],
    ],
    ["a different value, set elsewhere", [{ kind: "other", state: "third" }], [{ kind: "other", state: "third" }]],
    ["not there any more", [{ kind: "gone" }], [{ kind: "gone" }]],
    [
      "two readings as before: not yet, and unknown once the watch is over",
      [asBefore],
      [
        { kind: "notApplied", state: "old" },
        {
          kind: "unverified",
          reason: "It had no effect after 60 s of watching, but it may still take effect.",
        },
      ],
    ],
    [
      "two readings of what can't come any more",
      [{ kind: "never", state: "old" }],
      [{ kind: "notApplied", state: "old", isFinal: true }],
    ],
    [
      "as before, then as asked",
      [asBefore, { kind: "asAsked" }],
      [{ kind: "applied", cause: undefined, isLate: false }],
    ],
    [
      "late after all",
      [asBefore, asBefore, asBefore, { kind: "asAsked" }],
      [
        { kind: "notApplied", state: "old" },
        { kind: "applied", cause: undefined, isLate: true },
      ],
    ],
    [
      "changed elsewhere afterwards",
      [asBefore, asBefore, { kind: "other", state: "third" }],
      [
        { kind: "notApplied", state: "old" },
        { kind: "other", state: "third" },
      ],
    ],
    [
      "a reading fails, the next tells",
      [timeout, { kind: "asAsked" }],
      [{ kind: "applied", cause: undefined, isLate: false }],
    ],
    [
      "no reading succeeds",
      [timeout],
      [{ kind: "unverified", reason: "No response proved the outcome within 60 seconds." }],
    ],
    [
      "the server does not offer it",
      [exchangeFailure(-32601)],
      [
        {
          kind: "unverified",
          reason: "This server or API key doesn't support the read request that would show the outcome.",
        },
      ],
    ],
    [
      "the user refuses",
      [{ kind: "barred", reason: plain`Needs a code.` }],
      [{ kind: "unverified", reason: "Needs a code." }],
    ],
  ];
  for (const [name, readings, expected] of cases) {
    test(name, async () => {
      const { verdicts, readAtMs } = await play(readings);
      assert.deepEqual(told(verdicts), expected);
      assert.ok((readAtMs[0] ?? 0) >= 3000, "not before the exchange can have settled it");
      for (const [index, atMs] of readAtMs.entries())
        if (index > 0) assert.ok(atMs - (readAtMs[index - 1] ?? 0) >= 3000, "readings are well apart");
    });
  }
});
