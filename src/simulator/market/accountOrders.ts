import type { Fact } from "../../exchange/facts.ts";
import type { ClosingTerms, Engine, EngineOutcome } from "../../exchange/orders/engine.ts";
import { opposite } from "../../exchange/instrument.ts";
import { createBookOrder } from "../../exchange/orders/make.ts";
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
import { describeOrderView } from "./describeOrderView.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { WorldOrder } from "./orders.ts";
import type { IsolatedMarks } from "./positions.ts";
import { routedRefusal } from "../text/routedSpot.ts";
import type { UserTrade } from "./userTrades.ts";
import type { Venue } from "./venue.ts";

/** The orders of one account, as the exchange describes them. What is refused throws a `CallError`. */
export interface AccountOrders {
  /** The account's ID at the venue. */
  readonly account: string;
  /** Returns open and untriggered orders, in the order of their placing. */
  openOrders(): Iterable<WorldOrder>;
  /** Returns the closed orders that are remembered, oldest first. */
  closedOrders(): Iterable<WorldOrder>;
  /** The number of open and untriggered orders. */
  readonly openCount: number;
  /** Returns any order, the latest closed ones included. */
  order(id: string): WorldOrder | undefined;
  place(draft: OrderDraft): Placement;
  /** Returns an order as it would be, which is not placed: for a response that claims what was not done. */
  claim(draft: OrderDraft, nowMs: number): WorldOrder;
  edit(id: string, edit: OrderEdit): Placement;
  /** Throws what placing an order, or editing the one with the ID, would throw now. No order changes by it. */
  check(asked: { readonly draft: OrderDraft } | { readonly id: string; readonly edit: OrderEdit }): void;
  /** Changes an order to decimal values, each of which becomes the nearest one that is possible. */
  amend(id: string, changes: OrderChanges): WorldOrder;
  /** Places an order that closes a position. */
  closePosition(instrumentName: string, terms: ClosingTerms): Placement;
  cancel(id: string, reason?: string): WorldOrder;
  /** Cancels the open and untriggered orders that are meant, as the exchange does: in every state of a book. */
  cancelAll(isMeant: (order: OrderView) => boolean, reason: CancelCause): void;
  /** Lets the market take an amount of a resting order at its price, wholly unless an amount is given. */
  fill(id: string, amount?: number): WorldOrder;
  /** Lets the price that an untriggered order waits for be reached. Returns the order that goes on in its place. */
  fire(id: string): WorldOrder;
  /** To be told what happened to an order of this account. */
  take(fact: OrderFact): void;
  /** To be told of a trade of one of the orders. */
  traded(trade: UserTrade): void;
  /** To be told that all facts of an operation were told. */
  done(): void;
}

/** What can be changed of an order from outside. */
export interface OrderChanges {
  readonly price?: number;
  readonly amount?: number;
  readonly trigger_price?: number;
}

type OrderFact = Extract<Fact, { readonly order: OrderView }>;

/** An order that was placed or edited, with the trades that it made at once. */
export interface Placement {
  readonly order: WorldOrder;
  readonly trades: readonly UserTrade[];
}

export interface AccountOrderPorts {
  readonly venue: Venue;
  /** The account's ID at the venue. */
  readonly account: string;
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  /** The members that tell what is isolated. */
  readonly marks: IsolatedMarks;
  /** Called with each new state of an order, which is described only when it is needed. */
  readonly onOrder: (describe: () => WorldOrder, instrument: SimulatedInstrument) => void;
}

