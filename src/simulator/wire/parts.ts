import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { AccessLog } from "../accounts/accessLog.ts";
import type { AccountRegister } from "../accounts/accountRegister.ts";
import { announceLiquidation, announcePortfolio, announceOpenPortfolios } from "../accounts/portfolioEvents.ts";
import { ACCOUNTS, createAccount, type AccountPorts, type SimulatedAccount } from "../accounts/accounts.ts";
import { createApiKeys, firstKeys, type ApiKeys } from "../access/apiKeys.ts";
import { fixedOf } from "../../exchange/ledger/money.ts";
import { describeAccount, type DescribedAccount } from "./accountFile.ts";
import type { Listing } from "../market/listing.ts";
import { repeat } from "../market/repeat.ts";
import { createOrderIds } from "../market/orders.ts";
import type { Demo } from "../demo/demo.ts";
import { specDraft } from "../methods/orderTerms.ts";
import { createVenue, createVenueIds, type Venue, type VenuePorts } from "../market/venue.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { createSeededRandom, namedSeed, randomText } from "../text/seededRandom.ts";
import type { ExchangeTrade } from "../../exchange/instrument.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import type { World } from "../market/world.ts";

/** The accounts of the owner. */
export interface OwnAccounts {
  readonly main: SimulatedAccount;
  /** The main account and its subaccounts; those that are opened later are added to it. */
  readonly all: readonly SimulatedAccount[];
}

/** Makes the main account and its subaccounts, of which one has a few orders and one has nothing. */
export function createAccounts(
  ports: AccountPorts & { readonly news: VenueNews; readonly register: AccountRegister },
): OwnAccounts {
  const [first, ...others] = ACCOUNTS;
  const main = createAccount(first, ports);
  const subs = others.map((identity) => createAccount(identity, ports));
  const all = [main, ...subs];
  for (const account of all) ports.news.add(account);
  for (const price of [0.0405, 0.0415]) {
    const terms = {
      instrument_name: `BTC-${ports.venue.listing.quarterly(0)}-102000-C`,
      direction: "buy",
      amount: 5,
      price,
      label: "sub",
    } as const;
    if (subs[0] !== undefined) subs[0].world.place(specDraft(subs[0].world, terms));
  }
  ports.register.onOpened((profile) => {
    const account = createAccount(profile, ports);
    all.push(account);
    ports.news.add(account);
  });
  return { main, all };
}

/** Returns what the accounts begin with: the main one, and the subaccount that trades options. */
function beginnings({ instruments, quarterly }: Listing): readonly [main: DescribedAccount, options: DescribedAccount] {
  const main = {
    balances: { BTC: 12.5, ETH: 150, USDC: 250_000, USDT: 40_000 },
    positions: [
      { instrument_name: "BTC-PERPETUAL", size: 45_000, average_price: 88_240.5 },
      { instrument_name: `BTC-${quarterly(1)}`, size: -20_000, average_price: 97_310 },
      { instrument_name: `BTC-${quarterly(0)}-96000-C`, size: 2.5, average_price: 0.0715 },
      { instrument_name: "ETH-PERPETUAL", size: -30_000, average_price: 2141.35 },
      { instrument_name: "SOL_USDC-PERPETUAL", size_currency: 120, average_price: 136.42 },
      { instrument_name: `XRP_USDC-${quarterly(0)}-2d25-C`, size: -4000, average_price: 0.2418 },
    ],
  };
  return [describeAccount(main, instruments), describeAccount({ balances: { BTC: 2 } })];
}

interface TradingVenuePorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly news: VenueNews;
  readonly accounts: AccountRegister;
  readonly publisher: Publisher;
  readonly stepMs?: number | undefined;
  /** The instruments, as they are listed at the beginning. */
  readonly listing: Listing;
  /** What the main account begins with instead of the usual money and positions. */
  readonly account?: DescribedAccount | undefined;
  /** Sends a spot order to the partner's exchange; undefined where spot is matched at the venue. */
  readonly send?: ((orderId: string) => void) | undefined;
}

