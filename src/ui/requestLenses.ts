import * as vscode from "vscode";
import type { Clock } from "../base/clock.ts";
import { createCoalescer } from "../base/coalesce.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { lensActions, lensTitle, type LensAction, type LensContext } from "../present/requestLenses.ts";
import type { FileRequest } from "../requests/file.ts";
import { planRun } from "../requests/plan.ts";
import { labelOf } from "../requests/references.ts";
import { REQUEST_FILES } from "./authoringPlaces.ts";
import type { NamedResults } from "./namedResults.ts";
import type { RequestRuns } from "./requestRuns.ts";
import type { RequestScans } from "./requestScans.ts";
import type { RequestTargets } from "./requestTargets.ts";
import type { RequestSettings, Settings } from "./settings.ts";

export interface RequestLensesPorts {
  readonly scans: RequestScans;
  readonly targets: RequestTargets;
  readonly results: NamedResults;
  readonly runs: RequestRuns;
  readonly settings: Settings;
  readonly clock: Clock;
}

/** Above each request what can be done with it, where it goes and what became of it. Only lenses in sight are written. */
export function createRequestLenses(ports: RequestLensesPorts): Disposable {
  const { scans, targets, results, runs, settings } = ports;
  const disposables = new DisposableList();
  const changes = disposables.add(new vscode.EventEmitter<void>());
  const drawing = disposables.add(createCoalescer(ports.clock, DRAW_PAUSE_MS, () => changes.fire()));
  for (const event of [targets.onDidChange, results.onDidChange, runs.onDidChange, settings.onDidChange]) disposables.add(event(() => drawing.request()));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changes.fire()));
  disposables.add(
    vscode.languages.registerCodeLensProvider(REQUEST_FILES, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses(document) {
        const wanted = settings.requests(document.uri);
        if (!wanted.hasSendLens) return [];
        const context = contextOf(document, ports);
        return scans.of(document).requests.flatMap((request) => {
          const start = document.positionAt(request.range.start);
          const range = new vscode.Range(start, start);
          return lensActions(request.index, context).filter((action) => isShown(action, wanted)).map((action) => new RequestLens(range, { document, request, action }));
        });
      },
      resolveCodeLens(lens) {
        if (lens instanceof RequestLens) lens.command = commandOf(lens.what, contextOf(lens.what.document, ports));
        return lens;
      },
    }),
  );
  return disposables;
}

/** A run of thousands tells of each of them; nobody reads lenses that fast. */
const DRAW_PAUSE_MS = 250;

interface LensWhat {
  readonly document: vscode.TextDocument;
  readonly request: FileRequest;
  readonly action: LensAction;
}

/** A lens whose words are made when it comes into sight. A class, because the editor hands it back as it was given. */
class RequestLens extends vscode.CodeLens {
  readonly what: LensWhat;

  constructor(range: vscode.Range, what: LensWhat) {
    super(range);
    this.what = what;
  }
}

const COMMANDS: Readonly<Record<LensAction, string>> = {
  target: "tradingRpc.request.chooseTarget",
  send: "tradingRpc.request.send",
  sendAll: "tradingRpc.request.sendAll",
  runReads: "tradingRpc.request.runReads",
  sendFromHere: "tradingRpc.request.sendFromHere",
  stop: "tradingRpc.request.stop",
  trust: "workbench.trust.manage",
  last: "",
};

function isShown(action: LensAction, { hasRunLens, hasResultLens }: RequestSettings): boolean {
  if (action === "last") return hasResultLens;
  return hasRunLens || !["sendAll", "runReads", "sendFromHere"].includes(action);
}

function commandOf({ document, request, action }: LensWhat, context: LensContext): vscode.Command {
  const command = COMMANDS[action];
  return { title: lensTitle(action, request, context), command, ...(command === "" || action === "trust" ? {} : { arguments: [document.uri.toString(), request.index] }) };
}

function contextOf(document: vscode.TextDocument, { scans, targets, results, runs }: RequestLensesPorts): LensContext {
  const { uri } = document;
  const file = scans.of(document);
  const target = targets.of(uri);
  const answers = target === undefined ? { get: () => undefined } : results.of(target.record.id, uri);
  return {
    file,
    target: targets.lensOf(uri),
    run: runs.stateOf(uri),
    isTrusted: vscode.workspace.isTrusted,
    runsFirst: (request) => (request.paramsText.includes("{{") ? planRun(file, { kind: "one", index: request.index }, answers).steps.filter(({ isImplicit }) => isImplicit).map((step) => labelOf(step.request)) : []),
    lastText: (request) => runs.lastText(uri, file, request),
  };
}
