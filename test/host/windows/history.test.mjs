// @ts-check
/**
 * The account history as a user sees it, and an alarm that comes while no view of it is shown, with the packaged
 * extension in a real VS Code and a simulator that is told what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";
import { orderRow } from "../workbench.mjs";

test.describe("account history and alarms", () => {
  const shared = shareWindow({ settings: { "tradingRpc.alarms.fillUsd": 1 } });
  const page = () => shared.workbench.webview();
  const rows = () => page().locator("tbody tr:not(.day)");
  /** @param {string} label of a field of the filter */
  const field = (label) => page().locator(`.filters [aria-label="${label}"]`);
  const heading = async () => (await page().locator("h1").textContent()) ?? "";
  const status = async () => (await page().locator(".state").textContent()) ?? "";
  /** @param {RegExp} text waits until the page says so of what it has read */
  const statusToBe = async (text) => until(async () => text.test(await status()), { what: String(text) });

  test("a large fill is told once, although no view shows it", async () => {
    const { workbench, page: window } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.expandPane("Connections");
    await workbench.rowsWhen((all) => all.some((row) => /lab.*ready/.test(row)), workbench.pane("Connections"));
    await workbench.openOnly("Activity");
    const orders = await shared.simulator.run("openOrders");
    const order = orders.find((/** @type {any} */ each) => /-PERPETUAL$/.test(each.instrument_name));
    await shared.simulator.run("fill", { id: order.order_id });
    const said = await workbench.toast(new RegExp(`SIMULATOR lab: filled \\w+ [\\d.]+ ${order.instrument_name} @`));
    assert.match(said, /Show Orders/);
    assert.equal(await window.locator(".notification-toast", { hasText: "filled" }).count(), 1);
    await workbench.shot("alarm-fill");
    await workbench.closeToasts();
  });

  test("the history opens as a tab; a list is chosen, and the page says what it costs", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Show Account History…");
    await workbench.activeTab("Account history (SIMULATOR)");
    await page().locator("h1", { hasText: "SIMULATOR lab" }).waitFor();
    await field("Currency").selectOption("ETH");
    await field("List").selectOption({ label: "Own trades" });
    await until(async () => /Own trades/.test(await heading()), { what: "the list" });
    await statusToBe(/^Entries: \d+/);
    assert.match(
      (await page().locator(".cost").textContent()) ?? "",
      /A page costs 500 of 50\u202F000 rate-limit credits/,
    );
    await workbench.shot("history-trades");
    await field("List").selectOption({ label: "Transaction log" });
    await until(async () => /10\u202F000 of 80\u202F000/.test((await page().locator(".cost").textContent()) ?? ""), {
      what: "the cost of the log",
    });
  });

  test("the keyboard moves through the entries; Enter shows every member, with its digits", async () => {
    const { workbench, page: window } = shared;
    await field("List").selectOption({ label: "Own trades" });
    await statusToBe(/^Entries: \d+/);
    await rows().first().click();
    await page().locator(".details dt", { hasText: "trade_id" }).waitFor();
    await window.keyboard.press("End");
    await until(async () => (await rows().last().getAttribute("aria-selected")) === "true", { what: "the last entry" });
    await window.keyboard.press("Home");
    await window.keyboard.press("Enter");
    const names = await page().locator(".details dt").allTextContents();
    assert.ok(names.includes("order_id") && names.includes("fee"), names.join(" "));
    await workbench.shot("history-details");
  });

  test("a time that cannot be read is refused with a sentence, and nothing is read", async () => {
    const before = (await shared.sent("private/get_user_trades_by_currency")).length;
    await field("From").fill("yesterday");
    await page().locator("button", { hasText: "Apply Filter" }).click();
    await page().locator(".problem", { hasText: "Enter a time as in 2026-11-20 13:04:07" }).waitFor();
    assert.equal((await shared.sent("private/get_user_trades_by_currency")).length, before);
    await field("From").fill("");
    await page().locator("button", { hasText: "Apply Filter" }).click();
    await page().locator(".problem").waitFor({ state: "hidden" });
  });

  test("presentation mode hides the figures of the page", async () => {
    const { workbench } = shared;
    await statusToBe(/^Entries: \d+/);
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    await page().locator("tbody td", { hasText: "•••" }).first().waitFor();
    const cells = await rows().locator("td").allTextContents();
    const isTold = /^\d\d:\d\d:\d\d$|-PERPETUAL$|-\d+[A-Z]{3}\d\d/;
    for (const cell of cells) assert.ok(!/\d/.test(cell) || isTold.test(cell), cell);
    await workbench.shot("history-presentation");
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    await rows()
      .locator("td", { hasText: /^[\d.\u202F]+$/ })
      .first()
      .waitFor();
  });

  test("the history of an order is one document", async () => {
    const { workbench } = shared;
    const [order] = await shared.simulator.run("openOrders");
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((all) => all.some((row) => /buy|sell/.test(row)), workbench.pane("Open Orders"));
    await workbench.context(orderRow(order), "Show Order History", workbench.pane("Open Orders"));
    await workbench.activeTab(`${order.order_id} ▸ history (SIMULATOR)`);
    await until(async () => (await workbench.editorText()).includes(`${order.order_id} on SIMULATOR lab`), {
      what: "the order",
    });
    const text = await workbench.editorText();
    for (const part of ["Trades", "Transaction log", "Actions from here", "All fields of the order"])
      assert.ok(text.includes(part), part);
    await workbench.shot("history-order");
  });
});
