// @ts-check
/**
 * What surrounds the main job: the built-in simulator and what it can be told, completion, production, and a folder
 * that is not trusted.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { root } from "../process.mjs";
import { orderRow } from "../workbench.mjs";

const EXAMPLES = Object.fromEntries(
  fs
    .readdirSync(path.join(root, "examples"))
    .sort()
    .map((name) => [name, fs.readFileSync(path.join(root, "examples", name), "utf8")]),
);

test.describe("the built-in simulator, from an empty profile", () => {
  const shared = shareWindow({
    files: EXAMPLES,
    simulator: null,
    settings: { "tradingRpc.connection.requestTimeoutMs": 3000 },
  });

  test("two clicks connect: the view, then Start Simulator", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.shot("welcome");
    await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().click();
    assert.match(await workbench.status(/SIMULATOR/), /SIMULATOR/);
    await workbench.ordersInSight();
    await workbench.rowsWhen((rows) => rows.length >= 5, workbench.pane("Open Orders"));
    await workbench.shot("connected");
  });

  test("it misbehaves when it is told to: the response to a cancel is lost, and what became of it is looked up", async () => {
    const { workbench, page } = shared;
    await workbench.expandPane("Connections");
    await workbench.context(/Simulator/, "Simulate Fault…", workbench.pane("Connections"));
    await workbench.picks();
    await workbench.shot("misbehave");
    await workbench.pick("Drop the Next Write Response");
    await page
      .locator(".notification-toast", {
        hasText: "Simulator: Drop the Next Write Response.",
      })
      .waitFor();
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.picks();
    await workbench.pickRow(1);
    await page
      .locator(".notification-toast", { hasText: /verified cancelled/ })
      .first()
      .waitFor({ timeout: 60_000 });
    await workbench.shot("misbehaved");
  });

  test("the page sent requests to this computer only", async () => {
    assert.deepEqual([...shared.workbench.outside], []);
  });
});

test.describe("a request file that is typed, and production", () => {
  const shared = shareWindow({
    files: {
      "typing.rpc.json": '{\n  "method": "private/get_open_orders",\n  "params": { "kind": "option", "" },\n}\n',
    },
    simulator: ["--seed", "1", "--orders", "12", "--still"],
  });
  /** @param {string} method */
  const framesOf = async (method) =>
    (await shared.simulator.run("ledger")).filter(
      (/** @type {{ method?: string }} */ entry) => entry.method === method,
    );

  test("a request file completes methods and their parameters, and shows its mistakes", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("typing.rpc.json");
    // VS Code's JSON server has started, and knows the schema.
    await workbench.editor().locator(".squiggly-error").first().waitFor();
    await workbench.goToLine(3, 34);
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "type" }).first().waitFor();
    await workbench.shot("completion");
    await page.keyboard.press("Escape");
  });

  test("production is read-only: the question names it, and keeping the order sends nothing", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "desk", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION desk/);
    const [order] = await openPerpetuals();
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.write("PRODUCTION");
    await workbench.pickSeveral([`${order.instrument_name} ${orderRow(order)}`]);
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("production-question");
    assert.match(text, new RegExp(`${order.instrument_name}.*PRODUCTION desk`, "s"));
    assert.deepEqual(buttons.sort(), ["Allow Cancels and Cancel", "Keep Order"]);
    const before = (await framesOf("private/cancel")).length;
    await workbench.modal("Keep Order");
    assert.equal((await framesOf("private/cancel")).length, before);
  });

  /** Open limit orders of perpetuals, as the simulator knows them. */
  async function openPerpetuals() {
    const all = await shared.simulator.run("openOrders");
    return all.filter(
      (/** @type {any} */ order) =>
        /PERPETUAL$/.test(order.instrument_name) && order.order_type === "limit" && order.order_state === "open",
    );
  }
});

test.describe("a folder that is not trusted", () => {
  const shared = shareWindow({ files: EXAMPLES, simulator: null, trusted: false });

  test("the sidebar works, and a request file is not sent", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().click();
    await workbench.ordersInSight();
    await workbench.quickOpen("01-first-request.rpc.json");
    await page.locator(".codelens-decoration a", { hasText: "unavailable in Restricted Mode" }).first().waitFor();
    await workbench.command("Trading RPC: Send Request");
    await workbench.toast(/Restricted Mode/);
    await workbench.shot("restricted");
    assert.equal(await page.locator(".tab", { hasText: "response" }).count(), 0);
  });
});
