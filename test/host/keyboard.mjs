// @ts-check
/**
 * A user who has a keyboard and no mouse. What is on the screen is read; everything that is done is done with keys.
 */
import { until } from "./process.mjs";

/** @typedef {import("./workbench.mjs").Workbench} Workbench */

export class Keyboard {
  /** @param {Workbench} workbench */
  constructor(workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }

  /** @param {...string} keys one after another */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** @param {string} text as if it were typed, all at once */
  async type(text) {
    await this.page.keyboard.insertText(text);
  }

  /**
   * Runs a command from the palette.
   * @param {string} title with its category
   */
  async command(title) {
    await this.workbench.open(title, async () => {
      await this.press("F1");
      await this.isTyping(">");
      await this.type(title);
    });
    await this.workbench.focusedRow(title);
    await this.workbench.acceptCommand();
  }

  /**
   * Opens a file of the folder in the first group of editors.
   * @param {string} name
   */
  async openFile(name) {
    await this.workbench.goToEditors();
    await this.press("Control+P");
    await this.isTyping("");
    await this.type(name);
    await this.workbench.quickInput.locator(`.monaco-list-row.focused[aria-label^="${name}"]`).first().waitFor();
    await this.press("Enter");
    await this.workbench.activeTab(name);
  }

  /** @param {string} text waits until the box of a picker has the focus and this in it */
  async isTyping(text) {
    await until(async () => await this.#typesInto(text), { what: `a picker with "${text}" in its box` });
  }

  /** @param {string} text whether the box of a picker has the focus and this in it */
  async #typesInto(text) {
    return await this.page.evaluate((wanted) => {
      const box = document.activeElement;
      return box instanceof HTMLInputElement && box.closest(".quick-input-widget") !== null && box.value === wanted;
    }, text);
  }

  /** Leaves the open picker or input box. */
  async leavePicker() {
    await this.workbench.escape();
  }

  /** @param {string | RegExp} wanted waits for a picker or an input box that says this above or in its box */
  async asked(wanted) {
    return until(
      async () => {
        const said = await this.question();
        return (typeof wanted === "string" ? said.includes(wanted) : wanted.test(said)) && said;
      },
      { what: `the question ${wanted}` },
    );
  }

  /**
   * @returns {Promise<string>} title, placeholder and message of the open picker or input box; empty where none is open
   */
  async question() {
    return this.workbench.quickInput.evaluate((widget) => {
      if (!(widget instanceof HTMLElement) || widget.style.display === "none") return "";
      const texts = [".quick-input-title", ".quick-input-description", ".quick-input-message"].map(
        (part) => widget.querySelector(part)?.textContent ?? "",
      );
      const placeholder = widget.querySelector(".quick-input-box input")?.getAttribute("placeholder") ?? "";
      return [...texts, placeholder].filter((each) => each !== "").join(" | ");
    });
  }

  /**
   * Answers the open picker: types until the wanted row is the focused one.
   * @param {string} text
   */
  async pick(text) {
    await this.workbench.quickInput.locator(".monaco-list-row").first().waitFor();
    await this.type(text);
    await this.workbench.quickInput.locator(".monaco-list-row.focused", { hasText: text }).first().waitFor();
    const before = await this.question();
    await this.press("Enter");
    await until(
      async () =>
        !(await this.workbench.quickInput.isVisible()) ||
        (await this.question()) !== before ||
        !(await this.workbench.quickInput.locator(".quick-input-list").isVisible()),
      { what: `the picker to take ${text}` },
    );
  }

  /** @param {string} text answers the open input box */
  async input(text) {
    const box = this.workbench.quickBox;
    await this.workbench.quickInput.locator(".quick-input-list").waitFor({ state: "hidden" });
    // Between two steps neither box is there.
    await box.waitFor();
    await this.press("Control+A");
    await this.type(text);
    await this.press("Enter");
    await until(async () => !(await this.workbench.quickInput.isVisible()) || (await box.inputValue()) !== text, {
      what: `the input box to take "${text}"`,
    });
  }

  /**
   * @param {RegExp} button goes to a button of the open question with Tab, and presses it
   * @returns {Promise<string>} what was asked
   */
  async answer(button) {
    const { text } = await this.workbench.readModal();
    const at = () => this.page.evaluate(() => document.activeElement?.closest(".monaco-button")?.textContent ?? "");
    for (let before = await at(); !button.test(before); before = await at()) {
      await this.press("Tab");
      await until(async () => (await at()) !== before, { what: `another button after ${before}` });
    }
    await this.press("Enter");
    await this.workbench.dialog.waitFor({ state: "detached" });
    return text;
  }

