// @ts-check
/**
 * `npm run screenshots`: the pictures of the README and the docs, taken of the packaged extension in a real VS Code,
 * with a simulator in a process of its own. Beside each picture it writes the text in it. Names of scenes as arguments
 * take those alone. With --compare nothing is written: it says where the product no longer shows what the pictures do,
 * as `npm run release` does. The day and the simulator's seed are the same in every run; times of day are not.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { whyNot } from "./install.mjs";
import { drawn, sidebarWidth, still } from "./look.mjs";
import { installProject } from "./npm.mjs";
import { makeFolder, openEditor } from "./open.mjs";
import { pictureProblems, textIn, textOfPage } from "./pictureText.mjs";
import { closeAll, hostDir, outDir, removeDir, root, step } from "./process.mjs";
import { startSimulator } from "./simulator.mjs";
import { vsixUnderTest } from "./vsix.mjs";

/** @typedef {Awaited<ReturnType<typeof openEditor>>} Editor */
/** @typedef {import("./simulator.mjs").Simulator} Simulator */
/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{ text: string, bytes?: Buffer }} Picture with the text in it; without bytes where texts are compared */
/**
 * @typedef {object} Scene
 * @property {Editor} editor
 * @property {Simulator} simulator
 * @property {(name: string, part?: Part) => Promise<void>} take takes the picture of that name
 */
/**
 * @typedef {object} Part of the window
 * @property {number} [width] from its left edge (default: all of it)
 * @property {import("@playwright/test").Locator} [inside] a page in an editor, whose text is read too
 */

const FOLDER = path.join(root, ".github", "pictures");
const VIEWPORT = { width: 1180, height: 700 };
const FILM = { width: 1040, height: 618 };
/** The width of the sidebar, and that of the Activity Bar beside it. */
const [SIDEBAR, ACTIVITY_BAR] = [340, 48];
/** The day of every picture: what expires has the same name in every run. */
const DAY = Date.UTC(2026, 11, 1, 10, 0, 1);
const preload = path.join(hostDir, "pictureDay.cjs");
/** What only a VS Code in a browser has in its status bar, and what blinks. */
const HIDDEN = `[id="status.workbench.keyboardLayout"], [id="status.forwardedPorts"], [id="status.host"], .cursors-layer {
  display: none !important;
}`;
/** The height of a row of a view. */
const ROW = 22;
/** The longest film that a reader watches to its end. */
const FILM_MS = 10_000;

const settings = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "editor.fontFamily": "'DejaVu Sans Mono', Menlo, Consolas, monospace",
  "editor.fontSize": 12,
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.wordWrap": "on",
  "explorer.openEditors.visible": 0,
  "tradingRpc.connection.requestTimeoutMs": 5000,
};

/** @returns {Record<string, string>} the examples that ship */
const examples = () =>
  Object.fromEntries(
    fs
      .readdirSync(path.join(root, "examples"))
      .map((name) => [name, fs.readFileSync(path.join(root, "examples", name), "utf8")]),
  );

/** @param {Scene} scene @param {"SIMULATOR" | "TESTNET"} environment @param {string} name */
async function connected({ editor: { workbench }, simulator }, environment, name) {
  await workbench.openView("Trading RPC");
  await sidebarWidth(workbench, SIDEBAR);
  await workbench.connectTo(simulator, { name, environment });
  await workbench.status(`${environment} ${name}`);
  await workbench.ordersInSight();
}

/**
 * @type {Record<string, (scene: Scene) => Promise<void>>} in this order, each in the window as the one before has left
 * it
 */
