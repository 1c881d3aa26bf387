// @ts-check
/**
 * The main job as a user does it, with the packaged extension in a real VS Code: connect, watch orders, cancel, send a
 * request file. The simulator runs in a process of its own, so that its ledger can be held against what was shown.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditor } from "../open.mjs";
import { removeDir, root, tempDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";

const vsix = process.env["RPC_VSIX"] ?? "";

/** @param {string} name */
const copyOfExamples = (name) => {
  const folder = tempDir(name);
  fs.cpSync(path.join(root, "examples"), folder, { recursive: true });
  return folder;
};

describe("the built-in simulator, from an empty profile", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  const folder = copyOfExamples("rpc-examples");
  before(async () => {
    editor = await openEditor({ folder, vsix });
  });
  after(async () => {
    await editor?.close();
    removeDir(folder);
  });

  test("two clicks connect: the view, then Start Simulator", async () => {
    const { workbench, page } = editor;
    await workbench.openView("Trading RPC");
    await workbench.shot("welcome");
    await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().click();
    assert.match(await workbench.status(/SIMULATOR/), /SIMULATOR/);
    const rows = await workbench.rowsWhen((all) => all.some((row) => /BTC-PERPETUAL/.test(row)), workbench.pane("Open Orders"));
    assert.ok(rows.length >= 5, rows.join("\n"));
    await workbench.shot("connected");
  });

  test("an example is sent with one click and answered beside", async () => {
    const { workbench, page } = editor;
    const file = fs.readdirSync(folder).find((name) => name.endsWith(".rpc.json")) ?? "";
    await workbench.quickOpen(file);
    await workbench.lens(/Send/);
    const answer = page.locator(".editor-group-container").nth(1);
    await answer.locator(".view-lines", { hasText: "SIMULATOR" }).waitFor();
    await workbench.shot("answer");
  });

  test("the page asked nobody but this machine", () => {
    assert.deepEqual([...editor.workbench.outside], []);
  });
});

