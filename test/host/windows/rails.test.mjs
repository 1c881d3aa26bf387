// @ts-check
/**
 * What keeps a user of production safe, as he sees it: the status bar with its tooltip, the time for changes,
 * cancel-on-disconnect, the badge of filled orders.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const ENABLE = `{ "$file": { "env": ["prod"] }, "jsonrpc": "2.0", "id": 1, "method": "private/enable_cancel_on_disconnect", "params": { "scope": "connection" } }
`;

test.describe("production rails", () => {
  const shared = shareWindow({
    files: { "enable.rpc.json": ENABLE, "notes.txt": "nothing\n" },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
    settings: { "tradingRpc.orders.badgeFills": true, "tradingRpc.safety.allowChangesMinutes": 1 },
  });
  const connections = () => shared.workbench.pane("Connections");
  const item = () => shared.page.locator(".statusbar-item[id*='tradingRpc.status']");
  const hover = () => shared.page.locator(".monaco-hover:not(.hidden)").last();
  /** The tooltip of the status bar, once it says this. @param {RegExp} wanted */
  const tooltip = async (wanted) => {
    let text = "";
    await until(
      async () => {
        // What it says was made when the pointer came: away, and back again.
        await shared.page.mouse.move(600, 300);
        await item().hover();
        await hover()
          .waitFor({ timeout: 3000 })
          .catch(() => undefined);
        if (await hover().isVisible()) text = (await hover().innerText()).replace(/\s+/g, " ");
        return wanted.test(text);
      },
      { what: `the tooltip ${wanted}` },
    ).catch((error) => {
      throw new Error(`${error.message}; it says: ${text}`);
    });
    return text;
  };

  test("the status bar says where one is, and its tooltip what is left: time, limits, session, links", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { environment: "PRODUCTION" });
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    assert.equal((await workbench.status(/PRODUCTION lab/)).trim(), "PRODUCTION lab");
    assert.match(
      (await item().locator("[aria-label]").first().getAttribute("aria-label")) ?? "",
      /Trading RPC: PRODUCTION lab, read-only/,
    );
    const text = await tooltip(/calls: changes/);
    await workbench.shot("rails-tooltip-read-only");
    assert.match(text, /PRODUCTION lab: ready/);
    assert.match(text, /Read-only: changes are refused until you allow them\./);
    for (const line of [
      /network (?:<1|\d+) ms/,
      /exchange (?:<1|\d+) ms/,
      /queue (?:<1|\d+) ms/,
      /calls: changes \d+ of \d+ left/,
      /calls: requests \d+ of \d+ left/,
      /calls: views \d+ of \d+ left/,
      /session \d+ (?:m?s|min) old/,
    ])
      assert.match(text, line);
    assert.match(text, /Allow Changes….*Show Connections.*Disconnect.*Show Log/);
  });

  test("its link allows changes after asking; the time counts down, and its end is told", async () => {
    const { workbench } = shared;
    await tooltip(/Allow Changes/);
    await hover().locator("a", { hasText: "Allow Changes" }).click();
    const { text } = await workbench.readModal();
    assert.match(text, /Allow changes on PRODUCTION lab for 1 minute\?/);
    await workbench.shot("rails-allow-question");
    await workbench.modal("Allow Changes");
    assert.match(
      (await workbench.status(/changes: \d+ (?:s|min) left/)).trim(),
      /^PRODUCTION lab · changes: (?:\d+ s|1 min) left$/,
    );
    assert.match(await tooltip(/Changes are allowed until \d\d:\d\d:\d\d\./), /Disallow Changes/);
    await workbench.shot("rails-changes-allowed");
    await workbench.command("Trading RPC: Disallow Changes");
    await workbench.status(/PRODUCTION lab is read-only again\./);
    await until(async () => (await item().innerText()).trim().replace(/\u00a0/g, " ") === "PRODUCTION lab", {
      what: "the item without a countdown",
    });
  });

  test("cancel-on-disconnect is shown, and switched on only after its own warning", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Connections");
    await workbench.toggle("lab", connections());
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /cancel-on-disconnect \(COD\)\s*off/.test(row ?? "")),
      connections(),
    );
    await workbench.command("Trading RPC: Allow Changes");
    await workbench.modal("Allow Changes");
    await workbench.quickOpen("enable.rpc.json");
    await workbench.lens("Send…");
    const { text } = await workbench.readModal();
    assert.match(text, /enable_cancel_on_disconnect .*on PRODUCTION lab\?/);
    assert.match(
      text,
      /When this connection ends, the exchange cancels all orders placed over it\. This includes Disconnect, reloading or closing this window, and network failures\./,
    );
    await workbench.shot("rails-enable-question");
    await workbench.modal("Send enable_cancel_on_disconnect");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /cancel-on-disconnect \(COD\)\s*on$/.test(row ?? "")),
      connections(),
    );
    await workbench.shot("rails-cancel-on-disconnect");
  });

  test("an order that fills is counted on the badge until Open Orders is shown", async () => {
    const { workbench } = shared;
    const badge = () =>
      shared.page
        .locator(".activitybar .action-item", { has: shared.page.locator('[aria-label^="Trading RPC"]') })
        .first();
    await workbench.openOnly("Open Orders");
    await workbench.openView("Explorer");
    // What the extension notices: its view is out of sight.
    await workbench.noticed();
    const [order] = (await shared.simulator.run("openOrders")).filter(
      (/** @type {any} */ each) => each.order_state === "open",
    );
    await shared.simulator.run("fill", { id: order.order_id });
    await until(
      async () =>
        (await badge()
          .locator(".badge-content")
          .innerText()
          .catch(() => "")) === "1",
      { what: "the badge" },
    );
    assert.match(
      (await badge().locator("[aria-label]").first().getAttribute("aria-label")) ?? "",
      /1 of your orders was filled on PRODUCTION lab since you last looked\./,
    );
    await workbench.shot("rails-badge");
    await workbench.openView("Trading RPC");
    await until(async () => !(await badge().locator(".badge-content").isVisible()), { what: "no badge" });
  });
});
