import type { ParamsOf } from "../../catalogue/index.ts";
import type { Side, TradedInstrument } from "../../exchange/instrument.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { OrderDraft, OrderEdit } from "../../exchange/orders/order.ts";
import { fromSteps } from "../../exchange/units.ts";
import { blockTradeLegText } from "../market/blockTrades.ts";
import type { Placement } from "../market/accountOrders.ts";
import type { WorldOrder } from "../market/orders.ts";
import type { World } from "../market/world.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { refusalError } from "../text/refusals.ts";
import { handlersOf, type Call, type HandlerPorts } from "./handlers.ts";
import { instrumentOf } from "./marketMethods.ts";
import { missingAmount, orderDraft, orderEdit, orderLots, ticks } from "./orderTerms.ts";
import { refuseUnroutable, refuseUnroutableEdit } from "../text/routedSpot.ts";
import { refuseUnprotected } from "../accounts/protectedOrders.ts";

type PlaceCall = Pick<Call<"private/buy">, "params" | "connection">;
type EditParams = Omit<ParamsOf<"private/edit">, "order_id">;

/** Makes the methods that place and edit orders, and that say what margin they need. */
export const tradingHandlers = handlersOf((ports) => {
  const { world } = ports;
  const instrument = (name: string): TradedInstrument => tradedInstrumentOf(ports, name);
  const place = (direction: Side, { params, connection }: PlaceCall): string => {
    if (ports.venue.isRouted(instrumentOf(world.instruments, params.instrument_name))) refuseUnroutable(params);
    const source = { account: world.account, connection: connection.number };
    const traded = instrument(params.instrument_name);
    const draft = orderDraft(traded, direction, params, source);
    if (params.mmp === true) refuseProtectedDraft(ports, traded, draft);
    return placementText(world, world.place(draft));
  };
  const edit = (order: WorldOrder, params: EditParams): string => {
    const name = order.instrument_name;
    if (ports.venue.isRouted(instrumentOf(world.instruments, name))) refuseUnroutableEdit(order, params);
    refuseProtectedEdit(order, params);
    const traded = instrument(name);
    const changes = orderEdit(traded, params);
    if (order.mmp === true) {
      const { amount = order.amount, price = Number(order.price) } = decimalsOf(traded, changes);
      refuseUnprotected(ports, {
        ...{ instrument: traded, direction: order.direction, replaces: order.order_id, price },
        amount: amount - (order.filled_amount ?? 0),
      });
    }
    return placementText(world, world.edit(order.order_id, changes));
  };
  return {
    "private/buy": (call) => place("buy", call),
    "private/sell": (call) => place("sell", call),
    "private/edit": ({ params: { order_id: id, ...params } }) => {
      requireSize(params);
      const order = world.order(id);
      if (order === undefined) throw refusal(10004);
      return edit(order, params);
    },
    "private/edit_by_label": ({ params: { label = "", instrument_name: name, ...params } }) => {
      requireSize(params);
      instrumentOf(world.instruments, name);
      const [order, ...others] = [...world.openOrders()].filter(
        (each) => each.instrument_name === name && (each.label ?? "") === label,
      );
      if (order === undefined) throw refusal(10004);
      if (others.length > 0) throw refusalError({ word: "non_unique_order_label" }, undefined);
      return edit(order, params);
    },
    "private/close_position": ({ params: { instrument_name: name, type, price }, connection }) => {
      const traded = instrument(name);
      if (type !== "limit" && type !== "market") throw invalidParam("type", "invalid type");
      if (type === "limit" && price === undefined) throw invalidParam("price", "value required");
      const limit = type === "limit" ? ticks(traded, price, "price_wrong_tick") : undefined;
      return placementText(world, world.closePosition(name, { price: limit, connection: connection.number }));
    },
    "private/get_margins": ({ params }) => marginsText(ports, instrument(params.instrument_name), params),
    "private/get_order_margin_by_ids": ({ params }) =>
      `[${params.ids.map((id) => orderMarginText(ports, id)).join(",")}]`,
  };
});

