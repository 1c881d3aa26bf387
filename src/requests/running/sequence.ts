import type { Clock } from "../../base/clock.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Environment } from "../../state/records.ts";
import { checkExpectations, type ExpectFailure } from "../expectations/expect.ts";
import type { FileRequest, FileVariable } from "../file/file.ts";
import { isRead, type Plan, type PlannedStep } from "./plan.ts";
import { labelOf, placeholderPaths, placeOfPlaceholder } from "../values/references.ts";
import { resolveParams, type Unresolved, type Use } from "../values/resolve.ts";
import type { Results } from "../values/results.ts";
import { secretFills } from "../values/secretFills.ts";
import { notSentResult, runRequest, type RunPorts, type RunResult } from "./run.ts";
import { createLookup, resultNameOf, type Lookup, type LookupParts } from "../values/variables.ts";
import { isAsWanted } from "../expectations/wanted.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { retryPauseMs } from "../../state/readRetry.ts";

/** The outside functions and values that a run needs. */
export interface SequencePorts extends Pick<
  RunPorts,
  "gate" | "fileName" | "timeoutMs" | "sendAnyway" | "sendsUnoffered" | "isUnchanged" | "previewOf"
> {
  /** Returns the environment that the connection counts as. Called at each request. */
  readonly environment: () => Environment;
  readonly connectionId: string;
  /** The responses that the run takes from and adds to. */
  readonly results: Results;
  readonly clock: Clock;
  readonly variables: Pick<LookupParts, "given" | "environmentVars" | "uuid">;
  /**
   * Asks the user for the value of `$pick.…` or `$ask.…`: a JSON literal, or undefined when the user gave up. Asked
   * once in a run for each path, one at a time; left out, there are no such values.
   */
  readonly ask?: (path: string) => Promise<string | undefined>;
  /**
   * Returns the reason why a change is not sent, as a sentence; undefined where it may be. The gate asks all the same.
   */
  readonly mayWrite?: (request: FileRequest) => string | undefined;
  /**
   * Returns the reason why nothing more of the run is sent, as a sentence: a switch of the account, for example. Called
   * before each request.
   */
  readonly obstacle?: () => string | undefined;
  /** A signal after which nothing more is sent. A change that was sent is waited for as long as it takes. */
  readonly stop?: AbortSignal;
  /** The number of reads that run together, 16 when left out. */
  readonly concurrency?: number;
  /** Whether to continue after failures, whatever the requests say. */
  readonly goesOn?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Waits for what reading proves of a change with an unknown outcome. Resolves to whether it passes; left out, it does
   * not. Nothing after it is sent before that.
   */
  readonly settle?: (result: StepResult) => Promise<"passed" | "failed">;
}

/** The end of a step. */
interface Progress {
  readonly result: StepResult;
  readonly done: number;
  readonly all: number;
}

/** The outcome of a step of a run. */
export interface StepResult {
  readonly step: PlannedStep;
  readonly verdict: "passed" | "failed" | "notSent" | "skipped";
  /** The result of the last try; its outcome gives the reason where it was not sent. */
  readonly run: RunResult;
  /** The differences between the response and the expectation; warnings fail nothing. */
  readonly failures: readonly ExpectFailure[];
  /** The number of tries, sent or not. 0 where the run did not come to the step. */
  readonly tries: number;
  /** The values that were filled in. */
  readonly used: readonly Use[];
  /** Sentences about the values that were used, e.g. an old response. */
  readonly hints: readonly Plain[];
}

/** Returns what stopping a run means while something is under way. */
export function stoppingText(isWriteUnderWay: boolean): Plain {
  return isWriteUnderWay
    ? l10n.t(
        "No more requests are sent. A write request that was already sent can't be taken back. Trading RPC still waits for its outcome.",
      )
    : l10n.t("No more requests are sent.");
}

/**
 * Carries a plan out through the gate. Reads that do not depend on each other run together, everything else one after
 * the other. It ends at the first request that fails, unless that says otherwise: the rest is reported as not sent.
 * Never throws. Results stand in the order of the plan.
 */
