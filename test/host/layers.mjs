// @ts-check
/** The ways to run a layer of tests. Each gives what became of its tests; none prints. */
import fs from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installHost } from "./install.mjs";
import { hostDir, removeDir, root, run, tempDir } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";

/** @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', reason?: string, error?: string }} TestLine */
/** @typedef {{ tests: TestLine[], notes?: string[] }} Outcome notes are printed whatever the outcome */

/**
 * A layer that cannot run here: it never counts as passed.
 * @param {string} reason
 * @returns {Outcome}
 */
export const notRun = (reason) => ({ tests: [{ title: "the whole layer", state: "skipped", reason }] });

/**
 * @param {string} title
 * @param {string} error
 * @returns {TestLine}
 */
const failure = (title, error) => ({ title, state: "failed", error });

/**
 * Programs of node_modules, each of which says by its exit code whether all is well; together they are one test.
 * @param {string} title
 * @param {readonly (readonly string[])[]} programs script and arguments
 * @returns {Promise<Outcome>}
 */
export async function checkWith(title, programs) {
  const outputs = [];
  for (const [script = "", ...args] of programs) {
    const { code, output, stopped } = await run(process.execPath, [path.join(root, "node_modules", script), ...args], {
      limitMs: 15 * 60_000,
    });
    if (code !== 0) outputs.push([stopped, output.trim()].filter(Boolean).join("\n") || `${script} ended with ${code}`);
  }
  return { tests: [outputs.length ? failure(title, outputs.join("\n")) : { title, state: "passed" }] };
}

/**
 * @typedef {object} NodeTestOptions
 * @property {string} [node] default: the one that runs this
 * @property {Record<string, string>} [env]
 * @property {number} [limitMs] of a whole file: a guard, not a measure of speed
 * @property {number} [testLimitMs] of a single test or hook
 * @property {string | undefined} [text] only the tests whose name has it
 */

/**
 * Runs files with Node's test runner, one after another, each in a process of its own.
 * @param {readonly string[]} files
 * @param {NodeTestOptions} [options]
 * @returns {Promise<Outcome>}
 */
export async function nodeTests(files, options = {}) {
  /** @type {Outcome & { notes: string[] }} */
  const outcome = { tests: [], notes: [] };
  for (const file of files) {
    const { tests, notes = [] } = await nodeTestFile(file, options);
    outcome.tests.push(...tests);
    outcome.notes.push(...notes);
  }
  return outcome;
}

/**
 * @param {string} file
 * @param {NodeTestOptions} options
 * @returns {Promise<Outcome>}
 */
async function nodeTestFile(
  file,
  { node = process.execPath, env = {}, limitMs = 10 * 60_000, testLimitMs = 120_000, text },
) {
  if (!fs.existsSync(path.resolve(root, file)))
    return { tests: [failure(file, "It is missing: nothing was built for this layer.")] };
  const dir = tempDir();
  const report = path.join(dir, "report.jsonl");
  const progress = path.join(dir, "progress.txt");
  const reporters = Object.entries({ reporter: report, progress }).flatMap(([name, to]) => [
    `--test-reporter=${path.join(hostDir, `${name}.mjs`)}`,
    `--test-reporter-destination=${to}`,
  ]);
  const named = text === undefined ? [] : [`--test-name-pattern=${text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}`];
  const result = await run(node, ["--enable-source-maps", ...reporters, ...named, file], {
    env: { ...process.env, ...env },
    limitMs,
    watch: watchProgress(progress, testLimitMs),
  });
  const lines = fs.existsSync(report) ? fs.readFileSync(report, "utf8").split("\n").filter(Boolean) : [];
  removeDir(dir);
  /** @type {TestLine[]} */
  const tests = lines
    .map((line) => JSON.parse(line))
    .filter(({ reason }) => reason !== OTHER_NAME)
    .map(withoutInternals);
  const trouble = whatWentWrong(result, tests, text);
  if (trouble) tests.push(failure(file, `${trouble}\n${result.output.trim()}`));
  return {
    tests,
    notes: result.output
      .split("\n")
      .filter((line) => line.startsWith("note: "))
      .map((line) => line.slice(6)),
  };
}

/** Why Node's test runner skips a test that was not asked for. */
const OTHER_NAME = "test name does not match pattern";

