// @ts-check
/**
 * Orders from their placing to their end, with the packaged extension in a real VS Code. A request file places one, the
 * sidebar shows it, the market fills half, and the rest is cancelled from the row. Commands place, edit, and cancel
 * another one.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";

test.describe("an order that a request file places", () => {
  const shared = shareWindow({
    files: {
      "buy.rpc.json": `{
  "method": "private/buy",
  "params": { "instrument_name": "ETH-PERPETUAL", "amount": 40, "type": "limit", "price": 2100, "label": "by file" }
}
`,
    },
    simulator: ["--seed", "1", "--orders", "0", "--still"],
  });
  const orders = () => shared.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} what the simulator says is open */
  const openOrders = () => shared.simulator.run("openOrders");

  test("it is placed, half of it is filled, and the rest is cancelled from its row", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.quickOpen("buy.rpc.json");
    await workbench.lens(/Send/);
    assert.match(await workbench.modal("Place Order"), /Buy 40 .*2100.*SIMULATOR lab.*private\/buy/s);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "order_id" }).waitFor();
    const [order, ...others] = await openOrders();
    assert.deepEqual(
      [order.label, order.amount, order.filled_amount, order.price, others.length],
      ["by file", 40, 0, 2100, 0],
    );
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("buy 40 @ 2100")), orders());
    await workbench.shot("trading-placed");
    await shared.simulator.run("fill", { id: order.order_id, amount: 20 });
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 40 @ 2100.*20 filled/.test(row)), orders());
    await workbench.shot("trading-half-filled");
    await workbench.inline("buy 40 @ 2100", "Cancel Order", orders());
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 40 @ 2100.*cancelled/i.test(row)), orders());
    assert.deepEqual(await openOrders(), []);
    const { order_state: state, filled_amount: filled } = await shared.simulator.run("order", { id: order.order_id });
    assert.deepEqual([state, filled], ["cancelled", 20]);
  });
});

test.describe("orders by hand, on a testnet", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "0", "--still"] });
  const orders = () => shared.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} what the simulator says is open */
  const openOrders = () => shared.simulator.run("openOrders");
  /** @param {RegExp} title waits for a step */
  const step = async (title) => {
    await shared.workbench.quickInput.locator(".quick-input-title", { hasText: title }).waitFor();
  };
  /** @param {string} line types it in the step of the order's line, and waits for what it means */
  const type = async (line, meaning = line) => {
    // The box of the side, which closes, has the prices in its title too.
    await step(/(Buy|Edit) .* on TESTNET main · bid/);
    await shared.workbench.write(line);
    await shared.workbench.quickInput.locator(".monaco-list-row.focused", { hasText: meaning }).waitFor();
  };

  test("Place Order asks to allow trading, then for side and line, and places what was typed", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "main", environment: "TESTNET" });
    await workbench.status(/TESTNET main/);
    await workbench.openOnly("Open Orders");
    await workbench.command("Trading RPC: Place Order…");
    await step(/Allow Trading/);
    await workbench.shot("place-1-allow-trading");
    await workbench.input("5000");
    await workbench.input("50000");
    await workbench.pick("ETH-PERPETUAL");
    await workbench.shot("place-2-side");
    await workbench.pick("Buy");
    await type("40 @ 2090.50", "Buy 40 ETH-PERPETUAL @ 2090.50");
    await workbench.shot("place-3-line");
    await page.keyboard.press("Enter");
    const { text } = await workbench.readModal();
    await workbench.shot("place-4-confirmation");
    assert.match(text, /Buy 40 ETH-PERPETUAL @ 2090\.50 on TESTNET main/);
    await workbench.modal("Place Order");
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("buy 40 @ 2090.5")), orders());
    const [order, ...others] = await openOrders();
    assert.deepEqual([order.amount, order.price, order.post_only, others.length], [40, 2090.5, true, 0]);
    assert.match(order.label, /^rpc-[0-9a-f]{16}$/);
    const [sent] = await shared.sent("private/buy");
    assert.ok(sent.valid_until > 0 && sent.reject_post_only === true, JSON.stringify(sent));
    await workbench.closeToasts();
  });

  test("Edit Order says what changes, and the row has the new price", async () => {
    const { workbench, page } = shared;
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("buy 40 @ 2090.5")), orders());
    await workbench.context("buy 40 @ 2090.5", "Edit Order…", orders());
    await type("60 @ 2080.25", "Edit price: 2090.5 → 2080.25 · amount: 40 → 60");
    await page.keyboard.press("Enter");
    await workbench.readModal();
    await workbench.shot("edit-confirmation");
    const text = await workbench.modal("Edit Order");
    assert.match(text, /2090\.5.*2080\.25/s);
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("buy 60 @ 2080.25")), orders());
    const [order] = await openOrders();
    assert.deepEqual([order.amount, order.price, order.post_only], [60, 2080.25, true]);
    await workbench.closeToasts();
  });
});

test.describe("orders by hand, on production", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "0", "--still"] });
  const line = () => shared.workbench.quickBox;
  /** Begins an order, and waits for the step of its line. @param {string} place */
  const begin = async (place) => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Place Order…");
    await workbench.pick("ETH-PERPETUAL");
    await workbench.pick("Buy");
    await workbench.quickInput
      .locator(".quick-input-title", { hasText: `Buy ETH-PERPETUAL on ${place} · bid` })
      .waitFor();
  };
  /** Types the line, and takes it once its meaning is shown. @param {string} text */
  const type = async (text) => {
    await line().fill(text);
    await shared.workbench.quickInput
      .locator(".monaco-list-row.focused", { hasText: `Buy ${text.split(" ")[0]}` })
      .waitFor();
    await shared.page.keyboard.press("Enter");
  };

  test("on production, nothing is filled in, and Enter shows the orders instead of placing one", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "desk", environment: "PRODUCTION" });
    await workbench.openOnly("Open Orders");
    await workbench.status(/PRODUCTION desk/);
    await workbench.command("Trading RPC: Allow Changes");
    await workbench.modal("Allow Changes");
    await workbench.command("Trading RPC: Allow Trading");
    await workbench.quickInput.locator(".quick-input-title", { hasText: /Allow Trading/ }).waitFor();
    await workbench.shot("place-production-allow");
    await workbench.input("5000");
    await workbench.input("50000");
    await workbench.goToEditors();
    await begin("PRODUCTION desk");
    assert.equal(await line().inputValue(), "");
    await workbench.shot("place-production-line");
    await type("40 @ 2090.50");
    const { text } = await workbench.readModal();
    await workbench.shot("place-production");
    assert.match(text, /Buy 40 ETH-PERPETUAL @ 2090\.50 on PRODUCTION desk\?/);
    await page.keyboard.press("Enter");
    await workbench.dialog.waitFor({ state: "detached" });
    await workbench.goesTo("Open Orders");
    assert.deepEqual(await shared.sent("private/buy"), []);
    await workbench.closeToasts();
  });
});
