import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { allAtOnce } from "../../base/slices.ts";
import { maxScopeText } from "../../present/requests/newRequests.ts";
import { checkRequest, repeatedName } from "../../requests/checking/check.ts";
import type { FileProblem, FileRequest, RequestFile, TextRange } from "../../requests/file/file.ts";
import { allowEnvironment, fixesOf, type Fix, type FixKnowledge } from "../../requests/checking/fixes.ts";
import { hintsOf, type FileHint } from "../../requests/file/hints.ts";
import { namedRequests } from "../../requests/file/outline.ts";
import { environmentName } from "../../requests/file/readRequest.ts";
import {
  diagnosticOf,
  liveTarget,
  placeholderNames,
  REQUEST_FILES,
  toRange,
  type OutlinedPorts,
} from "./authoringPlaces.ts";
import { createDocumentWork } from "../editor/documentWork.ts";
import { createStepHints, whenInstrumentsAreKnown, type StepHints } from "./stepHints.ts";

/** Registers quick fixes for the problems that the checks of request files find, and hints that are not errors. */
export function createFixes(ports: OutlinedPorts): Disposable {
  const disposables = new DisposableList();
  const steps = createStepHints();
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      REQUEST_FILES,
      {
        provideCodeActions: (document, range, { diagnostics }) => [
          ...actionsAt(document, { range, diagnostics }, ports),
          ...stepActions(document, { range, diagnostics }, { ...ports, steps }),
        ],
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  disposables.add(createHints({ ...ports, steps }));
  return disposables;
}

interface Asked {
  readonly range: vscode.Range;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

function actionsAt(
  document: vscode.TextDocument,
  { range, diagnostics }: Asked,
  ports: OutlinedPorts,
): vscode.CodeAction[] {
  const file = ports.scans.of(document);
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const asked = file.requests
    .filter((request) => request.range.start <= end && request.range.end >= start)
    .slice(0, MAX_REQUESTS);
  const actions = asked.flatMap((request) =>
    requestActions(document, { file, request, start, end, diagnostics }, ports),
  );
  return [...actions, ...environmentActions(document, file, { range, diagnostics }, ports)];
}

/** The number of requests of a selection for which fixes are looked for: the first ones. */
const MAX_REQUESTS = 20;

interface AskedRequest {
  readonly file: RequestFile;
  readonly request: FileRequest;
  readonly start: number;
  readonly end: number;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

function requestActions(
  document: vscode.TextDocument,
  { file, request, start, end, diagnostics }: AskedRequest,
  ports: OutlinedPorts,
): vscode.CodeAction[] {
  const names = placeholderNames(document.uri, { file, request, outlines: ports.outlinesOf(file) }, ports);
  const known = { isKnown: (path: string): boolean => names.lookup(path) !== undefined };
  const first = namedRequests(ports.outlinesOf(file)).get(request.run.name ?? "");
  const problems = [...checkRequest(file, request, known), ...repeatedName(file, request, first?.index)].filter(
    (problem) => problem.range.start <= end && problem.range.end >= start,
  );
  if (problems.length === 0) return [];
  const knowledge: FixKnowledge = {
    names: [
      ...names.variables,
      ...namedRequests(ports.outlinesOf(file)).keys(),
      ...names.results.map(({ name }) => name),
    ],
    scopeOfKey: scopeReader(document, ports),
  };
  return problems.flatMap((problem) =>
    fixesOf(file, problem, knowledge).map((fix) =>
      actionOf(document, fix, diagnosticsAt(document, problem, diagnostics)),
    ),
  );
}

function scopeReader(document: vscode.TextDocument, ports: OutlinedPorts): FixKnowledge["scopeOfKey"] {
  return (id) => {
    const keys = liveTarget(document.uri, ports)?.apiKeys.snapshot.items.values() ?? [];
    const known = [...keys].find((each) => each.id === id);
    return known === undefined ? undefined : maxScopeText(known);
  };
}

/** Returns the diagnostics that a fix is for: ours, and those of VS Code's JSON support at the same place. */
function diagnosticsAt(
  document: vscode.TextDocument,
  { range }: Pick<FileProblem, "range">,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.Diagnostic[] {
  const place = toRange(document, range);
  return diagnostics.filter((each) => each.range.intersection(place) !== undefined);
}

function actionOf(
  document: vscode.TextDocument,
  { title, edits, isLikely }: Fix,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of edits) action.edit.replace(document.uri, toRange(document, range), newText);
  action.diagnostics = diagnostics;
  action.isPreferred = isLikely;
  return action;
}

/** Returns a fix that allows the file to be sent to the environment: only offered, never as the preferred fix. */
function environmentActions(
  document: vscode.TextDocument,
  file: RequestFile,
  { diagnostics }: Asked,
  { targets }: OutlinedPorts,
): vscode.CodeAction[] {
  const target = targets.of(document.uri);
  const found = diagnostics.filter(
    ({ source, code }) => source === "Trading RPC" && typeof code === "object" && code.value === "environment",
  );
  if (found.length === 0 || target === undefined) return [];
  const fix = allowEnvironment(file, environmentName(target.environment));
  return fix.edits.length === 0 ? [] : [actionOf(document, fix, found)];
}

/** Returns fixes that put the nearest price or amount of the instrument in the place of another one. */
function stepActions(
  document: vscode.TextDocument,
  { range, diagnostics }: Asked,
  { scans, steps, ...ports }: HintPorts,
): vscode.CodeAction[] {
  const { text, requests } = scans.of(document);
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const isHere = (place: TextRange): boolean => place.start <= end && place.end >= start;
  const asked = { text, requests: requests.filter((request) => isHere(request.range)).slice(0, MAX_REQUESTS) };
  return allAtOnce(steps.in(asked, liveTarget(document.uri, ports)))
    .filter((hint) => isHere(hint.range))
    .flatMap((hint) =>
      (hint.nearest ?? []).map((newText) =>
        actionOf(
          document,
          {
            title: l10n.t(
              "Change {0} to {1}",
              plain.text(text.slice(hint.range.start, hint.range.end)),
              plain.text(newText),
            ),
            edits: [{ range: hint.range, newText }],
            isLikely: false,
          },
          diagnosticsAt(document, hint, diagnostics),
        ),
      ),
    );
}

interface HintPorts extends OutlinedPorts {
  readonly steps: StepHints;
}

/** Keeps hints about open request files in the Problems view, as information. */
function createHints({ scans, targets, liveConnections, clock, steps, problemPage }: HintPorts): Disposable {
  const disposables = new DisposableList();
  const found = disposables.add(vscode.languages.createDiagnosticCollection("trading-rpc-hints"));
  const hints = disposables.add(
    createDocumentWork<readonly FileHint[]>({
      clock,
      isWanted: (document) => vscode.languages.match(REQUEST_FILES, document) > 0,
      *stepsFor(document) {
        const file = scans.of(document);
        return [
          ...(yield* hintsOf(file, targets.of(document.uri)?.environment)),
          ...(yield* steps.in(file, liveTarget(document.uri, { targets, liveConnections }))),
        ];
      },
      take: (document, all) =>
        found.set(
          document.uri,
          all.map(({ code, message, range }) =>
            diagnosticOf(toRange(document, range), { code, message, severity: "hint" }, problemPage),
          ),
        ),
      forget: ({ uri }) => found.delete(uri),
    }),
  );
  const lookAtAll = (): void => {
    for (const document of vscode.workspace.textDocuments) hints.start(document, 0);
  };
  disposables.add(targets.onDidChange(lookAtAll));
  disposables.add(whenInstrumentsAreKnown(liveConnections, lookAtAll));
  return disposables;
}
