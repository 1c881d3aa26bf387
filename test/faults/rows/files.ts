import assert from "node:assert/strict";
import { RESPONSE_LIMITS, responseDocument, savedResponseText } from "../../../src/present/requests/responseText.ts";
import { failureSentences } from "../../../src/present/text/failureText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { planRun } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { MAX_FILE_LENGTH, scanRequests } from "../../../src/requests/file/scan.ts";
import { runPlan, stoppingText, type SequencePorts, type StepResult } from "../../../src/requests/running/sequence.ts";
import { watch, type Watched } from "../../core/session/world.ts";
import { pluck } from "../../pluck.ts";
import { openMutation, type Mutation } from "../mutation.ts";
import { countOf, plantOrders } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

/* Reliability §4.12, F109–F114: request files that change, break off, are wrong or large, and runs that are stopped. */

const STATE = '{ "method": "private/get_order_state", "params": { "order_id": "O1" } }';
const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "O1" } }';
const TIME = '{ "method": "public/get_time" }';
const THREE = `[${STATE}, ${CANCEL}, ${TIME}]`;

/** Starts a run of all requests of a file. */
function start(stage: Stage, text: string, more: Partial<SequencePorts> = {}): Watched<readonly StepResult[]> {
  const live = stage.live();
  const results = createResults();
  const ports: SequencePorts = {
    gate: live.gate,
    environment: () => live.environment,
    connectionId: "stage",
    fileName: "orders.rpc.json",
    clock: stage.clock,
    results,
    variables: { uuid: () => "u" },
    ...more,
  };
  return watch(runPlan(planRun(scanRequests(text), { kind: "all" }, results), ports));
}

/** The same, until it is over. */
async function run(stage: Stage, text: string, more: Partial<SequencePorts> = {}): Promise<readonly StepResult[]> {
  const running = start(stage, text, more);
  await stage.until(() => running.isSettled, "the run is over");
  return running.value ?? [];
}

/** `passed confirmed`, one for each request. */
function cameOf(steps: readonly StepResult[] = []): string[] {
  return steps.map(({ verdict, run: { outcome } }) => `${verdict} ${outcome.kind}`);
}

/** Why a request was not sent, in the words that the user reads. */
function refusal(step: StepResult | undefined): string {
  assert.ok(step?.run.outcome.kind === "notSent", JSON.stringify(step?.run.outcome.kind));
  return failureSentences(step.run.outcome.failure, step.run.effect);
}

interface Document {
  text: string;
  version: number;
}

/** What happens to the document while the question is open: reliability F109. */
const EDITS: readonly (readonly [string, (document: Document) => void])[] = [
  [
    "edited",
    (document) => {
      document.text = document.text.replace("O1", "O2");
      document.version++;
    },
  ],
  [
    "replaced",
    (document) => {
      document.text = TIME;
      document.version++;
    },
  ],
  [
    "saved by git",
    (document) => {
      document.text = document.text.replaceAll("\n", "\r\n");
      document.version++;
    },
  ],
  [
    "edited and put back",
    (document) => {
      document.version += 2;
    },
  ],
];

const edited = EDITS.map(([name, edit]): FaultRow => ({
  id: `F109 ${name}`,
  title: "the file changes between the question and its answer",
  on: "both",
  async run(stage) {
    const orders = plantOrders(stage, "O1", "O2");
    await stage.ready();
    const document: Document = { text: `[\n${CANCEL}\n]`, version: 1 };
    stage.onQuestion = async ({ message }) => {
      assert.match(message, /O1/);
      edit(document);
      return await Promise.resolve(true);
    };
    const steps = await run(stage, document.text, { isUnchanged: () => document.version === 1 });
    assert.deepEqual(cameOf(steps), ["notSent notSent"]);
    assert.match(refusal(steps[0]), /^The file was edited after the confirmation was shown\. Nothing was sent/);
    assert.equal(orders.cancels, 0);
    assert.equal(stage.questions.length, 1);
    stage.onQuestion = async () => await Promise.resolve(true);
    assert.deepEqual(
      cameOf(await run(stage, document.text.includes("cancel") ? document.text : CANCEL)),
      ["passed confirmed"],
      "asked again for what it says now, it goes out",
    );
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 1 },
}));

