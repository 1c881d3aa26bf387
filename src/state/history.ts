import { CallError } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { rateClassOf, type AnyReadMethod } from "../catalogue/index.ts";
import { RATE_BUDGETS } from "../catalogue/rates.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { scopeProblem } from "../session/scope.ts";
import { readExchangeTime } from "../session/reader.ts";
import { rowTexts } from "../rpc/elementTexts.ts";
import { partName, partOf, readPastSlots, readsSlots, slotsOf, unlessRefused, withSlot } from "./isolated.ts";
import type { ResourcePorts } from "./resource.ts";
import { nextTrades, readMerged, tradeBounds, type ReadPart, type TradesCursor } from "./tradePages.ts";

/* What happened to an account: lists that only grow, read page by page on request. */

/** The lists, in the order in which they are offered. */
export const HISTORY_LISTS = [
  "orders",
  "trades",
  "transactions",
  "settlements",
  "triggers",
  "deposits",
  "withdrawals",
] as const;

export type HistoryList = (typeof HISTORY_LISTS)[number];

/** The selection of the user. */
export interface HistoryQuery {
  readonly list: HistoryList;
  /** The currency; undefined for all of them. */
  readonly currency: string | undefined;
  /** The instrument; undefined for all of the currency. */
  readonly instrument: string | undefined;
  /** The kind of instrument, in the exchange's word; undefined for all. */
  readonly kind: string | undefined;
  /** The range of time, in ms since the Unix epoch; undefined where it is open on that side. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /**
   * Whether older orders and trades are wanted: the exchange keeps them apart from those of the last half hour (orders)
   * and the last day (trades). https://docs.deribit.com/articles/accessing-historical-trades-orders
   */
  readonly isOld: boolean;
}

/** A row as it was received. One that was read from a slot of isolated margin has the member `SLOT_MEMBER` added. */
export interface HistoryRow {
  /** The JSON text, with every digit. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a list has of isolated margin, at the gateway. `unreachable`: no call reads it of a slot. */
export type HistorySlots = { readonly count: number; readonly isWhole: boolean } | "unreachable";

/** The place where the next page of one currency begins: an offset, a token of the exchange, or a trade. */
type OneCursor = string | number | TradesCursor;

/** The place where the next page begins: that of one currency, or how far each of them was read. */
export type HistoryCursor = OneCursor | readonly ReadCurrency[];

/** How far the list of a currency was read. */
type ReadCurrency = ReadPart<HistoryRow, OneCursor>;

/** A selection whose list one method returns. */
interface OneListQuery extends HistoryQuery {
  readonly currency: string;
}

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** Undefined at the end of the list, and where it can't be read further. */
  readonly next: HistoryCursor | undefined;
  /** Whether the exchange has more that can't be read: no page begins there. */
  readonly isIncomplete: boolean;
  /** What it has of isolated margin (default: nothing, as on native connections). */
  readonly slots?: HistorySlots;
}

