import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Gate } from "../../../../src/actions/gate/gate.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { RATE_BUDGETS } from "../../../../src/catalogue/rates.ts";
import { estimateMs, planRun, type Wanted } from "../../../../src/requests/running/plan.ts";
import { environmentVariables, readEnvironmentFile } from "../../../../src/requests/values/environmentFile.ts";
import { createResults, type Results } from "../../../../src/requests/values/results.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import {
  runPlan,
  stoppingText,
  type SequencePorts,
  type StepResult,
} from "../../../../src/requests/running/sequence.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";
import { createWorld, type World } from "../../../world.ts";
import { responseOf, errorOf } from "../fakeGate.ts";
import { testInFull } from "../../../sizes.ts";

interface Running {
  readonly steps: Promise<readonly StepResult[]>;
  readonly results: Results;
}

type More = Partial<SequencePorts> & { readonly wanted?: Wanted };

/** Starts a run of a file over the simulator; the test moves the time. */
function start(world: World, text: string, { wanted = { kind: "all" }, ...more }: More = {}): Running {
  const results = more.results ?? createResults();
  const { live, clock } = world;
  const ports: SequencePorts = {
    gate: live.gate,
    environment: () => live.environment,
    connectionId: "c",
    fileName: "a.rpc.json",
    clock,
    variables: { uuid: () => "u" },
    ...more,
    results,
  };
  return { results, steps: runPlan(planRun(scanRequests(text), wanted, results), ports) };
}

async function run(
  world: World,
  text: string,
  more: More = {},
): Promise<{ readonly steps: readonly StepResult[]; readonly results: Results }> {
  const { steps, results } = start(world, text, more);
  await world.clock.advance(20_000);
  return { steps: await steps, results };
}

async function open(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld({ orders: 5, ...options });
  await world.connect();
  world.exchange.control.clearRecords();
  return world;
}

function verdicts(steps: readonly StepResult[]): string {
  return steps.map(({ verdict, run: { outcome } }) => `${verdict}:${outcome.kind}`).join(" ");
}

/** Why a step was not sent. */
function reason(step: StepResult | undefined): string {
  assert.ok(step?.run.outcome.kind === "notSent");
  const { failure } = step.run.outcome;
  return failure.kind === "refused" ? failure.reason : failure.kind;
}

