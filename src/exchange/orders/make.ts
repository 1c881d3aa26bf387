import type { Lots } from "../units.ts";
import { isTriggerType, type LinkedDraft, type BookOrder, type OrderDraft, type OrderType } from "./order.ts";

/** The source of order IDs, trade IDs, and what else is numbered. */
export interface Ids {
  /** Makes the ID of an order; `order` is complete up to it. */
  order(order: Omit<BookOrder, "id">): string;
  trade(instrument: string): number;
  /** Makes the ID of a change of a book, above all before it. */
  change(): number;
  /** Makes the reference that two orders share of which one cancels the other. */
  link(): string;
}

/** The linked draft with all that follows from its primary order. */
export type CompleteDraft = LinkedDraft &
  Pick<OrderDraft, "account" | "instrument" | "direction" | "amount" | "connection">;

/** What an order gets from its place among others, beside its draft. */
type Ties = Partial<
  Pick<BookOrder, "ocoRef" | "primaryOrderId" | "isSecondaryOto" | "isPrimaryOtoco" | "fillCondition">
>;

/** Makes an order from its draft. Trigger orders and those that wait for another one are `untriggered`. */
export function createBookOrder(
  draft: CompleteDraft & Pick<OrderDraft, "isLiquidation" | "quote" | "isRouted">,
  ties: Ties,
  ids: Pick<Ids, "order">,
  nowMs: number,
): BookOrder {
  const { account, instrument, direction, amount, type = "limit", timeInForce = "good_til_cancelled" } = draft;
  const { isSecondaryOto = false } = ties;
  const shown = shownAmounts(draft.displayAmount, amount);
  return withId(
    {
      account,
      instrument,
      direction,
      type,
      originalType: undefined,
      state: isTriggerType(type) || isSecondaryOto ? "untriggered" : "open",
      amount,
      filled: 0,
      cost: 0,
      price: draft.price,
      timeInForce,
      postOnly: draft.postOnly ?? false,
      rejectPostOnly: draft.rejectPostOnly ?? false,
      reduceOnly: draft.reduceOnly ?? false,
      refreshAmount: shown.refreshAmount,
      displayAmount: shown.displayAmount,
      label: draft.label ?? "",
      mmp: draft.mmp ?? false,
      quote: draft.quote,
      isLiquidation: draft.isLiquidation ?? false,
      connection: draft.connection,
      isRouted: draft.isRouted === true,
      isOnItsWay: false,
      trigger: draft.trigger,
      triggerPrice: draft.triggerPrice,
      triggerOffset: draft.triggerOffset,
      triggerReferencePrice: undefined,
      triggerOrderId: undefined,
      otoOrderIds: [],
      ocoRef: ties.ocoRef,
      primaryOrderId: ties.primaryOrderId,
      isSecondaryOto,
      isPrimaryOtoco: ties.isPrimaryOtoco ?? false,
      fillCondition: ties.fillCondition,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      endsAtMs: timeInForce === "good_til_day" ? endOfDay(nowMs) : undefined,
      replaced: false,
      cancelReason: undefined,
      refusal: undefined,
    },
    ids,
  );
}

/** Makes the order as which a trigger order goes on: it no longer waits for a price. */
export function createTriggered(parent: BookOrder, ids: Ids, nowMs: number): BookOrder {
  return withId(
    {
      ...parent,
      type: afterTrigger(parent.type),
      originalType: parent.type,
      state: "open",
      triggerOrderId: parent.id,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    },
    ids,
  );
}

/** Makes the order as which a linked order, or a part of it, goes on. It may be a trigger order. */
export function createActivated(
  waiting: BookOrder,
  { amount, ocoRef }: { readonly amount: Lots; readonly ocoRef: string | undefined },
  ids: Ids,
  nowMs: number,
): BookOrder {
  return withId(
    {
      ...waiting,
      amount,
      ...shownAmounts(waiting.refreshAmount, amount),
      state: isTriggerType(waiting.type) ? "untriggered" : "open",
      triggerOrderId: waiting.id,
      ocoRef,
      isSecondaryOto: false,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    },
    ids,
  );
}

/** Returns what an order shows each time, and at first. */
function shownAmounts(wanted: Lots | undefined, amount: Lots): Pick<BookOrder, "refreshAmount" | "displayAmount"> {
  const refreshAmount = refreshAmountOf(wanted, amount);
  return { refreshAmount, displayAmount: refreshAmount };
}

/**
 * Returns what an order shows each time; one that shows all of itself is a plain order. 0 means that it hides nothing.
 * https://docs.deribit.com/fix-api/production/changes-log (release of 10 June 2025)
 */
export function refreshAmountOf(displayAmount: Lots | undefined, amount: Lots): Lots | undefined {
  return displayAmount === undefined || displayAmount === 0 || displayAmount >= amount ? undefined : displayAmount;
}

/** Gives an order that was just made its ID. */
function withId(order: Omit<BookOrder, "id">, ids: Pick<Ids, "order">): BookOrder {
  return Object.assign(order, { id: ids.order(order) });
}

function afterTrigger(type: OrderType): OrderType {
  return type === "stop_limit" || type === "take_limit" ? "limit" : "market";
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the next 8:00 UTC after an instant. */
function endOfDay(nowMs: number): number {
  return (Math.floor((nowMs - 8 * HOUR_MS) / DAY_MS) + 1) * DAY_MS + 8 * HOUR_MS;
}
