import type { TradedInstrument } from "../../exchange/instrument.ts";
import {
  isTriggerType,
  remainingOf,
  type CancelCause,
  type OrderView,
  type QuoteTag,
} from "../../exchange/orders/order.ts";
import { fromSteps } from "../../exchange/units.ts";
import { roundTo } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { WorldOrder } from "./orders.ts";

/** The causes that the exchange has no word for: what the order itself said ended it. */
const UNNAMED_CAUSES: ReadonlySet<CancelCause> = new Set(["time_in_force", "end_of_day", "reduce_only"]);

/**
 * Returns an order of a book as the exchange describes it. It is a copy: it does not change with the order.
 * https://docs.deribit.com/api-reference/trading/private-get_order_state
 */
export function describeOrderView(
  view: OrderView,
  instrument: SimulatedInstrument,
  traded: TradedInstrument,
): WorldOrder {
  const price = (ticks: number): number => fromSteps(ticks, traded.tick);
  const amount = (lots: number): number => fromSteps(lots, traded.lot);
  const isLimit = view.type === "market_limit";
  // Most orders are plain: parts that only some have are added where there is something to add. What nearly all have is
  // set member by member, which takes less than half as long as to assign an object.
  const order: Described = {
    order_id: view.id,
    instrument_name: view.instrument,
    direction: view.direction,
    order_state: view.state,
    order_type: isLimit ? "limit" : view.type,
    time_in_force: view.timeInForce,
    price: view.price === undefined ? "market_price" : price(view.price),
    amount: amount(view.amount),
    label: view.label,
    post_only: view.postOnly,
    reject_post_only: view.rejectPostOnly,
    mmp: view.mmp,
    risk_reducing: false,
    api: !view.isLiquidation,
    web: false,
    replaced: view.replaced,
    user_id: Number(view.account),
    creation_timestamp: view.createdAtMs,
    last_update_timestamp: view.updatedAtMs,
  };
  const original = isLimit ? "market_limit" : view.originalType;
  if (original !== undefined) Object.assign(order, { original_order_type: original });
  if (instrument.kind === "spot") order.is_rebalance = false;
  else {
    order.reduce_only = view.reduceOnly;
    order.is_liquidation = view.isLiquidation;
  }
  addFills(order, view, price, amount);
  if (!view.isSecondaryOto) order.contracts = view.amount / traded.contractSize;
  if (view.refreshAmount !== undefined) Object.assign(order, shownOf(view, amount));
  if (view.trigger !== undefined || view.triggerOrderId !== undefined) Object.assign(order, triggerOf(view, price));
  if (view.fillCondition !== undefined) Object.assign(order, linksOf(view));
  if (view.quote !== undefined) Object.assign(order, quoteOf(view.quote));
  if (view.cancelReason !== undefined) addEnd(order, view.cancelReason);
  return order;
}

/** An order while it is being described. */
type Described = { -readonly [Name in keyof WorldOrder]: WorldOrder[Name] };

type Convert = (steps: number) => number;

/**
 * Adds what was filled. Trigger orders that wait for a price carry no filled amount, as recorded messages have it.
 * Those that wait for another order do, and neither contracts nor an average price.
 */
function addFills(order: Described, view: OrderView, price: Convert, amount: Convert): void {
  const { filled, cost } = view;
  if (view.isSecondaryOto) order.filled_amount = 0;
  if (view.isSecondaryOto || isTriggerType(view.type)) return;
  order.filled_amount = amount(filled);
  order.average_price = filled === 0 ? 0 : roundTo(price(cost) / filled, price(1) / 100);
}

function addEnd(order: Described, cause: CancelCause): void {
  if (UNNAMED_CAUSES.has(cause)) return;
  order.cancel_reason = cause;
  if (cause === "mmp_trigger") order.mmp_cancelled = true;
}

/** What is left may be less than what was shown last: nothing of an order that was filled as it came. */
function shownOf(view: OrderView, amount: Convert): Partial<WorldOrder> {
  const { refreshAmount = 0, displayAmount = 0 } = view;
  return {
    refresh_amount: amount(refreshAmount),
    display_amount: amount(Math.min(displayAmount, remainingOf(view))),
  };
}

function triggerOf(view: OrderView, price: Convert): Partial<WorldOrder> {
  const { trigger, triggerPrice, triggerOffset, triggerReferencePrice, triggerOrderId } = view;
  const from = triggerOrderId === undefined ? {} : { trigger_order_id: triggerOrderId };
  // What a trigger order goes on as waits for nothing.
  if (trigger === undefined || !isTriggerType(view.type)) return { ...from, ...(trigger === undefined ? {} : FIRED) };
  return {
    ...from,
    trigger,
    triggered: view.state === "triggered",
    ...(triggerPrice === undefined ? {} : { trigger_price: price(triggerPrice) }),
    ...(triggerOffset === undefined ? {} : { trigger_offset: price(triggerOffset) }),
    ...(triggerReferencePrice === undefined ? {} : { trigger_reference_price: price(triggerReferencePrice) }),
  };
}

const FIRED = { triggered: true };

function linksOf(view: OrderView): Partial<WorldOrder> {
  return {
    ...(view.otoOrderIds.length === 0 ? {} : { oto_order_ids: view.otoOrderIds }),
    ...(view.ocoRef === undefined ? {} : { oco_ref: view.ocoRef }),
    ...(view.primaryOrderId === undefined ? {} : { primary_order_id: view.primaryOrderId }),
    ...(view.isSecondaryOto ? { is_secondary_oto: true } : {}),
    ...(view.isPrimaryOtoco ? { is_primary_otoco: true } : {}),
    ...(view.fillCondition === undefined ? {} : { trigger_fill_condition: view.fillCondition }),
  };
}

function quoteOf({ mmpGroup, setId, id }: QuoteTag): Partial<WorldOrder> {
  return {
    quote: true,
    mmp_group: mmpGroup,
    ...(setId === undefined ? {} : { quote_set_id: setId }),
    quote_id: id,
  };
}
