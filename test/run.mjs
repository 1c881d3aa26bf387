// @ts-check
/**
 * `npm test`: installs what the lock file names, runs Vitest, and prints the sum. `npm run test:full` runs all projects
 * of vitest.config.ts that need nothing from outside, `npm run test:long` those with large rounds, other clients, and
 * the mutation run as well. A part is run with Vitest itself: `npx vitest run --project core orders -t "Cancel"`.
 */
import fs from "node:fs";
import path from "node:path";
import { installHost, whyNot } from "./host/install.mjs";
import { installProject } from "./host/npm.mjs";
import { closeAll, endWithNpm, removeDir, root, seconds, startGroup, step, tempDir } from "./host/process.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const size = process.argv.includes("--long") ? "long" : process.argv.includes("--full") ? "full" : "short";
const MESSAGES = "../shared/exchange/data";

/** The projects of a run, each with why it can't run here. @type {Record<string, string | undefined>} */
const PROJECTS = {
  ...Object.fromEntries(["check", "core", "sockets", "faults", "replay", "simulation", "package", "editor"].map(runs)),
  clicks: whyNot(),
  ...(size === "short"
    ? {}
    : {
        ...Object.fromEntries(["openrpc", "planted"].map(runs)),
        ...Object.fromEntries(["presses", "start", "hostile"].map((name) => [name, whyNot()])),
        recorded: fs.existsSync(path.join(root, MESSAGES)) ? undefined : `${MESSAGES} is absent`,
      }),
  ...(size === "long" ? { clients: undefined, load: whyNot() } : {}),
};

/** @param {string} name @returns {[string, undefined]} */
function runs(name) {
  return [name, undefined];
}

const folder = tempDir("rpc-run");

/**
 * Runs a program that writes its numbers into the file that RPC_COUNTS names; one that wrote none has failed.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {Record<string, string>} [variables]
 * @returns {Promise<Counts>}
 */
async function count(node, args, variables = {}) {
  const file = path.join(folder, `${args.length}-${performance.now()}.json`);
  const env = { ...process.env, RPC_ROUNDS: size, RPC_COUNTS: file, ...variables };
  const { ended } = startGroup(node, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  const { code } = await ended;
  /** @type {Counts} */
  const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : { passed: 0, failed: 1, skipped: 0 };
  return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** @param {readonly string[]} projects */
const vitest = (projects) => [
  path.join("node_modules", "vitest", "vitest.mjs"),
  "run",
  ...projects.flatMap((name) => ["--project", name]),
];

async function main() {
  const since = performance.now();
  await step("What the lock file names is installed", installProject);
  const reasons = Object.entries(PROJECTS).flatMap(([name, why]) => (why === undefined ? [] : `${name}: ${why}`));
  const here = Object.keys(PROJECTS).filter((name) => PROJECTS[name] === undefined);
  const sums = [await count(process.execPath, vitest(here), { RPC_WHOLE: "1" })];
  if (size !== "short" && whyNot() === undefined) {
    console.log("\nThe core tests on the Node inside VS Code:");
    sums.push(await count((await installHost()).node, vitest(["core"])));
  }
  if (size === "long") sums.push(await count(process.execPath, ["test/mutation/run.mjs"]));
  const sum = (/** @type {keyof Counts} */ key) => sums.reduce((total, counts) => total + counts[key], 0);
  for (const reason of reasons) console.log(`not run: ${reason}`);
  const skipped = sum("skipped") + reasons.length;
  console.log(`\nall of it: ${seconds(since)}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return sum("failed") > 0 ? 1 : 0;
}

endWithNpm();
const code = await main();
await closeAll();
removeDir(folder);
process.exit(code);
