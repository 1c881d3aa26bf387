// @ts-check
/** Request files in VS Code's own terminal, as somebody without the extension's views runs them. */
import assert from "node:assert/strict";
import { describe } from "node:test";
import { openDesk } from "../desk.mjs";
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

describe("a run in the terminal", () => {
  const desk = openDesk({ simulator: null, settings: SETTINGS });

  desk.test("npx . run: a line for each request, what failed and why, and how it ended", async () => {
    const { workbench, page } = desk;
    await workbench.command("Terminal: Create New Terminal in Editor Area");
    const rows = page.locator(".terminal-wrapper.active .xterm-rows");
    await rows.getByText("$").first().waitFor();
    await page.keyboard.type("npx . run examples/03* examples/06* examples/07* --env sim\n");
    const text = await until(
      async () => {
        const shown = (await rows.innerText()).replaceAll("\u00a0", " ");
        return /\(exit code \d\)\s*\n\$/.test(shown) && shown;
      },
      { what: "the end of the run", timeoutMs: 120_000 },
    );
    assert.match(text, /6 passed, 1 failed, 1 refused, 1 not run in .* \(exit code 3\)/);
    assert.match(
      text,
      /examples\/07-expectations\.rpc\.json · SIMULATOR\n\s+✓ {2}tape {2}public\/get_last_trades_by_instrument/,
    );
    assert.match(text, /✗ {2}private\/get_order_state {2}failed/);
    assert.match(text, /⊘ {2}cancelled {2}private\/cancel {2}refused/);
    await workbench.shot("terminal-run");
  });
});
