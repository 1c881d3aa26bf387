// @ts-check
/**
 * The Account and Positions views as a user sees them, with the packaged extension in a real VS Code and a simulator
 * whose account begins with positions.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { tempDir, until } from "../process.mjs";

const ACCOUNT = {
  balances: { BTC: 12.5, ETH: 150, USDC: 250_000 },
  positions: [
    { instrument_name: "BTC-PERPETUAL", size: 185_160, average_price: 15_000 },
    { instrument_name: "ETH-PERPETUAL", size: -2000, average_price: 2000 },
  ],
};

test.describe("the account and its positions", () => {
  const file = path.join(tempDir("account"), "account.json");
  fs.writeFileSync(file, JSON.stringify(ACCOUNT));
  const shared = shareWindow({
    simulator: ["--seed", "1", "--orders", "3", "--still", "--account", file],
    // The members of a currency are in sight at once: a tree draws only the rows that are.
    viewport: { width: 1400, height: 1900 },
  });
  const account = () => shared.workbench.pane("Account");
  const positions = () => shared.workbench.pane("Positions");
  const clipboard = () => shared.page.evaluate(() => navigator.clipboard.readText());

  test("positions stand below their settlement currency, with side, unit, and profit first", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.openOnly("Positions");
    await workbench.rowsWhen(
      (rows) =>
        rows.length === 4 &&
        /^BTC[+−][\d.]+ · 1 position$/.test(rows[0] ?? "") &&
        /^BTC-PERP long 185\.2k[+−][\d.]+/.test(rows[1] ?? "") &&
        /^ETH[+−][\d.]+ · 1 position$/.test(rows[2] ?? "") &&
        /^ETH-PERP short 2000[+−][\d.]+/.test(rows[3] ?? ""),
      positions(),
    );
    await workbench.shot("positions");
  });

  test("a position opens into its members, and its tooltip has all digits", async () => {
    const { workbench } = shared;
    await workbench.toggle("BTC-PERP", positions());
    await workbench.rowsWhen(
      (rows) =>
        rows.some((row) => row.startsWith("total_profit_loss")) && rows.some((row) => row.startsWith("All Fields")),
      positions(),
    );
    await workbench.tooltip("BTC-PERP", "average price 15\u202F000", positions());
    await workbench.shot("position-members");
    await workbench.toggle("BTC-PERP", positions());
  });

  test("the menu of a position copies its instrument and opens it as a document", async () => {
    const { workbench, page } = shared;
    await workbench.context("ETH-PERP", "Copy Instrument Name", positions());
    await until(async () => (await clipboard()) === "ETH-PERPETUAL", { what: "the name in the clipboard" });
    await workbench.context("ETH-PERP", "Copy Position as JSON", positions());
    await until(async () => /"size": ?-2000/.test(await clipboard()), { what: "the position in the clipboard" });
    await workbench.context("ETH-PERP", "Open Position", positions());
    await page.locator(".editor-container .view-line", { hasText: "average_price" }).first().waitFor();
    await workbench.shot("position-open");
  });

  test("currencies have equity, and what is available", async () => {
    const { workbench } = shared;
    await workbench.openOnly("Account");
    await workbench.rowsWhen(
      (rows) =>
        /^BTC [\d.]+available [\d.]+/.test(rows[0] ?? "") &&
        rows.some((row) => /^USDC 250\u202F000available /.test(row)) &&
        rows.some((row) => /^Empty currencies\d/.test(row)),
      account(),
    );
    await workbench.shot("account");
  });

  test("a currency opens into deltas, fees, and limits by name", async () => {
    const { workbench, page } = shared;
    await workbench.toggle(/^BTC /, account());
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("All Fields")), account());
    await workbench.toggle(/^All Fields/, account());
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("delta_total_map")), account());
    await workbench.toggle("delta_total_map", account());
    await workbench.rowsWhen((rows) => rows.some((row) => row.startsWith("btc_usd")), account());
    await workbench.shot("account-deltas");
    await workbench.toggle(/^BTC /, account());
    await workbench.context(/^BTC /, "Open Account Summary", account());
    await page.locator(".editor-container .view-line", { hasText: "available_funds" }).first().waitFor();
  });

  test("subaccounts stand side by side", async () => {
    const { workbench } = shared;
    await workbench.toggle("Main account and subaccounts", account());
    await workbench.rowsWhen((rows) => rows.some((row) => /^simulator_\w+/.test(row)), account());
    await workbench.shot("account-owned");
  });

  test("presentation mode: no figure of either view stays readable", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    const readable = (/** @type {string[]} */ rows) => rows.filter((row) => /\d\.\d|\d{4}/.test(row));
    await workbench.rowsWhen((rows) => rows.length > 3 && readable(rows).length === 0, account());
    await workbench.shot("account-presented");
    await workbench.openOnly("Positions");
    await workbench.rowsWhen((rows) => rows.length === 4 && readable(rows).length === 0, positions());
    await workbench.shot("positions-presented");
    await workbench.command("Trading RPC: Toggle Presentation Mode");
    await workbench.rowsWhen((rows) => rows.some((row) => /185\.2k/.test(row)), positions());
  });
});

/** What VS Code leaves each open view at first: no less than five rows, also where all of them do not fit. */
for (const { width, height, room } of [
  { width: 1280, height: 800, room: 5 },
  { width: 1400, height: 900, room: 6 },
])
  test.describe(`a new window of ${width} × ${height}`, () => {
    const file = path.join(tempDir("six"), "account.json");
    // Perpetuals alone: they are there at any date.
    const positions = [
      { instrument_name: "BTC-PERPETUAL", size: 1000, average_price: 90_000 },
      { instrument_name: "ETH-PERPETUAL", size: 1000, average_price: 2000 },
      { instrument_name: "BTC_USDC-PERPETUAL", size_currency: 0.1, average_price: 90_000 },
      { instrument_name: "ETH_USDC-PERPETUAL", size_currency: 1, average_price: 2000 },
      { instrument_name: "SOL_USDC-PERPETUAL", size_currency: 10, average_price: 140 },
      { instrument_name: "XRP_USDC-PERPETUAL", size_currency: 100, average_price: 2 },
    ];
    fs.writeFileSync(file, JSON.stringify({ balances: { BTC: 12.5, ETH: 150, USDC: 100_000 }, positions }));
    const shared = shareWindow({
      simulator: ["--seed", "1", "--orders", "12", "--still", "--account", file],
      viewport: { width, height },
    });

    test(`has room for ${room} rows of positions and as many of orders`, async () => {
      const { workbench } = shared;
      await workbench.openView("Trading RPC");
      await workbench.connectTo(shared.simulator);
      for (const title of ["Positions", "Open Orders"]) {
        const pane = workbench.pane(title);
        await workbench.rowsWhen((rows) => rows.length >= room, pane);
        assert.ok((await workbench.wholeRows(pane)) >= room, title);
      }
      await workbench.shot(`room-${width}-${height}`);
    });
  });
