// @ts-check
/** Changes of API keys by clicks: edit, scope, enable, disable and their second factor, with the packaged extension in a real VS Code. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openEditor } from "../open.mjs";
import { removeDir, tempDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";

describe("changing API keys", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = tempDir("rpc-key-changes");
  before(async () => {
    simulator = await startSimulator(["--seed", "1", "--orders", "3", "--still"]);
    editor = await openEditor({ folder, vsix: await vsixUnderTest() });
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await workbench.openOnly("API Keys");
    await workbench.connectTo(simulator);
    await workbench.rowsWhen((all) => all.length >= 5, pane());
  });
  after(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  const pane = () => editor.workbench.pane("API Keys");
  /** @param {number} id */
  const key = async (id) => (await simulator.run("apiKeys")).find((/** @type {any} */ each) => each.id === id);
  /** @param {string} text waits for a picker or box whose title or prompt says this */
  const step = async (text) => editor.workbench.quickInput.filter({ hasText: text }).first().waitFor();
  /** Sets an area of the scope table to a level. @param {RegExp} area @param {RegExp} level @param {string} name */
  const setArea = async (area, level, name) => {
    const { workbench } = editor;
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Use This Scope" }).waitFor();
    await workbench.pick(area);
    await levelPicker(name).waitFor();
    await workbench.pick(level);
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Use This Scope" }).waitFor();
  };
  /** @param {string} name */
  const levelPicker = (name) => editor.page.locator(`.quick-input-widget input[placeholder="Level of ${name}"]`);
  const back = async () => editor.workbench.quickInput.locator('.quick-input-titlebar [aria-label^="Back"]').first().click();

  test("edit from a row: fields, a new name, less scope; back loses nothing; the difference stands before the question", async () => {
    const { workbench, page } = editor;
    await workbench.context("maker_1", "Edit API Key", pane());
    await step("Edit API Key maker_1");
    await workbench.shot("key-edit-fields");
    await workbench.pickSeveral([/^Name/, /^Scope/]);
    await step("New name");
    assert.match(await workbench.inputMessage("trading-bot", /1 to 16/), /letters, digits and underscores/);
    await workbench.input("trading_bot");
    await setArea(/^trade/, /^read(?!_)/, "trade");
    await workbench.shot("key-edit-scope");
    await workbench.pick("Use This Scope");
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "trade: read_write → read" }).waitFor();
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "name: maker_1 → trading_bot" }).waitFor();
    await workbench.shot("key-edit-diff");
    await back();
    await workbench.quickInput.locator(".monaco-list-row", { hasText: /^trade.*\(was read_write\)/ }).waitFor();
    await back();
    await until(async () => (await workbench.quickInput.locator(".quick-input-box input").inputValue()) === "trading_bot", { what: "the name that was typed" });
    await page.keyboard.press("Enter");
    await workbench.pick("Use This Scope");
    await workbench.pick("Apply");
    const { text, buttons } = await workbench.readModal();
    assert.match(text, /Edit API key maker_1 on SIMULATOR lab\?/);
    assert.match(text, /trade: read_write → read \(loses: cancelling or placing orders/);
    assert.deepEqual(buttons.toSorted(), ["Change Nothing", "Edit API Key"]);
    await workbench.shot("key-edit-question");
    await workbench.modal("Edit API Key");
    await workbench.rowsWhen((rows) => rows.some((row) => /trading_bot.*id 3 · enabled/.test(row)), pane());
    assert.match((await key(3)).max_scope, /(^| )trade:read( |$)/);
    await workbench.shot("key-edited");
  });

  test("change of scope with a second factor: to read the keys, then for the change; a wrong code is explained and may be tried again", async () => {
    const { workbench, page } = editor;
    await simulator.run("requireSecondFactor", { codes: ["123456", "234567"] });
    await workbench.context("trading_bot", "Change Scope of API Key", pane());
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Read with a Code" }).waitFor();
    await workbench.shot("key-second-factor-to-read");
    await workbench.pick("Read with a Code");
    await step("Second Factor for SIMULATOR lab");
    await workbench.input("123456");
    await setArea(/^wallet/, /^read(?!_)/, "wallet");
    await workbench.pick("Use This Scope");
    await workbench.pick("Apply");
    await workbench.modal("Change Scope");
    await step("Second Factor for SIMULATOR lab");
    assert.equal(await workbench.quickInput.locator(".quick-input-box input").getAttribute("type"), "password");
    await workbench.shot("key-second-factor");
    await workbench.input("999999");
    await workbench.toast(/The code was not the right one/);
    await workbench.shot("key-second-factor-wrong");
    assert.doesNotMatch((await key(3)).max_scope, /wallet:read/);
    await workbench.toast(/The code was not the right one/, "Try Again");
    await workbench.modal("Change Scope");
    await step("Second Factor for SIMULATOR lab");
    await workbench.input("234567");
    await until(async () => /wallet:read/.test((await key(3)).max_scope), { what: "the new scope" });
    await simulator.run("requireSecondFactor", {});
    assert.equal((await page.content()).includes("234567"), false);
  });

  test("disable from a row, enable from the palette", async () => {
    const { workbench } = editor;
    await workbench.paneAction("API Keys", "Refresh API Keys");
    await workbench.rowsWhen((rows) => rows.some((row) => /reporting.*id 2 · enabled/.test(row) && !/stale/.test(row)), pane());
    await workbench.context("reporting", "Disable API Key", pane());
    assert.match(await workbench.modal("Disable API Key"), /enabled: yes → no/);
    await workbench.rowsWhen((rows) => rows.some((row) => /reporting.*id 2 · disabled/.test(row)), pane());
    assert.equal((await key(2)).enabled, false);
    await workbench.treeRow("reporting", pane()).first().click({ button: "right" });
    await workbench.menu.locator('[aria-label^="Enable API Key"]').first().waitFor();
    assert.equal(await workbench.menu.locator('[aria-label^="Disable API Key"]').count(), 0);
    await workbench.shot("key-disabled-menu");
    await editor.page.keyboard.press("Escape");
    await workbench.command("Trading RPC: Enable API Key");
    await workbench.pick("reporting");
    assert.match(await workbench.modal("Enable API Key"), /enabled: no → yes/);
    await workbench.rowsWhen((rows) => rows.some((row) => /reporting.*id 2 · enabled/.test(row)), pane());
    assert.equal((await key(2)).enabled, true);
  });

  test("the key in use loses a scope: said in the question, and after it what the connection can no longer do", async () => {
    const { workbench } = editor;
    await workbench.inline("simulator", "Edit API Key", pane());
    await workbench.pickSeveral([/^Scope/]);
    await setArea(/^trade/, /^read(?!_)/, "trade");
    await workbench.pick("Use This Scope");
    await workbench.pick("Apply");
    const { text } = await workbench.readModal();
    assert.match(text, /This is the key this connection uses\./);
    assert.match(text, /can no longer do: cancelling or placing orders/);
    await workbench.shot("key-in-use-question");
    // The next dialog follows at once: there is no moment without one.
    await workbench.dialog.locator(".dialog-buttons .monaco-button").getByText("Edit API Key", { exact: true }).click();
    await until(async () => /can no longer do all that it could/.test((await workbench.readModal()).text), { what: "what was lost" });
    await workbench.shot("key-in-use-lost");
    await workbench.modal("Close");
    assert.match((await key(1)).max_scope, /(^| )trade:read( |$)/);
  });
});
