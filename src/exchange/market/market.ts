import type { TradedInstrument } from "../instrument.ts";
import { fixedOf } from "../ledger/money.ts";
import type { Prices } from "../ledger/prices.ts";
import { lastSettlement, HOUR_MS, MINUTE_MS, nextSettlement } from "./calendar.ts";
import { createIndexPaths, type Coin, type IndexPaths } from "./indexPath.ts";
import { createMarks, deltaLeft, type Marks } from "./marks.ts";
import { createMarketPauses, type MarketPauses, createTape, type Tape } from "./tape.ts";
import { bandAround, ladderAround, type Band, type Ladder } from "./quotes.ts";
import type { ExchangeLedger } from "../ledger/ledger.ts";

/**
 * The simulated market: one path for each index, from which everything else follows, so that it agrees. All of it but
 * the recorded trades is a function of the seed and the time.
 */
export interface ExchangeMarket {
  readonly indexes: IndexPaths;
  readonly marks: Marks;
  readonly funding: Funding;
  readonly tape: Tape;
  readonly pauses: MarketPauses;
  /** Returns what the simulated maker offers. */
  ladder(instrument: TradedInstrument, atMs: number): Ladder;
  /** Returns the lowest and the highest price that is accepted. */
  band(instrument: TradedInstrument, atMs: number): Band;
}

/** What a market is made of. */
interface MarketOptions {
  readonly seed: number;
  /** When every coin has its first price. */
  readonly startMs: number;
  /** The coins by their names in capitals. */
  readonly coins: ReadonlyMap<string, Coin>;
}

/** Makes a market. */
export function createExchangeMarket({ seed, startMs, coins }: MarketOptions): ExchangeMarket {
  const indexes = createIndexPaths(seed, startMs, coins);
  const marks = createMarks(seed, indexes, coins);
  const pauses = createMarketPauses();
  return {
    indexes,
    marks,
    pauses,
    funding: createFunding(indexes, marks),
    tape: createTape({
      seed,
      pauses,
      markAt: (instrument, atMs) => marks.mark(instrument, atMs),
      leastAt: (instrument, atMs) => marks.intrinsicValue(instrument, atMs),
    }),
    ladder: (instrument, atMs) => ladderAround(seed, instrument, marks.mark(instrument, atMs), atMs),
    band: (instrument, atMs) =>
      bandAround(instrument, marks.mark(instrument, atMs), marks.underlying(instrument, atMs)),
  };
}

/**
 * Returns the prices of a market as the ledger takes them; `now` gives the ms since the epoch. Those of one moment are
 * worked out once: a trade and the margin of an account ask for the same ones several times.
 */
export function marketPrices({ indexes, marks }: ExchangeMarket, now: () => number): Prices {
  const once = <T>(work: (instrument: TradedInstrument, atMs: number) => T): ((instrument: TradedInstrument) => T) => {
    const known = new Map<TradedInstrument, T>();
    let knownAtMs = NaN;
    let knownMoves = 0;
    return (instrument) => {
      const atMs = now();
      if (atMs !== knownAtMs || indexes.moves !== knownMoves) known.clear();
      knownAtMs = atMs;
      knownMoves = indexes.moves;
      const found = known.get(instrument);
      if (found !== undefined) return found;
      const made = work(instrument, atMs);
      known.set(instrument, made);
      return made;
    };
  };
  return {
    mark: once((instrument, atMs) => fixedOf(marks.mark(instrument, atMs))),
    index: once((instrument, atMs) => fixedOf(indexes.price(instrument.indexName, atMs))),
    underlying: once((instrument, atMs) => fixedOf(marks.underlying(instrument, atMs))),
    settlement: once((instrument, atMs) => fixedOf(marks.mark(instrument, lastSettlement(atMs)))),
    deltaLeft: (instrument) => deltaLeft(instrument, now()),
    greeks: once((instrument, atMs) => marks.option(instrument, atMs)?.greeks),
  };
}

/*
 * What holders of perpetuals pay each other for the distance of the mark from the index. The rate of a minute is that
 * of its beginning, so that sums over any time agree.
 * https://support.deribit.com/hc/en-us/articles/31424939178397-Funding-Specifications
 */

/** The rates of perpetuals, as parts of a position's worth; above 0 longs pay. */
interface Funding {
  /** Returns the rate for eight hours that counts at a moment. */
  current(instrument: TradedInstrument, atMs: number): number;
  /** Returns what was to be paid from one moment to another. */
  between(instrument: TradedInstrument, fromMs: number, untilMs: number): number;
  /** Returns the whole hours that end after a moment and until another one, oldest first. */
  history(instrument: TradedInstrument, fromMs: number, untilMs: number): FundingHour[];
}

/** The funding of an hour. */
interface FundingHour {
  /** The end of the hour. */
  readonly atMs: number;
  readonly indexPrice: number;
  /** The index an hour before. */
  readonly prevIndexPrice: number;
  readonly interest1h: number;
  /** The interest of the eight hours that end with this one. */
  readonly interest8h: number;
}

