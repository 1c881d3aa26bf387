// @ts-check
/** Which files of a build are loaded with one of them: asked of Node itself, in a process of its own. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(import.meta.url);

/**
 * What is loaded with the first connection, the one that comes back when a view is shown: it needs no command. The open
 * views are drawn, and alarms are watched (`test/editor/activation.ts`).
 */
export const FIRST_CONNECTION = ["extension.js", "main.js", "alarms.js"];

/**
 * @param {string} folder that holds the build
 * @param {readonly string[]} entries in the order in which they are loaded
 * @returns {{ names: string[], bytes: number }} the files of the folder that were loaded, and their size
 */
export function loadedWith(folder, entries) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [own, folder, ...entries], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (status !== 0) throw new Error(`${entries.join(", ")} cannot be loaded.\n${stderr}`);
  /** @type {string[]} */
  const names = JSON.parse(stdout);
  return { names, bytes: bytesOf(folder, names) };
}

/** @param {string} folder @param {readonly string[]} names */
export function bytesOf(folder, names) {
  return names.reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
}

if (process.argv[1] === own) {
  // It puts the stand-in for the editor's module in place.
  await import("./shipped.mjs");
  const [folder = "", ...entries] = process.argv.slice(2);
  const require = createRequire(path.join(path.resolve(folder), "any.js"));
  for (const entry of entries) require(path.resolve(folder, entry));
  const names = Object.keys(require.cache)
    .map((file) => path.relative(folder, file))
    .filter((name) => !name.startsWith(".."));
  process.stdout.write(JSON.stringify(names.sort()));
}
