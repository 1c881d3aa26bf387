import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import type { AccessLog } from "../accounts/accessLog.ts";
import type { AccountRegister } from "../accounts/accountRegister.ts";
import { moveAccount, startAccountMotion } from "../accounts/accountMotion.ts";
import { announcePortfolio, announceOpenPortfolios } from "../accounts/portfolioEvents.ts";
import { ACCOUNTS, createAccount, type SimulatedAccount } from "../accounts/accounts.ts";
import { createApiKeys, firstKeys, type ApiKeys } from "../access/apiKeys.ts";
import { fixedOf } from "../../exchange/ledger/money.ts";
import type { BookOrder } from "../../exchange/orders/order.ts";
import { describeAccount, type DescribedAccount } from "./accountFile.ts";
import { INSTRUMENTS } from "../market/instruments.ts";
import type { Market } from "../market/market.ts";
import { startMarketMotion } from "../market/marketMotion.ts";
import { createOrderIds, type OrderIds } from "../market/orders.ts";
import { createVenue, createVenueIds, type Venue } from "../market/venue.ts";
import type { VenueNews } from "../market/venueNews.ts";
import { moveOnce, startMotion } from "../market/motion.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { createSeededRandom, namedSeed, randomText } from "../text/seededRandom.ts";

/** The accounts of the owner. */
export interface OwnAccounts {
  readonly main: SimulatedAccount;
  /** The main account and its subaccounts; those that are opened later are added to it. */
  readonly all: readonly SimulatedAccount[];
}

/** Makes the main account and its subaccounts, of which one has a few orders and one has nothing. */
export function createAccounts(ports: {
  readonly clock: Clock;
  readonly seed: number;
  readonly publisher: Publisher;
  readonly venue: Venue;
  readonly market: Market;
  readonly news: VenueNews;
  readonly register: AccountRegister;
}): OwnAccounts {
  const [first, ...others] = ACCOUNTS;
  const main = createAccount(first, ports);
  const subs = others.map((identity) => createAccount(identity, { ...ports, beside: main }));
  for (const price of [0.0405, 0.0415])
    subs[0]?.world.place({
      instrument_name: "BTC-26MAR27-102000-C",
      direction: "buy",
      amount: 5,
      price,
      user_id: subs[0].id,
      label: "sub",
    });
  const all = [main, ...subs];
  for (const account of all) ports.news.add(account);
  ports.register.onOpened((profile) => {
    const account = createAccount(profile, { ...ports, beside: main });
    all.push(account);
    ports.news.add(account);
  });
  return { main, all };
}

/** The distance of the IDs of orders in the books from those that the accounts' own worlds issue. */
const BOOK_IDS_OFFSET = 5_000_000;

/** What the accounts begin with: the main one, and the subaccount that trades options. */
const BEGINNINGS: readonly [main: DescribedAccount, options: DescribedAccount] = [
  describeAccount({
    balances: { BTC: 12.5, ETH: 150, USDC: 250_000, USDT: 40_000 },
    positions: [
      { instrument_name: "BTC-PERPETUAL", size: 45_000, average_price: 88_240.5 },
      { instrument_name: "BTC-25JUN27", size: -20_000, average_price: 97_310 },
      { instrument_name: "BTC-26MAR27-96000-C", size: 2.5, average_price: 0.0715 },
      { instrument_name: "ETH-PERPETUAL", size: -30_000, average_price: 2141.35 },
      { instrument_name: "SOL_USDC-PERPETUAL", size_currency: 120, average_price: 136.42 },
      { instrument_name: "XRP_USDC-26MAR27-2d25-C", size: -4000, average_price: 0.2418 },
    ],
  }),
  describeAccount({ balances: { BTC: 2 } }),
];

export interface TradingVenuePorts {
  readonly clock: Clock;
  readonly seed: number;
  readonly news: VenueNews;
  readonly accounts: AccountRegister;
  readonly publisher: Publisher;
  /** What the main account begins with instead of the usual money and positions. */
  readonly account?: DescribedAccount | undefined;
}

