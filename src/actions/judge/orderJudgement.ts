import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow, type RowOf } from "../../catalogue/index.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { isPartlyFilled } from "../intent/fill.ts";
import { fieldsOf, pick, presentFields, type Fields, type Members } from "../intent/fields.ts";
import { compareTerms, isSpotOrder, missingTerm, placementFields } from "../changes/orderTerms.ts";

/* What the response to a placed or edited order proves: that order, with which terms, in which state. */

/** What a response proves about the order of its request. */
export type OrderJudgement =
  /** Nothing, and why: it is about another order, or lacks what would prove it. */
  | { readonly kind: "odd"; readonly detail: string }
  /** An order as requested. `notes`: what looks otherwise, as sentences. */
  | { readonly kind: "asAsked"; readonly notes: readonly Plain[]; readonly isAcknowledged: boolean }
  /** An order with other terms, or one that has ended. `isAdjusted`: a rule of the exchange explains all of it. */
  | { readonly kind: "other"; readonly state: Plain; readonly isAdjusted: boolean };

/** What is known of the order of a request. */
interface ExpectedOrder {
  readonly orderId?: string | undefined;
  readonly params?: Members;
  readonly before?: Fields | undefined;
  readonly isRouted?: boolean;
}

type Response = Pick<MaskedResponse, "method" | "result">;

/**
 * Judges the response to an edit. It has to be about the named order, with all requested terms; a post-only order that
 * the exchange cancelled instead is another result.
 */
export function judgeEdit(response: Response, expected: ExpectedOrder): OrderJudgement {
  const { params = {} } = expected;
  const order = orderOf(response);
  if (order?.order_state === undefined) return missing("order_state");
  const difference = otherOrder(order, expected);
  if (difference !== undefined) return { kind: "odd", detail: difference };
  const { order_state: state, cancel_reason: reason } = order;
  if (hasEnded(state)) {
    const words = reason === undefined ? plain.name(state) : l10n.t("{0} ({1})", plain.name(state), plain.name(reason));
    return { kind: "other", state: words, isAdjusted: false };
  }
  const unproved = missingTerm(params, order);
  return unproved === undefined ? judgeTerms(response, expected, order, []) : missing(unproved);
}

/**
 * Judges the response to an order that was to be placed. Another order's response proves nothing. What the exchange
 * made of the order counts: it may have ended already, or have other terms.
 */
export function judgePlacement(response: Response, expected: ExpectedOrder): OrderJudgement {
  const order = orderOf(response);
  if (order?.order_state === undefined) return missing("order_state");
  const asked = placementFields(response.method, expected.params ?? {});
  return isOther(order, asked)
    ? { kind: "odd", detail: l10n.t("the response is for a different order") }
    : judgeTerms(response, expected, order, endOf(order));
}

/**
 * Returns the instrument of a spot order in the result of its placement that may have been passed on to another venue:
 * it is open, without a trade.
 */
export function perhapsRoutedInstrument(result: unknown): string | undefined {
  const order = orderOf({ method: "", result });
  return order !== undefined && isSpotOrder(order) && isWithoutTrades(result) ? order.instrument_name : undefined;
}

type OrderRow = RowOf<"order">;

function orderOf({ result }: Response): OrderRow | undefined {
  return readRow("order", isObject(result) ? result["order"] : undefined);
}

function missing(name: string): OrderJudgement {
  return { kind: "odd", detail: l10n.t("{0} is missing", plain.name(name)) };
}

/** Returns in words that an order is not the one that an edit named; undefined where it may be. */
function otherOrder(order: OrderRow, { orderId, params = {}, before = {} }: ExpectedOrder): Plain | undefined {
  const { order_id: id, trigger_order_id: triggerId } = order;
  // A trigger order that has fired goes on under another ID.
  if (orderId !== undefined && id !== orderId && triggerId !== orderId)
    return l10n.t("{0} is {1}", "order_id", plain.name(id));
  const known = { ...before, ...fieldsOf(pick(params, ["instrument_name", "label"])) };
  return isOther(order, known) ? l10n.t("the response is for a different order") : undefined;
}

/** Whether an order is another one than that with these fields, as far as it tells. */
function isOther(order: OrderRow, known: Fields): boolean {
  const present = presentFields(order, known);
  return ORDER_IDENTITY.some((name) => name in known && name in present && present[name] !== known[name]);
}

/** The fields that an order has in common with the request that placed or edited it, whatever became of it. */
const ORDER_IDENTITY = ["instrument_name", "direction", "label"];

/** Judges an order by its terms. `ends`: in words, that it has ended. */
function judgeTerms(
  { method, result }: Response,
  { params = {}, isRouted }: ExpectedOrder,
  order: OrderRow,
  ends: readonly Plain[],
): OrderJudgement {
  const { different, isAdjusted, notes } = compareTerms(method, params, order);
  if (ends.length + different.length > 0)
    return {
      kind: "other",
      state: plain.join([...ends, ...different], ", "),
      isAdjusted: isAdjusted && ends.length === 0,
    };
  const isOfVenue = isRouted === true || (order as Members)["is_csr"] === true;
  return { kind: "asAsked", notes, isAcknowledged: isOfVenue && isWithoutTrades(result) };
}

/** Whether the response to an order shows that it is open, and no trade of it. */
function isWithoutTrades(result: unknown): boolean {
  if (!isObject(result) || !isObject(result["order"])) return false;
  const { order, trades } = result;
  const isOpen = order["order_state"] === "open" && !isPartlyFilled(order);
  return isOpen && (!Array.isArray(trades) || trades.length === 0);
}

/**
 * Returns in words that a placed order has ended otherwise than by trading, with the exchange's reason. The rest of an
 * order that only trades at once is cancelled: that is as requested.
 */
function endOf(order: OrderRow): readonly Plain[] {
  const { order_id: id, order_state: state = "", cancel_reason: reason } = order;
  if (!hasEnded(state) || (state === "cancelled" && isRestOfTrade(order))) return [];
  const words = [plain.name(id), plain.name(state)] as const;
  return [
    reason === undefined
      ? l10n.t("order {0} is {1}", ...words)
      : l10n.t("order {0} is {1} ({2})", ...words, plain.name(reason)),
    ...(order.filled_amount === 0 ? [l10n.t("nothing was filled")] : []),
  ];
}

/** Whether an order has traded, and its rest was cancelled because it only trades at once. */
function isRestOfTrade(order: OrderRow): boolean {
  const isAtOnce = order.time_in_force === "immediate_or_cancel" || order.order_type === "market";
  return isPartlyFilled(order) && (isAtOnce || order.cancel_reason === undefined);
}

function hasEnded(state: string): boolean {
  return state === "cancelled" || state === "rejected";
}
