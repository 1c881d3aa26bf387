// @ts-check
/** The two products that come out of this repository, and all that each may contain: what is not named is foreign. */
import { isBuiltin } from "node:module";

/** @typedef {import("./products.d.mts").Product} Product */

const FLOORS = ["base", "catalogue", "rpc", "session", "state", "actions", "requests", "recording", "present"];
/** What both products load when they need it. */
const SHARED = {
  "dist/reference.js": "src/catalogue/reference/reference.ts",
  "dist/trading.js": "src/actions/gate/tradingPermission.ts",
  "dist/submission.js": "src/actions/gate/submission.ts",
  "dist/placedOrders.js": "src/actions/proof/placedOrders.ts",
  "dist/simulator.js": "src/simulator.ts",
  // The program of the npm package is also that of the extension's terminal profile.
  "dist/cli.js": "src/cli.ts",
  "dist/run.js": "src/cli/runCommand.ts",
  "dist/call.js": "src/cli/call/call.ts",
  "dist/mcp.js": "src/cli/mcp/mcp.ts",
  "dist/completion.js": "src/cli/call/completion.ts",
  "dist/judge.js": "src/cli/stress/judge.ts",
  "dist/proxy.js": "src/cli/recordProxy.ts",
  "dist/check.js": "src/cli/checking/check.ts",
  "dist/methods.js": "src/cli/methods.ts",
  "dist/record.js": "src/cli/record.ts",
  "dist/replay.js": "src/cli/replay.ts",
  "dist/probe.js": "src/cli/probe/probe.ts",
};
const PACKAGES = ["@vscode/l10n", "jsonc-parser", "ws", "bufferutil", "utf-8-validate"];
/**
 * Packages that one program alone may contain: nothing else is loaded with them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const OF_ONE_PROGRAM = { "dist/mcp.js": ["@modelcontextprotocol/sdk", "zod", "zod-to-json-schema"] };

/** @type {Product} The VSIX. The packager renames some of its files on the way. */
export const EXTENSION = {
  programs: {
    "dist/extension.js": "src/extension.ts",
    "dist/main.js": "src/ui/main.ts",
    "dist/collapsedViews.js": "src/ui/collapsedViews.ts",
    "dist/outcomes.js": "src/ui/editor/outcomeNotices.ts",
    "dist/commands.js": "src/ui/viewCommands.ts",
    "dist/responses.js": "src/ui/responses/responseDocuments.ts",
    "dist/requests.js": "src/ui/requests/requests.ts",
    "dist/alarms.js": "src/ui/alarms/alarms.ts",
    "dist/history.js": "src/ui/history/commands.ts",
    "dist/chat.js": "src/ui/chat/tools.ts",
    "dist/observing.js": "src/ui/observing/observing.ts",
    "dist/terminals.js": "src/ui/terminal/terminals.ts",
    "dist/panel.js": "src/panel/lastTradesPage.ts",
    "dist/panel.css": "src/panel/lastTradesPage.css",
    "dist/panel.history.js": "src/panel/historyPage.ts",
    "dist/panel.history.css": "src/panel/historyPage.css",
    ...SHARED,
  },
  floors: [...FLOORS, "exchange", "simulator", "cli", "panel", "ui"],
  packages: [...PACKAGES, "uplot", "vscode"],
  files: [
    ...["package.json", "package.nls.json", "readme.md", "changelog.md", "LICENSE.txt"],
    ...["bin/trading-rpc", "bin/trading-rpc.cmd", "docs/problems.md"],
  ],
  mayHold: [
    /^media\/[\w./-]+\.(svg|png|json)$/,
    /^(l10n\/bundle\.l10n|package\.nls)\.[\w-]+\.json$|^l10n\/bundle\.l10n\.json$/,
    /^examples\/[\w-]+\.rpc\.json$/,
  ],
};

/** @type {Product} The package for terminals and bots: `src/build/products.ts` gathers it. */
export const NPM_PACKAGE = {
  programs: { ...SHARED, "dist/library.js": "src/library.ts" },
  floors: [...FLOORS, "exchange", "simulator", "cli"],
  packages: PACKAGES,
  files: ["package.json", "README.md", "LICENSE", "dist/library.mjs", "dist/library.d.ts"],
  mayHold: [],
};

/** @param {Product} product @returns {string[]} the files that it has to have */
export function neededFiles({ programs, files }) {
  return [...files, ...Object.keys(programs), "dist/THIRD-PARTY-NOTICES.txt", "dist/sbom.cdx.json"];
}

/**
 * @param {Product} product @param {readonly string[]} files that are in it @returns {string[]} those that must not be
 */
export function foreignFiles(product, files) {
  const needed = neededFiles(product);
  const allowed = [...product.mayHold, /^dist\/chunk-[A-Z0-9]+\.js$/];
  return files.filter((file) => !needed.includes(file) && !allowed.some((pattern) => pattern.test(file)));
}

/**
 * @param {Readonly<Record<string, string>>} programs of a product and their chunks: the texts by name
 * @returns {string[]} what one of them loads and is not there, and chunks that none of them loads
 */
export function looseParts(programs) {
  const loaded = Object.values(programs).flatMap((text) =>
    [...text.matchAll(/\brequire\(["'`]\.\/([\w.-]+)["'`]\)/g)].map(([, name]) => `dist/${name}`),
  );
  const unused = Object.keys(programs).filter((name) => name.includes("/chunk-") && !loaded.includes(name));
  return [...new Set(loaded.filter((name) => !(name in programs))), ...unused];
}

/**
 * Looks into the programs of a product and the chunks that they load.
 * @param {Product} product
 * @param {Readonly<Record<string, import("./products.d.mts").Output>>} outputs of the bundler, by file name
 * @returns {string[]} sources and packages that must not be in it
 */
export function foreignParts({ programs, floors, packages }, outputs) {
  const loaded = new Set(Object.keys(programs));
  /** @type {Set<string>} */
  const parts = new Set();
  for (const file of loaded) {
    for (const { path, external } of outputs[file]?.imports ?? []) (external ? parts : loaded).add(path);
    for (const input of Object.keys(outputs[file]?.inputs ?? {}))
      if (!(OF_ONE_PROGRAM[file] ?? []).includes(packageOf(input))) parts.add(input);
  }
  return [...parts].filter((part) => {
    const [, floor] = /^src\/(\w+)\//.exec(part) ?? [];
    if (floor !== undefined) return !floors.includes(floor);
    const name = packageOf(part);
    return !Object.values(programs).includes(part) && !packages.includes(name) && !isBuiltin(name);
  });
}

/** @param {string} part @returns {string} the package of a source; the source itself where it is of none */
function packageOf(part) {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(part)?.[1] ?? part;
}
