// @ts-check
/** The types, the linter, and the formatter: each says by its exit code whether all is well. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "vitest";
import { root, run } from "./host/process.mjs";

for (const [program = "", ...args] of [
  ["typescript-7/bin/tsc", "-p", "."],
  ["typescript-7/bin/tsc", "-p", "src/panel"],
  ["typescript-7/bin/tsc", "-p", "test/host"],
  ["oxlint/bin/oxlint"],
  ["oxfmt/bin/oxfmt", "--check"],
])
  test([path.basename(program), ...args].join(" "), async () => {
    const { code, output } = await run(process.execPath, [path.join(root, "node_modules", program), ...args]);
    assert.equal(code, 0, output.trim());
  });
