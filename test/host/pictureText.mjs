// @ts-check
/** The words in a picture, and whether the product still shows them. */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box in pixels of the window */

/**
 * Returns the text in a part of the window, from top to bottom in the sidebar, each group of editors, the dialog and
 * the status bar. What is on one line there is on one line here.
 * @param {import("./workbench.mjs").Workbench} workbench
 * @param {Box} box
 * @returns {Promise<string>}
 */
export async function textIn(workbench, box) {
  const lines = await workbench.page.evaluate((within) => {
    /** Parts of the window, and what has text in them. */
    const parts = [
      [".part.sidebar", ".composite.title h2, .pane-header, .monaco-list-row, .welcome-view-content .monaco-button"],
      [".editor-group-container", ".tab, .view-line, .codelens-decoration"],
      [".monaco-dialog-box", ".dialog-message-text, .dialog-message-detail, .dialog-buttons .monaco-button"],
      [".notification-toast", ".notification-list-item-message"],
      [".part.statusbar", ".statusbar-item"],
    ];
    /** @param {Element} element */
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    /** @param {Element} element */
    const textOf = (element) => {
      const texts = [];
      if (element.matches("[class*='dialog-message']")) texts.push(/** @type {HTMLElement} */ (element).innerText);
      else {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode())
          if (walker.currentNode.parentElement && isSeen(walker.currentNode.parentElement))
            texts.push(walker.currentNode.textContent ?? "");
      }
      const isWhole = element.matches(".view-line, .tab");
      const text = texts
        .join(isWhole ? "" : " ")
        .replace(/[\ue000-\uf8ff]/g, "")
        .replace(/\u00a0/g, " ");
      return isWhole ? text.trimEnd() : text.trim();
    };
    /** Whether a line of an editor continues the one above, which did not fit. @param {Element} element */
    const isContinued = (element) =>
      element.matches(".view-line") &&
      ![...(element.closest(".monaco-editor")?.querySelectorAll(".line-numbers") ?? [])].some(
        (number) =>
          number.textContent !== "" &&
          Math.abs(number.getBoundingClientRect().top - element.getBoundingClientRect().top) < 2,
      );
    /** @param {Element} element @returns {{ top: number, left: number, text: string, isContinued: boolean }[]} */
    const shownIn = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + Math.min(width / 2, 20), top + height / 2];
      const isInside = x >= within.x && x < within.x + within.width && y >= within.y && y < within.y + within.height;
      // A row that its view cuts off can't be pointed at.
      const isThere = isInside && document.elementsFromPoint(x, y).some((each) => element.contains(each));
      const text = isThere && isSeen(element) ? textOf(element) : "";
      return text === "" ? [] : [{ top: Math.round(top), left, text, isContinued: isContinued(element) }];
    };
    return parts.flatMap(([part = "", texts = ""]) =>
      [...document.querySelectorAll(part)].flatMap((root) => {
        const found = [...root.querySelectorAll(texts)].flatMap(shownIn);
        found.sort((one, other) => one.top - other.top || one.left - other.left);
        const rows = Map.groupBy(found, ({ top }) => top);
        /** @type {string[]} */
        const said = [];
        for (const row of rows.values()) {
          const text = row.map((each) => each.text).join(" | ");
          if (row.some((each) => each.isContinued) && said.length > 0) said.push(`${said.pop()} ${text}`);
          else said.push(text);
        }
        return said;
      }),
    );
  }, box);
  return lines.map((line) => `${line.replace(/(?<=\S) {2,}/g, " ")}\n`).join("");
}

/**
 * Returns the text that is in sight on a page inside an editor, one line for each line of it.
 * @param {import("@playwright/test").Locator} page
 * @returns {Promise<string>}
 */
export async function textOfPage(page) {
  return await page.evaluate((root) => {
    /** @type {Map<number, { left: number, text: string }[]>} */
    const lines = new Map();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode } = walker;
      const text = currentNode.textContent?.trim() ?? "";
      const range = document.createRange();
      range.selectNodeContents(currentNode);
      const { left, top, width, height } = range.getBoundingClientRect();
      const isThere = document
        .elementsFromPoint(left + width / 2, top + height / 2)
        .some((each) => currentNode.parentElement?.contains(each));
      if (text === "" || !isThere) continue;
      const line = [...lines.keys()].find((each) => Math.abs(each - top - height / 2) < 5) ?? top + height / 2;
      lines.set(line, [...(lines.get(line) ?? []), { left, text }]);
    }
    return [...lines]
      .sort(([one], [other]) => one - other)
      .map(
        ([, parts]) =>
          `${parts
            .sort((a, b) => a.left - b.left)
            .map(({ text }) => text)
            .join(" | ")}\n`,
      )
      .join("");
  });
}

/** Times, latencies, prices, IDs and days on which something expires: they all have a figure in them. */
const MOVING = /[+−-]?[\w.,:/-]*\d[\w.,:/-]*/g;

/** @param {string} line @returns {string} what is the same in every run */
const fixedPart = (line) => line.replace(MOVING, "#");

/** @param {readonly string[]} lines @param {readonly string[]} others @returns {string[]} lines that the others lack */
function lacking(lines, others) {
  const left = others.map(fixedPart);
  return lines.filter((line) => {
    const at = left.indexOf(fixedPart(line));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Returns how a picture differs from the product, one sentence for each line; none when they agree in all but figures.
 * @param {string} name of the picture
 * @param {string | undefined} shown the text in it, undefined when there is none
 * @param {string} now the text that the product shows
 * @returns {string[]}
 */
export function pictureProblems(name, shown, now) {
  if (shown === undefined) return [`The picture ${name} has no text beside it.`];
  const [was, is] = [shown, now].map((text) => text.split("\n").filter((line) => line !== ""));
  const problems = [
    ...lacking(was ?? [], is ?? []).map((line) => `The picture ${name} shows "${line.trim()}", the product does not.`),
    ...lacking(is ?? [], was ?? []).map((line) => `The product shows "${line.trim()}", the picture ${name} does not.`),
  ];
  if (problems.length > 0 || fixedPart((was ?? []).join("\n")) === fixedPart((is ?? []).join("\n"))) return problems;
  return [`The picture ${name} shows its lines in another order than the product.`];
}
