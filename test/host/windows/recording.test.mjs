// @ts-check
/** A session is recorded and replayed as a user does it, with the packaged extension in a real VS Code. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";

const READ = '{ "method": "private/get_open_orders", "params": { "kind": "future" } }\n';

test.describe("a recording", () => {
  const shared = shareWindow({
    files: { "read.rpc.json": READ },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
  });

  test("a session is recorded into a file of the user alone, and the simulator replays it", async () => {
    const { workbench, page } = shared;
    const home = path.join(shared.dataDir, "home");
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, workbench.pane("Open Orders"));
    await workbench.command("Trading RPC: Record Traffic…");
    await workbench.pick("Reconnect and Record");
    await workbench.quickInput.locator(".quick-input-title", { hasText: "Save Recording" }).waitFor();
    await workbench.shot("record-save");
    await page.keyboard.press("Enter");
    await workbench.status(/Recording SIMULATOR lab/);
    await workbench.quickOpen("read.rpc.json");
    await workbench.command("Trading RPC: Send Request");
    await page.locator(".tab", { hasText: /read ▸ response/ }).waitFor();
    // The tab is there at once; the request goes out after the new sign-in.
    await page.locator(".editor-group-container .view-lines", { hasText: "order_id" }).waitFor();
    await workbench.shot("record-running");
    await page.locator(".statusbar-item", { hasText: "Recording SIMULATOR lab" }).click();
    await workbench.toast(/The recording was saved as recording-[\d-]+\.rpcrec\.jsonl\. Requests: \d+\. Events: \d+\./);
    await workbench.shot("record-saved");
    const [name = ""] = fs.readdirSync(home).filter((each) => each.endsWith(".rpcrec.jsonl"));
    const file = path.join(home, name);
    const text = fs.readFileSync(file, "utf8");
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.match(text, /"method":"public\/auth"/);
    assert.ok(!text.includes(shared.simulator.clientSecret));
    await workbench.closeToasts();
    await workbench.command("Trading RPC: Start Simulator from Recording…");
    // Chosen by its row: the dialog of files completes what is typed, and may do so while it is typed.
    await workbench.pick(name);
    await workbench.pick("Without Waiting");
    await workbench.status(/SIMULATOR Replay/);
    await workbench.openOnly("Open Orders");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /SIMULATOR Replay/.test(row)) && rows.length > 4,
      workbench.pane("Open Orders"),
    );
    await workbench.shot("replay-orders");
  });
});
