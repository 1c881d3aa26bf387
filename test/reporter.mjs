// @ts-check
/** A reporter for Vitest beside its usual one: why tests were skipped, and which file keeps a run from ending. */
import { killMarked } from "./host/process.mjs";

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
  onTestRunEnd(modules) {
    clearInterval(this.#guard);
    /** @type {Map<string, string[]>} */
    const skipped = new Map();
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const result = test.result();
      if (result.state !== "skipped") continue;
      const why = result.note ?? "its suite is skipped here";
      skipped.set(why, [...(skipped.get(why) ?? []), test.fullName]);
    }
    for (const [why, names] of skipped)
      console.log(`skipped: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}: ${why}`);
  }
}
