// @ts-check
/**
 * Pictures to look at: a sheet for each view and for the panel of Last Trades with all their states, the busiest
 * surfaces in every theme, the sidebar in each width and theme, and a window at twice the size. Each picture is taken once its
 * state is told in words. `npm run contact-sheets`; they land below test/.out.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { makeBlockTrades } from "./blockTrades.mjs";
import { shareWindow, test } from "./fixtures.mjs";
import { ContactSheet, drawn, sidebarWidth, THEMES, useTheme } from "./look.mjs";
import { tempDir, until } from "./process.mjs";

/** The views of an account, what each reads, and what it is called where it is filtered. */
const OF_ACCOUNT = /** @type {const} */ ([
  ["Account", ["private/get_account_summaries"], "Filter Account"],
  ["Positions", ["private/get_positions"], "Filter Positions"],
  ["Open Orders", ["private/get_open_orders"], "Filter Orders"],
  ["Block Trades", ["private/get_block_trades"], "Filter Block Trades"],
  ["MMP", ["private/get_mmp_config"], "Filter MMP"],
  ["Block RFQ Quotes", ["private/get_block_rfq_quotes", "private/get_block_rfqs"], "Filter Block RFQ Quotes"],
  ["API Keys", ["private/list_api_keys"], "Filter API Keys"],
]);
const VIEWS = ["Connections", ...OF_ACCOUNT.map(([view]) => view), "Activity"];
const HEIGHT = 330;
/** What the simulated account begins with, so that each view of an account has rows. */
const ACCOUNT = {
  balances: { BTC: 12.5, ETH: 150, USDC: 250_000 },
  positions: [
    { instrument_name: "BTC-PERPETUAL", size: 185_160, average_price: 15_000 },
    { instrument_name: "ETH-PERPETUAL", size: -2000, average_price: 2000 },
  ],
};
const ROWS = ".monaco-list-row";
/** The key that the simulator starts with may do everything. */
const EVERYTHING =
  "account:read_write trade:read_write block_trade:read_write block_rfq:read_write wallet:read_write custody:read_write";

/** @typedef {import("./fixtures.mjs").SharedWindow} SharedWindow */

/** Arguments of the simulator. */
function simulated() {
  const file = path.join(tempDir("account"), "account.json");
  fs.writeFileSync(file, JSON.stringify(ACCOUNT));
  return ["--seed", "1", "--orders", "12", "--still", "--account", file];
}

