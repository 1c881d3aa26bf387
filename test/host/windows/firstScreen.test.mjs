// @ts-check
/** What a new user sees: one view until something is connected, then what trades need, without scrolling. */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { sidebarWidth } from "../look.mjs";
import { until } from "../process.mjs";

/** @typedef {import("../fixtures.mjs").SharedWindow} SharedWindow */

/** @param {SharedWindow} shared @returns {Promise<(string | null)[]>} the names of the views that the sidebar has */
const viewsOf = async ({ page }) =>
  await page
    .locator(".sidebar .pane-header h3.title")
    .evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent));

/** @param {SharedWindow} shared @returns {import("@playwright/test").Locator} */
const buttonsOf = ({ page }) => page.locator(".sidebar .welcome-view-content .monaco-button");

test.describe("a new user", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "3", "--still"] });

  test("sees one view with two buttons", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await buttonsOf(shared).first().waitFor();
    assert.deepEqual(await buttonsOf(shared).allInnerTexts(), ["Start Simulator", "Add Connection…"]);
    assert.deepEqual(await viewsOf(shared), []);
    await workbench.shot("first-screen");
  });

  test("starts the simulator: at 1400 × 900, eight orders, four positions, and four currencies are in sight", async () => {
    const { workbench, page } = shared;
    await sidebarWidth(workbench, 340);
    await buttonsOf(shared).first().click();
    await workbench.status("SIMULATOR");
    await workbench.ordersInSight();
    await until(async () => (await viewsOf(shared)).length > 8, { what: "the views to come" });
    await workbench.shot("simulator-started");
    const open = await page.locator('.sidebar .pane-header[aria-expanded="true"] h3.title').allInnerTexts();
    assert.deepEqual(
      open.map((name) => name.toLowerCase()),
      ["open orders", "positions", "account"],
    );
    // A group's heading takes a row, too.
    const isThere = async (/** @type {string} */ view, /** @type {RegExp} */ kind, /** @type {number} */ count) => {
      const pane = workbench.pane(view);
      const rows = (await workbench.treeRows(pane)).slice(0, await workbench.wholeRows(pane));
      return rows.filter((row) => kind.test(row)).length >= count;
    };
    await until(async () => await isThere("Open Orders", /\b(?:buy|sell) /, 8), { what: "eight orders" });
    await until(async () => await isThere("Positions", / (?:long|short) /, 4), { what: "four positions" });
    await until(async () => await isThere("Account", /^(?:BTC|ETH|USDC|USDT) /, 4), { what: "four currencies" });
  });

  test("clicks on an order: that selects it, and the arrow opens it", async () => {
    const { workbench } = shared;
    const row = workbench.treeRow(/^(?:buy|sell) /, workbench.pane("Open Orders")).first();
    await workbench.command("Trading RPC: Pause Live Updates");
    await row.click();
    await until(async () => (await row.getAttribute("aria-selected")) === "true", { what: "the order to be selected" });
    assert.equal(await row.getAttribute("aria-expanded"), "false");
    await row.locator(".monaco-tl-twistie").click();
    await until(async () => (await row.getAttribute("aria-expanded")) === "true", { what: "the order to be open" });
    await row.click();
    assert.equal(await row.getAttribute("aria-expanded"), "true");
    await workbench.command("Trading RPC: Resume Live Updates");
  });

  test("disconnects, and sees the one view again; with a saved connection, it connects with one click", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Disconnect");
    await workbench.status("Not connected");
    await buttonsOf(shared).first().waitFor();
    await workbench.connectTo(shared.simulator, { name: "lab", environment: "TESTNET" });
    await workbench.status("TESTNET lab");
    await workbench.ordersInSight();
    await workbench.command("Trading RPC: Disconnect");
    await workbench.rowsWhen(
      (rows) =>
        rows.join(", ") === "Connect to labTESTNET, Start Simulatorno account or network needed, Add Connection…",
    );
    assert.deepEqual(await viewsOf(shared), []);
    await workbench.shot("saved-connection");
    await workbench.treeRow("Connect to lab").click();
    await workbench.status("TESTNET lab");
    await workbench.ordersInSight();
  });

  test("loses the connection, and keeps every view with its rows", async () => {
    const { workbench } = shared;
    const before = await viewsOf(shared);
    assert.ok(before.length > 8);
    await shared.simulator.run("refuseConnections", { isRefusing: true });
    await shared.simulator.run("disconnectAll", { how: "reset" });
    await workbench.status("trying again");
    assert.deepEqual(await viewsOf(shared), before);
    await workbench.ordersInSight();
    await shared.simulator.run("refuseConnections", { isRefusing: false });
  });
});
