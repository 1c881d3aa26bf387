import {
  compareDecimals,
  formatDecimal,
  isSameDecimal,
  parseDecimal,
  subtractDecimals,
  type Decimal,
  addDecimals,
  multiplyDecimals,
  roundDecimal,
} from "../../base/decimal.ts";
import { type Changed, nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import { isOpenState } from "../../catalogue/orderStates.ts";
import { isIsolated } from "../../state/isolated.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import type { Order } from "../../state/orders.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import { SEND_WITHIN_MS, type Intent } from "../intent/intent.ts";
import type { Members } from "../intent/fields.ts";
import { describeOrder, wordsOfOrders, type OrderContext, type SeveralIntents } from "./orders.ts";
import { commaProblem } from "./orderLine.ts";
import { isSpotOrder, priceMember, termsBefore } from "./orderTerms.ts";
import { tickSizeAt, type PriceSteps } from "./orderSteps.ts";

/** The terms of an order that can be edited here. `trigger` is the trigger price, or the offset of a trailing order. */
export const EDIT_FIELDS = ["price", "amount", "trigger"] as const;
export type EditField = (typeof EDIT_FIELDS)[number];

/** The wanted terms, each a JSON number literal for literal as it was typed; what is left out stays as it is. */
export type EditWish = Readonly<Partial<Record<EditField, string>>>;

/** The facts that an edit needs beside the order. */
export interface EditContext extends OrderContext {
  /** Whether the order changed while an earlier confirmation of the same edit was open. */
  readonly isAskedAgain?: boolean;
  /** The order as the form showed it, whose terms stay unless they were typed; left out, as it is now. */
  readonly asShown?: Order;
  /** What the server says about the edited order, in lines of the confirmation. */
  readonly preview?: readonly Plain[];
  /** Whether the typed price is beyond the band on the side where the exchange changes or refuses it. */
  readonly isOutOfBand?: boolean;
  /** Is told the order as it was read in the last moment before the send. */
  readonly onRead?: (order: Order) => void;
}

export const EDIT_METHOD = "private/edit";

/** Returns a term of an order as a JSON number; undefined where the order has none that can be edited. */
export function presentTerm(order: Order, field: EditField): Plain | undefined {
  const value = termValue(order, field);
  return typeof value === "number" ? decimalText(value) : undefined;
}

function termValue(order: Order, field: EditField): unknown {
  switch (field) {
    case "price":
      return order[priceMember(order)];
    case "amount":
      return order.amount;
    case "trigger":
      return isWaiting(order) ? order[triggerMember(order)] : undefined;
  }
}

/** Whether an order waits for its trigger, and is not in the book. */
function isWaiting({ order_state: state }: Order): boolean {
  return state === "untriggered";
}

/** Returns the member that can be edited: the trigger price of a trailing order follows the market. */
function triggerMember({ trigger_offset: offset }: Order): "trigger_price" | "trigger_offset" {
  return offset === undefined ? "trigger_price" : "trigger_offset";
}

/** Returns the reason, as a sentence, why an order can't be edited; undefined where it can. */
export function editRefusal(order: Order): Plain | undefined {
  // The exchange cancelled the whole quote before it began to refuse this.
  if (order.quote === true)
    return l10n.t("{0} is part of a mass quote and can't be edited on its own.", describeOrder(order));
  if (isIsolated(order))
    return l10n.t("{0} can't be edited from here. Cancel it, or use the exchange's website.", describeOrder(order));
  return EDIT_FIELDS.every((field) => presentTerm(order, field) === undefined)
    ? l10n.t("{0} has no price, amount, or trigger that can be edited.", describeOrder(order))
    : undefined;
}

/** Returns the reason, as a sentence, why a text can't be a term of an order; undefined where it can. */
export function termProblem(order: Order, field: EditField, text: string): Plain | undefined {
  const value = parseDecimal(text);
  if (value === undefined)
    return commaProblem(text) ?? l10n.t("Enter a number, for example {0}.", presentTerm(order, field) ?? "1");
  if (field === "price") return undefined;
  if (value.units <= 0n) return l10n.t("Enter a number above 0.");
  const { filled_amount: filled = 0 } = order;
  if (field === "trigger" || compareDecimals(value, decimalOf(decimalText(filled))) > 0) return undefined;
  return l10n.t("{0} is filled already. Enter a larger total, or cancel the order.", figureText(filled));
}

/**
 * Returns the intent to edit an order. It carries the price, the amount, and the trigger of the order even where they
 * stay, and its flags as they are: left out, some take the default of the exchange. Void when anything that was shown
 * changes during the confirmation. Throws `CallError` where nothing would change, or it can't be edited.
 */
export function editOpenOrder(order: Order, wish: EditWish, context: EditContext): Intent {
  const refusal = editRefusal(order) ?? EDIT_FIELDS.map((field) => wishProblem(order, field, wish)).find(Boolean);
  if (refusal !== undefined) throw refused(refusal);
  const lines = changeLines(order, wish);
  if (lines.length === 0) throw nothingToDo(l10n.t("Nothing to change."));
  const target = describeOrder(order);
  const paramsText = editText(order, wish);
  const note = noteOf(order, context);
  return {
    method: EDIT_METHOD,
    paramsText,
    origin: context.origin,
    validForMs: SEND_WITHIN_MS,
    isRecentlyMoved: context.isRecentlyMoved ?? false,
    ...(order.filled_amount === undefined ? {} : { filledAsShown: order.filled_amount }),
    before: termsBefore(JSON.parse(paramsText) as Members, order),
    words: {
      action: l10n.t("Edit Order"),
      target,
      sentence: l10n.t("Edit {0}", target),
      ...(note === undefined ? {} : { note }),
      detail: [
        ...lines,
        ...otherChanges(order, context),
        ...queueLine(order, wish),
        ...(context.preview ?? []),
        ...orderLines(order),
      ],
      keep: l10n.t("Keep Order"),
    },
    ...(context.isOutOfBand === true && wish.price !== undefined ? { isBlind: true, typed: wish.price } : {}),
    changedObject: () => changeOf(order, context),
    lastLook: {
      method: ORDER_STATE_METHOD,
      paramsText: JSON.stringify({ order_id: order.order_id }),
      changedBy: (result) => changeReadOf(order, result, context),
    },
  };
}

/** Returns what the confirmation says about an order that is no longer as the user saw it; undefined where it is. */
function noteOf(order: Order, { isAskedAgain, asShown = order }: EditContext): Plain | undefined {
  if (isAskedAgain === true)
    return l10n.t("The order changed while the confirmation was open. These are its present values.");
  return shownKey(asShown) === shownKey(order)
    ? undefined
    : l10n.t("The order changed after the form opened. What you didn't type keeps its present value.");
}

/** Returns what others have changed since the form opened, one line for each term. */
function otherChanges(order: Order, { asShown = order }: EditContext): Plain[] {
  return CHANGEABLE.flatMap((name) => {
    const [shown, present] = [asShown[name], order[name]].map((value) =>
      value === undefined ? l10n.t("none") : plain.name(String(value)),
    );
    return shown === present
      ? []
      : [l10n.t("{0} was {1} when the form opened, and is {2} now", name, shown ?? "", present ?? "")];
  });
}

/** The members of an order that a request carries although the user has not typed them, and what is filled. */
const CHANGEABLE = [
  ...(["price", "usd", "implv", "amount", "filled_amount", "trigger_price", "trigger_offset"] as const),
  ...(["post_only", "reject_post_only", "reduce_only", "mmp", "refresh_amount"] as const),
];

/**
 * Returns the intents to edit several orders: one confirmation, then each by a call of its own. `rule`: what they have
 * in common, as a sentence. It covers the orders that the confirmation has no room to list.
 */
export function editOpenOrders(
  edits: readonly { readonly order: Order; readonly wish: EditWish }[],
  context: EditContext,
  rule: Plain,
): SeveralIntents {
  const oneByOne = l10n.t(
    "Each order is edited with a separate call, one after another. The first unknown outcome ends the rest.",
  );
  return {
    intents: edits.map(({ order, wish }) => editOpenOrder(order, wish, context)),
    describe: (intents) => ({
      action: l10n.t("Edit {0} Orders", intents.length),
      sentence: l10n.t("Edit {0} orders", intents.length),
      note: plain.join([rule, oneByOne], " "),
      ...wordsOfOrders(intents),
      // Nothing but a dialog shows the new prices: the prompt that asks for the count has no list.
      isCut: true,
    }),
  };
}

function wishProblem(order: Order, field: EditField, wish: EditWish): Plain | undefined {
  const text = wish[field];
  return text === undefined ? undefined : termProblem(order, field, text);
}

/** Writes the parameters, with each typed number literal for literal. */
function editText(order: Order, wish: EditWish): string {
  const { order_id: id, advanced, refresh_amount: shown } = order;
  const term = (field: EditField): string | undefined => {
    const present = presentTerm(order, field);
    return present === undefined ? undefined : (wish[field] ?? present);
  };
  const members: readonly (readonly [name: string, text: string | undefined])[] = [
    ["order_id", JSON.stringify(id)],
    ["amount", term("amount")],
    ["price", term("price")],
    [triggerMember(order), term("trigger")],
    ...flagsOf(order).map((flag) => [flag, order[flag] === undefined ? undefined : String(order[flag])] as const),
    ["advanced", advanced === undefined ? undefined : JSON.stringify(advanced)],
    ["display_amount", shown === undefined ? undefined : decimalText(shown)],
  ];
  const written = members.flatMap(([name, text]) => (text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]));
  return `{${written.join(",")}}`;
}

