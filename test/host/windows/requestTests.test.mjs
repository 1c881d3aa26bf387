// @ts-check
/**
 * Request files in the Test Explorer as a user runs them: both profiles, production, and a response that is pinned,
 * with the packaged extension in a real VS Code.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const CHECKS = `[
  {
    "method": "public/get_last_trades_by_instrument",
    "params": { "instrument_name": "BTC-PERPETUAL", "count": 3 },
    "$run": { "name": "three", "expect": { "result": { "trades": { "$len": 3 } } } }
  },
  {
    "method": "public/get_last_trades_by_instrument",
    "params": { "instrument_name": "ETH-PERPETUAL", "count": 1 },
    "$run": {
      "name": "more",
      "expect": { "result": { "has_more": "perhaps" } }
    }
  }
]
`;
const CANCELS = `[
  { "method": "private/get_open_orders", "$run": { "name": "open", "expect": { "ok": true } } },
  {
    "method": "private/cancel",
    "params": { "order_id": "{{open.result[0].order_id}}" },
    "$run": { "name": "cancelled", "expect": { "result": { "order_state": "cancelled" } } }
  }
]
`;
const PINNED = '{ "method": "private/get_mmp_config", "params": { "index_name": "btc_usd", "mmp_group": "" } }\n';

test.describe("tests of request files", () => {
  const shared = shareWindow({
    files: { "checks.rpc.json": CHECKS, "cancels.rpc.json": CANCELS, "pinned.rpc.json": PINNED },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
  });
  /** @param {string | RegExp} label */
  const row = (label) => shared.page.locator(".test-explorer .monaco-list-row", { hasText: label }).first();
  /** @param {string | RegExp} label @param {"passed" | "failed" | "skipped"} state waits until the test is drawn so */
  const is = async (label, state) => await row(label).locator(`.codicon-testing-${state}-icon`).waitFor();
  /** @param {string} file opens it in the editor and its tests in the Test Explorer */
  const show = async (file) => {
    await shared.workbench.quickOpen(file);
    await shared.page.locator(".codelens-decoration", { hasText: "Send" }).first().waitFor();
    await shared.workbench.command("Testing: Focus on Test Explorer View");
    await row(file).waitFor();
    if ((await row(file).getAttribute("aria-expanded")) !== "true")
      await row(file).locator(".monaco-tl-twistie").click();
  };
  /** @param {string} file @param {RegExp} profile runs it by its context menu */
  const runWith = async (file, profile) => {
    await row(file).click({ button: "right" });
    await shared.workbench.menuItem("Execute Using Profile");
    await shared.workbench.pick(profile);
  };

  test("the button of a file runs its reads: one passes, one fails with both values at its line", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    await show("checks.rpc.json");
    await workbench.pressOnRow(row("checks.rpc.json"), "Run Test");
    await is("three", "passed");
    await is("more", "failed");
    await page.getByText('result.has_more: expected "perhaps", got true').first().waitFor();
    await workbench.shot("tests-failed");
  });

  test("the profile for reads leaves a cancel out, and the run says why", async () => {
    const { workbench, page } = shared;
    await show("cancels.rpc.json");
    await runWith("cancels.rpc.json", /Reads/);
    await is("open", "passed");
    await is("cancelled", "skipped");
    assert.deepEqual(await shared.sent("private/cancel"), []);
    await workbench.command("Test Results: Focus on Test Results View");
    await page
      .getByText(/Run it with the With Writes profile/)
      .first()
      .waitFor();
    await workbench.shot("tests-reads");
  });

  test("the profile with writes cancels on the simulator", async () => {
    const { workbench } = shared;
    await runWith("cancels.rpc.json", /With Writes/);
    await is("cancelled", "passed");
    const cancels = await shared.sent("private/cancel");
    assert.equal(cancels.length, 1);
    assert.equal((await shared.simulator.run("order", { id: cancels[0].order_id })).order_state, "cancelled");
    await workbench.shot("tests-writes");
  });

  test("Create Expectation from Response on a response writes what was answered into the file; the test that it makes passes", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("pinned.rpc.json");
    await workbench.lens(/^▷ Send/);
    const response = page.locator(".editor-group-container").nth(1);
    await response.locator(".codelens-decoration a", { hasText: "Create Expectation from Response" }).first().click();
    await workbench.activeTab("pinned.rpc.json");
    await page
      .locator(".view-lines", { hasText: /"expect"/ })
      .first()
      .waitFor();
    await workbench.shot("tests-pinned");
    await page.keyboard.press("Control+S");
    const stored = path.join(shared.folder, "pinned.rpc.json");
    await until(() => fs.readFileSync(stored, "utf8").includes('"expect": { "result": { "$len": 1 } }'), {
      what: "the expectation in the file",
    });
    await show("pinned.rpc.json");
    await runWith("pinned.rpc.json", /Reads/);
    await is("get_mmp_config", "passed");
  });

  test("on a production connection the profile with writes sends nothing and says so", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { name: "desk", environment: "PRODUCTION" });
    await workbench.status(/PRODUCTION desk/);
    const before = await shared.sent("private/cancel");
    await show("cancels.rpc.json");
    await runWith("cancels.rpc.json", /With Writes/);
    await workbench.toast(/Tests can't send write requests to PRODUCTION desk, because it trades real money/);
    await is("cancelled", "skipped");
    await workbench.shot("tests-production");
    assert.deepEqual(await shared.sent("private/cancel"), before);
  });
});
