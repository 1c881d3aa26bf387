import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { readRow, type ParamsOf, type RowOf } from "../catalogue/index.ts";
import { CURRENCIES } from "../catalogue/values.ts";
import { readExchangeTime } from "../session/reader.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { createAccountStore, ownCurrencies } from "./account.ts";
import { readDayResult, type DayResult, type SlotsOfDay } from "./dayResult.ts";
import { isIsolated, ofSlot, readPastSlots, readsSlots, slotOf, unlessRefused } from "./isolated.ts";
import { USER_TRADES_METHOD } from "./missedTrades.ts";
import { Resource, type ResourceReading, type StorePorts } from "./resource.ts";
import { readRows, rowsIn } from "./snapshot.ts";
import { ALL_TRADES_CHANNEL, ISOLATED_TRADES_CHANNEL } from "./tradePages.ts";

/** A trade of the account, as private/get_user_trades_by_currency describes it. */
export type OwnTrade = RowOf<"userTrade">;

/** The latest trades of one connection's account, the newest first, and the result of its day. */
export interface FillsStore extends Resource<OwnTrade>, Readonly<DayNews>, Readonly<SlotNews> {}

/** What is known of the slots of isolated margin. */
interface SlotNews {
  /** Whether the latest list has the trades of every slot that the exchange lists, at the gateway. */
  areSlotsRead: boolean;
}

/** What is known of the day. */
interface DayNews {
  /** The result of the day as it was last read; undefined before that. */
  day: DayResult | undefined;
  /** The reason why the last reading of the day failed; undefined where it did not. */
  dayFailure: Failure | undefined;
}

const NO_NEWS: Readonly<DayNews & SlotNews> = { day: undefined, dayFailure: undefined, areSlotsRead: false };

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
      slotChannels: [ISOLATED_TRADES_CHANNEL],
      isMerging: true,
      async read(reader, options, before) {
        reported = new Map();
        const slots = readsSlots(ports.session.state) ? await slotsOf(reader, options, before) : undefined;
        const { items, unreadable, isWhole } = await readLatest(reader, options, slots?.ids ?? []);
        // What was known of a slot stays where the slot can't be read.
        const kept = isWhole && slots?.isWhole !== false ? [] : [...before].filter(([, trade]) => isIsolated(trade));
        const all = new Map([...kept, ...items]);
        if (isDayWanted) {
          isDayWanted = false;
          const own = [
            ...currencies(),
            ...[...all.values()].filter(isIsolated).flatMap((each) => each.fee_currency ?? []),
          ];
          const reading = { reader, options, clock: ports.clock, currencies: [...new Set(own)], slots };
          Object.assign(store, await readDay(reading));
        }
        Object.assign(store, { areSlotsRead: slots?.isWhole === true && isWhole });
        return { items: newestFirst(all, reported), unreadable };
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
        Object.assign(store, NO_NEWS);
      },
    },
    ports,
  );
  const readAgain = resource.refresh.bind(resource);
  const store: Resource<OwnTrade> & DayNews & SlotNews = Object.assign(resource, NO_NEWS, {
    async refresh() {
      isDayWanted = true;
      await readAgain();
    },
  });
  return store;
}

/** Returns the slots whose trades are read: those that the exchange lists, and those that trades told of. */
async function slotsOf(
  reader: Reader,
  options: CallOptions,
  before: ReadonlyMap<string, OwnTrade>,
): Promise<SlotsOfDay> {
  const listed = await readPastSlots(reader, options);
  const known = [...before.values()].flatMap((trade) => slotOf(trade) ?? []);
  return { ids: [...new Set([...(listed ?? []), ...known])], isWhole: listed !== undefined };
}

/** Reads the latest trades of the account and its slots. `isWhole`: whether each slot could be read. */
async function readLatest(
  reader: Reader,
  options: CallOptions,
  slots: readonly number[],
): Promise<ResourceReading<OwnTrade> & { readonly isWhole: boolean }> {
  const selection = (currency: string): TradesSelection => ({ currency, count: FIRST_TRADES, sorting: "desc" });
  const found = await Promise.all([
    ...CURRENCIES.map(async (currency) => await readTrades(reader, options, selection(currency))),
    ...slots.flatMap((slot) =>
      CURRENCIES.map(async (currency) => await readTradesOfSlot(reader, options, selection(currency), slot)),
    ),
  ]);
  const rows = readRows(
    found.flatMap((each) => each ?? []),
    (row) => readRow("userTrade", row),
  );
  return { items: byKey(rows.list), unreadable: rows.unreadable, isWhole: !found.includes(undefined) };
}

type TradesSelection = ParamsOf<typeof USER_TRADES_METHOD>;

async function readTrades(reader: Reader, options: CallOptions, params: TradesSelection): Promise<readonly unknown[]> {
  const { result } = await reader.readResponse(USER_TRADES_METHOD, params, options);
  return rowsIn(isObject(result) ? result["trades"] : undefined);
}

/** Reads trades of a slot; undefined where the server refuses it. */
async function readTradesOfSlot(
  reader: Reader,
  options: CallOptions,
  params: TradesSelection,
  slot: number,
): Promise<readonly unknown[] | undefined> {
  return await unlessRefused(async () =>
    ofSlot(await readTrades(reader, options, { ...params, subaccount_id: slot }), slot),
  );
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

/**
 * Returns trades by what tells them apart: an ID is unique in its currency alone, and both sides of a trade between an
 * account and one of its slots have the same.
 */
function byKey(trades: readonly OwnTrade[]): ReadonlyMap<string, OwnTrade> {
  return new Map(trades.map((trade) => [tradeKey(trade), trade]));
}

function tradeKey(trade: OwnTrade): string {
  const key = `${trade.instrument_name ?? ""} ${trade.trade_id}`;
  return isIsolated(trade) ? `${key} ${slotOf(trade) ?? "isolated"}` : key;
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
