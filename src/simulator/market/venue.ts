import type { Clock, Random } from "../../base/clock.ts";
import type { Fact } from "../../exchange/facts.ts";
import type { VisibleLevel } from "../../exchange/book/book.ts";
import type { ExchangeTrade, Side, TradedInstrument } from "../../exchange/instrument.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../exchange/ledger/ledger.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";
import { createExchangeMarket, marketPrices, type ExchangeMarket } from "../../exchange/market/market.ts";
import type { Print } from "../../exchange/market/print.ts";
import { passTime } from "../../exchange/market/passTime.ts";
import type { EnginePorts } from "../../exchange/orders/desk.ts";
import { createEngine, type Engine, type EngineOutcome, type OutsideTrade } from "../../exchange/orders/engine.ts";
import type { OrderView } from "../../exchange/orders/order.ts";
import type { Ids } from "../../exchange/orders/make.ts";
import { roundToSteps } from "../../exchange/units.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { COINS, tradedInstrument } from "./traded.ts";

/**
 * The exchange that all accounts trade at: books, ledger, and market, kept at the same moment. A market maker quotes
 * every instrument that is looked at, around its mark; orders trade with those quotes and with each other.
 */
export interface Venue {
  readonly ledger: ExchangeLedger;
  readonly market: ExchangeMarket;
  /** The books, for reading. What changes them goes through `operate`. */
  readonly books: Pick<Engine, "find" | "open" | "closed" | "depth">;
  /** The time until which everything has happened, in ms since the epoch. */
  readonly nowMs: number;
  /** The moment whose prices hold: `nowMs`, or since when the market stands still. */
  readonly marketMs: number;
  /** Returns an instrument as it is traded; undefined for a combo, and where there is none. */
  instrument(name: string): TradedInstrument | undefined;
  instruments(): Iterable<TradedInstrument>;
  /** Carries out an operation on the book of an instrument that is traded, after what is due by now. */
  operate<T extends EngineOutcome | readonly Fact[]>(name: string, work: (engine: Engine, nowMs: number) => T): T;
  /** Books a trade that was made outside of the books, and returns it. */
  report(trade: OutsideTrade): ExchangeTrade;
  /** Quotes an instrument again, after something else than an order of an account has changed its book. */
  restore(name: string): void;
  /** Lets happen what is due by now: funding, settlement, delivery; and prices and quotes of these instruments. */
  catchUp(names: Iterable<string>): void;
  /** Returns what the tape has of a trade that was made here; undefined before it is on the tape. */
  print(trade: ExchangeTrade): Print | undefined;
  /** Makes the prices of the market stand still, or go on with the time of now. */
  setStill(isStill: boolean): void;
}

export interface VenuePorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  /** The source of the IDs of orders and of links between them. */
  readonly ids: Pick<Ids, "order" | "link">;
  /** Returns what happens where an account would trade with itself, or with another account of its owner. */
  readonly selfTrading: EnginePorts["selfTrading"];
  /** Called with everything that happens in the books, in its order, once the operation is over. */
  readonly onFact: (fact: Fact) => void;
  /** Called when all that happened in an operation was told. */
  readonly onDone: () => void;
  /** Called with a trade as each of its two accounts sees it, when it is booked. */
  readonly onAccountTrade: (trade: AccountTrade) => void;
  /** Called with an account whose money, positions, or orders in a currency change, possibly amid the change. */
  readonly onAccountChange: (account: string, currency: string) => void;
}

/** The account of the market maker. No user has it, or the one that fees go to. */
export const MARKET_ACCOUNT = "market";
const FEE_ACCOUNT = "fees";

/** How many entries of logs and trades are kept of each account. */
const KEPT_ENTRIES = 10_000;

