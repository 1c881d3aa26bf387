// @ts-check
/**
 * The actions of a user in VS Code: what they click, type and read. Every helper waits for what it needs to see and for
 * what its gesture brings about; none of them sleeps.
 */
import fs from "node:fs";
import path from "node:path";
import { outDir, until } from "./process.mjs";

/** @typedef {import("@playwright/test").Locator} Locator */

/** After so many looks at a list that is still the same, it stays as it is. */
const SAME_LOOKS = 25;

export class Workbench {
  /** @param {import("@playwright/test").Page} page */
  constructor(page) {
    this.page = page;
    /** Whether states are pictured, to be looked at. */
    this.takesPictures = true;
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
      if (hostname && hostname !== "127.0.0.1" && !hostname.endsWith(".vscode-resource.vscode-cdn.net"))
        this.outside.add(hostname);
    });
    this.quickInput = page.locator(".quick-input-widget");
    this.quickBox = this.quickInput.locator(".quick-input-box input");
    this.dialog = page.locator(".monaco-dialog-box");
    this.menu = page.locator(".monaco-menu");
  }

  /** @param {string} url */
  async goto(url) {
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
    await this.ready();
  }

  /**
   * The window has been put together: the sidebar shows what it showed before, or the Explorer; without a folder it is
   * hidden. A view of an extension is shown once its commands and menus are known; without one, wait for something of
   * the extension's.
   */
  async ready() {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    await this.page.locator(".activitybar .action-item").first().waitFor({ timeout: 60_000 });
    await this.heading(/\S/).or(this.page.locator(".monaco-workbench.nosidebar")).first().waitFor({ timeout: 60_000 });
  }

  /** @param {RegExp} title of what the sidebar shows */
  heading(title) {
    return this.page.locator(".sidebar .composite.title h2", { hasText: title }).first();
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

  /** Moves the pointer to where it points at nothing, so that no tooltip lies over what is clicked next. */
  async rest() {
    const { width, height } = this.page.viewportSize() ?? { width: 1400, height: 900 };
    await this.page.mouse.move(width / 2, height - 40);
  }

  // Sidebar and trees

  /**
   * Shows a view container. A click on the one that is shown would hide it.
   * @param {string} title by its name in the Activity Bar
   */
  async openView(title) {
    const item = this.page
      .locator(".activitybar .action-item", { has: this.page.locator(`[aria-label^="${title}"]`) })
      .first();
    const heading = this.heading(new RegExp(escape(title), "i"));
    await item.waitFor();
    // A badge may lie over the icon; both are the item's.
    if (!(await heading.isVisible())) await item.click();
    await heading.waitFor();
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

  /** @param {string} title closes an open view of the sidebar */
  async collapsePane(title) {
    await this.pane(title).locator(".pane-header").first().click({ position: TWISTIE });
    await this.page.locator(`.sidebar .pane-header[aria-label^="${title}"][aria-expanded="false"]`).waitFor();
  }

  /** @param {string} title opens a view of the sidebar and closes the others beside it */
  async openOnly(title) {
    await this.expandPane(title);
    const others = this.page.locator(`.sidebar .pane-header[aria-expanded="true"]:not([aria-label^="${title}"])`);
    for (let open = await others.count(); open > 0; open--) {
      await others.first().click({ position: TWISTIE });
      await until(async () => (await others.count()) < open, { what: `${title} to have one view fewer beside it` });
    }
  }

  /**
   * Goes to the first group of editors, from the rows of a view or from a response beside it. While rows change, VS
   * Code gives the keyboard back to the list that it has drawn again, also when a palette has just taken it, and that
   * palette closes.
   */
  async goToEditors() {
    await this.free();
    await this.page.keyboard.press("Control+1");
    await until(async () => this.page.evaluate(() => document.activeElement?.closest(".part.editor") !== null), {
      what: "the focus in an editor",
    });
  }

  /** @param {string} title waits until the view has the focus, by a press that goes to it */
  async goesTo(title) {
    await this.pane(title).locator(".pane-body:focus-within").waitFor();
  }

  /**
   * Adds a connection to a simulator that runs by itself, and opens it.
   * @param {{ webSocket: string, clientId: string, clientSecret: string }} simulator
   * @param {{ name?: string, environment?: "SIMULATOR" | "TESTNET" | "PRODUCTION", keep?: "Until This Window Closes" |
   * "Store", hasKey?: boolean }} [as]
   */
  async connectTo(
    { webSocket, clientId, clientSecret },
    { name = "lab", environment = "SIMULATOR", keep = "Until This Window Closes", hasKey = true } = {},
  ) {
    await this.command("Trading RPC: Add Connection");
    await this.pick("Custom");
    await this.input(webSocket);
    await this.inputButton("More Options…");
    await this.pick(environment);
    await this.input(name);
    await this.pick(hasKey ? "API Key with Signature" : "Without an API Key");
    if (!hasKey) return;
    await this.input(clientId);
    await this.input(clientSecret);
    await this.pick(keep === "Store" ? "Save in VS Code" : "Keep Until This Window Closes");
  }

  /** Opens a saved connection by its row, while nothing is connected. @param {string} name */
  async connectAgain(name) {
    await this.treeRow(`Connect to ${name}`).first().click();
  }

  /**
   * @param {import("@playwright/test").Locator} within
   * @returns {Promise<(string | null)[]>} rows on the screen that are wider than the sidebar
   */
  async cutRows(within) {
    return within
      .locator(".monaco-list-row .monaco-icon-label-container")
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
  }

  /**
   * @param {Locator} pane a view of the sidebar
   * @returns {Promise<number>} the rows of it that are not cut by its edge or by that of the window
   */
  async wholeRows(pane) {
    const { height } = this.page.viewportSize() ?? { height: 900 };
    return await pane.locator(".pane-body").evaluate((body, windowHeight) => {
      const end = Math.min(body.getBoundingClientRect().bottom, windowHeight);
      return [...body.querySelectorAll(".monaco-list-row")].filter((row) => row.getBoundingClientRect().bottom <= end)
        .length;
    }, height);
  }

  /** @param {string} title a view's header @param {string} action runs an action of the view's title bar */
  async paneAction(title, action) {
    const pane = this.pane(title);
    await pane.hover();
    await pane.locator(`.pane-header .action-label[aria-label^="${action}"]`).first().click();
    // The button may be gone now, and the tooltip of what is under the pointer would lie over the first row.
    await this.rest();
  }

  /**
   * Waits until the extension has given a view the focus that was chosen before: the box of its filter, which is opened
   * and left, comes after that.
   * @param {string} title a view's header
   * @param {string} filter the title of its filter
   */
  async whenFocused(title, filter) {
    await this.paneAction(title, filter);
    await this.quickInput.locator(".quick-input-title", { hasText: filter }).waitFor();
    await this.escape();
  }

  /** @param {string | RegExp} label @param {Locator} [within] a pane */
  treeRow(label, within) {
    return (within ?? this.page.locator(".sidebar")).locator(".monaco-list-row", { hasText: label });
  }

  /** @param {Locator} [within] @returns {Promise<string[]>} the texts of the rows on the screen, top to bottom */
  async treeRows(within) {
    const rows = (within ?? this.page.locator(".sidebar")).locator(".monaco-list-row");
    const found = await rows.evaluateAll((all) =>
      all.map((row) => ({ index: Number(row.getAttribute("data-index")), text: row.textContent ?? "" })),
    );
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

  /** Waits until at least one order is in sight, in whatever group: a small view does not reach all of them. */
  async ordersInSight() {
    await this.rowsWhen((rows) => rows.some((row) => /^(buy|sell) [\d.]+ @ /.test(row)), this.pane("Open Orders"));
  }

  /** @param {string | RegExp} label @param {Locator} [within] opens or closes a row by its twistie */
  async toggle(label, within) {
    const row = this.treeRow(label, within).first();
    const before = await row.getAttribute("aria-expanded");
    await row.locator(".monaco-tl-twistie").click();
    await until(async () => (await row.getAttribute("aria-expanded")) !== before, {
      what: `row ${label} to open or close`,
    });
  }

  /**
   * Waits until a row's tooltip, with the pointer over the row, has a text. A row that is drawn anew under the pointer
   * shows none until the pointer comes again.
   * @param {string | RegExp} label @param {string} text @param {Locator} [within]
   */
  async tooltip(label, text, within) {
    const tooltip = this.page.locator(".workbench-hover", { hasText: text }).first();
    const comes = async () => {
      await this.page.mouse.move(1000, 700);
      await this.treeRow(label, within).first().hover();
      return await tooltip.waitFor({ timeout: 4000 }).then(
        () => true,
        () => false,
      );
    };
    await until(comes, { what: `the tooltip "${text}"` });
  }

  /** @param {string | RegExp} label @param {string} action @param {Locator} [within] */
  async inline(label, action, within) {
    await this.pressOnRow(this.treeRow(label, within).first(), action);
  }

  /**
   * Presses a button that a row shows while the pointer is over it. A row that is drawn anew in between hides it until
   * the pointer comes again, and the tooltip of the row above can lie over it until the pointer leaves that row.
   * @param {Locator} row @param {string} action
   */
  async pressOnRow(row, action) {
    const button = row.locator(`.action-label[aria-label^="${action}"]`).first();
    for (let left = 4; ; left--) {
      try {
        await row.hover({ timeout: 6000 });
        await button.click({ timeout: 6000 });
        return;
      } catch (error) {
        if (left === 0) throw error;
        await this.page.mouse.move(0, 0);
      }
    }
  }

  /**
   * Chooses an item of a row's context menu.
   * @param {string | RegExp} label @param {string} action @param {Locator} [within]
   */
  async context(label, action, within) {
    await this.contextOn(this.treeRow(label, within).first(), action);
  }

  /** @param {Locator} row @param {string} action chooses an item of the row's context menu */
  async contextOn(row, action) {
    await row.click({ button: "right" });
    await this.menuItem(action);
  }

  /** @param {string} action chooses an item of the open context menu */
  async menuItem(action) {
    const has = this.page.locator(`[aria-label^="${action}"]`);
    await this.menu.locator(".action-item", { has }).first().hover();
    // A menu that has just opened ignores clicks for a moment; the keyboard acts on what the pointer has focused.
    await this.menu.locator(".action-item.focused", { has }).first().waitFor();
    await this.#chooseFocused();
  }

  async #chooseFocused() {
    await this.page.keyboard.press("Enter");
    await this.menu.first().waitFor({ state: "detached" });
  }

  /**
   * Walks down the open menu, or the menu within it, to an item.
   * @param {string} action
   */
  async walkMenu(action) {
    // The menu within is inside of the item that has opened it, which has the focus too.
    const at = async () =>
      ((await this.menu.locator(".action-item.focused > .action-menu-item").allTextContents()).at(-1) ?? "").trim();
    for (let item = await at(); !item.startsWith(action);) {
      await this.page.keyboard.press("ArrowDown");
      const before = item;
      item = await until(
        async () => {
          const now = await at();
          return now !== before && now;
        },
        { what: `${action} in the menu, after "${before}"` },
      );
    }
  }

  /** @param {Locator} pane a view of the sidebar: opens the menu behind the three dots of its title */
  async openTitleMenu(pane) {
    await pane.hover();
    await pane
      .locator(
        '.pane-header .action-label[aria-label^="Views and More Actions"], .pane-header .action-label[aria-label^="More Actions"]',
      )
      .first()
      .click();
    await this.menu.first().waitFor();
  }

  // Palette, pickers, dialogs

  /**
   * Waits until no picker is open and no dialog lies over the window. Every picker shares one node: a key that is
   * pressed before the one before has closed would go to that one.
   */
  async free() {
    await this.dialog.waitFor({ state: "detached" });
    await this.quickInput.waitFor({ state: "hidden" });
  }

  /**
   * Opens the palette or the list of files, and types.
   * @param {string} key @param {string} text
   */
  async #openPicker(key, text) {
    const box = this.quickBox;
    await this.page.keyboard.press(key);
    // The palette opens with its prefix, and the list of files without one.
    await until(async () => (await box.isVisible()) && (await box.inputValue()) === (text.startsWith(">") ? ">" : ""), {
      what: `the list behind ${key}`,
    });
    await box.fill(text);
  }

  /**
   * Runs a command by its title in the palette: "Category: Title". An ellipsis at its end may be left out.
   * @param {string} title
   */
  async command(title) {
    await this.open(title, async () => await this.#openPicker("F1", `>${title}`));
    await this.focusedRow(title);
    await this.acceptCommand();
  }

  /**
   * Opens the palette on a command. One that becomes possible while the palette is open is in the next one: it is
   * closed and looked into again until the command is there. One that closes by itself fails.
   * @param {string} title @param {() => Promise<void>} openPalette
   */
  async open(title, openPalette) {
    await until(
      async () => {
        await this.free();
        await openPalette();
        if (await this.#isOffered(title)) return true;
        await this.escape();
        return false;
      },
      { what: `${title} in the palette` },
    ).catch(async (error) => {
      throw new Error(`${error.message} Seen: ${JSON.stringify(await this.#paletteRows())}`);
    });
  }

  /**
   * @param {string} title
   * @returns {Promise<boolean>} whether the palette has the command. Its list for what was typed comes after that of all
   * commands, and nothing tells which one it is: it lacks a command once it has been the same for a while.
   */
  async #isOffered(title) {
    let before = "";
    let looks = 0;
    return await until(
      async () => {
        const rows = await this.#paletteRows();
        if (!(await this.quickInput.isVisible())) throw new Error("The palette closed by itself.");
        if (rows.some((row) => isCommand(row, title))) return "offered";
        const now = JSON.stringify(rows);
        looks = now === before ? looks + 1 : 0;
        before = now;
        return looks >= SAME_LOOKS && "absent";
      },
      { what: "the list of the palette" },
    ).then((answer) => answer === "offered");
  }

  /** @returns {Promise<{ label: string, isFocused: boolean }[]>} the rows of the open palette */
  async #paletteRows() {
    return this.quickInput.locator(".monaco-list-row").evaluateAll((rows) =>
      rows.map((row) => ({
        label: row.getAttribute("aria-label") ?? "",
        isFocused: row.classList.contains("focused"),
      })),
    );
  }

  /**
   * Runs the command whose row has the focus, and waits until the palette has closed: until then it takes every key.
   */
  async acceptCommand() {
    const box = this.quickBox;
    const typed = await box.inputValue();
    await this.page.keyboard.press("Enter");
    await until(async () => !(await this.quickInput.isVisible()) || (await box.inputValue()) !== typed, {
      what: `the palette to run ${typed}`,
    });
  }

  /**
   * Goes down to the row of a command: what was run lately comes first.
   * @param {string} title
   */
  async focusedRow(title) {
    const list = () => this.#paletteRows();
    /** @param {{ label: string } | undefined} row */
    const isWanted = (row) => row !== undefined && isCommand(row, title);
    let seen = "";
    // The list of what was typed comes a moment after that of all commands.
    const settled = async () => {
      const rows = await list();
      const before = seen;
      seen = JSON.stringify(rows);
      return seen === before && rows.some(isWanted) && rows;
    };
    const find = () =>
      until(settled, { what: `${title} in the palette` }).catch((error) => {
        throw new Error(`${error.message} Seen: ${seen}`);
      });
    for (let rows = await find(); !isWanted(rows.find(({ isFocused }) => isFocused)); rows = await find()) {
      const at = rows.find(({ isFocused }) => isFocused)?.label;
      await this.page.keyboard.press("ArrowDown");
      await until(async () => (await list()).find(({ isFocused }) => isFocused)?.label !== at, {
        what: `another command after ${at}`,
      });
    }
  }

  /**
   * Waits until the extension has noticed what was done: it is asked for something that it shows, and hears everything
   * in turn.
   */
  async noticed() {
    await this.command("Trading RPC: Show Connection Actions…");
    await this.quickInput
      .locator(".quick-input-box input[placeholder*='Select an action']")
      .or(this.quickInput.locator(".quick-input-title", { hasText: "Select an action" }))
      .first()
      .waitFor();
    await this.escape();
  }

  /** @returns {Promise<string[]>} the rows that the open picker offers */
  async picks() {
    await this.quickInput.locator(".monaco-list-row").first().waitFor();
    return (await this.quickInput.locator(".monaco-list-row").allInnerTexts()).map(plain);
  }

  /** @param {string | RegExp} label chooses a row of the open picker */
  async pick(label) {
    // The picker has opened under the pointer: the tooltip of a row lies over the next ones.
    await this.rest();
    await this.quickInput.locator(".monaco-list-row", { hasText: label }).first().click();
  }

  /**
   * Puts a text into the box of the open picker or input box. It is not typed: when the palette closes, VS Code gives
   * the keyboard back to the page in the editor, and that page can take it after the picker has opened.
   * @param {string} text
   */
  async write(text) {
    await this.quickBox.waitFor();
    await this.quickBox.focus();
    await this.quickBox.evaluate((box, value) => {
      /** @type {HTMLInputElement} */ (box).value = value;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);
  }

  /** @param {string} title a command that asks what it is about @param {string} id finds that, and ticks it */
  async commandOn(title, id) {
    await this.command(title);
    await this.write(id);
    await this.pickSeveral([id]);
  }

  /** @param {string} instrument opens the panel of its trades from the palette */
  async openTrades(instrument) {
    await this.command("Trading RPC: Show Last Trades…");
    await this.write(instrument);
    await this.quickInput.locator(`.monaco-list-row.focused[aria-label^="${instrument},"]`).waitFor();
    await this.quickBox.press("Enter");
    await this.activeTab(`${instrument} trades`);
  }

  /** @param {readonly (string | RegExp)[]} labels ticks rows of the open picker and accepts */
  async pickSeveral(labels) {
    await this.rest();
    const rows = this.quickInput.locator(".monaco-list-row");
    await this.#check(labels.map((label) => rows.filter({ hasText: label }).first()));
  }

  /** @param {number} index checks this row of the open picker of several, and accepts it */
  async pickRow(index) {
    await this.#check([this.quickInput.locator(".monaco-list-row").nth(index)]);
  }

  /** @param {readonly import("@playwright/test").Locator[]} rows */
  async #check(rows) {
    for (const row of rows) await row.locator("input[type=checkbox], .monaco-checkbox").first().click();
    await this.quickInput.locator(".quick-input-action .monaco-button").first().click();
  }

  /** @param {string} title presses a button in the title of the open input box, which then asks something else */
  async inputButton(title) {
    const button = this.quickInput.locator(`.quick-input-titlebar .action-label[aria-label^="${title}"]`).first();
    await button.click();
    await button.waitFor({ state: "hidden" });
  }

  /** @param {string} text fills the open input box and accepts it */
  async input(text) {
    const box = this.quickBox;
    // Pickers and input boxes share one node: a list still showing belongs to the step before.
    await this.quickInput.locator(".quick-input-list").waitFor({ state: "hidden" });
    await this.write(text);
    await box.press("Enter");
    await until(async () => !(await this.quickInput.isVisible()) || (await box.inputValue()) !== text, {
      what: `the input box to take "${text}"`,
    });
  }

  /**
   * @param {string} text fills the open input box without accepting
   * @param {string | RegExp} message and reads this below it
   */
  async inputMessage(text, message) {
    await this.write(text);
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

  /**
   * @param {string | RegExp} text
   * @param {string} [button] presses a button of the notification
   * @returns {Promise<string>}
   */
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
    await this.page.locator(".notification-toast").first().waitFor({ state: "detached" });
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
    await this.free();
    await this.#openPicker("Control+P", file);
    // Files are looked for while one types: the list may move once more, the row with the focus is the best so far.
    await this.quickInput
      .locator(`.monaco-list-row.focused[aria-label^="${path.basename(file)}"]`)
      .first()
      .waitFor();
    await this.page.keyboard.press("Enter");
    await this.activeTab(path.basename(file));
    // Only then do commands that need such a file stand in the palette. Whatever ended just before can have taken the
    // focus.
    const focused = this.page.locator(".editor-group-container.active .monaco-editor.focused").first();
    await focused.waitFor({ timeout: 6000 }).catch(async () => {
      await this.command("View: Focus Active Editor Group");
      await focused.waitFor();
    });
  }

  /** @param {number} line @param {number} [column] moves the cursor and focuses the editor */
  async goToLine(line, column = 1) {
    await this.free();
    await this.page.keyboard.press("Control+G");
    const box = this.quickBox;
    await until(async () => (await box.isVisible()) && (await box.inputValue()).startsWith(":"), {
      what: "Go to Line",
    });
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
   * Presses a CodeLens of the active editor, once.
   * @param {string | RegExp} title
   * @param {() => Promise<boolean>} [hasWorked] waits until the press has this effect
   */
  async lens(title, hasWorked) {
    await this.page
      .locator(".editor-group-container.active .codelens-decoration a", { hasText: title })
      .first()
      .click();
    if (hasWorked !== undefined) await until(hasWorked, { what: `the effect of the CodeLens ${title}` });
  }

  /** The document inside the first webview. */
  webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** Waits until a webview that was opened or shown has the focus, which closes a palette that is opened before. */
  async webviewHasFocus() {
    await until(
      async () => this.page.evaluate(() => document.activeElement?.matches("iframe.webview.ready") ?? false),
      { what: "the focus in the webview" },
    );
  }

  /** @param {string} name @returns {Promise<string>} the picture's path below test/.out */
  async shot(name) {
    if (!this.takesPictures) return "";
    fs.mkdirSync(outDir, { recursive: true });
    const file = path.join(outDir, `${name.replace(/[^\w.-]+/g, "-")}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }
}

/** @param {{ label: string }} row of the palette @param {string} title with its category */
const isCommand = ({ label }, title) =>
  [title, `${title}…`].some((each) => label === each || label.startsWith(`${each},`));

/** In the header of a view: in a narrow sidebar the buttons of its title cover the rest. */
const TWISTIE = { x: 10, y: 10 };

/**
 * @param {number | string} value
 * @returns {string} how a number stands on the screen: from five digits on with narrow no-break spaces between thousands
 */
export function shownNumber(value) {
  const [whole = "", ...rest] = String(value).split(".");
  return [whole.length < 5 ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, "\u202F"), ...rest].join(".");
}

/** @param {any} order @returns {string} what its row says of it, in every grouping */
export const orderRow = ({ direction, amount, price }) => `${direction} ${shownNumber(amount)} @ ${shownNumber(price)}`;

/** @param {string} text VS Code draws spaces as no-break spaces */
const plain = (text) => text.replace(/\u00a0/g, " ");

/** @param {string} text */
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
