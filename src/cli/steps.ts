import type { ActivityEntry } from "../actions/journal/activity.ts";
import { maskParams } from "../actions/journal/journal.ts";
import { isSettling, type OrderVerdict, type Verdict } from "../actions/judge/outcome.ts";
import { sessionRefusal } from "../actions/gate/policy.ts";
import { aboutOf, channelMethod } from "../actions/changes/changes.ts";
import { tiedSentence } from "../actions/gate/tiedOrders.ts";
import { isObject } from "../base/json.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isEndState } from "../catalogue/orderStates.ts";
import type { Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { failureText } from "../present/text/failureText.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../present/outcomes/outcomeText.ts";
import type { Times } from "../present/text/times.ts";
import type { ExpectFailure } from "../requests/expectations/expect.ts";
import type { FileRequest, RequestFile } from "../requests/file/file.ts";
import { isAsWanted } from "../requests/expectations/wanted.ts";
import type { StepResult } from "../requests/running/sequence.ts";
import type { CancelOnDisconnect } from "../state/cancelOnDisconnect.ts";
import type { Environment } from "../state/records.ts";
import type { StepChange, StepFailure, StepReport, StepVerdict } from "./report.ts";

/** The context of a step's report. */
export interface StepContext {
  readonly file: Pick<RequestFile, "placeAt">;
  readonly place: Plain;
  readonly times: Times;
  readonly environment: Environment;
  /** Returns why a request is not sent in this run, whatever its response; undefined if it may be sent. */
  readonly refusalOf: (request: FileRequest) => string | undefined;
  /** Whether an earlier request has ended the run of its file. */
  readonly isBehindFailure: boolean;
  /** What the end of the run does to its orders; left out, nothing is said of it. */
  readonly cancelOnDisconnect?: Pick<CancelOnDisconnect, "isOn">;
}

/**
 * Returns the outcome of a step, as it is known now. An unknown outcome may be looked up later: see `settledReport`.
 */
export function stepReport(result: StepResult, context: StepContext): StepReport {
  const {
    step: { request },
    run,
    failures,
    tries,
  } = result;
  const { intent, outcome } = run;
  const response = outcome.kind === "notSent" ? undefined : outcome.response;
  const isSent = outcome.kind !== "notSent";
  return {
    name: request.run.name,
    method: plain.name(request.method ?? ""),
    id: typeof request.id === "string" ? plain.name(request.id) : request.id,
    place: context.file.placeAt(request.range.start),
    verdict: verdictOf(result, context),
    isProvedByReading: false,
    change: changeOf(result, undefined),
    sentence: plain.join(
      [sentenceOf(result, context), ...tiedNote(result, context), ...result.hints].filter((each) => each !== ""),
      " ",
    ),
    failures: failures.map((failure) => failureReport(failure, context.file)),
    durationMs: response === undefined ? undefined : response.timing.totalMs - response.timing.queuedMs,
    tries,
    paramsText: isSent ? maskParams(intent.method, intent.paramsText) : undefined,
    response:
      response === undefined
        ? undefined
        : {
            isError: response.error !== undefined,
            bodyText: response.bodyText,
            receivedAtMs: response.timing.receivedAtMs,
            wireId: response.wireId,
          },
  };
}

/**
 * Returns the report of a step with an unknown outcome after the lookup. A proved success passes, unless the response
 * was to be compared with something. What is not proved stays unknown.
 */
export function settledReport(
  report: StepReport,
  result: StepResult,
  entry: ActivityEntry | undefined,
  context: StepContext,
): StepReport {
  const { outcome } = result.run;
  const { run: wanted } = result.step.request;
  if (outcome.kind !== "unknown" || entry === undefined) return report;
  const change = changeOf(result, entry);
  // An error that was expected is what came.
  if (isAsWanted(wanted, outcome, result.failures)) return { ...report, change };
  const proved = provedSentence(entry, contextOf(result, context));
  const isExpecting = wanted.expect !== undefined || wanted.until !== undefined;
  return { ...report, change, ...provedReport(provedOf(entry), proved === "" ? report.sentence : proved, isExpecting) };
}

/** Returns what a late response or reads say of an entry whose outcome was unknown; empty where they say nothing. */
export function provedSentence({ outcome, verdicts }: ActivityEntry, words: OutcomeContext): Plain {
  if (outcome !== undefined && outcome.kind !== "unknown") return outcomeText(outcome, words);
  // What was watched is told by what came after it.
  const told = verdicts.filter(({ kind }, index, all) => kind !== "notApplied" || index === all.length - 1);
  return plain.join(
    told.map((verdict) => verdictText(verdict, words)),
    " ",
  );
}

/** Returns the part of a report that a proof decides. An expectation has nothing to be compared with. */
function provedReport(
  proof: Proof,
  sentence: Plain,
  isExpecting: boolean,
): Pick<StepReport, "verdict" | "isProvedByReading" | "sentence"> {
  if (proof === "open") return { verdict: "unknown", isProvedByReading: false, sentence };
  if (proof === "notDone" || proof === "other") return { verdict: "failed", isProvedByReading: false, sentence };
  return {
    verdict: isExpecting ? "failed" : "passed",
    isProvedByReading: true,
    sentence: isExpecting
      ? l10n.t("{0} The response didn't arrive, so the expectation couldn't be checked.", sentence)
      : sentence,
  };
}

/** Returns what a request has done, by its response and by what came after it. */
function changeOf({ run }: StepResult, entry: ActivityEntry | undefined): StepChange | undefined {
  if (!isChange(run)) return undefined;
  return CHANGE_OF_PROOF[provedOf({ outcome: entry?.outcome ?? run.outcome, verdicts: entry?.verdicts ?? [] })];
}

function isChange({ effect, intent }: StepResult["run"]): boolean {
  return effect !== "read" && channelMethod(intent.method) === undefined;
}

/** What is proved of a change: that it was made, something else or a part of it, that it was not, or nothing. */
type Proof = "done" | "other" | "notDone" | "open";

const CHANGE_OF_PROOF: Readonly<Record<Proof, StepChange | undefined>> = {
  done: "made",
  other: "other",
  notDone: undefined,
  open: "unknown",
};

/** Returns what a late response or reads have proved of an entry whose outcome was unknown. */
export function provedOf({ outcome, verdicts }: Pick<ActivityEntry, "outcome" | "verdicts">): Proof {
  if (outcome?.kind === "confirmed") return "done";
  if (outcome?.kind === "confirmedOther") return "other";
  return outcome === undefined || outcome.kind === "unknown" ? proofOfVerdicts(verdicts) : "notDone";
}

/** Returns what reads have proved, each later one with more weight. */
function proofOfVerdicts(verdicts: readonly Verdict[]): Proof {
  const orders = new Map<string, OrderVerdict>();
  let last: OrderVerdict | undefined;
  for (const verdict of verdicts) {
    if (verdict.kind === "several") for (const each of verdict.orders) orders.set(each.orderId, each.verdict);
    else if (last === undefined || isSettling(verdict) || !isSettling(last)) last = verdict;
  }
  const proofs = [...orders.values(), ...(last === undefined ? [] : [last])].map(proofOfVerdict);
  if (proofs.length === 0 || proofs.includes("open")) return "open";
  const [first, ...others] = new Set(proofs);
  return first === undefined || others.length > 0 ? "other" : first;
}

function proofOfVerdict(verdict: OrderVerdict): Proof {
  // That an object is not there any more does not tell what became of it.
  if (!isSettling(verdict) || verdict.kind === "gone") return "open";
  if (verdict.kind === "applied") return "done";
  return verdict.kind === "notApplied" ? "notDone" : "other";
}

/** Whether a step shows that the connection was lost. */
export function isLinkFailure({ run: { outcome } }: StepResult): boolean {
  return (
    (outcome.kind === "notSent" || outcome.kind === "failed" || outcome.kind === "unknown") &&
    LINK_FAILURES.includes(outcome.failure.kind)
  );
}

const LINK_FAILURES: readonly Failure["kind"][] = ["notConnected", "connectionLost", "cannotConnect"];

function verdictOf(
  { verdict, run, step: { request } }: StepResult,
  { refusalOf, isBehindFailure }: StepContext,
): StepVerdict {
  const { outcome } = run;
  if (verdict === "passed" || verdict === "skipped") return verdict;
  if (outcome.kind === "unknown") return "unknown";
  if (outcome.kind !== "notSent") return "failed";
  const { kind } = outcome.failure;
  // Where no user could be asked, the run doesn't allow it.
  if (outcome.failure.kind === "declined") return outcome.failure.reason === undefined ? "declined" : "refused";
  if (kind === "stopped" || (kind === "refused" && isBehindFailure)) return "notRun";
  return kind === "refused" && isRefusedHere(run, refusalOf(request)) ? "refused" : "failed";
}

/** Whether a request was refused by what this run, or the connection, allows; what a file gets wrong is a failure. */
function isRefusedHere(run: StepResult["run"], refusal: string | undefined): boolean {
  const isRefusedByGate = run.isSubmitted === true && isChange(run);
  return isRefusedByGate || (refusal ?? sessionRefusal(run.intent.method)) !== undefined;
}

/** Returns what the end of the program does to an order that was placed and has not ended. */
function tiedNote({ run: { intent, outcome } }: StepResult, { cancelOnDisconnect }: StepContext): readonly Plain[] {
  if (outcome.kind !== "confirmed" && outcome.kind !== "confirmedOther") return [];
  const { result } = outcome.response;
  const order = isObject(result) && isObject(result["order"]) ? result["order"] : {};
  const isPlaced = aboutOf(intent.method) === "newOrder" && !isEndState(order["order_state"]);
  const isOverLink = (intent.transport ?? "webSocket") === "webSocket";
  if (!isPlaced || !isOverLink || cancelOnDisconnect === undefined) return [];
  const sentence = tiedSentence(cancelOnDisconnect.isOn, "program");
  return sentence === undefined ? [] : [sentence];
}

function sentenceOf(result: StepResult, context: StepContext): Plain {
  const {
    verdict,
    run: { outcome, effect },
  } = result;
  if (outcome.kind === "notSent") {
    const { happened, advice } = failureText(outcome.failure, effect, context.place);
    return outcome.failure.kind === "refused" || advice === "" ? happened : plain`${happened} ${advice}`;
  }
  if (outcome.kind === "confirmed" && effect === "read") return "";
  return verdict === "passed" && effect === "read" ? "" : outcomeText(outcome, contextOf(result, context));
}

function contextOf({ run: { intent } }: StepResult, { place, times }: StepContext): OutcomeContext {
  return { intent, place, times };
}

function failureReport(
  { message, expected, actual, range, severity }: ExpectFailure,
  { placeAt }: StepContext["file"],
): StepFailure {
  return {
    message,
    expected,
    actual,
    place: placeAt(range.start),
    severity,
  };
}
