// @ts-check
/**
 * Every press on a CodeLens arrives: Send again and again, a certain time after the response is on the screen, with and
 * without events; and each CodeLens of a response. The simulator's ledger says how many requests came. Nothing is
 * pressed a second time.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { makeBlockTrades } from "../blockTrades.mjs";
import { rounds } from "../../rounds.mjs";
import { outDir, until } from "../process.mjs";
import { test } from "./connectedWindow.mjs";

/** Presses for each pause without events, and as many with them. */
const PRESSES = rounds({ short: 1, full: 10, long: 200 });
const RESPONSE_PRESSES = rounds({ short: 1, full: 5, long: 50 });
const EVENTS_PER_SECOND = 1000;
/**
 * Pauses after which Send is pressed again, in ms after the response is on the screen. Those of a row share a test.
 */
const PAUSES = [[4000], [1700, 1000], [0, 150, 500]];
/** What never ends is stopped, and a machine may be slow. */
const LIMIT_MS = rounds({ short: 4, full: 20, long: 110 }) * 60_000;
const METHOD = "private/get_open_orders";
const RESPONSE_FILES = {
  "orders.rpc.json": `{ "method": "${METHOD}" }\n`,
  "keys.rpc.json": '{ "method": "private/list_api_keys" }\n',
  "blocks.rpc.json": '{ "method": "private/get_block_trades", "params": { "currency": "BTC", "count": 2 } }\n',
  "quotes.rpc.json": '{ "method": "private/get_block_rfq_quotes" }\n',
  // An order of seed 1.
  "unread.rpc.json": '{ "method": "private/cancel", "params": { "order_id": "81230000096" } }\n',
  "anyway.rpc.json": `{ "method": "${METHOD}", "params": { "kind": "unheard" } }\n`,
};
const FILES = {
  "three.rpc.json": `[\n${[1, 2, 3].map((id) => `  { "jsonrpc": "2.0", "id": ${id}, "method": "${METHOD}", "params": { "kind": "option" } }`).join(",\n")}\n]\n`,
};

const settings = { "workbench.editor.doubleClickTabToToggleEditorGroupSizes": "off" };

/** @param {string} line of the report */
function keep(line) {
  console.log(`note: ${line}`);
  fs.mkdirSync(outDir, { recursive: true });
  fs.appendFileSync(path.join(outDir, "presses.txt"), `${line}\n`);
}

test.describe("Send, pressed on its CodeLens again and again", () => {
  // Pauses are most of the time of each test.
  test.describe.configure({ mode: "parallel" });

  for (const pauses of PAUSES) {
    test(`${PRESSES} presses ${pauses.join(", ")} ms after the response, without events and with ${EVENTS_PER_SECOND} a second`, async ({
      openConnected,
    }) => {
      test.setTimeout(LIMIT_MS);
      const name = `pause-${pauses[0]}`;
      const window = await openConnected({
        name,
        files: FILES,
        simulator: ["--seed", "1", "--orders", "300", "--updates", String(EVENTS_PER_SECOND)],
        settings,
      });
      const { workbench, page, simulator } = window;
      await simulator.run("setStill", { isStill: true });
      await workbench.quickOpen("three.rpc.json");
      const lenses = page
        .locator(".editor-group-container")
        .first()
        .locator(".codelens-decoration a", { hasText: /^▷ Send\b/ });
      await until(async () => (await lenses.count()) === 3, { what: "three buttons" });
      const eventsBefore = await eventsOf(window);
      for (const pauseMs of pauses) await pressSend({ window, lenses, pauseMs, events: 0 });
      assert.equal(await eventsOf(window), eventsBefore);
      await simulator.run("setStill", { isStill: false });
      const since = performance.now();
      for (const pauseMs of pauses) await pressSend({ window, lenses, pauseMs, events: EVENTS_PER_SECOND });
      const perSecond = (((await eventsOf(window)) - eventsBefore) * 1000) / (performance.now() - since);
      assert.ok(perSecond > 0);
      keep(`presses: ${Math.round(perSecond)} events a second came to the window ${name}`);
    });
  }

  test(`${RESPONSE_PRESSES} presses on each CodeLens of a response`, async ({ openConnected }) => {
    test.setTimeout(LIMIT_MS);
    const window = await openConnected({
      name: "responses",
      files: RESPONSE_FILES,
      simulator: ["--seed", "1", "--orders", "5", "--still"],
      settings,
    });
    await pressResponses(window);
  });
});

