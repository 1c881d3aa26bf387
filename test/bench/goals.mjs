// @ts-check
/** The goals of speed and memory: which processes are run for each, and what their figures are held against. */
import fs from "node:fs";
import path from "node:path";
import { PEERS } from "./clients.mjs";
import * as figures from "./figures.mjs";
import { ratio, TIGHT } from "./figures.mjs";
import { bytesOf, FIRST_CONNECTION, loadedWith } from "./loaded.mjs";
import { pinnableCores, runOnce, start, startMock, startSimulator } from "./processes.mjs";
import { builtDir } from "./shipped.mjs";
import { starts } from "./starts.mjs";
import * as waits from "./waits.mjs";
import { LONGEST_BLOCK_MS } from "./waits.mjs";
import { exponentOf, median, quantile, ratios, shuffled, spreadOf, table } from "./statistics.mjs";

/** @typedef {import("./figures.mjs").Figure} Figure */
/**
 * @typedef {{ figures: Figure[], notes?: string, data?: object }} Measured `notes` is a table of its own, `data` what
 * it was made of
 */

/**
 * How often each is repeated.
 * @typedef {object} Plan
 * @property {boolean} isQuick
 * @property {number} blocks
 * @property {number} decodings
 * @property {number} firsts
 * @property {number} files
 * @property {number} heaps
 * @property {number} rounds
 * @property {number} runs
 * @property {number} seconds
 * @property {number} activations
 * @property {number} growths
 * @property {number} days
 * @property {number} requests
 * @property {number} placements
 * @property {number} eventSeconds
 * @property {number} idleSeconds
 */

const COUNT = 10_000;
const RATE = 20_000;
const SIZES = [100, 1000, 10_000, 100_000];

const cores = pinnableCores();
const [firstCore, otherCore = firstCore] = [cores.at(-1), cores.at(-2)];
/** The core that what is measured runs on; undefined where a process cannot be pinned. */
export const pinnedCore = firstCore;

/**
 * Times are comparable on one core alone.
 * @param {Omit<Parameters<typeof figures.judged>[0], "isComparable"> & { isComparable?: boolean }} parts
 */
const judged = ({ isComparable = firstCore !== undefined, ...parts }) => figures.judged({ ...parts, isComparable });

/**
 * Runs a file of this folder beside a mock exchange and gives what it measured.
 * @param {string} file
 * @param {object} options
 * @param {readonly string[]} [flags]
 * @param {object} [mockPlan] what the exchange is told first
 */
async function measure(file, options, flags = [], mockPlan) {
  const mock = await startMock(firstCore);
  if (mockPlan !== undefined) mock.send(mockPlan);
  try {
    const child = start(file, { core: firstCore, flags, args: [JSON.stringify({ url: mock.url, ...options })] });
    return await child.next();
  } finally {
    mock.end();
  }
}

/** A time as a user would feel it. @param {number} value in ms */
const milliseconds = (value) => `${value >= 1 ? value.toFixed(1) : value.toFixed(4)} ms`;

/** P1 to P4. @param {Plan} plan @returns {Promise<Measured>} */
async function calls(plan) {
  const measured = await measure("calls.mjs", { blocks: plan.blocks });
  /** @typedef {"p50" | "perSecond" | "cpu"} Series */
  const peers = Object.keys(PEERS);
  const figureOf = (/** @type {Series} */ series, /** @type {readonly string[]} */ others = []) => {
    const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name][series], measured["limit"][series]));
    return {
      peer: [...peers, ...others].map((name) => `${name} ${ratio(against(name).median)}`).join(", "),
      us: against("session"),
      nullTest: against("limit again"),
      unit: "×",
    };
  };
  const { p50, perSecond, cpu } = measured["limit"];
  const perSecondOf = (/** @type {string} */ name) => median(measured[name].perSecond);
  const thousand = (/** @type {string} */ name) => milliseconds(1_000_000 / perSecondOf(name));
  const ownP50 = median(measured["session"].p50);
  const best = peers.reduce((one, other) => (perSecondOf(one) >= perSecondOf(other) ? one : other));
  const { nullTest } = figureOf("perSecond");
  return {
    figures: [
      judged({
        goal: "P1",
        what: "round trip of the session ÷ ws alone, p50",
        limit: `${median(p50).toFixed(1)} µs`,
        ...figureOf("p50", ["ccxt"]),
        sense: "atMost",
        gate: 1.05,
        stretch: 1,
        tolerance: TIGHT,
        felt: `a call takes ${milliseconds((ownP50 - median(p50)) / 1000)} more, of a network's 10 to 200 ms`,
      }),
      judged({
        goal: "P2",
        what: "64 calls in flight ÷ ws alone, calls a second",
        limit: `${Math.round(median(perSecond))}/s`,
        ...figureOf("perSecond"),
        sense: "atLeast",
        gate: 1.1,
        stretch: 1.3,
        felt: `1,000 calls at once take ${thousand("session")}, ws alone ${thousand("limit")}`,
      }),
      judged({
        goal: "P3",
        what: "CPU of a call in flight ÷ ws alone",
        limit: `${median(cpu).toFixed(1)} µs`,
        ...figureOf("cpu"),
        sense: "atMost",
        gate: 0.9,
        stretch: 0.7,
        felt: `1,000 calls use ${milliseconds(median(measured["session"].cpu))} of a core`,
      }),
      judged({
        goal: "P4",
        what: "64 calls in flight ÷ the best peer, calls a second",
        limit: `${Math.round(perSecondOf(best))}/s`,
        peer: best,
        us: spreadOf(ratios(measured["session"].perSecond, measured[best].perSecond)),
        nullTest,
        unit: "×",
        sense: "atLeast",
        gate: 1.05,
        stretch: 1.4,
        felt: `1,000 calls at once take ${thousand("session")}, ${best} ${thousand(best)}`,
      }),
    ],
  };
}

