// @ts-check
/** The packaged extension, as a user installs it. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";
import { removeDir, root, runNode, tempDir } from "./process.mjs";

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

/** The files and folders of the project that the package is made of; `.vscodeignore` says which files of them. */
const PARTS = [
  ...["package.json", "package.nls.json", ".vscodeignore", "LICENSE"],
  ...["l10n", "media", "examples", "bin"],
];
const PAGES = ["README.md", "CHANGELOG.md", "docs/problems.md"];

/**
 * Returns a page without its pictures and without its links to other files: in VS Code they lead nowhere, because the
 * package has no address of a repository. The words of the links stay; lines and items that are only a link to another
 * page go.
 * @param {string} page
 */
export function withoutFileLinks(page) {
  return page
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "")
    .replaceAll(/^\[[^\]]* →\]\((?!https:|#)[^)]*\)\n\n?/gm, "")
    .replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, "$1");
}

/**
 * Packs what is built, without building: the same files make the same archive, byte for byte. The packager sees a copy,
 * in which the pages are as VS Code can show them.
 * @param {string} file
 * @param {{ project?: string, isPreRelease?: boolean }} [options] `project`: the folder that is packed; `isPreRelease`:
 * marked for the pre-release channel
 */
export async function pack(file, { project = root, isPreRelease = false } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const copy = tempDir("rpc-pack");
  for (const part of PARTS) fs.cpSync(path.join(project, part), path.join(copy, part), { recursive: true });
  fs.mkdirSync(path.join(copy, "docs"));
  for (const page of PAGES)
    fs.writeFileSync(path.join(copy, page), withoutFileLinks(fs.readFileSync(path.join(project, page), "utf8")));
  const built = path.join(project, "dist");
  // What is in a folder of dist/ is for the tests and for the npm package.
  for (const entry of fs.readdirSync(built, { withFileTypes: true }))
    if (entry.isFile()) fs.cpSync(path.join(built, entry.name), path.join(copy, "dist", entry.name));
  const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");
  const flags = ["--no-dependencies", "--allow-missing-repository", ...(isPreRelease ? ["--pre-release"] : [])];
  const output = await runNode([vsce, "package", ...flags, "-o", path.resolve(file)], {
    cwd: copy,
    env: { ...process.env, SOURCE_DATE_EPOCH },
  });
  removeDir(copy);
  return output;
}

/** For a click test: the package that the test run has made, or a new one when the file is run by hand. */
export async function vsixUnderTest() {
  return process.env["RPC_VSIX"] ?? (await makePackage());
}

// `npm run package` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await pack(packaged)).trimEnd());
