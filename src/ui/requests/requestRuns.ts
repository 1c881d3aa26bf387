import * as vscode from "vscode";
import { effectOfCall } from "../../actions/judge/check.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { channelMethod } from "../../actions/changes/changes.ts";
import { isConfirmed } from "../../actions/gate/policy.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import type { Verdict } from "../../actions/judge/outcome.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { createEmitter, DisposableList, type Emitter, type Event } from "../../base/emitter.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";
import type { LensRun } from "../../present/requests/requestLenses.ts";
import { runProgressText, runQuestion } from "../../present/requests/runQuestion.ts";
import { countRun, countsText, runReport, stepText } from "../../present/requests/runReport.ts";
import type { FileRequest, RequestFile } from "../../requests/file/file.ts";
import { estimateMs, planRun, type Plan, type Wanted } from "../../requests/running/plan.ts";
import type { RunResult } from "../../requests/running/run.ts";
import { runPlan, stoppingText, type StepResult } from "../../requests/running/sequence.ts";
import type { ShownResponse } from "../responses/responseDocuments.ts";
import { fileWords } from "./files.ts";
import { prepareRun, type PreparedRun, type RunUi } from "./preparedRun.ts";

/** The runs of request files in this window. */
export interface RequestRuns {
  /** Sends the requested part of a document, and shows its outcome. Resolves once that is over. */
  run(document: vscode.TextDocument, wanted: Wanted, options?: { readonly sendAnyway?: boolean }): Promise<void>;
  /** Sends nothing more of a document. When called again, the outcomes of changes are not waited for either. */
  stop(uri: vscode.Uri): void;
  /** Returns the current state of a document's runs. */
  stateOf(uri: vscode.Uri): LensRun | undefined;
  /** Returns the last outcome of a request, in a line; undefined if the text of the request has changed. */
  lastText(uri: vscode.Uri, file: RequestFile, request: FileRequest): string | undefined;
  readonly onDidChange: Event<void>;
}

/** A run that is under way. */
interface Running {
  readonly key: string;
  readonly pending: ReadonlySet<number>;
  readonly stop: AbortController;
  /** Fires when the outcomes of changes are no longer waited for. */
  readonly giveUp: AbortController;
  /** Whether a single request was chosen, whatever it takes values from. */
  readonly isSingle: boolean;
  readonly total: number;
  done: number;
  writesUnderWay: number;
}

/** The outcome of a request, in a line, and the text that the request had. */
interface Last {
  readonly requestText: string;
  readonly text: string;
}

