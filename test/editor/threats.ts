import assert from "node:assert/strict";
import * as vscode from "vscode";
import { after, describe, it } from "mocha";
import { plain } from "../../src/base/plain.ts";
import { createDialogs } from "../../src/ui/editor/dialogs.ts";
import { until } from "./window.ts";

/* What the controls against hostile input and curious eyes need of the real editor. */

export function describeThreats(): void {
  describe("what only the real editor can tell of the controls", () => {
    const presentation = (): unknown =>
      vscode.workspace.getConfiguration("tradingRpc").inspect("presentationMode.enabled")?.globalValue;
    after(
      async () =>
        await vscode.workspace
          .getConfiguration("tradingRpc")
          .update("presentationMode.enabled", undefined, vscode.ConfigurationTarget.Global),
    );

    it("presentation mode hides what is asked, and what is chosen is what was given", async () => {
      const dialogs = createDialogs(
        (text) => text.replaceAll(/\d+/g, "•••"),
        async (show) => {
          show();
          await Promise.resolve();
        },
      );
      const orders = [{ amount: 40 }, { amount: 7 }];
      let chosen: unknown;
      void dialogs
        .askChoice({
          title: plain`orders of 2`,
          placeholder: plain`1 of 2`,
          choices: orders.map((order) => ({ label: plain`buy ${order.amount}`, value: order })),
          isPresent: (order) => order === orders[1],
        })
        .then((result) => (chosen = result));
      await until("the choice to be taken", async () => {
        await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
        return chosen;
      });
      assert.deepEqual(chosen, { kind: "next", value: orders[1] });
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
