// @ts-check
/**
 * The three tables that cite tests (features, conventions, threats), for a run that does not have all of those tests.
 */
import { CONVENTION_ROWS } from "./conventions.mjs";
import { FEATURE_ROWS } from "./features.mjs";
import { checkTitles } from "./proofs.mjs";
import { THREAT_ROWS, unsaidThreats } from "./threats.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */

const TABLES = { features: FEATURE_ROWS, conventions: CONVENTION_ROWS, threats: THREAT_ROWS };

/** The layers whose titles `checkCitations` needs. @returns {string[]} */
export function citedLayers() {
  return [
    ...new Set(Object.values(TABLES).flatMap((rows) => rows.flatMap(({ tests }) => tests.map(([layer]) => layer)))),
  ].sort();
}

/**
 * Checks that each test that one of the tables cites exists.
 * @param {ReadonlyMap<string, readonly string[]>} titles of a full run, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkCitations(titles) {
  const tests = Object.entries(TABLES).flatMap(([table, rows]) =>
    checkTitles(rows, titles).map((line) => ({ ...line, title: `${table} › ${line.title}` })),
  );
  return { tests: [...tests, ...unsaidThreats()], notes: [] };
}
