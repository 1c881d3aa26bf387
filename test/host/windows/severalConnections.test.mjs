// @ts-check
/**
 * Several connections side by side as a user has them: two simulators, one of them twice with the same key, and a
 * connection without a key; with the packaged extension in a real VS Code.
 */
import assert from "node:assert/strict";
import { makeBlockTrades } from "../blockTrades.mjs";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";

const TRADES = `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "public/get_last_trades_by_instrument",
  "params": { "instrument_name": "BTC-PERPETUAL", "count": 2 }
}
`;

const VIEWS = ["Open Orders", "Block Trades", "MMP", "API Keys", "Block RFQ Quotes"];

test.describe("several connections", () => {
  const shared = shareWindow({
    files: { "trades.rpc.json": TRADES },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
    blockTrades: 12,
  });
  /** @type {import("../simulator.mjs").Simulator} */
  let away;
  test.beforeAll(async () => {
    away = await startSimulator(["--seed", "2", "--orders", "4", "--still"]);
    await makeBlockTrades(away, 12);
  });
  test.afterAll(async () => {
    await away.stop();
  });

  const connections = () => shared.workbench.pane("Connections");
  const orders = () => shared.workbench.pane("Open Orders");
  /** @param {string} title @param {(rows: string[]) => boolean} wanted */
  const rowsOf = async (title, wanted) => {
    await shared.workbench.openOnly(title);
    return shared.workbench.rowsWhen(wanted, shared.workbench.pane(title));
  };
  /** @param {{ run: (name: string) => Promise<any> }} simulator @returns {Promise<number>} */
  const openAt = async (simulator) => (await simulator.run("openOrders")).length;
  /** @param {{ run: (name: string) => Promise<any> }} simulator @param {string} method @returns {Promise<any[]>} */
  const sentTo = async (simulator, method) =>
    (await simulator.run("ledger")).filter((/** @type {any} */ each) => each.method === method);
  /** @param {string} label closes what stands below a row */
  const close = async (label, within = orders()) => {
    const row = shared.workbench.treeRow(label, within).first();
    if ((await row.getAttribute("aria-expanded")) === "true") await shared.workbench.toggle(label, within);
  };

  test("a connection without a key: connected, every view of an account says why it is empty and what can be done", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "public", environment: "TESTNET", hasKey: false });
    await workbench.expandPane("Connections");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /public.*TESTNET · ready · no API key/.test(row)),
      connections(),
    );
    for (const title of VIEWS) {
      await workbench.openOnly(title);
      const pane = workbench.pane(title);
      await pane
        .locator(".welcome-view-content, .pane-body", { hasText: "This connection has no API key" })
        .first()
        .waitFor();
      await pane.locator(".pane-header", { hasText: "TESTNET public · no API key" }).first().waitFor();
      assert.equal(await pane.getByText("failed").count(), 0);
    }
    await workbench.openOnly("Open Orders");
    await workbench.shot("several-public-orders");
    assert.deepEqual(
      (await shared.simulator.run("ledger")).filter((/** @type {any} */ { method }) => method.startsWith("private/")),
      [],
    );
  });

  test("Last Trades and a public request from a file work without a key", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("trades.rpc.json");
    await workbench.lens(/▷ Send/);
    await page
      .locator(".editor-group-container")
      .nth(1)
      .locator(".view-lines", { hasText: "TESTNET public · ok" })
      .waitFor();
    await workbench.shot("several-public-response");
    await orders().locator(".welcome-view-content, .pane-body").getByText("Show Last Trades…").first().click();
    await workbench.pick("BTC-PERPETUAL");
    await workbench.activeTab(/BTC-PERPETUAL/);
    await workbench
      .webview()
      .locator("main", { hasText: /BTC-PERPETUAL · TESTNET public.*live · 1000 trades/s })
      .waitFor();
    await workbench.shot("several-public-trades");
    await workbench.command("View: Close All Editors");
  });

  test("two more: in every view rows stand under the connection's environment and name", async () => {
    const { workbench } = shared;
    await workbench.connectTo(shared.simulator, { name: "main" });
    await workbench.connectTo(away, { name: "desk", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION desk/);
    await workbench.openOnly("Connections");
    await workbench.rowsWhen(
      (rows) =>
        rows.some((row) => /desk.*PRODUCTION · active · read-only/.test(row)) &&
        rows.some((row) => /main.*SIMULATOR · ready/.test(row)),
      connections(),
    );
    await workbench.shot("several-connections");
    for (const title of VIEWS) {
      await rowsOf(title, (rows) => rows.some((row) => row.startsWith("SIMULATOR main")));
      await workbench.shot(`several-${title}`);
      // With fifty rows open the next connection is not on the screen.
      await close("SIMULATOR main", workbench.pane(title));
      await rowsOf(title, (all) =>
        ["TESTNET public", "SIMULATOR main", "PRODUCTION desk"].every((place) =>
          all.some((row) => row.startsWith(place)),
        ),
      );
      const rows = await workbench.treeRows(workbench.pane(title));
      assert.match(rows.find((row) => row.startsWith("TESTNET public")) ?? "", /no API key/);
      // The rows of this view have come: a click before that meets another one.
      const header = workbench.pane(title).locator(".pane-header", { hasText: "3 connections · live" });
      await header.first().waitFor();
      await workbench.toggle("SIMULATOR main", workbench.pane(title));
    }
  });

  test("inline Cancel of a row goes to the connection that the row stands under", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Open Orders");
    await close("SIMULATOR main");
    const before = await openAt(shared.simulator);
    const group = orders().locator('.monaco-list-row[aria-level="2"][aria-expanded="false"]').first();
    if ((await group.count()) > 0) await group.locator(".monaco-tl-twistie").click();
    const row = orders().locator('.monaco-list-row[aria-level="3"]').first();
    await row.hover();
    await row.locator('.actions .action-label[aria-label^="Cancel Order"]').click();
    const { text, buttons } = await workbench.readModal();
    assert.match(text, /on PRODUCTION desk\?/);
    await workbench.shot("several-cancel-question");
    await workbench.modal(buttons.find((button) => /^Allow Cancels and Cancel$/.test(button)) ?? "");
    await until(async () => (await openAt(away)) === 3, { what: "the order to be cancelled" });
    assert.equal(await openAt(shared.simulator), before);
    assert.deepEqual(await sentTo(shared.simulator, "private/cancel"), []);
    await workbench.toggle("SIMULATOR main", orders());
  });

  test("commands of the palette ask on which connection, the active one under the cursor, those without a key not among them", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Orders: Cancel All");
    const picks = await workbench.picks();
    const found = picks.map((pick) => pick.replace(/\s+/g, ""));
    assert.deepEqual(found, ["SIMULATORmain5open", "PRODUCTIONdesk3open·active"]);
    await workbench.shot("several-pick");
    await workbench.pick("SIMULATOR main");
    const { text } = await workbench.readModal();
    assert.match(text, /on SIMULATOR main/);
    await workbench.modal("Keep Orders");
    await workbench.expandPane("Block Trades");
    await workbench.command("Trading RPC: Open Block Trade by ID");
    assert.equal((await workbench.picks()).length, 2);
    await workbench.escape();
    await workbench.command("Trading RPC: Show Last Trades with Options");
    assert.equal((await workbench.picks()).length, 3, "market data needs no key");
    await workbench.escape();
  });

  test("Allow Changes finds the production connection also while another one is active; what the item in the status bar offers names the others", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Connections");
    await workbench.context("main", "Set as Active Connection", connections());
    await workbench.status(/SIMULATOR main/);
    await workbench.command("Trading RPC: Allow Changes");
    const { text } = await workbench.readModal();
    assert.match(text, /PRODUCTION desk/);
    await workbench.shot("several-allow-changes");
    await workbench.page.keyboard.press("Escape");
    await workbench.dialog.waitFor({ state: "detached" });
    await shared.page.locator(".statusbar-item", { hasText: "SIMULATOR main" }).first().click();
    const picks = await workbench.picks();
    assert.ok(
      picks.some((pick) => /Set PRODUCTION desk as Active Connection/.test(pick)),
      picks.join("\n"),
    );
    await workbench.shot("several-status-menu");
    await workbench.pick("Set PRODUCTION desk as Active Connection");
    await workbench.status(/PRODUCTION desk/);
  });

  test("a request that is written from an order goes to the order's connection, whichever is active", async () => {
    const { workbench, page } = shared;
    await workbench.openOnly("Open Orders");
    await close("PRODUCTION desk");
    const group = orders().locator('.monaco-list-row[aria-level="2"][aria-expanded="false"]').first();
    if ((await group.count()) > 0) await group.locator(".monaco-tl-twistie").click();
    await orders().locator('.monaco-list-row[aria-level="3"]').first().click({ button: "right" });
    await workbench.menuItem("New Request from Order");
    await workbench.quickInput.locator(".monaco-list-row").first().click();
    await page.locator(".codelens-decoration", { hasText: "SIMULATOR main (this file)" }).first().waitFor();
    await workbench.shot("several-new-request");
    await workbench.command("View: Revert and Close Editor");
    await workbench.openOnly("Open Orders");
    await workbench.toggle("PRODUCTION desk", orders());
  });

  test("the same key twice, one switched to a subaccount: each has its rows under its account, and what is cancelled in one stays open in the other", async () => {
    const { workbench } = shared;
    await workbench.connectTo(shared.simulator, { name: "sub" });
    await workbench.status(/SIMULATOR sub/);
    await workbench.openOnly("Connections");
    await workbench.context("sub", "Switch Subaccount", connections());
    await workbench.pick("simulator_options");
    await workbench.pick("Same as the API Key");
    await workbench.modal("Switch Subaccount");
    await workbench.status(/SIMULATOR sub ▸ simulator_options/);
    await workbench.toggle(/^main/, connections());
    await workbench.rowsWhen((rows) => rows.some((row) => /API key in use.*this window only/.test(row)), connections());
    await workbench.tooltip(
      "API key in use",
      "In this window, the same API key is also used by SIMULATOR sub ▸ simulator_options.",
      connections(),
    );
    await workbench.shot("several-same-key");
    await workbench.toggle(/^main/, connections());
    await workbench.openOnly("Open Orders");
    await close("PRODUCTION desk");
    await close("SIMULATOR main");
    await workbench.rowsWhen((rows) => rows.some((row) => /^SIMULATOR sub ▸ simulator_options/.test(row)), orders());
    await workbench.shot("several-two-accounts");
    const before = await openAt(shared.simulator);
    await workbench.context("SIMULATOR sub ▸ simulator_options", "Cancel All Orders", orders());
    const text = await workbench.readModal().then(async ({ buttons, text: said }) => {
      await workbench.modal(buttons.find((button) => /^Cancel \d/.test(button)) ?? "");
      return said;
    });
    assert.match(text, /Cancel .*2.* on SIMULATOR sub ▸ simulator_options/);
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /^SIMULATOR sub ▸ simulator_options.*none/.test(row)),
      orders(),
    );
    assert.equal(await openAt(shared.simulator), before, "orders of the main account");
    await rowsOf(
      "Activity",
      (rows) =>
        rows.some((row) => /^SIMULATOR sub ▸ simulator_options/.test(row)) &&
        rows.some((row) => /^PRODUCTION desk/.test(row)),
    );
    await workbench.shot("several-activity");
  });

  test("another window of this computer with the same key is counted", async () => {
    const { workbench, page } = shared;
    const second = await page.context().newPage();
    const { Workbench } = await import("../workbench.mjs");
    const other = new Workbench(second);
    await other.goto(page.url());
    await other.openView("Trading RPC");
    await other.connectAgain("main");
    await other.input(shared.simulator.clientSecret);
    await other.pick("Keep Until This Window Closes");
    await other.openOnly("Connections");
    await other.rowsWhen((rows) => rows.some((row) => /main.*ready.*2 windows/.test(row)), other.pane("Connections"));
    await other.shot("several-second-window-connected");
    await page.bringToFront();
    await workbench.openOnly("Connections");
    await workbench.rowsWhen((rows) => rows.some((row) => /^main.*2 windows/.test(row)), connections());
    await workbench.shot("several-two-windows");
    await second.close();
  });

  test("a sidebar that is 200 pixels narrow: every connection can still be told", async () => {
    const { workbench, page } = shared;
    const sash = await page.locator(".sidebar").boundingBox();
    assert.ok(sash);
    await page.mouse.move(sash.x + sash.width, sash.y + sash.height / 2);
    await page.mouse.down();
    await page.mouse.move(sash.x + 200, sash.y + sash.height / 2, { steps: 4 });
    await page.mouse.up();
    for (const title of ["Connections", ...VIEWS]) {
      await workbench.openOnly(title);
      await workbench.shot(`several-narrow-${title}`);
    }
    await workbench.openOnly("Connections");
    const texts = await workbench.treeRows(connections());
    assert.ok(
      texts.every((text) => /SIMULATOR|TESTNET|PRODUCTION/.test(text)),
      texts.join("\n"),
    );
    const width = (await page.locator(".sidebar").boundingBox())?.width ?? 0;
    assert.ok(width <= 210, String(width));
  });

  test("one is closed: its rows go, the others stay; the last but one gone, the heading names the one that is left", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Open Orders");
    await workbench.context("PRODUCTION desk", "Disconnect", orders());
    await workbench.rowsWhen(
      (rows) =>
        rows.length > 0 &&
        !rows.some((row) => /PRODUCTION desk/.test(row)) &&
        ["TESTNET public", "SIMULATOR main", "SIMULATOR sub"].every((place) =>
          rows.some((row) => row.startsWith(place)),
        ),
      orders(),
    );
    await workbench.shot("several-one-closed");
    await workbench.context("SIMULATOR sub", "Disconnect", orders());
    // What is chosen while VS Code draws the list again reaches the extension without its row: nothing is done.
    await workbench.rowsWhen((rows) => !rows.some((row) => row.startsWith("SIMULATOR sub")), orders());
    await workbench.context("TESTNET public", "Disconnect", orders());
    await shared.page.locator(".sidebar .pane-header", { hasText: "SIMULATOR main" }).first().waitFor();
    await workbench.rowsWhen((rows) => rows.length > 0 && !rows.some((row) => /^SIMULATOR/.test(row)), orders());
    await workbench.shot("several-one-left");
  });
});
