import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { FRAME_ROWS } from "./rows/frames.ts";
import { LIVENESS_ROWS } from "./rows/liveness.ts";
import { NAME_ROWS } from "./rows/name.ts";
import { UPGRADE_ROWS } from "./rows/upgrade.ts";
import { runRows } from "./table.ts";

runRows("Name, TCP and time", NAME_ROWS, "wire");
runRows("TLS and the upgrade", UPGRADE_ROWS, "wire");
runRows("Signs of life, and the end", LIVENESS_ROWS, "wire");
runRows("Frames", FRAME_ROWS, "wire");

describe("the fault matrix of the network", () => {
  const wanted = [
    [1, 21],
    [32, 39],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, each) => `F${String(from + each)}`));
  const rows = [...NAME_ROWS, ...UPGRADE_ROWS, ...LIVENESS_ROWS, ...FRAME_ROWS];

  test("has every row, and each case once", () => {
    const found = wanted.filter((id) => !rows.some((row) => row.id.split(" ")[0] === id));
    assert.deepEqual(found, []);
    assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
  });

  test("a row that does not run on a transport says why", () => {
    const found = rows.filter((row) => row.on !== "both" && row.on.why.length < 20).map((row) => row.id);
    assert.deepEqual(found, []);
  });
});
