import type { AccountId, Side } from "../instrument.ts";
import type { Fixed } from "./money.ts";

/** An order that rests, as far as margin depends on it. */
export interface OpenOrder {
  readonly id: string;
  readonly account: AccountId;
  readonly instrument: string;
  readonly direction: Side;
  /** What is not filled yet. */
  readonly amount: Fixed;
  /** What it costs to fill it, with the fee, if the order buys something that is paid at once; else 0. */
  readonly cost: Fixed;
}

/** What the open orders of an account in one instrument add up to. */
export interface OrderTotals {
  readonly buys: Fixed;
  readonly sells: Fixed;
  readonly cost: Fixed;
}

export const NO_ORDERS: OrderTotals = { buys: 0n, sells: 0n, cost: 0n };

/** The open orders of all accounts, with their totals, so that thousands of them need not be added up each time. */
export interface OpenOrders {
  find(id: string): OpenOrder | undefined;
  /** Adds an order, or replaces the one with its ID. */
  set(order: OpenOrder): void;
  delete(id: string): void;
  totals(account: AccountId, instrument: string): OrderTotals;
  /** Returns the instruments in which an account has or had open orders. */
  instruments(account: AccountId): Iterable<string>;
}

/** Makes a list without orders. */
export function createOpenOrders(): OpenOrders {
  const orders = new Map<string, OpenOrder>();
  const sums = new Map<AccountId, Map<string, OrderTotals>>();
  const change = (order: OpenOrder, withOrder: typeof withOrderAdded): void => {
    const own = sums.get(order.account) ?? new Map<string, OrderTotals>();
    sums.set(order.account, own);
    own.set(order.instrument, withOrder(own.get(order.instrument) ?? NO_ORDERS, order));
  };
  const remove = (id: string): void => {
    const order = orders.get(id);
    if (order === undefined) return;
    orders.delete(id);
    change(order, withOrderRemoved);
  };
  return {
    find: (id) => orders.get(id),
    set(order) {
      remove(order.id);
      orders.set(order.id, order);
      change(order, withOrderAdded);
    },
    delete: remove,
    totals: (account, instrument) => sums.get(account)?.get(instrument) ?? NO_ORDERS,
    instruments: (account) => sums.get(account)?.keys() ?? [],
  };
}

/** Returns totals with one order more. */
export function withOrderAdded({ buys, sells, cost }: OrderTotals, order: OpenOrder): OrderTotals {
  return order.direction === "buy"
    ? { buys: buys + order.amount, sells, cost: cost + order.cost }
    : { buys, sells: sells + order.amount, cost };
}

/** Returns totals with one order less. */
export function withOrderRemoved(totals: OrderTotals, order: OpenOrder): OrderTotals {
  const { buys, sells, cost } = totals;
  return order.direction === "buy"
    ? { buys: buys - order.amount, sells, cost: cost - order.cost }
    : { buys, sells: sells - order.amount, cost };
}
