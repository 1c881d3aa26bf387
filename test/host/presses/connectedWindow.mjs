// @ts-check
/** Windows with a folder, a simulator, and a connection of their own, which a test opens and Playwright closes. */
import { test as base } from "../fixtures.mjs";
import { makeFolder } from "../open.mjs";
import { removeDir } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";

/**
 * @typedef {object} ConnectedOptions
 * @property {string} name of the connection
 * @property {readonly string[]} simulator its arguments
 * @property {Record<string, string>} [files] text by relative path
 * @typedef {ConnectedOptions & Omit<import("../vsCode.mjs").WindowOptions, "folder">} OpenOptions
 */

/** @typedef {Awaited<ReturnType<typeof openConnected>>} ConnectedWindow */

export const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{ openConnected: (options: OpenOptions) => Promise<ConnectedWindow> }, {}, {}, { vsCode: import("../vsCode.mjs").VsCode }>} */ ({
    openConnected: async ({ vsCode }, use) => {
      /** @type {ConnectedWindow[]} */
      const opened = [];
      await use(async (options) => {
        const window = await openConnected(vsCode, options);
        opened.push(window);
        return window;
      });
      for (const window of opened) await window.close();
    },
  }),
);

/**
 * @param {import("../vsCode.mjs").VsCode} vsCode
 * @param {OpenOptions} options
 */
async function openConnected(vsCode, { name, simulator: args, files = {}, ...options }) {
  const folder = makeFolder(files);
  const simulator = await startSimulator(args);
  const { workbench, page, dataDir, close } = await vsCode.openWindow({ ...options, folder });
  await workbench.openView("Trading RPC");
  await workbench.connectTo(simulator, { name });
  await workbench.status(new RegExp(`SIMULATOR ${name}`));
  await page.evaluate(() => {
    /** @type {string[]} */
    const errors = [];
    Object.assign(globalThis, { rpcErrors: errors });
    const known = new WeakSet();
    new MutationObserver(() => {
      for (const icon of document.querySelectorAll(".notification-toast .notification-list-item-icon.codicon-error")) {
        if (known.has(icon)) continue;
        known.add(icon);
        errors.push(
          icon.closest(".notification-list-item")?.querySelector(".notification-list-item-message")?.textContent ?? "",
        );
      }
    }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
  });
  return {
    workbench,
    page,
    dataDir,
    simulator,
    /** @param {string} method @returns {Promise<number>} how many requests of it reached the simulator */
    count: async (method) =>
      (await simulator.run("ledger")).filter((/** @type {{ method?: string }} */ each) => each.method === method)
        .length,
    /** @returns {Promise<string[]>} every error notification that the window has shown */
    errors: () => page.evaluate(() => /** @type {any} */ (globalThis).rpcErrors),
    async close() {
      await close();
      await simulator.stop();
      removeDir(folder);
    },
  };
}
