import type { Clock, Random } from "../../base/clock.ts";
import type { Fact } from "../../exchange/facts.ts";
import { liquidatedSide, type ExchangeTrade, type TradedInstrument } from "../../exchange/instrument.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../exchange/ledger/ledger.ts";
import { neededCurrencies } from "../../exchange/ledger/maintenance.ts";
import type { AccountTrade, LedgerPorts } from "../../exchange/ledger/state.ts";
import {
  type LiquidationChange,
  createMarginWatch,
  type MarginWatch,
} from "../../exchange/liquidation/liquidations.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";
import {
  createExchangeMarket,
  marketPrices,
  type ExchangeMarket,
  passTime,
  type PassingPorts,
} from "../../exchange/market/market.ts";
import type { Print } from "../../exchange/market/candles.ts";
import { createPlatform, type Platform } from "../../exchange/market/platform.ts";
import type { BookState } from "../../exchange/orders/bookState.ts";
import type { EnginePorts } from "../../exchange/orders/engineCore.ts";
import { createEngine, type Engine, type EngineOutcome, type OutsideTrade } from "../../exchange/orders/engine.ts";
import type { OrderView } from "../../exchange/orders/order.ts";
import { createParticipants, type Participants } from "../../exchange/participants/participants.ts";
import { indexOf, type CoinName } from "./instruments.ts";
import type { Listing } from "./listing.ts";
import type { NumberedOrder } from "./orders.ts";
import { invalidParam } from "../text/errors.ts";
import { COINS, createTradedInstruments } from "./traded.ts";

/**
 * The exchange that all accounts trade at: books, ledger, and market, kept at the same moment. A maker quotes every
 * instrument that is looked at, around its mark, and takers come to the books in which accounts have orders; all trade
 * with each other by one set of rules.
 */
export interface Venue {
  readonly ledger: ExchangeLedger;
  readonly market: ExchangeMarket;
  /** The books, for reading. What changes them goes through `operate`. */
  readonly books: Pick<Engine, "find" | "open" | "closed" | "depth" | "refuses">;
  /** The time until which everything has happened, in ms since the epoch. */
  readonly nowMs: number;
  /** The moment whose prices hold: `nowMs`, or since when the market stands still. */
  readonly marketMs: number;
  /** Returns an instrument as it is traded; undefined for a combo, and where there is none. */
  readonly instrument: (name: string) => TradedInstrument | undefined;
  /** What is listed, at the venue's moment. */
  readonly listing: Listing;
  /** What holds for all books: settlement, locks, and maintenance. */
  readonly platform: Platform;
  /** Returns the state that the book of an instrument is in now, also that of a combo. */
  bookState(instrument: TradedInstrument): BookState;
  /** Whether an instrument is matched at the partner's exchange. */
  isRouted(instrument: Pick<TradedInstrument, "kind">): boolean;
  /** Carries out an operation on the book of an instrument that is traded, after what is due by now. */
  operate<T extends EngineOutcome | readonly Fact[]>(name: string, work: (engine: Engine, nowMs: number) => T): T;
  /** What `Participants` do, in the book of the instrument with a name, after what is due by now. */
  readonly take: Named<Participants["take"]>;
  readonly arrive: Named<Participants["arrive"]>;
  readonly restore: Named<Participants["restore"]>;
  /** Books a trade that was made outside of the books, and returns it. */
  report(trade: OutsideTrade): ExchangeTrade;
  /** Makes the ID of an order that no book has: of a leg of a block trade. */
  readonly nextOrderId: (order: NumberedOrder) => string;
  /** Returns the instruments in whose books accounts have or had orders. */
  liveNames(): string[];
  /** Lets happen what is due by now: funding, settlement, delivery; and prices and quotes of these instruments. */
  catchUp(names: Iterable<string>): void;
  /** Returns what the tape has of a trade that was made here; undefined before it is on the tape. */
  readonly print: (trade: ExchangeTrade) => Print | undefined;
  /** Moves the prices of a currency by a percentage. Throws a refusal for one that has none to move. */
  movePrice(currency: string, percent: number): void;
  /** Makes the prices of the market stand still, or go on with the time of now. */
  setStill(isStill: boolean): void;
  /** Liquidates the accounts that are short of margin. */
  readonly margins: Pick<MarginWatch, "begin" | "dispose">;
}

