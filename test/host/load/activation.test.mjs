// @ts-check
/**
 * How long the user waits: for VS Code to have the extension, for its first view, for the first order after connecting
 * or after starting the simulator, and for a response after Send. How long is printed, because it says as much about
 * the machine.
 */
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { makeFolder, openEditor } from "../open.mjs";
import { removeDir } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { EMPTY_FILE, EMPTY_LENS, EMPTY_ROW, EMPTY_VIEW, emptyExtension } from "./emptyExtension.mjs";
import { inspectable, watchExtensionHost } from "./extensionHost.mjs";
import { keepFigures, LINUX_ONLY, note, summary } from "./figures.mjs";

const EXTENSION = "trading-rpc.trading-rpc";
const ORDERS = 24;
const AN_ORDER = /PERPETUAL|-\d{2}[A-Z]{3}\d{2}/;
const ROWS = ".sidebar .monaco-list-row";
const SENDS = 30;

test.describe("the first moments", () => {
  test.describe.configure({ mode: "serial" });
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = makeFolder({ "notes.txt": "\n", "time.rpc.json": '{ "method": "public/get_time" }\n' });
  /** @type {Record<string, unknown>} */
  const figures = {};
  test.beforeAll(async () => {
    simulator = await startSimulator(["--seed", "1", "--orders", String(ORDERS), "--still"]);
    editor = await openEditor({ folder, vsix: await vsixUnderTest(), env: inspectable });
  });
  test.afterAll(async () => {
    keepFigures("load-activation", figures);
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });

  test("the first view has its rows", async () => {
    const { page, workbench } = editor;
    await page
      .locator(".activitybar .action-item", { has: page.locator('[aria-label^="Trading RPC"]') })
      .first()
      .waitFor();
    const waited = await untilSeen(editor, { within: ROWS, text: /SIMULATOR/ }, () =>
      workbench.openView("Trading RPC"),
    );
    Object.assign(figures, { viewToFirstRowMs: waited });
    note(`load: view opened → first row ${waited.toFixed(0)} ms`);
  });

  test("activation costs little, by the marks that VS Code sets itself, in whole milliseconds", async () => {
    test.skip(process.platform !== "linux", LINUX_ONLY);
    const host = await watchExtensionHost(editor.dataDir, EXTENSION);
    const marks = new Map(
      await host.evaluate(
        "globalThis.MonacoPerformanceMarks.getMarks().map(({ name, startTime }) => [name, startTime])",
      ),
    );
    host.close();
    /** @param {string} what */
    const took = (what) =>
      marks.get(`code/extHost/did${what}/${EXTENSION}`) - marks.get(`code/extHost/will${what}/${EXTENSION}`);
    const [loadMs, activationMs] = [took("LoadExtensionCode"), took("ActivateExtension")];
    assert.ok(Number.isFinite(loadMs) && Number.isFinite(activationMs), "VS Code has set its marks");
    Object.assign(figures, { loadMs, activationMs });
    note(`load: the entry was loaded in ${loadMs} ms; activation took ${activationMs} ms with that`);
  });

  test("from the last response to the first order", async () => {
    const { workbench } = editor;
    await workbench.openOnly("Open Orders");
    await workbench.command("Trading RPC: Add Connection");
    await workbench.pick("Custom");
    await workbench.input(simulator.webSocket);
    await workbench.input(simulator.clientId);
    await workbench.inputButton("Keep Until This Window Closes");
    const waited = await untilSeen(editor, { within: ROWS, text: AN_ORDER }, () =>
      workbench.input(simulator.clientSecret),
    );
    Object.assign(figures, { connectToFirstRowMs: waited });
    note(`load: connecting → first row of ${ORDERS} orders ${waited.toFixed(0)} ms`);
  });

  test("from Send to the response", async () => {
    const { page, workbench } = editor;
    await workbench.quickOpen("time.rpc.json");
    const send = page.locator(".codelens-decoration a", { hasText: /^▷ Send\b/ }).first();
    const response = page.locator(".editor-group-container").nth(1).locator(".view-lines").first();
    /** @type {number[]} */
    const waited = [];
    for (let sends = 0; sends < SENDS; sends++) {
      // Each response has another time.
      const before = sends === 0 ? "" : ((await response.textContent()) ?? "");
      const seen = { within: ".editor-group-container .view-lines", text: /\d{13}/, before };
      waited.push(await untilSeen(editor, seen, () => send.click()));
    }
    const { median, p95 } = summary(waited);
    Object.assign(figures, { sendToResponseMs: waited });
    note(
      `load: Send → response on the screen, ${SENDS} times: the first ${waited[0]?.toFixed(0)} ms, median ${median.toFixed(0)} ms, 95 % ${p95.toFixed(0)} ms`,
    );
  });
});

test.describe("the built-in simulator", () => {
  const folder = makeFolder({ "notes.txt": "\n" });
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Record<string, number>} */
  const figures = {};
  test.beforeAll(async () => {
    editor = await openEditor({ folder, vsix: await vsixUnderTest() });
  });
  test.afterAll(async () => {
    keepFigures("load-simulator", figures);
    await editor?.close();
    removeDir(folder);
  });

  test("from Start Simulator to the first order", async () => {
    const { page, workbench } = editor;
    await workbench.openView("Trading RPC");
    const start = page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first();
    await start.waitFor();
    const waited = await untilSeen(editor, { within: ROWS, text: AN_ORDER }, () => start.click());
    Object.assign(figures, { startToFirstRowMs: waited });
    note(`load: Start Simulator → first row of Open Orders ${waited.toFixed(0)} ms`);
  });
});

