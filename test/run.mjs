// @ts-check
/**
 * `npm test`: installs what is missing, then runs the layers of a short run side by side. `npm run test:full` runs
 * every layer, `npm run test:long` adds the large rounds. `npm test -- LAYER FILE -t TEXT` runs a part of one. The last
 * line counts what passed, failed and was not run.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { clickGroups } from "./host/clicks.mjs";
import { installHost, whyNot } from "./host/install.mjs";
import { checkWith, editorTests, nodeTests, notRun } from "./host/layers.mjs";
import { installProject } from "./host/npm.mjs";
import { closeAll, endWithNpm, outDir, removeDir, root, runNode, seconds, step, tempDir } from "./host/process.mjs";
import { createSlots } from "./host/slots.mjs";
import { packTarball, tarball } from "./host/tarball.mjs";
import { pack, packaged } from "./host/vsix.mjs";
import { checkCitations, checkTables, citedLayers } from "./tables.mjs";
import { listTitles } from "./titles.mjs";

/** @typedef {import("./host/layers.mjs").Outcome} Outcome */
/** @typedef {import("./rounds.mjs").Size} Size */
/**
 * @typedef {{ files: readonly string[], isPart: boolean, text: string | undefined }} Choice what of a layer is wanted:
 * its test files, or a part of them
 */

const EDITOR = "dist/test/editor/index.cjs";
const MESSAGES = "../shared/exchange/data";
/** What the main job is made of: the click tests of a short run. */
const MAIN_JOB = "test/host/clicks/mainJob.test.mjs";
const MINUTE_MS = 60_000;

/** As many pieces of work at once as there are processors; windows wait more than they work. */
const SLOTS = Math.max(2, os.availableParallelism());
const inSlot = createSlots(SLOTS);
/** Groups of click tests for each slot: with one, a slot would have nothing to do while another has its last files. */
const CLICK_GROUPS = 3;

/** @type {Size} */
let size = "short";

/** The layers. `in` names the smallest run that has one; `sources` are its test files. */
const LAYERS = {
  types: { does: "the types of sources, tests and test host", in: "short", run: types },
  lint: { does: "the linter and the formatter", in: "short", run: lint },
  clicks: {
    does: "the packaged extension in VS Code, by mouse and keyboard",
    in: "short",
    sources: modules("test/host/clicks"),
    run: clicks,
  },
  editor: { does: "inside VS Code's extension host", in: "short", run: editor },
  core: {
    does: "everything that needs no VS Code and no socket",
    in: "short",
    sources: ["test/architecture.test.ts", ...bundled("test/core")],
    run: bundles("core1", "core2"),
  },
  sockets: {
    does: "over real sockets of this machine",
    in: "short",
    sources: bundled("test/sockets"),
    run: bundles("sockets"),
  },
  faults: {
    does: "every fault that a server, a network or a clock can have",
    in: "short",
    sources: bundled("test/faults"),
    run: bundles("faults"),
  },
  simulation: {
    does: "random schedules of users, faults and other actors, against an oracle",
    in: "short",
    sources: bundled("test/simulation"),
    run: bundles("simulation"),
  },
  replay: {
    does: "conversations written from the core specification, byte for byte",
    in: "short",
    sources: bundled("test/replay"),
    run: bundles("replay"),
  },
  package: {
    does: "what is in the packaged extension and in the npm package, how much they may be, and the latter installed",
    in: "short",
    sources: ["package", "tarball", "budget", "release"].map((name) => `test/host/${name}.test.mjs`),
    run: withPackage,
  },
  presses: {
    does: "a CodeLens pressed again and again, rows at every animation frame, and lists over rows that change",
    in: "full",
    sources: modules("test/host/presses"),
    run: windowsAlone,
  },
  start: {
    does: "npm start: what it serves, and to whom",
    in: "full",
    sources: ["test/host/start.test.mjs"],
    run: windows,
  },
  hostile: {
    does: "hostile workspaces in VS Code, untrusted and trusted; all of them with --long",
    in: "full",
    sources: modules("test/host/hostile"),
    run: windows,
  },
  recorded: { does: "the exchange's recorded messages", in: "full", sources: bundled("test/recorded"), run: recorded },
  openrpc: {
    does: "the methods as an OpenRPC document: the official meta-schema, and a generator that reads it; it installs 5 MB",
    in: "full",
    sources: ["test/openrpc/openrpc.test.mjs"],
    run: onBuild,
  },
  runner: {
    does: "how the test runner ends what does not end",
    in: "full",
    sources: ["test/host/runner.test.mjs"],
    run: plain,
  },
  planted: {
    does: "bugs that are planted into the sources: the tests find each of them",
    in: "full",
    sources: bundled("test/planted"),
    run: bundles("planted"),
  },
  node24: { does: "the core tests on the Node inside VS Code", in: "full", run: node24 },
  load: {
    does: "the packaged extension in VS Code, under load; it prints times",
    in: "long",
    sources: modules("test/host/load"),
    run: windowsAlone,
  },
  clients: {
    does: "clients that are not ours, against the simulator as it ships; it installs 70 MB",
    in: "long",
    sources: modules("test/clients"),
    run: onBuild,
  },
  mutation: {
    does: "how many small changes of the sources the tests notice",
    in: "long",
    sources: ["test/planted/mutation.test.mjs"],
    run: onBuild,
  },
  tables: {
    does: "features, conventions and threats: each with tests that exist and, in a full run, have passed",
    in: "short",
    run: tables,
  },
};