interface SentFrame {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What the exchange received of these methods. */
function received({ exchange }: World, ...methods: string[]): SentFrame[] {
  return exchange.control
    .ledger()
    .flatMap(({ method, text }) =>
      method !== undefined && methods.includes(method)
        ? [{ method, text, params: (JSON.parse(text) as { params: Record<string, unknown> }).params }]
        : [],
    );
}

const OPEN = '{ "method": "private/get_open_orders", "$run": { "name": "open" } }';
const STATE =
  '{ "method": "private/get_order_state", "params": { "order_id": "{{open.result[1].order_id}}" }, "$run": { "name": "state" } }';
const CANCEL =
  '{ "method": "private/cancel", "params": { "order_id": "{{open.result[0].order_id}}" }, "$run": { "name": "gone", "expect": { "result": { "order_state": "cancelled", "order_id": "{{open.result[0].order_id}}" } } } }';

describe("a run of a file on the simulator", () => {
  test("takes from responses, changes what it was asked to and compares", async () => {
    const world = await open();
    const { steps, results } = await run(world, `[${OPEN}, ${STATE}, ${CANCEL}]`);
    assert.equal(verdicts(steps), "passed:confirmed passed:confirmed passed:confirmed");
    const ids = received(world, "private/get_order_state", "private/cancel").map(({ params }) => params["order_id"]);
    assert.deepEqual(ids, [idOf(steps[0], 1), idOf(steps[0], 0)]);
    assert.equal(world.exchange.control.openOrders().length, 4);
    assert.deepEqual(pluck(results.all, "name"), ["open", "state", "gone"]);
    assert.deepEqual(
      steps[1]?.used.map(({ found }) => found.source),
      [{ kind: "result", name: "open" }],
    );
    assert.equal(world.questions.length, 0);
  });

  test("a label of a response that looks like a placeholder arrives as it is, whatever variable has its name", async () => {
    const world = await open();
    const label = String.raw`{{desk_note}} \{{desk_note}}`;
    const { steps } = await run(
      world,
      `[{ "$file": { "vars": { "desk_note": "SECRET NOTE" } }, "method": "private/cancel_by_label", "params": { "label": "{{$ask.Label}}" } }]`,
      { ask: async () => await Promise.resolve(JSON.stringify(label)) },
    );
    assert.equal(verdicts(steps), "passed:confirmed");
    const found = received(world, "private/cancel_by_label").map(({ params }) => params["label"]);
    assert.deepEqual(found, [label]);
  });

  test("a value that was hidden is not sent, and its place is told", async () => {
    const world = await open();
    const results = createResults();
    results.set({
      name: "made",
      atMs: 0,
      bodyText: '{"client_secret":"‹hidden›"}',
      isError: false,
      environment: "simulator",
      connectionId: "c",
    });
    const { steps } = await run(
      world,
      '{ "method": "private/cancel_by_label", "params": { "label": "{{made.result.client_secret}}" } }',
      { results },
    );
    assert.equal(
      reason(steps[0]),
      "Line 1, column 62: The value of made.result.client_secret contains a hidden secret, so it can't be sent.",
    );
    const literal = await run(world, '{ "method": "private/cancel_by_label", "params": { "label": "‹hidden›" } }');
    assert.equal(
      reason(literal.steps[0]),
      "Line 1, column 61: label contains ‹hidden› instead of a secret, so it can't be sent.",
    );
    assert.deepEqual(received(world, "private/cancel_by_label"), []);
  });

  test("a read that another takes from runs by itself, once for all that need it", async () => {
    const world = await open();
    const { steps } = await run(world, `[${OPEN}, ${STATE}, ${STATE.replace('"state"', '"again"')}]`, {
      wanted: { kind: "from", index: 1 },
    });
    assert.equal(verdicts(steps), "passed:confirmed passed:confirmed passed:confirmed");
    assert.equal(received(world, "private/get_open_orders").length, 1);
    const found = steps.map(({ step }) => step.isImplicit);
    assert.deepEqual(found, [true, false, false]);
  });

  test("what changes something never runs by itself, and nothing that stands behind is sent", async () => {
    const world = await open();
    const { steps } = await run(
      world,
      `[${CANCEL.replace("{{open.result[0].order_id}}", "x")}, { "method": "private/get_order_state", "params": { "order_id": "{{gone.result.order_id}}" } }, ${OPEN}]`,
      { wanted: { kind: "from", index: 1 } },
    );
    assert.equal(verdicts(steps), "notSent:notSent notSent:notSent");
    assert.match(
      reason(steps[0]),
      /^This request needs the result of gone, a write request that is never run automatically/,
    );
    assert.equal(reason(steps[1]), "An earlier request failed: private/get_order_state.");
    assert.deepEqual(received(world, "private/cancel", "private/get_order_state", "private/get_open_orders"), []);
  });

  test("an old response is used and said to be old; in the same run a fresh one takes its place", async () => {
    const world = await open();
    const { results } = await run(world, OPEN);
    await world.clock.advance(120_000);
    const { steps } = await run(world, `[${OPEN}, ${STATE}]`, { results, wanted: { kind: "one", index: 1 } });
    assert.deepEqual(pluck(steps, "hints"), [["The response used from open is 140 s old."]]);
    assert.deepEqual(pluck((await run(world, `[${OPEN}, ${STATE}]`, { results })).steps, "hints"), [[], []]);
  });

  test("an error that is expected passes, one that is not ends the run", async () => {
    const world = await open();
    const wrong = (expect: object): string =>
      JSON.stringify({ method: "private/get_order_state", params: { order_id: "absent" }, $run: { expect } });
    assert.equal(
      verdicts(
        (await run(world, `[${wrong({ ok: false, error: { code: 10004, "message~": "not_found" } })}, ${OPEN}]`)).steps,
      ),
      "passed:rejected passed:confirmed",
    );
    const { steps } = await run(
      world,
      `[${wrong({ error: { code: 10010 } })}, { "method": "private/cancel", "params": { "order_id": "absent" } }]`,
    );
    assert.equal(verdicts(steps), "failed:rejected notSent:notSent");
    const found = steps[0]?.failures.map(({ message }) => message);
    assert.deepEqual(found, ["error.code: expected 10010, got 10004."]);
  });

  test("continueOnFailure goes on; what needs a response that is missing is not sent, whatever was answered before", async () => {
    const world = await open();
    const { results } = await run(world, OPEN);
    world.exchange.control.setFault({ method: "private/get_open_orders", response: { code: 11051 } });
    const text = `[{ "method": "private/get_open_orders", "$run": { "name": "open", "continueOnFailure": true } }, { "method": "private/get_order_state", "params": { "order_id": "{{open.result[0].order_id}}" }, "$run": { "continueOnFailure": true } }, { "method": "public/get_time" }]`;
    const { steps } = await run(world, text, { results });
    assert.equal(verdicts(steps), "failed:rejected notSent:notSent passed:confirmed");
    assert.equal(results.get("open")?.isError, true);
    world.exchange.control.setFault({ method: "private/get_open_orders", response: "none" });
    await run(world, OPEN);
    const { steps: unanswered } = await run(
      world,
      text.replace('"name": "open",', '"name": "open", "expect": { "ok": true },'),
      { results, mayWrite: () => assert.fail("a read needs no confirmation") },
    );
    assert.equal(verdicts(unanswered), "passed:confirmed passed:confirmed passed:confirmed");
  });

  test("what has no value is told with its line and column, that of the parameters before that of a variable", async () => {
    const world = await open();
    const text =
      '{\n  "method": "public/test",\n  "$run": { "vars": { "made": "{{deep}}" } },\n  "params": { "a": "{{gone}}",\n    "b": "{{made}}", "c": "{{gone}}" }\n}';
    const { steps } = await run(world, text);
    assert.deepEqual(steps.map(reason), [
      "Line 4, column 21: gone has no value here. Line 5, column 11: made: deep has no value here.",
    ]);
  });

  test("what got no response has none left, and what was refused is not answered by an older response", async () => {
    const world = await open();
    const { results } = await run(world, `[${OPEN}, ${CANCEL}]`);
    world.exchange.control.setFault({ method: "private/get_open_orders", response: "none" });
    await run(world, OPEN, { results });
    assert.deepEqual(pluck(results.all, "name"), ["gone"]);
    const { steps } = await run(
      world,
      `[{ "method": "private/cancel", "params": { "order_id": "x" }, "$run": { "name": "gone", "continueOnFailure": true } }, { "method": "private/get_order_state", "params": { "order_id": "{{gone.result.order_id}}" } }]`,
      { results, mayWrite: () => "Writes are not allowed." },
    );
    assert.deepEqual(steps.map(reason), [
      "Writes are not allowed.",
      "Line 1, column 184: This request needs the result of gone, but there is none yet. Send that request first, or use Send All.",
    ]);
    assert.ok(results.get("gone") !== undefined);
  });

  test("a skipped request is told as skipped and holds nothing up", async () => {
    const world = await open();
    assert.equal(
      verdicts((await run(world, `[{ "method": "private/cancel_all", "$run": { "skip": true } }, ${OPEN}]`)).steps),
      "skipped:notSent passed:confirmed",
    );
    assert.deepEqual(received(world, "private/cancel_all"), []);
  });

  test("a secret of a response is in no named result", async () => {
    const world = await open();
    const canary = "CANARY-7f3a-secret";
    world.exchange.control.setFault({
      method: "private/list_api_keys",
      mutate: { how: "result", value: [{ id: 1, client_secret: canary, name: "k" }] },
    });
    const { steps, results } = await run(
      world,
      '{ "method": "private/list_api_keys", "$run": { "name": "keys", "expect": { "result": [{ "name": "other" }] } } }',
    );
    assert.ok(results.get("keys") !== undefined);
    assert.doesNotMatch(JSON.stringify(results.all), new RegExp(canary));
    assert.doesNotMatch(JSON.stringify(steps.map(({ failures }) => failures)), new RegExp(canary));
  });

  test("F109: a file that was edited while the question was open is not sent", async () => {
    let isUnchanged = true;
    const world = await open({
      declared: "test",
      answer: () => {
        isUnchanged = false;
        return true;
      },
    });
    const { steps } = await run(
      world,
      '[{ "method": "private/cancel_all", "$run": { "note": "All of them.\\n\\u202EOK" } }, { "method": "public/get_time" }]',
      { isUnchanged: () => isUnchanged },
    );
    assert.equal(verdicts(steps), "notSent:notSent notSent:notSent");
    assert.equal(reason(steps[0]), "situationChanged");
    assert.deepEqual(received(world, "private/cancel_all", "public/get_time"), []);
    assert.match(JSON.stringify(world.questions), /The file says: All of them\.\\\\u000A\\\\u202EOK/);
  });

  test("F110: the link dies at the second of three, a cancel: unknown, and the third is not sent", async () => {
    const world = await open();
    world.exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: "none", link: "reset" });
    const { steps } = await run(world, `[${OPEN}, ${CANCEL}, { "method": "public/get_currencies" }]`);
    assert.equal(verdicts(steps), "passed:confirmed failed:unknown notSent:notSent");
    assert.equal(reason(steps[2]), "An earlier request failed: gone.");
    assert.equal(received(world, "private/cancel").length, 1);
    assert.deepEqual(received(world, "public/get_currencies"), []);
    assert.ok((steps[1]?.run.activityId ?? "") !== "");
  });

