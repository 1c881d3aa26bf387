// @ts-check
/** npm, called the same way from everywhere, and the project's own node_modules. */
import fs from "node:fs";
import path from "node:path";
import { root, run, step } from "./process.mjs";

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function npm(args, cwd, env = process.env) {
  const cli = process.env["npm_execpath"];
  // npm names its own script to the programs it runs; without it the shell finds npm (npm.cmd on Windows).
  const result = cli?.endsWith(".js")
    ? await run(process.execPath, [cli, ...args], { cwd, env })
    : await run("npm", args, { cwd, env, shell: process.platform === "win32" });
  if (result.code !== 0)
    throw new Error(
      `npm ${args.join(" ")} failed in ${path.relative(root, cwd) || "the project"}.\n${result.output.trimEnd()}`,
    );
}

/** Nothing is compiled and no package's script runs: the result is the same on every machine. */
export const quietly = ["--ignore-scripts", "--no-audit", "--no-fund"];

/**
 * Packages that a folder's own lock file names and the project does not depend on: installed on demand into the
 * folder's .cache, which git ignores. Costs nothing when they are there.
 * @param {string} dir
 * @param {string} what for the line that says so
 * @returns {Promise<string>} the folder that holds their node_modules
 */
export async function installLocked(dir, what) {
  const place = path.join(dir, ".cache");
  const files = ["package.json", "package-lock.json", ".npmrc"];
  const isSame = (/** @type {string} */ file) =>
    fs.existsSync(path.join(place, file)) &&
    fs.readFileSync(path.join(place, file), "utf8") === fs.readFileSync(path.join(dir, file), "utf8");
  if (fs.existsSync(path.join(place, "node_modules", ".package-lock.json")) && files.every(isSame)) return place;
  fs.mkdirSync(place, { recursive: true });
  for (const file of files) fs.copyFileSync(path.join(dir, file), path.join(place, file));
  await step(`Installed ${what}`, () => npm(["ci", "--omit=dev", "--omit=optional", ...quietly], place));
  return place;
}

/** @param {string} file */
function readPackages(file) {
  /** @type {{ packages?: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} */
  const lock = JSON.parse(fs.readFileSync(file, "utf8"));
  return lock.packages ?? {};
}

/**
 * Whether node_modules holds what the lock file names. Dates say nothing after a checkout, so the lock file is
 * compared with npm's own record of what it installed; optional packages may be missing on this platform.
 */
function projectIsInstalled() {
  const record = path.join(root, "node_modules", ".package-lock.json");
  if (!fs.existsSync(record)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(path.join(root, "package-lock.json"))).every(([name, wanted]) => {
    if (name === "" || wanted.link) return true;
    const found = installed[name];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/** Brings node_modules to the state of the lock file; costs nothing when it is there. */
export async function installProject() {
  if (projectIsInstalled()) return false;
  await npm(["ci", ...quietly], root);
  return true;
}
