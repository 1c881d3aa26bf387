// @ts-check
/** The ways to run a layer of tests. Each gives what became of its tests; none prints. */
import fs from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installHost } from "./install.mjs";
import { hostDir, isLostGesture, removeDir, root, run, tempDir } from "./process.mjs";
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
    const { code, output } = await run(process.execPath, [path.join(root, "node_modules", script), ...args]);
    if (code !== 0) outputs.push(output.trim() || `${script} ended with ${code}`);
  }
  return { tests: [outputs.length ? failure(title, outputs.join("\n")) : { title, state: "passed" }] };
}

/** @typedef {{ node?: string, env?: Record<string, string>, limitMs?: number }} NodeTestOptions */

/**
 * Files for Node's test runner, one after another, each in a process of its own.
 * @param {readonly string[]} files
 * @param {NodeTestOptions} [options]
 * @returns {Promise<Outcome>}
 */
export async function nodeTests(files, { node = process.execPath, env = {}, limitMs = 10 * 60_000 } = {}) {
  /** @type {Outcome & { notes: string[] }} */
  const outcome = { tests: [], notes: [] };
  const dir = tempDir();
  for (const [index, file] of files.entries()) {
    if (!fs.existsSync(path.resolve(root, file))) {
      outcome.tests.push(failure(file, "It is missing: nothing was built for this layer."));
      continue;
    }
    const report = path.join(dir, `${index}.jsonl`);
    const reporter = path.join(hostDir, "reporter.mjs");
    const args = ["--enable-source-maps", `--test-reporter=${reporter}`, `--test-reporter-destination=${report}`, file];
    const result = await run(node, args, { env: { ...process.env, ...env }, limitMs });
    const lines = fs.existsSync(report) ? fs.readFileSync(report, "utf8").split("\n").filter(Boolean) : [];
    /** @type {TestLine[]} */
    const tests = lines.map((line) => JSON.parse(line));
    outcome.tests.push(...tests.map(withoutInternals));
    const trouble = whatWentWrong(result, tests);
    if (trouble) outcome.tests.push(failure(file, `${trouble}\n${result.output.trim()}`));
    outcome.notes.push(...result.output.split("\n").filter((line) => line.startsWith("note: ")).map((line) => line.slice(6)));
  }
  removeDir(dir);
  return outcome;
}

/**
 * Files that drive a window by mouse and keyboard. A window that draws its rows anew between the two halves of a click
 * loses it, and what the click should have brought is waited for in vain: such a file is run again in a fresh window,
 * twice at most, and what failed before is told as a note. Whatever else fails, and a secret that was left behind above
 * all, has failed at once.
 * @param {readonly string[]} files
 * @param {NodeTestOptions} [options]
 * @returns {Promise<Outcome>}
 */
export async function windowTests(files, options) {
  /** @type {Outcome & { notes: string[] }} */
  const outcome = { tests: [], notes: [] };
  for (const file of files) {
    let { tests, notes = [] } = await nodeTests([file], options);
    for (let again = 0; again < MOST_AGAIN && isOfGestures(failedOf(tests)); again++) {
      outcome.notes.push(...failedOf(tests).map(({ title, error }) => `FAILED AT FIRST, and was run again: ${title}\n${error ?? "without a word"}`));
      ({ tests, notes = [] } = await nodeTests([file], options));
    }
    outcome.tests.push(...tests);
    outcome.notes.push(...notes);
  }
  return outcome;
}

const MOST_AGAIN = 2;

/** @param {readonly TestLine[]} tests */
const failedOf = (tests) => tests.filter(({ state }) => state === "failed");

/** @param {readonly TestLine[]} failed the first of them decides, the others may follow from it; but no secret may stay anywhere */
const isOfGestures = (failed) => isLostGesture(failed[0]?.error ?? "") && !failed.some(({ error = "" }) => error.includes("left secrets behind"));

/** @param {TestLine} test @returns {TestLine} its error without colours and without the frames of Node itself */
function withoutInternals(test) {
  const error = test.error && stripVTControlCharacters(test.error).split("\n").filter((line) => !/^\s+at .*\bnode:internal\//.test(line));
  return error ? { ...test, error: error.join("\n") } : test;
}

/**
 * A file whose process failed although no test did, or that held no test, has failed as a whole.
 * @param {{ code: number, hung: boolean }} result
 * @param {readonly TestLine[]} tests
 */
function whatWentWrong({ code, hung }, tests) {
  if (hung) return "It did not end and was stopped.";
  if (code !== 0 && !tests.some(({ state }) => state === "failed")) return `Its process ended with ${code}.`;
  return tests.length === 0 ? "It holds no test." : undefined;
}

/** The core tests once more on the Node that is inside VS Code. @param {readonly string[]} files @param {NodeTestOptions} [options] */
export async function nodeTestsOn24(files, options) {
  const { node } = await installHost();
  return nodeTests(files, { ...options, node });
}

/**
 * The bundle of mocha tests inside the extension host, with a simulator in a process of its own beside it: its
 * addresses, credentials and control reach the tests as JSON in RPC_SIMULATOR.
 * @param {string} suite
 * @returns {Promise<Outcome>}
 */
export async function editorTests(suite) {
  if (!fs.existsSync(path.join(root, suite))) return { tests: [failure(suite, "It is missing: nothing was built for this layer.")] };
  const { runSuite } = await import("./mocha.mjs");
  const { run: _run, stop, ...simulator } = await startSimulator();
  const folder = tempDir("rpc-folder");
  const examples = path.join(root, "examples");
  if (fs.existsSync(examples)) fs.cpSync(examples, folder, { recursive: true });
  try {
    const { done, results, log } = await runSuite({ suite: path.join(root, suite), folder, env: { RPC_SIMULATOR: JSON.stringify(simulator) } });
    const wholly = !done ? "The run broke off." : results.length === 0 ? "It holds no test." : undefined;
    return { tests: [...results.map(withoutInternals), ...(wholly ? [failure(suite, `${wholly}\n${log.filter(isTelling).join("\n")}`)] : [])] };
  } finally {
    await stop();
    removeDir(folder);
  }
}

/** @param {string} line what VS Code says in every run tells nothing */
const isTelling = (line) => !/%c INFO|Ignoring fetching additional|Creating a socket|connection token|\[AccountPolicyGate\]|\[AgentHost/.test(line);
