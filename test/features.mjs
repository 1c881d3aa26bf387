// @ts-check
/**
 * What request files can do, feature by feature, and the tests that show it. The names are looked up among the tests
 * that ran: one that does not exist, failed or was skipped fails its row.
 */

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {readonly [layer: string, title: string]} Proof part of a title is enough */
/** @typedef {{ feature: string, ours: "●" | "◐" | "○", words: string, tests: readonly Proof[] }} Feature */

/** @type {readonly Feature[]} */
export const FEATURES = [];

/**
 * Each row as a test, and the table as notes.
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkFeatures(ran) {
  const tests = FEATURES.map(({ feature, tests: proofs, ours }) => {
    const missing = proofs.flatMap(([layer, title]) => problemOf(ran.get(layer), layer, title));
    if (proofs.length === 0 && ours !== "○") missing.push("no test is named");
    return missing.length === 0
      ? { title: feature, state: /** @type {const} */ ("passed") }
      : { title: feature, state: /** @type {const} */ ("failed"), error: missing.join("\n") };
  });
  const notes = FEATURES.map(({ feature, ours, words, tests: proofs }) => `${ours} ${feature}: ${words}${proofs.length === 0 ? "" : ` [${proofs.map(([layer, title]) => `${layer}: ${title}`).join("; ")}]`}`);
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
