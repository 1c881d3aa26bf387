import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { countText } from "../present/text/numbers.ts";
import { durationText, type Times } from "../present/text/times.ts";
import { indentJson } from "../requests/text/indent.ts";
import type { FollowedEvent } from "./follow.ts";
import {
  changesText,
  countVerdicts,
  placeText,
  placeWords,
  type TerminalReport,
  type StepResponse,
  type StepFailure,
  type StepReport,
  type StepVerdict,
} from "./report.ts";
import { oneLine, safeJson } from "./safeText.ts";

/** The style of the report in text. */
export interface TextStyle {
  readonly hasColor: boolean;
  /**
   * The amount of detail. `quiet`: only what did not pass, and the last line. `verbose`: parameters and responses too.
   */
  readonly verbosity: "quiet" | "normal" | "verbose";
}

/** Returns the line above the requests of a file. */
export function fileHeading(path: Plain, place: string, { hasColor }: TextStyle): string {
  return `${painted(path, "1", hasColor)} · ${place}\n`;
}

/** Returns a request in one line, with the details below it; empty if the style leaves it out. */
export function terminalStepText(path: Plain, step: StepReport, style: TextStyle): string {
  const { name, method, verdict, sentence, durationMs, tries, failures } = step;
  if (style.verbosity === "quiet" && (verdict === "passed" || verdict === "skipped")) return "";
  const { hasColor, verbosity } = style;
  const { sign, color } = MARKS[verdict];
  const parts = [
    painted(plain.text(sign), color, hasColor),
    ...(name === undefined ? [] : [name]),
    method,
    ...markWords(step, hasColor),
  ];
  const end = plain.join(
    [
      ...(durationMs === undefined ? [] : [durationText(durationMs)]),
      ...(tries > 1 ? [l10n.t("{0} tries", tries)] : []),
    ],
    ", ",
  );
  const head = `${parts.join("  ")}${end === "" ? "" : `  ${painted(end, "2", hasColor)}`}`;
  const lines = [
    head,
    ...failures.map((failure) => indented(failureLine(path, failure, hasColor))),
    ...(sentence === ""
      ? []
      : [
          indented(
            verdict === "passed" || verdict === "skipped"
              ? sentence
              : `${painted(placeText(path, step.place), "36", hasColor)}  ${sentence}`,
          ),
        ]),
    ...(verbosity === "verbose" ? detailLines(step).map(indented) : []),
  ];
  return `${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

/** Returns the words after a method: the verdict where its sign does not say it all. */
function markWords({ verdict, isProvedByReading }: StepReport, hasColor: boolean): readonly Plain[] {
  const { color, word } = MARKS[verdict];
  if (verdict === "passed") return isProvedByReading ? [l10n.t("proved by reading")] : [];
  return [painted(word(), color, hasColor)];
}

/** Returns an event of a followed channel, in one line. */
export function eventText(
  { channel, atMs, payloadText }: FollowedEvent,
  times: Pick<Times, "clock">,
  { hasColor }: TextStyle,
): string {
  return `    ${painted(times.clock(atMs), "2", hasColor)}  ${channel}  ${oneLine(payloadText)}\n`;
}

/** Returns the last lines: which changes were made, the number of each verdict, the duration, and the exit code. */
export function summaryText(report: TerminalReport, style: TextStyle): string {
  return changesLine(report) + countsText(report, style);
}

/** Returns the whole report. */
export function textReport(report: TerminalReport, style: TextStyle): string {
  return [
    changesLine(report),
    ...report.files.flatMap(({ path, steps }) => [
      fileHeading(plain.text(path), placeWords(report), style),
      ...steps.map((step) => terminalStepText(plain.text(path), step, style)),
    ]),
    countsText(report, style),
  ].join("");
}

function changesLine(report: TerminalReport): string {
  const changes = changesText(report);
  return changes === undefined ? "" : `${changes}\n`;
}

function countsText({ files, durationMs, exitCode, notes }: TerminalReport, { hasColor }: TextStyle): string {
  const counts = countVerdicts(files);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === "passed").map((verdict) => {
    const text = COUNTS[verdict](countText(counts[verdict]));
    return counts[verdict] === 0 ? text : painted(text, MARKS[verdict].color, hasColor);
  });
  return [
    ...notes,
    l10n.t("{0} in {1} (exit code {2})", plain.join(parts, ", "), durationText(durationMs), exitCode),
    "",
  ].join("\n");
}

const VERDICTS: readonly StepVerdict[] = ["passed", "failed", "declined", "refused", "unknown", "skipped", "notRun"];

const MARKS: Readonly<
  Record<StepVerdict, { readonly sign: string; readonly color: Color; readonly word: () => Plain }>
> = {
  passed: { sign: "✓", color: "32", word: () => "" },
  failed: { sign: "✗", color: "31", word: () => l10n.t("failed") },
  declined: { sign: "⊘", color: "33", word: () => l10n.t("declined") },
  refused: { sign: "⊘", color: "33", word: () => l10n.t("not allowed") },
  unknown: { sign: "?", color: "35", word: () => l10n.t("outcome unknown") },
  skipped: { sign: "–", color: "2", word: () => l10n.t("skipped") },
  notRun: { sign: "–", color: "2", word: () => l10n.t("not run") },
};

const COUNTS: Readonly<Record<StepVerdict, (count: Plain) => Plain>> = {
  passed: (count) => l10n.t("{0} passed", count),
  failed: (count) => l10n.t("{0} failed", count),
  declined: (count) => l10n.t("{0} declined", count),
  refused: (count) => l10n.t("{0} not allowed", count),
  unknown: (count) => l10n.t("{0} with an unknown outcome", count),
  skipped: (count) => l10n.t("{0} skipped", count),
  notRun: (count) => l10n.t("{0} not run", count),
};

function failureLine(path: Plain, { message, place, severity }: StepFailure, hasColor: boolean): string {
  const told = `${painted(placeText(path, place), "36", hasColor)}  ${message}`;
  return severity === "warning" ? `${told} ${painted(l10n.t("(warning)"), "33", hasColor)}` : told;
}

/** The limits of a response in a terminal; the JSON report has it whole. */
const RESPONSE_LIMITS = { maxLines: 2_000, maxLength: 400_000 };

function detailLines({ paramsText, response }: StepReport): readonly string[] {
  return [
    ...(paramsText === undefined ? [] : [l10n.t("params"), ...jsonLines(paramsText)]),
    ...(response === undefined
      ? []
      : [response.isError ? l10n.t("error") : l10n.t("result"), ...responseLines(response)]),
  ];
}

function responseLines({ bodyText }: StepResponse): readonly string[] {
  return jsonLines(bodyText);
}

function jsonLines(json: string): readonly string[] {
  const { text, cut } = indentJson(json, RESPONSE_LIMITS);
  return [
    ...safeJson(text).split("\n").map(indented),
    ...(cut === undefined ? [] : [indented(l10n.t("… truncated. Use --format json for the full text."))]),
  ];
}

function indented(line: string): string {
  return `    ${line}`;
}

/** Returns a text in a color of the terminal, if colors are shown. */
/** A color of a terminal. https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
type Color = "1" | "2" | "31" | "32" | "33" | "35" | "36";

export function painted(text: Plain, color: Color, hasColor: boolean): Plain {
  return hasColor ? plain`\u001b[${color}m${text}\u001b[0m` : text;
}
