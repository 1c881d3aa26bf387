import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkRows, checkTitles, type Row } from "../proofs.mjs";

/* Tables that cite tests: a row holds as long as its tests exist, ran and passed. */

function rowOf(...tests: Row["tests"]): Row[] {
  return [{ title: "a row", tests }];
}

describe("a row that cites tests", () => {
  const ran = new Map([
    [
      "core",
      [
        { title: "orders › are listed", state: "passed" },
        { title: "orders › are lost", state: "failed" },
        { title: "orders › are skipped", state: "skipped" },
      ],
    ],
    ["recorded", [{ title: "orders › are recorded", state: "passed" }]],
  ] as const);
  const titles = new Map([...ran].map(([layer, tests]) => [layer, tests.map(({ title }) => title)]));
  const cases: readonly (readonly [
    what: string,
    rows: Row[],
    afterRun: string | undefined,
    byTitle: string | undefined,
  ])[] = [
    ["a test that passed", rowOf(["core", "are listed"]), undefined, undefined],
    ["a test that failed", rowOf(["core", "are lost"]), 'core: "are lost" failed', undefined],
    ["a test that was skipped", rowOf(["core", "are skipped"]), 'core: "are skipped" skipped', undefined],
    [
      "a test that does not exist",
      rowOf(["core", "are gone"]),
      'core has no test "are gone"',
      'core has no test "are gone"',
    ],
    ["a layer that did not run", rowOf(["clicks", "x"]), "clicks did not run", "the titles of clicks are not known"],
    [
      "a layer that can be absent",
      rowOf(["recorded", "are recorded"]),
      '"are recorded" of the layer recorded is cited, which not every full run has',
      '"are recorded" of the layer recorded is cited, which not every full run has',
    ],
    ["no test", rowOf(), "no test is named", "no test is named"],
  ];
  for (const [what, rows, afterRun, byTitle] of cases) {
    test(`${what}: ${afterRun ?? "holds"}`, () => {
      assert.equal(checkRows(rows, ran)[0]?.error, afterRun);
      assert.equal(checkTitles(rows, titles)[0]?.error, byTitle);
    });
  }

  test("a row that needs no test holds without one", () => {
    const rows = [{ title: "a row", tests: [], needsNone: true }];
    assert.equal(checkRows(rows, ran)[0]?.state, "passed");
    assert.equal(checkTitles(rows, titles)[0]?.state, "passed");
  });
});
