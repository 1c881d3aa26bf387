import type { VisibleLevel } from "../book/book.ts";
import type { Fact } from "../facts.ts";
import type { AccountId, Side, TradedInstrument } from "../instrument.ts";
import type { ExchangeMarket } from "../market/market.ts";
import type { Engine } from "../orders/engine.ts";
import { roundToSteps, type Lots, type Ticks } from "../units.ts";

/** The participant who quotes every instrument around its mark, by orders like those of everybody else. */
interface Maker {
  /**
   * Brings the quotes of an instrument to what they are at a moment, and tells the book the prices that triggers watch.
   * What stays the same keeps its place in the queue.
   */
  quote(instrument: TradedInstrument, at: QuoteTime): Fact[];
  /** Takes back the quotes of one side of a book, until the next `quote`. */
  stepBack(instrument: TradedInstrument, side: Side, nowMs: number): Fact[];
}

/** `marketMs`: the moment whose prices hold; `nowMs`: the time of the operation. */
export interface QuoteTime {
  readonly marketMs: number;
  readonly nowMs: number;
}

interface MakerPorts {
  readonly engine: Engine;
  readonly market: ExchangeMarket;
  readonly account: AccountId;
}

/** The IDs of the orders by which an instrument is quoted, by their prices. */
type Quotes = Readonly<Record<Side, Map<Ticks, string>>>;

export function createMaker({ engine, market, account }: MakerPorts): Maker {
  const byInstrument = new Map<string, Quotes>();
  const quotesOf = (name: string): Quotes => {
    const known = byInstrument.get(name) ?? { buy: new Map<Ticks, string>(), sell: new Map<Ticks, string>() };
    byInstrument.set(name, known);
    return known;
  };
  /** Takes back the quotes of a side that are not among the wanted ones. */
  const withdraw = (quotes: Map<Ticks, string>, wanted: ReadonlyMap<Ticks, Lots>, nowMs: number): Fact[] => {
    const facts: Fact[] = [];
    for (const [price, id] of quotes) {
      const remaining = engine.remaining(id);
      if (remaining !== undefined && wanted.get(price) === remaining) continue;
      quotes.delete(price);
      if (remaining !== undefined) facts.push(...engine.cancel(account, id, nowMs).facts);
    }
    return facts;
  };
  return {
    quote(instrument, { marketMs, nowMs }) {
      const { name } = instrument;
      const { bids, asks } = market.ladder(instrument, marketMs);
      const { min, max } = market.band(instrument, marketMs);
      const quotes = quotesOf(name);
      const sides = [
        { direction: "buy", quotes: quotes.buy, wanted: amountsByPrice(bids) },
        { direction: "sell", quotes: quotes.sell, wanted: amountsByPrice(asks) },
      ] as const;
      const facts = [...engine.setPrices(name, { low: min, high: max }, nowMs)];
      // All old quotes go before the first new one comes, or it would trade with them.
      for (const side of sides) facts.push(...withdraw(side.quotes, side.wanted, nowMs));
      for (const { direction, quotes: own, wanted } of sides) {
        for (const [price, amount] of wanted) {
          if (own.has(price)) continue;
          const placed = engine.place({ account, instrument: name, direction, amount, price }, nowMs);
          facts.push(...placed.facts);
          if (placed.isDone && placed.order.state === "open") own.set(price, placed.order.id);
        }
      }
      // What these trigger meets the new quotes.
      facts.push(...engine.setPrices(name, watchedPrices(market, instrument, marketMs), nowMs));
      return facts;
    },
    stepBack: ({ name }, side, nowMs) => withdraw(quotesOf(name)[side], new Map(), nowMs),
  };
}

function amountsByPrice(levels: readonly VisibleLevel[]): ReadonlyMap<Ticks, Lots> {
  return new Map(levels.map(({ price, amount }) => [price, amount]));
}

/** Returns the prices that triggers watch, in ticks. */
function watchedPrices(
  market: ExchangeMarket,
  instrument: TradedInstrument,
  atMs: number,
): Readonly<Record<"mark" | "index" | "last", Ticks>> {
  const ticks = (price: number): Ticks => roundToSteps(price, instrument.tick, "nearest");
  return {
    mark: ticks(market.marks.mark(instrument, atMs)),
    index: ticks(market.indexes.price(instrument.indexName, atMs)),
    last: market.tape.last(instrument, atMs).price,
  };
}
