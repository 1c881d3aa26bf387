// @ts-check
/**
 * `npm run bench`: the goals of speed and memory, measured on the files that ship, each beside its limit and its best
 * peer in the same run. `--quick` takes fewer rounds; names run single goals (`npm run bench -- P1 P5`). Prints a table
 * and writes test/.out/bench.json. Figures are ratios: absolute times say more about the machine than about the code.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { installProject } from "../host/npm.mjs";
import { closeAll, endWithNpm, outDir, runNode, seconds, step } from "../host/process.mjs";
import { installPeers, pinnableCores, runOnce, start, startMock } from "./processes.mjs";
import { builtDir, root } from "./shipped.mjs";
import { judge, median, ratios, spreadOf, table } from "./statistics.mjs";

/** @typedef {import("./statistics.mjs").Spread} Spread */

/**
 * @typedef {object} Figure
 * @property {string} goal
 * @property {string} what
 * @property {string} limit
 * @property {string} peer the best peer; "page" marks figures of an earlier measurement that this run did not repeat
 * @property {Spread} us
 * @property {string} unit
 * @property {"atMost" | "atLeast"} sense
 * @property {number} gate
 * @property {number} stretch
 * @property {Spread} [nullTest] the limit against itself
 * @property {import("./statistics.mjs").Verdict} verdict
 */

const COUNT = 10_000;
const RATE = 20_000;
/** How far the limit may be from itself: round trips repeat well, everything else to about a tenth. */
const TIGHT = 0.03;
const WIDE = 0.1;

const words = process.argv.slice(2);
const isQuick = words.includes("--quick");
const PLAN = isQuick ? { blocks: 12, decodings: 8, files: 6, heaps: 1, rounds: 1, runs: 2, seconds: 2.5, activations: 8 } : { blocks: 40, decodings: 30, files: 15, heaps: 3, rounds: 3, runs: 5, seconds: 4, activations: 20 };

const cores = pinnableCores();
const [firstCore, otherCore = firstCore] = [cores.at(-1), cores.at(-2)];
const isPinned = firstCore !== undefined;

/** @param {Omit<Figure, "verdict"> & { tolerance?: number, isComparable?: boolean, isOk?: boolean }} figure @returns {Figure} */
function judged({ tolerance = WIDE, isComparable = isPinned, isOk = true, ...figure }) {
  const verdict = judge(figure.us.median, figure, { isComparable, tolerance, ...(figure.nullTest && { nullRatio: figure.nullTest.median }) });
  return { ...figure, verdict: verdict === "met" && !isOk ? "missed" : verdict };
}

/** Runs a file of this folder beside a mock exchange and gives what it measured. @param {string} file @param {object} options @param {readonly string[]} [flags] @param {object} [mockPlan] what the exchange is told first */
async function measure(file, options, flags = [], mockPlan = undefined) {
  const mock = await startMock(firstCore);
  if (mockPlan !== undefined) mock.send(mockPlan);
  try {
    const child = start(file, { core: firstCore, flags, args: [JSON.stringify({ url: mock.url, ...options })] });
    return await child.next();
  } finally {
    mock.end();
  }
}

/** P1 to P3. @returns {Promise<Figure[]>} */
async function calls() {
  const measured = await measure("calls.mjs", { blocks: PLAN.blocks });
  const figureOf = (/** @type {"p50" | "perSecond" | "cpu"} */ series) => {
    const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name][series], measured["limit"][series]));
    return { peer: `rpc-websockets ${ratio(against("rpc-websockets").median)}`, us: against("session"), nullTest: against("limit again"), unit: "×" };
  };
  const { p50, perSecond, cpu } = measured["limit"];
  return [
    judged({ goal: "P1", what: "round trip of the session ÷ ws alone, p50", limit: `${median(p50).toFixed(1)} µs`, ...figureOf("p50"), sense: "atMost", gate: 1.05, stretch: 1, tolerance: TIGHT }),
    judged({ goal: "P2", what: "64 calls in flight ÷ ws alone, calls a second", limit: `${Math.round(median(perSecond))}/s`, ...figureOf("perSecond"), sense: "atLeast", gate: 1.1, stretch: 1.3 }),
    judged({ goal: "P3", what: "CPU of a call in flight ÷ ws alone", limit: `${median(cpu).toFixed(1)} µs`, ...figureOf("cpu"), sense: "atMost", gate: 0.9, stretch: 0.7 }),
  ];
}

