import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "vitest";

/* docs/threats.md. That the tests it names have passed is checked where all have run: test/run.mjs. */

test("each threat has tests, or its words in SECURITY.md", () => {
  const words = fs.readFileSync("SECURITY.md", "utf8");
  const [, ...threats] = fs.readFileSync("docs/threats.md", "utf8").split("\n## ");
  assert.ok(threats.length >= 58);
  const bare = threats.filter((text) => {
    const [, residual] = /^Residual risk: (.*)\.$/m.exec(text) ?? [];
    return residual === undefined ? !/^- `\w+ › ./m.test(text) : !words.includes(residual);
  });
  assert.deepEqual(bare, []);
});