/** @typedef {keyof typeof LAYERS} LayerName */

/** @param {LayerName} name @returns {readonly string[]} its test files, none where they are not chosen one by one */
const sourcesOf = (name) => /** @type {{ sources?: readonly string[] }} */ (LAYERS[name]).sources ?? [];

const NAMES = /** @type {LayerName[]} */ (Object.keys(LAYERS));
/** @type {readonly string[]} */
const SIZES = ["short", "full", "long"];

/** @param {string} folder @param {string} ending @returns {string[]} files below it, relative to the project */
function filesBelow(folder, ending) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.includes(".cache"))
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .sort();
}

/** @param {string} folder */
function bundled(folder) {
  return filesBelow(folder, ".test.ts");
}

/** @param {string} folder */
function modules(folder) {
  return filesBelow(folder, ".test.mjs");
}

/** @template T @param {() => Promise<T>} action @returns {() => Promise<T>} done once, however often it is asked for */
function once(action) {
  /** @type {Promise<T> | undefined} */
  let result;
  return () => (result ??= action());
}

/** What ships, and the tests. Built once: what ships must not change under tests that run it. */
const build = once(() =>
  step("Built what ships and the tests", () => runNode(["esbuild.js", "--production", "--tests"])),
);

const vsix = once(async () => {
  await build();
  return step("Packed the extension", async () => {
    await pack(packaged);
    return packaged;
  });
});

/** Both products, for the tests that look into them. */
const products = once(async () => {
  const env = { RPC_VSIX: await vsix(), RPC_TARBALL: tarball };
  await step("Packed the npm package", () => packTarball(tarball));
  return env;
});

const host = once(() => step("VS Code is installed", installHost));

/** Guards of a single test, and of a file: large rounds are single tests that take long. */
const limits = () => ({
  testLimitMs: { short: 4, full: 6, long: 90 }[size] * MINUTE_MS,
  limitMs: (size === "long" ? 120 : 30) * MINUTE_MS,
});

async function types() {
  const projects = [".", "src/panel", "test/host"];
  return together(
    projects.map((project) =>
      checkWith.bind(undefined, `tsc -p ${project}`, [["typescript-7/bin/tsc", "-p", project]]),
    ),
  );
}

async function lint() {
  return together([
    checkWith.bind(undefined, "oxlint", [["oxlint/bin/oxlint"]]),
    checkWith.bind(undefined, "oxfmt", [["oxfmt/bin/oxfmt", "--check"]]),
  ]);
}

/**
 * @param {readonly (() => Promise<Outcome>)[]} works each waits for a slot of its own
 * @param {number} [slots] that each needs
 * @returns {Promise<Outcome & { took: string }>}
 */
async function together(works, slots) {
  const outcomes = await Promise.all(
    works.map((work) =>
      inSlot(async () => {
        const since = performance.now();
        return { ...(await work()), took: seconds(since) };
      }, slots),
    ),
  );
  return {
    tests: outcomes.flatMap(({ tests }) => tests),
    notes: outcomes.flatMap(({ notes = [] }) => notes),
    took: outcomes.map(({ took }) => took).join(" and "),
  };
}

/** @param {readonly string[]} names of bundles */
function bundles(...names) {
  return async (/** @type {Choice} */ { files, isPart, text }) => {
    await build();
    const chosen = [`${names[0]}.part`];
    if (isPart) await runNode(["esbuild.js", `--test=${chosen[0]}`, ...files]);
    return together(
      (isPart ? chosen : names).map((name) => () => nodeTests([`dist/test/${name}.cjs`], { ...limits(), text })),
    );
  };
}

