import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { inSlices, type SlicedWork, type Steps } from "../../base/slices.ts";

/** The pause in typing after which the work for a document begins, in ms. */
const TYPING_PAUSE_MS = 300;

/** Work that is done for each open document, and again after each change. */
export interface DocumentWork {
  /** Does the work for a document again after a pause. What is under way for it is abandoned. */
  start(document: vscode.TextDocument, pauseMs?: number): void;
  /** Does the work for a document again now, if it is under way: what comes first in it is different now. */
  startOver(document: vscode.TextDocument): void;
}

/** The kind of the work. */
export interface DocumentWorkKind<Found> {
  readonly clock: Clock;
  /** Whether there is work for a document. */
  readonly isWanted: (document: vscode.TextDocument) => boolean;
  readonly stepsFor: (document: vscode.TextDocument) => Steps<Found>;
  /** Takes what was found: the document is as it was when the work began. */
  readonly take: (document: vscode.TextDocument, found: Found) => void;
  /** Called when a document closes. */
  readonly forget: (document: vscode.TextDocument) => void;
}

/**
 * Does work for the open documents and for those that are opened, in slices. When a document changes, its work is
 * abandoned and begins again after a pause in typing.
 */
export function createDocumentWork<Found>(
  { clock, isWanted, stepsFor, take, forget }: DocumentWorkKind<Found>,
  disposables: DisposableList,
): DocumentWork {
  const waiting = new Map<vscode.TextDocument, Disposable>();
  const underWay = new Map<vscode.TextDocument, SlicedWork>();
  const abandon = (document: vscode.TextDocument): void => {
    for (const each of [waiting, underWay]) {
      each.get(document)?.dispose();
      each.delete(document);
    }
  };
  const begin = (document: vscode.TextDocument): void => {
    abandon(document);
    if (!document.isClosed)
      underWay.set(
        document,
        inSlices(clock, stepsFor(document), (found) => take(document, found)),
      );
  };
  const start = (document: vscode.TextDocument, pauseMs = TYPING_PAUSE_MS): void => {
    if (!isWanted(document)) return;
    abandon(document);
    waiting.set(
      document,
      clock.after(pauseMs, () => begin(document)),
    );
  };
  disposables.add(vscode.workspace.onDidOpenTextDocument((document) => start(document, 0)));
  disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => start(document)));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      abandon(document);
      forget(document);
    }),
  );
  disposables.add({ dispose: () => [...waiting.keys(), ...underWay.keys()].forEach(abandon) });
  for (const document of vscode.workspace.textDocuments) start(document, 0);
  return {
    start,
    startOver(document) {
      if (underWay.get(document)?.isDone === false) begin(document);
    },
  };
}

/** Returns what is found in slices; undefined once VS Code does not want it any more. */
export async function foundInSlices<Found>(
  clock: Clock,
  work: Steps<Found>,
  token: vscode.CancellationToken,
): Promise<Found | undefined> {
  const disposables = new DisposableList();
  const found = await new Promise<Found | undefined>((resolve) => {
    disposables.add(inSlices(clock, work, resolve));
    disposables.add(token.onCancellationRequested(() => resolve(undefined)));
  });
  disposables.dispose();
  return found;
}