/** @param {SharedWindow} shared gestures and waits that each `describe` uses */
function handOf(shared) {
  const hand = {
    /** @param {string} view @param {RegExp} sign waits until the view, alone in the sidebar, says this anywhere */
    async says(view, sign) {
      await shared.workbench.openOnly(view);
      let seen = "";
      const matches = async () =>
        sign.test((seen = ((await shared.workbench.pane(view).innerText()) ?? "").replace(/\s+/g, " ")));
      await until(matches, { what: `${view} to say ${sign}` }).catch((error) =>
        assert.fail(`${error.message} Seen: ${seen}`),
      );
    },
    /** @param {string} view @param {(rows: string[]) => boolean} wanted */
    async rows(view, wanted) {
      await shared.workbench.openOnly(view);
      await shared.workbench.rowsWhen(wanted, shared.workbench.pane(view));
    },
    /** @param {string} effect what happens to each reading of the views @param {object} response */
    async fault(effect, response) {
      for (const [, methods] of OF_ACCOUNT)
        for (const method of methods)
          await shared.simulator.run("setFault", { method, times: 200, effect, ...response });
    },
    /** Ends the connection and opens it again. */
    async again() {
      await shared.workbench.command("Trading RPC: Disconnect");
      await shared.workbench.status("Not connected");
      await shared.workbench.command("Trading RPC: Connect…");
      await shared.workbench.pick("SIMULATOR lab");
    },
    async ready() {
      await hand.rows("Connections", (rows) => rows.some((row) => /^lab.*ready/.test(row)));
    },
    /** @param {string} asked the title of the list @param {string} text */
    async filter(asked, text) {
      await shared.workbench.command(`Trading RPC: ${asked}…`);
      await shared.workbench.write(text);
      await shared.workbench.quickInput.locator(`${ROWS}.focused`, { hasText: `Show Items with “${text}”` }).waitFor();
      await shared.page.keyboard.press("Enter");
      await shared.workbench.quickInput.waitFor({ state: "hidden" });
    },
    /** @param {string} view @param {number} index of a row @param {boolean} isOpen */
    async turn(view, index, isOpen) {
      const row = shared.workbench.pane(view).locator(`${ROWS}[data-index="${index}"]`);
      await until(
        async () => {
          if ((await row.getAttribute("aria-expanded")) === String(isOpen)) return true;
          // A row that is drawn anew takes the click with it.
          await row
            .locator(".monaco-tl-twistie")
            .click({ timeout: 2000 })
            .catch(() => undefined);
          return false;
        },
        { what: `row ${index} of ${view} to turn` },
      );
    },
    /**
     * Opens the first row that is closed, and the first below it, and closes both after the picture.
     * @param {string} view @param {() => Promise<void>} take
     */
    async withOpenRows(view, take) {
      await shared.workbench.openOnly(view);
      /** @type {number[]} */
      const opened = [];
      for (let each = 0; each < 2; each++) {
        const closed = shared.workbench.pane(view).locator(`${ROWS}[aria-expanded="false"]`).first();
        if ((await closed.count()) === 0) break;
        const index = Number(await closed.getAttribute("data-index"));
        // What is not below the row that was opened first would show a second thing.
        if (opened[0] !== undefined && index !== opened[0] + 1) break;
        await hand.turn(view, index, true);
        opened.push(index);
      }
      await take();
      for (const index of opened.reverse()) await hand.turn(view, index, false);
    },
  };
  return hand;
}

/** @param {SharedWindow} shared the sheets of one `describe`, each made with its first picture */
function sheetsOf(shared) {
  /** @type {Map<string, ContactSheet>} */
  const sheets = new Map();
  return {
    /** @param {string} name */
    of(name) {
      const sheet = sheets.get(name) ?? new ContactSheet(shared.workbench, name);
      sheets.set(name, sheet);
      return sheet;
    },
    /** @param {number} count of the sheets @param {Readonly<Record<string, number>>} [columns] of some; else 5 */
    async save(count, columns = {}) {
      assert.equal(sheets.size, count);
      for (const sheet of sheets.values()) {
        assert.ok(sheet.pictures.length >= 2, `${sheet.name} has ${sheet.pictures.length} pictures`);
        assert.ok(fs.statSync(await sheet.save({ columns: columns[sheet.name] ?? 5 })).size > 10_000);
      }
    },
  };
}

