import { CallError } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { rateClassOf, type AnyReadMethod, type ParamsOf } from "../catalogue/index.ts";
import { RATE_BUDGETS } from "../catalogue/rates.ts";
import { scopeProblem } from "../session/scope.ts";
import { elementTexts, memberText } from "./elementTexts.ts";
import type { ResourcePorts } from "./resource.ts";

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
  readonly currency: string;
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

/** A row as it was received. */
export interface HistoryRow {
  /** The JSON text, with every digit. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The place where the next page begins. */
export type HistoryCursor = string | number;

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** Undefined at the end of the list. */
  readonly next: HistoryCursor | undefined;
}

/** A call for a page. */
export interface HistoryCall {
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

export function createHistoryReader({ session, clock }: ResourcePorts): HistoryReader {
  return {
    async read(query, cursor) {
      const { state } = session;
      if (state.status !== "ready") throw new CallError({ kind: "notConnected" });
      const { method, params } = historyCall(query, cursor, clock.now());
      const problem = scopeProblem(method, state, params);
      if (problem !== undefined) throw new CallError(problem);
      const { bodyText, result } = await session.reader.readResponse(method, params as ParamsOf<typeof method>, {
        lane: "userRead",
        generation: state.generation,
      });
      return historyPage(query, cursor, { bodyText, result });
    },
  };
}

/** Returns the price of a page: the credits of a call, and those that fit into the budget of its method. */
export function historyCost(query: HistoryQuery): { readonly credits: number; readonly budget: number } {
  const { cost, size } = RATE_BUDGETS[rateClassOf(historyCall(query, undefined, 0).method)];
  return { credits: cost, budget: size };
}

/** Returns the call for a page. `nowMs`: ms since the Unix epoch. */
export function historyCall(query: HistoryQuery, cursor: HistoryCursor | undefined, nowMs: number): HistoryCall {
  const { list, currency, instrument, kind, fromMs, toMs, isOld } = query;
  const byInstrument = instrument !== undefined;
  const count = HISTORY_PAGE_SIZE;
  const subject = byInstrument ? { instrument_name: instrument } : { currency, ...given({ kind }) };
  const continuation = given({ continuation: cursor });
  const offset = given({ offset: cursor });
  switch (list) {
    case "orders":
      return {
        method: `private/get_order_history_by_${byInstrument ? "instrument" : "currency"}`,
        params: { ...subject, count, ...offset, include_old: true, include_unfilled: true, historical: isOld },
      };
    case "trades":
      return {
        method: `private/get_user_trades_by_${byInstrument ? "instrument" : "currency"}`,
        params: {
          ...subject,
          count,
          sorting: "desc",
          historical: isOld,
          // The next page ends where the previous one did.
          ...given({ start_timestamp: fromMs, end_timestamp: cursor ?? toMs }),
        },
      };
    case "transactions": {
      const range = { start_timestamp: fromMs ?? (toMs ?? nowMs) - LOG_RANGE_MS, end_timestamp: toMs ?? nowMs };
      return {
        method: "private/get_transaction_log",
        params: { currency, ...range, count, ...given({ query: instrument }), ...continuation },
      };
    }
    case "settlements":
      return {
        method: `private/get_settlement_history_by_${byInstrument ? "instrument" : "currency"}`,
        params: {
          ...(byInstrument ? { instrument_name: instrument } : { currency }),
          count,
          ...given({ search_start_timestamp: toMs }),
          ...continuation,
        },
      };
    case "triggers":
      return {
        method: "private/get_trigger_order_history",
        params: { currency, ...given({ instrument_name: instrument }), count, ...continuation },
      };
    case "deposits":
      return { method: "private/get_deposits", params: { currency, count, ...offset } };
    case "withdrawals":
      return { method: "private/get_withdrawals", params: { currency, count, ...offset } };
  }
}

/** The member of a result that holds its rows; orders come as the result itself, or under this name. */
const ROWS_MEMBERS: Readonly<Record<HistoryList, string>> = {
  orders: "orders",
  trades: "trades",
  transactions: "logs",
  settlements: "settlements",
  triggers: "entries",
  deposits: "data",
  withdrawals: "data",
};

/** The member of a row with its time, in ms since the Unix epoch. */
export const HISTORY_TIMES: Readonly<Record<HistoryList, string>> = {
  orders: "last_update_timestamp",
  trades: "timestamp",
  transactions: "timestamp",
  settlements: "timestamp",
  triggers: "timestamp",
  deposits: "received_timestamp",
  withdrawals: "created_timestamp",
};

/**
 * Returns the page of a response. Rows that are not selected are left out, because not every method can select by time
 * or instrument.
 */
export function historyPage(
  query: HistoryQuery,
  cursor: HistoryCursor | undefined,
  { bodyText, result }: { readonly bodyText: string; readonly result: unknown },
): HistoryPage {
  const listText = Array.isArray(result) ? bodyText : (memberText(bodyText, ROWS_MEMBERS[query.list]) ?? "[]");
  const all = elementTexts(listText).flatMap((text): HistoryRow[] => {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? [{ text, value: value as HistoryRow["value"] }] : [];
  });
  const { fromMs = -Infinity } = query;
  const isPast = all.length > 0 && all.every((row) => timeOf(query.list, row) < fromMs);
  return {
    rows: all.filter((row) => isSelected(query, row)),
    next: isPast ? undefined : nextCursor(query.list, cursor, all, isObject(result) ? result : {}),
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
  const atMs = value[HISTORY_TIMES[list]];
  return typeof atMs === "number" ? atMs : NaN;
}

function nextCursor(
  list: HistoryList,
  cursor: HistoryCursor | undefined,
  rows: readonly HistoryRow[],
  result: Readonly<Record<string, unknown>>,
): HistoryCursor | undefined {
  switch (list) {
    case "orders":
    case "deposits":
    case "withdrawals":
      return rows.length < HISTORY_PAGE_SIZE ? undefined : Number(cursor ?? 0) + rows.length;
    case "trades": {
      const last = rows.at(-1);
      const atMs = last === undefined ? NaN : timeOf(list, last);
      // Without progress the same page would come again and again.
      return result["has_more"] === true && !Number.isNaN(atMs) && atMs !== cursor ? atMs : undefined;
    }
    case "transactions":
    case "settlements":
    case "triggers": {
      const { continuation } = result;
      const isEnd = rows.length === 0 || continuation === cursor || continuation === "" || continuation === "none";
      return !isEnd && (typeof continuation === "string" || typeof continuation === "number")
        ? continuation
        : undefined;
    }
  }
}

/** Returns the members that have a value. */
function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
