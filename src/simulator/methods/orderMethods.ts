import type { ParamsOf } from "../../catalogue/index.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusal, invalidParam } from "../text/errors.ts";
import { handlersOf, type Call } from "./handlers.ts";
import { isOfKind, type SimulatedInstrument } from "../market/instruments.ts";
import { instrumentOf, follows, isWithin, select } from "./marketMethods.ts";
import type { WorldOrder } from "../market/orders.ts";
import { writeJson } from "../text/json.ts";
import { isListed } from "../text/pages.ts";
import type { Clock } from "../../base/clock.ts";
import { blockTradeLegText } from "../market/blockTrades.ts";
import type { UserTrade } from "../market/userTrades.ts";

type TypeFilter = NonNullable<ParamsOf<"private/get_open_orders">["type"]>;

/** Makes the methods that read orders, also those that ended, and that cancel one. */
export const orderHandlers = handlersOf(({ world, clock }) => {
  const list = (
    isMeant: (instrument: SimulatedInstrument | undefined) => boolean,
    type: TypeFilter = "all",
  ): string => {
    const texts: string[] = [];
    for (const order of world.openOrders()) {
      if (isMeant(world.instruments.get(order.instrument_name)) && isOfType(order, type)) texts.push(world.text(order));
    }
    return `[${texts.join(",")}]`;
  };
  const textsOf = (orders: readonly WorldOrder[]): string => `[${orders.map((order) => world.text(order)).join(",")}]`;
  const isOfCurrency = (order: WorldOrder, currency: string): boolean =>
    world.instruments.get(order.instrument_name)?.currencies.includes(currency) === true;
  const withLabel = (
    orders: Iterable<WorldOrder>,
    { currency, label }: ParamsOf<"private/get_open_orders_by_label">,
  ): WorldOrder[] => {
    refuseUnknownCurrency(currency);
    return [...orders].filter((order) => order.label === label && isOfCurrency(order, currency));
  };
  const history = (isMeant: (order: WorldOrder) => boolean, page: Page): string => {
    const recentMs = page.include_old === true ? Infinity : RECENT_MS;
    const ended = newestFirst(world.closedOrders()).filter(
      (order) =>
        isMeant(order) &&
        isListed(clock.now() - order.last_update_timestamp, recentMs, page.historical) &&
        (page.include_unfilled === true || (order.filled_amount ?? 0) > 0),
    );
    const { items, continuation } = pageOf(ended, page);
    if (page.with_continuation !== true) return textsOf(items);
    return `{"orders":${textsOf(items)},"continuation":${JSON.stringify(continuation ?? null)}}`;
  };
  return {
    "private/get_open_orders": ({ params: { kind, type } }) =>
      list((instrument) => kind === undefined || instrument?.kind === kind, type),
    "private/get_open_orders_by_currency": ({ params: { currency, kind, type } }) => {
      refuseUnknownCurrency(currency);
      return list(
        (instrument) =>
          instrument?.currencies.includes(currency) === true && (kind === undefined || instrument.kind === kind),
        type,
      );
    },
    "private/get_open_orders_by_instrument": ({ params: { instrument_name: name, type } }) => {
      const wanted = instrumentOf(world.instruments, name);
      return list((instrument) => instrument === wanted, type);
    },
    "private/get_order_state": ({ params }) => {
      const order = world.order(params.order_id);
      if (order === undefined) throw refusal(10004);
      return world.text(order);
    },
    "private/cancel": ({ params }) => world.text(world.cancel(params.order_id)),
    "private/get_open_orders_by_label": ({ params }) => textsOf(withLabel(world.openOrders(), params)),
    "private/get_order_state_by_label": ({ params }) =>
      textsOf(withLabel([...world.openOrders(), ...world.closedOrders()], params)),
    "private/get_order_history_by_currency": ({ params: { currency, kind = "any", ...page } }) => {
      refuseUnknownCurrency(currency);
      return history((order) => {
        const instrument = world.instruments.get(order.instrument_name);
        return isOfCurrency(order, currency) && instrument !== undefined && isOfKind(instrument, kindNamed(kind));
      }, page);
    },
    "private/get_order_history_by_instrument": ({ params: { instrument_name: name, ...page } }) => {
      instrumentOf(world.instruments, name);
      return history((order) => order.instrument_name === name, page);
    },
    "private/get_trigger_order_history": ({ params: { currency, instrument_name: name, ...page } }) => {
      refuseUnknownCurrency(currency);
      const orders = newestFirst(world.closedOrders()).filter(
        (order) =>
          order.trigger !== undefined &&
          isOfCurrency(order, currency) &&
          (name === undefined || order.instrument_name === name),
      );
      const { items, continuation } = pageOf(orders, page);
      const children = new Map<string, WorldOrder>();
      for (const order of [...world.openOrders(), ...world.closedOrders()])
        if (order.trigger_order_id !== undefined) children.set(order.trigger_order_id, order);
      const entries = items.map((order) => triggerEntryText(order, children.get(order.order_id)));
      const rest = continuation === undefined ? "" : `,"continuation":${JSON.stringify(continuation)}`;
      return `{"entries":[${entries.join(",")}]${rest}}`;
    },
  };
});