/** P5 and P6. @returns {Promise<Figure[]>} */
async function decoding() {
  const measured = await measure("decode.mjs", { repetitions: PLAN.decodings, count: COUNT }, ["--expose-gc"]);
  const parse = measured["JSON.parse"];
  const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name], parse));
  const common = { limit: `${median(parse).toFixed(1)} ms`, nullTest: against("JSON.parse again"), unit: "×", sense: /** @type {const} */ ("atMost") };
  const zod = `zod strip ${ratio(against("zod strip").median)}, loose ${ratio(against("zod loose").median)}`;
  return [
    judged({ goal: "P5", what: `${COUNT} orders, bytes → checked, indexed, first rows ÷ JSON.parse`, ...common, peer: `${zod}; ccxt 16 (page)`, us: against("shipped"), gate: 1.8, stretch: 1.5 }),
    judged({ goal: "P6", what: "parsing and checking ÷ JSON.parse", ...common, peer: zod, us: against("JSON.parse and check"), gate: 1.15, stretch: 1.04 }),
  ];
}

/** P7. @returns {Promise<Figure[]>} */
async function memory() {
  /** @type {Record<string, number[]>} */
  const bytes = { "JSON.parse and Map": [], shipped: [], "zod strip": [], "zod loose": [] };
  for (let round = 0; round < PLAN.heaps; round++) {
    for (const variant of Object.keys(bytes)) bytes[variant]?.push((await measure("heap.mjs", { variant, count: COUNT }, ["--expose-gc"])).bytes);
  }
  const limit = /** @type {number[]} */ (bytes["JSON.parse and Map"]);
  const against = (/** @type {string} */ name) => spreadOf(ratios(bytes[name] ?? [], limit));
  return [
    judged({
      goal: "P7",
      what: `memory that ${COUNT} orders keep, with groups and rows ÷ JSON.parse and Map`,
      limit: `${(median(limit) / 2 ** 20).toFixed(2)} MB`,
      peer: `zod strip ${ratio(against("zod strip").median)}, loose ${ratio(against("zod loose").median)}; ccxt 5.4 (page)`,
      us: against("shipped"),
      unit: "×",
      sense: "atMost",
      gate: 1.25,
      stretch: 0.9,
      isComparable: true,
    }),
  ];
}

/** P8 to P10. @returns {Promise<Figure[]>} */
async function updates() {
  /** @type {Record<string, any[]>} */
  const runs = { limit: [], store: [], view: [], "rpc-websockets": [], careless: [], ...(!isQuick && { "limit again": [] }) };
  const mock = await startMock(otherCore);
  mock.send({ kind: "orders", count: COUNT });
  try {
    for (let round = 0; round < PLAN.rounds; round++) {
      const names = Object.keys(runs);
      for (const variant of round % 2 === 0 ? names : names.reverse()) {
        const child = start("updates.mjs", { core: firstCore, flags: ["--expose-gc"], args: [JSON.stringify({ url: mock.url, variant, count: COUNT })] });
        await child.next();
        mock.send({ kind: "push", count: COUNT, rate: RATE, seconds: PLAN.seconds });
        child.send(await mock.next());
        runs[variant]?.push(await child.next());
      }
    }
  } finally {
    mock.end();
  }
  const series = (/** @type {string} */ variant, /** @type {string} */ name) => (runs[variant] ?? []).map((each) => each[name]);
  const cpu = (/** @type {string} */ variant) => spreadOf(ratios(series(variant, "cpu"), series("limit", "cpu")));
  const tree = (/** @type {string} */ variant, /** @type {string} */ name) => spreadOf(series(variant, "tree").map((each) => each[name]));
  const limit = `${median(series("limit", "cpu")).toFixed(1)} µs`;
  const nullTest = runs["limit again"] && { nullTest: cpu("limit again") };
  const own = [.../** @type {any[]} */ (runs["store"]), .../** @type {any[]} */ (runs["view"])];
  const isComplete = own.every(({ share, isTrue, backlogMs }) => share === 1 && isTrue && backlogMs <= 250);
  const limitP99 = median(series("limit", "loopP99Ms"));
  const backlog = Math.max(...own.map((each) => each.backlogMs));
  const what = `at ${RATE} updates a second`;
  return [
    judged({ goal: "P8", what: `CPU of an update ${what}, store ÷ parse and Map.set`, limit, peer: `rpc-websockets ${ratio(cpu("rpc-websockets").median)}; ccxt 3.8 (page)`, us: cpu("store"), unit: "×", sense: "atMost", gate: 1.25, stretch: 1.03, ...nullTest }),
    judged({ goal: "P8v", what: "the same with the grouped view, 5 groups open", limit, peer: `careless view ${ratio(cpu("careless").median)}`, us: cpu("view"), unit: "×", sense: "atMost", gate: 1.4, stretch: 1.14, ...nullTest }),
    judged({
      goal: "P9",
      what: `event loop delay p99, store and view; ${isComplete ? `all applied, rows true, backlog ≤ ${Math.round(backlog)} ms` : "NOT all applied, or too late"}`,
      limit: `${limitP99.toFixed(1)} ms`,
      peer: `rpc-websockets ${median(series("rpc-websockets", "loopP99Ms")).toFixed(1)} ms, careless ${median(series("careless", "loopP99Ms")).toFixed(1)} ms; ccxt 142 (page)`,
      us: spreadOf(own.map((each) => each.loopP99Ms)),
      unit: " ms",
      sense: "atMost",
      gate: Math.min(20, limitP99 + 10),
      stretch: 3.7,
      isOk: isComplete,
    }),
    judged({ goal: "P10", what: "fires of the tree a second", limit: "4", peer: `careless ${median(series("careless", "tree").map((each) => each.firesPerSecond)).toFixed(1)}`, us: tree("view", "firesPerSecond"), unit: "/s", sense: "atMost", gate: 4.05, stretch: 4, isComparable: true }),
    judged({ goal: "P10g", what: "shortest pause between two", limit: "200 ms", peer: `careless ${tree("careless", "shortestGapMs").median.toFixed(0)} ms`, us: tree("view", "shortestGapMs"), unit: " ms", sense: "atLeast", gate: 200, stretch: 250, isComparable: true }),
    judged({ goal: "P10r", what: "of these drawn by the editor (200 ms debounce) a second", limit: "4", peer: `careless ${tree("careless", "refreshesPerSecond").median.toFixed(1)}`, us: tree("view", "refreshesPerSecond"), unit: "/s", sense: "atLeast", gate: 3, stretch: 4, isComparable: true }),
    judged({ goal: "P10e", what: "most rows in one fire", limit: "200", peer: "–", us: tree("view", "mostElements"), unit: "", sense: "atMost", gate: 200, stretch: 200, isComparable: true }),
  ];
}

