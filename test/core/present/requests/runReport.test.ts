import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { runProgressText, runQuestion } from "../../../../src/present/requests/runQuestion.ts";
import { countRun, countsText, runReport, stepText } from "../../../../src/present/requests/runReport.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { planRun } from "../../../../src/requests/running/plan.ts";
import { createResults } from "../../../../src/requests/values/results.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { runPlan, type StepResult } from "../../../../src/requests/running/sequence.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";
import { responseOf, createFakeGate } from "../../requests/fakeGate.ts";

const times = createTimes(0);
const TEXT = `[
  { "method": "public/get_time", "$run": { "name": "time", "expect": { "result": 5 } } },
  { "method": "public/test", "$run": { "skip": true } },
  { "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 0.10 } }
]`;

async function run(bodyText: string): Promise<readonly StepResult[]> {
  const results = createResults();
  const gate = createFakeGate({ kind: "confirmed", response: responseOf("public/get_time", bodyText) });
  return await runPlan(planRun(scanRequests(TEXT), { kind: "all" }, results), {
    gate,
    fileName: "a.rpc.json",
    environment: () => "test",
    connectionId: "c",
    results,
    clock: createFakeClock(),
    variables: { uuid: () => "u" },
  });
}

describe("the document of a run", () => {
  test("a line for each request, then the responses with their digits", async () => {
    const results = await run("5");
    const { text, savedText } = runReport({
      results,
      file: scanRequests(TEXT),
      environment: "test",
      connectionName: "main",
      endedAtMs: Date.UTC(2026, 10, 20, 12, 4, 7),
      tookMs: 43,
      times,
    });
    assert.deepEqual(text.split("\n").slice(0, 4), [
      "// TESTNET main · 2 passed, 1 skipped · 43 ms · 12:04:07",
      "// ✓ time public/get_time · ok · 43 ms · line 2",
      "// – public/test · not sent · line 3",
      "//     Skipped by $run.skip.",
    ]);
    assert.match(text, /"amount": 0\.10/);
    assert.deepEqual(pluck(JSON.parse(savedText()) as { verdict: string }[], "verdict"), [
      "passed",
      "skipped",
      "passed",
    ]);
  });

  test("what was expected and did not come stands below its request; what came behind it was not sent", async () => {
    const results = await run("6");
    const { text } = runReport({
      results,
      file: scanRequests(TEXT),
      environment: "test",
      connectionName: "main",
      endedAtMs: 0,
      tookMs: 43,
      times,
    });
    assert.match(text, /^\/\/ TESTNET main · 0 passed, 1 failed, 1 not sent, 1 skipped/);
    assert.match(text, /\n\/\/ {5}result: expected 5, got 6\.\n/);
    assert.match(text, /\n\/\/ ⊘ private\/buy · not sent · line 4\n\/\/ {5}An earlier request failed: time\.\n/);
    assert.equal(countsText(countRun(results)), "0 passed, 1 failed, 1 not sent, 1 skipped");
  });

  test("the lens above a request: what became of it in a line", async () => {
    const [passed] = await run("5");
    const [failed] = await run("6");
    assert.ok(passed && failed);
    assert.equal(stepText(passed, 0, times), "✓ 43 ms · 12:04:07");
    assert.equal(stepText(failed, 0, times), "✗ result: expected 5, got 6. · 43 ms · 12:04:07");
  });
});

describe("before and during a run", () => {
  const preview = (text: string, tookMs = 0): ReturnType<typeof runQuestion> =>
    runQuestion({
      plan: planRun(scanRequests(text), { kind: "all" }, createResults()),
      fileName: "a.rpc.json",
      place: plain`TESTNET main`,
      tookMs,
      isConfirmed: () => false,
    });

  test("read requests need no confirmation", () => {
    assert.equal(
      preview(
        '[{ "method": "public/get_time" }, { "method": "public/test" }, { "method": "public/subscribe", "params": { "channels": ["a"] } }]',
      ),
      undefined,
    );
  });

  test("otherwise it is said how many change something, and which; the skipped ones are none of them", () => {
    assert.deepEqual(preview(TEXT, 61_000), {
      kind: "modal",
      message: "Send 2 requests from a.rpc.json to TESTNET main?",
      detail:
        "Includes requests that are not reads (1). Each one that needs confirmation is confirmed separately:\nLine 4: private/buy\nWith the exchange's rate limits, this takes at least 1 min.",
      confirm: "Send 2 Requests",
      keep: "Don't Send",
    });
  });

  test("a single change that has a confirmation of its own needs no other; two are named before", () => {
    const asked: string[] = [];
    const question = (text: string): ReturnType<typeof runQuestion> =>
      runQuestion({
        plan: planRun(scanRequests(text), { kind: "all" }, createResults()),
        ...{ fileName: "a.rpc.json", place: plain`TESTNET main`, tookMs: 0 },
        isConfirmed: (effect) => asked.push(effect) > 0,
      });
    const [read, write] = ['{ "method": "public/get_time" }', '{ "method": "private/buy", "params": {} }'];
    assert.equal(question(`[${read},${write}]`), undefined);
    assert.deepEqual(asked, ["write"]);
    const two = question(`[${read},${write},${write}]`);
    assert.match(two?.kind === "modal" ? two.detail : "", /^Includes requests that are not reads \(2\)\./);
  });

  test("ten are listed", () => {
    const question = preview(
      `[${Array.from({ length: 12 }, () => '{ "method": "private/cancel", "params": { "order_id": "E-1" } }').join(",")}]`,
    );
    assert.equal(question?.kind === "modal" ? question.detail.split("\n").at(-1) : undefined, "and 2 more");
  });

  test("progress says how long it will take once there is something to tell it by", () => {
    assert.equal(runProgressText({ done: 3, all: 100, passedMs: 60_000, leastMs: 0 }), "3 of 100");
    assert.equal(runProgressText({ done: 0, all: 1000, passedMs: 0, leastMs: 46_000 }), "0 of 1000 · about 46 s left");
    assert.equal(runProgressText({ done: 20, all: 100, passedMs: 10_000, leastMs: 0 }), "20 of 100 · about 40 s left");
    assert.equal(runProgressText({ done: 99, all: 100, passedMs: 10_000, leastMs: 0 }), "99 of 100");
  });
});