/** How long the other hooks and the process may take after a hook has thrown. */
const AFTER_HOOK_MS = 5000;

/**
 * Tells when a file has to be stopped: a test that does not end, or a hook that threw and left something running.
 * @param {string} file where the reporter `progress` writes
 * @param {number} testLimitMs
 * @returns {() => string | undefined}
 */
function watchProgress(file, testLimitMs) {
  let length = 0;
  let sinceMs = performance.now();
  /** @type {string | undefined} */
  let hook;
  let last = "its first test";
  return () => {
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    if (text.length > length) {
      const news = text.slice(length).split("\n").filter(Boolean);
      last = news.findLast((line) => line.startsWith("start "))?.slice("start ".length) ?? last;
      hook ??= news.find((line) => line.startsWith("hook "))?.slice("hook ".length);
      length = text.length;
      sinceMs = performance.now();
    }
    const idleMs = performance.now() - sinceMs;
    if (hook !== undefined && idleMs > AFTER_HOOK_MS)
      return `A hook of "${hook}" threw, and something that it had started was still running: it was stopped.`;
    return idleMs > testLimitMs
      ? `Nothing came for ${testLimitMs / 1000} s after "${last}" had started: it was stopped.`
      : undefined;
  };
}

/** @param {TestLine} test @returns {TestLine} its error without colours and without the frames of Node itself */
function withoutInternals(test) {
  const error =
    test.error &&
    stripVTControlCharacters(test.error)
      .split("\n")
      .filter((line) => !/^\s+at .*\bnode:internal\//.test(line));
  return error ? { ...test, error: error.join("\n") } : test;
}

/**
 * A file whose process failed although no test did, or that held no test, has failed as a whole.
 * @param {{ code: number, stopped: string | undefined }} result
 * @param {readonly TestLine[]} tests
 * @param {string | undefined} text
 */
function whatWentWrong({ code, stopped }, tests, text) {
  if (stopped !== undefined) return stopped;
  if (code !== 0 && !tests.some(({ state }) => state === "failed")) return `Its process ended with ${code}.`;
  if (tests.length > 0) return undefined;
  return text === undefined ? "It holds no test." : `None of its tests has "${text}" in its name.`;
}

/**
 * The core tests once more on the Node that is inside VS Code.
 * @param {readonly string[]} files
 * @param {NodeTestOptions} [options]
 */
export async function nodeTestsOn24(files, options) {
  const { node } = await installHost();
  return nodeTests(files, { ...options, node });
}

/**
 * The bundle of mocha tests inside the extension host, with a simulator in a process of its own beside it: its
 * addresses, credentials and control reach the tests as JSON in RPC_SIMULATOR.
 * @param {string} suite
 * @param {{ text?: string | undefined }} [options] only the tests whose name has this text
 * @returns {Promise<Outcome>}
 */
export async function editorTests(suite, { text } = {}) {
  if (!fs.existsSync(path.join(root, suite)))
    return { tests: [failure(suite, "It is missing: nothing was built for this layer.")] };
  const { runSuite } = await import("./mocha.mjs");
  const { run: _run, stop, ...simulator } = await startSimulator();
  const folder = tempDir("rpc-folder");
  const examples = path.join(root, "examples");
  if (fs.existsSync(examples)) fs.cpSync(examples, folder, { recursive: true });
  try {
    const { done, results, log } = await runSuite({
      suite: path.join(root, suite),
      folder,
      env: { RPC_SIMULATOR: JSON.stringify(simulator) },
      ...(text === undefined ? {} : { grep: text }),
    });
    const wholly = !done ? "The run broke off." : results.length === 0 ? "It holds no test." : undefined;
    return {
      tests: [
        ...results.map(withoutInternals),
        ...(wholly ? [failure(suite, `${wholly}\n${log.filter(isTelling).join("\n")}`)] : []),
      ],
    };
  } finally {
    await stop();
    removeDir(folder);
  }
}

/** @param {string} line what VS Code says in every run tells nothing */
const isTelling = (line) =>
  !/%c INFO|Ignoring fetching additional|Creating a socket|connection token|\[AccountPolicyGate\]|\[AgentHost/.test(
    line,
  );
