// @ts-check
/**
 * The first minute of a new user: the installed package in an empty profile, the walkthrough, every step clicked, up
 * to the first answered request and further. Each step with the time it took and every word that was on the screen
 * stands in test/.out/first-minute.txt afterwards.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { outDir, seconds, until } from "../process.mjs";

test.describe("the walkthrough, from an empty profile", () => {
  const shared = shareWindow({ files: { "notes.txt": "A folder.\n" }, simulator: null });
  /** @type {string[]} */
  const diary = [];
  let since = performance.now();
  test.afterAll(() => {
    fs.mkdirSync(outDir, { recursive: true });
    fs.writeFileSync(path.join(outDir, "first-minute.txt"), `${diary.join("\n\n")}\n`);
  });

  /** @param {string} id */
  const step = (id) => shared.page.locator(`.getting-started-step[data-step-id$="#start#${id}"]`);

  /** @param {string} id opens a step and presses its button */
  async function press(id) {
    since = performance.now();
    await shared.workbench.activeTab(/^(Welcome|Walkthrough)/);
    if (!(await step(id).getAttribute("class"))?.includes("expanded")) await step(id).click();
    await step(id).locator(".button-container .monaco-button").click();
  }

  /** @param {string} id waits for its tick, and notes what was seen */
  async function isTicked(id) {
    await until(async () => (await step(id).getAttribute("aria-checked")) === "true", { what: `the tick of ${id}` });
    await note(id);
  }

  /** @param {string} title everything that the user can read now */
  async function note(title) {
    const took = seconds(since);
    const text = await shared.page
      .locator(".monaco-workbench")
      .evaluate((page) => /** @type {HTMLElement} */ (page).innerText);
    diary.push(
      `== ${title} (${took})\n${text
        .replace(/\u00a0/g, " ")
        .replace(/[\ue000-\uf8ff]/g, "")
        .replace(/\s*\n\s*/g, "\n")
        .trim()}`,
    );
    await shared.workbench.shot(`first-minute-${diary.length}-${title}`);
  }

  const backToWalkthrough = async () => {
    await shared.page
      .locator(".tab", { hasText: /^(Welcome|Walkthrough)/ })
      .first()
      .click();
    await shared.workbench.activeTab(/^(Welcome|Walkthrough)/);
  };

  test("nothing is opened by itself: no page, no message, no connection", async () => {
    const { workbench, page } = shared;
    since = performance.now();
    await workbench.openView("Trading RPC");
    await page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().waitFor();
    assert.equal(await page.locator(".tab").count(), 0);
    assert.equal(await page.locator(".notification-toast").count(), 0);
    await note("an empty window");
  });

  test("the sidebar leads to it, and no step is ticked yet", async () => {
    since = performance.now();
    await shared.page.locator(".sidebar a", { hasText: "walkthrough" }).first().click();
    await shared.workbench.activeTab(/^(Welcome|Walkthrough)/);
    await step("simulator").waitFor();
    assert.equal(await shared.page.locator(".getting-started-step").count(), 7);
    assert.equal(await shared.page.locator('.getting-started-step[aria-checked="true"]').count(), 0);
    await note("the walkthrough");
  });

  test("Start Simulator connects", async () => {
    await press("simulator");
    await shared.workbench.status(/SIMULATOR/);
    await isTicked("simulator");
  });

  test("Show Open Orders shows them", async () => {
    await press("orders");
    await shared.workbench.ordersInSight();
    await isTicked("orders");
  });

  test("Cancel Order… cancels one, and only then is ticked", async () => {
    const { workbench } = shared;
    const ticked = step("cancel").and(shared.page.locator('[aria-checked="true"]'));
    const refused = shared.page.locator(".notification-toast").first();
    // The market moves: an order that is filled while the list is open isn't cancelled, and a message says so.
    do {
      if (await refused.isVisible()) await workbench.closeToasts();
      await press("cancel");
      await workbench.picks();
      assert.equal(await step("cancel").getAttribute("aria-checked"), "false");
      await workbench.pickRow(1);
      await ticked.or(refused).first().waitFor();
    } while (!(await ticked.isVisible()));
    await isTicked("cancel");
  });

  test("an example is opened, sent and answered", async () => {
    const { workbench, page } = shared;
    await press("request");
    await workbench.activeTab("01-first-request.rpc.json");
    await workbench.lens(/Send/);
    const response = page.locator(".editor-group-container").nth(1);
    await response.locator(".view-lines", { hasText: "SIMULATOR" }).waitFor();
    await note("the first response");
    await backToWalkthrough();
    await isTicked("request");
  });

  test("expectations are met", async () => {
    const { workbench, page } = shared;
    await press("expect");
    await workbench.activeTab("07-expectations.rpc.json");
    await workbench.lens(/Send All/);
    await page.locator(".editor-group-container").nth(1).locator(".view-lines", { hasText: "3 passed" }).waitFor();
    await note("three expectations");
    await backToWalkthrough();
    await isTicked("expect");
  });

  test("Add Connection… asks, and to look at it is not to have done it", async () => {
    await press("key");
    assert.deepEqual((await shared.workbench.picks()).length > 2, true);
    await note("a key of one's own");
    await shared.workbench.escape();
    assert.equal(await step("key").getAttribute("aria-checked"), "false");
  });

  test("the safety settings are ours", async () => {
    const { page } = shared;
    await press("production");
    await page.locator(".settings-editor .setting-item", { hasText: "Confirm Cancel" }).first().waitFor();
    await note("the safety settings");
    // They lie over the other editors.
    await page.keyboard.press("Escape");
    await page.locator(".settings-editor").waitFor({ state: "hidden" });
    await backToWalkthrough();
    await isTicked("production");
  });

  test("the page sent requests to this computer only", async () => {
    assert.deepEqual([...shared.workbench.outside], []);
  });
});

test.describe("views without rows, on a server that knows the core specification alone", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "0", "--still", "--contract-only"] });

  /**
   * @param {string} view
   * @returns {Promise<string[]>} the buttons in the place of its rows
   */
  async function welcomeOf(view) {
    await shared.workbench.openOnly(view);
    const pane = shared.workbench.pane(view);
    await pane.locator(".welcome-view-content .monaco-button").first().waitFor();
    return await pane.locator(".welcome-view-content .monaco-button").allInnerTexts();
  }

  test("connected: what the server does not offer, with what can be done; a message where more has to be said than is always so", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    // Such a server cannot say that it is a simulator: what cannot be proved counts as production.
    await workbench.status(/PRODUCTION lab/);
    await workbench.openOnly("Open Orders");
    await workbench
      .pane("Open Orders")
      .getByText(/No open orders on PRODUCTION lab\. Polling every 5 s/)
      .waitFor();
    assert.equal(
      await workbench.pane("Open Orders").locator(".welcome-view-content .monaco-button:visible").count(),
      0,
    );
    await workbench.openOnly("Block RFQ Quotes");
    await workbench
      .pane("Block RFQ Quotes")
      .locator(".welcome-view-content", {
        hasText: "This server doesn't support private/get_block_rfq_quotes, so open quotes can't be listed.",
      })
      .waitFor();
    await workbench.shot("welcome-not-offered");
    assert.deepEqual(await welcomeOf("Block RFQ Quotes"), ["Cancel All Block RFQ Quotes…"]);
    assert.deepEqual(await welcomeOf("Activity"), ["Show Open Orders"]);
  });
});
