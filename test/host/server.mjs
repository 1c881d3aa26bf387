// @ts-check
/**
 * One code-server: VS Code with a Node extension host, answering on the loopback interface whoever knows its secret.
 */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { openFront } from "./front.mjs";
import { cleanEnv, own, removeDir, run, startGroup, tempDir, until } from "./process.mjs";

/** Without an address for the marketplace nothing asks one. */
const GALLERY = '{"serviceUrl":""}';

/** Quiet, without prompts, the same on every machine. A test adds its own on top. */
export const testSettings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Dark Modern",
  "workbench.reduceMotion": "on",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "json.schemaDownload.enable": false,
  "git.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "npm.autoDetect": "off",
  "typescript.disableAutomaticTypeAcquisition": true,
  "window.restoreWindows": "none",
  "window.confirmBeforeClose": "never",
  "window.dialogStyle": "custom",
  "window.titleBarStyle": "custom",
  "files.hotExit": "off",
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "editor.minimap.enabled": false,
  "editor.quickSuggestionsDelay": 10,
  "editor.accessibilitySupport": "off",
};

/** With these a folder opens in Restricted Mode, and nothing asks. */
export const untrustedSettings = {
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
};

/**
 * @typedef {object} ServerOptions
 * @property {import("./install.mjs").Host} host
 * @property {string} dataDir settings, state, logs and the server's own home; nothing outside is written
 * @property {string} [extensionsDir] default: below dataDir
 * @property {number} [port] default 0: whichever is free
 * @property {boolean | "asked"} [trusted] default true: workspace trust is off and every folder is trusted. false: the
 * folder opens in Restricted Mode, without a prompt. "asked": VS Code asks, as it does for users
 * @property {Record<string, unknown>} [settings] written before the start; absent: the settings file stays as it is
 * @property {Record<string, string>} [env] reaches the extension host
 * @property {number} [reconnectGraceS] how long, in seconds, an extension host waits for a window that is gone without
 * a word; default VS Code's own, 3 hours
 * @property {string} [preload] a script that every Node process of the server loads first, the extension host too
 */

/**
 * @typedef {object} Server
 * @property {string} base such as http://127.0.0.1:4711/SECRET/; everything else is refused
 * @property {number} port
 * @property {string} logFile
 * @property {Promise<{ code: number | null, signal: string | null }>} ended
 * @property {() => Promise<void>} stop ends the server and every process it started
 */

/** @param {ServerOptions} options */
const extensionsOf = ({ dataDir, extensionsDir }) => extensionsDir ?? path.join(dataDir, "extensions");

/**
 * @param {ServerOptions} options
 * @param {Record<string, string>} more
 */
function serverEnv({ dataDir, env }, more) {
  return cleanEnv({ EXTENSIONS_GALLERY: GALLERY, HOME: path.join(dataDir, "home"), ...env, ...more });
}

/**
 * @param {string} dataDir
 * @param {Record<string, unknown>} settings
 */
export function writeSettings(dataDir, settings) {
  fs.mkdirSync(path.join(dataDir, "User"), { recursive: true });
  fs.writeFileSync(path.join(dataDir, "User", "settings.json"), `${JSON.stringify(settings, undefined, 2)}\n`);
}

/** @param {ServerOptions} options */
function prepare(options) {
  for (const dir of [path.join(options.dataDir, "home"), extensionsOf(options)]) fs.mkdirSync(dir, { recursive: true });
  // The server makes a socket in it, and whatever a user stores is below it.
  fs.chmodSync(options.dataDir, 0o700);
  // With a config file of its own it looks for none in the home folder.
  const config = path.join(options.dataDir, "code-server.yaml");
  fs.writeFileSync(config, "");
  return [
    options.host.entry,
    "--config",
    config,
    "--user-data-dir",
    options.dataDir,
    "--extensions-dir",
    extensionsOf(options),
  ];
}

/**
 * @param {ServerOptions} options
 * @param {string} vsix
 */
export async function installVsix(options, vsix) {
  const args = [...prepare(options), "--install-extension", vsix, "--force"];
  const { code, output } = await run(options.host.node, args, { env: serverEnv(options, {}) });
  if (code !== 0) throw new Error(`VS Code did not install ${path.basename(vsix)}.\n${output}`);
}

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const { host, dataDir, port = 0, trusted = true, settings, preload, reconnectGraceS } = options;
  const base = [...(preload ? ["--require", preload] : []), ...prepare(options)];
  if (settings) writeSettings(dataDir, { ...settings, ...(trusted ? {} : untrustedSettings) });
  const logFile = path.join(dataDir, "server.log");
  const log = fs.openSync(logFile, "w");
  // Its sockets go to the folder for temporary files, whose path has to be short, and which only this user can enter.
  const sockets = tempDir();
  const socket = path.join(sockets, "server");
  const quiet = [
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--disable-proxy",
    "--ignore-last-opened",
  ];
  const args = [...base, "--auth", "none", "--socket", socket, "--socket-mode", "600", ...quiet];
  if (reconnectGraceS !== undefined) args.push("--reconnection-grace-time", String(reconnectGraceS));
  if (trusted === true) args.push("--disable-workspace-trust");
  const group = startGroup(host.node, args, {
    stdio: ["ignore", log, log],
    env: serverEnv(options, { TMPDIR: sockets }),
  });
  fs.closeSync(log);
  /** @type {{ code: number | null } | undefined} */
  let dead;
  group.ended.then(
    (end) => (dead = end),
    () => (dead = { code: null }),
  );
  /** @type {import("./front.mjs").Front | undefined} */
  let front;
  const stop = async () => {
    await Promise.all([front?.close(), group.stop()]);
    forget();
    removeDir(sockets);
  };
  const forget = own({ close: stop, kill: () => undefined });
  try {
    await until(
      async () => {
        if (dead) throw new Error(`VS Code's server ended with ${dead.code}.\n${fs.readFileSync(logFile, "utf8")}`);
        return isHealthy(socket);
      },
      { what: "VS Code's server", timeoutMs: 60_000 },
    );
    front = await openFront({ socket, port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { base: front.base, port: front.port, logFile, ended: group.ended, stop };
}

/**
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
function isHealthy(socketPath) {
  return new Promise((resolve) => {
    http
      .get({ socketPath, path: "/healthz", agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on("error", () => resolve(false));
  });
}

/**
 * The address that opens a folder, or an empty window.
 * @param {{ base: string }} server
 * @param {string} [folder]
 */
export function pageUrl({ base }, folder) {
  const url = new URL(base);
  if (folder) url.searchParams.set("folder", folder);
  return url.href;
}