/**
 * Refuses an order with `mmp` that its index does not allow. Only limit orders have it.
 * https://docs.deribit.com/api-reference/trading/private-buy
 */
function refuseProtectedDraft(ports: HandlerPorts, instrument: TradedInstrument, draft: OrderDraft): void {
  if ((draft.type ?? "limit") !== "limit") throw invalidParam("mmp", "only for limit orders");
  refuseUnprotected(ports, { instrument, direction: draft.direction, ...decimalsOf(instrument, draft) });
}

/**
 * Refuses what no edit can do: to change whether an order is protected, and to change a quote.
 * https://docs.deribit.com/changelogs/jsonrpc (release of 19 May 2026)
 */
function refuseProtectedEdit({ quote, mmp = false }: WorldOrder, params: EditParams): void {
  if (quote === true) throw refusal(10004);
  if ((params.mmp ?? mmp) !== mmp) throw invalidParam("mmp", "editing mmp flag is not supported");
}

/** Returns the amount and the price of an order or an edit as numbers. */
function decimalsOf(
  { lot, tick }: TradedInstrument,
  { amount, price }: Pick<OrderEdit, "amount" | "price"> | Pick<OrderDraft, "amount" | "price">,
): { readonly amount: number | undefined; readonly price: number | undefined } {
  return {
    amount: amount === undefined ? undefined : fromSteps(amount, lot),
    price: price === undefined ? undefined : fromSteps(price, tick),
  };
}

/** Returns an instrument that is traded in the books. */
function tradedInstrumentOf({ world, venue }: HandlerPorts, name: string): TradedInstrument {
  instrumentOf(world.instruments, name);
  const traded = venue.instrument(name);
  if (traded !== undefined) return traded;
  throw refusalError(
    { word: "invalid_or_unsupported_instrument" },
    undefined,
    "the simulator has no order books of combos",
  );
}

function placementText(world: World, { order, trades }: Placement): string {
  return `{"order":${world.text(order)},"trades":[${trades.map((trade) => blockTradeLegText(trade, world.instruments)).join(",")}]}`;
}

/** Refuses an edit without a size: the exchange requires it. https://docs.deribit.com/api-reference/trading/private-edit */
function requireSize({ amount, contracts }: EditParams): void {
  if (amount === undefined && contracts === undefined) missingAmount();
}

function marginsText(
  { venue }: HandlerPorts,
  instrument: TradedInstrument,
  { amount, price }: ParamsOf<"private/get_margins">,
): string {
  venue.catchUp([instrument.name]);
  const size = orderLots(instrument, { amount }) ?? 0;
  const limit = ticks(instrument, price, "price_wrong_tick") ?? 0;
  if (size <= 0) throw refusalError({ word: "invalid_amount" }, instrument);
  if (limit <= 0) throw refusalError({ word: "invalid_price" }, instrument);
  const { buy, sell, makerFee, takerFee } = venue.ledger.margins(instrument, size, limit);
  const band = venue.market.band(instrument, venue.marketMs);
  return writeJson({
    buy: numberOf(buy),
    sell: numberOf(sell),
    buy_taker_fee: numberOf(takerFee),
    buy_maker_fee: numberOf(makerFee),
    sell_taker_fee: numberOf(takerFee),
    sell_maker_fee: numberOf(makerFee),
    min_price: fromSteps(band.min, instrument.tick),
    max_price: fromSteps(band.max, instrument.tick),
  });
}

function orderMarginText({ world, venue }: HandlerPorts, id: string): string {
  const order = world.order(id);
  if (order === undefined) throw refusal(10004);
  const reserved = venue.ledger.orderMargin(id);
  return writeJson({
    order_id: id,
    initial_margin: numberOf(reserved?.initialMargin ?? 0n),
    initial_margin_currency: reserved?.currency ?? venue.instrument(order.instrument_name)?.settlementCurrency,
  });
}
