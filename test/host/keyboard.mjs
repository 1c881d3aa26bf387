// @ts-check
/**
 * A person who has a keyboard and no mouse. What is on the screen is read; everything that is done is done with keys.
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
   * @param {string} title with its category; all of it
   */
  async command(title) {
    const { quickInput } = this.workbench;
    const chosen = quickInput.locator(`.monaco-list-row.focused[aria-label^="${title}"]`).first();
    const isIt = async () => {
      const label = (await chosen.getAttribute("aria-label", { timeout: 3000 }).catch(() => null)) ?? "";
      return label === title || label.startsWith(`${title},`);
    };
    await until(
      async () => {
        // A picker that closes late takes the palette with it: then the whole gesture is made again.
        await this.leavePickers();
        await this.press("F1");
        if (!(await appears(quickInput))) return false;
        await this.type(title);
        for (let step = 0; step < 4; step++) {
          if (await isIt()) return true;
          await this.press("ArrowDown");
        }
        return false;
      },
      { what: `${title} in the palette` },
    );
    await this.press("Enter");
  }

  /**
   * Opens a file of the folder in the first group of editors.
   * @param {string} name
   */
  async openFile(name) {
    const { quickInput } = this.workbench;
    const row = quickInput.locator(`.monaco-list-row.focused[aria-label^="${name}"]`).first();
    await until(
      async () => {
        await this.leavePickers();
        await this.press("Control+1", "Control+P");
        if (!(await appears(quickInput))) return false;
        await this.type(name);
        return appears(row);
      },
      { what: `${name} in Quick Open` },
    );
    await this.press("Enter");
    await this.workbench.activeTab(name);
  }

  /** Leaves whatever picker or input box is open. */
  async leavePickers() {
    await until(
      async () => {
        if (!(await this.workbench.quickInput.isVisible())) return true;
        await this.press("Escape");
        return this.workbench.quickInput.waitFor({ state: "hidden", timeout: 1000 }).then(() => true, () => false);
      },
      { what: "the pickers to close" },
    );
  }

  /** @param {string | RegExp} wanted waits for a picker or an input box that says this above or in its box */
  async asked(wanted) {
    return until(async () => {
      const said = await this.question();
      return (typeof wanted === "string" ? said.includes(wanted) : wanted.test(said)) && said;
    }, { what: `the question ${wanted}` });
  }

  /** @returns {Promise<string>} title, placeholder and message of the open picker or input box; empty where none is open */
  async question() {
    return this.workbench.quickInput.evaluate((widget) => {
      if (!(widget instanceof HTMLElement) || widget.style.display === "none") return "";
      const texts = [".quick-input-title", ".quick-input-description", ".quick-input-message"].map((part) => widget.querySelector(part)?.textContent ?? "");
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
    await until(async () => !(await this.workbench.quickInput.isVisible()) || (await this.question()) !== before || !(await this.workbench.quickInput.locator(".quick-input-list").isVisible()), { what: `the picker to take ${text}` });
  }

  /** @param {string} text answers the open input box */
  async input(text) {
    const box = this.workbench.quickInput.locator(".quick-input-box input");
    await this.workbench.quickInput.locator(".quick-input-list").waitFor({ state: "hidden" });
    await this.press("Control+A");
    await this.type(text);
    await this.press("Enter");
    await until(async () => !(await this.workbench.quickInput.isVisible()) || (await box.inputValue()) !== text, { what: `the input box to take "${text}"` });
  }

  /** @param {RegExp} button goes to a button of the open question with Tab, and presses it @returns {Promise<string>} what was asked */
  async answer(button) {
    const { text } = await this.workbench.readModal();
    await until(
      async () => {
        if (button.test(await this.page.evaluate(() => document.activeElement?.closest(".monaco-button")?.textContent ?? ""))) return true;
        await this.press("Tab");
        return false;
      },
      { what: `the button ${button}` },
    );
    await this.press("Enter");
    await this.workbench.dialog.waitFor({ state: "detached" });
    return text;
  }

  /**
   * Goes to a view, and onto its rows where it has any: a view that was just opened has them a moment after the focus.
   * @param {string} view by its name
   */
  async goTo(view) {
    const rows = this.workbench.pane(view).locator(".monaco-list-row");
    await until(
      async () => {
        await this.command(`Trading RPC: Focus on ${view} View`);
        // A container that is only being opened may take the focus elsewhere: then the whole gesture is made again.
        const isThere = await until(async () => (await this.focusedView()) === view, { what: `the focus in ${view}`, timeoutMs: 3000 }).then(() => true, () => false);
        if (!isThere) return false;
        return (await rows.count()) === 0 || this.page.evaluate(() => document.activeElement?.closest(".monaco-list") !== null);
      },
      { what: `the focus on the rows of ${view}` },
    );
  }

  /** @returns {Promise<string>} the name of the view that has the focus; empty where none has */
  async focusedView() {
    return this.page.evaluate(() => document.activeElement?.closest(".sidebar .pane")?.querySelector(".pane-header .title")?.textContent ?? "");
  }

  /** @returns {Promise<{ spoken: string, text: string, level: number, expanded: string | null }>} the row of a tree that the keyboard stands on */
  async row() {
    return this.page.evaluate(() => {
      const list = document.activeElement?.closest(".monaco-list");
      const row = list?.querySelector(".monaco-list-row.focused");
      return {
        spoken: row?.getAttribute("aria-label") ?? "",
        text: (row?.textContent ?? "").replace(/\u00a0/g, " "),
        level: Number(row?.getAttribute("aria-level") ?? 0),
        expanded: row?.getAttribute("aria-expanded") ?? null,
      };
    });
  }

  /** @param {RegExp} wanted walks down from the first row of the tree until it stands on one whose text is this */
  async rowWith(wanted) {
    await this.press("Home");
    /** @type {string[]} */
    const seen = [];
    for (;;) {
      const { text } = await until(async () => {
        const row = await this.row();
        return row.text !== seen.at(-1) && row;
      }, { what: `another row after ${JSON.stringify(seen)}; wanted ${wanted}` });
      if (wanted.test(text)) return text;
      seen.push(text);
      await this.press("ArrowDown");
    }
  }

  /** @returns {Promise<string[]>} the items of the context menu of the row that the keyboard stands on */
  async openMenu() {
    const { menu } = this.workbench;
    await this.press("Shift+F10");
    await menu.first().waitFor();
    return menu.locator(".action-item .action-label:not(.separator)").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent ?? ""));
  }

  /** @param {string} item chooses it in the context menu of the row */
  async fromMenu(item) {
    const { menu } = this.workbench;
    await this.openMenu();
    const focused = menu.locator(".action-item.focused .action-label");
    await until(async () => {
      if (((await focused.getAttribute("aria-label", { timeout: 500 }).catch(() => "")) ?? "").startsWith(item)) return true;
      await this.press("ArrowDown");
      return false;
    }, { what: `${item} in the menu` });
    await this.press("Enter");
    await menu.first().waitFor({ state: "detached" });
  }
}

/** @param {import("playwright-core").Locator} what @returns {Promise<boolean>} */
const appears = async (what) => what.waitFor({ state: "visible", timeout: 3000 }).then(() => true, () => false);
