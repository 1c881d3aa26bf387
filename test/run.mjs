// @ts-check
/**
 * `npm test`: installs what the lock file names, runs Vitest and Playwright, and prints the sum. `npm run test:full`
 * runs all projects of vitest.config.ts and playwright.config.ts that need nothing from outside, `npm run test:long`
 * those with large rounds, the core tests on the Node inside VS Code, planted bugs, other clients, and the mutation run
 * as well. A part is run with Vitest or Playwright themselves: `npx vitest run --project core orders -t "Cancel"`,
 * `npx playwright test --project=windows orders`.
 */
import fs from "node:fs";
import path from "node:path";
import { installHost, whyNot } from "./host/install.mjs";
import { installProject } from "./host/npm.mjs";
import { closeAll, endWithNpm, removeDir, root, run, seconds, startGroup, step, tempDir } from "./host/process.mjs";
import setUpPackage from "./packageSetup.mjs";
import { notPassed, playwrightReport, uncompared, vitestReport } from "./results.mjs";

const size = process.argv.includes("--long") ? "long" : process.argv.includes("--full") ? "full" : "short";
const isShort = size === "short";
const MESSAGES = "../shared/exchange/data";

/** Vitest's projects of a run. */
const PROJECTS = [
  ...["check", "core", "sockets", "faults", "replay", "simulation", "package", "editor"],
  ...(isShort ? [] : ["openrpc"]),
  ...(!isShort && fs.existsSync(path.join(root, MESSAGES)) ? ["recorded"] : []),
  ...(size === "long" ? ["clients", "planted"] : []),
];

/** What Playwright is asked for: of the windows, `npm test` has the main job only. */
const WINDOWS = isShort
  ? ["--project=windows", "mainJob.test"]
  : ["windows", "presses", "start", "hostile", ...(size === "long" ? ["load"] : [])].map((name) => `--project=${name}`);

/** What can't run here, and why. */
const MISSING = [
  ...(whyNot() === undefined ? [] : [`windows: ${whyNot()}`]),
  ...(isShort || PROJECTS.includes("recorded") ? [] : [`recorded: ${MESSAGES} is absent`]),
];

const folder = tempDir("rpc-run");
const node = process.execPath;
/** A run that is longer than that is stopped, so that nothing hangs for ever. */
const LIMIT_MS = { short: 20, full: 90, long: 10 * 60 }[size] * 60_000;

/**
 * Runs a program with its output here.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {Record<string, string>} [variables]
 * @returns {Promise<boolean>} whether it ended with success
 */
async function passes(file, args, variables = {}) {
  const env = { ...process.env, RPC_ROUNDS: size, ...variables };
  const { ended, stop } = startGroup(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  const guard = setTimeout(() => void stop(), LIMIT_MS);
  try {
    return (await ended).code === 0;
  } finally {
    clearTimeout(guard);
  }
}

/**
 * Runs projects of Vitest.
 * @param {readonly string[]} projects
 * @param {string} [runtime] the Node that runs them
 */
async function vitest(projects, runtime = node) {
  const file = path.join(folder, `vitest-${performance.now()}.json`);
  const isPassed = await passes(runtime, [
    path.join("node_modules", "vitest", "vitest.mjs"),
    "run",
    ...projects.flatMap((name) => ["--project", name]),
    ...["--reporter=default", "--reporter=./test/reporter.mjs", "--reporter=json", `--outputFile.json=${file}`],
  ]);
  return { ...vitestReport(file), isPassed };
}

/** Runs the windows. In a short run Vitest runs beside them, and their output comes when they have ended. */
async function playwright() {
  const file = path.join(folder, "playwright.json");
  const args = [path.join("node_modules", "@playwright", "test", "cli.js"), "test", ...WINDOWS, "--reporter=list,json"];
  const variables = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  if (!isShort) {
    const isPassed = await passes(node, args, variables);
    return { ...playwrightReport(file), isPassed, output: "" };
  }
  const { code, output } = await run(node, args, { env: { ...process.env, RPC_ROUNDS: size, ...variables } });
  return { ...playwrightReport(file), isPassed: code === 0, output };
}

async function main() {
  const since = performance.now();
  await step("What the lock file names is installed", installProject);
  await step("The products are built and packed", setUpPackage);
  const hasWindows = whyNot() === undefined;
  const beside = isShort && hasWindows ? playwright() : undefined;
  const reports = [await vitest(PROJECTS)];
  if (beside) {
    const report = await beside;
    console.log(`\nThe main job in VS Code:\n${report.output}`);
    reports.push(report);
  } else if (hasWindows) reports.push(await playwright());
  const all = reports.flatMap(({ results }) => results);
  const problems = [
    ...uncompared(all).map((file) => `No test has compared the golden file ${file}.`),
    ...(isShort ? [] : notPassed(all).map((name) => `docs/threats.md names a test that did not pass: ${name}`)),
  ];
  if (size === "long" && hasWindows) {
    console.log("\nThe core tests on the Node inside VS Code:");
    reports.push(await vitest(["core"], (await installHost()).node));
  }
  const isMutationPassed = size !== "long" || (await passes(node, ["test/mutation/run.mjs"]));
  if (!isMutationPassed) problems.push("The mutation run has failed.");
  for (const line of [...problems, ...MISSING.map((each) => `not run: ${each}`)]) console.log(line);
  const states = reports.flatMap(({ results }) => results.map(({ state }) => state));
  /** @param {string} state */
  const count = (state) => states.filter((each) => each === state).length;
  const broken = reports.map(({ failures, isPassed, results }) => {
    const hasFailed = failures > 0 || results.some(({ state }) => state === "failed");
    // An error outside of tests, or a run that was broken off.
    return isPassed || hasFailed ? failures : 1;
  });
  const failed = count("failed") + broken.reduce((sum, each) => sum + each, problems.length);
  const skipped = count("skipped") + MISSING.length;
  console.log(`\nall of it: ${seconds(since)}`);
  console.log(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
}

endWithNpm();
const code = await main();
await closeAll();
removeDir(folder);
process.exit(code);
