// @ts-check
/**
 * `npm test`: installs what is missing, then runs every layer, or those that are named (`npm test -- core lint`).
 * The last line counts what passed, failed and was not run.
 */
import fs from "node:fs";
import path from "node:path";
import { checkConventions } from "./conventions.mjs";
import { checkFeatures } from "./features.mjs";
import { whyNot } from "./host/install.mjs";
import { checkWith, editorTests, nodeTests, nodeTestsOn24, notRun, windowTests } from "./host/layers.mjs";
import { installProject } from "./host/npm.mjs";
import { closeAll, endWithNpm, hostDir, root, runNode, seconds, step } from "./host/process.mjs";
import { makePackage } from "./host/vsix.mjs";
import { checkThreats } from "./threats.mjs";

/** @typedef {import("./host/layers.mjs").Outcome} Outcome */

/** Where each layer's files are, seen from the project's folder. `node esbuild.js --tests` writes what is below dist. */
const FILES = {
  core: "dist/test/core.cjs",
  sockets: "dist/test/sockets.cjs",
  recorded: "dist/test/recorded.cjs",
  replay: "dist/test/replay.cjs",
  faults: "dist/test/faults.cjs",
  simulation: "dist/test/simulation.cjs",
  planted: "dist/test/planted.cjs",
  mutation: "test/planted/mutation.test.mjs",
  editor: "dist/test/editor/index.cjs",
  package: "test/host/package.test.mjs",
  budget: "test/host/budget.test.mjs",
  release: "test/host/release.test.mjs",
  clicks: "test/host/clicks",
  load: "test/host/load",
  hostile: "test/host/hostile",
  clients: "test/clients/ccxt.test.mjs",
  messages: "../shared/exchange/data",
};

/** The layers in their order, the quick ones first. */
const LAYERS = {
  types: { does: "the types of sources, tests and test host", run: () => checkWith("tsc", [["typescript/bin/tsc", "-p", "."], ["typescript/bin/tsc", "-p", "src/panel"], ["typescript/bin/tsc", "-p", "test/host"]]) },
  lint: { does: "the linter", run: () => checkWith("eslint", [["eslint/bin/eslint.js", "."]]) },
  core: { does: "everything that needs no VS Code and no socket", run: () => nodeLayer(FILES.core) },
  sockets: { does: "over real sockets of this machine", run: () => nodeLayer(FILES.sockets) },
  recorded: { does: "the exchange's recorded messages", run: () => withMessages(FILES.recorded) },
  replay: { does: "scripts of the exchange's messages, byte for byte", run: () => withMessages(FILES.replay) },
  faults: { does: "every fault that a server, a network or a clock can have", run: () => nodeLayer(FILES.faults) },
  simulation: { does: "random schedules of users, faults and other actors, against an oracle", run: () => nodeLayer(FILES.simulation) },
  planted: { does: "bugs that are planted into the sources: the tests find each of them", run: () => nodeLayer(FILES.planted) },
  node24: { does: "the core tests on the Node inside VS Code", run: node24 },
  package: { does: "what is in the packaged extension, and how much it may be", run: packageLayer },
  editor: { does: "inside VS Code's extension host", run: editor },
  clicks: { does: "the packaged extension in VS Code, by mouse and keyboard", run: () => inWorkbench(FILES.clicks, { tests: windowTests }) },
  hostile: { does: "hostile workspaces in VS Code, untrusted and trusted; some of them each day, all of them with --long", run: () => inWorkbench(FILES.hostile, { limitMs: 60 * 60_000 }) },
  load: { does: "the packaged extension in VS Code, under load", run: load },
  clients: { does: "clients that are not ours, against the simulator as it ships", run: clients },
  mutation: { does: "how many small changes of the sources the tests notice", run: mutation },
  features: { does: "the features, each with the tests that show it", run: () => lookUp(checkFeatures) },
  conventions: { does: "what users of the editor expect, each point with the tests that show it, or declined", run: () => lookUp(checkConventions) },
  threats: { does: "what an attacker may try, each with the tests that show what stops it", run: () => lookUp(checkThreats) },
};

/** @param {string} file */
const isThere = (file) => fs.existsSync(path.join(root, file));

/**
 * @template T
 * @param {() => Promise<T>} action
 * @returns {() => Promise<T>} the action, done once however often it is asked for
 */
function once(action) {
  /** @type {Promise<T> | undefined} */
  let result;
  return () => (result ??= action());
}

const build = once(() => runNode(["esbuild.js", "--tests"]));
const vsix = once(makePackage);

/** With many more rounds a layer may take the better part of an hour. */
const patience = process.argv.includes("--long") ? { limitMs: 90 * 60_000 } : {};

/** @param {string} file */
async function nodeLayer(file) {
  await build();
  return nodeTests([file], patience);
}

/** @param {string} file */
async function withMessages(file) {
  return isThere(FILES.messages) ? nodeLayer(file) : notRun(`${FILES.messages} is absent; it holds the recorded messages.`);
}

