import assert from "node:assert/strict";
import * as vscode from "vscode";
import { after, before, describe, it } from "mocha";
import { until } from "./window.ts";

/*
 * The tools for language models, called as a chat calls them. The editor agrees to its own questions here, and refuses
 * dialogs of ours.
 */

const NAMES = [
  "get_open_orders",
  "get_positions",
  "get_account_summaries",
  "get_block_trades",
  "get_mmp_config",
  "list_api_keys",
  "get_last_trades",
  "explain_error",
  "explain_method",
  "cancel_order",
  "cancel_all_block_rfq_quotes",
].map((each) => `tradingRpc_${each}`);

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`tradingRpc_${name}`, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

function dataOf(text: string): unknown {
  return JSON.parse(text.split("```")[1] ?? "");
}

export function describeChatTools(): void {
  describe("tools for language models", () => {
    const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("tradingRpc");
    before(async () => await vscode.commands.executeCommand("tradingRpc.simulator.start"));
    after(async () => {
      await settings().update("chat.access", undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand("tradingRpc.connection.disconnect");
    });

    it("are known with their descriptions, and refuse by themselves what is not switched on", async () => {
      // The editor lists them all here; its `when` clauses say which a model is offered.
      await until("all tools", () =>
        NAMES.every((name) => vscode.lm.tools.some((each) => each.name === name)) ? true : undefined,
      );
      for (const { name, description, inputSchema } of vscode.lm.tools.filter((each) => NAMES.includes(each.name)))
        assert.doesNotMatch(description + JSON.stringify(inputSchema), /%\w/, name);
      assert.match(
        await call("cancel_order", { connection: "SIMULATOR", order_id: "x", instrument_name: "x" }),
        /^Cancelling from chat is turned off/,
      );
      await settings().update("chat.access", "off", vscode.ConfigurationTarget.Global);
      assert.match(await call("get_open_orders", {}), /^Tools for language models are turned off/);
      await settings().update("chat.access", "readAndCancel", vscode.ConfigurationTarget.Global);
    });

    it("each tool for language models responds with its place; an unconfirmed cancel is not sent", async () => {
      const orders = await call("get_open_orders", {});
      assert.match(orders, /^Open orders on SIMULATOR, as of .* UTC\)\.\n/);
      const [order] = dataOf(orders) as readonly { readonly order_id: string; readonly instrument_name: string }[];
      assert.ok(order);
      assert.match(await call("get_positions", {}), /^Positions on SIMULATOR, as of /);
      assert.match(await call("get_account_summaries", {}), /^Account summaries on SIMULATOR, as of /);
      assert.match(await call("get_block_trades", { count: 1 }), /^Block trades on SIMULATOR, as of /);
      assert.match(await call("get_mmp_config", {}), /^MMP limits on SIMULATOR, as of /);
      assert.match(await call("list_api_keys", {}), /^API keys without client secrets on SIMULATOR, as of /);
      assert.equal(
        (
          dataOf(await call("get_last_trades", { instrument_name: "BTC-PERPETUAL", count: 2 })) as {
            readonly trades: readonly unknown[];
          }
        ).trades.length,
        2,
      );
      assert.match(await call("explain_error", { code: 10028 }), /^Error 10028 is too_many_requests\./);
      assert.match(await call("explain_method", { method: "private/buy" }), /\nprivate\/buy\n[^]*```json\n/);
      // VS Code does not show the dialog in a test, so the cancel is not confirmed.
      assert.match(
        await call("cancel_order", {
          connection: "SIMULATOR",
          order_id: order.order_id,
          instrument_name: order.instrument_name,
        }),
        /^SIMULATOR: nothing was sent and nothing was changed\./,
      );
      assert.match(
        await call("cancel_all_block_rfq_quotes", { connection: "SIMULATOR" }),
        /^SIMULATOR: nothing was sent and nothing was changed\./,
      );
      // The market of this simulator moves, and may have ended the order by itself: core/world/chatTools counts frames.
      const { instrument_name: name } = order;
      const others = dataOf(await call("get_open_orders", { instrument_name: name })) as readonly (typeof order)[];
      assert.ok(others.every((each) => each.instrument_name === name));
    });
  });
}
