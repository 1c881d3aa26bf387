import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { AUTHENTICATION_ROWS } from "./rows/authentication.ts";
import { CORRELATION_ROWS } from "./rows/correlation.ts";
import { FRAMES_JSON_ROWS } from "./rows/frames-json.ts";
import { HOST_LIFE_ROWS } from "./rows/hostLife.ts";
import { LIMITS_ROWS } from "./rows/limits.ts";
import { READS_ROWS } from "./rows/reads.ts";
import { TOKEN_LIFE_ROWS } from "./rows/tokenLife.ts";
import { runRows } from "./table.ts";

runRows("Signing in", AUTHENTICATION_ROWS);
runRows("Frames and JSON", FRAMES_JSON_ROWS);
runRows("What belongs to what", CORRELATION_ROWS);
runRows("Reads", READS_ROWS);
runRows("The life of a token, and clocks", TOKEN_LIFE_ROWS);
runRows("Limits, maintenance, restart", LIMITS_ROWS);
runRows("Sleep and networks", HOST_LIFE_ROWS);

describe("the fault matrix of the session", () => {
  const wanted = [
    [22, 31],
    [38, 38],
    [40, 56],
    [84, 101],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, each) => `F${String(from + each)}`));
  const rows = [
    ...AUTHENTICATION_ROWS,
    ...FRAMES_JSON_ROWS,
    ...CORRELATION_ROWS,
    ...READS_ROWS,
    ...TOKEN_LIFE_ROWS,
    ...LIMITS_ROWS,
    ...HOST_LIFE_ROWS,
  ];

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
