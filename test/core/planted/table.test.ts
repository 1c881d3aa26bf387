import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "vitest";
import { PLANTED_BUGS } from "../../planted/bugs.ts";
import { pluck } from "../../pluck.ts";
import { COUNTING_EMITTERS } from "../../simulation/soak.ts";
import { unplantable } from "../../planted/planting.ts";

/* The table of planted bugs fits the sources. What catches the bugs is seen in test/planted and test/simulation. */

describe("planted bugs", () => {
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? fs.readFileSync(file, "utf8");
    texts.set(file, text);
    return text;
  };

  test("each can be planted: what it changes stands once in the sources", () => {
    assert.deepEqual(
      PLANTED_BUGS.flatMap(({ name, changes }) => unplantable(changes, read).map((problem) => `${name}: ${problem}`)),
      [],
    );
  });

  test("what counts the listeners of a soak fits too", () => {
    assert.deepEqual(unplantable(COUNTING_EMITTERS, read), []);
  });

  test("a text that stands twice, or not at all, or does not change, is no bug", () => {
    const file = "a.ts";
    const problems = (search: string, replacement: string): number =>
      unplantable([{ file, search, replacement }], () => "one two two").length;
    assert.deepEqual(
      [problems("one", "1"), problems("two", "2"), problems("three", "3"), problems("one", "one")],
      [0, 1, 1, 1],
    );
  });

  test("each has a name of its own, and those of the list are all there", () => {
    assert.equal(new Set(PLANTED_BUGS.map(({ name }) => name)).size, PLANTED_BUGS.length);
    const numbers = PLANTED_BUGS.flatMap(({ number }) => number ?? []).sort((one, other) => one - other);
    assert.deepEqual(
      numbers,
      Array.from({ length: 36 }, (_, index) => index + 1),
    );
  });

  test("each names a test file that is there", () => {
    const missing = PLANTED_BUGS.filter(
      ({ caughtBy }) =>
        caughtBy !== "simulation" && (caughtBy[1] === "" || !fs.existsSync(`test/${caughtBy[0]}.test.ts`)),
    );
    assert.deepEqual(pluck(missing, "name"), []);
  });
});
