// @ts-check
/** The npm package, as a user installs it. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { npm } from "./npm.mjs";
import { removeDir, root, tempDir } from "./process.mjs";

/** Where `npm run package:npm` puts it. */
export const tarball = path.join(root, "trading-rpc.tgz");

/**
 * Packs what a production build has gathered, without building: the same files make the same archive, byte for byte.
 * @param {string} file
 * @param {string} [project] the folder whose build is packed
 */
export async function packTarball(file, project = root) {
  const folder = tempDir("rpc-npm");
  await npm(["pack", path.join(project, "dist", "npm"), "--pack-destination", folder], root);
  const [name] = fs.readdirSync(folder);
  if (name === undefined) throw new Error("npm has packed nothing.");
  fs.copyFileSync(path.join(folder, name), file);
  removeDir(folder);
}

/** For a test: the package that the test run has made, or a new one when the file is run by hand. */
export async function tarballUnderTest() {
  const made = process.env["RPC_TARBALL"];
  if (made === undefined) await npm(["run", "package:npm"], root);
  return made ?? tarball;
}

/**
 * Reads a package of npm: an archive of 512-byte blocks, a header before each file.
 * @param {string} file
 * @returns {Map<string, string>} the texts by name, as they are installed
 */
export function readTar(file) {
  const data = zlib.gunzipSync(fs.readFileSync(file));
  const texts = new Map();
  for (let at = 0; data[at];) {
    const field = (/** @type {number} */ start, /** @type {number} */ length) =>
      data.toString("latin1", at + start, at + start + length).replace(/\0.*$/s, "");
    const size = parseInt(field(124, 12), 8);
    texts.set(field(0, 100).replace(/^package\//, ""), data.toString("utf8", at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return texts;
}

// `npm run package:npm` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await packTarball(tarball);
  console.log(`Packaged: ${tarball} (${fs.statSync(tarball).size} bytes)`);
}
