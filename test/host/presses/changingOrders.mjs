// @ts-check
/** An Open Orders view whose rows change all the time. */

/** @typedef {import("./connectedWindow.mjs").ConnectedWindow} ConnectedWindow */
/** @typedef {import("./connectedWindow.mjs").OpenOptions} OpenOptions */

/**
 * Opens a window with 300 orders, and some of the first groups of its view, from the bottom up, so that those above stay
 * in sight; groups between them stay closed.
 * @param {(options: OpenOptions) => Promise<ConnectedWindow>} openConnected
 * @param {string} name
 * @param {number} updatesPerSecond
 */
export async function openChangingOrders(openConnected, name, updatesPerSecond) {
  const { workbench, page, simulator } = await openConnected({
    name,
    simulator: ["--seed", "3", "--orders", "300", "--updates", String(updatesPerSecond)],
    viewport: { width: 1400, height: 1150 },
  });
  await workbench.openOnly("Open Orders");
  const pane = workbench.pane("Open Orders");
  const rows = await workbench.rowsWhen((all) => all.length > 20, pane);
  const groups = rows.filter((row) => !/^(buy|sell) /.test(row)).map((row) => row.replace(/\d+$/, ""));
  for (const group of groups
    .slice(0, 12)
    .filter((_, index) => index % 3 === 0)
    .reverse())
    await pane.locator(".monaco-list-row", { hasText: group }).first().locator(".monaco-tl-twistie").click();
  await page.mouse.move(900, 600);
  return { workbench, page, simulator, pane, rows };
}
