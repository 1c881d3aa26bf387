// @ts-check
/** `npm start`: VS Code with the extension and its example requests, the simulator one click away. */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { findDesktop, hasDisplay, openDesktop } from "./desktop.mjs";
import { installHost, whyNot } from "./install.mjs";
import { installProject } from "./npm.mjs";
import { cache, endOnSignal, endWithNpm, isEnding, portIsFree, removeDir, root, runNode, step, tempDir } from "./process.mjs";
import { installVsix, pageUrl, startServer } from "./server.mjs";
import { pack } from "./vsix.mjs";

/** Always the same, since a browser keeps VS Code's secrets by address; below the ports that systems hand out. */
const DEFAULT_PORT = 18743;

const HELP = `npm start [-- FLAGS]: builds Trading RPC and opens it in VS Code with the folder examples/.

  --desktop   in the installed desktop VS Code
  --browser   in a VS Code that runs here and is used in the browser (Linux on x64)
  --port N    where that one answers; default ${DEFAULT_PORT}
  --help      this text

Without a flag it is the desktop VS Code where there is one and a display, else the browser.`;

/** A quiet first start. Whoever changes a setting in the window keeps the change. */
const settings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  "security.workspace.trust.enabled": false,
};

/** @typedef {{ browser: boolean, desktop: boolean, port: number | undefined }} Wishes */

/**
 * @param {string[]} args
 * @returns {Wishes | string} or the sentence that says what is wrong
 */
function readFlags(args) {
  /** @type {{ browser?: boolean, desktop?: boolean, help?: boolean, port?: string }} */
  let values;
  try {
    ({ values } = parseArgs({ args, options: { browser: { type: "boolean" }, desktop: { type: "boolean" }, help: { type: "boolean" }, port: { type: "string" } } }));
  } catch (error) {
    return `${error instanceof Error ? error.message.split(". ")[0] : error}. See npm start -- --help.`;
  }
  if (values.help) return HELP;
  if (values.browser && values.desktop) return "Choose --browser or --desktop, not both.";
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) return `--port takes a number from 1 to 65535, not "${values.port}".`;
  return { browser: values.browser ?? false, desktop: values.desktop ?? false, port };
}

/** @param {string} folder */
async function startDesktop(folder) {
  const code = findDesktop();
  if (!code) throw new Error("No desktop VS Code was found: neither a `code` command on PATH nor an installation in the usual place.");
  const { ended } = openDesktop(code, folder, settings);
  console.log("Trading RPC runs in VS Code on the desktop  (closing its window ends it)");
  const { code: exit } = await ended;
  return exit ?? 0;
}

/**
 * @param {string} folder
 * @param {number | undefined} wanted
 * @returns {Promise<number>}
 */
async function startBrowser(folder, wanted) {
  const host = await installHost();
  const port = wanted ?? DEFAULT_PORT;
  const isFree = await portIsFree(port);
  if (!isFree && wanted !== undefined) throw new Error(`Port ${port} is taken by another program.`);
  if (!isFree) console.log(`Port ${port} is taken; a free one is used, and what is stored in the window is forgotten at the end.`);
  const dataDir = isFree ? path.join(cache, `start-${port}`) : tempDir("rpc-start");
  const options = {
    host,
    dataDir,
    port: isFree ? port : 0,
    ...(fs.existsSync(path.join(dataDir, "User", "settings.json")) ? {} : { settings }),
  };
  const vsix = path.join(dataDir, "trading-rpc.vsix");
  await step("Packed the extension", () => pack(vsix));
  await step("Installed it in VS Code", () => {
    removeDir(path.join(dataDir, "extensions"));
    return installVsix(options, vsix);
  });
  const server = await step("Started VS Code", () => startServer(options));
  endOnSignal();
  console.log(`Trading RPC runs in VS Code at ${pageUrl(server, folder)}  (Ctrl+C ends it)`);
  const { code } = await server.ended;
  // A signal ends the server first and then this process.
  if (isEnding()) return new Promise(() => undefined);
  console.error(`VS Code's server ended with ${code}; its log: ${path.relative(root, server.logFile)}`);
  return 1;
}

/** @param {Wishes} wishes */
async function main({ browser, desktop, port }) {
  const folder = path.join(root, "examples");
  const onDesktop = desktop || (!browser && port === undefined && hasDisplay() && findDesktop() !== undefined);
  if (!onDesktop && whyNot()) throw new Error(`${whyNot()} Install the desktop VS Code and start again.`);
  await step("What the lock file names is installed", installProject);
  await step("Built the extension", () => runNode(["esbuild.js"]));
  return onDesktop ? startDesktop(folder) : startBrowser(folder, port);
}

const flags = readFlags(process.argv.slice(2));
if (typeof flags === "string") {
  const isHelp = flags === HELP;
  (isHelp ? console.log : console.error)(flags);
  process.exit(isHelp ? 0 : 2);
}
endWithNpm();
main(flags).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
