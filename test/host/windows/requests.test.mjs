// @ts-check
/**
 * Running request files as a user does it: lenses, runs, responses, live channels and the history, with the packaged
 * extension in a real VS Code.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const CHAIN = `[
  {
    "method": "private/get_order_state",
    "params": { "order_id": "{{open.result[0].order_id}}" },
    "$run": { "name": "state", "expect": { "result": { "order_state": "open" } } }
  },
  { "method": "private/get_open_orders", "$run": { "name": "open" } },
  { "method": "private/cancel", "params": { "order_id": "{{open.result[0].order_id}}" } }
]
`;
const CHANNEL = "trades.BTC-PERPETUAL.100ms";
const FOLLOW = `{ "method": "public/subscribe", "params": { "channels": ["${CHANNEL}"] } }\n`;
const ENVIRONMENT = '{ "*": { "asked": "ETH-PERPETUAL" }, "$allow": ["sim"] }\n';
const FIRST = '{ "method": "public/get_time" }\n';
const KEYS = '{ "method": "private/list_api_keys" }\n';
const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "{{$ask.Order}}" } }\n';
/** As the documentation shows it, and as a terminal has it. */
const EXAMPLE = `{
  "jsonrpc" : "2.0",
  "id" : 1953,
  "method" : "private/get_open_orders_by_instrument",
  "params" : {
    "instrument_name" : "BTC-PERPETUAL"
  }
}`;
const CURL =
  'curl -X GET "https://www.deribit.com/api/v2/private/get_mmp_config?index_name=btc_usd&mmp_group=" -H "Authorization: Bearer 1554372800983.1C2EL5uX.n0tAt0ken" -H "Content-Type: application/json"';
const ASKED =
  '{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "{{asked}}", "count": 2 } }\n';

