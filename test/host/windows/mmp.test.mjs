// @ts-check
/**
 * The MMP and Block RFQ Quotes views as a user sees them, with the packaged extension in a real VS Code and a simulator
 * that is told what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

test.describe("market maker protection and Block RFQ quotes", () => {
  const shared = shareWindow();
  const mmp = () => shared.workbench.pane("MMP");
  const quotes = () => shared.workbench.pane("Block RFQ Quotes");

  test("nothing is connected: the views say so and offer to connect", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.openOnly("MMP");
    await mmp().locator(".monaco-button", { hasText: "Connect…" }).waitFor();
    await workbench.shot("mmp-off");
    await workbench.openOnly("Block RFQ Quotes");
    await quotes().locator(".monaco-button", { hasText: "Connect…" }).waitFor();
    await workbench.shot("quotes-off");
  });

  test("a freeze is reported although the view was never shown, with a badge on the icon", async () => {
    const { workbench, page } = shared;
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.some((row) => /RFQ 722/.test(row)), quotes());
    await shared.simulator.run("freezeMmp", { index_name: "btc_usd", mmp_group: "g1" });
    const said = await workbench.toast(
      /SIMULATOR lab: MMP has frozen group g1 of btc_usd\. The freeze lasts until it is reset\./,
    );
    assert.match(said, /Reset…/);
    await page
      .locator('.activitybar .action-item [aria-label*="MMP has frozen group g1 of btc_usd"]')
      .first()
      .waitFor({ state: "attached" })
      .catch(() => undefined);
    await workbench.shot("mmp-notice");
    assert.equal(await page.locator(".notification-toast", { hasText: "has frozen" }).count(), 1);
  });

  test("indexes, groups and Block RFQ limits, each whole at 300 px; limits in words below", async () => {
    const { workbench } = shared;
    await shared.workbench.closeToasts();
    await workbench.openOnly("MMP");
    // The halves are two readings: the second may be on its way.
    await workbench.rowsWhen(
      (all) =>
        all.some((row) => /group g1.*frozen until reset/.test(row)) &&
        all.some((row) => /Block RFQ.*delta 10/.test(row)),
      mmp(),
    );
    assert.deepEqual(await shared.workbench.cutRows(mmp()), []);
    await workbench.shot("mmp");
    await workbench.toggle("group g1", mmp());
    await workbench.rowsWhen((all) => all.some((row) => /Frozen for.*until manual reset/.test(row)), mmp());
    await workbench.tooltip("group g1", "The freeze lasts until it is reset", mmp());
    await workbench.shot("mmp-group-hover");
    assert.deepEqual(await shared.workbench.cutRows(mmp()), []);
    await workbench.toggle("group g1", mmp());
  });

  test("one that freezes for its time says until when, and is over by itself", async () => {
    const { workbench } = shared;
    await shared.simulator.run("freezeMmp", { index_name: "btc_usd", mmp_group: "" });
    await workbench.rowsWhen((all) => all.some((row) => /regular orders.*until \d\d:\d\d:\d\d/.test(row)), mmp());
    assert.deepEqual(await shared.workbench.cutRows(mmp()), []);
    await workbench.shot("mmp-frozen-for-a-time");
    await workbench.rowsWhen((all) => all.some((row) => /regular orders.*delta 0\.5/.test(row)), mmp());
    await shared.workbench.closeToasts();
  });

  test("Reset… in the row is one call, and the row says what is true", async () => {
    const { workbench } = shared;
    await workbench.inline("group g1", "Reset MMP", mmp());
    await until(
      async () => (await shared.sent("private/reset_mmp")).length === 1 || (await workbench.dialog.isVisible()),
      { what: "the call or the question" },
    );
    if (await workbench.dialog.isVisible()) {
      await workbench.shot("mmp-reset-question");
      await workbench.modal("Reset MMP");
    }
    await workbench.rowsWhen((all) => all.some((row) => /group g1.*quantity 3/.test(row)), mmp());
    const [call] = await shared.sent("private/reset_mmp");
    assert.equal(call?.["index_name"], "btc_usd");
    assert.equal(call?.["mmp_group"], "g1");
    assert.deepEqual(await shared.simulator.run("frozen"), []);
    await workbench.shot("mmp-reset");
  });

  test("the filter is asked for in steps and told beside the title; Open shows the response", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Filter MMP…");
    await workbench.pick("Index (index_name)");
    await workbench.pick("eth_usd");
    await workbench.pick("Block RFQ (block_rfq)");
    await workbench.pick("Block RFQ Quotes Only");
    await workbench.shot("mmp-filter");
    await workbench.pick("Apply Filter");
    const rows = await workbench.rowsWhen((all) => all.length === 2, mmp());
    assert.match(rows.join("\n"), /eth_usd.*1 group\nBlock RFQ.*quantity 400/);
    await shared.page.locator(".sidebar", { hasText: "Filtered: eth_usd · Block RFQ only." }).waitFor();
    await workbench.shot("mmp-filtered");
    await workbench.context("Block RFQ", "Open MMP Limits", mmp());
    await shared.page
      .locator(".editor-group-container .view-lines", { hasText: "trade_count_limit" })
      .first()
      .waitFor();
    await workbench.shot("mmp-open");
    await workbench.command("Trading RPC: Clear MMP Filter");
    await workbench.rowsWhen((all) => all.length > 2, mmp());
  });

  test("Reset… of the message asks too, and keeping it frozen sends nothing", async () => {
    const { workbench } = shared;
    await shared.simulator.run("freezeMmp", { index_name: "btc_usd", mmp_group: "g1" });
    await workbench.toast(/has frozen group g1 of btc_usd/, "Reset…");
    const { text } = await workbench.readModal();
    assert.match(text, /Reset MMP for btc_usd group g1 on SIMULATOR lab\?/);
    await workbench.modal("Do Not Reset");
    assert.equal((await shared.sent("private/reset_mmp")).length, 1);
    await workbench.rowsWhen((all) => all.some((row) => /group g1.*frozen until reset/.test(row)), mmp());
  });

  test("the menu of a row by keyboard", async () => {
    const { workbench, page } = shared;
    await workbench.treeRow("group g1", mmp()).first().click();
    await page.keyboard.press("Shift+F10");
    await workbench.menu.locator(".action-item", { hasText: "Reset MMP…" }).first().waitFor();
    await workbench.shot("mmp-menu");
    await page.keyboard.press("Escape");
    await workbench.menu.first().waitFor({ state: "detached" });
    await shared.simulator.run("resetMmp", { index_name: "btc_usd", mmp_group: "g1" });
    // A reset made elsewhere is not announced; while one is frozen the list is read again now and then.
    await workbench.rowsWhen((all) => all.some((row) => /group g1.*quantity 3/.test(row)), mmp());
  });

  test("quotes stand under their Block RFQ with what is left of their time, legs below", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Block RFQ Quotes");
    const rows = await workbench.rowsWhen((all) => all.some((row) => /buy 25 @ 0\.0205.* left/.test(row)), quotes());
    assert.match(rows[0] ?? "", /RFQ 722 · BTC.*2 quotes/);
    await workbench.shot("quotes");
    await workbench.toggle("buy 25 @ 0.0205", quotes());
    await workbench.rowsWhen((all) => all.some((row) => /BTC-\w+-96000-C/.test(row)), quotes());
    await workbench.shot("quotes-legs");
    const found = (await shared.workbench.cutRows(quotes())).filter((row) => !/_timestamp|combo_id/.test(row ?? ""));
    assert.deepEqual(found, []);
    await workbench.context("buy 25 @ 0.0205", "Open Block RFQ Quote", quotes());
    await shared.page.locator(".editor-group-container .view-lines", { hasText: "any_part_of" }).first().waitFor();
    await workbench.shot("quotes-open");
  });

  test("a quote comes and goes with the exchange; the last one gone is said", async () => {
    const { workbench, page } = shared;
    await workbench.toggle("buy 25 @ 0.0205", quotes());
    const placed = await shared.simulator.run("placeBlockRfqQuote", {
      block_rfq_id: 724,
      direction: "buy",
      price: 0.133,
      amount: 7,
    });
    await workbench.rowsWhen((all) => all.some((row) => /buy 7 @ 0\.133/.test(row)), quotes());
    assert.ok(placed.block_rfq_quote_id > 0);
    for (const quote of await shared.simulator.run("blockRfqQuotes"))
      if (quote.quote_state === "open")
        await shared.simulator.run("cancelBlockRfqQuote", { id: quote.block_rfq_quote_id });
    await page.locator(".sidebar", { hasText: "No open Block RFQ quotes." }).waitFor();
    await workbench.rowsWhen((all) => all.length === 0, quotes());
    await workbench.shot("quotes-none");
  });

  test("without the link the views say since when they are not up to date", async () => {
    const { workbench, page } = shared;
    await workbench.openOnly("MMP");
    await shared.simulator.stop();
    await page.locator(".sidebar", { hasText: "Not up to date since" }).waitFor();
    await workbench.rowsWhen((all) => all.some((row) => /stale/.test(row)), mmp());
    await workbench.shot("mmp-stale");
  });
});

test.describe("the same views where the server or the key allows less", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "3", "--still", "--contract-only"] });
  const connect = async (/** @type {string} */ name) => {
    const { workbench } = shared;
    await workbench.connectTo(shared.simulator, { name });
  };
  /** @param {string} text the sidebar says it */
  const says = async (text) => shared.page.locator(".sidebar", { hasText: text }).first().waitFor();

  test("a server with the contract's methods alone: limits without the freezes, and no list of quotes", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.openOnly("MMP");
    await connect("bare");
    await workbench.rowsWhen((rows) => rows.some((row) => /xrp_usdc/.test(row)), workbench.pane("MMP"));
    await says("Frozen groups are unknown");
    await workbench.shot("mmp-contract-only");
    await workbench.openOnly("Block RFQ Quotes");
    await says("You can still cancel all of them");
    await workbench.shot("quotes-not-offered");
    await workbench.command("Trading RPC: Disconnect");
  });

  test("a key that lacks the scopes: the views name them", async () => {
    const { workbench } = shared;
    const key = (await shared.simulator.run("apiKeys")).find(
      (/** @type {any} */ each) => each.client_id === shared.simulator.clientId,
    );
    await shared.simulator.run("editApiKey", { id: key.id, max_scope: "trade:read" });
    await connect("poor");
    await says("block_rfq:read");
    await workbench.shot("quotes-scope");
    await workbench.openOnly("MMP");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /Block RFQ quotes.*scope missing/.test(row)),
      workbench.pane("MMP"),
    );
    await workbench.shot("mmp-scope");
  });
});
