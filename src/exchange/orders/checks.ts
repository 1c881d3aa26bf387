import { opposite, tickAt, type TradedInstrument, type Side } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Lots, Ticks } from "../units.ts";
import type { TradedMarket } from "./engineCore.ts";
import { refreshAmountOf, type CompleteDraft } from "./make.ts";
import { hasLimit, isTriggerType, type BookOrder, type OrderDraft } from "./order.ts";
import { waitsForRise } from "./triggers.ts";

/** The facts of an order that can be checked before anything else is known. */
export type Terms = Pick<
  BookOrder,
  | "direction"
  | "type"
  | "amount"
  | "price"
  | "timeInForce"
  | "postOnly"
  | "reduceOnly"
  | "trigger"
  | "triggerPrice"
  | "triggerOffset"
> & { readonly displayAmount: Lots | undefined };

/** Refuses terms that no order of the instrument can have, whatever its book looks like. */
export function refuseTerms(terms: Terms, instrument: TradedInstrument): Refusal | undefined {
  return (
    refuseAmount(terms, instrument) ??
    refusePrice(terms, instrument) ??
    refuseTrigger(terms, instrument) ??
    refuseCombination(terms) ??
    refuseDisplay(terms, instrument)
  );
}

/** Returns the terms of a draft, with the defaults. */
export function termsOf(draft: CompleteDraft): Terms {
  return {
    direction: draft.direction,
    type: draft.type ?? "limit",
    amount: draft.amount,
    price: draft.price,
    timeInForce: draft.timeInForce ?? "good_til_cancelled",
    postOnly: draft.postOnly ?? false,
    reduceOnly: draft.reduceOnly ?? false,
    trigger: draft.trigger,
    triggerPrice: draft.triggerPrice,
    triggerOffset: draft.triggerOffset,
    displayAmount: draft.displayAmount,
  };
}

function refuseAmount({ amount, price }: Terms, instrument: TradedInstrument): Refusal | undefined {
  const { kind, minAmount, maxAmount, contractSize } = instrument;
  const isSafe = Number.isSafeInteger(amount) && Math.abs(amount * (price ?? 0)) <= Number.MAX_SAFE_INTEGER;
  if (!isSafe || amount > maxAmount) return { word: "invalid_amount", limit: maxAmount };
  if (amount < minAmount) return { word: "qty_too_low", limit: minAmount };
  if (kind === "future" && amount % contractSize !== 0) return { word: "non_integer_contract_amount" };
  return undefined;
}

/** An iceberg order shows at least this many times the smallest amount of its instrument. */
const LEAST_SHOWN = 100;
/** What it hides is less than this many times what it shows. */
const MOST_HIDDEN = 100;

/**
 * Refuses an iceberg order that shows too little.
 * https://docs.deribit.com/api-reference/trading/private-buy (display_amount)
 */
function refuseDisplay({ amount, displayAmount }: Terms, { minAmount }: TradedInstrument): Refusal | undefined {
  if (displayAmount !== undefined && displayAmount < 0) return { word: "invalid_max_show_amount" };
  const shown = refreshAmountOf(displayAmount, amount);
  if (shown === undefined) return undefined;
  const least = Math.max(LEAST_SHOWN * minAmount, Math.floor(amount / (MOST_HIDDEN + 1)) + 1);
  return Number.isSafeInteger(shown) && shown >= least ? undefined : { word: "invalid_max_show_amount", limit: least };
}

function refusePrice({ type, price }: Terms, instrument: TradedInstrument): Refusal | undefined {
  if (!hasLimit(type)) return price === undefined ? undefined : { word: "bad_argument", param: "price" };
  if (price === undefined) return { word: "bad_argument", param: "price" };
  if (!isPrice(price, instrument)) return { word: "invalid_price" };
  return price % tickAt(instrument, price) === 0 ? undefined : { word: "price_wrong_tick" };
}

function isPrice(price: Ticks, { kind }: TradedInstrument): boolean {
  // The price of a combo is a difference.
  const mayBeNegative = kind === "future_combo" || kind === "option_combo";
  return Number.isSafeInteger(price) && (mayBeNegative || price > 0);
}

function refuseTrigger(terms: Terms, instrument: TradedInstrument): Refusal | undefined {
  const { type, trigger, triggerPrice, triggerOffset } = terms;
  if (!isTriggerType(type)) {
    const isClean = trigger === undefined && triggerPrice === undefined && triggerOffset === undefined;
    return isClean ? undefined : { word: "unsupported_arg_combination" };
  }
  if (trigger === undefined) return { word: "bad_argument", param: "trigger" };
  if (type === "trailing_stop") return refuseOffset(terms);
  if (triggerPrice === undefined) return { word: "bad_argument", param: "trigger_price" };
  if (triggerOffset !== undefined) return { word: "unsupported_arg_combination" };
  if (!isPrice(triggerPrice, instrument)) return { word: "invalid_trigger_price" };
  return triggerPrice % tickAt(instrument, triggerPrice) === 0 ? undefined : { word: "trigger_price_wrong_tick" };
}

function refuseOffset({ triggerPrice, triggerOffset }: Terms): Refusal | undefined {
  // The trigger price of a trailing stop follows from its offset, and is known once the order waits.
  if (triggerOffset === undefined) {
    const isGiven = triggerPrice !== undefined;
    return isGiven ? { word: "unsupported_arg_combination" } : { word: "bad_argument", param: "trigger_offset" };
  }
  if (Number.isSafeInteger(triggerOffset) && triggerOffset > 0) return undefined;
  return { word: "bad_argument", param: "trigger_offset" };
}

function refuseCombination({ type, timeInForce, postOnly, displayAmount }: Terms): Refusal | undefined {
  const isImmediate = timeInForce === "fill_or_kill" || timeInForce === "immediate_or_cancel";
  if (postOnly && (isImmediate || !hasLimit(type))) return { word: "post_only_not_allowed" };
  if (displayAmount !== undefined && displayAmount !== 0 && !hasLimit(type))
    return { word: "unsupported_arg_combination" };
  return undefined;
}

/** Refuses a trigger price that has been passed already. */
export function refusePassedTrigger(
  { type, direction, trigger, triggerPrice, triggerOffset }: Terms,
  { prices }: TradedMarket,
): Refusal | undefined {
  const price = trigger === undefined ? undefined : prices[trigger];
  if (price === undefined || triggerPrice === undefined || triggerOffset !== undefined) return undefined;
  if (waitsForRise({ type, direction }))
    return price < triggerPrice ? undefined : { word: "trigger_price_too_low", limit: price };
  return price > triggerPrice ? undefined : { word: "trigger_price_too_high", limit: price };
}

/** Returns the linked drafts with what follows from the primary one. */
export function completeLegs({
  account,
  instrument,
  direction,
  amount,
  connection,
  linked,
}: OrderDraft): CompleteDraft[] {
  const otherSide: Side = opposite(direction);
  // Orders that cancel each other do the same thing in two ways; those that follow undo it.
  const side = linked?.type === "one_cancels_other" ? direction : otherSide;
  return (linked?.legs ?? []).map((leg) => ({
    ...leg,
    account,
    instrument,
    connection,
    direction: leg.direction ?? side,
    amount: leg.amount ?? amount,
  }));
}

/** Refuses the wrong number of linked orders. */
export function refuseLinks({ linked }: OrderDraft): Refusal | undefined {
  if (linked === undefined) return undefined;
  const wanted = linked.type === "one_triggers_one_cancels_other" ? 2 : 1;
  return linked.legs.length === wanted ? undefined : { word: "bad_argument", param: "otoco_config" };
}
