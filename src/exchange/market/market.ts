import type { TradedInstrument } from "../instrument.ts";
import { fixedOf } from "../ledger/money.ts";
import type { Prices } from "../ledger/prices.ts";
import { lastSettlement } from "./calendar.ts";
import { createFunding, type Funding } from "./funding.ts";
import { createIndexPaths, type Coin, type IndexPaths } from "./indexPath.ts";
import { createMarks, deltaLeft, type Marks } from "./marks.ts";
import { createMarketPauses, type MarketPauses } from "./marketPauses.ts";
import { bandAround, ladderAround, type Band, type Ladder } from "./quotes.ts";
import { createTape, type Tape } from "./tape.ts";

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
    return (instrument) => {
      const atMs = now();
      if (atMs !== knownAtMs) known.clear();
      knownAtMs = atMs;
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
