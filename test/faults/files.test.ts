import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { FILE_ROWS } from "./rows/files.ts";
import { runRows } from "./table.ts";

runRows("Request files", FILE_ROWS);

describe("the fault matrix of request files", () => {
  /** How many cases the matrix names for each row; there may be more. */
  const CASES: Readonly<Record<string, number>> = { F109: 3, F110: 1, F111: 5, F112: 4, F113: 1, F114: 1 };

  test("has every row with each of its cases, and each case once", () => {
    const counted = Object.keys(CASES).map(
      (id) => [id, FILE_ROWS.filter((row) => row.id.split(" ")[0] === id).length] as const,
    );
    const found = counted.filter(([id, count]) => count < (CASES[id] ?? 0));
    assert.deepEqual(found, []);
    assert.equal(new Set(FILE_ROWS.map((row) => row.id)).size, FILE_ROWS.length);
  });

  test("runs in memory and over a socket", () => {
    const found = FILE_ROWS.filter((row) => row.on !== "both").map((row) => row.id);
    assert.deepEqual(found, []);
  });
});
