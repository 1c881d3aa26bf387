import * as l10n from "@vscode/l10n";
import { WALL_FIELDS } from "../../base/wallTime.ts";
import { NOT_KNOWN } from "../../base/plain.ts";
import { numberText } from "./numbers.ts";

/** The formats of moments. All times come in ms since the Unix epoch; an unknown one has a sign of its own. */
export interface Times {
  /** Returns the local time of day: `13:04:07`. */
  clock(atMs: number | undefined): string;
  /** Returns the local time of day without seconds, for a narrow row: `13:04`. */
  minute(atMs: number): string;
  /** Returns the local time of day with milliseconds: `13:04:07.123`. */
  precise(atMs: number): string;
  /** Returns the local date and time with milliseconds and the distance to UTC: `2026-11-20 13:04:07.123 GMT+1`. */
  local(atMs: number | undefined): string;
  /** Returns the moment in UTC: `2026-11-20 12:04:07.123 UTC`. */
  utc(atMs: number | undefined): string;
}

/** Makes times for a zone, e.g. "Europe/Berlin"; without a zone, for that of the machine. */
export function createTimes(timeZone?: string): Times {
  const localParts = partsOf(timeZone);
  const utcParts = partsOf("UTC");
  const write = (atMs: number | undefined, parts: (atMs: number) => Parts, form: (parts: Parts) => string): string => {
    if (atMs === undefined) return NOT_KNOWN;
    // A number that is no moment is shown as what it is.
    return Math.abs(atMs) > LAST_MOMENT_MS ? numberText(atMs) : form(parts(atMs));
  };
  return {
    clock: (atMs) => write(atMs, localParts, (parts) => timeOf(parts)),
    minute: (atMs) => write(atMs, localParts, ({ hour, minute }) => `${hour}:${minute}`),
    precise: (atMs) => write(atMs, localParts, (parts) => `${timeOf(parts)}.${parts.fractionalSecond}`),
    local: (atMs) =>
      write(
        atMs,
        localParts,
        (parts) => `${dateOf(parts)} ${timeOf(parts)}.${parts.fractionalSecond} ${parts.timeZoneName}`,
      ),
    utc: (atMs) => write(atMs, utcParts, (parts) => `${dateOf(parts)} ${timeOf(parts)}.${parts.fractionalSecond} UTC`),
  };
}

/** Returns a length of time in its one or two largest units: `38 ms`, `8 s`, `28 min`, `3 h 5 min`, `2 d 4 h`. */
export function durationText(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms > 0 && ms < 1) return l10n.t("<1 ms");
  if (Math.round(ms) < 1000) return l10n.t("{0} ms", Math.round(ms));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return l10n.t("{0} s", seconds);
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return l10n.t("{0} min", minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? l10n.t("{0} h", hours) : l10n.t("{0} h {1} min", hours, minutes % 60);
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? l10n.t("{0} d", days) : l10n.t("{0} d {1} h", days, hours % 24);
}

const MINUTE_MS = 60_000;
/** The last moment that dates can express. */
const LAST_MOMENT_MS = 8.64e15;

type PartName = "year" | "month" | "day" | "hour" | "minute" | "second" | "fractionalSecond" | "timeZoneName";
type Parts = Readonly<Record<PartName, string>>;

function partsOf(timeZone: string | undefined): (atMs: number) => Parts {
  // Made for the first time that is written: nothing else at the start of the program takes as long.
  let format: Intl.DateTimeFormat | undefined;
  return (atMs) => {
    format ??= new Intl.DateTimeFormat("en-GB", {
      ...(timeZone === undefined ? {} : { timeZone }),
      ...WALL_FIELDS,
      timeZoneName: "shortOffset",
    });
    return Object.fromEntries(format.formatToParts(atMs).map((part) => [part.type, part.value])) as Parts;
  };
}

function dateOf(parts: Parts): string {
  return `${parts.year}-${parts.month}-${parts.day}`;
}

function timeOf(parts: Parts): string {
  return `${parts.hour}:${parts.minute}:${parts.second}`;
}
