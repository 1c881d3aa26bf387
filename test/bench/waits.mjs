// @ts-check
/** U1 to U11: what users wait for, each as a ratio to what the least program would take in the same run. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { judged, ratio } from "./figures.mjs";
import { runProgram, start, startMock, startSimulator } from "./processes.mjs";
import { builtDir } from "./shipped.mjs";
import { exponentOf, median, ratios, shuffled, spreadOf } from "./statistics.mjs";

/** @typedef {import("./goals.mjs").Measured} Measured */
/** @typedef {import("./goals.mjs").Plan} Plan */

const cli = path.join(builtDir, "npm", "dist", "cli.js");
const benchDir = import.meta.dirname;
const METHOD = "public/get_time";

/** Of a program that has ended. @typedef {{ tookMs: number, cpuMs: number, residentKb: number }} Ended */

/**
 * Runs a program to its end.
 * @param {readonly string[]} words of Node
 * @param {string} folder for what it tells
 * @param {number | undefined} core
 * @returns {Promise<Ended>}
 */
async function ended(words, folder, core) {
  const usage = path.join(folder, "usage.json");
  const sinceMs = performance.now();
  await runProgram(["--require", path.join(benchDir, "atExit.cjs"), ...words], {
    core,
    variables: { BENCH_USAGE: usage },
  });
  return { tookMs: performance.now() - sinceMs, ...JSON.parse(fs.readFileSync(usage, "utf8")) };
}

/**
 * Runs each program so many times, in another order each time.
 * @template {string} Name
 * @param {Readonly<Record<Name, () => Promise<Ended>>>} programs
 * @param {number} times
 */
async function series(programs, times) {
  const names = /** @type {Name[]} */ (Object.keys(programs));
  const all = /** @type {Record<Name, Ended[]>} */ (
    /** @type {object} */ (Object.fromEntries(names.map((name) => [name, []])))
  );
  for (let time = 0; time < times; time++)
    for (const name of shuffled(names, Math.random)) all[name].push(await programs[name]());
  return all;
}

/** @param {string} folder @param {number} count of requests, each with an expectation */
function requestFile(folder, count) {
  const file = path.join(folder, `${count}.rpc.json`);
  const requestText = (/** @type {number} */ id) =>
    `  { "jsonrpc": "2.0", "id": ${id}, "method": "${METHOD}", "params": {}, "$run": { "expect": { "ok": true } } }`;
  fs.writeFileSync(file, `[\n${Array.from({ length: count }, (_, index) => requestText(index)).join(",\n")}\n]\n`);
  return file;
}

