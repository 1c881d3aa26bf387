// @ts-check
/**
 * node mutants.mjs INSTRUMENTER FILE FROM TEST…: runs test files against some mutants of one file of the sources, one
 * mutant after the other in this process, and prints lines of JSON: at first all mutants, then what became of each.
 * A mutant is a switch in the sources; the tests are evaluated anew for each, so that nothing of one is left.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";

const [instrumenter = "", file = "", from = "0", ...tests] = process.argv.slice(2);
const standIn = fileURLToPath(new URL("nodeTestStandIn.mjs", import.meta.url));
const global = /** @type {any} */ (globalThis);
const require = createRequire(import.meta.url);

/** A test that goes round the event loop so often without an end never ends; those that do need far less. */
const MAX_TURNS = 20_000;
/** What they leave behind fills the memory: whoever started this process starts another one for the next. */
const MUTANTS_AT_A_TIME = 60;
/** So many times as often as without it a mutant may be passed: more is a loop. */
const HIT_FACTOR = 100;

/**
 * What it makes of texts is left out: kinds are the compiler's business, sentences that of the tests of words.
 * @returns {Promise<{ content: string, mutants: any[] }>}
 */
async function instrument() {
  const { Instrumenter } = await import(pathToFileURL(instrumenter).href);
  const nothing = () => undefined;
  const log = {
    isTraceEnabled: () => false,
    isDebugEnabled: () => false,
    isInfoEnabled: () => false,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    fatal: nothing,
  };
  const { files, mutants } = await new Instrumenter(log).instrument(
    [{ name: path.resolve(file), content: fs.readFileSync(file, "utf8"), mutate: true }],
    { plugins: null, ignorers: [], excludedMutations: ["StringLiteral"] },
  );
  return {
    content: files[0].content,
    mutants: mutants.filter((/** @type {any} */ { status }) => status !== "Ignored"),
  };
}

/** @param {string} test @param {string} content @returns {Promise<vm.Script>} */
async function bundle(test, content) {
  const { outputFiles } = await build({
    entryPoints: [`test/${test}.test.ts`],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "cjs",
    mainFields: ["module", "main"],
    external: ["vscode", "typescript", "esbuild", "mocha"],
    alias: { "node:test": standIn },
    logLevel: "warning",
    plugins: [
      {
        name: "mutants",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path: each }) =>
            each === path.resolve(file) ? { contents: content, loader: "ts" } : undefined,
          ),
      },
    ],
  });
  return new vm.Script(`(function (exports, require, module) {${outputFiles[0]?.text ?? ""}\n})`, {
    filename: `${test}.cjs`,
  });
}

/** Whether all tests of a file pass, up to the first that does not. @param {vm.Script} script */
async function passes(script) {
  const module = { exports: {} };
  try {
    script.runInThisContext()(module.exports, require, module);
    return await runItem(/** @type {import("./nodeTestStandIn.mjs").Item} */ (global.mutantTests), [], []);
  } catch {
    return false;
  }
}

/**
 * @param {import("./nodeTestStandIn.mjs").Item} item
 * @param {readonly (() => unknown)[]} beforeEach
 * @param {readonly (() => unknown)[]} afterEach
 * @returns {Promise<boolean>}
 */
async function runItem({ run, children, hooks }, beforeEach, afterEach) {
  if (run)
    return await ends(async () => {
      for (const hook of beforeEach) await hook();
      await run({});
      for (const hook of afterEach) await hook();
    });
  for (const hook of hooks.before) await hook();
  for (const child of children)
    if (!(await runItem(child, [...beforeEach, ...hooks.beforeEach], [...hooks.afterEach, ...afterEach]))) return false;
  for (const hook of hooks.after) await hook();
  return true;
}

/** Whether something ends well. @param {() => Promise<void>} run @returns {Promise<boolean>} */
async function ends(run) {
  return await new Promise((resolve) => {
    let isOver = false;
    let turns = 0;
    const end = (/** @type {boolean} */ isWell) => {
      isOver = true;
      resolve(isWell);
    };
    const turn = () => {
      if (isOver) return;
      if (++turns > MAX_TURNS) end(false);
      else setImmediate(turn);
    };
    run().then(
      () => end(true),
      () => end(false),
    );
    setImmediate(turn);
  });
}

/** @param {object} line */
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

// What a mutant leaves behind is its own affair.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

// The seed of random data is made of these: a mutant that is noticed by luck alone would not be noticed each time.
Math.random = () => 0.5;
Date.now = () => 0;

const { content, mutants } = await instrument();
const scripts = await Promise.all(tests.map(async (test) => await bundle(test, content)));
/** How often each mutant is passed by each file without being active. @type {Record<string, number>[]} */
const hits = [];
for (const [index, script] of scripts.entries()) {
  global.__stryker__ = {};
  if (!(await passes(script))) throw new Error(`test/${tests[index]}.test.ts fails as it is.`);
  hits.push({ ...global.__stryker__.mutantCoverage?.static });
}
const source = fs.readFileSync(file, "utf8").split("\n");
if (from === "0")
  print(
    mutants.map(({ location, mutatorName, replacement }) => ({
      file,
      line: location.start.line + 1,
      source: (source[location.start.line] ?? "").trim(),
      mutator: mutatorName,
      replacement: replacement.replaceAll(/\s+/g, " "),
    })),
  );
for (const { id } of mutants.slice(Number(from), Number(from) + MUTANTS_AT_A_TIME)) {
  let status = "noCoverage";
  for (const [index, script] of scripts.entries()) {
    const hitCount = hits[index]?.[id];
    if (hitCount === undefined) continue;
    global.__stryker__ = { activeMutant: id, hitCount: 0, hitLimit: hitCount * HIT_FACTOR };
    status = (await passes(script)) ? "survived" : "noticed";
    if (status === "noticed") break;
  }
  print({ status });
}
process.exit(0);
