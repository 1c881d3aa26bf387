/* Times as a clock on the wall shows them, and the way back. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A moment on the wall: its day as `2026-11-20`, and the ms since the day began. */
export interface WallTime {
  readonly day: string;
  readonly sinceMidnightMs: number;
}

/** The clock of one zone. Moments are ms since the Unix epoch. */
export interface Wall {
  read(atMs: number): WallTime;
  /**
   * Returns the moment when the wall shows a time; undefined for a time that a clock change skips. A time that comes
   * twice gives the earlier moment.
   */
  momentOf(time: WallTime): number | undefined;
}

/** The options for a date and a time with all their digits, as `Intl` takes a moment apart. */
const WALL_FIELDS: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
};

/** Makes the wall of a zone, e.g. `Europe/Berlin`; without a zone, the wall of the machine. */
export function createWall(timeZone?: string): Wall {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...WALL_FIELDS,
  });
  const read = (atMs: number): WallTime => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    return {
      day: `${String(parts.get("year")).padStart(4, "0")}-${String(parts.get("month"))}-${String(parts.get("day"))}`,
      sinceMidnightMs:
        number("hour") * HOUR_MS +
        number("minute") * MINUTE_MS +
        number("second") * SECOND_MS +
        number("fractionalSecond"),
    };
  };
  return {
    read,
    momentOf(time) {
      const asUtcMs = utcMs(time);
      // No zone is further from UTC than a day, and none changes its clocks twice within two.
      const distances = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((aboutMs) => utcMs(read(aboutMs)) - aboutMs);
      const moments = distances
        .map((distanceMs) => asUtcMs - distanceMs)
        .filter((atMs) => utcMs(read(atMs)) === asUtcMs);
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
  };
}

/** Returns the moment of a time at UTC. The days since 1970 come from the day of the proleptic Gregorian calendar. */
function utcMs({ day, sinceMidnightMs }: WallTime): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const monthsFromMarch = (month + 9) % 12;
  const yearsFromMarch = year - (month <= 2 ? 1 : 0);
  const daysBefore =
    yearsFromMarch * 365 +
    Math.floor(yearsFromMarch / 4) -
    Math.floor(yearsFromMarch / 100) +
    Math.floor(yearsFromMarch / 400);
  return (
    (daysBefore + Math.floor((monthsFromMarch * 153 + 2) / 5) + date - 1 - DAYS_TO_1970) * DAY_MS + sinceMidnightMs
  );
}

/** The days from March 1 of the year 0 to January 1, 1970. */
const DAYS_TO_1970 = 719_468;
