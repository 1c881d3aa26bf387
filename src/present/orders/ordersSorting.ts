import type { Order } from "../../state/orders.ts";

/**
 * The order of the orders of a group when the list is arranged: by choice, and when it is read again. New orders stand
 * at the end until then, because rows do not move on their own.
 */
export type OrderSorting = "received" | "newest" | "oldest" | "instrument" | "price" | "amount";

/** All sortings, the usual one first. */
export const ORDER_SORTINGS: readonly OrderSorting[] = [
  "received",
  "newest",
  "oldest",
  "instrument",
  "price",
  "amount",
];

/** Returns orders by ID in that order; equal ones stay as they came. */
export function sortOrders<Item extends { readonly order: Order }>(
  items: ReadonlyMap<string, Item>,
  sorting: OrderSorting,
): ReadonlyMap<string, Item> {
  if (sorting === "received") return items;
  const compare = COMPARISONS[sorting];
  return new Map([...items].sort(([, one], [, other]) => compare(one.order, other.order)));
}

type Comparison = (one: Order, other: Order) => number;

const COMPARISONS: Readonly<Record<Exclude<OrderSorting, "received">, Comparison>> = {
  newest: largestFirst(({ creation_timestamp: atMs }) => atMs),
  oldest: largestFirst(({ creation_timestamp: atMs }) => (atMs === undefined ? undefined : -atMs)),
  instrument: ({ instrument_name: one = "" }, { instrument_name: other = "" }) =>
    one < other ? -1 : one > other ? 1 : 0,
  price: largestFirst(priceOf),
  amount: largestFirst(({ amount }) => amount),
};

/** Returns the price of an order or, where it takes any price, the price at which it is triggered. */
function priceOf({ price, trigger_price: trigger }: Order): number | undefined {
  return typeof price === "number" ? price : trigger;
}

/** Makes a comparison with the largest first, as in an order book; orders that have no value come last. */
function largestFirst(valueOf: (order: Order) => number | undefined): Comparison {
  return (one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return second - first;
  };
}
