import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import type { Coalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { lensActions, lensTitle, type LensAction, type LensContext } from "../../present/requests/requestLenses.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import { planRun } from "../../requests/running/plan.ts";
import { labelOf } from "../../requests/values/references.ts";
import type { RequestSettings } from "../editor/settings.ts";
import { REQUEST_FILES } from "./requestDocuments.ts";
import type { RequestRuns } from "./requestRuns.ts";
import type { RequestUi } from "./requestUi.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/**
 * Registers the CodeLenses above each request of a file. Their commands are made in `resolveCodeLens`, when they come
 * into sight. VS Code makes an element of the page for each command that it gets earlier: with 5,000 requests every key
 * is then slow. No command has arguments (`createLensCommands` says why).
 */
export function createRequestLenses(ui: LensUi, disposables: DisposableList): void {
  const { scans, targets, results, runs, settings, clock } = ui;
  const commandOf = createLensCommands(disposables);
  const changes = disposables.add(new vscode.EventEmitter<void>());
  /**
   * The number of redraws that VS Code was told of, and that number when it last asked for a document's CodeLenses and
   * for the title of one.
   */
  let redraws = 0;
  const provided = new WeakMap<vscode.TextDocument, number>();
  const titled = new WeakMap<vscode.TextDocument, number>();
  const redraw = disposables.add(
    createRedraw(clock, {
      redraw() {
        redraws++;
        changes.fire();
      },
      again() {
        // VS Code drops a redraw when its editor loses the focus within 250 ms. It never asks for titles when it has
        // drawn no frame in the 250 ms after it got the CodeLenses, as on a busy machine: the request has no button.
        const isUntitled = (document: vscode.TextDocument): boolean =>
          provided.has(document) && (titled.get(document) ?? -1) < redraws;
        if (vscode.window.visibleTextEditors.some(({ document }) => isUntitled(document))) changes.fire();
      },
    }),
  );
  for (const event of [targets.onDidChange, results.onDidChange, runs.onDidChange, settings.onDidChange])
    disposables.add(event(() => redraw.request()));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => redraw.request()));
  const resolved = (lens: RequestLens): RequestLens => {
    const { document, request, action } = lens.what;
    const command = COMMANDS[action];
    lens.command = {
      title: lensTitle(action, request, contextOf(document, ui)),
      command: command === "" || action === "trust" ? command : commandOf(document, command, request.index),
    };
    return lens;
  };
  disposables.add(
    vscode.languages.registerCodeLensProvider(REQUEST_FILES, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses(document) {
        if (!provided.has(document)) redraw.check();
        provided.set(document, redraws);
        const wanted = settings.requests(document.uri);
        if (!wanted.hasSendLens) return [];
        const context = contextOf(document, ui);
        return scans.of(document).requests.flatMap((request) => {
          const start = document.positionAt(request.range.start);
          const range = new vscode.Range(start, start);
          return lensActions(request.index, context)
            .filter((action) => isShown(action, wanted))
            .map((action) => new RequestLens(range, { document, request, action, redraws }));
        });
      },
      resolveCodeLens(lens, token): RequestLens | vscode.CodeLens | Promise<RequestLens> {
        if (!(lens instanceof RequestLens)) return lens;
        titled.set(lens.what.document, lens.what.redraws);
        // VS Code writes what it gets late into the CodeLenses that replaced these, by position, unless it has asked
        // about those.
        const isReplaced = lens.what.redraws < (provided.get(lens.what.document) ?? 0);
        return isReplaced ? cancelled(token, clock).then(() => resolved(lens)) : resolved(lens);
      },
    }),
  );
}

type LensUi = Pick<RequestUi, "scans" | "targets" | "results" | "settings" | "clock"> & { readonly runs: RequestRuns };

/** The delay of a redraw, in ms: a response usually comes within this time, and one redraw then shows its outcome. */
const REDRAW_DELAY_MS = 150;
/**
 * The pause between two redraws, in ms. VS Code takes 250 ms to ask for the CodeLenses and 250 ms more for their
 * titles.
 */
const REDRAW_PAUSE_MS = 700;
/** The time after which VS Code has asked for the CodeLenses and their titles, or never will, in ms. */
const ASKED_AFTER_MS = 1500;
/**
 * The maximum wait for a cancellation, in ms: VS Code cancels the resolving of replaced CodeLenses within about 250 ms.
 */
const CANCELLED_WITHIN_MS = 2000;

/**
 * Makes a redraw that follows a request after a moment, but not while the last redraw is under way. Calls `again` when
 * the last one should be over; `check` calls it that long after now.
 */
