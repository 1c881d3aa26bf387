import type { TradedInstrument } from "../../exchange/instrument.ts";
import { isTriggerType, type CancelCause, type OrderView } from "../../exchange/orders/order.ts";
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
export function describeBookOrder(
  view: OrderView,
  instrument: SimulatedInstrument,
  traded: TradedInstrument,
): WorldOrder {
  const price = (ticks: number): number => fromSteps(ticks, traded.tick);
  const amount = (lots: number): number => fromSteps(lots, traded.lot);
  const isLimit = view.type === "market_limit";
  const original = isLimit ? "market_limit" : view.originalType;
  return {
    ...(instrument.kind === "spot" ? {} : { reduce_only: view.reduceOnly, is_liquidation: view.isLiquidation }),
    order_id: view.id,
    instrument_name: view.instrument,
    direction: view.direction,
    order_state: view.state,
    order_type: isLimit ? "limit" : view.type,
    ...(original === undefined ? {} : { original_order_type: original }),
    time_in_force: view.timeInForce,
    price: view.price === undefined ? "market_price" : price(view.price),
    amount: amount(view.amount),
    contracts: Number((amount(view.amount) / instrument.contractSize).toPrecision(12)),
    ...fillsOf(view, price, amount),
    ...shownOf(view, amount),
    label: view.label,
    post_only: view.postOnly,
    reject_post_only: view.rejectPostOnly,
    mmp: view.mmp,
    risk_reducing: false,
    api: true,
    web: false,
    replaced: view.replaced,
    user_id: Number(view.account),
    ...triggerOf(view, price),
    ...linksOf(view),
    ...endOf(view),
    creation_timestamp: view.createdAtMs,
    last_update_timestamp: view.updatedAtMs,
  };
}

type Convert = (steps: number) => number;

/** Trigger orders that wait carry no filled amount, as recorded messages have it. */
function fillsOf(view: OrderView, price: Convert, amount: Convert): Partial<WorldOrder> {
  if (isTriggerType(view.type)) return {};
  const average = view.filled === 0 ? 0 : price(view.cost) / view.filled;
  return { filled_amount: amount(view.filled), average_price: roundTo(average, price(1) / 100) };
}

function shownOf({ refreshAmount, displayAmount }: OrderView, amount: Convert): Partial<WorldOrder> {
  if (refreshAmount === undefined) return {};
  return { refresh_amount: amount(refreshAmount), display_amount: amount(displayAmount ?? 0) };
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

function endOf({ cancelReason }: OrderView): Partial<WorldOrder> {
  if (cancelReason === undefined || UNNAMED_CAUSES.has(cancelReason)) return {};
  return { cancel_reason: cancelReason, ...(cancelReason === "mmp_trigger" ? { mmp_cancelled: true } : {}) };
}
