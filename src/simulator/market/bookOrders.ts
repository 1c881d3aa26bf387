import type { Fact } from "../../exchange/facts.ts";
import type { Engine, EngineOutcome } from "../../exchange/orders/engine.ts";
import {
  isWaitingOrder,
  type CancelCause,
  type OrderDraft,
  type OrderEdit,
  type OrderView,
} from "../../exchange/orders/order.ts";
import type { Refusal } from "../../exchange/refusal.ts";
import { roundToSteps, toSteps } from "../../exchange/units.ts";
import { refusalError } from "../text/refusals.ts";
import { describeBookOrder } from "./describeBookOrder.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { WorldOrder } from "./orders.ts";
import type { UserTrade } from "./userTrades.ts";
import { MARKET_ACCOUNT, type Venue } from "./venue.ts";

/** The orders of one account in the books, as the exchange describes them. What is refused throws a `CallError`. */
export interface BookOrders {
  /** The account's ID at the venue. */
  readonly account: string;
  /** Returns open and untriggered orders, in the order of their placing. */
  open(): Iterable<WorldOrder>;
  /** Returns the closed orders that are remembered, oldest first. */
  closed(): Iterable<WorldOrder>;
  find(id: string): WorldOrder | undefined;
  /** The instruments with open orders. */
  instruments(): Iterable<string>;
  place(draft: OrderDraft): Placement;
  edit(id: string, edit: OrderEdit): Placement;
  /** Changes an order to decimal values, each of which becomes the nearest one that is possible. */
  amend(id: string, changes: BookChanges): WorldOrder;
  /** Places an order that closes a position. `price`: in ticks; undefined for a market order. */
  closePosition(instrumentName: string, price: number | undefined): Placement;
  cancel(id: string, reason?: string): WorldOrder;
  /** Lets the market take an amount of a resting order at its price, wholly unless an amount is given. */
  fill(id: string, amount?: number): WorldOrder;
  /** Lets the price that an untriggered order waits for be reached. */
  fire(id: string): WorldOrder;
  /** To be told what happened in the books, of orders of this account. */
  take(fact: OrderFact): void;
  /** To be told of a trade of an order in the books. */
  traded(trade: UserTrade): void;
  /** To be told that all facts of an operation were told. */
  done(): void;
}

/** What can be changed of an order in a book from outside. */
export interface BookChanges {
  readonly price?: number;
  readonly amount?: number;
  readonly trigger_price?: number;
}

export type OrderFact = Extract<Fact, { readonly order: OrderView }>;

/** An order that was placed or edited, with the trades that it made at once. */
export interface Placement {
  readonly order: WorldOrder;
  readonly trades: readonly UserTrade[];
}

export interface BookOrderPorts {
  readonly venue: Venue;
  /** The account's ID at the venue. */
  readonly account: string;
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  /** Called with each new state of an order, which is described only when it is needed. */
  readonly onOrder: (describe: () => WorldOrder, instrument: SimulatedInstrument) => void;
}

