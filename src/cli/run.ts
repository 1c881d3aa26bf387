import { effectOfCall } from "../actions/judge/check.ts";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import { channelMethod } from "../actions/changes/changes.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isCancel, effectOf, isTrade, type Effect } from "../catalogue/index.ts";
import type { Times } from "../present/text/times.ts";
import { environmentVariables } from "../requests/values/environmentFile.ts";
import type { FileRequest, FilePin } from "../requests/file/file.ts";
import { moneyPlace } from "../present/connections/connectionWords.ts";
import { environmentName } from "../requests/file/readRequest.ts";
import { planRun, type Plan, type Wanted } from "../requests/running/plan.ts";
import { createResults, type Results } from "../requests/values/results.ts";
import { runPlan, type StepResult } from "../requests/running/sequence.ts";
import type { LookupParts } from "../requests/values/variables.ts";
import type { SessionState } from "../session/session.ts";
import type { RunWishes } from "./arguments.ts";
import { refusalOfFolder, type LoadedFile } from "./files.ts";
import { createFollower, type Follower, type FollowerPorts } from "./follow.ts";
import type { FileReport, StepReport } from "./report.ts";
import { secretRefusal } from "./secretFile.ts";
import type { Shell } from "./shell.ts";
import { untilSettled } from "./settle.ts";
import { isLinkFailure, settledReport, stepReport, type StepContext } from "./steps.ts";
import { isRealMoney, type Environment } from "../state/records.ts";

/** A run of files: what is wanted, the connection, and what it needs of the machine. */
export interface TerminalRun extends Pick<Shell, "clock" | "uuid" | "stop" | "stopWaiting" | "unread"> {
  readonly wishes: RunWishes;
  readonly live: Pick<
    LiveConnection,
    "gate" | "environment" | "place" | "record" | "state" | "onDidChangeState" | "followChannel" | "cancelOnDisconnect"
  >;
  /** Submits requests (default: the gate of the connection does). */
  readonly submit?: FollowerPorts["submit"];
  readonly times: Times;
  /** Whether a user is there to confirm changes. */
  readonly isAttended: boolean;
  /**
   * Allows changes on production for a while. Called before a file that is to change production, if the command line
   * allows that.
   */
  readonly allowChanges: () => Promise<boolean>;
  readonly onFile: (file: LoadedFile) => void;
  readonly onStep: (file: LoadedFile, report: StepReport, result: StepResult) => void;
  readonly onEvent: FollowerPorts["onEvent"];
  readonly onNote: FollowerPorts["onNote"];
}

/** The result of a run. */
export interface FilesResult {
  readonly files: readonly FileReport[];
  readonly isLinkLost: boolean;
  /** Whether a stop signal came before all was done; ending what is followed is not an interruption. */
  readonly isInterrupted: boolean;
  /** Sentences about the followings that have ended. */
  readonly notes: readonly string[];
}

/** Returns which requests of a file are meant. */
export function wantedOf({ readsOnly, tags }: Pick<RunWishes, "readsOnly" | "tags">): Wanted {
  if (readsOnly) return { kind: "reads" };
  return tags.length > 0 ? { kind: "tags", tags } : { kind: "all" };
}

/** Runs files one after another; those of one folder share their named responses, as in VS Code. Never rejects. */
export async function runFiles(files: readonly LoadedFile[], ports: TerminalRun): Promise<FilesResult> {
  const { wishes, live, stop } = ports;
  const follower = createFollower({ ...ports, limits: wishes.follow, stops: [stop, ports.unread] });
  const resultsByFolder = new Map<string, Results>();
  let subject = subjectOf(live.state);
  const listener = live.onDidChangeState((state) => {
    // Responses from before may be those of another account.
    if (state.status === "ready" && subjectOf(state) === subject) return;
    subject = subjectOf(state);
    for (const results of resultsByFolder.values()) results.clear();
  });
  const reports: FileReport[] = [];
  let isLinkLost = false;
  for (const loaded of files) {
    const results = resultsByFolder.get(loaded.folder) ?? createResults();
    resultsByFolder.set(loaded.folder, results);
    const done = await runFile(loaded, results, { ...ports, gate: follower.gate });
    reports.push({ path: loaded.path, steps: done.steps });
    isLinkLost ||= done.isLinkLost;
    const hasFailed = done.steps.some(({ verdict }) => verdict !== "passed" && verdict !== "skipped");
    if (stop.aborted || (wishes.bails && hasFailed)) break;
  }
  const verdicts = reports.flatMap(({ steps }) => steps.map(({ verdict }) => verdict));
  if (isLinkLost || verdicts.some((verdict) => verdict !== "passed" && verdict !== "skipped")) follower.end();
  await follower.untilEnded();
  listener.dispose();
  isLinkLost ||= isGone(live.state);
  const isAllDone = reports.length === files.length && !verdicts.includes("notRun");
  return {
    files: reports,
    isLinkLost,
    isInterrupted: stop.aborted && !(follower.wasStopped && isAllDone),
    notes: follower.notes,
  };
}

