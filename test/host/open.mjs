// @ts-check
/** Opens VS Code with a folder and the actions of a user in one call; closed in one call. */
import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { findSecrets } from "./canaries.mjs";
import { installHost } from "./install.mjs";
import { removeDir, tempDir } from "./process.mjs";
import { installVsix, pageUrl, startServer, testSettings } from "./server.mjs";
import { Workbench } from "./workbench.mjs";

/**
 * @typedef {object} OpenOptions
 * @property {string} [folder] absolute; default: an empty window
 * @property {string | readonly string[]} [vsix] the packaged extension, installed as a user installs it; or several
 * @property {string} [devPath] or the extension's folder, loaded as under development
 * @property {boolean} [trusted] default true; false opens the folder in Restricted Mode
 * @property {Record<string, unknown>} [settings] user settings on top of the quiet ones
 * @property {Record<string, string>} [env] reaches the extension host
 * @property {{ width: number, height: number }} [viewport]
 * @property {string} [preload] a script that every Node process of VS Code loads first, the extension host too
 */

/**
 * Lets the workbench load an extension under development. A built VS Code takes this only from the configuration in
 * its page; the flag that would open the other way hides notifications.
 * @param {import("@playwright/test").Page} page
 * @param {{ port: number }} server
 * @param {{ devPath?: string | undefined, testsPath?: string | undefined }} paths
 */
export async function injectDev(page, server, { devPath, testsPath }) {
  /** @param {string} path */
  const uri = (path) => ({ $mid: 1, scheme: "vscode-remote", authority: `127.0.0.1:${server.port}`, path });
  const development = {
    ...(devPath ? { extensions: [uri(devPath)] } : {}),
    ...(testsPath ? { extensionTestsPath: uri(testsPath) } : {}),
  };
  await page.addInitScript((added) => {
    const original = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (/** @type {string} */ name) {
      const value = original.call(this, name);
      if (name !== "data-settings" || this.id !== "vscode-workbench-web-configuration" || !value) return value;
      const settings = JSON.parse(value);
      settings.developmentOptions = { ...settings.developmentOptions, ...added };
      return JSON.stringify(settings);
    };
  }, development);
}

/** @param {OpenOptions} options */
export async function openEditor(options = {}) {
  const { folder, vsix, devPath, trusted = true, settings = {}, env = {}, viewport, preload } = options;
  const host = await installHost();
  const dataDir = tempDir("rpc-data");
  const serverOptions = {
    host,
    dataDir,
    trusted,
    settings: { ...testSettings, ...settings },
    env: { TZ: "UTC", ...env },
    ...(preload ? { preload } : {}),
  };
  for (const file of [vsix ?? []].flat()) await installVsix(serverOptions, file);
  let server = await startServer(serverOptions);
  const browser = await launchBrowser(host, viewport ? { viewport } : {});
  const workbench = new Workbench(browser.page);
  if (devPath) await injectDev(browser.page, server, { devPath });
  await workbench.goto(pageUrl(server, folder));
  return {
    host,
    workbench,
    page: browser.page,
    dataDir,
    get server() {
      return server;
    },
    /** Ends VS Code's server and starts it again at the same address, as after a restart of the machine. */
    async restartServer() {
      await server.stop();
      server = await startServer({ ...serverOptions, port: server.port });
      await workbench.goto(pageUrl(server, folder));
    },
    /**
     * Closes it.
     * @param {readonly { name: string, secret: string }[]} [secrets] that may stand nowhere in what it leaves behind:
     * settings, state, journal, logs, backups
     */
    async close(secrets = []) {
      await browser.close();
      await server.stop();
      const { found } = findSecrets([dataDir], secrets, { except: /^extensions\// });
      removeDir(dataDir);
      removeDir(browser.profile);
      if (found.length > 0) throw new Error(`The editor left secrets behind: ${found.join("; ")}`);
    },
  };
}

/**
 * A new folder with these files, gone when the process ends.
 * @param {Record<string, string>} files text by relative path
 */
export function makeFolder(files) {
  const folder = tempDir("rpc-folder");
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
