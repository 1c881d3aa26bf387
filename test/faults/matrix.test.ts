import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "vitest";
import { AUTHENTICATION_ROWS } from "./rows/authentication.ts";
import { CHANGE_ROWS } from "./rows/changes.ts";
import { CORRELATION_ROWS } from "./rows/correlation.ts";
import { FILE_ROWS } from "./rows/files.ts";
import { FRAMES_JSON_ROWS } from "./rows/frames-json.ts";
import { FRAME_ROWS } from "./rows/frames.ts";
import { HOST_LIFE_ROWS } from "./rows/hostLife.ts";
import { LIMITS_ROWS } from "./rows/limits.ts";
import { LIVENESS_ROWS } from "./rows/liveness.ts";
import { MUTATION_FLOW_ROWS } from "./rows/mutations-flow.ts";
import { NAME_ROWS } from "./rows/name.ts";
import { READS_ROWS } from "./rows/reads.ts";
import { SWITCHING_ROWS } from "./rows/switching.ts";
import { TOKEN_LIFE_ROWS } from "./rows/tokenLife.ts";
import { UPGRADE_ROWS } from "./rows/upgrade.ts";

/*
 * The whole fault matrix: each of its rows is a row of a table or, where no table fits, stands in the titles of tests.
 */

const ROWS = 114;

const TABLES = [
  ...[
    AUTHENTICATION_ROWS,
    CHANGE_ROWS,
    CORRELATION_ROWS,
    FILE_ROWS,
    FRAMES_JSON_ROWS,
    FRAME_ROWS,
    HOST_LIFE_ROWS,
    LIMITS_ROWS,
  ],
  ...[LIVENESS_ROWS, MUTATION_FLOW_ROWS, NAME_ROWS, READS_ROWS, SWITCHING_ROWS, TOKEN_LIFE_ROWS, UPGRADE_ROWS],
];

/** The table of all changes with all fates. */
const FATES = "core/fates/cancel.test.ts";

/** Rows of that table, and those about disks, windows and processes, with the files whose tests they are. */
const IN_TITLES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["F58", "F59", "F60", "F61", "F62", "F63", "F65", "F66", "F67"].map((id) => [id, [FATES]])),
  F102: ["core/world/reload.test.ts"],
  F103: ["sockets/crashPoints.test.ts", "core/actions/journalFile.test.ts"],
  F104: ["core/actions/journals.test.ts"],
  F105: ["core/ui/connections/editorSecrets.test.ts"],
  F106: ["core/ui/connections/removedSecrets.test.ts"],
  F107: ["core/ui/changedAddress.test.ts"],
  F108: ["core/world/deactivate.test.ts"],
};

test(`no row from F1 to F${String(ROWS)} is missing`, () => {
  const inTables = TABLES.flat().map((row) => row.id.split(" ")[0]);
  const wanted = Array.from({ length: ROWS }, (_, index) => `F${String(index + 1)}`);
  const found = wanted.filter((id) => !inTables.includes(id) && !(id in IN_TITLES));
  assert.deepEqual(found, []);
});

for (const [id, files] of Object.entries(IN_TITLES)) {
  for (const file of files) {
    test(`${id} stands in the title of a test in ${file}`, () => {
      assert.ok(
        titlesIn(fs.readFileSync(path.join("test", file), "utf8")).some((title) =>
          new RegExp(`\\b${id}\\b`).test(title),
        ),
      );
    });
  }
}

/** Titles of tests and groups. */
function titlesIn(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:test|describe)\((["`])((?:(?!\1)[^\n])*)\1/g)].map(([, , title = ""]) => title);
}