/** Returns the flags that an edit of an order may carry: spot instruments don't take `mmp`. */
function flagsOf(order: Order): readonly EditFlag[] {
  return isSpotOrder(order) ? EDIT_FLAGS.filter((flag) => flag !== "mmp") : EDIT_FLAGS;
}

const EDIT_FLAGS = ["post_only", "reject_post_only", "reduce_only", "mmp"] as const;
type EditFlag = (typeof EDIT_FLAGS)[number];

/** Returns what changes, one line for each term. */
export function changeLines(order: Order, wish: EditWish): Plain[] {
  return EDIT_FIELDS.flatMap((field) => {
    const [before, wished] = [presentTerm(order, field), wish[field]];
    if (before === undefined || wished === undefined || isSameDecimal(before, wished)) return [];
    const [present, wanted] = [figureText(before), figureText(wished)];
    if (field === "price") return [l10n.t("price: {0} → {1}", present, wanted)];
    if (field === "amount") return [l10n.t("amount: {0} → {1} ({2})", present, wanted, restText(order, wished))];
    return [
      order.trigger_offset === undefined
        ? l10n.t("trigger price: {0} → {1}", present, wanted)
        : l10n.t("trigger offset: {0} → {1}", present, wanted),
    ];
  });
}

/** Returns how much of a total amount is filled, and how much of it would remain. */
function restText(order: Order, amount: string): Plain {
  const { filled_amount: filled = 0 } = order;
  return l10n.t("{0} filled, {1} remaining", figureText(filled), figureText(remainingAmount(order, amount)));
}

