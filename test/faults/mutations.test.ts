import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { MUTATION_FLOW_ROWS } from "./rows/mutations-flow.ts";
import { runRows } from "./table.ts";

runRows("Changes in flight: before it and after it", MUTATION_FLOW_ROWS);

describe("the fault matrix of changes in flight", () => {
  const rows = MUTATION_FLOW_ROWS;
  /** How many cases the matrix names for each row; where it names one, there may be more. */
  const CASES: Readonly<Record<string, number>> = {
    F57: 1,
    F64: 4,
    F68: 1,
    F69: 4,
    F70: 2,
    F71: 3,
    F72: 1,
    F73: 3,
  };

  test("has every row with each of its cases, and each case once", () => {
    const counted = Object.keys(CASES).map(
      (id) => [id, rows.filter((row) => row.id.split(" ")[0] === id).length] as const,
    );
    const found = counted.filter(([id, count]) => count < (CASES[id] ?? 0));
    assert.deepEqual(found, []);
    assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
  });

  test("runs in memory and over a socket", () => {
    const found = rows.filter((row) => row.on !== "both").map((row) => row.id);
    assert.deepEqual(found, []);
  });
});
