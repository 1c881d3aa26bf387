import * as l10n from "../../base/l10n.ts";
import type { CheckWishes, CheckFormat } from "./checkArguments.ts";
import { checkFiles, type CheckedFile, type Checking, type CheckedProblem } from "./checkFiles.ts";
import { EXIT, type ExitCode, placeText } from "../report.ts";
import { complain, type Shell } from "../shell.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { countText } from "../../present/text/numbers.ts";
import { helpAddress } from "../../requests/file/problemHelp.ts";
import { safeJson } from "../safeText.ts";
import { painted } from "../textReport.ts";

/** Checks the files. Needs no environment and no credentials. */
export async function check({ paths, format }: CheckWishes, shell: Shell): Promise<ExitCode> {
  const checking = await checkFiles(paths, shell.files, shell.stop);
  if (shell.stop.aborted) return complain(shell, [l10n.t("The check was interrupted.")], EXIT.failed);
  shell.writeOut(checkReport(checking, format, shell.hasColor));
  return complain(shell, checking.notChecked, exitCodeOfCheck(checking));
}

/** Returns the problems of a check in the wanted form. */
export function checkReport(checking: Checking, format: CheckFormat, hasColor: boolean): string {
  return format === "text"
    ? textOf(checking, hasColor)
    : format === "json"
      ? jsonOf(checking)
      : annotationsOf(checking);
}

/** Returns the exit code of a check. One that could not look at every file has not passed, whatever it found. */
export function exitCodeOfCheck(checking: Checking): ExitCode {
  if (checking.notChecked.length > 0) return EXIT.usage;
  return countProblems(checking).error > 0 ? EXIT.failed : EXIT.passed;
}

function countProblems({ files }: Checking): Readonly<Record<CheckedProblem["severity"], number>> {
  const counts = { error: 0, warning: 0 };
  for (const { problems } of files) for (const { severity } of problems) counts[severity] += 1;
  return counts;
}

function textOf(checking: Checking, hasColor: boolean): string {
  const { files } = checking;
  const codes = new Set(files.flatMap(({ problems }) => problems.map(({ code }) => code)));
  const help = [...codes].map((code) => painted(helpAddress(code), "2", hasColor));
  const lines = [
    ...files.flatMap((file) => file.problems.map((problem) => lineOf(file, problem, hasColor))),
    ...(help.length === 0 ? [] : ["", ...help, ""]),
    summaryOf(checking),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a problem in one line, in the form that editors and terminals turn into links. */
function lineOf({ path }: CheckedFile, { start, severity, message, code }: CheckedProblem, hasColor: boolean): string {
  return [
    painted(placeText(plain.text(path), start), "36", hasColor),
    painted(plain`${severity}`, severity === "error" ? "31" : "33", hasColor),
    message,
    painted(plain`[${code}]`, "2", hasColor),
  ].join(" ");
}

function summaryOf(checking: Checking): Plain {
  const { error, warning } = countProblems(checking);
  const [files, errors, warnings] = [checking.files.length, error, warning].map(countText);
  return l10n.t("Files checked: {0}, errors: {1}, warnings: {2}", files ?? "", errors ?? "", warnings ?? "");
}

/**
 * Returns the problems for programs, as one JSON object with a line for each problem:
 *
 * { "version": 1, "files": 2, "errors": 1, "warnings": 0, "notChecked": [], "problems": [ { "file": "orders.rpc.json",
 * "line": 2, "column": 13, "endLine": 2, "endColumn": 31, "severity": "error", "code": "sessionMethod", "message": "…",
 * "help": "docs/…" } ] }
 *
 * Lines and columns count from 1. The end is exclusive.
 */
function jsonOf(checking: Checking): string {
  const { error: errors, warning: warnings } = countProblems(checking);
  const { files, notChecked } = checking;
  const head = JSON.stringify({ version: 1, files: files.length, errors, warnings, notChecked });
  const problems = files.flatMap(({ path, problems: own }) =>
    own.map(({ start, end, severity, code, message }) =>
      JSON.stringify({
        file: path,
        line: start.line,
        column: start.column,
        endLine: end.line,
        endColumn: end.column,
        severity,
        code,
        message,
        help: helpAddress(code),
      }),
    ),
  );
  return safeJson(
    `${head.slice(0, -1)},"problems":[${problems.length === 0 ? "" : `\n ${problems.join(",\n ")}\n`}]}\n`,
  );
}

/**
 * Returns the problems as annotations of a GitHub workflow, one command a line.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
function annotationsOf({ files }: Checking): string {
  return files
    .flatMap(({ path, problems }) =>
      problems.map(({ start, end, severity, code, message }) => {
        // GitHub takes columns only for a place within one line.
        const columns =
          start.line === end.line ? [`col=${String(start.column)}`, `endColumn=${String(end.column)}`] : [];
        const place = [
          `file=${inProperty(path)}`,
          `line=${String(start.line)}`,
          `endLine=${String(end.line)}`,
          ...columns,
          `title=${inProperty(code)}`,
        ];
        return `::${severity} ${place.join(",")}::${inAnnotation(`${message} ${helpAddress(code)}`)}\n`;
      }),
    )
    .join("");
}

function inAnnotation(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function inProperty(text: string): string {
  return inAnnotation(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
