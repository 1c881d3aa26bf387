/** Adds to a list of which the last `kept`, and up to twice as many, are kept. */
export function keepLatest<T>(list: T[], value: T, kept: number): void {
  list.push(value);
  if (list.length > 2 * kept) list.splice(0, kept);
}
