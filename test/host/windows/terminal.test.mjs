// @ts-check
/**
 * Request files in VS Code's own terminal: run without the views of the extension, and with a connection
 * of VS Code in a terminal with the profile Trading RPC.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shareWindow, test } from "../fixtures.mjs";
import { root, until } from "../process.mjs";

const SETTINGS = {
  "terminal.integrated.cwd": root,
  "terminal.integrated.defaultProfile.linux": "plain",
  "terminal.integrated.profiles.linux": {
    plain: { path: "/bin/sh", env: { PS1: "$ ", NPM_CONFIG_LOGLEVEL: "error", NPM_CONFIG_UPDATE_NOTIFIER: "false" } },
  },
  "terminal.integrated.shellIntegration.enabled": false,
  // Rows of text, where the other way draws pictures of letters.
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.fontFamily": "'DejaVu Sans Mono', monospace",
};

test.describe("a run in the terminal", () => {
  const shared = shareWindow({ simulator: null, settings: SETTINGS });

  test("npx . run: a line for each request, what failed and why, and how it ended", async () => {
    const { workbench, page } = shared;
    await workbench.command("Terminal: Create New Terminal in Editor Area");
    const rows = page.locator(".terminal-wrapper.active .xterm-rows");
    await rows.getByText("$").first().waitFor({ timeout: 120_000 });
    fs.writeFileSync(
      path.join(shared.folder, "fails.rpc.json"),
      '{ "method": "public/get_time", "$run": { "name": "time", "expect": { "result": 1 } } }\n',
    );
    await page.keyboard.type(`npx . run examples/06* examples/07* '${shared.folder}/fails.rpc.json' --env sim\n`);
    const text = await until(
      async () => {
        const shown = (await rows.innerText()).replaceAll("\u00a0", " ");
        return /\(exit code \d\)\s*\n\$/.test(shown) && shown;
      },
      { what: "the end of the run", timeoutMs: 120_000 },
    );
    assert.match(text, /No changes were made\.\s+5 passed, 1 failed, 1 not allowed in .* \(exit code 3\)/);
    assert.match(
      text,
      /examples\/07-expectations\.rpc\.json · SIMULATOR · rate limits off\n\s+✓ {2}tape {2}public\/get_last_trades_by_instrument/,
    );
    assert.match(text, /✗ {2}time {2}public\/get_time {2}failed/);
    assert.match(text.replaceAll("\n", ""), /fails\.rpc\.json:1:\d+ +result: expected 1, got \d+/);
    assert.match(text, /⊘ {2}cancelled {2}private\/cancel {2}not allowed/);
    await workbench.shot("terminal-run");
  });

  test("other terminals have neither the program of the profile nor its variables", async () => {
    const { page } = shared;
    await page.keyboard.type("clear; command -v trading-rpc || echo none; env | grep -c TRADING_RPC_\n");
    const rows = page.locator(".terminal-wrapper.active .xterm-rows");
    await until(async () => /^none\s+0\s+\S*[$#]/.test((await rows.innerText()).replaceAll("\u00a0", " ")), {
      what: "what the terminal has",
      timeoutMs: 60_000,
    });
  });
});

test.describe("a terminal with the profile Trading RPC", () => {
  const shared = shareWindow({
    files: { "read.rpc.json": '{ "method": "private/get_open_orders", "params": { "kind": "future" } }\n' },
    settings: { ...SETTINGS, "terminal.integrated.cwd": "", "terminal.integrated.defaultProfile.linux": "Trading RPC" },
  });
  const rows = () => shared.page.locator(".terminal-wrapper.active .xterm-rows");
  const shown = async () => (await rows().innerText()).replaceAll("\u00a0", " ").replace(/\s+/g, " ");
  /** Types a line into the terminal. @param {string} line */
  const type = async (line) => {
    await shared.page.locator(".terminal-wrapper.active .xterm-helper-textarea").focus();
    await shared.page.keyboard.type(`clear; ${line}\n`);
  };
  /** @param {RegExp} text waits until the terminal shows it */
  const says = async (text) =>
    await until(async () => text.test(await shown()), { what: `the terminal to say ${text}`, timeoutMs: 60_000 });
  const RUN = "trading-rpc run read.rpc.json --env sim --connection lab";
  const signIns = async () => (await shared.sent("public/auth")).map(({ scope = "" }) => scope);

  test("the dialog says what it is about; neither Enter nor Don't Allow gives a token", async () => {
    const { workbench, page } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    await workbench.rowsWhen((found) => found.length > 2, workbench.pane("Open Orders"));
    await workbench.command("Terminal: Create New Terminal in Editor Area");
    await until(async () => (await rows().count()) === 1 && /[$#] $/.test(await shown()), {
      what: "the prompt",
      timeoutMs: 120_000,
    });
    const before = await signIns();
    await type(RUN);
    const { text, buttons } = await workbench.readModal();
    await workbench.shot("terminal-consent");
    assert.match(text, /Let a terminal program read with SIMULATOR lab\?/);
    assert.match(text, /Program: trading-rpc read\.rpc\.json/);
    assert.ok(text.includes(`Folder: ${fs.realpathSync(shared.folder)}`), text);
    assert.match(text, /Connection: SIMULATOR lab/);
    assert.match(text, /Scopes: account:read, trade:read, [a-z_:, ]*wallet:read/);
    assert.doesNotMatch(text, /read_write/);
    assert.deepEqual(buttons.toSorted(), ["Allow Reading", "Don't Allow", "Show Connections"]);
    await page.keyboard.press("Enter");
    await says(/The access was not allowed in VS Code\./);
    await type(RUN);
    await workbench.modal("Don't Allow");
    await says(/The access was not allowed in VS Code\./);
    assert.deepEqual(await signIns(), before);
  });

  test("Allow Reading prints the response, with one sign-in that can only read", async () => {
    const { workbench } = shared;
    const before = (await signIns()).length;
    await type(RUN);
    await workbench.modal("Allow Reading");
    await says(/SIMULATOR lab.*✓ private\/get_open_orders.*1 passed/);
    const made = (await signIns()).slice(before);
    assert.equal(made.length, 1);
    assert.match(made[0], /^session:trading-rpc-t\w+ account:read trade:read /);
    assert.doesNotMatch(made[0], /read_write/);
    await until(async () => (await shared.sent("private/logout")).length === 1, { what: "the token to end" });
    await workbench.shot("terminal-allowed");
  });
});