/** Makes the venue that the accounts trade at, with their money. */
export function createTradingVenue(ports: TradingVenuePorts): Venue {
  const { clock, seed, stepMs, news, accounts, publisher, listing, account, send } = ports;
  const random = createSeededRandom(namedSeed(seed, "orders in the books"));
  const venue: Venue = createVenue({
    clock,
    stepMs,
    seed: namedSeed(seed, "market"),
    listing,
    send,
    ids: createVenueIds(random, createOrderIds(random, listing.instruments)),
    ...news,
    onFact(fact) {
      const name = fact.kind === "book" ? fact.instrument : fact.kind === "trade" ? fact.trade.instrument : undefined;
      const instrument = name === undefined ? undefined : listing.instruments.get(name);
      if (instrument !== undefined) publisher.touch(instrument);
      news.onFact(fact);
    },
    selfTrading: (account) => {
      const { selfTrading, isSelfTradingExtended } = accounts.find(Number(account)) ?? accounts.main;
      const mainAccount = String(accounts.main.id);
      return { mode: selfTrading, extendsToSubaccounts: isSelfTradingExtended, mainAccount };
    },
    onAccountChange: (account, currency) => announcePortfolio({ publisher, venue }, Number(account), currency),
    onLiquidation: (change) => announceLiquidation({ publisher, venue }, change),
    onBeat: () => publisher.flush(),
  });
  const [main, options] = beginnings(listing);
  openAccount(venue, String(accounts.main.id), account ?? main, clock.now());
  openAccount(venue, String(ACCOUNTS[1]?.id), options, clock.now());
  venue.margins.begin();
  return venue;
}

/** Gives an account the positions and the money that it is described with. */
function openAccount(venue: Venue, id: string, { balances, positions }: DescribedAccount, nowMs: number): void {
  const { ledger } = venue;
  for (const [currency, amount] of balances) ledger.deposit(id, { currency, amount: fixedOf(amount) }, nowMs);
  for (const { instrument, amount, averagePrice } of positions)
    // What has expired since the description was read was delivered.
    if (venue.instrument(instrument.name) !== undefined)
      ledger.open(id, { instrument, amount: fixedOf(amount), price: fixedOf(averagePrice) });
}

const DEFAULT_CLIENT_ID = "simulator";
const FULL_SCOPE =
  "account:read_write block_rfq:read_write block_trade:read_write custody:read_write trade:read_write wallet:read_write";

interface KeyOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly accessLog: AccessLog;
  /** The account whose access log has the changes. */
  readonly owner: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly publicKey?: string;
  readonly maxScope?: string;
}

/** Makes the keys of the first world; each change is an entry of the access log. */
export function createKeys({ clock, seed, accessLog, owner, ...own }: KeyOptions): {
  readonly apiKeys: ApiKeys;
  readonly clientId: string;
  readonly clientSecret: string;
} {
  const random = createSeededRandom(namedSeed(seed, "secret"));
  const secret = (): string => randomText(random, 43);
  const clientId = own.clientId ?? DEFAULT_CLIENT_ID;
  const clientSecret = own.clientSecret ?? secret();
  const apiKeys = createApiKeys(
    {
      clock,
      secret,
      clientId: () => randomText(random, 8),
      onChange: (log, key) => accessLog.add(log, key.client_id, owner),
    },
    firstKeys(
      {
        client_id: clientId,
        client_secret: clientSecret,
        ...(own.publicKey === undefined ? {} : { public_key: own.publicKey }),
        max_scope: own.maxScope ?? FULL_SCOPE,
      },
      { secret, nowMs: clock.now() },
    ),
  );
  return { apiKeys, clientId, clientSecret };
}

/** The ports of the motion. */
interface MotionPorts {
  readonly clock: Clock;
  readonly publisher: Publisher;
  readonly venue: Venue;
  readonly accounts: AccountRegister;
  readonly demo: Demo;
  /** How often the market moves, in ms. */
  readonly stepMs: number;
  /** Whether the demo trades on its own. */
  readonly isDemoOn: boolean;
  /** Called with the error of a failed move, which is a defect. */
  readonly onDefect: (error: unknown) => void;
}

/** What happens on its own, until it is still. */
interface Motion {
  readonly setStill: (isStill: boolean) => void;
  /** Lets the demo trade on its own while the market moves, or stops it; the other one when left out. */
  readonly setDemo: (isOn?: boolean) => boolean;
  /** Brings the market to now, and tells its subscribers. */
  readonly tellMarket: () => void;
}

