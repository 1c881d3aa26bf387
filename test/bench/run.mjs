// @ts-check
/**
 * `npm run bench`: the goals of speed and memory, measured on the files that ship, each beside its limit and its best
 * peer in the same run. `--quick` takes fewer rounds, `--runs 3` repeats the whole and shows how far the runs are
 * apart; names run single goals (`npm run bench -- P1 P5 growth`). Prints tables and writes test/.out/bench.json.
 * Figures are ratios: absolute times say more about the machine than about the code. `bounds.json` has the bounds of
 * the guards (what was measured, and the larger of a tenth and three times the spread of the null test more), and the
 * goals that are missed for a known reason.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { installProject } from "../host/npm.mjs";
import { closeAll, endWithNpm, outDir, runNode, seconds, step } from "../host/process.mjs";
import { held, merged, row } from "./figures.mjs";
import { GROUPS, pinnedCore } from "./goals.mjs";
import { installPeers } from "./processes.mjs";
import { builtDir, root } from "./shipped.mjs";
import { table } from "./statistics.mjs";

/** @typedef {import("./figures.mjs").Figure} Figure */

const FULL = {
  isQuick: false,
  blocks: 40,
  decodings: 30,
  firsts: 9,
  files: 15,
  heaps: 3,
  rounds: 3,
  runs: 5,
  seconds: 4,
  activations: 20,
  growths: 5,
  days: 8,
  requests: 1000,
  placements: 1000,
  eventSeconds: 12,
  idleSeconds: 20,
};
/** For a look within a minute: enough to see what is a tenth off, and not what is less. */
const QUICK = {
  isQuick: true,
  blocks: 8,
  decodings: 5,
  firsts: 5,
  files: 8,
  heaps: 1,
  rounds: 1,
  runs: 1,
  seconds: 1.5,
  activations: 6,
  growths: 1,
  days: 3,
  requests: 400,
  placements: 200,
  eventSeconds: 3,
  idleSeconds: 3,
};

const benchDir = path.join(root, "test", "bench");

async function buildAll() {
  await runNode(["esbuild.js", "--production", `--out=${path.relative(root, builtDir)}`]);
  const common = /** @type {const} */ ({
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  // The peer of the generated checks: the schema they are generated from, run by zod itself.
  await build({
    ...common,
    stdin: {
      contents: 'export * as zod from "zod"; export { order } from "./src/catalogue/entities.ts";',
      resolveDir: root,
      loader: "ts",
    },
    outfile: path.join(builtDir, "zod.cjs"),
  });
  await build({
    ...common,
    entryPoints: [path.join(root, "test", "fakeClock.ts")],
    outfile: path.join(builtDir, "fakeClock.cjs"),
  });
  // The parts that are measured by themselves.
  await build({
    ...common,
    entryPoints: [path.join(benchDir, "entry.ts")],
    external: ["vscode"],
    mainFields: ["module", "main"],
    outfile: path.join(builtDir, "parts.cjs"),
  });
  // The limit of loading: the one library that a connection cannot do without.
  await build({
    ...common,
    stdin: { contents: 'module.exports = require("ws");', resolveDir: root },
    outfile: path.join(builtDir, "ws.cjs"),
  });
}

/**
 * The words behind `npm run bench --`.
 * @param {readonly string[]} words
 * @returns {{ plan: typeof FULL, runs: number, wanted: typeof GROUPS } | string} what is wrong with them, as a sentence
 */
function optionsOf(words) {
  const at = words.indexOf("--runs");
  const runs = at < 0 ? 1 : Number(words[at + 1]);
  if (!Number.isInteger(runs) || runs < 1) return "--runs takes a number of runs, such as --runs 3.";
  const names = words.filter((word, index) => !word.startsWith("--") && (at < 0 || index !== at + 1));
  const known = GROUPS.flatMap(({ goals }) => goals);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `There is no goal ${unknown.join(", ")}; there are ${known.join(", ")}.`;
  const wanted = GROUPS.filter(({ goals }) => names.length === 0 || goals.some((goal) => names.includes(goal)));
  return { plan: words.includes("--quick") ? QUICK : FULL, runs, wanted };
}

/** One run of the groups that are wanted. @param {typeof FULL} plan @param {typeof GROUPS} wanted */
async function runOf(plan, wanted) {
  /** @type {Figure[]} */
  const figures = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {Record<string, object>} */
  const data = {};
  for (const { goals, run } of wanted) {
    const since = performance.now();
    const measured = await run(plan);
    figures.push(...measured.figures);
    if (measured.notes) notes.push(measured.notes);
    if (measured.data) data[goals.join(", ")] = measured.data;
    console.log(`${goals.join(", ")} (${seconds(since)})`);
  }
  return { figures, notes, data };
}

/** @param {readonly string[]} words */
async function main(words) {
  const options = optionsOf(words);
  if (typeof options === "string") {
    console.error(options);
    return 2;
  }
  const { plan, runs, wanted } = options;
  await step("What the lock file names is installed", installProject);
  if (wanted.some(({ isAlone = false }) => !isAlone)) await installPeers();
  await step("Built what ships", buildAll);
  const isPinned = pinnedCore !== undefined;
  console.log(
    `Node ${process.version}, ${os.cpus()[0]?.model ?? "unknown processor"}, ${isPinned ? `pinned to core ${pinnedCore}` : "no taskset: what needs one core is not judged"}${plan.isQuick ? ", quick" : ""}, load ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
  );
  const measured = [];
  for (let run = 1; run <= runs; run++) {
    if (runs > 1) console.log(`Run ${run} of ${runs}, load ${(os.loadavg()[0] ?? 0).toFixed(1)}`);
    measured.push(await runOf(plan, wanted));
  }
  const bounds = JSON.parse(fs.readFileSync(path.join(benchDir, "bounds.json"), "utf8"));
  const figures = merged(measured.map((each) => each.figures)).map((each) => held(each, bounds));
  const us = runs > 1 ? `us ± over ${runs} runs` : "us (middle half)";
  console.log(
    `\n${table([["goal", "what", "limit", "best peers", us, "null test", "gate", "stretch", "", "for a user"], ...figures.map(row)])}`,
  );
  for (const note of measured.at(-1)?.notes ?? []) console.log(`\n${note}`);
  for (const { goal, verdict } of figures)
    if (verdict === "missed (accepted)") console.log(`\n${goal} is missed: ${bounds.accepted[goal]}`);
  fs.mkdirSync(outDir, { recursive: true });
  const { isQuick } = plan;
  fs.writeFileSync(
    path.join(outDir, "bench.json"),
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, isQuick, isPinned, load: os.loadavg(), figures, data: measured.map((each) => each.data) }, undefined, 1)}\n`,
  );
  return figures.some(({ verdict }) => verdict === "missed") ? 1 : 0;
}

endWithNpm();
const code = await main(process.argv.slice(2));
await closeAll();
process.exit(code);