describe("a simulator in a process of its own", () => {
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = copyOfExamples("rpc-examples");
  before(async () => {
    // Files that are there before the window is: Quick Open does not see later ones at once.
    fs.writeFileSync(path.join(folder, "error.rpc.json"), '{ "method": "private/get_order_state", "params": { "order_id": "NO-1" } }\n');
    fs.writeFileSync(path.join(folder, "typing.rpc.json"), '{\n  "method": "private/get_open_orders",\n  "params": { "kind": "option", "" },\n}\n');
    simulator = await startSimulator(["--seed", "1", "--orders", "12", "--still"]);
    editor = await openEditor({ folder, vsix });
  });
  after(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  const orders = () => editor.workbench.pane("Open Orders");
  /** @param {string} method */
  const framesOf = async (method) => (await simulator.run("ledger")).filter((/** @type {{ method?: string }} */ entry) => entry.method === method);

  test("a wrong secret is refused in words and can be typed again; the right one is checked, then stored", async () => {
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await addConnection("lab", "SIMULATOR", "wrong");
    await workbench.quickInput.locator(".quick-input-message", { hasText: /secret|credentials|key/i }).waitFor();
    await workbench.shot("wrong-secret");
    await workbench.input(simulator.clientSecret);
    await workbench.pick("Store");
    assert.match(await workbench.status(/SIMULATOR lab|SIMULATOR/), /SIMULATOR/);
    await workbench.rowsWhen((rows) => rows.some((row) => /PERPETUAL/.test(row)), orders());
  });

  test("an order changes by itself: another actor fills a part, the row says so", async () => {
    const [order] = await openPerpetuals();
    await expandGroup(order.instrument_name);
    await simulator.run("fill", { id: order.order_id, amount: order.amount / 4 });
    await editor.workbench.rowsWhen((rows) => rows.some((row) => row.includes(rowOf(order)) && row.includes(`${order.filled_amount + order.amount / 4} filled`)), orders());
  });

  test("cancel from the palette: one frame, and the row goes because of the event", async () => {
    const { workbench } = editor;
    const [order] = await openPerpetuals();
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.quickInput.locator(".quick-input-box input").fill(order.order_id);
    await workbench.quickInput.locator(".monaco-list-row").first().waitFor();
    await workbench.shot("cancel-pick");
    await workbench.pickSeveral([order.order_id]);
    await isCancelled(order);
  });

  test("cancel from the row", async () => {
    const { workbench } = editor;
    const [order] = await openPerpetuals();
    await expandGroup(order.instrument_name);
    await workbench.inline(rowOf(order), "Cancel Order", orders());
    await isCancelled(order);
  });

  test("an error is an answer: code, name and meaning", async () => {
    const { workbench, page } = editor;
    await workbench.quickOpen("error.rpc.json");
    await workbench.lens(/Send/);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "error 10004" }).waitFor();
    await workbench.shot("error-answer");
  });

  test("a request file completes methods and their parameters, and shows its mistakes", async () => {
    const { workbench, page } = editor;
    await workbench.quickOpen("typing.rpc.json");
    await workbench.goToLine(3, 34);
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "type" }).first().waitFor();
    await workbench.shot("completion");
    await page.keyboard.press("Escape");
  });

  test("production is read-only: the question names it, and keeping the order sends nothing", async () => {
    const { workbench } = editor;
    await addConnection("desk", "PRODUCTION", simulator.clientSecret);
    await workbench.pick("This Window Only");
    await workbench.status(/PRODUCTION desk/);
    const [order] = await openPerpetuals();
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.quickInput.locator(".quick-input-box input").fill("PRODUCTION");
    await workbench.pickSeveral([`${order.instrument_name} ${rowOf(order)}`]);
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("production-question");
    assert.match(text, new RegExp(`${order.instrument_name}.*PRODUCTION desk`, "s"));
    assert.deepEqual(buttons.sort(), ["Allow Changes and Cancel Order", "Keep Order"]);
    const before = (await framesOf("private/cancel")).length;
    await workbench.modal("Keep Order");
    assert.equal((await framesOf("private/cancel")).length, before);
    await workbench.command("Trading RPC: Disconnect");
    await workbench.pick("desk");
  });

  test("after a reload of the window the key is still there: connecting asks for nothing", async () => {
    const { workbench } = editor;
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.context(/lab/, "Connect", workbench.pane("Connections"));
    assert.match(await workbench.status(/SIMULATOR/), /SIMULATOR/);
    await workbench.rowsWhen((rows) => rows.some((row) => /PERPETUAL/.test(row)), orders());
  });

  /**
   * The steps up to the secret.
   * @param {string} name
   * @param {string} environment
   * @param {string} secret
   */
  async function addConnection(name, environment, secret) {
    const { workbench } = editor;
    await workbench.command("Trading RPC: Add Connection");
    await workbench.pick("Custom");
    await workbench.input(simulator.webSocket);
    await workbench.pick(environment);
    await workbench.input(name);
    await workbench.pick("API Key with Signature");
    await workbench.input(simulator.clientId);
    await workbench.input(secret);
  }

  /** Open limit orders of perpetuals, as the simulator knows them. */
  async function openPerpetuals() {
    const all = await simulator.run("openOrders");
    return all.filter((/** @type {any} */ order) => /PERPETUAL$/.test(order.instrument_name) && order.order_type === "limit" && order.order_state === "open");
  }

  /** @param {string} instrument */
  async function expandGroup(instrument) {
    const row = editor.workbench.treeRow(instrument, orders()).first();
    if ((await row.getAttribute("aria-expanded")) !== "true") await editor.workbench.toggle(instrument, orders());
  }

  /** @param {any} order how its row begins */
  const rowOf = ({ direction, amount, price }) => `${direction} ${amount} @ ${price}`;

  /** @param {any} order the exchange says so, one frame was sent, and the row left @returns {Promise<void>} */
  async function isCancelled(order) {
    const id = order.order_id;
    await until(async () => (await simulator.run("order", { id })).order_state === "cancelled", { what: `${id} to be cancelled` });
    const frames = (await framesOf("private/cancel")).filter((/** @type {{ text: string }} */ frame) => JSON.stringify(frame).includes(id));
    assert.equal(frames.length, 1);
    await editor.workbench.rowsWhen((rows) => !rows.some((row) => row.includes(rowOf(order))), orders());
  }
});

describe("a folder that is not trusted", () => {
  test("the sidebar works, and a request file is not sent", async () => {
    const folder = copyOfExamples("rpc-untrusted");
    const editor = await openEditor({ folder, vsix, trusted: false });
    const { workbench, page } = editor;
    try {
      await workbench.openView("Trading RPC");
      await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().click();
      await workbench.rowsWhen((rows) => rows.some((row) => /PERPETUAL/.test(row)), workbench.pane("Open Orders"));
      await workbench.quickOpen("01-first-request.rpc.json");
      await page.locator(".codelens-decoration a", { hasText: "not in Restricted Mode" }).first().waitFor();
      await workbench.command("Trading RPC: Send Request");
      await workbench.toast(/Restricted Mode/);
      await workbench.shot("restricted");
      assert.equal(await page.locator(".tab", { hasText: "answer" }).count(), 0);
    } finally {
      await editor.close();
      removeDir(folder);
    }
  });
});