/**
 * The first list of a process, which is the one a user waits for.
 * @param {Plan} plan
 */
async function firstDecoding(plan) {
  /** @type {Record<string, number[]>} */
  const tookMs = { "JSON.parse": [], "JSON.parse again": [], shipped: [] };
  const mock = await startMock(firstCore);
  try {
    for (let round = 0; round < plan.firsts; round++)
      for (const variant of shuffled(Object.keys(tookMs), Math.random)) {
        const options = JSON.stringify({ url: mock.url, variant, count: COUNT });
        tookMs[variant]?.push(runOnce("first.mjs", [options], firstCore));
      }
  } finally {
    mock.end();
  }
  return /** @type {{ "JSON.parse": number[], "JSON.parse again": number[], shipped: number[] }} */ (tookMs);
}

/** P5 and P6. @param {Plan} plan @returns {Promise<Measured>} */
async function decoding(plan) {
  const first = await firstDecoding(plan);
  const measured = await measure("decode.mjs", { repetitions: plan.decodings, count: COUNT }, ["--expose-gc"]);
  const parse = measured["JSON.parse"];
  const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name], parse));
  const common = {
    limit: `${median(parse).toFixed(1)} ms`,
    nullTest: against("JSON.parse again"),
    unit: "×",
    sense: /** @type {const} */ ("atMost"),
  };
  const zod = `zod strip ${ratio(against("zod strip").median)}, loose ${ratio(against("zod loose").median)}`;
  return {
    figures: [
      judged({
        goal: "P5",
        what: `${COUNT} orders, bytes → checked, indexed, first rows ÷ JSON.parse`,
        ...common,
        peer: `${zod}; ccxt ${ratio(against("ccxt").median)}`,
        us: against("shipped"),
        gate: 1.8,
        stretch: 1.5,
        felt: `such a list takes ${milliseconds(median(measured["shipped"]))} once a few have been read, ${milliseconds(median(measured["bytes to text"]))} of it for the text alone`,
      }),
      judged({
        goal: "P5f",
        what: "the same in a fresh process, its first list",
        limit: `${median(first["JSON.parse"]).toFixed(1)} ms`,
        peer: "–",
        us: spreadOf(first.shipped.map((each) => each / median(first["JSON.parse"]))),
        nullTest: spreadOf(first["JSON.parse again"].map((each) => each / median(first["JSON.parse"]))),
        unit: "×",
        sense: "atMost",
        gate: 2,
        stretch: 1.6,
        felt: `the first list takes ${milliseconds(median(first.shipped))}`,
      }),
      judged({
        goal: "P6",
        what: "parsing and checking ÷ JSON.parse",
        ...common,
        peer: zod,
        us: against("JSON.parse and check"),
        gate: 1.15,
        stretch: 1.04,
      }),
    ],
  };
}

/** P7. @param {Plan} plan @returns {Promise<Measured>} */
async function memory(plan) {
  /** @type {Record<string, number[]>} */
  const bytes = { "JSON.parse and Map": [], shipped: [], "zod strip": [], "zod loose": [], ccxt: [] };
  for (let round = 0; round < plan.heaps; round++) {
    for (const variant of Object.keys(bytes))
      bytes[variant]?.push((await measure("heap.mjs", { variant, count: COUNT }, ["--expose-gc"])).bytes);
  }
  const limit = /** @type {number[]} */ (bytes["JSON.parse and Map"]);
  const against = (/** @type {string} */ name) => spreadOf(ratios(bytes[name] ?? [], limit));
  return {
    figures: [
      judged({
        goal: "P7",
        what: `memory that ${COUNT} orders keep, with groups and rows ÷ JSON.parse and Map`,
        limit: `${(median(limit) / 2 ** 20).toFixed(2)} MB`,
        peer: `zod strip ${ratio(against("zod strip").median)}, loose ${ratio(against("zod loose").median)}; ccxt ${ratio(against("ccxt").median)}`,
        us: against("shipped"),
        unit: "×",
        sense: "atMost",
        gate: 1.25,
        stretch: 0.9,
        isComparable: true,
      }),
    ],
  };
}

