import type { Clock, Random } from "../../base/clock.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { ExchangeTrade } from "../../exchange/instrument.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import { roundToSteps } from "../../exchange/units.ts";
import { refusal } from "../text/errors.ts";
import { INSTRUMENTS, type SimulatedInstrument } from "./instruments.ts";
import { roundTo } from "../text/json.ts";
import { createBookOrders, type BookOrders } from "./bookOrders.ts";
import type { Market } from "./market.ts";
import type { SimulatedTrade } from "./publicTrades.ts";
import { createOrderBook, type OrderBook } from "./orderBook.ts";
import {
  createOrder,
  createOrderIds,
  isCancellable,
  orderText,
  type OrderIds,
  type OrderSpec,
  type WorldOrder,
} from "./orders.ts";
import { createSeededRandom } from "../text/seededRandom.ts";
import { MARKET_ACCOUNT, type Venue } from "./venue.ts";
import { createUserTrades, type UserTrade, type UserTrades } from "./userTrades.ts";

/**
 * The true state of the account and its markets. Every change to an order is announced, in order, and moves the order's
 * last_update_timestamp forward. What cannot be done is refused as the exchange does.
 *
 * An account has orders of two sorts. Those of the scenario are placed by the world itself, and fill when it says so:
 * they are in no book, because others could not trade with most of them. Those in the books are placed by the account.
 * Everything that reads, cancels, or fills finds both, and the trades of both are booked in one ledger.
 */
export interface World {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly market: Market;
  /** Returns open and untriggered orders: those of the scenario, then those in the books, each oldest first. */
  openOrders(): Iterable<WorldOrder>;
  /** The number of open and untriggered orders of the scenario. */
  readonly openCount: number;
  /** The orders of the account that are in the books, and what places them. */
  readonly books: BookOrders;
  /** Returns any order, the latest closed ones included. */
  order(id: string): WorldOrder | undefined;
  /** Whether an order is one of the scenario. */
  isOfScenario(id: string): boolean;
  /** Returns the closed orders that are remembered: those of the scenario, then the others, each oldest first. */
  closedOrders(): Iterable<WorldOrder>;
  /** Returns the trades that filled orders of the account, oldest first. */
  userTrades(): readonly UserTrade[];
  /** Returns the position in an instrument, signed; 0 without one. */
  position(instrumentName: string): number;
  /** Returns the order as it goes over the wire. */
  text(order: WorldOrder): string;
  /** Returns a random open order of the scenario; undefined when there are none. */
  pick(random: Random): WorldOrder | undefined;
  /**
   * Places an order of the scenario, now unless said otherwise; its identifier is chosen unless given. One that was
   * filled before the beginning has ended, and what it did to the account is part of what the account begins with.
   */
  place(spec: OrderSpec, made?: PlacedAs): WorldOrder;
  /** Fills an open order, wholly unless an amount is given. */
  fill(id: string, amount?: number): WorldOrder;
  /** Takes an order out; linked orders follow. Refuses with 10004, 10010 or 11044. */
  cancel(id: string, reason?: string): WorldOrder;
  /** Changes an open order as its owner or the exchange would. */
  amend(id: string, changes: OrderChanges): WorldOrder;
  /** Fires the trigger of an untriggered order: it ends as `triggered`, and another order replaces it. */
  fire(id: string): WorldOrder;
  /** Announces a trade that was booked at the venue to the public; returns it as the public sees it. */
  announceTrade(trade: ExchangeTrade): SimulatedTrade | undefined;
  /** To be told of a trade of one of the account's orders. `made`: the trade as the public sees it. */
  traded(booked: AccountTrade, made: SimulatedTrade): void;
  /** Makes a trade of an instrument. */
  trade(instrument: SimulatedInstrument): void;
  /** Returns an identifier for an order that is placed later. */
  nextId(spec: OrderSpec): string;
}

/** How an order of the scenario is placed. */
interface PlacedAs {
  readonly id?: string;
  readonly atMs?: number;
  readonly isFilledBefore?: true;
}

export interface OrderChanges {
  readonly price?: number;
  readonly amount?: number;
  readonly trigger_price?: number;
  readonly trigger_reference_price?: number;
  /** Whether the exchange changed it, to follow the price of an option. */
  readonly auto_replaced?: boolean;
}