test.describe("a contact sheet for each view, in dark", () => {
  const shared = shareWindow({
    simulator: simulated(),
    settings: { "tradingRpc.connection.requestTimeoutMs": 6000 },
  });
  const hand = handOf(shared);
  const sheets = sheetsOf(shared);
  /** @param {string} view @param {string} state adds what a view looks like now to its sheet */
  const add = async (view, state) => {
    await shared.workbench.openOnly(view);
    await drawn(shared.page);
    await sheets.of(view.toLowerCase().replaceAll(" ", "-")).addPart(state, shared.workbench.pane(view), HEIGHT);
  };
  /**
   * @param {string} state
   * @param {RegExp} sign that each view of an account shows in it
   * @param {readonly string[]} [views]
   */
  const addEach = async (state, sign, views = OF_ACCOUNT.map(([view]) => view)) => {
    for (const view of views) {
      await hand.says(view, sign);
      await add(view, state);
    }
  };

  test("not connected, connecting, and refused", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await shared.page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).waitFor();
    await sheets.of("first-screen").add("nothing saved");
    await workbench.connectTo(shared.simulator);
    await hand.ready();
    await hand.says("Activity", /No changes yet/);
    await add("Activity", "nothing yet");
    await shared.simulator.run("setFault", { method: "public/auth", times: 100, effect: "skipped", response: "none" });
    await hand.again();
    await hand.rows("Connections", (rows) => rows.some((row) => /^lab.*signing in/.test(row)));
    await add("Connections", "connecting");
    await addEach("connecting", /loading…/);
    await shared.simulator.run("clearFaults");
    await shared.simulator.run("setFault", {
      method: "public/auth",
      times: 100,
      effect: "skipped",
      response: { code: 13_004 },
    });
    await hand.again();
    await addEach("key refused", /rejected the API key/);
    await hand.withOpenRows("Connections", () => add("Connections", "key refused"));
    await workbench.toast(/SIMULATOR lab: The exchange returned error 13004/);
    await workbench.closeToasts();
    await shared.simulator.run("clearFaults");
  });

  test("a scope that is missing, what the server does not offer, what it does not answer, and nothing", async () => {
    await shared.simulator.run("editApiKey", { id: 1, max_scope: "wallet:read" });
    await hand.again();
    await addEach("scope missing", /(trade|block_trade|block_rfq|account):read/);
    await shared.simulator.run("editApiKey", { id: 1, max_scope: EVERYTHING });
    await hand.fault("skipped", { response: { code: -32_601 } });
    await hand.again();
    await addEach("not offered by the server", /\(no private\/|doesn't support private\/|error -32601/);
    await shared.simulator.run("clearFaults");
    await hand.fault("skipped", { response: { code: 11_094 } });
    await hand.again();
    await addEach("could not be read", /11094/);
    await shared.simulator.run("clearFaults");
    await shared.simulator.run("setFault", {
      method: "private/get_block_rfqs",
      times: 200,
      mutate: { how: "result", value: { block_rfqs: [] } },
    });
    await shared.simulator.run("setFault", {
      method: "private/get_account_summaries",
      times: 200,
      mutate: { how: "result", value: { summaries: [] } },
    });
    await hand.fault("applied", { mutate: { how: "result", value: [] } });
    await hand.again();
    await addEach(
      "none",
      /has no currencies|No positions|No open orders|No block trades|is not configured|No open Block RFQ quotes|has no API keys/,
    );
    await shared.simulator.run("clearFaults");
  });

  test("rows, rows that are opened, and a filter that hides all", async () => {
    const { workbench } = shared;
    await hand.again();
    await hand.ready();
    await makeBlockTrades(shared.simulator, 5);
    for (const view of ["Connections", ...OF_ACCOUNT.map(([each]) => each)]) {
      await hand.rows(view, (rows) => rows.length > 1);
      if (view !== "Connections") await add(view, "with rows");
      await hand.withOpenRows(view, () =>
        add(view, view === "Connections" ? "connected, a row opened" : "a row opened"),
      );
    }
    await shared.simulator.run("freezeMmp", { index_name: "btc_usd", mmp_group: "g1", untilMs: 0 });
    await hand.says("MMP", /frozen/);
    await add("MMP", "a group is frozen");
    for (const [view, , asked] of [...OF_ACCOUNT, /** @type {const} */ (["Connections", [], "Filter Connections"])]) {
      await workbench.openOnly(view);
      await hand.filter(asked, "doge");
      await hand.says(view, /filter: doge.*(Clear Filter|The filter shows 0 of)/);
      await add(view, "a filter without a match");
      await workbench.command(`Trading RPC: Clear ${asked.replace(/^Filter /, "").replace(/s$/, "")} Filter`);
      await hand.rows(view, (rows) => rows.length > 1);
    }
  });

  test("the link is lost", async () => {
    await shared.simulator.run("refuseConnections", { isRefusing: true });
    await shared.simulator.run("disconnectAll", { how: "reset" });
    await addEach("the link is lost", /Not up to date since/);
    await hand.rows("Connections", (rows) => rows.some((row) => /^lab.*(next|again|connecting)/.test(row)));
    await hand.withOpenRows("Connections", () => add("Connections", "the link is lost"));
    await shared.simulator.run("refuseConnections", { isRefusing: false });
    await hand.again();
    await hand.ready();
  });

  test("changes: verified, under way, and with an unknown outcome", async () => {
    const { workbench } = shared;
    // Rows near the top, so that what becomes of them is in the pictures.
    const [first, second] = (await shared.simulator.run("openOrders")).filter(
      (/** @type {any} */ order) => order.instrument_name === "BTC-PERPETUAL",
    );
    const [quote] = await shared.simulator.run("blockRfqQuotes");
    await workbench.commandOn("Trading RPC: Cancel Order…", first.order_id);
    await hand.rows("Activity", (rows) => rows.some((row) => /cancelled/.test(row)));
    /** @param {string} method @param {string} look whatever reads what became of it fails */
    const lose = async (method, look) => {
      await shared.simulator.run("setFault", { method, times: 1, effect: "skipped", response: "none" });
      await shared.simulator.run("setFault", {
        method: look,
        times: 200,
        effect: "skipped",
        response: { code: 11_094 },
      });
    };
    await lose("private/cancel", "private/get_order_state");
    await workbench.commandOn("Trading RPC: Cancel Order…", second.order_id);
    await hand.rows("Activity", (rows) => rows.some((row) => /sending/.test(row)));
    await add("Activity", "under way");
    await hand.says("Open Orders", /cancelling/);
    await add("Open Orders", "one being cancelled");
    await hand.rows("Activity", (rows) => rows.some((row) => /unknown/.test(row)));
    await add("Activity", "an unknown outcome");
    await hand.withOpenRows("Activity", () => add("Activity", "a row opened"));
    await hand.says("Open Orders", /unknown/);
    await add("Open Orders", "an unknown outcome");
    await hand.says("Block RFQ Quotes", /live/);
    await lose("private/cancel_block_rfq_quote", "private/get_block_rfq_quotes");
    await workbench.commandOn("Trading RPC: Cancel Block RFQ Quote…", String(quote.block_rfq_quote_id));
    await hand.says("Block RFQ Quotes", /cancelling/);
    await add("Block RFQ Quotes", "one being cancelled");
    await hand.says("Block RFQ Quotes", /unknown/);
    await add("Block RFQ Quotes", "an unknown outcome");
    await shared.simulator.run("clearFaults");
    await workbench.openOnly("Activity");
    await hand.filter("Filter Activity", "doge");
    await hand.says("Activity", /No entries match/);
    await add("Activity", "a filter without a match");
    await workbench.command("Trading RPC: Clear Activity Filter");
  });

  test("a connection without a key, and several side by side", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Disconnect");
    // What is still open, as long as the link that took the cancels is up, is unknown.
    await workbench.modal("Disconnect");
    await workbench.treeRow("Connect to lab").waitFor();
    const activity = workbench.pane("Activity");
    for (const left of [1, 0]) {
      await workbench.context(/^unknown/, "Dismiss Unknown Outcome…", activity);
      await workbench.modal("Dismiss Unknown Outcome");
      await workbench.rowsWhen((rows) => rows.filter((row) => /^unknown/.test(row)).length === left, activity);
    }
    await workbench.status("Not connected");
    await sheets.of("first-screen").add("saved connection");
    await workbench.connectTo(shared.simulator, { name: "public", environment: "TESTNET", hasKey: false });
    await addEach("without a key", /has no API key/);
    await workbench.connectTo(shared.simulator, { name: "desk", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION desk/);
    await addEach("two connections, one without a key", /PRODUCTION desk/);
    await workbench.command("Trading RPC: Connect…");
    await workbench.pick("SIMULATOR lab");
    await hand.ready();
    await add("Connections", "three connections");
    await hand.says("Open Orders", /3 connections/);
  });

  test("the sheets are written, each with its pictures", async () => {
    await sheets.save(VIEWS.length + 1);
  });
});

