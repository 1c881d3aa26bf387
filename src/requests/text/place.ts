/** A place as people name it: both numbers count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of an offset. Lines end as in VS Code: LF, CR LF or CR. */
export function placeOf(text: string, offset: number): Place {
  let line = 1;
  let lineStart = 0;
  for (const match of text.slice(0, offset).matchAll(/\r\n|[\n\r]/g)) {
    line += 1;
    lineStart = match.index + match[0].length;
  }
  return { line, column: offset - lineStart + 1 };
}
