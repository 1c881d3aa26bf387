// @ts-check
/**
 * `npm run screenshots`: the pictures of the README and the docs, taken of the packaged extension in a real VS Code,
 * with a simulator in a process of its own. Names of scenes as arguments take those alone. Times of day differ from run
 * to run, the rest follows from the simulator's seed.
 */
import fs from "node:fs";
import path from "node:path";
import { whyNot } from "./install.mjs";
import { makeFolder, openEditor } from "./open.mjs";
import { gifOf, smallPng } from "./pictures.mjs";
import { closeAll, removeDir, root, step, until } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";
import { vsixUnderTest } from "./vsix.mjs";

/** @typedef {Awaited<ReturnType<typeof openEditor>>} Editor */
/** @typedef {import("./simulator.mjs").Simulator} Simulator */
/** @typedef {{ editor: Editor, simulator: Simulator, take: (name: string, part?: Part) => Promise<void> }} Scene */
/**
 * @typedef {{ x?: number, y?: number, width?: number, height?: number }} Part of the window, in pixels; the rest of it
 * when left out
 */

const FOLDER = path.join(root, ".github", "pictures");
const VIEWPORT = { width: 1180, height: 700 };
/**
 * What the pictures of the README and the docs may weigh: they are loaded over slow lines too.
 * `test/host/package.test.mjs` holds them to it.
 */
const SIDEBAR = { width: 430 };

const settings = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "editor.fontFamily": "'DejaVu Sans Mono', Menlo, Consolas, monospace",
  "editor.fontSize": 12,
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "explorer.openEditors.visible": 0,
};

/** @returns {Record<string, string>} the examples that ship */
const examples = () =>
  Object.fromEntries(
    fs
      .readdirSync(path.join(root, "examples"))
      .map((name) => [name, fs.readFileSync(path.join(root, "examples", name), "utf8")]),
  );

/** @param {Scene} scene */
async function connected({ editor: { workbench, page }, simulator }) {
  await workbench.openView("Trading RPC");
  await widen(page, SIDEBAR.width);
  await workbench.connectTo(simulator);
  await workbench.rowsWhen((rows) => rows.some((row) => /PERPETUAL/.test(row)), workbench.pane("Open Orders"));
}

/**
 * @type {Record<string, (scene: Scene) => Promise<void>>} in this order, each in the window as the one before has left
 * it
 */
const SCENES = {
  async orders({ editor: { workbench }, take }) {
    const orders = workbench.pane("Open Orders");
    await workbench
      .treeRow(/buy|sell/, orders)
      .first()
      .hover();
    await take("orders", SIDEBAR);
  },
  async answer({ editor: { workbench, page }, take }) {
    await workbench.quickOpen("02-open-orders.rpc.json");
    await workbench.lens(/Send ·/);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "order_id" }).waitFor();
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await take("response", { x: 48 });
    await workbench.command("View: Toggle Primary Side Bar Visibility");
  },
  async expectations({ editor: { workbench, page }, take }) {
    await workbench.command("View: Close All Editors");
    await workbench.quickOpen("07-expectations.rpc.json");
    await page.locator(".codelens-decoration", { hasText: "Send All" }).first().waitFor();
    await workbench.command("Testing: Focus on Test Explorer View");
    await workbench.command("Test: Run Tests in Current File");
    const file = page.locator(".test-explorer .monaco-list-row", { hasText: "07-expectations" }).first();
    await file.locator(".codicon-testing-passed-icon").waitFor();
    await workbench.command("View: Hide Panel");
    await file.locator(".monaco-tl-twistie").click();
    await page.locator(".test-explorer .monaco-list-row", { hasText: "tape" }).first().waitFor();
    await page.mouse.move(VIEWPORT.width - 20, VIEWPORT.height - 60);
    await take("expectations", { x: 48 });
    await workbench.openView("Trading RPC");
  },
  async trades({ editor: { workbench, page }, take }) {
    await workbench.command("View: Close All Editors");
    await workbench.command("Trading RPC: Show Last Trades…");
    await workbench.write("BTC-PERPETUAL");
    await workbench.quickInput.locator('.monaco-list-row.focused[aria-label^="BTC-PERPETUAL,"]').waitFor();
    await page.keyboard.press("Enter");
    await workbench.webview().locator(".table .body .row:visible").first().waitFor();
    await workbench
      .webview()
      .locator("main")
      .evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
      );
    await take("trades", { x: SIDEBAR.width });
    await workbench.command("View: Close All Editors");
  },
  async account({ editor: { workbench }, take }) {
    await workbench.openOnly("API Keys");
    const keys = workbench.pane("API Keys");
    await workbench.rowsWhen((rows) => rows.length > 1, keys);
    await workbench
      .treeRow(/in use/, keys)
      .first()
      .locator(".monaco-tl-twistie")
      .click();
    await workbench.rowsWhen((rows) => rows.some((row) => /^trade/.test(row)), keys);
    await take("keys", SIDEBAR);
  },
  async activity({ editor: { workbench, page }, simulator, take }) {
    await workbench.openOnly("Open Orders");
    const [order] = await simulator.run("openOrders");
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.write(order.order_id);
    await workbench.quickInput.locator(".monaco-list-row").first().waitFor();
    await workbench.pickSeveral([order.order_id]);
    await until(async () => (await simulator.run("order", { id: order.order_id })).order_state === "cancelled", {
      what: "the order to be cancelled",
    });
    await workbench.openOnly("Activity");
    const activity = workbench.pane("Activity");
    await workbench.rowsWhen((rows) => rows.some((row) => /Cancel/.test(row)), activity);
    await page.keyboard.press("Escape");
    await workbench
      .treeRow(/Cancel/, activity)
      .first()
      .locator(".monaco-tl-twistie")
      .click();
    await take("activity", { ...SIDEBAR, height: 420 });
  },
  async production({ editor: { workbench, page }, simulator, take }) {
    await workbench.openOnly("Open Orders");
    await workbench.connectTo(simulator, { name: "desk", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION desk/);
    const [order] = (await simulator.run("openOrders")).filter(
      (/** @type {any} */ each) => each.instrument_name === "BTC-PERPETUAL",
    );
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.write(order.order_id);
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "PRODUCTION" }).first().waitFor();
    await workbench.pickSeveral([/PRODUCTION/]);
    await workbench.readModal();
    await take("production", { height: 560 });
    await page.keyboard.press("Escape");
  },
};

