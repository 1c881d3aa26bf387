import assert from "node:assert/strict";
import * as vscode from "vscode";
import { after, before, describe, it } from "mocha";
import { codeOf, openRequests, until } from "./window.ts";

/* Expectations of request files in the Test Explorer, over the simulator. Which profile runs is a matter of clicks. */

function failedExpectations(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter((each) => codeOf(each) === "expectation");
}

/** Runs the tests of the document until it says what is wanted: it may not be listed yet the first time. */
async function runUntil<T>(what: string, document: vscode.TextDocument, look: () => T | undefined): Promise<T> {
  return await until(what, async () => {
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("testing.runCurrentFile");
    return look();
  });
}

async function replaceText(document: vscode.TextDocument, before: string, text: string): Promise<void> {
  const at = document.getText().indexOf(before);
  assert.ok(at >= 0, `${before} stands in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + before.length)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export function describeExpectations(): void {
  describe("expectations", () => {
    before(async () => {
      await vscode.commands.executeCommand("tradingRpc.simulator.start");
    });
    after(async () => {
      await vscode.commands.executeCommand("tradingRpc.connection.disconnect");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    it("what a test expects and does not get stands at its place, moves with it, and is gone once the request is edited", async () => {
      const document = await openRequests(
        "expectations",
        '[\n  { "method": "public/test", "$run": { "expect": { "result": { "version": "never" } } } },\n  { "method": "private/get_open_orders", "$run": { "expect": { "result": { "$type": "array" } } } }\n]\n',
      );
      const found = await runUntil("a failed expectation", document, () => failedExpectations(document)[0]);
      assert.equal(document.getText(found.range), '"never"');
      assert.match(found.message, /^result\.version: expected "never", got "/);
      assert.equal(failedExpectations(document).length, 1);
      await replaceText(document, "[\n", "// above\n[\n");
      await until("the place after an edit above", () =>
        failedExpectations(document)[0]?.range.start.line === 2 ? true : undefined,
      );
      assert.equal(document.getText(failedExpectations(document)[0]?.range), '"never"');
      await replaceText(document, '"version": "never"', '"version": { "$type": "string" }');
      await until("no failed expectation", () => (failedExpectations(document).length === 0 ? true : undefined));
    });

    it("a test run keeps the response, which can be pinned, as an edit that can be undone; pinned, it passes", async () => {
      const document = await openRequests(
        "pinned",
        '[\n  {\n    "method": "private/get_mmp_config", // mine\n    "$run": { "expect": { "ok": false } }\n  }\n]\n',
      );
      await runUntil("a failed expectation", document, () => failedExpectations(document)[0]);
      const before = document.getText();
      await vscode.commands.executeCommand("tradingRpc.request.pin", document.uri.toString(), 0);
      assert.match(
        document.getText(),
        /\/\/ mine\n {4}"\$run": \{ "expect": \{ "ok": true, "result": \{ "\$len": \d+ \} \} \}/,
      );
      await runUntil("a test that passes", document, () =>
        failedExpectations(document).length === 0 ? true : undefined,
      );
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), before);
    });

    it("pinning is offered where there is a response, and nowhere else", async () => {
      const document = await openRequests("offered", '{ "method": "public/get_time" }\n');
      const titles = async (): Promise<string[]> => {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          document.uri,
          new vscode.Range(0, 5, 0, 5),
        );
        return actions.map(({ title }) => title).filter((title) => /Expectation/.test(title));
      };
      assert.deepEqual(await titles(), []);
      await vscode.commands.executeCommand("tradingRpc.request.send", document.uri.toString(), 0);
      await until("an offer", async () => ((await titles()).length === 1 ? true : undefined));
    });
  });
}
