import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { checkFile, isShownByEditor, type KeptProblems } from "../../requests/checking/check.ts";
import { ENVIRONMENT_FILE_NAMES, readEnvironmentFile } from "../../requests/values/environmentFile.ts";
import type { FileProblem } from "../../requests/file/file.ts";
import { diagnosticOf, REQUEST_FILES, toRange } from "./authoringPlaces.ts";
import type { KnownNames } from "./knownNames.ts";
import type { RequestScans } from "./scans.ts";

/** The pause in typing after which a file is checked, in ms. */
const CHECK_PAUSE_MS = 300;

/**
 * Keeps the problems of open request files and environment files in the Problems view. `known`: names from outside the
 * file. `problemPage`: the page that explains them.
 */
export function createRequestChecks(
  clock: Clock,
  scans: RequestScans,
  known: KnownNames,
  problemPage: vscode.Uri,
): Disposable {
  const disposables = new DisposableList();
  const found = disposables.add(vscode.languages.createDiagnosticCollection("trading-rpc"));
  const waiting = new Map<vscode.TextDocument, Disposable>();
  const kept: KeptProblems = new WeakMap();
  const forget = (document: vscode.TextDocument): void => {
    waiting.get(document)?.dispose();
    waiting.delete(document);
  };
  const check = (document: vscode.TextDocument, pauseMs: number): void => {
    const problemsOf = problemsFor(document, { scans, known, kept });
    if (problemsOf === undefined) return;
    forget(document);
    const run = (): void => {
      waiting.delete(document);
      if (!document.isClosed)
        found.set(
          document.uri,
          problemsOf().map((problem) => diagnosticOf(toRange(document, problem.range), problem, problemPage)),
        );
    };
    waiting.set(document, clock.after(pauseMs, run));
  };
  disposables.add(vscode.workspace.onDidOpenTextDocument((document) => check(document, 0)));
  disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => check(document, CHECK_PAUSE_MS)));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      forget(document);
      found.delete(document.uri);
    }),
  );
  disposables.add({
    dispose: () => {
      for (const timer of waiting.values()) timer.dispose();
    },
  });
  const checkAll = (): void => {
    for (const document of vscode.workspace.textDocuments)
      if (hasPlaceholders(document, scans)) check(document, CHECK_PAUSE_MS);
  };
  disposables.add(known.onDidChange(checkAll));
  for (const document of vscode.workspace.textDocuments) check(document, 0);
  return disposables;
}

/** Whether anything outside of a request file can affect its problems. */
function hasPlaceholders(document: vscode.TextDocument, scans: RequestScans): boolean {
  return vscode.languages.match(REQUEST_FILES, document) > 0 && scans.of(document).text.includes("{{");
}

/** Returns a function that finds the problems of a document; undefined for a document that is not ours. */
function problemsFor(
  document: vscode.TextDocument,
  { scans, known, kept }: { readonly scans: RequestScans; readonly known: KnownNames; readonly kept: KeptProblems },
): (() => readonly FileProblem[]) | undefined {
  if (vscode.languages.match(REQUEST_FILES, document) > 0)
    return () => checkFile(scans.of(document), known.of(document), kept).filter((problem) => !isShownByEditor(problem));
  const isEnvironmentFile =
    document.uri.scheme !== "git" && ENVIRONMENT_FILE_NAMES.some((name) => document.uri.path.endsWith(`/${name}`));
  return isEnvironmentFile
    ? () =>
        readEnvironmentFile(document.uri.toString(), document.getText()).problems.filter(
          ({ code }) => code !== "syntax",
        )
    : undefined;
}