export function createRequestRuns(ui: RunUi, disposables: DisposableList): RequestRuns {
  const changes: Emitter<void> = disposables.add(createEmitter());
  const running = new Set<Running>();
  const last = new Map<string, Map<number, Last>>();
  const runsOf = (uri: vscode.Uri): readonly Running[] => [...running].filter(({ key }) => key === uri.toString());
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      last.delete(uri.toString());
    }),
  );
  disposables.add({
    dispose: () => {
      for (const { stop } of running) stop.abort();
    },
  });

  const remember = (uri: vscode.Uri, file: RequestFile, result: StepResult): void => {
    const key = uri.toString();
    const lines = last.get(key) ?? new Map<number, Last>();
    last.set(key, lines);
    const { request } = result.step;
    lines.set(request.index, {
      requestText: textOf(file, request),
      text: stepText(result, ui.clock.now(), ui.times),
    });
  };
  const runNow = async (
    document: vscode.TextDocument,
    prepared: PreparedRun,
    work: Work,
  ): Promise<readonly StepResult[]> => {
    const { plan } = work;
    const mine: Running = {
      key: document.uri.toString(),
      pending: pendingOf(work.wanted),
      stop: new AbortController(),
      giveUp: new AbortController(),
      isSingle: work.wanted.kind === "one",
      total: plan.steps.length,
      done: 0,
      writesUnderWay: 0,
    };
    running.add(mine);
    changes.fire();
    const gate = watchedGate(prepared.ports.gate, mine, () => changes.fire());
    try {
      return await showProgress(
        work,
        { document, live: prepared.live, running: mine },
        ui,
        async (tell) =>
          await runPlan(plan, {
            ...prepared.ports,
            gate,
            stop: mine.stop.signal,
            ...(work.sendAnyway ? { sendAnyway: true } : {}),
            onProgress: ({ result, done }) => {
              mine.done = done;
              remember(document.uri, prepared.file, result);
              takeIn(result, { document, prepared }, ui);
              tell(done);
              changes.fire();
            },
          }),
      );
    } finally {
      running.delete(mine);
      changes.fire();
    }
  };

  const run: RequestRuns["run"] = async (document, wanted, { sendAnyway = false } = {}) => {
    requireTurn(runsOf(document.uri), wanted);
    const prepared = await prepareRun(document, ui);
    if (prepared === undefined) return;
    const plan = planRun(prepared.file, wanted, prepared.results);
    const work: Work = { plan, wanted, sendAnyway };
    if (plan.steps.length === 0)
      throw new CallError({
        kind: "refused",
        reason:
          wanted.kind === "reads" ? l10n.t("This file has no read requests.") : l10n.t("This file has no requests."),
      });
    if (!(await isRunWanted(work, prepared, ui))) return;
    // While the confirmation was open, another run of the file may have begun.
    requireTurn(runsOf(document.uri), wanted);
    // As it is called now: a request may be what switches it to another account.
    const place: Place = { environment: prepared.live.environment, connectionName: prepared.live.name };
    const startedAtMs = ui.clock.monotonicMs();
    const results = await runNow(document, prepared, work);
    const shown: Shown = { document, prepared, place, work, tookMs: ui.clock.monotonicMs() - startedAtMs };
    if (wanted.kind === "one")
      await showOne(results, shown, { ui, again: async () => await run(document, wanted, { sendAnyway: true }) });
    else await showSeveral(results, shown, ui);
  };
  return {
    run,
    stop(uri) {
      for (const each of runsOf(uri)) {
        if (each.stop.signal.aborted || (each.total === 1 && each.writesUnderWay > 0)) each.giveUp.abort();
        each.stop.abort();
        ui.dialogs.tellInPassing(stoppingText(each.writesUnderWay > 0 && !each.giveUp.signal.aborted), TOLD_MS);
      }
      changes.fire();
    },
    stateOf(uri) {
      const mine = runsOf(uri);
      if (mine.length === 0) return undefined;
      const sum = (value: (each: Running) => number): number => mine.reduce((total, each) => total + value(each), 0);
      return {
        pending: new Set(mine.flatMap(({ pending }) => [...pending])),
        done: sum((each) => each.done),
        total: sum((each) => each.total),
        isWrite: mine.some(({ writesUnderWay }) => writesUnderWay > 0),
      };
    },
    lastText: (uri, file, request) => lastOf(last.get(uri.toString())?.get(request.index), file, request),
    onDidChange: changes.event,
  };
}

/** Throws if another run already sends several requests of the file; a single one may run beside it. */
function requireTurn(running: readonly Running[], wanted: Wanted): void {
  if (wanted.kind !== "one" && running.some(({ isSingle }) => !isSingle))
    throw refused(l10n.t("Requests from this file are already being sent. Stop them first."));
}

/** Returns the last outcome; undefined if the text of the request has changed. */
function lastOf(last: Last | undefined, file: RequestFile, request: FileRequest): string | undefined {
  return last !== undefined && last.requestText === textOf(file, request) ? last.text : undefined;
}

const TOLD_MS = 8000;

interface Work {
  readonly plan: Plan;
  readonly wanted: Wanted;
  readonly sendAnyway: boolean;
}

/** The environment and the connection's name when the run began. */
interface Place {
  readonly environment: LiveConnection["environment"];
  readonly connectionName: string;
}

