// @ts-check
/*
 * Bundles what ships, and writes what is generated (src/build).
 *
 * - node esbuild.js: dist/{extension,main}.js, the parts that come after it (PARTS), what they have in common with the
 *   terminal and the simulator, dist/{placedOrders,submission,reference,trading,simulator,cli,library}.js, the
 *   terminal's COMMANDS, the chunks they share, dist/panel.js, dist/panel.history.js and their .css, and the generated files
 * - node esbuild.js --production: the same, minified, without source maps, and dist/npm, the folder of the npm package
 * - node esbuild.js --watch: builds again at each change
 * - node esbuild.js --if-missing: nothing when dist/ is there
 * - node esbuild.js --out=FOLDER: into that folder instead of dist
 */
const esbuild = require("esbuild");
const fs = require("node:fs");
const path = require("node:path");

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has("--production");
const outdir = process.argv.find((arg) => arg.startsWith("--out="))?.slice("--out=".length) ?? "dist";

/** @type {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  // The UMD build of jsonc-parser cannot be bundled.
  mainFields: ["module", "main"],
  minify: isProduction,
  sourcemap: isProduction ? false : "inline",
  logLevel: "warning",
  legalComments: "none",
};

/**
 * The exports of an ES module as plain values. The bundler would write an object of getters that call getters, so that
 * they can be asked for before they are there and may change; then a call from one file into another costs as much as
 * what it does. Here nothing that is exported changes (`test/architecture.ts`).
 * @param {string} text that ends with its exports, as the bundler writes it
 */
