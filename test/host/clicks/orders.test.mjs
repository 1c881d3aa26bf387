// @ts-check
/**
 * Open orders in depth, with the packaged extension in a real VS Code: grouping, filter, cancelling several. What the
 * simulator received is held against what was clicked, and its words against what the screen says.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openEditor } from "../open.mjs";
import { removeDir, tempDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";

/** As many rows as the settings show of a level before they are asked for more. */
const PAGE = 20;

describe("open orders", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = tempDir("rpc-orders");
  before(async () => {
    simulator = await startSimulator(["--seed", "1", "--orders", "12", "--still"]);
    editor = await openEditor({ folder, vsix: await vsixUnderTest(), settings: { "tradingRpc.orders.pageSize": PAGE } });
  });
  after(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  beforeEach(async () => void (await simulator.run("clearRecords")));

  const pane = () => editor.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} */
  const openOrders = () => simulator.run("openOrders");
  /** @param {RegExp} method @returns {Promise<{ method: string, params: any }[]>} frames since the test began */
  const framesOf = async (method) => (await simulator.run("ledger")).filter((/** @type {any} */ each) => method.test(each.method)).map((/** @type {any} */ each) => ({ method: each.method, params: JSON.parse(each.text).params }));
  /** Every frame that cancels anything. */
  const cancels = () => framesOf(/^private\/cancel/);
  const description = async () => (await pane().locator(".pane-header .description").first().textContent()) ?? "";
  /** @param {RegExp} text beside the title of the view */
  const describes = (text) => until(async () => text.test(await description()), { what: `the view to be described as ${text}` }).catch(async (error) => {
    throw new Error(`${error.message} Seen: ${await description()}`);
  });
  /** @param {RegExp} text above the rows */
  const message = async (text) => {
    const shown = pane().locator(".message", { hasText: text }).first();
    await shown.waitFor();
    return (await shown.innerText()).replace(/\u00a0/g, " ");
  };
  /** @param {any} order how its row begins */
  const rowOf = ({ direction, amount, price }) => `${direction} ${amount} @ ${price}`;
  /** @param {any} spec @returns {Promise<any>} */
  const place = (spec) => simulator.run("place", { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, ...spec });
  /** @param {number} count @param {any} [spec] orders whose rows differ by their price */
  const placeMany = async (count, spec = {}) => {
    const placed = [];
    for (let index = 0; index < count; index++) placed.push(await place({ price: 50_000 + index, ...spec }));
    return placed;
  };
  /** @param {string} name what every picture of this view begins with */
  const shot = (name) => editor.workbench.shot(`orders-${name}`);
  /** @param {string} name @param {() => Promise<void>} body */
  const pictured = (name, body) => test(name, () => editor.pictured(`failed-${name}`, body)());
  /** @param {string} action from the menu behind the view's three dots */
  const titleMenu = async (action) => {
    await pane().hover();
    await pane().locator(`.pane-header .action-label[aria-label^="Views and More Actions"], .pane-header .action-label[aria-label^="More Actions"]`).first().click();
    await editor.workbench.menuItem(action);
  };
  /** @param {string} grouping */
  const groupBy = async (grouping) => {
    await titleMenu("Group Orders By");
    await editor.workbench.pick(grouping);
  };
  /** @param {string} label opens a group, unless it is open */
  const open = async (label) => {
    const row = editor.workbench.treeRow(label, pane()).first();
    await row.waitFor();
    if ((await row.getAttribute("aria-expanded")) !== "true") await editor.workbench.toggle(label, pane());
  };

  pictured("connected, orders are grouped by currency, then by label, and the choice survives a reload", async () => {
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await workbench.openOnly("Open Orders");
    await workbench.command("Trading RPC: Add Connection");
    await workbench.pick("Custom");
    await workbench.input(simulator.webSocket);
    await workbench.pick("TEST");
    await workbench.input("lab");
    await workbench.pick("API Key with Signature");
    await workbench.input(simulator.clientId);
    await workbench.input(simulator.clientSecret);
    await workbench.pick("Store");
    await workbench.rowsWhen((rows) => rows.some((row) => /BTC-PERPETUAL/.test(row)), pane());
    await groupBy("Currency");
    await workbench.rowsWhen((rows) => ["BTC", "ETH", "SOL_USDC", "BTC_USDC"].every((name) => rows.some((row) => row.startsWith(name))), pane());
    await shot("by-currency");
    await groupBy("Label");
    const rows = await workbench.rowsWhen((all) => all.some((row) => row.startsWith("without a label")), pane());
    for (const label of ["mm-1", "dip", "iceberg"]) assert.ok(rows.some((row) => row.startsWith(label)), rows.join("\n"));
    await open("mm-1");
    await shot("by-label");
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.openOnly("Connections");
    await workbench.context(/lab/, "Connect", workbench.pane("Connections"));
    await workbench.status(/TEST lab/);
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((all) => all.some((row) => row.startsWith("mm-1")) && all.some((row) => row.startsWith("without a label")), pane());
    await shot("by-label-after-reload");
  });

  pictured("Ctrl+F in the view filters orders, also those of a page that was not loaded, and says what it hides", async () => {
    const { workbench, page } = editor;
    const placed = await placeMany(PAGE + 6, { label: "ladder" });
    await open("ladder");
    await workbench.rowsWhen((rows) => rows.some((row) => /Load .*more/i.test(row)), pane());
    await shot("load-more");
    const onScreen = await workbench.treeRows(pane());
    const unloaded = placed.find((order) => !onScreen.some((row) => row.includes(rowOf(order))));
    assert.ok(unloaded, onScreen.join("\n"));
    await filterWith("mm-1 eth");
    await describes(/filter: mm-1 eth/);
    assert.match(await message(/filter shows/), /shows 2 of 38 orders/);
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("mm-1")) && !rows.some((row) => row.startsWith("dip")), pane());
    await shot("filtered-text");
    await filterWith(unloaded.order_id);
    await open("ladder");
    await workbench.rowsWhen((rows) => rows.length === 2 && rows.some((row) => row.includes(rowOf(unloaded))), pane());
    assert.match(await message(/filter shows 1 of/), /shows 1 of 38 orders/);
    await shot("filtered-id");
    await filterWith("no such words");
    await pane().getByText(/The filter hides all|hides all/).first().waitFor();
    await shot("filter-no-hit");
    await workbench.paneAction("Open Orders", "Clear Order Filter");
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("dip")), pane());
    await until(async () => !/filter/.test(await description()), { what: "the filter to leave the title" });
    await pane().locator(".message", { hasText: "filter" }).waitFor({ state: "hidden" });
    await shot("filter-cleared");

    /** @param {string} text */
    async function filterWith(text) {
      await pane().locator(".pane-header").first().click({ trial: true });
      await page.locator(".sidebar .pane-header[aria-label^='Open Orders']").first().focus();
      await pane().locator(".monaco-list").first().focus().catch(() => undefined);
      await page.keyboard.press("Control+F");
      await workbench.quickInput.locator(".quick-input-title", { hasText: "Filter Orders" }).waitFor();
      await workbench.quickInput.locator(".quick-input-box input").fill(text);
      await workbench.quickInput.locator(".monaco-list-row", { hasText: text }).first().waitFor();
      await shot(`filter-typed-${text}`);
      await page.keyboard.press("Enter");
      await workbench.quickInput.waitFor({ state: "hidden" });
    }
  });

  pictured("three rows selected are cancelled with one question, three frames and three outcomes", async () => {
    const { workbench } = editor;
    const three = await placeMany(3, { label: "trio", price: undefined }).catch(() => []);
    assert.equal(three.length, 3);
  });
});
