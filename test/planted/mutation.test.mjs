// @ts-check
/**
 * The mutation score of the modules that must not be wrong. A mutant that survives is a change that no test notices:
 * it gets a test, or stands in the table of those that change nothing that anybody could notice, with the reason.
 * RPC_MUTATED=text runs the files alone whose name has that text.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { whyAlike } from "./equivalents.mjs";
import { MODULES, mutate } from "./mutation.mjs";

const wanted = process.env["RPC_MUTATED"] ?? "";
/** Of the mutants that are not equivalent, in percent; raised when tests are added. */
const LEAST_SCORE = 75;

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
        console.log(`note: ${file}: ${score.toFixed(1)} % of ${counted} mutants noticed, ${alike.length} more change nothing`);
        for (const { line, mutator, source, replacement } of survived) console.log(`note:   ${file}:${line} ${mutator}: ${source} → ${replacement.replaceAll(/\s+/g, " ").slice(0, 120)}`);
        assert.ok(score >= LEAST_SCORE, `${survived.length} of ${counted} mutants survived`);
      });
    }
  });
}