function withPlainExports(text) {
  return text.replace(
    /\bexport\s*\{([^{}]*)\};(?=\s*(?:\/\/# sourceMappingURL=.*\s*)?$)/,
    (_, /** @type {string} */ names) => {
      const values = names
        .split(",")
        .map((each) => each.trim().split(/\s+as\s+/))
        .map(([own, name = own]) => `${name}: ${own}`);
      return `module.exports = { ${values.join(", ")} };`;
    },
  );
}

/**
 * A chunk that needs one that needs it would find no exports there yet.
 * @param {import("esbuild").Metafile["outputs"]} outputs
 */
function refuseCycles(outputs) {
  /** @type {Set<string>} */
  const finished = new Set();
  /** @type {(name: string, trail: readonly string[]) => void} */
  const visit = (name, trail) => {
    if (trail.includes(name)) throw new Error(`Chunks need each other: ${[...trail, name].join(" → ")}`);
    if (finished.has(name)) return;
    for (const { path: needed, kind } of outputs[name]?.imports ?? [])
      if (kind === "import-statement") visit(needed, [...trail, name]);
    finished.add(name);
  };
  for (const name of Object.keys(outputs)) visit(name, []);
}

/**
 * What is imported dynamically is loaded when it is needed for the first time, and what several programs need stands in
 * a chunk once. The bundler splits ES modules alone, and the editor hands out its API through `require` alone: each
 * file is split as the one and written as the other.
 * @type {import("esbuild").Plugin}
 */
const commonJsChunks = {
  name: "commonjs-chunks",
  setup(build) {
    build.onEnd(async ({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0) return;
      refuseCycles(metafile?.outputs ?? {});
      const { minify, target, sourcemap } = common;
      const options = /** @type {const} */ ({
        minify,
        target,
        sourcemap,
        format: "cjs",
        platform: "node",
        supported: { "dynamic-import": false },
        logOverride: { "commonjs-variable-in-esm": "silent" },
      });
      const files = await Promise.all(
        outputFiles.map(async (file) => ({
          path: file.path,
          code: (await esbuild.transform(withPlainExports(file.text), options)).code,
        })),
      );
      const chunks = fs.existsSync(outdir) ? fs.readdirSync(outdir).filter((name) => name.startsWith("chunk-")) : [];
      for (const name of chunks)
        if (!files.some((file) => path.basename(file.path) === name)) fs.rmSync(path.join(outdir, name));
      fs.mkdirSync(outdir, { recursive: true });
      for (const file of files) fs.writeFileSync(file.path, file.code);
    });
  },
};

/**
 * Whoever dials needs one file of `ws`; its index has the server too, which the editor would load with the first view.
 * @type {import("esbuild").Plugin}
 */
const webSocketClient = {
  name: "websocket-client",
  setup(build) {
    build.onResolve({ filter: /^ws$/ }, ({ importer }) =>
      path.relative(__dirname, importer).startsWith(path.join("src", "rpc"))
        ? { path: require.resolve("ws").replace(/index\.js$/, path.join("lib", "websocket.js")) }
        : undefined,
    );
  },
};

/** The parts of the extension that are loaded after `main.ts`, by their names in `dist`. */
const PARTS = {
  collapsedViews: "src/ui/collapsedViews.ts",
  outcomes: "src/ui/editor/outcomeNotices.ts",
  commands: "src/ui/viewCommands.ts",
  responses: "src/ui/responses/responseDocuments.ts",
  requests: "src/ui/requests/requests.ts",
  alarms: "src/ui/alarms/alarms.ts",
  history: "src/ui/history/commands.ts",
  chat: "src/ui/chat/tools.ts",
  terminals: "src/ui/terminal/terminals.ts",
  observing: "src/ui/observing/observing.ts",
};

/** The commands of the terminal, which are loaded after `cli/main.ts`, by their names in `dist`. */
const COMMANDS = {
  run: "src/cli/runCommand.ts",
  call: "src/cli/call/call.ts",
  mcp: "src/cli/mcp/mcp.ts",
  completion: "src/cli/call/completion.ts",
  judge: "src/cli/stress/judge.ts",
  check: "src/cli/checking/check.ts",
  methods: "src/cli/methods.ts",
  record: "src/cli/record.ts",
  proxy: "src/cli/recordProxy.ts",
  replay: "src/cli/replay.ts",
  probe: "src/cli/probe/probe.ts",
};

/**
 * What never comes without other files. The bundler makes a chunk for each group of programs and parts that have code
 * in common, and a file more takes as long to load as 4 kB of code: that costs the extension more than small files that
 * the terminal loads and does not need.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const TOGETHER = {
  ...Object.fromEntries(Object.values(PARTS).map((part) => [part, ["src/ui/main.ts"]])),
  // It stands in a chunk with the names of environments, which are needed.
  [PARTS.terminals]: ["src/ui/main.ts", "src/rpc/tokenLook.ts"],
  // The proofs of changes name what these stores read, too.
  "src/actions/connection/liveConnection.ts": ["src/state/blockTrades.ts", "src/state/mmp.ts", "src/state/quotes.ts"],
  // Whatever the simulator needs, so that both have their code in the same chunks.
  "src/library.ts": [
    ...["src/recording/recordingFile.ts", "src/simulator/access/replayAccess.ts"],
    ...["src/simulator/wire/commandLine.ts", "src/simulator/wire/replayExchange.ts"],
  ],
  "src/cli/main.ts": [
    ...["src/actions/changes/changes.ts", "src/actions/intent/connectionNames.ts", "src/actions/intent/intent.ts"],
    ...["src/base/emitter.ts", "src/catalogue/codes.ts", "src/catalogue/errorTable.ts", "src/catalogue/rates.ts"],
    ...["src/catalogue/sessionCalls.ts", "src/present/text/times.ts", "src/rpc/orderList.ts"],
  ],
  [COMMANDS.check]: ["src/cli/main.ts"],
  [COMMANDS.methods]: ["src/cli/main.ts"],
  [COMMANDS.completion]: ["src/cli/main.ts", COMMANDS.methods],
  [COMMANDS.judge]: ["src/cli/main.ts", COMMANDS.run],
  [COMMANDS.call]: ["src/cli/main.ts", COMMANDS.run, COMMANDS.methods],
  [COMMANDS.mcp]: [
    ...["src/cli/main.ts", COMMANDS.run, COMMANDS.methods, COMMANDS.check],
    // It stands in a chunk with the orders, which are needed.
    "src/actions/changes/quotes.ts",
  ],
  // These three have most of their code in common.
  [COMMANDS.run]: ["src/cli/main.ts", COMMANDS.record],
  [COMMANDS.record]: ["src/cli/main.ts", COMMANDS.replay],
  [COMMANDS.proxy]: ["src/cli/main.ts", COMMANDS.run],
  [COMMANDS.replay]: ["src/cli/main.ts", COMMANDS.run],
  [COMMANDS.probe]: ["src/cli/main.ts", COMMANDS.run],
};

/**
 * Tells the bundler what comes together.
 * @type {import("esbuild").Plugin}
 */
const together = {
  name: "together",
  setup(build) {
    const others = new Map(Object.entries(TOGETHER).map(([file, names]) => [path.resolve(file), names]));
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const imports = others.get(file)?.map((name) => `import ${JSON.stringify(path.resolve(name))};\n`);
      return imports && { contents: `${fs.readFileSync(file, "utf8")}\n${imports.join("")}`, loader: "ts" };
    });
  },
};