  test("F114: after Stop nothing more is sent; the cancel that was sent is waited for", async () => {
    const world = await open();
    world.exchange.control.setFault({ method: "private/cancel", holdMs: 5000 });
    const stop = new AbortController();
    const { steps } = start(world, `[${OPEN}, ${CANCEL}, { "method": "public/get_time" }]`, { stop: stop.signal });
    await world.clock.advance(2000);
    assert.equal(received(world, "private/cancel").length, 1);
    stop.abort();
    await world.clock.advance(20_000);
    const ended = await steps;
    assert.equal(verdicts(ended), "passed:confirmed passed:confirmed notSent:notSent");
    assert.equal(reason(ended[2]), "stopped");
    assert.deepEqual(received(world, "public/get_time"), []);
    assert.match(stoppingText(true), /can't be taken back\. Trading RPC still waits for its outcome\.$/);
  });

  testInFull("1,000 reads keep the exchange's limits: no 10028, and about as long as was said", async () => {
    const world = await open({ limits: true, clientLimits: "exchange" });
    await world.clock.advance(60_000);
    const text = JSON.stringify(Array.from({ length: 1000 }, () => ({ method: "public/get_time" })));
    const estimate = estimateMs(planRun(scanRequests(text), { kind: "all" }, createResults()), RATE_BUDGETS);
    const startedAtMs = world.clock.now();
    let endedAtMs = 0;
    const { steps } = start(world, text, {
      onProgress: ({ done, all }) => {
        if (done === all) endedAtMs = world.clock.now();
      },
    });
    await world.clock.advance(90_000);
    const codes = (await steps).map(({ run: { outcome } }) =>
      outcome.kind === "rejected" ? outcome.failure.code : outcome.kind,
    );
    assert.deepEqual([...new Set(codes)], ["confirmed"]);
    assert.equal(received(world, "public/get_time").length, 1000);
    assert.equal(world.exchange.control.connections().length, 1);
    assert.ok(
      Math.abs(endedAtMs - startedAtMs - estimate) < 3000,
      `${String(endedAtMs - startedAtMs)} ms, said ${String(estimate)} ms`,
    );
  });
});

