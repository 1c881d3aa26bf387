// @ts-check
/** Running request files as a user does it: lenses, runs, answers, live channels and the history, with the packaged extension in a real VS Code. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditor } from "../open.mjs";
import { removeDir, tempDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { vsixUnderTest } from "../vsix.mjs";

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
const ASKED = '{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "{{asked}}", "count": 2 } }\n';

describe("request files", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = tempDir("rpc-requests");
  before(async () => {
    fs.writeFileSync(path.join(folder, "chain.rpc.json"), CHAIN);
    fs.writeFileSync(path.join(folder, "follow.rpc.json"), FOLLOW);
    fs.writeFileSync(path.join(folder, "asked.rpc.json"), ASKED);
    fs.writeFileSync(path.join(folder, "rpc.env.json"), ENVIRONMENT);
    simulator = await startSimulator(["--seed", "1", "--orders", "5", "--still"]);
    editor = await openEditor({ folder, vsix: await vsixUnderTest() });
  });
  after(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  /** @param {string} method @returns {Promise<any[]>} parameters of the requests that arrived */
  const sent = async (method) => (await simulator.run("ledger")).filter((/** @type {any} */ each) => each.method === method).map((/** @type {any} */ each) => JSON.parse(each.text).params);
  const beside = () => editor.page.locator(".editor-group-container").nth(1);
  /** @param {string | RegExp} text waits until a lens of the window says it */
  const lensSays = async (text) => await editor.page.locator(".codelens-decoration", { hasText: text }).first().waitFor();

  /** @param {string} name @param {() => Promise<void>} body */
  const pictured = (name, body) => test(name, () => editor.pictured(`failed-${name}`, body)());

  test("the first lens names the target; a read that is needed runs first, and the lens says so", async () => {
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    await workbench.quickOpen("chain.rpc.json");
    await lensSays("SIMULATOR lab (active connection)");
    await lensSays("▷▷ Send All (3)");
    await lensSays("Run Reads (2)");
    await lensSays("▷ Send · SIMULATOR lab · runs open first");
    await workbench.shot("requests-lenses");
    await workbench.lens(/^▷ Send · SIMULATOR lab · runs open first/);
    await beside().locator(".codelens-decoration", { hasText: "✓ as expected" }).waitFor();
    assert.equal((await sent("private/get_order_state")).length, 1);
    await lensSays(/^.*✓ ok · \d+ ms/);
    await workbench.shot("requests-answer");
  });

  test("an answer's order: what it is, and its buttons; its moments are explained", async () => {
    const { workbench } = editor;
    const answer = beside();
    await answer.locator(".codelens-decoration", { hasText: "Reveal in Open Orders" }).first().waitFor();
    await answer.locator(".view-lines", { hasText: /creation_timestamp.*20\d\d-\d\d-\d\d/ }).first().waitFor();
    await answer.locator(".codelens-decoration a", { hasText: "Reveal in Open Orders" }).first().click();
    await workbench.pane("Open Orders").locator(".monaco-list-row.selected").first().waitFor();
    await workbench.shot("requests-reveal");
  });

  test("Run Reads: a document with a line for each; nothing was changed", async () => {
    const { workbench } = editor;
    await workbench.quickOpen("chain.rpc.json");
    await workbench.lens(/^Run Reads/);
    await beside().locator(".view-lines", { hasText: /2\spassed/ }).waitFor();
    assert.deepEqual(await sent("private/cancel"), []);
    await workbench.shot("requests-run");
  });

  test("Send All says how many change something before anything is sent", async () => {
    const { workbench } = editor;
    await workbench.quickOpen("chain.rpc.json");
    const before = (await simulator.run("ledger")).length;
    await workbench.lens(/Send All/);
    const { text, buttons } = await workbench.readModal();
    assert.match(text, /Send 3 requests of chain\.rpc\.json to SIMULATOR lab\?/);
    assert.match(text, /Line 8: private\/cancel/);
    assert.ok(["Send 3 Requests", "Do Not Send"].every((each) => buttons.includes(each)), buttons.join());
    await workbench.shot("requests-send-all-question");
    await workbench.modal("Do Not Send");
    assert.equal((await simulator.run("ledger")).slice(before).filter((/** @type {any} */ each) => /get_order_state|private\/cancel/.test(each.method)).length, 0);
    await workbench.lens(/Send All/);
    await workbench.modal("Send 3 Requests");
    await beside().locator(".view-lines", { hasText: /3\spassed/ }).waitFor();
    assert.equal((await sent("private/cancel")).length, 1);
  });

  pictured("a variable of the folder is filled in, an unsaved one too", async () => {
    const { workbench } = editor;
    await workbench.quickOpen("asked.rpc.json");
    await workbench.lens(/^▷ Send/);
    await beside().locator(".view-lines", { hasText: "has_more" }).waitFor();
    assert.equal((await sent("public/get_last_trades_by_instrument")).at(-1).instrument_name, "ETH-PERPETUAL");
    await workbench.quickOpen("rpc.env.json");
    await workbench.goToLine(1, ENVIRONMENT.indexOf("ETH") + 1);
    for (const _letter of "ETH") await editor.page.keyboard.press("Shift+ArrowRight");
    await editor.page.keyboard.insertText("BTC");
    await workbench.quickOpen("asked.rpc.json");
    await workbench.lens(/^▷ Send/);
    await until(async () => (await sent("public/get_last_trades_by_instrument")).at(-1).instrument_name === "BTC-PERPETUAL", { what: "a request with the unsaved variable" });
  });

  pictured("subscribe opens a live document: events come, pause holds them, Stop ends it", async () => {
    const { workbench } = editor;
    await workbench.quickOpen("follow.rpc.json");
    await workbench.lens(/Follow · SIMULATOR lab/);
    const live = editor.page.locator(".editor-group-container").nth(1);
    await live.locator(".view-lines", { hasText: /\s·\slive\s·\s/ }).waitFor();
    await simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await live.locator(".view-lines", { hasText: "trade_id" }).waitFor();
    await workbench.shot("requests-live-channel");
    await live.locator(".codelens-decoration a", { hasText: "Pause" }).click();
    await live.locator(".view-lines", { hasText: /\s·\spaused\s·\s/ }).waitFor();
    await simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await live.locator(".view-lines", { hasText: /[1-9]\d*\scame\ssince\sthe\spause/ }).waitFor();
    await live.locator(".codelens-decoration a", { hasText: "Stop" }).first().click();
    await live.locator(".view-lines", { hasText: /ended\s·\s/ }).waitFor();
    await until(async () => (await sent("public/unsubscribe")).some(({ channels }) => channels.includes(CHANNEL)), { what: "an unsubscribe" });
  });

  test("the history has what was sent, newest first, and opens it", async () => {
    const { workbench } = editor;
    await workbench.command("Trading RPC: Show History of Requests");
    const rows = await workbench.picks();
    assert.match(rows[0] ?? "", /get_last_trades_by_instrument.*SIMULATOR lab · ok/);
    assert.match(rows.join("\n"), /open · private\/get_open_orders/);
    await workbench.shot("requests-history");
    await workbench.pick(/open · private\/get_open_orders/);
    await editor.page.locator(".view-lines", { hasText: "// Answer" }).first().waitFor();
  });
});
