// @ts-check
/**
 * A reporter for Vitest beside its usual one: why tests were skipped, which file keeps a run from ending, and in a run
 * of `run.mjs` its numbers, golden files that no test has compared, and tests of docs/threats.md that did not pass.
 */
import fs from "node:fs";
import path from "node:path";
import { killMarked } from "./host/process.mjs";

/** @typedef {import("vitest/node").TestCase} TestCase */
/** @typedef {import("vitest/node").TestModule} TestModule */

/** A guard against a test that keeps its process busy for ever: Vitest ends only those that wait. */
const LIMIT_MS = { short: 10, full: 15, long: 120 }[process.env["RPC_ROUNDS"] ?? "short"] ?? 10;

export default class {
  /** Files that have begun and not ended. @type {Set<TestModule>} */
  #open = new Set();
  #lastMs = performance.now();
  /** @type {NodeJS.Timeout | undefined} */
  #guard;

  onTestRunStart() {
    this.#lastMs = performance.now();
    this.#guard = setInterval(() => {
      if (performance.now() - this.#lastMs < LIMIT_MS * 60_000) return;
      const files = [...this.#open].map(({ relativeModuleId }) => relativeModuleId).join(", ");
      console.error(`Nothing has ended for ${LIMIT_MS} minutes. The run is stopped; files under way: ${files}`);
      killMarked();
      process.kill(process.pid, "SIGKILL");
    }, 10_000);
    this.#guard.unref();
  }

  /** @param {TestModule} module */
  onTestModuleStart(module) {
    this.#open.add(module);
  }

  /** @param {TestModule} module */
  onTestModuleEnd(module) {
    this.#open.delete(module);
    this.#lastMs = performance.now();
  }

  onTestCaseResult() {
    this.#lastMs = performance.now();
  }

  /** @type {NonNullable<import("vitest/reporters").Reporter["onTestRunEnd"]>} */
  onTestRunEnd(modules, errors, reason) {
    clearInterval(this.#guard);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    /** @param {string} state */
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    /** @type {Map<string, string[]>} */
    const skipped = new Map();
    for (const test of tests) {
      const result = test.result();
      if (result.state !== "skipped") continue;
      const why = result.note ?? "its suite is skipped here";
      skipped.set(why, [...(skipped.get(why) ?? []), test.fullName]);
    }
    for (const [why, names] of skipped)
      console.log(`skipped: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}: ${why}`);
    const { RPC_COUNTS: to, RPC_WHOLE: whole, RPC_ROUNDS: size } = process.env;
    if (to === undefined) return;
    const problems =
      whole === undefined
        ? []
        : [
            ...unread(tests).map((file) => `No test has compared the golden file ${file}.`),
            ...(size === "short"
              ? []
              : notPassed(tests).map((name) => `docs/threats.md names a test that did not pass: ${name}`)),
          ];
    for (const problem of problems) console.log(problem);
    // A file that could not be loaded, a hook that threw, an error outside of tests, and a run that was broken off are failures as well.
    const failed =
      count("failed") +
      count("pending") +
      modules.flatMap((module) => [module, ...module.children.allSuites()]).filter((each) => each.errors().length > 0)
        .length +
      errors.length +
      Number(reason === "interrupted") +
      problems.length;
    fs.writeFileSync(to, JSON.stringify({ passed: count("passed"), failed, skipped: count("skipped") }));
  }
}

/** @param {readonly TestCase[]} tests @returns {string[]} golden files that none of them has compared */
function unread(tests) {
  const read = new Set(tests.flatMap((test) => /** @type {{ goldens?: string[] }} */ (test.meta()).goldens ?? []));
  return fs
    .readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".golden.txt") && !name.startsWith(".out"))
    .map((name) => path.posix.join("test", ...name.split(path.sep)))
    .filter((file) => !read.has(file));
}

/** @param {readonly TestCase[]} tests @returns {string[]} tests of the page of threats that are not among them, or failed */
function notPassed(tests) {
  const passed = tests.filter((test) => test.result().state === "passed");
  return [...fs.readFileSync("docs/threats.md", "utf8").matchAll(/^- `(\w+) › (.*)`$/gm)]
    .filter(
      ([, project, title = ""]) =>
        !passed.some((test) => test.project.name === project && test.fullName.replaceAll(" > ", " › ").includes(title)),
    )
    .map(([line]) => line);
}