const SCENES = {
  async orders({ editor: { workbench }, take }) {
    const width = 520;
    await sidebarWidth(workbench, width);
    await fitRows(workbench, ["Open Orders", "Positions", "Account"], { ...VIEWPORT, height: 860 });
    await take("orders", { width: ACTIVITY_BAR + width });
    await sidebarWidth(workbench, SIDEBAR);
  },
  async response({ editor: { workbench, page }, take }) {
    await page.setViewportSize({ ...VIEWPORT, width: 1400 });
    await workbench.quickOpen("02-open-orders.rpc.json");
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await workbench.lens(/▷ Send/);
    await responded(page);
    const response = page.locator(".editor-group-container").nth(1);
    await drag(page, (await boxOf(response)).x, 300, -70, 0);
    await still(page);
    await fitLines(page, response);
    await take("response");
    await workbench.command("View: Toggle Primary Side Bar Visibility");
  },
  async expectations({ editor: { workbench, page }, take }) {
    await page.setViewportSize({ ...VIEWPORT, height: 780 });
    await sidebarWidth(workbench, 390);
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
    await fitLines(page, page.locator(".editor-group-container").first());
    await take("expectations");
    await sidebarWidth(workbench, SIDEBAR);
    await workbench.openView("Trading RPC");
  },
  async trades({ editor: { workbench, page }, take }) {
    await workbench.command("View: Close All Editors");
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await workbench.openTrades("BTC-PERPETUAL");
    const table = workbench.webview().locator(".table .body");
    await table.locator(".row:visible").first().waitFor();
    const cut = await table.evaluate((body) => {
      const row = body.querySelector(".row")?.getBoundingClientRect().height ?? 1;
      return Math.round(body.clientHeight % row);
    });
    await page.setViewportSize({ ...VIEWPORT, height: VIEWPORT.height - cut });
    await table.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
    );
    await take("trades", { inside: workbench.webview().locator("main") });
    await workbench.command("View: Close All Editors");
    await workbench.openView("Trading RPC");
  },
  async keys({ editor: { workbench }, take }) {
    await workbench.openOnly("API Keys");
    const pane = workbench.pane("API Keys");
    await workbench.rowsWhen((rows) => rows.length > 1, pane);
    await workbench.toggle(/in use/, pane);
    await workbench.rowsWhen((rows) => rows.some((row) => /^trade/.test(row)), pane);
    await fitRows(workbench, ["API Keys"], { ...VIEWPORT, height: 860 });
    await take("keys", { width: ACTIVITY_BAR + SIDEBAR });
  },
  async activity({ editor: { workbench }, simulator, take }) {
    const [order] = await simulator.run("openOrders");
    await simulator.run("setFault", { method: "private/cancel", response: "none" });
    await workbench.commandOn("Trading RPC: Cancel Order…", order.order_id);
    await workbench.openOnly("Activity");
    const activity = workbench.pane("Activity");
    await workbench.rowsWhen((rows) => rows.some((row) => /Cancel.*verified cancelled/.test(row)), activity);
    await workbench.closeToasts();
    await workbench.toggle(/Cancel/, activity);
    await workbench.rowsWhen((rows) => rows.some((row) => /verified/.test(row)), activity);
    await fitRows(workbench, ["Activity"], { ...VIEWPORT, height: 640 });
    await take("activity", { width: ACTIVITY_BAR + SIDEBAR });
  },
  async production({ editor: { workbench, page }, simulator, take }) {
    await workbench.command("Trading RPC: Disconnect");
    await workbench.status("Not connected");
    await workbench.connectTo(simulator, { name: "main", environment: "PRODUCTION" });
    await workbench.openOnly("Open Orders");
    await workbench.status(/PRODUCTION main/);
    await fitRows(workbench, ["Open Orders"], { width: 980, height: 640 });
    const [order] = (await simulator.run("openOrders")).filter(
      (/** @type {any} */ each) => each.instrument_name === "BTC-PERPETUAL",
    );
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.write(order.order_id);
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "PRODUCTION" }).first().waitFor();
    await workbench.pickSeveral([/PRODUCTION/]);
    await workbench.readModal();
    await take("production");
    await page.keyboard.press("Escape");
  },
};

/**
 * The film: orders, a cancel with its confirmation, a request.
 * @param {Scene} scene
 * @param {boolean} onlyText
 * @returns {Promise<Picture>}
 */
