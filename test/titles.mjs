// @ts-check
/**
 * The titles of all tests of a file as a full run has them, without running a test: `npm test` looks up there what the
 * tables of features, conventions and threats cite.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeDir, root, run, tempDir } from "./host/process.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */

const collector = fileURLToPath(new URL("titles/collect.mjs", import.meta.url));

/**
 * Loads each file in one other process, where suites are entered and tests are only noted. A mocha bundle is a file
 * whose path has a folder "editor": its titles are joined with spaces, as mocha does.
 * @param {readonly string[]} files bundles (.cjs) or modules (.mjs), relative to the project's folder
 * @param {{ env?: Record<string, string>, limitMs?: number }} [options] `env` reaches the files: those of the package
 * need RPC_VSIX
 * @returns {Promise<string[]>} as the reporters write them
 */
export async function listTitles(files, { env = {}, limitMs = 60_000 } = {}) {
  const dir = tempDir();
  try {
    const output = path.join(dir, "titles.json");
    // What a file creates when it is loaded goes with this folder.
    const { code, output: said } = await run(process.execPath, [collector, output, ...files], {
      env: { ...process.env, ...env, RPC_ROUNDS: "full", TMPDIR: dir },
      limitMs,
    });
    if (!fs.existsSync(output))
      throw new Error(`The titles of ${files.join(", ")} could not be listed (exit code ${code}).\n${said.trim()}`);
    /** @type {Record<string, { titles: string[], error?: string }>} */
    const listed = JSON.parse(fs.readFileSync(output, "utf8"));
    const broken = Object.entries(listed).filter(([, { titles, error }]) => error !== undefined || titles.length === 0);
    if (broken.length > 0)
      throw new Error(broken.map(([file, { error }]) => `${file}: ${error ?? "It holds no test."}`).join("\n"));
    return Object.entries(listed).flatMap(([file, { titles }]) =>
      isMocha(file) ? titles.map((title) => title.replaceAll(" › ", " ")) : titles,
    );
  } finally {
    removeDir(dir);
  }
}

/** @param {string} file */
const isMocha = (file) => path.relative(root, path.resolve(root, file)).split(path.sep).includes("editor");

/**
 * Compares what a layer ran with its list, so that a file that ended early, or tests that were never reached, are
 * noticed.
 * @param {readonly string[]} listed
 * @param {readonly TestLine[]} ran
 * @returns {{ missing: string[], unlisted: string[] }} titles that did not run, and titles that ran without being in
 * the list
 */
export function compareTitles(listed, ran) {
  const left = [...listed];
  /** @type {string[]} */
  const unlisted = [];
  for (const { title } of ran) {
    const at = left.indexOf(title);
    if (at < 0) unlisted.push(title);
    else left.splice(at, 1);
  }
  return { missing: left, unlisted };
}