/** The order_id at a place of a response that is a list. */
function idOf(step: StepResult | undefined, index: number): unknown {
  assert.ok(step?.run.outcome.kind === "confirmed");
  return (step.run.outcome.response.result as readonly { readonly order_id: string }[])[index]?.order_id;
}

interface Submitted {
  readonly method: string;
  readonly paramsText: string;
  readonly atMs: number;
}

/** A gate whose responses take 100 ms each and are what the test says. */
interface SlowGate {
  readonly gate: Pick<Gate, "submit" | "activity">;
  readonly submitted: Submitted[];
  readonly most: () => number;
}

function createSlowGate(clock: FakeClock, outcomeOf: (sent: Submitted, count: number) => Outcome): SlowGate {
  const submitted: Submitted[] = [];
  let now = 0;
  let most = 0;
  return {
    submitted,
    most: () => most,
    gate: {
      activity: [],
      submit: async ({ method, paramsText }) => {
        const sent = { method, paramsText, atMs: clock.monotonicMs() };
        submitted.push(sent);
        now += 1;
        most = Math.max(most, now);
        const outcome = outcomeOf(sent, submitted.length);
        await new Promise<void>((resolve) => {
          clock.after(100, resolve);
        });
        now -= 1;
        return outcome;
      },
    },
  };
}

