import assert from "node:assert/strict";
import { test } from "vitest";

/* A mutant with which a module can't be loaded leaves the other files without a test that could fail. */

test("the module can be loaded", async () => {
  const module = (await import(`../../${process.env["RPC_MUTATION_MODULE"] ?? ""}`)) as object;
  assert.ok(Object.keys(module).length > 0);
});