/** Makes the venue that the accounts trade at, with their money. */
export function createTradingVenue({ clock, seed, news, accounts, publisher, account }: TradingVenuePorts): Venue {
  const random = createSeededRandom(namedSeed(seed, "orders in the books"));
  const orderIds = createOrderIds(random, BOOK_IDS_OFFSET);
  const venue: Venue = createVenue({
    clock,
    seed: namedSeed(seed, "market"),
    instruments: INSTRUMENTS,
    ids: createVenueIds(random, (order) => orderId(orderIds, order)),
    ...news,
    onFact(fact) {
      const name = fact.kind === "book" ? fact.instrument : fact.kind === "trade" ? fact.trade.instrument : undefined;
      const instrument = name === undefined ? undefined : INSTRUMENTS.get(name);
      if (instrument !== undefined) publisher.touch(instrument);
      news.onFact(fact);
    },
    selfTrading: (account) => {
      const { selfTrading, isSelfTradingExtended } = accounts.find(Number(account)) ?? accounts.main;
      const mainAccount = String(accounts.main.id);
      return { mode: selfTrading, extendsToSubaccounts: isSelfTradingExtended, mainAccount };
    },
    onAccountChange: (account, currency) => {
      announcePortfolio({ publisher, venue }, Number(account), currency);
    },
  });
  const [main, options] = BEGINNINGS;
  openAccount(venue, String(accounts.main.id), account ?? main, clock.now());
  openAccount(venue, String(ACCOUNTS[1]?.id), options, clock.now());
  return venue;
}

/** Gives an account the positions and the money that it is described with. */
function openAccount({ ledger }: Venue, id: string, { balances, positions }: DescribedAccount, nowMs: number): void {
  for (const [currency, amount] of balances) ledger.deposit(id, { currency, amount: fixedOf(amount) }, nowMs);
  for (const { instrument, amount, averagePrice } of positions)
    ledger.open(id, { instrument, amount: fixedOf(amount), price: fixedOf(averagePrice) });
}

/** Makes the ID of an order that an account places. */
function orderId(ids: OrderIds, order: Omit<BookOrder, "id">): string {
  const instrument = INSTRUMENTS.get(order.instrument);
  if (instrument === undefined) throw new RangeError(`There is no instrument ${order.instrument}.`);
  return ids.next(instrument, {
    instrument_name: instrument.name,
    direction: order.direction,
    amount: order.amount,
    order_type: order.type,
    is_secondary_oto: order.isSecondaryOto,
    ...(order.trigger === undefined ? {} : { trigger: order.trigger }),
  });
}

const DEFAULT_CLIENT_ID = "simulator";
const FULL_SCOPE =
  "account:read_write block_rfq:read_write block_trade:read_write custody:read_write trade:read_write wallet:read_write";

export interface KeyOptions {
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
      onChange: (log, key) => {
        accessLog.add(log, key.client_id, owner);
      },
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

export interface MotionOptions {
  readonly clock: Clock;
  readonly publisher: Publisher;
  readonly venue: Venue;
  readonly accounts: AccountRegister;
  readonly seed: number;
  readonly account: SimulatedAccount;
  /** All accounts, whose orders in the books trade while the market moves. */
  readonly worlds: readonly SimulatedAccount[];
  /** The chance that decides what happens to orders. */
  readonly chance: Random;
  readonly orders: number;
  readonly updatesPerSecond: number | undefined;
  readonly log: Log;
}

/** The automatic motion, until it is still. */
export interface Motion {
  readonly setStill: (isStill: boolean) => void;
  readonly moveOrders: () => void;
  readonly moveAccount: () => void;
}

/** Makes the motion: orders move at their pace, the market each second, all else now and then. */
export function createMotion({
  clock,
  publisher,
  venue,
  accounts,
  seed,
  account,
  worlds,
  chance,
  orders,
  updatesPerSecond,
  log,
}: MotionOptions): Motion {
  const { world } = account;
  const accountChance = createSeededRandom(namedSeed(seed, "account moves"));
  const onDefect = (error: unknown): void => {
    log.error(`The simulator failed: ${String(error)}`);
  };
  const flush = (): void => {
    publisher.flush();
  };
  const tradedNames = (): Iterable<string> => new Set(worlds.flatMap((each) => [...each.world.books.instruments()]));
  const tellMarket = (): void => {
    try {
      venue.catchUp(tradedNames());
      announceOpenPortfolios({ publisher, venue, accounts });
    } catch (error) {
      onDefect(error);
    }
    publisher.touch();
    flush();
  };
  let running: readonly Disposable[] = [];
  return {
    setStill(isStill) {
      for (const each of running) each.dispose();
      // The prices at which it stands still may be later than those that were told last.
      if (isStill && running.length > 0) tellMarket();
      running = isStill
        ? []
        : [
            startMotion({ clock, random: chance, world, orders, updatesPerSecond, onMoved: flush, onDefect }),
            startAccountMotion({ clock, random: accountChance, account, onMoved: flush }),
            startMarketMotion(clock, tellMarket),
          ];
    },
    moveOrders: () => {
      moveOnce({ random: chance, world, orders });
    },
    moveAccount: () => {
      moveAccount({ clock, random: accountChance, account });
    },
  };
}
