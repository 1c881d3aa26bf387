import { createBook, type Book } from "../book/book.ts";
import type { Fact } from "../facts.ts";
import type { AccountId, TradedInstrument } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Risk } from "../risk.ts";
import type { Lots, Ticks } from "../units.ts";
import type { BookState } from "./bookState.ts";
import { createLinks, type LinkedPart, type Links } from "./links.ts";
import { createActivated, createTriggered, type Ids } from "./make.ts";
import {
  isWaitingOrder,
  remainingOf,
  type CancelCause,
  type FillCondition,
  type BookOrder,
  type PriceSource,
} from "./order.ts";
import { createTriggers, isMet, type Triggers } from "./triggers.ts";
import { createLatestMap, type LatestMap } from "../keepLatest.ts";

/** What the engine needs from outside. */
export interface EnginePorts {
  /** Returns an instrument that is traded; undefined where there is none. */
  instrument(name: string): TradedInstrument | undefined;
  readonly ids: Ids;
  readonly risk: Risk;
  /** Returns what the account wants where its orders would trade with its own. */
  selfTrading(account: AccountId): SelfTrading;
  /** Called with a routed order that is on its way: `arrive` is to be called later. */
  onSent?(orderId: string): void;
  /** The most orders of an account that may wait for a price, or for another order; the default is no limit. */
  readonly limits?: { readonly triggers?: number; readonly linked?: number };
}

export interface SelfTrading {
  /** Refuse the order that comes, cancel the one that rests, or let them trade. */
  readonly mode: "reject_taker" | "cancel_maker" | "allow";
  /** Whether orders of all accounts with the same main account count as its own. */
  readonly extendsToSubaccounts: boolean;
  readonly mainAccount: AccountId;
}

/** An instrument with its orders and prices. */
export interface TradedMarket {
  readonly instrument: TradedInstrument;
  readonly book: Book;
  readonly triggers: Triggers;
  readonly prices: { [Source in PriceSource]: Ticks | undefined };
  /** The lowest price at which an order may sell, and the highest at which one may buy. */
  band: { readonly low: Ticks | undefined; readonly high: Ticks | undefined };
  state: BookState;
  /** The number of trades so far. */
  tradeSeq: number;
}

/** What all operations have in common: the orders, the facts of the operation under way, and how orders close. */
export interface EngineCore {
  readonly ports: EnginePorts;
  readonly orders: OrderTable;
  readonly links: Links;
  /** The instant of the operation under way, in ms since the epoch. */
  readonly nowMs: number;
  /** Begins an operation. */
  begin(nowMs: number): void;
  /** Returns the facts of the operation, which is over. */
  finish(): Fact[];
  tell(fact: Fact): void;
  /** Returns the market of an instrument, empty at first; undefined where none is traded. */
  market(instrument: string): TradedMarket | undefined;
  /** Returns the market of an order, which the operation may change. */
  marketOf(order: BookOrder): TradedMarket;
  /** Forgets what is traded in an instrument. */
  forget(instrument: string): void;
  /** Files an order, says that it was placed, and lets one that waits for a price wait. */
  file(order: BookOrder): void;
  /** Files an order that has still to be admitted, once what is under way is over. */
  open(order: BookOrder): void;
  cancel(order: BookOrder, reason: CancelCause): void;
  reject(order: BookOrder, refusal: Refusal): void;
  /** Makes an order smaller, and cancels one that has nothing left. */
  reduce(order: BookOrder, by: Lots, reason: CancelCause): void;
  /** Lets a waiting order go on: its price was reached. */
  fire(order: BookOrder): void;
  /** Lets an order go on that waits for a price which is there already. */
  fireIfMet(order: BookOrder): void;
  /** Returns the next order that has still to trade or rest, if any. */
  nextDue(): BookOrder | undefined;
}

