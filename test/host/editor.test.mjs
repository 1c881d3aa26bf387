// @ts-check
/**
 * The mocha suite of test/editor inside the extension host of a real VS Code, with a simulator beside it: the addresses
 * and credentials of that reach the tests as JSON in RPC_SIMULATOR. Each test of the suite is one here.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import esbuild from "esbuild";
import { test } from "vitest";
import { runSuite } from "./mocha.mjs";
import { outDir, removeDir, root, tempDir } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";
import { makePackage } from "./vsix.mjs";

/** What VS Code says in every run. */
const USUAL =
  /%c INFO|Ignoring fetching additional|Creating a socket|connection token|\[AccountPolicyGate\]|\[AgentHost/;

async function runInVsCode() {
  if (process.env["RPC_VSIX"] === undefined) await makePackage();
  // Inside the project, where it finds mocha.
  const suite = path.join(outDir, "editorSuite.cjs");
  await esbuild.build({
    entryPoints: ["test/editor/index.ts"],
    outfile: suite,
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    sourcemap: "inline",
    external: ["vscode", "mocha"],
  });
  const folder = tempDir("rpc-folder");
  fs.cpSync(path.join(root, "examples"), folder, { recursive: true });
  const { run: _run, stop, ...simulator } = await startSimulator();
  try {
    return await runSuite({ suite, folder, env: { RPC_SIMULATOR: JSON.stringify(simulator) } });
  } finally {
    await stop();
    removeDir(folder);
  }
}

const { done, results, log } = await runInVsCode();

test("the suite ran to its end", () => {
  assert.ok(done && results.length > 0, log.filter((line) => !USUAL.test(line)).join("\n"));
});

for (const { title, state, error } of results)
  test(title, ({ skip }) => {
    skip(state === "skipped");
    assert.equal(error, undefined);
  });
