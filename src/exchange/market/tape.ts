import type { TradedInstrument, Side } from "../instrument.ts";
import { keepLatest } from "../keepLatest.ts";
import type { Lots, Ticks } from "../units.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./calendar.ts";
import { createPartSeeds, hashed } from "./noise.ts";
import type { MarketPauses } from "./marketPauses.ts";
import { bestAround } from "./quotes.ts";

/** A trade as the tape remembers it. */
export interface Print {
  /** Counts the trades of the instrument. */
  readonly seq: number;
  readonly atMs: number;
  readonly price: Ticks;
  readonly amount: Lots;
  /** The side of the taker. */
  readonly direction: Side;
  /** Whether it was made at the exchange, and is not one of others. */
  readonly isRecorded: boolean;
}

/** The trades of a stretch of time, added up. */
export interface Candle {
  readonly startMs: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  /** What was traded, in lots. */
  readonly volume: Lots;
  /** The sum of price × amount, in ticks × lots. */
  readonly turnover: number;
  /** The sum of amount / price, in lots for each tick: what an inverse future's volume in coins follows from. */
  readonly coins: number;
}

/**
 * The trades of every instrument: those of others, which are a function of the time, and those that were recorded. Of a
 * moment the recorded ones come last.
 */
export interface Tape {
  /** Adds a trade that was made at the exchange; with the time of the last one, where its own is before that. */
  record(instrument: TradedInstrument, print: Omit<Print, "seq" | "isRecorded">): Print;
  /** Returns the trades of others and the recorded ones, after a moment and until another one, oldest first. */
  prints(instrument: TradedInstrument, afterMs: number, untilMs: number): Print[];
  /** Returns the number of the last trade at a moment. */
  count(instrument: TradedInstrument, atMs: number): number;
  /** Returns the last trade at a moment. */
  last(instrument: TradedInstrument, atMs: number): Print;
  /**
   * Returns the candles whose stretches begin from `fromMs` to `untilMs`, oldest first; the last one may not be over. A
   * stretch without trades is flat at the last price.
   * @param lengthMs a whole number of seconds
   */
  candles(instrument: TradedInstrument, lengthMs: number, fromMs: number, untilMs: number): Candle[];
  /** Returns as one candle what was traded from 24 hours before a moment; until that moment, or a later one. */
  day(instrument: TradedInstrument, atMs: number, untilMs?: number): Candle;
}

/** The trades that are kept of each instrument, and up to twice as many. */
const KEPT = 10_000;
/** How many hours and minutes are remembered. */
const REMEMBERED = 20_000;

/** The trades of one instrument that were recorded, and how many older ones are not kept any more. */
interface Recorded {
  readonly prints: Print[];
  dropped: number;
}

/** What a tape is made of. */
export interface TapePorts {
  readonly seed: number;
  readonly markAt: (instrument: TradedInstrument, atMs: number) => number;
  /** When others do not trade. */
  readonly pauses: MarketPauses;
}