async function tour(scene, onlyText) {
  const { workbench, page } = scene.editor;
  /** @type {{ png: Buffer, caption: string, showMs: number }[]} */
  const frames = [];
  /** @type {string[]} */
  const texts = [];
  let caption = "";
  /** @param {number} showMs */
  const frame = async (showMs) => {
    await settled(page);
    const png = onlyText ? Buffer.alloc(0) : await page.screenshot({ animations: "disabled", caret: "hide" });
    frames.push({ png, caption, showMs });
  };
  /** A frame whose text is kept: something new is to be read in it. @param {number} showMs */
  const scan = async (showMs) => {
    await frame(showMs);
    texts.push(`${caption}\n${await textIn(workbench, { x: 0, y: 0, ...FILM })}`);
  };
  /** @param {import("@playwright/test").Locator} target shows the pointer there, and then clicks */
  const click = async (target) => {
    await target.hover();
    const box = await target.boundingBox();
    if (box) await point(page, box.x + Math.min(box.width / 2, 90), box.y + box.height / 2);
    await frame(700);
    await point(page);
    await target.click();
  };
  await connected(scene, "TESTNET", "main");
  await workbench.openOnly("Open Orders");
  await fitRows(workbench, ["Open Orders"], FILM);
  const orders = workbench.pane("Open Orders");
  caption = "Your open orders, live";
  await scan(1800);
  caption = "Cancel: the confirmation says what and where";
  const order = workbench.treeRow(/buy 5000 @/, orders).first();
  await order.hover();
  await click(order.locator('.action-label[aria-label^="Cancel Order"]').first());
  await workbench.readModal();
  await scan(2000);
  await click(workbench.dialog.locator(".dialog-buttons .monaco-button", { hasText: "Cancel Order" }));
  await workbench.rowsWhen((rows) => rows.some((each) => /buy 5000.*cancelled/.test(each)), orders);
  const outcome = page.locator(".statusbar-item", { hasText: "Cancelled on" });
  await outcome.waitFor();
  await restPointer(page);
  await scan(1600);
  await outcome.waitFor({ state: "detached" });
  caption = "Send a request from a file";
  await workbench.command("View: Toggle Primary Side Bar Visibility");
  await workbench.quickOpen("01-first-request.rpc.json");
  await click(page.locator(".codelens-decoration a", { hasText: /▷ Send/ }).first());
  await responded(page);
  await scan(2200);
  const lengthMs = frames.reduce((sum, { showMs }) => sum + showMs, 0);
  if (lengthMs > FILM_MS) throw new Error(`The tour takes ${lengthMs} ms, more than ${FILM_MS}.`);
  const text = texts.join("\n");
  return onlyText ? { text } : { text, bytes: await film(page, frames) };
}

/**
 * Puts the caption below each frame, where it covers nothing. The frames are in test/.out too, to be looked at.
 * @param {Page} page
 * @param {readonly { png: Buffer, caption: string, showMs: number }[]} frames
 */
async function film(page, frames) {
  const sheet = await page.context().newPage();
  await sheet.setViewportSize(FILM);
  const captioned = [];
  for (const [number, { png, caption, showMs }] of frames.entries()) {
    await sheet.setContent(
      `<body style="margin:0"><main style="width:max-content;background:#0b57d0"><img style="display:block" src="data:image/png;base64,${png.toString("base64")}"><p style="margin:0;padding:12px;color:#fff;font:600 22px sans-serif;text-align:center">${caption}</p></main>`,
    );
    await sheet.waitForFunction(() => [...document.images].every((each) => each.complete));
    const file = path.join(outDir, `tour-${number + 1}.png`);
    captioned.push({ png: await sheet.locator("main").screenshot({ path: file }), showMs });
  }
  await sheet.close();
  const { gifOf } = await import("./pictures.mjs");
  return gifOf(captioned);
}

