// @ts-check
/**
 * The Last Trades panel as a user sees it, with the packaged extension in a real VS Code and a simulator that is told
 * what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const THEMES = /** @type {const} */ ([
  ["dark", "Dark Modern"],
  ["light", "Light Modern"],
  ["high-contrast", "Dark High Contrast"],
]);

test.describe("last trades", () => {
  const shared = shareWindow();
  const page = () => shared.workbench.webview();
  const grid = () => page().locator(".table");
  const rowCount = async () => Number(await grid().getAttribute("aria-rowcount")) - 1;
  /** @param {number} count waits until the table has that many rows */
  const rowsToBe = async (count) => until(async () => (await rowCount()) === count, { what: `${count} rows` });
  /** @param {string} instrument opens the panel from the palette */
  const open = async (instrument) => {
    const { workbench } = shared;
    await workbench.openTrades(instrument);
    await workbench.activeTab(`${instrument} trades (SIMULATOR)`);
    await isShown();
  };
  /** The page is drawn and has the focus, which it takes from a palette that is opened before. */
  const isShown = async () => {
    await page().locator(".table .body .row:visible").first().waitFor();
    await shared.workbench.webviewHasFocus();
  };
  /**
   * @param {number} index counted from the top plot
   * @returns {Promise<number>} how many different colours a plot's canvas has
   */
  const coloursOf = async (index) =>
    page()
      .locator(".plot canvas")
      .nth(index)
      .evaluate((canvas) => {
        const { data } = /** @type {HTMLCanvasElement} */ (canvas)
          .getContext("2d")
          ?.getImageData(
            0,
            0,
            /** @type {HTMLCanvasElement} */ (canvas).width,
            /** @type {HTMLCanvasElement} */ (canvas).height,
          ) ?? { data: [] };
        const colours = new Set();
        for (let at = 0; at < data.length; at += 4)
          if ((data[at + 3] ?? 0) > 200)
            colours.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
        return colours.size;
      });
  /**
   * @returns {Promise<{ wide: number, cut: string[] }>} how far the page is wider than its frame, and parts that are
   * cut
   */
  const overflow = async () =>
    page()
      .locator("main")
      .evaluate((main) => ({
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        cut: [...main.querySelectorAll("button, h1, header p, .line")]
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
          .map((each) => each.textContent ?? ""),
      }));
  /** @param {string} theme */
  const useTheme = async (theme) => {
    const { workbench } = shared;
    await workbench.command("Preferences: Color Theme");
    await workbench.write(theme);
    await workbench.quickInput.locator(".monaco-list-row.focused", { hasText: theme }).first().waitFor();
    await shared.page.keyboard.press("Enter");
    await workbench.quickInput.waitFor({ state: "hidden" });
    const [name] = THEMES.find(([, each]) => each === theme) ?? [];
    await page().locator(`body.vscode-${name}`).waitFor();
    // A picture is taken after the chart has been drawn in the new colours.
    await page()
      .locator("main")
      .evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
      );
  };

  test("from the palette: the instrument is asked for, a thousand trades are drawn and listed", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.expandPane("Connections");
    await workbench.rowsWhen((rows) => rows.some((row) => /lab.*ready/.test(row)), workbench.pane("Connections"));
    await workbench.command("Trading RPC: Show Last Trades…");
    await until(async () => (await workbench.picks()).some((each) => /BTC-PERPETUAL/.test(each)), {
      what: "the list of instruments",
    });
    await workbench.shot("trades-picker");
    await workbench.escape();
    await open("BTC-PERPETUAL");
    await rowsToBe(1000);
    assert.match((await page().locator("h1").textContent()) ?? "", /BTC-PERPETUAL · SIMULATOR lab/);
    assert.match((await page().locator(".status").textContent()) ?? "", /live · 1000 trades/);
    assert.ok((await coloursOf(0)) > 3 && (await coloursOf(1)) > 3);
    assert.equal(await page().locator(".plot").count(), 2);
    await workbench.shot("trades-dark-whole");
    assert.deepEqual(await overflow(), { wide: 0, cut: [] });
  });

  test("the pointer reads a trade in the chart, a click chooses it in the table too; dragging zooms, a double click shows all", async () => {
    const { workbench, page: window } = shared;
    const plot = page().locator(".plot .u-over").first();
    const box = (await plot.boundingBox()) ?? assert.fail("no chart");
    await window.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await until(
      async () => {
        // Somewhere in this column there is a trade.
        for (let y = 4; y < box.height; y += 8) {
          await window.mouse.move(box.x + box.width / 2, box.y + y);
          if (/ @ /.test((await page().locator(".readout .line").textContent()) ?? "")) return true;
        }
        return false;
      },
      { what: "a trade under the pointer" },
    );
    await window.mouse.down();
    await window.mouse.up();
    await page().locator(".row.standing").waitFor();
    const line = (await page().locator(".readout .line").textContent()) ?? "";
    const standing = (await page().locator(".row.standing .time").textContent()) ?? "?";
    assert.ok(line.startsWith(standing), `${line} / ${standing}`);
    await page().locator(".readout .details", { hasText: /\w/ }).waitFor();
    assert.equal(await page().locator(".ring:visible").count(), 2);
    await workbench.shot("trades-chosen");
    const unzoom = page().locator("button", { hasText: "Show All" });
    assert.equal(await unzoom.getAttribute("aria-disabled"), "true");
    await window.mouse.move(box.x + box.width * 0.6, box.y + 20);
    await window.mouse.down();
    await window.mouse.move(box.x + box.width * 0.7, box.y + 24, { steps: 4 });
    await workbench.shot("trades-dragging");
    await window.mouse.up();
    await until(async () => (await unzoom.getAttribute("aria-disabled")) === "false", { what: "the zoom" });
    await page()
      .locator('[role="status"]', { hasText: /Zoomed in: \d+ trades shown/ })
      .waitFor({ state: "attached" });
    await workbench.shot("trades-zoomed");
    // What is said of a chosen trade may have taken a line from the chart.
    const now = (await plot.boundingBox()) ?? assert.fail("no chart");
    await window.mouse.dblclick(now.x + now.width / 2, now.y + 5);
    await until(async () => (await unzoom.getAttribute("aria-disabled")) === "true", { what: "all of it again" });
  });

  test("by keyboard alone: buttons, chart and table in the order of tabs, each trade spoken, Enter opens it as JSON", async () => {
    const { workbench, page: window } = shared;
    await page().locator(".asked button").focus();
    /** @type {string[]} */
    const stops = [];
    for (let presses = 0; presses < 12; presses++) {
      stops.push(
        await page()
          .locator(":focus")
          .evaluate((each) => each.getAttribute("role") ?? each.textContent ?? ""),
      );
      await window.keyboard.press("Tab");
      if (stops.at(-1) === "grid") break;
    }
    const found = stops.filter((each) => !/JSON/.test(each));
    assert.deepEqual(found, [
      "Change…",
      "Pause Live",
      "Load Older",
      "Refresh",
      "Show All",
      "application",
      "Place Order…",
      "grid",
    ]);
    await page().locator(".chart").focus();
    await window.keyboard.press("End");
    const spoken = page().locator('[role="status"]');
    const first = await until(
      async () => /buy|sell/i.test((await spoken.textContent()) ?? "") && (await spoken.textContent()),
      { what: "the newest trade to be spoken" },
    );
    await window.keyboard.press("ArrowLeft");
    await until(async () => (await spoken.textContent()) !== first, { what: "the trade before it" });
    await window.keyboard.press("+");
    await window.keyboard.press("+");
    await page()
      .locator('[role="status"]', { hasText: /Zoomed in: \d+/ })
      .waitFor({ state: "attached" });
    await workbench.shot("trades-keyboard-chart");
    await window.keyboard.press("Escape");
    await grid().focus();
    await window.keyboard.press("Home");
    const active = async () => (await grid().getAttribute("aria-activedescendant")) ?? "";
    const rowIndex = async () =>
      Number(
        await page()
          .locator(`#${await active()}`)
          .getAttribute("aria-rowindex"),
      );
    assert.equal(await rowIndex(), 2);
    for (const [key, index] of /** @type {const} */ ([
      ["ArrowDown", 3],
      ["End", 1001],
      ["ArrowUp", 1000],
      ["Home", 2],
    ])) {
      await window.keyboard.press(key);
      assert.equal(await rowIndex(), index, key);
    }
    await window.keyboard.press("PageDown");
    assert.ok((await rowIndex()) > 5);
    assert.match(
      (await page()
        .locator(`#${await active()}`)
        .getAttribute("aria-label")) ?? "",
      /\w+ .*\d/,
    );
    await workbench.shot("trades-keyboard-table");
    await window.keyboard.press("Control+c");
    const seq = await until(
      async () => /"trade_seq": (\d+)/.exec(await window.evaluate(() => navigator.clipboard.readText()))?.[1],
      { what: "the copied trade" },
    );
    await window.keyboard.press("Enter");
    await workbench.activeTab(/trade/);
    await window.locator(".editor-group-container .view-lines", { hasText: "trade_seq" }).first().waitFor();
    assert.match(
      (await window.locator(".editor-group-container .view-lines").first().innerText()).replace(/\u00a0/g, " "),
      new RegExp(`"trade_seq": ${seq}`),
    );
    await workbench.shot("trades-open");
    await workbench.command("View: Close All Editors");
    await open("BTC-PERPETUAL");
    await rowsToBe(1000);
  });

  test("new trades come by themselves and what is read stays in sight; pausing holds them back, resuming brings them", async () => {
    const { workbench } = shared;
    await grid().evaluate((each) => {
      each.scrollTop = 2000;
    });
    const texts = async () => page().locator(".row:visible .time").allInnerTexts();
    const topRow = async () =>
      grid().evaluate((each) => {
        const top = each.getBoundingClientRect().top + 40;
        return [...each.querySelectorAll(".body .row")]
          .map((row) => ({ at: row.getBoundingClientRect().top, text: row.textContent }))
          .filter(({ at }) => at > top)
          .sort((a, b) => a.at - b.at)[0]?.text;
      });
    await until(async () => (await texts()).length > 5, { what: "rows" });
    const before = await until(topRow, { what: "a row in sight" });
    for (let each = 0; each < 3; each++) await shared.simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await rowsToBe(1003);
    assert.equal(await topRow(), before);
    await page().locator("button", { hasText: "Pause Live" }).click();
    await page().locator("button", { hasText: "Resume Live" }).waitFor();
    for (let each = 0; each < 2; each++) await shared.simulator.run("trade", { instrument_name: "BTC-PERPETUAL" });
    await page().locator(".status", { hasText: "paused, 2 newer not shown" }).waitFor();
    assert.equal(await rowCount(), 1003);
    await workbench.shot("trades-paused");
    await page().locator("button", { hasText: "Resume Live" }).click();
    await rowsToBe(1005);
  });

  test("older ones are read while there are more; scrolling through all of them stays smooth", async () => {
    const { workbench } = shared;
    await page().locator("button", { hasText: "Load Older" }).click();
    await until(async () => (await rowCount()) > 1005, { what: "older trades" });
    const count = await rowCount();
    await page().locator("button", { hasText: "Load Older" }).waitFor({ state: "hidden" });
    // Times are for reading; a busy machine would fail for no fault of ours.
    const tasks = await grid().evaluate(async (each) => {
      /** @type {number[]} */
      const long = [];
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) long.push(Math.round(entry.duration));
      });
      observer.observe({ entryTypes: ["longtask"] });
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let frames = 0;
      for (let top = 0; top < each.scrollHeight; top += 300, frames++) {
        each.scrollTop = top;
        await frame();
      }
      await frame();
      observer.disconnect();
      return { long, frames, drawn: each.querySelectorAll(".row").length };
    });
    console.log(
      `note: ${count} trades scrolled in ${tasks.frames} frames, ${tasks.drawn} rows in the page, tasks over 50 ms: ${JSON.stringify(tasks.long)}`,
    );
    assert.ok(tasks.drawn < 100, String(tasks.drawn));
    await workbench.shot("trades-older");
  });

  test("an option shows its implied volatility, with block trades marked", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Show Last Trades…");
    await workbench.write("-C");
    const listed = workbench.quickInput.locator('.monaco-list-row[aria-label^="BTC-"]', { hasText: "-C" }).first();
    const name = ((await listed.getAttribute("aria-label")) ?? "").split(",")[0] ?? "";
    await workbench.escape();
    await open(name);
    await rowsToBe(40);
    assert.equal(await page().locator(".plot").count(), 3);
    assert.ok((await coloursOf(2)) > 3);
    assert.match((await page().locator(".body .row:visible .iv").first().textContent()) ?? "", /%/);
    assert.ok((await page().locator(".body .row:visible .marks").allInnerTexts()).some((text) => text !== ""));
    await workbench.shot("trades-option-dark");
    assert.deepEqual(await overflow(), { wide: 0, cut: [] });
  });

  test("a name that is not in the list is asked for as it was typed; what the exchange says of it is shown", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Show Last Trades…");
    await workbench.write("DOGE-PERPETUAL");
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "as typed" }).click();
    await workbench.activeTab("DOGE-PERPETUAL trades (SIMULATOR)");
    await page().locator(".empty", { hasText: "The trades were not read." }).waitFor();
    await page().locator(".status", { hasText: /\w/ }).waitFor();
    await workbench.shot("trades-unknown");
    await workbench.command("View: Close Editor");
    await isShown();
  });

  test("in light and in high contrast, narrow, and at twice the size", async () => {
    const { workbench, page: window } = shared;
    for (const [name, theme] of THEMES.slice(1)) {
      await useTheme(theme);
      assert.ok((await coloursOf(0)) >= 2);
      await workbench.shot(`trades-option-${name}`);
    }
    await open("BTC-PERPETUAL");
    await until(async () => (await rowCount()) > 1000, { what: "what was read before" });
    await workbench.shot("trades-high-contrast");
    await useTheme(THEMES[1][1]);
    await workbench.shot("trades-light");
    await useTheme(THEMES[0][1]);
    await window.setViewportSize({ width: 700, height: 450 });
    await workbench.shot("trades-twice");
    await window.setViewportSize({ width: 740, height: 900 });
    await until(
      async () =>
        page()
          .locator("main")
          .evaluate((main) => main.clientWidth < 460),
      { what: "a narrow page" },
    );
    await workbench.shot("trades-narrow");
    assert.deepEqual(await overflow(), { wide: 0, cut: [] });
    await window.setViewportSize({ width: 1400, height: 900 });
  });

  test("every parameter can be reached, with a step back, and what will not do is said at the field", async () => {
    const { workbench, page: window } = shared;
    /** @param {string} which waits for a step: all share one box */
    const step = async (which) => workbench.quickInput.locator(".quick-input-title", { hasText: which }).waitFor();
    await page().locator("button", { hasText: "Change…" }).click();
    await workbench.pick("Sequence Number Range");
    await step("2/5");
    assert.match(await workbench.inputMessage("12x", "whole number"), /whole number/);
    await workbench.input("100000");
    await step("3/5");
    assert.match(await workbench.inputMessage("5", "before the start"), /100000/);
    await workbench.quickInput.locator('.action-label[aria-label^="Back"]').click();
    await step("2/5");
    await workbench.quickInput.locator('.action-label[aria-label^="Back"]').click();
    await step("1/5");
    await workbench.pick("Time Range");
    await step("2/5");
    assert.match(await workbench.inputMessage("2026-13-40 25:00", "Enter a local time"), /2026-11-20 13:04/);
    await workbench.input("2026-01-01 00:00");
    await step("3/5");
    await workbench.quickBox.press("Enter");
    await step("4/5");
    assert.match(await workbench.inputMessage("1001", "got 1001"), /from 1 to 1000/);
    await workbench.shot("trades-parameters");
    await workbench.input("25");
    await workbench.pick("asc");
    await rowsToBe(25);
    const asked = (await page().locator(".parameters").textContent()) ?? "";
    assert.match(asked, /trades from 2026-01-01 00:00:00.* on · 25 at a time · sorting asc/);
    await page().locator("button", { hasText: "Load Newer" }).click();
    await rowsToBe(50);
    await workbench.shot("trades-range");
    const calls = await shared.sent("public/get_last_trades_by_instrument");
    assert.ok(
      calls.some(
        (/** @type {any} */ each) =>
          each.start_timestamp === 1_767_225_600_000 &&
          each.count === 25 &&
          each.sorting === "asc" &&
          each.end_timestamp === undefined,
      ),
    );
    await window.keyboard.press("Escape");
  });

  test("from an order's row its instrument; the panel that is there is shown again", async () => {
    const { workbench } = shared;
    await shared.simulator.run("place", {
      ...{ instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 40, price: 1500, label: "mine" },
    });
    await workbench.context(/mine/, "Show Last Trades…", workbench.pane("Open Orders"));
    await workbench.activeTab("ETH-PERPETUAL trades (SIMULATOR)");
    await page().locator(".table .body .row:visible").first().waitFor();
    const tabs = await shared.page.locator(".tab").count();
    await workbench.context(/mine/, "Show Last Trades…", workbench.pane("Open Orders"));
    await workbench.activeTab("ETH-PERPETUAL trades (SIMULATOR)");
    assert.equal(await shared.page.locator(".tab").count(), tabs);
    await isShown();
  });

  test("disconnected: it says so and keeps the rows", async () => {
    const { workbench } = shared;
    const count = await rowCount();
    await workbench.command("Trading RPC: Disconnect");
    await page()
      .locator(".status", { hasText: /Disconnected at \d\d:\d\d:\d\d/ })
      .waitFor();
    assert.equal(await rowCount(), count);
    await workbench.shot("trades-off");
  });

  test("the page kept to its content security policy and sent no request to another host", async () => {
    const { workbench } = shared;
    const found = workbench.console.filter((line) => /content security policy|refused to/i.test(line));
    assert.deepEqual(found, []);
    assert.deepEqual([...workbench.outside], []);
  });
});
