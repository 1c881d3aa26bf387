import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { CallError } from "../../../../src/base/failure.ts";
import { rowsOf, selectedRows } from "../../../../src/ui/tree/selectedRows.ts";

/* Which rows a command for several means, by what the editor hands out. */

describe("the rows that are meant", () => {
  const selection = ["a", "b", "c"];
  const refused =
    (reason: RegExp) =>
    (error: unknown): boolean => {
      const { failure } = error as CallError;
      assert.equal(failure.kind, "refused");
      assert.match("reason" in failure ? failure.reason : "", reason);
      return true;
    };

  test("from the palette: all that are selected", () => {
    assert.deepEqual(selectedRows([], selection), ["a", selection]);
    assert.throws(() => selectedRows([], []), refused(/^No items are selected/));
  });

  test("from the menu of one of them: all that the editor hands out", () => {
    assert.deepEqual(selectedRows(["b", ["b", "a", "c"]], selection), ["b", ["b", "a", "c"]]);
    assert.deepEqual(selectedRows(["a", undefined], ["a"]), ["a", ["a"]]);
  });

  test("from the menu of another row, or of one that went: none", () => {
    for (const args of [["d", undefined], ["d", ["d"]], [undefined, undefined], [undefined]])
      assert.throws(() => selectedRows(args, selection), refused(/isn't part of the selection/), JSON.stringify(args));
  });

  test("a row that went is named as gone; of what is no row nothing is claimed", () => {
    const source = { find: (id: string) => (id === "a" ? "A" : undefined), gone: "That order is no longer open." };
    assert.deepEqual(rowsOf(["a"], source), ["A"]);
    assert.throws(() => rowsOf(["d"], source), refused(/^That order is no longer open\.$/));
    assert.throws(
      () => rowsOf([undefined, undefined], source),
      refused(/^Nothing was done: this command needs an item/),
    );
  });
});