/**
 * Draws a pointer, which a screenshot has none of; without a place it is taken away.
 * @param {Page} page
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

/** Moves the pointer to the free part of the status bar, where it shows nothing. @param {Page} page */
const restPointer = async (page) => await page.mouse.move(620, (page.viewportSize() ?? VIEWPORT).height - 5);

/** Waits until a response is beside its request, and its outcome above the request. @param {Page} page */
async function responded(page) {
  await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "request ID" }).waitFor();
  await page
    .locator(".codelens-decoration", { hasText: /✓ \d+ ms/ })
    .first()
    .waitFor();
}

/** Waits until VS Code has started everything and nothing moves. @param {Page} page */
async function settled(page) {
  await page.locator(".statusbar-item", { hasText: "Activating Extensions" }).waitFor({ state: "detached" });
  await page.locator(".notification-toast").first().waitFor({ state: "detached" });
  await still(page);
  await drawn(page);
}

/** @param {import("@playwright/test").Locator} part of the window */
async function boxOf(part) {
  const box = await part.boundingBox();
  if (!box) throw new Error("It is not on the screen.");
  return box;
}

/** Drags an edge. @param {Page} page @param {number} x @param {number} y @param {number} right @param {number} down */
async function drag(page, x, y, right, down) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 8 });
  await page.mouse.up();
  await still(page);
}

/**
 * Gives each view but the last the height of its rows, and the window a height at which no row of the last is cut.
 * @param {import("./workbench.mjs").Workbench} workbench
 * @param {readonly string[]} views
 * @param {{ width: number, height: number }} size of the window, at most
 */
async function fitRows(workbench, views, { width, height }) {
  const { page } = workbench;
  await page.setViewportSize({ width, height });
  await still(page);
  for (const [number, view] of views.entries()) {
    const body = await boxOf(workbench.pane(view).locator(".pane-body"));
    if (number === views.length - 1) await page.setViewportSize({ width, height: height - (body.height % ROW) });
    else {
      const rows = await boxOf(workbench.pane(view).locator(".monaco-list-rows"));
      await drag(page, ACTIVITY_BAR + 200, body.y + body.height, 0, rows.height - body.height);
    }
  }
}

/** Gives the window a height at which no line of an editor is cut. @param {Page} page @param {import("@playwright/test").Locator} group */
async function fitLines(page, group) {
  const size = page.viewportSize() ?? VIEWPORT;
  const cut = await group.evaluate((element) => {
    const end = element.getBoundingClientRect().bottom;
    const tops = [...element.querySelectorAll(".view-line")].map((line) => line.getBoundingClientRect());
    return end - (tops.find(({ top, bottom }) => top < end && bottom > end)?.top ?? end);
  });
  await page.setViewportSize({ ...size, height: size.height - Math.ceil(cut) });
}

/**
 * @param {Editor} editor
 * @param {Part} part
 * @param {boolean} onlyText
 * @returns {Promise<Picture>}
 */
async function pictureOf({ workbench, page }, { width, inside }, onlyText) {
  const size = page.viewportSize() ?? VIEWPORT;
  const clip = { x: 0, y: 0, ...size, width: width ?? size.width };
  await restPointer(page);
  await settled(page);
  const text = (await textIn(workbench, clip)) + (inside ? await textOfPage(inside) : "");
  if (onlyText) return { text };
  const png = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
  return { text, bytes: (await import("./pictures.mjs")).smallPng(png) };
}

/**
 * Opens VS Code with the examples, and a simulator in which nothing moves.
 * @param {string} vsix
 * @param {(parts: { editor: Editor, simulator: Simulator }) => Promise<void>} body
 */