/**
 * What VS Code itself takes, by an extension that does nothing, in the same window. Whichever comes first pays for what
 * a window does for the first time, so each comes first once.
 */
for (const order of ["the empty extension first", "the product first"])
  test.describe(`beside an empty extension, ${order}`, () => {
    test.describe.configure({ mode: "serial" });
    const folder = makeFolder({ [EMPTY_FILE]: "\n", "time.rpc.json": '{ "method": "public/get_time" }\n' });
    /** @type {Awaited<ReturnType<typeof openEditor>>} */
    let editor;
    /** @type {Record<string, number>} */
    const figures = {};
    const isEmptyFirst = order.startsWith("the empty");
    test.beforeAll(async () => {
      editor = await openEditor({ folder, vsix: [await vsixUnderTest(), await emptyExtension()] });
    });
    test.afterAll(async () => {
      keepFigures(`load-empty-${isEmptyFirst ? "first" : "second"}`, figures);
      await editor?.close();
      removeDir(folder);
    });

    test("view → first row, and Start Simulator → first order", async () => {
      const { page, workbench } = editor;
      for (const title of [EMPTY_VIEW, "Trading RPC"])
        await page
          .locator(".activitybar .action-item", { has: page.locator(`[aria-label^="${title}"]`) })
          .first()
          .waitFor();
      const views = [
        { figure: "emptyViewMs", title: EMPTY_VIEW, text: new RegExp(EMPTY_ROW) },
        { figure: "viewMs", title: "Trading RPC", text: /SIMULATOR/ },
      ];
      for (const { figure, title, text } of isEmptyFirst ? views : views.toReversed())
        figures[figure] = await untilSeen(editor, { within: ROWS, text }, () => workbench.openView(title));
      await workbench.openView("Trading RPC");
      const start = page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first();
      await start.waitFor();
      figures["startMs"] = await untilSeen(editor, { within: ROWS, text: AN_ORDER }, () => start.click());
      const { emptyViewMs = NaN, viewMs = NaN, startMs = NaN } = figures;
      note(
        `load: view → first row ${viewMs.toFixed(0)} ms, of the empty extension ${emptyViewMs.toFixed(0)} ms (${(viewMs / emptyViewMs).toFixed(2)} ×); Start Simulator → first order ${startMs.toFixed(0)} ms (${(startMs / viewMs).toFixed(2)} × the view)`,
      );
      assert.ok(Number.isFinite(viewMs / emptyViewMs + startMs));
    });

    test("Send → response on the screen", async () => {
      const { page, workbench } = editor;
      const response = page.locator(".editor-group-container").nth(1).locator(".view-lines").first();
      const sends = [
        { figure: "emptySendMs", file: EMPTY_FILE, lens: new RegExp(EMPTY_LENS) },
        { figure: "sendMs", file: "time.rpc.json", lens: /^▷ Send\b/ },
      ];
      for (const { figure, file, lens } of isEmptyFirst ? sends : sends.toReversed()) {
        await workbench.command("View: Close All Editors");
        await workbench.quickOpen(file);
        const send = page.locator(".codelens-decoration a", { hasText: lens }).first();
        /** @type {number[]} */
        const waited = [];
        for (let time = 0; time < SENDS; time++) {
          const before = time === 0 ? "" : ((await response.textContent()) ?? "");
          const seen = { within: ".editor-group-container .view-lines", text: /\d{13}/, before };
          waited.push(await untilSeen(editor, seen, () => send.click()));
        }
        figures[figure] = summary(waited).median;
      }
      const { emptySendMs = NaN, sendMs = NaN } = figures;
      note(
        `load: Send → response on the screen, median of ${SENDS}: ${sendMs.toFixed(0)} ms, of the empty extension ${emptySendMs.toFixed(0)} ms (${(sendMs / emptySendMs).toFixed(2)} ×)`,
      );
      assert.ok(Number.isFinite(sendMs / emptySendMs));
    });
  });

/**
 * From the last press of a button or key to the first element with such a text, by the clock of the page.
 * @param {Awaited<ReturnType<typeof openEditor>>} editor
 * @param {{ within: string, text: RegExp, before?: string }} wanted `within`: a selector; `before`: a text that was there
 * before, and is not what is waited for
 * @param {() => Promise<void>} gesture
 * @returns {Promise<number>} ms
 */
async function untilSeen({ page }, { within, text, before = "" }, gesture) {
  const waited = page.evaluate(
    ({ selector, source, old }) => {
      const wanted = new RegExp(source);
      let pressedMs = NaN;
      for (const name of /** @type {const} */ (["mousedown", "keydown"]))
        window.addEventListener(name, ({ timeStamp }) => void (pressedMs = timeStamp), true);
      const isThere = () =>
        [...document.querySelectorAll(selector)].some(
          ({ textContent }) => wanted.test(textContent ?? "") && textContent !== old,
        );
      return new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (Number.isNaN(pressedMs) || !isThere()) return;
          observer.disconnect();
          requestAnimationFrame(() => void setTimeout(() => resolve(performance.now() - pressedMs)));
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
    },
    { selector: within, source: text.source, old: before },
  );
  await gesture();
  return /** @type {Promise<number>} */ (waited);
}