  /**
   * Goes to a view, by its command in the palette.
   * @param {string} view by its name
   */
  async goTo(view) {
    await this.command(`Trading RPC: Focus on ${view} View`);
    await this.workbench.free();
    await until(async () => (await this.focusedView()) === view, { what: `the focus in ${view}` });
  }

  /**
   * Goes to the first row of a view, whether its rows are there already or come after the focus.
   * @param {string} view by its name
   */
  async goToRows(view) {
    await this.goTo(view);
    await this.toFirstRow(view);
  }

  /** @param {string} view that has the focus, whether its rows are there or on their way */
  async toFirstRow(view) {
    await this.workbench.pane(view).locator(".monaco-list-row").first().waitFor();
    await until(async () => this.page.evaluate(() => document.activeElement?.closest(".monaco-list") !== null), {
      what: `the focus on the rows of ${view}`,
    });
    // Rows that come meanwhile may take the focus off the row that the key went to.
    await until(
      async () => {
        if ((await this.row()).index === 0) return true;
        await this.press("Home");
        return false;
      },
      { what: `the focus on the first row of ${view}` },
    );
  }

  /** @returns {Promise<string>} the name of the view that has the focus; empty where none has */
  async focusedView() {
    return this.page.evaluate(
      () => document.activeElement?.closest(".sidebar .pane")?.querySelector(".pane-header .title")?.textContent ?? "",
    );
  }

  /**
   * @returns {Promise<{ index: number, spoken: string, text: string, level: number, expanded: string | null }>} the row
   * of a tree that the keyboard stands on
   */
  async row() {
    return this.page.evaluate(() => {
      const list = document.activeElement?.closest(".monaco-list");
      const row = list?.querySelector(".monaco-list-row.focused");
      return {
        index: Number(row?.getAttribute("data-index") ?? -1),
        spoken: row?.getAttribute("aria-label") ?? "",
        text: (row?.textContent ?? "").replace(/\u00a0/g, " "),
        level: Number(row?.getAttribute("aria-level") ?? 0),
        expanded: row?.getAttribute("aria-expanded") ?? null,
      };
    });
  }

  /**
   * Goes down by one row, as soon as there is one below: those of a group come after the group. The tree has moved its
   * focus then; where it stands is read afterwards, because the row it went to may have left, and VS Code gives its focus
   * to the group.
   */
  async down() {
    const { spoken } = await this.row();
    await until(async () => await this.#hasRowBelow(), { what: `a row below ${spoken}` });
    const moves = await this.page.evaluateHandle(() => {
      const list = document.activeElement?.closest(".monaco-list");
      if (!list) throw new Error("no list has the focus");
      const seen = { count: 0, observer: new MutationObserver((all) => (seen.count += all.length)) };
      seen.observer.observe(list, { attributeFilter: ["aria-activedescendant"] });
      return seen;
    });
    await this.pressAndWait("ArrowDown", async () => await moves.evaluate(({ count }) => count > 0), {
      what: `a move down from ${spoken}`,
    });
    await moves.evaluate(({ observer }) => observer.disconnect());
  }

  /**
   * Presses a key once, on the rows of a view, and waits for what it brings about. A failure tells where the key came.
   * @param {string} key @param {() => Promise<boolean>} isDone @param {{ what: string }} wanted
   */
  async pressAndWait(key, isDone, wanted) {
    const came = await this.page.evaluateHandle(() => {
      const list = document.activeElement?.closest(".monaco-list");
      const seen = { key: "came nowhere" };
      const hear = (/** @type {KeyboardEvent} */ event) => {
        const isAtIt = event.target instanceof Element && event.target.closest(".monaco-list") === list;
        const { defaultPrevented: isTaken } = event;
        seen.key = `came to ${isAtIt ? "it" : "something else"} and was ${isTaken ? "" : "not "}taken`;
      };
      window.addEventListener("keydown", hear, { once: true });
      return seen;
    });
    await this.press(key);
    await until(isDone, wanted).catch(async ({ message }) => {
      throw new Error(`${message} The key ${await came.evaluate((seen) => seen.key)}. ${await this.#whereKeysGo()}`);
    });
  }

  /** @returns {Promise<boolean>} whether the rows of the tree go on below the one that the keyboard stands on */
  async #hasRowBelow() {
    return this.page.evaluate(() => {
      const list = document.activeElement?.closest(".monaco-list");
      const row = list?.querySelector(".monaco-list-row.focused");
      const rows = list?.querySelector(".monaco-list-rows");
      if (!(row instanceof HTMLElement) || !(rows instanceof HTMLElement)) return false;
      return parseFloat(row.style.top) + parseFloat(row.style.height) < parseFloat(rows.style.height);
    });
  }