const STOPS = ["stop_limit", "stop_market"];
const TAKES = ["take_limit", "take_market"];
const TRAILINGS = ["trailing_stop"];

function isOfType(order: WorldOrder, type: TypeFilter): boolean {
  switch (type) {
    case "all":
      return true;
    case "trigger_all":
      return [...STOPS, ...TAKES, ...TRAILINGS].includes(order.order_type);
    case "stop_all":
      return STOPS.includes(order.order_type);
    case "take_all":
      return TAKES.includes(order.order_type);
    case "trailing_all":
      return TRAILINGS.includes(order.order_type);
    case "limit":
    case "stop_limit":
    case "stop_market":
    case "take_limit":
    case "take_market":
    case "trailing_stop":
      return order.order_type === type;
  }
}

type Page = Pick<
  ParamsOf<"private/get_order_history_by_currency">,
  "count" | "offset" | "include_old" | "include_unfilled" | "with_continuation" | "continuation" | "historical"
>;

const DEFAULT_COUNT = 20;
/**
 * The age, in ms, beyond which an ended order is history alone.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const RECENT_MS = 30 * 60_000;

/** Returns the kind with a name. Refuses a name that no kind has. */
export function kindNamed(kind: string): Parameters<typeof isOfKind>[1] {
  const known = (["future", "option", "spot", "future_combo", "option_combo", "combo", "any"] as const).find(
    (each) => each === kind,
  );
  if (known === undefined) throw invalidParam("kind", "invalid kind");
  return known;
}

/** Returns ended orders by the time of their end; of those of one moment the one that ended last comes first. */
function newestFirst(orders: Iterable<WorldOrder>): WorldOrder[] {
  return [...orders].reverse().sort((one, other) => other.last_update_timestamp - one.last_update_timestamp);
}

/** Returns a part of a list, and the token that continues after it where there is more. */
function pageOf(
  orders: readonly WorldOrder[],
  { count = DEFAULT_COUNT, offset = 0, continuation }: Pick<Page, "count" | "offset" | "continuation">,
): { readonly items: readonly WorldOrder[]; readonly continuation: string | undefined } {
  const start = (continuation === undefined ? 0 : placeAfter(orders, continuation)) + Math.max(0, offset);
  const items = orders.slice(start, start + count);
  const end = items.at(-1);
  const hasMore = start + count < orders.length;
  return { items, continuation: hasMore && end !== undefined ? tokenOf(end) : undefined };
}

/** Returns where a list goes on after the order of a token, which may have become too old for the list meanwhile. */
function placeAfter(orders: readonly WorldOrder[], token: string): number {
  const [, atMs] = /^(\d+)\../.exec(token) ?? [];
  if (atMs === undefined) throw invalidParam("continuation", "invalid continuation");
  const last = orders.findIndex((order) => tokenOf(order) === token);
  if (last >= 0) return last + 1;
  const older = orders.findIndex((order) => order.last_update_timestamp < Number(atMs));
  return older < 0 ? orders.length : older;
}

/** Returns the token of an order as the documented example has it, e.g. `1555918941451.SLIS-103`. */
function tokenOf({ last_update_timestamp: atMs, order_id: id }: WorldOrder): string {
  return `${atMs}.${id}`;
}

/**
 * Returns what ended a trigger order: it was cancelled or rejected, or another order goes on for it.
 * https://docs.deribit.com/api-reference/trading/private-get_trigger_order_history
 */
