import * as vscode from "vscode";
import { responseShare } from "../../present/requests/responseWidth.ts";
import type { AskedRequest } from "../../actions/intent/question.ts";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { type CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import {
  responseAddress,
  responseDocument,
  savedResponseText,
  type ResponseAction,
  type ResponseDocument,
  type ResponseSource,
} from "../../present/requests/responseText.ts";
import { wholeRequestLines } from "../../requests/writing/wholeRequest.ts";
import type { Environment } from "../../state/records.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { documentUri, DOCUMENT_SCHEME, OWN_DOCUMENTS, partsOf, showDocument, uriAt } from "../editor/documents.ts";
import type { Settings } from "../editor/settings.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/** Read-only documents that show the outcome of a request: one for each file and connection. */
export interface ResponseDocuments extends Disposable {
  /** Shows a response instead of the last one of its file and connection. Resolves to its address. */
  show(shown: ShownResponse): Promise<vscode.Uri>;
  /** Shows a document about several responses, instead of the last one of the same file. */
  showReport(report: ShownReport): Promise<vscode.Uri>;
  /** Updates the response of a document with new information. */
  update(uri: vscode.Uri, change: (source: ResponseSource) => ResponseSource): void;
  /** Returns the text of a document; a comment that says so if it is no longer kept. */
  text(uri: vscode.Uri): string;
  /** Returns the response that actions apply to; undefined when it is no longer kept. */
  find(uri: vscode.Uri): KeptResponse | undefined;
  /** Returns the text that Save writes of a document; undefined if there is nothing to save. */
  saved(uri: vscode.Uri): SavedText | undefined;
  /** Shows a document side by side with the previous response in it. */
  comparePrevious(uri: vscode.Uri): Promise<void>;
  /** Shows what was received, side by side with a file that the user chooses. */
  compareSaved(uri: vscode.Uri): Promise<void>;
  /** Shows the whole of a request that awaits confirmation and is not sent. */
  showRequest(request: AskedRequest): Promise<vscode.Uri>;
  /** Keeps a text to be compared with another one, and returns its address. */
  keepText(title: string, text: string): vscode.Uri;
  readonly onDidChange: Event<void>;
}

/** A document about several responses. */
export interface ShownReport {
  readonly fileUri: string;
  readonly environment: Environment;
  /** The part of the title that tells it apart from the responses of the file: "run". */
  readonly part: string;
  readonly text: string;
  readonly savedText: () => string;
  readonly folder: vscode.Uri | undefined;
}

export interface SavedText {
  /** Returns the text, which is written on demand: it can have megabytes. */
  readonly text: () => string;
  /** The name of the file that Save offers. */
  readonly name: string;
  readonly folder: vscode.Uri | undefined;
}

/** A response with its file and request. */
export interface ShownResponse extends KeptResponse {
  /** The address of the file that it belongs to, or any other text that tells responses apart. */
  readonly fileUri: string;
  /** The request of the file, if each has a document of its own. */
  readonly part?: string | undefined;
}

export interface KeptResponse {
  readonly source: ResponseSource;
  /** The connection over which the request was sent; without it, the objects in the response have no actions. */
  readonly connectionId?: string;
  /** The folder that Save offers; undefined if there is no preferred one. */
  readonly folder: vscode.Uri | undefined;
  readonly sendAnyway?: () => Promise<void>;
  readonly checkAgain?: () => Promise<void>;
}

interface Entry {
  readonly document: ResponseDocument;
  /** The response; undefined for a text that is not a response. */
  readonly response: KeptResponse | undefined;
  readonly saved: SavedText | undefined;
}

/** The maximum number of responses that are kept: one can have millions of characters. */
const MAX_KEPT = 50;

const COMMANDS: Readonly<Record<ResponseAction, CommandId | "tradingRpc.orders.focus">> = {
  save: "tradingRpc.response.save",
  sendAnyway: "tradingRpc.response.sendAnyway",
  showOrders: "tradingRpc.orders.focus",
  checkAgain: "tradingRpc.response.checkAgain",
  comparePrevious: "tradingRpc.response.comparePrevious",
  compareSaved: "tradingRpc.response.compareSaved",
  pin: "tradingRpc.response.pin",
  copySignature: "tradingRpc.response.copySignature",
};

export function createResponseDocuments({
  changes,
  settings,
  dialogs,
}: {
  /** Tells VS Code to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  readonly settings: Settings;
  readonly dialogs: Dialogs;
}): ResponseDocuments {
  const kept = new Map<string, Entry>();
  const disposables = new DisposableList();
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  const put = (uri: vscode.Uri, entry: Entry): void => {
    const key = uri.toString();
    kept.delete(key);
    kept.set(key, entry);
    forgetOldest(kept);
    changes.fire(uri);
    lensChanges.fire();
  };
  const keepText: ResponseDocuments["keepText"] = (title, text) => {
    const uri = documentUri("response", title, {});
    put(uri, { document: { text, lenses: [] }, response: undefined, saved: undefined });
    return uri;
  };
  const reveal = async (uri: vscode.Uri): Promise<vscode.Uri> => {
    const share = newColumnShare(responseColumn(uri, settings), kept.get(uri.toString())?.document.text ?? "");
    const show = async (): Promise<vscode.TextEditor> =>
      await showDocument(uri, { viewColumn: responseColumn(uri, settings), preserveFocus: true, preview: true });
    // VS Code refuses when the user opens another one at the same moment.
    const editor = await show().catch(show);
    editor.revealRange(new vscode.Range(0, 0, 0, 0));
    if (share !== undefined) await setColumns(share);
    return uri;
  };
  disposables.add(
    vscode.languages.registerCodeLensProvider(OWN_DOCUMENTS, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses: ({ uri }) =>
        settings.requests(uri).hasResponseLens ? lensesOf(uri, kept.get(uri.toString())) : [],
    }),
  );
  return {
    async show({ fileUri, part, ...response }) {
      const { environment, connectionName } = response.source;
      const shared = uriAt(responseAddress(fileUri, environment, { part }));
      const other = kept.get(shared.toString())?.response?.source.connectionName;
      // The response of one connection does not take the place of another one's, and is not compared with it as the one
      // before.
      const uri =
        other === undefined || other === connectionName
          ? shared
          : uriAt(responseAddress(fileUri, environment, { part, connectionName }));
      const before = kept.get(uri.toString());
      if (before?.saved !== undefined) put(withMark(uri, "previous"), before);
      put(
        uri,
        entryOf(
          before?.saved === undefined ? response : { ...response, source: { ...response.source, hasPrevious: true } },
        ),
      );
      return await reveal(uri);
    },
    async showReport({ fileUri, environment, part, text, savedText, folder }) {
      const uri = uriAt(responseAddress(fileUri, environment, { part }));
      const saved = { text: savedText, name: `${part}.response.json`, folder };
      put(uri, {
        response: undefined,
        saved,
        document: { text, lenses: [{ line: 0, text: l10n.t("Save Response…"), action: "save" }] },
      });
      return await reveal(uri);
    },
    showRequest: async (request) =>
      await reveal(keepText(l10n.t("{0} ▸ not sent", plain.name(request.method)), unsentText(request))),
    update(uri, change) {
      const response = kept.get(uri.toString())?.response;
      if (response !== undefined) put(uri, entryOf({ ...response, source: change(response.source) }));
    },
    text: (uri) =>
      kept.get(uri.toString())?.document.text ??
      `// ${l10n.t("This response wasn't kept after the reload. Send the request again.")}\n`,
    find: (uri) => kept.get(uri.toString())?.response,
    saved: (uri) => kept.get(uri.toString())?.saved,
    async comparePrevious(uri) {
      if (!kept.has(uri.toString())) throw notKept();
      const previous = withMark(uri, "previous");
      if (!kept.has(previous.toString())) throw refused(l10n.t("The previous response isn't available."));
      await vscode.commands.executeCommand(
        "vscode.diff",
        previous,
        uri,
        l10n.t("{0}: before ↔ now", plain.text(partsOf(uri).t ?? "")),
      );
    },
    async compareSaved(uri) {
      const saved = kept.get(uri.toString())?.saved;
      if (saved === undefined) throw notKept();
      const { folder, name, text } = saved;
      const file = await dialogs.chooseFile({
        title: l10n.t("Select a File to Compare"),
        button: l10n.t("Compare"),
        folder,
        name,
        types: { JSON: ["json"] },
      });
      if (file === undefined) return;
      const received = withMark(uri, "received");
      put(received, { document: { text: text(), lenses: [] }, response: undefined, saved });
      await vscode.commands.executeCommand(
        "vscode.diff",
        file,
        received,
        l10n.t("{0} ↔ {1}", plain.text(vscode.workspace.asRelativePath(file)), plain.text(partsOf(uri).t ?? "")),
      );
    },
    keepText,
    onDidChange: lensChanges.event,
    dispose: () => disposables.dispose(),
  };
}

function unsentText(request: AskedRequest): string {
  return [
    `// ${l10n.t("Not sent. Review the request, then send it again to confirm it.")}`,
    ...wholeRequestLines(request),
    "",
  ].join("\n");
}

function entryOf(response: KeptResponse): Entry {
  const { source, folder } = response;
  const { result } = source;
  const isReceived = result.outcome.kind !== "notSent" && result.outcome.response !== undefined;
  const saved = !isReceived
    ? undefined
    : {
        text: () => savedResponseText(result) ?? "",
        name: `${result.intent.method.split("/").at(-1) ?? "response"}.response.json`,
        folder,
      };
  return { response, document: responseDocument(source), saved };
}

/** Returns the address of a text that is shown beside a document. */
function withMark(uri: vscode.Uri, mark: "previous" | "received"): vscode.Uri {
  return uri.with({ query: JSON.stringify({ ...partsOf(uri), mark }) });
}

/** Returns the error for a document whose response is no longer kept. */
export function notKept(): CallError {
  return refused(l10n.t("This response isn't available any more. Send the request again."));
}

/**
 * Returns the lenses: buttons first, where a narrow column does not hide them; sentences below the head, one to a line.
 */
function lensesOf(uri: vscode.Uri, entry: Entry | undefined): vscode.CodeLens[] {
  const lenses = entry?.document.lenses ?? [];
  const sentences = lenses.filter((lens) => lens.action === undefined);
  return [...lenses.filter((lens) => lens.action !== undefined), ...sentences].map((lens) => {
    const { text, action } = lens;
    const before = lens.line === 0 ? 0 : sentences.filter((each) => each.line === lens.line).indexOf(lens);
    const line = lens.line + before;
    const command: vscode.Command =
      action === undefined
        ? { title: text, command: "" }
        : { title: text, command: COMMANDS[action], arguments: [uri.toString()] };
    return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
  });
}

/**
 * Returns the column where a response already is, else that beside the request; beside nothing, the column would be
 * empty.
 */
export function responseColumn(uri: vscode.Uri, settings: Settings): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const group = all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === DOCUMENT_SCHEME),
  );
  if (group !== undefined) return group.viewColumn;
  return settings.requests(uri).openResponseToTheSide && activeTabGroup.tabs.length > 0
    ? vscode.ViewColumn.Beside
    : vscode.ViewColumn.Active;
}