/** Whether the connection has ended, which happens after the last request only while channels are followed. */
function isGone({ status }: SessionState): boolean {
  return status === "off" || status === "locked";
}

function subjectOf(state: SessionState): number | undefined {
  return state.status === "ready" ? state.identity.subject?.id : undefined;
}

/** Returns a sentence if a request is not sent in this run. */
function refusalIn(
  loaded: LoadedFile,
  { wishes, live, isAttended }: Pick<TerminalRun, "wishes" | "live" | "isAttended">,
): (request: FileRequest) => string | undefined {
  return (request) =>
    writeRefusal(request.method ?? "", {
      writes: wishes.writes,
      cancels: wishes.cancels,
      trading: wishes.trading,
      environment: live.environment,
      pin: loaded.file.pin,
      isAttended,
    }) ?? secretRefusal(request, wishes.secretFile);
}

interface FilePorts extends TerminalRun {
  readonly gate: Follower["gate"];
}

async function runFile(
  loaded: LoadedFile,
  results: Results,
  ports: FilePorts,
): Promise<{ readonly steps: readonly StepReport[]; readonly isLinkLost: boolean }> {
  const { wishes, live, clock, stop, stopWaiting, onFile, onStep } = ports;
  const plan = planRun(loaded.file, wantedOf(wishes), results);
  const isRefused = refusalIn(loaded, ports);
  onFile(loaded);
  let isDeclined = false;
  if (
    isReadOnly(ports) &&
    plannedRequests(plan).some((request) => needsAllowChanges(request, ports) && isRefused(request) === undefined)
  )
    isDeclined = !(await ports.allowChanges());
  const mayWrite = (request: FileRequest): string | undefined =>
    isRefused(request) ?? readOnlyRefusal(request, ports, isDeclined);
  const told = new Map<StepResult["step"], StepReport>();
  let isBehindFailure = false;
  const contextOf = (): StepContext => ({
    file: loaded.file,
    place: live.place,
    times: ports.times,
    environment: live.environment,
    refusalOf: (request) =>
      refusalOfFolder(loaded, live.environment) ?? pinRefusal(loaded, live.environment) ?? mayWrite(request),
    isBehindFailure,
    cancelOnDisconnect: live.cancelOnDisconnect,
  });
  const settled = (report: StepReport, result: StepResult): StepReport =>
    settledReport(
      report,
      result,
      live.gate.activity.find(({ id }) => id === result.run.activityId),
      contextOf(),
    );
  const tell = (result: StepResult, report: StepReport): void => {
    const before = told.get(result.step);
    if (before?.verdict !== report.verdict || before.sentence !== report.sentence) onStep(loaded, report, result);
    told.set(result.step, report);
  };
  const untilProved = async (): Promise<void> =>
    await untilSettled(live.gate, clock, { stop, stoppedMs: wishes.timeoutMs, stopWaiting });
  const ran = await runPlan(plan, {
    ...sequencePorts(loaded, ports),
    results,
    mayWrite,
    settle: async (result) => {
      const report = stepReport(result, contextOf());
      tell(result, report);
      await untilProved();
      return settled(report, result).verdict === "passed" ? "passed" : "failed";
    },
    onProgress: ({ result }) => {
      tell(result, settled(stepReport(result, contextOf()), result));
      isBehindFailure ||=
        (result.verdict === "failed" || result.verdict === "notSent") && !result.step.request.run.goesOn;
    },
  });
  await untilProved();
  const steps = ran.flatMap((result) => {
    const report = told.get(result.step);
    if (report === undefined) return [];
    const last = settled(report, result);
    tell(result, last);
    return [last];
  });
  const isLost = (result: StepResult): boolean =>
    isLinkFailure(result) && told.get(result.step)?.isProvedByReading !== true;
  return { steps, isLinkLost: ran.some(isLost) };
}

function sequencePorts(
  loaded: LoadedFile,
  { wishes, live, gate, clock, uuid, stop }: FilePorts,
): Omit<Parameters<typeof runPlan>[1], "results"> {
  return {
    gate,
    environment: () => live.environment,
    fileName: loaded.path,
    timeoutMs: wishes.timeoutMs,
    connectionId: live.record.id,
    clock,
    variables: {
      given: wishes.variables,
      environmentVars: environmentVariables(loaded.environmentFiles, live.environment),
      uuid,
    },
    obstacle: () => refusalOfFolder(loaded, live.environment),
    stop,
    concurrency: wishes.concurrency,
  };
}

function isReadOnly({ live }: Pick<TerminalRun, "live">): boolean {
  return isRealMoney(live.environment) && live.gate.changesAllowedUntilMs === undefined;
}

