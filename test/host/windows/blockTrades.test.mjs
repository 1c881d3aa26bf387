// @ts-check
/**
 * The Block Trades view as a user sees it, with the packaged extension in a real VS Code and a simulator that is told
 * what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

test.describe("block trades", () => {
  const shared = shareWindow({ blockTrades: 130 });
  const pane = () => shared.workbench.pane("Block Trades");
  /** @returns {Promise<any[]>} */
  const blockTrades = () => shared.simulator.run("blockTrades");
  /** @returns {Promise<Record<string, unknown>[]>} parameters of the calls for the list */
  const listCalls = () => shared.sent("private/get_block_trades");

  test("the newest come first, whole at 300 px", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await shared.simulator.run("addBlockTrade", {
      legs: [{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 8000 }],
    });
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("Block Trades");
    const [newest] = await blockTrades();
    const rows = await workbench.rowsWhen((all) => all[0]?.includes(newest.id) === true, pane());
    assert.match(rows[0] ?? "", /\d+ trades? · \S+/);
    await pane().locator(".message", { hasText: "Reading" }).waitFor({ state: "hidden" });
    await workbench.shot("block-trades");
    assert.deepEqual(await shared.workbench.cutRows(pane()), []);
  });

  test("a broker's block trade opens into its trade, the trade into allocations and every member", async () => {
    const { workbench } = shared;
    const trade = (await blockTrades()).find((each) => each.broker_code === "broker_7");
    await workbench.toggle(trade.id, pane());
    await workbench.toggle(trade.trades[0].instrument_name, pane());
    await workbench.toggle("Ann Example", pane());
    await workbench.rowsWhen((rows) => rows.some((row) => /client_link_id.*4/.test(row)), pane());
    await workbench.shot("block-trade-allocations");
    await workbench.tooltip("Ann Example", "Allocated to Ann Example", pane());
    await workbench.shot("block-trade-allocation-hover");
    await workbench.toggle(trade.id, pane());
  });

  test("a filter is set step by step; what the exchange does not allow is said before anything is sent", async () => {
    const { workbench, page } = shared;
    await workbench.paneAction("Block Trades", "Filter Block Trades");
    await workbench.pick("Down To");
    await workbench.quickInput.locator(".quick-input-list").waitFor({ state: "hidden" });
    assert.match(
      await workbench.inputMessage("BLOCK-282001", /end_id requires start_id/),
      /First specify the block trade that the list starts after/,
    );
    await workbench.shot("block-trades-filter-refused");
    // Leaving a parameter leads back to the list of them.
    await page.keyboard.press("Escape");
    await workbench.pick("Broker Code");
    await workbench.input("any");
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Apply Filter" }).waitFor();
    await workbench.shot("block-trades-filter");
    await workbench.pick("Apply Filter");
    const brokered = (await blockTrades()).filter((each) => each.broker_code !== undefined);
    await workbench.rowsWhen(
      (rows) => rows.length === brokered.length && rows.every((row, index) => row.includes(brokered[index].id)),
      pane(),
    );
    await pane()
      .locator(".message", { hasText: "Only block trades that match the filter “any broker” are listed." })
      .waitFor();
    await workbench.shot("block-trades-filtered");
    assert.equal((await listCalls()).at(-1)?.["broker_code"], "any");
  });

  test("nothing matches: the view says so, and clearing the filter shows all", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Filter Block Trades…");
    await workbench.pick("Broker Code");
    await workbench.input("absent");
    await workbench.pick("Apply Filter");
    await pane().getByText("No block trades match the filter.").waitFor();
    await pane().locator(".description", { hasText: "broker absent" }).waitFor();
    await workbench.shot("block-trades-none");
    await workbench.paneAction("Block Trades", "Clear Block Trade Filter");
    await workbench.rowsWhen((rows) => rows.length > 10, pane());
  });

  test("the row at the end reads on, by keyboard", async () => {
    const { workbench, page } = shared;
    const all = await blockTrades();
    await workbench.treeRow(all[0].id, pane()).click();
    // The click has opened it: rows that come above the end would move it.
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("timestamp")), pane());
    await page.keyboard.press("End");
    await workbench.rowsWhen((rows) => rows.at(-1)?.startsWith("Load more…") === true, pane());
    await workbench.treeRow("Load more…", pane()).hover();
    await workbench.shot("block-trades-more");
    await page.keyboard.press("Enter");
    await until(async () => (await listCalls()).at(-1)?.["count"] === 101, { what: "the next page" });
    await pane().locator('.monaco-list-row[aria-setsize="101"]').first().waitFor();
    await page.keyboard.press("End");
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes(all[99].id)), pane());
  });

  test("an unknown ID leaves the box open; a known one opens the response", async () => {
    const { workbench, page } = shared;
    const [trade] = await blockTrades();
    await workbench.paneAction("Block Trades", "Open Block Trade by ID");
    await workbench.write("BLOCK-1");
    await page.keyboard.press("Enter");
    await workbench.quickInput
      .locator(".quick-input-message", {
        hasText: "Block trade BLOCK-1 was not found on SIMULATOR lab, or this API key can't read it",
      })
      .waitFor();
    await workbench.shot("block-trade-unknown");
    await workbench.input(trade.id);
    await page.locator(".view-lines", { hasText: trade.trades[0].trade_id }).first().waitFor();
    await workbench.shot("block-trade-response");
  });

  test("the link is lost: the rows stay, and say that they are old", async () => {
    const { workbench } = shared;
    await shared.simulator.run("refuseConnections", { isRefusing: true });
    await shared.simulator.run("disconnectAll", { how: "reset" });
    await pane().locator(".message", { hasText: "Not up to date since" }).waitFor();
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("stale")), pane());
    await workbench.shot("block-trades-stale");
  });
});
