/* Several lists, each of them newest first and read page by page, as one. */

/** How far one of the lists was read. */
export interface ReadPart<Row, Next> {
  readonly name: string;
  /** The rows that were read and come after those that were returned. */
  readonly rest: readonly Row[];
  /** The place of its next page; undefined at its end. */
  readonly next: Next | undefined;
}

interface Page<Row, Next> {
  readonly rows: readonly Row[];
  readonly next: Next | undefined;
  readonly isIncomplete: boolean;
}

interface MergedLists<Row, Next> {
  /** Reads a page of a list; the first one without a place. */
  readonly readPage: (name: string, next: Next | undefined) => Promise<Page<Row, Next>>;
  /** Returns the time of a row, in ms since the Unix epoch. */
  readonly timeOf: (row: Row) => number;
  /** The most rows of a page. */
  readonly pageSize: number;
}

/**
 * Reads a page of several lists, the newest rows of all of them first. `before`: the lists as the page before left them,
 * or their names at the beginning. It ends before the rows of a list are used up that has more, so that no row of
 * another one comes before a newer row that was not read yet.
 */
export async function readMerged<Row, Next>(
  before: readonly (ReadPart<Row, Next> | string)[],
  { readPage, timeOf, pageSize }: MergedLists<Row, Next>,
): Promise<Page<Row, readonly ReadPart<Row, Next>[]>> {
  let isIncomplete = false;
  const parts = await Promise.all(
    before.map(async (part) => {
      const { name, rest, next } = typeof part === "string" ? { name: part, rest: [], next: undefined } : part;
      if (rest.length > 0 || (typeof part !== "string" && next === undefined)) return { name, rest: [...rest], next };
      const page = await readPage(name, next);
      isIncomplete ||= page.isIncomplete;
      return { name, rest: [...page.rows], next: page.next };
    }),
  );
  const rows: Row[] = [];
  while (rows.length < pageSize) {
    const [newest] = parts
      .flatMap((part) => (part.rest[0] === undefined ? [] : [{ part, atMs: timeOf(part.rest[0]) }]))
      .sort((one, other) => other.atMs - one.atMs);
    const row = newest?.part.rest.shift();
    if (newest === undefined || row === undefined) break;
    rows.push(row);
    if (newest.part.rest.length === 0 && newest.part.next !== undefined) break;
  }
  const hasMore = parts.some(({ rest, next }) => rest.length > 0 || next !== undefined);
  return { rows, next: hasMore ? parts : undefined, isIncomplete };
}