/** P8 to P10. @param {Plan} plan @returns {Promise<Measured>} */
async function updates(plan) {
  /** @type {Record<string, any[]>} */
  const runs = { limit: [], store: [], view: [], "rpc-websockets": [], careless: [], ccxt: [], "limit again": [] };
  const mock = await startMock(otherCore);
  mock.send({ kind: "orders", count: COUNT });
  try {
    for (let round = 0; round < plan.rounds; round++) {
      const names = Object.keys(runs);
      for (const variant of round % 2 === 0 ? names : names.reverse()) {
        const child = start("updates.mjs", {
          core: firstCore,
          flags: ["--expose-gc"],
          args: [JSON.stringify({ url: mock.url, variant, count: COUNT })],
        });
        await child.next();
        mock.send({ kind: "push", count: COUNT, rate: RATE, seconds: plan.seconds });
        child.send(await mock.next());
        runs[variant]?.push(await child.next());
      }
    }
  } finally {
    mock.end();
  }
  const series = (/** @type {string} */ variant, /** @type {string} */ name) =>
    (runs[variant] ?? []).map((each) => each[name]);
  const cpu = (/** @type {string} */ variant) => spreadOf(ratios(series(variant, "cpu"), series("limit", "cpu")));
  const tree = (/** @type {string} */ variant, /** @type {string} */ name) =>
    spreadOf(series(variant, "tree").map((each) => each[name]));
  const limit = `${median(series("limit", "cpu")).toFixed(1)} µs`;
  const nullTest = { nullTest: cpu("limit again") };
  const own = [.../** @type {any[]} */ (runs["store"]), .../** @type {any[]} */ (runs["view"])];
  const isComplete = own.every(({ share, isTrue, backlogMs }) => share === 1 && isTrue && backlogMs <= 250);
  const limitP99 = median(series("limit", "loopP99Ms"));
  const backlog = Math.max(...own.map((each) => each.backlogMs));
  const what = `at ${RATE} updates a second`;
  return {
    figures: [
      judged({
        goal: "P8",
        what: `CPU of an update ${what}, store ÷ parse and Map.set`,
        limit,
        peer: `rpc-websockets ${ratio(cpu("rpc-websockets").median)}, ccxt ${ratio(cpu("ccxt").median)}`,
        us: cpu("store"),
        unit: "×",
        sense: "atMost",
        gate: 1.25,
        stretch: 1.03,
        felt: `an update uses ${milliseconds(median(series("store", "cpu")) / 1000)} of a core`,
        ...nullTest,
      }),
      judged({
        goal: "P8v",
        what: "the same with the grouped view, 5 groups open",
        limit,
        peer: `careless view ${ratio(cpu("careless").median)}`,
        us: cpu("view"),
        unit: "×",
        sense: "atMost",
        gate: 1.4,
        stretch: 1.14,
        felt: `an update uses ${milliseconds(median(series("view", "cpu")) / 1000)} of a core`,
        ...nullTest,
      }),
      judged({
        goal: "P9",
        what: `event loop delay p99, store and view; ${isComplete ? `all applied, rows true, backlog ≤ ${Math.round(backlog)} ms` : "NOT all applied, or too late"}`,
        limit: `${limitP99.toFixed(1)} ms`,
        peer: `rpc-websockets ${median(series("rpc-websockets", "loopP99Ms")).toFixed(1)} ms, careless ${median(series("careless", "loopP99Ms")).toFixed(1)} ms, ccxt ${median(series("ccxt", "loopP99Ms")).toFixed(1)} ms`,
        us: spreadOf(own.map((each) => each.loopP99Ms)),
        unit: " ms",
        sense: "atMost",
        gate: Math.min(20, limitP99 + 10),
        stretch: 3.7,
        isOk: isComplete,
      }),
      judged({
        goal: "P10",
        what: "fires of the tree a second",
        limit: "4",
        peer: `careless ${median(series("careless", "tree").map((each) => each.firesPerSecond)).toFixed(1)}`,
        us: tree("view", "firesPerSecond"),
        unit: "/s",
        sense: "atMost",
        gate: 4.05,
        stretch: 4,
        isComparable: true,
      }),
      judged({
        goal: "P10g",
        what: "shortest pause between two",
        limit: "200 ms",
        peer: `careless ${tree("careless", "shortestGapMs").median.toFixed(0)} ms`,
        us: tree("view", "shortestGapMs"),
        unit: " ms",
        sense: "atLeast",
        gate: 200,
        stretch: 250,
        isComparable: true,
      }),
      judged({
        goal: "P10r",
        what: "of these drawn by the editor (200 ms debounce) a second",
        limit: "4",
        peer: `careless ${tree("careless", "refreshesPerSecond").median.toFixed(1)}`,
        us: tree("view", "refreshesPerSecond"),
        unit: "/s",
        sense: "atLeast",
        gate: 3,
        stretch: 4,
        isComparable: true,
      }),
      judged({
        goal: "P10e",
        what: "most rows in one fire",
        limit: "200",
        peer: "–",
        us: tree("view", "mostElements"),
        unit: "",
        sense: "atMost",
        gate: 200,
        stretch: 200,
        isComparable: true,
      }),
    ],
  };
}

