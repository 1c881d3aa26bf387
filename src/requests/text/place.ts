/** A place as people name it: both numbers count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of an offset. Lines end as in VS Code: LF, CR LF or CR. */
export function placeOf(text: string, offset: number): Place {
  return placeFinder(text)(offset);
}

/** Returns a function that finds the places of many offsets: the line ends of the text are looked up once. */
export function placeFinder(text: string): (offset: number) => Place {
  const lineStarts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map((match) => match.index + match[0].length)];
  return (offset) => {
    let [first, last] = [0, lineStarts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((lineStarts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - (lineStarts[first] ?? 0) + 1 };
  };
}