/** @param {import("./connectedWindow.mjs").ConnectedWindow} window */
async function pressResponses(window) {
  const { workbench, page, simulator } = window;
  const beside = page.locator(".editor-group-container").nth(1);
  /** @param {string | RegExp} title */
  const lens = (title) => beside.locator(".codelens-decoration a", { hasText: title }).first();
  const diff = page.locator(".monaco-diff-editor");
  const orders = workbench.pane("Open Orders");
  const closeTab = async () => {
    const tabs = beside.locator(".tab");
    const count = await tabs.count();
    await beside.locator(".tabs-container .tab.active .tab-actions .action-label").click();
    await until(async () => (await tabs.count()) === count - 1, { what: "the tab to be closed" });
  };
  const closeDiff = async () => {
    await closeTab();
    await diff.first().waitFor({ state: "detached" });
  };
  /**
   * @param {keyof typeof RESPONSE_FILES} file
   * @param {string | RegExp} title sends its request, until the response has that CodeLens; a tab that is kept is not
   * replaced by what the CodeLens opens
   */
  const send = async (file, title) => {
    await workbench.goToEditors();
    await workbench.quickOpen(file);
    await workbench.lens(/^▷ Send/);
    await lens(title).waitFor();
    await beside.locator(".tab.active .label-name").dblclick();
  };
  /**
   * @param {string} method
   * @returns {() => Promise<() => Promise<void>>} tells, before a press, how its request is waited for
   */
  const request = (method) => async () => {
    const before = await window.count(method);
    return async () =>
      void (await until(async () => (await window.count(method)) === before + 1, {
        what: `${method} at the simulator`,
      }));
  };
  const asks = async () => async () => await workbench.quickInput.waitFor();
  const compares = async () => async () => await diff.first().waitFor();
  /**
   * @param {string} name
   * @param {(press: number) => import("@playwright/test").Locator} button
   * @param {() => Promise<() => Promise<void>>} arrival
   * @param {() => Promise<unknown>} [reset]
   */
  const press = async (name, button, arrival, reset) => {
    const sinceMs = performance.now();
    for (let count = 0; count < RESPONSE_PRESSES; count++) {
      const arrives = await arrival();
      await button(count).click();
      await arrives().catch((error) => {
        throw new Error(`Press ${count + 1} of ${RESPONSE_PRESSES} on ${name} had no effect.`, { cause: error });
      });
      await reset?.();
    }
    keep(
      `presses: ${name}: ${RESPONSE_PRESSES} of ${RESPONSE_PRESSES} arrived (${((performance.now() - sinceMs) / 1000).toFixed(0)} s)`,
    );
  };

  await send("orders.rpc.json", "Save Response…");
  await send("orders.rpc.json", "Compare with Previous");
  await press(
    "Save Response…",
    () => lens("Save Response…"),
    asks,
    () => workbench.escape(),
  );
  await press("Compare with Previous", () => lens("Compare with Previous"), compares, closeDiff);
  await press(
    "Compare with Saved…",
    () => lens("Compare with Saved…"),
    asks,
    () => workbench.escape(),
  );
  const dirty = page.locator(".editor-group-container").first().locator(".tab.active.dirty");
  await press(
    "Create Expectation from Response",
    () => lens("Create Expectation from Response"),
    async () => async () => await dirty.waitFor(),
    async () => {
      await workbench.goToEditors();
      await page.keyboard.press("Control+Z");
      await dirty.waitFor({ state: "detached" });
    },
  );
  const [first = "", second = ""] = (
    await beside.locator(".codelens-decoration a", { hasText: /^Cancel / }).allInnerTexts()
  ).map((text) => /^Cancel\s(\S+)…/.exec(text)?.[1] ?? "");
  let revealed = first;
  await press(
    "Reveal in Open Orders",
    (count) => {
      revealed = count % 2 === 0 ? first : second;
      return beside
        .locator(".codelens-decoration", { hasText: `Cancel ${revealed}…` })
        .locator("a", { hasText: "Reveal in Open Orders" });
    },
    async () => async () =>
      await orders.locator(`.monaco-list-row[aria-selected="true"][aria-label$="${revealed}"]`).waitFor(),
  );
  // Refused each time, so that the order and its quote stay open for the next press.
  await simulator.run("setFault", {
    method: "private/cancel",
    times: RESPONSE_PRESSES,
    effect: "skipped",
    response: { code: 11044 },
  });
  await press("Cancel <order>…", () => lens(`Cancel ${first}…`), request("private/cancel"));
  await send("keys.rpc.json", /Change Scope of API Key 2…/);
  await press(
    "Change Scope of API Key <key>…",
    () => lens(/Change Scope of API Key 2…/),
    asks,
    () => workbench.escape(),
  );
  await press("Compare with Current API Key", () => lens("Compare with Current API Key"), compares, closeDiff);
  await makeBlockTrades(simulator, 12);
  await send("blocks.rpc.json", /^Open /);
  const tabs = beside.locator(".tab");
  await press(
    "Open <block trade>",
    () => lens(/^Open /),
    async () => {
      const count = await tabs.count();
      return async () =>
        void (await until(async () => (await tabs.count()) === count + 1, { what: "the tab of the block trade" }));
    },
    closeTab,
  );
  const [quote] = (await simulator.run("blockRfqQuotes")).filter(
    (/** @type {any} */ each) => each.quote_state === "open",
  );
  await simulator.run("setFault", {
    method: "private/cancel_block_rfq_quote",
    times: RESPONSE_PRESSES,
    effect: "skipped",
    response: { code: 11044 },
  });
  await send("quotes.rpc.json", `Cancel Quote ${quote.block_rfq_quote_id}…`);
  await press(
    "Cancel Quote <quote>…",
    () => lens(`Cancel Quote ${quote.block_rfq_quote_id}…`),
    request("private/cancel_block_rfq_quote"),
  );
  await send("anyway.rpc.json", "Send Anyway");
  await press(
    "Send Anyway",
    () => lens("Send Anyway"),
    request(METHOD),
    async () => {
      await workbench.goToEditors();
      await workbench.lens(/^▷ Send/);
      await lens("Send Anyway").waitFor();
    },
  );
  // A change without a response, and the key may not read what came of it: each press looks again, and the log says so.
  await simulator.run("setFault", { method: "private/cancel", effect: "skipped", response: "none" });
  for (const method of ["private/get_order_state", METHOD])
    await simulator.run("setFault", {
      ...{ method, times: 10 * RESPONSE_PRESSES, effect: "skipped" },
      response: { code: 13_021 },
    });
  await workbench.goToEditors();
  await workbench.quickOpen("unread.rpc.json");
  await workbench.lens(/^▷ Send/);
  await lens("Check Again").waitFor();
  const looks = () => logLines(window.dataDir, /verdict unverified/);
  await press(
    "Check Again",
    () => lens("Check Again"),
    async () => {
      const before = looks();
      return async () => void (await until(() => looks() === before + 1, { what: "the verdict in the log" }));
    },
  );
}