/** Returns how much of a total amount is not filled, as JSON writes it. */
export function remainingAmount({ filled_amount: filled = 0 }: Order, amount: string): string {
  return formatDecimal(subtractDecimals(decimalOf(amount), decimalOf(decimalText(filled))));
}

/**
 * Returns whether the order keeps its place in the queue; nothing for an order that waits for its trigger. Only one
 * that becomes smaller, and else stays the same, keeps it:
 * https://docs.deribit.com/articles/order-management-best-practices
 */
export function queueLine(order: Order, { price, amount }: EditWish): Plain[] {
  if (isWaiting(order)) return [];
  const [presentPrice, presentAmount] = [presentTerm(order, "price"), presentTerm(order, "amount")];
  const isPriceKept = price === undefined || presentPrice === undefined || isSameDecimal(price, presentPrice);
  const isLarger =
    amount !== undefined &&
    presentAmount !== undefined &&
    compareDecimals(decimalOf(amount), decimalOf(presentAmount)) > 0;
  return [
    isPriceKept && !isLarger
      ? l10n.t("The order keeps its place in the queue.")
      : l10n.t("The order loses its place in the queue."),
  ];
}

function orderLines({ order_id: id, label, post_only: isPostOnly, reduce_only: isReduceOnly }: Order): Plain[] {
  return [
    l10n.t("ID {0}", plain.name(id)),
    ...(label === undefined || label === "" ? [] : [l10n.t("label {0}", plain.name(label))]),
    ...(isPostOnly === true ? [l10n.t("stays post-only")] : []),
    ...(isReduceOnly === true ? [l10n.t("stays reduce-only")] : []),
  ];
}

