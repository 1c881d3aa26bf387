// @ts-check
/** The npm package: what is in it, and its commands where nothing else is installed. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, test } from "vitest";
import { foreignFiles, looseParts, neededFiles, NPM_PACKAGE } from "../products.mjs";
import { npm, quietly } from "./npm.mjs";
import { hostDir, root, run, startGroup, tempDir } from "./process.mjs";
import { readTar, tarballUnderTest } from "./tarball.mjs";

const file = await tarballUnderTest();
const texts = readTar(file);
const read = (/** @type {string} */ name) => texts.get(name) ?? assert.fail(`${name} is missing`);
const manifestOf = (/** @type {string} */ text) => /** @type {Record<string, unknown>} */ (JSON.parse(text));

// The runner shows lines that begin so.
for (const [name, text] of texts)
  console.log(`note: ${String(Buffer.byteLength(text)).padStart(8)}  npm package: ${name}`);

describe("the npm package", () => {
  test("holds what it needs, and nothing else", () => {
    const names = [...texts.keys()];
    assert.deepEqual(
      neededFiles(NPM_PACKAGE).filter((name) => !names.includes(name)),
      [],
    );
    assert.deepEqual(foreignFiles(NPM_PACKAGE, names), []);
    const programs = [...texts].filter(([name]) => name.endsWith(".js"));
    assert.deepEqual(looseParts(Object.fromEntries(programs)), []);
    for (const [name, text] of programs) {
      assert.doesNotMatch(text, /\brequire\(["'`]vscode["'`]\)|\/\/# sourceMappingURL=/, name);
      assert.ok(!text.includes(root), `${name} names ${root}`);
    }
  });

  test("its manifest is the extension's, without anything that is installed or run with it", () => {
    const { description, bin, engines, main, types, exports, ...shared } = manifestOf(read("package.json"));
    const own = manifestOf(fs.readFileSync(path.join(root, "package.json"), "utf8"));
    assert.deepEqual(Object.keys(shared), ["name", "version", "license", "keywords"]);
    for (const [key, value] of Object.entries(shared)) assert.deepEqual(value, own[key], key);
    assert.deepEqual([bin, engines], [{ "trading-rpc": "dist/cli.js" }, { node: ">=20.19" }]);
    assert.deepEqual([main, types], ["dist/library.js", "dist/library.d.ts"]);
    assert.deepEqual(exports, {
      ".": { types: "./dist/library.d.ts", import: "./dist/library.mjs", require: "./dist/library.js" },
      "./package.json": "./package.json",
    });
    assert.match(String(description), /^[A-Z][^`[\]]{40,}\.$/);
    assert.match(read("dist/cli.js"), /^#!\/usr\/bin\/env node\n/);
  });

  test("its notices and its bill of materials name the packages that are in it, with their licence texts", () => {
    const notices = read("dist/THIRD-PARTY-NOTICES.txt");
    const noticed = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d[\w.-]* \([\w.-]+\)$/gm)].map(([, name]) => name);
    const ofAgents = ["zod", "zod-to-json-schema"];
    assert.deepEqual(noticed, ["@modelcontextprotocol/sdk", "@vscode/l10n", "jsonc-parser", "ws", ...ofAgents]);
    // The license of one is ISC.
    const granted = /Permission (?:is hereby granted|to use, copy, modify, and\/or distribute)/g;
    assert.equal([...notices.matchAll(granted)].length, noticed.length);
    /** @type {{ components: { purl: string }[] }} */
    const { components } = JSON.parse(read("dist/sbom.cdx.json"));
    assert.deepEqual(
      components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\/|@[^@]*$/g, ""))),
      noticed,
    );
  });

  test("its README is a page of docs/, without links to pages that are not in the package", () => {
    assert.deepEqual(
      [...read("README.md").matchAll(/\]\((?!https:|#)[^)]+\)/g)].map(([found]) => found),
      [],
    );
    assert.match(read("README.md"), /^# trading-rpc\n/);
  });
});

/** The commands of the README, each with what it prints. */
const COMMANDS = {
  "trading-rpc run trades.rpc.json --env sim": /^1 passed in /m,
  "trading-rpc run trades.rpc.json --env sim --verbose": /"instrument_name": "BTC-PERPETUAL"/,
  "trading-rpc run trades.rpc.json --env sim --format junit --output report.xml": /^1 passed in /m,
  "trading-rpc call public/get_time --env sim": /^\d{13}\n/m,
  "trading-rpc call public/ticker instrument_name=BTC-PERPETUAL --env sim > ticker.json": /^1 passed in /m,
  "trading-rpc check .": /^Files checked: 1, errors: 0, warnings: 0\n$/,
  "trading-rpc check trades.rpc.json --format json": /^\{"version":1,"files":1,"errors":0,/,
  "trading-rpc check trades.rpc.json --format github": /^$/,
  "trading-rpc methods": /^ *private\/buy /m,
  "trading-rpc methods private/buy": /instrument_name/,
  "trading-rpc methods --openrpc > openrpc.json": /^$/,
  "trading-rpc simulator --port 8765 --seed 1": /ready for connections/,
  "trading-rpc --help": /--allow-writes/,
  "trading-rpc call --help": /--json TEXT/,
  "trading-rpc check --help": /--format text\|json\|github/,
  "trading-rpc methods --help": /--openrpc/,
  "trading-rpc simulator --help": /--seed N/,
  "trading-rpc stress --help": /--max-open-orders N/,
  "trading-rpc audit --help": /--max-data-age SECONDS/,
};
const SIMULATOR = "trading-rpc simulator --port 8765 --seed 1";

describe("the npm package, installed where nothing else is", () => {
  const readme = read("README.md");
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind, text = ""]) => ({ kind, text }));
  const [make, install, ...commands] = blocks
    .filter(({ kind }) => kind === "sh")
    .flatMap(({ text }) => text.trimEnd().split("\n"));
  const folder = path.join(tempDir(), "work");
  const home = tempDir();
  const watch = path.join(tempDir(), "dialled");
  const bin = path.join(folder, "node_modules", ".bin");
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    PATH: [bin, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
    HOME: home,
    NO_COLOR: "1",
    NODE_OPTIONS: `--require "${path.join(hostDir, "hostile", "socketWatch.cjs")}"`,
    RPC_SOCKET_WATCH: watch,
    NPM_CONFIG_CACHE: tempDir(),
    NPM_CONFIG_UPDATE_NOTIFIER: "false",
  };
  const command = (/** @type {string} */ line, more = {}) =>
    run(line, [], { cwd: folder, env: { ...env, ...more }, shell: true });

  beforeAll(async () => {
    assert.deepEqual([make, install], ["npm run package:npm", "npm install --global ./trading-rpc.tgz"]);
    fs.mkdirSync(folder);
    await npm(["install", "--offline", ...quietly, file], folder, env);
    const requests = blocks.filter(({ kind }) => kind === "json");
    assert.equal(requests.length, 1);
    fs.writeFileSync(path.join(folder, "trades.rpc.json"), requests[0]?.text ?? "");
  });

  test("one package is installed", () => {
    assert.deepEqual(fs.readdirSync(path.join(folder, "node_modules")).sort(), [
      ...[".bin", ".package-lock.json", "trading-rpc"],
    ]);
    const installed = fs.readdirSync(path.join(folder, "node_modules", "trading-rpc"), {
      recursive: true,
      encoding: "utf8",
    });
    assert.deepEqual(
      installed
        .map((name) => name.split(path.sep).join("/"))
        .filter((name) => name !== "dist")
        .sort(),
      [...texts.keys()].sort(),
    );
  });

  test("the README has these commands", () => assert.deepEqual(commands, Object.keys(COMMANDS)));

  for (const [line, printed] of Object.entries(COMMANDS)) {
    if (line === SIMULATOR) continue;
    test(line, async () => {
      const { code, output } = await command(line);
      assert.equal(code, 0, output);
      assert.match(output, printed);
    });
  }

  test(SIMULATOR, async () => {
    // Any port: another program of this computer may have the one of the README.
    const words = SIMULATOR.replace("8765", "0").split(" ").slice(1);
    const { child, ended, stop } = startGroup(process.execPath, [path.join(bin, "trading-rpc"), ...words], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.ok(child.stdout);
    let text = "";
    for await (const line of createInterface({ input: child.stdout })) {
      text += `${line}\n`;
      if (line.includes("Ctrl+C")) break;
    }
    assert.match(text, COMMANDS[SIMULATOR]);
    const value = (/** @type {string} */ name) => new RegExp(`^  ${name} +(\\S+)$`, "m").exec(text)?.[1];
    const { code, output } = await command("trading-rpc run trades.rpc.json --env sim", {
      TRADING_RPC_SIM_URL: value("WebSocket"),
      TRADING_RPC_SIM_CLIENT_ID: value("Client ID"),
      TRADING_RPC_SIM_CLIENT_SECRET: value("Client secret"),
    });
    assert.equal(code, 0, output);
    await stop();
    assert.deepEqual(await ended, { code: 0, signal: null });
  });

  test("what they write is where they were told, and nothing but loopback is looked up or dialled", () => {
    assert.match(fs.readFileSync(path.join(folder, "report.xml"), "utf8"), /<testcase /);
    assert.ok(manifestOf(fs.readFileSync(path.join(folder, "openrpc.json"), "utf8"))["openrpc"]);
    assert.deepEqual(fs.readdirSync(folder).sort(), [
      ...["node_modules", "openrpc.json", "package-lock.json", "package.json", "report.xml"],
      ...["ticker.json", "trades.rpc.json"],
    ]);
    assert.deepEqual(fs.readdirSync(home), []);
    /** @type {{ host?: string, name?: string }[]} */
    const noted = fs
      .readFileSync(watch, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const dialled = noted.filter(({ host }) => host !== undefined).length;
    const places = [...new Set(noted.map(({ host, name }) => host ?? name))];
    console.log(`note: npm package: ${dialled} connections, to ${places.join(", ")}`);
    assert.ok(dialled >= 4, "each run dials its simulator");
    assert.deepEqual(places, ["127.0.0.1"]);
  });
});
