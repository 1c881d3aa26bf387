/** The expiry times: 08:00 UTC of the day that a name gives. */
const EXPIRIES_MS: ReadonlyMap<string, number> = new Map([
  ["26MAR27", 1_806_048_000_000],
  ["25JUN27", 1_813_910_400_000],
  ["24SEP27", 1_821_772_800_000],
  ["31DEC27", 1_830_240_000_000],
]);

/**
 * Returns when an instrument expires, in ms since the epoch; undefined for one that does not. A combo ends with the
 * first of its legs.
 */
export function expiryOf(name: string): number | undefined {
  const days = [...EXPIRIES_MS.keys()].filter((day) => name.includes(day));
  return days.length === 0 ? undefined : Math.min(...days.map((day) => EXPIRIES_MS.get(day) ?? Infinity));
}
