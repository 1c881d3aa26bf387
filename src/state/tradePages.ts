import { CallError } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { readRow, type ParamsOf, type RowOf } from "../catalogue/index.ts";
import type { MaskedResponse } from "../rpc/response.ts";

/* Pages of public/get_last_trades_by_instrument: what is asked for, and what comes. */

export const TRADES_METHOD = "public/get_last_trades_by_instrument";

/** A public trade, as public/get_last_trades_by_instrument describes it. */
export type PublicTrade = RowOf<"publicTrade">;

/**
 * The requested trades: the parameters of public/get_last_trades_by_instrument. `count` is the size of a page; 1000
 * when left out.
 */
export type TradesQuery = ParamsOf<typeof TRADES_METHOD>;

/** The side of a list on which the exchange has more. */
export type TradesSide = "older" | "newer";

/** A row whose number could be read. */
export interface TradeEntry {
  readonly seq: number;
  readonly trade: PublicTrade;
}

export interface TradeEntries {
  readonly entries: readonly TradeEntry[];
  /** The number of rows whose number could not be read: their place is not known. */
  readonly unnumbered: number;
}

export interface TradesPage extends TradeEntries {
  readonly hasMore: boolean;
  readonly receivedAtMs: number;
}

/** The maximum that one call may ask for. Core specification §4.5. */
export const MAX_PAGE = 1000;

export function firstPage(query: TradesQuery): TradesQuery {
  return { count: MAX_PAGE, ...query };
}

/**
 * Returns the page on one side of what is held, whose outermost number is `edge`. Only numbers are requested, in a form
 * that leaves no doubt which end of a range is meant. `isAsked` applies the other bounds.
 */
export function nextPage(query: TradesQuery, side: TradesSide, edge: number): TradesQuery {
  const { instrument_name, count = MAX_PAGE, end_seq } = query;
  if (side === "older") return { instrument_name, end_seq: edge - 1, count, sorting: "desc" };
  return { instrument_name, start_seq: edge + 1, ...(end_seq === undefined ? {} : { end_seq }), count, sorting: "asc" };
}

/**
 * Returns the side on which the first page leaves something out. With a requested start it begins there, unless the
 * newest come first.
 */
export function sideOfFirstPage(query: TradesQuery, { entries, hasMore }: TradesPage): TradesSide | undefined {
  if (!hasMore) return undefined;
  if (query.start_seq === undefined && query.start_timestamp === undefined) return "older";
  if (query.sorting !== "desc") return "newer";
  return entries.some(({ seq }) => seq === query.start_seq) ? "newer" : "older";
}

/** Whether nothing ends the range, so that trades that happen from now on belong to it. */
export function isOpenEnded(query: TradesQuery): boolean {
  return query.end_seq === undefined && query.end_timestamp === undefined;
}

/** Whether an entry is within the bounds, which are included. */
export function isAsked(query: TradesQuery, { seq, trade }: TradeEntry): boolean {
  const { start_seq = -Infinity, end_seq = Infinity, start_timestamp = -Infinity, end_timestamp = Infinity } = query;
  if (seq < start_seq || seq > end_seq) return false;
  const { timestamp: atMs } = trade;
  return atMs === undefined || (atMs >= start_timestamp && atMs <= end_timestamp);
}

/** Returns the rows of a response. Throws `CallError` where it is not a list of trades at all. */
export function readPage({ result, timing }: MaskedResponse): TradesPage {
  const { trades, has_more: hasMore } = (typeof result === "object" && result !== null ? result : {}) as Readonly<
    Record<string, unknown>
  >;
  if (!Array.isArray(trades))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response has no array of trades.") });
  return { ...readEntries(trades), hasMore: hasMore === true, receivedAtMs: timing.receivedAtMs };
}