test.describe("contact sheets of Last Trades, of every theme, of a narrow sidebar and of twice the size", () => {
  const size = { width: 1060, height: 740 };
  const shared = shareWindow({
    simulator: simulated(),
    settings: { "tradingRpc.connection.requestTimeoutMs": 6000 },
    viewport: size,
  });
  const hand = handOf(shared);
  const sheets = sheetsOf(shared);
  const LIST = "public/get_last_trades_by_instrument";
  /** @param {string} state @param {RegExp} sign */
  const addTrades = async (state, sign) => {
    await shared.workbench.webview().locator("main", { hasText: sign }).waitFor();
    await drawn(shared.page);
    await sheets.of("last-trades").addPart(state, shared.page.locator(".part.editor"));
  };
  const closeEditors = async () => {
    await shared.workbench.command("View: Close All Editors");
    await shared.page.locator(".tab").first().waitFor({ state: "detached" });
  };

  test("Last Trades: being read, with trades, one chosen, none, not read, and the link lost", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await hand.ready();
    for (const [state, fault, sign] of /** @type {const} */ ([
      ["being read", { effect: "skipped", response: "none" }, /loading/],
      [
        "no trades",
        { effect: "applied", mutate: { how: "result", value: { trades: [], has_more: false } } },
        /no trades/,
      ],
      ["not read", { effect: "skipped", response: { code: 11_094 } }, /11094/],
    ])) {
      await shared.simulator.run("setFault", { method: LIST, times: 50, ...fault });
      await workbench.openTrades("BTC-PERPETUAL");
      await addTrades(state, sign);
      await shared.simulator.run("clearFaults");
      await closeEditors();
    }
    await workbench.openTrades("BTC-PERPETUAL");
    await workbench.webview().locator(".table .body .row:visible").first().waitFor();
    await addTrades("live", /live · 1000 trades/);
    await workbench.webview().locator(".table .body .row:visible").nth(3).click();
    await workbench.webview().locator(".row.standing").waitFor();
    await addTrades("a trade chosen", /live/);
    await shared.simulator.run("refuseConnections", { isRefusing: true });
    await shared.simulator.run("disconnectAll", { how: "reset" });
    await addTrades("the link is lost", /not up to date since/);
    await shared.simulator.run("refuseConnections", { isRefusing: false });
    await hand.again();
    await hand.ready();
    await closeEditors();
  });

  test("the trades panel and the two busiest views in every theme", async () => {
    const { workbench } = shared;
    await workbench.openTrades("BTC-PERPETUAL");
    await workbench.webview().locator(".table .body .row:visible").first().waitFor();
    await hand.rows("Open Orders", (rows) => rows.length > 3);
    await workbench.expandPane("Block RFQ Quotes");
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Block RFQ Quotes"));
    await sidebarWidth(workbench, 300);
    await hand.turn("Open Orders", 1, true);
    for (const { name, body } of THEMES) {
      await useTheme(workbench, name);
      await workbench.webview().locator(`body.${body}`).waitFor();
      await sheets.of("themes").add(name);
    }
    await useTheme(workbench, "dark");
    await hand.turn("Open Orders", 1, false);
  });

  test("Account history: being read, with entries, one chosen, none, not read, and hidden figures", async () => {
    const { workbench, page } = shared;
    await closeEditors();
    const history = workbench.webview();
    /** @param {string} state @param {RegExp} sign */
    const addHistory = async (state, sign) => {
      await history.locator("main", { hasText: sign }).waitFor();
      await drawn(page);
      await sheets.of("account-history").addPart(state, page.locator(".part.editor"));
    };
    /** @param {string} label */
    const select = (label) => history.locator('.filters [aria-label="List"]').selectOption({ label });
    await workbench.command("Trading RPC: Show Account History…");
    await history.locator("h1").waitFor();
    for (const [state, method, fault, sign, list] of /** @type {const} */ ([
      [
        "being read",
        "private/get_user_trades_by_currency",
        { effect: "skipped", response: "none" },
        /Loading/,
        "Own trades",
      ],
      [
        "not read",
        "private/get_transaction_log",
        { effect: "skipped", response: { code: 11_094 } },
        /11094/,
        "Transaction log",
      ],
    ])) {
      await shared.simulator.run("setFault", { method, times: 50, ...fault });
      await select(list);
      await addHistory(state, sign);
      await shared.simulator.run("clearFaults");
    }
    await select("Withdrawals");
    await addHistory("no entries", /No entries match/);
    await select("Transaction log");
    await addHistory("the transaction log", /Entries: \d+/);
    await history.locator("tbody tr:not(.day)").first().click();
    await history.locator(".details dt").first().waitFor();
    await addHistory("an entry chosen", /Entries: \d+/);
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    await addHistory("presentation mode", /•••/);
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    for (const { name, body } of THEMES) {
      await useTheme(workbench, name);
      await history.locator(`body.${body}`).waitFor();
      await addHistory(name, /Entries: \d+/);
    }
    await useTheme(workbench, "dark");
    await closeEditors();
    await workbench.openTrades("BTC-PERPETUAL");
  });

  test("the account and its positions in every theme", async () => {
    const { workbench } = shared;
    await hand.rows("Account", (rows) => rows.length > 1);
    await workbench.expandPane("Positions");
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Positions"));
    await sidebarWidth(workbench, 300);
    for (const { name, body } of THEMES) {
      await useTheme(workbench, name);
      await workbench.webview().locator(`body.${body}`).waitFor();
      await sheets.of("themes-account").add(name);
    }
    await useTheme(workbench, "dark");
  });

  test("a sidebar of 200 pixels", async () => {
    const { workbench } = shared;
    const [order] = await shared.simulator.run("openOrders");
    await workbench.commandOn("Trading RPC: Cancel Order…", order.order_id);
    await makeBlockTrades(shared.simulator, 5);
    await sidebarWidth(workbench, 200);
    for (const view of VIEWS) {
      await hand.rows(view, (rows) => rows.length > 1);
      await sheets.of("narrow").addPart(`${view}, 200 px`, workbench.pane(view), HEIGHT);
    }
    await sidebarWidth(workbench, 300);
  });

  test("twice the size", async () => {
    const { workbench, page } = shared;
    await page.setViewportSize({ width: 700, height: 450 });
    await hand.rows("Open Orders", (rows) => rows.length > 1);
    await sheets.of("twice").add("Open Orders and Last Trades, a window of 1400 × 900 at 200 %");
    await hand.rows("API Keys", (rows) => rows.length > 1);
    await workbench.webview().locator(".table .body .row:visible").nth(3).scrollIntoViewIfNeeded();
    assert.equal(
      await workbench
        .webview()
        .locator(".table")
        .evaluate((table) => table.scrollWidth - table.clientWidth),
      0,
    );
    await sheets.of("twice").add("API Keys, and the table of Last Trades");
    await page.setViewportSize(size);
  });

  test("the sheets are written, each with its pictures", async () => {
    await sheets.save(6, {
      "last-trades": 3,
      "account-history": 3,
      themes: 2,
      "themes-account": 2,
      narrow: 4,
      twice: 2,
    });
  });
});