export function createEngineCore(ports: EnginePorts): EngineCore {
  const orders = createOrderTable();
  const markets = createMarkets(ports);
  const touched = new Set<TradedMarket>();
  const due: BookOrder[] = [];
  let facts: Fact[] = [];
  let nowMs = 0;

  const tell = (fact: Fact): void => {
    facts.push(fact);
    ports.risk.take(fact);
  };
  const marketOf = ({ instrument }: BookOrder): TradedMarket => {
    const market = markets.market(instrument);
    if (market === undefined) throw new Error(`${instrument} is not traded.`);
    touched.add(market);
    return market;
  };
  /** Takes an order from where it rests or waits; its state is a final one. */
  const putAway = (order: BookOrder): void => {
    const { book, triggers } = marketOf(order);
    book.remove(order);
    triggers.remove(order);
    order.updatedAtMs = nowMs;
    orders.close(order);
  };
  const cancel = (order: BookOrder, reason: CancelCause): void => {
    if (order.state !== "open" && !isWaitingOrder(order)) return;
    // A fill-or-kill order that has begun to trade gets all it wants: the end of the order tied to it comes too late.
    if (reason === "oco_other_closed" && order.timeInForce === "fill_or_kill" && order.filled > 0) return;
    order.state = "cancelled";
    order.cancelReason = reason;
    putAway(order);
    tell({ kind: "cancelled", order: { ...order }, reason });
    links.closed(order);
  };
  const reduce = (order: BookOrder, by: Lots, reason: CancelCause): void => {
    if (by >= remainingOf(order)) {
      cancel(order, reason);
      return;
    }
    order.amount -= by;
    order.updatedAtMs = nowMs;
    marketOf(order).book.shrink(order, by);
    tell({ kind: "reduced", order: { ...order }, by });
  };
  const open = (order: BookOrder): void => {
    if (order.state === "open") due.push(order);
    file(order);
  };
  const file = (order: BookOrder): void => {
    const { triggers, prices } = marketOf(order);
    orders.add(order);
    if (waitsForPrice(order)) triggers.add(order, prices[order.trigger]);
    tell({ kind: "placed", order: { ...order } });
    fireIfMet(order);
  };
  const fireIfMet = (order: BookOrder): void => {
    const price = waitsForPrice(order) ? marketOf(order).prices[order.trigger] : undefined;
    if (price !== undefined && isMet(order, price)) fire(order);
  };
  const fire = (order: BookOrder): void => {
    order.state = "triggered";
    putAway(order);
    const child = createTriggered(order, ports.ids, nowMs);
    links.succeed(order, child);
    tell({ kind: "triggered", order: { ...order }, childId: child.id });
    open(child);
  };
  /** Lets the part of a linked order go on as an order of its own. */
  const detach = ({ order, amount }: LinkedPart, ocoRef: string | undefined): BookOrder => {
    order.updatedAtMs = nowMs;
    if (amount < order.amount) order.amount -= amount;
    else {
      order.state = "triggered";
      putAway(order);
    }
    return createActivated(order, { amount, ocoRef }, ports.ids, nowMs);
  };
  const activate = (parts: readonly LinkedPart[], condition: FillCondition): void => {
    const isLast = parts.every(({ order, amount }) => order.amount === amount);
    const ref = parts.length < 2 ? undefined : isLast ? parts[0]?.order.ocoRef : ports.ids.link();
    const children = parts.map((part) => ({ part, child: detach(part, ref) }));
    if (ref !== undefined)
      links.couple(
        ref,
        condition,
        children.map(({ child }) => child),
      );
    for (const { part, child } of children) tell({ kind: "triggered", order: { ...part.order }, childId: child.id });
    for (const { child } of children) open(child);
  };
  const links = createLinks({ cancel, reduce, activate });

  return {
    ports,
    orders,
    links,
    get nowMs() {
      return nowMs;
    },
    begin(atMs) {
      facts = [];
      nowMs = atMs;
    },
    finish() {
      for (const market of touched) {
        touched.delete(market);
        const change = market.book.change(nowMs, () => ports.ids.change());
        if (change !== undefined) tell(change);
      }
      return facts;
    },
    tell,
    market: markets.market,
    marketOf,
    forget: markets.forget,
    file,
    open,
    cancel,
    reject(order, refusal) {
      order.state = "rejected";
      order.refusal = refusal;
      putAway(order);
      tell({ kind: "rejected", order: { ...order }, refusal });
      links.closed(order);
    },
    reduce,
    fire,
    fireIfMet,
    nextDue: () => due.shift(),
  };
}

/** Whether an order waits for a price, not for another order. */
export function waitsForPrice(order: BookOrder): order is BookOrder & { readonly trigger: PriceSource } {
  return isWaitingOrder(order) && !order.isSecondaryOto && order.trigger !== undefined;
}

/** Most instruments are never asked for: a market is made for the first who does. */
function createMarkets(ports: EnginePorts): Pick<EngineCore, "market" | "forget"> {
  const markets = new Map<string, TradedMarket>();
  return {
    market(name) {
      const known = markets.get(name);
      const instrument = known === undefined ? ports.instrument(name) : undefined;
      if (instrument === undefined) return known;
      const market = createMarket(instrument);
      markets.set(name, market);
      return market;
    },
    forget: (name) => void markets.delete(name),
  };
}

function createMarket(instrument: TradedInstrument): TradedMarket {
  return {
    instrument,
    book: createBook(instrument.name),
    triggers: createTriggers(),
    prices: { last_price: undefined, mark_price: undefined, index_price: undefined },
    band: { low: undefined, high: undefined },
    state: "open",
    tradeSeq: 0,
  };
}

