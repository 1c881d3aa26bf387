import * as vscode from "vscode";
import type { DisposableList } from "../../base/emitter.ts";
import type { RequestFile, RequestOutline, TextRange } from "../../requests/file/file.ts";
import { namedRequests, outlineRequests } from "../../requests/file/outline.ts";
import { helpLine, type DiagnosticCode } from "../../requests/file/problemHelp.ts";
import { rescanRequests, scanRequests, type ScannedFile } from "../../requests/file/scan.ts";
import type { TextEdit } from "../../requests/file/textEdits.ts";
import { createDocumentWork, type DocumentWork, type DocumentWorkKind } from "../editor/documentWork.ts";
import { REQUEST_FILE_PATTERN } from "./files.ts";

/* Request files as documents of VS Code: what they hold, what is beside them, and how they are marked and edited. */

export const REQUEST_FILES: vscode.DocumentSelector = { pattern: REQUEST_FILE_PATTERN };

export function isRequestDocument(document: vscode.TextDocument): boolean {
  return vscode.languages.match(REQUEST_FILES, document) > 0;
}

/**
 * The request files as they are in VS Code; each version is read once, and only the part that differs from the previous
 * one.
 */
export interface RequestScans {
  of(document: vscode.TextDocument): RequestFile;
  /** Returns the names of the requests, each with the first one that has it. */
  named(document: vscode.TextDocument): ReadonlyMap<string, RequestOutline>;
}

export function createRequestScans(): RequestScans {
  const scans = new WeakMap<vscode.TextDocument, { readonly version: number; readonly file: ScannedFile }>();
  const named = new WeakMap<RequestFile, ReadonlyMap<string, RequestOutline>>();
  const of = (document: vscode.TextDocument): RequestFile => {
    const before = scans.get(document);
    if (before?.version === document.version) return before.file;
    const text = document.getText();
    const file = before === undefined ? scanRequests(text) : rescanRequests(before.file, text);
    scans.set(document, { version: document.version, file });
    return file;
  };
  return {
    of,
    named(document) {
      const file = of(document);
      const found = named.get(file) ?? namedRequests(outlineRequests(file));
      named.set(file, found);
      return found;
    },
  };
}

export function toRange(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Returns edits of a document as an edit of VS Code. */
export function editOf(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of edits) edit.replace(document.uri, toRange(document, range), newText);
  return edit;
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Information,
};

/** What a diagnostic says of a place in a document; without a severity, it is a hint. */
interface Finding {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly severity?: keyof typeof SEVERITIES;
  readonly range: TextRange;
}

/** Returns findings as diagnostics: the code of each leads to the line of `page` that explains it. */
export function diagnosticsOf(
  document: vscode.TextDocument,
  findings: readonly Finding[],
  page: vscode.Uri,
): vscode.Diagnostic[] {
  return findings.map(({ code, message, severity = "hint", range }) => {
    const made = new vscode.Diagnostic(toRange(document, range), message, SEVERITIES[severity]);
    made.source = "Trading RPC";
    made.code = { value: code, target: page.with({ fragment: `L${String(helpLine(code))}` }) };
    return made;
  });
}

/** Work that finds something to show in the Problems view. */
interface FindingWork<Found extends Finding> extends Pick<
  DocumentWorkKind<readonly Found[]>,
  "clock" | "isWanted" | "stepsFor"
> {
  readonly isShown?: (document: vscode.TextDocument, finding: Found) => boolean;
  readonly problemPage: vscode.Uri;
}

/** Keeps what is found in open documents in the Problems view. `name`: of the collection of VS Code. */
export function keepFindings<Found extends Finding>(
  name: string,
  { isShown = () => true, problemPage, ...work }: FindingWork<Found>,
  disposables: DisposableList,
): DocumentWork {
  const shown = disposables.add(vscode.languages.createDiagnosticCollection(name));
  const take = (document: vscode.TextDocument, found: readonly Found[]): void => {
    const wanted = found.filter((finding) => isShown(document, finding));
    shown.set(document.uri, diagnosticsOf(document, wanted, problemPage));
  };
  return createDocumentWork({ ...work, take, forget: ({ uri }) => shown.delete(uri) }, disposables);
}

/** Returns what names the folder of a request file. Unsaved files share one. */
export function folderKey(uri: vscode.Uri): string {
  return uri.scheme === "untitled" ? "untitled:" : vscode.Uri.joinPath(uri, "..").toString();
}

/** Returns the saved request files of the folder of a file, up to a limit that no user reaches. */
export async function filesOfFolder(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), "*.rpc.json");
  return await vscode.workspace.findFiles(pattern, undefined, MAX_FILES);
}

const MAX_FILES = 200;

/** Returns the document of a file if it is open in VS Code. */
export function openDocument(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri);
}

/** Returns the text of a saved file; undefined if it has more bytes. Rejects if it can't be read. */
export async function storedText(uri: vscode.Uri, maxBytes: number): Promise<string | undefined> {
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > maxBytes ? undefined : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