/** The film: the first minute of a new user. @param {Editor} editor @returns {Promise<Buffer>} */
async function tour({ workbench, page }) {
  /** @type {{ png: Uint8Array, showMs: number }[]} */
  const frames = [];
  /** @param {number} showMs */
  const frame = async (showMs) =>
    void frames.push({ png: await page.screenshot({ animations: "disabled", caret: "hide" }), showMs });
  /** @param {import("playwright-core").Locator} target shows the pointer there, and then clicks */
  const click = async (target) => {
    await target.waitFor();
    await target.hover();
    const box = await target.boundingBox();
    if (box) await point(page, box.x + Math.min(box.width / 2, 90), box.y + box.height / 2);
    await frame(600);
    await point(page);
    await target.click();
  };
  await workbench.openView("Trading RPC");
  await widen(page, SIDEBAR.width);
  await page.mouse.move(VIEWPORT.width / 2, 300);
  await workbench.rowsWhen((rows) => rows.some((each) => /Simulator/.test(each)), workbench.pane("Connections"));
  await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().waitFor();
  await page.locator(".monaco-hover:visible").first().waitFor({ state: "detached" });
  await caption(page, "Start the built-in simulator: no account needed");
  await frame(1000);
  await click(page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first());
  const orders = workbench.pane("Open Orders");
  await workbench.rowsWhen((rows) => rows.some((row) => /PERPETUAL/.test(row)), orders);
  await caption(page, "See your open orders, live");
  await frame(1100);
  await caption(page, "Cancel: the confirmation says what, how many, and where");
  await workbench.context(/PERPETUAL/, "Cancel Orders in Group…", orders);
  await workbench.readModal();
  await frame(1500);
  await click(workbench.dialog.locator(".dialog-buttons .monaco-button", { hasText: /^Cancel \d+ Orders$/ }));
  await workbench.rowsWhen((rows) => rows.some((each) => /cancelled/.test(each)), orders);
  await frame(1200);
  await caption(page, "Send requests from a file");
  await workbench.quickOpen("02-open-orders.rpc.json");
  await page
    .locator(".codelens-decoration a", { hasText: /Send ·/ })
    .first()
    .waitFor();
  await click(page.locator(".editor-group-container.active .codelens-decoration a", { hasText: /Send ·/ }).first());
  await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "order_id" }).waitFor();
  await frame(1600);
  await workbench.command("View: Close All Editors");
  await workbench.quickOpen("07-expectations.rpc.json");
  await caption(page, "Test responses with expectations");
  await click(page.locator(".editor-group-container.active .codelens-decoration a", { hasText: /Send All/ }).first());
  await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "3 passed" }).waitFor();
  await page.locator(".notification-toast").first().waitFor({ state: "detached" });
  await frame(1300);
  return gifOf(frames);
}

