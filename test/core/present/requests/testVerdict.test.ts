import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import {
  outputLines,
  testVerdict,
  type TestContext,
  type TestVerdict,
} from "../../../../src/present/requests/testVerdict.ts";
import { plain } from "../../../../src/base/plain.ts";
import { stepReport } from "../../../../src/cli/steps.ts";
import { responseDocument } from "../../../../src/present/requests/responseText.ts";
import { stepText } from "../../../../src/present/requests/runReport.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { planRun } from "../../../../src/requests/running/plan.ts";
import { createResults } from "../../../../src/requests/values/results.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { runPlan, type SequencePorts, type StepResult } from "../../../../src/requests/running/sequence.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";
import { createWorld } from "../../../world.ts";
import { responseOf, createFakeGate, errorOf } from "../../requests/fakeGate.ts";

const CONTEXT: TestContext = {
  environment: "test",
  connectionName: "main",
  times: createTimes(0),
  endedAtMs: Date.UTC(2026, 10, 20, 12, 4, 8),
  isBehindEnd: false,
  outOfReach: undefined,
};

/** What became of a file whose every request ends like this. */
async function steps(
  text: string,
  outcome: Outcome,
  more: Partial<SequencePorts> = {},
): Promise<readonly StepResult[]> {
  const results = createResults();
  const ports: SequencePorts = {
    gate: createFakeGate(outcome),
    environment: () => "test",
    connectionId: "c",
    fileName: "a.rpc.json",
    clock: createFakeClock(),
    variables: { uuid: () => "u" },
    results,
    ...more,
  };
  return await runPlan(planRun(scanRequests(text), { kind: "all" }, results), ports);
}

async function verdict(text: string, outcome: Outcome, more: Partial<TestContext> = {}): Promise<string> {
  const [step] = await steps(text, outcome);
  assert.ok(step !== undefined);
  return shown(testVerdict(step, { ...CONTEXT, ...more }), text);
}

function shown({ kind, messages, durationMs }: TestVerdict, file: string): string {
  const told = messages.map(({ text, comparison, range }) =>
    [
      text,
      comparison === undefined ? "" : `[${comparison.expected} | ${comparison.actual}]`,
      range === undefined ? "" : `‹${file.slice(range.start, range.end)}›`,
    ]
      .filter((part) => part !== "")
      .join(" "),
  );
  return [kind, ...(durationMs === undefined ? [] : [`${String(durationMs)} ms`]), ...told].join(" · ");
}

const confirmed = (bodyText: string): Outcome => ({
  kind: "confirmed",
  response: responseOf("public/test", bodyText, { result: JSON.parse(bodyText) }),
});
const READ = '{ "method": "public/test", "$run": { "expect": { "result": { "a": 1, "b": [true] } } } }';
const CANCEL =
  '{ "method": "private/cancel", "params": { "order_id": "X" }, "$run": { "expect": { "result": { "order_state": "cancelled" } } } }';

describe("the verdict of a test", () => {
  test("passed, with how long the response took", async () => {
    assert.equal(await verdict(READ, confirmed('{"a":1,"b":[true],"c":0}')), "passed · 43.2 ms");
  });

  test("failed: each comparison with both sides, at its place in the file", async () => {
    assert.equal(
      await verdict(READ, confirmed('{"a":2.0,"b":[false]}')),
      "failed · 43.2 ms · result.a: expected 1, got 2.0. [1 | 2.0] ‹1› · result.b[0]: expected true, got false. [true | false] ‹true›",
    );
  });

  test("a failed expectation has the same words in the Test Explorer, in both lenses, and in the terminal", async () => {
    const [result] = await steps(READ, confirmed('{"a":2.0,"b":[false]}'));
    assert.ok(result !== undefined);
    const [first, second] = ["result.a: expected 1, got 2.0.", "result.b[0]: expected true, got false."];
    assert.deepEqual(pluck(testVerdict(result, CONTEXT).messages, "text"), [first, second]);
    assert.match(stepText(result, 0, CONTEXT.times), /^✗ result\.a: expected 1, got 2\.0\. · and 1 more · /);
    const { failures, hints, tries, run } = result;
    const { lenses } = responseDocument({
      ...{ result: run, environment: "test", connectionName: "main", endedAtMs: 0, verdicts: [], times: CONTEXT.times },
      check: { isExpected: true, failures, hints, tries },
    });
    assert.ok(lenses.some(({ text }) => text === `✗ ${first} · and 1 more`));
    const report = stepReport(result, {
      ...{ file: scanRequests(READ), place: plain`TESTNET main`, times: CONTEXT.times, environment: "test" },
      ...{ refusalOf: () => undefined, isBehindFailure: false },
    });
    assert.deepEqual(pluck(report.failures, "message"), [first, second]);
  });

  test("an error where a result is expected fails with both sides", async () => {
    const { response, failure } = errorOf("private/cancel", 10004, "order_not_found");
    assert.match(
      await verdict(CANCEL, { kind: "rejected", response, failure }),
      /^failed · 43\.2 ms · result: expected .*, got an error: .*10004.* \[.*cancelled.* \| .*\] ‹\{ "order_state": "cancelled" \}›$/,
    );
  });

  test("an unknown outcome is an error, and says exactly that", async () => {
    const told = await verdict(CANCEL, {
      kind: "unknown",
      failure: { kind: "timeout", timeoutMs: 10_000 },
      response: undefined,
    });
    assert.match(told, /^errored · The outcome is unknown: the request may or may not have taken effect\. .*10/);
    assert.doesNotMatch(told, /expected/);
  });

  test("a read without a response is an error", async () => {
    assert.match(
      await verdict(READ, {
        kind: "failed",
        failure: { kind: "connectionLost", trouble: "silent", detail: "" },
        response: undefined,
      }),
      /^errored · (?!.*expected)/,
    );
  });

  test("what was not sent is an error, unless the user or the run left it out", async () => {
    assert.match(
      await verdict(
        '{ "method": "public/test", "params": { "x": "{{absent}}" }, "$run": { "expect": {} } }',
        confirmed("1"),
      ),
      /^errored · .*absent/,
    );
    assert.equal(
      await verdict(CANCEL, { kind: "notSent", failure: { kind: "declined" } }),
      "skipped · You chose not to send it. Nothing was sent.",
    );
    assert.match(
      await verdict(CANCEL, { kind: "notSent", failure: { kind: "stopped", wasSent: false } }),
      /^skipped · /,
    );
    assert.equal(
      await verdict(READ.replace('"expect"', '"skip": true, "expect"'), confirmed("1")),
      "skipped · Skipped by $run.skip.",
    );
    assert.match(
      await verdict('{ "method": "public/test", "params": { "x": "{{absent}}" } }', confirmed("1"), {
        isBehindEnd: true,
      }),
      /^skipped · /,
    );
    assert.equal(
      await verdict('{ "method": "public/test", "params": { "x": "{{absent}}" } }', confirmed("1"), {
        outOfReach: "Not now.",
      }),
      "skipped · Not now.",
    );
  });
});

