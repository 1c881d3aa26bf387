/** Returns a member of each row, so that an assertion stands in one line; of several names, a list for each row. */
export function pluck<T, K extends keyof T>(rows: readonly T[], name: K): T[K][];
export function pluck<T, const K extends readonly (keyof T)[]>(
  rows: readonly T[],
  ...names: K
): { -readonly [I in keyof K]: T[K[I]] }[];
export function pluck<T>(rows: readonly T[], ...names: readonly (keyof T)[]): unknown[] {
  return rows.map((row) =>
    names.length === 1 && names[0] !== undefined ? row[names[0]] : names.map((name) => row[name]),
  );
}
