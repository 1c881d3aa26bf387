import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import { readExchangeTime } from "../session/reader.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { createAccountStore, ownCurrencies } from "./account.ts";
import { readDayResult, type DayResult } from "./dayResult.ts";
import { USER_TRADES_METHOD } from "./missedTrades.ts";
import { Resource, type ResourceReading, type StorePorts } from "./resource.ts";
import { readRows, rowsIn } from "./snapshot.ts";
import { ALL_TRADES_CHANNEL } from "./tradePages.ts";

/** A trade of the account, as private/get_user_trades_by_currency describes it. */
export type OwnTrade = RowOf<"userTrade">;

/** The latest trades of one connection's account, the newest first, and the result of its day. */
export interface FillsStore extends Resource<OwnTrade>, Readonly<DayNews> {}

/** What is known of the day. */
interface DayNews {
  /** The result of the day as it was last read; undefined before that. */
  day: DayResult | undefined;
  /** The reason why the last reading of the day failed; undefined where it did not. */
  dayFailure: Failure | undefined;
}

const NO_DAY: Readonly<DayNews> = { day: undefined, dayFailure: undefined };

/** The trades of a currency that are read first. */
const FIRST_TRADES = 50;
/** The trades that are kept at most. */
const MOST_TRADES = 500;

/**
 * Makes the store. New trades come by the channel. The day is read from the transaction log when the user reads the
 * list again, and at no other time: a call costs 20 times as much as others.
 */
export function createFillsStore(ports: StorePorts): FillsStore {
  const currencies = (): readonly string[] => ownCurrencies(ports.storeOf(createAccountStore));
  /** What was reported since the latest reading was sent: its response may be older. */
  let reported: ReadonlyMap<string, OwnTrade> = new Map();
  let isDayWanted = false;
  const resource = new Resource<OwnTrade>(
    {
      name: "fills",
      method: USER_TRADES_METHOD,
      channels: [ALL_TRADES_CHANNEL],
      isMerging: true,
      async read(reader, options) {
        reported = new Map();
        const { items, unreadable } = await readLatest(reader, options);
        if (isDayWanted) {
          isDayWanted = false;
          Object.assign(store, await readDay({ reader, options, clock: ports.clock, currencies: currencies() }));
        }
        return { items: newestFirst(items, reported), unreadable };
      },
      take(data, items) {
        const { list } = readRows([data].flat() as readonly unknown[], (row) => readRow("userTrade", row));
        const news = byKey(list);
        if (news.size === 0) return items;
        reported = new Map([...reported, ...news]);
        return newestFirst(items, news);
      },
      forget() {
        isDayWanted = false;
        Object.assign(store, NO_DAY);
      },
    },
    ports,
  );
  const readAgain = resource.refresh.bind(resource);
  const store: Resource<OwnTrade> & DayNews = Object.assign(resource, NO_DAY, {
    async refresh() {
      isDayWanted = true;
      await readAgain();
    },
  });
  return store;
}

async function readLatest(reader: Reader, options: CallOptions): Promise<ResourceReading<OwnTrade>> {
  const found = await Promise.all(
    CURRENCIES.map(async (currency) => {
      const { result } = await reader.readResponse(
        USER_TRADES_METHOD,
        { currency, count: FIRST_TRADES, sorting: "desc" },
        options,
      );
      return readRows(rowsIn(isObject(result) ? result["trades"] : undefined), (row) => readRow("userTrade", row));
    }),
  );
  return {
    items: byKey(found.flatMap(({ list }) => list)),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

/** Reads the day. Its failure leaves the list of trades alone, which needs another scope. */
async function readDay(reading: Omit<Parameters<typeof readDayResult>[0], "nowMs">): Promise<Partial<DayNews>> {
  try {
    const nowMs = await readExchangeTime(reading.reader, reading.options);
    return { day: await readDayResult({ ...reading, nowMs }), dayFailure: undefined };
  } catch (thrown) {
    return { dayFailure: toFailure(thrown) };
  }
}

/** Returns trades by what tells them apart: an ID is unique in its currency alone. */
function byKey(trades: readonly OwnTrade[]): ReadonlyMap<string, OwnTrade> {
  return new Map(trades.map((trade) => [`${trade.instrument_name ?? ""} ${trade.trade_id}`, trade]));
}

function newestFirst(
  items: ReadonlyMap<string, OwnTrade>,
  news: ReadonlyMap<string, OwnTrade>,
): ReadonlyMap<string, OwnTrade> {
  const all = [...new Map([...items, ...news])];
  all.sort(
    ([, one], [, other]) =>
      (other.timestamp ?? 0) - (one.timestamp ?? 0) || (other.trade_seq ?? 0) - (one.trade_seq ?? 0),
  );
  return new Map(all.slice(0, MOST_TRADES));
}

/** The trades of one order. Legs of block trades belong to no order: each of them is an entry of its own. */
export interface FilledOrder {
  /** The ID of the order; that of the trade where it belongs to none. */
  readonly id: string;
  readonly orderId: string | undefined;
  /** The newest first. */
  readonly trades: readonly [OwnTrade, ...OwnTrade[]];
}

/** Returns trades by order, the order with the newest trade first. */
export function filledOrders({ items }: Pick<FillsStore["snapshot"], "items">): readonly FilledOrder[] {
  const orders = new Map<string, FilledOrder>();
  for (const [key, trade] of items) {
    const orderId = trade.block_trade_id === undefined ? trade.order_id : undefined;
    const id = orderId ?? key;
    const known = orders.get(id);
    orders.set(id, { id, orderId, trades: known === undefined ? [trade] : [...known.trades, trade] });
  }
  return [...orders.values()];
}
