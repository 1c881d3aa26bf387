import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CHECKS, titleOf } from "../../recording/bots/checks.ts";
import { safeJson, xmlAttributes, xmlText } from "../safeText.ts";
import type { StressFormat } from "./stressArguments.ts";
import {
  replayValue,
  type AuditReport,
  type ReportedFinding,
  type ShownFrame,
  type StressReport,
} from "./stressReport.ts";

/** A report about runs, or about a recording. */
type Report = StressReport | AuditReport;

/** Returns the report as a text. */
export function stressText(report: Report, format: StressFormat): string {
  return FORMATS[format](report);
}

const FORMATS: Readonly<Record<StressFormat, (report: Report) => string>> = {
  text: textReport,
  json: (report) => `${safeJson(JSON.stringify({ ...report, summary: summaryLine(report) }, undefined, 2))}\n`,
  junit: junitReport,
};

/** Returns the last line: findings, what they are of, and exercised checks. It never says "passed". */
export function summaryLine(report: Report): Plain {
  const { checks, findings } = report;
  const count =
    findings.length === 0
      ? l10n.t("No finding")
      : findings.length === 1
        ? l10n.t("1 finding")
        : l10n.t("{0} findings", findings.length);
  const exercised = checks.filter((row) => row.exercised > 0).length;
  const untested = "recording" in report ? 0 : report.untestedSeeds.length;
  const parts = [count, subjectOf(report), exercised, CHECKS.length] as const;
  return untested === 0
    ? l10n.t("{0} in {1}; exercised {2} of {3} checks.", ...parts)
    : l10n.t("{0} in {1}, {4} of them without a sign-in; exercised {2} of {3} checks.", ...parts, untested);
}

/** Returns what a report is about: schedules, or a recording. */
function subjectOf(report: Report): Plain {
  if ("recording" in report) return plain.text(report.recording);
  return report.schedules === 1 ? l10n.t("1 schedule") : l10n.t("{0} schedules", report.schedules);
}

function textReport(report: Report): string {
  const lines = [
    l10n.t(
      "trading-rpc {0}, {1}",
      plain.text(report.version),
      "recording" in report ? plain.text(report.recording) : commandText(report),
    ),
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

function boundsText({ bounds }: Pick<Report, "bounds">): Plain {
  const given = boundOptions(bounds);
  return given.length === 0 ? l10n.t("nothing") : plain.text(given.join(" "));
}

/** Returns the options that declare bounds. */
function boundOptions({ maxPosition, maxOpenOrders, maxOrder, maxDataAgeMs, exit }: Report["bounds"]): string[] {
  return [
    ...(maxPosition === undefined ? [] : [`--max-position ${String(maxPosition)}`]),
    ...(maxOpenOrders === undefined ? [] : [`--max-open-orders ${String(maxOpenOrders)}`]),
    ...(maxOrder === undefined ? [] : [`--max-order ${String(maxOrder)}`]),
    ...(maxDataAgeMs === undefined ? [] : [`--max-data-age ${String(maxDataAgeMs / 1000)}`]),
    ...(exit === undefined ? [] : [`--exit ${exit}`]),
  ];
}

const TITLE_WIDTH = 74;

function checkLines({ checks }: Report): readonly string[] {
  const head = `${l10n.t("Check").padEnd(TITLE_WIDTH)}${l10n.t("exercised")}  ${l10n.t("findings")}`;
  return [
    head,
    ...checks.map(
      ({ check, exercised, findings }) =>
        `${titleOf(check).padEnd(TITLE_WIDTH)}${String(exercised).padStart(l10n.t("exercised").length)}  ${String(findings).padStart(l10n.t("findings").length)}`,
    ),
  ];
}

function findingLines(report: Report, finding: ReportedFinding): readonly string[] {
  const { check, detail, costUsd, frames } = finding;
  return [
    plain`${titleOf(check)} (${check})`,
    `  ${detail}`,
    ...("recording" in report ? [] : scheduleLines(finding)),
    ...(costUsd === undefined ? [] : [`  ${l10n.t("Cost: {0} USD at the mark price.", costUsd)}`]),
    ...frameLines(frames).map((line) => `  ${line}`),
    ...("recording" in report || finding.seed === undefined
      ? []
      : [`  ${l10n.t("Run it again: {0}", replayCommand(report, finding))}`]),
  ];
}

function scheduleLines({ seed, faults, seen }: ReportedFinding): readonly string[] {
  return [
    `  ${
      seed === undefined
        ? l10n.t("It came without faults.")
        : l10n.t(
            "Smallest schedule: seed {0}, {1}",
            seed,
            plain.text(faults.map((each) => JSON.stringify(each)).join(" "), 600),
          )
    }`,
    ...(seen === undefined ? [] : [`  ${seenText(seen)}`]),
  ];
}

/** Returns how often a finding came again. One that did not always come is marked. */
function seenText({ times, runs }: NonNullable<ReportedFinding["seen"]>): Plain {
  return times < runs
    ? l10n.t("Seen in {0} of {1} runs, so it depends on timing.", times, runs)
    : l10n.t("Seen in {0} of {1} runs.", times, runs);
}

function replayCommand(report: StressReport, { seed, places }: ReportedFinding): Plain {
  const options = [
    `--replay ${replayValue({ seed, only: places })}`,
    `--for ${String(report.secondsPerRun)}`,
    ...boundOptions(report.bounds),
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

function factLines(report: Report): readonly string[] {
  const { facts } = report;
  const sum = (of: (fact: Report["facts"][number]) => number): number =>
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
    ...("recording" in report
      ? []
      : [
          ...untestedLines(report),
          `  ${l10n.t("Runs with open orders at the end: {0} of {1}", facts.filter(({ openOrders = 0 }) => openOrders > 0).length, facts.length)}`,
        ]),
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

function untestedLines({ untestedSeeds: seeds }: StressReport): readonly string[] {
  return seeds.length === 0
    ? []
    : [
        `  ${l10n.t("Not signed in in time, so that nothing was tested: seeds {0}", plain.text(seeds.join(", "), 200))}`,
      ];
}

/** Returns the report for a build server: a case for each check. One that was not exercised is skipped. */
function junitReport(report: Report): string {
  const { checks, findings } = report;
  const failures = checks.filter((row) => row.findings > 0).length;
  const skipped = checks.filter((row) => row.findings === 0 && row.exercised === 0).length;
  const name = subjectOf(report);
  const totals = { tests: checks.length, failures, errors: 0, skipped };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name, ...totals })}>`,
    ` <testsuite ${xmlAttributes({ name, ...totals })}>`,
    ...checks.flatMap((row) => {
      const start = `  <testcase ${xmlAttributes({ name: row.check, classname: "recording" in report ? "audit" : "stress" })}`;
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
