// @ts-check
/**
 * Runs a bundle of mocha tests inside the extension host of a real VS Code: code-server on Linux x64, elsewhere the
 * desktop VS Code through @vscode/test-electron, which downloads it. VSCODE_EXECUTABLE names an installed one instead,
 * on every platform.
 */
import fs from "node:fs";
import path from "node:path";
import util from "node:util";
import { launchBrowser } from "./browser.mjs";
import { installHost, whyNot } from "./install.mjs";
import { injectDev } from "./open.mjs";
import { hostDir, removeDir, root, tempDir } from "./process.mjs";
import { pageUrl, startServer, testSettings, writeSettings } from "./server.mjs";
import { Workbench } from "./workbench.mjs";

/** @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', error?: string }} TestResult */

/**
 * @typedef {object} SuiteOptions
 * @property {string} suite the bundle, a CommonJS file whose mocha tests register themselves when it is loaded
 * @property {string} folder the folder that the window opens
 * @property {string} [devPath] the extension under test; default: this project
 * @property {boolean} [trusted] default true; false: Restricted Mode
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, string>} [env] reaches the tests
 * @property {string} [grep]
 * @property {number} [limitMs] a guard against a run that never ends, no measure of speed
 */

/**
 * @typedef {{ done: boolean, node?: string, results: TestResult[], log: string[] }} SuiteReport done is false when the
 * run broke off
 */

const runner = path.join(hostDir, "suite.cjs");

/**
 * @param {SuiteOptions} options
 * @returns {Promise<SuiteReport>}
 */
export async function runSuite(options) {
  const dir = tempDir();
  const reportFile = path.join(dir, "results.json");
  const onDesktop = process.env["VSCODE_EXECUTABLE"] || whyNot();
  const env = {
    RPC_SUITE: options.suite,
    RPC_RESULTS: reportFile,
    ...(options.grep ? { RPC_GREP: options.grep } : {}),
    ...options.env,
  };
  try {
    const log = onDesktop ? await runOnDesktop(options, env) : await runInBrowser(options, env);
    const report = fs.existsSync(reportFile)
      ? JSON.parse(fs.readFileSync(reportFile, "utf8"))
      : { done: false, results: [] };
    return { ...report, log };
  } finally {
    removeDir(dir);
  }
}

/**
 * @param {SuiteOptions} options
 * @param {Record<string, string>} env
 */
async function runInBrowser({ folder, devPath = root, trusted = true, settings = {}, limitMs = 5 * 60_000 }, env) {
  const host = await installHost();
  const dataDir = tempDir("rpc-data");
  const server = await startServer({
    host,
    dataDir,
    trusted,
    settings: { ...testSettings, ...settings },
    env: { TZ: "UTC", ...env },
  });
  const browser = await launchBrowser(host);
  /** @type {string[]} */
  const log = [];
  try {
    const { page } = browser;
    const workbench = new Workbench(page);
    // Both must exist before the page does: the workbench calls them with the extension host's output and its end.
    await page.exposeFunction("codeAutomationLog", (/** @type {string} */ type, /** @type {unknown[]} */ args) =>
      log.push(`[${type}] ${util.format(...args)}`),
    );
    const exit = new Promise((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
    await injectDev(page, server, { devPath, testsPath: runner });
    await page.goto(pageUrl(server, folder), { waitUntil: "domcontentloaded" });
    if (!(await endsWithin(exit, limitMs))) {
      log.push(
        `The run did not end within ${limitMs / 60_000} minutes; its window: ${path.relative(root, await workbench.shot("editor-hung"))}`,
        ...workbench.console.slice(-30),
      );
    }
    return log;
  } finally {
    await browser.close();
    await server.stop();
    removeDir(dataDir);
    removeDir(browser.profile);
  }
}

/**
 * @param {SuiteOptions} options
 * @param {Record<string, string>} env
 */
async function runOnDesktop({ folder, devPath = root, trusted = true, settings = {} }, env) {
  if (!trusted) throw new Error("@vscode/test-electron opens trusted windows only.");
  const { runTests } = await import("@vscode/test-electron");
  const dataDir = tempDir("rpc-data");
  writeSettings(dataDir, { ...testSettings, ...settings });
  const executable = process.env["VSCODE_EXECUTABLE"];
  try {
    await runTests({
      ...(executable ? { vscodeExecutablePath: executable } : {}),
      cachePath: path.join(hostDir, ".cache", "desktop"),
      extensionDevelopmentPath: devPath,
      extensionTestsPath: runner,
      extensionTestsEnv: env,
      launchArgs: [
        folder,
        "--user-data-dir",
        dataDir,
        "--extensions-dir",
        path.join(dataDir, "extensions"),
        "--disable-extensions",
      ],
    });
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    removeDir(dataDir);
  }
}

/**
 * @param {Promise<unknown>} promise
 * @param {number} limitMs
 * @returns {Promise<boolean>}
 */
async function endsWithin(promise, limitMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((resolve) => void (timer = setTimeout(resolve, limitMs, false)));
  const ended = await Promise.race([promise.then(() => true), limit]);
  clearTimeout(timer);
  return ended === true;
}