/** A call for a page. */
interface HistoryCall {
  readonly method: AnyReadMethod;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface HistoryReader {
  /** Reads a page; the first one without a cursor. Throws `CallError`. */
  read(query: HistoryQuery, cursor: HistoryCursor | undefined): Promise<HistoryPage>;
}

/** The number of rows of a page. */
export const HISTORY_PAGE_SIZE = 100;
/** The range of the transaction log where none was chosen, in ms: the exchange requires one. */
const LOG_RANGE_MS = 7 * 24 * 3_600_000;

/**
 * The most calls for a page of a list that is read by offset. A server may return fewer rows than it is asked for, so
 * that only an empty response is the end.
 */
const MAX_CALLS = 10;

interface HistoryReaderPorts extends Pick<ResourcePorts, "session"> {
  /** Returns the currencies that the account has, besides those that can be traded (default: none). */
  readonly currencies?: () => readonly string[];
}

/** The lists about money, of which currencies that can't be traded have some, too. */
const OF_MONEY: ReadonlySet<HistoryList> = new Set(["transactions", "deposits", "withdrawals"]);

/** Returns the currencies of a list that is read for all of them. */
function currenciesOf(list: HistoryList, own: readonly string[]): readonly string[] {
  return OF_MONEY.has(list) ? [...new Set([...CURRENCIES, ...own])] : CURRENCIES;
}

/** Whether a list has to be read currency by currency: none was chosen, and no instrument says which. */
function isOfAll({ list, currency, instrument }: HistoryQuery): boolean {
  return currency === undefined && (instrument === undefined || !BY_INSTRUMENT.has(list));
}

/** The lists that a method returns by the name of an instrument alone. */
const BY_INSTRUMENT: ReadonlySet<HistoryList> = new Set(["orders", "trades", "settlements"]);

/** The lists that a method reads of a slot. Settlements and orders only by currency. */
const BY_SLOT: ReadonlySet<HistoryList> = new Set(["orders", "trades", "transactions", "settlements"]);
/** The lists of which the exchange keeps something of a slot that no method reads. */
const NOT_BY_SLOT: ReadonlySet<HistoryList> = new Set(["triggers"]);

/** Returns the selection of what is asked of a slot; more than that may come, which is dropped afterwards. */
function askedOfSlot(query: OneListQuery): OneListQuery {
  return query.list === "orders" || query.list === "settlements"
    ? { ...query, instrument: undefined, ...(query.instrument === undefined ? {} : { kind: undefined }) }
    : query;
}

/** Returns the currencies in which a list is read of a slot. No currency: its instrument says which. */
function slotCurrencies({ list, currency, instrument }: HistoryQuery): readonly string[] {
  if (currency !== undefined) return [currency];
  return list === "trades" && instrument !== undefined ? [""] : CURRENCIES;
}

interface OnePage extends HistoryPage {
  readonly next: OneCursor | undefined;
}

export function createHistoryReader({ session, currencies = () => [] }: HistoryReaderPorts): HistoryReader {
  const readOnce = async (query: OneListQuery, cursor: OneCursor | undefined, slot?: number): Promise<OnePage> => {
    const { state } = session;
    if (state.status !== "ready") throw new CallError({ kind: "notConnected" });
    const options = { lane: "userRead", generation: state.generation } as const;
    const needsNow = query.list === "transactions" && query.toMs === undefined;
    const asked = slot === undefined ? query : askedOfSlot(query);
    const call = historyCall(asked, cursor, 0);
    const problem = scopeProblem(call.method, state, call.params);
    if (problem !== undefined) throw new CallError(problem);
    const { method, params } = needsNow
      ? historyCall(asked, cursor, await readExchangeTime(session.reader, options))
      : call;
    const ofSlot = slot === undefined ? params : { ...params, subaccount_id: slot };
    return historyPage(query, cursor, await session.reader.readResponse(method, ofSlot, options));
  };
  const readOne = async (query: OneListQuery, cursor: OneCursor | undefined, slot?: number): Promise<OnePage> => {
    let page = await readOnce(query, cursor, slot);
    for (
      let calls = 1;
      calls < MAX_CALLS && typeof page.next === "number" && LISTS[query.list].nextOf === byOffset;
      calls++
    ) {
      if (page.next - Number(cursor ?? 0) >= HISTORY_PAGE_SIZE) break;
      const more = await readOnce(query, page.next, slot);
      page = { ...more, rows: [...page.rows, ...more.rows] };
    }
    return slot === undefined ? page : { ...page, rows: page.rows.map((row) => withSlot(row, slot)) };
  };
  const ownParts = (query: HistoryQuery): readonly string[] =>
    isOfAll(query) ? currenciesOf(query.list, currencies()) : [query.currency ?? ""];
  const merged = async (
    query: HistoryQuery,
    parts: readonly (ReadCurrency | string)[],
    onUnread: () => void,
  ): Promise<HistoryPage> =>
    await readMerged(parts, {
      readPage: async (name, next: OneCursor | undefined) => {
        const { currency, slot } = partOf(name);
        const read = async (): Promise<OnePage> => await readOne({ ...query, currency }, next, slot);
        if (slot === undefined) return await read();
        const page = await unlessRefused(read);
        if (page !== undefined) return page;
        // The other accounts are listed nevertheless.
        onUnread();
        return { rows: [], next: undefined, isIncomplete: false };
      },
      timeOf: (row: HistoryRow) => timeOf(query.list, row) || 0,
      pageSize: HISTORY_PAGE_SIZE,
    });
  const readWithSlots = async (query: HistoryQuery, cursor: HistoryCursor | undefined): Promise<HistoryPage> => {
    const { state } = session;
    const options = {
      lane: "userRead",
      ...(state.status === "ready" ? { generation: state.generation } : {}),
    } as const;
    const listed = isRead(cursor) ? slotsOf(cursor) : await readPastSlots(session.reader, options);
    const ofSlots = slotCurrencies(query).flatMap((currency) => (listed ?? []).map((slot) => partName(currency, slot)));
    let isWhole = listed !== undefined;
    const parts = isRead(cursor) ? cursor : [...ownParts(query), ...ofSlots];
    const page = await merged(query, parts, () => (isWhole = false));
    return { ...page, slots: { count: listed?.length ?? 0, isWhole } };
  };
  return {
    async read(query, cursor) {
      const isAtGateway = readsSlots(session.state);
      if (isAtGateway && BY_SLOT.has(query.list)) return await readWithSlots(query, cursor);
      const slots = isAtGateway && NOT_BY_SLOT.has(query.list) ? ({ slots: "unreachable" } as const) : {};
      if (!isOfAll(query)) {
        const page = await readOne({ ...query, currency: query.currency ?? "" }, isRead(cursor) ? undefined : cursor);
        return { ...page, ...slots };
      }
      return { ...(await merged(query, isRead(cursor) ? cursor : ownParts(query), () => undefined)), ...slots };
    },
  };
}

function isRead(cursor: HistoryCursor | undefined): cursor is readonly ReadCurrency[] {
  return Array.isArray(cursor);
}

/**
 * Returns the price of a page: the credits of its calls, and those that fit into the budget of its method. `slots`: how
 * many slots of isolated margin are read as well.
 */
export function historyCost(query: HistoryQuery, slots = 0): { readonly credits: number; readonly budget: number } {
  const one = { ...query, currency: query.currency ?? "BTC" };
  const { cost, size } = RATE_BUDGETS[rateClassOf(historyCall(one, undefined, 0).method)];
  const calls = (isOfAll(query) ? CURRENCIES.length : 1) + slots * slotCurrencies(query).length;
  return { credits: cost * calls, budget: size };
}

/** Returns the call for a page. `nowMs`: the exchange's time, in ms since the Unix epoch. */
export function historyCall(query: OneListQuery, cursor: OneCursor | undefined, nowMs: number): HistoryCall {
  return LISTS[query.list].callOf(query, cursor, nowMs);
}

/** Returns the end of the name of a method that selects by instrument or by currency. */
function waysOf({ instrument }: Pick<HistoryQuery, "instrument">): "currency" | "instrument" {
  return instrument === undefined ? "currency" : "instrument";
}

function subjectOf({
  instrument,
  currency,
  kind,
}: Pick<OneListQuery, "instrument" | "currency" | "kind">): Readonly<Record<string, unknown>> {
  return instrument === undefined ? { currency, ...given({ kind }) } : { instrument_name: instrument };
}

/**
 * Returns the page of a response. Rows that are not selected are left out, because not every method can select by time
 * or instrument.
 */
export function historyPage(
  query: HistoryQuery,
  cursor: OneCursor | undefined,
  response: Pick<MaskedResponse, "bodyText" | "result">,
): OnePage {
  const { result } = response;
  const all = rowTexts(response, LISTS[query.list].rowsMember).flatMap((text): HistoryRow[] => {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? [{ text, value }] : [];
  });
  const { fromMs = -Infinity } = query;
  const isPast = all.length > 0 && all.every((row) => timeOf(query.list, row) < fromMs);
  const next = isPast
    ? undefined
    : LISTS[query.list].nextOf({ query, cursor, rows: all, result: isObject(result) ? result : {} });
  return {
    rows: all.filter((row) => isSelected(query, row)),
    next: next ?? undefined,
    isIncomplete: next === null,
  };
}

function isSelected({ list, instrument, fromMs = -Infinity, toMs = Infinity }: HistoryQuery, row: HistoryRow): boolean {
  const { instrument_name: name } = row.value;
  if (instrument !== undefined && typeof name === "string" && name !== instrument) return false;
  const atMs = timeOf(list, row);
  return Number.isNaN(atMs) || (atMs >= fromMs && atMs <= toMs);
}

/** Returns the time of a row; NaN where it has none. */
function timeOf(list: HistoryList, { value }: HistoryRow): number {
  const atMs = value[LISTS[list].timeMember];
  return typeof atMs === "number" ? atMs : NaN;
}

/** What the place of the next page follows from. */
interface PageEnd {
  readonly query: HistoryQuery;
  readonly cursor: OneCursor | undefined;
  readonly rows: readonly HistoryRow[];
  readonly result: Readonly<Record<string, unknown>>;
}

/** `null`: the exchange has more, and no page begins there. */
type NextOf = (end: PageEnd) => OneCursor | null | undefined;

const byOffset: NextOf = ({ rows, cursor }) => (rows.length === 0 ? undefined : Number(cursor ?? 0) + rows.length);

const byTrade: NextOf = ({ query, cursor, rows, result }) => {
  const trades = rows.map(({ value }) => value);
  const next = nextTrades(isTradesCursor(cursor) ? cursor : { endMs: query.toMs }, trades, result["has_more"]);
  return next === "stuck" ? null : next;
};

const byToken: NextOf = ({ cursor, result: { continuation } }) => {
  const isToken =
    typeof continuation === "number" || (typeof continuation === "string" && !NO_TOKENS.has(continuation));
  if (!isToken) return undefined;
  // Without progress the same page would come again and again.
  return continuation === cursor ? null : continuation;
};

function isTradesCursor(cursor: OneCursor | undefined): cursor is TradesCursor {
  return typeof cursor === "object";
}

/** The tokens that stand for the end of a list. */
const NO_TOKENS: ReadonlySet<string> = new Set(["", "none"]);

/** How a list is read. */
interface ListReading {
  /** The member of a result that holds its rows; orders come as the result itself, or under this name. */
  readonly rowsMember: string;
  /** The member of a row with its time, in ms since the Unix epoch. */
  readonly timeMember: string;
  readonly nextOf: NextOf;
  readonly callOf: (query: OneListQuery, cursor: OneCursor | undefined, nowMs: number) => HistoryCall;
}

const count = HISTORY_PAGE_SIZE;

const LISTS: Readonly<Record<HistoryList, ListReading>> = {
  orders: {
    rowsMember: "orders",
    timeMember: "last_update_timestamp",
    nextOf: byOffset,
    callOf: (query, cursor) => ({
      method: `private/get_order_history_by_${waysOf(query)}`,
      params: {
        ...{ ...subjectOf(query), count, ...given({ offset: cursor }) },
        ...{ include_old: true, include_unfilled: true, historical: query.isOld },
      },
    }),
  },
  trades: {
    rowsMember: "trades",
    timeMember: "timestamp",
    nextOf: byTrade,
    callOf: (query, cursor) => ({
      method: `private/get_user_trades_by_${waysOf(query)}`,
      params: {
        ...{ ...subjectOf(query), count, sorting: "desc", historical: query.isOld },
        ...given(tradeBounds(isTradesCursor(cursor) ? cursor : { endMs: query.toMs }, query.fromMs)[waysOf(query)]),
      },
    }),
  },
  transactions: {
    rowsMember: "logs",
    timeMember: "timestamp",
    nextOf: byToken,
    callOf: ({ currency, instrument, fromMs, toMs }, cursor, nowMs) => ({
      method: "private/get_transaction_log",
      params: {
        currency,
        start_timestamp: fromMs ?? (toMs ?? nowMs) - LOG_RANGE_MS,
        end_timestamp: toMs ?? nowMs,
        count,
        ...given({ query: instrument, continuation: cursor }),
      },
    }),
  },
  settlements: {
    rowsMember: "settlements",
    timeMember: "timestamp",
    nextOf: byToken,
    callOf: ({ toMs, ...query }, cursor) => ({
      method: `private/get_settlement_history_by_${waysOf(query)}`,
      params: {
        ...subjectOf({ ...query, kind: undefined }),
        count,
        ...given({ search_start_timestamp: toMs, continuation: cursor }),
      },
    }),
  },
  triggers: {
    rowsMember: "entries",
    timeMember: "timestamp",
    nextOf: byToken,
    callOf: ({ currency, instrument }, cursor) => ({
      method: "private/get_trigger_order_history",
      params: { currency, ...given({ instrument_name: instrument }), count, ...given({ continuation: cursor }) },
    }),
  },
  deposits: {
    rowsMember: "data",
    timeMember: "received_timestamp",
    nextOf: byOffset,
    callOf: ({ currency }, cursor) => ({
      method: "private/get_deposits",
      params: { currency, count, ...given({ offset: cursor }) },
    }),
  },
  withdrawals: {
    rowsMember: "data",
    timeMember: "created_timestamp",
    nextOf: byOffset,
    callOf: ({ currency }, cursor) => ({
      method: "private/get_withdrawals",
      params: { currency, count, ...given({ offset: cursor }) },
    }),
  },
};

/** Returns the members that have a value. */
function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
