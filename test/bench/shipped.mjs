// @ts-check
/** The files that ship, as they ship: minified, with a stand-in for the editor's module. */
import Module, { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as standIn from "./vscode.mjs";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
/** Built by run.mjs with the options of what ships. */
export const builtDir = path.join(root, "dist", "bench");
/** The folder whose lock file names ccxt. */
export const clientsDir = path.join(root, "test", "clients");
const cacheDir = path.join(root, "test", "bench", ".cache");
export const projectRequire = createRequire(path.join(root, "package.json"));

const loader = /** @type {any} */ (Module);
const load = loader._load;
const editor = { ...standIn };
loader._load = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) =>
  name === "vscode" ? editor : load.call(loader, name, ...rest);

/** @returns {any} the parts that are measured by themselves (entry.ts) */
export const loadParts = () => projectRequire(path.join(builtDir, "parts.cjs"));

const peerRequire = createRequire(path.join(cacheDir, "package.json"));

/** Another client of JSON-RPC, by the name of its package. @param {string} name @returns {Promise<any>} */
export const loadPeer = async (name) => await import(pathToFileURL(peerRequire.resolve(name)).href);

/** @returns {any} the client of all exchanges, from the place where its own tests have it */
export const loadCcxt = () => createRequire(path.join(clientsDir, ".cache", "package.json"))("ccxt");

/** @returns {any} the library below, as everybody uses it */
export const loadWs = () => projectRequire("ws");
