import assert from "node:assert/strict";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { logOf } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { jsonReport } from "../../../src/cli/jsonReport.ts";
import { junitReport } from "../../../src/cli/writeReport.ts";
import type { TerminalReport } from "../../../src/cli/report.ts";
import { stepReport } from "../../../src/cli/steps.ts";
import { terminalStepText, summaryText } from "../../../src/cli/textReport.ts";
import { responseAddress, responseDocument, savedResponseText } from "../../../src/present/requests/responseText.ts";
import { channelText, createEventRing } from "../../../src/present/observing/channelDocument.ts";
import { entryParams, entryTitle, entryTraits } from "../../../src/present/requests/historyWords.ts";
import { placeholderLines } from "../../../src/present/requests/placeholderWords.ts";
import { lensActions, lensTitle } from "../../../src/present/requests/requestLenses.ts";
import { runQuestion } from "../../../src/present/requests/runQuestion.ts";
import { runReport } from "../../../src/present/requests/runReport.ts";
import { supportFileText } from "../../../src/present/observing/supportFile.ts";
import { outputLines, testVerdict } from "../../../src/present/requests/testVerdict.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { trafficEntryText, trafficLabel, trafficText } from "../../../src/present/observing/trafficDocument.ts";
import { createTrafficList } from "../../../src/present/observing/trafficList.ts";
import { variableRows } from "../../../src/present/requests/variableList.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { pythonText, typeScriptText } from "../../../src/requests/writing/exportCode.ts";
import type { RequestFile } from "../../../src/requests/file/file.ts";
import { createHistory, historyText, readHistory, writeHistory } from "../../../src/requests/running/history.ts";
import { planRun } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runPlan, type StepResult } from "../../../src/requests/running/sequence.ts";
import type { RecordedCall } from "../../../src/rpc/traffic.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { xmlProblems } from "../cli/xml.ts";
import { responseOf, createFakeGate, errorOf } from "../requests/fakeGate.ts";
import { questionTexts, type Sink } from "./hostileSinks.ts";
import { asPlain } from "../../asPlain.ts";

/* What is told of request files, of what became of them, and what is written of both. */

const times = createTimes(0);
const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** A file with this text in every place where a file has text of its own; the second one can be sent. */
function fileWith(text: string): string {
  const literal = JSON.stringify(text);
  const named = `"$run": { "note": ${literal}, "tags": [${literal}], "vars": { "v": ${literal} }, "expect": { "result": { ${literal}: ${literal}, "label": ${literal} } } }`;
  return `[
  { "method": ${literal}, "id": ${literal}, "params": { ${literal}: ${literal}, "x": "{{${text.replaceAll(/["\\\p{Cc}]/gu, "")}}}" }, "$run": { "name": ${literal}, "after": [${literal}] }, ${JSON.stringify(`$${text}`)}: 1 },
  { "method": "private/cancel", "params": { "order_id": "O1", "label": ${literal} }, ${named} },
  { "method": "private/made_up", "params": { "a": ${literal} }, ${named} },
  { "method": "public/get_time", "params": { ${literal}: {} } }
]`;
}

interface Ran {
  readonly file: RequestFile;
  readonly text: string;
  readonly steps: readonly StepResult[];
}

/** What became of the file of a text; each is run once for all sinks. */
const ran = new Map<string, Promise<Ran>>();

async function runWith(hostile: string): Promise<Ran> {
  const known = ran.get(hostile) ?? runOnce(hostile, ran.size);
  ran.set(hostile, known);
  return await known;
}

/** Runs such a file; they come to one end after the other. */
async function runOnce(hostile: string, turn: number): Promise<Ran> {
  const text = fileWith(hostile);
  const file = scanRequests(text);
  const results = createResults();
  const failed = errorOf("private/cancel", 10_004, hostile);
  const outcomes: readonly Outcome[] = [
    {
      kind: "confirmed",
      response: responseOf(
        "private/cancel",
        JSON.stringify({ order_id: "O1", label: `${hostile}2`, [hostile]: hostile }),
        {
          result: { order_id: "O1", label: `${hostile}2` },
        },
      ),
    },
    { kind: "rejected", ...failed },
    { kind: "unknown", failure: { kind: "unreadableResult", detail: hostile }, response: undefined },
    { kind: "confirmedOther", response: responseOf("private/cancel", "{}"), state: hostile },
  ];
  const gate = createFakeGate(outcomes[turn % outcomes.length]!);
  const clock = createFakeClock(NOW_MS);
  const steps = await runPlan(planRun(file, { kind: "all" }, results), {
    gate,
    environment: () => "test",
    connectionId: "c",
    fileName: hostile,
    clock,
    results,
    variables: { uuid: () => "u" },
    goesOn: true,
  });
  return { file, text, steps };
}

