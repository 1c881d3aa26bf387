import { describe, test } from "vitest";
import { checkExpected, openStage, type FaultRow, type StageName } from "./stage.ts";
import { isFull } from "../rounds.mjs";

/**
 * Runs each row on each transport that can have its fault; a row that only one can have says why. `fault`: whether it is
 * a fault of the wire, which only a socket has, or one that looks the same in memory.
 */
export function runRows(title: string, rows: readonly FaultRow[], fault: "wire" | "any" = "any"): void {
  describe(title, () => {
    for (const row of rows)
      for (const on of stagesOf(row)) if (isFull || on !== "loopback" || isInShort(row, rows, fault)) runRow(row, on);
  });
}

function stagesOf({ on }: FaultRow): readonly StageName[] {
  return on === "both" ? ["memory", "loopback"] : [on.only];
}

/** A short run goes over TCP where nothing else shows the fault, with the first case of each row of the matrix. */
function isInShort(row: FaultRow, rows: readonly FaultRow[], fault: "wire" | "any"): boolean {
  const isMeant = (each: FaultRow): boolean => (each.on === "both" ? fault === "wire" : each.on.only === "loopback");
  const numberOf = ({ id }: FaultRow): string => id.split(" ")[0] ?? id;
  return row === rows.find((each) => isMeant(each) && numberOf(each) === numberOf(row));
}

function runRow(row: FaultRow, on: StageName): void {
  const design = row.design === undefined ? "" : ` (${row.design})`;
  test(`${row.id} on ${on}: ${row.title}${design}`, { timeout: 60_000 }, async () => {
    const stage = await openStage(on, row.ports);
    try {
      stage.meet(...(row.meets ?? []));
      await row.run(stage);
      if (row.expected !== undefined) checkExpected(stage, row.expected);
    } catch (error) {
      await stage.end().catch(() => undefined);
      throw error;
    }
    await stage.end();
  });
}
