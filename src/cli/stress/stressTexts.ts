import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CHECKS, titleOf } from "../../recording/bots/checks.ts";
import { safeJson, xmlAttributes, xmlText } from "../safeText.ts";
import type { StressFormat } from "./stressArguments.ts";
import { replayValue, type ReportedFinding, type ShownFrame, type StressReport } from "./stressReport.ts";

/** Returns the report as a text. */
export function stressText(report: StressReport, format: StressFormat): string {
  return FORMATS[format](report);
}

const FORMATS: Readonly<Record<StressFormat, (report: StressReport) => string>> = {
  text: textReport,
  json: (report) => `${safeJson(JSON.stringify({ ...report, summary: summaryLine(report) }, undefined, 2))}\n`,
  junit: junitReport,
};

/** Returns the last line: findings, schedules, and exercised checks. It never says "passed". */
export function summaryLine({ schedules, checks, findings }: StressReport): Plain {
  const exercised = checks.filter((row) => row.exercised > 0).length;
  return findings.length === 0
    ? l10n.t("No finding in {0} schedules; exercised {1} of {2} checks.", schedules, exercised, CHECKS.length)
    : l10n.t(
        "{0} findings in {1} schedules; exercised {2} of {3} checks.",
        findings.length,
        schedules,
        exercised,
        CHECKS.length,
      );
}

function textReport(report: StressReport): string {
  const lines = [
    l10n.t("trading-rpc {0}, {1}", plain.text(report.version), commandText(report)),
    l10n.t("Declared: {0}", boundsText(report)),
    "",
    ...checkLines(report),
    "",
    ...report.findings.flatMap((finding) => [...findingLines(report, finding), ""]),
    ...factLines(report),
    l10n.t("Not decidable: what the bot believes."),
    "",
    summaryLine(report),
  ];
  return `${lines.join("\n")}\n`;
}

function commandText({ command }: StressReport): Plain {
  return plain.text(command.map(quoted).join(" "), 1000);
}

/** Returns a word as a shell for POSIX takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function boundsText({ bounds }: StressReport): Plain {
  const given = Object.entries(bounds).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? l10n.t("nothing")
    : plain.text(given.map(([name, value]) => `${name} ${String(value)}`).join(", "));
}

const TITLE_WIDTH = 74;

function checkLines({ checks }: StressReport): readonly string[] {
  const head = `${l10n.t("Check").padEnd(TITLE_WIDTH)}${l10n.t("exercised")}  ${l10n.t("findings")}`;
  return [
    head,
    ...checks.map(
      ({ check, exercised, findings }) =>
        `${titleOf(check).padEnd(TITLE_WIDTH)}${String(exercised).padStart(l10n.t("exercised").length)}  ${String(findings).padStart(l10n.t("findings").length)}`,
    ),
  ];
}

function findingLines(report: StressReport, finding: ReportedFinding): readonly string[] {
  const { check, detail, seed, faults, seen, costUsd, frames } = finding;
  return [
    plain`${titleOf(check)} (${check})`,
    `  ${detail}`,
    `  ${
      seed === undefined
        ? l10n.t("It came without faults.")
        : l10n.t(
            "Smallest schedule: seed {0}, {1}",
            seed,
            plain.text(faults.map((each) => JSON.stringify(each)).join(" "), 600),
          )
    }`,
    `  ${l10n.t("Seen in {0} of {1} runs.", seen.times, seen.runs)}`,
    ...(costUsd === undefined ? [] : [`  ${l10n.t("Cost: {0} USD at the mark price.", costUsd)}`]),
    ...frameLines(frames).map((line) => `  ${line}`),
    ...(seed === undefined ? [] : [`  ${l10n.t("Run it again: {0}", replayCommand(report, finding))}`]),
  ];
}

function replayCommand(report: StressReport, { seed, places }: ReportedFinding): Plain {
  const { bounds, secondsPerRun } = report;
  const options = [
    `--replay ${replayValue({ seed, only: places })}`,
    `--for ${String(secondsPerRun)}`,
    ...(bounds.maxPosition === undefined ? [] : [`--max-position ${String(bounds.maxPosition)}`]),
    ...(bounds.maxOpenOrders === undefined ? [] : [`--max-open-orders ${String(bounds.maxOpenOrders)}`]),
    ...(bounds.maxOrder === undefined ? [] : [`--max-order ${String(bounds.maxOrder)}`]),
    ...(bounds.maxDataAgeMs === undefined ? [] : [`--max-data-age ${String(bounds.maxDataAgeMs / 1000)}`]),
    ...(bounds.exit === undefined ? [] : [`--exit ${bounds.exit}`]),
  ];
  return plain`trading-rpc stress ${plain.text(options.join(" "))} -- ${commandText(report)}`;
}

const TRUTH_WIDTH = 36;

/** Returns frames as two columns: the truth at the exchange, and the messages of the bot. */
function frameLines(frames: readonly ShownFrame[]): readonly string[] {
  if (frames.length === 0) return [];
  return [
    `${"ms".padStart(8)}  ${l10n.t("The truth at the exchange").padEnd(TRUTH_WIDTH)}  ${l10n.t("Messages of the bot")}`,
    ...frames.map(
      ({ atMs, truth, told }) =>
        `${String(Math.round(atMs)).padStart(8)}  ${plain.text(truth).padEnd(TRUTH_WIDTH)}  ${plain.text(told, 160)}`,
    ),
  ];
}

