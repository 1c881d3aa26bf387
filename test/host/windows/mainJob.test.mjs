// @ts-check
/**
 * The main job as a user does it, with the packaged extension in a real VS Code: connect, watch orders, cancel, send a
 * request file. The simulator runs in a process of its own, so that its ledger can be held against what was shown.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { root, until } from "../process.mjs";
import { orderRow } from "../workbench.mjs";

const FIRST = "01-first-request.rpc.json";

test.describe("a simulator in a process of its own", () => {
  const shared = shareWindow({
    files: {
      [FIRST]: fs.readFileSync(path.join(root, "examples", FIRST), "utf8"),
      "error.rpc.json": '{ "method": "private/get_order_state", "params": { "order_id": "NO-1" } }\n',
    },
    simulator: ["--seed", "1", "--orders", "12", "--still"],
  });
  const orders = () => shared.workbench.pane("Open Orders");
  /** @param {string} method */
  const framesOf = async (method) =>
    (await shared.simulator.run("ledger")).filter(
      (/** @type {{ method?: string }} */ entry) => entry.method === method,
    );

  test("a wrong secret is refused in words and can be typed again; the right one is checked, then stored", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await addConnection("lab", "SIMULATOR", "wrong");
    await workbench.pick("Save in VS Code");
    await workbench.quickInput.locator(".quick-input-message", { hasText: /secret|credentials|key/i }).waitFor();
    await workbench.shot("wrong-secret");
    await workbench.input(shared.simulator.clientSecret);
    await workbench.pick("Save in VS Code");
    assert.match(await workbench.status(/SIMULATOR lab|SIMULATOR/), /SIMULATOR/);
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((rows) => rows.some((row) => /PERP/.test(row)), orders());
  });

  test("at 1280 × 800 at least ten orders are in sight, with all groups expanded", async () => {
    const { workbench, page } = shared;
    const usual = page.viewportSize() ?? assert.fail("the window has a size");
    await page.setViewportSize({ width: 1280, height: 800 });
    await workbench.rowsWhen(
      (rows) => rows.filter((row) => /\b(?:buy|sell) [\d.\u202F]+ @ /.test(row)).length >= 10,
      orders(),
    );
    await page.setViewportSize(usual);
  });

  test("an order changes by itself: another actor fills a part, the row says so", async () => {
    const [order] = await openPerpetuals();
    await expandGroup(order.instrument_name);
    await shared.simulator.run("fill", { id: order.order_id, amount: order.amount / 4 });
    await shared.workbench.rowsWhen(
      (rows) =>
        rows.some(
          (row) => row.includes(orderRow(order)) && row.includes(`${order.filled_amount + order.amount / 4} filled`),
        ),
      orders(),
    );
  });

  test("cancel from the palette: one frame, and the row says so because of the event", async () => {
    const { workbench } = shared;
    const [order] = await openPerpetuals();
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.write(order.order_id);
    await workbench.quickInput.locator(".monaco-list-row").first().waitFor();
    await workbench.shot("cancel-pick");
    await workbench.pickSeveral([order.order_id]);
    await isCancelled(order);
  });

  test("cancel from the row", async () => {
    const { workbench } = shared;
    const [order] = await openPerpetuals();
    await expandGroup(order.instrument_name);
    await workbench.inline(orderRow(order), "Cancel Order", orders());
    await isCancelled(order);
  });

  test("an example is sent with one click and answered beside", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen(FIRST);
    await workbench.lens(/Send/);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "SIMULATOR" }).waitFor();
    await workbench.shot("response");
  });

  test("an error is a response: code, name and meaning", async () => {
    const { workbench, page } = shared;
    // The response is beside the group that has the focus.
    await workbench.goToEditors();
    await workbench.quickOpen("error.rpc.json");
    await workbench.lens(/Send/);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "error 10004" }).waitFor();
    await workbench.shot("error-response");
  });

  test("after a reload of the window the key is still there: connecting asks for nothing", async () => {
    const { workbench } = shared;
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.connectAgain("lab");
    assert.match(await workbench.status(/SIMULATOR/), /SIMULATOR/);
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((rows) => rows.some((row) => /PERP/.test(row)), orders());
  });

  /**
   * The steps up to the secret.
   * @param {string} name
   * @param {string} environment
   * @param {string} secret
   */
  async function addConnection(name, environment, secret) {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Add Connection");
    await workbench.pick("Custom");
    await workbench.input(shared.simulator.webSocket);
    await workbench.inputButton("More Options…");
    await workbench.pick(environment);
    await workbench.input(name);
    await workbench.pick("API Key with Signature");
    await workbench.input(shared.simulator.clientId);
    await workbench.input(secret);
  }

  /** Open limit orders of perpetuals, as the simulator knows them. */
  async function openPerpetuals() {
    const all = await shared.simulator.run("openOrders");
    return all.filter(
      (/** @type {any} */ order) =>
        /PERPETUAL$/.test(order.instrument_name) && order.order_type === "limit" && order.order_state === "open",
    );
  }

  /** @param {string} instrument */
  async function expandGroup(instrument) {
    const row = shared.workbench.treeRow(instrument, orders()).first();
    if ((await row.getAttribute("aria-expanded")) !== "true") await shared.workbench.toggle(instrument, orders());
  }

  /**
   * @param {any} order the exchange says so, one frame was sent, and the row says how it ended
   * @returns {Promise<void>}
   */
  async function isCancelled(order) {
    const id = order.order_id;
    await until(async () => (await shared.simulator.run("order", { id })).order_state === "cancelled", {
      what: `${id} to be cancelled`,
    });
    const frames = (await framesOf("private/cancel")).filter((/** @type {{ text: string }} */ frame) =>
      JSON.stringify(frame).includes(id),
    );
    assert.equal(frames.length, 1);
    await shared.workbench.rowsWhen(
      (rows) => rows.some((row) => row.includes(orderRow(order)) && /cancelled/.test(row)),
      orders(),
    );
  }
});
