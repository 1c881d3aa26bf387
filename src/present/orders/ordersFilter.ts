import { plain } from "../../base/plain.ts";
import type { Order } from "../../state/orders.ts";
import { instrumentKindOf, type InstrumentKind } from "./instrumentKind.ts";
import { hasText, textParts, wordsOf, type FilterRules, type ViewFilter } from "../rows/viewFilter.ts";
import type { OpenOrdersQuery } from "../../state/orderRows.ts";

/** The values of `type` of private/get_open_orders. */
type OrderTypeFilter = NonNullable<OpenOrdersQuery["type"]>;

/**
 * The filter of orders. `kind` and `type` are those of private/get_open_orders, but they are applied to the rows and
 * not sent. The store has to know every order whatever a view hides, because picks, pending cancels and "no longer
 * open" rest on it. A pushed change says neither. `type` is exact, because an order carries its own. `kind` is read
 * from the instrument's name, so an order with a name of no known form is shown under every kind.
 */
export interface OrdersFilter extends ViewFilter {
  readonly kind: InstrumentKind | undefined;
  readonly type: OrderTypeFilter;
}

export const NO_FILTER: OrdersFilter = { kind: undefined, type: "all", text: "" };

/** The values of `kind` that private/get_open_orders knows. */
export const ORDER_KINDS: readonly InstrumentKind[] = ["future", "option", "spot", "future_combo", "option_combo"];

export const ORDERS_FILTER: FilterRules<OrdersFilter> = {
  none: NO_FILTER,
  parts: (filter) => [
    ...(filter.kind === undefined ? [] : [plain`${filter.kind}`]),
    ...(filter.type === "all" ? [] : [plain`${filter.type}`]),
    ...textParts(filter),
  ],
  parse(kept) {
    if (!hasText(kept)) return undefined;
    const kind = ORDER_KINDS.find((each) => each === kept["kind"]);
    const type = ORDER_TYPES.find((each) => each === kept["type"]);
    // One that means more than this version knows would show other orders than it was made for.
    return type === undefined || (kind === undefined && kept["kind"] !== undefined)
      ? undefined
      : { kind, type, text: kept.text };
  },
};

/** Whether a filter hides anything at all. */
export function isFilteringOrders(filter: OrdersFilter): boolean {
  return ORDERS_FILTER.parts(filter).length > 0;
}

/** Makes the test once, for thousands of orders. */
export function compileFilter(filter: OrdersFilter): (order: Order) => boolean {
  const types = TYPES[filter.type];
  const words = wordsOf(filter);
  const isOfKind = kindTest(filter.kind);
  return (order) =>
    (types === undefined || types.includes(order.order_type ?? "")) &&
    isOfKind(order.instrument_name) &&
    hasWords(order, words);
}

/** The order types that a value stands for; undefined for all. Core specification §4.9. */
const TYPES: Readonly<Record<OrderTypeFilter, readonly string[] | undefined>> = {
  all: undefined,
  limit: ["limit"],
  trigger_all: ["stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"],
  stop_all: ["stop_limit", "stop_market"],
  stop_limit: ["stop_limit"],
  stop_market: ["stop_market"],
  take_all: ["take_limit", "take_market"],
  take_limit: ["take_limit"],
  take_market: ["take_market"],
  trailing_all: ["trailing_stop"],
  trailing_stop: ["trailing_stop"],
};

/** All values of `type`. */
export const ORDER_TYPES = Object.keys(TYPES) as readonly OrderTypeFilter[];

/** Makes a test of the kind. Orders share few instruments: each name is parsed once. */
function kindTest(kind: InstrumentKind | undefined): (instrumentName: string | undefined) => boolean {
  if (kind === undefined) return () => true;
  const known = new Map<string | undefined, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const actual = instrumentKindOf(name);
    const fits = actual === undefined || actual === kind;
    known.set(name, fits);
    return fits;
  };
}

/** Whether an order has the words in its instrument, label or ID. */
function hasWords(order: Order, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [order.instrument_name, order.label, order.order_id].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
