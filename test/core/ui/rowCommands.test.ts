import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { CommandId } from "../../../src/manifest/contributes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createNotices } from "../../../src/ui/editor/notices.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { useEditor } from "../../editorStandIn.ts";
import { scriptedDialogs } from "./scriptedDialogs.ts";

/* What becomes of a command whose row VS Code has forgotten, because it draws the list again. */

const MENUS = {
  "view/title": [{ command: "tradingRpc.log.show" }, { submenu: "tradingRpc.orders.arrange" }],
  "view/item/context": [{ command: "tradingRpc.connection.disconnect" }, { command: "tradingRpc.log.show" }],
};

/** Runs a command. Returns what its handler was called with, and what the user reads. */
async function run(id: CommandId, args: readonly unknown[]): Promise<readonly unknown[]> {
  const { runCommand } = await import("../../../src/ui/commands.ts");
  const { dialogs, shown } = scriptedDialogs();
  const clock = createFakeClock();
  const calls: unknown[] = [];
  await runCommand(async () => await Promise.resolve((...given: readonly unknown[]) => calls.push(given)), id, args, {
    notices: createNotices({ dialogs, times: createTimes(), clock, log: silentLog, run: () => undefined }),
    scopes: { require: () => undefined },
    extension: { packageJSON: { contributes: { menus: MENUS } } },
  });
  return [...calls, ...shown];
}

describe("the command of a row", () => {
  useEditor({});

  test("is not carried out where VS Code hands out nothing for its row", async () => {
    const told = "error: The view changed meanwhile, so nothing was done. Select the row again.";
    assert.deepEqual(await run("tradingRpc.connection.disconnect", [undefined, undefined]), [told]);
    assert.deepEqual(await run("tradingRpc.connection.disconnect", [undefined]), [told]);
  });

  test("is carried out with its row, and from the Command Palette", async () => {
    assert.deepEqual(await run("tradingRpc.connection.disconnect", ["a", undefined]), [["a", undefined]]);
    assert.deepEqual(await run("tradingRpc.connection.disconnect", []), [[]]);
  });

  test("that is in a title, too, is carried out without a row: there may be none with the focus", async () => {
    assert.deepEqual(await run("tradingRpc.log.show", [undefined, undefined]), [[undefined, undefined]]);
  });
});