/** Returns a sentence if production takes no change now. Cancels are asked for all the same. */
function readOnlyRefusal(request: FileRequest, ports: FilePorts, isDeclined: boolean): Plain | undefined {
  if (!isReadOnly(ports) || !needsAllowChanges(request, ports) || isCancel(request.method ?? "")) return undefined;
  const place = plain.text(ports.live.place);
  return isDeclined
    ? l10n.t("You didn't allow changes on {0}.", place)
    : l10n.t("The time in which changes were allowed on {0} is over. Run the file again to allow them again.", place);
}

/** Whether a request is a change for which production has to be opened. Cancels that are allowed open it themselves. */
function needsAllowChanges(
  { method = "", paramsText }: FileRequest,
  { wishes: { cancels }, live: { environment } }: Pick<TerminalRun, "wishes" | "live">,
): boolean {
  const isChange = effectOfCall({ method, paramsText }) !== "read" && channelMethod(method) === undefined;
  return isChange && !isAllowedCancel(method, { cancels, environment });
}

function pinRefusal({ file: { pin } }: LoadedFile, environment: LookupParts["environment"]): string | undefined {
  return pin.kind === "only" && !pin.environments.includes(environment) ? "" : undefined;
}

/** Returns the requests that a run would send, except for those that are skipped or cannot be sent. */
export function plannedRequests({ steps }: Plan): readonly FileRequest[] {
  return steps.filter(({ isSkipped, refusal }) => !isSkipped && refusal === undefined).map(({ request }) => request);
}

/** The facts that decide whether a run may change something. */
export interface WriteSituation {
  readonly writes: RunWishes["writes"];
  readonly cancels: RunWishes["cancels"];
  readonly trading: RunWishes["trading"];
  readonly environment: Environment;
  readonly pin: FilePin;
  /** Whether a user is there to confirm changes. */
  readonly isAttended: boolean;
}

/**
 * Returns a sentence if a request is not even handed to the gate; undefined if it is. The gate decides and asks as
 * always.
 */
export function writeRefusal(
  method: string,
  { writes, cancels, trading, environment, pin, isAttended }: WriteSituation,
): string | undefined {
  const effect = effectOf(method);
  if (effect === "read" || channelMethod(method) !== undefined) return undefined;
  // The way out is not kept by what the other changes need: a pin, a typed text, and a user who is there.
  if (isAllowedCancel(method, { cancels, environment })) return undefined;
  if (writes === "refused")
    return l10n.t("Write requests are not allowed in this run. Use --allow-writes to allow them.");
  const trade = runTradeRefusal(method, { trading, environment, isAttended });
  if (trade !== undefined) return trade;
  if (!isRealMoney(environment)) return undefined;
  const [place, name] = [moneyPlace(environment), environmentName(environment)];
  if (writes !== "production") return l10n.t("Write requests on {0} require --allow-writes {1}.", place, name);
  if (pin.kind !== "only" || !pin.environments.includes(environment))
    return l10n.t("Write requests on {0} require a file whose $file.env includes {1}.", place, name);
  return isAttended ? undefined : TYPED[effect]?.(place, name);
}

/** Why a change on production needs a user, where its effect is confirmed by typing. */
const TYPED: { readonly [E in Effect]?: (place: Plain, name: Plain) => Plain } = {
  mass: (place, name) =>
    l10n.t(
      "On {0}, a change of many orders or quotes at once requires a typed confirmation. Run it in a terminal, or use --allow-cancels {1} for a cancel.",
      place,
      name,
    ),
  key: (place) => l10n.t("On {0}, a change of API keys requires a typed confirmation. Run it in a terminal.", place),
  money: (place) => l10n.t("On {0}, a transfer requires a typed confirmation. Run it in a terminal.", place),
};

/** Whether a request only cancels, and the run may cancel where it is sent. */
function isAllowedCancel(
  method: string,
  { cancels, environment }: Pick<WriteSituation, "cancels" | "environment">,
): boolean {
  return isCancel(method) && (cancels === "production" || (cancels === "notProduction" && !isRealMoney(environment)));
}

/** Returns a sentence if an order, a quote, or another trade is not even handed to the gate. */
function runTradeRefusal(
  method: string,
  { trading, environment, isAttended }: Pick<WriteSituation, "trading" | "environment" | "isAttended">,
): Plain | undefined {
  if (!isTrade(method) || environment === "simulator") return undefined;
  if (trading === undefined)
    return l10n.t(
      "Orders, quotes, and trades are not allowed in this run. Use --allow-trading with the largest order and the total in USD to allow them.",
    );
  return isRealMoney(environment) && !isAttended
    ? l10n.t("On {0}, orders, quotes, and trades need a confirmation. Run them in a terminal.", moneyPlace(environment))
    : undefined;
}
