// @ts-check
/** What the JSON reports of Vitest and Playwright say of a run, and what follows from both together. */
import fs from "node:fs";
import path from "node:path";
import { root } from "./host/process.mjs";

/**
 * @typedef {object} Result
 * @property {string} file from the project's folder
 * @property {string} [project] of Playwright; Vitest's report has none
 * @property {string} title with those of the suites around it
 * @property {"passed" | "failed" | "skipped"} state
 * @property {readonly string[]} goldens golden files that it has compared
 */

/** @typedef {{ results: readonly Result[], failures: number }} Report failures: of files, hooks, and the run itself */

/** @param {string} file */
const isThere = (file) => fs.existsSync(file);

/** @param {string} file written by Vitest @returns {Report} */
export function vitestReport(file) {
  if (!isThere(file)) return { results: [], failures: 1 };
  const { testResults } = JSON.parse(fs.readFileSync(file, "utf8"));
  const results = testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
    assertionResults.map((/** @type {any} */ { ancestorTitles, title, status, meta }) => ({
      file: path.relative(root, name).replaceAll(path.sep, "/"),
      title: [...ancestorTitles.filter(Boolean), title].join(" › "),
      state: stateOf(status),
      goldens: meta?.goldens ?? [],
    })),
  );
  // A file that could not be loaded, or a hook that threw.
  const broken = testResults.filter(
    (/** @type {any} */ { status, assertionResults }) =>
      status === "failed" && !assertionResults.some((/** @type {any} */ each) => stateOf(each.status) === "failed"),
  );
  return { results, failures: broken.length };
}

/** @param {string} status of Vitest @returns {Result["state"]} */
function stateOf(status) {
  if (status === "passed") return "passed";
  // One that was begun and did not end is "pending".
  return ["skipped", "todo", "disabled"].includes(status) ? "skipped" : "failed";
}

/** @param {string} file written by Playwright @returns {Report} */
export function playwrightReport(file) {
  if (!isThere(file)) return { results: [], failures: 1 };
  const { suites, errors, config } = JSON.parse(fs.readFileSync(file, "utf8"));
  /** @type {Result[]} */
  const results = [];
  /** @param {any} suite @param {readonly string[]} titles */
  const collect = (suite, titles) => {
    for (const { title, file: name, tests } of suite.specs ?? [])
      for (const { projectName, status } of tests)
        results.push({
          file: path.relative(root, path.resolve(config.rootDir, name)).replaceAll(path.sep, "/"),
          project: projectName,
          title: [...titles, title].join(" › "),
          state: status === "expected" ? "passed" : status === "skipped" ? "skipped" : "failed",
          goldens: [],
        });
    for (const each of suite.suites ?? []) collect(each, [...titles, each.title]);
  };
  for (const suite of suites) collect(suite, []);
  return { results, failures: errors.length };
}

/** @param {readonly Result[]} results @returns {string[]} golden files that none of them has compared */
export function uncompared(results) {
  const compared = new Set(results.flatMap(({ goldens }) => goldens));
  return fs
    .readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".golden.txt") && !name.startsWith(".out"))
    .map((name) => path.posix.join("test", ...name.split(path.sep)))
    .filter((file) => !compared.has(file));
}

/**
 * Where the files of Vitest's projects are, if not in a folder of that name alone.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const PLACES = {
  core: ["test/core/", "test/architecture."],
  editor: ["test/host/editor."],
  package: ["test/host/"],
};

/** @param {readonly Result[]} results @returns {string[]} tests of docs/threats.md that are not among them, or did not pass */
export function notPassed(results) {
  const passed = results.filter(({ state }) => state === "passed");
  return [...fs.readFileSync(path.join(root, "docs", "threats.md"), "utf8").matchAll(/^- `(\w+) › (.*)`$/gm)]
    .filter(
      ([, project = "", title = ""]) =>
        !passed.some(
          (each) =>
            each.title.includes(title) &&
            (each.project === undefined
              ? (PLACES[project] ?? [`test/${project}`]).some((place) => each.file.startsWith(place))
              : each.project === project),
        ),
    )
    .map(([line]) => line);
}
