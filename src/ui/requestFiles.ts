import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { CallError } from "../base/failure.ts";
import { ANSWER_SCHEME } from "./answerDocuments.ts";

/** Opens copies of the examples that ship, so that the originals stay as they are. */
export async function openExamples(extensionUri: vscode.Uri): Promise<void> {
  const folder = vscode.Uri.joinPath(extensionUri, "examples");
  const names = (await filesOf(folder)).filter((name) => name.endsWith(".rpc.json")).sort();
  if (names.length === 0) throw new CallError({ kind: "refused", reason: l10n.t("The examples are missing from this installation.") });
  for (const name of names.toReversed()) {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)));
    await openUntitled(name.replace(/\.rpc\.json$/, ""), text);
  }
}

async function filesOf(folder: vscode.Uri): Promise<readonly string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  } catch {
    return [];
  }
}

/** Opens a request file that is saved nowhere yet. Schema, lenses and checks know one by the end of its name. */
export async function openUntitled(name: string, text: string): Promise<vscode.TextEditor> {
  const uri = freeName(name);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  // Not among the answers, which stand beside their requests.
  const isAtAnswer = vscode.window.activeTextEditor?.document.uri.scheme === ANSWER_SCHEME;
  return await vscode.window.showTextDocument(document, { preview: false, viewColumn: isAtAnswer ? vscode.ViewColumn.One : vscode.ViewColumn.Active });
}

function freeName(name: string): vscode.Uri {
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.from({ scheme: "untitled", path: `${number === 1 ? name : `${name}-${String(number)}`}.rpc.json` });
    if (!taken.has(uri.toString())) return uri;
  }
}
