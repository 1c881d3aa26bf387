import type { BookDepth, VisibleLevel } from "../../exchange/book/book.ts";
import { HOUR_MS, MINUTE_MS, nextSettlement, SECOND_MS } from "../../exchange/market/calendar.ts";
import { candleMembers, RESOLUTIONS } from "../market/charts.ts";
import { decimalLevel, quote, isExpired, ticker, type Figures } from "../market/figures.ts";
import { INDEX_NAMES, indexDay } from "../market/indexFigures.ts";
import { indexOf, type SimulatedInstrument } from "../market/instruments.ts";
import type { Market } from "../market/market.ts";
import { tradeText } from "../market/publicTrades.ts";
import { writeJson } from "../text/json.ts";
import { INTERVALS, matchInstrument, matchKind, type Channel, type ChannelReader } from "./channels.ts";
import type { LevelChange } from "../../exchange/facts.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";

/** Returns an instrument as `public/get_instruments` does. */
type Describe = (instrument: SimulatedInstrument) => Figures;

/** What the placeholders of a channel's name stand for; those that a channel does not have are empty. */
interface Place {
  readonly market: Market;
  /** Returns the instrument, or those of the kind and the currency that have been listed by now. */
  readonly instruments: () => readonly SimulatedInstrument[];
  readonly describe: Describe;
  readonly index: string;
  readonly group: string;
  readonly depth: number;
  readonly resolution: string;
}

/**
 * The channels of the market: each with what begins to read it. What is read is what the methods of the same figures
 * return. The channels that tell of what never happens here have no events.
 * https://docs.deribit.com/subscriptions
 */
const CHANNELS: Readonly<Record<string, (place: Place) => ChannelReader>> = {
  "ticker.{instrument}.{interval}": ({ market, ...place }) => whenChanged(() => ticker(market, only(place))),
  "incremental_ticker.{instrument}": ({ market, ...place }) => changedMembers(() => ticker(market, only(place))),
  "quote.{instrument}": ({ market, ...place }) => whenChanged(() => quote(market, only(place))),
  "book.{instrument}.{interval}": bookChanges,
  "book.{instrument}.{group}.{depth}.{interval}": groupedBook,
  "trades.{instrument}.{interval}": newTrades,
  "trades.{kind}.{currency}.{interval}": newTrades,
  "chart.trades.{instrument}.{resolution}": chart,
  "perpetual.{instrument}.{interval}": ({ market, ...place }) =>
    whenChanged(() => {
      const { current_funding: interest, index_price, timestamp } = ticker(market, only(place));
      return { interest: interest ?? 0, index_price, timestamp };
    }),
  "deribit_price_index.{index}": ({ market, index }) =>
    whenChanged(() => ({ timestamp: momentOf(market), price: indexPrice(market, index), index_name: index })),
  "deribit_price_statistics.{index}": ({ market, index }) =>
    whenChanged(() => {
      const { low, high, change } = indexDay(market, index);
      return { index_name: index, low24h: low, high24h: high, change24h: change, fast_market: false };
    }),
  "deribit_volatility_index.{index}": ({ market, index }) =>
    whenChanged(() => ({
      timestamp: momentOf(market),
      volatility: market.venue.market.marks.atTheMoney(index, market.venue.marketMs),
      index_name: index,
    })),
  "estimated_expiration_price.{index}": ({ market, index }) => whenChanged(() => expirationPrice(market, index)),
  "markprice.options.{index}": optionMarks,
  "instrument.state.{kind}.{currency}": instrumentStates,
  "instrument.creation.{kind}.{currency}": newInstruments,
  announcements: silence,
  platform_state: platformStates,
  "platform_state.public_methods_state": silence,
};

const PATTERNS = Object.entries(CHANNELS).map(([pattern, open]) => ({ parts: pattern.split("."), open }));