/** P11 and P12. @returns {Promise<Figure[]>} */
async function files() {
  const child = start("files.mjs", { core: firstCore, flags: ["--expose-gc"], args: [JSON.stringify({ repetitions: PLAN.files, count: COUNT })] });
  const { large, small, edit } = await child.next();
  const readingOf = (/** @type {Record<string, number[]>} */ series) => {
    const limit = /** @type {number[]} */ (series["JSON.parse"]);
    const against = (/** @type {string} */ name) => spreadOf(ratios(series[name] ?? [], limit));
    return { limit: `${median(limit).toFixed(2)} ms`, peer: `jsonc-parser scanner ${ratio(against("scanner").median)}, parseTree ${ratio(against("parseTree").median)}`, us: against("shipped"), nullTest: against("JSON.parse again") };
  };
  const common = { unit: "×", sense: /** @type {const} */ ("atMost") };
  const against = (/** @type {string} */ name) => spreadOf(ratios(edit[name], edit.parseTree));
  return [
    judged({ goal: "P11", what: `${COUNT} requests of a file, text → their places ÷ JSON.parse`, ...readingOf(large), ...common, gate: 2, stretch: 1.2 }),
    judged({ goal: "P11k", what: `the same with ${COUNT / 10}`, ...readingOf(small), ...common, gate: 2, stretch: 0.86 }),
    judged({ goal: "P12", what: `a character typed into one of ${COUNT} requests ÷ parseTree`, limit: `${median(edit.parseTree).toFixed(1)} ms`, peer: `whole scan ${ratio(against("whole scan").median)}`, us: against("shipped"), nullTest: against("parseTree again"), ...common, gate: 0.01, stretch: 0.0003 }),
  ];
}

/** P13. @returns {Promise<Figure[]>} */
async function runner() {
  const delayMs = 20;
  const measured = await measure("runner.mjs", { rounds: PLAN.runs, count: COUNT / 10, sequential: 100 }, [], { kind: "delay", delayMs });
  const against = (/** @type {string} */ name) => spreadOf(ratios(measured[name], measured.sequential));
  return [
    judged({
      goal: "P13",
      what: `${COUNT / 10} requests run, ${delayMs} ms each at the exchange, 16 at once ÷ one by one`,
      limit: `${median(measured.sequential).toFixed(1)} ms`,
      peer: `ws alone ${against("by hand").median.toFixed(4)}, ideal 0.0625`,
      us: against("shipped"),
      nullTest: against("sequential again"),
      unit: "×",
      sense: "atMost",
      gate: 0.08,
      stretch: 0.063,
    }),
  ];
}