/** P11, P12, and U7. @param {Plan} plan @returns {Promise<Measured>} */
async function files(plan) {
  const child = start("files.mjs", {
    core: firstCore,
    flags: ["--expose-gc"],
    args: [JSON.stringify({ repetitions: plan.files, count: COUNT })],
  });
  const { large, small, edit, open } = await child.next();
  const readingOf = (/** @type {Record<string, number[]>} */ series) => {
    const limit = /** @type {number[]} */ (series["JSON.parse"]);
    const against = (/** @type {string} */ name) => spreadOf(ratios(series[name] ?? [], limit));
    return {
      limit: `${median(limit).toFixed(2)} ms`,
      peer: `jsonc-parser scanner ${ratio(against("scanner").median)}, parseTree ${ratio(against("parseTree").median)}`,
      us: against("shipped"),
      nullTest: against("JSON.parse again"),
    };
  };
  const common = { unit: "×", sense: /** @type {const} */ ("atMost") };
  const against = (/** @type {string} */ name) => spreadOf(ratios(edit[name], edit.parseTree));
  return {
    figures: [
      judged({
        goal: "P11",
        what: `${COUNT} requests of a file, text → their places ÷ JSON.parse`,
        ...readingOf(large),
        ...common,
        gate: 2,
        stretch: 1.2,
        felt: `opening the file takes ${milliseconds(median(large["shipped"]))}`,
      }),
      judged({
        goal: "P11k",
        what: `the same with ${COUNT / 10}`,
        ...readingOf(small),
        ...common,
        gate: 2,
        stretch: 0.86,
      }),
      judged({
        goal: "P12",
        what: `a character typed into one of ${COUNT} requests ÷ parseTree`,
        limit: `${median(edit.parseTree).toFixed(1)} ms`,
        peer: `whole scan ${ratio(against("whole scan").median)}`,
        us: against("shipped"),
        nullTest: against("parseTree again"),
        ...common,
        gate: 0.01,
        stretch: 0.0003,
        felt: `a character takes ${milliseconds(median(edit["shipped"]))}`,
      }),
      judged({
        goal: "U7",
        what: `${COUNT} requests of a file opened until all their problems are shown ÷ parseTree; the longest block ${Math.round(median(open.longest))} ms of at most ${LONGEST_BLOCK_MS}`,
        limit: `${median(open.parseTree).toFixed(0)} ms`,
        peer: "–",
        us: spreadOf(ratios(open.cpu, open.parseTree)),
        ...common,
        gate: 5,
        stretch: 3,
        isOk: median(open.longest) <= LONGEST_BLOCK_MS,
        felt: `its problems take ${milliseconds(median(open.cpu))}`,
      }),
    ],
  };
}

/** P13. @param {Plan} plan @returns {Promise<Measured>} */
async function runner(plan) {
  const delayMs = 20;
  const measured = await measure(
    "runner.mjs",
    { rounds: plan.runs, count: plan.requests, sequential: plan.requests / 10 },
    [],
    { kind: "delay", delayMs },
  );
  const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name], measured.sequential));
  return {
    figures: [
      judged({
        goal: "P13",
        what: `${plan.requests} requests run, ${delayMs} ms each at the exchange, 16 at once ÷ one by one`,
        limit: `${median(measured.sequential).toFixed(1)} ms`,
        peer: `ws alone ${against("by hand").median.toFixed(4)}, ideal 0.0625`,
        us: against("shipped"),
        nullTest: against("sequential again"),
        unit: "×",
        sense: "atMost",
        gate: 0.08,
        stretch: 0.063,
        felt: `the run takes ${milliseconds(median(measured.shipped) * plan.requests)}`,
      }),
    ],
  };
}

