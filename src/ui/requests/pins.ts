import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import { pinExpectation as pinningOf } from "../../requests/expectations/pinExpectation.ts";
import { labelOf } from "../../requests/values/references.ts";
import type { RunResult } from "../../requests/running/run.ts";
import { REQUEST_FILES } from "./authoringPlaces.ts";
import { documentOf, requestOf } from "./requestEditor.ts";
import { openFile } from "./files.ts";
import type { RequestOutcomes } from "./outcomes.ts";
import type { RequestScans } from "./scans.ts";

/** The action "Create Expectation from Response": a response is expected from now on. */
export interface Pins extends Disposable {
  /** Pins the last response of the request with this index, or of the one at the cursor of the active editor. */
  pin(uri: vscode.Uri | undefined, index: number | undefined): Promise<void>;
  /** Pins a response that a document shows, in the file that it belongs to. */
  pinResponse(responseUri: vscode.Uri, result: RunResult): Promise<void>;
}

interface PinsPorts {
  readonly dialogs: Dialogs;
  readonly scans: RequestScans;
  readonly outcomes: RequestOutcomes;
}

const TOLD_MS = 5000;

export function createPins({ scans, outcomes, dialogs }: PinsPorts): Pins {
  const disposables = new DisposableList();
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      REQUEST_FILES,
      {
        provideCodeActions(document, range) {
          const request = requestAt(scans, document, range.start);
          return request === undefined || outcomes.resultOf(document, request) === undefined
            ? []
            : [actionFor(document, request)];
        },
      },
      { providedCodeActionKinds: [PIN_KIND] },
    ),
  );
  return {
    async pin(uri, index) {
      const document = await documentOf(uri);
      const request = requestOf(document, scans.of(document), index);
      const result = outcomes.resultOf(document, request);
      if (result === undefined)
        throw refused(l10n.t("No response to create an expectation from. Send the request first."));
      await pinInDocument(document, { dialogs, scans, request, result });
    },
    async pinResponse(responseUri, result) {
      const document = await openFile(fileOf(responseUri));
      const request = scans.of(document).requests.find((each) => outcomes.resultOf(document, each) === result);
      if (request === undefined)
        throw refused(l10n.t("The request was changed or resent after this response. Send the request again."));
      await pinInDocument(document, { dialogs, scans, request, result });
    },
    dispose: () => disposables.dispose(),
  };
}

/** Returns the file that a response belongs to: `responseAddress` writes it into the response's address. */
function fileOf({ query }: vscode.Uri): vscode.Uri {
  const { file } = JSON.parse(query) as { readonly file?: unknown };
  if (typeof file !== "string" || !file.endsWith(".rpc.json"))
    throw refused(l10n.t("This response doesn't belong to a request file."));
  return vscode.Uri.parse(file, true);
}

const PIN_KIND = vscode.CodeActionKind.RefactorRewrite.append("pinExpectation");

function actionFor(document: vscode.TextDocument, request: FileRequest): vscode.CodeAction {
  const action = new vscode.CodeAction(l10n.t("Create Expectation from Response"), PIN_KIND);
  action.command = {
    title: action.title,
    command: "tradingRpc.request.pin",
    arguments: [document.uri.toString(), request.index],
  };
  return action;
}

/** Writes a response into `$run.expect` of its request, as an edit that can be undone. Does not save the file. */
async function pinInDocument(
  document: vscode.TextDocument,
  {
    dialogs,
    scans,
    request,
    result,
  }: {
    readonly dialogs: Dialogs;
    readonly scans: RequestScans;
    readonly request: FileRequest;
    readonly result: RunResult;
  },
): Promise<void> {
  const pinning = pinningOf(scans.of(document), request, result);
  if (pinning.kind === "refused") throw refused(pinning.reason);
  const edit = new vscode.WorkspaceEdit();
  const [first] = pinning.edits.toSorted((a, b) => a.range.start - b.range.start);
  for (const { range, newText } of pinning.edits)
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(range.start), document.positionAt(range.end)),
      newText,
    );
  if (!(await vscode.workspace.applyEdit(edit))) throw refused(l10n.t("The file can't be edited."));
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(document),
    preserveFocus: false,
  });
  if (first !== undefined)
    editor.revealRange(
      new vscode.Range(
        document.positionAt(first.range.start),
        document.positionAt(first.range.start + first.newText.length),
      ),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  dialogs.tellInPassing(
    l10n.t("Expectation added to {0}. The file isn't saved yet, and you can undo the edit.", labelOf(request)),
    TOLD_MS,
  );
}

function columnOf(document: vscode.TextDocument): vscode.ViewColumn {
  return (
    vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn ??
    vscode.ViewColumn.Active
  );
}

function requestAt(
  scans: RequestScans,
  document: vscode.TextDocument,
  position: vscode.Position,
): FileRequest | undefined {
  const at = document.offsetAt(position);
  return scans.of(document).requests.find(({ range }) => range.start <= at && at <= range.end);
}