/** @param {string} dataDir @param {RegExp} pattern @returns {number} how many lines of the extension's logs match */
function logLines(dataDir, pattern) {
  const logs = fs
    .readdirSync(path.join(dataDir, "logs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /Trading RPC.*\.log$/.test(name));
  return logs
    .flatMap((name) => fs.readFileSync(path.join(dataDir, "logs", name), "utf8").split("\n"))
    .filter((line) => pattern.test(line)).length;
}

/**
 * @param {{ window: import("./connectedWindow.mjs").ConnectedWindow, lenses: import("@playwright/test").Locator, pauseMs: number,
 * events: number }} how
 */
async function pressSend({ window, lenses, pauseMs, events }) {
  const { page } = window;
  const sinceMs = performance.now();
  const before = await window.count(METHOD);
  const errorsBefore = (await window.errors()).length;
  for (let press = 0; press < PRESSES; press++) {
    const shown = await page.evaluate(shownRequestId);
    await lenses.nth(press % 3).click();
    await page.waitForFunction(`(${shownRequestId})() > ${shown}`).catch((error) => {
      throw new Error(`Press ${press + 1} of ${PRESSES}, ${pauseMs} ms after the response, had no response.`, {
        cause: error,
      });
    });
    // The pause is what is tested.
    if (press < PRESSES - 1) await page.waitForTimeout(pauseMs);
  }
  const arrived = (await window.count(METHOD)) - before;
  const errors = (await window.errors()).slice(errorsBefore);
  keep(
    `presses: Send ${pauseMs} ms after the response, ${events} events a second: ${arrived} of ${PRESSES} arrived, ${errors.length} error notifications (${((performance.now() - sinceMs) / 1000).toFixed(0)} s)`,
  );
  assert.equal(arrived, PRESSES);
  assert.deepEqual(errors, []);
}

/**
 * Runs in the page: returns the request ID in the response beside the request, 0 before there is one. The editor keeps
 * its lines in any order, and the line with the ID may be broken into several, so they are read from top to bottom.
 */
const shownRequestId = () => {
  const lines = [...(document.querySelectorAll(".editor-group-container")[1]?.querySelectorAll(".view-line") ?? [])];
  const top = (/** @type {Element} */ line) => Number.parseFloat(/** @type {HTMLElement} */ (line).style.top);
  const text = lines.sort((one, other) => top(one) - top(other)).map((line) => line.textContent);
  return Number(/request\s*ID\s*(\d+)/.exec(text.join(" "))?.[1] ?? 0);
};

/** @param {import("./connectedWindow.mjs").ConnectedWindow} window @returns {Promise<number>} events that the simulator has sent */
async function eventsOf({ simulator }) {
  const events = (await simulator.run("connections")).flatMap((/** @type {any} */ { events: each }) =>
    Object.values(each),
  );
  return events.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
}
