// @ts-check
/**
 * What each view shows, in which order, and what is done with several rows: with the packaged extension in a real VS
 * Code. What the simulator received is held against what was selected.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { Keyboard } from "../keyboard.mjs";
import { drawn, sidebarWidth } from "../look.mjs";
import { until } from "../process.mjs";
import { orderRow } from "../workbench.mjs";

test.describe("filters, order and selection", () => {
  const shared = shareWindow({
    simulator: ["--seed", "1", "--orders", "12", "--still"],
    blockTrades: 12,
    viewport: { width: 1300, height: 1600 },
  });
  test.beforeEach(async () => void (await shared.simulator.run("clearRecords")));

  /** @param {string} title */
  const pane = (title) => shared.workbench.pane(title);
  const orders = () => pane("Open Orders");
  /** @param {string} title */
  const description = async (title) =>
    ((await pane(title).locator(".pane-header .description").first().textContent()) ?? "").replace(/\u00a0/g, " ");
  /** @param {string} title @param {RegExp} text */
  const describes = (title, text) =>
    until(async () => text.test(await description(title)), { what: `${title} to be described as ${text}` }).catch(
      async (error) => {
        throw new Error(`${error.message} Seen: ${await description(title)}`);
      },
    );
  /** @param {(rows: string[]) => boolean} wanted @param {string} [title] */
  const rows = (wanted, title = "Open Orders") => shared.workbench.rowsWhen(wanted, pane(title));
  /** @param {string} name */
  const shot = (name) => shared.workbench.shot(`filters-${name}`);
  /** @param {string} title puts the keyboard into a view, on its rows or where they would stand */
  const focus = async (title) => {
    const list = pane(title).locator(".monaco-list").first();
    if (await list.isVisible()) await list.focus();
    else await pane(title).locator(".welcome-view-content").first().click();
    // VS Code notices a moment later which view has the focus.
    await drawn(shared.page);
  };
  /** @param {string} title @param {string} asked the title of the list that Ctrl+F opens */
  const openFilter = async (title, asked) => {
    await focus(title);
    await shared.page.keyboard.press("Control+F");
    await shared.workbench.quickInput.locator(".quick-input-title", { hasText: asked }).waitFor();
  };
  /** @param {string} title @param {string} asked @param {string} text */
  const filterWith = async (title, asked, text) => {
    await openFilter(title, asked);
    await shared.workbench.write(text);
    await shared.workbench.quickInput
      .locator(".monaco-list-row.focused", { hasText: `Show Items with “${text}”` })
      .waitFor();
    await shot(`${asked.replaceAll(" ", "-")}-typed`);
    await shared.page.keyboard.press("Enter");
    await shared.workbench.quickInput.waitFor({ state: "hidden" });
  };
  /** @param {string} title Escape on the rows of a view, and nothing is hidden any more */
  const clearWithEscape = async (title) => {
    // A tooltip has its Escape first, and so has a picker.
    await shared.page.mouse.move(1000, 700);
    await shared.page.locator(".workbench-hover:visible").first().waitFor({ state: "hidden" });
    await shared.workbench.free();
    await focus(title);
    await shared.page.keyboard.press("Escape");
    await describes(title, /^(?!.*filter)/);
  };
  /** @returns {Promise<any[]>} */
  const openOrders = () => shared.simulator.run("openOrders");
  /** @returns {Promise<any[]>} parameters of what cancels orders */
  const cancels = () => shared.sent("private/cancel");
  /** @param {any} spec @returns {Promise<any>} */
  const place = (spec) =>
    shared.simulator.run("place", { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, ...spec });
  /** @param {readonly any[]} wanted the rows stand */
  const stand = (wanted) => rows((all) => wanted.every((order) => all.some((row) => row.includes(orderRow(order)))));

  test("nothing counts what is merely there: many orders are open, and no icon has a number", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { keep: "Store" });
    await workbench.openOnly("Open Orders");
    await rows((all) => all.some((row) => /BTC-PERP/.test(row)));
    assert.ok((await openOrders()).length >= 12);
    await workbench.expandPane("Block RFQ Quotes");
    await rows((all) => all.some((row) => /RFQ 722/.test(row)), "Block RFQ Quotes");
    await workbench.expandPane("API Keys");
    await rows((all) => all.some((row) => /simulator/.test(row)), "API Keys");
    const icon = page
      .locator(".activitybar .action-item", { has: page.locator('[aria-label^="Trading RPC"]') })
      .first();
    assert.equal(await icon.locator(".badge-content").filter({ hasText: /\d/ }).count(), 0);
    await workbench.openOnly("Open Orders");
    await shot("no-badge");
  });

  test("Ctrl+F in every view filters it, Escape shows all of it again, and both are told beside the title", async () => {
    const { workbench } = shared;
    const legs = "96000-C";
    await workbench.openOnly("Block RFQ Quotes");
    const all = await rows(
      (each) => each.some((row) => /RFQ 722/.test(row)) && each.some((row) => /^RFQ (?!722)/.test(row)),
      "Block RFQ Quotes",
    );
    // A leg is below rows that are not expanded.
    assert.ok(!all.some((row) => row.includes(legs)), all.join("\n"));
    await filterWith("Block RFQ Quotes", "Filter Block RFQ Quotes", legs);
    const found = await rows((each) => each.length > 0 && each.length < all.length, "Block RFQ Quotes");
    assert.ok(
      found.every((row) => !/^RFQ (?!722)/.test(row)),
      found.join("\n"),
    );
    await describes("Block RFQ Quotes", /filter: 96000-C/);
    await shot("quotes");
    await clearWithEscape("Block RFQ Quotes");
    await rows((each) => each.length === all.length, "Block RFQ Quotes");

    await workbench.openOnly("API Keys");
    await rows(
      (each) => each.some((row) => /reporting/.test(row)) && each.some((row) => /^simulator/.test(row)),
      "API Keys",
    );
    await filterWith("API Keys", "Filter API Keys", "reporting");
    await rows((each) => each.length === 1 && /reporting/.test(each[0] ?? ""), "API Keys");
    assert.match(
      (await pane("API Keys").locator(".message").first().innerText()).replace(/\u00a0/g, " "),
      /The filter shows 1 of \d\./,
    );
    await shot("api-keys");
    await filterWith("API Keys", "Filter API Keys", "nothing like it");
    await pane("API Keys").getByText("No API keys match the filter.").first().waitFor();
    await shot("api-keys-none");
    await pane("API Keys").locator(".monaco-button", { hasText: "Clear Filter" }).first().click();
    await rows((each) => each.length > 1, "API Keys");

    await workbench.openOnly("MMP");
    await rows((each) => each.some((row) => /btc_usd/.test(row)) && each.some((row) => /eth_usd/.test(row)), "MMP");
    await filterWith("MMP", "Filter MMP", "eth_usd");
    await rows((each) => each.some((row) => /eth_usd/.test(row)) && !each.some((row) => /btc_usd/.test(row)), "MMP");
    await shot("mmp");
    await clearWithEscape("MMP");
    await rows((each) => each.some((row) => /btc_usd/.test(row)), "MMP");

    await workbench.openOnly("Block Trades");
    const { id } = (await shared.simulator.run("blockTrades"))[3];
    await rows((each) => each.length > 10 && each.some((row) => row.includes(id)), "Block Trades");
    await filterWith("Block Trades", "Filter Block Trades", id);
    await rows(
      (each) => each.filter((row) => /BLOCK-/.test(row)).length === 1 && each.some((row) => row.includes(id)),
      "Block Trades",
    );
    await shot("block-trades");
    assert.equal(
      (await shared.sent("private/get_block_trades")).filter((params) => JSON.stringify(params).includes(id)).length,
      0,
    );
    await clearWithEscape("Block Trades");
    await rows((each) => each.length > 10, "Block Trades");

    await workbench.openOnly("Connections");
    await rows((each) => each.some((row) => /^lab/.test(row)), "Connections");
    await filterWith("Connections", "Filter Connections", "lab");
    await rows((each) => each.length === 1 && /^lab/.test(each[0] ?? ""), "Connections");
    await describes("Connections", /filter: lab/);
    await shot("connections");
    await clearWithEscape("Connections");
    await rows((each) => each.length > 1, "Connections");
  });

  test("a filter is saved under a name, chosen again after a reload, and deleted", async () => {
    const { workbench, page } = shared;
    await workbench.openOnly("Open Orders");
    await rows((all) => all.some((row) => /^ETH-PERP/.test(row)));
    await openFilter("Open Orders", "Filter Orders");
    // The list is made again after each choice, and while one types.
    const chosen = workbench.quickInput.locator(".monaco-list-row", {
      hasText: "future_combo",
      has: page.locator(".codicon-check"),
    });
    await workbench.pick("future_combo");
    await chosen.waitFor();
    await workbench.pick("future_combo");
    await chosen.waitFor({ state: "detached" });
    await workbench.write("eth-perp");
    await workbench.quickInput.locator(".monaco-list-row.focused", { hasText: "Show Items with “eth-perp”" }).waitFor();
    await workbench.pick("Save This Filter…");
    await workbench.input("my ETH");
    await rows((all) => all.length > 0 && all.every((row) => !/^BTC/.test(row)));
    await describes("Open Orders", /filter: eth-perp/);
    await shot("saved");
    await clearWithEscape("Open Orders");
    await rows((all) => all.some((row) => /^BTC/.test(row)));
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.connectAgain("lab");
    await workbench.status(/SIMULATOR lab/);
    await workbench.openOnly("Open Orders");
    await rows((all) => all.some((row) => /^BTC/.test(row)));
    await openFilter("Open Orders", "Filter Orders");
    const offered = await workbench.picks();
    assert.ok(
      offered.some((row) => /my ETH/.test(row) && /eth-perp/.test(row)),
      offered.join("\n"),
    );
    await shot("saved-offered");
    await workbench.pick("my ETH");
    await describes("Open Orders", /filter: eth-perp/);
    await rows((all) => all.length > 0 && all.every((row) => !/^BTC/.test(row)));
    await openFilter("Open Orders", "Filter Orders");
    await workbench.pick("Delete a Saved Filter…");
    await workbench.quickInput.locator(".quick-input-title", { hasText: "Filter Orders: Delete" }).waitFor();
    await workbench.pick("my ETH");
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Show All" }).waitFor();
    assert.ok(!(await workbench.picks()).some((row) => /my ETH/.test(row)));
    await page.keyboard.press("Escape");
    await workbench.quickInput.waitFor({ state: "hidden" });
    await clearWithEscape("Open Orders");
  });

  test("orders are sorted by choice, keep their places when others come, and the choice outlives a reload", async () => {
    const { workbench, page } = shared;
    const [low, high] = [
      await place({ price: 40_001, label: "sorted" }),
      await place({ price: 40_009, label: "sorted" }),
    ];
    await workbench.command("Trading RPC: Group Orders By");
    await workbench.pick("Label");
    await rows((all) => all.some((row) => /^sorted/.test(row)));
    await stand([low, high]);
    /** @param {readonly any[]} wanted these, from top to bottom */
    const inOrder = (wanted) =>
      rows(
        (all) =>
          JSON.stringify(all.flatMap((row) => wanted.find((order) => row.includes(orderRow(order)))?.price ?? [])) ===
          JSON.stringify(wanted.map(({ price }) => price)),
      );
    await inOrder([low, high]);
    await arrange("Sort Orders By");
    await workbench.pick("Price");
    await inOrder([high, low]);
    const later = await place({ price: 40_005, label: "sorted" });
    await inOrder([high, low, later]);
    await shot("sorted-later-last");
    await workbench.paneAction("Open Orders", "Refresh Open Orders");
    await inOrder([high, later, low]);
    await shot("sorted-refreshed");
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.connectAgain("lab");
    await workbench.status(/SIMULATOR lab/);
    await workbench.openOnly("Open Orders");
    await rows((all) => all.some((row) => /^sorted/.test(row)));
    await inOrder([high, later, low]);
    await page.keyboard.press("Escape");

    /** @param {string} action from the menu within the menu of the view */
    async function arrange(action) {
      await workbench.openTitleMenu(orders());
      await workbench.walkMenu("Group and Sort");
      await page.keyboard.press("ArrowRight");
      await workbench.menu
        .locator(".action-item", { has: page.locator(`[aria-label^="${action}"]`) })
        .first()
        .waitFor();
      await shot("arrange");
      await workbench.walkMenu(action);
      await page.keyboard.press("Enter");
      await workbench.quickInput.locator(".quick-input-title", { hasText: action }).waitFor();
    }
  });

  test("with the keyboard alone: orders of two groups are selected and cancelled with one question that lists them", async () => {
    const { workbench, page } = shared;
    const [first, beside, second] = [
      await place({ price: 41_001, label: "one" }),
      await place({ price: 41_002, label: "one" }),
      await place({ price: 41_003, label: "two" }),
    ];
    await stand([first, beside, second]);
    await focus("Open Orders");
    await page.keyboard.press("Home");
    for (const order of [first, second]) {
      await walkTo(orderRow(order));
      await page.keyboard.press("Control+Shift+Enter");
      await workbench
        .treeRow(orderRow(order), orders())
        .locator("xpath=self::*[contains(@class,'selected')]")
        .waitFor();
    }
    await shot("keyboard-selected");
    await new Keyboard(workbench).fromMenu("Cancel Selected Orders…");
    const { text, buttons } = await workbench.readModal();
    await shot("keyboard-question");
    assert.match(text, /Cancel 2 orders on SIMULATOR lab\?/);
    assert.ok(text.includes(first.order_id) && text.includes(second.order_id) && !text.includes(beside.order_id), text);
    assert.deepEqual([...buttons].sort(), ["Cancel 2 Orders", "Keep Orders", "Show Orders"]);
    // Escape keeps them; Enter takes the first button, which is harmless.
    await page.keyboard.press("Escape");
    await workbench.dialog.waitFor({ state: "detached" });
    assert.deepEqual(await cancels(), []);
    await focus("Open Orders");
    await page.keyboard.press("Shift+F10");
    await workbench.menu.first().waitFor();
    await shot("keyboard-menu");
    await workbench.menuItem("Cancel Selected Orders…");
    await workbench.readModal();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await workbench.status(/2 of 2 cancelled on SIMULATOR lab/);
    const found = (await cancels()).map(({ order_id: id }) => id).sort();
    assert.deepEqual(found, [first.order_id, second.order_id].sort());

    /** @param {string} wanted down, row by row */
    async function walkTo(wanted) {
      for (let step = 0; step < 80; step++) {
        const row = orders().locator(".monaco-list-row.focused").first();
        await row.waitFor();
        const text = ((await row.textContent()) ?? "").replace(/\u00a0/g, " ");
        if (text.includes(wanted)) return;
        if ((await row.getAttribute("aria-expanded")) === "false" && (await row.getAttribute("aria-level")) === "1")
          await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowDown");
        await until(async () => ((await row.textContent()) ?? "").replace(/\u00a0/g, " ") !== text, {
          what: `a row after ${text}`,
        });
      }
      assert.fail(`no row with ${wanted}`);
    }
  });

  test("the button of a row means that row alone, whatever is selected; the title means the selection", async () => {
    const { workbench } = shared;
    const three = [
      await place({ price: 42_001, label: "trio" }),
      await place({ price: 42_002, label: "trio" }),
      await place({ price: 42_003, label: "trio" }),
    ];
    const [first, second, third] = three;
    await stand(three);
    for (const order of [first, second])
      await workbench
        .treeRow(orderRow(order), orders())
        .first()
        .click({ modifiers: ["Control"] });
    await workbench.treeRow(orderRow(second), orders()).first().hover();
    await shot("two-selected-buttons");
    await workbench.inline(orderRow(second), "Cancel Order", orders());
    await workbench.status(/Cancelled|cancelled/);
    await until(async () => !(await openOrders()).some(({ order_id: id }) => id === second.order_id), {
      what: "the second order to be cancelled",
    });
    const found = (await cancels()).map(({ order_id: id }) => id);
    assert.deepEqual(found, [second.order_id]);
    await rows((all) => !all.some((row) => row.includes(orderRow(second)) && !/cancelled/.test(row)));
    // The command is run on an order outside the selection: it is unclear which orders are meant.
    const fourth = await place({ price: 42_004, label: "trio" });
    await stand([fourth]);
    await workbench.treeRow(orderRow(first), orders()).first().click();
    await workbench
      .treeRow(orderRow(third), orders())
      .first()
      .click({ modifiers: ["Control"] });
    await workbench.treeRow(orderRow(fourth), orders()).first().click({ button: "right" });
    await workbench.menuItem("Cancel Selected Orders…");
    assert.match(
      await workbench.toast(/isn't part of the selection/),
      /Add it to the selection, or select only that item/,
    );
    await shot("beside-the-selection");
    assert.equal((await cancels()).length, 1);
    await workbench.closeToasts();
    // The other entry of the same menu means its row.
    await workbench.context(orderRow(fourth), "Cancel Order…", orders());
    await workbench.status(/Cancelled on SIMULATOR lab: BTC-PERPETUAL buy 10 @ 42\u202F004/);
    assert.deepEqual(
      (await cancels()).map(({ order_id: id }) => id),
      [second.order_id, fourth.order_id],
    );
    // VS Code gives the keyboard back to a list that it has just drawn again, and a menu that opens in that moment
    // closes. The rows that have ended leave first.
    await rows((all) => ![second, fourth].some((order) => all.some((row) => row.includes(orderRow(order)))));
    await workbench.noticed();
    await workbench.openTitleMenu(orders());
    await workbench.menuItem("Cancel Selected Orders…");
    const { text } = await workbench.readModal();
    assert.ok(text.includes(first.order_id) && text.includes(third.order_id) && !text.includes(fourth.order_id), text);
    await workbench.modal("Keep Orders");
    assert.equal((await cancels()).length, 2);
  });

  test("the filter of Activity searches the parameters too, although they are not expanded", async () => {
    const { workbench } = shared;
    const order = await place({ price: 43_001, label: "done" });
    await stand([order]);
    await workbench.context(orderRow(order), "Cancel Order…", orders());
    await workbench.status(/Cancelled on SIMULATOR lab: BTC-PERPETUAL buy 10 @ 43\u202F001/);
    await workbench.openOnly("Activity");
    const all = await rows((each) => each.length > 2 && each.some((row) => row.includes(orderRow(order))), "Activity");
    // The row has the order in words; its ID stands below it.
    assert.ok(!all.some((row) => row.includes(order.order_id)), all.join("\n"));
    await filterWith("Activity", "Filter Activity", order.order_id);
    await rows(
      (each) => each.length === 2 && (each[0] ?? "").includes(orderRow(order)) && /Retention/.test(each[1] ?? ""),
      "Activity",
    );
    await describes("Activity", new RegExp(`filter: ${order.order_id}`));
    await shot("activity");
    await clearWithEscape("Activity");
    await rows((each) => each.length === all.length, "Activity");
    await workbench.openOnly("Open Orders");
  });

  test("in a sidebar of 200 px a filtered view can be read", async () => {
    const { workbench, page } = shared;
    for (const price of [1500, 1501]) await place({ instrument_name: "ETH-PERPETUAL", price, label: "narrow" });
    await workbench.openOnly("Open Orders");
    await workbench.command("Trading RPC: Group Orders By");
    await workbench.pick("Instrument");
    await sidebarWidth(workbench, 200);
    await filterWith("Open Orders", "Filter Orders", "narrow");
    await describes("Open Orders", /filter: narrow/);
    await rows((all) => all.length === 3 && all.every((row) => !row.includes("BTC")));
    // Two rows may still be selected in VS Code. They are hidden, and the command of the view title ignores them.
    await workbench.openTitleMenu(orders());
    if ((await workbench.menu.locator('[aria-label^="Cancel Selected Orders…"]').count()) > 0) {
      await workbench.menuItem("Cancel Selected Orders…");
      await workbench.toast(/No items are selected/);
      await workbench.closeToasts();
    } else {
      await page.keyboard.press("Escape");
      await workbench.menu.first().waitFor({ state: "detached" });
    }
    assert.deepEqual(await cancels(), []);
    await workbench.treeRow(/@/, orders()).first().hover();
    await drawn(page);
    await shot("narrow");
    const buttons = await workbench
      .treeRow(/@/, orders())
      .first()
      .locator(".actions .action-label")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    assert.deepEqual(buttons, ["Cancel Order"]);
    await clearWithEscape("Open Orders");
  });
});
