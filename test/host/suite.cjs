// @ts-check
"use strict";
/**
 * Runs inside the extension host, as VS Code's test runner asks for it: a module with `run`. The tests themselves are
 * one bundle of ordinary mocha files (`describe`, `it`), named in the environment; what became of each is written to a
 * file after every test, so that even a run that hangs tells how far it came.
 */
const fs = require("node:fs");
const Mocha = require("mocha");

/** @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', error?: string }} TestResult */

exports.run = function run() {
  const { RPC_SUITE: file, RPC_RESULTS: report, RPC_GREP: grep } = process.env;
  if (!file || !report) throw new Error("RPC_SUITE and RPC_RESULTS are not set.");
  // The bare reporter prints nothing: the results go to the file.
  const mocha = new Mocha({ ui: "bdd", timeout: 30_000, reporter: Mocha.reporters.Base, ...(grep ? { grep } : {}) });
  mocha.cleanReferencesAfterRun(false).addFile(file);
  /** @type {TestResult[]} */
  const results = [];
  /** @param {boolean} done */
  const write = (done) => fs.writeFileSync(report, JSON.stringify({ done, node: process.version, results }));
  write(false);
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      write(true);
      if (failures) reject(new Error(`${failures} failed`));
      else resolve(undefined);
    });
    /** @param {TestResult} result */
    const note = (result) => {
      results.push(result);
      write(false);
    };
    runner.on("pass", (test) => note({ title: test.fullTitle(), state: "passed" }));
    runner.on("pending", (test) => note({ title: test.fullTitle(), state: "skipped" }));
    runner.on("fail", (test, error) =>
      note({ title: test.fullTitle(), state: "failed", error: String(error?.stack ?? error) }),
    );
  });
};
