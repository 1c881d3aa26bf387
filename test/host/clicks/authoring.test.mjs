// @ts-check
/** Writing request files as a user does it: live completion, hover, and a failed expectation in the Test Explorer, with the packaged extension in a real VS Code. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditor } from "../open.mjs";
import { removeDir, tempDir } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";

const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "" } }\n';
const TRADES = `{
  "$file": { "vars": { "max": 2 } },
  "method": "public/get_last_trades_by_instrument",
  "params": { "instrument_name": "BTC-PERPETUAL", "count": "{{max}}" },
  "$run": { "name": "tape", "expect": { "result": { "trades": { "$len": 5 } } } }
}
`;

describe("writing request files", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = tempDir("rpc-authoring");
  before(async () => {
    fs.writeFileSync(path.join(folder, "cancel.rpc.json"), CANCEL);
    fs.writeFileSync(path.join(folder, "trades.rpc.json"), TRADES);
    simulator = await startSimulator(["--seed", "1", "--orders", "5", "--still"]);
    editor = await openEditor({ folder, vsix: await vsixUnderTest() });
  });
  after(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  /** @param {string} name @param {() => Promise<void>} body */
  const pictured = (name, body) => test(name, () => editor.pictured(`failed-${name}`, body)());

  pictured("order ids of the account are offered, with what they are", async () => {
    const { workbench, page } = editor;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    const [order] = await simulator.run("openOrders");
    await workbench.quickOpen("cancel.rpc.json");
    await workbench.goToLine(1, CANCEL.indexOf('""') + 2);
    await page.keyboard.press("Control+Space");
    const widget = page.locator(".suggest-widget.visible");
    await widget.locator(".monaco-list-row", { hasText: order.order_id }).first().waitFor();
    await workbench.shot("authoring-completion");
    assert.match((await widget.locator(".monaco-list-row", { hasText: order.order_id }).first().innerText()).replaceAll(/\s+/g, " "), new RegExp(order.instrument_name));
    await page.keyboard.press("Escape");
  });

  pictured("a placeholder tells its value and where it comes from", async () => {
    const { workbench, page } = editor;
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

  pictured("an expectation that does not hold fails its test, with both values at its line", async () => {
    const { workbench, page } = editor;
    await workbench.command("Test: Run Tests in Current File");
    await page.locator(".codicon-testing-failed-icon, .testing-run-glyph .codicon-testing-failed-icon").first().waitFor();
    await workbench.command("Testing: Focus on Test Explorer View");
    await page.locator(".monaco-list-row", { hasText: "trades.rpc.json" }).first().waitFor();
    await page.getByText(/result\.trades: expected \$len 5, got/).first().waitFor();
    await workbench.shot("authoring-test-explorer");
    const asked = (await simulator.run("ledger")).filter((/** @type {any} */ { method }) => method === "public/get_last_trades_by_instrument");
    assert.deepEqual(asked.map((/** @type {any} */ { text }) => JSON.parse(text).params), [{ instrument_name: "BTC-PERPETUAL", count: 2 }]);
  });
});