/** Makes a venue whose market begins now. */
export function createVenue(ports: VenuePorts): Venue {
  const { clock, seed, instruments, ids, selfTrading, onFact, onDone, onAccountTrade, onAccountChange } = ports;
  const startMs = clock.now();
  const traded = new Map<string, TradedInstrument>();
  for (const [name, each] of instruments) {
    const instrument = tradedInstrument(each);
    if (instrument !== undefined) traded.set(name, instrument);
  }
  const market = createExchangeMarket({ seed, startMs, coins: COINS });
  const time = { nowMs: startMs, passedMs: startMs };
  const marketMs = (): number => market.pauses.heldAt(time.nowMs);
  /** The moment whose prices the ledger sees; while time is made to pass it is in the past. */
  let pricesMs = startMs;
  const ledger = createExchangeLedger({
    instrument: (name) => traded.get(name),
    prices: marketPrices(market, () => pricesMs),
    onTrade: onAccountTrade,
    onEntry: ({ account, currency }) => {
      if (account !== MARKET_ACCOUNT && account !== FEE_ACCOUNT) onAccountChange(account, currency);
    },
    marketAccount: MARKET_ACCOUNT,
    feeAccount: FEE_ACCOUNT,
    keptEntries: KEPT_ENTRIES,
  });
  const counts = { trades: 0, changes: 0 };
  const engine = createEngine({
    instrument: (name) => traded.get(name),
    ids: { ...ids, trade: () => ++counts.trades, change: () => ++counts.changes },
    risk: ledger.risk,
    selfTrading: (account) =>
      account === MARKET_ACCOUNT
        ? { mode: "cancel_maker", extendsToSubaccounts: false, mainAccount: account }
        : selfTrading(account),
  });

  const prints = new WeakMap<ExchangeTrade, Print>();
  const announce = (facts: readonly Fact[]): void => {
    for (const fact of facts) {
      if (fact.kind === "trade") {
        const { instrument: name, price, amount, atMs, direction } = fact.trade;
        prints.set(fact.trade, market.tape.record(mustFind(name), { atMs, price, amount, direction }));
      } else if (fact.kind !== "book" && fact.order.account !== MARKET_ACCOUNT) {
        const { account, instrument: name } = fact.order;
        for (const currency of currenciesIn(mustFind(name))) onAccountChange(account, currency);
      }
      onFact(fact);
    }
    onDone();
  };
  const mustFind = (name: string): TradedInstrument => {
    const instrument = traded.get(name);
    if (instrument === undefined) throw new RangeError(`${name} is not traded.`);
    return instrument;
  };
  const pass = (): void => {
    // Never back: a clock that was set back stands until it has caught up.
    time.nowMs = Math.max(time.nowMs, clock.now());
    const untilMs = marketMs();
    if (untilMs <= time.passedMs) return;
    const fromMs = time.passedMs;
    time.passedMs = untilMs;
    passTime(
      {
        ledger,
        market,
        instruments: () => traded.values(),
        setNow: (atMs) => {
          pricesMs = atMs;
        },
        onExpiry: ({ name }) => {
          announce(engine.closeBook(name, time.nowMs));
        },
      },
      fromMs,
      untilMs,
    );
  };
  const quoted = new Map<string, number>();
  /** Quotes an instrument around its mark: again each second, so that what was taken comes back. */
  const quote = (name: string): void => {
    const atMs = marketMs();
    const second = Math.floor(atMs / SECOND_MS);
    if (quoted.get(name) === second) return;
    quoted.set(name, second);
    const instrument = mustFind(name);
    if ((instrument.expiresAtMs ?? Infinity) <= atMs) return;
    announce(requote(engine, market, instrument, { atMs, nowMs: time.nowMs }));
  };
  return {
    ledger,
    market,
    books: engine,
    get nowMs() {
      return time.nowMs;
    },
    get marketMs() {
      return marketMs();
    },
    instrument: (name) => traded.get(name),
    instruments: () => traded.values(),
    operate(name, work) {
      pass();
      quote(name);
      const outcome = work(engine, time.nowMs);
      announce("isDone" in outcome ? outcome.facts : outcome);
      return outcome;
    },
    report(trade) {
      pass();
      const facts = engine.report(trade, time.nowMs);
      announce(facts);
      const [made] = facts.flatMap((fact) => (fact.kind === "trade" ? [fact.trade] : []));
      if (made === undefined) throw new RangeError(`A trade of ${trade.instrument} was not told.`);
      return made;
    },
    restore(name) {
      quoted.delete(name);
      quote(name);
    },
    catchUp(names) {
      pass();
      for (const name of names) quote(name);
    },
    print: (trade) => prints.get(trade),
    setStill(isStill) {
      pass();
      if (isStill) market.pauses.begin(time.nowMs);
      else market.pauses.end(time.nowMs);
    },
  };
}

/** Returns the currencies in which an instrument needs money. */
function currenciesIn({ kind, baseCurrency, quoteCurrency, settlementCurrency }: TradedInstrument): readonly string[] {
  return kind === "spot" ? [baseCurrency, quoteCurrency] : [settlementCurrency];
}

/** Replaces what the market maker offers in an instrument, and tells its book the prices that triggers watch. */
function requote(
  engine: Engine,
  market: ExchangeMarket,
  instrument: TradedInstrument,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): Fact[] {
  const { name, tick, indexName } = instrument;
  const ticks = (price: number): number => roundToSteps(price, tick, "nearest");
  const { min, max } = market.band(instrument, atMs);
  const isOwn = (order: OrderView): boolean => order.instrument === name;
  const prices = {
    mark: ticks(market.marks.mark(instrument, atMs)),
    index: ticks(market.indexes.price(indexName, atMs)),
    last: market.tape.last(instrument, atMs).price,
    low: min,
    high: max,
  };
  const { bids, asks } = market.ladder(instrument, atMs);
  const place = (direction: Side, { price, amount }: VisibleLevel): readonly Fact[] =>
    engine.place({ account: MARKET_ACCOUNT, instrument: name, direction, amount, price }, nowMs).facts;
  return [
    ...engine.cancelAll({ account: MARKET_ACCOUNT, where: isOwn, reason: "user_request" }, nowMs),
    ...engine.setPrices(name, prices, nowMs),
    ...bids.flatMap((level) => place("buy", level)),
    ...asks.flatMap((level) => place("sell", level)),
  ];
}

/** Makes the IDs of the market maker's orders, which are never shown, and leaves those of accounts to `make`. */
export function createVenueIds(random: Random, make: Ids["order"]): Pick<Ids, "order" | "link"> {
  const counts = { quotes: 0, links: 1_838_800 };
  return {
    order: (order) => (order.account === MARKET_ACCOUNT ? `market-${++counts.quotes}` : make(order)),
    link: () => `OCO-${(counts.links += 1 + Math.floor(random() * 3))}`,
  };
}
