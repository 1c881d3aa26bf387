import { isoText } from "../base/clock.ts";
import type { FollowedEvent } from "./follow.ts";
import {
  changesText,
  countVerdicts,
  type FileReport,
  type TerminalReport,
  type StepResponse,
  type StepReport,
} from "./report.ts";
import { oneLine } from "./safeText.ts";

/**
 * Returns the report for programs, as one JSON object with a line for each request:
 *
 * { "version": 1, "environment": "sim", "place": "SIMULATOR", "startedAt": "…Z", "durationMs": 210, "exitCode": 1,
 * "stopped": false, "changes": "No changes were made.", "notes": ["…"], "totals": { "passed": 1, "failed": 1,
 * "declined": 0, "refused": 0, "unknown": 0, "skipped": 0, "notRun": 0 }, "files": [{ "file": "…", "requests": [ {
 * "name": "open", "method": "private/get_open_orders", "id": 1, "line": 2, "column": 3, "verdict": "failed",
 * "sentence": "…", "durationMs": 43, "tries": 1, "params": {…}, "failures": [{ "message": "…", "expected": "…",
 * "actual": "…", "line": 9, "column": 20, "severity": "error" }], "response": { "receivedAt": "…Z", "wireId": 7,
 * "result": … } }] }] }
 *
 * `rateLimits` is `"off"` where the run had its own simulator without the exchange's rate limits.
 *
 * `changes` says which changes were made, unless everything passed or nothing was sent. `change` says what a request
 * has done: `made`, `other` (not as requested, or in part), or `unknown`.
 *
 * `provedByReading` is true where the response did not arrive, and reads proved that the change was made.
 *
 * `params`, `result` and `error` keep every literal as it was sent and received. A member without a value is left out.
 */
export function jsonReport(report: TerminalReport): string {
  const { environment, place, hasLimits, startedAtMs, durationMs, exitCode, isStopped, notes, files } = report;
  const head = {
    version: 1,
    environment,
    place,
    rateLimits: hasLimits ? undefined : "off",
    startedAt: isoText(startedAtMs),
    durationMs: Math.round(durationMs),
    exitCode,
    stopped: isStopped,
    changes: changesText(report),
    notes,
    totals: countVerdicts(files),
  };
  return `${withMember(JSON.stringify(head), "files", listText(files.map(fileText), " "))}\n`;
}

/**
 * Returns an event of a followed channel as one line, ahead of the report: `{ "channel": "…", "receivedAt": "…Z",
 * "data": … }`.
 */
export function eventJson({ channel, atMs, payloadText }: FollowedEvent): string {
  return `${withMember(JSON.stringify({ channel, receivedAt: isoText(atMs) }), "data", oneLine(payloadText))}\n`;
}

function fileText({ path, steps }: FileReport): string {
  return withMember(JSON.stringify({ file: path }), "requests", listText(steps.map(stepText), "  "));
}

function stepText({
  name,
  method,
  id,
  place,
  verdict,
  isProvedByReading,
  change,
  sentence,
  durationMs,
  tries,
  failures,
  paramsText,
  response,
}: StepReport): string {
  const told = {
    name,
    method,
    id,
    line: place.line,
    column: place.column,
    verdict,
    ...(isProvedByReading ? { provedByReading: true } : {}),
    change,
    sentence,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
    tries,
    failures: failures.map((each) => ({
      message: each.message,
      expected: each.expected,
      actual: each.actual,
      line: each.place.line,
      column: each.place.column,
      severity: each.severity,
    })),
  };
  let text = JSON.stringify(told);
  if (paramsText !== undefined) text = withMember(text, "params", oneLine(paramsText));
  return response === undefined ? text : withMember(text, "response", responseText(response));
}

function responseText({ isError, bodyText, receivedAtMs, wireId }: StepResponse): string {
  return withMember(
    JSON.stringify({ receivedAt: isoText(receivedAtMs), wireId }),
    isError ? "error" : "result",
    oneLine(bodyText),
  );
}

/**
 * Returns an object's text with one more member, whose value is JSON already: parsing and rewriting would lose digits.
 */
function withMember(object: string, name: string, valueText: string): string {
  return `${object.slice(0, -1)},${JSON.stringify(name)}:${valueText}}`;
}

function listText(items: readonly string[], indent: string): string {
  return items.length === 0 ? "[]" : `[\n${items.map((item) => indent + item).join(",\n")}]`;
}