/** What of the extension is loaded when, and what else of it runs in the host or beside it. */
const STAGES = [
  { when: "at activation", entries: ["extension.js"] },
  { when: "with the first view", entries: ["extension.js", "main.js"] },
  { when: "with the first connection", entries: FIRST_CONNECTION },
  { when: "with the first request file too", entries: ["extension.js", "main.js", "requests.js"] },
];
/** All programs but those of the pages. */
const SHIPPED = /^(?!panel\.|empty\.)[\w-]+\.js$/;

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** P14 and P15. @param {Plan} plan @returns {Promise<Measured>} */
async function activation(plan) {
  const [empty, entry, ws] = ["empty.js", "extension.js", "ws.cjs"].map((name) => path.join(builtDir, name));
  fs.writeFileSync(/** @type {string} */ (empty), "");
  /** @type {Record<string, (string | undefined)[]>} */
  const variants = {
    empty: [empty],
    entry: [entry],
    "empty again": [empty],
    ws: [ws],
    all: FIRST_CONNECTION.map((name) => path.join(builtDir, name)),
    "ws again": [ws],
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let time = 0; time < plan.activations; time++) {
    for (const [name, loaded] of Object.entries(variants))
      (times[name] ??= []).push(runOnce("activation.mjs", /** @type {string[]} */ (loaded), firstCore));
  }
  // Single starts vary by half; a ratio of pairs would mostly be their noise, and the middle of each series is not.
  const against = (/** @type {string} */ name, /** @type {string} */ limit) =>
    spreadOf((times[name] ?? []).map((each) => each / median(times[limit] ?? [])));
  const stages = STAGES.map(({ when, entries }) => ({ when, ...loadedWith(builtDir, entries) }));
  const atActivation = stages[0]?.bytes ?? NaN;
  const all = bytesOf(
    builtDir,
    fs.readdirSync(builtDir).filter((name) => SHIPPED.test(name)),
  );
  const limitOf = (/** @type {string} */ name) => `${median(times[name] ?? []).toFixed(2)} ms`;
  const common = { unit: "×", sense: /** @type {const} */ ("atMost") };
  return {
    figures: [
      judged({
        goal: "P14",
        what: `require of the entry ÷ of an empty file; ${kilobytes(atActivation)} of at most 30`,
        limit: limitOf("empty"),
        peer: "httpyac 197 (page)",
        us: against("entry", "empty"),
        nullTest: against("empty again", "empty"),
        ...common,
        gate: 3,
        stretch: 1.1,
        isOk: atActivation <= 30 * 1024,
        felt: `activation loads for ${limitOf("entry")}`,
      }),
      judged({
        goal: "P15",
        what: "require of all that the first connection loads ÷ of ws alone",
        limit: limitOf("ws"),
        peer: "httpyac 19 (page)",
        us: against("all", "ws"),
        nullTest: against("ws again", "ws"),
        ...common,
        gate: 1.5,
        stretch: 1.18,
        felt: `the first connection loads for ${limitOf("all")}`,
      }),
      judged({
        goal: "P15b",
        what: `KB of the host's programs: ${stages.map(({ when, bytes }) => `${kilobytes(bytes)} ${when}`).join(", ")}`,
        limit: "–",
        peer: "httpyac 2732, ccxt 6178 (page)",
        us: spreadOf([all / 1024]),
        unit: " KB",
        sense: "atMost",
        gate: 300,
        stretch: 59,
        isComparable: true,
      }),
    ],
    data: { stages, all },
  };
}

/**
 * P16. `test/sockets/digits.test.ts` and `test/core/present/requests/response.test.ts` hold it for each kind of number.
 * @returns {Promise<Measured>}
 */
async function digits() {
  const { count, changed, changedByParsing } = await measure("digits.mjs", { count: 5000, seed: 7 });
  return {
    figures: [
      judged({
        goal: "P16",
        what: `of ${count} numbers, file → socket → response, written in another way (also test/sockets/digits)`,
        limit: "0",
        peer: `JSON.parse ${changedByParsing}`,
        us: spreadOf([changed]),
        unit: "",
        sense: "atMost",
        gate: 0,
        stretch: 0,
        isComparable: true,
      }),
    ],
  };
}

const KNOWN_INSTRUMENTS = 5000;

