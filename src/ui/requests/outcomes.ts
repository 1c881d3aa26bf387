import * as vscode from "vscode";
import type { Disposable, DisposableList } from "../../base/emitter.ts";
import type { FileRequest, RequestFile } from "../../requests/file/file.ts";
import { keepFailures, placeFailures, type KeptFailure } from "../../requests/expectations/keptFailures.ts";
import type { RunResult } from "../../requests/running/run.ts";
import type { StepResult } from "../../requests/running/sequence.ts";
import type { Ui } from "../ui.ts";
import { responseOf } from "../../present/requests/responseText.ts";
import { diagnosticsOf } from "./requestDocuments.ts";
import type { RequestUi } from "./requestUi.ts";

/**
 * The last outcomes of requests, however they were sent. Unexpected ones are in the Problems view until the request is
 * edited or sent again. Responses are kept for as long as they may be pinned as expectations.
 */
export interface RequestOutcomes {
  /** Records the outcome of a request of a document. `file` is the document as it was then. */
  note(document: vscode.TextDocument, file: RequestFile, result: StepResult): void;
  /** Returns the last response to a request with these parameters; undefined when it is no longer kept. */
  resultOf(document: vscode.TextDocument, request: FileRequest): RunResult | undefined;
}

/** The pause in typing after which the places of failures are found again, in ms. */
const PAUSE_MS = 300;
const MAX_KEPT = 100;
/** The maximum length of a response that is kept a second time, in UTF-16 units. */
const MAX_BODY = 4 * 1024 * 1024;

export function createRequestOutcomes(
  {
    scans,
    clock,
    problemPage,
    setContext,
  }: Pick<RequestUi, "scans" | "clock" | "problemPage"> & Pick<Ui, "setContext">,
  disposables: DisposableList,
): RequestOutcomes {
  const shown = disposables.add(vscode.languages.createDiagnosticCollection("trading-rpc-expectations"));
  const failures = new Map<string, readonly KeptFailure[]>();
  const responses = new Map<string, RunResult>();
  const waiting = new Map<string, Disposable>();
  const show = (document: vscode.TextDocument): void => {
    const key = document.uri.toString();
    waiting.get(key)?.dispose();
    waiting.delete(key);
    const placed = placeFailures(failures.get(key) ?? [], scans.of(document));
    if (placed.length === 0) failures.delete(key);
    else
      failures.set(
        key,
        placed.map(({ kept }) => kept),
      );
    shown.set(
      document.uri,
      diagnosticsOf(
        document,
        placed.map(({ kept: { message, severity }, range }) => ({ code: "expectation", message, severity, range })),
        problemPage,
      ),
    );
  };
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      if (!failures.has(key)) return;
      waiting.get(key)?.dispose();
      waiting.set(
        key,
        clock.after(PAUSE_MS, () => show(document)),
      );
    }),
  );
  disposables.add(
    vscode.workspace.onDidDeleteFiles(({ files }) => {
      for (const uri of files) {
        failures.delete(uri.toString());
        shown.delete(uri);
      }
    }),
  );
  disposables.add({
    dispose: () => {
      for (const timer of waiting.values()) timer.dispose();
    },
  });
  return {
    note(document, file, result) {
      const {
        step: { request },
        run,
        tries,
      } = result;
      if (tries === 0) return;
      const key = document.uri.toString();
      const before = failures.get(key) ?? [];
      failures.set(key, keepFailures(before, file, [{ request, failures: result.failures }]));
      if (before.length > 0 || result.failures.length > 0) show(document);
      keepResponse(responses, keyOf(document, request), run);
      if (responseOf(run.outcome) === undefined) return;
      // Lenses run their commands past VS Code, which then does not know that they ran.
      setContext("request.wasAnswered", true);
      if (request.run.expect !== undefined && result.failures.length === 0) setContext("request.wasAsExpected", true);
    },
    resultOf: (document, request) => responses.get(keyOf(document, request)),
  };
}

/** Returns the key of a request. Its expectations may change without making it a different request. */
function keyOf(document: vscode.TextDocument, { method = "", paramsText }: FileRequest): string {
  return [document.uri.toString(), method, paramsText].join("\n");
}

function keepResponse(responses: Map<string, RunResult>, key: string, run: RunResult): void {
  const response = responseOf(run.outcome);
  responses.delete(key);
  if (response === undefined || response.bodyText.length > MAX_BODY) return;
  responses.set(key, run);
  for (const oldest of [...responses.keys()].slice(0, Math.max(0, responses.size - MAX_KEPT))) responses.delete(oldest);
}
