import * as vscode from "vscode";
import type { Disposable } from "../../base/emitter.ts";
import {
  documentAddress,
  documentParts,
  type DocumentAddress,
  type DocumentKind,
  type DocumentParts,
} from "../../present/text/documentAddress.ts";

/** The scheme of every read-only document of the extension. */
export const DOCUMENT_SCHEME = "trading-rpc-response";

/** The documents of the extension, for features that VS Code offers by language or scheme. */
export const OWN_DOCUMENTS: vscode.DocumentFilter = { scheme: DOCUMENT_SCHEME };

/** For each kind of document, the function that writes its text. */
export type DocumentTexts = Readonly<
  Record<DocumentKind, (uri: vscode.Uri, parts: DocumentParts) => string | Promise<string>>
>;

/** Returns the address of a document (see `documentAddress`). */
export function documentUri(...address: Parameters<typeof documentAddress>): vscode.Uri {
  return uriAt(documentAddress(...address));
}

/** Returns the address as a URI of VS Code. */
export function uriAt({ path, query }: DocumentAddress): vscode.Uri {
  return vscode.Uri.from({ scheme: DOCUMENT_SCHEME, path, query });
}

/** Returns what the address of a document says; nothing for an address that the extension has not made. */
export function partsOf({ scheme, query }: vscode.Uri): DocumentParts {
  return scheme === DOCUMENT_SCHEME ? documentParts(query) : {};
}

/** Shows a document of the extension in an editor tab. */
export async function showDocument(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(uri);
  return await vscode.window.showTextDocument(document, options);
}

/** Returns the address in an argument: a CodeLens hands it over as a text, a menu of VS Code as it is. */
export function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === "string" ? vscode.Uri.parse(argument) : undefined;
}

/** Returns the document that a command is about: from the Command Palette, the one in the active editor. */
export function chosenDocument(argument: unknown): vscode.Uri | undefined {
  return uriOf(argument) ?? vscode.window.activeTextEditor?.document.uri;
}

/** Calls `closed` with the address of a document, as text, after its last tab was closed. */
export function whenClosed(closed: (key: string) => void): Disposable {
  return vscode.window.tabGroups.onDidChangeTabs((change) => {
    for (const { input } of change.closed) {
      const key = input instanceof vscode.TabInputText ? input.uri.toString() : "";
      if (key !== "" && !isOpen(key)) closed(key);
    }
  });
}

function isOpen(key: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
  );
}