/** Returns the channel of the market with a name such as `ticker.BTC-PERPETUAL.100ms`; undefined when there is none. */
export function findMarketChannel(name: string, market: Market, describe: Describe): Channel | undefined {
  const given = name.split(".");
  const { instruments } = market.venue.listing;
  for (const { parts, open } of PATTERNS) {
    if (parts.length !== given.length || !parts.every((part, index) => fits(part, given[index] ?? "", instruments)))
      continue;
    const valueOf = (placeholder: string): string => given[parts.indexOf(placeholder)] ?? "";
    const [instrument, kind, currency] = ["{instrument}", "{kind}", "{currency}"].map(valueOf);
    const matches =
      instrument !== "" ? matchInstrument(instrument ?? "", instruments) : matchKind([kind ?? "", currency ?? ""]);
    const chosen = matching(instruments, matches ?? (() => false));
    // The partner's exchange tells the trades of its pairs itself. https://docs.deribit.com/articles/spot-trading-venues
    const isOfTrades = parts.includes("trades");
    if (isOfTrades && chosen().some((each) => market.venue.isRouted(each))) return undefined;
    const place = {
      market,
      instruments: chosen,
      describe,
      index: valueOf("{index}"),
      group: valueOf("{group}"),
      depth: Number(valueOf("{depth}")),
      resolution: valueOf("{resolution}"),
    };
    const intervalMs = INTERVALS.get(valueOf("{interval}")) ?? 0;
    return {
      name,
      carries: undefined,
      intervalMs,
      isList: false,
      isOneByOne: false,
      isOfSlots: false,
      matches: matches ?? (() => false),
      open: () => open(place),
    };
  }
  return undefined;
}

type Instruments = ReadonlyMap<string, SimulatedInstrument>;

/** Returns what returns the instruments that match: they are looked through again when more are listed. */
function matching(instruments: Instruments, matches: Channel["matches"]): () => readonly SimulatedInstrument[] {
  let count = 0;
  let found: readonly SimulatedInstrument[] = [];
  return () => {
    if (instruments.size !== count) found = [...instruments.values()].filter((each) => matches(each));
    count = instruments.size;
    return found;
  };
}

/** Whether a part of a name is what a part of a pattern asks for. */
function fits(part: string, given: string, instruments: Instruments): boolean {
  switch (part) {
    case "{instrument}":
      return instruments.has(given);
    case "{interval}":
      return INTERVALS.has(given);
    case "{index}":
      return INDEX_NAMES.includes(given);
    case "{group}":
      return GROUPS.includes(given);
    case "{depth}":
      return ["1", "10", "20"].includes(given);
    case "{resolution}":
      return RESOLUTIONS.has(given);
    case "{kind}":
      return matchKind([given, "any"]) !== undefined;
    case "{currency}":
      return given !== "";
    default:
      return part === given;
  }
}

function only({ instruments }: Pick<Place, "instruments">): SimulatedInstrument {
  const [instrument] = instruments();
  if (instrument === undefined) throw new RangeError("The channel is of one instrument.");
  return instrument;
}

function silence(): ChannelReader {
  return () => [];
}

/** Brings the market to now and returns the moment of what is read then. */
function momentOf({ venue }: Market): number {
  venue.catchUp([]);
  return venue.nowMs;
}

function indexPrice({ venue }: Market, index: string): number {
  return venue.market.indexes.price(index, venue.marketMs);
}

/** Tells something whenever more of it than its time is different. */
function whenChanged(read: () => Figures): ChannelReader {
  let before = "";
  return () => {
    const data = read();
    const text = writeJson({ ...data, timestamp: undefined });
    if (text === before) return [];
    before = text;
    return [writeJson(data)];
  };
}

/** Tells everything at first, then the members that are different. */
function changedMembers(read: () => Figures): ChannelReader {
  let before: Figures | undefined;
  return () => {
    const data = read();
    const { instrument_name, timestamp } = data;
    const known = before;
    before = data;
    if (known === undefined) return [writeJson({ type: "snapshot", ...data })];
    const changed = Object.entries(data).filter(
      ([name, value]) => name !== "timestamp" && JSON.stringify(value) !== JSON.stringify(known[name]),
    );
    if (changed.length === 0) return [];
    return [writeJson({ type: "change", instrument_name, timestamp, ...Object.fromEntries(changed) })];
  };
}

/** More levels than any book has. */
const ALL_LEVELS = 100_000;