/**
 * Returns what has changed since the order was shown; undefined while nothing has. Throws `CallError` where it is over,
 * or was triggered and goes on as another order: that one was never shown.
 */
function changeOf(shown: Order, { current, successorOf }: EditContext): Changed | undefined {
  const now = current(shown.order_id);
  const successor = successorOf?.(shown.order_id);
  if (successor !== undefined || (now?.order_state === "triggered" && shown.order_state !== "triggered"))
    throw refused(triggeredReason(shown, successor));
  if (now === undefined) throw refused(l10n.t("That order is no longer open."));
  return shownKey(now) === shownKey(shown) || isOlder(now, shown) ? undefined : "order";
}

/** Whether an order is from before another state of it. */
function isOlder({ last_update_timestamp: one }: Order, { last_update_timestamp: other }: Order): boolean {
  return one !== undefined && other !== undefined && one < other;
}

/**
 * Returns what has changed since the order was shown, by what was read in the last moment; undefined where nothing has,
 * or the result shows no order. Throws `CallError` where it is over.
 */
function changeReadOf(shown: Order, result: unknown, { onRead, successorOf }: EditContext): Changed | undefined {
  const now = readRow("order", result);
  if (now?.order_id !== shown.order_id) return undefined;
  if (now.order_state === "triggered") throw refused(triggeredReason(shown, successorOf?.(shown.order_id)));
  if (!isOpenState(now.order_state)) throw refused(l10n.t("That order is no longer open."));
  if (shownKey(now) === shownKey(shown) || isOlder(now, shown)) return undefined;
  onRead?.(now);
  return "order";
}

/** Returns that an order was triggered, and the order as which it goes on, as far as it is known. */
export function triggeredReason({ order_id: id }: Order, successor: Order | undefined): Plain {
  return successor === undefined
    ? l10n.t("Order {0} was triggered and goes on under a new ID. Edit the new order instead.", plain.name(id))
    : l10n.t(
        "Order {0} was triggered and goes on as {1}. Edit the new order instead.",
        plain.name(id),
        plain.name(successor.order_id),
      );
}

/** Returns everything of an order that a confirmation shows or the request sends, as a text that can be compared. */
function shownKey(order: Order): string {
  const { order_state: state, filled_amount: filled = 0, advanced, refresh_amount: shown } = order;
  const { post_only: postOnly, reject_post_only: rejects, reduce_only: reduceOnly, mmp } = order;
  const terms = EDIT_FIELDS.map((field) => presentTerm(order, field) ?? null);
  return JSON.stringify([state, filled, terms, advanced, shown, postOnly, rejects, reduceOnly, mmp]);
}

function decimalOf(text: string): Decimal {
  return parseDecimal(text) ?? { units: 0n, scale: 0 };
}

/** A common move of the prices of several orders, up or down. `text` is a JSON number; that of ticks is whole. */
export interface Shift {
  readonly by: "ticks" | "percent";
  readonly text: string;
}

const PERCENT: Decimal = { units: 1n, scale: 2 };

/**
 * Returns the price of an order after a shift as a JSON number, calculated without rounding and then rounded to the
 * tick away from a trade: down for a buy, up for a sell. Undefined for an order without a price in the currency of the
 * instrument, and where the tick is not known.
 */
export function shiftedPrice(order: Order, shift: Shift, steps: PriceSteps): string | undefined {
  const price = parseDecimal(presentTerm(order, "price") ?? "");
  const amount = parseDecimal(shift.text);
  const tick = price === undefined ? undefined : tickAt(price, steps);
  if (price === undefined || amount === undefined || tick === undefined || priceMember(order) !== "price")
    return undefined;
  const unit = shift.by === "ticks" ? tick : multiplyDecimals(magnitude(price), PERCENT);
  const moved = addDecimals(price, multiplyDecimals(unit, amount));
  const step = tickAt(moved, steps) ?? tick;
  return formatDecimal(roundDecimal(moved, step, order.direction === "sell" ? "above" : "below"));
}

/** Returns the tick size at a price; undefined where it is not known. */
function tickAt(price: Decimal, steps: PriceSteps): Decimal | undefined {
  const step = tickSizeAt(formatDecimal(price), steps);
  const tick = step === undefined ? undefined : parseDecimal(decimalText(step));
  return tick === undefined || tick.units <= 0n ? undefined : tick;
}

function magnitude({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale };
}