/** @param {import("playwright-core").Page} page @param {string} text is shown at the bottom of the film from now on */
async function caption(page, text) {
  await page.evaluate((words) => {
    document.querySelector("#caption")?.remove();
    const shown = document.createElement("div");
    shown.id = "caption";
    shown.textContent = words;
    shown.style.cssText =
      "position:fixed;left:50%;bottom:48px;transform:translateX(-50%);z-index:99998;pointer-events:none;padding:10px 22px;border-radius:8px;background:#0b57d0;color:#fff;font:600 20px sans-serif;white-space:nowrap";
    document.body.append(shown);
  }, text);
}

/**
 * Draws a pointer, which a screenshot has none of; without a place it is taken away.
 * @param {import("playwright-core").Page} page
 * @param {number} [x]
 * @param {number} [y]
 */
async function point(page, x, y) {
  await page.evaluate(
    (at) => {
      document.querySelector("#pointer")?.remove();
      if (at.x === undefined || at.y === undefined) return;
      const pointer = document.createElement("div");
      pointer.id = "pointer";
      pointer.style.cssText = `position:fixed;left:${at.x}px;top:${at.y}px;width:20px;height:28px;z-index:99999;pointer-events:none;background:#fff;clip-path:polygon(0 0,0 78%,25% 60%,45% 100%,62% 92%,43% 54%,78% 54%);filter:drop-shadow(0 0 2px #000)`;
      document.body.append(pointer);
    },
    { x, y },
  );
}

/** @param {import("playwright-core").Page} page @param {number} width drags the edge of the sidebar there */
async function widen(page, width) {
  const box = await page.locator(".part.sidebar").boundingBox();
  if (!box) throw new Error("There is no sidebar.");
  await page.mouse.move(box.x + box.width, 300);
  await page.mouse.down();
  await page.mouse.move(width, 300, { steps: 5 });
  await page.mouse.up();
}

/** @param {Editor} editor @param {string} name @param {Part} [part] */
async function take({ page }, name, part = {}) {
  const { x = 0, y = 0 } = part;
  const clip = { x, y, width: part.width ?? VIEWPORT.width - x, height: part.height ?? VIEWPORT.height - y };
  fs.writeFileSync(
    path.join(FOLDER, `${name}.png`),
    smallPng(await page.screenshot({ clip, animations: "disabled", caret: "hide" })),
  );
}

/** @param {(editor: Editor) => Promise<void>} body */
async function inEditor(body) {
  const folder = makeFolder(examples());
  const editor = await openEditor({ folder, vsix: await vsixUnderTest(), viewport: VIEWPORT, settings });
  try {
    await editor.pictured("failed-screenshots", async () => await body(editor))();
  } finally {
    await editor.close();
    removeDir(folder);
  }
}

/** @param {readonly string[]} wanted */
async function main(wanted) {
  const reason = whyNot();
  if (reason) throw new Error(reason);
  const unknown = wanted.filter((name) => name !== "tour" && !(name in SCENES));
  if (unknown.length > 0)
    throw new Error(
      `There is no scene ${unknown.join(", ")}; there are ${[...Object.keys(SCENES), "tour"].join(", ")}.`,
    );
  const isWanted = (/** @type {string} */ name) => wanted.length === 0 || wanted.includes(name);
  fs.mkdirSync(FOLDER, { recursive: true });
  if (Object.keys(SCENES).some(isWanted)) {
    const simulator = await startSimulator(["--seed", "7", "--orders", "12", "--still"]);
    await inEditor(async (editor) => {
      const scene = {
        editor,
        simulator,
        take: async (/** @type {string} */ name, /** @type {Part | undefined} */ part) =>
          await take(editor, name, part),
      };
      await connected(scene);
      for (const [name, play] of Object.entries(SCENES))
        if (isWanted(name)) await step(`Took ${name}`, async () => await play(scene));
    });
    await simulator.stop();
  }
  if (isWanted("tour"))
    await inEditor(
      async (editor) =>
        await step("Filmed the tour", async () => fs.writeFileSync(path.join(FOLDER, "tour.gif"), await tour(editor))),
    );
  for (const name of fs.readdirSync(FOLDER).sort())
    console.log(`${(fs.statSync(path.join(FOLDER, name)).size / 1024).toFixed(0).padStart(6)} kB  ${name}`);
}

void main(process.argv.slice(2))
  .then(
    () => 0,
    (error) => {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    },
  )
  .then(async (code) => {
    await closeAll();
    process.exit(code);
  });