interface Shown {
  readonly document: vscode.TextDocument;
  readonly prepared: PreparedRun;
  readonly place: Place;
  readonly work: Work;
  readonly tookMs: number;
}

function textOf({ text }: RequestFile, { range }: FileRequest): string {
  return text.slice(range.start, range.end);
}

function pendingOf(wanted: Wanted): ReadonlySet<number> {
  return new Set(wanted.kind === "one" ? [wanted.index] : []);
}

/**
 * Returns a gate that knows when a change is under way, and lets the user stop waiting for it. Its outcome is then
 * looked up by reads.
 */
function watchedGate(
  gate: PreparedRun["ports"]["gate"],
  running: Running,
  changed: () => void,
): PreparedRun["ports"]["gate"] {
  return {
    get activity() {
      return gate.activity;
    },
    async submit(intent, options) {
      if (effectOfCall(intent) === "read") return await gate.submit(intent, options);
      running.writesUnderWay += 1;
      changed();
      try {
        return await gate.submit(intent, { ...options, signal: running.giveUp.signal });
      } finally {
        running.writesUnderWay -= 1;
        changed();
      }
    },
  };
}

/**
 * Confirms several requests that include changes, and names the changes; each of them is still confirmed separately. A
 * single change has one confirmation.
 */
async function isRunWanted(
  { plan, wanted }: Work,
  { live, ports }: PreparedRun,
  { ask, settings }: RunUi,
): Promise<boolean> {
  if (wanted.kind === "one") return true;
  const question = runQuestion({
    plan,
    fileName: ports.fileName,
    place: live.place,
    tookMs: estimateMs(plan, RATE_BUDGETS),
    isConfirmed: (effect) => isConfirmed(effect, live.environment, settings.safety()),
  });
  return question === undefined || (await ask(question));
}

/**
 * Shows the progress. A single request shows in the status bar; several show their progress, the estimated time, and a
 * way to stop.
 */
async function showProgress<T>(
  { plan, wanted }: Work,
  {
    document,
    live,
    running,
  }: { readonly document: vscode.TextDocument; readonly live: LiveConnection; readonly running: Running },
  { clock, dialogs }: RunUi,
  run: (tell: (done: number) => void) => Promise<T>,
): Promise<T> {
  const all = plan.steps.length;
  if (all === 1 || wanted.kind === "one")
    return await dialogs.progress(
      { where: "statusBar", title: l10n.t("Request to {0}…", live.place) },
      async () => await run(() => undefined),
    );
  const startedAtMs = clock.monotonicMs();
  const leastMs = estimateMs(plan, RATE_BUDGETS);
  const title = l10n.t("{0} → {1}", fileWords(document.uri), live.place);
  const onCancel = (): void => {
    if (running.stop.signal.aborted) running.giveUp.abort();
    running.stop.abort();
  };
  return await dialogs.progress({ where: "message", title, onCancel }, async (report) => {
    report(runProgressText({ done: 0, all, passedMs: 0, leastMs }));
    return await run((done) =>
      report(runProgressText({ done, all, passedMs: clock.monotonicMs() - startedAtMs, leastMs }), 100 / all),
    );
  });
}

/**
 * Records the outcome of a request: in the history, without its secrets, and, if it was not as expected, at its place.
 */
export function takeIn(
  result: StepResult,
  { document, prepared: { live, file } }: { readonly document: vscode.TextDocument; readonly prepared: PreparedRun },
  { history, outcomes, clock }: RunUi,
): void {
  const { step, run, tries } = result;
  outcomes.note(document, file, result);
  if (tries === 0 || channelMethod(run.intent.method) !== undefined) return;
  history.record({
    result: run,
    endedAtMs: clock.now(),
    environment: live.environment,
    connectionId: live.record.id,
    connectionName: live.name,
    fileUri: document.uri.toString(),
    name: step.request.run.name,
  });
}

