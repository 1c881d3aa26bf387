// @ts-check
/** How a window looks: its theme, its size, and sheets of pictures that are cut out of it. */
import fs from "node:fs";
import path from "node:path";
import { outDir, until } from "./process.mjs";

/** Themes that every VS Code has, with the class that each gives to the body of a webview. */
export const THEMES = /** @type {const} */ ([
  { name: "dark", theme: "Dark Modern", body: "vscode-dark" },
  { name: "light", theme: "Light Modern", body: "vscode-light" },
  { name: "high-contrast", theme: "Dark High Contrast", body: "vscode-high-contrast" },
  { name: "high-contrast-light", theme: "Light High Contrast", body: "vscode-high-contrast-light" },
]);

/** @typedef {import("./workbench.mjs").Workbench} Workbench */
/** @typedef {(typeof THEMES)[number]} Theme */

/** The class that the window itself has in each theme. @type {Readonly<Record<Theme["name"], string>>} */
const OF_WINDOW = { dark: "vs-dark", light: "vs", "high-contrast": "hc-black", "high-contrast-light": "hc-light" };

/** @param {Workbench} workbench @param {Theme["name"]} name chooses a theme from the palette */
export async function useTheme(workbench, name) {
  const { theme } = THEMES.find((each) => each.name === name) ?? THEMES[0];
  await workbench.command("Preferences: Color Theme");
  await workbench.write(theme);
  await workbench.quickInput.locator(".monaco-list-row.focused", { hasText: theme }).first().waitFor();
  await workbench.page.keyboard.press("Enter");
  await workbench.quickInput.waitFor({ state: "hidden" });
  await workbench.page.locator(`.monaco-workbench.${OF_WINDOW[name]}`).first().waitFor();
}

/** @param {import("@playwright/test").Page} page waits until what changed has been drawn */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}

/**
 * @param {import("@playwright/test").Page} page waits until nothing moves any more: views glide to their places when one
 * of them is opened
 */
export async function still(page) {
  const places = () =>
    page
      .locator(".sidebar .pane, .part")
      .evaluateAll((all) => JSON.stringify(all.map((each) => each.getBoundingClientRect())));
  let seen = "";
  let same = 0;
  await until(
    async () => {
      const now = await places();
      same = now === seen ? same + 1 : 0;
      seen = now;
      return same >= 4;
    },
    { what: "the parts of the window to stand still" },
  );
}

/** @param {Workbench} workbench @param {number} width drags the edge of the sidebar until it is that wide, in pixels */
export async function sidebarWidth(workbench, width) {
  const { page } = workbench;
  const sidebar = page.locator(".part.sidebar");
  const box = await sidebar.boundingBox();
  if (!box) throw new Error("There is no sidebar.");
  const y = box.y + box.height - 4;
  await page.mouse.move(box.x + box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + width, y, { steps: 8 });
  await page.mouse.up();
  await until(async () => Math.abs(((await sidebar.boundingBox())?.width ?? 0) - width) <= 2, {
    what: `a sidebar of ${width} px`,
  });
}

/** Pictures for one sheet, each with a line that says what it shows. */
export class ContactSheet {
  /** @param {Workbench} workbench @param {string} name of the file */
  constructor(workbench, name) {
    this.workbench = workbench;
    this.name = name;
    /** @type {{ title: string, png: Buffer }[]} */
    this.pictures = [];
  }

  /**
   * Takes one.
   * @param {string} title the state that it shows
   * @param {{ x: number, y: number, width: number, height: number } | null} clip of the window; null: all of it
   */
  async add(title, clip = null) {
    const { page } = this.workbench;
    // Nothing lies over it: no hover, no pointer.
    await page.mouse.move(0, 0);
    await drawn(page);
    await still(page);
    this.pictures.push({ title, png: await page.screenshot(clip ? { clip } : {}) });
  }

  /**
   * @param {string} title
   * @param {import("@playwright/test").Locator} part of the window
   * @param {number} [height] at most
   */
  async addPart(title, part, height = Infinity) {
    await still(this.workbench.page);
    const box = await part.boundingBox();
    if (!box) throw new Error(`${title}: it is not on the screen.`);
    await this.add(title, { ...box, height: Math.min(box.height, height) });
  }

  /**
   * Puts them side by side in one picture, drawn by a page of the same browser.
   * @param {{ columns?: number }} [how]
   * @returns {Promise<string>} its path
   */
  async save({ columns = 4 } = {}) {
    const sheet = await this.workbench.page.context().newPage();
    try {
      const figures = this.pictures.map(
        ({ title, png }) =>
          `<figure><figcaption>${title.replace(/[<&]/g, (each) => `&#${each.charCodeAt(0)};`)}</figcaption><img src="data:image/png;base64,${png.toString("base64")}"></figure>`,
      );
      await sheet.setContent(
        `<body style="margin:0"><main style="padding:16px;background:#777;font:14px sans-serif;width:max-content"><h1 style="font-size:18px;margin:0 0 12px">${this.name}</h1><div style="display:grid;grid-template-columns:repeat(${columns},max-content);gap:16px;align-items:start">${figures.join("")}</div></main><style>figure{margin:0}figcaption{background:#fff;padding:4px 8px}img{display:block}</style></body>`,
      );
      await sheet.waitForFunction(() => [...document.images].every((each) => each.complete));
      fs.mkdirSync(outDir, { recursive: true });
      const file = path.join(outDir, `sheet-${this.name}.png`);
      await sheet.locator("main").screenshot({ path: file });
      return file;
    } finally {
      await sheet.close();
    }
  }
}
