// @ts-check
/**
 * Writing request files as a user does it: live completion, hover, and a failed expectation in the Test Explorer, with
 * the packaged extension in a real VS Code.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "" } }\n';
const TRADES = `{
  "$file": { "vars": { "max": 2 } },
  "method": "public/get_last_trades_by_instrument",
  "params": { "instrument_name": "BTC-PERPETUAL", "count": "{{max}}" },
  "$run": { "name": "tape", "expect": { "result": { "trades": { "$len": 5 } } } }
}
`;

const MMP = '{ "method": "private/get_mmp_config" }\n';

test.describe("writing request files", () => {
  const shared = shareWindow({
    files: {
      "cancel.rpc.json": CANCEL,
      "trades.rpc.json": TRADES,
      "mmp.rpc.json": MMP,
      "empty.rpc.json": "",
      "twice.rpc.json": '{ "id": 1, "id": 2, "method": "public/get_time" }\n',
    },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
  });

  test("order ids of the account are offered, with what they are", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    const [order] = await shared.simulator.run("openOrders");
    await workbench.quickOpen("cancel.rpc.json");
    await workbench.goToLine(1, CANCEL.indexOf('""') + 2);
    await page.keyboard.press("Control+Space");
    const widget = page.locator(".suggest-widget.visible");
    await widget.locator(".monaco-list-row", { hasText: order.order_id }).first().waitFor();
    await workbench.shot("authoring-completion");
    assert.match(
      (await widget.locator(".monaco-list-row", { hasText: order.order_id }).first().innerText()).replaceAll(
        /\s+/g,
        " ",
      ),
      new RegExp(order.instrument_name),
    );
    await page.keyboard.press("Escape");
  });

  test("a placeholder tells its value and where it comes from", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("trades.rpc.json");
    // The lines move when the lenses come.
    await page.locator(".codelens-decoration", { hasText: "Send" }).first().waitFor();
    await workbench.goToLine(4, (TRADES.split("\n")[3] ?? "").indexOf("{{max") + 4);
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    const hover = page.locator(".monaco-hover:not(.hidden)", { hasText: "$file.vars" });
    await hover.first().waitFor();
    assert.match(await hover.first().innerText(), /\b2\b/);
    await workbench.shot("authoring-hover");
  });

  test("a method is found by its name, with its section and summary, and written with its parameters", async () => {
    const { workbench, page } = shared;
    const widget = page.locator(".suggest-widget.visible");
    const row = (/** @type {string} */ label) => widget.locator(".monaco-list-row", { hasText: label }).first();
    await workbench.quickOpen("empty.rpc.json");
    await workbench.goToLine(1);
    await page.keyboard.press("Control+Space");
    await row("private/cancel").waitFor();
    assert.match((await row("private/cancel").innerText()).replaceAll(/\s+/g, " "), /Trading · Cancels/);
    await workbench.shot("authoring-methods");
    await page.keyboard.type("get_open_orders_by_currency");
    await row("private/get_open_orders_by_currency").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".view-lines", { hasText: '"currency":' }).first().waitFor();
    await page.keyboard.press("Control+Space");
    await row('"EURR"').waitFor();
    await workbench.shot("authoring-currencies");
    await page.keyboard.type("SOL");
    await row('"SOL"').click();
    await page.locator(".codelens-decoration", { hasText: "▷ Send" }).first().waitFor();
    await workbench.lens(/^▷ Send\b/);
    await page.locator(".codelens-decoration", { hasText: "Save Response…" }).first().waitFor();
    assert.deepEqual((await shared.sent("private/get_open_orders_by_currency")).at(-1), { currency: "SOL" });
  });

  test("the hover of a method has all that is known of it", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("mmp.rpc.json");
    await page.locator(".codelens-decoration", { hasText: "Send" }).first().waitFor();
    await workbench.goToLine(1, MMP.indexOf("get_mmp_config") + 3);
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    const hover = page.locator(".monaco-hover:not(.hidden)", { hasText: "private/get_mmp_config · Trading" });
    await hover.first().waitFor();
    const text = await hover.first().innerText();
    assert.match(text, /Scope: trade:read, or block_rfq:read if block_rfq is true · Costs 500 of 50\u202F000 credits/);
    assert.match(text, /mmp_group \(string, only with index_name\)/);
    assert.equal(text.split("Returns the market maker protection (MMP) limits.").length, 2, "told once");
    await workbench.shot("authoring-method-hover");
    await page.keyboard.press("Escape");
  });

  test("Browse Methods finds a method by words and opens a request", async () => {
    const { workbench, page } = shared;
    await workbench.command("Trading RPC: Browse Methods…");
    await workbench.picks();
    await page.keyboard.type("order cancel label");
    await until(async () => (await workbench.picks())[0]?.includes("private/cancel_by_label"), {
      what: "the method in the list",
    });
    await workbench.shot("authoring-browse-methods");
    await page.keyboard.press("Enter");
    await workbench.activeTab("request.rpc.json");
    // The text is inserted as a snippet once the file is open.
    await until(async () => /"private\/cancel_by_label"/.test(await workbench.editorText()), { what: "the method" });
    assert.match(await workbench.editorText(), /"label":/);
    await workbench.command("View: Revert and Close Editor");
  });

  test("the code of a problem opens its entry in the page that ships with the extension", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("twice.rpc.json");
    await workbench.command("Problems: Focus on Problems View");
    await page
      .locator(".markers-panel a", { hasText: /^\(?duplicateKey\)?$/ })
      .first()
      .click({ modifiers: ["ControlOrMeta"] });
    await workbench.activeTab("problems.md");
    await page.locator(".breadcrumbs-control", { hasText: "## duplicateKey" }).waitFor();
    await workbench.command("View: Close Editor");
    await workbench.command("View: Hide Panel");
  });
});
