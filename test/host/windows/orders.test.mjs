// @ts-check
/**
 * Open orders in depth, with the packaged extension in a real VS Code: grouping, filter, cancelling several. What the
 * simulator received is held against what was clicked, and its words against what the screen says.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";
import { orderRow } from "../workbench.mjs";

/** As many rows as the settings show of a level before they are asked for more. */
const PAGE = 20;

/** What is open at first, by instrument and label. */
const FIRST_ORDERS = [
  { price: 70_000 },
  { price: 70_001, label: "mm-1" },
  { price: 70_002, label: "dip" },
  { price: 70_003 },
  { price: 70_004, label: "iceberg", amount: 20_000, display_amount: 1000 },
  { instrument_name: "ETH-PERPETUAL", price: 1500 },
  { instrument_name: "ETH-PERPETUAL", price: 1501, label: "mm-1" },
  { instrument_name: "ETH-PERPETUAL", price: 1502, label: "mm-1" },
  { instrument_name: "ETH-PERPETUAL", price: 1503, label: "twap" },
  { instrument_name: "SOL_USDC-PERPETUAL", price: 90 },
  { instrument_name: "SOL_USDC-PERPETUAL", price: 91, label: "mm-1" },
  { instrument_name: "BTC_USDC", amount: 0.01, price: 70_000 },
];

