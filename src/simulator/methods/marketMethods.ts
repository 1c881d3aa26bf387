import type { ParamsOf } from "../../catalogue/index.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { handlersOf } from "./handlers.ts";
import { isOfKind, type Kind, type SimulatedInstrument } from "../market/instruments.ts";
import type { Market } from "../market/market.ts";
import { tradeText, type SimulatedTrade } from "../market/publicTrades.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { unsupported } from "../text/routedSpot.ts";
import type { TradeRange } from "../market/tradeSearch.ts";
import { bookSummary, isExpired, orderBook, ticker } from "../market/figures.ts";
import { writeJson } from "../text/json.ts";

const DEFAULT_COUNT = 10;

/** The levels on each side where no depth is given. */
const DEFAULT_DEPTH = 5;

/**
 * Makes the methods for public trades, what is offered, and the platform, which announces nothing, and is locked in
 * maintenance. https://docs.deribit.com/api-reference/supporting/public-status
 */
export const marketHandlers = handlersOf(({ world, venue, clock }) => {
  const { instruments, market } = world;
  const ofInstrument = (params: TradeParams): string => {
    const instrument = instrumentOf(instruments, params.instrument_name);
    if (market.venue.isRouted(instrument)) throw unsupported();
    const { found, hasMore } = market.trades(instrument, rangeOf(params));
    const texts = found.map((trade) => tradeText(trade, instrument));
    return pageText(texts, params, hasMore);
  };
  return {
    "public/get_last_trades_by_instrument": ({ params }) => ofInstrument(params),
    "public/get_last_trades_by_instrument_and_time": ({ params }) => ofInstrument(params),
    "public/get_last_trades_by_currency": ({ params }) => tradesOfCurrency(market, instruments, params),
    "public/get_last_trades_by_currency_and_time": ({ params }) => tradesOfCurrency(market, instruments, params),
    "public/ticker": ({ params }) => writeJson(ticker(market, instrumentOf(instruments, params.instrument_name))),
    "public/get_order_book": ({ params }) => {
      const instrument = instrumentOf(instruments, params.instrument_name);
      return writeJson(orderBook(market, instrument, params.depth ?? DEFAULT_DEPTH));
    },
    "public/get_order_book_by_instrument_id": ({ params }) => {
      const instrument = [...instruments.values()].find(({ id }) => id === params.instrument_id);
      if (instrument === undefined) throw refusal(13020);
      return writeJson(orderBook(market, instrument, params.depth ?? DEFAULT_DEPTH));
    },
    "public/get_book_summary_by_currency": ({ params }) =>
      writeJson(
        instrumentsOf(instruments, params)
          .filter((each) => !isExpired(market, each))
          .map((each) => bookSummary(market, each)),
      ),
    "public/get_book_summary_by_instrument": ({ params }) =>
      writeJson([bookSummary(market, instrumentOf(instruments, params.instrument_name))]),
    "public/status": () => {
      const { platform } = venue;
      const locked = platform.lockedIndexes(clock.now());
      const isLocked = platform.isInMaintenance || platform.isLocked(clock.now());
      return writeJson({
        locked: isLocked ? "true" : locked.length > 0 ? "partial" : "false",
        locked_indices: locked,
      });
    },
    "public/get_announcements": () => writeJson([]),
  };
});

type CurrencyParams = ParamsOf<"public/get_last_trades_by_currency">;

/** Returns trades of several instruments in the order of their time, and of their ids where that is the same. */
function tradesOfCurrency(market: Market, instruments: Instruments, params: CurrencyParams): string {
  const [start, end] = [boundOf(market, "start_id", params.start_id), boundOf(market, "end_id", params.end_id)];
  const { start_timestamp = start?.timestamp, end_timestamp = end?.timestamp } = params;
  const { sorting = "default" } = params;
  if (sorting !== "default" && sorting !== "asc" && sorting !== "desc") throw invalidParam("sorting", "wrong sorting");
  const given: Selection = { start_timestamp, end_timestamp, count: params.count, sorting };
  const range = rangeOf(given);
  const isMeant = (trade: SimulatedTrade): boolean =>
    (start === undefined || follows(trade, start) >= 0) && (end === undefined || follows(trade, end) <= 0);
  const chosen = instrumentsOf(instruments, params);
  if (chosen.some((each) => market.venue.isRouted(each))) throw unsupported();
  const { found, hasMore } = mergedTrades(market, chosen, range, isMeant);
  const texts = found.map(({ trade, instrument }) => tradeText(trade, instrument));
  return pageText(texts, given, hasMore);
}

interface TradeOf {
  readonly trade: SimulatedTrade;
  readonly instrument: SimulatedInstrument;
}

/**
 * Returns the trades of several instruments that are meant, from one end of a range, oldest first. Of each instrument
 * as many are looked at as are wanted, and more where too many of those were not meant: in one millisecond there may be
 * any number of them before a trade.
 */