export function createBookOrders({ venue, account, instruments, onOrder }: BookOrderPorts): BookOrders {
  /** The IDs of the open orders of each instrument. */
  const open = new Map<string, Set<string>>();
  /** The orders that traded in the operation under way and whose state after it is not announced yet. */
  const touched = new Set<string>();
  /** The trades of the operation under way. */
  let trades: UserTrade[] = [];

  const describe = (view: OrderView): WorldOrder => {
    const instrument = instruments.get(view.instrument);
    const traded = venue.instrument(view.instrument);
    if (instrument === undefined || traded === undefined) throw new RangeError(`${view.instrument} is not traded.`);
    return describeBookOrder(view, instrument, traded);
  };
  const announce = (view: OrderView): void => {
    const instrument = instruments.get(view.instrument);
    if (instrument !== undefined) onOrder(() => describe(view), instrument);
  };
  const findView = (id: string): OrderView | undefined => {
    const view = venue.books.find(id);
    return view?.account === account ? view : undefined;
  };
  const mustFind = (id: string): OrderView => {
    const view = findView(id);
    if (view === undefined) throw refusalError({ word: "order_not_found" }, undefined);
    return view;
  };
  const refuse = (refusal: Refusal, instrumentName: string): Error =>
    refusalError(refusal, venue.instrument(instrumentName));
  /** Carries out what concerns one order, and returns it with its trades. */
  const attempt = (name: string, work: (engine: Engine, nowMs: number) => EngineOutcome): Placement => {
    trades = [];
    const outcome = venue.operate(name, work);
    if (!outcome.isDone) throw refuse(outcome.refusal, name);
    const { id } = outcome.order;
    // What happened after it, such as a protection that it set off, may have changed it again.
    return { order: describe(mustFind(id)), trades: trades.filter(({ order_id }) => order_id === id) };
  };
  const edit: BookOrders["edit"] = (id, changes) =>
    attempt(mustFind(id).instrument, (engine, nowMs) => engine.edit(account, id, changes, nowMs));
  return {
    account,
    *open() {
      for (const view of venue.books.open(account)) yield describe(view);
    },
    *closed() {
      for (const view of venue.books.closed(account)) yield describe(view);
    },
    find(id) {
      const view = findView(id);
      return view === undefined ? undefined : describe(view);
    },
    instruments: () => open.keys(),
    place: (draft) => attempt(draft.instrument, (engine, nowMs) => engine.place(draft, nowMs)),
    edit,
    amend(id, { price, amount, trigger_price: triggerPrice }) {
      const traded = venue.instrument(mustFind(id).instrument);
      if (traded === undefined) throw refusalError({ word: "order_not_found" }, undefined);
      return edit(id, {
        ...(amount === undefined ? {} : { amount: roundToSteps(amount, traded.lot, "nearest") }),
        ...(price === undefined ? {} : { price: roundToSteps(price, traded.tick, "nearest") }),
        ...(triggerPrice === undefined ? {} : { triggerPrice: roundToSteps(triggerPrice, traded.tick, "nearest") }),
      }).order;
    },
    closePosition: (name, price) => attempt(name, (engine, nowMs) => engine.closePosition(account, name, price, nowMs)),
    cancel(id, reason = "user_request") {
      const { instrument: name } = mustFind(id);
      if (reason === "user_request") return attempt(name, (engine, nowMs) => engine.cancel(account, id, nowMs)).order;
      venue.operate(name, (engine, nowMs) =>
        engine.cancelAll({ account, where: (order) => order.id === id, reason: reason as CancelCause }, nowMs),
      );
      return describe(mustFind(id));
    },
    fill(id, amount) {
      fillByMarket(venue, mustFind(id), amount);
      return describe(mustFind(id));
    },
    fire(id) {
      const view = mustFind(id);
      const { instrument: name, trigger, triggerPrice } = view;
      if (!isWaitingOrder(view) || trigger === undefined) throw refuse({ word: "not_open_order" }, name);
      const source = { last_price: "last", mark_price: "mark", index_price: "index" } as const;
      venue.operate(name, (engine, nowMs) => engine.setPrices(name, { [source[trigger]]: triggerPrice }, nowMs));
      venue.restore(name);
      return describe(mustFind(id));
    },
    take({ order }) {
      touched.delete(order.id);
      const ids = open.get(order.instrument) ?? new Set<string>();
      if (order.state === "open" || isWaitingOrder(order)) open.set(order.instrument, ids.add(order.id));
      else {
        ids.delete(order.id);
        if (ids.size === 0) open.delete(order.instrument);
      }
      announce(order);
    },
    traded(trade) {
      trades.push(trade);
      touched.add(trade.order_id);
    },
    done() {
      if (touched.size === 0) return;
      const ids = [...touched];
      touched.clear();
      for (const id of ids) {
        const view = findView(id);
        if (view?.state === "open") announce(view);
      }
    },
  };
}

/**
 * Lets the market take an amount of a resting order at its price. What rests before it trades first: the market comes
 * again until the order has got its amount, or trades no more.
 */
function fillByMarket(venue: Venue, order: OrderView, amount: number | undefined): void {
  const { id, instrument: name, direction, price } = order;
  const instrument = venue.instrument(name);
  if (order.state === "filled") throw refusalError({ word: "already_closed" }, instrument);
  if (order.state !== "open" || price === undefined || instrument === undefined)
    throw refusalError({ word: "not_open_order" }, instrument);
  const remaining = order.amount - order.filled;
  const wanted = amount === undefined ? remaining : (toSteps(amount, instrument.lot) ?? 1);
  const target = order.filled + Math.max(1, Math.min(remaining, wanted));
  const take = (lots: number): EngineOutcome =>
    venue.operate(name, (engine, nowMs) => {
      // The order may rest at a price where other accounts could not trade with it now.
      const facts = engine.setPrices(name, direction === "buy" ? { low: price } : { high: price }, nowMs);
      const outcome = engine.place(
        {
          account: MARKET_ACCOUNT,
          instrument: name,
          direction: direction === "buy" ? "sell" : "buy",
          amount: lots,
          price,
          timeInForce: "immediate_or_cancel",
        },
        nowMs,
      );
      return { ...outcome, facts: [...facts, ...outcome.facts] };
    });
  for (let filled = order.filled; filled < target;) {
    const outcome = take(target - filled);
    if (!outcome.isDone || outcome.order.filled === 0) break;
    filled = venue.books.find(id)?.filled ?? target;
  }
  venue.restore(name);
}