test.describe("request files", () => {
  const shared = shareWindow({
    files: {
      "chain.rpc.json": CHAIN,
      "follow.rpc.json": FOLLOW,
      "asked.rpc.json": ASKED,
      "rpc.env.json": ENVIRONMENT,
      "first.rpc.json": FIRST,
      "keys.rpc.json": KEYS,
      "slow.rpc.json": ASKED.replace("{{asked}}", "BTC-PERPETUAL"),
      "cancel.rpc.json": CANCEL,
      "docs.rpc.json": "",
      "list.rpc.json": `[\n${FIRST.trim()}\n\n]\n`,
    },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
    settings: { "tradingRpc.requests.history": "disk" },
  });
  const beside = () => shared.page.locator(".editor-group-container").nth(1);
  /** @param {string} file opens it in the first group: a response stands beside the group that has the focus */
  const open = async (file) => {
    await shared.workbench.goToEditors();
    await shared.workbench.quickOpen(file);
  };
  /** @param {string | RegExp} text waits until a lens of the window says it */
  const lensSays = async (text) =>
    await shared.page.locator(".codelens-decoration", { hasText: text }).first().waitFor();

  test("the first lens names the target; a read that is needed runs first, and the lens says so", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    await workbench.quickOpen("chain.rpc.json");
    await lensSays("SIMULATOR lab (active)");
    await lensSays("▷▷ Send All (3)");
    await lensSays("▷▷ Send Reads (2)");
    await lensSays("▷ Send · runs open first");
    await workbench.shot("requests-lenses");
    await workbench.lens(/^▷ Send · runs open first/);
    await beside().locator(".codelens-decoration", { hasText: "✓ as expected" }).waitFor();
    assert.equal((await shared.sent("private/get_order_state")).length, 1);
    await lensSays(/✓ \d+ ms/);
    await workbench.shot("requests-response");
  });

  test("a response's order: what it is, and its buttons; its moments are explained", async () => {
    const { workbench } = shared;
    const response = beside();
    await response.locator(".codelens-decoration", { hasText: "Reveal in Open Orders" }).first().waitFor();
    await response
      .locator(".view-lines", { hasText: /creation_timestamp.*20\d\d-\d\d-\d\d/ })
      .first()
      .waitFor();
    await response.locator(".codelens-decoration a", { hasText: "Reveal in Open Orders" }).first().click();
    await workbench.pane("Open Orders").locator(".monaco-list-row.selected").first().waitFor();
    await workbench.shot("requests-reveal");
  });

  test("Send Read Requests: a document with a line for each; nothing was changed", async () => {
    const { workbench } = shared;
    await workbench.quickOpen("chain.rpc.json");
    await workbench.lens(/Send Reads/);
    await beside()
      .locator(".view-lines", { hasText: /2\spassed/ })
      .waitFor();
    assert.deepEqual(await shared.sent("private/cancel"), []);
    await workbench.shot("requests-run");
  });

  test("Send All says how many change something before anything is sent", async () => {
    const { workbench } = shared;
    await workbench.quickOpen("chain.rpc.json");
    const before = (await shared.simulator.run("ledger")).length;
    await workbench.lens(/Send All/);
    const { text, buttons } = await workbench.readModal();
    assert.match(text, /Send 3 requests from chain\.rpc\.json to SIMULATOR lab\?/);
    assert.match(text, /Line 8: private\/cancel/);
    assert.ok(
      ["Send 3 Requests", "Don't Send"].every((each) => buttons.includes(each)),
      buttons.join(),
    );
    await workbench.shot("requests-send-all-question");
    await workbench.modal("Don't Send");
    assert.equal(
      (await shared.simulator.run("ledger"))
        .slice(before)
        .filter((/** @type {any} */ each) => /get_order_state|private\/cancel/.test(each.method)).length,
      0,
    );
    await workbench.lens(/Send All/);
    await workbench.modal("Send 3 Requests");
    await beside()
      .locator(".view-lines", { hasText: /3\spassed/ })
      .waitFor();
    assert.equal((await shared.sent("private/cancel")).length, 1);
  });

  test("a variable of the folder is filled in, an unsaved one too", async () => {
    const { workbench } = shared;
    await workbench.quickOpen("asked.rpc.json");
    await workbench.lens(/^▷ Send/);
    await beside().locator(".view-lines", { hasText: "has_more" }).waitFor();
    assert.equal((await shared.sent("public/get_last_trades_by_instrument")).at(-1).instrument_name, "ETH-PERPETUAL");
    await workbench.quickOpen("rpc.env.json");
    await workbench.goToLine(1, ENVIRONMENT.indexOf("ETH") + 1);
    for (const _letter of "ETH") await shared.page.keyboard.press("Shift+ArrowRight");
    await shared.page.keyboard.insertText("BTC");
    await workbench.quickOpen("asked.rpc.json");
    await workbench.lens(/^▷ Send/);
    await until(
      async () =>
        (await shared.sent("public/get_last_trades_by_instrument")).at(-1).instrument_name === "BTC-PERPETUAL",
      { what: "a request with the unsaved variable" },
    );
  });

  test("subscribe opens a live document: events come, pause holds them, Stop ends it", async () => {
    const { workbench } = shared;
    await workbench.quickOpen("follow.rpc.json");
    await workbench.lens(/^▷ Subscribe/);
    const live = shared.page.locator(".editor-group-container").nth(1);
    await live.locator(".view-lines", { hasText: /\s·\slive\s·\s/ }).waitFor();
    await shared.simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await live.locator(".view-lines", { hasText: "trade_id" }).waitFor();
    await workbench.shot("requests-live-channel");
    await live.locator(".codelens-decoration a", { hasText: "Pause" }).click();
    await live.locator(".view-lines", { hasText: /\s·\spaused\s·\s/ }).waitFor();
    await shared.simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await live.locator(".view-lines", { hasText: /[1-9]\d*\snew\ssince\spaused/ }).waitFor();
    await live.locator(".codelens-decoration a", { hasText: "Stop" }).first().click();
    await live.locator(".view-lines", { hasText: /ended\s·\s/ }).waitFor();
    await until(
      async () => (await shared.sent("public/unsubscribe")).some(({ channels }) => channels.includes(CHANNEL)),
      { what: "an unsubscribe" },
    );
  });

  test("the history has what was sent, newest first, and opens it", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Show Request History");
    const rows = await workbench.picks();
    assert.match(rows[0] ?? "", /get_last_trades_by_instrument.*SIMULATOR lab · ok/);
    assert.match(rows.join("\n"), /open · private\/get_open_orders/);
    await workbench.shot("requests-history");
    await workbench.pick(/open · private\/get_open_orders/);
    await shared.page.locator(".view-lines", { hasText: "// Response" }).first().waitFor();
  });

  test("Stop ends a read that waits: its lens says so, and the request can be sent again", async () => {
    const { workbench, page } = shared;
    await shared.simulator.run("setFault", { method: "public/get_last_trades_by_instrument", holdMs: 600_000 });
    await open("slow.rpc.json");
    await workbench.lens(/^▷ Send/);
    await lensSays("Reading…");
    await workbench.shot("requests-stop");
    await workbench.lens(/^■ Stop/);
    await page.locator(".codelens-decoration", { hasText: "■ Stop" }).waitFor({ state: "detached" });
    await lensSays(/✗ no response/);
    await workbench.shot("requests-stopped");
    await workbench.lens(/^▷ Send/);
    await beside().locator(".view-lines", { hasText: "has_more" }).waitFor();
  });

  test("a cancel that waits is stopped waiting for, and reading tells what became of it", async () => {
    const { workbench } = shared;
    const [order] = await shared.simulator.run("openOrders");
    await shared.simulator.run("setFault", { method: "private/cancel", response: "none" });
    await open("cancel.rpc.json");
    await workbench.lens(/^▷ Send/);
    await workbench.input(order.order_id);
    await lensSays("Waiting for the exchange…");
    await workbench.lens(/^■ Stop Waiting/);
    await beside()
      .locator(".view-lines", { hasText: /outcome\sunknown/ })
      .waitFor();
    await beside()
      .locator(".view-lines", { hasText: /cancelled/ })
      .waitFor();
    await workbench.shot("requests-stop-waiting");
    assert.equal((await shared.sent("private/cancel")).filter(({ order_id }) => order_id === order.order_id).length, 1);
  });

  test("an example of the documentation and a curl command become requests where they are pasted", async () => {
    const { workbench, page } = shared;
    /** @param {string} text */
    const paste = async (text) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+V");
    };
    await open("docs.rpc.json");
    await workbench.goToLine(1);
    await paste(EXAMPLE);
    await lensSays(/SIMULATOR lab \(/);
    await workbench.lens(/^▷ Send/);
    await beside().locator(".codelens-decoration", { hasText: "Save Response…" }).first().waitFor();
    assert.deepEqual(await shared.sent("private/get_open_orders_by_instrument"), [
      { instrument_name: "BTC-PERPETUAL" },
    ]);
    await open("list.rpc.json");
    await workbench.goToLine(3);
    await paste(CURL);
    await lensSays("▷▷ Send All (2)");
    await workbench.shot("requests-pasted");
    const text = await workbench.editorText();
    assert.match(text, /"method": "private\/get_mmp_config"/);
    assert.doesNotMatch(text, /n0tAt0ken|curl/);
  });

  test("the first lens switches the target of this file alone; a new file keeps its own when it is saved", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "other", environment: "TESTNET" });
    await workbench.status(/TESTNET other/);
    await open("first.rpc.json");
    await lensSays("TESTNET other (active)");
    await workbench.lens(/TESTNET other/);
    await workbench.shot("requests-target");
    await workbench.pick(/SIMULATOR lab/);
    await lensSays("SIMULATOR lab (this file)");
    await workbench.lens(/^▷ Send\b/);
    await beside()
      .locator(".view-lines", { hasText: /SIMULATOR\slab/ })
      .waitFor();
    await open("slow.rpc.json");
    await lensSays("TESTNET other (active)");
    await workbench.lens(/^▷ Send/);
    await workbench.toast(/rpc\.env\.json restricts with \$allow where requests in its folder can be sent \(sim\)/);
    await workbench.closeToasts();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), CURL);
    await open("rpc.env.json");
    await workbench.command("Trading RPC: Paste as Request");
    await workbench.activeTab("pasted.rpc.json");
    await workbench.lens(/TESTNET other/);
    await workbench.pick(/SIMULATOR lab/);
    await lensSays("SIMULATOR lab (this file)");
    await page.keyboard.press("Control+S");
    await until(() => fs.existsSync(path.join(shared.folder, "pasted.rpc.json")), {
      what: "the new file in the folder",
    });
    await page.locator(".tab.active:not(.dirty)", { hasText: "pasted.rpc.json" }).waitFor();
    await lensSays("SIMULATOR lab (this file)");
    await workbench.shot("requests-saved");
  });

  test("the history on disk survives a reload and holds no secret; switched off, its file is gone", async () => {
    const { workbench, page } = shared;
    const folder = fs
      .readdirSync(shared.dataDir, { recursive: true })
      .map(String)
      .find((each) => path.basename(path.dirname(each)) === "globalStorage" && each.endsWith("trading-rpc"));
    const file = path.join(shared.dataDir, folder ?? "", "history.json");
    await open("keys.rpc.json");
    await workbench.lens(/\(active\)/);
    await workbench.pick(/SIMULATOR lab/);
    await workbench.lens(/^▷ Send\b/);
    await beside().locator(".view-lines", { hasText: "max_scope" }).waitFor();
    const kept = String(
      await until(
        () =>
          fs.existsSync(file) &&
          fs.readFileSync(file, "utf8").includes("list_api_keys") &&
          fs.readFileSync(file, "utf8"),
        { what: "the history on disk" },
      ),
    );
    for (const { client_secret: secret } of await shared.simulator.run("apiKeys")) assert.ok(!kept.includes(secret));
    assert.doesNotMatch(kept, /access_token":"\w|refresh_token":"\w/);
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.command("Trading RPC: Show Request History");
    assert.match((await workbench.picks()).join("\n"), /private\/list_api_keys.*SIMULATOR lab · ok/);
    await workbench.shot("requests-history-disk");
    await workbench.escape();
    await workbench.command("Preferences: Open User Settings (JSON)");
    const lines = page.locator(".view-lines", { hasText: "tradingRpc.requests.history" }).last();
    await lines.waitFor();
    const settings = JSON.parse(fs.readFileSync(path.join(shared.dataDir, "User", "settings.json"), "utf8"));
    await page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      JSON.stringify({ ...settings, "tradingRpc.requests.history": "off" }, undefined, 2),
    );
    await lines.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+V");
    await page.keyboard.press("Control+S");
    await until(() => !fs.existsSync(file), { what: "the file of the history to be deleted" });
  });
});