/** P14. @returns {Promise<Figure[]>} */
async function activation() {
  const empty = path.join(builtDir, "empty.js");
  fs.writeFileSync(empty, "");
  const entry = path.join(builtDir, "extension.js");
  /** @type {Record<"limit" | "again" | "us", number[]>} */
  const times = { limit: [], again: [], us: [] };
  for (let time = 0; time < PLAN.activations; time++) {
    times.limit.push(runOnce("activation.mjs", [empty], firstCore));
    times.us.push(runOnce("activation.mjs", [entry], firstCore));
    times.again.push(runOnce("activation.mjs", [empty], firstCore));
  }
  const bytes = fs.statSync(entry).size;
  const limit = median(times.limit);
  // Single starts vary by half; a ratio of pairs would mostly be their noise, and the middle of each series is not.
  const against = (/** @type {number[]} */ series) => spreadOf(series.map((each) => each / limit));
  return [
    judged({ goal: "P14", what: `require of the entry ÷ of an empty file; ${(bytes / 1024).toFixed(1)} KB of at most 30`, limit: `${limit.toFixed(2)} ms`, peer: "httpyac 197 (page)", us: against(times.us), nullTest: against(times.again), unit: "×", sense: "atMost", gate: 3, stretch: 1.1, isOk: bytes <= 30 * 1024 }),
  ];
}

/** What is measured together, by the goals it answers. */
const GROUPS = [
  { goals: ["P1", "P2", "P3"], run: calls },
  { goals: ["P5", "P6"], run: decoding },
  { goals: ["P7"], run: memory },
  { goals: ["P8", "P9", "P10"], run: updates },
  { goals: ["P11", "P12"], run: files },
  { goals: ["P13"], run: runner },
  { goals: ["P14"], run: activation },
];

/** @param {number} value */
const ratio = (value) => value.toFixed(2);

/** @param {Figure} figure */
function row({ goal, what, limit, peer, us, unit, sense, gate, stretch, nullTest, verdict }) {
  // What is a thousandth of the limit needs more digits to be told at all.
  const digits = unit !== "×" ? 1 : us.median < 0.1 ? 5 : 3;
  const number = (/** @type {number} */ value) => `${Number(value.toFixed(digits))}`;
  return [goal, what, limit, peer, `${us.median.toFixed(digits)}${unit} (${us.low.toFixed(digits)}–${us.high.toFixed(digits)})`, nullTest ? `${nullTest.median.toFixed(3)} (${nullTest.low.toFixed(2)}–${nullTest.high.toFixed(2)})` : "–", `${sense === "atMost" ? "≤" : "≥"} ${number(gate)}`, number(stretch), verdict];
}

async function buildAll() {
  await runNode(["esbuild.js", "--production", `--out=${path.relative(root, builtDir)}`]);
  // The peer of the generated checks: the schema they are generated from, run by zod itself.
  await build({
    stdin: { contents: 'export * as zod from "zod"; export { order } from "./src/catalogue/entities.ts";', resolveDir: root, loader: "ts" },
    outfile: path.join(builtDir, "zod.cjs"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
}

async function main() {
  const known = GROUPS.flatMap(({ goals }) => goals);
  const names = words.filter((word) => !word.startsWith("--"));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no goal ${unknown.join(", ")}; there are ${known.join(", ")}.`);
    return 2;
  }
  await step("What the lock file names is installed", installProject);
  await installPeers();
  await step("Built what ships", buildAll);
  console.log(`Node ${process.version}, ${os.cpus()[0]?.model ?? "unknown processor"}, ${isPinned ? `pinned to core ${firstCore}` : "no taskset: what needs one core is not judged"}${isQuick ? ", quick" : ""}, load ${(os.loadavg()[0] ?? 0).toFixed(1)}`);
  /** @type {Figure[]} */
  const figures = [];
  for (const { goals, run } of GROUPS) {
    if (names.length > 0 && !goals.some((goal) => names.includes(goal))) continue;
    const since = performance.now();
    figures.push(...(await run()));
    console.log(`${goals.join(", ")} (${seconds(since)})`);
  }
  console.log(`\n${table([["goal", "what", "limit", "best peers", "us (middle half)", "null test", "gate", "stretch", ""], ...figures.map(row)])}`);
  fs.mkdirSync(outDir, { recursive: true });
  fs.writeFileSync(path.join(outDir, "bench.json"), `${JSON.stringify({ at: new Date().toISOString(), node: process.version, isQuick, isPinned, load: os.loadavg(), figures }, undefined, 1)}\n`);
  return figures.some(({ verdict }) => verdict === "missed") ? 1 : 0;
}

endWithNpm();
const code = await main();
await closeAll();
process.exit(code);
