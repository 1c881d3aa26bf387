// @ts-check
/**
 * The mutation run: StrykerJS changes the modules that must not be wrong, one small change after another, and the tests
 * have to notice each. One that survives gets a test, or a row in `equivalents.mjs` with the reason why it changes
 * nothing. `baseline.txt` says which test noticed which mutant; one of them that is not noticed any more fails the run.
 *
 *   node test/mutation/run.mjs [TEXT]        only modules whose path has this text
 *   node test/mutation/run.mjs --baseline    also writes the baseline of the modules it ran anew
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { outDir, root, seconds } from "../host/process.mjs";
import { EQUIVALENTS, whyAlike } from "./equivalents.mjs";
import { MODULES } from "./modules.mjs";

/**
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} source the line as it is
 * @property {string} mutator
 * @property {string} replacement
 * @property {string | undefined} killedBy
 */

const here = path.dirname(fileURLToPath(import.meta.url));
const BASELINE = path.join(here, "baseline.txt");
const args = process.argv.slice(2);
const text = args.find((arg) => !arg.startsWith("--")) ?? "";
const files = Object.keys(MODULES).filter((file) => file.includes(text));

/**
 * Tries the mutants of one module, with the tests that have to notice them and no others.
 * @param {string} file
 * @returns {Promise<Mutant[]>}
 */
async function mutantsOf(file) {
  const place = await installLocked(here, "StrykerJS");
  /** @param {string} name */
  const moduleOf = (name) => pathToFileURL(path.join(place, "node_modules", "@stryker-mutator", name)).href;
  const tests = [...(MODULES[file] ?? []), "mutation/loads"].map((name) => `test/${name}.test.ts`);
  process.env["RPC_MUTATION_TESTS"] = JSON.stringify(tests);
  process.env["RPC_MUTATION_MODULE"] = file;
  const { Stryker } = await import(moduleOf("core/dist/src/index.js"));
  /** @type {any[]} */
  const results = await new Stryker({
    mutate: [file],
    testRunner: "vitest",
    plugins: [moduleOf("vitest-runner/dist/src/index.js")],
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    concurrency: 2,
    // An endless loop is found by how often it runs. A test that only takes long on a busy machine has noticed nothing.
    timeoutMS: 60_000,
    reporters: [],
    logLevel: "error",
    disableTypeChecks: false,
    // What the tests import or read.
    ignorePatterns: [
      "*",
      ...["src/**", "test/**", "docs/**", "media/**", "l10n/**", "*.json", "*.ts"].map((each) => `!${each}`),
      ...["test/**/.cache", "test/.out"],
    ],
    tempDirName: path.relative(root, path.join(outDir, "stryker")),
  }).runMutationTest();
  const lines = fs.readFileSync(path.join(root, file), "utf8").split("\n");
  return results.map(({ location, mutatorName, replacement, status, killedBy = [] }) => {
    const { line } = location.start;
    const isKilled = ["Killed", "Timeout", "RuntimeError"].includes(status);
    return {
      file,
      line,
      source: (lines[line - 1] ?? "").trim(),
      mutator: mutatorName,
      replacement: replacement.replaceAll(/\s+/g, " "),
      killedBy: isKilled
        ? String(killedBy[0] ?? status)
            .split("#")
            .at(-1)
        : undefined,
    };
  });
}

/** @param {Mutant} mutant its place and change; lines that are alike have the same */
const keyOf = ({ file, source, mutator, replacement }) => [file, mutator, source, replacement].join(" | ");

/** @param {readonly Mutant[]} mutants @returns {string[]} */
const told = (mutants) =>
  mutants.map(
    (each) => `  ${each.file}:${each.line} ${each.mutator}: ${each.source} → ${each.replacement.slice(0, 120)}`,
  );

const gone = EQUIVALENTS.filter(
  ({ file, source }) =>
    !fs
      .readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .some((line) => line.trim() === source),
);
const baseline = fs.existsSync(BASELINE) ? fs.readFileSync(BASELINE, "utf8").split("\n").filter(Boolean) : [];
const before = new Set(baseline.map((line) => line.split(" | killed by ")[0]));
/** @type {Mutant[]} */
const killed = [];
/** @type {Mutant[]} */
const survived = [];
/** @type {Mutant[]} */
const escaped = [];
for (const file of files) {
  const since = performance.now();
  const mutants = await mutantsOf(file);
  const noticed = mutants.filter(({ killedBy }) => killedBy !== undefined);
  const alive = mutants.filter(({ killedBy }) => killedBy === undefined);
  const noticedKeys = new Set(noticed.map(keyOf));
  const unexplained = alive.filter((mutant) => whyAlike(mutant) === undefined);
  const missed = alive.filter((mutant) => before.has(keyOf(mutant)) && !noticedKeys.has(keyOf(mutant)));
  killed.push(...noticed);
  survived.push(...unexplained);
  escaped.push(...missed);
  // Each module's result is told when it is known: the whole run takes more than an hour.
  const sums = `${noticed.length} of ${mutants.length} mutants noticed; ${alive.length - unexplained.length} change nothing`;
  console.log([`${file} (${seconds(since)}): ${sums}.`, ...told(unexplained)].join("\n"));
  if (missed.length > 0) console.log(["  Noticed in the baseline and not any more:", ...told(missed)].join("\n"));
}
console.log(
  `Noticed: ${killed.length}. Not noticed: ${survived.length}. Noticed in the baseline alone: ${escaped.length}.`,
);
for (const { file, source } of gone) console.log(`equivalents.mjs names a line that is not there: ${file}: ${source}`);
if (args.includes("--baseline")) {
  const others = baseline.filter((line) => !files.some((file) => line.startsWith(`${file} | `)));
  const rows = killed.map((mutant) => `${keyOf(mutant)} | killed by ${mutant.killedBy}`);
  fs.writeFileSync(BASELINE, `${[...others, ...rows].sort().join("\n")}\n`);
}
const failed = survived.length + escaped.filter((mutant) => !survived.includes(mutant)).length + gone.length;
process.exit(failed > 0 ? 1 : 0);
