// @ts-check
/** An Open Orders view whose rows change all the time. */

/**
 * Opens a window with 300 orders, and some of the first groups of its view, from the bottom up, so that those above stay
 * in sight; groups between them stay closed.
 * @param {ReturnType<typeof import("./windows.mjs").useWindows>} windows
 * @param {string} name
 * @param {number} updatesPerSecond
 */
export async function openChangingOrders(windows, name, updatesPerSecond) {
  const args = ["--seed", "3", "--orders", "300", "--updates", String(updatesPerSecond)];
  const { workbench, page, simulator } = await windows.open(name, {}, args);
  await workbench.openOnly("Open Orders");
  const pane = workbench.pane("Open Orders");
  const rows = await workbench.rowsWhen((all) => all.length > 20, pane);
  const groups = rows.map((row) => row.replace(/\d+$/, ""));
  for (const group of groups
    .slice(0, 12)
    .filter((_, index) => index % 3 === 0)
    .reverse())
    await pane.locator(".monaco-list-row", { hasText: group }).first().locator(".monaco-tl-twistie").click();
  await page.mouse.move(900, 600);
  return { workbench, page, simulator, pane, rows };
}
