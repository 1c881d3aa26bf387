/** Returns the names that a mistyped one may have meant, the most alike first; at most three. */
export function nearest(typed: string, names: readonly string[]): readonly string[] {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const found = [...new Set(names)]
    .filter((name) => name !== typed && Math.abs(name.length - typed.length) <= most)
    .map((name) => ({ name, distance: distanceOf(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most);
  return found
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

const MAX_NAMES = 3;

/** Returns how many letters have to be put in, removed, changed or swapped with the next. */
function distanceOf(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const at = (up: number, back: number): number =>
        (up === 0 ? current[column - back] : rows[row - up]?.[column - back]) ?? Infinity;
      current.push(
        Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + (isSame ? 0 : 1), isSwapped ? at(2, 2) + 1 : Infinity),
      );
    }
    rows.push(current);
  }
  return rows[left.length]?.[right.length] ?? Infinity;
}
