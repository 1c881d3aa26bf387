// @ts-check
/**
 * One VS Code server and one browser, and windows in them: each with an empty profile, a folder of its own, and its own
 * settings. Nothing that an earlier window stored is there.
 */
import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { findSecrets } from "./canaries.mjs";
import { installHost } from "./install.mjs";
import { removeDir, tempDir, until } from "./process.mjs";
import { installVsix, pageUrl, startServer, testSettings, untrustedSettings, writeSettings } from "./server.mjs";
import { vsixUnderTest } from "./vsix.mjs";
import { Workbench } from "./workbench.mjs";

/** What VS Code keeps below its data folder for a profile or a folder: the next window starts without it. */
const KEPT = ["globalStorage", "workspaceStorage", "History", "snippets", "sync", "profiles"].map((name) =>
  path.join("User", name),
);

/**
 * VS Code forwards each port on which a process of this machine listens, of any of its windows, and has a message about
 * so many of them; a message on the screen takes the first Escape.
 */
const NO_PORTS = { "remote.autoForwardPorts": false };

/** @typedef {Awaited<ReturnType<typeof startVsCode>>} VsCode */
/** @typedef {Awaited<ReturnType<VsCode["openWindow"]>>} Window */

/**
 * @typedef {object} WindowOptions
 * @property {string} folder absolute
 * @property {boolean} [trusted] default true; false opens the folder in Restricted Mode
 * @property {Record<string, unknown>} [settings] user settings on top of the quiet ones
 * @property {{ width: number, height: number }} [viewport]
 */

/** Starts VS Code with the packaged extension, and a browser. */
export async function startVsCode() {
  const host = await installHost();
  const dataDir = tempDir("rpc-data");
  // Trust is a matter of each window's settings, so that trusted and untrusted folders share the server.
  // A page that is left tells the extension host to end, but the word can be lost with the page.
  const options = { host, dataDir, trusted: false, reconnectGraceS: 3, env: { TZ: "UTC" } };
  await installVsix(options, await vsixUnderTest());
  const [server, browser] = await Promise.all([startServer(options), launchBrowser(host)]);

  /** Opens a window with an empty profile. @param {WindowOptions} options */
  async function openWindow({ folder, trusted = true, settings = {}, viewport = { width: 1400, height: 900 } }) {
    writeSettings(dataDir, {
      ...testSettings,
      ...NO_PORTS,
      ...settings,
      ...(trusted ? { "security.workspace.trust.enabled": false } : untrustedSettings),
    });
    const page = await browser.context.newPage();
    await page.setViewportSize(viewport);
    const workbench = new Workbench(page);
    // With RPC_PICTURES each state is pictured, to be looked at.
    workbench.takesPictures = process.env["RPC_PICTURES"] !== undefined;
    await workbench.goto(pageUrl(server, folder));
    // Only now does the palette have the extension's commands: one that is open already never gets them.
    await page.locator('.activitybar .action-item [aria-label^="Trading RPC"]').first().waitFor();
    return {
      workbench,
      page,
      dataDir,
      /**
       * Closes the window and clears what it has left.
       * @param {readonly { name: string, secret: string }[]} [secrets] that may be nowhere in that: settings, state,
       * journal, logs, backups
       */
      async close(secrets = []) {
        // The page that the browser began with stays, so that the browser does.
        const windows = browser.context.pages().slice(1);
        // VS Code tells its extension host to end when its page is left, not when its tab is gone.
        for (const each of windows) await each.goto("about:blank");
        for (const each of windows) await each.close();
        await until(() => extensionHostsOf(dataDir).length === 0, { what: "the extension host to end" });
        const { found } = findSecrets([dataDir], secrets, { except: /^extensions\// });
        for (const name of KEPT) removeDir(path.join(dataDir, name));
        const session = await browser.context.newCDPSession(browser.page);
        await session.send("Storage.clearDataForOrigin", { origin: new URL(server.base).origin, storageTypes: "all" });
        await session.detach();
        if (found.length > 0) throw new Error(`VS Code left secrets behind: ${found.join("; ")}`);
      },
    };
  }

  return {
    openWindow,
    async close() {
      await browser.close();
      await server.stop();
      for (const folder of [dataDir, browser.profile]) removeDir(folder);
    },
  };
}

/**
 * @param {string} dataDir of a VS Code's server
 * @returns {number[]} its extension hosts that run; none where the system does not list processes as files
 */
export function extensionHostsOf(dataDir) {
  /** @type {number[]} */
  const found = [];
  if (!fs.existsSync("/proc")) return found;
  for (const id of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = fs.readFileSync(`/proc/${id}/cmdline`, "utf8");
      if (command.includes("--type=extensionHost") && fs.readFileSync(`/proc/${id}/environ`, "utf8").includes(dataDir))
        found.push(Number(id));
    } catch {
      // It has ended, or is not ours.
    }
  }
  return found;
}
