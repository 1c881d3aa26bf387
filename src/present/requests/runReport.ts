import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { maskParams } from "../../actions/journal/journal.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { indentJson } from "../../requests/text/indent.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import { labelOf } from "../../requests/values/references.ts";
import type { StepResult } from "../../requests/running/sequence.ts";
import type { Environment } from "../../state/records.ts";
import { RESPONSE_LIMITS, commentLine, failedText, outcomeWords, responseOf } from "./responseText.ts";
import { failureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import { durationText, type Times } from "../text/times.ts";

/** A run of several requests that has ended. */
interface RunReportSource {
  readonly results: readonly StepResult[];
  readonly file: Pick<RequestFile, "placeAt">;
  readonly environment: Environment;
  readonly connectionName: string;
  /** The time of the end in ms since the Unix epoch. */
  readonly endedAtMs: number;
  readonly tookMs: number;
  readonly times: Times;
}

/** The text of a run's document and of the file that Save writes. */
interface RunReport {
  readonly text: string;
  /** Returns the text of the file: for many requests, it takes as long as that of the document. */
  readonly savedText: () => string;
}

/** The number of steps by outcome. */
interface RunCounts {
  readonly passed: number;
  readonly failed: number;
  readonly notSent: number;
  readonly skipped: number;
}

/** Writes the document of a run: a comment line for each request, then a JSON list with the responses as received. */
export function runReport(source: RunReportSource): RunReport {
  const { results, file } = source;
  const lines = [headLine(source), ...results.flatMap((result) => stepLines(result, file))];
  const json = `[${results.map(stepJson).join(",")}]`;
  const shown = indentJson(json, {
    maxLines: Math.max(1000, RESPONSE_LIMITS.maxLines - lines.length),
    maxLength: RESPONSE_LIMITS.maxLength,
  });
  const cut = shown.cut === undefined ? [] : [commentLine(l10n.t("Truncated. Use Save Response… to save all of it."))];
  return {
    text: [...lines.map(commentLine), shown.text, ...cut, ""].join("\n"),
    savedText: () => `${indentJson(json).text}\n`,
  };
}

export function countRun(results: readonly StepResult[]): RunCounts {
  const count = (verdict: StepResult["verdict"]): number =>
    results.filter((result) => result.verdict === verdict).length;
  return { passed: count("passed"), failed: count("failed"), notSent: count("notSent"), skipped: count("skipped") };
}

/** Returns "12 passed, 1 failed, 3 not sent": counts of 0 are left out. */
export function countsText({ passed, failed, notSent, skipped }: RunCounts): Plain {
  const parts = [
    l10n.t("{0} passed", countText(passed)),
    ...(failed === 0 ? [] : [l10n.t("{0} failed", countText(failed))]),
    ...(notSent === 0 ? [] : [l10n.t("{0} not sent", countText(notSent))]),
    ...(skipped === 0 ? [] : [l10n.t("{0} skipped", countText(skipped))]),
  ];
  return plain.join(parts, ", ");
}

/** Returns the outcome of a request, for the lens above it: `✓ 43 ms · 12:04:07`. The mark alone says that it is ok. */
export function stepText(
  { verdict, run: { outcome }, failures, tries }: StepResult,
  atMs: number,
  times: Times,
): string {
  const words = failedText(failures) ?? outcomeWords(outcome);
  const isSaid = verdict === "passed" && outcome.kind === "confirmed";
  const parts = [
    ...(isSaid ? [] : [words]),
    ...callTexts(outcome, tries),
    times.clock(responseOf(outcome)?.timing.receivedAtMs ?? atMs),
  ];
  return `${MARKS[verdict]} ${parts.join(" · ")}`;
}

/** Returns how long the last response took, and how many tries there were. */
function callTexts(outcome: Outcome, tries: number): readonly Plain[] {
  const response = responseOf(outcome);
  return [
    ...(response === undefined ? [] : [l10n.t("{0} ms", countText(Math.round(response.timing.totalMs)))]),
    ...(tries > 1 ? [l10n.t("{0} tries", tries)] : []),
  ];
}

const MARKS: Readonly<Record<StepResult["verdict"], string>> = { passed: "✓", failed: "✗", notSent: "⊘", skipped: "–" };

function headLine({ results, environment, connectionName, endedAtMs, tookMs, times }: RunReportSource): string {
  return [
    environmentWords(environment, connectionName),
    countsText(countRun(results)),
    durationText(tookMs),
    times.clock(endedAtMs),
  ].join(" · ");
}

/** Returns a line for a request, and one for each difference from its expectation. */
function stepLines(result: StepResult, file: RunReportSource["file"]): string[] {
  const {
    step: { request, isImplicit },
    verdict,
    run,
    failures,
    hints,
    tries,
  } = result;
  const { line } = file.placeAt(request.range.start);
  const name = request.run.name === undefined ? "" : ` ${plain.text(request.method ?? "")}`;
  const parts = [
    `${MARKS[verdict]} ${labelOf(request)}${name}`,
    outcomeWords(run.outcome),
    ...callTexts(run.outcome, tries),
    ...(isImplicit ? [l10n.t("needed by another request")] : []),
    l10n.t("line {0}", line),
  ];
  return [
    parts.join(" · "),
    ...[...failures.map((failure) => failure.message), ...reasonOf(run.outcome), ...hints].map(
      (text) => `    ${plain.text(text, MAX_LINE)}`,
    ),
  ];
}

const MAX_LINE = 500;

function reasonOf(outcome: Outcome): Plain[] {
  if (outcome.kind !== "notSent" && outcome.kind !== "failed" && outcome.kind !== "unknown") return [];
  return [failureText(outcome.failure, outcome.kind === "unknown" ? "write" : "read").happened];
}

function stepJson({ step: { request }, verdict, run: { intent, outcome } }: StepResult): string {
  const response = responseOf(outcome);
  const members = [
    ["name", JSON.stringify(labelOf(request))],
    ["verdict", JSON.stringify(verdict)],
    ["method", JSON.stringify(intent.method)],
    ["params", maskParams(intent.method, intent.paramsText)],
    ...(response === undefined ? [] : [[response.error === undefined ? "result" : "error", response.bodyText]]),
  ];
  return `{${members.map(([name = "", text = ""]) => `"${name}":${text}`).join(",")}}`;
}
