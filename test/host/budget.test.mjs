// @ts-check
/**
 * What the packaged extension and the npm package may weigh at most, and what may be loaded when: `test/budget.json`.
 * Nothing here depends on time.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, test } from "vitest";
import { bytesOf, FIRST_CONNECTION, loadedWith } from "../bench/loaded.mjs";
import { root } from "./process.mjs";
import { readTar, tarballUnderTest } from "./tarball.mjs";
import { vsixUnderTest } from "./vsix.mjs";
import { readZip } from "./zip.mjs";

const file = await vsixUnderTest();
const entries = readZip(file);
const tarball = await tarballUnderTest();
/** @type {Record<string, number>} */
const budget = JSON.parse(fs.readFileSync(path.join(root, "test", "budget.json"), "utf8"));

// The programs as they are in the package, where Node can load them.
const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "budget-")));
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));
const folder = path.join(home, "dist");
fs.mkdirSync(folder);
fs.writeFileSync(path.join(home, "package.json"), '{"version":"0.0.0"}');
const programs = entries.filter(({ name }) => /^extension\/dist\/[^/]+\.(?:js|css)$/.test(name));
for (const { name, read } of programs) fs.writeFileSync(path.join(folder, path.posix.basename(name)), read());
const names = programs.map(({ name }) => path.posix.basename(name));
const isOfPage = (/** @type {string} */ name) => name.startsWith("panel.");

const activation = loadedWith(folder, ["extension.js"]);
const view = loadedWith(folder, ["extension.js", "main.js"]);
const connection = loadedWith(folder, FIRST_CONNECTION);
const requestFile = loadedWith(folder, ["extension.js", "main.js", "requests.js"]);
const help = loadedByTerminal("--help");
const methods = loadedByTerminal("methods", "public/get_time");
const manifest = JSON.parse(
  entries
    .find(({ name }) => name === "extension/package.json")
    ?.read()
    .toString() ?? "{}",
);
const notices =
  entries
    .find(({ name }) => name === "extension/dist/THIRD-PARTY-NOTICES.txt")
    ?.read()
    .toString() ?? "";

/** @type {Record<string, number>} */
const present = {
  "files at activation": activation.names.length,
  "bytes at activation": activation.bytes,
  "files with the first view": view.names.length,
  "bytes with the first view": view.bytes,
  "files with the first connection": connection.names.length,
  "bytes with the first connection": connection.bytes,
  "files with the first request file too": requestFile.names.length,
  "bytes with the first request file too": requestFile.bytes,
  "files of trading-rpc --help": help.names.length,
  "bytes of trading-rpc --help": help.bytes,
  "files of trading-rpc methods NAME": methods.names.length,
  "bytes of trading-rpc methods NAME": methods.bytes,
  "bytes of the simulator": loadedWith(folder, ["simulator.js"]).bytes,
  "bytes of all programs of the host": bytesOf(
    folder,
    names.filter((name) => !isOfPage(name)),
  ),
  "bytes of the page": bytesOf(folder, names.filter(isOfPage)),
  "files of the package": entries.length,
  "bytes of the package": fs.statSync(file).size,
  "files of the npm package": readTar(tarball).size,
  "bytes of the npm package": fs.statSync(tarball).size,
  "packages in the programs": [...notices.matchAll(/^-{80}$/gm)].length,
  "packages installed with the extension": Object.keys(manifest.dependencies ?? {}).length,
};

/** @param {...string} words of a command line @returns {{ names: string[], bytes: number }} what the terminal loads */
function loadedByTerminal(...words) {
  const file = JSON.stringify(path.join(folder, "cli.js"));
  const tell = "process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(require.cache))))";
  const { status, stderr } = spawnSync(process.execPath, ["-e", `${tell}; require(${file})`, "trading-rpc", ...words], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  assert.equal(status, 0, stderr);
  const loaded = /** @type {string[]} */ (JSON.parse(stderr)).map((each) => path.relative(folder, each));
  return { names: loaded, bytes: bytesOf(folder, loaded) };
}

/** @param {string} what @param {number} found @returns {string | undefined} why that is too much, as sentences */
function excess(what, found) {
  const most = budget[what];
  if (most !== undefined && found <= most) return undefined;
  return `${what}: ${found}, and test/budget.json allows ${most ?? "nothing, for it does not name them"}. Look first what has come in (dist/meta.json names the sources of each file). If it is worth that, write about a tenth more than ${found} into test/budget.json, and the reason into the commit.`;
}

describe("budget", () => {
  for (const [what, found] of Object.entries(present)) {
    console.log(`note: ${String(found).padStart(8)} of ${String(budget[what]).padStart(8)}  ${what}`);
    test(what, () => assert.equal(excess(what, found), undefined));
  }

  test("every line of the file is checked, and one more than it allows is too much", () => {
    assert.deepEqual(Object.keys(budget), Object.keys(present));
    for (const [what, most] of Object.entries(budget))
      assert.match(excess(what, most + 1) ?? "", /test\/budget\.json allows/, what);
  });

  test("at activation the program is not loaded, with the first view nothing of request files, commands and simulator", () => {
    assert.ok(activation.names.includes("extension.js") && !activation.names.includes("main.js"));
    assert.ok(view.names.includes("main.js"));
    assert.deepEqual(
      view.names.filter((name) => ["requests.js", "commands.js", "chat.js", "simulator.js"].includes(name)),
      [],
    );
  });
});
