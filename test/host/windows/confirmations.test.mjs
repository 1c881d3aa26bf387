// @ts-check
/** What is asked before a request of a file changes something, as the packaged extension shows it in a real VS Code. */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";

const DESTINATION = "0x1a4f6b8c2d3e5f708192a3b4c5d6e7f8091a2b3c";
const WITHDRAWAL = { currency: "ETH", amount: 1.25, address: DESTINATION, priority: "high" };
/** More members than a dialog shows, what an order does beside them last. */
const ORDER = {
  instrument_name: "BTC-PERPETUAL",
  amount: 40,
  type: "limit",
  price: 35_100,
  ...Object.fromEntries(Array.from({ length: 35 }, (_, index) => [`note_${index + 1}`, index])),
  otoco_config: [
    { instrument_name: "BTC-PERPETUAL", direction: "sell", type: "stop_market", trigger_price: 33_000, amount: 40 },
    { instrument_name: "BTC-PERPETUAL", direction: "sell", type: "limit", price: 39_000, amount: 40 },
  ],
};

/** @param {string} method @param {object} params */
const fileWith = (method, params) => `${JSON.stringify({ method, params }, undefined, 2)}\n`;

test.describe("the confirmation of a request in a file", () => {
  const shared = shareWindow({
    files: {
      "buy.rpc.json": fileWith("private/buy", ORDER),
      "withdraw.rpc.json": fileWith("private/withdraw", WITHDRAWAL),
    },
  });

  /** @param {string} file */
  const ask = async (file) => {
    await shared.workbench.quickOpen(file);
    await shared.workbench.lens(/^▷ Send/);
    return await shared.workbench.readModal();
  };

  test("a withdrawal is shown with its whole address, and nothing is sent without a yes", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    const { text } = await ask("withdraw.rpc.json");
    for (const each of [DESTINATION, "1.25", "ETH", "high"]) assert.ok(text.includes(each), `${each}: ${text}`);
    await workbench.shot("confirmation-withdrawal");
    await workbench.modal("Don't Send");
    assert.deepEqual(await shared.sent("private/withdraw"), []);
  });

  test("an order of 40 members: what it costs and what follows it, how many are left, and the way to them", async () => {
    const { workbench } = shared;
    const { text } = await ask("buy.rpc.json");
    assert.match(text, /Not all parameters fit here/);
    for (const each of ["otoco_config", "35100", "33000", "39000"]) assert.ok(text.includes(each), `${each}: ${text}`);
    await workbench.shot("confirmation-order");
    await workbench.modal("Show Request");
    await workbench.activeTab("buy.rpc.json");
    await workbench.shot("confirmation-order-request");
    assert.deepEqual(await shared.sent("private/buy"), []);
  });
});