export interface WorldPorts {
  readonly clock: Clock;
  /** The account's ID. */
  readonly id: number;
  readonly venue: Venue;
  readonly seed: number;
  readonly market: Market;
  /**
   * An offset that keeps identifiers of orders apart from those of other accounts: an exchange issues each of them
   * once.
   */
  readonly idOffset?: number;
  /** Called with each new state of an order, which is described only when it is needed. */
  readonly onOrder: (describe: () => WorldOrder, instrument: SimulatedInstrument) => void;
  readonly onTrade: (trade: SimulatedTrade, instrument: SimulatedInstrument) => void;
  /** Called with a trade that filled an order, as the account that placed it sees it. */
  readonly onUserTrade: (trade: UserTrade, order: WorldOrder, instrument: SimulatedInstrument) => void;
}

interface State extends WorldPorts {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly book: OrderBook;
  readonly books: BookOrders;
  readonly ids: OrderIds;
  readonly userTrades: UserTrades;
}

/** Makes an empty world: instruments and markets, no orders. */
export function createWorld(ports: WorldPorts): World {
  const instruments = INSTRUMENTS;
  const { market } = ports;
  const book = createOrderBook();
  const { venue, onOrder } = ports;
  const books = createBookOrders({ venue, account: String(ports.id), instruments, onOrder });
  const state: State = {
    ...ports,
    instruments,
    book,
    books,
    ids: createOrderIds(createSeededRandom(ports.seed), ports.idOffset ?? 0),
    userTrades: createUserTrades(),
  };
  return {
    instruments,
    market,
    books,
    openOrders: () => both(book.open(), books.open()),
    get openCount() {
      return book.openCount;
    },
    order: (id) => book.find(id) ?? books.find(id),
    isOfScenario: (id) => book.find(id) !== undefined,
    closedOrders: () => both(book.closed(), books.closed()),
    userTrades: () => state.userTrades.all(),
    position(name) {
      const own = venue.ledger.positions(String(ports.id)).find(({ instrument }) => instrument.name === name);
      return numberOf(own?.size ?? 0n);
    },
    text: (order) => orderText(order, instrumentOf(state, order)),
    pick: (random) => book.pick(random),
    place: (spec, made) => place(state, spec, made),
    fill(id, amount) {
      const order = book.find(id);
      return order === undefined ? books.fill(id, amount) : fill(state, order, amount);
    },
    cancel(id, reason) {
      const order = book.find(id);
      return order === undefined ? books.cancel(id, reason) : cancel(state, order, reason);
    },
    amend(id, changes) {
      const order = book.find(id);
      return order === undefined ? books.amend(id, changes) : amend(state, order, changes);
    },
    fire(id) {
      const order = book.find(id);
      return order === undefined ? books.fire(id) : fire(state, order);
    },
    announceTrade(trade) {
      const instrument = instruments.get(trade.instrument);
      const made = market.publicTrade(trade);
      if (instrument !== undefined && made !== undefined) ports.onTrade(made, instrument);
      return made;
    },
    traded(booked, made) {
      const instrument = instruments.get(booked.trade.instrument);
      const order = book.find(booked.orderId) ?? books.find(booked.orderId);
      if (instrument === undefined || order === undefined) return;
      const trade = state.userTrades.add(made, order, instrument, booked);
      if (book.find(order.order_id) === undefined) books.traded(trade);
      ports.onUserTrade(trade, order, instrument);
    },
    trade: (instrument) => {
      ports.onTrade(market.trade(instrument, ports.clock.now()), instrument);
    },
    nextId: (spec) => state.ids.next(instrumentOf(state, spec), spec),
  };
}

function* both(scenario: Iterable<WorldOrder>, inBooks: Iterable<WorldOrder>): Iterable<WorldOrder> {
  yield* scenario;
  yield* inBooks;
}

function instrumentOf(state: State, order: OrderSpec): SimulatedInstrument {
  const instrument = state.instruments.get(order.instrument_name);
  if (instrument === undefined) throw refusal(13020);
  return instrument;
}

/** Stamps, files and announces an order. A new one keeps the time it was made with. */
function announce(state: State, order: WorldOrder): void {
  const instrument = instrumentOf(state, order);
  if (state.book.find(order.order_id) === order)
    order.last_update_timestamp = Math.max(state.clock.now(), order.last_update_timestamp + 1);
  if (order.starbase_order_id !== undefined)
    order.starbase_last_update_timestamp = BigInt(order.last_update_timestamp) * 1_000_000n + 123_457n;
  state.book.keep(order);
  state.onOrder(() => order, instrument);
}

function place(state: State, spec: OrderSpec, made: PlacedAs = {}): WorldOrder {
  const instrument = instrumentOf(state, spec);
  const order = createOrder(spec, instrument, {
    id: made.id ?? state.ids.next(instrument, spec),
    nowMs: made.atMs ?? state.clock.now(),
  });
  if (made.isFilledBefore === true) {
    order.order_state = "filled";
    order.filled_amount = order.amount;
    if (typeof order.price === "number") order.average_price = order.price;
  }
  announce(state, order);
  return order;
}

