// @ts-check
/**
 * The mutation score of the modules that must not be wrong: all mutants are noticed. One that survives is a change that
 * no test notices: it gets a test, or is listed with the reason in the table of mutants without an observable change.
 * RPC_MUTATED=text runs the files alone whose name has that text.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "vitest";
import { root } from "../host/process.mjs";
import { EQUIVALENTS, whyAlike } from "./equivalents.mjs";
import { MODULES, mutate } from "./mutation.mjs";

const wanted = process.env["RPC_MUTATED"] ?? "";

test("what is said to change nothing is said of lines that are there", () => {
  const lines = (/** @type {string} */ file) =>
    fs
      .readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .map((line) => line.trim());
  assert.deepEqual(
    EQUIVALENTS.filter(({ file, source }) => !lines(file).includes(source)).map(
      ({ file, source }) => `${file}: ${source}`,
    ),
    [],
  );
});

for (const [module, files] of Object.entries(MODULES)) {
  describe(`mutants of ${module}`, () => {
    for (const [file, tests] of Object.entries(files).filter(([name]) => name.includes(wanted))) {
      test(file, async () => {
        const mutants = await mutate(file, tests);
        const alive = mutants.filter(({ status }) => status !== "noticed");
        const alike = alive.filter((mutant) => whyAlike(mutant) !== undefined);
        const survived = alive.filter((mutant) => !alike.includes(mutant));
        const counted = mutants.length - alike.length;
        const score = counted === 0 ? 100 : (100 * (counted - survived.length)) / counted;
        console.log(
          `note: ${file}: ${score.toFixed(1)} % of ${counted} mutants noticed, ${alike.length} more change nothing`,
        );
        for (const { line, mutator, source, replacement } of survived)
          console.log(
            `note:   ${file}:${line} ${mutator}: ${source} → ${replacement.replaceAll(/\s+/g, " ").slice(0, 120)}`,
          );
        assert.equal(survived.length, 0, `${survived.length} of ${counted} mutants survived`);
      });
    }
  });
}