function factLines({ facts }: StressReport): readonly string[] {
  const sum = (of: (fact: StressReport["facts"][number]) => number): number =>
    facts.reduce((total, each) => total + of(each), 0);
  const reactions = facts.flatMap(({ reactionsMs }) => reactionsMs).toSorted((one, other) => one - other);
  const codes = facts.flatMap(({ exitCode }) => (exitCode === undefined ? [] : [String(exitCode)]));
  const median = reactions[Math.floor(reactions.length / 2)];
  return [
    l10n.t("Facts"),
    `  ${l10n.t(
      "Calls: {0}, changes: {1}, credits: {2}",
      sum(({ calls }) => calls),
      sum(({ writes }) => writes),
      sum(({ credits }) => credits),
    )}`,
    `  ${l10n.t("Runs with open orders at the end: {0} of {1}", facts.filter(({ openOrders = 0 }) => openOrders > 0).length, facts.length)}`,
    `  ${l10n.t(
      "Orders with neither label nor valid_until, which can't be settled by reading: {0}",
      sum(({ unsettledOrders }) => unsettledOrders),
    )}`,
    ...(codes.length === 0 ? [] : [`  ${l10n.t("Exit codes: {0}", plain.text([...new Set(codes)].join(", ")))}`]),
    ...(median === undefined
      ? []
      : [`  ${l10n.t("Time from a fault to the next call: {0} ms (median of {1})", median, reactions.length)}`]),
  ];
}

/** Returns the report for a build server: a case for each check. One that was not exercised is skipped. */
function junitReport(report: StressReport): string {
  const { checks, findings, schedules } = report;
  const failures = checks.filter((row) => row.findings > 0).length;
  const skipped = checks.filter((row) => row.findings === 0 && row.exercised === 0).length;
  const name = l10n.t("{0} schedules", schedules);
  const totals = { tests: checks.length, failures, errors: 0, skipped };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name, ...totals })}>`,
    ` <testsuite ${xmlAttributes({ name, ...totals })}>`,
    ...checks.flatMap((row) => {
      const start = `  <testcase ${xmlAttributes({ name: row.check, classname: "stress" })}`;
      const found = findings.find(({ check }) => check === row.check);
      if (found !== undefined)
        return [
          `${start}>`,
          `   <failure ${xmlAttributes({ message: found.detail, type: row.check })}>${xmlText(findingLines(report, found).join("\n"))}</failure>`,
          "  </testcase>",
        ];
      return row.exercised > 0
        ? [`${start}/>`]
        : [`${start}>`, `   <skipped ${xmlAttributes({ message: l10n.t("not exercised") })}/>`, "  </testcase>"];
    }),
    " </testsuite>",
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}
