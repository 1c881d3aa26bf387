import fs from "node:fs";
import type { Replacement } from "./planting.ts";

/** A bug that is put into the sources on purpose, and the test that has to fail then. */
export interface PlantedBug {
  readonly name: string;
  /** Its number in the list of reliability §5.3; others came to mind later. */
  readonly number?: number;
  readonly changes: readonly Replacement[];
  /**
   * The file below `test`, without its ending, and the title of the test, with its suites; or random schedules find it.
   */
  readonly caughtBy: readonly [file: string, title: string] | "simulation";
  /** The test reads the sources themselves. */
  readonly isReadFromDisk?: true;
}

/**
 * All bugs of `bugs.diff`, which says how they are written. A row that cannot be planted any more, and one that no test
 * catches, fails the tests.
 */
export const PLANTED_BUGS: readonly PlantedBug[] = fs
  .readFileSync("test/planted/bugs.diff", "utf8")
  .split("\n\n")
  .filter((block) => /^(?:\d+\.|\*) /.test(block))
  .map(readBug);

function readBug(block: string): PlantedBug {
  const [, number, name = ""] = /^(?:(\d+)\.|\*) (.*)/.exec(block) ?? [];
  const [, reading, file, title] = /^caught by (reading )?(?:simulation|(\S+) › (.*))$/m.exec(block) ?? [];
  const isSimulated = block.includes("\ncaught by simulation\n");
  if (!isSimulated && (file === undefined || title === undefined)) throw new Error(`Nothing catches ${name}`);
  return {
    name,
    ...(number === undefined ? {} : { number: Number(number) }),
    changes: block.split("\nin ").slice(1).flatMap(readChanges),
    caughtBy: file === undefined || title === undefined ? "simulation" : [file, title],
    ...(reading === undefined ? {} : { isReadFromDisk: true }),
  };
}

function readChanges(text: string): readonly Replacement[] {
  const [file = "", ...lines] = text.replace(/\n$/, "").split("\n");
  const after = (change: readonly string[], sign: string): string =>
    change.flatMap((line) => (line.startsWith(sign) ? line.slice(1) : [])).join("\n");
  return lines
    .join("\n")
    .split("\n---\n")
    .map((change) => change.split("\n"))
    .map((change) => ({ file, search: after(change, "-"), replacement: after(change, "+") }));
}
