import { messageOf } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { RunWishes } from "./arguments.ts";
import type { FileAccess } from "./files.ts";
import { jsonReport } from "./jsonReport.ts";
import {
  type TerminalReport,
  changesText,
  countVerdicts,
  placeText,
  placeWords,
  type FileReport,
  type StepReport,
} from "./report.ts";
import { summaryText, textReport, type TextStyle } from "./textReport.ts";
import { isoText } from "../base/clock.ts";
import { xmlAttributes, xmlText } from "./safeText.ts";

/** Where a report goes. */
interface ReportPorts {
  readonly files: Pick<FileAccess, "resolve" | "write">;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether the standard output shows colors. */
  readonly hasColor: boolean;
}

/** Returns a sentence if the report can't be written: once something was sent, it is too late to find that out. */
export async function outputProblem(
  { output }: Pick<RunWishes, "output">,
  files: Pick<FileAccess, "resolve" | "tryWrite">,
): Promise<Plain | undefined> {
  if (output === undefined) return undefined;
  return await files.tryWrite(files.resolve(output)).then(
    () => undefined,
    (error: unknown) => unwritable(output, error),
  );
}

/** Returns the sentence about a report that can't be written. */
export function unwritable(output: string, error: unknown): Plain {
  return l10n.t("Couldn't write the report to {0}: {1}", plain.text(output), plain.text(messageOf(error)));
}

/** Whether the standard output tells of each request, because no report for programs goes there. */
export function isTelling({ format, output }: RunWishes): boolean {
  return format === "text" || output !== undefined;
}

/** Writes the report and its summary. A report that can't be written any more changes nothing of what is proved. */
export async function writeReport(
  report: TerminalReport,
  wishes: RunWishes,
  { files, writeOut, writeError, hasColor }: ReportPorts,
): Promise<void> {
  const { format, output, verbosity } = wishes;
  if (isTelling(wishes)) writeOut(summaryText(report, { verbosity, hasColor }));
  if (format === "text" && output === undefined) return;
  const text = REPORTS[format](report, { verbosity, hasColor: false });
  if (output === undefined) writeOut(text);
  else
    await files
      .write(files.resolve(output), text)
      .catch((error: unknown) => writeError(`${unwritable(output, error)}\n`));
}

const REPORTS: Readonly<Record<RunWishes["format"], (report: TerminalReport, style: TextStyle) => string>> = {
  json: jsonReport,
  junit: junitReport,
  text: textReport,
};

/**
 * Returns the report for a build server: a suite for each file, a case for each request. A failed expectation is a
 * `failure`; a declined or refused request, or one with an unknown outcome, is an `error`. A property of each suite
 * says which changes were made, unless everything passed. The form that readers agree on:
 * https://github.com/testmoapp/junitxml
 */
export function junitReport(report: TerminalReport): string {
  const { files, durationMs, exitCode, startedAtMs } = report;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name: `trading-rpc ${placeWords(report)}`, ...totals(files), time: seconds(durationMs) })}>`,
    ...files.flatMap((file) => suiteLines(file, startedAtMs, changesText({ exitCode, files: [file] }))),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function suiteLines(file: FileReport, startedAtMs: number, changes: string | undefined): readonly string[] {
  const durationMs = file.steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  return [
    ` <testsuite ${xmlAttributes({ name: file.path, ...totals([file]), time: seconds(durationMs), timestamp: isoText(startedAtMs).slice(0, "2026-11-20T12:04:07".length) })}>`,
    ...(changes === undefined
      ? []
      : [`  <properties><property ${xmlAttributes({ name: "changes", value: changes })}/></properties>`]),
    ...file.steps.flatMap((step) => caseLines(file, step)),
    " </testsuite>",
  ];
}

function caseLines({ path }: FileReport, step: StepReport): readonly string[] {
  const { name, method, place, durationMs = 0 } = step;
  const start = `  <testcase ${xmlAttributes({ name: name === undefined ? `${method} (${String(place.line)})` : name, classname: method, file: path, line: place.line, time: seconds(durationMs) })}`;
  const detail = detailLine(plain.text(path), step);
  return detail === undefined ? [`${start}/>`] : [`${start}>`, `   ${detail}`, "  </testcase>"];
}

function detailLine(path: Plain, { verdict, isProvedByReading, sentence, failures }: StepReport): string | undefined {
  const told = failures
    .filter(({ severity }) => severity === "error")
    .map(({ message, place }) => `${placeText(path, place)} ${message}`);
  const message = failures.find(({ severity }) => severity === "error")?.message ?? sentence;
  const text = xmlText([...told, ...(sentence === "" ? [] : [sentence])].join("\n\n"));
  switch (verdict) {
    case "passed":
      return isProvedByReading ? `<system-out>${text}</system-out>` : undefined;
    case "failed":
      return `<failure ${xmlAttributes({ message, type: told.length > 0 ? "expectation" : "request" })}>${text}</failure>`;
    case "declined":
    case "refused":
    case "unknown":
      return `<error ${xmlAttributes({ message, type: verdict })}>${text}</error>`;
    case "skipped":
    case "notRun":
      return `<skipped ${xmlAttributes({ message })}/>`;
  }
}

function totals(files: readonly FileReport[]): Readonly<Record<string, number>> {
  const counts = countVerdicts(files);
  const tests = files.reduce((sum, { steps }) => sum + steps.length, 0);
  return {
    tests,
    failures: counts.failed,
    errors: counts.declined + counts.refused + counts.unknown,
    skipped: counts.skipped + counts.notRun,
  };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
