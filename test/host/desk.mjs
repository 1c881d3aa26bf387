// @ts-check
/** What a file of click tests works at: a folder, a simulator, and a VS Code with the packaged extension. */
import path from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { makeBlockTrades } from "./blockTrades.mjs";
import { secretsOf } from "./canaries.mjs";
import { openWindow } from "./house.mjs";
import { makeFolder } from "./open.mjs";
import { removeDir, root } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";

/**
 * @typedef {object} DeskParts
 * @property {Record<string, string>} [files] of the folder, text by relative path: Quick Open does not see later ones
 * at once
 * @property {readonly string[] | null} [simulator] arguments of one in a process of its own; null: none is started
 * @property {number} [blockTrades] how many its account has made; default: none
 * @typedef {DeskParts & Omit<import("./house.mjs").WindowOptions, "folder">} DeskOptions
 */

/** @typedef {ReturnType<typeof openDesk>} Desk */

/**
 * Opens all of it before the tests of the `describe` that calls this, and closes it after them.
 * @param {DeskOptions} [options]
 */
export function openDesk({
  files = {},
  simulator: args = ["--seed", "1", "--orders", "3", "--still"],
  blockTrades = 0,
  ...options
} = {}) {
  const folder = makeFolder(files);
  /** @type {Awaited<ReturnType<typeof openWindow>> | undefined} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>> | undefined} */
  let simulator;
  beforeAll(async () => {
    const opening = openWindow({ ...options, folder });
    if (args) simulator = await startSimulator(args);
    if (simulator && blockTrades > 0) await makeBlockTrades(simulator, blockTrades);
    editor = await opening;
  });
  afterAll(async () => {
    try {
      await editor?.close(simulator ? await secretsOf(simulator) : []);
    } finally {
      await simulator?.stop();
      removeDir(folder);
    }
  });
  const desk = {
    folder,
    get workbench() {
      return there(editor).workbench;
    },
    get page() {
      return there(editor).page;
    },
    /** Where VS Code's server keeps what it keeps. */
    get dataDir() {
      return there(editor).dataDir;
    },
    get simulator() {
      return there(simulator);
    },
    /**
     * @param {string} method
     * @returns {Promise<any[]>} parameters of the requests that arrived, oldest first, without the token of the session
     */
    async sent(method) {
      const ledger = await desk.simulator.run("ledger");
      return ledger
        .filter((/** @type {any} */ each) => each.method === method)
        .map((/** @type {any} */ each) => {
          const { access_token: _token, ...params } = JSON.parse(each.text).params ?? {};
          return params;
        });
    },
    /**
     * A test that leaves a picture of the window when it fails.
     * @param {string} name
     * @param {() => Promise<void>} body
     */
    test: (name, body) =>
      void test(name, async () => {
        try {
          await body();
        } catch (error) {
          const file = await editor?.workbench.shot(`failed-${name}`).catch(() => undefined);
          if (file) console.log(`note: the window when "${name}" failed: ${path.relative(root, file)}`);
          throw error;
        }
      }),
  };
  return desk;
}

/** @template T @param {T | undefined} part @returns {T} */
function there(part) {
  if (part === undefined)
    throw new Error("This part of the desk is there inside of tests, and only where it was asked for.");
  return part;
}