export async function runPlan(plan: Plan, ports: SequencePorts): Promise<readonly StepResult[]> {
  const fromFolders = (ports.variables.environmentVars ?? []).flatMap(({ values }) =>
    [...values].map(([name, valueText]) => ({ name, valueText })),
  );
  const run: Run = {
    plan,
    ports,
    sharedVariables: [...plan.file.vars, ...fromFolders],
    asked: new Map(),
    results: new Map(),
    unanswered: new Set(),
    end: undefined,
    retryTurn: Promise.resolve(),
  };
  for (const batch of plan.batches) {
    for (const step of batch) if (mustAsk(run, step)) await askFor(run, step);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let step = batch[next++]; step !== undefined; step = batch[next++]) await perform(run, step);
    };
    await Promise.all(Array.from({ length: Math.min(batch.length, ports.concurrency ?? CONCURRENCY) }, work));
  }
  return plan.steps.flatMap((step) => run.results.get(step) ?? []);
}

const CONCURRENCY = 16;

interface Run {
  readonly plan: Plan;
  readonly ports: SequencePorts;
  /** The variables of the file and its folders. */
  readonly sharedVariables: readonly Pick<FileVariable, "name" | "valueText">[];
  /** The values that were asked for in this run; undefined for one that the user gave up. */
  readonly asked: Map<string, string | undefined>;
  readonly results: Map<PlannedStep, StepResult>;
  /** The names of requests of this run that were not sent. An older response must not pass for theirs. */
  readonly unanswered: Set<string>;
  /** The reason why nothing more is sent. */
  end: Failure | undefined;
  /** A promise that makes repeats wait for each other: all at once after a lost link, they would be a storm. */
  retryTurn: Promise<void>;
}

/** Whether a step takes something from the user, and will be sent once that is known. */
function mustAsk(run: Run, step: PlannedStep): boolean {
  return (
    run.ports.ask !== undefined &&
    !step.isSkipped &&
    refusalOf(run, step) === undefined &&
    missingPaths(run, step.request).length > 0
  );
}

async function askFor(run: Run, step: PlannedStep): Promise<void> {
  const {
    ports: { ask },
    asked,
  } = run;
  for (const path of missingPaths(run, step.request)) {
    // Who gave one up does not want to be asked for the next.
    if (asked.has(path)) return;
    const value = await ask?.(path).catch(() => undefined);
    asked.set(path, value);
    if (value === undefined) return;
  }
}

/** Returns the paths that the user would have to be asked for and that have no value. */
function missingPaths({ ports: { variables }, sharedVariables, asked }: Run, request: FileRequest): readonly string[] {
  return placeholderPaths(request, sharedVariables).filter(
    (path) => ASKED.test(path) && variables.given?.has(path) !== true && asked.get(path) === undefined,
  );
}

const ASKED = /^\$(?:pick|ask)\./;

async function perform(run: Run, step: PlannedStep): Promise<void> {
  const { ports, results } = run;
  const sent = await performed(run, step);
  const isOpen = sent.verdict === "failed" && sent.run.outcome.kind === "unknown";
  const result = isOpen && ports.settle !== undefined ? { ...sent, verdict: await ports.settle(sent) } : sent;
  keepResponse(run, result);
  // What comes after a stop was stopped too, whatever the last response was.
  if (
    run.end === undefined &&
    ports.stop?.aborted !== true &&
    (result.verdict === "failed" || result.verdict === "notSent") &&
    !step.request.run.goesOn &&
    ports.goesOn !== true
  ) {
    run.end = { kind: "refused", reason: l10n.t("An earlier request failed: {0}.", labelOf(step.request)) };
  }
  results.set(step, result);
  ports.onProgress?.({ result, done: results.size, all: run.plan.steps.length });
}

async function performed(run: Run, step: PlannedStep): Promise<StepResult> {
  const {
    plan: { file },
    ports,
  } = run;
  const unsent = (verdict: "notSent" | "skipped", failure: Failure): StepResult => ({
    step,
    verdict,
    run: notSentResult(file, step.request, portsOf(run, step.request), failure),
    failures: [],
    tries: 0,
    used: [],
    hints: [],
  });
  if (step.isSkipped) return unsent("skipped", { kind: "refused", reason: l10n.t("Skipped by $run.skip.") });
  await pause(run, refusalOf(run, step) === undefined ? step.request.run.delayMs : 0);
  const refusal = refusalOf(run, step);
  if (refusal !== undefined) return unsent("notSent", refusal);
  if (ports.ask !== undefined && missingPaths(run, step.request).length > 0)
    return unsent("notSent", { kind: "declined" });
  return await tryUntilDone(run, step);
}