/** A function of an instrument that takes its name. */
type Named<Work> = Work extends (instrument: TradedInstrument, ...rest: infer Rest) => infer Result
  ? (name: string, ...rest: Rest) => Result
  : never;

export interface VenuePorts {
  readonly clock: Clock;
  readonly seed: number;
  /** How often the books are quoted while time passes, in ms (default: each second). */
  readonly stepMs?: number | undefined;
  /** The instruments, as they are listed at the beginning. */
  readonly listing: Listing;
  readonly ids: VenueIds;
  /** Returns what happens where an account would trade with itself, or with another account of its owner. */
  readonly selfTrading: EnginePorts["selfTrading"];
  /** Sends a spot order to the partner's exchange, where it arrives later; undefined where spot is matched here. */
  readonly send?: ((orderId: string) => void) | undefined;
  /** Called with everything that happens in the books, in its order, once the operation is over. */
  readonly onFact: (fact: Fact) => void;
  /** Called when all that happened in an operation was told. */
  readonly onDone: () => void;
  /** Called with a trade as each of its two accounts sees it, when it is booked. */
  readonly onAccountTrade: (trade: AccountTrade) => void;
  /** Called with an account whose money, positions, or orders in a currency change, possibly amid the change. */
  readonly onAccountChange: (account: string, currency: string) => void;
  /** Called when a liquidation begins or ends. */
  readonly onLiquidation: (change: LiquidationChange) => void;
  /** Called after the venue did something automatically, not within a call of its functions. */
  readonly onBeat: () => void;
}

/** The account of all simulated participants. No user has it, or the one that fees go to. */
export const MARKET_ACCOUNT = "market";
const FEE_ACCOUNT = "fees";

/** Participants are many: one of them may trade with another. */
const MARKET_SELF_TRADING: ReturnType<EnginePorts["selfTrading"]> = {
  mode: "allow",
  extendsToSubaccounts: false,
  mainAccount: MARKET_ACCOUNT,
};

/** How many entries of logs and trades are kept of each account that can be asked for. */
const KEPT_ENTRIES = 10_000;