/** The link dies while the second of three is under way; `isApplied`: the exchange had carried it out. */
function broken(isApplied: boolean): FaultRow {
  return {
    id: `F110 ${isApplied ? "carried out" : "not carried out"}`,
    title: "the link dies at the second of three requests, a cancel",
    on: "both",
    async run(stage) {
      const mutation = await openMutation(stage);
      stage.server.on("public/get_time", () => ({ result: stage.clock.now() }));
      const timesBefore = countOf(stage, "public/get_time");
      cutAtCancel(mutation, isApplied);
      const running = start(stage, THREE);
      await stage.until(() => running.isSettled, "the run is over");
      assert.deepEqual(cameOf(running.value), ["passed confirmed", "failed unknown", "notSent notSent"]);
      assert.match(refusal(running.value?.[2]), /An earlier request failed: private\/cancel/);
      const timesThen = countOf(stage, "public/get_time");
      assert.equal(timesThen, timesBefore, "the third is not sent");
      await stage.advance(60_000);
      assert.deepEqual(mutation.watched.came, [
        "unknown connectionLost",
        isApplied ? "applied, user_request" : "notApplied open",
      ]);
      assert.equal(mutation.orders.cancels, 1, "one frame");
    },
    expected: { status: "ready", dials: 2 },
  };
}

function cutAtCancel(mutation: Mutation, isApplied: boolean): void {
  mutation.orders.onCancel = () => {
    if (isApplied) mutation.become("cancelled", "user_request");
    mutation.stage.wire.rst();
    return "silence";
  };
}

interface WrongFile {
  readonly id: string;
  readonly title: string;
  readonly design?: string;
  readonly text: string;
  /** What the editor says of it, with its place, and what the user reads who sends it all the same. */
  readonly problems: readonly RegExp[];
  readonly told: RegExp;
}

const wrong = ({ id, title, design, text, problems, told }: WrongFile): FaultRow => ({
  id,
  title,
  ...(design === undefined ? {} : { design }),
  on: "both",
  async run(stage) {
    stage.live();
    await stage.ready();
    const before = stage.server.requests.length;
    const found = checkFile(scanRequests(text)).map(({ range, message }) => `${String(range.start)}: ${message}`);
    assert.equal(found.length, problems.length, found.join("\n"));
    for (const [index, problem] of problems.entries()) assert.match(found[index] ?? "", problem);
    const steps = await run(stage, text);
    assert.match(steps.map((step) => refusal(step)).join("\n"), told);
    assert.equal(stage.server.requests.length, before, "nothing is sent");
    assert.equal(stage.questions.length, 0, "and no confirmation is shown");
  },
  expected: { status: "ready", dials: 1 },
});

const KEY_CHANGE = (params: string): string => `{ "method": "private/change_scope_in_api_key", "params": ${params} }`;

const unknownMethod: FaultRow = {
  id: "F111 unknown method",
  title: "a method that the catalogue does not have",
  design: "unknown methods may be sent; they need confirmation like a write",
  on: "both",
  async run(stage) {
    await stage.ready();
    const text = '{ "method": "private/made_up", "params": { "a": 1 } }';
    stage.onQuestion = async () => await Promise.resolve(false);
    assert.deepEqual(cameOf(await run(stage, text)), ["notSent notSent"]);
    assert.equal(countOf(stage, "private/made_up"), 0);
    assert.match(stage.questions[0]?.message ?? "", /private\/made_up \{"a":1\}/);
    stage.onQuestion = async () => await Promise.resolve(true);
    const [step] = await run(stage, text);
    assert.equal(step?.run.outcome.kind, "rejected");
    assert.equal(countOf(stage, "private/made_up"), 1);
  },
  expected: { status: "ready", dials: 1 },
};

/** The scope of a key in either of the forms that the contract has. */
const scopeForm = (name: string, literal: string): FaultRow => ({
  id: `F111 max_scope is ${name}`,
  title: "the scope of a key in one of its two forms",
  design: "the specification has both forms; the form of the file is confirmed and sent unchanged",
  on: "both",
  async run(stage) {
    stage.server.scope = "account:read_write connection mainaccount name:bot";
    stage.live();
    await stage.ready();
    const text = KEY_CHANGE(`{ "id": 4, "max_scope": ${literal} }`);
    assert.deepEqual(checkFile(scanRequests(text)), []);
    stage.onQuestion = async () => await Promise.resolve(false);
    assert.deepEqual(cameOf(await run(stage, text)), ["notSent notSent"]);
    assert.equal(countOf(stage, "private/change_scope_in_api_key"), 0);
    const [question] = stage.questions;
    assert.ok(JSON.stringify(question).includes("trade:read"), "the question says which scope");
    stage.onQuestion = async () => await Promise.resolve(true);
    await run(stage, text);
    const sent = stage.server.requests.filter(({ method }) => method === "private/change_scope_in_api_key");
    const found = sent.map(({ params }) => params["max_scope"]);
    assert.deepEqual(found, [JSON.parse(literal)]);
  },
  expected: { status: "ready", dials: 1 },
});

const SECRETS = ["access_token", "refresh_token", "client_secret", "clientSecret", "password", "signature"];

