// @ts-check
/**
 * The path of a new user from a clone to the first response: nothing but Node, npm and a shell on
 * PATH, an empty cache of npm, `npm start -- --browser`, and the README's quick start clicked step by step. Each step
 * with its time and every word on the screen stands in test/.out/newcomer.txt afterwards. What is cloned is this
 * repository as it is committed, or the one whose address is given.
 */
import { createInterface } from "node:readline";
import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { installHost, whyNot } from "./install.mjs";
import { cleanEnv, closeAll, outDir, root, run, seconds, startGroup, tempDir } from "./process.mjs";
import { trustFolder } from "./trust.mjs";
import { Workbench } from "./workbench.mjs";

/** Programs that every computer with Node has. */
const PROGRAMS = ["node", "npm", "npx", "sh"];

/** @returns {string} a folder with these programs and no others */
function barePath() {
  const folder = tempDir("rpc-path");
  for (const name of PROGRAMS) {
    const file = (process.env["PATH"] ?? "")
      .split(path.delimiter)
      .map((dir) => path.join(dir, name))
      .find((each) => fs.existsSync(each));
    if (file === undefined) throw new Error(`${name} is not on PATH.`);
    fs.symlinkSync(fs.realpathSync(file), path.join(folder, name));
  }
  return folder;
}

/** @type {string[]} */
const diary = [];
const begin = performance.now();
let since = begin;

/** @param {string} step @param {string} words */
function note(step, words) {
  diary.push(`== ${step}: ${seconds(since)}, ${seconds(begin)} from the beginning\n${words.trim()}`);
  console.log(`${step} (${seconds(since)})`);
  since = performance.now();
}

/** @param {Workbench} workbench @returns {Promise<string>} everything that the user can read now */
async function wordsOf({ page }) {
  const text = await page.locator(".monaco-workbench").evaluate((all) => /** @type {HTMLElement} */ (all).innerText);
  return text
    .replace(/\u00a0/g, " ")
    .replace(/[\ue000-\uf8ff]/g, "")
    .replace(/\s*\n\s*/g, "\n");
}

async function main() {
  const reason = whyNot();
  if (reason) throw new Error(reason);
  const folder = path.join(tempDir("rpc-new"), "trading-rpc");
  const cloned = await run("git", ["clone", "--quiet", process.argv[2] ?? root, folder]);
  if (cloned.code !== 0) throw new Error(cloned.output);
  note("git clone", `$ git clone … trading-rpc\n${cloned.output}`);

  const env = cleanEnv({ PATH: barePath(), npm_config_cache: tempDir("rpc-npm") });
  const { child, stop } = startGroup(path.join(env["PATH"] ?? "", "npm"), ["start", "--", "--browser"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (!child.stdout || !child.stderr) throw new Error("npm has no output.");
  /** @type {string[]} */
  const said = [];
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: /** @type {import("node:stream").Readable} */ (stream) }).on("line", (line) => {
        said.push(line);
        const [, found] = /^(http:\S+)$/.exec(line) ?? [];
        if (found) resolve(found);
      });
    }
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}.\n${said.join("\n")}`)));
  });
  note("npm start -- --browser", ["$ npm start -- --browser", ...said].join("\n"));

  const browser = await launchBrowser(await installHost());
  const workbench = new Workbench(browser.page);
  await workbench.goto(url);
  note("The page is opened", await wordsOf(workbench));
  await trustFolder(workbench);
  await workbench.openView("Trading RPC");
  const button = browser.page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first();
  await button.waitFor();
  note("The folder is trusted, and the view Trading RPC is open", await wordsOf(workbench));

  await button.click();
  await workbench.ordersInSight();
  note("Start Simulator", await wordsOf(workbench));

  await workbench.quickOpen("01-first-request.rpc.json");
  await browser.page.locator(".codelens-decoration a", { hasText: /Send/ }).first().waitFor();
  note("The first example is opened", await wordsOf(workbench));

  await workbench.lens(/Send/);
  await browser.page
    .locator(".editor-group-container")
    .nth(1)
    .locator(".view-lines", { hasText: "SIMULATOR" })
    .waitFor();
  note("Send: the first response", await wordsOf(workbench));
  await workbench.shot("newcomer");
  await browser.close();
  await stop();
}

void main()
  .then(
    () => 0,
    (error) => {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    },
  )
  .then(async (code) => {
    fs.mkdirSync(outDir, { recursive: true });
    fs.writeFileSync(path.join(outDir, "newcomer.txt"), `${diary.join("\n\n")}\n`);
    await closeAll();
    process.exit(code);
  });
