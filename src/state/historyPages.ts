import { createEmitter, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { toFailure, type Failure } from "../base/failure.ts";
import type { HistoryCursor, HistoryQuery, HistoryReader, HistoryRow, HistorySlots } from "./history.ts";
import { followAccount, type ResourcePorts } from "./resource.ts";

/** The pages of a history that were read, as one list. */
export interface HistoryPages extends Disposable {
  readonly known: KnownHistory;
  readonly onDidChange: Event<void>;
  /** Forgets what was read, and reads the first page of another selection. Failures go into what is known. */
  select(query: HistoryQuery): Promise<void>;
  /** Reads the first page again. */
  reload(): Promise<void>;
  /** Reads the next page; without effect at the end, and while a page is read. */
  loadMore(): Promise<void>;
}

/** What is known of a history. */
export interface KnownHistory {
  readonly query: HistoryQuery;
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
  /** Whether the exchange has more that can't be read. */
  readonly isIncomplete: boolean;
  /** What the list has of isolated margin; undefined on native connections, and before the first page. */
  readonly slots?: HistorySlots | undefined;
  /** Whether as many rows are held as may be; the rest needs a narrower selection. */
  readonly isFull: boolean;
  readonly isLoading: boolean;
  /** The time when the last page was read, in ms since the Unix epoch; undefined before the first one. */
  readonly readAtMs: number | undefined;
  readonly failure: Failure | undefined;
}

interface HistoryPagesPorts extends Pick<ResourcePorts, "session" | "clock"> {
  readonly reader: HistoryReader;
}

const MAX_HISTORY_ROWS = 5000;

/** Makes the list; nothing is read before it is asked for. */
export function createHistoryPages(first: HistoryQuery, { reader, session, clock }: HistoryPagesPorts): HistoryPages {
  const changes: Emitter<void> = createEmitter();
  let known = nothingOf(first);
  let cursor: HistoryCursor | undefined;
  /** Counts selections: a page of an earlier one has no effect. */
  let turn = 0;
  const put = (change: Partial<KnownHistory>): void => {
    known = { ...known, ...change };
    changes.fire();
  };
  const read = async (isFirst: boolean): Promise<void> => {
    const own = turn;
    put({ isLoading: true, failure: undefined });
    try {
      const page = await reader.read(known.query, isFirst ? undefined : cursor);
      if (own !== turn) return;
      const rows = isFirst ? page.rows : withoutRepeated(known.rows, page.rows);
      cursor = page.next;
      const isFull = rows.length >= MAX_HISTORY_ROWS;
      put({
        ...{ rows, isFull, isLoading: false, readAtMs: clock.now() },
        hasMore: page.next !== undefined && !isFull,
        isIncomplete: page.isIncomplete,
        slots: isFirst ? page.slots : slotsOfBoth(known.slots, page.slots),
      });
    } catch (thrown) {
      if (own === turn) put({ isLoading: false, failure: toFailure(thrown) });
    }
  };
  const start = async (query: HistoryQuery): Promise<void> => {
    turn++;
    cursor = undefined;
    known = nothingOf(query);
    await read(true);
  };
  const hearing = followAccount(session, () => {
    turn++;
    cursor = undefined;
    put(nothingOf(known.query));
  });
  return {
    get known() {
      return known;
    },
    onDidChange: changes.event,
    select: start,
    async reload() {
      turn++;
      await read(true);
    },
    async loadMore() {
      if (known.hasMore && !known.isLoading) await read(false);
    },
    dispose() {
      turn++;
      hearing.dispose();
      changes.dispose();
    },
  };
}

function nothingOf(query: HistoryQuery): KnownHistory {
  return {
    ...{ query, rows: [], hasMore: false, isIncomplete: false, isFull: false, isLoading: false },
    ...{ readAtMs: undefined, failure: undefined, slots: undefined },
  };
}

/** Returns what two pages together have of isolated margin: what the first one lacks stays missing. */
function slotsOfBoth(first: HistorySlots | undefined, next: HistorySlots | undefined): HistorySlots | undefined {
  if (typeof first !== "object" || typeof next !== "object") return first;
  return { ...first, isWhole: first.isWhole && next.isWhole };
}

/** Adds a page. Where pages meet, rows of the same moment may be on both. */
function withoutRepeated(known: readonly HistoryRow[], added: readonly HistoryRow[]): readonly HistoryRow[] {
  const texts = new Set(known.map(({ text }) => text));
  return [...known, ...added.filter(({ text }) => !texts.has(text))].slice(0, MAX_HISTORY_ROWS);
}