const okWith = (bodyText: string, { method }: Submitted): Outcome => ({
  kind: "confirmed",
  response: responseOf(method, bodyText, { result: JSON.parse(bodyText) }),
});
const ok = (sent: Submitted): Outcome => okWith("1", sent);

async function runSlow(
  text: string,
  outcomeOf: (sent: Submitted, count: number) => Outcome,
  more: More = {},
): Promise<SlowGate & { readonly steps: readonly StepResult[]; readonly results: Results }> {
  const clock = createFakeClock();
  const slow = createSlowGate(clock, outcomeOf);
  const { wanted = { kind: "all" }, results = createResults(), ...others } = more;
  const ports: SequencePorts = {
    gate: slow.gate,
    environment: () => "test",
    connectionId: "c",
    fileName: "a",
    clock,
    variables: { uuid: () => "u" },
    ...others,
    results,
  };
  const running = runPlan(planRun(scanRequests(text), wanted, results), ports);
  await clock.advance(3_600_000);
  assert.equal(clock.pendingTimers, 0);
  return { ...slow, results, steps: await running };
}

const reads = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({ method: "public/get_time", params: { n: index }, $run: more }));

describe("the order and the pace of a run", () => {
  test("reads are under way together, up to the bound; changes alone, and nothing overtakes them", async () => {
    const text = JSON.stringify([
      ...reads(40),
      { method: "private/cancel", params: { order_id: "a" } },
      { method: "private/cancel", params: { order_id: "b" } },
      ...reads(3),
    ]);
    const { submitted, most } = await runSlow(text, ok);
    assert.equal(most(), 16);
    assert.equal((await runSlow(text, ok, { concurrency: 4 })).most(), 4);
    assert.deepEqual(pluck(submitted.slice(40, 42), "paramsText"), ['{"order_id":"a"}', '{"order_id":"b"}']);
    assert.deepEqual(pluck(submitted.slice(40), "atMs"), [300, 400, 500, 500, 500]);
  });

  test("the digits of a response go into the next request as they came", async () => {
    const text =
      '[{ "method": "public/get_time", "$run": { "name": "a" } }, { "method": "public/test", "params": { "x": "{{a.result.x}}", "y": ["{{a.result.list[-1]}}"], "z": "n={{a.result.x}}", "own": 1e-8, "all": "{{a.result}}" } }]';
    const body = '{"x":0.10,"list":[1,9007199254740993]}';
    const { submitted } = await runSlow(text, (sent) => okWith(body, sent));
    assert.equal(submitted[1]?.paramsText, `{"x":0.10,"y":[9007199254740993],"z":"n=0.10","own":1e-8,"all":${body}}`);
  });

  test("after a failure nothing more is started, and what was under way is told", async () => {
    const rejected = errorOf("public/get_time", 10004, "order_not_found");
    const { steps, submitted } = await runSlow(JSON.stringify(reads(40)), (sent) =>
      sent.paramsText === '{"n":3}' ? { kind: "rejected", ...rejected } : ok(sent),
    );
    // The three that ended before it had made room for others.
    assert.equal(submitted.length, 19);
    assert.equal(
      verdicts(steps.slice(0, 5)),
      "passed:confirmed passed:confirmed passed:confirmed failed:rejected passed:confirmed",
    );
    assert.ok(steps.slice(19).every(({ verdict, tries }) => verdict === "notSent" && tries === 0));
    assert.equal(
      (
        await runSlow(
          JSON.stringify(reads(40)),
          (sent) => (sent.paramsText === '{"n":3}' ? { kind: "rejected", ...rejected } : ok(sent)),
          { goesOn: true },
        )
      ).submitted.length,
      40,
    );
  });

  test("delayMs is waited; Stop ends the wait", async () => {
    const text = JSON.stringify([...reads(1), ...reads(1, { delayMs: 500 })]);
    assert.deepEqual(pluck((await runSlow(text, ok)).submitted, "atMs"), [0, 600]);
    const stop = new AbortController();
    const { steps, submitted } = await runSlow(text, ok, {
      stop: stop.signal,
      onProgress: () => {
        stop.abort();
      },
    });
    assert.equal(submitted.length, 1);
    assert.equal(reason(steps[1]), "stopped");
  });

  test("Stop ends until; what comes after it was stopped, and not refused because until does not hold", async () => {
    const stop = new AbortController();
    const polled = { method: "public/get_time", $run: { until: { result: 5 }, maxTries: 1000 } };
    const { steps } = await runSlow(
      JSON.stringify([polled, ...reads(1)]),
      (sent) => {
        stop.abort();
        return ok(sent);
      },
      { stop: stop.signal },
    );
    assert.deepEqual(pluck(steps, "verdict"), ["failed", "notSent"]);
    assert.equal(reason(steps[1]), "stopped");
  });

  test("until: again every everyMs, until it holds or maxTries are used up; the last response is kept", async () => {
    const text = (maxTries: number): string =>
      JSON.stringify([
        {
          method: "public/get_time",
          params: { at: "{{$now}}" },
          $run: { name: "a", until: { result: { $gte: 3 } }, everyMs: 1000, maxTries },
        },
      ]);
    const counting = (sent: Submitted, count: number): Outcome => okWith(String(count), sent);
    const done = await runSlow(text(30), counting);
    assert.deepEqual(pluck(done.submitted, "atMs"), [0, 1100, 2200]);
    assert.equal(new Set(done.submitted.map(({ paramsText }) => paramsText)).size, 3);
    assert.deepEqual(pluck(done.steps, "verdict", "tries"), [["passed", 3]]);
    assert.equal(done.results.get("a")?.bodyText, "3");
    const short = await runSlow(text(2), counting);
    assert.deepEqual(pluck(short.steps, "verdict", "tries"), [["failed", 2]]);
    const found = short.steps[0]?.failures.map(({ message }) => message);
    assert.deepEqual(found, ["result: expected $gte 3, got 2."]);
  });

  test("until holds and expect does not: that is a failure, not another try", async () => {
    const text = JSON.stringify([{ method: "public/get_time", $run: { until: { ok: true }, expect: { result: 5 } } }]);
    assert.deepEqual(pluck((await runSlow(text, ok)).steps, "verdict", "tries"), [["failed", 1]]);
  });

  const busy = errorOf("public/get_time", 11051, "system_maintenance");
  const repeats: readonly [string, Outcome, readonly number[]][] = [
    [
      "no response in time",
      { kind: "failed", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined },
      [0, 1100, 4200],
    ],
    [
      "a lost link",
      { kind: "failed", failure: { kind: "connectionLost", trouble: "other", detail: "" }, response: undefined },
      [0, 1100, 4200],
    ],
    ["maintenance", { kind: "rejected", ...busy }, [0, 1100, 4200]],
    [
      "too many requests",
      { kind: "rejected", ...errorOf("public/get_time", 10028, "too_many_requests") },
      [0, 10_100, 20_200],
    ],
    ["no such order", { kind: "rejected", ...errorOf("public/get_time", 10004, "order_not_found") }, [0]],
    [
      "an unreadable response",
      { kind: "failed", failure: { kind: "unreadableResult", detail: "" }, response: undefined },
      [0],
    ],
    ["a refusal", { kind: "notSent", failure: { kind: "missingScope", scope: "x" } }, [0]],
    ["no link from the start", { kind: "notSent", failure: { kind: "notConnected" } }, [0]],
  ];
  for (const [what, outcome, atMs] of repeats) {
    test(`retries of a read after ${what}`, async () => {
      assert.deepEqual(
        (await runSlow(JSON.stringify(reads(1, { retries: 2 })), () => outcome)).submitted.map((sent) => sent.atMs),
        atMs,
      );
    });
  }

  test("retries end with a good response, and change nothing for what changes something", async () => {
    const timeout = { kind: "timeout", timeoutMs: 1 } as const;
    const { steps } = await runSlow(JSON.stringify(reads(1, { retries: 2 })), (sent, count) =>
      count === 1 ? { kind: "failed", failure: timeout, response: undefined } : ok(sent),
    );
    assert.deepEqual(pluck(steps, "verdict", "tries"), [["passed", 2]]);
    const write = await runSlow(
      '[{ "method": "private/cancel", "params": { "order_id": "a" }, "$run": { "until": { "result": 5 }, "retries": 3 } }]',
      () => ({ kind: "unknown", failure: timeout, response: undefined }),
    );
    assert.ok(write.submitted.length <= 1);
    assert.equal(write.steps[0]?.verdict === "passed", false);
  });

  test("many that fail at once are not repeated at once", async () => {
    const { submitted } = await runSlow(
      JSON.stringify(reads(16, { retries: 1, continueOnFailure: true })),
      (sent, count) =>
        count <= 16
          ? { kind: "failed", failure: { kind: "connectionLost", trouble: "other", detail: "" }, response: undefined }
          : ok(sent),
    );
    const repeated = submitted.slice(16).map(({ atMs }) => atMs);
    assert.equal(repeated.length, 16);
    assert.ok(
      repeated.every((atMs, index) => index === 0 || atMs - (repeated[index - 1] ?? 0) >= 1000),
      repeated.join(" "),
    );
  });

  test("what the user chooses is asked once in a run, and giving up sends nothing of it", async () => {
    const text = JSON.stringify([
      ...["{{$pick.order}}", "{{$pick.order}}", "{{$ask.Count}}"].map((x) => ({
        method: "public/get_time",
        params: { x },
      })),
      { method: "private/cancel", params: { order_id: "{{$pick.order}}" } },
    ]);
    const asked: string[] = [];
    const responses = new Map([
      ["$pick.order", '"ETH-1"'],
      ["$ask.Count", "5"],
    ]);
    const { submitted } = await runSlow(text, ok, {
      ask: async (path) => {
        asked.push(path);
        return await Promise.resolve(responses.get(path));
      },
    });
    assert.deepEqual(asked, ["$pick.order", "$ask.Count"]);
    assert.deepEqual(pluck(submitted, "paramsText"), [
      '{"x":"ETH-1"}',
      '{"x":"ETH-1"}',
      '{"x":5}',
      '{"order_id":"ETH-1"}',
    ]);
    asked.length = 0;
    const given = await runSlow(text, ok, {
      ask: async (path) => {
        asked.push(path);
        await Promise.resolve(undefined);
      },
      variables: { uuid: () => "u", given: new Map([["$ask.Count", "7"]]) },
    });
    assert.deepEqual(asked, ["$pick.order"]);
    const found = given.submitted.filter(({ method }) => method === "private/cancel");
    assert.deepEqual(found, []);
    assert.ok(given.submitted.every(({ paramsText }) => paramsText === '{"x":7}'));
    assert.equal(reason(given.steps[0]), "declined");
  });

  test("an obstacle that comes in between ends the run", async () => {
    let sent = 0;
    const { steps, submitted } = await runSlow(
      JSON.stringify([{ method: "private/cancel", params: { order_id: "a" } }, ...reads(2)]),
      (each) => {
        sent += 1;
        return ok(each);
      },
      { obstacle: () => (sent > 0 ? "This is another account now." : undefined) },
    );
    assert.equal(submitted.length, 1);
    assert.equal(reason(steps[1]), "This is another account now.");
  });

  test("raw parameters keep their braces; elsewhere the token of the session has one place", async () => {
    assert.deepEqual(
      pluck(
        (await runSlow('{ "method": "public/test", "params": { "a": "{{b}}" }, "$run": { "raw": true } }', ok))
          .submitted,
        "paramsText",
      ),
      ['{"a":"{{b}}"}'],
    );
    const { steps, submitted } = await runSlow(
      '{ "method": "public/test", "params": { "a": "{{b}}" }, "$run": { "vars": { "b": "{{$session.refreshToken}}" } } }',
      ok,
    );
    assert.deepEqual(submitted, []);
    assert.match(reason(steps[0]), /can only be used as the whole refresh_token value/);
  });
});

