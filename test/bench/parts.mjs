// @ts-check
/** U6 and U10, in a process of its own: the report of a run, and a replay of equal calls. */
import { loadParts } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";
import { timed } from "./stopwatch.mjs";

const { repetitions, count, sizes } = JSON.parse(process.argv[2] ?? "{}");
const WARM_UP = 3;

/** @type {any} */
const product = loadParts();
const times = product.createTimes(0);

const METHOD = "public/ticker";
const RESULT = "1795000000000";

/** The lines of a request. */
const LINES = 7;
const requestText = (/** @type {number} */ index) =>
  `  {\n    "jsonrpc": "2.0",\n    "id": ${index},\n    "method": "${METHOD}",\n    "params": { "instrument_name": "BTC-PERPETUAL" },\n    "$run": { "name": "ticker_${index}" }\n  }`;
const text = `[\n${Array.from({ length: count }, (_, index) => requestText(index)).join(",\n")}\n]\n`;

/** A run that has ended, and its file: its requests are read, its lines were not looked for. */
function endedRun() {
  const file = product.scanRequests(text);
  const timing = { queuedMs: 0, totalMs: 3, sentAtMs: 0, receivedAtMs: 3 };
  const results = file.requests.map((/** @type {any} */ request) => ({
    step: { request, isImplicit: false, isSkipped: false, refusal: undefined },
    verdict: "passed",
    run: {
      ...{ effect: "read", problems: [], canSendAnyway: false, activityId: undefined },
      intent: { method: request.method, paramsText: request.paramsText },
      outcome: { kind: "confirmed", response: { bodyText: RESULT, result: Number(RESULT), timing } },
    },
    ...{ failures: [], tries: 1, used: [], hints: [] },
  }));
  return { file, results };
}

function report() {
  const run = endedRun();
  return timed(() => {
    const told = product.runReport({
      ...{ ...run, environment: "test", connectionName: "bench", endedAtMs: 0, tookMs: 1, times },
    });
    if (!told.text.includes(`line ${LINES * (count - 1) + 2}\n`)) throw new Error("A line of the report is wrong.");
  });
}

/** @param {number} size equal calls, replayed */
function replay(size) {
  const entries = Array.from({ length: size }, (_, index) => [
    { kind: "call", atMs: index, id: index + 1, method: METHOD, paramsText: '{"a":1}', isOfProgram: false },
    { kind: "response", atMs: index, id: index + 1, member: "result", bodyText: String(index) },
  ]).flat();
  const ordered = product.createReplay({ startedAtMs: 0, environment: "test", entries });
  return timed(() => {
    for (let index = 0; index < size; index++) {
      const { steps } = ordered.call(METHOD, { a: 1 });
      if (steps[0].bodyText !== String(index)) throw new Error("A call was not answered in its order.");
    }
  });
}

/** @type {Record<string, () => number>} */
const variants = {
  "JSON.parse": () => timed(() => void JSON.parse(text)),
  "JSON.parse again": () => timed(() => void JSON.parse(text)),
  report,
};
/** @type {Record<string, number[]>} */
const reports = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let repetition = -WARM_UP; repetition < repetitions; repetition++)
  for (const name of shuffled(Object.keys(variants), Math.random)) {
    const tookMs = /** @type {() => number} */ (variants[name])();
    if (repetition >= 0) reports[name]?.push(tookMs);
  }
/** @type {Record<number, number[]>} */
const replays = {};
for (let repetition = -1; repetition < repetitions; repetition++)
  for (const size of shuffled(sizes, Math.random)) {
    const tookMs = replay(size);
    if (repetition >= 0) (replays[size] ??= []).push(tookMs);
  }
process.send?.({ reports, replays });
process.disconnect?.();
