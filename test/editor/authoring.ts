import assert from "node:assert/strict";
import * as vscode from "vscode";
import { describe, it } from "mocha";
import { codeOf, openRequests, until } from "./window.ts";

/*
 * What only the editor can tell of writing request files: which offers it shows, where it puts them, what it makes of
 * edits.
 */

const SEQUENCE =
  '[{ "$file": { "vars": { "max": 5 } }, "method": "private/get_open_orders", "$run": { "name": "open" } },\n { "method": "private/get_block_trades", "params": { "count": "{{max}}" }, "$run": { "after": ["open"] } }]';

export function describeAuthoring(): void {
  const placeOf = (document: vscode.TextDocument, needle: string, inside = 0): vscode.Position =>
    document.positionAt(document.getText().indexOf(needle) + inside);
  const itemsAt = async (document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> =>
    (
      await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        position,
      )
    ).items;
  const labelOf = ({ label }: vscode.CompletionItem): string => (typeof label === "string" ? label : label.label);

  describe("writing request files", () => {
    it("order ids of the simulator are offered with their quotes, before what the schema offers", async () => {
      await vscode.commands.executeCommand("tradingRpc.simulator.start");
      const document = await openRequests("orderIds", '{ "method": "private/cancel", "params": { "order_id": "" } }');
      const item = await until("an order id", async () =>
        (await itemsAt(document, placeOf(document, '"" }', 1))).find((each) => /^"[A-Z_]+-\d+"$/.test(labelOf(each))),
      );
      const range = item.range instanceof vscode.Range ? item.range : item.range?.replacing;
      assert.equal(document.getText(range), '""');
      assert.equal(item.insertText, labelOf(item));
      assert.match(item.sortText ?? "", /^!/);
    });

    it("a method is offered where a request can stand, with places for what has to be said", async () => {
      const document = await openRequests("snippets", "[\n  \n]");
      const item = await until("a request of private/cancel", async () =>
        (await itemsAt(document, new vscode.Position(1, 2))).find((each) => labelOf(each) === "private/cancel"),
      );
      assert.match((item.insertText as vscode.SnippetString).value, /"order_id": "\$\{1\}"/);
    });

    it("a placeholder tells its value, leads to its definition, and is renamed everywhere", async () => {
      const document = await openRequests("names", SEQUENCE);
      const use = placeOf(document, "{{max}}", 3);
      const hovers = await until("a hover", async () => {
        const found = await vscode.commands.executeCommand<vscode.Hover[]>(
          "vscode.executeHoverProvider",
          document.uri,
          use,
        );
        const text = found
          .flatMap(({ contents }) => contents)
          .map((content) => (content instanceof vscode.MarkdownString ? content.value : ""))
          .join("\n");
        return text.includes("vars") ? text : undefined;
      });
      assert.match(hovers, /5[^]*file/);
      const [definition] = await vscode.commands.executeCommand<vscode.Location[]>(
        "vscode.executeDefinitionProvider",
        document.uri,
        use,
      );
      assert.equal(document.getText(definition?.range), "max");
      assert.equal(definition?.range.start.line, 0);
      const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        document.uri,
        placeOf(document, '"open" }', 2),
        "orders",
      );
      assert.equal(await vscode.workspace.applyEdit(edit), true);
      assert.match(document.getText(), /"name": "orders" \}[^]*"after": \["orders"\]/);
    });

    it("the outline has a line for each request", async () => {
      const document = await openRequests("outline", SEQUENCE);
      const symbols = await until("symbols of ours", async () => {
        const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
          "vscode.executeDocumentSymbolProvider",
          document.uri,
        );
        return found.some(({ name }) => name === "open") ? found.map(({ name }) => name) : undefined;
      });
      assert.ok(symbols.includes("private/get_block_trades"), symbols.join());
    });

    it("an unknown placeholder is a mistake with a fix that does away with it", async () => {
      const document = await openRequests("fix", SEQUENCE.replace("{{max}}", "{{mx}}"));
      const mistake = await until("a diagnostic", () =>
        vscode.languages.getDiagnostics(document.uri).find((each) => codeOf(each) === "placeholder"),
      );
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        mistake.range,
      );
      const fix = actions.find(({ title }) => title === "Change to max");
      assert.ok(fix?.edit, actions.map(({ title }) => title).join());
      assert.equal(await vscode.workspace.applyEdit(fix.edit), true);
      assert.match(document.getText(), /"count": "\{\{max\}\}"/);
      await until("no mistake any more", () =>
        vscode.languages.getDiagnostics(document.uri).some((each) => codeOf(each) === "placeholder") ? undefined : true,
      );
    });

    it("a list of requests is explained as information", async () => {
      const document = await openRequests("sequence", SEQUENCE);
      const hint = await until("a hint", () =>
        vscode.languages.getDiagnostics(document.uri).find((each) => codeOf(each) === "sequence"),
      );
      assert.equal(hint.severity, vscode.DiagnosticSeverity.Information);
    });
  });
}
