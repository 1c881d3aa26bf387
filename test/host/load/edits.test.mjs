// @ts-check
/**
 * Ten thousand orders, a thousand events a second, and twenty edits by row in a real VS Code: each edit that reaches
 * the exchange is of the order that was aimed at, with the price that was entered, and there is one.
 */
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { makeFolder, openEditor } from "../open.mjs";
import { removeDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { keepFigures, note, summary } from "./figures.mjs";
import { ordersPage, pickOne } from "./ordersPage.mjs";

const ORDERS = 10_000;
const UPDATES_PER_SECOND = 1000;
const EDITS = 20;
/** The load moves a price by at most six ticks at once: an edit by more than that is never what the load has made. */
const LEAST_TICKS = 10;
/** Away from every row. @type {[number, number]} */
const ASIDE = [900, 500];

/** @typedef {{ order_id: string, price: number }} Edit */

test.describe("ten thousand orders, a thousand events a second", () => {
  test.describe.configure({ mode: "serial" });
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  /** @type {import("./ordersPage.mjs").OrdersPage} */
  let orders;
  const folder = makeFolder({ "notes.txt": "\n" });
  /** @type {Record<string, unknown>} */
  const figures = { orders: ORDERS, updatesPerSecond: UPDATES_PER_SECOND };
  test.beforeAll(async () => {
    simulator = await startSimulator([
      "--seed",
      "3",
      "--orders",
      String(ORDERS),
      "--updates",
      String(UPDATES_PER_SECOND),
    ]);
    editor = await openEditor({
      folder,
      vsix: await vsixUnderTest(),
      viewport: { width: 1400, height: 1150 },
      settings: { "tradingRpc.orders.pageSize": 1000 },
    });
    const { workbench } = editor;
    orders = ordersPage(workbench);
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator, { name: "load" });
    await workbench.status(/SIMULATOR load/);
    await orders.openGroups();
  });
  test.afterAll(async () => {
    keepFigures("load-edits", figures);
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });

  test(`Edit Order on a row is about that order: ${EDITS} of ${EDITS}`, async () => {
    const ticks = await tickSizes();
    /** @type {Edit[]} */
    const wanted = [];
    /** @type {number[]} */
    const confirmations = [];
    const [sinceMs, eventsBefore] = [performance.now(), await eventsSent()];
    for (let turn = 0; turn < EDITS; turn++) {
      const id = pickOne(await orders.choice(simulator), turn);
      wanted.push({ order_id: id, price: await enterEdit(id, turn, ticks) });
      confirmations.push(await confirmEdit(turn));
    }
    const rate = ((await eventsSent()) - eventsBefore) / ((performance.now() - sinceMs) / 1000);
    const askedAgain = confirmations.filter((count) => count > 1).length;
    Object.assign(figures, { rate, confirmations: summary(confirmations) });
    note(
      `load: ${EDITS} edits by row while ${rate.toFixed(0)} events a second arrived; ${askedAgain} were confirmed again because the order had changed`,
    );
    const changes = (await privateFrames()).filter(
      ({ method }) => !/^private\/(get_|subscribe|unsubscribe|simulate_portfolio)/.test(method),
    );
    assert.deepEqual(
      changes.map(({ method, params }) => ({ method, order_id: params.order_id, price: params.price })),
      wanted.map((edit) => ({ method: "private/edit", ...edit })),
    );
    assert.ok(rate >= UPDATES_PER_SECOND * 0.9, `${rate.toFixed(0)} events a second`);
  });

  /** @returns {Promise<{ method: string, params: any }[]>} the private requests that arrived, oldest first */
  async function privateFrames() {
    return (await simulator.run("ledger"))
      .filter((/** @type {any} */ { method = "" }) => method.startsWith("private/"))
      .map((/** @type {any} */ { method, paramsText = "{}" }) => ({ method, params: JSON.parse(paramsText) }));
  }

  const editsSent = async () => (await privateFrames()).filter(({ method }) => method === "private/edit").length;

  /** @returns {Promise<number>} how many events of the account's orders were sent to the extension */
  async function eventsSent() {
    const [ours] = (await simulator.run("connections")).filter((/** @type {any} */ each) => each.channels.length > 0);
    return Object.values(/** @type {Record<string, number>} */ (ours.events)).reduce((sum, count) => sum + count, 0);
  }

  /** @returns {Promise<Map<string, number>>} the tick size of each instrument */
  async function tickSizes() {
    const { origin } = new URL(simulator.http);
    const response = await fetch(`${origin}/api/v2/public/get_instruments?currency=any`);
    const { result } = /** @type {{ result: any[] }} */ (await response.json());
    return new Map(result.map((each) => [each.instrument_name, each.tick_size]));
  }

  /**
   * Runs Edit Order… in the menu of an order's row, and enters a price away from a trade.
   * @param {string} id
   * @param {number} turn
   * @param {Map<string, number>} ticks
   * @returns {Promise<number>} the price
   */
  async function enterEdit(id, turn, ticks) {
    const { page, workbench } = editor;
    const { instrument_name: instrument, direction } = await simulator.run("order", { id });
    await workbench.contextOn(orders.rowOf(id).locator(".label-name").first(), "Edit Order…");
    await workbench.quickInput.locator(".quick-input-title", { hasText: `Edit ${instrument}` }).waitFor();
    const [amount = "", before = ""] = (await workbench.quickBox.inputValue()).split(" @ ");
    const tick = ticks.get(instrument) ?? assert.fail(`no tick size of ${instrument}`);
    const away = tick * (LEAST_TICKS + turn) * (direction === "buy" ? -1 : 1);
    const [, decimals = ""] = tick.toString().split(".");
    const price = Number((Number(before) + away).toFixed(decimals.length));
    await workbench.write(`${amount} @ ${price}`);
    await workbench.quickInput.locator(".monaco-list-row.focused", { hasText: `→ ${price}` }).waitFor();
    await page.keyboard.press("Enter");
    await page.mouse.move(...ASIDE);
    return price;
  }

  /**
   * Confirms the edit until it has been sent. An order that the load changes meanwhile is confirmed again, with its
   * present values.
   * @param {number} before how many edits were sent before
   * @returns {Promise<number>} how often it was confirmed
   */
  async function confirmEdit(before) {
    const { workbench } = editor;
    /** @type {string[]} */
    const confirmed = [];
    await until(
      async () => {
        if ((await editsSent()) > before) return true;
        if (!(await workbench.dialog.isVisible())) return false;
        const { text } = await workbench.readModal();
        if (confirmed.at(-1) === text) return false;
        confirmed.push(text);
        await workbench.dialog
          .locator(".dialog-buttons .monaco-button")
          .getByText("Edit Order", { exact: true })
          .click();
        return false;
      },
      { what: `edit ${before + 1} at the exchange` },
    );
    await workbench.dialog.waitFor({ state: "detached" });
    return confirmed.length;
  }
});
