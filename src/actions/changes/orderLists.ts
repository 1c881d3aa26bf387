import type { MaskedResponse } from "../../rpc/response.ts";
import type { Reader } from "../../session/session.ts";
import type { Members } from "./fields.ts";

/*
 * All orders and trades of an instrument since a moment, page by page. A list that ends early proves nothing: a server
 * may cap its pages below what was asked for, and a bot may have filled them meanwhile.
 */

/** The wanted orders and trades. */
interface WantedRows {
  readonly instrument: string;
  /** The moment back to which the lists have to reach, in ms since the Unix epoch on the exchange's clock. */
  readonly sinceMs: number;
  /** Whether that was so long ago that what has ended since may be listed as history alone. */
  readonly isOld: boolean;
}

/** The rows of an order that is open, has ended, or has traded. `isWhole`: whether none can be missing. */
export interface OrderLists {
  readonly rows: readonly Members[];
  readonly isWhole: boolean;
}

/**
 * The time for which the exchange surely lists an ended order among the recent ones, in ms: a little less than its half
 * hour. https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
export const RECENT_MS = 25 * 60_000;

/** The most rows that one read asks for. https://docs.deribit.com/api-reference/trading */
const MOST_ROWS = 1000;
/** The most pages of a list. Beyond that it counts as not whole. */
const MOST_PAGES = 100;

const READ = { timeoutMs: 10_000 } as const;

/**
 * Reads the open orders, then the ended ones, then the trades, which carry the ID and label of their order: an order
 * that ends in between is in a later list. `unreadable` where a row names no order: it may be any. Throws `CallError`.
 */
export async function readLists(reader: Reader, wanted: WantedRows): Promise<OrderLists | "unreadable"> {
  const about = { instrument_name: wanted.instrument };
  const open = await reader.readResponse("private/get_open_orders_by_instrument", about, READ);
  const lists: Page[] = [{ rows: open.result, isWhole: true }];
  for (const isHistorical of wanted.isOld ? [false, true] : [false])
    lists.push(await readEnded(reader, wanted, isHistorical), await readTrades(reader, wanted, isHistorical));
  if (!lists.every(({ rows }) => isNamed(rows))) return "unreadable";
  return {
    rows: lists.flatMap(({ rows }) => rows as readonly Members[]),
    isWhole: lists.every(({ isWhole }) => isWhole),
  };
}

interface Page {
  readonly rows: unknown;
  readonly isWhole: boolean;
}

/** Reads ended orders, the newest first, by continuation where the server has that, else by offset. */
async function readEnded(reader: Reader, { instrument, sinceMs }: WantedRows, isHistorical: boolean): Promise<Page> {
  const all: unknown[] = [];
  let continuation: string | undefined;
  let place: { readonly continuation?: string; readonly offset?: number } = {};
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { result } = await reader.readResponse(
      "private/get_order_history_by_instrument",
      {
        ...{ instrument_name: instrument, count: MOST_ROWS, include_unfilled: true, with_continuation: true },
        ...(isHistorical ? { historical: true } : {}),
        ...place,
      },
      READ,
    );
    const { orders, continuation: next } = Array.isArray(result) ? { orders: result as unknown } : membersOf(result);
    if (!isNamed(orders)) return { rows: undefined, isWhole: false };
    all.push(...orders);
    // Only a list without continuation goes on by its length: its pages may be shorter than what was asked for.
    const isLast = !Array.isArray(result) && typeof next !== "string";
    if (isLast || orders.length === 0 || isBefore(orders, "last_update_timestamp", sinceMs))
      return { rows: all, isWhole: true };
    if (next !== undefined && next === continuation) break;
    continuation = next as string | undefined;
    place = continuation === undefined ? { offset: all.length } : { continuation };
  }
  return { rows: all, isWhole: false };
}

/** Reads trades, the newest first, by their numbers: of one moment there may be more than a page. */
async function readTrades(reader: Reader, { instrument, sinceMs }: WantedRows, isHistorical: boolean): Promise<Page> {
  const all: unknown[] = [];
  let endSeq: number | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { trades, has_more: hasMore } = membersOf(
      (
        await reader.readResponse(
          "private/get_user_trades_by_instrument",
          {
            ...{ instrument_name: instrument, count: MOST_ROWS, sorting: "desc" },
            ...(isHistorical ? { historical: true } : {}),
            ...(endSeq === undefined ? {} : { end_seq: endSeq }),
          },
          READ,
        )
      ).result,
    );
    if (!isNamed(trades)) return { rows: undefined, isWhole: false };
    all.push(...trades.map(asOrder));
    if (trades.length === 0 || hasMore === false || isBefore(trades, "timestamp", sinceMs))
      return { rows: all, isWhole: true };
    const lowest = Math.min(...trades.map(({ trade_seq: seq }) => (typeof seq === "number" ? seq : Number.NaN)));
    // Without a number, or where a page brings nothing new, there is no way on.
    if (Number.isNaN(lowest) || (endSeq !== undefined && lowest > endSeq)) break;
    endSeq = lowest - 1;
  }
  return { rows: all, isWhole: false };
}

/** Returns a trade as a row of its order. Its price and amount are not those of the order. */
function asOrder({ order_id, label, direction, timestamp }: Members): Members {
  return { ...{ order_id, label, direction, creation_timestamp: timestamp, isTrade: true } };
}

/** Whether a page ends before a moment: all its rows are in order, and the last one is earlier. */
function isBefore(rows: readonly Members[], name: string, sinceMs: number): boolean {
  const times = rows.map((row) => row[name]);
  return (
    times.every((atMs, index) => typeof atMs === "number" && (index === 0 || atMs <= Number(times[index - 1]))) &&
    Number(times.at(-1)) < sinceMs
  );
}

function isNamed(list: unknown): list is readonly Members[] {
  return (
    Array.isArray(list) && (list as readonly (Members | null)[]).every((row) => typeof row?.["order_id"] === "string")
  );
}

function membersOf(result: MaskedResponse["result"]): Members {
  return (result ?? {}) as Members;
}
