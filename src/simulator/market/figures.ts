import type { VisibleLevel } from "../../exchange/book/book.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import { HOUR_MS, lastSettlement } from "../../exchange/market/calendar.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import { hashed, partSeed } from "../../exchange/market/noise.ts";
import type { Candle } from "../../exchange/market/candles.ts";
import { fromSteps } from "../../exchange/units.ts";
import type { Json } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { Market } from "./market.ts";

/*
 * The figures of one instrument at the venue's moment, with the exchange's names. Every method and channel takes them
 * from here, so that they agree.
 */

/** Figures of a result. */
export type Figures = Readonly<Record<string, Json | undefined>>;

/** Returns the ticker of an instrument. */
export function ticker(market: Market, instrument: SimulatedInstrument): Figures {
  const { indexes } = market.venue.market;
  const { bid, ask } = bestPrices(market, instrument);
  return {
    ...bookMembers(market, instrument, { bid, ask }),
    interest_value: isPerpetual(market.terms(instrument))
      ? market.venue.ledger.interestValue(instrument.name)
      : undefined,
    estimated_delivery_price: indexes.estimatedDeliveryPrice(
      market.terms(instrument).indexName,
      market.venue.marketMs,
      instrument.expiresAtMs,
    ),
  };
}

/** Returns the order book of an instrument to a depth. */
export function orderBook(market: Market, instrument: SimulatedInstrument, levels: number): Figures {
  const { changeId, bids, asks } = market.depth(instrument, Math.max(1, levels));
  const terms = market.terms(instrument);
  return {
    ...bookMembers(market, instrument, { bid: bids[0], ask: asks[0] }),
    change_id: changeId ?? 0,
    bids: bids.map((level) => decimalLevel(terms, level)),
    asks: asks.map((level) => decimalLevel(terms, level)),
  };
}

/** Returns the summary of a book. */
export function bookSummary(market: Market, instrument: SimulatedInstrument): Figures {
  const terms = market.terms(instrument);
  const { bid, ask } = bestPrices(market, instrument);
  const { atMs, markIv, underlying } = optionMembers(market, terms);
  const stats = dayStats(market, instrument);
  const [bidPrice, askPrice] = [bid, ask].map((level) => level && fromSteps(level.price, terms.tick));
  return {
    instrument_name: instrument.name,
    base_currency: terms.baseCurrency,
    quote_currency: terms.quoteCurrency,
    creation_timestamp: market.venue.nowMs,
    bid_price: bidPrice ?? null,
    ask_price: askPrice ?? null,
    mid_price: bid === undefined || ask === undefined ? null : fromSteps((bid.price + ask.price) / 2, terms.tick),
    mark_price: market.markPrice(instrument),
    last: market.lastPrice(instrument),
    high: stats.high,
    low: stats.low,
    price_change: stats.priceChange,
    volume: stats.volume,
    volume_usd: stats.volumeUsd,
    volume_notional: stats.volumeNotional,
    open_interest: openInterest(market, instrument),
    ...(terms.kind === "future"
      ? {
          estimated_delivery_price: market.venue.market.indexes.estimatedDeliveryPrice(
            terms.indexName,
            atMs,
            terms.expiresAtMs,
          ),
        }
      : {}),
    ...fundingMembers(market, terms),
    mark_iv: markIv,
    interest_rate: underlying === undefined ? undefined : 0,
    underlying_index: underlying === undefined ? undefined : underlyingName(terms),
    underlying_price: underlying,
  };
}

/** Returns the best prices of an instrument as the quote channel tells them; 0 where there is none. */
export function quote(market: Market, instrument: SimulatedInstrument): Figures {
  const best = bestPrices(market, instrument);
  return { timestamp: market.venue.nowMs, instrument_name: instrument.name, ...bestMembers(market, instrument, best) };
}

interface Best {
  readonly bid: VisibleLevel | undefined;
  readonly ask: VisibleLevel | undefined;
}

function bestPrices(market: Market, instrument: SimulatedInstrument): Best {
  const { bids, asks } = market.depth(instrument, 1);
  return { bid: bids[0], ask: asks[0] };
}