function triggerEntryText(order: WorldOrder, child: WorldOrder | undefined): string {
  const isFired = order.order_state === "triggered";
  return writeJson({
    timestamp: order.last_update_timestamp,
    trigger: order.trigger,
    trigger_price: order.trigger_price,
    trigger_offset: order.trigger_offset ?? null,
    trigger_order_id: order.order_id,
    order_id: child?.order_id,
    order_state: isFired ? (child?.order_state === "rejected" ? "rejected" : "new") : order.order_state,
    instrument_name: order.instrument_name,
    request: isFired ? "trigger:order" : "cancel",
    direction: order.direction,
    price: order.price,
    amount: order.amount,
    last_update_timestamp: order.last_update_timestamp,
    reduce_only: order.reduce_only ?? false,
    post_only: order.post_only ?? false,
    order_type: order.order_type.endsWith("_limit") ? "limit" : "market",
    label: order.label,
    is_secondary_oto: order.is_secondary_oto,
    oco_ref: order.oco_ref,
    source: "api",
  });
}

/** The common parameters of the four methods. */
type Selection = Omit<ParamsOf<"private/get_user_trades_by_instrument">, "instrument_name"> &
  Pick<ParamsOf<"private/get_user_trades_by_currency">, "start_id" | "end_id">;

/**
 * The age beyond which trades are history alone, in ms.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const RECENT_TRADES_MS = 24 * 3_600_000;

/** Makes the methods for trades of the account: of its orders, and within its block trades. */
export const userTradeHandlers = handlersOf(({ clock, world, blockTrades }) => {
  const all = (): UserTrade[] =>
    [...blockTrades.select({ count: Infinity }).flatMap(({ trades }) => trades), ...world.userTrades()].sort(follows);
  const respond = (trades: readonly UserTrade[], params: Selection): string => {
    const matching = between(trades, params).filter(
      (trade) => isWithin(trade, params) && isKept(trade, clock, params.historical),
    );
    const chosen = select(matching, params);
    return `{"trades":[${chosen.map((trade) => blockTradeLegText(trade, world.instruments)).join(",")}],"has_more":${String(matching.length > chosen.length)}}`;
  };
  const ofInstrument = ({ params }: Pick<Call<"private/get_user_trades_by_instrument">, "params">): string => {
    const { instrument_name: name } = params;
    instrumentOf(world.instruments, name);
    return respond(
      all().filter((trade) => trade.instrument_name === name),
      params,
    );
  };
  const ofCurrency = ({ params }: Pick<Call<"private/get_user_trades_by_currency">, "params">): string => {
    const { currency, kind = "any" } = params;
    refuseUnknownCurrency(currency);
    const trades = all().filter((trade) => {
      const instrument = world.instruments.get(trade.instrument_name);
      return instrument?.currencies.includes(currency) === true && isOfKind(instrument, kind);
    });
    return respond(trades, params);
  };
  return {
    "private/get_user_trades_by_currency": ofCurrency,
    "private/get_user_trades_by_currency_and_time": ofCurrency,
    "private/get_user_trades_by_instrument": ofInstrument,
    "private/get_user_trades_by_instrument_and_time": ofInstrument,
    "private/get_user_trades_by_order": ({ params: { order_id: id, sorting, historical } }) => {
      const trades = all().filter((trade) => trade.order_id === id && isKept(trade, clock, historical));
      if (trades.length === 0 && world.order(id) === undefined) throw refusal(10004);
      const sorted = sorting === "asc" ? trades : trades.reverse();
      return `[${sorted.map((trade) => blockTradeLegText(trade, world.instruments)).join(",")}]`;
    },
  };
});

function isKept({ timestamp }: UserTrade, clock: Clock, isHistorical: boolean | undefined): boolean {
  return isListed(clock.now() - timestamp, RECENT_TRADES_MS, isHistorical);
}

/** Returns the trades from one to another, both included. The refusal of an unknown identifier is not documented. */
function between(
  trades: readonly UserTrade[],
  { start_id: startId, end_id: endId }: Pick<Selection, "start_id" | "end_id">,
): readonly UserTrade[] {
  const place = (id: string): number => {
    const index = trades.findIndex(({ trade_id }) => trade_id === id);
    if (index < 0) throw refusal(13020);
    return index;
  };
  return trades.slice(startId === undefined ? 0 : place(startId), endId === undefined ? undefined : place(endId) + 1);
}
