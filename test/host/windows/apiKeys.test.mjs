// @ts-check
/**
 * The API Keys view and scopes as a user sees them, with the packaged extension in a real VS Code and a simulator that
 * is told what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";

test.describe("API keys and scopes", () => {
  const shared = shareWindow();
  const pane = () => shared.workbench.pane("API Keys");
  /** @param {string} name @param {RegExp} text */
  const message = async (name, text) => {
    const shown = shared.workbench.pane(name).locator(".message, .welcome-view-content", { hasText: text }).first();
    await shown.waitFor();
    return shown.innerText();
  };
  /**
   * Has the simulator's own key allow no more than this, from the next sign-in on, which comes at once.
   * @param {string} scope
   */
  const narrow = async (scope) => {
    await shared.simulator.run("editApiKey", { id: 1, max_scope: scope });
    await shared.simulator.run("disconnectAll", { how: "reset" });
  };
  const FULL =
    "account:read_write block_rfq:read_write block_trade:read_write custody:read_write trade:read_write wallet:read_write";

  test("all keys, whole at 300 px, the one in use marked", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("API Keys");
    const rows = await workbench.rowsWhen((all) => all.length >= 5, pane());
    assert.match(rows[0] ?? "", /simulator.*ID 1 · enabled · in use/);
    assert.match(rows[3] ?? "", /API key 4.*disabled/);
    await workbench.shot("api-keys");
    assert.deepEqual(await shared.workbench.cutRows(shared.workbench.pane("API Keys")), []);
  });

  test("a key opens into its scope by area, its features and addresses; the secret is nowhere", async () => {
    const { workbench } = shared;
    await workbench.toggle("maker_1", pane());
    await workbench.rowsWhen(
      (rows) =>
        rows.some((row) => /block_rfqread_write/.test(row)) && rows.some((row) => /client_secretnever shown/.test(row)),
      pane(),
    );
    await workbench.shot("api-keys-opened");
    assert.deepEqual(await shared.workbench.cutRows(shared.workbench.pane("API Keys")), []);
    await workbench.tooltip("block_trade", "Allows: block trades", pane());
    await workbench.shot("api-keys-hover");
    const secrets = (await shared.simulator.run("apiKeys")).map((/** @type {any} */ key) => key.client_secret);
    const page = await shared.page.content();
    for (const secret of secrets) assert.equal(page.includes(secret), false);
    await workbench.toggle("maker_1", pane());
  });

  test("by keyboard: the menu of a row, and from it the list as it was received, without secrets", async () => {
    const { workbench, page } = shared;
    await workbench.treeRow("maker_1", pane()).first().click();
    await page.keyboard.press("Shift+F10");
    await workbench.menu.first().waitFor();
    await workbench.shot("api-keys-menu");
    await workbench.menuItem("Open API Key…");
    const response = page.locator(".editor-group-container .view-lines", { hasText: "SIMULATOR" }).first();
    await response.waitFor();
    await page.locator(".editor-group-container .view-lines", { hasText: "‹hidden›" }).first().waitFor();
    await workbench.shot("api-keys-open");
  });

  test("a scope that is missing: each view says which, what is off is not in the menus, and the palette says why", async () => {
    const { workbench, page } = shared;
    await workbench.goToEditors();
    // The keys of the list that was read before are gone with the connection.
    await workbench.command("Trading RPC: Disconnect");
    await workbench.status(/Not connected/);
    await narrow("trade:read wallet:read");
    await workbench.command("Trading RPC: Connect");
    await workbench.pick("lab");
    await message("API Keys", /doesn't have the required scope account:read/);
    await workbench.rowsWhen((rows) => rows.some((row) => /simulator.*in use · ID unknown/.test(row)), pane());
    await workbench.shot("api-keys-scope-missing");
    await workbench.openOnly("Open Orders");
    await message(
      "Open Orders",
      /Orders can't be cancelled because the API key doesn't have the scope trade:read_write/,
    );
    const orders = workbench.pane("Open Orders");
    const group = orders.locator('.monaco-list-row[aria-expanded="false"]').first();
    if ((await group.count()) > 0) await group.locator(".monaco-tl-twistie").click();
    const order = orders
      .locator(".monaco-list-row:not([aria-expanded])", { hasText: "@" })
      .or(orders.locator(".monaco-list-row", { hasText: " @ " }))
      .first();
    await order.click({ button: "right" });
    await workbench.menu.locator('[aria-label^="Open Order"]').first().waitFor();
    assert.equal(await workbench.menu.locator('[aria-label^="Cancel"]').count(), 0);
    await workbench.shot("scope-missing-orders");
    await page.keyboard.press("Escape");
    await workbench.command("Trading RPC: Cancel Order");
    assert.match(await workbench.toast(/trade:read_write/), /doesn't have the required scope trade:read_write/);
    await workbench.shot("scope-missing-palette");
    await workbench.openOnly("Block Trades");
    await message("Block Trades", /Block trades need the block_trade:read scope, which this API key doesn't have/);
    await workbench.openOnly("Connections");
    await workbench.toggle("lab", workbench.pane("Connections"));
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /block_rfqnone/.test(row)) && rows.some((row) => /traderead$/.test(row)),
      workbench.pane("Connections"),
    );
    await workbench.tooltip("block_rfq", "Without block_rfq:read", workbench.pane("Connections"));
    await workbench.shot("scope-missing-connections");
  });

  test("a scope that comes back: everything is on again by itself", async () => {
    const { workbench } = shared;
    await narrow(FULL);
    await workbench.openOnly("API Keys");
    await workbench.rowsWhen((rows) => rows.length >= 5, pane());
  });
});
