import type { ActivityEntry } from "../actions/activity.ts";
import { maskParams } from "../actions/journal.ts";
import { isSettling } from "../actions/outcome.ts";
import { sessionRefusal } from "../actions/policy.ts";
import { plain } from "../base/plain.ts";
import type { Failure } from "../base/failure.ts";
import { failureText } from "../present/text/failureText.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../present/outcomes/outcomeText.ts";
import type { Times } from "../present/text/times.ts";
import type { ExpectFailure } from "../requests/expectations/expect.ts";
import type { FileRequest, RequestFile } from "../requests/file/file.ts";
import { placeOf } from "../requests/text/place.ts";
import { hideTokens } from "../requests/text/secrets.ts";
import type { StepResult } from "../requests/running/sequence.ts";
import type { Environment } from "../state/records.ts";
import type { StepFailure, StepReport, StepVerdict } from "./report.ts";

/** The context of a step's report. */
export interface StepContext {
  readonly file: RequestFile;
  readonly place: string;
  readonly times: Times;
  readonly environment: Environment;
  /** Returns why a request is not sent in this run, whatever its response; undefined if it may be sent. */
  readonly refusalOf: (request: FileRequest) => string | undefined;
  /** Whether an earlier request has ended the run of its file. */
  readonly isBehindFailure: boolean;
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
    place: placeOf(context.file.text, request.range.start),
    verdict: verdictOf(result, context),
    sentence: hideTokens([sentenceOf(result, context), ...result.hints].filter((each) => each !== "").join(" ")),
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
 * Returns the report of a step with an unknown outcome after the lookup. Reads proved the outcome; its response never
 * came.
 */
export function settledReport(
  report: StepReport,
  result: StepResult,
  entry: ActivityEntry | undefined,
  context: StepContext,
): StepReport {
  if (report.verdict !== "unknown" || entry === undefined) return report;
  const words = contextOf(result, context);
  const isLate = entry.outcome !== undefined && entry.outcome.kind !== "unknown";
  const said = entry.verdicts.map((verdict) => verdictText(verdict, words));
  const sentence = hideTokens(
    said.length > 0 ? said.join(" ") : isLate ? outcomeText(entry.outcome, words) : report.sentence,
  );
  return { ...report, verdict: isLate || entry.verdicts.some(isSettling) ? "failed" : "unknown", sentence };
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
  { verdict, run: { outcome }, step: { request } }: StepResult,
  { refusalOf, isBehindFailure }: StepContext,
): StepVerdict {
  if (verdict === "passed" || verdict === "skipped") return verdict;
  if (outcome.kind === "unknown") return "unknown";
  if (outcome.kind !== "notSent") return "failed";
  const { kind } = outcome.failure;
  if (kind === "declined") return "refused";
  if (kind === "stopped" || (kind === "refused" && isBehindFailure)) return "notRun";
  return kind === "refused" && (refusalOf(request) ?? sessionRefusal(request.method ?? "")) !== undefined
    ? "refused"
    : "failed";
}

function sentenceOf(result: StepResult, context: StepContext): string {
  const {
    verdict,
    run: { outcome, effect },
  } = result;
  if (outcome.kind === "notSent") {
    const { happened, advice } = failureText(outcome.failure, effect, context.place);
    return outcome.failure.kind === "refused" || advice === "" ? happened : `${happened} ${advice}`;
  }
  if (outcome.kind === "confirmed" && effect === "read") return "";
  return verdict === "passed" && effect === "read" ? "" : outcomeText(outcome, contextOf(result, context));
}

function contextOf({ run: { intent } }: StepResult, { place, times }: StepContext): OutcomeContext {
  return { intent, place, times };
}

function failureReport(
  { message, expected, actual, range, severity }: ExpectFailure,
  { text }: RequestFile,
): StepFailure {
  return {
    message: hideTokens(message),
    expected: hideTokens(expected),
    actual: hideTokens(actual),
    place: placeOf(text, range.start),
    severity,
  };
}