/**
 * Returns the share of the width for a response whose column is new; undefined where a column is there already, whose
 * width is the user's, or where VS Code opens it below.
 */
function newColumnShare(column: vscode.ViewColumn, text: string): number | undefined {
  const { activeTextEditor, tabGroups } = vscode.window;
  if (column !== vscode.ViewColumn.Beside || tabGroups.all.length !== 1 || activeTextEditor === undefined)
    return undefined;
  const direction = vscode.workspace.getConfiguration("workbench.editor").get("openSideBySideDirection");
  return direction === "down" ? undefined : responseShare(activeTextEditor.document.getText(), text);
}

/** Gives the second of two columns its share. An extension can set the widths of all columns together alone. */
async function setColumns(share: number): Promise<void> {
  if (vscode.window.tabGroups.all.length !== 2) return;
  const groups = [{ size: 1 - share }, { size: share }];
  await vscode.commands.executeCommand("vscode.setEditorLayout", { orientation: 0, groups });
}

function forgetOldest(kept: Map<string, Entry>): void {
  if (kept.size <= MAX_KEPT) return;
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (const key of [...kept.keys()].slice(0, -1)) {
    if (kept.size <= MAX_KEPT) return;
    if (!open.has(key)) kept.delete(key);
  }
}

/** Writes a whole response, as JSON alone, to a file that the user chooses. */
export async function saveResponse(saved: SavedText | undefined, dialogs: Dialogs): Promise<void> {
  if (saved === undefined) {
    dialogs.tell("information", l10n.t("Nothing to save: no response was received."));
    return;
  }
  const { text, name, folder } = saved;
  await dialogs.saveText({ folder, name, types: { JSON: ["json"] } }, text);
}