test.describe("open orders", () => {
  const shared = shareWindow({
    simulator: ["--seed", "1", "--orders", "0", "--still"],
    settings: { "tradingRpc.orders.pageSize": PAGE },
    viewport: { width: 1400, height: 1700 },
  });
  test.beforeEach(async () => void (await shared.simulator.run("clearRecords")));

  const pane = () => shared.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} */
  const openOrders = () => shared.simulator.run("openOrders");
  /** @param {any} entry the call without the token that lets it in */
  const callOf = ({ method, text }) => {
    const { access_token: _token, ...params } = JSON.parse(text).params;
    return { method, params };
  };
  /** @param {RegExp} method @returns {Promise<{ method: string, params: any }[]>} frames since the test began */
  const framesOf = async (method) =>
    (await shared.simulator.run("ledger")).filter((/** @type {any} */ each) => method.test(each.method)).map(callOf);
  /** Every frame that cancels anything. */
  const cancels = () => framesOf(/^private\/cancel/);
  const description = async () => (await pane().locator(".pane-header .description").first().textContent()) ?? "";
  /** @param {RegExp} text beside the title of the view */
  const describes = (text) =>
    until(async () => text.test(await description()), { what: `the view to be described as ${text}` }).catch(
      async (error) => {
        throw new Error(`${error.message} Seen: ${await description()}`);
      },
    );
  /** @param {RegExp} text above the rows */
  const message = async (text) => {
    const shown = pane().locator(".message, .welcome-view-content", { hasText: text }).first();
    await shown.waitFor();
    return (await shown.innerText()).replace(/\u00a0/g, " ");
  };
  /** @param {any} spec @returns {Promise<any>} */
  const place = (spec) =>
    shared.simulator.run("place", { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, ...spec });
  let lastPrice = 50_000;
  /** @param {number} count @param {any} [spec] orders whose rows differ by their price */
  const placeMany = async (count, spec = {}) => {
    const placed = [];
    for (let index = 0; index < count; index++) placed.push(await place({ price: lastPrice++, ...spec }));
    return placed;
  };
  /** @param {string} name what every picture of this view begins with */
  const shot = (name) => shared.workbench.shot(`orders-${name}`);
  /** @param {string} action from the menu behind the view's three dots */
  const titleMenu = async (action) => {
    await shared.workbench.openTitleMenu(pane());
    await shared.workbench.menuItem(action);
  };
  /** @param {string} grouping */
  const groupBy = async (grouping) => {
    await shared.workbench.command("Trading RPC: Group Orders By");
    await shared.workbench.pick(grouping);
  };
  /** @param {string | RegExp} label opens a row, unless it is open */
  const open = async (label) => {
    const row = shared.workbench.treeRow(label, pane()).first();
    await row.waitFor();
    if ((await row.getAttribute("aria-expanded")) !== "true") await shared.workbench.toggle(label, pane());
  };

  test("connected, orders are grouped by currency, then by label, and the choice survives a reload", async () => {
    const { workbench } = shared;
    for (const order of FIRST_ORDERS) await place(order);
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { keep: "Store" });
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((rows) => rows.some((row) => /BTC-PERP/.test(row)), pane());
    await groupBy("Currency");
    await workbench.rowsWhen(
      (rows) =>
        ["BTC5", "ETH4", "SOL_USDC2"].every((group) => rows.includes(group)) &&
        rows.some((row) => row.startsWith("BTC_USDC buy ")),
      pane(),
    );
    await shot("by-currency");
    await groupBy("Label");
    await workbench.rowsWhen(
      (all) => ["no label", "mm-1"].every((label) => all.some((row) => row.startsWith(label))),
      pane(),
    );
    await open(/^mm-1/);
    await shot("by-label");
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.connectAgain("lab");
    await workbench.status(/SIMULATOR lab/);
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen(
      (all) => all.some((row) => row.startsWith("mm-1")) && all.some((row) => row.startsWith("no label")),
      pane(),
    );
    await shot("by-label-after-reload");
  });

  test("Ctrl+F in the view filters orders, also those of a page that was not loaded, and says what it hides", async () => {
    const { workbench, page } = shared;
    const placed = await placeMany(PAGE + 6, { label: "ladder" });
    await open(/^ladder/);
    await workbench.rowsWhen((rows) => rows.some((row) => /Show 6 more of 26/.test(row)), pane());
    await shot("load-more");
    const onScreen = await workbench.treeRows(pane());
    const unloaded = placed.find((order) => !onScreen.some((row) => row.includes(orderRow(order))));
    assert.ok(unloaded, onScreen.join("\n"));
    await filterWith("mm-1 eth");
    await describes(/filter: mm-1 eth/);
    assert.match(await message(/filter shows/), /shows 2 of 38 orders/);
    await workbench.rowsWhen(
      (rows) => rows.some((row) => row.startsWith("mm-1")) && !rows.some((row) => row.includes("dip")),
      pane(),
    );
    await shot("filtered-text");
    await filterWith(unloaded.order_id);
    await workbench.rowsWhen(
      (rows) => rows.length === 1 && rows.some((row) => row.includes(orderRow(unloaded))),
      pane(),
    );
    assert.match(await message(/filter shows 1 of/), /shows 1 of 38 orders/);
    await shot("filtered-id");
    await filterWith("no such words");
    await pane().getByText("No open orders match the filter.").first().waitFor();
    await shot("filter-no-hit");
    await workbench.paneAction("Open Orders", "Clear Order Filter");
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("dip")), pane());
    await until(async () => !/filter/.test(await description()), { what: "the filter to leave the title" });
    await pane().locator(".message", { hasText: "filter" }).waitFor({ state: "hidden" });
    await shot("filter-cleared");
    await workbench.toggle(/^ladder/, pane());

    /** @param {string} text */
    async function filterWith(text) {
      await pane().locator(".monaco-list").first().focus();
      await page.keyboard.press("Control+F");
      await workbench.quickInput.locator(".quick-input-title", { hasText: "Filter Orders" }).waitFor();
      await workbench.write(text);
      await workbench.quickInput.locator(".monaco-list-row", { hasText: text }).first().waitFor();
      await shot(`filter-typed-${text}`);
      await page.keyboard.press("Enter");
      await workbench.quickInput.waitFor({ state: "hidden" });
    }
  });

  test("three selected rows are cancelled with one question, three frames and three outcomes", async () => {
    const { workbench } = shared;
    const three = await placeMany(3, { label: "trio" });
    await open(/^trio/);
    const [first, second, third] = three;
    await rowsStand(three);
    await workbench
      .treeRow(orderRow(first), pane())
      .first()
      .click({ modifiers: ["Control"] });
    await workbench
      .treeRow(orderRow(second), pane())
      .first()
      .click({ modifiers: ["Control"] });
    await workbench
      .treeRow(orderRow(third), pane())
      .first()
      .click({ modifiers: ["Control"] });
    await shot("three-selected");
    await workbench.treeRow(orderRow(second), pane()).first().click({ button: "right" });
    await workbench.menu.first().waitFor();
    await shot("three-menu");
    await workbench.menuItem("Cancel Selected Orders…");
    const { text, buttons } = await workbench.readModal();
    await shot("three-question");
    for (const order of three) assert.ok(text.includes(order.order_id), text);
    assert.match(text, /Cancel 3 orders on SIMULATOR lab\?/);
    assert.deepEqual([...buttons].sort(), ["Cancel 3 Orders", "Keep Orders", "Show Orders"]);
    await workbench.modal("Keep Orders");
    assert.deepEqual(await cancels(), []);
    await workbench.context(orderRow(second), "Cancel Selected Orders…", pane());
    await workbench.modal("Cancel 3 Orders");
    assert.match(await workbench.status(/3 of 3 cancelled/), /3 of 3 cancelled on SIMULATOR lab\./);
    await shot("three-cancelled");
    const found = (await cancels()).map(({ method, params }) => [method, params.order_id]).sort();
    assert.deepEqual(found, three.map((order) => ["private/cancel", order.order_id]).sort());
    await rowsEnd(three);
  });

  test("an order that market maker protection cancelled says so in its row", async () => {
    const { workbench } = shared;
    const order = await place({ label: "protected", price: 61_000, mmp: true });
    await workbench.treeRow(orderRow(order), pane()).first().waitFor();
    await shared.simulator.run("cancel", { id: order.order_id, reason: "mmp_trigger" });
    await workbench.rowsWhen(
      (rows) => rows.some((row) => row.includes(orderRow(order)) && /cancelled: MMP/.test(row)),
      pane(),
    );
    await shot("mmp-ended");
    await workbench.tooltip(orderRow(order), "Market maker protection (MMP) was triggered", pane());
    await shot("mmp-ended-hover");
  });

  test("rows selected with Shift are each cancelled once", async () => {
    const { workbench } = shared;
    const three = await placeMany(3, { label: "shifted" });
    await open(/^shifted/);
    const [first, , third] = three;
    await rowsStand(three);
    // A click opens the row: what stands below it is not between the two.
    await workbench.treeRow(orderRow(third), pane()).first().click();
    await workbench
      .treeRow(orderRow(first), pane())
      .first()
      .click({ modifiers: ["Shift"] });
    await shot("shift-selected");
    await workbench.context(orderRow(first), "Cancel Selected Orders…", pane());
    const { text } = await workbench.readModal();
    await shot("shift-question");
    assert.match(text, /Cancel 3 orders on/);
    await workbench.modal("Cancel 3 Orders");
    // The status bar still says so of the three before.
    await until(async () => (await cancels()).length === 3, { what: "three cancels" });
    const found = (await cancels()).map(({ params }) => params.order_id).sort();
    assert.deepEqual(found, three.map((order) => order.order_id).sort());
    // Rows that go move those below them: the tests after this one begin without.
    await rowsGo(three);
  });

  test("a group that one call cancels exactly goes with one call", async () => {
    const { workbench } = shared;
    const ladder = (await openOrders()).filter((order) => order.label === "ladder");
    await workbench.context(/^ladder/, "Cancel Orders in Group", pane());
    const { text, buttons } = await workbench.readModal();
    await shot("group-one-call-question");
    assert.match(text, /Cancel all 26 open orders \(label ladder\) on SIMULATOR lab\?/);
    assert.match(text, /private\/cancel_by_label/);
    assert.match(text, /and 16 more/);
    assert.deepEqual([...buttons].sort(), ["Cancel 26 Orders", "Keep Orders", "Show Orders"]);
    await workbench.modal("Show Orders");
    await workbench.whenFocused("Open Orders", "Filter Orders");
    assert.deepEqual(await cancels(), []);
    await workbench.context(/^ladder/, "Cancel Orders in Group", pane());
    await workbench.modal("Cancel 26 Orders");
    await workbench.status(/cancelled|Cancel/);
    await shot("group-one-call-done");
    assert.deepEqual(await cancels(), [{ method: "private/cancel_by_label", params: { label: "ladder" } }]);
    await workbench.rowsWhen((rows) => !rows.some((row) => row.startsWith("ladder")), pane());
    assert.ok(ladder.length === 26 && (await openOrders()).every((order) => order.label !== "ladder"));
  });

  test("a group without such a call goes one by one, with progress, and can be stopped", async () => {
    const { workbench } = shared;
    const before = (await openOrders()).filter((order) => order.label === "").length;
    await placeMany(60);
    const all = before + 60;
    await shared.simulator.run("clearRecords");
    const group = workbench.treeRow(/^no label/, pane()).first();
    await until(async () => ((await group.textContent()) ?? "").includes(String(all)), {
      what: `${all} orders without a label`,
    });
    await workbench.context(/^no label/, "Cancel Orders in Group", pane());
    const text = (await workbench.readModal()).text;
    await shot("group-one-by-one-question");
    assert.match(text, /No single call cancels only the orders without a label\./);
    assert.match(text, /this takes about \d+ s\. Use Stop Cancelling to stop it\./);
    await workbench.modal(`Cancel ${all} Orders`);
    await workbench.toast(/Cancelling orders one by one on SIMULATOR lab/);
    await workbench.toast(/2\d of \d+ responses received/);
    await shot("group-one-by-one-progress");
    await workbench.paneAction("Open Orders", "Stop Cancelling");
    const said = await workbench.toast(/not sent, because you stopped/);
    await shot("group-one-by-one-stopped");
    const sent = (await cancels()).length;
    assert.ok(sent >= 20 && sent < all, `${sent} of ${all} were sent`);
    assert.ok((await cancels()).every(({ method }) => method === "private/cancel"));
    assert.ok(
      said.includes(`${sent} of ${all} cancelled on SIMULATOR lab. ${all - sent} not sent, because you stopped.`),
      said,
    );
    assert.equal((await openOrders()).filter((order) => order.label === "").length, all - sent);
  });

  test("what the view's title cancels is chosen there, whatever row has the focus", async () => {
    const { workbench } = shared;
    await workbench
      .treeRow(/dip/, pane())
      .first()
      .click({ modifiers: ["Control"] });
    // The menu of the title depends on what is selected.
    await workbench.noticed();
    await titleMenu("Cancel Order…");
    await workbench.quickInput.locator(".quick-input-title", { hasText: "Cancel Order" }).waitFor();
    assert.ok((await workbench.picks()).length > 1);
    await shot("title-cancel-asks");
    await workbench.escape();
    await titleMenu("Cancel Orders in Group");
    const groups = await workbench.picks();
    await shot("title-group-asks");
    assert.ok(
      groups.some((each) => /dip\s*1 open · SIMULATOR lab/.test(each)),
      groups.join("\n"),
    );
    await workbench.escape();
    assert.deepEqual(await cancels(), []);
  });

  test("Cancel All Orders from the view's title: keeping them sends nothing, one call cancels all", async () => {
    const { workbench } = shared;
    const count = (await openOrders()).length;
    await titleMenu("Cancel All Orders");
    const { text, buttons } = await workbench.readModal();
    await shot("all-question");
    assert.match(text, new RegExp(`Cancel all ${count} open orders \\(all instruments\\) on SIMULATOR lab\\?`));
    assert.deepEqual([...buttons].sort(), [`Cancel ${count} Orders`, "Keep Orders", "Show Orders"].sort());
    await workbench.modal("Keep Orders");
    assert.deepEqual(await cancels(), []);
    await titleMenu("Cancel All Orders");
    await workbench.modal(`Cancel ${count} Orders`);
    await until(async () => (await openOrders()).length === 0, { what: "every order to be cancelled" });
    await pane().getByText("No open orders.").first().waitFor();
    await shot("all-cancelled");
    assert.deepEqual(await cancels(), [{ method: "private/cancel_all", params: {} }]);
    await titleMenu("Cancel All Orders");
    await workbench.toast(/There are no open orders to cancel/);
    await shot("all-none");
  });

  test("a server without the call: nothing is cancelled, and one by one is offered", async () => {
    const { workbench } = shared;
    const four = await placeMany(4, { label: "left" });
    await open(/^left/);
    await rowsStand(four);
    await shared.simulator.run("setMethods", { methods: "contract" });
    await titleMenu("Cancel All Orders");
    await workbench.modal("Cancel 4 Orders");
    const said = await workbench.toast(/doesn't support private\/cancel_all/);
    assert.match(said, /SIMULATOR lab doesn't support private\/cancel_all\. Nothing was cancelled\./);
    await shot("not-offered");
    assert.equal((await openOrders()).length, 4);
    await workbench.toast(/doesn't support private\/cancel_all/, "Cancel One by One");
    const { text } = await workbench.readModal();
    await shot("not-offered-question");
    assert.match(text, /private\/cancel_all isn't supported here\./);
    await workbench.modal("Cancel 4 Orders");
    await workbench.status(/4 of 4 cancelled/);
    const found = (await framesOf(/^private\/cancel$/)).map(({ params }) => params.order_id).sort();
    assert.deepEqual(found, four.map((order) => order.order_id).sort());
    await rowsEnd(four);
    await shared.simulator.run("setMethods", { methods: "all" });
  });

  test("where live updates are refused the view polls, and says so", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Disconnect");
    await workbench.status("Not connected");
    await shared.simulator.run("setFault", {
      method: "private/subscribe",
      times: 100,
      effect: "skipped",
      response: { code: 13_021 },
    });
    const order = await place({ label: "polled", price: 62_000, amount: 100 });
    await workbench.command("Trading RPC: Connect…");
    await workbench.pick("SIMULATOR lab");
    assert.match(await message(/Polling/), /Polling every 5 s: live updates were refused for this connection\./);
    await workbench.treeRow(orderRow(order), pane()).first().waitFor();
    await shot("polling");
    await describes(/as of/);
    await shared.simulator.run("fill", { id: order.order_id, amount: 50 });
    await workbench.rowsWhen(
      (rows) => rows.some((row) => row.includes(orderRow(order)) && row.includes("50 filled")),
      pane(),
    );
    await shot("polling-followed");
    assert.ok((await framesOf(/get_open_orders/)).length >= 2);
  });

  /** @param {any[]} orders */
  async function rowsStand(orders) {
    await shared.workbench.rowsWhen(
      (rows) => orders.every((order) => rows.some((row) => row.includes(orderRow(order)))),
      pane(),
    );
  }

  /** @param {any[]} orders their rows say that they were cancelled, for ten seconds, or have gone */
  async function rowsEnd(orders) {
    await shared.workbench.rowsWhen(
      (rows) =>
        orders.every((order) =>
          rows.filter((row) => row.includes(orderRow(order))).every((row) => /cancelled/.test(row)),
        ),
      pane(),
    );
  }

  /** @param {any[]} orders */
  async function rowsGo(orders) {
    await shared.workbench.rowsWhen(
      (rows) => !orders.some((order) => rows.some((row) => row.includes(orderRow(order)))),
      pane(),
    );
  }
});

test.describe("an order of an exchange that went on without us", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "0", "--still"] });

  test("an order with members that are null is cancelled from its row", async () => {
    const { workbench, simulator } = shared;
    const pane = workbench.pane("Open Orders");
    const order = /** @type {any} */ (
      await simulator.run("place", {
        instrument_name: "BTC-PERPETUAL",
        direction: "buy",
        amount: 10,
        price: 50_000,
      })
    );
    const [open] = /** @type {any[]} */ (await simulator.run("openOrders"));
    await simulator.run("setFault", {
      method: "private/get_open_orders",
      times: 100,
      mutate: { how: "result", value: [{ ...open, contracts: null, max_show: null, trigger_offset: null }] },
    });
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator, { keep: "Store" });
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen((rows) => rows.some((row) => /BTC-PERP/.test(row)), pane);
    await workbench.inline(orderRow(order), "Cancel Order", pane);
    await workbench.rowsWhen(
      (rows) =>
        rows.every((row) => !row.includes(orderRow(order)) || row.includes("cancelled")) &&
        !rows.some((row) => /unknown|raw/.test(row)),
      pane,
    );
    assert.deepEqual(await shared.sent("private/cancel"), [{ order_id: order.order_id }]);
    assert.equal((await simulator.run("order", { id: order.order_id })).order_state, "cancelled");
  });
});
