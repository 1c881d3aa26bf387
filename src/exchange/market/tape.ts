import type { TradedInstrument, Side } from "../instrument.ts";
import { keepLatest } from "../keepLatest.ts";
import type { Lots, Ticks } from "../units.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "./calendar.ts";
import { createPartSeeds, hashed } from "./noise.ts";
import { bestAround } from "./quotes.ts";

/** A trade as the tape remembers it. */
export interface Print {
  readonly atMs: number;
  readonly price: Ticks;
  readonly amount: Lots;
  /** The side of the taker. */
  readonly direction: Side;
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
  /** Adds a trade that was made at the exchange. Trades come in the order of their time. */
  record(instrument: TradedInstrument, print: Print): void;
  /** Returns the trades of others and the recorded ones, after a moment and until another one, oldest first. */
  prints(instrument: TradedInstrument, afterMs: number, untilMs: number): Print[];
  /** Returns the last trade at a moment. */
  last(instrument: TradedInstrument, atMs: number): Print;
  /**
   * Returns the candles whose stretches begin from `fromMs` to `untilMs`, oldest first; the last one may not be over. A
   * stretch without trades is flat at the last price.
   * @param lengthMs a whole number of seconds; from an hour on a whole number of hours
   */
  candles(instrument: TradedInstrument, lengthMs: number, fromMs: number, untilMs: number): Candle[];
  /** Returns the last 24 hours as one candle. */
  day(instrument: TradedInstrument, nowMs: number): Candle;
}

/** The trades that are kept of each instrument, and up to twice as many. */
const KEPT = 10_000;
const REMEMBERED_HOURS = 20_000;

/** Makes the tape of a seed: others trade at the best prices around the mark. */
export function createTape(seed: number, markAt: (instrument: TradedInstrument, atMs: number) => number): Tape {
  const seedOf = createPartSeeds(seed);
  const recorded = new Map<string, Print[]>();
  const hours = new Map<string, Candle>();

  const othersAt = (instrument: TradedInstrument, atMs: number): Print => {
    const own = seedOf(`${instrument.name} tape`);
    const beat = Math.floor(atMs / SECOND_MS);
    const { bid, ask } = bestAround(instrument, markAt(instrument, atMs));
    const direction: Side = bid === 0 || hashed(own, beat) < 0.5 ? "buy" : "sell";
    const contracts = 1 + Math.floor(40 * hashed(own ^ 0x5bd1e995, beat) ** 3);
    const amount = contracts * Math.max(instrument.minAmount, instrument.contractSize);
    return { atMs, price: direction === "buy" ? ask : bid, amount, direction };
  };

  const prints = (instrument: TradedInstrument, afterMs: number, untilMs: number): Print[] => {
    const everyMs = beatMs(instrument);
    const others: Print[] = [];
    for (let at = (Math.floor(afterMs / everyMs) + 1) * everyMs; at <= untilMs; at += everyMs)
      others.push(othersAt(instrument, at));
    const own = (recorded.get(instrument.name) ?? []).filter(({ atMs }) => atMs > afterMs && atMs <= untilMs);
    // The sort keeps the order of what is of one moment.
    return own.length === 0 ? others : [...others, ...own].sort((a, b) => a.atMs - b.atMs);
  };

  const last = (instrument: TradedInstrument, atMs: number): Print => {
    const everyMs = beatMs(instrument);
    const others = othersAt(instrument, Math.floor(atMs / everyMs) * everyMs);
    const own = recorded.get(instrument.name)?.findLast((print) => print.atMs <= atMs);
    return own !== undefined && own.atMs >= others.atMs ? own : others;
  };

  /** Returns one candle of the trades from its start up to a moment before its end. */
  const candleOf = (instrument: TradedInstrument, startMs: number, untilMs: number): Candle => {
    const before = last(instrument, startMs - 1).price;
    return prints(instrument, startMs - 1, untilMs).reduce(withPrint, emptyCandle(startMs, before));
  };

  const hourOf = (instrument: TradedInstrument, startMs: number, nowMs: number): Candle => {
    if (startMs + HOUR_MS > nowMs) return candleOf(instrument, startMs, nowMs);
    const key = `${instrument.name} ${startMs}`;
    const known = hours.get(key);
    if (known !== undefined) return known;
    const candle = candleOf(instrument, startMs, startMs + HOUR_MS - 1);
    if (hours.size >= REMEMBERED_HOURS) hours.clear();
    hours.set(key, candle);
    return candle;
  };

  return {
    record(instrument, print) {
      const own = recorded.get(instrument.name) ?? [];
      recorded.set(instrument.name, own);
      keepLatest(own, print, KEPT);
    },
    prints,
    last,
    candles(instrument, lengthMs, fromMs, untilMs) {
      const candles: Candle[] = [];
      for (let start = Math.ceil(fromMs / lengthMs) * lengthMs; start <= untilMs; start += lengthMs) {
        if (lengthMs % HOUR_MS !== 0) {
          candles.push(candleOf(instrument, start, Math.min(untilMs, start + lengthMs - 1)));
          continue;
        }
        const parts: Candle[] = [];
        for (let at = start; at < start + lengthMs && at <= untilMs; at += HOUR_MS)
          parts.push(hourOf(instrument, at, untilMs));
        candles.push(joined(parts));
      }
      return candles;
    },
    day(instrument, nowMs) {
      const parts = [candleOf(instrument, nowMs - DAY_MS, Math.ceil((nowMs - DAY_MS) / HOUR_MS) * HOUR_MS - 1)];
      for (let at = Math.ceil((nowMs - DAY_MS) / HOUR_MS) * HOUR_MS; at <= nowMs; at += HOUR_MS)
        parts.push(hourOf(instrument, at, nowMs));
      return joined(parts);
    },
  };
}

/** Returns how often others trade. */
function beatMs({ kind, expiresAtMs }: TradedInstrument): number {
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
