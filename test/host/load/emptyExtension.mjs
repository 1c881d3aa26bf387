// @ts-check
/**
 * The least that an extension with a view and a code lens can be: what VS Code itself takes for each, in the same
 * window as the product.
 */
import fs from "node:fs";
import path from "node:path";
import { root, runNode, tempDir } from "../process.mjs";

export const EMPTY_VIEW = "Empty Extension";
export const EMPTY_ROW = "the only row";
export const EMPTY_LENS = "Send nothing";
export const EMPTY_FILE = "a.empty";

const manifest = {
  ...{ name: "empty", publisher: "tests", version: "0.0.1", engines: { vscode: "^1.90.0" }, main: "extension.js" },
  contributes: {
    viewsContainers: { activitybar: [{ id: "empty", title: EMPTY_VIEW, icon: "$(circle)" }] },
    views: { empty: [{ id: "empty.rows", name: "Rows" }] },
    commands: [{ command: "empty.send", title: EMPTY_LENS }],
  },
};

const program = `
const vscode = require("vscode");
exports.activate = () => {
  vscode.window.registerTreeDataProvider("empty.rows", {
    getChildren: (row) => (row ? [] : ["row"]),
    getTreeItem: () => new vscode.TreeItem(${JSON.stringify(EMPTY_ROW)}),
  });
  vscode.languages.registerCodeLensProvider({ pattern: "**/*.empty" }, {
    provideCodeLenses: () => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { command: "empty.send", title: ${JSON.stringify(EMPTY_LENS)} })],
  });
  const changed = new vscode.EventEmitter();
  const uri = vscode.Uri.parse("empty:response");
  vscode.workspace.registerTextDocumentContentProvider("empty", {
    onDidChange: changed.event,
    provideTextDocumentContent: () => String(Date.now()),
  });
  vscode.commands.registerCommand("empty.send", async () => {
    changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  });
};
`;

/** Packs it. @returns {Promise<string>} the path of the VSIX */
export async function emptyExtension() {
  const folder = tempDir("rpc-empty");
  const file = path.join(folder, "empty.vsix");
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  fs.writeFileSync(path.join(folder, "extension.js"), program);
  const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license"];
  await runNode([vsce, "package", ...flags, "-o", file], { cwd: folder });
  return file;
}
