#!/usr/bin/env node
// @ts-check
/**
 * The `trading-rpc` of a clone, by `npx .`: builds what is missing or older than its sources, and runs it. What that
 * takes is told on the standard error: the standard output belongs to the report.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const programs = ["cli.js", "simulator.js"].map((name) => path.join(root, "dist", name));

/** Whether the programs are there and no source was changed since. */
function isBuilt() {
  if (!programs.every((file) => fs.existsSync(file))) return false;
  const builtAtMs = Math.min(...programs.map((file) => fs.statSync(file).mtimeMs));
  return sources().every((file) => fs.statSync(file).mtimeMs <= builtAtMs);
}

/** @returns {string[]} */
function sources() {
  const entries = fs.readdirSync(path.join(root, "src"), { recursive: true, withFileTypes: true });
  // What the build itself writes is no source.
  const files = entries
    .filter((each) => each.isFile() && each.name.endsWith(".ts") && !each.parentPath.endsWith("generated"))
    .map((each) => path.join(each.parentPath, each.name));
  return [
    ...["esbuild.js", "package-lock.json"].map((name) => path.join(root, name)).filter((file) => fs.existsSync(file)),
    ...files,
  ];
}

async function build() {
  const { installProject } = await import("../../test/host/npm.mjs");
  const { runNode } = await import("../../test/host/process.mjs");
  process.stderr.write("Building trading-rpc…\n");
  if (await installProject()) process.stderr.write("Installed what the lock file names.\n");
  await runNode(["esbuild.js"]);
}

try {
  if (!isBuilt()) await build();
  await import(pathToFileURL(programs[0] ?? "").href);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
