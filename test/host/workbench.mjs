// @ts-check
/**
 * A person at VS Code: what they click, type and read. Every helper waits for what it needs to see and for what its
 * gesture brings about; none of them sleeps.
 */
import fs from "node:fs";
import path from "node:path";
import { outDir, until } from "./process.mjs";

/** @typedef {import("playwright-core").Locator} Locator */

export class Workbench {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    /** @type {string[]} what the page printed */
    this.console = [];
    /** @type {Set<string>} every host that the page asked for, except loopback */
    this.outside = new Set();
    // A guard against waiting for ever, no measure of speed.
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => this.console.push(`[${message.type()}] ${message.text()}`));
    page.on("request", (request) => {
      const { hostname } = new URL(request.url());
      // VS Code's service worker answers for this name itself.
      if (hostname && hostname !== "127.0.0.1" && !hostname.endsWith(".vscode-resource.vscode-cdn.net")) this.outside.add(hostname);
    });
    this.quickInput = page.locator(".quick-input-widget");
    this.dialog = page.locator(".monaco-dialog-box");
    this.menu = page.locator(".monaco-menu");
  }

  /** @param {string} url */
  async goto(url) {
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
    await this.ready();
  }

  /** The frame of the window stands; extensions may still be starting: wait for something of theirs. */
  async ready() {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    await this.page.locator(".activitybar .action-item").first().waitFor({ timeout: 60_000 });
  }

  /** Reloads the page, as "Developer: Reload Window" does. */
  async reload() {
    await this.page.reload({ waitUntil: "domcontentloaded" });
    await this.ready();
  }

  /** @param {string | RegExp} text @returns {Promise<string>} the item's whole text */
  async status(text) {
    const item = this.page.locator(".statusbar-item", { hasText: text }).first();
    await item.waitFor();
    return plain(await item.innerText());
  }

  // Sidebar and trees

  /**
   * Shows a view container. A click on the one that is shown hides it, and a window that has just been reloaded may be
   * about to show it by itself: what counts is what is seen in the end.
   * @param {string} title by its name in the Activity Bar
   */
  async openView(title) {
    const item = this.page.locator(".activitybar .action-item", { has: this.page.locator(`[aria-label^="${title}"]`) }).first();
    const heading = this.page.locator(".sidebar .composite.title", { hasText: new RegExp(escape(title), "i") }).first();
    await item.waitFor();
    await until(
      async () => {
        // A badge may lie over the icon; both are the item's.
        if (!(await heading.isVisible())) await item.click();
        return heading.waitFor({ timeout: 3000 }).then(() => true, () => false);
      },
      { what: `the view ${title}` },
    );
  }

  /** @param {string} title a view (pane) of the sidebar by its header */
  pane(title) {
    return this.page.locator(".sidebar .pane", { has: this.page.locator(`.pane-header[aria-label^="${title}"]`) });
  }

  /** @param {string} title opens a collapsed view of the sidebar */
  async expandPane(title) {
    const header = this.pane(title).locator(".pane-header").first();
    await header.waitFor();
    if ((await header.getAttribute("aria-expanded")) !== "true") await header.click({ position: TWISTIE });
    await this.page.locator(`.sidebar .pane-header[aria-label^="${title}"][aria-expanded="true"]`).waitFor();
  }

  /** @param {string} title opens a view of the sidebar and closes the others beside it */
  async openOnly(title) {
    await this.expandPane(title);
    const others = this.page.locator(`.sidebar .pane-header[aria-expanded="true"]:not([aria-label^="${title}"])`);
    await until(
      async () => {
        if ((await others.count()) === 0) return true;
        await others.first().click({ position: TWISTIE });
        return false;
      },
      { what: `${title} alone` },
    );
  }

  /**
   * Adds a connection to a simulator that runs by itself, and opens it.
   * @param {{ webSocket: string, clientId: string, clientSecret: string }} simulator
   * @param {{ name?: string, environment?: "SIMULATOR" | "TEST" | "PRODUCTION", keep?: "This Window Only" | "Store" }} [as]
   */
  async connectTo({ webSocket, clientId, clientSecret }, { name = "lab", environment = "SIMULATOR", keep = "This Window Only" } = {}) {
    await this.command("Trading RPC: Add Connection");
    await this.pick("Custom");
    await this.input(webSocket);
    await this.pick(environment);
    await this.input(name);
    await this.pick("API Key with Signature");
    await this.input(clientId);
    await this.input(clientSecret);
    await this.pick(keep);
  }

  /**
   * @param {import("playwright-core").Locator} within
   * @returns {Promise<(string | null)[]>} rows on the screen that are wider than the sidebar
   */
  async cutRows(within) {
    return within.locator(".monaco-list-row .monaco-icon-label-container").evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
  }

  /** @param {string} title a view's header @param {string} action runs an action of the view's title bar */
  async paneAction(title, action) {
    const pane = this.pane(title);
    await pane.hover();
    await pane.locator(`.pane-header .action-label[aria-label^="${action}"]`).first().click();
  }

  /** @param {string | RegExp} label @param {Locator} [within] a pane */
  treeRow(label, within) {
    return (within ?? this.page.locator(".sidebar")).locator(".monaco-list-row", { hasText: label });
  }

  /** @param {Locator} [within] @returns {Promise<string[]>} the texts of the rows on the screen, top to bottom */
  async treeRows(within) {
    const rows = (within ?? this.page.locator(".sidebar")).locator(".monaco-list-row");
    const found = await rows.evaluateAll((all) => all.map((row) => ({ index: Number(row.getAttribute("data-index")), text: row.textContent ?? "" })));
    return found.sort((a, b) => a.index - b.index).map(({ text }) => plain(text));
  }

  /**
   * Rows come a moment after their view: waits until those on the screen are as wanted.
   * @param {(rows: string[]) => boolean} wanted
   * @param {Locator} [within]
   * @returns {Promise<string[]>}
   */
  async rowsWhen(wanted, within) {
    /** @type {string[]} */
    let rows = [];
    const matched = async () => wanted((rows = await this.treeRows(within)));
    return until(async () => (await matched()) && rows, { what: "the rows of the tree" }).catch((error) => {
      throw new Error(`${error.message} Seen: ${JSON.stringify(rows)}`);
    });
  }

  /** @param {string | RegExp} label @param {Locator} [within] opens or closes a row by its twistie */
  async toggle(label, within) {
    const row = this.treeRow(label, within).first();
    const before = await row.getAttribute("aria-expanded");
    await row.locator(".monaco-tl-twistie").click();
    await until(async () => (await row.getAttribute("aria-expanded")) !== before, { what: `row ${label} to open or close` });
  }

  /** @param {string | RegExp} label @param {string} action @param {Locator} [within] */
  async inline(label, action, within) {
    const row = this.treeRow(label, within).first();
    await row.hover();
    await row.locator(`.actions .action-label[aria-label^="${action}"]`).click();
  }

  /** @param {string | RegExp} label @param {string} action @param {Locator} [within] */
  async context(label, action, within) {
    await this.treeRow(label, within).first().click({ button: "right" });
    await this.menuItem(action);
  }

  /** @param {string} action chooses an item of the open context menu */
  async menuItem(action) {
    const item = this.menu.locator(".action-item", { has: this.page.locator(`[aria-label^="${action}"]`) }).first();
    await item.hover();
    // A menu that has just opened ignores clicks for a moment; the keyboard acts on what the pointer has focused.
    await this.menu.locator(".action-item.focused", { has: this.page.locator(`[aria-label^="${action}"]`) }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.menu.first().waitFor({ state: "detached" });
  }

  // Palette, pickers, dialogs

  /**
   * Runs a command by its title in the palette ("Category: Title"). The palette is one node that every picker shares:
   * a picker closing late can hide it, then the whole gesture is made again.
   * @param {string} title
   */
  async command(title) {
    const box = this.quickInput.locator(".quick-input-box input");
    const row = this.quickInput.locator(`.monaco-list-row[aria-label^="${title}"]`).first();
    /** @type {unknown} */
    let last;
    for (let attempt = 0; attempt < 6; attempt++) {
      try {
        await this.quickInput.waitFor({ state: "hidden", timeout: 1500 }).catch(() => this.page.keyboard.press("Escape"));
        await this.page.keyboard.press("F1");
        await this.quickInput.waitFor({ state: "visible", timeout: 3000 });
        await box.fill(`>${title}`, { timeout: 1500 });
        await row.click({ timeout: 5000 });
        return;
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** @returns {Promise<string[]>} the rows that the open picker offers */
  async picks() {
    await this.quickInput.locator(".monaco-list-row").first().waitFor();
    return (await this.quickInput.locator(".monaco-list-row").allInnerTexts()).map(plain);
  }

  /** @param {string | RegExp} label chooses a row of the open picker */
  async pick(label) {
    await this.quickInput.locator(".monaco-list-row", { hasText: label }).first().click();
  }

  /** @param {readonly (string | RegExp)[]} labels ticks rows of the open picker and accepts */
  async pickSeveral(labels) {
    for (const label of labels) await this.quickInput.locator(".monaco-list-row", { hasText: label }).first().locator("input[type=checkbox], .monaco-checkbox").first().click();
    await this.quickInput.locator(".quick-input-action .monaco-button").first().click();
  }

  /** @param {string} text fills the open input box and accepts it */
  async input(text) {
    const box = this.quickInput.locator(".quick-input-box input");
    // Pickers and input boxes share one node: a list still showing belongs to the step before.
    await this.quickInput.locator(".quick-input-list").waitFor({ state: "hidden" });
    await box.fill(text);
    await box.press("Enter");
    await until(async () => !(await this.quickInput.isVisible()) || (await box.inputValue()) !== text, { what: `the input box to take "${text}"` });
  }

  /** @param {string} text fills the open input box without accepting @param {string | RegExp} message and reads this below it */
  async inputMessage(text, message) {
    await this.quickInput.locator(".quick-input-box input").fill(text);
    const shown = this.quickInput.locator(".quick-input-message", { hasText: message });
    await shown.waitFor();
    return plain(await shown.innerText());
  }

  /** Leaves the open picker or input box. */
  async escape() {
    await this.page.keyboard.press("Escape");
    await this.quickInput.waitFor({ state: "hidden" });
  }

  /** @returns {Promise<{ text: string, buttons: string[] }>} what the open modal dialog says */
  async readModal() {
    await this.dialog.waitFor();
    const text = plain(await this.dialog.locator(".dialog-message-container").innerText());
    const buttons = (await this.dialog.locator(".dialog-buttons .monaco-button").allInnerTexts()).map(plain);
    return { text, buttons };
  }

  /** @param {string} button answers the open modal dialog @returns {Promise<string>} what it had said */
  async modal(button) {
    const { text } = await this.readModal();
    await this.dialog.locator(".dialog-buttons .monaco-button").getByText(button, { exact: true }).click();
    await this.dialog.waitFor({ state: "detached" });
    return text;
  }

  /** @param {string | RegExp} text @param {string} [button] presses a button of the notification @returns {Promise<string>} */
  async toast(text, button) {
    const toast = this.page.locator(".notification-toast", { hasText: text }).first();
    await toast.waitFor();
    const said = plain(await toast.innerText());
    if (button) await toast.locator(".monaco-button", { hasText: button }).click();
    return said;
  }

  /** Takes away what lies over the corner of the window. */
  async closeToasts() {
    await this.command("Notifications: Clear All Notifications");
    await this.page.locator(".notification-toast").first().waitFor({ state: "detached" }).catch(() => undefined);
  }

  // Editors

  editor() {
    return this.page.locator(".editor-group-container.active .monaco-editor").first();
  }

  /** @param {string | RegExp} title waits for the active tab */
  async activeTab(title) {
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: title }).waitFor();
  }

  /** @param {string} file opens a file of the folder through Quick Open */
  async quickOpen(file) {
    await this.page.keyboard.press("Control+P");
    await this.quickInput.waitFor();
    await this.quickInput.locator(".quick-input-box input").fill(file);
    await this.pick(path.basename(file));
    await this.activeTab(path.basename(file));
  }

  /** @param {number} line @param {number} [column] moves the cursor and focuses the editor */
  async goToLine(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    await this.quickInput.waitFor();
    const box = this.quickInput.locator(".quick-input-box input");
    await box.fill(`:${line}:${column}`);
    // Enter does nothing until the picker has read the line.
    await this.quickInput.locator(".monaco-list-row", { hasText: `line ${line} at column ${column}` }).waitFor();
    await box.press("Enter");
    await this.quickInput.waitFor({ state: "hidden" });
    await this.status(`Ln ${line}, Col ${column}`);
    await this.editor().locator(".native-edit-context, textarea.inputarea").first().focus();
  }

  /** @returns {Promise<string>} the lines on the screen; a long document is longer */
  async editorText() {
    return plain(await this.editor().locator(".view-lines").innerText());
  }

  /**
   * Presses a lens of the active editor. One that VS Code draws anew at that moment loses the click: it is pressed again,
   * as a person would, and that is told.
   * @param {string | RegExp} title
   * @param {() => Promise<boolean>} [hasWorked] once the click has arrived; without it nobody knows
   */
  async lens(title, hasWorked) {
    const lens = this.page.locator(".editor-group-container.active .codelens-decoration a", { hasText: title }).first();
    await lens.click();
    if (hasWorked === undefined || (await until(hasWorked, { what: `what ${title} does`, timeoutMs: 5000 }).catch(() => false))) return;
    console.log(`note: the lens ${title} was pressed again`);
    await lens.click();
  }

  /** The document inside the first webview. */
  webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** @param {string} name @returns {Promise<string>} the picture's path below test/.out */
  async shot(name) {
    fs.mkdirSync(outDir, { recursive: true });
    const file = path.join(outDir, `${name.replace(/[^\w.-]+/g, "-")}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }
}

/** In the header of a view: in a narrow sidebar the buttons of its title cover the rest. */
const TWISTIE = { x: 10, y: 10 };

/** @param {string} text VS Code draws spaces as no-break spaces */
const plain = (text) => text.replace(/\u00a0/g, " ");

/** @param {string} text */
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
