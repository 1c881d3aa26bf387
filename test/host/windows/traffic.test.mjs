// @ts-check
/** The traffic of a session and the support file as a user sees them, with the packaged extension in a real VS Code. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const READ = '{ "method": "private/get_open_orders", "params": { "kind": "future" } }\n';
const TIME = '{ "method": "public/get_time" }\n';

test.describe("session traffic", () => {
  const shared = shareWindow({
    files: { "read.rpc.json": READ, "time.rpc.json": TIME },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
    settings: { "tradingRpc.orders.pageSize": 150 },
  });
  /** The group that shows a document. @param {RegExp} title of its tab */
  const shows = (title) =>
    shared.page.locator(".editor-group-container", { has: shared.page.locator(".tab.active", { hasText: title }) });
  const traffic = () => shows(/▸ traffic \(SIMULATOR\)/);
  /** @param {RegExp} text @returns {RegExp} the editor draws spaces as no-break spaces */
  const drawn = (text) => new RegExp(text.source.replaceAll(" ", "\\s"));
  /** @param {RegExp} text waits until the traffic document has it */
  const says = async (text) => {
    await traffic()
      .locator(".view-lines", { hasText: drawn(text) })
      .waitFor();
  };
  /** @param {RegExp} title presses a lens of the traffic document */
  const press = async (title) => await traffic().locator(".codelens-decoration a", { hasText: title }).first().click();
  /** @param {string} file sends its only request, beside the traffic */
  const send = async (file) => {
    await shared.workbench.goToEditors();
    await shared.workbench.quickOpen(file);
    await shared.workbench.command("Trading RPC: Send Request");
  };

  test("from the row of the connection: what has just been is there, request and response in one line", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    await workbench.openOnly("Connections");
    await workbench.context("lab", "Show Traffic", workbench.pane("Connections"));
    await says(/SIMULATOR lab · traffic · live · \d+ requests/);
    await says(/Rate limits: calls: changes/);
    await says(/public\/auth\s+session\s+request ID \d+/);
    await says(
      /private\/get_open_orders\s+view\s+request ID \d+\s+\d+\s+[\d,]+\s+response received · \d+ ms \(exchange \d+, network \d+, queue \d+\)/,
    );
    await workbench.shot("traffic-open");
  });

  test("a request file is sent, a cancel without a response: who asked, and that its outcome is unknown", async () => {
    const { workbench } = shared;
    await send("read.rpc.json");
    await shows(/read ▸ response/).waitFor();
    const [order] = await shared.simulator.run("openOrders");
    await shared.simulator.run("setFault", { method: "private/cancel", response: "none", link: "close" });
    await workbench.command("Trading RPC: Cancel Order…");
    await workbench.pickSeveral([order.order_id]);
    await workbench.status(/SIMULATOR lab/);
    await workbench.command("Trading RPC: Show Traffic…");
    await says(/private\/get_open_orders\s+request file\s+request ID \d+.*response received/);
    await says(/private\/cancel\s+command\s+request ID \d+\s+\d+\s+outcome unknown · /);
    await says(/1 with unknown outcome/);
    await workbench.shot("traffic-unknown");
  });

  test("filter, failed only, events, pause and clear", async () => {
    const { workbench } = shared;
    await press(/^Filter…/);
    await workbench.input("private/cancel");
    await says(/with "private\/cancel"/);
    await until(async () => !(await traffic().locator(".view-lines").innerText()).includes("public/auth"), {
      what: "the filter",
    });
    await workbench.shot("traffic-filtered");
    await press(/^Filter: private\/cancel/);
    const box = workbench.quickBox;
    await box.fill("");
    await box.press("Enter");
    await says(/public\/auth/);
    await press(/^Failed Only/);
    await says(/failed only/);
    await until(async () => !(await traffic().locator(".view-lines").innerText()).includes("public/auth"), {
      what: "only what failed",
    });
    await press(/^Show All/);
    await press(/^List Events/);
    await traffic().locator(".codelens-decoration a", { hasText: "Count Events Only" }).waitFor();
    const [order] = await shared.simulator.run("openOrders");
    await shared.simulator.run("cancel", { id: order.order_id });
    await says(/user\.orders\S*\s+event/);
    await workbench.shot("traffic-events");
    await press(/^Count Events Only/);
    await says(/Events \(counted only\): \d+ \(user\./);
    await press(/^‖ Pause/);
    await says(/· paused · /);
    await send("time.rpc.json");
    await shows(/time ▸ response/).waitFor();
    await workbench.command("Trading RPC: Show Traffic…");
    await says(/[1-9]\d* new since paused/);
    assert.doesNotMatch(await traffic().locator(".view-lines").innerText(), /public\/get_time\s+request\sfile/);
    await workbench.shot("traffic-paused");
    await press(/^▷ Resume/);
    await says(/public\/get_time\s+request file/);
  });

  test("an entry opens as a document, from the list and from its line: every digit, and no token", async () => {
    const { workbench } = shared;
    await press(/^Open…/);
    await workbench.write("private/get_open_orders");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: /request.file/ })
      .first()
      .waitFor();
    await workbench.shot("traffic-pick");
    await workbench.pick(/request.file/);
    const entry = shows(/get_open_orders \d+ ▸ traffic/);
    await entry.locator(".view-lines", { hasText: drawn(/"access_token": "‹hidden›"/) }).waitFor();
    await entry
      .locator(".view-lines", {
        hasText: drawn(/SIMULATOR lab · private\/get_open_orders · request file · request ID \d+ · response received/),
      })
      .waitFor();
    await workbench.shot("traffic-entry");
    await workbench.command("Trading RPC: Show Traffic…");
    await traffic().locator(".view-line", { hasText: "public/get_time" }).first().click();
    await shared.page.keyboard.press("F12");
    await shows(/get_time \d+ ▸ traffic/)
      .locator(".view-lines", { hasText: drawn(/"result": \d{13}/) })
      .waitFor();
    await workbench.command("Trading RPC: Show Traffic…");
    await press(/^Clear/);
    await says(/· live · \d requests?/);
    await press(/^■ Stop/);
    await says(/· stopped · /);
    await workbench.shot("traffic-stopped");
  });

  test("the support file is shown first, contains no names, and is saved as it was shown", async () => {
    const { workbench, page } = shared;
    const file = path.join(shared.folder, "trading-rpc-support.json");
    await workbench.command("Trading RPC: Save Support File…");
    const preview = shows(/Support File \(preview\)/);
    await preview.locator(".view-lines", { hasText: drawn(/"about": "Support file of Trading RPC/) }).waitFor();
    await preview.locator(".codelens-decoration", { hasText: "nothing is saved yet" }).waitFor();
    await preview.locator(".view-lines", { hasText: drawn(/tradingRpc\.orders\.pageSize = 150 \(user\)/) }).waitFor();
    assert.equal(fs.existsSync(file), false);
    await workbench.shot("support-preview");
    await preview.locator(".codelens-decoration a", { hasText: "Show Gateway Host Names" }).click();
    await preview.locator(".codelens-decoration a", { hasText: "Hide Gateway Host Names" }).waitFor();
    await preview.locator(".codelens-decoration a", { hasText: "Hide Gateway Host Names" }).click();
    await preview.locator(".codelens-decoration a", { hasText: "Show Gateway Host Names" }).waitFor();
    await preview.locator(".codelens-decoration a", { hasText: "Save…" }).click();
    await workbench.quickInput.waitFor();
    await workbench.shot("support-save");
    await page.keyboard.press("Enter");
    await workbench.toast(/not sent anywhere/);
    const text = String(
      await until(async () => fs.existsSync(file) && fs.readFileSync(file, "utf8"), { what: "the saved file" }),
    );
    const saved = JSON.parse(text);
    const [lab] = saved.connections.filter((/** @type {any} */ each) => each.state === "ready");
    assert.deepEqual([lab.environment, lab.kind, lab.host, lab.rows.orders], ["simulator", "custom", "•••", 3]);
    assert.ok(
      lab.traffic.some((/** @type {string} */ each) =>
        /unknown \(connectionLost \w+\): private\/cancel by command over webSocket · wire \d+ · /.test(each),
      ),
      lab.traffic.join("\n"),
    );
    assert.ok(
      saved.lastFailures.some((/** @type {string} */ each) =>
        /change private\/cancel unknown, then applied/.test(each),
      ),
      saved.lastFailures.join("\n"),
    );
    assert.ok(
      saved.log.some((/** @type {string} */ each) =>
        /info \[connection \d\] Connected to •••, generation \d+/.test(each),
      ),
      saved.log.join("\n"),
    );
    const orders = await shared.simulator.run("openOrders");
    for (const canary of [
      shared.simulator.clientSecret,
      shared.simulator.clientId,
      ...orders.map((/** @type {any} */ each) => each.order_id),
      new URL(shared.simulator.webSocket).host,
      shared.folder,
    ])
      assert.equal(text.includes(canary), canary === "simulator", canary);
    assert.doesNotMatch(text, /\blab\b|access_token"|jsonrpc/);
    await workbench.closeToasts();
    await workbench.command("Trading RPC: Show Log");
    await page
      .locator(".panel .output-view, .panel .view-lines", { hasText: drawn(/\[info\] \[lab\] Connected to/) })
      .first()
      .waitFor();
    await workbench.shot("log");
  });
});
