// @ts-check
/**
 * Tables of promises with the tests that show them. The names are looked up among the tests that ran: one that does not
 * exist, failed or was skipped fails its row.
 */

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {readonly [layer: string, title: string]} Proof part of a title is enough */
/** @typedef {{ title: string, note: string, tests: readonly Proof[], needsNone?: boolean }} Row `note` is printed with the names of its tests */

/**
 * Each row as a test, and the table as notes.
 * @param {readonly Row[]} rows
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkRows(rows, ran) {
  const tests = rows.map(({ title, tests: proofs, needsNone = false }) => {
    const missing = proofs.flatMap(([layer, name]) => problemOf(ran.get(layer), layer, name));
    if (proofs.length === 0 && !needsNone) missing.push("no test is named");
    return missing.length === 0
      ? { title, state: /** @type {const} */ ("passed") }
      : { title, state: /** @type {const} */ ("failed"), error: missing.join("\n") };
  });
  const notes = rows.map(({ note, tests: proofs }) => `${note}${proofs.length === 0 ? "" : ` [${proofs.map(([layer, name]) => `${layer}: ${name}`).join("; ")}]`}`);
  return { tests, notes };
}

/**
 * @param {readonly TestLine[] | undefined} lines
 * @param {string} layer
 * @param {string} title
 * @returns {string[]}
 */
function problemOf(lines, layer, title) {
  if (lines === undefined) return [`${layer} did not run`];
  const found = lines.filter((each) => each.title.includes(title));
  if (found.length === 0) return [`${layer} has no test "${title}"`];
  return found.some(({ state }) => state === "passed") && found.every(({ state }) => state !== "failed") ? [] : [`${layer}: "${title}" ${found[0]?.state}`];
}