/** The widths of the sidebar that its rows are made for, in pixels. */
const WIDTHS = [250, 300, 450];

test.describe("the sidebar in each width and theme", () => {
  const size = { width: 1400, height: 900 };
  const shared = shareWindow({ simulator: ["--seed", "2", "--orders", "300", "--still"], viewport: size });
  const sheets = sheetsOf(shared);
  /** @param {string} state the name of its sheet, with a row of pictures for each theme */
  const addAll = async (state) => {
    await shared.workbench.closeToasts();
    for (const { name } of THEMES) {
      await useTheme(shared.workbench, name);
      for (const width of WIDTHS) {
        await sidebarWidth(shared.workbench, width);
        const clip = { x: 0, y: 0, width: width + 60, height: size.height };
        await sheets.of(`sidebar-${state}`).add(`${name}, ${width} px`, clip);
      }
    }
  };

  test("not connected", async () => {
    await shared.workbench.openView("Trading RPC");
    await shared.page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).waitFor();
    await addAll("not-connected");
  });

  test("one connection, and two", async () => {
    const { workbench, page } = shared;
    await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).click();
    await workbench.status("SIMULATOR");
    await workbench.rowsWhen((rows) => rows.length > 7, workbench.pane("Open Orders"));
    await workbench.rowsWhen((rows) => rows.length > 4, workbench.pane("Positions"));
    await addAll("one-connection");
    await workbench.connectTo(shared.simulator, { name: "desk", environment: "TESTNET" });
    // Each connection has a row once there are two.
    for (const view of ["Open Orders", "Positions"])
      await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("SIMULATOR")), workbench.pane(view));
    await addAll("two-connections");
  });

  test("300 orders, and production", async () => {
    const { workbench } = shared;
    await workbench.context(/^SIMULATOR/, "Disconnect", workbench.pane("Open Orders"));
    await workbench.status("TESTNET desk");
    await workbench.rowsWhen((rows) => !rows.some((row) => row.includes("SIMULATOR")), workbench.pane("Open Orders"));
    await addAll("300-orders");
    await workbench.command("Trading RPC: Disconnect");
    await workbench.status("Not connected");
    await workbench.connectTo(shared.simulator, { name: "main", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION main/);
    await workbench.rowsWhen((rows) => rows.length > 7, workbench.pane("Open Orders"));
    await addAll("production");
    await useTheme(workbench, "dark");
  });

  test("the sheets are written, each with its pictures", async () => {
    const states = ["not-connected", "one-connection", "two-connections", "300-orders", "production"];
    await sheets.save(states.length, Object.fromEntries(states.map((state) => [`sidebar-${state}`, WIDTHS.length])));
  });
});

