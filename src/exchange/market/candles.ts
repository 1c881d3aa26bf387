import type { TradedInstrument, LiquidatedSide, Side } from "../instrument.ts";
import type { Lots, Ticks } from "../units.ts";
import { HOUR_MS, MINUTE_MS } from "./calendar.ts";

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

/** How many hours and minutes are remembered. */
const REMEMBERED = 20_000;

/** What candles are made of. */
export interface CandlePorts {
  /** Returns the trades after a moment and until another one, oldest first. */
  readonly prints: (instrument: TradedInstrument, afterMs: number, untilMs: number) => readonly Print[];
  /** Returns the last trade at a moment. */
  readonly last: (instrument: TradedInstrument, atMs: number) => Print;
  /** Returns the trades that are on the tape after a place and until a moment, and the place after them. */
  readonly following: (
    instrument: TradedInstrument,
    place: TapePlace,
    untilMs: number,
  ) => { readonly prints: readonly Print[]; readonly place: TapePlace };
  /** Returns the place before the trades of a moment. */
  readonly placeBefore: (instrument: TradedInstrument, atMs: number) => TapePlace;
}

/**
 * Returns what adds up the trades from one moment to another, as of a later one, with what was added up before
 * remembered. Both ends are included.
 */
export function createCandles(
  tape: CandlePorts,
): (instrument: TradedInstrument, fromMs: number, untilMs: number, nowMs: number) => Candle {
  const over = new Map<string, Candle>();
  const growing = new Map<string, { readonly candle: Candle; readonly place: TapePlace }>();
  const days = new Map<string, { readonly untilMs: number; readonly candle: Candle }>();

  const emptyAt = (instrument: TradedInstrument, startMs: number): Candle =>
    emptyCandle(startMs, tape.last(instrument, startMs - 1).price);
  const candleOf = (instrument: TradedInstrument, startMs: number, untilMs: number): Candle =>
    withPrints(emptyAt(instrument, startMs), tape.prints(instrument, startMs - 1, untilMs));

  /** Returns a minute that may not be over. Only what came since the last time is added: it may be thousands. */
  const soFar = (instrument: TradedInstrument, startMs: number, untilMs: number): Candle => {
    const known = growing.get(instrument.name);
    const isOfIt = known?.candle.startMs === startMs && known.place.atMs <= untilMs;
    const { candle, place } = isOfIt
      ? known
      : { candle: emptyAt(instrument, startMs), place: tape.placeBefore(instrument, startMs) };
    const after = tape.following(instrument, place, untilMs);
    const made = withPrints(candle, after.prints);
    growing.set(instrument.name, { candle: made, place: after.place });
    return made;
  };

  /** Returns a whole hour or minute that is over. */
  const remembered = (instrument: TradedInstrument, startMs: number, lengthMs: number): Candle => {
    const key = `${instrument.name} ${lengthMs} ${startMs}`;
    const known = over.get(key);
    if (known !== undefined) return known;
    const candle = candleOf(instrument, startMs, startMs + lengthMs - 1);
    if (over.size >= REMEMBERED) over.clear();
    over.set(key, candle);
    return candle;
  };

  /** Returns whole minutes that are over. The last result is remembered: every ticker asks for the same day. */
  const minutes = (instrument: TradedInstrument, fromMs: number, untilMs: number): Candle => {
    const known = days.get(instrument.name);
    if (known?.candle.startMs === fromMs && known.untilMs === untilMs) return known.candle;
    const parts: Candle[] = [];
    for (let at = fromMs; at < untilMs;) {
      const length = at % HOUR_MS === 0 && at + HOUR_MS <= untilMs ? HOUR_MS : MINUTE_MS;
      parts.push(remembered(instrument, at, length));
      at += length;
    }
    const candle = joined(parts);
    days.set(instrument.name, { untilMs, candle });
    return candle;
  };

  return (instrument, fromMs, untilMs, nowMs) => {
    const first = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
    const last = Math.floor(Math.min(untilMs + 1, nowMs) / MINUTE_MS) * MINUTE_MS;
    if (last < first) return candleOf(instrument, fromMs, untilMs);
    const parts: Candle[] = [];
    if (fromMs < first) parts.push(candleOf(instrument, fromMs, first - 1));
    if (first < last) parts.push(minutes(instrument, first, last));
    if (last <= untilMs) parts.push(soFar(instrument, last, untilMs));
    return joined(parts);
  };
}

function emptyCandle(startMs: number, price: Ticks): Candle {
  return { startMs, open: price, high: price, low: price, close: price, volume: 0, turnover: 0, coins: 0 };
}

/** Returns a candle with trades that come after it. */
function withPrints(candle: Candle, prints: readonly Print[]): Candle {
  if (prints.length === 0) return candle;
  const sum: { -readonly [Member in keyof Candle]: Candle[Member] } = { ...candle };
  for (const { price, amount } of prints) {
    if (sum.volume === 0) sum.open = sum.high = sum.low = price;
    sum.high = Math.max(sum.high, price);
    sum.low = Math.min(sum.low, price);
    sum.close = price;
    sum.volume += amount;
    sum.turnover += price * amount;
    sum.coins += amount / price;
  }
  return sum;
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

/** A trade as the tape remembers it. */
export interface Print {
  /** Counts the trades of the instrument. */
  readonly seq: number;
  readonly atMs: number;
  readonly price: Ticks;
  readonly amount: Lots;
  /** The side of the taker. */
  readonly direction: Side;
  /** Which side was liquidated; undefined for neither. */
  readonly liquidation?: LiquidatedSide | undefined;
  /** Whether it was made at the exchange, and is not one of others. */
  readonly isRecorded: boolean;
}

/** A place on the tape of one instrument: after the trades of others until a moment, and a number of recorded ones. */
interface TapePlace {
  readonly atMs: number;
  readonly recordedCount: number;
}