/** Tells the whole book at first, then what is different in it since what was told last. */
function bookChanges({ market, ...place }: Place): ChannelReader {
  const instrument = only(place);
  const terms = market.terms(instrument);
  const side = (
    levels: readonly VisibleLevel[],
    known: readonly VisibleLevel[],
  ): readonly (readonly [string, number, number])[] =>
    bookSteps(known, levels).map(({ action, ...level }) => [action, ...decimalLevel(terms, level)] as const);
  let before: BookDepth | undefined;
  return () => {
    const depth = market.depth(instrument, ALL_LEVELS);
    const bids = side(depth.bids, before?.bids ?? []);
    const asks = side(depth.asks, before?.asks ?? []);
    if (before !== undefined && bids.length === 0 && asks.length === 0) return [];
    const event = {
      type: before === undefined ? "snapshot" : "change",
      timestamp: market.venue.nowMs,
      instrument_name: instrument.name,
      change_id: depth.changeId ?? 0,
      prev_change_id: before?.changeId,
      bids,
      asks,
    };
    before = depth;
    return [writeJson(event)];
  };
}

function groupedBook({ market, group, depth, ...place }: Place): ChannelReader {
  const instrument = only(place);
  let before = "";
  return () => {
    const { changeId, bids, asks } = market.depth(instrument, group === "none" ? depth : ALL_LEVELS);
    const terms = market.terms(instrument);
    const levels = {
      bids: groupLevels(terms, bids, { group, direction: "down" }).slice(0, depth),
      asks: groupLevels(terms, asks, { group, direction: "up" }).slice(0, depth),
    };
    const text = JSON.stringify(levels);
    if (text === before) return [];
    before = text;
    const { nowMs: timestamp } = market.venue;
    return [writeJson({ timestamp, instrument_name: instrument.name, change_id: changeId ?? 0, ...levels })];
  };
}

/** How many trades of an instrument are told at most at once: after a long sleep there would be thousands. */
const TOLD_TRADES = 1000;

function newTrades({ market, instruments }: Place): ChannelReader {
  const told = new Map(instruments().map((each) => [each, market.lastSeq(each)]));
  return () => {
    const found = instruments().flatMap((instrument) => {
      const last = told.get(instrument) ?? 0;
      if (market.lastSeq(instrument) === last) return [];
      const { found: trades } = market.trades(instrument, { fromSeq: last + 1, order: "newest", count: TOLD_TRADES });
      told.set(instrument, trades.at(-1)?.trade_seq ?? last);
      return trades.map((trade) => ({ atMs: trade.timestamp, text: tradeText(trade, instrument) }));
    });
    if (found.length === 0) return [];
    const texts = found.sort((a, b) => a.atMs - b.atMs).map(({ text }) => text);
    return [`[${texts.join(",")}]`];
  };
}

function chart({ market, resolution, ...place }: Place): ChannelReader {
  const instrument = only(place);
  const lengthMs = RESOLUTIONS.get(resolution) ?? MINUTE_MS;
  return whenChanged(() => {
    const start = Math.floor(momentOf(market) / lengthMs) * lengthMs;
    const [candle] = market.candles(instrument, lengthMs, start, market.venue.nowMs);
    return candle === undefined ? {} : { tick: start, ...candleMembers(market, instrument, candle) };
  });
}

/** The half hour of which the index's mean is the delivery price. */
const WINDOW_MS = HOUR_MS / 2;

function expirationPrice(market: Market, index: string): Figures {
  momentOf(market);
  const {
    market: { indexes },
    marketMs,
  } = market.venue;
  const leftMs = nextSettlement(marketMs) - marketMs;
  const isEstimated = leftMs < WINDOW_MS;
  return {
    seconds: Math.floor(leftMs / SECOND_MS),
    price: indexes.estimatedDeliveryPrice(index, marketMs),
    is_estimated: isEstimated,
    ...(isEstimated ? { left_ticks: Math.floor(leftMs / SECOND_MS), total_ticks: WINDOW_MS / SECOND_MS } : {}),
  };
}

/** Tells the marks of all options of an index at first, then those that are different. */
function optionMarks({ market, index }: Place): ChannelReader {
  const told = new Map<string, string>();
  return () => {
    const timestamp = momentOf(market);
    const options = market.venue.listing
      .open()
      .filter(({ kind, name }) => kind === "option" && indexOf(name) === index);
    const changed = options.flatMap((each) => {
      const option = market.venue.market.marks.option(market.terms(each), market.venue.marketMs);
      const members = { instrument_name: each.name, mark_price: option?.mark ?? 0, iv: (option?.markIv ?? 0) / 100 };
      const text = writeJson(members);
      if (told.get(each.name) === text) return [];
      told.set(each.name, text);
      return [{ ...members, timestamp }];
    });
    return changed.length === 0 ? [] : [writeJson(changed)];
  };
}