/** P17 and P18. @param {Plan} plan @returns {Promise<Measured>} */
async function completion(plan) {
  const child = start("complete.mjs", {
    core: firstCore,
    args: [JSON.stringify({ repetitions: plan.files, instruments: KNOWN_INSTRUMENTS })],
  });
  const measured = await child.next();
  const limit = measured["JSON.parse"];
  const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name], limit));
  const common = {
    limit: `${median(limit).toFixed(1)} ms`,
    peer: "–",
    nullTest: against("JSON.parse again"),
    unit: "×",
    sense: /** @type {const} */ ("atMost"),
  };
  return {
    figures: [
      judged({
        goal: "P17",
        what: `completing a method twice, as a request and as a name ÷ JSON.parse of ${KNOWN_INSTRUMENTS} instruments`,
        us: against("methods"),
        ...common,
        gate: 2,
        stretch: 0.5,
      }),
      judged({
        goal: "P18",
        what: `completing one of ${KNOWN_INSTRUMENTS} instruments ÷ JSON.parse of them`,
        us: against("instruments"),
        ...common,
        gate: 2,
        stretch: 0.5,
      }),
    ],
  };
}

/** What its growth is held against: as its elements; where it works on one of them, hardly at all. */
const LINEAR = 1.15;
const FLAT = 0.5;

/** @param {Plan} plan @returns {Promise<Measured>} */
async function growth(plan) {
  /** @type {Record<string, Record<string, number[]>>} */
  const measured = await measure("growth.mjs", { sizes: SIZES, repetitions: plan.growths }, ["--expose-gc"]);
  const large = SIZES.slice(-3);
  const parts = Object.entries(measured).map(([part, times]) => {
    const medians = SIZES.map((size) => median(times[size] ?? []));
    const repeated = Array.from({ length: plan.growths }, (_, index) =>
      exponentOf(
        large,
        large.map((size) => times[size]?.[index] ?? NaN),
      ),
    );
    return { part, medians, exponent: exponentOf(large, medians.slice(-3)), spread: spreadOf(repeated) };
  });
  const perElement = (/** @type {number} */ ms, /** @type {number} */ size) => `${((ms * 1000) / size).toFixed(3)} µs`;
  const rows = parts.map(({ part, medians, exponent }) => [
    part,
    ...medians.flatMap((ms, index) => [`${ms.toFixed(2)} ms`, perElement(ms, SIZES[index] ?? NaN)]),
    exponent.toFixed(2),
  ]);
  const limit = parts[0];
  return {
    figures: parts.slice(1).map(({ part, exponent, spread }, index) =>
      judged({
        goal: `G${index + 1}`,
        what: `growth of ${part}, exponent of its CPU time`,
        limit: `${limit?.part} ${limit?.exponent.toFixed(2)}`,
        peer: "–",
        us: { ...spread, median: exponent },
        unit: "^",
        sense: "atMost",
        gate: part.includes("updates") ? FLAT : LINEAR,
        stretch: part.includes("updates") ? 0 : 1,
        isComparable: true,
      }),
    ),
    notes: table([
      [
        "CPU, and for each element",
        ...SIZES.flatMap((size) => [String(size), ""]),
        `exponent, ${large[0]} to ${large.at(-1)}`,
      ],
      ...rows,
    ]),
    data: parts,
  };
}

/**
 * More than the engine's own tables still grow by in the first days; a store that remembers every order that has ended
 * leaves 400 KB and more.
 */
const MOST_KILOBYTES_A_DAY = 128;

/**
 * What is left in memory of days of updates; `test/host/load/fullRate.test.mjs` measures the extension host of a real
 * VS Code.
 * @param {Plan} plan
 * @returns {Promise<Measured>}
 */
