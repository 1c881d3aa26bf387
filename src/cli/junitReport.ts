import { isoText } from "../base/clock.ts";
import { plain, type Plain } from "../base/plain.ts";
import {
  changesText,
  countVerdicts,
  placeText,
  placeWords,
  type FileReport,
  type TerminalReport,
  type StepReport,
} from "./report.ts";
import { xmlText } from "./safeText.ts";

/**
 * Returns the report for a build server: a suite for each file, a case for each request. A failed expectation is a
 * `failure`; a refused request, or one with an unknown outcome, is an `error`. A property of each suite says which
 * changes were made, unless everything passed. The form that readers agree on:
 * https://github.com/testmoapp/junitxml
 */
export function junitReport(report: TerminalReport): string {
  const { files, durationMs, exitCode, startedAtMs } = report;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: `trading-rpc ${placeWords(report)}`, ...totals(files), time: seconds(durationMs) })}>`,
    ...files.flatMap((file) => suiteLines(file, startedAtMs, changesText({ exitCode, files: [file] }))),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function suiteLines(file: FileReport, startedAtMs: number, changes: string | undefined): readonly string[] {
  const durationMs = file.steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  return [
    ` <testsuite ${attributes({ name: file.path, ...totals([file]), time: seconds(durationMs), timestamp: isoText(startedAtMs).slice(0, "2026-11-20T12:04:07".length) })}>`,
    ...(changes === undefined
      ? []
      : [`  <properties><property ${attributes({ name: "changes", value: changes })}/></properties>`]),
    ...file.steps.flatMap((step) => caseLines(file, step)),
    " </testsuite>",
  ];
}

function caseLines({ path }: FileReport, step: StepReport): readonly string[] {
  const { name, method, place, durationMs = 0 } = step;
  const start = `  <testcase ${attributes({ name: name === undefined ? `${method} (${String(place.line)})` : name, classname: method, file: path, line: place.line, time: seconds(durationMs) })}`;
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
      return `<failure ${attributes({ message, type: told.length > 0 ? "expectation" : "request" })}>${text}</failure>`;
    case "refused":
    case "unknown":
      return `<error ${attributes({ message, type: verdict })}>${text}</error>`;
    case "skipped":
    case "notRun":
      return `<skipped ${attributes({ message })}/>`;
  }
}

function totals(files: readonly FileReport[]): Readonly<Record<string, number>> {
  const counts = countVerdicts(files);
  const tests = files.reduce((sum, { steps }) => sum + steps.length, 0);
  return {
    tests,
    failures: counts.failed,
    errors: counts.refused + counts.unknown,
    skipped: counts.skipped + counts.notRun,
  };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(String(value))}"`)
    .join(" ");
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
