// @ts-check
/**
 * Cancelling Block RFQ quotes and setting MMP limits by clicks, with the packaged extension in a real VS Code; what the
 * simulator received is held against them.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

test.describe("Block RFQ quotes and MMP limits, changed", () => {
  const shared = shareWindow();
  test.beforeEach(async () => void (await shared.simulator.run("clearRecords")));

  const mmp = () => shared.workbench.pane("MMP");
  const quotes = () => shared.workbench.pane("Block RFQ Quotes");
  /**
   * @param {RegExp} method
   * @returns {Promise<{ method: string, text: string, params: any }[]>} calls since the test began
   */
  const callsOf = async (method) =>
    (await shared.simulator.run("ledger"))
      .filter((/** @type {any} */ each) => method.test(each.method))
      .map((/** @type {any} */ each) => {
        const { access_token: _token, ...params } = JSON.parse(each.text).params;
        return { method: each.method, text: each.text, params };
      });
  const cancels = async () => (await callsOf(/^private\/cancel/)).map(({ method, params }) => ({ method, params }));
  /** @returns {Promise<any[]>} */
  const openQuotes = () => shared.simulator.run("blockRfqQuotes");
  /** @param {RegExp} title what the title of the step says */
  const step = async (title) => {
    const { workbench } = shared;
    await until(async () => title.test((await workbench.quickInput.innerText()).replace(/\s+/g, " ")), {
      what: `the step ${title}`,
    });
  };

  test("the button of a row cancels that quote alone, whatever is selected", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.openOnly("Block RFQ Quotes");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 25 @ 0\.0205/.test(row)), quotes());
    const meant = (await openQuotes()).find((quote) => quote.price === 0.0205);
    await workbench.treeRow("sell 25 @ 0.0235", quotes()).first().click();
    await workbench.inline("buy 25 @ 0.0205", "Cancel Block RFQ Quote", quotes());
    assert.match(await workbench.status(/Cancelled on/), /Cancelled on SIMULATOR lab: RFQ 722 buy 25 @ 0\.0205\./);
    await workbench.rowsWhen((rows) => !rows.some((row) => /buy 25 @ 0\.0205/.test(row)), quotes());
    await workbench.shot("quotes-cancelled-one");
    assert.deepEqual(await cancels(), [
      { method: "private/cancel_block_rfq_quote", params: { block_rfq_quote_id: meant.block_rfq_quote_id } },
    ]);
    assert.equal((await openQuotes()).length, 3);
  });

  test("a quote whose response is lost says so in its row, and what reading shows does not end that", async () => {
    const { workbench } = shared;
    await shared.simulator.run("setFault", {
      method: "private/cancel_block_rfq_quote",
      effect: "skipped",
      response: { code: 11_094 },
    });
    await workbench.inline("sell 25 @ 0.0235", "Cancel Block RFQ Quote", quotes());
    await workbench.rowsWhen((rows) => rows.some((row) => /sell 25 @ 0\.0235.*outcome unknown/.test(row)), quotes());
    await workbench.shot("quotes-unknown");
    await workbench.toast(
      /RFQ 722 sell 25 @ 0\.0235 on SIMULATOR lab: still open as of .*, not cancelled\. A late cancel is still possible/,
    );
    // What may still take effect stays unknown.
    await workbench.rowsWhen((rows) => rows.some((row) => /sell 25 @ 0\.0235.*outcome unknown/.test(row)), quotes());
    assert.equal((await cancels()).length, 1);
    await workbench.command("Notifications: Clear All Notifications");
  });

  test("all quotes of one Block RFQ from its row: Show Quotes and Keep Quotes send nothing", async () => {
    const { workbench } = shared;
    await workbench.context("RFQ 724", "Cancel All Quotes of Block RFQ…", quotes());
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("quotes-rfq-question");
    assert.match(text, /Cancel all 2 quotes of RFQ 724 on SIMULATOR lab\?/);
    assert.match(text, /Labels are ignored/);
    assert.deepEqual([...buttons].sort(), ["Cancel 2 Quotes", "Keep Quotes", "Show Quotes"]);
    await workbench.modal("Show Quotes");
    await until(
      async () => await quotes().locator(".monaco-list.element-focused, .monaco-list:focus-within").first().isVisible(),
      { what: "the quotes to have the focus" },
    );
    assert.deepEqual(await cancels(), []);
    await workbench.context("RFQ 724", "Cancel All Quotes of Block RFQ…", quotes());
    await workbench.modal("Cancel 2 Quotes");
    assert.match(
      await workbench.status(/reports 2 cancelled/),
      /Cancel all 2 quotes of RFQ 724 on SIMULATOR lab: the exchange reports 2 cancelled\./,
    );
    await workbench.rowsWhen((rows) => !rows.some((row) => /RFQ 724/.test(row)), quotes());
    assert.deepEqual(await cancels(), [
      { method: "private/cancel_all_block_rfq_quotes", params: { block_rfq_id: 724 } },
    ]);
    await workbench.shot("quotes-rfq-cancelled");
  });

  test("all quotes from the palette, after one has come", async () => {
    const { workbench, page } = shared;
    await shared.simulator.run("placeBlockRfqQuote", {
      block_rfq_id: 724,
      direction: "buy",
      price: 0.133,
      amount: 7,
      label: "kept?",
    });
    await workbench.rowsWhen((rows) => rows.some((row) => /buy 7 @ 0\.133/.test(row)), quotes());
    await workbench.command("Trading RPC: Quotes: Cancel All for Block RFQs…");
    await workbench.shot("quotes-all-choice");
    await workbench.pick("All Block RFQ Quotes");
    const { text } = await workbench.readModal();
    await workbench.shot("quotes-all-question");
    assert.match(text, /Cancel all 2 Block RFQ quotes on SIMULATOR lab\?/);
    assert.match(text, /RFQ 724 buy 7 @ 0\.133 · ID \d+ · label kept\?/);
    await workbench.modal("Cancel 2 Quotes");
    await workbench.status(/the exchange reports 2 cancelled/);
    await page.locator(".sidebar", { hasText: "No open Block RFQ quotes." }).waitFor();
    assert.deepEqual(await cancels(), [{ method: "private/cancel_all_block_rfq_quotes", params: {} }]);
    assert.deepEqual(await openQuotes(), []);
    await workbench.shot("quotes-all-cancelled");
  });

  test("limits of a group through every step, with Back once; the row says what is in force", async () => {
    const { workbench, page } = shared;
    await workbench.openOnly("MMP");
    await workbench.rowsWhen((rows) => rows.some((row) => /group g1.*quantity 3/.test(row)), mmp());
    await workbench.context("group g1", "Set MMP Limits…", mmp());
    await step(/Set MMP Limits for btc_usd group g1 on SIMULATOR lab .*interval: time window in seconds/);
    await workbench.shot("limits-interval");
    await workbench.input("31");
    await step(/frozen_time: seconds/);
    await workbench.quickInput.locator('.quick-input-titlebar [aria-label^="Back"]').first().click();
    await step(/interval: time window in seconds/);
    assert.equal(await workbench.quickBox.inputValue(), "31");
    await workbench.input("30");
    await step(/frozen_time: seconds/);
    await workbench.input("5");
    await step(/max_quote_quantity: maximum/);
    await workbench.input("2.50");
    await step(/quantity_limit: maximum/);
    await workbench.write("");
    await page.keyboard.press("Enter");
    await step(/delta_limit: maximum/);
    await workbench.input("0.4");
    await step(/vega_limit: maximum/);
    await page.keyboard.press("Enter");
    await step(/Review the changes|Set Limits/);
    await workbench.shot("limits-review");
    const lines = await workbench.picks();
    for (const line of [
      "interval: 60 → 30",
      "frozen_time: 0 → 5",
      "quantity_limit: 3 → none (omitted, which removes the limit)",
      "delta_limit: none → 0.4",
    ])
      assert.ok(
        lines.some((each) => each.includes(line)),
        lines.join("\n"),
      );
    await workbench.pick("Set Limits");
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("limits-question");
    assert.match(text, /Set the MMP limits for btc_usd group g1 on SIMULATOR lab\?/);
    assert.deepEqual([...buttons].sort(), ["Keep Limits", "Set Limits"]);
    await workbench.modal("Set Limits");
    await workbench.rowsWhen((rows) => rows.some((row) => /group g1.*delta 0\.4 \/ 30 s/.test(row)), mmp());
    await workbench.shot("limits-set");
    const [call, ...more] = await callsOf(/set_mmp_config/);
    assert.deepEqual(more, []);
    assert.match(call?.text ?? "", /"interval":30,"frozen_time":5,"max_quote_quantity":2\.50,"delta_limit":0\.4/);
    const [config] = await shared.simulator.run("mmpConfigs", { index_name: "btc_usd", mmp_group: "g1" });
    assert.deepEqual([config.interval, config.quantity_limit, config.delta_limit], [30, undefined, 0.4]);
  });
});
