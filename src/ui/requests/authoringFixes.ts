import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { DisposableList } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { allAtOnce, type Steps } from "../../base/slices.ts";
import { maxScopeText } from "../../present/requests/newRequests.ts";
import { checkRequest, repeatedName } from "../../requests/checking/check.ts";
import { serviceOfFile } from "../../requests/checking/serviceOfFile.ts";
import { allowEnvironment, fixesOf, type Fix, type FixKnowledge } from "../../requests/checking/fixes.ts";
import { stepHints, type KeptNumbers } from "../../requests/checking/instrumentSteps.ts";
import type { FileProblem, FileRequest, RequestFile, TextRange } from "../../requests/file/file.ts";
import { hintsOf, type FileHint } from "../../requests/file/hints.ts";
import { environmentName } from "../../requests/file/readRequest.ts";
import type { InstrumentSteps, InstrumentsSnapshot } from "../../state/instruments.ts";
import { whileOpen } from "../editor/whileOpen.ts";
import { editOf, isRequestDocument, keepFindings, REQUEST_FILES, toRange } from "./requestDocuments.ts";
import { placeholderNames, type RequestUi } from "./requestUi.ts";

/** Registers quick fixes for the problems that the checks of request files find, and hints that are not errors. */
export function createFixes(ui: RequestUi, disposables: DisposableList): void {
  const steps = createStepHints();
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      REQUEST_FILES,
      {
        provideCodeActions: (document, range, { diagnostics }) => [
          ...actionsAt(document, { range, diagnostics }, ui),
          ...stepActions(document, { range, diagnostics }, { ...ui, steps }),
        ],
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  createHints({ ...ui, steps }, disposables);
}

interface Asked {
  readonly range: vscode.Range;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

function actionsAt(document: vscode.TextDocument, asked: Asked, ui: RequestUi): vscode.CodeAction[] {
  const isHere = touches(document, asked.range);
  const requests = ui.scans.of(document).requests.filter(({ range }) => isHere(range));
  return [
    ...requests.slice(0, MAX_REQUESTS).flatMap((request) => requestActions(document, { ...asked, request }, ui)),
    ...environmentActions(document, asked, ui),
  ];
}

/** The number of requests of a selection for which fixes are looked for: the first ones. */
const MAX_REQUESTS = 20;

/** Returns a function that tells whether a place of a document touches a range. */
function touches(document: vscode.TextDocument, range: vscode.Range): (place: TextRange) => boolean {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return (place) => place.start <= end && place.end >= start;
}

function requestActions(
  document: vscode.TextDocument,
  { range, request, diagnostics }: Asked & { readonly request: FileRequest },
  ui: RequestUi,
): vscode.CodeAction[] {
  const file = ui.scans.of(document);
  const isHere = touches(document, range);
  const names = placeholderNames(document, request, ui);
  const named = ui.scans.named(document);
  const known = { isKnown: (path: string): boolean => names.lookup(path) !== undefined };
  const service = serviceOfFile(file, ui.targets.of(document.uri));
  const first = named.get(request.run.name ?? "");
  const knowledge: FixKnowledge = {
    names: [...names.variables, ...named.keys(), ...names.results.map(({ name }) => name)],
    scopeOfKey(id) {
      const keys = ui.targets.liveOf(document.uri)?.apiKeys.snapshot.items.values() ?? [];
      const key = [...keys].find((each) => each.id === id);
      return key === undefined ? undefined : maxScopeText(key);
    },
  };
  return [...checkRequest(file, request, { known, service }), ...repeatedName(file, request, first?.index)]
    .filter((problem) => isHere(problem.range))
    .flatMap((problem) =>
      fixesOf(file, problem, knowledge).map((fix) =>
        actionOf(document, fix, diagnosticsAt(document, problem, diagnostics)),
      ),
    );
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
  action.edit = editOf(document, edits);
  action.diagnostics = diagnostics;
  action.isPreferred = isLikely;
  return action;
}

/** Returns a fix that allows the file to be sent to the environment: only offered, never as the preferred fix. */
function environmentActions(
  document: vscode.TextDocument,
  { diagnostics }: Asked,
  { scans, targets }: RequestUi,
): vscode.CodeAction[] {
  const target = targets.of(document.uri);
  const found = diagnostics.filter(
    ({ source, code }) => source === "Trading RPC" && typeof code === "object" && code.value === "environment",
  );
  if (found.length === 0 || target === undefined) return [];
  const fix = allowEnvironment(scans.of(document), environmentName(target.environment));
  return fix.edits.length === 0 ? [] : [actionOf(document, fix, found)];
}

/** Returns fixes that put the nearest price or amount of the instrument in the place of another one. */
function stepActions(
  document: vscode.TextDocument,
  { range, diagnostics }: Asked,
  { scans, targets, steps }: HintUi,
): vscode.CodeAction[] {
  const { text, requests } = scans.of(document);
  const isHere = touches(document, range);
  const asked = { text, requests: requests.filter((request) => isHere(request.range)).slice(0, MAX_REQUESTS) };
  return allAtOnce(steps.in(asked, targets.liveOf(document.uri)))
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

type HintUi = Pick<RequestUi, "scans" | "targets" | "liveConnections" | "clock" | "problemPage"> & {
  readonly steps: StepHints;
};

/** Keeps hints about open request files in the Problems view, as information. */
function createHints(
  { scans, targets, liveConnections, clock, steps, problemPage }: HintUi,
  disposables: DisposableList,
): void {
  const hints = keepFindings(
    "trading-rpc-hints",
    {
      clock,
      problemPage,
      isWanted: isRequestDocument,
      *stepsFor(document) {
        const file = scans.of(document);
        return [
          ...(yield* hintsOf(file, targets.of(document.uri)?.environment)),
          ...(yield* steps.in(file, targets.liveOf(document.uri))),
        ];
      },
    },
    disposables,
  );
  const lookAtAll = (): void => {
    for (const document of vscode.workspace.textDocuments) hints.start(document, 0);
  };
  disposables.add(targets.onDidChange(lookAtAll));
  disposables.add(whileOpen(liveConnections, ({ instruments }) => instruments.onDidChange(lookAtAll)));
}

/** Hints on prices and amounts, from what a connection knows of instruments. Nothing is read for them. */
interface StepHints {
  /** Finds the hints of requests, a request at a step. */
  in(file: Pick<RequestFile, "text" | "requests">, live: LiveConnection | undefined): Steps<readonly FileHint[]>;
}

function createStepHints(): StepHints {
  const kept: KeptNumbers = new WeakMap();
  const byName = new WeakMap<InstrumentsSnapshot, ReadonlyMap<string, InstrumentSteps>>();
  const stepsIn = (snapshot: InstrumentsSnapshot): ReadonlyMap<string, InstrumentSteps> => {
    const found = byName.get(snapshot) ?? new Map(snapshot.items.map(({ name, steps }) => [name, steps]));
    byName.set(snapshot, found);
    return found;
  };
  return {
    *in(file, live) {
      if (live === undefined || live.instruments.snapshot.readAtMs === undefined) return [];
      const known = {
        stepsOf: (name: string) => stepsIn(live.instruments.snapshot).get(name),
        instrumentOf: (orderId: string) => live.orders.snapshot.items.get(orderId)?.order.instrument_name,
      };
      return yield* stepHints(file, known, kept);
    },
  };
}
