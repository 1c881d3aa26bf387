import * as os from "node:os";
import * as vscode from "vscode";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { DOCUMENT_SCHEME } from "../editor/documents.ts";

/** The glob pattern of request files, wherever they are in a folder. */
export const REQUEST_FILE_PATTERN = "**/*.rpc.json";

export function isRequestFile({ path }: vscode.Uri): boolean {
  return path.endsWith(".rpc.json");
}

/**
 * Opens copies of the included examples, so that the originals stay unchanged: all of them, or the one of that name.
 */
export async function openExamples(extensionUri: vscode.Uri, wanted?: string): Promise<void> {
  const folder = vscode.Uri.joinPath(extensionUri, "examples");
  const names = (await filesOf(folder))
    .filter((name) => name.endsWith(".rpc.json") && (wanted === undefined || name === `${wanted}.rpc.json`))
    .sort();
  if (names.length === 0) throw refused(l10n.t("The examples are missing from this installation."));
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

/** Opens an unsaved request file. Schema, lenses and checks recognize it by the end of its name. */
export async function openUntitled(name: string, text: string): Promise<vscode.TextEditor> {
  const uri = await freeUri(name);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  // Not among the responses, which stand beside their requests.
  const isAtResponse = vscode.window.activeTextEditor?.document.uri.scheme === DOCUMENT_SCHEME;
  return await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: isAtResponse ? vscode.ViewColumn.One : vscode.ViewColumn.Active,
  });
}

/** Returns an unused address in the open folder, else at home: VS Code saves a new file there and does not ask. */
async function freeUri(name: string): Promise<vscode.Uri> {
  const opened = vscode.workspace.workspaceFolders?.[0]?.uri;
  const folder = opened?.scheme === "file" ? opened : vscode.Uri.file(os.homedir());
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number++) {
    const file = vscode.Uri.joinPath(folder, `${number === 1 ? name : `${name}-${String(number)}`}.rpc.json`);
    const uri = file.with({ scheme: "untitled" });
    if (!taken.has(uri.toString()) && !(await exists(file))) return uri;
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Opens a file of the user. Throws `refused` if it cannot be opened: it may have been deleted or moved in the meantime.
 */
export async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new CallError(
      {
        kind: "refused",
        reason: l10n.t("{0} can't be opened. It may have been deleted or moved.", plain.text(fileWords(uri), MAX_NAME)),
      },
      { cause: error },
    );
  }
}

const MAX_NAME = 200;

/** Returns the path of a request file relative to the open folder, even before it is saved there. */
export function fileWords(uri: vscode.Uri): Plain {
  return plain.text(
    vscode.workspace.asRelativePath(
      uri.scheme === "untitled" && uri.path.startsWith("/") ? uri.with({ scheme: "file" }) : uri,
    ),
  );
}