/** Makes a venue whose market begins now. */
export function createVenue(ports: VenuePorts): Venue {
  const { clock, seed, stepMs = SECOND_MS, listing, ids } = ports;
  const startMs = clock.now();
  const { find, due } = createTradedInstruments(listing);
  const platform = createPlatform(new Set([...listing.instruments.keys()].map(indexOf)), startMs);
  const market = createExchangeMarket({ seed, startMs, coins: COINS });
  const time = { nowMs: startMs, passedMs: startMs };
  const marketMs = (): number => market.pauses.heldAt(time.nowMs);
  /** The moment whose prices the ledger sees; while time is made to pass it is in the past. */
  let pricesMs = startMs;
  const { ledger, engine } = createBooks(ports, { instrument: find, prices: marketPrices(market, () => pricesMs) });
  const mustFind = (name: string): TradedInstrument => {
    const found = find(name);
    if (found === undefined) throw new RangeError(`${name} is not traded.`);
    return found;
  };
  const { announce, print } = createAnnouncing(ports, { market, mustFind, others: () => others });
  const others = createParticipants({
    engine,
    market,
    account: MARKET_ACCOUNT,
    moment: () => ({ marketMs: marketMs(), nowMs: time.nowMs }),
    isOpen: (instrument) => keepState(instrument) === "open",
    announce,
  });
  const bookState = (instrument: TradedInstrument): BookState =>
    (instrument.expiresAtMs ?? Infinity) <= marketMs() ? "closed" : platform.bookState(instrument, time.nowMs);
  /** Puts a book into the state that it has now, and returns it. */
  const keepState = (instrument: TradedInstrument): BookState => {
    const [state, name] = [bookState(instrument), instrument.name];
    if (engine.bookState(name) !== state) announce(engine.setBookState(name, state, time.nowMs));
    return state;
  };
  const passing: Omit<PassingPorts, "instruments"> = {
    ledger,
    market,
    setNow: (atMs) => {
      pricesMs = atMs;
    },
    onExpiry: (instrument) => {
      others.end(instrument);
      keepState(instrument);
      engine.forget(instrument.name);
    },
  };
  const priceAt = (coin: CoinName, atMs: number): number => market.indexes.price(`${coin.toLowerCase()}_usd`, atMs);
  /** Lets time pass for the accounts, up to the time of now. */
  const passMarketTime = (): void => {
    const untilMs = marketMs();
    const fromMs = time.passedMs;
    if (untilMs <= fromMs) return;
    time.passedMs = untilMs;
    const affected = due(fromMs, untilMs);
    passTime({ ...passing, instruments: () => affected }, fromMs, untilMs);
    listing.advance(untilMs, priceAt);
  };
  const pass = (): void => {
    // Never back: a clock that was set back stands until it has caught up.
    for (const moment of momentsBetween(time.nowMs, clock.now(), stepMs)) {
      const before = marketMs();
      time.nowMs = moment;
      passMarketTime();
      others.tradeSince(before);
    }
    time.nowMs = Math.max(time.nowMs, clock.now());
    passMarketTime();
    margins.advance(time.nowMs);
  };
  const margins = createMarginWatch({
    ...{ clock, ledger, engine, onFacts: announce, onChange: ports.onLiquidation },
    restore: (name) => others.restore(mustFind(name)),
    onSecond() {
      pass();
      ports.onBeat();
    },
  });
  const now = byName((name) => {
    pass();
    return mustFind(name);
  });
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
    instrument: find,
    listing,
    platform,
    bookState(instrument) {
      pass();
      return bookState(instrument);
    },
    isRouted: ({ kind }) => ports.send !== undefined && kind === "spot",
    operate(name, work) {
      pass();
      others.quote(mustFind(name));
      const outcome = work(engine, time.nowMs);
      announce("isDone" in outcome ? outcome.facts : outcome);
      return outcome;
    },
    take: now(others.take),
    arrive: now(others.arrive),
    restore: now(others.restore),
    report(trade) {
      pass();
      const facts = engine.report(trade, time.nowMs);
      announce(facts);
      const [made] = facts.flatMap((fact) => (fact.kind === "trade" ? [fact.trade] : []));
      if (made === undefined) throw new RangeError(`A trade of ${trade.instrument} was not told.`);
      return made;
    },
    nextOrderId: ids.order,
    liveNames: others.liveNames,
    catchUp(names) {
      pass();
      for (const name of names) others.quote(mustFind(name));
    },
    print,
    movePrice: (currency, percent) => moveIndex({ pass, market, others, marketMs }, currency, percent),
    setStill(isStill) {
      pass();
      market.pauses[isStill ? "begin" : "end"](time.nowMs);
    },
    margins,
  };
}

/** Moves the prices of a currency by a percentage from now on. */
function moveIndex(
  ports: {
    readonly pass: () => void;
    readonly market: ExchangeMarket;
    readonly others: Pick<Participants, "forgetQuotes">;
    readonly marketMs: () => number;
  },
  currency: string,
  percent: number,
): void {
  if (!COINS.has(currency)) throw invalidParam("currency", `one of ${[...COINS.keys()].join(", ")}`);
  if (!(percent > -99 && percent <= 1000)) throw invalidParam("percent", "more than -99, and 1000 at most");
  ports.pass();
  ports.market.indexes.move(currency, 1 + percent / 100, ports.marketMs());
  ports.others.forgetQuotes();
}

/** Returns what makes a function of an instrument one of its name. */
function byName(
  find: (name: string) => TradedInstrument,
): <Rest extends readonly unknown[], T>(
  work: (instrument: TradedInstrument, ...rest: Rest) => T,
) => (name: string, ...rest: Rest) => T {
  return (work) =>
    (name, ...rest) =>
      work(find(name), ...rest);
}