describe("the output of a run", () => {
  test("the isolated orders that a mass cancel left are named", async () => {
    const response = responseOf("private/cancel_all", "2");
    const left = { kind: "confirmed", response, isolatedLeft: [plain`SOL · 5`] } as const;
    const [step] = await steps('{ "method": "private/cancel_all" }', left);
    assert.ok(step !== undefined);
    const lines: readonly string[] = outputLines(step, CONTEXT);
    assert.ok(
      lines.includes("    Isolated orders aren't covered and stay open: SOL · 5. Cancel them one by one in Orders."),
    );
  });

  test("has the first line of each response, what was not as expected, and nothing of the response itself", async () => {
    const [step] = await steps(READ, confirmed('{"a":2,"b":[true],"note":"CANARY"}'));
    assert.ok(step !== undefined);
    assert.deepEqual(outputLines(step, CONTEXT), [
      "✗ public/test · TESTNET main · ok · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
      "    result.a: expected 1, got 2.",
    ]);
  });

  test("no line can be forged, and no sign steers the terminal", async () => {
    const [step] = await steps(READ, confirmed('{"a":"x\\u001b[2J\\r\\ny","b":[true]}'));
    assert.ok(step !== undefined);
    for (const line of outputLines(step, CONTEXT))
      assert.deepEqual(
        Array.from(line).filter((character) => character < " "),
        [],
        line,
      );
  });

  test("on the simulator: reads that are needed come first, and what is behind a failure was not sent", async () => {
    const world = createWorld({ orders: 2 });
    await world.connect();
    const text = `[
      { "method": "private/get_open_orders", "$run": { "name": "open" } },
      { "method": "private/get_order_state", "params": { "order_id": "{{open.result[0].order_id}}" }, "$run": { "name": "state", "expect": { "result": { "order_state": "filled" } } } },
      { "method": "public/test", "$run": { "after": ["state"], "expect": { "ok": true } } }
    ]`;
    const results = createResults();
    const plan = planRun(scanRequests(text), { kind: "some", indexes: new Set([1, 2]) }, results);
    const lines: string[] = [];
    const running = runPlan(plan, {
      gate: world.live.gate,
      environment: () => world.live.environment,
      connectionId: "c",
      fileName: "a.rpc.json",
      clock: world.clock,
      variables: { uuid: () => "u" },
      results,
      onProgress: ({ result }) =>
        lines.push(
          ...outputLines(result, { ...CONTEXT, environment: world.live.environment, connectionName: world.live.name }),
        ),
    });
    await world.clock.advance(20_000);
    assert.equal((await running).length, 3);
    assert.match(lines[0] ?? "", /^✓ open · .* ok · .* · sent first$/);
    assert.match(lines[1] ?? "", /^✗ state · .* ok · /);
    assert.match(lines[2] ?? "", /^ {4}result\.order_state: expected "filled", got "open"\.$/);
    assert.match(lines[3] ?? "", /^– public\/test · not sent: An earlier request failed: state\. ?/);
  });
});
