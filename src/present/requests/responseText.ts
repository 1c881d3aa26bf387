import { toldBy } from "../../actions/changes/changes.ts";
import { confirmedNotes, type Outcome, type Verdict } from "../../actions/judge/outcome.ts";
import { maskParams } from "../../actions/journal/journal.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isCancel } from "../../catalogue/index.ts";
import { documentAddress, type DocumentAddress } from "../text/documentAddress.ts";
import { describeErrorCode } from "../../catalogue/errorCodes.ts";
import type { ExpectFailure } from "../../requests/expectations/expect.ts";
import { indentJson, type IndentCut, type IndentLimits } from "../../requests/text/indent.ts";
import type { RunResult } from "../../requests/running/run.ts";
import type { MaskedResponse, ResponseTiming } from "../../rpc/response.ts";
import type { Environment } from "../../state/records.ts";
import { environmentWord } from "../connections/connectionWords.ts";
import { failureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import { outcomeText, verdictText } from "../outcomes/outcomeText.ts";
import type { Times } from "../text/times.ts";

/** The data of a response document. Made again, with the same address, when a verdict comes. */
export interface ResponseSource {
  readonly result: RunResult;
  /** The environment that the request went to, as it was then. */
  readonly environment: Environment;
  readonly connectionName: string;
  /** The environment and name of the connection afterwards, where the request was to switch the account. */
  readonly placeAfter?: Plain;
  /** The time of the end in ms since the Unix epoch. Stands in the head where no response has a time of its own. */
  readonly endedAtMs: number;
  /** The verdicts that reading found since, oldest first. */
  readonly verdicts: readonly Verdict[];
  /** Whether an earlier response is kept to compare with. */
  readonly hasPrevious?: boolean;
  /** The expectation of the file, where it has one, and its comparison with the response. */
  readonly check?: ResponseCheck;
  readonly times: Times;
}

/** A response compared with `$run.expect` and `$run.until`. */
export interface ResponseCheck {
  /** Whether the file expects something of the response. */
  readonly isExpected: boolean;
  readonly failures: readonly ExpectFailure[];
  /** Sentences about the values that were filled in. */
  readonly hints: readonly string[];
  readonly tries: number;
}

/** The text of a response document and the lenses above its lines. */
export interface ResponseDocument {
  /** The text: comment lines, then JSON alone. */
  readonly text: string;
  readonly lenses: readonly ResponseLens[];
}

/** A line of text above a line, counted from 0. */
interface ResponseLens {
  readonly line: number;
  readonly text: string;
  /** The action of a click; undefined for plain text. */
  readonly action: ResponseAction | undefined;
}

export type ResponseAction =
  | "save"
  | "sendAnyway"
  | "showOrders"
  | "checkAgain"
  | "comparePrevious"
  | "compareSaved"
  | "pin"
  | "copySignature";

/** The limits of a response document. VS Code gives up colors, folding and lenses above 300,000 lines or 20 MB. */
export const RESPONSE_LIMITS: IndentLimits = { maxLines: 250_000, maxLength: 15_000_000 };

/**
 * Writes the response document: the head as a comment, then the result or the error object as received, indented. If
 * there is neither, it says what happened, what it means and what to do. The request itself follows.
 */
export function responseDocument(source: ResponseSource, limits = RESPONSE_LIMITS): ResponseDocument {
  const { result } = source;
  const response = responseOf(result.outcome);
  const head = headText(source);
  const notes = [head, ...checkLines(source), ...noteLines(source, response)];
  const commented = notes.map(commentLine);
  const room = {
    maxLines: limits.maxLines - commented.length - 1,
    maxLength: limits.maxLength - commented.join("\n").length - MAX_CUT_LINE,
  };
  const body = indentJson(response?.bodyText ?? requestText(result), room);
  const cutLines = body.cut === undefined ? [] : [commentLine(cutText(body.cut))];
  return {
    text: [...commented, ...(body.text === "" ? [] : [body.text]), ...cutLines, ""].join("\n"),
    lenses: [...headLenses(source, response), ...meaningLenses(result, response, commented.length)],
  };
}

function checkLines({ check }: ResponseSource): string[] {
  return check === undefined
    ? []
    : [
        ...check.failures.map(({ severity, message }) => `${severity === "error" ? "✗" : "⚠"} ${plain.text(message)}`),
        ...check.hints.map((hint) => plain.text(hint)),
      ];
}

/** Returns a comment that stays one line whatever it holds: no text may end it and pose as the response. */
export function commentLine(text: string): string {
  return `// ${text.replaceAll(/[\r\n\u2028\u2029]+/g, " ")}`;
}

/** Returns the whole JSON that was received, indented, without comments; undefined where nothing was received. */
export function savedResponseText({ outcome }: RunResult): string | undefined {
  const response = responseOf(outcome);
  return response === undefined ? undefined : `${indentJson(response.bodyText).text}\n`;
}

/**
 * Returns the address of a request file's response, or of a `part` of them: one for each file and connection, so that a
 * title is always right. `fileUri` tells files of the same name apart. `connectionName` tells the responses of several
 * connections in the same environment apart.
 */
export function responseAddress(
  fileUri: string,
  environment: Environment,
  { part, connectionName }: { readonly part?: string | undefined; readonly connectionName?: string | undefined } = {},
): DocumentAddress {
  const fileName = fileUri.split(/[/\\:]/).at(-1) ?? "";
  const bareName = decode(fileName).replace(/(\.rpc)?\.jsonc?$/, "");
  const name = bareName === "" ? l10n.t("request") : plain.name(bareName);
  const place =
    connectionName === undefined
      ? environmentWord(environment)
      : environmentWords(environment, plain.name(connectionName));
  const title =
    part === undefined
      ? l10n.t("{0} ▸ response ({1})", name, place)
      : l10n.t("{0} ▸ {1} ({2})", name, plain.name(part), place);
  return documentAddress("response", title, { file: fileUri, part, connection: connectionName });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The length that is kept free for the line about the missing part. */
const MAX_CUT_LINE = 200;

/** Returns the response of an outcome that has one. */
export function responseOf(outcome: Outcome): MaskedResponse | undefined {
  return outcome.kind === "notSent" ? undefined : outcome.response;
}

/** The most characters about the terms of an order: all of them may be different. */
const MAX_TERMS = 1500;

/** Returns the first line of a response document: destination, outcome, duration. */
export function headText(source: ResponseSource): string {
  const { result, environment, connectionName, endedAtMs, times } = source;
  const response = responseOf(result.outcome);
  const parts = [environmentWords(environment, connectionName), outcomeWords(result.outcome)];
  if (response !== undefined) parts.push(timingText(response.timing));
  parts.push(times.clock(response?.timing.receivedAtMs ?? endedAtMs));
  if (response !== undefined) parts.push(l10n.t("request ID {0}", response.wireId));
  return parts.join(" · ");
}

/** Returns the outcome of a request in a word or two. */
export function outcomeWords(outcome: Outcome): Plain {
  switch (outcome.kind) {
    case "confirmed":
      return l10n.t("ok");
    case "confirmedOther":
      return l10n.t("the exchange reports {0}", plain.name(outcome.state));
    case "rejected":
      return errorWords(outcome.failure.code, outcome.failure.message);
    case "challenge":
      return l10n.t("2FA code required");
    case "failed":
      return outcome.response === undefined ? l10n.t("no response") : l10n.t("unexpected response");
    case "notSent":
      return l10n.t("not sent");
    case "unknown":
      return l10n.t("outcome unknown");
  }
}

/** Returns an error object in a few words: its code and the exchange's name of it. */
export function errorWords(code: number, message: string): Plain {
  return l10n.t("error {0} {1}", code, plain.name(describeErrorCode(code, message)?.name ?? message));
}

/**
 * Returns the parts of the time of a call. Parts rounded separately would not add up: time outside of the queue and the
 * exchange is network.
 */
export function timingText({ totalMs, queuedMs, exchangeMs }: ResponseTiming): Plain {
  const [total, queue] = [Math.round(totalMs), Math.round(queuedMs)];
  const exchange = exchangeMs === undefined ? undefined : Math.round(exchangeMs);
  const network = Math.max(0, total - queue - (exchange ?? 0));
  return exchange === undefined
    ? l10n.t("{0} ms (exchange and network {1}, queue {2})", countText(total), countText(network), countText(queue))
    : l10n.t(
        "{0} ms (exchange {1}, network {2}, queue {3})",
        countText(total),
        countText(exchange),
        countText(network),
        countText(queue),
      );
}

/** Returns the comments below the head: nothing where a response speaks for itself. */
function noteLines(source: ResponseSource, response: MaskedResponse | undefined): Plain[] {
  const { outcome } = source.result;
  switch (outcome.kind) {
    case "confirmed":
      return [...confirmedNotes(outcome), ...switchLines(source), ...verdictLines(source)];
    case "confirmedOther":
      // The head has room for a word or two.
      return [
        ...(isCancel(source.result.intent.method) ? [] : [plain.text(outcome.state, MAX_TERMS)]),
        ...verdictLines(source),
      ];
    case "rejected":
      return verdictLines(source);
    case "challenge":
      return [
        l10n.t(
          "The exchange requires a 2FA code. Nothing has been changed yet. Send the request again to enter a code, or make the change on the exchange's website.",
        ),
      ];
    case "failed":
    case "notSent":
    case "unknown": {
      const { happened, meaning, advice } = failureText(
        outcome.failure,
        source.result.effect,
        environmentWords(source.environment, source.connectionName),
      );
      const told = [happened, meaning, advice].filter((line) => line !== "");
      const doubt =
        outcome.kind === "unknown" && outcome.failure.kind === "exchange"
          ? [l10n.t("This error doesn't prove that nothing was changed. The outcome is unknown.")]
          : [];
      return [
        ...told,
        ...doubt,
        ...placeLines(source.result),
        ...verdictLines(source),
        ...requestLines(source.result, response),
      ];
    }
  }
}

/** Returns lines about a switch: the head says where it was sent; from then on it is another account. */
function switchLines({ result: { intent, outcome }, placeAfter, times }: ResponseSource): Plain[] {
  return placeAfter === undefined ? [] : [outcomeText(outcome, { intent, place: placeAfter, times })];
}

/** Returns the places of errors. A single error already has its place in the text. */
function placeLines({ outcome, problems }: RunResult): Plain[] {
  if (outcome.kind !== "notSent" || !["refused", "invalidParams"].includes(outcome.failure.kind)) return [];
  if (outcome.failure.kind === "refused" && problems.length < 2) return [];
  return problems
    .slice(0, MAX_PLACES)
    .map(({ place, message }) => l10n.t("Line {0}, column {1}: {2}", place.line, place.column, message));
}

const MAX_PLACES = 20;

function verdictLines(source: ResponseSource): Plain[] {
  const { result, verdicts, times, environment, connectionName } = source;
  const context = { intent: result.intent, place: environmentWords(environment, connectionName), times };
  if (verdicts.length > 0) return verdicts.map((verdict) => verdictText(verdict, context));
  return result.outcome.kind === "unknown" && toldBy(result.intent) === "order"
    ? [l10n.t("You can wait: the order is being checked with the exchange, and the result will appear here.")]
    : [];
}

/** Returns a line about the JSON below where it is not a response, or about the request of the response below. */
function requestLines({ outcome, intent }: RunResult, response: MaskedResponse | undefined): Plain[] {
  if (intent.method === "") return [];
  if (response !== undefined)
    return [
      l10n.t(
        "Sent as {0} with {1}",
        plain.text(intent.method),
        plain.text(maskParams(intent.method, intent.paramsText)),
      ),
    ];
  return [outcome.kind === "notSent" ? l10n.t("Request that was not sent:") : l10n.t("Request that was sent:")];
}

function requestText({ intent }: RunResult): string {
  return intent.method === ""
    ? ""
    : `{"method":${JSON.stringify(intent.method)},"params":${maskParams(intent.method, intent.paramsText)}}`;
}

function cutText({ unit, shown, total }: IndentCut): Plain {
  if (shown === total) return l10n.t("Truncated. Use Save Response… to save all of it.");
  return unit === "elements"
    ? l10n.t("Showing {0} of {1} elements. Use Save Response… to save all of them.", countText(shown), countText(total))
    : l10n.t("Showing {0} of {1} lines. Use Save Response… to save all of them.", countText(shown), countText(total));
}

function checkLenses({ isExpected, failures, tries }: ResponseCheck): ResponseLens[] {
  const failed = failedText(failures);
  const text = failed === undefined ? (isExpected ? l10n.t("✓ as expected") : "") : plain`✗ ${failed}`;
  return [...(text === "" ? [] : [lens(0, text)]), ...(tries > 1 ? [lens(0, l10n.t("{0} tries", tries))] : [])];
}

/** Returns the differences from an expectation in one line: the first one, and how many more; undefined without one. */
export function failedText(failures: readonly ExpectFailure[]): Plain | undefined {
  const [first, ...more] = failures.filter(({ severity }) => severity === "error");
  if (first === undefined) return undefined;
  const told = plain.text(first.message, MAX_LENS);
  return more.length === 0 ? told : plain.join([told, l10n.t("and {0} more", countText(more.length))], " · ");
}

/** The most characters of a difference in a lens: the rest is in the response, and in the Problems panel. */
const MAX_LENS = 60;

function headLenses(
  { result, verdicts, check, hasPrevious = false }: ResponseSource,
  response: MaskedResponse | undefined,
): ResponseLens[] {
  // The line below says where it was sent, and how it ended.
  const lenses: ResponseLens[] = [];
  if (result.canSendAnyway) lenses.push(lens(0, l10n.t("Send Anyway"), "sendAnyway"));
  if (hasListedLeft(result.outcome)) lenses.push(lens(0, l10n.t("Show Orders"), "showOrders"));
  if (isCheckable(result, verdicts)) lenses.push(lens(0, l10n.t("Check Again"), "checkAgain"));
  if (response?.oneTime?.kind === "signature") lenses.push(lens(0, l10n.t("Copy Signature"), "copySignature"));
  if (response?.hasMaskedSecrets === true) lenses.push(lens(0, l10n.t("Secrets are hidden")));
  if (check !== undefined) lenses.push(...checkLenses(check));
  if (response === undefined) return lenses;
  return [
    ...lenses,
    lens(0, l10n.t("Save Response…"), "save"),
    ...(hasPrevious ? [lens(0, l10n.t("Compare with Previous"), "comparePrevious")] : []),
    lens(0, l10n.t("Compare with Saved…"), "compareSaved"),
    ...(check === undefined ? [] : [lens(0, l10n.t("Create Expectation from Response"), "pin")]),
  ];
}

/** Whether a request left isolated orders that the Orders view lists, where they can be cancelled one by one. */
function hasListedLeft(outcome: Outcome): boolean {
  return outcome.kind === "confirmed" && (outcome.isolatedLeft ?? []).length > 0;
}

/** Whether reading has ended and gave no result. */
function isCheckable({ outcome, intent, activityId }: RunResult, verdicts: readonly Verdict[]): boolean {
  return (
    outcome.kind === "unknown" &&
    toldBy(intent) !== "nothing" &&
    activityId !== undefined &&
    verdicts.at(-1)?.kind === "unverified"
  );
}

/** Returns the meaning of an error object above it: code and name, the meaning, the advice. */
function meaningLenses(
  { outcome, effect }: RunResult,
  response: MaskedResponse | undefined,
  line: number,
): ResponseLens[] {
  if (response?.error === undefined || outcome.kind !== "rejected") return [];
  const { happened, meaning, advice } = failureText(outcome.failure, effect);
  return [happened, meaning, advice].filter((text) => text !== "").map((text) => lens(line, text));
}

function lens(line: number, text: string, action?: ResponseAction): ResponseLens {
  return { line, text, action };
}
