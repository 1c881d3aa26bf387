import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { createWall, type Wall } from "../../base/wallTime.ts";
import { checkParams } from "../../catalogue/params.ts";
import { MAX_PAGE, TRADES_METHOD, type TradesQuery } from "../../state/tradePages.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

/* What is asked for with Last Trades: in words, and from what the user types. */

/** The way in which a range of trades is given. */
export type TradesRangeKind = "none" | "time" | "sequence";

export function rangeKindOf({ start_seq, end_seq, start_timestamp, end_timestamp }: TradesQuery): TradesRangeKind {
  if (start_seq !== undefined || end_seq !== undefined) return "sequence";
  return start_timestamp === undefined && end_timestamp === undefined ? "none" : "time";
}

/** The bounds of a range; undefined where it is open on that side. */
interface TradesBounds {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

export function boundsOf(query: TradesQuery): TradesBounds {
  const { start_seq, end_seq, start_timestamp, end_timestamp } = query;
  return rangeKindOf(query) === "sequence"
    ? { start: start_seq, end: end_seq }
    : { start: start_timestamp, end: end_timestamp };
}

/** Returns the query with another range; a bound that is undefined is left out. */
export function withRange(
  { instrument_name, count, sorting }: TradesQuery,
  kind: TradesRangeKind,
  { start, end }: TradesBounds,
): TradesQuery {
  const range =
    kind === "sequence" ? { start_seq: start, end_seq: end } : { start_timestamp: start, end_timestamp: end };
  return queryOf({ instrument_name, ...(kind === "none" ? {} : range), count, sorting });
}

/** Returns the query without members that are not set. */
function queryOf(members: { readonly [Name in keyof TradesQuery]: TradesQuery[Name] | undefined }): TradesQuery {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as TradesQuery;
}

/** Returns the query in words, e.g. `trades from number 100 on · 1,000 at a time · sorting asc`. */
export function tradesQueryText(query: TradesQuery, times: Times): string {
  const { count = MAX_PAGE, sorting } = query;
  const parts = [
    rangeText(query, times),
    l10n.t("{0} at a time", countText(count)),
    sorting === undefined ? "" : l10n.t("sorting {0}", sorting),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function rangeText(query: TradesQuery, times: Times): Plain {
  const kind = rangeKindOf(query);
  if (kind === "none") return l10n.t("the newest trades");
  const { start, end } = boundsOf(query);
  const write = (bound: number): Plain =>
    kind === "sequence" ? l10n.t("sequence number {0}", bound) : times.local(bound);
  if (start === undefined) return l10n.t("trades up to {0}", write(end ?? 0));
  return end === undefined
    ? l10n.t("trades from {0} on", write(start))
    : l10n.t("trades from {0} to {1}", write(start), write(end));
}

/** A reader and writer of moments as the user types them. */
export interface TypedMoments {
  /**
   * Reads a moment as ms since the Unix epoch. Takes `2026-11-20 13:04[:07[.123]]` in the zone, a day alone for its
   * beginning, or that number itself. Undefined for anything else.
   */
  read(text: string): number | undefined;
  /** Returns the moment in a form that can be read again. */
  write(atMs: number): Plain;
}

/** Makes it for a zone, e.g. `Europe/Berlin`; without a zone, for that of the machine. */
export function createTypedMoments(timeZone?: string): TypedMoments {
  const wall = createWall(timeZone);
  return {
    read(text) {
      const typed = text.trim();
      if (/^\d{5,16}$/.test(typed)) return Math.abs(Number(typed)) <= LAST_MOMENT_MS ? Number(typed) : undefined;
      return readWall(typed, wall);
    },
    write(atMs) {
      const { day, sinceMidnightMs } = wall.read(atMs);
      const [hours, minutes, seconds] = [
        sinceMidnightMs / HOUR_MS,
        (sinceMidnightMs % HOUR_MS) / MINUTE_MS,
        (sinceMidnightMs % MINUTE_MS) / SECOND_MS,
      ].map(twoDigits);
      const rest = sinceMidnightMs % SECOND_MS;
      return plain.text(
        `${day} ${String(hours)}:${String(minutes)}:${String(seconds)}${rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`}`,
      );
    },
  };
}

function readWall(typed: string, wall: Wall): number | undefined {
  const match =
    /^(?<day>\d{4}-\d{2}-\d{2})(?:[ T](?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:\.(?<rest>\d{1,3}))?)?)?$/.exec(
      typed,
    );
  if (match?.groups === undefined) return undefined;
  const { day = "", hours = "0", minutes = "0", seconds = "0", rest = "0" } = match.groups;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const sinceMidnightMs =
    Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS + Number(rest.padEnd(3, "0"));
  const atMs = wall.momentOf({ day, sinceMidnightMs });
  // A day that no calendar has is another one.
  return atMs === undefined || wall.read(atMs).day !== day ? undefined : atMs;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** The last moment that dates can express. */
const LAST_MOMENT_MS = 8.64e15;

/** Reads a bound of a range; undefined for an empty text, which leaves the side open. */
export function readBound(text: string, kind: TradesRangeKind, moments: TypedMoments): number | undefined {
  if (text.trim() === "") return undefined;
  return kind === "time" ? moments.read(text) : Number(text);
}

/** Returns a bound as it can be typed; empty where the side is open. */
export function writeBound(bound: number | undefined, kind: TradesRangeKind, moments: TypedMoments): Plain {
  if (bound === undefined) return "";
  return kind === "time" ? moments.write(bound) : plain`${bound}`;
}

/** Returns the reason why a text is not a bound, as a sentence; undefined when it is one, or empty. */
export function boundProblem(text: string, kind: TradesRangeKind, moments: TypedMoments): Plain | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (kind === "time")
    return moments.read(typed) === undefined
      ? l10n.t("Enter a local time such as 2026-11-20 13:04 or 2026-11-20 13:04:07, or milliseconds since 1970.")
      : undefined;
  return /^\d{1,15}$/.test(typed) ? undefined : l10n.t("Enter a whole number: the trade_seq of a trade.");
}

/** Returns the reason why the end of a range does not fit its start. */
export function endProblem(
  text: string,
  start: number | undefined,
  kind: TradesRangeKind,
  moments: TypedMoments,
): Plain | undefined {
  const problem = boundProblem(text, kind, moments);
  if (problem !== undefined) return problem;
  const end = readBound(text, kind, moments);
  if (end === undefined)
    return start === undefined ? l10n.t("A range needs a start or an end. Go back to choose no range.") : undefined;
  return start !== undefined && end < start
    ? l10n.t("The end is before the start ({0}).", writeBound(start, kind, moments))
    : undefined;
}

/** Returns the reason why a text is not a count, as a sentence; empty stands for the most that one call brings. */
export function countProblem(text: string): Plain | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (!/^\d{1,9}$/.test(typed)) return l10n.t("Enter a whole number from 1 to {0}.", countText(MAX_PAGE));
  const [problem] = checkParams(TRADES_METHOD, { instrument_name: "BTC-PERPETUAL", count: Number(typed) }).filter(
    ({ severity }) => severity === "error",
  );
  return problem === undefined ? undefined : l10n.t("count: {0}.", plain.text(problem.message));
}

/** Returns the query with a count as it was typed; without one for an empty text. */
export function withCount(query: TradesQuery, text: string): TradesQuery {
  return queryOf({ ...query, count: text.trim() === "" ? undefined : Number(text) });
}

/** The values of `sorting`; undefined leaves it out. */
export const TRADE_SORTINGS = [
  undefined,
  "default",
  "asc",
  "desc",
] as const satisfies readonly TradesQuery["sorting"][];

export function withSorting(query: TradesQuery, sorting: TradesQuery["sorting"]): TradesQuery {
  return queryOf({ ...query, sorting });
}
