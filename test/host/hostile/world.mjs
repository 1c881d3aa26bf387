// @ts-check
/**
 * One VS Code for many hostile workspaces: its user has stored a key for a server that counts, every process of it is
 * watched for what it dials, and it can be made to trust or not to trust what is opened next.
 */
import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "../browser.mjs";
import { installHost } from "../install.mjs";
import { hostDir, removeDir, tempDir, until } from "../process.mjs";
import { installVsix, startServer, testSettings, untrustedSettings, writeSettings } from "../server.mjs";
import { startSimulator } from "../simulator.mjs";
import { Workbench } from "../workbench.mjs";
import { startRelay } from "./listeners.mjs";

/** A value that stands in the environment of the extension host, and may be filled into nothing. */
const ENVIRONMENT_CANARY = "canaryOfTheEnvironment7Q2xZ9";

/** What a user of the editor's own choice has: tasks of folders start by themselves, and schemas are fetched. */
const settings = {
  ...testSettings,
  "task.allowAutomaticTasks": "on",
  "json.schemaDownload.enable": true,
  "debug.onTaskErrors": "debugAnyway",
  "workbench.view.alwaysShowHeaderActions": true,
};

/** Gestures of the tests; `args` of none. */
const KEYS = /** @type {const} */ ({
  send: ["ctrl+alt+shift+6", "tradingRpc.request.send"],
  sendAll: ["ctrl+alt+shift+1", "tradingRpc.request.sendAll"],
  task: ["ctrl+alt+shift+2", "workbench.action.tasks.build"],
  debug: ["ctrl+alt+shift+3", "workbench.action.debug.start"],
  clear: ["ctrl+alt+shift+4", "notifications.clearAll"],
  closeAll: ["ctrl+alt+shift+5", "workbench.action.closeAllEditors"],
});

/** @typedef {Awaited<ReturnType<typeof openWorld>>} World */

/**
 * @param {string} vsix
 * @param {(() => unknown)[]} closing takes the ways to close what is opened, as it is opened
 */
export async function openWorld(vsix, closing) {
  const host = await installHost();
  const simulator = await startSimulator(["--orders", "3", "--still"]);
  closing.push(() => simulator.stop());
  const relay = await startRelay(Number(new URL(simulator.webSocket).port));
  closing.push(() => relay.close());
  const dataDir = tempDir("rpc-data");
  closing.push(() => removeDir(dataDir));
  const watchFile = path.join(tempDir("rpc-watch"), "sockets.jsonl");
  const options = {
    host,
    dataDir,
    trusted: false,
    settings: { ...settings, ...untrustedSettings },
    preload: path.join(hostDir, "hostile", "socketWatch.cjs"),
    env: { TZ: "UTC", RPC_SOCKET_WATCH: watchFile, RPC_HOSTILE_CANARY: ENVIRONMENT_CANARY },
  };
  await installVsix(options, vsix);
  fs.mkdirSync(path.join(dataDir, "User"), { recursive: true });
  fs.writeFileSync(
    path.join(dataDir, "User", "keybindings.json"),
    JSON.stringify(Object.values(KEYS).map(([key, command]) => ({ key, command }))),
  );
  const server = await startServer(options);
  closing.push(() => server.stop());
  const browser = await launchBrowser(host);
  closing.push(
    () => removeDir(browser.profile),
    () => browser.close(),
  );
  const { page } = browser;
  const workbench = new Workbench(page);
  await workbench.goto(server.base);
  await workbench.openView("Trading RPC");
  // Testnet: every change needs confirmation there, and none is refused before the confirmation.
  await workbench.connectTo(
    { ...simulator, webSocket: `ws://127.0.0.1:${relay.port}/ws/api/v2` },
    { name: "canary", environment: "TESTNET", keep: "Store" },
  );
  await workbench.status(/TESTNET canary/);
  const world = {
    simulator,
    relay,
    dataDir,
    profile: browser.profile,
    workbench,
    page,
    environmentCanary: ENVIRONMENT_CANARY,
    /** @param {keyof typeof KEYS} gesture */
    press: async (gesture) =>
      await page.keyboard.press(
        KEYS[gesture][0]
          .split("+")
          .map((key) => (/^[a-z]{2,}$/.test(key) ? key[0]?.toUpperCase() + key.slice(1) : key))
          .join("+")
          .replace("Ctrl", "Control"),
      ),
    /**
     * Opens a folder or a workspace in the place of what is open; the extension runs when this resolves, without an
     * open connection.
     * @param {string} target
     * @param {boolean} isTrusted
     */
    async open(target, isTrusted) {
      writeSettings(dataDir, {
        ...settings,
        ...(isTrusted ? { "security.workspace.trust.enabled": false } : untrustedSettings),
      });
      const url = new URL(server.base);
      url.searchParams.set(target.endsWith(".code-workspace") ? "workspace" : "folder", target);
      await workbench.goto(url.href);
      await workbench.openView("Trading RPC");
      await workbench.treeRow("Connect to canary").first().waitFor();
    },
    /**
     * Shows a file by its whole path: the editor's search, which lists what lies below folders, may be led astray by
     * them.
     * @param {string} file
     */
    async show(file) {
      const row = workbench.quickInput.locator(".monaco-list-row", { hasText: path.basename(file) }).first();
      // A gesture before this one may take the focus late, which closes the picker: then it is opened once more.
      await until(
        async () => {
          await page.keyboard.press("Control+P");
          try {
            await workbench.quickBox.fill(file, { timeout: 2000 });
            await row.click({ timeout: 5000 });
            return true;
          } catch {
            return false;
          }
        },
        { what: `the row of ${path.basename(file)}` },
      );
      await workbench.activeTab(path.basename(file));
    },
    /**
     * Signs in with the stored key, and resolves when nothing more is sent by itself.
     * @returns {Promise<number>} frames so far
     */
    async connect() {
      const before = (await world.frames()).at(-1)?.number ?? 0;
      await workbench.connectAgain("canary");
      await until(
        async () =>
          (await world.frames(before)).some(
            ({ method, response }) => method === "public/set_heartbeat" && response !== "none",
          ),
        { what: "the session" },
      );
      return (await world.frames()).at(-1)?.number ?? 0;
    },
    /**
     * @param {number} [after]
     * @returns {Promise<{ number: number, method?: string, text: string, response: string }[]>}
     */
    frames: async (after = 0) =>
      (await simulator.run("ledger")).filter((/** @type {{ number: number }} */ { number }) => number > after),
    /** @returns {readonly { host?: string, port?: number, name?: string }[]} what was looked up and dialled so far */
    dialled: () =>
      fs.existsSync(watchFile)
        ? fs
            .readFileSync(watchFile, "utf8")
            .trim()
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
    /** Ends the editor, so that everything it keeps is on the disk. */
    async closeEditor() {
      await browser.close();
      await server.stop();
    },
  };
  return world;
}

/**
 * Closes the newest first, and all of them whatever one of them says; that is thrown at the end.
 * @param {(() => unknown)[]} closing empty afterwards
 */
export async function closeAllOf(closing) {
  /** @type {unknown[]} */
  const errors = [];
  for (const close of closing.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}
