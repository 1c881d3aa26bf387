import assert from "node:assert/strict";
import * as vscode from "vscode";
import { after, describe, it } from "mocha";
import { createEmitter } from "../../src/base/emitter.ts";
import { createScreen } from "../../src/ui/tree/screen.ts";
import { until } from "./window.ts";

/* What the controls against hostile input and curious eyes need of the real editor. */

export function describeThreats(): void {
  describe("what only the real editor can tell of the controls", () => {
    const presentation = (): unknown =>
      vscode.workspace.getConfiguration("tradingRpc").inspect("presentation.hideFigures")?.globalValue;
    after(
      async () =>
        await vscode.workspace
          .getConfiguration("tradingRpc")
          .update("presentation.hideFigures", undefined, vscode.ConfigurationTarget.Global),
    );

    it("presentation mode stands in for the editor's functions, and takes itself away again", () => {
      const { showInformationMessage, createQuickPick } = vscode.window;
      const changes = createEmitter<undefined>();
      const screen = createScreen({
        window: vscode.window,
        settings: { isPresenting: () => true, onDidChange: changes.event },
        names: () => ["main"],
      });
      try {
        assert.notEqual(vscode.window.showInformationMessage, showInformationMessage);
        const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly amount: number }>();
        const items = [
          { label: "buy 40", amount: 40 },
          { label: "sell 7", amount: 7 },
        ];
        pick.items = items;
        pick.activeItems = items.slice(1);
        pick.title = "orders of main";
        pick.show();
        assert.deepEqual([pick.items[0], pick.activeItems[0], pick.title], [items[0], items[1], "orders of main"]);
        pick.dispose();
        const box = vscode.window.createInputBox();
        box.prompt = "at most 40";
        box.value = "7";
        assert.deepEqual([box.prompt, box.value], ["at most 40", "7"]);
        box.dispose();
      } finally {
        screen.dispose();
      }
      assert.deepEqual(
        [vscode.window.showInformationMessage, vscode.window.createQuickPick],
        [showInformationMessage, createQuickPick],
      );
    });

    it("the command of presentation mode switches the user's own setting on and off", async () => {
      await vscode.commands.executeCommand("tradingRpc.presentation.toggle");
      await until("the mode to be on", () => (presentation() === true ? true : undefined));
      await vscode.commands.executeCommand("tradingRpc.presentation.toggle");
      await until("the mode to be off", () => (presentation() === false ? true : undefined));
    });

    it("forged arguments of every command that takes a row lead to nothing that is handed out", async () => {
      const cyclic: Record<string, unknown> = {};
      cyclic["self"] = cyclic;
      const hostile = new Proxy(
        {},
        {
          get: (_, name) => {
            if (name !== "then") throw new Error("forged");
          },
        },
      );
      for (const command of [
        "order.cancel",
        "order.cancelSelected",
        "order.cancelRow",
        "order.cancelGroup",
        "quote.cancel",
        "quote.cancelSelected",
        "quote.cancelRow",
        "apiKey.edit",
        "apiKey.disable",
        "mmp.reset",
        "activity.setAside",
        "account.switch",
        "connection.forget",
        "connection.makeReadOnly",
        "row.copyValue",
      ]) {
        for (const argument of [cyclic, hostile, "x".repeat(100_000), 10n, Symbol("x"), [[]]])
          assert.equal(
            await vscode.commands.executeCommand(`tradingRpc.${command}`, argument, [argument]),
            undefined,
            command,
          );
      }
    });
  });
}