test.describe("the first steps: the extension's page, and Add Connection", () => {
  const size = { width: 1280, height: 800 };
  const shared = shareWindow({ viewport: size });
  const sheets = sheetsOf(shared);
  /** @param {string} of @param {string} step takes the picture of a step, then the step is answered */
  const add = async (of, step) => {
    await shared.workbench.quickInput.locator(".quick-input-box").waitFor();
    await sheets.of(`add-connection-${of}`).add(step);
  };

  test("the README on the extension's page", async () => {
    const { workbench, page } = shared;
    await workbench.command("Extensions: Show Installed Extensions");
    await page.locator(".extension-list-item", { hasText: "Trading RPC" }).first().click();
    const readme = workbench.webview();
    await readme.locator("h1", { hasText: "Trading RPC" }).waitFor();
    await sheets.of("extension-page").add("as it opens");
    await readme.locator("body").hover();
    await page.mouse.wheel(0, 560);
    await drawn(page);
    await sheets.of("extension-page").add("a screen further");
    await workbench.command("View: Close All Editors");
  });

  test("Add Connection for Testnet, and for an address of one's own", async () => {
    const { workbench } = shared;
    const { webSocket, clientId, clientSecret } = shared.simulator;
    await workbench.openView("Trading RPC");
    await workbench.command("Trading RPC: Add Connection");
    await add("testnet", "1. exchange");
    await workbench.pick("Testnet");
    await add("testnet", "2. client ID");
    await workbench.input(clientId);
    await add("testnet", "3. client secret");
    await workbench.escape();
    await workbench.command("Trading RPC: Add Connection");
    await add("custom", "1. exchange");
    await workbench.pick("Custom");
    await add("custom", "2. address");
    await workbench.input(webSocket);
    await add("custom", "3. client ID");
    await workbench.input(clientId);
    await add("custom", "4. client secret");
    await workbench.input(clientSecret);
    await workbench.expandPane("Connections");
    await workbench.rowsWhen((rows) => rows.some((row) => /ready/.test(row)), workbench.pane("Connections"));
    await sheets.of("add-connection-custom").add("connected");
  });

  test("the sheets are written, each with its pictures", async () => {
    await sheets.save(3, { "extension-page": 2, "add-connection-testnet": 2, "add-connection-custom": 2 });
  });
});
