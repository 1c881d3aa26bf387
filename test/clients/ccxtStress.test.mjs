// @ts-check
/** Bots on `ccxt` under `trading-rpc stress`: one over HTTP, and one on ccxt.pro. They are right, so nothing is found. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { root } from "../host/process.mjs";

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "ccxt");

describe("ccxt under stress", () => {
  for (const [file, seeds] of /** @type {const} */ ([
    ["ccxt.mjs", 100],
    ["ccxtPro.mjs", 20],
  ]))
    test(`${file}: no finding in ${seeds} schedules`, () => {
      const bot = [process.execPath, path.join(root, "test", "bots", file), place];
      const options = ["--yes", "--jobs", "2", "--seeds", String(seeds), "--format", "json"];
      const cli = path.join(root, "dist", "cli.js");
      const { stdout, stderr } = spawnSync(process.execPath, [cli, "stress", ...options, "--", ...bot], {
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
      });
      assert.notEqual(stdout, "", stderr);
      const { findings, summary } = JSON.parse(stdout);
      console.log(`note: ${file}: ${summary}`);
      assert.deepEqual(findings, []);
    });
});
