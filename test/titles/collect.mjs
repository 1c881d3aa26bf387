// @ts-check
/**
 * Lists the titles of test files: loads each file with a stand-in for node:test and writes what it collected.
 *
 *   node test/titles/collect.mjs OUTPUT.json FILE…
 *
 * Nothing outside this process is touched: a file that would start a program or open a socket when it is loaded fails.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import Module, { createRequire, register, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const standIn = require("./standIn.cjs");
const replaced = new Map([
  ["node:test", standIn],
  ["mocha", standIn],
  ["vscode", require("./vscodeStandIn.cjs")],
]);

/** @type {any} */
const loader = Module;
const load = loader._load;
loader._load = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) =>
  replaced.get(name) ?? load(name, ...rest);
register("./resolve.mjs", import.meta.url);

/** @param {string} what @returns {() => never} */
const refused = (what) => () => {
  throw new Error(`${what} while titles are listed`);
};
// A short question to Node itself is allowed: spawnSync.
Object.assign(childProcess, {
  spawn: refused("a program is started"),
  fork: refused("a program is started"),
  exec: refused("a program is started"),
  execFile: refused("a program is started"),
});
net.Socket.prototype.connect = refused("a connection is opened");
net.Server.prototype.listen = refused("a server is started");
syncBuiltinESMExports();

const [, , output = "", ...files] = process.argv;
/** Titles by file, and why a file could not be loaded. @type {Record<string, { titles: string[], error?: string }>} */
const listed = {};
for (const file of files) {
  standIn.collected.titles = [];
  standIn.collected.path = [];
  /** @type {string | undefined} */
  let error;
  try {
    if (file.endsWith(".cjs")) require(path.resolve(file));
    else await import(pathToFileURL(path.resolve(file)).href);
  } catch (thrown) {
    error = String(/** @type {any} */ (thrown)?.stack ?? thrown);
  }
  listed[file] = { titles: standIn.collected.titles, ...(error === undefined ? {} : { error }) };
}
fs.writeFileSync(output, JSON.stringify(listed));
// What a file left open must not keep this process.
process.exit(0);
