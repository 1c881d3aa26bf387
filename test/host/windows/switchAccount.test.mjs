// @ts-check
/**
 * Switch Subaccount and Switch to Main Account as a user does them, with the packaged extension in a real VS Code and a
 * simulator that is told what happens.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const SWITCH = `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "public/exchange_token",
  "params": { "refresh_token": "{{$session.refreshToken}}", "subject_id": 48602 }
}
`;

test.describe("subaccounts", () => {
  const shared = shareWindow({
    files: { "switch.rpc.json": SWITCH },
    simulator: ["--seed", "1", "--orders", "5", "--still"],
  });
  const connections = () => shared.workbench.pane("Connections");
  const orders = () => shared.workbench.pane("Open Orders");
  /** @returns {Promise<any[]>} parameters of the exchanges that were sent */
  const exchanges = () => shared.sent("public/exchange_token");
  /** @param {RegExp} place waits until status bar and heading of the orders say it */
  const actsAs = async (place) => {
    const text = await shared.workbench.status(place);
    await shared.page.locator(".sidebar .pane-header", { hasText: place }).first().waitFor();
    return text;
  };
  const SUB = /SIMULATOR lab ▸ simulator_options/;

  test("from the row of the connection: the accounts are listed, the scope is asked for, and the question says what it means", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((rows) => rows.length > 2, orders());
    await workbench.openOnly("Connections");
    await workbench.context("lab", "Switch Subaccount", connections());
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "simulator_options" }).waitFor();
    const picks = await workbench.picks();
    assert.match(picks.join("\n"), /simulator_options.*account 48602 · subaccount/);
    assert.match(picks.join("\n"), /Enter an Account ID/);
    assert.ok(!picks.some((pick) => /account 48595/.test(pick)), "the account that it is already");
    await workbench.shot("switch-account-pick");
    await workbench.pick("simulator_options");
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Same as the API Key" }).waitFor();
    await workbench.shot("switch-account-scope");
    await workbench.pick("Same as the API Key");
    const { text } = await workbench.readModal();
    assert.match(text, /Switch to subaccount simulator_options \(account 48602\) on SIMULATOR lab\?/);
    assert.match(text, /All views, commands, and request files of this connection then use that account/);
    await workbench.shot("switch-account-question");
    await workbench.modal("Do Not Switch");
    assert.deepEqual(await exchanges(), []);
  });

  test("switched: status bar, connection, orders and activity say so, and the rows are those of the subaccount", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Switch Subaccount");
    await workbench.pick("simulator_options");
    await workbench.pick("Same as the API Key");
    await workbench.modal("Switch Subaccount");
    await workbench.status(SUB);
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /lab.*SIMULATOR ▸ simulator_options/.test(row)),
      connections(),
    );
    await workbench.toggle("SIMULATOR ▸ simulator_options", connections());
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /acts as.*simulator_options \(account 48602\)/.test(row)),
      connections(),
    );
    await workbench.tooltip(
      "SIMULATOR ▸ simulator_options",
      "until Switch to Main Account or until the connection ends",
      connections(),
    );
    await workbench.shot("switch-account-connections");
    await workbench.toggle("SIMULATOR ▸ simulator_options", connections());
    await workbench.openOnly("Open Orders");
    await actsAs(SUB);
    const group = orders().locator('.monaco-list-row[aria-expanded="false"]').first();
    if ((await group.count()) > 0) await group.locator(".monaco-tl-twistie").click();
    await workbench.rowsWhen((rows) => rows.some((row) => /@/.test(row)), orders());
    await workbench.shot("switch-account-orders");
    assert.equal((await exchanges()).length, 1);
    await workbench.openOnly("Activity");
    await workbench.rowsWhen(
      (rows) => rows.some((row) => /Switch to subaccount simulator_options/.test(row)),
      workbench.pane("Activity"),
    );
    await workbench.shot("switch-account-activity");
  });

  test("Switch to Main Account from the title of Open Orders, without a question", async () => {
    const { workbench, page } = shared;
    await workbench.openOnly("Open Orders");
    await orders().hover();
    await orders()
      .locator(
        '.pane-header .action-label[aria-label^="Views and More Actions"], .pane-header .action-label[aria-label^="More Actions"]',
      )
      .first()
      .click();
    await workbench.menu.locator(".action-item", { hasText: "Switch to Main Account" }).first().waitFor();
    await workbench.shot("switch-account-title-menu");
    await workbench.menuItem("Switch to Main Account");
    assert.doesNotMatch(await actsAs(/SIMULATOR lab(?! ▸)/), /▸/);
    await workbench.rowsWhen((rows) => rows.length > 2, orders());
    assert.equal(await workbench.dialog.isVisible(), false);
    assert.equal(await page.locator(".notification-toast").count(), 0);
    await workbench.shot("switch-account-back");
  });

  test("from a request file: the same question, the response without tokens, the lens names the account afterwards", async () => {
    const { workbench, page } = shared;
    await workbench.quickOpen("switch.rpc.json");
    await workbench.lens(/Send… · switches/);
    const { text } = await workbench.readModal();
    assert.match(text, /Switch to account 48602 on SIMULATOR lab\?/);
    assert.match(text, /From switch\.rpc\.json\./);
    await workbench.shot("switch-account-file-question");
    await workbench.modal("Switch Subaccount");
    const response = page
      .locator(".editor-group-container")
      .nth(1)
      .locator(".view-lines", { hasText: "Switched to SIMULATOR lab ▸ simulator_options." });
    await response.waitFor();
    await page.locator(".codelens-decoration", { hasText: "SIMULATOR lab ▸ simulator_options" }).first().waitFor();
    await workbench.status(SUB);
    await workbench.shot("switch-account-file-response");
    const [, second] = await exchanges();
    assert.equal((await page.content()).includes(second.refresh_token), false);
  });

  test("the link is lost while it is switched: the main account, and a notice that asks", async () => {
    const { workbench } = shared;
    await shared.workbench.closeToasts();
    await shared.simulator.run("disconnectAll", { how: "reset" });
    const said = await workbench.toast(
      /The connection to SIMULATOR lab was lost\. It now uses the main account instead of simulator_options \(account 48602\)\./,
    );
    assert.match(said, /Switch Again…/);
    await workbench.shot("switch-account-lost");
    assert.equal(
      await shared.page.locator(".statusbar", { hasText: "Switched to" }).count(),
      0,
      "the good news ended with the link",
    );
    assert.equal((await exchanges()).length, 2, "nothing was switched by itself");
    await workbench.toast(/It now uses the main account/, "Switch Again…");
    const { text } = await workbench.readModal();
    assert.match(text, /Switch to subaccount simulator_options \(account 48602\) on SIMULATOR lab\?/);
    await workbench.modal("Do Not Switch");
    assert.equal((await exchanges()).length, 2);
  });

  test("less scope than the key has, by area: the notice names what is off", async () => {
    const { workbench } = shared;
    await shared.workbench.closeToasts();
    await workbench.command("Trading RPC: Switch Subaccount");
    await workbench.pick("simulator_options");
    await workbench.pick("Reduce Scope by Area");
    // The row of the whole scope names the area too.
    await workbench.pick(/^\s*block_rfq\s*read_write/);
    await workbench.quickInput.locator(".monaco-list-row", { hasText: /^\s*none/ }).waitFor();
    await workbench.pick(/^\s*none/);
    await workbench.quickInput.locator(".monaco-list-row", { hasText: /^\s*block_rfq\s*none/ }).waitFor();
    await workbench.shot("switch-account-by-area");
    await workbench.pick("Use This Scope");
    await workbench.modal("Switch Subaccount");
    const said = await workbench.toast(
      /Switched to SIMULATOR lab ▸ simulator_options\. Its scope is narrower\. Missing: block_rfq:read_write/,
      "Switch to Main Account",
    );
    assert.match(said, /Switch to Main Account/);
    await workbench.status(/SIMULATOR lab(?! ▸)/);
    await until(async () => (await exchanges()).length === 3, { what: "the exchange" });
  });
});