function createRedraw(clock: Clock, run: { redraw(): void; again(): void }): Coalescer & { check(): void } {
  let waiting: Disposable | undefined;
  let checking: Disposable | undefined;
  let lastMs = -Infinity;
  const check = (): void => {
    checking?.dispose();
    checking = clock.after(ASKED_AFTER_MS, () => run.again());
  };
  return {
    check,
    request() {
      waiting ??= clock.after(Math.max(REDRAW_DELAY_MS, lastMs + REDRAW_PAUSE_MS - clock.monotonicMs()), () => {
        waiting = undefined;
        lastMs = clock.monotonicMs();
        run.redraw();
        check();
      });
    },
    dispose() {
      waiting?.dispose();
      checking?.dispose();
    },
  };
}

async function cancelled(token: vscode.CancellationToken, clock: Clock): Promise<void> {
  const disposables = new DisposableList();
  await new Promise<void>((resolve) => {
    disposables.add(token.onCancellationRequested(() => resolve()));
    disposables.add(clock.after(CANCELLED_WITHIN_MS, resolve));
    if (token.isCancellationRequested) resolve();
  });
  disposables.dispose();
}

interface LensWhat {
  readonly document: vscode.TextDocument;
  readonly request: FileRequest;
  readonly action: LensAction;
  /** The number of redraws that VS Code had been told of when it asked for this CodeLens. */
  readonly redraws: number;
}

/** A CodeLens whose title is made when it comes into sight. It is a class because VS Code returns the same object. */
class RequestLens extends vscode.CodeLens {
  readonly what: LensWhat;

  constructor(range: vscode.Range, what: LensWhat) {
    super(range);
    this.what = what;
  }
}

const COMMANDS: Readonly<Record<LensAction, CommandId | "workbench.trust.manage" | "">> = {
  target: "tradingRpc.request.chooseTarget",
  send: "tradingRpc.request.send",
  sendAll: "tradingRpc.request.sendAll",
  runReads: "tradingRpc.request.sendReads",
  sendFromHere: "tradingRpc.request.sendFromHere",
  stop: "tradingRpc.request.stop",
  trust: "workbench.trust.manage",
  last: "",
};

function isShown(action: LensAction, { hasRunLens, hasResultLens }: RequestSettings): boolean {
  if (action === "last") return hasResultLens;
  return hasRunLens || !["sendAll", "runReads", "sendFromHere"].includes(action);
}

function contextOf(document: vscode.TextDocument, { scans, targets, results, runs }: LensUi): LensContext {
  const { uri } = document;
  const file = scans.of(document);
  return {
    file,
    target: targets.lensOf(uri),
    run: runs.stateOf(uri),
    isTrusted: vscode.workspace.isTrusted,
    runsFirst: (request) =>
      request.paramsText.includes("{{")
        ? planRun(file, { kind: "one", index: request.index }, results.of(uri))
            .steps.filter(({ isImplicit }) => isImplicit)
            .map((step) => labelOf(step.request))
        : [],
    lastText: (request) => runs.lastText(uri, file, request),
  };
}

/** A command without arguments, which is registered until its document is closed. */
interface LensCommand {
  readonly id: string;
  readonly registration: vscode.Disposable;
}

/**
 * Registers a command for each CodeLens that comes into sight, so that a CodeLens needs no arguments. VS Code keeps a
 * command that has arguments for as long as the CodeLenses that it came with. Its controller can put a command that is
 * already released into the CodeLenses that follow. The button is then dead until the next redraw
 * (https://github.com/microsoft/vscode/issues/226936). Returns a function that returns the ID of a command without
 * arguments that runs `command` with the URI of the document and `index`.
 */
function createLensCommands(
  disposables: DisposableList,
): (document: vscode.TextDocument, command: string, index: number) => string {
  const registered = new Map<string, Map<string, LensCommand>>();
  let count = 0;
  const forget = (key: string): void => {
    for (const { registration } of registered.get(key)?.values() ?? []) registration.dispose();
    registered.delete(key);
  };
  disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri.toString())));
  disposables.add({ dispose: () => [...registered.keys()].forEach(forget) });
  return ({ uri }, command, index) => {
    const key = uri.toString();
    const ofDocument = registered.get(key) ?? new Map<string, LensCommand>();
    registered.set(key, ofDocument);
    const name = `${command} ${String(index)}`;
    const known = ofDocument.get(name);
    if (known !== undefined) return known.id;
    const id = `tradingRpc.codeLens.${String(++count)}`;
    const run = async (): Promise<unknown> => await vscode.commands.executeCommand(command, key, index);
    ofDocument.set(name, { id, registration: vscode.commands.registerCommand(id, run) });
    return id;
  };
}
