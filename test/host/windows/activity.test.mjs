// @ts-check
/** The Activity view as a user sees it, in a real VS Code whose extension host is killed in the middle of a cancel. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { extensionHostsOf } from "../vsCode.mjs";
import { root, until } from "../process.mjs";

test.describe("activity", () => {
  const shared = shareWindow({ simulator: ["--seed", "1", "--orders", "12", "--still"] });
  const pane = () => shared.workbench.pane("Activity");
  /** @returns {Promise<any[]>} */
  const openOrders = () => shared.simulator.run("openOrders");
  /** @param {string} id how often its cancel was sent */
  const cancels = async (id) =>
    (await shared.simulator.run("ledger")).filter(
      (/** @type {any} */ each) => each.method === "private/cancel" && each.text.includes(id),
    ).length;
  /** @param {string} id by the palette */
  const cancel = (id) => shared.workbench.commandOn("Trading RPC: Cancel Order…", id);

  test("nothing was changed: the view says what it will keep, and where", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator, { keep: "Store" });
    await workbench.status(/SIMULATOR lab/);
    await workbench.openOnly("Activity");
    await pane().locator(".welcome-view-content", { hasText: "No changes yet." }).waitFor();
    await workbench.shot("activity-none");
  });

  test("the journal cannot be written: a cancel goes out, and the view and a message say what that means", async () => {
    const { workbench } = shared;
    const inTheWay = journalOf(shared.dataDir);
    fs.mkdirSync(path.dirname(inTheWay), { recursive: true });
    fs.writeFileSync(inTheWay, "in the way");
    const order = (await openOrders()).at(-1);
    await cancel(order.order_id);
    assert.match(await workbench.toast(/Changes can't be recorded/), /Cancels are still sent/);
    await workbench.rowsWhen(
      (rows) => rows.some((row) => row.includes(titleOf(order)) && row.includes("cancelled")),
      pane(),
    );
    await pane().locator(".message", { hasText: "Changes can't be recorded" }).waitFor();
    await workbench.shot("activity-no-disk");
    fs.rmSync(inTheWay);
  });

  test("a cancel stands there with its outcome, its steps below, and a menu by keyboard", async () => {
    const { workbench, page } = shared;
    const [order] = await openOrders();
    await cancel(order.order_id);
    const title = titleOf(order);
    await workbench.rowsWhen(
      (rows) => /cancelled · \d\d:\d\d/.test(rows.find((row) => row.includes(title)) ?? ""),
      pane(),
    );
    // The disk takes records again: the sentence above the rows goes, and they move up.
    await pane().locator(".message", { hasText: "can't be recorded" }).waitFor({ state: "hidden" });
    await workbench.toggle(title, pane());
    await workbench.rowsWhen(
      (rows) =>
        rows.some((row) => /^sent.*request ID/.test(row)) && rows.some((row) => /^outcome.*cancelled/.test(row)),
      pane(),
    );
    await workbench.shot("activity-steps");
    await workbench.tooltip(title, "private/cancel", pane());
    await workbench.shot("activity-hover");
    await page.mouse.move(700, 400);
    await workbench.treeRow(title, pane()).first().click();
    await page.keyboard.press("Shift+F10");
    await workbench.menu.first().waitFor();
    const items = await workbench.menu.locator(".action-label").allInnerTexts();
    const found = items.map((item) => item.trim()).filter((item) => item !== "");
    assert.deepEqual(found, ["Open Activity Entry", "Copy Activity Entry"]);
    await workbench.shot("activity-menu");
    await page.keyboard.press("Escape");
    await workbench.toggle(title, pane());
    for (const [row, item] of [
      ["asked", "Copy Value"],
      ["method", "Copy Value"],
      ["Retention", "Copy Value"],
    ]) {
      await workbench.treeRow(String(row), pane()).first().click();
      await page.keyboard.press("Shift+F10");
      await workbench.menu.locator(".action-label", { hasText: String(item) }).waitFor();
      await page.keyboard.press("Escape");
    }
    await workbench.context(title, "Open Activity Entry", pane());
    await page.locator(".editor-group-container .view-lines", { hasText: "private/cancel" }).first().waitFor();
    await workbench.shot("activity-opened");
  });

  test("the extension host is killed between send and response: the next start says so, looks it up and sends nothing", async () => {
    const { workbench, page } = shared;
    const order = (await openOrders()).find((each) => each.order_type === "limit");
    const title = titleOf(order);
    await shared.simulator.run("setFault", { method: "private/cancel", response: "none" });
    await cancel(order.order_id);
    await until(async () => (await cancels(order.order_id)) === 1, { what: "the cancel at the exchange" });
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes(title) && row.includes("sending…")), pane());
    const [extensionHost = assert.fail("there is no extension host")] = extensionHostsOf(shared.dataDir);
    process.kill(extensionHost, "SIGKILL");
    await workbench.reload();
    await workbench.openView("Trading RPC");
    await workbench.expandPane("Activity");
    assert.match(await workbench.toast(/had an unknown outcome when its window closed/), new RegExp(title));
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes(title) && row.includes("unknown")), pane());
    assert.match(await workbench.status(/outcome unknown/), /1 outcome unknown/);
    await workbench.shot("activity-left-over");
    await workbench.command("Trading RPC: Toggle Unknown Outcomes Only");
    await workbench.rowsWhen((rows) => rows.length === 2 && (rows[0] ?? "").includes(title), pane());
    await workbench.treeRow(title, pane()).first().click();
    await page.keyboard.press("Shift+F10");
    await workbench.menu.first().waitFor();
    await workbench.shot("activity-unknown-menu");
    await page.keyboard.press("Escape");
    await workbench.context(title, "Check Unknown Outcome…", pane());
    assert.match(await workbench.toast(/is not connected/), /with the same API key, .* is checked automatically/);
    await workbench.shot("activity-not-connected");
    await workbench.toast(/had an unknown outcome/, "Connect…");
    await workbench.status(/SIMULATOR lab/);
    await pane().locator(".welcome-view-content", { hasText: "No unknown outcomes." }).waitFor();
    await workbench.shot("activity-all-resolved");
    await workbench.paneAction("Activity", "Clear Activity Filter");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => row.includes(title) && row.includes("verified cancelled")),
      pane(),
    );
    await workbench.shot("activity-verified");
    assert.equal(await cancels(order.order_id), 1);
  });

  test("it is exported as JSON lines, without the secret", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Export Activity…");
    const file = path.join(shared.folder, "trading-rpc-activity.jsonl");
    await workbench.quickInput.waitFor();
    await workbench.shot("activity-export");
    await workbench.page.keyboard.press("Enter");
    // The file is whole once the extension says so.
    await workbench.toast("2 items were exported");
    const text = fs.readFileSync(file, "utf8");
    const entries = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const found = entries.map(({ state }) => state);
    assert.deepEqual(found, ["verified cancelled", "cancelled"]);
    assert.ok(!text.includes(shared.simulator.clientSecret));
  });
});

/** @param {any} order @returns {string} how its cancel begins in the view */
const titleOf = ({ instrument_name, direction }) => `Cancel ${instrument_name} ${direction} `;

/** @param {string} dataDir @returns {string} where the extension keeps its journal */
function journalOf(dataDir) {
  const { publisher, name } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const storage = fs
    .readdirSync(dataDir, { recursive: true })
    .map(String)
    .find((each) => path.basename(each) === "globalStorage");
  if (storage === undefined) throw new Error("There is no global storage.");
  return path.join(dataDir, storage, `${publisher}.${name}`.toLowerCase(), "journal");
}
