import { compareNumbers, isSameDecimal } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Instrument } from "../../state/instruments.ts";
import type { Order } from "../../state/orders.ts";
import { decimalText } from "../intent/decimal.ts";
import { amountProblem, priceProblem } from "./orderSteps.ts";
import { EDIT_FIELDS, presentTerm, remainingAmount, termProblem, type EditField, type EditWish } from "./editOrders.ts";
import { readOrderLine, type OrderLine } from "./orderLine.ts";
import { priceMember } from "./orderTerms.ts";
import type { BestPrices, TypedOrder } from "./placeOrder.ts";

/* The terms of an edit in the line of an order: `amount @ price [trigger price]`, `market` for one without a price. */

/** Returns the line that says the terms of an order: those that were entered, and the present ones. */
export function editLineText(order: Order, entered: EditWish): string {
  const [amount = "", price = "market", trigger] = (["amount", "price", "trigger"] as const).map(
    (field) => entered[field] ?? presentTerm(order, field),
  );
  return `${amount} @ ${price}${trigger === undefined ? "" : ` trigger ${trigger}`}`;
}

/**
 * Reads the line of an edit: the terms that differ from those of the order, digit for digit as they were typed; or why
 * the exchange would not take them, as a sentence. An omitted trigger stays as it is.
 */
export function readEditLine(
  order: Order,
  text: string,
  instrument: Pick<Instrument, "steps"> | undefined,
): EditWish | Plain {
  const [, terms = "", trigger] = /^(.*?)(?:\s+trigger(?:\s+(.*?))?)?\s*$/is.exec(text) ?? [];
  if (/@\s*\S+\s+\S/.test(terms))
    return l10n.t("An edit changes only the amount, the price, and the trigger. Remove what follows the price.");
  const line = readOrderLine(terms);
  if ("problem" in line) return line.problem;
  const problem = mismatch(order, line, trigger);
  if (problem !== undefined) return problem;
  const typed = {
    price: line.price,
    amount: line.amount,
    trigger: trigger === undefined ? undefined : trigger,
  };
  const changed = EDIT_FIELDS.filter((field) => {
    const [present, wanted] = [presentTerm(order, field), typed[field]];
    return present !== undefined && wanted !== undefined && !isSameDecimal(wanted, present);
  });
  const wish: EditWish = Object.fromEntries(changed.map((field) => [field, typed[field] ?? ""]));
  const problems = changed.map((field) => editProblem(order, field, wish[field] ?? "", instrument));
  return problems.find((each) => each !== undefined) ?? wish;
}

/** Returns why a line does not say the terms that an order has; undefined where it does. */
function mismatch(order: Order, line: OrderLine, trigger: string | undefined): Plain | undefined {
  if (line.side !== undefined && line.side !== order.direction)
    return l10n.t("The side of an order can't be edited. Cancel the order, and place another one.");
  if (line.price === undefined && presentTerm(order, "price") !== undefined)
    return l10n.t("Enter a price instead of market.");
  if (line.price !== undefined && presentTerm(order, "price") === undefined)
    return l10n.t("This order has no price. Enter market.");
  return trigger !== undefined && presentTerm(order, "trigger") === undefined
    ? l10n.t("This order has no trigger that can be edited.")
    : undefined;
}

/** Returns why the exchange would not take a term of an edit, as far as the order and its instrument tell. */
function editProblem(
  order: Order,
  field: EditField,
  text: string,
  instrument: Pick<Instrument, "steps"> | undefined,
): Plain | undefined {
  const problem = termProblem(order, field, text);
  if (problem !== undefined || instrument === undefined) return problem;
  if (field === "amount") return amountProblem(text, instrument.steps)?.message;
  // A price in USD or as a volatility, and an offset, have no tick of the instrument.
  if (field === "price")
    return priceMember(order) === "price" ? priceProblem(text, instrument.steps, "price")?.message : undefined;
  return order.trigger_offset === undefined ? priceProblem(text, instrument.steps, "triggerPrice")?.message : undefined;
}

/** Returns the open rest of an edited order as an order of its own, for what the server says about one. */
export function editedRest(order: Order, wish: EditWish): TypedOrder | undefined {
  const { instrument_name: instrument, direction: side, trigger } = order;
  const amount = wish.amount ?? presentTerm(order, "amount");
  if (instrument === undefined || amount === undefined || (side !== "buy" && side !== "sell")) return undefined;
  const price = priceMember(order) === "price" ? (wish.price ?? presentTerm(order, "price")) : undefined;
  const line = { amount: remainingAmount(order, amount), price, timing: undefined };
  return {
    instrument,
    side,
    line: { ...line, isReduceOnly: order.reduce_only === true },
    options: trigger === undefined ? {} : { trigger },
  };
}

/**
 * Returns that an edit would end its order: one that is post-only with reject is cancelled where it would trade at
 * once. Undefined where it would not, or nothing tells. https://docs.deribit.com/api-reference/trading/private-edit
 */
export function crossingText(
  { direction, post_only: isPostOnly, reject_post_only: isRejected, order_state: state }: Order,
  { price }: EditWish,
  prices: Pick<BestPrices, "bid" | "ask"> | undefined,
): Plain | undefined {
  if (price === undefined || isPostOnly !== true || isRejected !== true || state !== "open") return undefined;
  const other = direction === "buy" ? prices?.ask : prices?.bid;
  if (other === undefined) return undefined;
  const distance = compareNumbers(price, decimalText(other));
  return (direction === "buy" ? distance >= 0 : distance <= 0)
    ? l10n.t("At this price the order would trade at once. It is post-only with reject, so the exchange cancels it.")
    : undefined;
}