/** Makes what tells of all that happens, and keeps what the tape has of each trade. */
function createAnnouncing(
  ports: VenuePorts,
  {
    market,
    mustFind,
    others,
  }: {
    readonly market: ExchangeMarket;
    readonly mustFind: (name: string) => TradedInstrument;
    readonly others: () => Participants;
  },
): { readonly announce: (facts: readonly Fact[]) => void; readonly print: Venue["print"] } {
  const prints = new WeakMap<ExchangeTrade, Print>();
  const record = (trade: ExchangeTrade): void => {
    const { instrument: name, price, amount, atMs, direction } = trade;
    const terms = { atMs, price, amount, direction, liquidation: liquidatedSide(trade) };
    prints.set(trade, market.tape.record(mustFind(name), terms));
  };
  return {
    print: (trade) => prints.get(trade),
    announce(facts) {
      for (const fact of facts) {
        if (fact.kind === "trade") record(fact.trade);
        else if (fact.kind !== "book" && fact.order.account !== MARKET_ACCOUNT)
          followOrder(fact.order, mustFind(fact.order.instrument), ports, others());
        ports.onFact(fact);
      }
      ports.onDone();
    },
  };
}

/** Lets others come to where an account has an order, and says whose margin may have changed. */
function followOrder(
  { account, state }: OrderView,
  instrument: TradedInstrument,
  { onAccountChange }: VenuePorts,
  others: Participants,
): void {
  if (state === "open" || state === "untriggered") others.goLive(instrument);
  for (const currency of neededCurrencies(instrument)) onAccountChange(account, currency);
}

/** Makes the books of a venue, and the ledger that they are kept in step with. */
function createBooks(
  { ids, selfTrading, send, onAccountTrade, onAccountChange }: VenuePorts,
  from: Pick<LedgerPorts, "instrument" | "prices">,
): { readonly ledger: ExchangeLedger; readonly engine: Engine } {
  const ledger = createExchangeLedger({
    ...from,
    onTrade: onAccountTrade,
    onEntry: ({ account, currency }) => {
      if (account !== MARKET_ACCOUNT && account !== FEE_ACCOUNT) onAccountChange(account, currency);
    },
    marketAccount: MARKET_ACCOUNT,
    feeAccount: FEE_ACCOUNT,
    keptEntries: (account) => (account === MARKET_ACCOUNT || account === FEE_ACCOUNT ? 1 : KEPT_ENTRIES),
  });
  const counts = { trades: 0, changes: 0 };
  const engine = createEngine({
    instrument: from.instrument,
    ids: { ...ids, trade: () => ++counts.trades, change: () => ++counts.changes },
    risk: ledger.risk,
    onSent: (orderId) => send?.(orderId),
    selfTrading: (account) => (account === MARKET_ACCOUNT ? MARKET_SELF_TRADING : selfTrading(account)),
  });
  return { ledger, engine };
}

/** At how many moments the books are quoted at most when much time has passed at once: a laptop was asleep. */
const MOST_MOMENTS = 60;

/** Returns the moments at which the books are quoted after one time and until another one: whole steps. */
function momentsBetween(afterMs: number, untilMs: number, stepMs: number): number[] {
  const [first, last] = [Math.floor(afterMs / stepMs) + 1, Math.floor(untilMs / stepMs)];
  const each = Math.max(1, Math.ceil((last - first + 1) / MOST_MOMENTS));
  const moments = [];
  for (let step = last; step >= first; step -= each) moments.unshift(step * stepMs);
  return moments;
}

/** Makes the IDs of the participants' orders, which are never shown, and leaves those of accounts to `make`. */
export function createVenueIds(random: Random, make: VenueIds["order"]): VenueIds {
  const counts = { participants: 0, links: 1_838_800 };
  return {
    order: (order) => (order.account === MARKET_ACCOUNT ? `market-${++counts.participants}` : make(order)),
    link: () => `OCO-${(counts.links += 1 + Math.floor(random() * 3))}`,
  };
}

/** The source of the IDs of orders, and of links between them. */
interface VenueIds {
  readonly order: (order: NumberedOrder) => string;
  readonly link: () => string;
}