async function inEditor(vsix, body) {
  process.env["RPC_CLOCK_SHIFT_MS"] = String(DAY - Date.now());
  const simulator = await startSimulator(["--seed", "7", "--orders", "12", "--still"], { preload });
  const folder = makeFolder(examples());
  const editor = await openEditor({ folder, vsix, viewport: VIEWPORT, settings, preload });
  await editor.page.addStyleTag({ content: HIDDEN });
  try {
    await body({ editor, simulator });
  } catch (error) {
    const file = await editor.workbench.shot("failed-screenshots").catch(() => undefined);
    if (file) console.log(`The window when it failed: ${path.relative(root, file)}`);
    throw error;
  } finally {
    await editor.close();
    await simulator.stop();
    removeDir(folder);
  }
}

/**
 * Drives the product through every scene.
 * @param {string} vsix
 * @param {{ onlyText: boolean, isWanted?: (name: string) => boolean }} options
 * @returns {Promise<Map<string, Picture>>} by the name of the file
 */
async function takeAll(vsix, { onlyText, isWanted = () => true }) {
  /** @type {Map<string, Picture>} */
  const pictures = new Map();
  const done = onlyText ? "Read" : "Took";
  if (Object.keys(SCENES).some(isWanted))
    await inEditor(vsix, async ({ editor, simulator }) => {
      /** @type {Scene} */
      const scene = {
        editor,
        simulator,
        take: async (name, part = {}) => void pictures.set(`${name}.png`, await pictureOf(editor, part, onlyText)),
      };
      await connected(scene, "SIMULATOR", "desk");
      for (const [name, play] of Object.entries(SCENES)) {
        await editor.page.setViewportSize(VIEWPORT);
        if (isWanted(name)) await step(`${done} ${name}`, async () => await play(scene));
      }
    });
  if (isWanted("tour"))
    await inEditor(vsix, async (parts) => {
      const scene = { ...parts, take: async () => undefined };
      await step(`${done} tour`, async () => void pictures.set("tour.gif", await tour(scene, onlyText)));
    });
  return pictures;
}

/** @param {string} picture @returns {string} the file with the text in it */
const textFile = (picture) => path.join(FOLDER, picture.replace(/\.\w+$/, ".txt"));

/**
 * @param {string} vsix
 * @returns {Promise<string[]>} where the product no longer shows what the pictures do; empty where it does
 */
export async function comparePictures(vsix) {
  const reason = whyNot();
  if (reason) return [`The pictures were not compared with the product. ${reason}`];
  try {
    return [...(await takeAll(vsix, { onlyText: true }))].flatMap(([name, { text }]) => {
      const file = textFile(name);
      return pictureProblems(name, fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined, text);
    });
  } catch (error) {
    return [`The pictures were not compared with the product: ${error instanceof Error ? error.message : error}`];
  }
}

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const wanted = args.filter((arg) => arg !== "--compare");
  const unknown = wanted.filter((name) => name !== "tour" && !(name in SCENES));
  if (unknown.length > 0)
    throw new Error(
      `There is no scene ${unknown.join(", ")}; there are ${[...Object.keys(SCENES), "tour"].join(", ")}.`,
    );
  const reason = whyNot();
  if (reason) throw new Error(reason);
  await step("What the lock file names is installed", installProject);
  const vsix = await step("Packed the extension", vsixUnderTest);
  if (args.includes("--compare")) {
    const problems = await comparePictures(vsix);
    for (const problem of problems) console.error(problem);
    return problems.length > 0 ? 1 : 0;
  }
  fs.mkdirSync(FOLDER, { recursive: true });
  const isWanted = (/** @type {string} */ name) => wanted.length === 0 || wanted.includes(name);
  for (const [name, { text, bytes }] of await takeAll(vsix, { onlyText: false, isWanted })) {
    if (bytes) fs.writeFileSync(path.join(FOLDER, name), bytes);
    fs.writeFileSync(textFile(name), text);
    console.log(`${((bytes?.length ?? 0) / 1024).toFixed(0).padStart(6)} kB  ${name}`);
  }
  return 0;
}

// `npm run screenshots` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url))
  void main(process.argv.slice(2))
    .catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    })
    .then(async (code) => {
      await closeAll();
      process.exit(code);
    });
