import type { AccountId } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import { refuseInState } from "./bookState.ts";
import type { Lots } from "../units.ts";
import { refusePassedTrigger, refuseTerms, type Terms } from "./checks.ts";
import { waitsForPrice, type EngineCore, type TradedMarket } from "./engineCore.ts";
import { refreshAmountOf } from "./make.ts";
import type { Matching } from "./matching.ts";
import { isWaitingOrder, type BookOrder, type OrderEdit } from "./order.ts";

/** Changes an order. One keeps its place in the queue that becomes smaller and else stays the same. */
export function editOrder(
  core: EngineCore,
  matching: Matching,
  order: BookOrder,
  edit: OrderEdit,
): Refusal | undefined {
  const market = core.marketOf(order);
  const next = edited(order, edit);
  const refusal = refuseEdit(core, market, order, { edit, next });
  if (refusal !== undefined) return refusal;
  if (order.state === "open" && !keepsItsPlace(order, next)) return replace(core, matching, order, next);
  market.triggers.remove(order);
  market.book.shrink(order, order.amount - next.amount);
  change(core, order, next);
  if (waitsForPrice(order)) market.triggers.add(order, market.prices[order.trigger]);
  core.tell({ kind: "edited", order: { ...order } });
  core.fireIfMet(order);
  matching.settleDue();
  return undefined;
}

/** Returns why an edit would be refused now, or would cancel the order; nothing changes by it. */
export function refuseEditing(
  core: EngineCore,
  matching: Matching,
  order: BookOrder,
  edit: OrderEdit,
): Refusal | undefined {
  const next = edited(order, edit);
  const refusal = refuseEdit(core, core.marketOf(order), order, { edit, next });
  if (refusal !== undefined || order.state !== "open" || keepsItsPlace(order, next)) return refusal;
  return matching.admit(next, order.id);
}

/** Why an account cannot cancel or edit an order; undefined where it can. */
export function refuseAccess(
  core: EngineCore,
  order: BookOrder | undefined,
  account: AccountId,
  verb: "cancel" | "edit",
): Refusal | undefined {
  if (order === undefined) return { word: "order_not_found" };
  if (order.account !== account) return { word: "not_owner_of_order" };
  if (order.state === "filled") return { word: "already_closed" };
  if (order.state !== "open" && !isWaitingOrder(order)) return { word: "not_open_order" };
  if (order.isLiquidation) return { word: `can_not_${verb}_liquidation_order` };
  return refuseInState(core.marketOf(order).state, verb);
}

function edited(order: BookOrder, edit: OrderEdit): BookOrder {
  const amount = edit.amount ?? order.amount;
  return {
    ...order,
    amount,
    price: edit.price ?? order.price,
    postOnly: edit.postOnly ?? order.postOnly,
    rejectPostOnly: edit.rejectPostOnly ?? order.rejectPostOnly,
    reduceOnly: edit.reduceOnly ?? order.reduceOnly,
    refreshAmount: edit.displayAmount === undefined ? order.refreshAmount : refreshAmountOf(edit.displayAmount, amount),
    triggerPrice: edit.triggerPrice ?? order.triggerPrice,
    triggerOffset: edit.triggerOffset ?? order.triggerOffset,
    quote: edit.quote ?? order.quote,
    replaced: true,
  };
}

function refuseEdit(
  core: EngineCore,
  market: TradedMarket,
  order: BookOrder,
  { edit, next }: { readonly edit: OrderEdit; readonly next: BookOrder },
): Refusal | undefined {
  if (edit.validUntilMs !== undefined && edit.validUntilMs < core.nowMs) return { word: "timed_out" };
  const isWaiting = isWaitingOrder(order);
  const isTriggerEdited = edit.triggerPrice !== undefined || edit.triggerOffset !== undefined;
  const isTrailing = order.triggerOffset !== undefined;
  if (isTriggerEdited && (!isWaiting || (isTrailing && edit.triggerPrice !== undefined)))
    return { word: "unsupported_arg_combination" };
  const terms = editedTerms(next, isWaiting);
  const isPassable = isWaiting && !order.isSecondaryOto && edit.triggerPrice !== undefined;
  const refusal =
    refuseTerms(terms, market.instrument) ?? (isPassable ? refusePassedTrigger(terms, market) : undefined);
  if (refusal !== undefined) return refusal;
  return next.amount > order.filled ? undefined : { word: "invalid_amount", limit: order.filled };
}

/** Returns the terms of an order as its account would give them. */
function editedTerms(next: BookOrder, isWaiting: boolean): Terms {
  return {
    ...next,
    // What is left of a market limit order has a price.
    type: next.type === "market_limit" && next.price !== undefined ? "limit" : next.type,
    displayAmount: next.refreshAmount,
    // The order that a trigger order goes on as knows what triggered it, and does not wait for it again.
    trigger: isWaiting ? next.trigger : undefined,
    triggerOffset: isWaiting ? next.triggerOffset : undefined,
    // The trigger price of a trailing stop is the exchange's.
    triggerPrice: isWaiting && next.triggerOffset === undefined ? next.triggerPrice : undefined,
  };
}

function keepsItsPlace(order: BookOrder, next: BookOrder): boolean {
  const isSame =
    next.price === order.price &&
    next.postOnly === order.postOnly &&
    next.reduceOnly === order.reduceOnly &&
    next.refreshAmount === order.refreshAmount;
  return isSame && next.amount <= order.amount && !isRepeated(order, next);
}

/**
 * Whether an edit says of a quote what it says already: that costs it its place.
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */
function isRepeated(order: BookOrder, next: BookOrder): boolean {
  return next.quote !== order.quote && next.quote?.setId === order.quote?.setId && next.amount === order.amount;
}

/** Lets an order come in again, with the ID and the fills that it has. */
function replace(core: EngineCore, matching: Matching, order: BookOrder, next: BookOrder): Refusal | undefined {
  const { book } = core.marketOf(order);
  const refusal = matching.admit(next, order.id);
  if (refusal?.word === "post_only_reject") {
    core.cancel(order, "edit_post_only_reject");
    return undefined;
  }
  if (refusal !== undefined) return refusal;
  book.remove(order);
  change(core, order, next);
  core.tell({ kind: "edited", order: { ...order } });
  matching.enter(order);
  matching.settleDue();
  return undefined;
}

/** Returns what an edited order shows; the book knows it of one that rests, and tells it. */
function shownNow(order: BookOrder, { refreshAmount, amount, filled }: BookOrder): Lots | undefined {
  if (refreshAmount === undefined) return undefined;
  const isResting = order.state === "open" && order.refreshAmount === refreshAmount;
  return isResting ? order.displayAmount : Math.min(refreshAmount, amount - filled);
}

function change(core: EngineCore, order: BookOrder, next: BookOrder): void {
  const isResized = next.amount !== order.amount;
  const { amount, price, postOnly, rejectPostOnly, reduceOnly, refreshAmount, triggerPrice, triggerOffset } = next;
  const changes: Partial<BookOrder> = {
    ...{ amount, price, postOnly, rejectPostOnly, reduceOnly, refreshAmount, triggerPrice, triggerOffset },
    quote: next.quote,
    displayAmount: shownNow(order, next),
    replaced: true,
    updatedAtMs: core.nowMs,
  };
  Object.assign(order, changes);
  core.orders.edited(order);
  if (isResized) core.links.resized(order);
}