function bestMembers(market: Market, instrument: SimulatedInstrument, { bid, ask }: Best): Figures {
  const terms = market.terms(instrument);
  const [bidPrice, bidAmount] = bid === undefined ? [0, 0] : decimalLevel(terms, bid);
  const [askPrice, askAmount] = ask === undefined ? [0, 0] : decimalLevel(terms, ask);
  return {
    best_bid_price: bidPrice,
    best_bid_amount: bidAmount,
    best_ask_price: askPrice,
    best_ask_amount: askAmount,
  };
}

/** Returns a level as its price and its amount. */
export function decimalLevel(
  terms: TradedInstrument,
  { price, amount }: VisibleLevel,
): [price: number, amount: number] {
  return [fromSteps(price, terms.tick), fromSteps(amount, terms.lot)];
}

/** Returns the members that the ticker and the order book have in common. */
function bookMembers(market: Market, instrument: SimulatedInstrument, best: Best): Figures {
  const terms = market.terms(instrument);
  const { min, max } = market.band(instrument);
  const { indexes } = market.venue.market;
  const { atMs, markIv, underlying, greeks, volatilityAt } = optionMembers(market, terms);
  const stats = dayStats(market, instrument);
  const isOver = isExpired(market, instrument);
  return {
    instrument_name: instrument.name,
    timestamp: market.venue.nowMs,
    state: bookState(market, instrument),
    stats: {
      high: stats.high,
      low: stats.low,
      price_change: stats.priceChange,
      volume: stats.volume,
      ...(market.venue.isRouted(instrument) ? {} : { volume_usd: stats.volumeUsd }),
    },
    open_interest: openInterest(market, instrument),
    ...bestMembers(market, instrument, best),
    index_price: indexes.price(terms.indexName, atMs),
    min_price: fromSteps(min, terms.tick),
    max_price: fromSteps(max, terms.tick),
    mark_price: market.markPrice(instrument),
    last_price: market.lastPrice(instrument),
    settlement_price: settlementPrice(market, instrument),
    delivery_price: isOver ? indexes.deliveryPrice(terms.indexName, terms.expiresAtMs ?? atMs) : undefined,
    ...fundingMembers(market, terms),
    underlying_price: underlying,
    underlying_index: underlying === undefined ? undefined : underlyingName(terms),
    interest_rate: underlying === undefined ? undefined : 0,
    bid_iv: volatilityAt(best.bid),
    ask_iv: volatilityAt(best.ask),
    mark_iv: markIv,
    greeks,
  };
}

/** Whether an instrument's end has come. */
export function isExpired({ venue }: Market, { expiresAtMs = Infinity }: SimulatedInstrument): boolean {
  venue.catchUp([]);
  return expiresAtMs <= venue.marketMs;
}

/** Returns the state of an instrument's book, by the exchange's name. One that has expired stays delivered. */
export function bookState({ venue, terms }: Market, instrument: SimulatedInstrument): string {
  const state = venue.bookState(terms(instrument));
  return state === "closed" ? "delivered" : state;
}

interface OptionMembers {
  readonly atMs: number;
  readonly markIv: number | undefined;
  readonly underlying: number | undefined;
  readonly greeks: Figures | undefined;
  readonly volatilityAt: (level: VisibleLevel | undefined) => number | undefined;
}

/** Returns what only options have; all of it is undefined for everything else. */
function optionMembers({ venue }: Market, terms: TradedInstrument): OptionMembers {
  const { marks } = venue.market;
  const atMs = venue.marketMs;
  const option = terms.kind === "option" ? marks.option(terms, atMs) : undefined;
  const greeks = option?.greeks;
  return {
    atMs,
    markIv: option?.markIv,
    underlying: option?.underlying,
    greeks: greeks && {
      delta: roundDecimals(greeks.delta, 5),
      gamma: roundDecimals(greeks.gamma, 5),
      vega: roundDecimals(greeks.vega, 5),
      theta: roundDecimals(greeks.theta, 5),
      rho: roundDecimals(greeks.rho, 5),
    },
    volatilityAt(level) {
      if (option === undefined) return undefined;
      return level === undefined ? 0 : marks.volatilityAt(terms, fromSteps(level.price, terms.tick), atMs);
    },
  };
}

/** Returns the name of what an option is on: the future of its expiry. */
function underlyingName({ name }: TradedInstrument): string {
  return name.split("-").slice(0, 2).join("-");
}

