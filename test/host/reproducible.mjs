// @ts-check
/** The project once more in another folder, to be built and packed there. */
import fs from "node:fs";
import path from "node:path";
import { root, tempDir } from "./process.mjs";

/** What a build and a package are made of; nothing else of the project is read. */
const PARTS = [
  "src",
  "media",
  "l10n",
  "examples",
  "bin",
  "esbuild.js",
  "package.json",
  "package-lock.json",
  "package.nls.json",
  "tsconfig.json",
  ".vscodeignore",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  // The build writes a table into this page, and makes the README of the npm package of the other one.
  "docs/simulator.md",
  "docs/npm.md",
  "docs/problems.md",
];

/** What the bundler and what it bundles are; linked packages would be known by their own paths. */
const PACKAGES = [
  ...["esbuild", "@esbuild", "ws", "zod", "jsonc-parser", "@vscode/l10n", "uplot"],
  ...["@modelcontextprotocol", "zod-to-json-schema"],
];

/** @returns {string} the folder, gone when the process ends */
export function copyProject() {
  const project = path.join(tempDir("rpc-copy"), "another name of the folder");
  for (const part of [...PARTS, ...PACKAGES.map((name) => path.join("node_modules", name))]) {
    fs.cpSync(path.join(root, part), path.join(project, part), { recursive: true });
  }
  return project;
}
