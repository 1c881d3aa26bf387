import type { Fact } from "../facts.ts";
import type { AccountId, Side, TradedInstrument } from "../instrument.ts";
import { SECOND_MS } from "../market/calendar.ts";
import type { ExchangeMarket } from "../market/market.ts";
import type { Engine } from "../orders/engine.ts";
import type { OrderDraft } from "../orders/order.ts";
import { type Lots, type Ticks, roundToSteps } from "../units.ts";
import type { VisibleLevel } from "../book/book.ts";

/**
 * Those who trade beside the accounts, all of them as one account: a maker who quotes every instrument, and takers who
 * come to the books in which accounts have orders. Where no account has one, what takers do is a function of the time,
 * and need not be done (`Tape`).
 */
export interface Participants {
  /** Quotes an instrument around its mark: again each second, so that what was taken comes back. */
  readonly quote: (instrument: TradedInstrument) => void;
  /** Quotes everything again when it is next asked for, because prices were moved. */
  readonly forgetQuotes: () => void;
  /** Quotes an instrument again, after `take` took quotes back. */
  readonly restore: (instrument: TradedInstrument) => void;
  /** Lets takers come to the book of an instrument from now on. */
  readonly goLive: (instrument: TradedInstrument) => void;
  /** Returns the instruments to whose books they come. */
  readonly liveNames: () => string[];
  /** Lets them come no more: the instrument has expired. */
  readonly end: (instrument: TradedInstrument) => void;
  /** Quotes what is live, and lets those take who came since a moment. */
  readonly tradeSince: (beforeMs: number) => void;
  /** Lets one take an amount at the best prices. */
  readonly arrive: (instrument: TradedInstrument, arrival: Taker) => void;
  /**
   * Lets one take an amount at a price, with the maker's better quotes taken back first. Accounts whose orders are at a
   * better price, or came earlier, trade first. Returns how much it got.
   */
  readonly take: (instrument: TradedInstrument, order: Taker & { readonly price: Ticks }) => Lots;
}

/** What a taker comes for. */
interface Taker {
  readonly direction: Side;
  readonly amount: Lots;
}

interface ParticipantPorts {
  readonly engine: Engine;
  readonly market: ExchangeMarket;
  readonly account: AccountId;
  readonly moment: () => QuoteTime;
  /** Whether the book of an instrument takes orders now: where it does not, there are no quotes. */
  readonly isOpen: (instrument: TradedInstrument) => boolean;
  /** Called with what an operation did. */
  readonly announce: (facts: readonly Fact[]) => void;
}

export function createParticipants(ports: ParticipantPorts): Participants {
  const { engine, market, account, moment, isOpen, announce } = ports;
  const maker = createMaker({ engine, market, account });
  const live = new Set<TradedInstrument>();
  const quotedSecond = new Map<string, number>();

  const order = ({ name }: TradedInstrument, { direction, amount }: Taker): OrderDraft => ({
    ...{ account, instrument: name, direction, amount },
    type: "market",
  });
  const quote = (instrument: TradedInstrument): void => {
    if (!isOpen(instrument)) return;
    const at = moment();
    const second = Math.floor(at.nowMs / SECOND_MS);
    if (quotedSecond.get(instrument.name) === second) return;
    quotedSecond.set(instrument.name, second);
    announce(maker.quote(instrument, at));
  };
  const restore = (instrument: TradedInstrument): void => {
    quotedSecond.delete(instrument.name);
    quote(instrument);
  };
  const goLive = (instrument: TradedInstrument): void => {
    live.add(instrument);
    market.tape.goLive(instrument, moment().marketMs);
  };
  const arrive = (instrument: TradedInstrument, arrival: Taker): void =>
    announce(engine.place(order(instrument, arrival), moment().nowMs).facts);
  return {
    quote,
    forgetQuotes: () => quotedSecond.clear(),
    restore,
    goLive,
    liveNames: () => [...live].map(({ name }) => name),
    end: (instrument) => void live.delete(instrument),
    tradeSince(beforeMs) {
      for (const instrument of live) {
        quote(instrument);
        const arrival = market.tape.arrival(instrument, beforeMs, moment().marketMs);
        if (arrival !== undefined) arrive(instrument, arrival);
      }
    },
    arrive(instrument, arrival) {
      quote(instrument);
      goLive(instrument);
      arrive(instrument, arrival);
    },
    take(instrument, { direction, amount, price }) {
      quote(instrument);
      const { nowMs } = moment();
      const isBuy = direction === "buy";
      const facts = [...maker.stepBack(instrument, isBuy ? "sell" : "buy", nowMs)];
      // What rests may be at a price where other accounts could not trade with it now.
      facts.push(...engine.setPrices(instrument.name, isBuy ? { high: price } : { low: price }, nowMs));
      const taker = { ...order(instrument, { direction, amount }), type: "limit", price } as const;
      const outcome = engine.place({ ...taker, timeInForce: "immediate_or_cancel" }, nowMs);
      announce([...facts, ...outcome.facts]);
      return outcome.isDone ? outcome.order.filled : 0;
    },
  };
}

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
interface QuoteTime {
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

function createMaker({ engine, market, account }: MakerPorts): Maker {
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