/** @param {(folder: string) => Promise<Measured>} measure */
async function withFolder(measure) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-waits-"));
  try {
    return await measure(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** U1 and U2. @param {Plan} plan @param {number | undefined} core @returns {Promise<Measured>} */
export async function programs(plan, core) {
  return await withFolder(async (folder) => {
    const run = (/** @type {readonly string[]} */ words) => async () => await ended(words, folder, core);
    const all = await series(
      {
        node: run(["-e", ""]),
        "node again": run(["-e", ""]),
        help: run([cli, "--help"]),
        "help again": run([cli, "--help"]),
        methods: run([cli, "methods", "private/buy"]),
      },
      plan.activations,
    );
    const middle = (/** @type {keyof typeof all} */ name) => median(all[name].map(({ tookMs }) => tookMs));
    const [node, help] = [middle("node"), middle("help")];
    const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
    const common = { peer: "–", unit: "×", sense: /** @type {const} */ ("atMost"), isComparable: core !== undefined };
    return {
      figures: [
        judged({
          goal: "U1",
          what: "start of the terminal program: --help, less Node alone ÷ Node alone",
          limit: `${node.toFixed(0)} ms`,
          us: spreadOf(all.help.map(({ tookMs }) => (tookMs - node) / node)),
          nullTest: spreadOf(all["node again"].map(({ tookMs }) => tookMs / node)),
          ...common,
          gate: isNewer ? 1.1 : 0.5,
          stretch: isNewer ? 0.8 : 0.35,
          felt: `trading-rpc --help takes ${help.toFixed(0)} ms, ${node.toFixed(0)} ms of it Node's`,
        }),
        judged({
          goal: "U2",
          what: "methods NAME ÷ --help",
          limit: `${help.toFixed(0)} ms`,
          us: spreadOf(all.methods.map(({ tookMs }) => tookMs / help)),
          nullTest: spreadOf(all["help again"].map(({ tookMs }) => tookMs / help)),
          ...common,
          gate: 1.15,
          stretch: 1.05,
          felt: `trading-rpc methods private/buy takes ${middle("methods").toFixed(0)} ms`,
        }),
      ],
      data: all,
    };
  });
}

const FEW = 1000;
const MANY = 10_000;

/** U3, U4, and U11. @param {Plan} plan @returns {Promise<Measured>} */
export async function runs(plan) {
  const simulator = await startSimulator(["--limits", "off", "--still"]);
  try {
    return await withFolder(async (folder) => {
      const runOf = (/** @type {string} */ file) => async () =>
        // The simulator runs in a thread of it, as that of the other program runs in a process.
        await ended([cli, "run", file, "--env", "sim", "--quiet"], folder, undefined);
      const reads = JSON.stringify({ url: simulator.addresses.url, count: FEW, method: METHOD, params: {} });
      const rawReads = async () => await ended([path.join(benchDir, "reads.mjs"), reads], folder, undefined);
      const [few, many] = [requestFile(folder, FEW), requestFile(folder, MANY)];
      const all = await series({ few: runOf(few), many: runOf(many), rawReads, "rawReads again": rawReads }, plan.runs);
      const of = (/** @type {keyof typeof all} */ name, /** @type {keyof Ended} */ figure) =>
        all[name].map((each) => each[figure]);
      const common = { peer: "–", sense: /** @type {const} */ ("atMost"), isComparable: true };
      const exponents = all.many.map(({ cpuMs }, index) =>
        exponentOf([FEW, MANY], [all.few[index]?.cpuMs ?? NaN, cpuMs]),
      );
      const kilobytes = ratios(of("many", "residentKb"), of("few", "residentKb")).map(
        (_, index) =>
          ((of("many", "residentKb")[index] ?? NaN) - (of("few", "residentKb")[index] ?? NaN)) / (MANY - FEW),
      );
      const tookMs = median(of("few", "tookMs"));
      return {
        figures: [
          judged({
            goal: "U3",
            what: `growth of run --env sim, ${FEW} to ${MANY} requests with expectations, exponent of its CPU`,
            limit: `${median(of("few", "cpuMs")).toFixed(0)} ms`,
            us: spreadOf(exponents),
            unit: "^",
            ...common,
            gate: 1.15,
            stretch: 1,
            felt: `${MANY} requests take ${(median(of("many", "tookMs")) / 1000).toFixed(1)} s`,
          }),
          judged({
            goal: "U4",
            what: `${FEW} reads by run --env sim ÷ the same calls by ws alone, with the start of each program`,
            limit: `${median(of("rawReads", "tookMs")).toFixed(0)} ms`,
            us: spreadOf(of("few", "tookMs").map((each) => each / median(of("rawReads", "tookMs")))),
            nullTest: spreadOf(ratios(of("rawReads again", "tookMs"), of("rawReads", "tookMs"))),
            unit: "×",
            ...common,
            gate: 3,
            stretch: 2,
            felt: `the run takes ${tookMs.toFixed(0)} ms`,
          }),
          judged({
            goal: "U11",
            what: "memory of the same run for each request",
            limit: "–",
            us: spreadOf(kilobytes),
            unit: " kB",
            ...common,
            gate: 12,
            stretch: 6,
          }),
        ],
        data: all,
      };
    });
  } finally {
    simulator.end();
  }
}

const CANCELS = 1000;
const STEP = 100;

/** U5. @param {number | undefined} core @returns {Promise<Measured>} */
export async function cancels(core) {
  const simulator = await startSimulator(["--limits", "off", "--orders", "0", "--still"]);
  try {
    const args = [JSON.stringify({ simulator: simulator.addresses, count: CANCELS, step: STEP })];
    /** @type {{ cpuUs: number[], longestMs: number }} */
    const { cpuUs, longestMs } = await start("cancels.mjs", { core, args }).next();
    const early = median(cpuUs.slice(1, 3));
    const late = cpuUs.slice(-2);
    return {
      figures: [
        judged({
          goal: "U5",
          what: `CPU of a cancel near the ${CANCELS}th of a window ÷ near the 200th, with journals and views; the longest block ${longestMs.toFixed(0)} ms of at most ${LONGEST_BLOCK_MS}`,
          limit: `${(early / 1000).toFixed(2)} ms`,
          peer: "–",
          us: spreadOf(late.map((each) => each / early)),
          unit: "×",
          sense: "atMost",
          gate: 1.2,
          stretch: 1,
          isComparable: core !== undefined,
          isOk: longestMs <= LONGEST_BLOCK_MS,
          felt: `a cancel uses ${(median(late) / 1000).toFixed(2)} ms of a core`,
        }),
      ],
      data: { cpuUs, longestMs },
    };
  } finally {
    simulator.end();
  }
}

/** The longest time in which a window may not react. */
export const LONGEST_BLOCK_MS = 50;

/** U6 and U10. @param {Plan} plan @param {number | undefined} core @returns {Promise<Measured>} */
export async function parts(plan, core) {
  const sizes = plan.isQuick ? [1000, 2000] : [2000, 4000, 8000, 16_000];
  const args = [JSON.stringify({ repetitions: plan.runs, count: MANY, sizes })];
  const { reports, replays } = await start("parts.mjs", { core, flags: ["--expose-gc"], args }).next();
  const limit = reports["JSON.parse"];
  const against = (/** @type {string} */ name) => spreadOf(ratios(reports[name], limit));
  const exponents = Array.from({ length: plan.runs }, (_, index) =>
    exponentOf(
      sizes,
      sizes.map((size) => replays[size][index]),
    ),
  );
  return {
    figures: [
      judged({
        goal: "U6",
        what: `report of a run of ${MANY} requests ÷ JSON.parse of their file`,
        limit: `${median(limit).toFixed(1)} ms`,
        peer: "–",
        us: against("report"),
        nullTest: against("JSON.parse again"),
        unit: "×",
        sense: "atMost",
        gate: 5,
        stretch: 3,
        isComparable: core !== undefined,
        felt: `the report takes ${median(reports.report).toFixed(0)} ms`,
      }),
      judged({
        goal: "U10",
        what: `growth of the replay of equal calls, ${sizes[0]} to ${sizes.at(-1)}, exponent of its CPU`,
        limit: `${median(replays[sizes[0] ?? 0]).toFixed(1)} ms`,
        peer: "–",
        us: spreadOf(exponents),
        unit: "^",
        sense: "atMost",
        gate: 1.15,
        stretch: 1,
        isComparable: true,
        felt: `${sizes.at(-1)} calls take ${median(replays[sizes.at(-1) ?? 0]).toFixed(0)} ms`,
      }),
    ],
    data: { reports, replays },
  };
}

/** U8 and U9. @param {Plan} plan @param {number | undefined} core @returns {Promise<Measured>} */
export async function lists(plan, core) {
  const mock = await startMock(core);
  /** @param {string} variant @param {number} count */
  const run = async (variant, count) =>
    await start("lists.mjs", {
      core,
      flags: ["--expose-gc"],
      args: [JSON.stringify({ url: mock.url, variant, count })],
    }).next();
  /** @type {Record<"parse" | "parse again" | "shipped" | "large", { firstMs: number, againMs: number }[]>} */
  const all = { parse: [], "parse again": [], shipped: [], large: [] };
  try {
    for (let round = 0; round < plan.runs; round++)
      for (const name of shuffled(/** @type {(keyof typeof all)[]} */ (Object.keys(all)), Math.random))
        all[name].push(await run(name.startsWith("parse") ? "parse" : "shipped", name === "large" ? 10 * MANY : MANY));
  } finally {
    mock.end();
  }
  const firsts = (/** @type {keyof typeof all} */ name) => all[name].map(({ firstMs }) => firstMs);
  const parse = median(firsts("parse"));
  const common = { peer: "–", unit: "×", sense: /** @type {const} */ ("atMost"), isComparable: core !== undefined };
  const nullTest = spreadOf(firsts("parse again").map((each) => each / parse));
  return {
    figures: [
      judged({
        goal: "U8",
        what: `first list of a process, ${MANY} orders: all CPU, with the rows and what is parsed later ÷ JSON.parse`,
        limit: `${parse.toFixed(1)} ms`,
        us: spreadOf(firsts("shipped").map((each) => each / parse)),
        nullTest,
        ...common,
        gate: 3,
        stretch: 2,
        felt: `the first list uses ${median(firsts("shipped")).toFixed(0)} ms of a core`,
      }),
      judged({
        goal: "U9",
        what: `a list of ${10 * MANY} orders read again ÷ read first`,
        limit: `${median(firsts("large")).toFixed(0)} ms`,
        us: spreadOf(all.large.map(({ firstMs, againMs }) => againMs / firstMs)),
        ...common,
        gate: 1.5,
        stretch: 1,
        felt: `reading it again uses ${ratio(median(all.large.map(({ againMs }) => againMs)) / 1000)} s of a core`,
      }),
    ],
    data: all,
  };
}
