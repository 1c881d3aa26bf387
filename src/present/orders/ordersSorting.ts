import type { Order } from "../../state/orders.ts";

/**
 * In which order the orders of a group stand when the list is arranged: by choice, and when it is read anew. What comes
 * later stands at the end until then, because rows do not move by themselves.
 */
export type OrderSorting = "received" | "newest" | "oldest" | "instrument" | "price" | "amount";

/** All of them, the usual one first. */
export const ORDER_SORTINGS: readonly OrderSorting[] = [
  "received",
  "newest",
  "oldest",
  "instrument",
  "price",
  "amount",
];

/** Orders by id in that order; equal ones stay as they came. */
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

/** The price at which an order stands or, where it takes whatever price there is, at which it is triggered. */
function priceOf({ price, trigger_price: trigger }: Order): number | undefined {
  return typeof price === "number" ? price : trigger;
}

/** The largest first, as in an order book; what has none comes last. */
function largestFirst(valueOf: (order: Order) => number | undefined): Comparison {
  return (one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return second - first;
  };
}
