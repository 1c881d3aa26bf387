import { isoText, zoneMinutes } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { digitsText } from "./numbers.ts";

/** The formats of moments. All times come in ms since the Unix epoch; an unknown one has a sign of its own. */
export interface Times {
  /** Returns the local time of day: `13:04:07`. */
  clock(atMs: number | undefined): Plain;
  /** Returns the local time of day without seconds, for a narrow row: `13:04`. */
  minute(atMs: number): Plain;
  /** Returns the local time of day with milliseconds: `13:04:07.123`. */
  precise(atMs: number): Plain;
  /** Returns the local date and time with milliseconds and the distance to UTC: `2026-11-20 13:04:07.123 GMT+1`. */
  local(atMs: number | undefined): Plain;
  /** Returns the moment in UTC: `2026-11-20 12:04:07.123 UTC`. */
  utc(atMs: number | undefined): Plain;
}

/**
 * Makes times for a zone that is always so many minutes ahead of UTC (default: the time zone of the machine). Without
 * `Intl`, whose first format of a process takes longer to make than everything else that is drawn at its start.
 */
export function createTimes(minutesAhead?: number): Times {
  const localAt = (atMs: number): number => minutesAhead ?? zoneMinutes(atMs);
  const atUtc = (): number => 0;
  const write = (
    atMs: number | undefined,
    aheadAt: (atMs: number) => number,
    form: (parts: Parts) => string,
  ): Plain => {
    if (atMs === undefined) return NOT_KNOWN;
    // A number that is no moment is shown as what it is.
    if (Math.abs(atMs) > LAST_MOMENT_MS) return digitsText(atMs);
    const ahead = aheadAt(atMs);
    const [day = "", time = ""] = isoText(atMs + ahead * MINUTE_MS).split("T");
    return plain.text(form({ day: day.replace(/^\+0*/, ""), time: time.replace("Z", ""), ahead }));
  };
  return {
    clock: (atMs) => write(atMs, localAt, ({ time }) => time.slice(0, "13:04:07".length)),
    minute: (atMs) => write(atMs, localAt, ({ time }) => time.slice(0, "13:04".length)),
    precise: (atMs) => write(atMs, localAt, ({ time }) => time),
    local: (atMs) => write(atMs, localAt, ({ day, time, ahead }) => `${day} ${time} ${zoneText(ahead)}`),
    utc: (atMs) => write(atMs, atUtc, ({ day, time }) => `${day} ${time} UTC`),
  };
}

/** A moment in a zone: its day, `13:04:07.123`, and the minutes that the zone is ahead of UTC. */
interface Parts {
  readonly day: string;
  readonly time: string;
  readonly ahead: number;
}

/** Returns the distance of a zone to UTC: `GMT+1`, `GMT-3:30`. */
function zoneText(minutesAhead: number): string {
  const minutes = Math.abs(minutesAhead);
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `GMT${minutesAhead < 0 ? "-" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

/** Returns a length of time in its one or two largest units: `38 ms`, `8 s`, `28 min`, `3 h 5 min`, `2 d 4 h`. */
export function durationText(durationMs: number): Plain {
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

/**
 * Returns an age in minutes, in steps that grow with it, so that the text of a row rarely changes: a minute up to five,
 * then five minutes, an hour, and a day. 0 is less than a minute.
 */
export function coarseMinutes(ageMs: number): number {
  const minutes = Math.floor(Math.max(0, ageMs) / MINUTE_MS);
  const step = minutes < 5 ? 1 : minutes < 60 ? 5 : minutes < 24 * 60 ? 60 : 24 * 60;
  return minutes - (minutes % step);
}

/** Returns coarse minutes in their largest unit: `5 min`, `3 h`, `2 d`. */
export function coarseAgeText(minutes: number): Plain {
  if (minutes < 60) return l10n.t("{0} min", minutes);
  const hours = minutes / 60;
  return hours < 24 ? l10n.t("{0} h", hours) : l10n.t("{0} d", hours / 24);
}

const MINUTE_MS = 60_000;
/** The last moment that dates can express, a day before it for zones ahead of UTC. */
const LAST_MOMENT_MS = 8.64e15 - 24 * 60 * MINUTE_MS;