/** Reads rows in any order. */
export function readEntries(rows: readonly unknown[]): TradeEntries {
  const entries: TradeEntry[] = [];
  for (const row of rows) {
    const trade = readRow("publicTrade", row);
    if (trade !== undefined) entries.push({ seq: trade.trade_seq, trade });
  }
  return { entries, unnumbered: rows.length - entries.length };
}

/** The channel of every trade of the account. */
export const ALL_TRADES_CHANNEL = "user.trades.any.any.raw";
/** The channel of every trade in the slots of isolated margin, at the gateway. */
export const ISOLATED_TRADES_CHANNEL = "user.isolated.trades.any.any.raw";

/* The account's trades, the newest first, page by page: where the next page begins. */

/** The place where a page begins. */
export interface TradesCursor {
  /** The time of the newest trade of the page, in ms since the Unix epoch; undefined for the present. */
  readonly endMs: number | undefined;
  /** The oldest trade that was read, where its millisecond has more trades than a page. */
  readonly last?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the parameters that select the page at a cursor. Pages follow each other by time. Where one millisecond fills
 * a page, they follow by number, which is the trade's ID in a currency and its sequence number in an instrument:
 * https://docs.deribit.com/api-reference/trading/private-get_user_trades_by_currency
 */
export function tradeBounds(
  { endMs, last }: TradesCursor,
  fromMs: number | undefined,
): Readonly<Record<"currency" | "instrument", Readonly<Record<string, unknown>>>> {
  const byTime = { start_timestamp: fromMs, end_timestamp: endMs };
  return {
    currency: last === undefined ? byTime : { end_id: last["trade_id"] },
    instrument: last === undefined ? byTime : { end_seq: last["trade_seq"] },
  };
}

/**
 * Returns the place of the page after the one that began at a cursor; undefined at the end. `stuck`: the server has
 * more, and no page begins there. `hasMore`: the member `has_more` of the response.
 */
export function nextTrades(
  cursor: TradesCursor,
  rows: readonly unknown[],
  hasMore: unknown,
): TradesCursor | "stuck" | undefined {
  if (hasMore === false) return undefined;
  // A server that doesn't say whether it has more is asked until nothing new comes.
  const end = hasMore === true ? "stuck" : undefined;
  const [newest, oldest] = [rows.find(hasTime), rows.findLast(hasTime)];
  if (newest === undefined || oldest === undefined) return end;
  const { endMs = Infinity, last } = cursor;
  const { timestamp: atMs, trade_id: id } = oldest;
  if (newest.timestamp > atMs) return atMs < endMs ? { endMs: atMs } : end;
  return typeof id === "string" && id !== last?.["trade_id"] && atMs <= endMs ? { endMs: atMs, last: oldest } : end;
}

type TimedTrade = Readonly<Record<string, unknown>> & { readonly timestamp: number };

function hasTime(row: unknown): row is TimedTrade {
  return isObject(row) && typeof row["timestamp"] === "number";
}

/* Several lists that are read page by page, as one. */

/** How far one of several lists was read, which are shown as one. */
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
 * Reads a page of several lists, each newest first, as one. `before`: the lists as the page before left them, or their
 * names at the beginning. It ends before the rows of a list are used up that has more, so that no row of
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
  // A page without rows, for example because none of them was selected, says nothing about those after it.
  const isUnread = ({ rest, next }: (typeof parts)[number]): boolean => rest.length === 0 && next !== undefined;
  while (rows.length < pageSize && !parts.some(isUnread)) {
    const [newest] = parts
      .flatMap((part) => (part.rest[0] === undefined ? [] : [{ part, atMs: timeOf(part.rest[0]) }]))
      .sort((one, other) => other.atMs - one.atMs);
    const row = newest?.part.rest.shift();
    if (newest === undefined || row === undefined) break;
    rows.push(row);
  }
  const hasMore = parts.some(({ rest, next }) => rest.length > 0 || next !== undefined);
  return { rows, next: hasMore ? parts : undefined, isIncomplete };
}
