// @ts-check
/**
 * Block RFQ quotes are cancelled by clicks, with the packaged extension in a real VS Code. What the simulator received is
 * compared with the clicks.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

test.describe("Block RFQ quotes, changed", () => {
  const shared = shareWindow();
  test.beforeEach(async () => void (await shared.simulator.run("clearRecords")));

  const quotes = () => shared.workbench.pane("Block RFQ Quotes");
  /** @returns {Promise<{ method: string, params: any }[]>} cancels since the test began */
  const cancels = async () =>
    (await shared.simulator.run("ledger"))
      .filter((/** @type {any} */ { method }) => /^private\/cancel/.test(method))
      .map((/** @type {any} */ { method, text }) => {
        const { access_token: _token, ...params } = JSON.parse(text).params;
        return { method, params };
      });
  /** @returns {Promise<any[]>} */
  const openQuotes = () => shared.simulator.run("blockRfqQuotes");

  test("the button of a row cancels that quote alone, whatever is selected", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("Block RFQ Quotes");
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

  test("all quotes of one Block RFQ from its row: Show Quotes and Keep Quotes send nothing", async () => {
    const { workbench } = shared;
    await workbench.context("RFQ 724", "Cancel All Quotes of Block RFQ…", quotes());
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("quotes-rfq-question");
    assert.match(text, /Cancel all 2 quotes of RFQ 724 on SIMULATOR lab\?/);
    assert.match(text, /Labels are ignored/);
    assert.deepEqual([...buttons].sort(), ["Cancel 2 Quotes", "Keep Quotes", "Show Quotes"]);
    await workbench.modal("Show Quotes");
    await workbench.whenFocused("Block RFQ Quotes", "Filter Block RFQ Quotes");
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
});