/** Makes the tape of a seed: others trade at the best prices around the mark. */
export function createTape({ seed, markAt, pauses }: TapePorts): Tape {
  const seedOf = createPartSeeds(seed);
  const recorded = new Map<string, Recorded>();
  const candlesOver = new Map<string, Candle>();

  /** Returns the number of the last trade at a moment, without those recorded at it where `isBefore`. */
  const numberAt = (instrument: TradedInstrument, atMs: number, isBefore = false): number => {
    const own = recorded.get(instrument.name);
    const count = own === undefined ? 0 : own.dropped + indexAfter(own.prints, isBefore ? atMs - 1 : atMs);
    return pauses.countBeats(beatMs(instrument), withinLife(instrument, atMs)) + count;
  };
  const othersAt = (instrument: TradedInstrument, atMs: number): Print => {
    const own = seedOf(`${instrument.name} tape`);
    const beat = Math.floor(atMs / SECOND_MS);
    const { bid, ask } = bestAround(instrument, markAt(instrument, atMs));
    const direction: Side = bid === 0 || hashed(own, beat) < 0.5 ? "buy" : "sell";
    const contracts = 1 + Math.floor(40 * hashed(own ^ 0x5bd1e995, beat) ** 3);
    const amount = contracts * Math.max(instrument.minAmount, instrument.contractSize);
    const price = direction === "buy" ? ask : bid;
    return { seq: numberAt(instrument, atMs, true), atMs, price, amount, direction, isRecorded: false };
  };

  const prints = (instrument: TradedInstrument, afterMs: number, untilMs: number): Print[] => {
    const everyMs = beatMs(instrument);
    const others: Print[] = [];
    for (let at = (Math.floor(afterMs / everyMs) + 1) * everyMs; at <= withinLife(instrument, untilMs); at += everyMs)
      if (pauses.heldAt(at) === at) others.push(othersAt(instrument, at));
    const all = recorded.get(instrument.name)?.prints ?? [];
    const own = all.slice(indexAfter(all, afterMs), indexAfter(all, untilMs));
    return own.length === 0 ? others : [...others, ...own].sort((a, b) => a.seq - b.seq);
  };

  const last = (instrument: TradedInstrument, atMs: number): Print => {
    const everyMs = beatMs(instrument);
    let beat = Math.floor(withinLife(instrument, atMs) / everyMs) * everyMs;
    for (let held = pauses.heldAt(beat); held !== beat; held = pauses.heldAt(beat))
      beat = Math.floor(held / everyMs) * everyMs;
    const all = recorded.get(instrument.name)?.prints ?? [];
    const own = all[indexAfter(all, atMs) - 1];
    return own !== undefined && own.atMs >= beat ? own : othersAt(instrument, beat);
  };

  /** Returns one candle of the trades from its start up to a moment before its end. */
  const candleOf = (instrument: TradedInstrument, startMs: number, untilMs: number): Candle => {
    const before = last(instrument, startMs - 1).price;
    return prints(instrument, startMs - 1, untilMs).reduce(withPrint, emptyCandle(startMs, before));
  };

  /** Returns a whole hour or minute that is over. */
  const remembered = (instrument: TradedInstrument, startMs: number, lengthMs: number): Candle => {
    const key = `${instrument.name} ${lengthMs} ${startMs}`;
    const known = candlesOver.get(key);
    if (known !== undefined) return known;
    const candle = candleOf(instrument, startMs, startMs + lengthMs - 1);
    if (candlesOver.size >= REMEMBERED) candlesOver.clear();
    candlesOver.set(key, candle);
    return candle;
  };

  /** Returns a stretch as one candle, from the hours and minutes in it that are over at a moment. */
  const stretch = (instrument: TradedInstrument, fromMs: number, untilMs: number, nowMs: number): Candle => {
    const parts: Candle[] = [];
    for (let at = fromMs; at <= untilMs;) {
      const [start, end] = [at, Math.floor(at / MINUTE_MS) * MINUTE_MS + MINUTE_MS];
      const length = [HOUR_MS, MINUTE_MS].find(
        (each) => start % each === 0 && start + each <= Math.min(untilMs + 1, nowMs),
      );
      parts.push(
        length === undefined
          ? candleOf(instrument, start, Math.min(untilMs, end - 1))
          : remembered(instrument, start, length),
      );
      at = length === undefined ? end : start + length;
    }
    return joined(parts);
  };

  return {
    record(instrument, given) {
      const own = recorded.get(instrument.name) ?? { prints: [], dropped: 0 };
      recorded.set(instrument.name, own);
      const atMs = Math.max(given.atMs, own.prints.at(-1)?.atMs ?? given.atMs);
      const print = { ...given, atMs, seq: numberAt(instrument, atMs) + 1, isRecorded: true };
      const count = own.prints.length + 1;
      keepLatest(own.prints, print, KEPT);
      own.dropped += count - own.prints.length;
      return print;
    },
    prints,
    count: numberAt,
    last,
    candles(instrument, lengthMs, fromMs, untilMs) {
      const candles: Candle[] = [];
      for (let start = Math.ceil(fromMs / lengthMs) * lengthMs; start <= untilMs; start += lengthMs)
        candles.push(stretch(instrument, start, Math.min(untilMs, start + lengthMs - 1), untilMs));
      return candles;
    },
    day: (instrument, atMs, untilMs = atMs) => stretch(instrument, atMs - DAY_MS, untilMs, untilMs),
  };
}

/** Returns the place after the last print until a moment. */
function indexAfter(prints: readonly Print[], atMs: number): number {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prints[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a moment, or the last one at which others trade an instrument that expires before it. */
function withinLife({ expiresAtMs = Infinity }: TradedInstrument, atMs: number): number {
  return Math.min(atMs, expiresAtMs - 1);
}

/** Returns how often others trade, in ms: at the multiples of this. */
export function beatMs({ kind, expiresAtMs }: TradedInstrument): number {
  if (kind === "option") return 300 * SECOND_MS;
  if (kind === "spot") return 15 * SECOND_MS;
  return (expiresAtMs === undefined ? 5 : 30) * SECOND_MS;
}

function emptyCandle(startMs: number, price: Ticks): Candle {
  return { startMs, open: price, high: price, low: price, close: price, volume: 0, turnover: 0, coins: 0 };
}

function withPrint(candle: Candle, { price, amount }: Print): Candle {
  const isFirst = candle.volume === 0;
  return {
    startMs: candle.startMs,
    open: isFirst ? price : candle.open,
    high: isFirst ? price : Math.max(candle.high, price),
    low: isFirst ? price : Math.min(candle.low, price),
    close: price,
    volume: candle.volume + amount,
    turnover: candle.turnover + price * amount,
    coins: candle.coins + amount / price,
  };
}

/** Returns candles that follow each other as one; those without trades count only where all are. */
function joined(candles: readonly Candle[]): Candle {
  const traded = candles.filter(({ volume }) => volume > 0);
  const parts = traded.length > 0 ? traded : candles;
  const sum = (of: (candle: Candle) => number): number => parts.reduce((all, each) => all + of(each), 0);
  return {
    startMs: candles[0]?.startMs ?? 0,
    open: parts[0]?.open ?? 0,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: parts.at(-1)?.close ?? 0,
    volume: sum(({ volume }) => volume),
    turnover: sum(({ turnover }) => turnover),
    coins: sum(({ coins }) => coins),
  };
}