function fundingMembers({ venue }: Market, terms: TradedInstrument): Figures {
  if (!isPerpetual(terms)) return {};
  const { funding } = venue.market;
  const atMs = venue.marketMs;
  return {
    funding_8h: funding.between(terms, atMs - 8 * HOUR_MS, atMs),
    current_funding: funding.current(terms, atMs),
  };
}

/** Whether an instrument is a future without an end. */
export function isPerpetual({ kind, expiresAtMs }: TradedInstrument): boolean {
  return kind === "future" && expiresAtMs === undefined;
}

/** Returns the mark at the last settlement; undefined for what is not settled. */
function settlementPrice(market: Market, instrument: SimulatedInstrument): number | undefined {
  if (instrument.kind !== "future" && instrument.kind !== "option") return undefined;
  return market.markPrice(instrument, lastSettlement(market.venue.marketMs));
}

/** The largest open interest of others, in contracts. */
const OTHERS_CONTRACTS = 400_000;

/** Returns the open interest: what the accounts of the venue hold, and what all others hold. */
function openInterest(market: Market, instrument: SimulatedInstrument): number {
  const { name, kind } = instrument;
  if (kind !== "future" && kind !== "option") return 0;
  return roundDecimals(othersInterest(market, instrument) + numberOf(market.venue.ledger.openInterest(name)), 8);
}

/**
 * Returns what all others hold of a future or an option: a number that follows from the seed and stays, because they
 * trade among themselves.
 */
export function othersInterest({ terms, seed }: Market, instrument: SimulatedInstrument): number {
  const { name, kind, lot } = instrument;
  const { contractSize } = terms(instrument);
  const share = hashed(partSeed(seed, `${name} open interest`), 0);
  return Math.floor((kind === "option" ? 0.01 : 1) * share * OTHERS_CONTRACTS) * contractSize * lot;
}

interface DayStats {
  readonly high: number;
  readonly low: number;
  /** In percent. */
  readonly priceChange: number;
  /** What was traded, in the base currency. */
  readonly volume: number;
  /** What was paid for it in USD; of an inverse future what was traded. */
  readonly volumeUsd: number;
  /** What it was worth by the index. */
  readonly volumeNotional: number;
}

function dayStats(market: Market, instrument: SimulatedInstrument): DayStats {
  const terms = market.terms(instrument);
  const day = market.day(instrument);
  const { volume, cost } = volumesOf(market, instrument, day);
  const { indexes } = market.venue.market;
  const index = indexes.price(terms.indexName, market.venue.marketMs);
  const counted = terms.kind.startsWith("future") && !instrument.isDecimal;
  return {
    high: fromSteps(day.high, terms.tick),
    low: fromSteps(day.low, terms.tick),
    priceChange: day.open === 0 ? 0 : roundDecimals((day.close / day.open - 1) * 100, 4),
    volume,
    volumeUsd: counted ? cost : roundDecimals(cost * usdOf(market, terms), 2),
    volumeNotional: counted ? cost : roundDecimals(volume * index, 2),
  };
}

/** Returns what one unit of the currency of an instrument's prices is worth in USD. */
function usdOf({ venue }: Market, { quoteCurrency }: TradedInstrument): number {
  return venue.market.indexes.price(`${quoteCurrency.toLowerCase()}_usd`, venue.marketMs);
}

/**
 * Returns what was traded in the base currency, and what it cost: in the currency of the prices. Amounts of inverse
 * futures are USD and are the cost themselves; a future combo's are worth what the index says.
 */
export function volumesOf(
  { venue, terms: termsOf }: Market,
  instrument: SimulatedInstrument,
  { volume, turnover, coins }: Candle,
): { readonly volume: number; readonly cost: number } {
  const terms = termsOf(instrument);
  const [lot, tick] = [fromSteps(1, terms.lot), fromSteps(1, terms.tick)];
  const amount = roundDecimals(volume * lot, 8);
  if (terms.isInverse) return { volume: roundDecimals((coins * lot) / tick, 8), cost: amount };
  if (terms.kind === "future_combo") {
    const index = venue.market.indexes.price(terms.indexName, venue.marketMs);
    return { volume: roundDecimals(amount / index, 8), cost: amount };
  }
  return { volume: amount, cost: roundDecimals(turnover * lot * tick, 8) };
}
