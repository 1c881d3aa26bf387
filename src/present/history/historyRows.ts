import { figureText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { memberTexts } from "../../rpc/elementTexts.ts";
import type { HistoryRow } from "../../state/history.ts";
import type { Times } from "../text/times.ts";
import type { HistoryColumn } from "./historyColumns.ts";

/* Rows of a history as they are shown, in groups of digits, and exported, with the digits that were received. */

/** Returns the cells of a row. A member that is not there is an empty cell. */
export function historyCells(row: HistoryRow, columns: readonly HistoryColumn[], times: Times): readonly Plain[] {
  const texts = memberTexts(
    row.text,
    columns.map(({ member }) => member),
  );
  return columns.map(({ member, isTime, isNumber }) => {
    const value = row.value[member];
    if (isTime === true && typeof value === "number") return times.clock(value);
    const shown = plain.name(shownText(value, texts.get(member)));
    return isNumber === true ? figureText(shown) : shown;
  });
}

/** A line between rows of different days. */
export interface DayLine {
  /** The index of the row below it. */
  readonly row: number;
  /** The day and the distance of its times to UTC: `2026-11-20 · GMT+1`. */
  readonly text: Plain;
}

/** Returns a line for each day, before its first row. Rows without a time belong to the day above them. */
export function dayLines(rows: readonly HistoryRow[], columns: readonly HistoryColumn[], times: Times): DayLine[] {
  const member = columns.find(({ isTime }) => isTime)?.member ?? "";
  const lines: DayLine[] = [];
  for (const [row, { value }] of rows.entries()) {
    const atMs = value[member];
    if (typeof atMs !== "number") continue;
    const [day = "", , zone = ""] = times.local(atMs).split(" ");
    const text = l10n.t("{0} · {1}", plain.name(day), plain.name(zone));
    if (lines.at(-1)?.text !== text) lines.push({ row, text });
  }
  return lines;
}

/** Makes a function that works out the cells of a row once: earlier pages are shown again with each next one. */
export function createHistoryCells(
  times: Times,
): (row: HistoryRow, columns: readonly HistoryColumn[]) => readonly Plain[] {
  const known = new WeakMap<HistoryRow, readonly Plain[]>();
  return (row, columns) => {
    const cells = known.get(row) ?? historyCells(row, columns, times);
    known.set(row, cells);
    return cells;
  };
}

/** Returns every member of a row with its value, in the order in which they were received. */
export function historyDetails({ text, value }: HistoryRow, times: Times): readonly (readonly [string, string])[] {
  const names = Object.keys(value);
  const texts = memberTexts(text, names);
  return names.map((name) => {
    const member = value[name];
    const shown = plain.text(shownText(member, texts.get(name)));
    const isTime = name.endsWith("timestamp") && typeof member === "number" && !name.startsWith("starbase");
    return [plain.name(name), isTime ? `${times.local(member)} (${shown})` : shown];
  });
}

/** Returns a value as it is read: a text without its quotes, everything else as it was received. */
function shownText(value: unknown, text: string | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : (text ?? JSON.stringify(value));
}

/** Returns the rows as a JSON array, each as it was received. */
export function historyJson(rows: readonly HistoryRow[]): string {
  return rows.length === 0 ? "[]\n" : `[\n${rows.map(({ text }) => `  ${text}`).join(",\n")}\n]\n`;
}

/** Returns the rows as CSV (RFC 4180), with a column for each member of any of them. */
export function historyCsv(rows: readonly HistoryRow[]): string {
  const names = [...new Set(rows.flatMap(({ value }) => Object.keys(value)))];
  const lines = rows.map(({ text, value }) => {
    const texts = memberTexts(text, names);
    return names.map((name) => csvCell(value[name], texts.get(name))).join(",");
  });
  return [names.map((name) => csvText(name)).join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function csvCell(value: unknown, text: string | undefined): string {
  return typeof value === "string" ? csvText(value) : quoted(shownText(value, text));
}

/**
 * Returns a text for CSV. Spreadsheets calculate what begins like a formula, and it may come from another person: an
 * apostrophe keeps it a text. https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvText(text: string): string {
  return quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