async function node24() {
  const reason = whyNot();
  if (reason) return notRun(reason);
  await build();
  return nodeTestsOn24([FILES.core], patience);
}

async function packageLayer() {
  return nodeTests([FILES.package, FILES.budget, FILES.release], { env: { RPC_VSIX: await vsix() } });
}

async function editor() {
  await build();
  return editorTests(FILES.editor);
}

/** @param {string} layer whether it was asked for, by its name or with all that take long */
const isWanted = (layer) => process.argv.includes("--long") || process.argv.includes(layer);

/** Time is asserted on request alone: a busy machine would fail for no fault of ours. */
async function load() {
  return isWanted("load") ? inWorkbench(FILES.load) : notRun("it measures times, which want a quiet machine: npm run test:long, or npm test -- load.");
}

/** They are large, and none of the project's dependencies: installed when they are asked for. */
async function clients() {
  return isWanted("clients") ? nodeLayer(FILES.clients) : notRun("it installs a client of 70 MB: npm run test:long, or npm test -- clients.");
}

/** Some minutes of work, and a package more. */
async function mutation() {
  return isWanted("mutation") ? nodeTests([FILES.mutation], { limitMs: 120 * 60_000 }) : notRun("it tries some thousand changes of the sources: npm run test:long, or npm test -- mutation.");
}

/** What ran, by layer. @type {Map<string, Outcome["tests"]>} */
const ran = new Map();

/** @param {(ran: ReadonlyMap<string, Outcome["tests"]>) => Outcome} check a table whose tests are those of the layers before */
async function lookUp(check) {
  return ran.size < 5 ? notRun("it looks the tests of the other layers up, which did not run.") : check(ran);
}

/**
 * @param {string} folder
 * @param {{ limitMs?: number, tests?: typeof nodeTests }} [how] `limitMs` of each file
 */
async function inWorkbench(folder, { limitMs = 20 * 60_000, tests = nodeTests } = {}) {
  const reason = whyNot();
  if (reason) return notRun(reason);
  const dir = path.join(root, folder);
  const files = isThere(folder) ? fs.readdirSync(dir).filter((name) => name.endsWith(".test.mjs")).sort() : [];
  if (files.length === 0) throw new Error(`${folder} holds no test file.`);
  return tests(files.map((name) => path.join(dir, name)), { env: { RPC_VSIX: await vsix() }, limitMs });
}

/**
 * Runs one layer and prints what became of it.
 * @param {string} name
 * @param {{ does: string, run: () => Promise<Outcome> }} layer
 */
async function runLayer(name, { does, run }) {
  console.log(`\n${name}: ${does}`);
  const since = performance.now();
  /** @type {Outcome} */
  const { tests, notes = [] } = await run().catch((error) => ({ tests: [{ title: name, state: /** @type {const} */ ("failed"), error: String(error?.message ?? error) }] }));
  ran.set(name, tests);
  for (const note of notes) console.log(indent(note));
  for (const { title, state, error, reason } of tests) {
    if (state === "failed") console.log(indent(`FAILED ${title}\n${indent(error ?? "without a word")}`));
    if (state === "skipped") console.log(indent(`not run: ${title}: ${reason ?? "no reason given"}`));
  }
  const counts = count(tests);
  console.log(`  ${sentence(counts)} (${seconds(since)})`);
  return counts;
}

/** @param {string} text */
const indent = (text) => text.replace(/^(?=.)/gm, "  ");

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {readonly { state: keyof Counts }[]} tests */
function count(tests) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of tests) counts[state] += 1;
  return counts;
}

/** @param {Counts} counts */
const sentence = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;

/** @param {readonly string[]} args */
async function main(args) {
  const known = Object.keys(LAYERS);
  const names = args.filter((arg) => arg !== "--long");
  // Tests that count rounds read it: a long run makes many more of them.
  if (args.includes("--long")) process.env["RPC_LONG"] = "1";
  if (args.includes("--help")) {
    console.log(`npm test [-- LAYER…]       npm run test:long [-- LAYER…]\n\n${Object.entries(LAYERS).map(([name, { does }]) => `  ${name.padEnd(12)}${does}`).join("\n")}`);
    return 0;
  }
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no layer ${unknown.map((name) => `"${name}"`).join(" or ")}; there are ${known.join(", ")}.`);
    return 2;
  }
  await step("What the lock file names is installed", installProject);
  fs.rmSync(path.join(hostDir, "..", ".out"), { recursive: true, force: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, layer] of Object.entries(LAYERS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const counts = await runLayer(name, layer);
    for (const key of /** @type {(keyof Counts)[]} */ (Object.keys(total))) total[key] += counts[key];
  }
  console.log(`\n${sentence(total)}`);
  return total.failed > 0 ? 1 : 0;
}

endWithNpm();
const code = await main(process.argv.slice(2));
await closeAll();
process.exit(code);
