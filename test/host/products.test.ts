import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "vitest";
import { EXTENSION, foreignParts, NPM_PACKAGE, type Output } from "../products.mjs";

test("each product is made of what it may contain, and no dependency is left outside the bundles", () => {
  const { outputs } = JSON.parse(fs.readFileSync("dist/meta.json", "utf8")) as { outputs: Record<string, Output> };
  assert.deepEqual(foreignParts(EXTENSION, outputs), []);
  assert.deepEqual(foreignParts(NPM_PACKAGE, outputs), []);
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
        entryPoint === undefined ? [] : [[file, entryPoint]],
      ),
    ),
    { ...EXTENSION.programs, ...NPM_PACKAGE.programs },
  );
  const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as { dependencies?: unknown };
  assert.equal(manifest.dependencies, undefined);
});
