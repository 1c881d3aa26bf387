// @ts-check
/**
 * Pictures to look at: a sheet for each view with all its states, the busiest surfaces in every theme, a sidebar of
 * 200 pixels, and a window at twice the size. `npm run contact-sheets`; they land below test/.out.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { describe } from "node:test";
import { openDesk } from "./desk.mjs";
import { ContactSheet, drawn, sidebarWidth, THEMES, useTheme } from "./look.mjs";
import { until } from "./process.mjs";

/** The views, and what each reads. */
const VIEWS = /** @type {const} */ ([
  ["Connections", []],
  ["Open Orders", ["private/get_open_orders"]],
  ["Block Trades", ["private/get_block_trades"]],
  ["MMP", ["private/get_mmp_config"]],
  ["Block RFQ Quotes", ["private/get_block_rfq_quotes", "private/get_block_rfqs"]],
  ["API Keys", ["private/list_api_keys"]],
  ["Activity", []],
]);
const HEIGHT = 420;

describe("contact sheets", () => {
  const desk = openDesk({ simulator: ["--seed", "1", "--orders", "12", "--still"], settings: { "tradingRpc.connection.requestTimeoutMs": 6000 } });
  /** @type {Map<string, ContactSheet>} */
  const sheets = new Map();
  /** @param {string} view */
  const sheetOf = (view) => {
    const name = view.toLowerCase().replaceAll(" ", "-");
    const sheet = sheets.get(name) ?? new ContactSheet(desk.workbench, name);
    sheets.set(name, sheet);
    return sheet;
  };
  /** @param {string} view @param {string} state adds what a view looks like now to its sheet */
  const add = async (view, state) => {
    await desk.workbench.openOnly(view);
    await drawn(desk.page);
    await sheetOf(view).addPart(state, desk.workbench.pane(view), HEIGHT);
  };
  /** @param {string} view */
  const body = (view) => desk.workbench.pane(view).locator(".pane-body");
  /** @param {string} view opens its first row, and the first below that */
  const openRows = async (view) => {
    const { workbench } = desk;
    for (let each = 0; each < 2; each++) {
      const closed = workbench.pane(view).locator('.monaco-list-row[aria-expanded="false"]').first();
      if ((await closed.count()) === 0) return;
      // Rows below it are pushed out of sight: it alone is looked at.
      const row = workbench.pane(view).locator(`.monaco-list-row[data-index="${await closed.getAttribute("data-index")}"]`);
      await until(
        async () => {
          if ((await row.getAttribute("aria-expanded")) === "true") return true;
          // A row that is drawn anew takes the click with it.
          await row.locator(".monaco-tl-twistie").click({ timeout: 2000 }).catch(() => undefined);
          return false;
        },
        { what: `a row of ${view} to open` },
      );
    }
  };
  // A server that does not say what it is counts as production.
  const connected = () => desk.workbench.status(/(SIMULATOR|PRODUCTION) lab/);
  const reconnect = async () => {
    await desk.workbench.command("Trading RPC: Disconnect");
    await until(
      async () => {
        // While an outcome is unknown, disconnecting asks first.
        if (await desk.workbench.dialog.isVisible()) await desk.workbench.modal("Disconnect");
        return desk.page.locator(".statusbar-item", { hasText: "Not connected" }).first().isVisible();
      },
      { what: "the connection to be closed" },
    );
    await desk.workbench.command("Trading RPC: Connect…");
    await desk.workbench.pick(/(SIMULATOR|PRODUCTION) lab/);
  };
  /** @param {string} reply sets it for whatever the views read @param {number} [times] */
  const fault = async (reply, times = 100) => {
    for (const [, methods] of VIEWS) for (const method of methods) await desk.simulator.run("setFault", { method, times, effect: "skipped", reply });
  };

  desk.test("each view without a connection", async () => {
    await desk.workbench.openView("Trading RPC");
    for (const [view] of VIEWS) await add(view, "not connected");
  });

  desk.test("each view while it is read, and with its rows", async () => {
    const { workbench } = desk;
    await fault("none");
    await workbench.connectTo(desk.simulator);
    await connected();
    for (const [view, methods] of VIEWS) if (methods.length > 0) await add(view, "being read");
    await desk.simulator.run("clearFaults");
    await reconnect();
    await connected();
    for (const [view] of VIEWS) {
      if (view === "Activity") continue;
      await workbench.openOnly(view);
      await workbench.pane(view).locator(".monaco-list-row").nth(1).waitFor();
      await add(view, "with rows");
      await openRows(view);
      await add(view, "a row opened");
    }
  });

  desk.test("changes: verified, under way, and with an unknown outcome", async () => {
    const { workbench } = desk;
    const [first, second] = await desk.simulator.run("openOrders");
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.quickInput.locator(".quick-input-box input").fill(first.order_id);
    await workbench.pickSeveral([first.order_id]);
    await workbench.openOnly("Activity");
    await workbench.rowsWhen((rows) => rows.some((row) => /cancelled/.test(row)), workbench.pane("Activity"));
    await desk.simulator.run("setFault", { method: "private/cancel", times: 1, effect: "skipped", reply: "none" });
    await desk.simulator.run("setFault", { method: "private/get_order_state", times: 100, effect: "skipped", reply: { code: 10_041 } });
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.quickInput.locator(".quick-input-box input").fill(second.order_id);
    await workbench.pickSeveral([second.order_id]);
    await workbench.rowsWhen((rows) => rows.some((row) => /sending/.test(row)), workbench.pane("Activity"));
    await add("Activity", "under way");
    await add("Open Orders", "one being cancelled");
    await workbench.openOnly("Activity");
    await workbench.rowsWhen((rows) => rows.some((row) => /unknown/.test(row)), workbench.pane("Activity"));
    await add("Activity", "an outcome that nobody proved");
    await add("Open Orders", "one with an unknown outcome");
    await openRows("Activity");
    await add("Activity", "a row opened");
    await desk.simulator.run("clearFaults");
  });

  desk.test("each view after the link was lost, and where the server does not offer what it shows", async () => {
    const { workbench } = desk;
    // The unknown outcome is proved first: the status bar tells it before anything else.
    await desk.simulator.run("clearFaults");
    await until(async () => !/unknown/.test(await workbench.status(/lab/)), { what: "the outcome to be proved", timeoutMs: 90_000 });
    await desk.simulator.run("setFault", { method: "public/auth", times: 100, effect: "skipped", reply: "none" });
    await desk.simulator.run("disconnectAll", { how: "reset" });
    await workbench.rowsWhen((rows) => rows.some((row) => /lab.*(signing in|next attempt|connecting)/.test(row)), workbench.pane("Connections")).catch(() => undefined);
    for (const [view] of VIEWS) await add(view, "the link was lost");
    await desk.simulator.run("clearFaults");
    await desk.simulator.run("setMethods", { methods: "contract" });
    await reconnect();
    await connected();
    for (const [view] of VIEWS) {
      await workbench.openOnly(view);
      await body(view).locator(".monaco-list-row, .welcome-view-content, .message").first().waitFor();
      await add(view, "a server that offers less");
    }
    await desk.simulator.run("setMethods", { methods: "all" });
    await reconnect();
    await connected();
  });

  desk.test("the busiest surfaces in every theme", async () => {
    const { workbench } = desk;
    const sheet = new ContactSheet(workbench, "themes");
    sheets.set("themes", sheet);
    await workbench.command("Trading RPC: Last Trades…");
    await workbench.quickInput.locator(".quick-input-box input").fill("BTC-PERPETUAL");
    await workbench.quickInput.locator('.monaco-list-row.focused[aria-label^="BTC-PERPETUAL,"]').waitFor();
    await desk.page.keyboard.press("Enter");
    await workbench.webview().locator(".table .body .row:visible").first().waitFor();
    for (const { name, body: shown } of THEMES) {
      await useTheme(workbench, name);
      await workbench.webview().locator(`body.${shown}`).waitFor();
      await workbench.openOnly("Open Orders");
      await workbench.pane("Open Orders").locator(".monaco-list-row").nth(2).waitFor();
      await sheet.add(`${name}: Open Orders and Last Trades`);
      await workbench.openOnly("API Keys");
      await workbench.pane("API Keys").locator(".monaco-list-row").nth(1).waitFor();
      await sheet.addPart(`${name}: API Keys`, workbench.pane("API Keys"), 900);
    }
    await useTheme(workbench, "dark");
  });

  desk.test("a sidebar of 200 pixels, and twice the size", async () => {
    const { workbench, page } = desk;
    const narrow = new ContactSheet(workbench, "narrow");
    sheets.set("narrow", narrow);
    await sidebarWidth(workbench, 200);
    for (const [view] of VIEWS) {
      await workbench.openOnly(view);
      await body(view).locator(".monaco-list-row, .welcome-view-content").first().waitFor();
      await narrow.addPart(`${view}, 200 px`, workbench.pane(view), HEIGHT);
    }
    await sidebarWidth(workbench, 300);
    const twice = new ContactSheet(workbench, "twice");
    sheets.set("twice", twice);
    await page.setViewportSize({ width: 700, height: 450 });
    for (const view of ["Open Orders", "API Keys", "MMP"]) {
      await workbench.openOnly(view);
      await workbench.pane(view).locator(".monaco-list-row").first().waitFor();
      await twice.add(`${view}, a window of 1400 × 900 at 200 %`);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  desk.test("the sheets are written, each with its pictures", async () => {
    assert.equal(sheets.size, VIEWS.length + 3);
    for (const sheet of sheets.values()) {
      assert.ok(sheet.pictures.length >= 3, `${sheet.name} has ${sheet.pictures.length} pictures`);
      const file = await sheet.save({ columns: sheet.name === "themes" ? 2 : sheet.name === "twice" ? 3 : 4 });
      assert.ok(fs.statSync(file).size > 10_000);
    }
  });
});
