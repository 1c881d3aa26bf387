// @ts-check
/** `npm start`: VS Code with the extension and its example requests, the simulator one click away. */
import { randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { findDesktop, hasDisplay, openDesktop } from "./desktop.mjs";
import { installHost, whyNot } from "./install.mjs";
import { installProject } from "./npm.mjs";
import { cache, endOnSignal, endWithNpm, isEnding, portIsFree, removeDir, root, runNode, step } from "./process.mjs";
import { installVsix, pageUrl, startServer } from "./server.mjs";
import { pack } from "./vsix.mjs";

/** Ports that browsers accept, below those that systems hand out. */
const [FIRST_PORT, LAST_PORT] = [18_000, 32_000];

const HELP = `npm start [-- FLAGS]: builds Trading RPC and opens it in VS Code with the folder examples/.

  --desktop   in the installed desktop VS Code
  --browser   in a VS Code that runs here and is used in the browser (Linux on x64)
  --port N    its port (default: the port of an earlier start, else any that is free)
  --data DIR  where it keeps settings and state (default: a folder of test/host/.cache for each port)
  --help      this text

The browser needs the whole address that is printed: it holds a secret of this start, and everything else is refused.

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
};

/** @typedef {{ browser: boolean, desktop: boolean, port: number | undefined, data: string | undefined }} Wishes */

/**
 * @param {string[]} args
 * @returns {Wishes | string} or the sentence that says what is wrong
 */
function readFlags(args) {
  /** @type {{ browser?: boolean, desktop?: boolean, help?: boolean, port?: string, data?: string }} */
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        browser: { type: "boolean" },
        desktop: { type: "boolean" },
        help: { type: "boolean" },
        port: { type: "string" },
        data: { type: "string" },
      },
    }));
  } catch (error) {
    return `${error instanceof Error ? error.message.split(". ")[0] : error}. See npm start -- --help.`;
  }
  if (values.help) return HELP;
  if (values.browser && values.desktop) return "Choose --browser or --desktop, not both.";
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    return `--port requires a number from 1 to 65535, not "${values.port}".`;
  return {
    browser: values.browser ?? false,
    desktop: values.desktop ?? false,
    port,
    data: values.data && path.resolve(values.data),
  };
}

/** @param {string} folder */
async function startDesktop(folder) {
  const code = findDesktop();
  if (!code)
    throw new Error(
      "No desktop VS Code was found: neither a `code` command on PATH nor an installation in the usual place.",
    );
  const { ended } = openDesktop(code, folder, settings);
  console.log("Trading RPC runs in VS Code on the desktop  (closing its window ends it)");
  const { code: exit } = await ended;
  return exit ?? 0;
}

/**
 * The port of an earlier start, since a browser keeps what VS Code stores by address; the oldest that is free. A second
 * VS Code at the same time gets another port, and finds it again the next time.
 * @param {string} dataRoot with a folder of each port
 * @returns {Promise<number>}
 */
async function choosePort(dataRoot) {
  fs.mkdirSync(dataRoot, { recursive: true, mode: 0o700 });
  const since = (/** @type {number} */ port) => fs.statSync(path.join(dataRoot, String(port))).birthtimeMs;
  const known = fs
    .readdirSync(dataRoot)
    .map(Number)
    .filter((port) => port > 0)
    .sort((a, b) => since(a) - since(b));
  for (const port of known) if (await portIsFree(port)) return port;
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await portIsFree(port)) return port;
  }
}

/**
 * @param {string} folder
 * @param {Pick<Wishes, "port" | "data">} wishes
 * @returns {Promise<number>}
 */
async function startBrowser(folder, { port: wanted, data = path.join(cache, "start") }) {
  const host = await installHost();
  if (wanted !== undefined && !(await portIsFree(wanted)))
    throw new Error(`Port ${wanted} is in use by another program.`);
  const port = wanted ?? (await choosePort(data));
  const dataDir = path.join(data, String(port));
  const options = {
    host,
    dataDir,
    port,
    trusted: /** @type {const} */ ("asked"),
    ...(fs.existsSync(path.join(dataDir, "User", "settings.json")) ? {} : { settings }),
  };
  const given = process.env["RPC_VSIX"];
  const vsix = given ?? path.join(dataDir, "trading-rpc.vsix");
  if (given === undefined) await step("Packed the extension", () => pack(vsix));
  await step("Installed it in VS Code", () => {
    removeDir(path.join(dataDir, "extensions"));
    return installVsix(options, vsix);
  });
  const server = await step("Started VS Code", () => startServer(options));
  endOnSignal();
  console.log(
    `Trading RPC runs in VS Code at this address, which works until Ctrl+C ends it:\n${pageUrl(server, folder)}`,
  );
  const { code } = await server.ended;
  // A signal ends the server first and then this process.
  if (isEnding()) return new Promise(() => undefined);
  console.error(`VS Code's server ended with ${code}; its log: ${path.relative(root, server.logFile)}`);
  return 1;
}

/** @param {Wishes} wishes */
async function main({ browser, desktop, port, data }) {
  const folder = path.join(root, "examples");
  const onDesktop = desktop || (!browser && port === undefined && hasDisplay() && findDesktop() !== undefined);
  if (!onDesktop && whyNot()) throw new Error(`${whyNot()} Install the desktop VS Code and start again.`);
  await step("What the lock file names is installed", installProject);
  // A package that was made before, as the other tests of the host have it, is opened as it is.
  if (onDesktop || process.env["RPC_VSIX"] === undefined)
    await step("Built the extension", () => runNode(["esbuild.js"]));
  return onDesktop ? startDesktop(folder) : startBrowser(folder, { port, data });
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
