// @ts-check
/**
 * Plants bugs one after another and runs the test that has to catch each: `node test/planted/plant.mjs BUGS.json`. For
 * each test that it runs, without any bug and then with one, it prints a line of JSON. One Vitest serves all of them,
 * so that what does not change is transformed once.
 */
import fs from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";
import { killMarked, root } from "../host/process.mjs";

/**
 * @typedef {{ file: string, search: string, replacement: string }} Change
 * @typedef {{ name: string, file: string, title: string, changes: readonly Change[] }} Bug `file`: of the test, from
 * the project's folder; `title`: with its suites, joined by " › "
 * @typedef {{ name: string | undefined, file: string, title: string, state: string }} Ran `name`: of the bug; `state`:
 * passed, failed, skipped, or not run
 */

/** After this a test with its bug counts as one that never ends. Without a bug, none takes half of it. */
const LIMIT_MS = 20_000;

/** @type {readonly Change[]} */
let planted = [];

const [, , input = ""] = process.argv;
/** @type {readonly Bug[]} */
const bugs = JSON.parse(fs.readFileSync(input, "utf8"));
const vitest = await createVitest("test", { watch: false, reporters: [{}], maxWorkers: 1, testTimeout: LIMIT_MS });

/**
 * @param {string} file
 * @param {readonly string[]} titles
 * @param {readonly Change[]} changes
 * @returns {Promise<Map<string, string>>} the state of each test by its title
 */
async function run(file, titles, changes) {
  for (const each of [...planted, ...changes]) vitest.invalidateFile(path.join(root, each.file));
  planted = changes;
  // The plugin of vitest.config.ts reads it.
  process.env["RPC_PLANTED"] = JSON.stringify(changes);
  const names = titles.map((title) => title.replaceAll(" › ", " ").replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  vitest.setGlobalTestNamePattern(new RegExp(`^(?:${names.join("|")})$`));
  const specifications = await vitest.globTestSpecifications([file]);
  // A bug can keep the worker busy for ever; Vitest takes its death for a failure.
  const guard = setTimeout(killMarked, LIMIT_MS + 10_000, (/** @type {string} */ command) =>
    command.includes("vitest"),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  clearTimeout(guard);
  return new Map(
    testModules.flatMap((module) =>
      [...module.children.allTests()].map((test) => [test.fullName.replaceAll(" > ", " › "), test.result().state]),
    ),
  );
}

/** @param {Ran} ran */
const print = (ran) => console.log(JSON.stringify(ran));

for (const file of new Set(bugs.map((bug) => bug.file))) {
  const rows = bugs.filter((bug) => bug.file === file);
  const sound = await run(
    file,
    rows.map(({ title }) => title),
    [],
  );
  for (const { title } of rows) print({ name: undefined, file, title, state: sound.get(title) ?? "not run" });
  for (const { name, title, changes } of rows) {
    const states = await run(file, [title], changes);
    print({ name, file, title, state: states.get(title) ?? "not run" });
  }
}
await vitest.close();
process.exit(0);
