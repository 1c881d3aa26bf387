// @ts-check
/**
 * Accessibility as a machine can judge it: axe-core inside the page of Last Trades and over our parts of the window, in
 * every theme, with less motion, and with the colours of the system.
 */
import assert from "node:assert/strict";
import { checkWithAxe, isSerious, linesOf } from "../axe.mjs";
import { shareWindow, test } from "../fixtures.mjs";
import { drawn, THEMES, useTheme } from "../look.mjs";
import { until } from "../process.mjs";

/** What can be wrong with the names of our rows, actions and texts; the elements around them are the editor's. */
const RULES_OF_PARTS = [
  "aria-treeitem-name",
  "aria-command-name",
  "aria-dialog-name",
  "aria-input-field-name",
  "aria-toggle-field-name",
  "button-name",
  "link-name",
  "image-alt",
  "role-img-alt",
  "svg-img-alt",
  "label",
  "color-contrast",
];

test.describe("accessibility", () => {
  const shared = shareWindow({ blockTrades: 3 });
  const page = () => shared.workbench.webview();

  /** @returns {Promise<import("@playwright/test").Frame>} the document inside the webview */
  const frame = async () => {
    const outer = await (await shared.page.locator("iframe.webview.ready").first().elementHandle())?.contentFrame();
    const inner = await (await outer?.locator("iframe#active-frame").elementHandle())?.contentFrame();
    return inner ?? assert.fail("there is no webview");
  };
  /** @param {string} state looks at the page as it is: what is serious fails, whatever else is there is told */
  const check = async (state) => {
    const { violations, passes } = await checkWithAxe(await frame());
    const others = violations.filter((each) => !isSerious(each));
    if (others.length > 0) console.log(`note: ${state}: ${linesOf(others).join("; ").replaceAll("\n", " ")}`);
    assert.ok(passes > 10, `${state}: only ${passes} rules found anything to look at`);
    assert.deepEqual(linesOf(violations.filter(isSerious)), [], state);
  };
  /** @param {string} instrument @param {RegExp} [wanted] what the page says once it is there */
  const open = async (instrument, wanted) => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Show Last Trades…");
    await workbench.write(instrument);
    const row = workbench.quickInput.locator(".monaco-list-row", { hasText: wanted ? "as typed" : instrument }).first();
    await row.waitFor();
    await row.click();
    await workbench.activeTab(`${instrument} trades (SIMULATOR)`);
    if (wanted) await page().locator(".empty", { hasText: wanted }).waitFor();
    else await page().locator(".table .body .row:visible").first().waitFor();
  };

  test("the page of Last Trades has nothing serious in any theme: at rest, with a row chosen, and paused", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.status(/SIMULATOR lab/);
    await open("BTC-PERPETUAL");
    for (const { name, body } of THEMES) {
      await useTheme(workbench, name);
      await page().locator(`body.${body}`).waitFor();
      await drawn(shared.page);
      await check(`${name}, at rest`);
      await page().locator(".table").focus();
      await shared.page.keyboard.press("ArrowDown");
      await page().locator(".row.standing").waitFor();
      await check(`${name}, with a row chosen`);
      await page().locator("button", { hasText: "Pause Live" }).click();
      await page().locator("button", { hasText: "Resume Live" }).waitFor();
      await check(`${name}, paused`);
      await page().locator("button", { hasText: "Resume Live" }).click();
      await page().locator("button", { hasText: "Pause Live" }).waitFor();
    }
    await useTheme(workbench, "dark");
  });

  test("nor where it is narrow", async () => {
    await shared.page.setViewportSize({ width: 740, height: 900 });
    await until(
      async () =>
        page()
          .locator("main")
          .evaluate((main) => main.clientWidth < 460),
      { what: "a narrow page" },
    );
    await check("narrow");
    await shared.page.setViewportSize({ width: 1400, height: 900 });
  });

  test("nothing on it moves by itself, whatever the system asks for", async () => {
    for (const reducedMotion of /** @type {const} */ (["no-preference", "reduce"])) {
      await shared.page.emulateMedia({ reducedMotion });
      const moving = await (
        await frame()
      ).evaluate(() => ({
        running: document.getAnimations().length,
        declared: [...document.querySelectorAll("*")].filter((each) => {
          const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(each);
          return (
            animationName !== "none" ||
            transitionDuration.split(", ").some((length) => length !== "0s") ||
            scrollBehavior === "smooth"
          );
        }).length,
      }));
      assert.deepEqual(moving, { running: 0, declared: 0 }, reducedMotion);
    }
  });

  test("in the colours of the system the row that was chosen, what is off and what has the focus are told by lines", async () => {
    await shared.page.emulateMedia({ forcedColors: "active" });
    await page().locator(".table").focus();
    await shared.page.keyboard.press("ArrowDown");
    /** @param {string} part */
    const outline = (part) =>
      page()
        .locator(part)
        .first()
        .evaluate((each) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(each);
          return `${outlineStyle} ${outlineWidth}`;
        });
    assert.match(await outline(".row.standing"), /^solid [1-9]/);
    assert.match(await outline(".table"), /^solid [1-9]/);
    assert.equal(
      await page()
        .locator('button[aria-disabled="true"]')
        .first()
        .evaluate((each) => getComputedStyle(each).opacity),
      "1",
    );
    await shared.workbench.shot("trades-forced-colors");
    await check("forced colours");
    await shared.page.emulateMedia({ forcedColors: null, reducedMotion: null });
  });

  test("nor with an option's volatility, nor where there is nothing to show", async () => {
    const { workbench } = shared;
    await workbench.command("View: Close All Editors");
    await workbench.command("Trading RPC: Show Last Trades…");
    await workbench.write("-C");
    const listed = workbench.quickInput.locator('.monaco-list-row[aria-label^="BTC-"]', { hasText: "-C" }).first();
    const name = ((await listed.getAttribute("aria-label")) ?? "").split(",")[0] ?? "";
    await workbench.escape();
    await open(name);
    await check("an option");
    await workbench.command("View: Close All Editors");
    await open("DOGE-PERPETUAL", /The trades were not read/);
    await check("nothing to show");
    await workbench.command("View: Close All Editors");
  });

  test("rows, their actions, welcome texts, the status bar, pickers and questions of ours have names and can be read, in every theme", async () => {
    const { workbench } = shared;
    /** @param {string} state @param {readonly string[]} include */
    const checkParts = async (state, include) => {
      const { violations, passes } = await checkWithAxe(shared.page.mainFrame(), { include, rules: RULES_OF_PARTS });
      assert.ok(passes > 0, `${state}: nothing was looked at`);
      assert.deepEqual(linesOf(violations.filter(isSerious)), [], state);
    };
    for (const { name } of THEMES) {
      await useTheme(workbench, name);
      for (const view of [
        "Connections",
        "Open Orders",
        "Block Trades",
        "MMP",
        "Block RFQ Quotes",
        "API Keys",
        "Activity",
      ]) {
        await workbench.openOnly(view);
        if (view === "Activity") await workbench.pane(view).locator(".welcome-view-content").first().waitFor();
        else await workbench.pane(view).locator(".monaco-list-row").first().waitFor();
        await checkParts(`${view}, ${name}`, [
          ".sidebar .pane-body .monaco-list-row, .sidebar .welcome-view-content",
          '.statusbar-item[id^="trading-rpc"]',
        ]);
      }
      await workbench.command("Trading RPC: Orders: Cancel All…");
      await workbench.readModal();
      await checkParts(`a question, ${name}`, [".monaco-dialog-box"]);
      await workbench.modal("Keep Orders");
    }
    await useTheme(workbench, "dark");
  });
});