const secrets = SECRETS.map((name) =>
  wrong({
    id: `F111 ${name}`,
    title: "a key that holds a secret, below another one",
    text: `{ "method": "private/get_open_orders", "params": { "deep": [{ "${name}": "canary-0123456789" }] } }`,
    problems: [new RegExp(`${name} is a secret`), /deep is not a parameter/],
    told: new RegExp(`${name} is a secret\\. Don't put secrets in files`),
  }),
);

const tooMany: FaultRow = {
  id: "F111 count 102",
  title: "a number out of its range, in a read",
  design: "on a read it warns and offers Send Anyway",
  on: "both",
  async run(stage) {
    stage.server.scope = "block_trade:read connection mainaccount name:bot";
    await stage.ready();
    const text = '{ "method": "private/get_block_trades", "params": { "currency": "BTC", "count": 102 } }';
    const [problem] = checkFile(scanRequests(text));
    assert.match(problem?.message ?? "", /101/);
    assert.equal(problem?.severity, "warning");
    assert.equal(text.slice(problem.range.start, problem.range.end), "102");
    const [held] = await run(stage, text);
    assert.match(refusal(held), /101/);
    assert.equal(held?.run.canSendAnyway, true);
    assert.equal(countOf(stage, "private/get_block_trades"), 0);
    await run(stage, text, { sendAnyway: true });
    assert.equal(countOf(stage, "private/get_block_trades"), 1);
  },
  expected: { status: "ready", dials: 1 },
};

const large: FaultRow = {
  id: "F112 50 MB",
  title: "a file of 50 MB",
  design: "request files are read up to 16 MiB",
  on: "both",
  async run(stage) {
    stage.live();
    await stage.ready();
    const before = stage.server.requests.length;
    const text = `[${TIME}, "${" ".repeat(50_000_000)}"]`;
    assert.ok(text.length > MAX_FILE_LENGTH);
    const file = scanRequests(text);
    assert.deepEqual(pluck(checkFile(file), "code"), ["fileTooLarge"]);
    assert.equal(file.requests.length, 0, "nothing in it is offered to be sent");
    assert.deepEqual(await run(stage, text), []);
    assert.equal(stage.server.requests.length, before);
  },
  expected: { status: "ready", dials: 1 },
};

const comma: FaultRow = {
  id: "F112 trailing comma",
  title: "commas behind the last member",
  design: "request files are JSON with comments, where these are allowed; what is sent is JSON",
  on: "both",
  async run(stage) {
    plantOrders(stage, "O1");
    await stage.ready();
    const text = '[{ "method": "private/get_order_state", "params": { "order_id": "O1", /* it */ }, }, ]';
    assert.deepEqual(checkFile(scanRequests(text)), []);
    assert.deepEqual(cameOf(await run(stage, text)), ["passed confirmed"]);
    const sent = stage.server.requests.findLast(({ method }) => method === "private/get_order_state");
    assert.equal(sent?.params["order_id"], "O1");
    assert.doesNotMatch(sent.text, /,\s*[}\]]|\/\*/);
  },
  expected: { status: "ready", dials: 1 },
};

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** A response of that many bytes, and what its document makes of it. */
function answered(id: string, title: string, makeResult: () => string, isWhole: boolean): FaultRow {
  return {
    id: `F113 ${id}`,
    title,
    design: "whole to 250,000 lines and 15 MB, above that in part, saved whole on request",
    on: "both",
    ports: { isTracing: false },
    async run(stage) {
      await stage.ready();
      const resultText = makeResult();
      stage.server.on("public/get_instruments", () => ({ resultText }));
      const [step] = await run(stage, '{ "method": "public/get_instruments", "params": { "currency": "any" } }');
      assert.ok(step !== undefined && step.run.outcome.kind !== "notSent");
      assert.equal(step.run.outcome.response?.bodyText === resultText, true, "every character came");
      const { text } = responseDocument({
        result: step.run,
        environment: "test",
        connectionName: "main",
        endedAtMs: stage.clock.now(),
        verdicts: [],
        times: createTimes(0),
      });
      assert.ok(text.length <= RESPONSE_LIMITS.maxLength, String(text.length));
      assert.ok(text.trimEnd().split("\n").length <= RESPONSE_LIMITS.maxLines);
      assert.equal(/\n\/\/ .*(?:not shown|cut|Save)/i.test(text.slice(-400)), !isWhole, text.slice(-400));
      const body = text.slice(text.indexOf("\n[") + 1).replaceAll(/\s/g, "");
      assert.equal(isWhole ? body === resultText : body.startsWith(resultText.slice(0, 1000)), true);
      assert.equal(savedResponseText(step.run)?.replaceAll(/\s/g, "") === resultText, true, "saved it is whole");
    },
    expected: { status: "ready", dials: 1 },
  };
}

const items = (count: number, length: number): string =>
  `[${Array.from({ length: count }, () => `"${"x".repeat(length)}"`).join(",")}]`;

