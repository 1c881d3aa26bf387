// @ts-check
/**
 * Tables of promises with the tests that show them. A full run looks the names up among the tests that ran: one that
 * does not exist, failed or was skipped fails its row. `npm test`, which runs fewer of them, only checks that each
 * exists.
 */

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {readonly [layer: string, title: string]} Proof part of a title is enough */
/** @typedef {{ title: string, tests: readonly Proof[], needsNone?: boolean }} Row */

/** Layers that no table may cite: a full run on another machine does not have them. */
const NOT_IN_EVERY_RUN = new Set(["recorded", "load", "clients", "mutation"]);

/**
 * Checks each row as a test.
 * @param {readonly Row[]} rows
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {TestLine[]} one for each row
 */
export function checkRows(rows, ran) {
  return checkEach(rows, (layer, title) => problemOf(ran.get(layer), layer, title));
}

/**
 * Checks that each test that a row cites exists, whether or not it runs here.
 * @param {readonly Row[]} rows
 * @param {ReadonlyMap<string, readonly string[]>} titles of a full run, by layer
 * @returns {TestLine[]} one for each row
 */
export function checkTitles(rows, titles) {
  return checkEach(rows, (layer, title) => {
    const listed = titles.get(layer);
    if (listed === undefined) return [`the titles of ${layer} are not known`];
    return listed.some((each) => each.includes(title)) ? [] : [`${layer} has no test "${title}"`];
  });
}

/**
 * @param {readonly Row[]} rows
 * @param {(layer: string, title: string) => string[]} look what is wrong with a test that is cited
 * @returns {TestLine[]}
 */
function checkEach(rows, look) {
  return rows.map(({ title, tests: proofs, needsNone = false }) => {
    const missing = proofs.flatMap(([layer, name]) =>
      NOT_IN_EVERY_RUN.has(layer)
        ? [`"${name}" of the layer ${layer} is cited, which not every full run has`]
        : look(layer, name),
    );
    if (proofs.length === 0 && !needsNone) missing.push("no test is named");
    return missing.length === 0
      ? { title, state: /** @type {const} */ ("passed") }
      : { title, state: /** @type {const} */ ("failed"), error: missing.join("\n") };
  });
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
  return found.some(({ state }) => state === "passed") && found.every(({ state }) => state !== "failed")
    ? []
    : [`${layer}: "${title}" ${found[0]?.state}`];
}