const context = { environment: "test" as const, connectionName: "main", times, endedAtMs: NOW_MS };

/** Comments and lenses; below the head there is JSON alone, every literal as it came. */
function responseTexts({ steps }: Ran): readonly string[] {
  return steps.flatMap((step) => {
    const { text, lenses } = responseDocument({
      result: step.run,
      environment: "test",
      connectionName: "main",
      endedAtMs: NOW_MS,
      verdicts: [],
      times,
      check: { isExpected: true, failures: step.failures, hints: step.hints, tries: 1 },
    });
    const comments = text.split("\n").filter((line) => line.startsWith("//"));
    const body = text
      .split("\n")
      .filter((line) => !line.startsWith("//"))
      .join("\n");
    const saved = savedResponseText(step.run);
    if (body.trim() !== "") JSON.parse(body);
    if (saved !== undefined) assert.deepEqual(JSON.parse(saved), JSON.parse(body));
    return [...comments, ...lenses.map((lens) => lens.text)];
  });
}

function terminalReport(hostile: string, { file, steps }: Ran): TerminalReport {
  const reports = steps.map((step) =>
    stepReport(step, {
      file,
      place: plain`TESTNET main`,
      times,
      environment: "test",
      refusalOf: () => undefined,
      isBehindFailure: false,
    }),
  );
  return {
    place: "TESTNET main",
    environment: "test",
    startedAtMs: NOW_MS,
    durationMs: 1,
    files: [{ path: "a.rpc.json", steps: reports }],
    isStopped: false,
    hasLimits: true,
    notes: [],
    exitCode: hostile === "" ? 0 : 1,
  };
}

/**
 * What stands in strings of JSON may hold anything that a reader of JSON gets back; the text itself has nothing that
 * acts.
 */