  /** @returns {Promise<string>} what has the focus, and the list that VS Code's commands for lists are about */
  async #whereKeysGo() {
    return this.page.evaluate(() => {
      const nameOf = (/** @type {Element | null | undefined} */ each) =>
        each ? `${each.tagName} ${each.className} "${each.getAttribute("aria-label") ?? ""}"` : "nothing";
      const focus = `${document.hasFocus() ? "" : "The page has no focus. "}The focus is on ${nameOf(document.activeElement)}.`;
      const lists = [...document.querySelectorAll(".monaco-list.last-focused")].map(nameOf);
      return `${focus} VS Code's commands are about ${lists.join(", ") || "no list"}.`;
    });
  }

  /**
   * @param {RegExp} wanted walks down from the first row of the tree to one whose text is this
   * @returns {Promise<string>} its text
   */
  async rowWith(wanted) {
    await this.press("Home");
    await until(async () => (await this.row()).index === 0, { what: "the first row" });
    for (;;) {
      const { text } = await this.row();
      if (wanted.test(text)) return text;
      await this.down();
    }
  }

  /** @returns {Promise<string[]>} the items of the context menu of the row that the keyboard stands on */
  async openMenu() {
    const { menu } = this.workbench;
    await this.press("Shift+F10");
    const items = menu.locator(".action-item .action-label:not(.separator)");
    await items.first().waitFor();
    return items.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent ?? ""));
  }

  /** @param {string} item chooses it in the context menu of the row */
  async fromMenu(item) {
    const { menu } = this.workbench;
    await this.openMenu();
    await this.workbench.walkMenu(item);
    await this.press("Enter");
    await menu.first().waitFor({ state: "detached" });
  }

  /**
   * @returns {Promise<string[]>} what the browser tells a screen reader: the dialog around the focus, what has the
   * focus, and the item of a list or tree that the keyboard stands on; of each its role, name, value, and description
   */
  async heard() {
    const session = await this.page.context().newCDPSession(this.page);
    try {
      /** @type {string[]} */
      const heard = [];
      for (const expression of HEARD) {
        const { result } = await session.send("Runtime.evaluate", { expression });
        if (result.objectId === undefined) continue;
        const { objectId } = result;
        const { nodes } = await session.send("Accessibility.getPartialAXTree", { objectId, fetchRelatives: false });
        const [node] = nodes;
        const parts = [node?.role, node?.name, node?.value, node?.description];
        heard.push(parts.flatMap((part) => (part?.value ? [plain(String(part.value))] : [])).join(" | "));
      }
      return heard;
    } finally {
      await session.detach();
    }
  }

  /** @param {readonly (string | RegExp)[]} wanted waits until this is heard */
  async hears(wanted) {
    /** @type {string[]} */
    let heard = [];
    await until(
      async () => {
        heard = await this.heard();
        return (
          heard.length === wanted.length &&
          wanted.every((each, at) => (typeof each === "string" ? each === heard[at] : each.test(heard[at] ?? "")))
        );
      },
      { what: "what a screen reader says" },
    ).catch((error) => {
      throw new Error(`${error.message} Heard: ${JSON.stringify(heard, undefined, 1)}\nWanted: ${wanted.join("\n")}`);
    });
  }
}

/** The parts of the page that a screen reader reads when the focus comes to them, as expressions. */
const HEARD = [
  'document.activeElement.closest(".monaco-dialog-box")',
  "document.activeElement",
  'document.getElementById(document.activeElement.getAttribute("aria-activedescendant") ?? "")',
];

/** @param {string} text with the spaces that VS Code draws, and its line breaks */
const plain = (text) => text.replace(/\s+/g, " ").trim();