/** @param {Choice} choice */
async function recorded(choice) {
  return fs.existsSync(path.join(root, MESSAGES))
    ? bundles("recorded")(choice)
    : notRun(`${MESSAGES} is absent; it holds the recorded messages.`);
}

async function node24() {
  const reason = whyNot();
  if (reason) return notRun(reason);
  await build();
  const { node } = await host();
  return together(["core1", "core2"].map((name) => () => nodeTests([`dist/test/${name}.cjs`], { ...limits(), node })));
}

/** @param {Choice} choice needs nothing that is built */
async function plain({ files, text }) {
  return together([() => nodeTests(files, { ...limits(), text })]);
}

/** @param {Choice} choice */
async function onBuild(choice) {
  await build();
  return plain(choice);
}

/** @param {Choice} choice */
async function withPackage({ files, text }) {
  const env = await products();
  return together([() => nodeTests(files, { ...limits(), env, text })]);
}

/** @param {Choice} choice */
async function editor({ text }) {
  await build();
  await host();
  return together([() => editorTests(EDITOR, { text })]);
}

/** @param {Choice} choice each file has windows of its own @param {number} [slots] that it needs */
async function windows({ files, text }, slots) {
  const reason = whyNot();
  if (reason) return notRun(reason);
  await host();
  const env = { RPC_VSIX: await vsix() };
  return together(
    files.map((file) => () => nodeTests([file], { ...limits(), env, text })),
    slots,
  );
}

/** What keeps several windows busy takes the processors from whatever runs beside it. @param {Choice} choice */
async function windowsAlone(choice) {
  return windows(choice, SLOTS);
}

/** @param {Choice} choice the files of a group share a VS Code server and a browser */
async function clicks({ files, text }) {
  const reason = whyNot();
  if (reason) return notRun(reason);
  await host();
  const RPC_VSIX = await vsix();
  const names = (isByName || size !== "short" ? files : [MAIN_JOB]).map((file) => path.basename(file));
  return together(
    clickGroups(CLICK_GROUPS * SLOTS, names).map(
      ({ file, env }) =>
        () =>
          nodeTests([file], { ...limits(), env: { ...env, RPC_VSIX }, text }),
    ),
  );
}

/** Whether layers are named, which then run whole. */
let isByName = false;

/** What ran, by layer. @type {Map<string, Outcome["tests"]>} */
const ran = new Map();

/** Looks up what the tables cite: in a full run among the tests that ran, else among the titles of the sources. */
async function tables() {
  if (size === "short") return together([async () => checkCitations(await titlesOf(citedLayers()))]);
  await others;
  return checkTables(ran);
}

/** Layers that leave pictures, or need an editor that takes long to download: that begins at once.
 * @type {ReadonlySet<string>} */
const NEEDS_EDITOR = new Set(["clicks", "editor", "presses", "start", "hostile", "node24", "load"]);

/** The layers beside the tables. @type {Promise<unknown>} */
let others = Promise.resolve();

/** @param {readonly string[]} names @returns {Promise<Map<string, string[]>>} */
async function titlesOf(names) {
  const env = await products();
  const bundle = (/** @type {string} */ name) =>
    (name === "core" ? ["core1", "core2"] : [name]).map((each) => `dist/test/${each}.cjs`);
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const name of names) {
    const sources = sourcesOf(/** @type {LayerName} */ (name));
    const files = name === "editor" ? [EDITOR] : sources[0]?.endsWith(".ts") ? bundle(name) : sources;
    titles.set(name, await listTitles(files, { env }));
  }
  return titles;
}

/**
 * Runs one layer and prints its results when it ends, since others run beside it.
 * @param {LayerName} name
 * @param {Choice} choice
 */