function jsonLine(json: string): readonly string[] {
  JSON.parse(json);
  return [json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').trimEnd()];
}

/** Each of these is a record that ends with its line. */
function written(lines: readonly string[], records: number): readonly string[] {
  assert.equal(lines.join("\n").split("\n").length, records, "a record too many");
  return lines.flatMap(jsonLine);
}

function historyTexts(hostile: string, { steps }: Ran): readonly (string | undefined)[] {
  const history = createHistory({ isOn: () => true });
  for (const { run } of steps)
    history.record({
      result: run,
      endedAtMs: NOW_MS,
      environment: "test",
      connectionId: "c",
      connectionName: hostile,
      fileUri: `file:///${hostile}`,
      name: hostile,
    });
  const { entries } = history;
  const kept = writeHistory(entries);
  const read = readHistory(kept);
  assert.equal(read.kind === "read" ? read.entries.length : 0, entries.length);
  return [
    ...written([kept], 1),
    ...entries.flatMap((entry) => [
      entryTitle(entry),
      entryTraits(entry),
      entryParams(entry),
      ...historyText(entry)
        .split("\n")
        .filter((line) => line.startsWith("//")),
    ]),
  ];
}

async function journalTexts(hostile: string): Promise<readonly string[]> {
  const journal = createMemoryJournal();
  await journal.append({
    schema: 1,
    intentId: "i/1",
    atMs: NOW_MS,
    event: "outcome",
    connectionId: "c",
    method: hostile,
    paramsText: JSON.stringify({ label: hostile }),
    result: hostile,
  });
  return written(
    journal.records.map((record) => JSON.stringify(record)),
    1,
  );
}

function logLines(hostile: string): readonly string[] {
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
  };
  const log = createMaskingLog({ trace: keep, debug: keep, info: keep, warn: keep, error: keep });
  log.warn(asPlain(`The server said: ${hostile}`));
  log.error(asPlain(hostile));
  assert.equal(lines.join("\n").split("\n").length, 2, "as many lines as records");
  // What a detector of links would follow:
  // https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/output
  for (const line of lines) assert.doesNotMatch(line, /\b\w+:\/\//);
  return lines;
}

function channelTexts(hostile: string): readonly string[] {
  const ring = createEventRing();
  ring.add({ channel: hostile, atMs: NOW_MS, payloadText: JSON.stringify({ label: hostile }) });
  const text = channelText({
    place: "TESTNET main",
    channels: new Map([
      [hostile, { kind: "live" }],
      ["b", { kind: "live" }],
    ] as never),
    ring,
    filter: "",
    pausedSinceTotal: undefined,
    end: undefined,
    times,
  });
  const lines = text.split("\n");
  assert.equal(lines.length, 5, "one line for each event");
  return lines.map((line) => line.replace(/^ {2}\{.*\}(?=,? \/\/ )/, ""));
}

/** Ends of a request of this name, with this text in what went wrong. */
function exchangesOf(hostile: string): readonly RecordedCall[] {
  const end = { atMs: NOW_MS, totalMs: 1, timing: undefined, receivedLength: 0, isExpectedShape: true, isLate: false };
  const failures: readonly Failure[] = [
    { kind: "exchange", code: 1, message: hostile, param: hostile, reason: hostile },
    { kind: "connectionLost", trouble: "other", detail: hostile },
  ];
  return failures.map((failure, index) => ({
    method: hostile,
    asker: "command",
    way: "webSocket",
    sentLength: 1,
    wireId: index,
    end: { ...end, failure },
  }));
}

function trafficTexts(hostile: string): readonly string[] {
  const list = createTrafficList();
  for (const exchange of exchangesOf(hostile)) list.end(exchange, NOW_MS, undefined);
  list.countEvent(hostile);
  list.addEvent({ channel: hostile, atMs: NOW_MS, length: 1, text: "{}" });
  const source = {
    place: "TESTNET main",
    state: "live",
    list,
    isFailedOnly: false,
    areEventsListed: true,
    sincePause: 0,
    budgets: [],
    times,
  } as const;
  const lines = trafficText({ ...source, filter: "" }).text.split("\n");
  assert.equal(lines.length, 8, "one line for each entry");
  const entries = list.items.flatMap((item) =>
    trafficEntryText(item, source)
      .split("\n")
      .filter((line) => line.startsWith("//")),
  );
  return [
    ...lines,
    trafficText({ ...source, filter: hostile }).text.split("\n")[0] ?? "",
    ...entries,
    ...list.items.flatMap((item) => Object.values(trafficLabel(item, times))),
  ];
}

function supportTexts(hostile: string): readonly string[] {
  const log = createMaskingLog(
    {
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    },
    () => NOW_MS,
  );
  logOf(log, hostile).warn(asPlain(hostile));
  const identity = {
    authentication: "key",
    clientId: hostile,
    scope: hostile,
    testnet: undefined,
    serverVersion: hostile,
  } as const;
  const connection = {
    record: { id: "c", name: hostile, declared: "test", url: "wss://a.example", grant: "none", clientId: hostile },
    isActive: true,
    state: { status: "ready", generation: 1, isSuspect: false, identity, sinceMs: NOW_MS },
    environment: "test",
    contradiction: undefined,
    latencyMs: 1,
    eventCount: 1,
    httpState: undefined,
    lastFailure: undefined,
  } as const;
  const traffic = { recent: exchangesOf(hostile), watch: () => ({ dispose: () => undefined }) };
  const text = supportFileText({
    atMs: NOW_MS,
    versions: { extension: "1" },
    settings: [{ name: "a", value: { b: hostile }, from: "folder" }],
    connections: [{ connection, live: { budgets: [], traffic }, counts: {} }],
    intents: [],
    log: log.recent,
    hide: (each) => each,
    names: [hostile],
    areHostsShown: true,
    areFiguresShown: true,
    times,
  });
  JSON.parse(text);
  return text.trimEnd().split("\n");
}

/**
 * Programs that would run: each text is one of their literals or comments, and they are nothing else than without it.
 */
export function programsWith(
  hostile: string,
): readonly { readonly language: "ts" | "python"; readonly text: string }[] {
  const server = { origin: "https://test.example", basePath: "/api/v2" };
  const request = {
    method: "private/buy",
    paramsText: JSON.stringify({ label: hostile, [hostile]: [hostile] }),
    notes: [hostile],
  };
  return [
    { language: "ts", text: typeScriptText(server, request) },
    { language: "python", text: pythonText(server, request) },
  ];
}

export function fileSinks(): readonly Sink[] {
  return [
    {
      name: "what is wrong with a file",
      render: (text) => checkFile(scanRequests(fileWith(text))).map(({ message }) => message),
    },
    {
      name: "lenses of a file",
      render: (text) => {
        const file = scanRequests(fileWith(text));
        const lenses = {
          file,
          target: { environment: "test", place: "TESTNET main", status: "ready", isOwn: true } as never,
          run: undefined,
          isTrusted: true,
          runsFirst: () => [],
          lastText: () => undefined,
        };
        // Its own icons stand first.
        return file.requests.flatMap((request) =>
          lensActions(request.index, lenses).map((action) =>
            lensTitle(action, request, lenses).replace(/^\$\([\w~-]+\) /, ""),
          ),
        );
      },
    },
    {
      name: "the question before a run, and those about each request",
      render: async (text) => {
        const { file, steps } = await runWith(text);
        const question = runQuestion({
          plan: planRun(file, { kind: "all" }, createResults()),
          fileName: text,
          place: plain`TESTNET main`,
          tookMs: 1,
          isConfirmed: () => false,
        });
        const words = steps.flatMap(({ run: { intent } }) => [
          intent.words.action,
          intent.words.target,
          intent.words.sentence,
          ...intent.words.detail,
        ]);
        return [...(question === undefined ? [] : questionTexts(question)), ...words];
      },
    },
    {
      name: "responses: their head, their notes, their lenses",
      render: async (text) => responseTexts(await runWith(text)),
    },
    {
      name: "the name of a response",
      render: (text) => {
        const { title, path } = responseAddress(`file:///a/${text}`, "test", { part: text, connectionName: text });
        return [title, path];
      },
    },
    {
      name: "verdicts of tests",
      render: async (text) => {
        const { steps } = await runWith(text);
        const told = steps.flatMap((step) =>
          testVerdict(step, { ...context, isBehindEnd: false, outOfReach: undefined }).messages.flatMap(
            ({ text: message, comparison }) => [message, comparison?.expected, comparison?.actual],
          ),
        );
        return [...told, ...steps.flatMap((step) => outputLines(step, context))];
      },
    },
    {
      name: "the report of a run",
      render: async (text) => {
        const { steps, file } = await runWith(text);
        return [
          runReport({ ...context, results: steps, file, tookMs: 1 })
            .text.split("\n")
            .filter((line) => line.startsWith("//"))
            .join("\n"),
        ];
      },
      isOfLines: true,
    },
    {
      name: "the terminal, as text",
      render: async (text) => {
        const report = terminalReport(text, await runWith(text));
        return [
          ...report.files.flatMap(({ path, steps }) =>
            steps.map((step) => terminalStepText(asPlain(path), step, { hasColor: false, verbosity: "normal" })),
          ),
          summaryText(report, { hasColor: false, verbosity: "normal" }),
        ];
      },
      isOfLines: true,
    },
    {
      name: "the terminal, as JSON",
      render: async (text) =>
        jsonReport(terminalReport(text, await runWith(text)))
          .split("\n")
          .map((line) =>
            line.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
              /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(string) ? string : '""',
            ),
          ),
    },
    {
      name: "the terminal, as JUnit",
      render: async (text) => {
        assert.deepEqual(xmlProblems(junitReport(terminalReport(text, await runWith(text)))), []);
        return [];
      },
    },
    { name: "the history, kept and shown", render: async (text) => historyTexts(text, await runWith(text)) },
    { name: "the journal", render: async (text) => await journalTexts(text) },
    { name: "the log", render: logLines },
    { name: "documents of channels", render: channelTexts },
    { name: "documents of traffic, their entries, and choices of them", render: trafficTexts },
    { name: "support files", render: supportTexts },
    {
      name: "the variables of a file",
      render: (text) => {
        const environmentVars = [
          {
            source: { kind: "environment", name: text, section: "*", uri: `file:///${text}` },
            values: new Map([
              ["v", JSON.stringify(text)],
              [text, JSON.stringify(text)],
            ]),
          },
        ];
        return variableRows(
          {
            file: scanRequests(fileWith(text)),
            environmentVars: environmentVars as never,
            results: [],
            waiting: [text],
            clock: createFakeClock(NOW_MS),
            uuid: () => "u",
            environment: "test",
          },
          { nowMs: NOW_MS, times },
        ).flatMap(({ name, value, source }) => [name, value, source]);
      },
    },
    {
      name: "what a placeholder says of itself",
      render: (text) =>
        placeholderLines(
          { path: text, filter: undefined, isWhole: true, range: { start: 0, end: 0 } } as never,
          () => ({
            valueText: JSON.stringify(text),
            source: { kind: "result", name: text },
            atMs: NOW_MS,
            shadowed: [],
          }),
          { nowMs: NOW_MS, times },
        ),
    },
  ];
}
