// @ts-check
/**
 * What the tests of the Playwright projects share. Each worker has one VS Code server and one browser. The tests of a
 * `describe` share a window, because a new one takes six seconds: they run in their order, and after one that failed
 * the rest of them is skipped.
 */
import { test as base } from "@playwright/test";
import { makeBlockTrades } from "./blockTrades.mjs";
import { secretsOf } from "./canaries.mjs";
import { makeFolder } from "./open.mjs";
import { removeDir } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";
import { startVsCode } from "./vsCode.mjs";

/** @typedef {import("./vsCode.mjs").VsCode} VsCode */
/** @typedef {import("./vsCode.mjs").Window} Window */
/** @typedef {import("./simulator.mjs").Simulator} Simulator */

export const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{}, { vsCode: VsCode }>} */ ({
    vsCode: [
      async ({}, use) => {
        const vsCode = await startVsCode();
        await use(vsCode);
        await vsCode.close();
      },
      { scope: "worker", timeout: 4 * 60_000 },
    ],
  }),
);

/**
 * @typedef {object} SharedParts
 * @property {Record<string, string>} [files] of the folder, text by relative path: Quick Open does not see later ones
 * at once
 * @property {readonly string[] | null} [simulator] arguments of one in a process of its own; null: none is started
 * @property {number} [blockTrades] how many its account has made; default: none
 * @typedef {SharedParts & Omit<import("./vsCode.mjs").WindowOptions, "folder">} SharedOptions
 */

/** @typedef {ReturnType<typeof shareWindow>} SharedWindow */

/**
 * Opens a window before the tests of the `describe` that calls this, with a folder and a simulator, and closes all of it
 * after them.
 * @param {SharedOptions} [options]
 */
export function shareWindow({
  files = {},
  simulator: args = ["--seed", "1", "--orders", "3", "--still"],
  blockTrades = 0,
  ...options
} = {}) {
  /** @type {string | undefined} */
  let folder;
  /** @type {Window | undefined} */
  let window;
  /** @type {Simulator | undefined} */
  let simulator;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ vsCode }) => {
    folder = makeFolder(files);
    const opening = vsCode.openWindow({ ...options, folder });
    // It is waited for below, where its error is thrown.
    opening.catch(() => undefined);
    if (args) simulator = await startSimulator(args);
    if (simulator && blockTrades > 0) await makeBlockTrades(simulator, blockTrades);
    window = await opening;
  });
  test.afterAll(async () => {
    try {
      await window?.close(simulator ? await secretsOf(simulator) : []);
    } finally {
      await simulator?.stop();
      if (folder !== undefined) removeDir(folder);
    }
  });
  const shared = {
    get folder() {
      return there(folder);
    },
    get workbench() {
      return there(window).workbench;
    },
    get page() {
      return there(window).page;
    },
    /** Where VS Code's server keeps what it keeps. */
    get dataDir() {
      return there(window).dataDir;
    },
    get simulator() {
      return there(simulator);
    },
    /**
     * @param {string} method
     * @returns {Promise<any[]>} parameters of the requests that arrived, oldest first, without the token of the session
     */
    async sent(method) {
      const ledger = await shared.simulator.run("ledger");
      return ledger
        .filter((/** @type {any} */ each) => each.method === method)
        .map((/** @type {any} */ each) => {
          const { access_token: _token, ...params } = JSON.parse(each.text).params ?? {};
          return params;
        });
    },
  };
  return shared;
}

/** @template T @param {T | undefined} part @returns {T} */
function there(part) {
  if (part === undefined) throw new Error("This part is there inside of tests, and only where it was asked for.");
  return part;
}