async function runLayer(name, choice) {
  const { does, run } = LAYERS[name];
  const since = performance.now();
  /** @type {Outcome & { took?: string }} */
  const {
    tests,
    notes = [],
    took = seconds(since),
  } = await run(choice).catch((error) => ({
    tests: [{ title: name, state: /** @type {const} */ ("failed"), error: String(error?.message ?? error) }],
  }));
  ran.set(name, tests);
  const lines = [`\n${name}: ${does}`, ...notes.map(indent)];
  for (const { title, state, error, reason } of tests) {
    if (state === "failed") lines.push(indent(`FAILED ${title}\n${indent(error ?? "without a message")}`));
    if (state === "skipped") lines.push(indent(`not run: ${title}: ${reason ?? "no reason given"}`));
  }
  console.log(`${lines.join("\n")}\n  ${sentence(count(tests))} (${took})`);
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
const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;

const HELP = `npm test                            the layers marked short, side by side
npm run test:full                   every layer but those marked long
npm run test:long                   every layer, with large rounds
npm test -- LAYER [FILE…] [-t TEXT] one layer, or some of its files; only the tests with TEXT in their name

${Object.entries(LAYERS)
  .map(([name, layer]) => `  ${name.padEnd(12)}${layer.in.padEnd(7)}${layer.does}`)
  .join("\n")}`;

/** A file as it is named in a command: state/orders @param {string} file @param {string} layer */
const shortName = (file, layer) =>
  file.replace(/\.test\.m?[jt]s$/, "").replace(new RegExp(`^test/(?:host/)?(?:${layer}/)?`), "");

/**
 * @param {readonly string[]} words layers, each followed by files of it
 * @returns {Map<LayerName, string[] | undefined> | string} or what is wrong with them
 */
function readWords(words) {
  /** @type {Map<LayerName, string[] | undefined>} */
  const chosen = new Map();
  /** @type {LayerName | undefined} */
  let layer;
  for (const word of words) {
    const named = NAMES.find((name) => name === word);
    if (named !== undefined) chosen.set((layer = named), undefined);
    else if (layer === undefined) return `There is no layer "${word}". The layers: ${NAMES.join(", ")}.`;
    else {
      const inLayer = layer;
      const sources = sourcesOf(layer);
      const names = sources.map((file) => shortName(file, inLayer));
      const wanted = shortName(word, inLayer);
      const found = sources.filter(
        (file, index) =>
          file === word ||
          names[index] === wanted ||
          names[index]?.startsWith(`${wanted}/`) ||
          names[index]?.endsWith(`/${wanted}`),
      );
      if (found.length === 0)
        return `The layer ${layer} has no file "${word}", and there is no such layer. ${names.length === 0 ? "It has no files to choose from." : `Its files: ${names.join(", ")}.`}`;
      chosen.set(layer, [...(chosen.get(layer) ?? []), ...found]);
    }
  }
  return chosen;
}

/**
 * Layers that are named run with the rounds of the smallest run that has them all.
 * @param {readonly LayerName[]} layers
 * @returns {Size}
 */
function sizeOf(layers) {
  return (
    /** @type {Size[]} */ (["long", "full"]).find((each) => layers.some((layer) => LAYERS[layer].in === each)) ??
    "short"
  );
}

/** @param {string[]} args */
async function main(args) {
  /** @type {ReturnType<typeof readArgs>} */
  let read;
  try {
    read = readArgs(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} See npm test -- --help.`);
    return 2;
  }
  const { values, positionals } = read;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const chosen = readWords(positionals);
  if (typeof chosen === "string") {
    console.error(chosen);
    return 2;
  }
  size = values.long ? "long" : values.full ? "full" : sizeOf([...chosen.keys()]);
  isByName = chosen.size > 0;
  // Tests that count rounds read it.
  process.env["RPC_ROUNDS"] = size;
  // Whatever the tests leave in the folder for temporary files goes with it.
  process.env["TMPDIR"] = tempDir();
  const since = performance.now();
  await step("What the lock file names is installed", installProject);
  const names = NAMES.filter((name) =>
    isByName ? chosen.has(name) : SIZES.indexOf(LAYERS[name].in) <= SIZES.indexOf(size),
  );
  if (names.some((name) => NEEDS_EDITOR.has(name))) {
    removeDir(outDir);
    if (!whyNot()) host().catch(() => undefined);
  }
  /** @param {LayerName} name */
  const runOne = (name) =>
    runLayer(name, {
      files: chosen.get(name) ?? sourcesOf(name),
      isPart: chosen.get(name) !== undefined,
      text: values.text,
    });
  const beside = names.filter((name) => name !== "tables").map(runOne);
  others = Promise.all(beside);
  await Promise.all([...beside, ...(names.includes("tables") ? [runOne("tables")] : [])]);
  const total = count([...ran.values()].flat());
  console.log(`\nall layers: ${seconds(since)}\n${sentence(total)}`);
  return total.failed > 0 ? 1 : 0;
}

/** @param {string[]} args */
function readArgs(args) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      full: { type: "boolean" },
      long: { type: "boolean" },
      help: { type: "boolean" },
      text: { type: "string", short: "t" },
    },
  });
}

endWithNpm();
const code = await main(process.argv.slice(2));
await closeAll();
process.exit(code);
