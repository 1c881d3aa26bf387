import * as vscode from "vscode";
import type { DisposableList } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { pinExpectation as pinningOf } from "../../requests/expectations/pinExpectation.ts";
import { lastBefore } from "../../requests/file/cursor.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import type { RunResult } from "../../requests/running/run.ts";
import { labelOf } from "../../requests/values/references.ts";
import { chosenDocument, uriOf } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import { notKept, type ResponseDocuments } from "../responses/responseDocuments.ts";
import { openFile } from "./files.ts";
import type { RequestOutcomes } from "./outcomes.ts";
import { editOf, REQUEST_FILES, toRange } from "./requestDocuments.ts";
import { documentOf, requestOf } from "./requestEditor.ts";
import type { RequestUi } from "./requestUi.ts";

const TOLD_MS = 5000;

/** Makes the commands "Create Expectation from Response", and offers them in files: it is expected from then on. */
export function createPins(
  ui: Pick<RequestUi, "scans" | "dialogs"> & {
    readonly outcomes: RequestOutcomes;
    readonly responses: ResponseDocuments;
  },
  disposables: DisposableList,
): Handlers {
  const { scans, outcomes, responses } = ui;
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      REQUEST_FILES,
      {
        provideCodeActions(document, range) {
          const at = document.offsetAt(range.start);
          const request = lastBefore(scans.of(document), at + 1);
          const isHere = request !== undefined && at <= request.range.end;
          return isHere && outcomes.resultOf(document, request) !== undefined ? [actionFor(document, request)] : [];
        },
      },
      { providedCodeActionKinds: [PIN_KIND] },
    ),
  );
  return {
    "tradingRpc.request.pin": async (file, index) => {
      const document = await documentOf(uriOf(file));
      const request = requestOf(document, scans.of(document), index);
      const result = outcomes.resultOf(document, request);
      if (result === undefined)
        throw refused(l10n.t("No response to create an expectation from. Send the request first."));
      await pinInDocument(document, request, result, ui);
    },
    "tradingRpc.response.pin": async (response) => {
      const uri = chosenDocument(response);
      const result = uri && responses.find(uri)?.source.result;
      if (uri === undefined || result === undefined) throw notKept();
      const document = await openFile(fileOf(uri));
      const request = scans.of(document).requests.find((each) => outcomes.resultOf(document, each) === result);
      if (request === undefined)
        throw refused(l10n.t("The request was changed or resent after this response. Send the request again."));
      await pinInDocument(document, request, result, ui);
    },
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
  request: FileRequest,
  result: RunResult,
  { scans, dialogs }: Pick<RequestUi, "scans" | "dialogs">,
): Promise<void> {
  const pinning = pinningOf(scans.of(document), request, result);
  if (pinning.kind === "refused") throw refused(pinning.reason);
  const [first] = pinning.edits.toSorted((a, b) => a.range.start - b.range.start);
  if (!(await vscode.workspace.applyEdit(editOf(document, pinning.edits))))
    throw refused(l10n.t("The file can't be edited."));
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(document),
    preserveFocus: false,
  });
  if (first !== undefined) {
    const { start } = first.range;
    editor.revealRange(
      toRange(document, { start, end: start + first.newText.length }),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }
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