/** @type {import("esbuild").BuildOptions} What ships. */
const shipped = {
  ...common,
  entryPoints: existing({
    extension: "src/extension.ts",
    main: "src/ui/main.ts",
    ...PARTS,
    placedOrders: "src/actions/proof/placedOrders.ts",
    submission: "src/actions/gate/submission.ts",
    reference: "src/catalogue/reference/reference.ts",
    trading: "src/actions/gate/tradingPermission.ts",
    simulator: "src/simulator.ts",
    cli: "src/cli.ts",
    library: "src/library.ts",
    ...COMMANDS,
  }),
  outdir,
  external: ["vscode"],
  format: "esm",
  splitting: true,
  chunkNames: "chunk-[hash]",
  write: false,
  plugins: [webSocketClient, together, commonJsChunks],
  metafile: true,
};

/**
 * @type {import("esbuild").BuildOptions} What ships into the two webviews: for a browser, which has neither Node nor the
 * editor.
 */
const page = {
  ...common,
  platform: "browser",
  target: "chrome120",
  format: "iife",
  entryPoints: [
    { in: "src/panel/lastTradesPage.ts", out: "panel" },
    { in: "src/panel/lastTradesPage.css", out: "panel" },
    { in: "src/panel/historyPage.ts", out: "panel.history" },
    { in: "src/panel/historyPage.css", out: "panel.history" },
  ],
  outdir,
  metafile: true,
};

/**
 * @param {Record<string, string>} entries
 * @returns {Record<string, string>}
 */
function existing(entries) {
  return Object.fromEntries(Object.entries(entries).filter(([, file]) => fs.existsSync(file)));
}

/**
 * Writes a file when its content differs, so that watchers and timestamps stay quiet.
 * @param {string} file
 * @param {string} text
 */
function writeIfChanged(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) fs.writeFileSync(file, text);
}

/**
 * The exports of a source file that is needed during the build.
 * @param {string} file
 * @returns {Promise<any>}
 */
async function evaluated(file) {
  const built = await esbuild.build({ ...common, entryPoints: [file], write: false, minify: false, sourcemap: false });
  const module = { exports: /** @type {any} */ ({}) };
  new Function("module", "exports", "require", built.outputFiles[0]?.text ?? "")(module, module.exports, require);
  return module.exports;
}

async function main() {
  if (flags.has("--if-missing") && fs.existsSync("dist/simulator.js")) return;
  const { generatedFiles } = await evaluated("src/build/generated.ts");
  for (const [file, text] of Object.entries(generatedFiles())) writeIfChanged(file, text);
  if (flags.has("--watch")) {
    const contexts = await Promise.all(
      [shipped, page].map((options) => esbuild.context({ ...options, logLevel: "info" })),
    );
    await Promise.all(contexts.map((context) => context.watch()));
    return;
  }
  const metafiles = (await Promise.all([shipped, page].map((options) => esbuild.build(options)))).map(
    ({ metafile }) => metafile,
  );
  const inputs = Object.assign({}, ...metafiles.map((each) => each?.inputs));
  const outputs = Object.assign({}, ...metafiles.map((each) => each?.outputs));
  writeIfChanged(path.join(outdir, "meta.json"), JSON.stringify({ inputs, outputs }));
  const { thirdPartyNotices, billOfMaterials, npmPackageFiles } = await evaluated("src/build/products.ts");
  writeIfChanged(path.join(outdir, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(Object.keys(inputs)));
  writeIfChanged(path.join(outdir, "sbom.cdx.json"), billOfMaterials(Object.keys(inputs)));
  if (isProduction) {
    const folder = path.join(outdir, "npm");
    fs.rmSync(folder, { recursive: true, force: true });
    for (const [file, text] of Object.entries(npmPackageFiles(outputs, outdir)))
      writeIfChanged(path.join(folder, file), text);
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