/** Returns the reason why a step is not sent, as far as that is known before its variables are looked up. */
function refusalOf({ ports, end }: Run, { request, refusal }: PlannedStep): Failure | undefined {
  if (end !== undefined) return end;
  if (ports.stop?.aborted === true) return { kind: "stopped", wasSent: false };
  const reason = ports.obstacle?.() ?? refusal ?? (isRead(request) ? undefined : ports.mayWrite?.(request));
  return reason === undefined ? undefined : { kind: "refused", reason };
}

/** Tries a step until it is done. Only a read is sent more than once. */
async function tryUntilDone(run: Run, step: PlannedStep): Promise<StepResult> {
  const { retries, until } = step.request.run;
  let retriesLeft = isRead(step.request) ? retries : 0;
  for (let tries = 1; ; tries++) {
    const { result: sent, isUnmet } = await sendOnce(run, step);
    const result = { ...sent, tries };
    if (refusalOf(run, step) !== undefined) return result;
    const pauseMs = retriesLeft > 0 ? repeatPauseMs(result.run.outcome, retries - retriesLeft) : undefined;
    if (pauseMs !== undefined) {
      retriesLeft -= 1;
      await inTurn(run, pauseMs);
    } else if (isRead(step.request) && until !== undefined && tries < until.maxTries && isUnmet) {
      await pause(run, Math.max(until.everyMs, repeatPauseMs(result.run.outcome, 0) ?? 0));
    } else return result;
    if (refusalOf(run, step) !== undefined) return result;
  }
}

interface Attempt {
  readonly result: StepResult;
  /** Whether a response came that is not yet what `until` waits for. */
  readonly isUnmet: boolean;
}

async function sendOnce(run: Run, step: PlannedStep): Promise<Attempt> {
  const {
    plan: { file },
    ports,
  } = run;
  const { request } = step;
  const runPorts = portsOf(run, request);
  const lookup = request.run.isRaw ? undefined : lookupOf(run, request);
  const resolution = lookup === undefined ? undefined : resolveParams(request.paramsText, lookup);
  const unsent = (reason: string): Attempt => ({
    isUnmet: false,
    result: {
      step,
      verdict: "notSent",
      run: notSentResult(file, request, runPorts, { kind: "refused", reason }),
      failures: [],
      tries: 0,
      used: [],
      hints: [],
    },
  });
  if (resolution?.kind === "unresolved") return unsent(unresolvedText(run, request, resolution.problems));
  const used = resolution?.used ?? [];
  const resolved = resolution?.paramsText ?? request.paramsText;
  const secrets = secretFills(request.method ?? "", resolved, ports.results);
  if (secrets.kind === "misplaced") return unsent(secrets.message);
  const { fills } = secrets;
  const result = await runRequest(file, request, { ...runPorts, resolved, used, fills });
  const { failures, isUnmet } = comparedWith(request, result, lookup);
  const verdict =
    result.outcome.kind === "notSent"
      ? "notSent"
      : isAsWanted(request.run, result.outcome, failures)
        ? "passed"
        : "failed";
  return {
    isUnmet,
    result: { step, verdict, run: result, failures, tries: 1, used, hints: hintsOf(used, request, ports.clock) },
  };
}

/** Compares a response. While the condition of `until` is not met, nothing else is worth comparing. */
function comparedWith(
  { run: { until, expect } }: FileRequest,
  result: RunResult,
  lookup: Lookup | undefined,
): Pick<Attempt, "isUnmet"> & Pick<StepResult, "failures"> {
  if (result.outcome.kind === "notSent") return { isUnmet: false, failures: [] };
  const awaited = until === undefined ? [] : checkExpectations(until.expect, result, lookup);
  const isUnmet = result.outcome.response !== undefined && awaited.some(({ severity }) => severity === "error");
  if (isUnmet || expect === undefined || expect === until?.expect) return { isUnmet, failures: awaited };
  return { isUnmet, failures: [...awaited, ...checkExpectations(expect, result, lookup)] };
}