function mergedTrades(
  market: Market,
  instruments: readonly SimulatedInstrument[],
  range: TradeRange,
  isMeant: (trade: SimulatedTrade) => boolean,
): { readonly found: readonly TradeOf[]; readonly hasMore: boolean } {
  const isFromStart = range.order === "oldest";
  const [first, last] = isFromStart ? [0, range.count] : [-range.count, undefined];
  for (let { count } = range; ; count *= 4) {
    const pages = instruments.map((each) => ({ each, ...market.trades(each, { ...range, count }) }));
    const cut = pages.filter(({ hasMore }) => hasMore);
    // What is beyond the end of a page that was cut may come before or after what is missing of it.
    const ends = cut.flatMap(({ found }) => (isFromStart ? found.slice(-1) : found.slice(0, 1)));
    const isSure = (trade: SimulatedTrade): boolean =>
      ends.every((end) => (isFromStart ? follows(trade, end) <= 0 : follows(trade, end) >= 0));
    const sure = pages
      .flatMap(({ found, each }) => found.map((trade) => ({ trade, instrument: each })))
      .filter(({ trade }) => isMeant(trade) && isSure(trade))
      .sort((one, other) => follows(one.trade, other.trade));
    if (sure.length >= range.count || cut.length === 0)
      return { found: sure.slice(first, last), hasMore: sure.length > range.count || cut.length > 0 };
  }
}

function boundOf(market: Market, param: string, id: string | undefined): SimulatedTrade | undefined {
  if (id === undefined) return undefined;
  const trade = market.findTrade(id);
  if (trade === undefined) throw invalidParam(param, "trade not found");
  return trade;
}

type TradeMoment = Pick<SimulatedTrade, "timestamp" | "trade_id">;

/** Returns above 0 where a trade comes after another one in a list of several instruments. */
export function follows(trade: TradeMoment, other: TradeMoment): number {
  const numberOf = ({ trade_id }: TradeMoment): number => Number(trade_id.slice(trade_id.lastIndexOf("-") + 1));
  return trade.timestamp - other.timestamp || numberOf(trade) - numberOf(other);
}

function pageText(texts: readonly string[], params: Selection, hasMore: boolean): string {
  const sorted = readOrder(params).isAscending ? texts : [...texts].reverse();
  return `{"trades":[${sorted.join(",")}],"has_more":${String(hasMore)}}`;
}

function rangeOf(params: Selection): TradeRange {
  const { count, isFromStart } = readOrder(params);
  return {
    fromSeq: params.start_seq,
    toSeq: params.end_seq,
    fromMs: params.start_timestamp,
    toMs: params.end_timestamp,
    order: isFromStart ? "oldest" : "newest",
    count,
  };
}

type Instruments = ReadonlyMap<string, SimulatedInstrument>;

/** Returns an instrument. An impossible name is a bad parameter; a possible one that does not exist is not found. */
export function instrumentOf(instruments: Instruments, name: string): SimulatedInstrument {
  const instrument = instruments.get(name);
  if (instrument !== undefined) return instrument;
  throw /^[A-Z0-9]+(_[A-Z0-9]+)?(-[A-Z0-9_]+(d\d+)?)*$/.test(name)
    ? refusal(13020)
    : invalidParam("instrument_name", "wrong format");
}

/** Returns the instruments of a currency, and of a kind where one is named. `any` names all currencies or kinds. */
export function instrumentsOf(
  instruments: Instruments,
  { currency, kind = "any" }: { readonly currency: string; readonly kind?: string | undefined },
): SimulatedInstrument[] {
  if (currency !== "any") refuseUnknownCurrency(currency);
  return [...instruments.values()].filter(
    (each) => (currency === "any" || each.currencies.includes(currency)) && isOfKind(each, kind as Kind | "any"),
  );
}

type TradeParams = ParamsOf<"public/get_last_trades_by_instrument">;

/** The selected trades, and their order; of the account's trades too. */
type Selection = Omit<TradeParams, "instrument_name"> & { readonly start_id?: string | undefined };

/** Whether a trade is within the bounds, which are included. */
export function isWithin(trade: Pick<SimulatedTrade, "trade_seq" | "timestamp">, params: Selection): boolean {
  const { start_seq = -Infinity, end_seq = Infinity, start_timestamp = -Infinity, end_timestamp = Infinity } = params;
  return (
    trade.trade_seq >= start_seq &&
    trade.trade_seq <= end_seq &&
    trade.timestamp >= start_timestamp &&
    trade.timestamp <= end_timestamp
  );
}

/** Returns the selected trades, of those that match in the order of their time. */
export function select<T>(matching: readonly T[], params: Selection): readonly T[] {
  const { count, isFromStart, isAscending } = readOrder(params);
  const chosen = isFromStart ? matching.slice(0, count) : matching.slice(-count);
  return isAscending ? chosen : chosen.reverse();
}

/**
 * Reads which trades are selected, and in which order. With a start ("the first trade to be returned") these are the
 * trades from there on, the earliest first; without a start the latest, the newest first. `sorting` reverses the list;
 * `desc` with a start begins at the end of the range.
 * https://docs.deribit.com/api-reference/trading/private-get_user_trades_by_currency
 */
function readOrder(params: Selection): {
  readonly count: number;
  readonly isFromStart: boolean;
  readonly isAscending: boolean;
} {
  const { start_id: startId, start_seq: startSeq, start_timestamp: startMs } = params;
  const hasStart = startId !== undefined || startSeq !== undefined || startMs !== undefined;
  const sorting = params.sorting ?? "default";
  const isAscending = sorting === "default" ? hasStart : sorting === "asc";
  return { count: params.count ?? DEFAULT_COUNT, isFromStart: hasStart && isAscending, isAscending };
}
