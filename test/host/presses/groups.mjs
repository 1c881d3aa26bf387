// @ts-check
/**
 * Opens some of the first groups of a view, from the bottom up, so that those above stay in sight; groups between them
 * stay closed.
 * @param {import("playwright-core").Locator} pane
 * @param {readonly string[]} rows the texts of its groups: a name, and how many rows it has
 */
export async function openGroups(pane, rows) {
  const groups = rows.map((row) => row.replace(/\d+$/, ""));
  for (const group of groups
    .slice(0, 12)
    .filter((_, index) => index % 3 === 0)
    .reverse())
    await pane.locator(".monaco-list-row", { hasText: group }).first().locator(".monaco-tl-twistie").click();
}