function portsOf({ ports }: Run, request: FileRequest): RunPorts {
  const { gate, fileName, timeoutMs, sendAnyway, sendsUnoffered, isUnchanged, stop, environment } = ports;
  return {
    gate,
    fileName,
    environment: environment(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(sendAnyway === undefined ? {} : { sendAnyway }),
    ...(sendsUnoffered === undefined ? {} : { sendsUnoffered }),
    ...(isUnchanged === undefined ? {} : { isUnchanged }),
    // A stopped read is given up at once; the outcome of a change that was sent has to be known.
    ...(stop === undefined ? {} : isRead(request) ? { signal: stop } : { stop }),
  };
}

/** Makes a lookup at the moment of sending, with the responses and the time of now. */
function lookupOf({ plan, ports, asked, unanswered }: Run, request: FileRequest): Lookup {
  const { results, clock, environment, variables } = ports;
  const given = new Map(variables.given);
  for (const [path, value] of asked) if (value !== undefined) given.set(path, value);
  return createLookup({
    ...variables,
    given,
    resultOf: (name) => (unanswered.has(name) ? undefined : results.get(name)),
    runVars: request.run.vars,
    fileVars: plan.file.vars,
    environment: environment(),
    clock,
  });
}

/** Returns a text with each placeholder that has no value, with its place in the file. */
function unresolvedText(
  { plan: { file }, ports: { results }, unanswered }: Run,
  request: FileRequest,
  problems: readonly Unresolved[],
): string {
  const sentences = new Map(
    problems.map(({ placeholder: { path }, message }) => {
      const name = resultNameOf(path);
      const hasResponse = name === undefined || (results.get(name) !== undefined && !unanswered.has(name));
      return [
        hasResponse
          ? message
          : l10n.t(
              "This request needs the result of {0}, but there is none yet. Send that request first, or use Send All.",
              plain.name(name),
            ),
        path,
      ];
    }),
  );
  return [...sentences]
    .slice(0, MAX_SENTENCES)
    .map(([sentence, path]) => {
      const { line, column } = placeOfPlaceholder(file, request, path);
      return l10n.t("Line {0}, column {1}: {2}", line, column, sentence);
    })
    .join(" ");
}

const MAX_SENTENCES = 3;

function hintsOf(used: readonly Use[], { run: { staleMs } }: FileRequest, clock: Clock): readonly Plain[] {
  const old = used.flatMap(({ found: { source, atMs } }) =>
    source.kind === "result" && atMs !== undefined && clock.now() - atMs > staleMs
      ? [{ name: source.name, ageMs: clock.now() - atMs }]
      : [],
  );
  return [
    ...new Map(
      old.map(({ name, ageMs }) => [
        name,
        l10n.t("The response used from {0} is {1} s old.", plain.name(name), Math.round(ageMs / 1000)),
      ]),
    ).values(),
  ];
}

/** Keeps a response. If a request got none, the older one is removed, because it would pass for it. */
function keepResponse({ ports, unanswered }: Run, { step: { request }, verdict, run: { outcome } }: StepResult): void {
  const { results, environment, connectionId } = ports;
  const { name } = request.run;
  if (name === undefined || verdict === "skipped") return;
  if (outcome.kind === "notSent") unanswered.add(name);
  else unanswered.delete(name);
  const response = outcome.kind === "notSent" ? undefined : outcome.response;
  if (outcome.kind !== "notSent" && response === undefined) results.remove(name);
  if (response !== undefined)
    results.set({
      name,
      atMs: response.timing.receivedAtMs,
      bodyText: response.bodyText,
      isError: response.error !== undefined,
      environment: environment(),
      connectionId,
      ...(response.oneTime === undefined ? {} : { oneTime: response.oneTime }),
    });
}

async function inTurn(run: Run, pauseMs: number): Promise<void> {
  const turn = run.retryTurn.then(async () => await pause(run, pauseMs));
  run.retryTurn = turn;
  await turn;
}

/** Waits for a time in ms. Ends early when the run is stopped. */
async function pause({ ports: { clock, stop } }: Run, ms: number): Promise<void> {
  if (ms === 0 || stop?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      timer.dispose();
      stop?.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.after(ms, end);
    stop?.addEventListener("abort", end);
  });
}

/**
 * Returns the time to wait before a failed read is sent again, in ms. Undefined where a repeat would end the same way.
 * `failedBefore` counts the repeats so far. A lost link is waited for like a response that did not come. After one was
 * lost in this way, so is a link that is not there yet.
 */
function repeatPauseMs(outcome: Outcome, failedBefore: number): number | undefined {
  if (outcome.kind !== "rejected" && outcome.kind !== "failed" && outcome.kind !== "notSent") return undefined;
  const { failure } = outcome;
  const isLinkGone = failure.kind === "connectionLost" || (failure.kind === "notConnected" && failedBefore > 0);
  return retryPauseMs(isLinkGone ? { kind: "timeout", timeoutMs: 0 } : failure, failedBefore);
}