/** All orders by what they are asked for by. Open ones are kept until they close, and the latest closed ones after. */
interface OrderTable {
  /** Files an order that is open or waits. */
  add(order: BookOrder): void;
  /** To be called after an order was edited. */
  edited(order: BookOrder): void;
  /** Files an order whose state has become a final one, at the time of its last change. */
  close(order: BookOrder): void;
  /** Returns an order, closed or not. */
  find(id: string): BookOrder | undefined;
  /** Returns an order that is open or waits. */
  findOpen(id: string): BookOrder | undefined;
  /** Returns the latest closed orders of an account, in the order of their closing. */
  closed(account: AccountId): Iterable<BookOrder>;
  /** Returns the orders that are open or wait, of one account or of all, in the order of their coming. */
  open(account?: AccountId): Iterable<BookOrder>;
  /** How many orders of an account wait: for a price, or for another order. */
  waiting(account: AccountId): { readonly triggers: number; readonly linked: number };
  /** Returns the orders of an account that may only reduce its position and no longer wait. */
  reducing(account: AccountId, instrument: string): Iterable<BookOrder>;
  /** Returns the good-til-day orders whose end has come. */
  endedBy(nowMs: number): BookOrder[];
}

/** How many closed orders of each account are kept at most. */
const MAX_CLOSED = 10_000;

function createOrderTable(): OrderTable {
  const open = new Map<string, BookOrder>();
  const closed = new Map<AccountId, LatestMap<BookOrder>>();
  const byAccount = new Map<AccountId, Map<string, BookOrder>>();
  const counts = new Map<AccountId, { triggers: number; linked: number }>();
  const reducing = new Map<string, Set<BookOrder>>();
  // Their ends are all at the same hour, so there are few.
  const ending = new Map<number, Set<BookOrder>>();

  const findClosed = (id: string): BookOrder | undefined => {
    for (const orders of closed.values()) {
      const order = orders.get(id);
      if (order !== undefined) return order;
    }
    return undefined;
  };
  const count = (order: BookOrder, by: 1 | -1): void => {
    const counted = entryOf(counts, order.account, () => ({ triggers: 0, linked: 0 }));
    if (order.isSecondaryOto) counted.linked += by;
    else counted.triggers += by;
  };
  const fileReducing = (order: BookOrder): void => {
    if (order.reduceOnly && order.state === "open")
      entryOf(reducing, reducingKey(order), () => new Set<BookOrder>()).add(order);
    else reducing.get(reducingKey(order))?.delete(order);
  };
  return {
    add(order) {
      open.set(order.id, order);
      entryOf(byAccount, order.account, () => new Map<string, BookOrder>()).set(order.id, order);
      if (isWaitingOrder(order)) count(order, 1);
      fileReducing(order);
      if (order.endsAtMs !== undefined) entryOf(ending, order.endsAtMs, () => new Set<BookOrder>()).add(order);
    },
    edited: fileReducing,
    close(order) {
      open.delete(order.id);
      byAccount.get(order.account)?.delete(order.id);
      if (startsWaiting(order)) count(order, -1);
      reducing.get(reducingKey(order))?.delete(order);
      if (order.endsAtMs !== undefined) ending.get(order.endsAtMs)?.delete(order);
      entryOf(closed, order.account, () => createLatestMap(MAX_CLOSED, (each: BookOrder) => each.updatedAtMs)).set(
        order.id,
        order,
      );
    },
    find: (id) => open.get(id) ?? findClosed(id),
    findOpen: (id) => open.get(id),
    closed: (account) => closed.get(account)?.values() ?? [],
    open: (account) => (account === undefined ? open : byAccount.get(account))?.values() ?? [],
    waiting: (account) => counts.get(account) ?? { triggers: 0, linked: 0 },
    reducing: (account, instrument) => reducing.get(reducingKey({ account, instrument })) ?? [],
    endedBy(nowMs) {
      if (ending.size === 0) return [];
      const ended = [...ending].filter(([endsAtMs]) => endsAtMs <= nowMs).sort(([one], [other]) => one - other);
      for (const [endsAtMs] of ended) ending.delete(endsAtMs);
      return ended.flatMap(([, orders]) => [...orders]);
    },
  };
}

/** Whether the order has waited all its life: what it goes on as is another order. */
function startsWaiting(order: BookOrder): boolean {
  return order.isSecondaryOto || (order.trigger !== undefined && order.originalType === undefined);
}

function reducingKey({ account, instrument }: Pick<BookOrder, "account" | "instrument">): string {
  return `${account}\n${instrument}`;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
