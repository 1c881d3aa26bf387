// @ts-check
/** The packaged extension, as a user installs it. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";
import { root, runNode } from "./process.mjs";

/** Where `npm run package` puts it. */
export const packaged = path.join(root, "trading-rpc.vsix");

/** What `npm run package` makes, made anew. @returns {Promise<string>} */
export async function makePackage() {
  fs.rmSync(packaged, { force: true });
  await npm(["run", "package"], root);
  return packaged;
}

/** The earliest date that an archive can hold. With a fixed one the same files make the same archive. */
const SOURCE_DATE_EPOCH = String(Date.UTC(1980, 0, 1) / 1000);

/**
 * Packs what is built, without building: the same files make the same archive, byte for byte.
 * @param {string} file
 * @param {{ project?: string, isPreRelease?: boolean }} [options] `project`: the folder that is packed; `isPreRelease`:
 * marked for the pre-release channel
 */
export async function pack(file, { project = root, isPreRelease = false } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");
  return runNode([vsce, "package", "--no-dependencies", ...(isPreRelease ? ["--pre-release"] : []), "-o", file], {
    cwd: project,
    env: { ...process.env, SOURCE_DATE_EPOCH },
  });
}

/** For a click test: the package that the test run has made, or a new one when the file is run by hand. */
export async function vsixUnderTest() {
  return process.env["RPC_VSIX"] ?? (await makePackage());
}

// `npm run package` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await pack(packaged)).trimEnd());
