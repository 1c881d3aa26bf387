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

  test("a freeze is reported although the view was never shown, with a badge on the icon", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("Block RFQ Quotes");
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
    await workbench.rowsWhen((all) => all.some((row) => /^frozen_time.*until manual reset/.test(row)), mmp());
    await workbench.tooltip("group g1", "frozen until reset", mmp());
    await workbench.shot("mmp-group-hover");
    assert.deepEqual(await shared.workbench.cutRows(mmp()), []);
    await workbench.toggle("group g1", mmp());
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
});
