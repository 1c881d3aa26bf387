import type { BookDepth } from "../../exchange/book/book.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { DAY_MS, SECOND_MS } from "../../exchange/market/calendar.ts";
import { bandAround, ladderAround, type Band } from "../../exchange/market/quotes.ts";
import type { Candle } from "../../exchange/market/candles.ts";
import { createTape } from "../../exchange/market/tape.ts";
import { fromSteps } from "../../exchange/units.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";
import { comboLegs, comboMark } from "./combos.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { createPublicTrades, type PublicTrades, type TradedEntry } from "./publicTrades.ts";
import { describeTraded } from "./traded.ts";
import type { Venue } from "./venue.ts";

/**
 * What everybody sees of the market: prices, books, and public trades of every instrument, at the moment of the venue.
 * Combos are not traded at the venue: their prices follow from their legs', and their books from their prices.
 */
export interface Market extends PublicTrades {
  /** The venue behind it, which knows what is not of one instrument. */
  readonly venue: Venue;
  readonly seed: number;
  /** When it began, in ms since the epoch. */
  readonly startMs: number;
  /** Returns the terms of an instrument. */
  readonly terms: (instrument: SimulatedInstrument) => TradedInstrument;
  /** Returns the mark price, of the venue's moment unless another one is given. */
  markPrice(instrument: SimulatedInstrument, atMs?: number): number;
  /** Returns the lowest and the highest price that is accepted. */
  band(instrument: SimulatedInstrument): Band;
  /** Returns what is offered, best price first. */
  depth(instrument: SimulatedInstrument, levels: number): BookDepth;
  /** Returns the price of the last trade. */
  lastPrice(instrument: SimulatedInstrument): number;
  /** Returns the trades of the last 24 hours, added up. */
  day(instrument: SimulatedInstrument): Candle;
  /** Returns the candles that begin from `fromMs` to `untilMs`, oldest first; none from before the charts do. */
  candles(instrument: SimulatedInstrument, lengthMs: number, fromMs: number, untilMs: number): Candle[];
}

/** How long before the beginning the charts begin: what a candle is made of has to be worked out. */
const CHARTED_MS = 7 * DAY_MS;

/** Makes the market of a venue, as it begins. */
export function createMarket({ seed, venue }: { readonly seed: number; readonly venue: Venue }): Market {
  const { marks, pauses, tape } = venue.market;
  const startMs = venue.nowMs;
  const entries = new Map<string, TradedEntry>();
  const comboTape = createTape({
    seed,
    pauses,
    markAt: ({ name }, atMs) => entries.get(name)?.mark(atMs) ?? 0,
    leastAt: () => 0,
  });
  const nowMs = (): number => {
    venue.catchUp([]);
    return venue.nowMs;
  };
  const marketMs = (): number => {
    venue.catchUp([]);
    return venue.marketMs;
  };
  const entryOf = (instrument: SimulatedInstrument): TradedEntry => {
    const known = entries.get(instrument.name);
    if (known !== undefined) return known;
    const legs = comboLegs(instrument);
    const isCombo = legs.length > 0;
    const terms = describeTraded(instrument);
    const entry: TradedEntry = {
      terms,
      tape: isCombo ? comboTape : tape,
      isCombo,
      mark: (atMs) => (isCombo ? comboMark(marks, legs, instrument.tickSize, atMs) : marks.mark(terms, atMs)),
      random: createSeededRandom(namedSeed(seed, `${instrument.name} live`)),
      latest: undefined,
    };
    entries.set(instrument.name, entry);
    return entry;
  };
  return {
    ...createPublicTrades({ venue, entryOf }),
    venue,
    seed,
    startMs,
    terms: (instrument) => entryOf(instrument).terms,
    markPrice: (instrument, atMs = marketMs()) => entryOf(instrument).mark(atMs),
    band(instrument) {
      const { terms, mark } = entryOf(instrument);
      const atMs = marketMs();
      return bandAround(terms, mark(atMs), marks.underlying(terms, atMs));
    },
    depth(instrument, levels) {
      const { terms, mark, isCombo } = entryOf(instrument);
      if (!isCombo) {
        venue.catchUp([instrument.name]);
        return venue.books.depth(instrument.name, levels);
      }
      const atMs = marketMs();
      const { bids, asks } = ladderAround(seed, terms, mark(atMs), atMs);
      return { changeId: Math.floor(atMs / SECOND_MS), bids: bids.slice(0, levels), asks: asks.slice(0, levels) };
    },
    lastPrice(instrument) {
      const { terms, tape: own } = entryOf(instrument);
      return fromSteps(own.last(terms, nowMs()).price, terms.tick);
    },
    day(instrument) {
      const { terms, tape: own } = entryOf(instrument);
      return own.day(terms, marketMs(), nowMs());
    },
    candles(instrument, lengthMs, fromMs, untilMs) {
      const { terms, tape: own } = entryOf(instrument);
      const endMs = Math.floor(untilMs / lengthMs) * lengthMs + lengthMs - 1;
      return own.candles(terms, lengthMs, Math.max(fromMs, startMs - CHARTED_MS), Math.min(endMs, nowMs()));
    },
  };
}
