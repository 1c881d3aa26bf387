// @ts-check
/**
 * Trading RPC with a keyboard and without a mouse: every command of the palette up to its first visible effect,
 * every view with its rows, menus and selections. What is asked for is read; what is done is done with keys alone.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { Keyboard } from "../keyboard.mjs";
import { root, until } from "../process.mjs";

const CHANNEL = "trades.BTC-PERPETUAL.100ms";
const FILES = {
  "first.rpc.json":
    '[\n  { "$file": { "vars": { "max": 5 } }, "method": "public/test", "params": {}, "$run": { "expect": { "ok": true } } },\n  { "method": "private/get_open_orders", "params": {} }\n]\n',
  "wait.rpc.json":
    '[\n  { "method": "public/test", "params": {}, "$run": { "until": { "result": { "version": "" } }, "maxTries": 1000 } },\n  { "method": "private/get_open_orders", "params": {} }\n]\n',
  "empty.rpc.json": "\n",
  "follow.rpc.json": `{ "method": "public/subscribe", "params": { "channels": ["${CHANNEL}"] } }\n`,
};

/**
 * @type {{ contributes: { commands: { command: string, title: string }[], menus: { commandPalette: { command: string,
 * when: string }[] }, views: { tradingRpc: { id: string, name: string }[] } } }}
 */
const { contributes } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
/** @type {Record<string, string>} */
const texts = JSON.parse(fs.readFileSync(path.join(root, "package.nls.json"), "utf8"));
/** @param {string} text of the manifest */
const wordsOf = (text) => texts[text.replaceAll("%", "")] ?? text;

/** The views of what is connected. */
const views = contributes.views.tradingRpc.filter(({ id }) => id !== "tradingRpc.start");

/** Titles by command. */
const titles = new Map(
  contributes.commands.map(({ command, title }) => [command.replace("tradingRpc.", ""), wordsOf(title)]),
);

/** Those of them that the palette has. */
const hidden = new Set(
  contributes.menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command),
);
const palette = new Map([...titles].filter(([name]) => !hidden.has(`tradingRpc.${name}`)));

/** What the rows of each view say once all of it has been read. @type {Readonly<Record<string, RegExp>>} */
const WHOLE = {
  "tradingRpc.connections": /lab.*ready/,
  "tradingRpc.account": /^Empty currencies/,
  "tradingRpc.positions": /^BTC-PERP (long|short)/,
  "tradingRpc.orders": /@/,
  "tradingRpc.fills": /^Today/,
  "tradingRpc.blockTrades": /^BLOCK-/,
  "tradingRpc.mmp": /^Block RFQ/,
  "tradingRpc.quotes": /^RFQ 724/,
  "tradingRpc.apiKeys": /^reporting/,
};

/** @typedef {(name: string) => Promise<unknown>} Action given the name of the command */

