// @ts-check
/** Several windows of one VS Code side by side, each with a folder, a simulator, and a connection of its own. */
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "../browser.mjs";
import { installHost } from "../install.mjs";
import { makeFolder } from "../open.mjs";
import { removeDir, tempDir } from "../process.mjs";
import { installVsix, pageUrl, startServer, testSettings } from "../server.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { Workbench } from "../workbench.mjs";

/**
 * @typedef {object} PressWindow
 * @property {Workbench} workbench
 * @property {import("playwright-core").Page} page
 * @property {string} folder
 * @property {import("../simulator.mjs").Simulator} simulator
 * @property {(method: string) => Promise<number>} count how many requests of a method reached the simulator
 * @property {() => Promise<string[]>} errors every error notification that the window has shown
 */

/** @typedef {{ settings?: Record<string, unknown>, viewport?: { width: number, height: number } }} WindowsOptions */

/**
 * Starts VS Code before the tests of the `describe` that calls this, or of the file, and ends it after them.
 * @param {WindowsOptions} [options]
 */
export function useWindows(options) {
  /** @type {Awaited<ReturnType<typeof openWindows>> | undefined} */
  let windows;
  beforeAll(async () => {
    windows = await openWindows(options);
  });
  afterAll(async () => {
    await windows?.close();
  });
  const started = () => {
    if (!windows) throw new Error("VS Code has not been started");
    return windows;
  };
  return {
    get dataDir() {
      return started().dataDir;
    },
    /** @param {Parameters<Awaited<ReturnType<typeof openWindows>>["open"]>} of */
    open: (...of) => started().open(...of),
  };
}

/** @param {WindowsOptions} [options] */
async function openWindows({ settings = {}, viewport } = {}) {
  const host = await installHost();
  const dataDir = tempDir("rpc-data");
  const serverOptions = { host, dataDir, settings: { ...testSettings, ...settings }, env: { TZ: "UTC" } };
  await installVsix(serverOptions, await vsixUnderTest());
  const server = await startServer(serverOptions);
  const browser = await launchBrowser(host, viewport ? { viewport } : {});
  /** @type {(() => Promise<void>)[]} */
  const ends = [];
  let count = 0;
  /** Windows that start at once would only wait for each other. */
  let opening = Promise.resolve();
  /**
   * @param {string} name
   * @param {Record<string, string>} files
   * @param {readonly string[]} simulatorArgs
   * @returns {Promise<PressWindow>}
   */
  const openNow = async (name, files, simulatorArgs) => {
    const folder = makeFolder(files);
    const simulator = await startSimulator(simulatorArgs);
    ends.push(async () => {
      await simulator.stop();
      removeDir(folder);
    });
    const page = count++ === 0 ? browser.page : await browser.context.newPage();
    const workbench = new Workbench(page);
    await workbench.goto(pageUrl(server, folder));
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator, { name });
    await workbench.status(new RegExp(`SIMULATOR ${name}`));
    await page.evaluate(() => {
      /** @type {string[]} */
      const errors = [];
      Object.assign(globalThis, { rpcErrors: errors });
      const known = new WeakSet();
      new MutationObserver(() => {
        for (const icon of document.querySelectorAll(
          ".notification-toast .notification-list-item-icon.codicon-error",
        )) {
          if (known.has(icon)) continue;
          known.add(icon);
          errors.push(
            icon.closest(".notification-list-item")?.querySelector(".notification-list-item-message")?.textContent ??
              "",
          );
        }
      }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    });
    return {
      workbench,
      page,
      folder,
      simulator,
      count: async (method) =>
        (await simulator.run("ledger")).filter((/** @type {{ method?: string }} */ each) => each.method === method)
          .length,
      errors: () => page.evaluate(() => /** @type {any} */ (globalThis).rpcErrors),
    };
  };
  return {
    /** Where VS Code's server keeps what it keeps. */
    dataDir,
    /** @param {Parameters<typeof openNow>} of */
    open(...of) {
      const opened = opening.then(() => openNow(...of));
      opening = opened.then(
        () => undefined,
        () => undefined,
      );
      return opened;
    },
    async close() {
      await browser.close();
      await server.stop();
      removeDir(dataDir);
      removeDir(browser.profile);
      for (const end of ends) await end();
    },
  };
}
