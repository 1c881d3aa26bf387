// @ts-check
/** A browser for the workbench: an installed Chrome or Chromium, else the one that came from npm. */
import fs from "node:fs";
import path from "node:path";
import { own, tempDir } from "./process.mjs";

/** @typedef {import("@playwright/test").BrowserContext} BrowserContext */
/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{ context: BrowserContext, page: Page, profile: string, close: () => Promise<void> }} Browser */

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];

/** A container's user cannot have Chromium's sandbox, and the only page it ever opens is our own server's. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** @returns {string | undefined} */
function installedBrowser() {
  const dirs = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  return NAMES.flatMap((name) => dirs.map((dir) => path.join(dir, name))).find((file) => fs.existsSync(file));
}

/**
 * Starts a browser with one page. The same profile given again finds its storage (and VS Code's secrets) again.
 * @param {import("./install.mjs").Host} host
 * @param {{ profile?: string, viewport?: { width: number, height: number } }} [options]
 * @returns {Promise<Browser>}
 */
export async function launchBrowser(
  host,
  { profile = tempDir("rpc-browser"), viewport = { width: 1400, height: 900 } } = {},
) {
  const { chromium } = await import("@playwright/test");
  /** @param {string} executablePath @param {Record<string, string>} env */
  const launch = (executablePath, env) =>
    chromium.launchPersistentContext(profile, {
      executablePath,
      args: ARGS,
      viewport,
      headless: true,
      locale: "en-US",
      timezoneId: "UTC",
      // Whatever it keeps, it keeps in its profile.
      artifactsDir: path.join(profile, "artifacts"),
      env: {
        .../** @type {Record<string, string>} */ (process.env),
        XDG_CACHE_HOME: profile,
        XDG_CONFIG_HOME: profile,
        ...env,
      },
      // process.mjs closes what it owns; two owners of a signal would race.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  const context = await launchFirst(launch, host);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = context.pages()[0] ?? (await context.newPage());
  const close = async () => {
    forget();
    await context.close();
  };
  const forget = own({ close: () => context.close(), kill: () => undefined });
  return { context, page, profile, close };
}

/**
 * An installed browser may be too old, or a wrapper that may not read our profile; the one from npm is the fallback.
 * @param {(executablePath: string, env: Record<string, string>) => Promise<BrowserContext>} launch
 * @param {import("./install.mjs").Host} host
 */
async function launchFirst(launch, host) {
  const chosen = process.env["BROWSER_EXECUTABLE"];
  if (chosen) return launch(chosen, {});
  const installed = installedBrowser();
  if (installed) {
    try {
      return await launch(installed, {});
    } catch (error) {
      console.log(`${installed} did not start (${String(error).split("\n")[0]}); using Chromium from npm.`);
    }
  }
  return launch(host.browser, host.browserEnv);
}