interface Stopped {
  readonly id: string;
  readonly title: string;
  readonly responses: boolean;
  readonly applies: boolean;
  readonly came: readonly string[];
  readonly steps: readonly string[];
}

const stopped = ({ id, title, responses, applies, came, steps }: Stopped): FaultRow => ({
  id: `F114 ${id}`,
  title,
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders } = mutation;
    const usual = orders.onCancel;
    let held: (() => void) | undefined;
    orders.onCancel = (request) => {
      if (applies && !responses) mutation.become("cancelled", "user_request");
      held = () => request.connection.respond(request, usual(request));
      return "silence";
    };
    const times = countOf(stage, "public/get_time");
    const stop = new AbortController();
    const running = start(stage, THREE, { stop: stop.signal });
    await stage.until(() => held !== undefined, "the cancel is at the server");
    stop.abort();
    await stage.settle();
    assert.equal(running.isSettled, false, "what was sent is not forgotten");
    assert.match(stoppingText(true), /can't be taken back\. Trading RPC still waits for its outcome/);
    if (responses) held?.();
    await stage.advance(responses ? 100 : 15_000);
    await stage.until(() => running.isSettled, "the run is over");
    assert.deepEqual(cameOf(running.value), steps);
    assert.match(refusal(running.value?.[2]), /stopped|earlier request failed/i);
    await stage.advance(60_000);
    assert.deepEqual(mutation.watched.came, came);
    assert.equal(orders.cancels, 1, "one frame");
    assert.equal(countOf(stage, "public/get_time"), times, "the third is not sent");
  },
  expected: { status: "ready", dials: 1 },
});

const readStopped: FaultRow = {
  id: "F114 a read",
  title: "Stop while only a read is under way",
  on: "both",
  async run(stage) {
    plantOrders(stage, "O1");
    await stage.ready();
    stage.server.on("private/get_order_state", () => "silence");
    const stop = new AbortController();
    const running = start(stage, THREE, { stop: stop.signal });
    await stage.until(() => countOf(stage, "private/get_order_state") === 1, "the read is at the server");
    stop.abort();
    await stage.until(() => running.isSettled, "a stopped read is given up");
    assert.deepEqual(cameOf(running.value), ["failed failed", "notSent notSent", "notSent notSent"]);
    assert.equal(countOf(stage, "private/cancel"), 0);
    assert.equal(stage.questions.length, 0);
  },
  expected: { status: "ready", dials: 1 },
};

export const FILE_ROWS: readonly FaultRow[] = [
  ...edited,
  broken(true),
  broken(false),
  unknownMethod,
  ...secrets,
  scopeForm("an array", '["trade:read"]'),
  scopeForm("a string", '"trade:read"'),
  wrong({
    id: "F111 max_scope is missing",
    title: "a key's scope is changed to nothing by leaving it out",
    text: KEY_CHANGE('{ "id": 4 }'),
    problems: [/max_scope/],
    told: /max_scope/,
  }),
  tooMany,
  large,
  comma,
  wrong({
    id: "F112 duplicate keys",
    title: "duplicate key",
    text: '{ "method": "private/cancel", "params": { "order_id": "O1", "order_id": "O2" } }',
    problems: [/Duplicate key order_id/],
    told: /Duplicate key order_id/,
  }),
  wrong({
    id: "F112 two methods",
    title: "the method stands twice",
    text: '{ "method": "public/get_time", "method": "private/cancel" }',
    problems: [/Duplicate key method/],
    told: /Duplicate key method/,
  }),
  wrong({
    id: "F112 65 deep",
    title: "parameters that are 65 deep",
    text: `{ "method": "private/made_up", "params": { "a": ${nested(65)} } }`,
    problems: [/nested deeper than/],
    told: /nested deeper than/,
  }),
  answered("8 MiB", "a response of 8 MiB", () => items(8192, 1021), true),
  answered("16 MB", "a response of 16 MB", () => items(16_000, 1000), false),
  answered("300,000 lines", "a response of 300,000 lines", () => items(300_000, 1), false),
  stopped({
    id: "answered",
    title: "Stop while a cancel is pending that is answered then",
    responses: true,
    applies: true,
    steps: ["passed confirmed", "passed confirmed", "notSent notSent"],
    came: ["confirmed"],
  }),
  stopped({
    id: "carried out",
    title: "Stop while a cancel is pending that is never answered and was carried out",
    responses: false,
    applies: true,
    steps: ["passed confirmed", "failed unknown", "notSent notSent"],
    came: ["unknown timeout", "applied, user_request"],
  }),
  stopped({
    id: "not carried out",
    title: "Stop while a cancel is pending that is never answered and was not carried out",
    responses: false,
    applies: false,
    steps: ["passed confirmed", "failed unknown", "notSent notSent"],
    came: ["unknown timeout", "notApplied open"],
  }),
  readStopped,
];
