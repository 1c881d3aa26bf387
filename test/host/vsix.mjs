// @ts-check
/** The packaged extension, as a user installs it. */
import fs from "node:fs";
import path from "node:path";
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

/** Packs what is built, without building. @param {string} file */
export async function pack(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await runNode([path.join(root, "node_modules", "@vscode", "vsce", "vsce"), "package", "--no-dependencies", "-o", file]);
}

/** For a click test: the package that the test run has made, or a new one when the file is run by hand. */
export async function vsixUnderTest() {
  return process.env["RPC_VSIX"] ?? (await makePackage());
}