describe("the confirmation of a request with placeholders", () => {
  const FILE = `[{ "$file": { "vars": { "twice": "{{size}}", "tag": "mm" } }, "method": "private/get_open_orders", "$run": { "name": "open" } },
    { "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "type": "limit", "price": 5.5,
      "amount": "{{twice}}", "label": "{{tag}}-{{$env}}", "otoco_config": [{ "amount": "{{open.result[0].amount}}" }] } }]`;

  async function detailOfBuy(environmentText: string): Promise<string> {
    const questions: Question[] = [];
    const answer = (question: Question): boolean => {
      questions.push(question);
      return false;
    };
    const world = await open({ answer });
    const file = readEnvironmentFile("file:///w/orders/rpc.env.json", environmentText);
    const variables = { uuid: () => "u", environmentVars: environmentVariables([file], "simulator") };
    const { steps } = await run(world, FILE, { variables });
    const asked = questions.at(-1);
    assert.ok(asked?.kind === "modal", verdicts(steps));
    return asked.detail;
  }

  test("names each value that was filled in, with its source, also where a variable is made of another", async () => {
    const lines = (await detailOfBuy('{ "*": { "size": 40 } }')).split("\n");
    assert.deepEqual(
      lines
        .filter((line) => / is (?:from|computed) /.test(line))
        .map((line) => line.replace(/amount \(\d+\) is from the/, "amount (…) is from the")),
      [
        "amount (40) is from $file.vars, from orders/rpc.env.json, section *.",
        'label ("mm-sim") is from $file.vars.',
        'label ("mm-sim") is computed when the request is sent.',
        "otoco_config.0.amount (…) is from the response of open.",
      ],
    );
  });

  test("a value that a file of the folder changed is the one that is named", async () => {
    const [before, after] = [
      await detailOfBuy('{ "*": { "size": 40 } }'),
      await detailOfBuy('{ "*": { "size": 70 } }'),
    ];
    assert.equal(
      after,
      before
        .replace("amount (40) is from $file", "amount (70) is from $file")
        .replace('"amount":40,"label"', '"amount":70,"label"'),
    );
  });
});
