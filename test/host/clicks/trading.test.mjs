// @ts-check
/**
 * An order from its placing to its end, with the packaged extension in a real VS Code: a request file places it, the
 * sidebar shows it, the market fills half, and the rest is cancelled from the row.
 */
import assert from "node:assert/strict";
import { describe } from "node:test";
import { openDesk } from "../desk.mjs";

describe("an order that a request file places", () => {
  const desk = openDesk({
    files: {
      "buy.rpc.json": `{
  "method": "private/buy",
  "params": { "instrument_name": "ETH-PERPETUAL", "amount": 40, "type": "limit", "price": 2100, "label": "by file" }
}
`,
    },
    simulator: ["--seed", "1", "--orders", "0", "--still"],
  });
  const orders = () => desk.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} what the simulator says is open */
  const openOrders = () => desk.simulator.run("openOrders");

  desk.test("it is placed, half of it is filled, and the rest is cancelled from its row", async () => {
    const { workbench, page } = desk;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(desk.simulator);
    await workbench.quickOpen("buy.rpc.json");
    await workbench.lens(/Send/);
    assert.match(await workbench.modal("Send buy"), /private\/buy.*40.*2100.*SIMULATOR lab/s);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "order_id" }).waitFor();
    const [order, ...others] = await openOrders();
    assert.deepEqual(
      [order.label, order.amount, order.filled_amount, order.price, others.length],
      ["by file", 40, 0, 2100, 0],
    );
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("buy 40 @ 2100")), orders());
    await workbench.shot("trading-placed");
    await desk.simulator.run("fill", { id: order.order_id, amount: 20 });
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 40 @ 2100.*20 filled/.test(row)), orders());
    await workbench.shot("trading-half-filled");
    await workbench.inline("buy 40 @ 2100", "Cancel Order", orders());
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 40 @ 2100.*cancelled/i.test(row)), orders());
    assert.deepEqual(await openOrders(), []);
    const { order_state: state, filled_amount: filled } = await desk.simulator.run("order", { id: order.order_id });
    assert.deepEqual([state, filled], ["cancelled", 20]);
  });
});