/** Shows the response; if a request that it needs failed before it was sent, shows that one's. */
async function showOne(
  results: readonly StepResult[],
  shown: Shown,
  { ui, again }: { readonly ui: RunUi; readonly again: () => Promise<void> },
): Promise<void> {
  const result = results.find(({ step, verdict }) => step.isImplicit && verdict !== "passed") ?? results.at(-1);
  if (result === undefined || isSilent(result)) return;
  await showResponse(result, shown, { ui, again });
}

/** Whether nothing is shown: the user has declined it, or a followed channel has a document of its own. */
function isSilent({ run: { outcome, intent } }: StepResult): boolean {
  if (outcome.kind === "notSent") return outcome.failure.kind === "declined";
  return outcome.kind === "confirmed" && channelMethod(intent.method) !== undefined;
}

/** Returns what a response document shows of a request that a connection has sent. */
export function sentResponse(
  live: LiveConnection,
  result: RunResult,
  place: Place,
  { clock, times }: RunUi,
): Pick<ShownResponse, "connectionId" | "source" | "checkAgain"> {
  const { activityId } = result;
  return {
    connectionId: live.record.id,
    source: { result, ...place, endedAtMs: clock.now(), verdicts: verdictsOf(live, activityId), times },
    ...(activityId === undefined ? {} : { checkAgain: async () => await live.gate.checkAgain(activityId) }),
  };
}

function verdictsOf({ gate }: LiveConnection, activityId: string | undefined): readonly Verdict[] {
  return gate.activity.find(({ id }) => id === activityId)?.verdicts ?? [];
}

async function showResponse(
  { run, step, failures, hints, tries }: StepResult,
  { document, prepared: { live }, place }: Shown,
  { ui, again }: { readonly ui: RunUi; readonly again: () => Promise<void> },
): Promise<void> {
  const { activityId } = run;
  const { request } = step;
  const sent = sentResponse(live, run, place, ui);
  const check = {
    isExpected: request.run.expect !== undefined || request.run.until !== undefined,
    failures,
    hints,
    tries,
  };
  const uri = await ui.responses.show({
    fileUri: document.uri.toString(),
    part:
      ui.settings.requests(document.uri).responseTab === "perRequest"
        ? (request.run.name ?? l10n.t("request {0}", request.index + 1))
        : undefined,
    folder: folderOf(document),
    ...sent,
    source: { ...sent.source, ...(isSwitch(run.intent.method) ? { placeAfter: live.place } : {}), check },
    sendAnyway: again,
  });
  if (run.outcome.kind === "unknown" && activityId !== undefined)
    followVerdicts(live, activityId, () =>
      ui.responses.update(uri, (source) =>
        source.result === run ? { ...source, verdicts: verdictsOf(live, activityId) } : source,
      ),
    );
}

async function showSeveral(
  results: readonly StepResult[],
  { document, prepared: { file }, place, tookMs }: Shown,
  { responses, clock, times, dialogs }: RunUi,
): Promise<void> {
  const report = runReport({ results, file, ...place, endedAtMs: clock.now(), tookMs, times });
  await responses.showReport({
    fileUri: document.uri.toString(),
    environment: place.environment,
    part: l10n.t("run"),
    ...report,
    folder: folderOf(document),
  });
  dialogs.tellInPassing(
    l10n.t("{0} · {1}", environmentWords(place.environment, place.connectionName), countsText(countRun(results))),
    TOLD_MS,
  );
}

function folderOf(document: vscode.TextDocument): vscode.Uri | undefined {
  return document.isUntitled ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.joinPath(document.uri, "..");
}

/** Shows the results of reads in the response too, until the connection is closed. */
function followVerdicts(live: LiveConnection, activityId: string, show: () => void): void {
  const listeners = new DisposableList();
  listeners.add(
    live.gate.onDidChangeActivity((entry) => {
      if (entry.id === activityId) show();
    }),
  );
  listeners.add(
    live.onDidChangeState((state) => {
      if (state.status === "off") listeners.dispose();
    }),
  );
  show();
}
