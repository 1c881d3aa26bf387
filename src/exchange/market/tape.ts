import type { TradedInstrument, Side } from "../instrument.ts";
import { keepLatest } from "../keepLatest.ts";
import { DAY_MS, SECOND_MS } from "./calendar.ts";
import { createCandles, type Candle, type CandlePorts, type Print } from "./candles.ts";
import { createPartSeeds, hashed } from "./noise.ts";
import { bestAround, takenAmount } from "./quotes.ts";
import { fromSteps } from "../units.ts";

/**
 * The trades of every instrument. While no account has orders in a book, the simulated participants trade with each
 * other at the best price, and their trades are a function of the time. From the moment at which an account has an
 * order there, they come to the book, and what they trade is recorded. Of a moment the recorded trades come last.
 */
export interface Tape {
  /** Lets others come to the book of an instrument from a moment on. */
  goLive(instrument: TradedInstrument, atMs: number): void;
  /**
   * Returns what one of the others comes to take after a moment and until another one, in a book that is live;
   * undefined where none of them comes.
   */
  arrival(
    instrument: TradedInstrument,
    afterMs: number,
    untilMs: number,
  ): Pick<Print, "direction" | "amount"> | undefined;
  /** Adds a trade that was made at the exchange; with the time of the last one, where its own is before that. */
  record(instrument: TradedInstrument, print: Omit<Print, "seq" | "isRecorded">): Print;
  /** Returns the trades of others and the recorded ones, after a moment and until another one, oldest first. */
  prints(instrument: TradedInstrument, afterMs: number, untilMs: number): readonly Print[];
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

/** How many trades are kept of each instrument at most, and up to twice as many. */
const KEPT = 20_000;

/** The trades of one instrument that were recorded, and how many older ones are not kept any more. */
interface Recorded {
  readonly prints: Print[];
  dropped: number;
}

const NOTHING_RECORDED: Recorded = { prints: [], dropped: 0 };

/** What a tape is made of. */
interface TapePorts {
  readonly seed: number;
  readonly markAt: (instrument: TradedInstrument, atMs: number) => number;
  /** Returns what others sell an instrument for at least: what an option would pay. It has no volatility below that. */
  readonly leastAt: (instrument: TradedInstrument, atMs: number) => number;
  /** When others do not trade. */
  readonly pauses: MarketPauses;
}

/** Makes the tape of a seed: others trade at the best prices around the mark. */
export function createTape({ seed, markAt, leastAt, pauses }: TapePorts): Tape {
  const seedOf = createPartSeeds(seed);
  const recorded = new Map<string, Recorded>();
  /** Since when others come to the book, by instrument. */
  const liveSince = new Map<string, number>();
  /** Returns a moment, or the last one at which the trades of others are a function of the time. */
  const workedOutUntil = ({ name, expiresAtMs = Infinity }: TradedInstrument, atMs: number): number =>
    Math.min(atMs, expiresAtMs - 1, liveSince.get(name) ?? Infinity);
  const ownOf = ({ name }: TradedInstrument): Recorded => recorded.get(name) ?? NOTHING_RECORDED;

  /** Returns how many trades were recorded until a moment. */
  const countRecorded = (instrument: TradedInstrument, atMs: number): number => {
    const own = ownOf(instrument);
    return own.dropped + indexAfter(own.prints, atMs);
  };
  /** Returns the number of the last trade at a moment, without those recorded at it where `isBefore`. */
  const numberAt = (instrument: TradedInstrument, atMs: number, isBefore = false): number =>
    pauses.countBeats(beatMs(instrument), workedOutUntil(instrument, atMs)) +
    countRecorded(instrument, isBefore ? atMs - 1 : atMs);
  const othersAt = (instrument: TradedInstrument, atMs: number): Print => {
    const own = seedOf(instrument.name, "tape");
    const beat = Math.floor(atMs / SECOND_MS);
    const mark = markAt(instrument, atMs);
    const { bid, ask } = bestAround(instrument, mark);
    const isSale = hashed(own, beat) >= 0.5 && fromSteps(bid, instrument.tick) > leastAt(instrument, atMs);
    const direction: Side = isSale ? "sell" : "buy";
    const amount = takenAmount(instrument, mark, hashed(own ^ 0x5bd1e995, beat));
    const price = direction === "buy" ? ask : bid;
    return { seq: numberAt(instrument, atMs, true), atMs, price, amount, direction, isRecorded: false };
  };

  const following: CandlePorts["following"] = (instrument, { atMs, recordedCount }, untilMs) => {
    const everyMs = beatMs(instrument);
    const endMs = workedOutUntil(instrument, untilMs);
    const others: Print[] = [];
    for (let at = (Math.floor(atMs / everyMs) + 1) * everyMs; at <= endMs; at += everyMs)
      if (pauses.heldAt(at) === at) others.push(othersAt(instrument, at));
    const { prints: all, dropped } = ownOf(instrument);
    const until = indexAfter(all, untilMs);
    const own = all.slice(Math.max(0, recordedCount - dropped), until);
    return { prints: inOrder(others, own), place: { atMs: untilMs, recordedCount: dropped + until } };
  };
  const prints: Tape["prints"] = (instrument, afterMs, untilMs) =>
    following(instrument, { atMs: afterMs, recordedCount: countRecorded(instrument, afterMs) }, untilMs).prints;

  const last = (instrument: TradedInstrument, atMs: number): Print => {
    const everyMs = beatMs(instrument);
    let beat = Math.floor(workedOutUntil(instrument, atMs) / everyMs) * everyMs;
    for (let held = pauses.heldAt(beat); held !== beat; held = pauses.heldAt(beat))
      beat = Math.floor(held / everyMs) * everyMs;
    const { prints: all } = ownOf(instrument);
    const own = all[indexAfter(all, atMs) - 1];
    return own !== undefined && own.atMs >= beat ? own : othersAt(instrument, beat);
  };

  const stretch = createCandles({
    prints,
    last,
    following,
    placeBefore: (instrument, atMs) => ({ atMs: atMs - 1, recordedCount: countRecorded(instrument, atMs - 1) }),
  });

  return {
    goLive({ name }, atMs) {
      if (!liveSince.has(name)) liveSince.set(name, atMs);
    },
    arrival(instrument, afterMs, untilMs) {
      const everyMs = beatMs(instrument);
      const beat = Math.floor(untilMs / everyMs) * everyMs;
      const isLive = beat > Math.max(afterMs, liveSince.get(instrument.name) ?? Infinity);
      const isListed = beat < (instrument.expiresAtMs ?? Infinity);
      return isLive && isListed && pauses.heldAt(beat) === beat ? othersAt(instrument, beat) : undefined;
    },
    record(instrument, given) {
      const own = recorded.get(instrument.name) ?? { prints: [], dropped: 0 };
      recorded.set(instrument.name, own);
      const atMs = Math.max(given.atMs, own.prints.at(-1)?.atMs ?? given.atMs);
      const { price, amount, direction, liquidation } = given;
      const seq = numberAt(instrument, atMs) + 1;
      // One literal: there are hundreds of thousands of them, and a copy with more members takes twice the memory.
      const print: Print = { seq, atMs, price, amount, direction, liquidation, isRecorded: true };
      const count = own.prints.length + 1;
      keepLatest(own.prints, print, KEPT, (each) => each.atMs);
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

/** Returns two lists that are in the order of time as one; of a moment the recorded trades come last. */
function inOrder(others: Print[], own: Print[]): Print[] {
  if (own.length === 0) return others;
  if (others.length === 0) return own;
  const all: Print[] = [];
  let next = 0;
  for (const print of own) {
    for (let other = others[next]; other !== undefined && other.atMs <= print.atMs; other = others[++next])
      all.push(other);
    all.push(print);
  }
  return [...all, ...others.slice(next)];
}

/** Returns how many of the prints there are until a moment. */
function indexAfter(prints: readonly Print[], atMs: number): number {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prints[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how often others trade, in ms: at the multiples of this. */
export function beatMs({ kind, expiresAtMs }: TradedInstrument): number {
  if (kind === "option") return 300 * SECOND_MS;
  if (kind === "spot") return 15 * SECOND_MS;
  return (expiresAtMs === undefined ? 5 : 30) * SECOND_MS;
}

/**
 * The stretches of time in which the market stood still: prices stayed what they were, and others did not trade. They
 * come in the order of their time.
 */
export interface MarketPauses {
  /** Begins a pause after a moment. One that lasts already goes on. */
  begin(atMs: number): void;
  /** Ends the pause that lasts, if there is one: at this moment the market moves again. */
  end(atMs: number): void;
  /** Returns the moment whose prices hold at a time: the time itself, or the beginning of the pause that it is in. */
  heldAt(atMs: number): number;
  /** Returns how many multiples of a length there are from the epoch to a moment, without those in pauses. */
  countBeats(everyMs: number, untilMs: number): number;
}

/** Makes a market's pauses: none yet. */
export function createMarketPauses(): MarketPauses {
  const pauses: { readonly fromMs: number; untilMs: number }[] = [];
  return {
    begin(atMs) {
      if (pauses.at(-1)?.untilMs !== Infinity) pauses.push({ fromMs: atMs, untilMs: Infinity });
    },
    end(atMs) {
      const last = pauses.at(-1);
      if (last?.untilMs === Infinity) last.untilMs = atMs;
    },
    heldAt: (atMs) => pauses.find(({ fromMs, untilMs }) => fromMs < atMs && atMs < untilMs)?.fromMs ?? atMs,
    countBeats(everyMs, atMs) {
      const until = (ms: number): number => Math.floor(ms / everyMs);
      let count = until(atMs);
      for (const { fromMs, untilMs } of pauses)
        count -= Math.max(0, until(Math.min(atMs, untilMs - 1)) - until(fromMs));
      return count;
    },
  };
}