/** Makes the motion: the market moves each second, and the demo at its own pace. */
export function createMotion(ports: MotionPorts): Motion {
  const { clock, publisher, venue, accounts, demo, stepMs, isDemoOn, onDefect } = ports;
  const tellMarket = (): void => {
    try {
      venue.catchUp(venue.liveNames());
      announceOpenPortfolios({ publisher, venue, accounts });
    } catch (error) {
      onDefect(error);
    }
    publisher.touch();
    publisher.flush();
  };
  let market: Disposable | undefined;
  let isOn = isDemoOn;
  const follow = (): void => demo.setOn(isOn && market !== undefined);
  return {
    setStill(isStill) {
      // The prices at which it stands still may be later than those that were told last.
      if (isStill && market !== undefined) tellMarket();
      market?.dispose();
      market = isStill ? undefined : repeat(clock, () => stepMs, tellMarket);
      follow();
    },
    tellMarket,
    setDemo(isWanted = !isOn) {
      isOn = isWanted;
      follow();
      return isOn;
    },
  };
}

/** Carries what happens at the venue to the worlds of the accounts that it concerns. */
interface VenueNews extends Pick<VenuePorts, "onFact" | "onAccountTrade" | "onDone"> {
  /** Lets an account hear of its orders from now on. */
  add(account: Listener): void;
}

/** An account, as far as it hears of its orders. */
interface Listener {
  readonly id: number;
  readonly world: World;
  /** Freezes its orders once all fills of an operation are counted. */
  readonly mmp: { settle(): void };
}

export function createVenueNews(): VenueNews {
  const listeners = new Map<string, Listener>();
  /** The sides of trades that are booked, and will be announced once their operation is over. */
  let booked: AccountTrade[] = [];
  const tell = (trade: ExchangeTrade): void => {
    const sides = booked.filter((side) => side.trade === trade);
    booked = booked.filter((side) => side.trade !== trade);
    // Both of its sides may be accounts; the public sees one trade.
    const own = sides.find(({ account }) => listeners.has(account));
    const made = own && listeners.get(own.account)?.world.announceTrade(trade);
    if (made !== undefined) for (const side of sides) listeners.get(side.account)?.world.traded(side, made);
  };
  return {
    add: (account) => void listeners.set(String(account.id), account),
    onAccountTrade: (side) => void booked.push(side),
    onFact(fact) {
      if (fact.kind === "trade") tell(fact.trade);
      else if (fact.kind !== "book") listeners.get(fact.order.account)?.world.take(fact);
    },
    onDone() {
      for (const { world, mmp } of listeners.values()) {
        world.done();
        mmp.settle();
      }
    },
  };
}

/**
 * The way of spot orders to the partner's exchange: they are acknowledged first, and their fills come later.
 * https://docs.deribit.com/articles/spot-trading-venues
 */
interface Routing extends Disposable {
  /** Lets an order that was sent arrive after a while. */
  readonly send: (orderId: string) => void;
}

/** How long an order is on its way, in ms: at least this, and up to a range more. No figure is documented. */
const LEAST_MS = 50;
const RANGE_MS = 250;

interface RoutingPorts {
  readonly clock: Clock;
  /** The seed that decides how long each order is on its way. */
  readonly seed: number;
  readonly publisher: Pick<Publisher, "flush">;
  readonly venue: () => Venue;
}

/** Makes the way of the spot orders of a venue. */
export function createRouting({ clock, seed, publisher, venue }: RoutingPorts): Routing {
  const random = createSeededRandom(namedSeed(seed, "routing"));
  const timers = new Set<Disposable>();
  const arrive = (orderId: string): void => {
    const order = venue().books.find(orderId);
    if (order !== undefined) venue().operate(order.instrument, (engine, nowMs) => engine.arrive(orderId, nowMs));
    publisher.flush();
  };
  return {
    send(orderId) {
      const timer = clock.after(LEAST_MS + Math.floor(random() * RANGE_MS), () => {
        timers.delete(timer);
        arrive(orderId);
      });
      timers.add(timer);
    },
    dispose: () => {
      for (const timer of timers) timer.dispose();
    },
  };
}