export function createAccountOrders({ venue, account, instruments, marks, onOrder }: AccountOrderPorts): AccountOrders {
  /** The IDs of open and untriggered orders. */
  const open = new Set<string>();
  /** The orders that traded in the operation under way and whose state after it is not announced yet. */
  const touched = new Set<string>();
  /** The trades of the operation under way. */
  let trades: UserTrade[] = [];

  const describe = (view: OrderView): WorldOrder => {
    const instrument = instruments.get(view.instrument);
    const traded = venue.instrument(view.instrument);
    if (instrument === undefined || traded === undefined) throw new RangeError(`${view.instrument} is not traded.`);
    const order = describeOrderView(view, instrument, traded);
    return marks.isolated === true ? Object.assign(order, marks) : order;
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
  const isRouted = (name: string): boolean => {
    const instrument = instruments.get(name);
    return instrument !== undefined && venue.isRouted(instrument);
  };
  const refuse = (refusal: Refusal, name: string): Error =>
    refusalError(isRouted(name) ? routedRefusal(refusal) : refusal, venue.instrument(name));
  /** Carries out what concerns one order, and returns it with its trades. */
  const attempt = (name: string, work: (engine: Engine, nowMs: number) => EngineOutcome): Placement => {
    trades = [];
    const outcome = venue.operate(name, work);
    if (!outcome.isDone) throw refuse(outcome.refusal, name);
    const { id } = outcome.order;
    // What happened after it, such as a protection that it set off, may have changed it again.
    return { order: describe(mustFind(id)), trades: trades.filter(({ order_id }) => order_id === id) };
  };
  const cancelIn = (name: string, where: (order: OrderView) => boolean, reason: CancelCause): void => {
    venue.operate(name, (engine, nowMs) => engine.cancelAll({ account, where, reason }, nowMs));
  };
  const edit: AccountOrders["edit"] = (id, changes) =>
    attempt(mustFind(id).instrument, (engine, nowMs) => engine.edit(account, id, changes, nowMs));
  return {
    account,
    *openOrders() {
      for (const view of venue.books.open(account)) yield describe(view);
    },
    *closedOrders() {
      for (const view of venue.books.closed(account)) yield describe(view);
    },
    get openCount() {
      return open.size;
    },
    order(id) {
      const view = findView(id);
      return view === undefined ? undefined : describe(view);
    },
    claim: (draft, nowMs) => describe(createBookOrder(draft, {}, { order: venue.nextOrderId }, nowMs)),
    place(draft) {
      const placed = isRouted(draft.instrument) ? { ...draft, isRouted: true } : draft;
      return attempt(draft.instrument, (engine, nowMs) => engine.place(placed, nowMs));
    },
    edit,
    check(asked) {
      const isNew = "draft" in asked;
      const name = isNew ? asked.draft.instrument : mustFind(asked.id).instrument;
      venue.catchUp([name]);
      const order = isNew ? asked : { account, orderId: asked.id, edit: asked.edit };
      const refusal = venue.books.refuses(order, venue.nowMs);
      if (refusal !== undefined) throw refuse(refusal, name);
    },
    amend(id, { price, amount, trigger_price: triggerPrice }) {
      const traded = venue.instrument(mustFind(id).instrument);
      if (traded === undefined) throw refusalError({ word: "order_not_found" }, undefined);
      return edit(id, {
        ...(amount === undefined ? {} : { amount: roundToSteps(amount, traded.lot, "nearest") }),
        ...(price === undefined ? {} : { price: roundToSteps(price, traded.tick, "nearest") }),
        ...(triggerPrice === undefined ? {} : { triggerPrice: roundToSteps(triggerPrice, traded.tick, "nearest") }),
      }).order;
    },
    closePosition: (name, terms) => attempt(name, (engine, nowMs) => engine.closePosition(account, name, terms, nowMs)),
    cancel(id, reason = "user_request") {
      const { instrument: name } = mustFind(id);
      if (reason === "user_request") return attempt(name, (engine, nowMs) => engine.cancel(account, id, nowMs)).order;
      cancelIn(name, (order) => order.id === id, reason as CancelCause);
      return describe(mustFind(id));
    },
    cancelAll(isMeant, reason) {
      const names = [...venue.books.open(account)].filter(isMeant).map(({ instrument }) => instrument);
      for (const name of new Set(names)) cancelIn(name, (order) => order.instrument === name && isMeant(order), reason);
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
      // The band comes along, as it does where a price gets there automatically.
      const band = view.price === undefined ? {} : { low: view.price, high: view.price };
      const prices = { ...band, [source[trigger]]: triggerPrice };
      venue.operate(name, (engine, nowMs) => engine.setPrices(name, prices, nowMs));
      venue.restore(name);
      return describe(successorOf(venue, view) ?? mustFind(id));
    },
    take({ order }) {
      touched.delete(order.id);
      if (order.state === "open" || isWaitingOrder(order)) open.add(order.id);
      else open.delete(order.id);
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

/** Returns the order that replaces one that was triggered. */
function successorOf({ books }: Venue, { id, account }: OrderView): OrderView | undefined {
  return [...books.open(account), ...books.closed(account)].find(({ triggerOrderId }) => triggerOrderId === id);
}

/**
 * Lets others take an amount of a resting order at its price. What rests before it trades first: they come again until
 * the order has got its amount, or trades no more.
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
  const taker = opposite(direction);
  for (let filled = order.filled; filled < target;) {
    if (venue.take(name, { direction: taker, amount: target - filled, price }) === 0) break;
    filled = venue.books.find(id)?.filled ?? target;
  }
  venue.restore(name);
}
