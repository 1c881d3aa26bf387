import assert from "node:assert/strict";
import * as vscode from "vscode";
import { after, describe, it } from "mocha";
import { describeActivation } from "./activation.ts";
import { describeAuthoring } from "./authoring.ts";
import { describeChatTools } from "./chatTools.ts";
import { describeExpectations } from "./requestTests.ts";
import { describeThreats } from "./threats.ts";
import { openRequests, until } from "./window.ts";

/*
 * Inside the extension host of a real VS Code: what only the editor can tell. Modal dialogs cannot be answered here;
 * the clicks do that.
 */

const EXTENSION = "trading-rpc.trading-rpc";

async function lensTitles(document: vscode.TextDocument): Promise<string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    document.uri,
    100,
  );
  return lenses.map((lens) => lens.command?.title ?? "");
}

function responses(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => document.uri.scheme === "trading-rpc-response");
}

async function responseWith(text: RegExp): Promise<string> {
  return await until(`a response with ${text.source}`, () =>
    responses()
      .map((document) => document.getText())
      .find((each) => text.test(each)),
  );
}

describeActivation();

describe("the extension", () => {
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("activates, hands out nothing, and has every command of its manifest", async () => {
    const extension = vscode.extensions.getExtension(EXTENSION);
    assert.ok(extension);
    assert.equal(await extension.activate(), undefined);
    const manifest = extension.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    const found = manifest.contributes.commands.map((each) => each.command).filter((command) => !known.has(command));
    assert.deepEqual(found, []);
  });

  it("a request file is JSON with comments, untitled too", async () => {
    const document = await openRequests("language", '{ "method": "public/test" } // fine\n');
    assert.equal(document.languageId, "jsonc");
  });

  it("completion offers methods, and then the parameters of the method", async () => {
    const document = await openRequests("completion", '{ "method": "" , "params": {} }');
    const methods = await until("the methods", async () => {
      const found = await completions(document, document.getText().indexOf('""') + 1);
      return found.includes("private/get_open_orders") ? found : undefined;
    });
    assert.equal(methods.filter((label) => /^"?private\/get_open_orders"?$/.test(label)).length, 1, "offered once");
    const other = await openRequests("completionOfParams", '{ "method": "private/get_open_orders", "params": { "" } }');
    const params = await completions(other, other.getText().indexOf('""') + 1);
    assert.deepEqual(
      ["kind", "type"].filter((name) => !params.some((label) => label.includes(name))),
      [],
    );
  });

  it("a mistake is shown at its place", async () => {
    const document = await openRequests("mistake", '{ "method": "private/cancel", "params": { "order_id": 5 } }');
    // Before its text is there, the file has a diagnostic as well: it is empty.
    await until("the diagnostic at the number", () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .find(
          (each) =>
            each.source === "Trading RPC" && document.getText(each.range) === "5" && /string/.test(each.message),
        ),
    );
  });

  it("the lens names the target; sent to the simulator, the response keeps its digits", async () => {
    const document = await openRequests(
      "digits",
      '[{ "method": "public/test", "params": {} }, { "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "BTC-PERPETUAL", "count": 2 } }]',
    );
    assert.equal(
      (
        await until("lenses", async () => {
          const titles = await lensTitles(document);
          return titles.length > 0 ? titles : undefined;
        })
      ).filter((title) => /^▷ Send\b/.test(title)).length,
      2,
    );
    await vscode.commands.executeCommand("tradingRpc.simulator.start");
    await until("a lens that names the simulator", async () =>
      (await lensTitles(document)).find((title) => /SIMULATOR/.test(title)),
    );
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    const at = document.positionAt(document.getText().indexOf("get_last_trades"));
    editor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand("tradingRpc.request.send");
    const response = await responseWith(/has_more/);
    assert.match(response.split("\n")[0] ?? "", /^\/\/ SIMULATOR.* ok .* request ID \d+/);
  });

  it("an error of the exchange is a response with its meaning", async () => {
    await openRequests("error", '{ "method": "private/get_order_state", "params": { "order_id": "NO-1" } }');
    await vscode.commands.executeCommand("tradingRpc.request.send");
    assert.match(await responseWith(/error 10004/), /order_not_found/);
  });

  it("a response cannot be edited, and one from before is not kept", async () => {
    const unknown = await vscode.workspace.openTextDocument(
      vscode.Uri.parse("trading-rpc-response:/gone/nothing.jsonc"),
    );
    assert.match(unknown.getText(), /wasn't kept after the reload/);
  });

  it("commands called with forged arguments do nothing and hand out nothing", async () => {
    const forged = [{}, { id: "simulator" }, ["x"], 5, "no-such-row", Object.create(null)];
    for (const command of [
      "tradingRpc.order.cancelRow",
      "tradingRpc.order.cancelGroup",
      "tradingRpc.order.cancelAll",
      "tradingRpc.order.copyId",
      "tradingRpc.order.open",
    ]) {
      for (const argument of forged)
        assert.equal(await vscode.commands.executeCommand(command, argument), undefined, command);
    }
  });

  it("disconnecting ends the simulator's session and the lens says so", async () => {
    const document = await openRequests("off", '{ "method": "public/test" }');
    await vscode.commands.executeCommand("tradingRpc.connection.disconnect");
    await until("a lens that says not connected", async () =>
      (await lensTitles(document)).find((title) => /not connected/i.test(title)),
    );
  });
});

describeAuthoring();
describeExpectations();
describeChatTools();
describeThreats();

async function completions(document: vscode.TextDocument, offset: number): Promise<string[]> {
  return await until("completions", async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      document.positionAt(offset),
    );
    const labels = list.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
    return labels.length > 0 ? labels : undefined;
  });
}
