// @ts-check
/**
 * Changes of API keys by clicks: edit, scope, enable, disable and their second factor, with the packaged extension in a
 * real VS Code.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

test.describe("changing API keys", () => {
  const shared = shareWindow();
  test.beforeAll(async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("API Keys");
    await workbench.rowsWhen((all) => all.length >= 5, pane());
  });
  const pane = () => shared.workbench.pane("API Keys");
  /** @param {number} id */
  const key = async (id) => (await shared.simulator.run("apiKeys")).find((/** @type {any} */ each) => each.id === id);
  /** @param {string} text waits for a picker or box whose title or prompt says this */
  const step = async (text) => {
    const { quickInput, page } = shared.workbench;
    const asked = quickInput.filter({ has: page.locator(`[placeholder*="${text}"]`) });
    await quickInput.filter({ hasText: text }).or(asked).first().waitFor();
  };
  /** Selects an area of the scope and its new level. @param {RegExp} area @param {RegExp} level @param {string} name */
  const setArea = async (area, level, name) => {
    const { workbench } = shared;
    await workbench.pickSeveral([area]);
    await levelPicker(name).waitFor();
    await workbench.shot("key-scope-level");
    await workbench.pick(level);
  };
  /** @param {string} name */
  const levelPicker = (name) => shared.page.locator(`.quick-input-widget input[placeholder="Level of ${name}"]`);
  const back = async () =>
    shared.workbench.quickInput.locator('.quick-input-titlebar [aria-label^="Back"]').first().click();

  test("edit from a row: fields, a new name, less scope; back loses nothing; the difference stands before the question", async () => {
    const { workbench, page } = shared;
    await workbench.context("maker_1", "Edit API Key", pane());
    await step("Edit API Key maker_1");
    await workbench.shot("key-edit-fields");
    await workbench.pickSeveral([/^Name/, /^Scope/]);
    await step("New name");
    assert.match(await workbench.inputMessage("trading-bot", /1 to 16/), /letters, digits, or underscores/);
    await workbench.input("trading_bot");
    await step("Select the areas to change");
    await workbench.shot("key-edit-scope");
    await workbench.pickSeveral([/^trade/]);
    await levelPicker("trade").waitFor();
    await back();
    await step("Select the areas to change");
    await back();
    await until(async () => (await workbench.quickBox.inputValue()) === "trading_bot", {
      what: "the name that was typed",
    });
    await page.keyboard.press("Enter");
    await step("Select the areas to change");
    // It is still selected.
    await workbench.pickSeveral([]);
    await levelPicker("trade").waitFor();
    await workbench.pick(/^read(?!_)/);
    const { text, buttons } = await workbench.readModal();
    assert.match(text, /Edit API key maker_1 on SIMULATOR lab\?/);
    assert.match(text, /name: maker_1 → trading_bot/);
    assert.match(text, /trade: read_write → read \(loses: cancelling or placing orders/);
    assert.deepEqual(buttons.toSorted(), ["Edit API Key", "Keep API Key"]);
    await workbench.shot("key-edit-question");
    await workbench.modal("Edit API Key");
    await workbench.rowsWhen((rows) => rows.some((row) => /trading_bot.*ID 3 · enabled/.test(row)), pane());
    assert.match((await key(3)).max_scope, /(^| )trade:read( |$)/);
    await workbench.shot("key-edited");
  });

  test("change of scope with a second factor: to read the keys, then for the change; a wrong code is explained and may be tried again", async () => {
    const { workbench, page } = shared;
    await shared.simulator.run("requireSecondFactor", { codes: ["123456", "234567"] });
    await workbench.context("trading_bot", "Change Scope of API Key", pane());
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Read with a 2FA Code" }).waitFor();
    await workbench.shot("key-second-factor-to-read");
    await workbench.pick("Read with a 2FA Code");
    await step("2FA Code for SIMULATOR lab");
    await workbench.input("123456");
    await setArea(/^wallet/, /^read(?!_)/, "wallet");
    await workbench.modal("Change Scope");
    await step("2FA Code for SIMULATOR lab");
    assert.equal(await workbench.quickBox.getAttribute("type"), "password");
    await workbench.shot("key-second-factor");
    await workbench.input("999999");
    await workbench.toast(/The 2FA code was wrong/);
    await workbench.shot("key-second-factor-wrong");
    assert.doesNotMatch((await key(3)).max_scope, /wallet:read/);
    await workbench.toast(/The 2FA code was wrong/, "Try Again");
    await workbench.modal("Change Scope");
    await step("2FA Code for SIMULATOR lab");
    await workbench.input("234567");
    await until(async () => /wallet:read/.test((await key(3)).max_scope), { what: "the new scope" });
    await shared.simulator.run("requireSecondFactor", {});
    assert.equal((await page.content()).includes("234567"), false);
  });

  test("disable from a row, enable from the palette", async () => {
    const { workbench } = shared;
    await workbench.paneAction("API Keys", "Refresh API Keys");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /reporting.*ID 2 · enabled/.test(row) && !/stale/.test(row)),
      pane(),
    );
    await workbench.context("reporting", "Disable API Key", pane());
    assert.match(await workbench.modal("Disable API Key"), /enabled: yes → no/);
    await workbench.rowsWhen((rows) => rows.some((row) => /reporting.*ID 2 · disabled/.test(row)), pane());
    assert.equal((await key(2)).enabled, false);
    await workbench.treeRow("reporting", pane()).first().click({ button: "right" });
    await workbench.menu.locator('[aria-label^="Enable API Key"]').first().waitFor();
    assert.equal(await workbench.menu.locator('[aria-label^="Disable API Key"]').count(), 0);
    await workbench.shot("key-disabled-menu");
    await shared.page.keyboard.press("Escape");
    await workbench.command("Trading RPC: Enable API Key");
    await workbench.pick("reporting");
    assert.match(await workbench.modal("Enable API Key"), /enabled: no → yes/);
    await workbench.rowsWhen((rows) => rows.some((row) => /reporting.*ID 2 · enabled/.test(row)), pane());
    assert.equal((await key(2)).enabled, true);
  });

  test("the key in use loses a scope: said in the question, and after it what the connection can no longer do", async () => {
    const { workbench } = shared;
    await workbench.inline("simulator", "Edit API Key", pane());
    await workbench.pickSeveral([/^Scope/]);
    await setArea(/^trade/, /^read(?!_)/, "trade");
    const { text } = await workbench.readModal();
    assert.match(text, /This connection uses this API key\./);
    assert.match(text, /This connection then loses: cancelling or placing orders/);
    await workbench.shot("key-in-use-question");
    // The next dialog follows at once: there is no moment without one.
    await workbench.dialog.locator(".dialog-buttons .monaco-button").getByText("Edit API Key", { exact: true }).click();
    await until(async () => /has lost some of its permissions/.test((await workbench.readModal()).text), {
      what: "what was lost",
    });
    await workbench.shot("key-in-use-lost");
    await workbench.modal("Close");
    assert.match((await key(1)).max_scope, /(^| )trade:read( |$)/);
  });
});