async function retained(plan) {
  const run = async (/** @type {string} */ variant) => {
    const child = start("memory.mjs", {
      core: firstCore,
      flags: ["--expose-gc"],
      args: [JSON.stringify({ variant, count: COUNT / 10, days: plan.days })],
    });
    return /** @type {number[]} */ ((await child.next()).bytes);
  };
  const [map, own] = [await run("map"), await run("shipped")];
  // The first days fill what is remembered up to a limit.
  const daily = (/** @type {readonly number[]} */ bytes) =>
    bytes.slice(3).map((after, day) => (after - /** @type {number} */ (bytes[day + 2])) / 1024);
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 20).toFixed(2)} MB`;
  const rows = [
    ["a Map", ...map.map(megabytes)],
    ["session, orders and view", ...own.map(megabytes)],
  ];
  return {
    figures: [
      judged({
        goal: "M1",
        what: `memory that a day leaves: ${COUNT / 10} orders, 43,200 events, about 100 tokens, 4 links`,
        limit: `${median(daily(map)).toFixed(1)} KB`,
        peer: "–",
        us: spreadOf(daily(own)),
        unit: " KB",
        sense: "atMost",
        gate: MOST_KILOBYTES_A_DAY,
        stretch: 0,
        isComparable: true,
      }),
    ],
    notes: table([["memory in use after", "connecting", ...map.slice(1).map((_, day) => `day ${day + 1}`)], ...rows]),
    data: { map, own },
  };
}

/**
 * Runs a task of exchange.mjs beside a simulator of its own.
 * @param {object} task
 * @param {{ flags?: readonly string[], core?: number | undefined }} [simulated] of the simulator
 */
async function measureSimulator(task, { flags = ["--still"], core = firstCore } = {}) {
  const simulator = await startSimulator(["--limits", "off", ...flags], core);
  try {
    const { addresses } = simulator;
    return await start("exchange.mjs", {
      core: firstCore,
      args: [JSON.stringify({ simulator: addresses, ...task })],
    }).next();
  } finally {
    simulator.end();
  }
}

/** S2. The simulator and its reference share their core with the client. @param {Plan} plan @returns {Promise<Measured>} */
async function simulator(plan) {
  const texts = await measureSimulator({ task: "texts" });
  const echo = start("echo.mjs", { core: firstCore, args: [JSON.stringify(texts)] });
  const { url: echoUrl } = await echo.next();
  const perSecond = await measureSimulator({ task: "throughput", echoUrl, blocks: plan.rounds * 4, count: 1000 });
  echo.end();
  const sizes = plan.isQuick ? [1000, 10_000] : [1000, 100_000];
  const [few, many] = await measureSimulator({ task: "placements", sizes, count: 1000 });
  const events = await measureSimulator(
    { task: "events", seconds: plan.eventSeconds },
    { flags: ["--updates", String(RATE), "--orders", "1000"], core: otherCore },
  );
  const against = (/** @type {string} */ name) => spreadOf(ratios(perSecond[name], perSecond.limit));
  const own = median(perSecond.simulator);
  const grownMs = events.lastAgeMs - events.firstAgeMs;
  const [firstBacklog, lastBacklog] = [events.onTheirWay[0], events.onTheirWay.at(-1)];
  return {
    figures: [
      judged({
        goal: "S2",
        what: `orders placed and cancelled a second, 64 in flight ÷ a server that only responds; ${Math.round(own)}/s`,
        limit: `${Math.round(median(perSecond.limit))}/s`,
        peer: "–",
        us: against("simulator"),
        nullTest: against("limit again"),
        unit: "×",
        sense: "atLeast",
        gate: 0.5,
        stretch: 0.8,
      }),
      judged({
        goal: "S2p",
        what: `p99 of a placement with ${many.size} open orders ÷ with ${few.size}; p50 ${ratio(many.p50)} ÷ ${ratio(few.p50)} ms`,
        limit: `${ratio(few.p99)} ms`,
        peer: "–",
        us: spreadOf([many.p99 / few.p99]),
        unit: "×",
        sense: "atMost",
        gate: 3,
        stretch: 1.2,
      }),
      judged({
        goal: "S2e",
        what: `events a second, of ${RATE}, for ${plan.eventSeconds} s; on their way at the end ${lastBacklog}, at first ${firstBacklog}; they came ${Math.round(events.lastAgeMs)} ms after their change, ${Math.round(events.firstAgeMs)} ms at first`,
        limit: `${RATE}/s`,
        peer: "–",
        us: spreadOf([events.perSecond]),
        unit: "/s",
        sense: "atLeast",
        gate: RATE * 0.98,
        stretch: RATE,
        isOk: grownMs <= 50 && lastBacklog - firstBacklog <= RATE * 0.05,
      }),
    ],
    data: { perSecond, few, many, events },
  };
}

/**
 * S3. The simulator without a client, with its market moving: how long it takes to start, beside the server
 * that only responds, and what it uses then.
 * @param {Plan} plan
 * @returns {Promise<Measured>}
 */
async function idle(plan) {
  const starts = {
    simulator: async () => {
      const { tookMs, end } = await startSimulator([], firstCore);
      end();
      return tookMs;
    },
    limit: async () => {
      const sinceMs = performance.now();
      const echo = start("echo.mjs", { core: firstCore, args: [JSON.stringify({ placed: "", cancelled: "" })] });
      await echo.next();
      echo.end();
      return performance.now() - sinceMs;
    },
  };
  /** @type {Record<keyof typeof starts, number[]>} */
  const tookMs = { simulator: [], limit: [] };
  for (let round = 0; round < plan.activations; round++)
    for (const name of shuffled(/** @type {(keyof typeof starts)[]} */ (Object.keys(starts)), Math.random))
      tookMs[name].push(await starts[name]());
  const simulator = await startSimulator([], firstCore);
  /** @type {number[]} */
  const megabytes = [];
  /** @type {number[]} */
  const cpuPercent = [];
  let before = await simulator.usage();
  for (let second = 0; second < plan.idleSeconds; second++) {
    await new Promise((resolve) => void setTimeout(resolve, 1000));
    const now = await simulator.usage();
    megabytes.push(now.residentBytes / 1e6);
    cpuPercent.push((100 * (now.cpuMs - before.cpuMs)) / (now.atMs - before.atMs));
    before = now;
  }
  simulator.end();
  const common = { peer: "–", sense: /** @type {const} */ ("atMost") };
  return {
    figures: [
      judged({
        goal: "S3",
        what: `start of the simulator until it accepts connections ÷ a server that only responds; ${Math.round(median(tookMs.simulator))} ms`,
        limit: `${Math.round(median(tookMs.limit))} ms`,
        us: spreadOf(ratios(tookMs.simulator, tookMs.limit)),
        unit: "×",
        ...common,
        gate: 3,
        stretch: 1.5,
      }),
      judged({
        goal: "S3m",
        what: `resident memory of the simulator without a client, over ${plan.idleSeconds} s`,
        limit: "–",
        us: spreadOf(megabytes),
        unit: " MB",
        ...common,
        gate: 100,
        stretch: 70,
        isComparable: true,
      }),
      judged({
        goal: "S3c",
        what: `share of one core that the same simulator uses, over ${plan.idleSeconds} s`,
        limit: "–",
        us: spreadOf(cpuPercent),
        unit: " %",
        ...common,
        gate: 2,
        stretch: 1,
      }),
    ],
    data: { tookMs, megabytes, cpuPercent },
  };
}

/**
 * T1 and T2. Orders of the command at the simulator, with their journal on the disk: absolute times, because users wait
 * for them, and because they lie far below the goals.
 * @param {Plan} plan
 * @returns {Promise<Measured>}
 */
async function placing(plan) {
  const simulator = await startSimulator(["--limits", "off", "--orders", "0", "--still"], otherCore);
  try {
    const { addresses } = simulator;
    const args = [JSON.stringify({ simulator: addresses, count: plan.placements })];
    /** @type {Record<"frameMs" | "previewMs", number[]>} */
    const measured = await start("placing.mjs", { core: firstCore, args }).next();
    const common = { peer: "–", unit: " ms", sense: /** @type {const} */ ("atMost"), isComparable: true };
    const p99 = (/** @type {readonly number[]} */ times) => spreadOf([quantile(times, 0.99)]);
    const p50 = (/** @type {readonly number[]} */ times) => `p50 ${median(times).toFixed(1)} ms`;
    return {
      figures: [
        judged({
          goal: "T1",
          what: `from the confirmation of an order to its frame, p99 of ${plan.placements}`,
          limit: p50(measured.frameMs),
          us: p99(measured.frameMs),
          ...common,
          gate: 50,
          stretch: 5,
        }),
        judged({
          goal: "T2",
          what: `from the line of an order to its confirmation with the preview, p99 of ${plan.placements}`,
          limit: p50(measured.previewMs),
          us: p99(measured.previewMs),
          ...common,
          gate: 300,
          stretch: 30,
        }),
      ],
      data: measured,
    };
  } finally {
    simulator.end();
  }
}

/**
 * What is measured together, by the goals it answers. `isAlone`: without another client to compare with.
 * @type {readonly { goals: readonly string[], run: (plan: Plan) => Promise<Measured>, isAlone?: true }[]}
 */
export const GROUPS = [
  { goals: ["P1", "P2", "P3", "P4"], run: calls },
  { goals: ["P5", "P5f", "P6"], run: decoding },
  { goals: ["P7"], run: memory },
  { goals: ["P8", "P9", "P10"], run: updates },
  { goals: ["P11", "P12", "U7"], run: files },
  { goals: ["P13"], run: runner },
  { goals: ["P14", "P15"], run: activation },
  { goals: ["P16"], run: digits },
  { goals: ["P17", "P18"], run: completion },
  { goals: ["growth"], run: growth },
  { goals: ["memory"], run: retained },
  { goals: ["S2", "S2p", "S2e"], run: simulator, isAlone: true },
  { goals: ["S3", "S3m", "S3c"], run: idle, isAlone: true },
  { goals: ["T1", "T2"], run: placing, isAlone: true },
  { goals: ["U1", "U2"], run: async (plan) => await waits.programs(plan, firstCore), isAlone: true },
  { goals: ["U3", "U4", "U11"], run: async (plan) => await waits.runs(plan), isAlone: true },
  { goals: ["U5"], run: async () => await waits.cancels(firstCore), isAlone: true },
  { goals: ["U6", "U10"], run: async (plan) => await waits.parts(plan, firstCore), isAlone: true },
  { goals: ["U8", "U9"], run: async (plan) => await waits.lists(plan, firstCore), isAlone: true },
  { goals: ["C1", "C2", "S4"], run: async (plan) => await starts(plan, firstCore), isAlone: true },
];