/** The time that a rate is for. */
const PERIOD_MS = 8 * HOUR_MS;
/** A premium within this distance of 0 costs nothing. */
const DAMPER = 0.000_25;
/** The largest rate. */
const CAP = 0.005;
const REMEMBERED = 20_000;

/** Makes the funding that follows from marks and index. */
function createFunding(paths: IndexPaths, marks: Marks): Funding {
  const rates = new Map<string, number>();
  const rateOf = (instrument: TradedInstrument, minute: number): number => {
    const key = `${instrument.name} ${minute}`;
    const known = rates.get(key);
    if (known !== undefined) return known;
    const rate = fundingRate(
      marks.mark(instrument, minute * MINUTE_MS),
      paths.price(instrument.indexName, minute * MINUTE_MS),
    );
    if (rates.size >= REMEMBERED) rates.clear();
    rates.set(key, rate);
    return rate;
  };
  const between = (instrument: TradedInstrument, fromMs: number, untilMs: number): number => {
    let sum = 0;
    for (let minute = Math.floor(fromMs / MINUTE_MS); minute * MINUTE_MS < untilMs; minute++) {
      const lengthMs = Math.min(untilMs, (minute + 1) * MINUTE_MS) - Math.max(fromMs, minute * MINUTE_MS);
      sum += (rateOf(instrument, minute) * lengthMs) / PERIOD_MS;
    }
    return sum;
  };
  return {
    current: (instrument, atMs) => rateOf(instrument, Math.floor(atMs / MINUTE_MS)),
    between,
    history(instrument, fromMs, untilMs) {
      const hours: FundingHour[] = [];
      const first = (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS;
      const rates: number[] = [];
      for (let at = first - PERIOD_MS + HOUR_MS; at <= untilMs; at += HOUR_MS) {
        rates.push(between(instrument, at - HOUR_MS, at));
        if (at < first) continue;
        hours.push({
          atMs: at,
          indexPrice: paths.price(instrument.indexName, at),
          prevIndexPrice: paths.price(instrument.indexName, at - HOUR_MS),
          interest1h: rates.at(-1) ?? 0,
          interest8h: rates.slice(-8).reduce((sum, rate) => sum + rate, 0),
        });
      }
      return hours;
    },
  };
}

/** Returns the rate for eight hours: the premium beyond the damper, up to the cap. */
export function fundingRate(mark: number, index: number): number {
  const premium = (mark - index) / index;
  const damped = Math.max(DAMPER, premium) + Math.min(-DAMPER, premium);
  return Math.min(CAP, Math.max(-CAP, damped));
}

/** What passing time needs. */
export interface PassingPorts {
  readonly ledger: ExchangeLedger;
  readonly market: ExchangeMarket;
  /** Returns the perpetuals, which are funded, and what is listed and expires meanwhile, which is delivered. */
  readonly instruments: () => Iterable<TradedInstrument>;
  /** Sets the time whose prices the ledger sees. */
  readonly setNow: (atMs: number) => void;
  /** Called with an instrument that expires, before its positions are delivered: its orders end now. */
  readonly onExpiry: (instrument: TradedInstrument, atMs: number) => void;
}

/**
 * Lets time pass for the accounts: perpetuals are funded, and at 08:00 UTC what expires is delivered and sessions are
 * settled. It comes to the same in one piece or in several: funding is added up minute by minute, and what a minute
 * has brought so far is told anew each time.
 */
export function passTime(ports: PassingPorts, fromMs: number, untilMs: number): void {
  let settlementMs = nextSettlement(fromMs);
  for (let at = (Math.floor(fromMs / MINUTE_MS) + 1) * MINUTE_MS; at <= untilMs; at += MINUTE_MS) {
    ports.setNow(at);
    fundAll(ports, at - MINUTE_MS, at);
    if (at < settlementMs) continue;
    deliverAll(ports, at);
    ports.ledger.settle(at);
    settlementMs = nextSettlement(at);
  }
  ports.setNow(untilMs);
  fundAll(ports, Math.floor(untilMs / MINUTE_MS) * MINUTE_MS, untilMs);
}

/** Tells the funding of a minute, or of what has passed of it. */
function fundAll({ ledger, market, instruments }: PassingPorts, minuteMs: number, atMs: number): void {
  const isOver = atMs === minuteMs + MINUTE_MS;
  for (const instrument of instruments())
    if (instrument.kind === "future" && instrument.expiresAtMs === undefined)
      ledger.fund(instrument, { interest: market.funding.between(instrument, minuteMs, atMs), isOver });
}

function deliverAll({ ledger, market, instruments, onExpiry }: PassingPorts, atMs: number): void {
  for (const instrument of [...instruments()]) {
    if (instrument.expiresAtMs === undefined || instrument.expiresAtMs > atMs) continue;
    onExpiry(instrument, atMs);
    const price = market.indexes.deliveryPrice(instrument.indexName, instrument.expiresAtMs);
    ledger.deliver(instrument, fixedOf(price), atMs);
  }
}