/**
 * Tells of an index that is locked or no longer, and that maintenance begins. The exchange tells the channel
 * `instrument.state` of neither. https://docs.deribit.com/subscriptions/platform/platform_state
 */
function platformStates({ market: { venue } }: Place): ChannelReader {
  let told: readonly string[] = [];
  let isTold = false;
  return () => {
    const { platform } = venue;
    const locked = platform.lockedIndexes(venue.nowMs);
    const changed = [
      ...told.filter((index) => !locked.includes(index)).map((index) => ({ price_index: index, locked: false })),
      ...locked.filter((index) => !told.includes(index)).map((index) => ({ price_index: index, locked: true })),
      ...(platform.isInMaintenance === isTold ? [] : [{ maintenance: platform.isInMaintenance }]),
    ];
    told = locked;
    isTold = platform.isInMaintenance;
    return changed.map((each) => writeJson(each));
  };
}

/**
 * Tells each instrument when it is listed, once.
 * https://docs.deribit.com/subscriptions/market-data/instrumentcreationkindcurrency
 */
function newInstruments({ market, instruments, describe }: Place): ChannelReader {
  let count = instruments().length;
  return () => {
    momentOf(market);
    // New ones come at the end.
    const added = instruments().slice(count);
    count += added.length;
    return added.map((each) => writeJson(describe(each)));
  };
}

/**
 * Tells each new state of an instrument: `open` when it is listed, `delivered` at its end.
 * https://docs.deribit.com/subscriptions/market-data/instrumentstatekindcurrency
 */
function instrumentStates({ market, instruments }: Place): ChannelReader {
  const stateOf = (each: SimulatedInstrument): string => (isExpired(market, each) ? "delivered" : "open");
  const told = new Map(instruments().map((each) => [each, stateOf(each)]));
  return () => {
    const timestamp = momentOf(market);
    return instruments().flatMap((each) => {
      const state = stateOf(each);
      if (told.get(each) === state) return [];
      told.set(each, state);
      return [writeJson({ timestamp, state, instrument_name: each.name })];
    });
  };
}

/** The groups of prices that a book can be read in. */
const GROUPS = ["none", "1", "2", "5", "10", "25", "100", "250"];

/**
 * Returns levels by groups of prices, as decimals: bids at the lower end of their group, asks at the upper one. A group
 * is in the unit of the price for BTC and in hundredths of it for everything else.
 * https://docs.deribit.com/subscriptions/orderbook/bookinstrument_namegroupdepthinterval
 */
function groupLevels(
  terms: TradedInstrument,
  levels: readonly VisibleLevel[],
  { group, direction }: { readonly group: string; readonly direction: "up" | "down" },
): (readonly [price: number, amount: number])[] {
  const exact = levels.map((level) => decimalLevel(terms, level));
  if (group === "none") return exact;
  const size = Number(group) / (terms.baseCurrency === "BTC" ? 1 : 100);
  const round = direction === "up" ? Math.ceil : Math.floor;
  const grouped = new Map<number, number>();
  for (const [price, amount] of exact) {
    // The quotient is rounded first, so that a price at the edge of its group stays there.
    const edge = roundDecimals(round(roundDecimals(price / size, 8)) * size, 8);
    grouped.set(edge, roundDecimals((grouped.get(edge) ?? 0) + amount, 8));
  }
  return [...grouped];
}

/** Returns the changes that make one side of a book another one. */
function bookSteps(before: readonly VisibleLevel[], after: readonly VisibleLevel[]): LevelChange[] {
  const known = new Map(before.map(({ price, amount }) => [price, amount]));
  const changes: LevelChange[] = [];
  for (const { price, amount } of after) {
    const old = known.get(price);
    known.delete(price);
    if (old !== amount) changes.push({ action: old === undefined ? "new" : "change", price, amount });
  }
  for (const price of known.keys()) changes.push({ action: "delete", price, amount: 0 });
  return changes;
}
