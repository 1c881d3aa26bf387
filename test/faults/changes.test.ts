import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CHANGE_ROWS } from "./rows/changes.ts";
import { SWITCHING_ROWS } from "./rows/switching.ts";
import { runRows } from "./table.ts";

runRows("Changes of quotes and keys", CHANGE_ROWS);
runRows("Switching accounts", SWITCHING_ROWS);

describe("the fault matrix of keys, quotes and accounts", () => {
  test("has every row from F74 to F83, and each case once", () => {
    const rows = [...CHANGE_ROWS, ...SWITCHING_ROWS].map(({ id }) => id);
    const wanted = Array.from({ length: 10 }, (_, each) => `F${String(74 + each)}`);
    const found = wanted.filter((id) => !rows.some((row) => row.split(" ")[0] === id));
    assert.deepEqual(found, []);
    assert.equal(new Set(rows).size, rows.length);
  });
});
