import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import type { Steps } from "../../base/slices.ts";
import { checkInSteps, isShownByEditor, type KeptFindings } from "../../requests/checking/check.ts";
import { ENVIRONMENT_FILE_NAMES, readEnvironmentFile } from "../../requests/values/environmentFile.ts";
import type { FileProblem, FileRequest } from "../../requests/file/file.ts";
import { diagnosticOf, REQUEST_FILES, toRange } from "./authoringPlaces.ts";
import { createDocumentWork } from "../editor/documentWork.ts";
import type { KnownNames } from "./knownNames.ts";
import type { RequestScans } from "./scans.ts";

/**
 * Keeps the problems of open request files and environment files in the Problems view. Of a long file, those of what is
 * on the screen come first. `known`: names from outside the file. `problemPage`: the page that explains them.
 */
export function createRequestChecks(
  clock: Clock,
  scans: RequestScans,
  known: KnownNames,
  problemPage: vscode.Uri,
): Disposable {
  const disposables = new DisposableList();
  const found = disposables.add(vscode.languages.createDiagnosticCollection("trading-rpc"));
  const kept: KeptFindings = new WeakMap();
  const checks = disposables.add(
    createDocumentWork({
      clock,
      isWanted: (document) => isRequestFile(document) || isEnvironmentFile(document),
      stepsFor: (document) =>
        isRequestFile(document)
          ? checkInSteps(scans.of(document), { known: known.of(document), kept, isFirst: isOnScreen(document) })
          : environmentProblems(document),
      take: (document, problems) =>
        found.set(
          document.uri,
          problems
            .filter((problem) => !isShownElsewhere(document, problem))
            .map((problem) => diagnosticOf(toRange(document, problem.range), problem, problemPage)),
        ),
      forget: ({ uri }) => found.delete(uri),
    }),
  );
  disposables.add(
    known.onDidChange(() => {
      for (const document of vscode.workspace.textDocuments)
        if (hasPlaceholders(document, scans)) checks.start(document);
    }),
  );
  disposables.add(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => checks.startOver(textEditor.document)),
  );
  disposables.add(
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const { document } of editors) checks.startOver(document);
    }),
  );
  return disposables;
}

/** Returns a function that tells whether a request of a document is on the screen. */
function isOnScreen(document: vscode.TextDocument): (request: FileRequest) => boolean {
  const seen = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
  return ({ range }) => seen.some(({ start, end }) => range.start <= end && range.end >= start);
}

function isRequestFile(document: vscode.TextDocument): boolean {
  return vscode.languages.match(REQUEST_FILES, document) > 0;
}

function isEnvironmentFile({ uri }: vscode.TextDocument): boolean {
  return uri.scheme !== "git" && ENVIRONMENT_FILE_NAMES.some((name) => uri.path.endsWith(`/${name}`));
}

/** Finds the problems of an environment file in one step: it has hardly more than a hundred lines. */
function* environmentProblems(document: vscode.TextDocument): Steps<readonly FileProblem[]> {
  const { problems } = readEnvironmentFile(document.uri.toString(), document.getText());
  yield undefined;
  return problems;
}

/** Whether VS Code's own support for JSON reports a problem. */
function isShownElsewhere(document: vscode.TextDocument, problem: FileProblem): boolean {
  return isRequestFile(document) ? isShownByEditor(problem) : problem.code === "syntax";
}

/** Whether anything outside of a request file can affect its problems. */
function hasPlaceholders(document: vscode.TextDocument, scans: RequestScans): boolean {
  return isRequestFile(document) && scans.of(document).text.includes("{{");
}
