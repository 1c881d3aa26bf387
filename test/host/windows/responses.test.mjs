// @ts-check
/**
 * What is done with responses: buttons above orders, keys, trades and quotes, comparing and saving, with the packaged
 * extension in a real VS Code.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const FILES = {
  "orders.rpc.json": '{ "method": "private/get_open_orders" }\n',
  "keys.rpc.json": '{ "method": "private/list_api_keys" }\n',
  "blocks.rpc.json": '{ "method": "private/get_block_trades", "params": { "currency": "BTC", "count": 2 } }\n',
  "quotes.rpc.json": '{ "method": "private/get_block_rfq_quotes" }\n',
};

/** A JSON file, once it is written to its end. @param {string} file */
function readWhole(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

test.describe("responses of request files", () => {
  const shared = shareWindow({ files: FILES, simulator: ["--seed", "1", "--orders", "5", "--still"], blockTrades: 12 });
  const beside = () => shared.page.locator(".editor-group-container").nth(1);
  /** @param {string | RegExp} title @returns a lens of the response */
  const lens = (title) => beside().locator(".codelens-decoration a", { hasText: title }).first();
  /**
   * @param {keyof typeof FILES} file
   * @param {string | RegExp} title sends its request, until the response has that lens
   */
  const send = async (file, title) => {
    // The response stands beside the group that has the focus.
    await shared.workbench.goToEditors();
    await shared.workbench.quickOpen(file);
    const { method } = JSON.parse(FILES[file]);
    const sentBefore = (await shared.sent(method)).length;
    await shared.workbench.lens(/^▷ Send/, async () => (await shared.sent(method)).length > sentBefore);
    await lens(title).waitFor();
  };
  const diff = () => shared.page.locator(".monaco-diff-editor");
  const closeDiff = async () => {
    await shared.workbench.command("View: Close Editor");
    await diff().first().waitFor({ state: "detached" });
  };

  test("Cancel above an order cancels that one; the same button of the old response says that it is gone", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    const [order] = await shared.simulator.run("openOrders");
    await send("orders.rpc.json", `Cancel ${order.order_id}…`);
    await workbench.shot("responses-orders");
    await lens(`Cancel ${order.order_id}…`).click();
    await until(async () => (await shared.simulator.run("order", { id: order.order_id })).order_state === "cancelled", {
      what: "the order to be cancelled",
    });
    await workbench.status(/[Cc]ancelled/);
    await lens(`Cancel ${order.order_id}…`).click();
    await workbench.toast(/isn't open on SIMULATOR lab any more/);
    await workbench.closeToasts();
    assert.deepEqual(await shared.sent("private/cancel"), [{ order_id: order.order_id }]);
  });

  test("Compare with Previous shows both responses side by side", async () => {
    const { workbench } = shared;
    await send("orders.rpc.json", "Compare with Previous");
    await lens("Compare with Previous").click();
    await diff().locator(".char-delete, .line-delete").first().waitFor();
    await workbench.activeTab(/before ↔ now/);
    await workbench.shot("responses-compare-previous");
    await closeDiff();
  });

  test("Save Response writes what was received, digit for digit; Compare with Saved shows what changed since", async () => {
    const { workbench, page } = shared;
    await send("orders.rpc.json", "Save Response…");
    await lens("Save Response…").click();
    await workbench.quickInput.waitFor();
    await page.keyboard.press("Enter");
    const file = path.join(shared.folder, "get_open_orders.response.json");
    const saved = await until(() => readWhole(file), { what: "the saved response" });
    const open = await shared.simulator.run("openOrders");
    const ids = (/** @type {any[]} */ orders) => orders.map(({ order_id }) => order_id).sort();
    assert.deepEqual(ids(saved), ids(open));
    await shared.simulator.run("cancel", { id: open[0].order_id });
    await send("orders.rpc.json", "Compare with Saved…");
    await beside().locator(".view-lines", { hasText: open[0].order_id }).waitFor({ state: "detached" });
    await lens("Compare with Saved…").click();
    // The editor completes a path that is typed there while its folder is still being listed.
    await workbench.pick(path.basename(file));
    await workbench.activeTab(/get_open_orders\.response\.json ↔ /);
    await diff().locator(".char-delete, .line-delete").first().waitFor();
    await workbench.shot("responses-compare-saved");
    await closeDiff();
  });

  test("an API key: its scope is changed from its button, and it is compared with the key as it is now", async () => {
    const { workbench } = shared;
    await send("keys.rpc.json", /Change Scope of API Key 2…/);
    await workbench.shot("responses-keys");
    await shared.simulator.run("editApiKey", { id: 2, enabled: false });
    await lens(/Change Scope of API Key 2…/).click();
    await workbench.quickInput.locator(".quick-input-title", { hasText: /scope/i }).waitFor();
    await workbench.shot("responses-change-scope");
    await workbench.escape();
    assert.deepEqual(await shared.sent("private/change_scope_in_api_key"), []);
    await lens("Compare with Current API Key").nth(0).waitFor();
    await beside()
      .locator(".codelens-decoration", { hasText: /Key 2…/ })
      .locator("a", { hasText: "Compare with Current API Key" })
      .click();
    await workbench.activeTab(/API key 2: in the response ↔ now/);
    await diff().locator(".char-delete, .line-delete").first().waitFor();
    await workbench.shot("responses-key-compared");
    await closeDiff();
  });

  test("a block trade opens as its own document; a quote is cancelled from its button", async () => {
    const { workbench, page } = shared;
    await send("blocks.rpc.json", /^Open /);
    const title = await lens(/^Open /).innerText();
    await lens(/^Open /).click();
    await page
      .locator(".tab", { hasText: title.replace(/^Open\s/, "") })
      .first()
      .waitFor();
    await workbench.shot("responses-block-trade");
    const [quote] = (await shared.simulator.run("blockRfqQuotes")).filter(
      (/** @type {any} */ each) => each.quote_state === "open",
    );
    await send("quotes.rpc.json", `Cancel Quote ${quote.block_rfq_quote_id}…`);
    await lens(`Cancel Quote ${quote.block_rfq_quote_id}…`).click();
    await until(
      async () =>
        !(await shared.simulator.run("blockRfqQuotes")).some(
          (/** @type {any} */ each) => each.block_rfq_quote_id === quote.block_rfq_quote_id,
        ),
      { what: "the quote to be cancelled" },
    );
    assert.deepEqual(
      (await shared.sent("private/cancel_block_rfq_quote")).map(({ block_rfq_quote_id }) => block_rfq_quote_id),
      [quote.block_rfq_quote_id],
    );
  });
});