function close(state: State, order: WorldOrder, orderState: string): void {
  order.order_state = orderState;
  announce(state, order);
  for (const { linked, action } of state.book.linkedTo(order)) {
    if (action === "activate") activate(state, linked);
    else if (isCancellable(linked)) cancel(state, linked, action);
  }
}

/** Activates an order whose awaited order has been filled. Trigger orders go on waiting for their trigger. */
function activate(state: State, order: WorldOrder): void {
  if (order.trigger === undefined) order.order_state = "open";
  announce(state, order);
}

function cancel(state: State, order: WorldOrder, reason = "user_request"): WorldOrder {
  if (order.order_state === "filled") throw refusal(10010);
  if (!isCancellable(order)) throw refusal(11044);
  order.cancel_reason = reason;
  if (reason === "mmp_trigger") order.mmp_cancelled = true;
  close(state, order, "cancelled");
  return order;
}

function fill(state: State, order: WorldOrder, amount = order.amount): WorldOrder {
  if (order.order_state === "filled") throw refusal(10010);
  if (order.order_state !== "open") throw refusal(11044);
  const instrument = instrumentOf(state, order);
  const before = order.filled_amount ?? 0;
  const filled = Math.min(order.amount, roundTo(before + Math.max(amount, instrument.lot), instrument.lot));
  const price = typeof order.price === "number" ? order.price : state.market.markPrice(instrument);
  const traded = roundTo(filled - before, instrument.lot);
  order.average_price = roundTo(
    ((order.average_price ?? 0) * before + price * traded) / filled,
    instrument.tickSize / 100,
  );
  order.filled_amount = filled;
  if (order.refresh_amount !== undefined)
    order.display_amount = Math.min(order.refresh_amount, roundTo(order.amount - filled, instrument.lot));
  if (filled >= order.amount) close(state, order, "filled");
  else announce(state, order);
  report(state, order, instrument, { price, amount: traded });
  return order;
}

/** Lets the venue book what filled an order of the scenario, with the market as the other side. */
function report(
  state: State,
  order: WorldOrder,
  instrument: SimulatedInstrument,
  { price, amount }: { readonly price: number; readonly amount: number },
): void {
  const { venue } = state;
  const opposite = order.direction === "buy" ? "sell" : "buy";
  const isTaker = order.order_type === "market";
  // The direction of a public trade is that of the taker.
  const direction = isTaker ? order.direction : opposite;
  const traded = venue.instrument(instrument.name);
  if (traded === undefined) {
    const made = state.market.trade(instrument, state.clock.now(), { direction, price, amount });
    state.onTrade(made, instrument);
    state.onUserTrade(state.userTrades.add(made, order, instrument, undefined), order, instrument);
    return;
  }
  const remaining = roundToSteps(order.amount - (order.filled_amount ?? 0), traded.lot, "nearest");
  const own = { orderId: order.order_id, account: String(state.id), remaining };
  const other = { orderId: "market", account: MARKET_ACCOUNT, remaining: 0 };
  venue.report({
    instrument: instrument.name,
    price: roundToSteps(price, traded.tick, "nearest"),
    amount: Math.max(1, roundToSteps(amount, traded.lot, "nearest")),
    direction,
    ...(isTaker ? { maker: other, taker: own } : { maker: own, taker: other }),
  });
}

function amend(state: State, order: WorldOrder, changes: OrderChanges): WorldOrder {
  if (!isCancellable(order)) throw refusal(11044);
  Object.assign(order, changes, changes.auto_replaced === true ? {} : { replaced: true });
  if (changes.amount !== undefined)
    order.contracts = Number((changes.amount / instrumentOf(state, order).contractSize).toPrecision(12));
  announce(state, order);
  return order;
}

function fire(state: State, order: WorldOrder): WorldOrder {
  if (order.trigger === undefined || order.order_state !== "untriggered") throw refusal(11044);
  order.triggered = true;
  close(state, order, "triggered");
  const child = place(state, childOf(order, state.market.markPrice(instrumentOf(state, order))));
  return child.order_type === "market" ? fill(state, child) : child;
}

/** Returns the order that replaces a fired trigger: it has a new identifier and points back. */
function childOf(order: WorldOrder, markPrice: number): OrderSpec {
  return {
    instrument_name: order.instrument_name,
    direction: order.direction,
    amount: order.amount,
    price: typeof order.price === "number" ? order.price : markPrice,
    order_type: order.order_type.endsWith("_limit") ? "limit" : "market",
    label: order.label ?? "",
    reduce_only: order.reduce_only ?? false,
    trigger_order_id: order.order_id,
  };
}