test.describe("by keyboard alone", () => {
  const shared = shareWindow({
    files: FILES,
    simulator: ["--seed", "1", "--orders", "6", "--still"],
    blockTrades: 5,
    // Each of ten views has room for a few rows when it is opened.
    viewport: { width: 1400, height: 1500 },
    settings: { "tradingRpc.connection.requestTimeoutMs": 4000 },
  });
  /** @type {Keyboard | undefined} */
  let made;
  const keyboard = () => (made ??= new Keyboard(shared.workbench));
  /** @type {Set<string>} commands that were run up to their effect */
  const covered = new Set();

  /** @param {string} name runs a command from the palette */
  const run = async (name) => {
    const title = palette.get(name);
    assert.ok(title, `${name} is not in the palette`);
    await keyboard().command(`Trading RPC: ${title}`);
  };

  // What a command brings about first.

  /** @param {RegExp} [wanted] a picker or an input box; default: it has the title of the command */
  const asks = (wanted) => async (/** @type {string} */ name) => {
    const title = (palette.get(name) ?? "").replace("…", "");
    await keyboard().asked(wanted ?? title);
    await keyboard().leavePicker();
  };
  /** @param {RegExp} wanted a question before a change */
  const confirms = (wanted) => async () => {
    const { text } = await shared.workbench.readModal();
    assert.match(text, wanted);
    await keyboard().press("Escape");
    await shared.workbench.dialog.waitFor({ state: "detached" });
  };
  /** @param {RegExp} wanted a notification, or the status bar */
  const says = (wanted) => async () => {
    const { page } = shared;
    await page.locator(".notification-toast, .statusbar-item", { hasText: wanted }).first().waitFor();
    if (!(await page.locator(".notification-toast").first().isVisible())) return;
    // The command may still draw rows again.
    await shared.workbench.goToEditors();
    await keyboard().command("Notifications: Clear All Notifications");
    await page.locator(".notification-toast").first().waitFor({ state: "detached" });
  };
  /** @param {RegExp} wanted in an editor */
  const opens = (wanted) => async () => {
    await shared.page.locator(".editor-group-container .view-lines", { hasText: wanted }).first().waitFor();
  };
  /** @param {RegExp} wanted in the clipboard */
  const copies = (wanted) => async () => {
    await until(async () => wanted.test(await clipboard()), { what: `${wanted} in the clipboard` });
  };
  let sentBefore = 0;
  /**
   * @param {string} method that arrives at the exchange once more
   * @param {() => Promise<unknown>} [place] where the command is run
   * @returns {[Action, { before: Action }]}
   */
  const sends = (method, place) => [
    async () =>
      void (await until(async () => (await shared.sent(method)).length > sentBefore, {
        what: `${method} at the exchange`,
      })),
    {
      before: async () => {
        await place?.();
        sentBefore = (await shared.sent(method)).length;
      },
    },
  ];
  /** @param {string} view @returns {Promise<number>} how many of its rows are selected */
  const selectedRows = async (view) => await shared.workbench.pane(view).locator(".monaco-list-row.selected").count();
  /** @param {string} view @param {RegExp} wanted beside the title of a view */
  const describes = (view, wanted) => async () => {
    const description = shared.workbench.pane(view).locator(".pane-header .description").first();
    await until(async () => wanted.test((await description.textContent({ timeout: 1000 }).catch(() => "")) ?? ""), {
      what: `${wanted} beside ${view}`,
    });
  };

  const clipboard = () => shared.page.evaluate(() => navigator.clipboard.readText());
  /** @param {string} file */
  const inFile = (file) => async () => {
    await keyboard().openFile(file);
    if (file !== "empty.rpc.json")
      await shared.page.locator(".editor-group-container.active .codelens-decoration a").first().waitFor();
  };
  const inResponse = async () => {
    await shared.workbench.free();
    await keyboard().press("Control+2");
    await shared.page.locator(".editor-group-container.active .tab.active", { hasText: /response/ }).waitFor();
  };
  const inChannel = async () => {
    await shared.workbench.free();
    await keyboard().press("Control+2");
    await shared.page.locator(".editor-group-container.active .tab.active", { hasText: /trades\./ }).waitFor();
  };

  /**
   * A row of the table: what a command does first.
   * @param {string} name without `tradingRpc.`
   * @param {Action} effect
   * @param {{ before?: Action, after?: Action }} [around]
   */
  const row = (name, effect, { before, after: afterwards } = {}) => {
    covered.add(name);
    test(`${palette.get(name) ?? name} (${name})`, async () => {
      await before?.(name);
      await run(name);
      await effect(name);
      await afterwards?.(name);
    });
  };
  /**
   * A command that only the menus of rows have: what it does first.
   * @param {string} name without `tradingRpc.`
   * @param {string} view with such a row
   * @param {RegExp} wanted the row
   * @param {Action} effect
   * @param {{ level?: number, before?: Action, after?: Action }} [around] `level`: of the row, 1 for the highest
   */
  const inMenu = (name, view, wanted, effect, { level = 2, before, after: afterwards } = {}) => {
    const title = titles.get(name) ?? assert.fail(name);
    test(`${title} (${name})`, async () => {
      assert.equal(palette.has(name), false, `${name} is in the palette`);
      await before?.(name);
      await toRow(view, wanted, level);
      await keyboard().fromMenu(title);
      await effect(name);
      await afterwards?.(name);
    });
  };

  test("a connection is added: every step answered with keys", async () => {
    await run("connection.add");
    await connect("lab", "TESTNET");
    await shared.workbench.status(/TESTNET lab/);
  });

  /** @param {string} name @param {string} environment answers the steps of Add Connection */
  const connect = async (name, environment) => {
    const { webSocket, clientId, clientSecret } = shared.simulator;
    await keyboard().pick("More Options…");
    await keyboard().pick("Custom");
    await keyboard().input(webSocket);
    await keyboard().pick(environment);
    await keyboard().input(name);
    await keyboard().pick("API Key with Signature");
    await keyboard().input(clientId);
    await keyboard().input(clientSecret);
    await keyboard().pick("Keep Until This Window Closes");
  };

  // Views

  test("every view is gone to before its rows are there, and the keyboard is on them when they come", async () => {
    const k = keyboard();
    for (const view of views) {
      const name = wordsOf(view.name);
      await k.goTo(name);
      const pane = shared.workbench.pane(name);
      if (view.id === "tradingRpc.activity") {
        assert.equal(await pane.locator(".monaco-list-row").count(), 0, "nothing was changed yet");
        continue;
      }
      await k.toFirstRow(name);
      // What is listed comes in one or two readings, each of which draws the rows.
      await shared.workbench.rowsWhen(
        (all) => all.some((each) => (WHOLE[view.id] ?? assert.fail(view.id)).test(each)),
        pane,
      );
      assert.equal(await k.focusedView(), name);
      await k.toFirstRow(name);
    }
  });

  test("every view is gone to, its rows walked, opened and closed with the arrow keys, and each is heard", async () => {
    const k = keyboard();
    for (const view of views) {
      const name = wordsOf(view.name);
      if (view.id === "tradingRpc.activity") continue;
      await k.goToRows(name);
      const first = await k.row();
      assert.ok(first.spoken.length > 3, `${name}: ${first.spoken}`);
      const close = (what = "its first row") =>
        k.pressAndWait("ArrowLeft", async () => (await k.row()).expanded === "false", {
          what: `${name} to close ${what}`,
        });
      if (first.expanded === "true") await close();
      if (first.expanded !== null) {
        await k.pressAndWait("ArrowRight", async () => (await k.row()).expanded === "true", {
          what: `${name} to open its first row`,
        });
        // What is below it comes a moment later.
        await shared.workbench
          .pane(name)
          .locator(`.monaco-list-row[data-index="1"][aria-level="${first.level + 1}"]`)
          .waitFor();
        await k.press("ArrowRight");
        const second = await until(
          async () => {
            const at = await k.row();
            return at.level > first.level && at;
          },
          { what: `the row below the first of ${name}` },
        );
        assert.ok(second.spoken.length > 3 && second.spoken !== first.spoken, `${name}: ${second.spoken}`);
        if (second.expanded === "true") await close("the row below");
        await k.press("ArrowLeft");
        await until(async () => (await k.row()).index === 0, { what: `${name} to go back to the parent` });
        await close();
      }
      const items = await k.openMenu();
      assert.ok(
        items.some((item) => /\w/.test(item)),
        `${name} has a menu for its first row`,
      );
      await shared.workbench.shot(`keyboard-${view.id.replace("tradingRpc.", "")}`);
      await k.press("Escape");
      await shared.workbench.menu.first().waitFor({ state: "detached" });
      assert.equal(await k.focusedView(), name);
    }
  });

  /** What a row tells last, its ID: distances and ages before it change. @param {{ spoken: string }} row */
  const lastFact = ({ spoken }) => spoken.split(", ").at(-1);

  test("the question that a row asks is left with Escape, and the keyboard is on that row again", async () => {
    const k = keyboard();
    await toOrder(/@/);
    const before = await k.row();
    await k.fromMenu("Cancel Order…");
    const { text } = await shared.workbench.readModal();
    assert.match(text, /on TESTNET lab\?/);
    await shared.workbench.shot("keyboard-question");
    await k.press("Escape");
    await shared.workbench.dialog.waitFor({ state: "detached" });
    await until(async () => (await k.focusedView()) === "Open Orders", { what: "the focus back in the view" });
    assert.equal(lastFact(await k.row()), lastFact(before));
    assert.deepEqual(await shared.sent("private/cancel"), []);
  });

  test("a picker that a row opens is left with Escape, and the keyboard is on that row again", async () => {
    const k = keyboard();
    await k.goTo("API Keys");
    await shared.workbench.rowsWhen(
      (all) => all.some((each) => /^reporting/.test(each)),
      shared.workbench.pane("API Keys"),
    );
    await k.rowWith(/^reporting/);
    const before = await k.row();
    await k.fromMenu("Edit API Key…");
    await k.asked("Edit API Key");
    await k.leavePicker();
    await until(async () => (await k.focusedView()) === "API Keys", { what: "the focus back in the view" });
    assert.equal(lastFact(await k.row()), lastFact(before));
  });

  test("several rows are selected with Shift and the arrow keys, and one question names each of them", async () => {
    const k = keyboard();
    for (const price of [50_001, 50_002])
      await shared.simulator.run("place", {
        instrument_name: "BTC-PERPETUAL",
        direction: "buy",
        amount: 10,
        price,
        label: "pair",
      });
    await shared.workbench.rowsWhen(
      (all) => all.some((each) => each.includes("50\u202F002")),
      shared.workbench.pane("Open Orders"),
    );
    // The first press takes the row below the one that it begins on, the second adds the next one.
    await toOrder(/sell 20\u202F000/);
    await k.press("Shift+ArrowDown", "Shift+ArrowDown");
    await until(async () => (await selectedRows("Open Orders")) === 2, { what: "two selected rows" });
    await k.fromMenu("Cancel Selected Orders…");
    const { text, buttons } = await shared.workbench.readModal();
    assert.match(text, /Cancel 2 orders on TESTNET lab\?/);
    assert.deepEqual([...buttons].sort(), ["Cancel 2 Orders", "Keep Orders", "Show Orders"]);
    await k.press("Escape");
    await shared.workbench.dialog.waitFor({ state: "detached" });
  });

  test("Ctrl+F filters the view that has the focus", async () => {
    const k = keyboard();
    for (const [view, title] of [
      ["Open Orders", "Filter Orders"],
      ["Block Trades", "Filter Block Trades"],
      ["MMP", "Filter MMP"],
    ]) {
      await k.goTo(String(view));
      await k.press("Control+F");
      await k.asked(String(title));
      await k.leavePicker();
    }
  });

  test("neither Delete nor Enter changes anything in a view", async () => {
    const k = keyboard();
    await toOrder(/@/);
    await k.press("Delete", "Backspace", "Control+X", "Enter");
    await k.press("Home");
    assert.equal(await shared.workbench.dialog.isVisible(), false);
    assert.deepEqual(
      (await shared.simulator.run("ledger")).filter((/** @type {any} */ { method = "" }) =>
        /^private\/(cancel|edit|change)/.test(method),
      ),
      [],
    );
  });

  /** @param {RegExp} wanted goes to an order in the view of orders, whose groups are opened on the way */
  const toOrder = async (wanted) => await toRow("Open Orders", wanted);

  /**
   * @param {string} view
   * @param {RegExp} wanted goes to a row, and opens those above its level on the way
   * @param {number} [level] of the row, 1 for the highest
   */
  const toRow = async (view, wanted, level = 2) => {
    const k = keyboard();
    await k.goToRows(view);
    for (let step = 0; step < 300; step++) {
      const at = await k.row();
      if (wanted.test(at.text) && at.level >= level) return;
      if (at.expanded === "false" && at.level < level) {
        await k.press("ArrowRight");
        await shared.workbench
          .pane(view)
          .locator(`.monaco-list-row[data-index="${at.index + 1}"][aria-level="${at.level + 1}"]`)
          .waitFor();
      }
      await k.down();
    }
    assert.fail(`no row with ${wanted}`);
  };

  // Commands, in an order in which each finds what it needs.

  /** @param {string} title of a filter whose box is open @param {string} text is typed and taken */
  const filterBy = async (title, text) => {
    await keyboard().asked(title);
    await keyboard().type(text);
    await shared.workbench.quickInput.locator(".monaco-list-row", { hasText: text }).first().waitFor();
    await keyboard().press("Enter");
    await shared.workbench.quickInput.waitFor({ state: "hidden" });
  };

  row("connection.connect", asks());
  row("connection.add", asks(/Add Connection/));
  row("connection.edit", asks());
  row("connection.forget", asks());
  row(
    "connections.filter",
    async () => {
      await filterBy("Filter Connections", "lab");
      await describes("Connections", /filter: lab/)();
    },
    { before: async () => await keyboard().goTo("Connections") },
  );
  row("connections.clearFilter", describes("Connections", /^(?!.*filter)/));
  row("connection.showActions", asks(/Select an action/));
  row("connection.allowTrading", asks(/Allow Trading/));
  /** @param {boolean} isAllowed waits until the row of the connection says so */
  const trades = async (isAllowed) =>
    void (await shared.workbench.rowsWhen(
      (rows) => rows.some((each) => /^lab/.test(each) && /orders up to/.test(each) === isAllowed),
      shared.workbench.pane("Connections"),
    ));
  row("connection.disallowTrading", async () => await trades(false), {
    before: async () => {
      await run("connection.allowTrading");
      await keyboard().asked(/largest order in USD/);
      await keyboard().input("100");
      await keyboard().asked(/total of all orders in USD/);
      await keyboard().input("1000");
      await keyboard().goTo("Connections");
      await trades(true);
    },
  });
  row("order.place", asks(/Allow Trading/));
  row("order.cancel", asks());
  row("order.edit", asks(/Edit Order/));
  row("order.cancelAllFromTitle", confirms(/Cancel all \d+ open orders/));
  row("order.cancelGroupFromTitle", asks(/Cancel Orders in Group/));
  row("order.cancelEverything", confirms(/Cancel all orders and quotes on 1 connection/));
  row("orders.refresh", ...sends("private/get_open_orders"));
  row("orders.groupBy", asks());
  row("orders.sortBy", asks());
  test("the menu of a row cancels that row, and offers no selection where none was made", async () => {
    const k = keyboard();
    for (const [view, wanted, one, several] of /** @type {const} */ ([
      ["Open Orders", /@/, "Cancel Order…", "Cancel Selected Orders…"],
      ["Block RFQ Quotes", /^(?:buy|sell) /, "Cancel Block RFQ Quote…", "Cancel Selected Block RFQ Quotes…"],
    ])) {
      await k.goTo(view);
      await toRow(view, wanted);
      const items = await k.openMenu();
      assert.ok(
        items.some((item) => item.startsWith(one)),
        items.join("\n"),
      );
      assert.ok(!items.some((item) => item.startsWith(several)), items.join("\n"));
      await k.press("Escape");
      await shared.workbench.menu.first().waitFor({ state: "detached" });
    }
  });
  row("orders.filter", async () => {
    await filterBy("Filter Orders", "pair");
    await describes("Open Orders", /filter: pair/)();
  });
  row("orders.clearFilter", describes("Open Orders", /^(?!.*filter)/));
  row("orders.pause", describes("Open Orders", /paused/));
  row("orders.resume", describes("Open Orders", /^(?!.*paused)/));
  const PAIR = /buy 10 @ 50\u202F001/;
  /** @returns {Promise<string>} the ID of the order of that row */
  const pairId = async () =>
    (await shared.simulator.run("openOrders")).find((/** @type {any} */ { price }) => price === 50_001).order_id;
  inMenu("order.open", "Open Orders", PAIR, async () => await opens(new RegExp(await pairId()))());
  inMenu("order.copyId", "Open Orders", PAIR, async () => await copies(new RegExp(`^${await pairId()}$`))());
  inMenu(
    "order.copyJson",
    "Open Orders",
    PAIR,
    async () => await copies(new RegExp(`"order_id":\\s*"${await pairId()}"`))(),
  );
  inMenu("request.newFromOrder", "Open Orders", PAIR, asks(/New Request from Order/));
  row("fills.refresh", ...sends("private/get_transaction_log"));
  row("fills.filter", async () => {
    await filterBy("Filter Fills", "btc");
    await describes("Fills", /filter: btc/)();
  });
  row("fills.clearFilter", describes("Fills", /^(?!.*filter)/));
  const OWN_FILL = /^BTC-PERP buy 10 @ 50\u202F003/;
  inMenu("fill.openOrder", "Fills", OWN_FILL, opens(/order_state/), {
    level: 1,
    before: async () => {
      const terms = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, price: 50_003 };
      const { order_id: id } = await shared.simulator.run("place", terms);
      await shared.simulator.run("fill", { id });
      await shared.workbench.rowsWhen((rows) => rows.some((row) => OWN_FILL.test(row)), shared.workbench.pane("Fills"));
    },
  });
  inMenu("fill.copyOrderId", "Fills", OWN_FILL, copies(/^[\w-]+$/), { level: 1 });
  inMenu("fill.copyJson", "Fills", OWN_FILL, copies(/"trade_id"/), { level: 1 });
  row("blockTrades.refresh", ...sends("private/get_block_trades"));
  row("blockTrades.filter", async () => {
    await filterBy("Filter Block Trades", "btc");
    await describes("Block Trades", /filter: btc/)();
  });
  row("blockTrades.clearFilter", describes("Block Trades", /^(?!.*filter)/));
  row("blockTrade.fetch", asks());
  /** @returns {Promise<string>} the ID of the first block trade of the view */
  const newestId = async () => (await shared.simulator.run("blockTrades"))[0].id;
  inMenu("blockTrade.open", "Block Trades", /^BLOCK-/, async () => await opens(new RegExp(await newestId()))(), {
    level: 1,
  });
  inMenu(
    "blockTrade.copyId",
    "Block Trades",
    /^BLOCK-/,
    async () => await copies(new RegExp(`^${await newestId()}$`))(),
    { level: 1 },
  );
  inMenu(
    "blockTrade.copyJson",
    "Block Trades",
    /^BLOCK-/,
    async () => await copies(new RegExp(`"id":\\s*"${await newestId()}"`))(),
    { level: 1 },
  );
  inMenu(
    "request.newFromBlockTrade",
    "Block Trades",
    /^BLOCK-/,
    async () => await shared.workbench.activeTab("block-trade.rpc.json"),
    { level: 1, after: async () => await keyboard().command("View: Revert and Close Editor") },
  );
  row("account.refresh", ...sends("private/get_account_summaries"));
  row("account.filter", async () => {
    await filterBy("Filter Account", "usdc");
    await describes("Account", /filter: usdc/)();
  });
  row("account.clearFilter", describes("Account", /^(?!.*filter)/));
  row("positions.refresh", ...sends("private/get_positions"));
  row("positions.filter", async () => {
    await filterBy("Filter Positions", "eth");
    await describes("Positions", /filter: eth/)();
  });
  row("positions.clearFilter", describes("Positions", /^(?!.*filter)/));
  row("positions.sortBy", asks());
  row("position.close", asks());
  row("position.reduce", asks());
  row("position.protect", asks());
  row("position.flatten", asks(/Allow Trading on/));
  row(
    "accountHistory.show",
    async () => {
      await shared.workbench.activeTab(/^Account history/);
      await shared.workbench.webviewHasFocus();
    },
    // VS Code gives a page its focus back some time after the palette closed: a list that is open by then can close.
    { after: async () => await keyboard().command("View: Close Editor") },
  );
  row("mmp.refresh", ...sends("private/get_mmp_config"));
  row("mmp.filter", async () => {
    await filterBy("Filter MMP", "btc_usd");
    await describes("MMP", /filter: btc_usd/)();
  });
  row("mmp.clearFilter", describes("MMP", /^(?!.*filter)/));
  row("mmp.reset", asks());
  row("mmp.setLimits", asks());
  inMenu("mmp.open", "MMP", /^group g1/, opens(/frozen_time/));
  inMenu("mmp.copyJson", "MMP", /^group g1/, copies(/"frozen_time"/));
  row("quotes.refresh", ...sends("private/get_block_rfq_quotes"));
  row("quotes.filter", async () => {
    await filterBy("Filter Block RFQ Quotes", "rfq");
    await describes("Block RFQ Quotes", /filter: rfq/)();
  });
  row("quotes.clearFilter", describes("Block RFQ Quotes", /^(?!.*filter)/));
  test("several quotes are selected with Shift and the arrow keys, and one question is about them", async () => {
    const k = keyboard();
    await toRow("Block RFQ Quotes", /^(?:buy|sell) /);
    await k.press("ArrowUp");
    await until(async () => /^RFQ/.test((await k.row()).text), { what: "the row of the Block RFQ" });
    await k.press("Shift+ArrowDown", "Shift+ArrowDown");
    await until(async () => (await selectedRows("Block RFQ Quotes")) === 2, { what: "two selected rows" });
    await k.fromMenu("Cancel Selected Block RFQ Quotes…");
    await confirms(/Cancel 2 Block RFQ quotes on TESTNET lab\?/)();
    await k.goTo("Block RFQ Quotes");
    await until(
      async () => {
        await k.press("Escape");
        return (await selectedRows("Block RFQ Quotes")) === 0;
      },
      { what: "no selected row" },
    );
  });
  row("quote.cancel", asks());
  row("quote.cancelAllFromTitle", asks(/Cancel All Block RFQ Quotes/));
  inMenu("quote.open", "Block RFQ Quotes", /^(?:buy|sell) /, opens(/block_rfq_quote_id/));
  inMenu("quote.copyId", "Block RFQ Quotes", /^(?:buy|sell) /, async () => {
    const ids = (await shared.simulator.run("blockRfqQuotes")).map(
      (/** @type {any} */ each) => each.block_rfq_quote_id,
    );
    await copies(new RegExp(`^(?:${ids.join("|")})$`))();
  });
  inMenu("quote.copyJson", "Block RFQ Quotes", /^(?:buy|sell) /, copies(/"block_rfq_quote_id"/));
  row("apiKeys.refresh", ...sends("private/list_api_keys"));
  row("apiKeys.filter", async () => {
    await filterBy("Filter API Keys", "simulator");
    await describes("API Keys", /filter: simulator/)();
  });
  row("apiKeys.clearFilter", describes("API Keys", /^(?!.*filter)/));
  inMenu("apiKey.open", "API Keys", /^reporting/, opens(/max_scope/), {
    level: 1,
    before: async () =>
      void (await shared.workbench.rowsWhen(
        (rows) => rows.some((each) => /^reporting/.test(each)),
        shared.workbench.pane("API Keys"),
      )),
  });
  inMenu(
    "apiKey.copyClientId",
    "API Keys",
    /^reporting/,
    async () => {
      const { client_id: clientId } = (await shared.simulator.run("apiKeys")).find(
        (/** @type {any} */ { name }) => name === "reporting",
      );
      await copies(new RegExp(`^${clientId}$`))();
    },
    { level: 1 },
  );
  inMenu("apiKey.copyJson", "API Keys", /^reporting/, copies(/"max_scope"/), { level: 1 });
  inMenu("request.newFromApiKey", "API Keys", /^reporting/, asks(/New Request from API Key/), { level: 1 });
  row("apiKey.addKnownId", asks());
  inMenu(
    "apiKey.removeKnownId",
    "API Keys",
    /^API key 77/,
    async () =>
      void (await shared.workbench.rowsWhen(
        (all) => all.length > 0 && !all.some((each) => /^API key 77/.test(each)),
        shared.workbench.pane("API Keys"),
      )),
    {
      level: 1,
      before: async () => {
        await run("apiKey.addKnownId");
        await keyboard().asked("Add API Key by ID");
        await keyboard().input("77");
        await shared.workbench.rowsWhen(
          (all) => all.some((each) => /^API key 77/.test(each)),
          shared.workbench.pane("API Keys"),
        );
      },
    },
  );
  row("apiKey.create", asks());
  row("apiKey.createKeyPair", asks());
  row("apiKey.reset", asks());
  row("apiKey.edit", asks());
  row("apiKey.changeScope", asks());
  row("apiKey.enable", asks());
  row("apiKey.disable", asks());
  row("lastTrades.show", asks());
  row("lastTrades.showWithParameters", asks());
  row("request.new", asks());
  row("method.browse", asks());
  row("presentation.toggle", says(/Presentation mode is on/), {
    after: async () => {
      await run("presentation.toggle");
      await says(/Presentation mode is off/)();
    },
  });
  row("log.show", async () => {
    await shared.page
      .locator(".part.panel .view-lines, .part.panel .monaco-editor", { hasText: /SIMULATOR|connect/i })
      .first()
      .waitFor();
    await keyboard().press("Control+J");
  });

  // What goes over the wire, and what is handed to whoever helps

  const lens = (/** @type {RegExp} */ wanted) => async () =>
    void (await shared.page.locator(".codelens-decoration", { hasText: wanted }).first().waitFor());
  row("traffic.show", opens(/traffic\s·\slive/));
  row("traffic.filter", asks(/Filter Traffic/));
  row("traffic.toggleFailed", opens(/failed\sonly/), { after: async () => await run("traffic.toggleFailed") });
  row("traffic.toggleEvents", lens(/Count Events Only/));
  row("traffic.open", asks());
  row("traffic.pause", opens(/paused/));
  row("traffic.clear", opens(/traffic\s·\slive\s·\s\d\srequest/));
  row("traffic.stop", opens(/traffic\s·\sstopped/));
  row("traffic.record", async () => {
    const k = keyboard();
    await k.pick("Record from Now On");
    await k.asked(/Save Recording/);
    await k.press("Enter");
    await says(/Recording TESTNET lab/)();
  });
  row("traffic.stopRecording", says(/Nothing was recorded|The recording was saved/));
  row("request.newFromRecording", asks());
  row("simulator.startFromRecording", asks());
  row("supportFile.preview", opens(/Support\sfile\sof\sTrading\sRPC/));
  row("supportFile.toggleHosts", lens(/Hide Gateway Host Names/));
  row("supportFile.toggleFigures", lens(/Hide Amounts in the Log/));
  row("supportFile.save", asks(/Save|name|path/i));

  // Request files, responses and channels

  row("request.send", opens(/simulator\s0/), {
    before: async () => {
      // One group of editors, so that the response is in the second.
      await keyboard().command("View: Close All Editors");
      await inFile("first.rpc.json")();
    },
  });
  row("request.sendAll", ...sends("private/get_open_orders", inFile("first.rpc.json")));
  row("request.sendFromHere", ...sends("private/get_open_orders", inFile("first.rpc.json")));
  row("request.sendReads", ...sends("private/get_open_orders", inFile("first.rpc.json")));
  row("request.resend", ...sends("public/test", inFile("first.rpc.json")));
  row("request.stop", opens(/You\sstopped/), {
    before: async () => {
      await inFile("wait.rpc.json")();
      await run("request.sendAll");
      await shared.page.locator(".codelens-decoration", { hasText: "Stop" }).first().waitFor();
    },
  });
  row("request.chooseTarget", asks(/Select Connection for first\.rpc\.json/), { before: inFile("first.rpc.json") });
  row("request.showVariables", asks(/File Variables/), { before: inFile("first.rpc.json") });
  row("request.copyAsCurl", copies(/^curl /), { before: inFile("first.rpc.json") });
  row("request.paste", opens(/"id":\s?77/), {
    before: async () => {
      await inFile("empty.rpc.json")();
      await shared.page.evaluate(() =>
        navigator.clipboard.writeText('{"jsonrpc":"2.0","id":77,"method":"public/test","params":{}}'),
      );
    },
  });
  row("request.copyAsCode", asks(), { before: inFile("first.rpc.json") });
  row("request.pin", says(/Expectation added to/), {
    before: async () => {
      await inFile("first.rpc.json")();
      await run("request.send");
      await opens(/simulator\s0/)();
    },
  });
  row("response.pin", says(/Expectation added to/), {
    before: async () => {
      const response = shared.page.locator(".editor-group-container").nth(1).locator(".view-lines").first();
      const shown = (await response.textContent()) ?? "";
      // The message of the row before is another one, and its expectation would cover this response.
      await shared.page.locator(".statusbar-item", { hasText: "Expectation added to" }).waitFor({ state: "detached" });
      await inFile("first.rpc.json")();
      await keyboard().press("Control+Z");
      await run("request.send");
      await until(async () => (await response.textContent()) !== shown, { what: "the next response" });
      await inResponse();
    },
  });
  row("response.save", asks(/Save|name|path/i), { before: inResponse });
  row("response.copySignature", says(/This response has no signature/), { before: inResponse });
  row(
    "response.comparePrevious",
    async () =>
      void (await shared.page
        .locator(".tab", { hasText: /before ↔ now/ })
        .first()
        .waitFor()),
    { before: inResponse },
  );
  row("response.compareSaved", asks(/Compare|path|\//), {
    before: async () => {
      await inFile("first.rpc.json")();
      await run("request.send");
      await shared.page
        .locator(".tab", { hasText: /response \(TESTNET\)\s*$/ })
        .first()
        .waitFor();
      await inResponse();
    },
  });
  row("history.show", asks(/Request History/));
  row("history.clear", confirms(/Clear the request history\?/));
  row("channel.pause", opens(/paused/i), {
    before: async () => {
      await inFile("follow.rpc.json")();
      await run("request.send");
      await shared.page
        .locator(".tab", { hasText: /trades\..*live/ })
        .first()
        .waitFor();
      await inChannel();
    },
  });
  row("channel.filter", asks(/Filter Events/), { before: inChannel });
  row("channel.clear", opens(/0\sevents/), {
    before: async () => {
      await run("channel.pause");
      await inChannel();
      await shared.simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
      await opens(/1\sevent/)();
    },
  });
  row("channel.stop", opens(/ended|stopped/i), { before: inChannel });

  // What was changed

  inMenu("activity.open", "Activity", /unknown.*Cancel/, opens(/private\/cancel/), {
    level: 1,
    before: async () => {
      // Its response is lost and nothing can be read of it: the outcome stays unknown, and can be checked and set
      // aside.
      const [order] = await shared.simulator.run("openOrders");
      await shared.simulator.run("setFault", {
        method: "private/cancel",
        times: 1,
        effect: "skipped",
        response: "none",
      });
      await shared.simulator.run("setFault", {
        method: "private/get_order_state",
        times: 100,
        effect: "skipped",
        response: { code: 10_041 },
      });
      await keyboard().goTo("Activity");
      await run("order.cancel");
      await keyboard().asked("Cancel Order");
      await keyboard().type(order.order_id);
      await shared.workbench.quickInput.locator(".monaco-list-row", { hasText: order.order_id }).first().waitFor();
      await keyboard().press("ArrowDown", "Space", "Enter");
      await keyboard().answer(/Cancel Order/);
      await until(async () => (await shared.sent("private/cancel")).length > 0, { what: "the cancel at the exchange" });
      await shared.workbench.rowsWhen(
        (rows) => rows.some((each) => /unknown/.test(each)),
        shared.workbench.pane("Activity"),
      );
    },
  });
  inMenu("activity.copy", "Activity", /unknown.*Cancel/, copies(/private\/cancel/), { level: 1 });
  row("activity.export", asks(/Export Activity/));
  row("activity.checkAgain", asks());
  row("activity.setAside", asks(/Dismiss Unknown Outcome/));
  row(
    "activity.refresh",
    async () =>
      void (await shared.workbench
        .treeRow(/Cancel/, shared.workbench.pane("Activity"))
        .first()
        .waitFor()),
  );
  row("activity.showUnresolved", describes("Activity", /unknown outcomes/), {
    before: async () => await keyboard().goTo("Activity"),
  });
  row(
    "activity.clearFilter",
    async () =>
      void (await shared.workbench
        .treeRow(/Cancel/, shared.workbench.pane("Activity"))
        .first()
        .waitFor()),
  );
  row("activity.filter", async () => {
    await filterBy("Filter Activity", "cancel");
    await describes("Activity", /filter: cancel/)();
  });
  row("order.cancelSelectedFromTitle", confirms(/Cancel \d orders on TESTNET lab\?/), {
    before: async () => {
      await toOrder(/sell 20\u202F000/);
      await keyboard().press("Shift+ArrowDown", "Shift+ArrowDown");
      await until(async () => (await selectedRows("Open Orders")) === 2, { what: "two selected rows" });
    },
  });
  row("order.stopCancelling", says(/not sent, because you stopped/), {
    before: async () => {
      await shared.simulator.run("clearFaults");
      for (let index = 0; index < 120; index++)
        await shared.simulator.run("place", {
          instrument_name: "BTC-PERPETUAL",
          direction: "buy",
          amount: 10,
          price: 52_000 + index,
        });
      await keyboard().goTo("Open Orders");
      await keyboard().press("Home");
      await shared.workbench.rowsWhen(
        (rows) => rows.some((each) => /^BTC-PERPETUAL\s*1\d\d/.test(each)),
        shared.workbench.pane("Open Orders"),
      );
      await toOrder(/buy 10 @ 52\u202F000/);
      await keyboard().press("Control+A");
      await run("order.cancelSelectedFromTitle");
      await keyboard().answer(/^Cancel \d+ Orders$/);
      await shared.page
        .locator(".notification-toast, .statusbar-item", { hasText: /Cancelling orders one by one/ })
        .first()
        .waitFor();
      await shared.workbench.goToEditors();
    },
  });

  // Other places

  row("account.switch", asks());
  row("account.switchBack", async () => void (await shared.workbench.status(/TESTNET lab(?! ▸)/)), {
    before: async () => {
      await run("account.switch");
      await keyboard().pick("simulator_options");
      await keyboard().pick("Same as the API Key");
      await keyboard().answer(/Switch Subaccount/);
      await shared.workbench.status(/▸ simulator_options/);
    },
  });
  row("example.open", async () => {
    // The first of them is shown last.
    await shared.workbench.activeTab("01-first-request.rpc.json");
  });
  row("walkthrough.open", async () => {
    await shared.page
      .locator(".gettingStartedContainer", { hasText: "Get Started with Trading RPC" })
      .first()
      .waitFor();
  });
  row("simulator.start", async () => void (await shared.workbench.status(/SIMULATOR/)));
  row("simulator.injectFault", async () => {
    await keyboard().pick("Clear All Faults");
    await says(/Simulator: all faults cleared\./)();
  });
  row("simulator.toggleDemo", says(/Simulator: demo trading is off\. Its open orders stay\./), {
    // Orders change until then: their list would take the focus from the palette.
    before: async () => await shared.workbench.goToEditors(),
  });
  row(
    "connection.allowChanges",
    async () => {
      assert.match(await keyboard().answer(/Allow Changes/), /Allow changes on PRODUCTION desk/);
      await shared.workbench.status(/PRODUCTION desk · changes/);
    },
    {
      before: async () => {
        await run("connection.add");
        await connect("desk", "PRODUCTION");
        await shared.workbench.status(/PRODUCTION desk/);
      },
    },
  );
  row("connection.makeReadOnly", says(/PRODUCTION desk is read-only again/));
  row("connection.shareWithAgents", asks());
  row("connection.disconnect", asks());

  test("every command of the palette is in this table", () => {
    assert.deepEqual(
      [...palette.keys()].filter((name) => !covered.has(name)),
      [],
    );
    assert.deepEqual(
      [...covered].filter((name) => !palette.has(name)),
      [],
    );
  });
});
