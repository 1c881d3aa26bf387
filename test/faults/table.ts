import { after, describe, test } from "node:test";
import { checkExpected, openStage, type FaultRow, type StageName } from "./stage.ts";
import { isFull } from "../rounds.mjs";

/** What became of one row on one transport. */
interface Result {
  readonly id: string;
  readonly on: StageName;
  readonly result: "passed" | "failed" | "not run";
  readonly why: string;
}

/**
 * Runs each row on each of its stages, and prints a line for each row and transport: none is skipped without a reason.
 * `fault`: whether it is one of the wire, which only a socket has, or one that looks the same in memory.
 */
export function runRows(title: string, rows: readonly FaultRow[], fault: "wire" | "any" = "any"): void {
  const results: Result[] = [];
  describe(title, { concurrency: false }, () => {
    for (const row of rows)
      for (const on of stagesOf(row))
        if (isFull || on !== "loopback" || isInShort(row, rows, fault)) runRow(row, on, results);
    after(() => {
      const lines = results.map(
        ({ id, on, result, why }) => `  ${id.padEnd(34)} ${on.padEnd(9)} ${result}${why === "" ? "" : `: ${why}`}`,
      );
      const count = (which: Result["result"]): string =>
        String(results.filter(({ result }) => result === which).length);
      process.stdout.write(
        `${title}\n${lines.join("\n")}\n  ${count("passed")} passed, ${count("failed")} failed, ${count("not run")} not run on that transport\n`,
      );
    });
  });
}

/** Both usual ones always: where a row does not run on one of them it says why. */
function stagesOf({ on }: FaultRow): readonly StageName[] {
  return on !== "both" && on.only === "tls" ? ["memory", "loopback", "tls"] : ["memory", "loopback"];
}

/** A short run goes over TCP where nothing else shows the fault, with the first case of each row of the matrix. */
function isInShort(row: FaultRow, rows: readonly FaultRow[], fault: "wire" | "any"): boolean {
  const isMeant = (each: FaultRow): boolean => (each.on === "both" ? fault === "wire" : each.on.only === "loopback");
  const numberOf = ({ id }: FaultRow): string => id.split(" ")[0] ?? id;
  return row === rows.find((each) => isMeant(each) && numberOf(each) === numberOf(row));
}

function runRow(row: FaultRow, on: StageName, results: Result[]): void {
  const why = row.on === "both" || row.on.only === on ? undefined : row.on.why;
  if (why !== undefined) results.push({ id: row.id, on, result: "not run", why });
  test(
    `${row.id} on ${on}: ${row.title}${row.design === undefined ? "" : ` (${row.design})`}`,
    { timeout: 60_000, skip: why ?? false },
    async () => {
      let result: Result["result"] = "failed";
      const stage = await openStage(on, row.ports);
      try {
        stage.meet(...(row.meets ?? []));
        await row.run(stage);
        if (row.expected !== undefined) checkExpected(stage, row.expected);
        await stage.end();
        result = "passed";
      } finally {
        results.push({ id: row.id, on, result, why: "" });
        if (result === "failed") await stage.end().catch(() => undefined);
      }
    },
  );
}
