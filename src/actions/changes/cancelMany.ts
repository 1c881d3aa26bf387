import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { bareMethod, type ParamsOf } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";
import { isIsolated, withSlots } from "../../state/isolated.ts";
import type { Order } from "../../state/orders.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";
import { cancelOrders, describeOrder, listedOrders, type OrderContext, type SeveralIntents } from "./orders.ts";

/** The orders that one call cancels: every order that fits, no matter who placed it or when. */
export type CancelScope =
  /** `freezesQuotes`: whether the exchange also rejects new mass quotes for the second after it. */
  | { readonly kind: "all"; readonly freezesQuotes?: true }
  | { readonly kind: "instrument"; readonly instrumentName: string }
  | { readonly kind: "currency"; readonly currency: string }
  /** A scope of one currency pair, e.g. `BTC_USDC`. */
  | { readonly kind: "currencyPair"; readonly currencyPair: string }
  | {
      readonly kind: "instrumentKind";
      readonly instrumentKind: NonNullable<ParamsOf<"private/cancel_all_by_kind_or_type">["kind"]>;
    }
  | {
      readonly kind: "orderType";
      readonly orderType: NonNullable<ParamsOf<"private/cancel_all_by_kind_or_type">["type"]>;
    }
  | { readonly kind: "label"; readonly label: string };

/** The orders that fit, as far as they are known. */
export interface KnownOrders {
  readonly orders: readonly Order[];
  /** Whether the list is up to date, so that their number can be given. */
  readonly isCounted: boolean;
  /** The number of these orders that a filter hides. */
  readonly hiddenCount: number;
  /** Whether isolated orders are reached by a flag, which the gateway alone knows (default: no). */
  readonly flagsIsolated?: boolean;
}

/**
 * Returns the intent to cancel all orders that fit with one call. It stays as it is when orders come or go during the
 * confirmation.
 */
export function cancelMatching(scope: CancelScope, known: KnownOrders, origin: Intent["origin"]): Intent {
  const { orders, isCounted, flagsIsolated = false } = known;
  const call = callOf(scope);
  const { method } = call;
  const params = flagsIsolated && takesSlots(method) ? withSlots(call.params) : call.params;
  const what = scopeWords(scope);
  return {
    method,
    paramsText: JSON.stringify(params),
    origin,
    words: {
      ...countedWords(isCounted ? orders.length : undefined, what),
      note: noteOf(method, known),
      detail: listedOrders(
        orders.map((order) => l10n.t("{0} · {1}", describeOrder(order), plain.name(order.order_id))),
      ),
      keep: l10n.t("Keep Orders"),
      show: l10n.t("Show Orders"),
    },
    covers: orders.map((order) => ({ orderId: order.order_id, target: describeOrder(order) })),
    ...(isCounted ? { typed: String(orders.length) } : {}),
  };
}

function countedWords(count: number | undefined, what: Plain): Pick<IntentWords, "action" | "target" | "sentence"> {
  if (count === undefined)
    return {
      action: l10n.t("Cancel All Orders"),
      target: l10n.t("all orders ({0})", what),
      sentence: l10n.t("Cancel all open orders ({0})", what),
    };
  if (count === 1)
    return {
      action: l10n.t("Cancel 1 Order"),
      target: l10n.t("1 order ({0})", what),
      sentence: l10n.t("Cancel the only open order ({0})", what),
    };
  return {
    action: l10n.t("Cancel {0} Orders", count),
    target: l10n.t("{0} orders ({1})", count, what),
    sentence: l10n.t("Cancel all {0} open orders ({1})", count, what),
  };
}

/** Whether the single call of a scope can reach isolated orders too, where the server has that. */
export function reachesIsolated(scope: CancelScope): boolean {
  return takesSlots(callOf(scope).method);
}

/** Whether a call for several orders reaches isolated ones with a flag. No other call ever reaches them. */
export function takesSlots(method: string): boolean {
  return TAKE_SLOTS.has(bareMethod(method));
}

function noteOf(method: string, { orders, isCounted, hiddenCount, flagsIsolated }: KnownOrders): Plain {
  const isolatedCount = flagsIsolated === true ? orders.filter(isIsolated).length : 0;
  return plain.join(
    [
      l10n.t(
        "A single {0} call cancels all matching orders of the account. This includes orders placed elsewhere or in the meantime.",
        plain.text(method),
      ),
      ...(isolatedCount === 0 ? [] : [l10n.t("Isolated orders among them: {0}.", isolatedCount)]),
      ...(isCounted ? [] : [l10n.t("The list is not up to date, so their number is unknown.")]),
      ...(hiddenCount === 0
        ? []
        : [l10n.t("The filter hides {0} of them. Hidden orders are cancelled too.", hiddenCount)]),
    ],
    " ",
  );
}

/**
 * Returns the intents to cancel exactly these orders, one call each. `reason` is a sentence: why no single call does
 * it; undefined where that needs no explanation.
 */
export function cancelOneByOne(
  orders: readonly Order[],
  context: OrderContext,
  reason: Plain | undefined,
): SeveralIntents {
  const { intents, describe } = cancelOrders(orders, context);
  return {
    intents,
    describe(asked) {
      const words = describe(asked);
      const seconds = pacedSeconds(asked.length);
      const pace =
        seconds === 0
          ? l10n.t("Each order is cancelled with a separate call.")
          : l10n.t(
              "Each order is cancelled with a separate call. With the exchange's rate limits, this takes about {0} s. Use Stop Cancelling to stop it.",
              seconds,
            );
      return { ...words, note: plain.join([...(reason === undefined ? [] : [reason]), pace], " ") };
    },
  };
}

/** Returns the seconds that so many cancels take within the exchange's limits; 0 for what goes at once. */
function pacedSeconds(count: number): number {
  const { size, refillPerMs, cost } = RATE_BUDGETS.matching;
  return Math.max(0, Math.ceil((count * cost - size) / refillPerMs / 1000));
}

export const CANCEL_BY_LABEL_METHOD = "private/cancel_by_label";

const TAKE_SLOTS: ReadonlySet<string> = new Set([
  "private/cancel_all",
  "private/cancel_all_by_instrument",
  "private/cancel_all_by_currency",
  CANCEL_BY_LABEL_METHOD,
]);

interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, string | true>>;
}

function callOf(scope: CancelScope): Call {
  switch (scope.kind) {
    case "all":
      return { method: "private/cancel_all", params: scope.freezesQuotes === true ? { freeze_quotes: true } : {} };
    case "instrument":
      return {
        method: "private/cancel_all_by_instrument",
        params: { instrument_name: scope.instrumentName, type: "all" },
      };
    case "currency":
      return { method: "private/cancel_all_by_currency", params: { currency: scope.currency } };
    case "currencyPair":
      return {
        method: "private/cancel_all_by_currency_pair",
        params: { currency_pair: scope.currencyPair.toLowerCase() },
      };
    case "instrumentKind":
      return { method: "private/cancel_all_by_kind_or_type", params: { currency: "any", kind: scope.instrumentKind } };
    case "orderType":
      return { method: "private/cancel_all_by_kind_or_type", params: { currency: "any", type: scope.orderType } };
    case "label":
      return { method: CANCEL_BY_LABEL_METHOD, params: { label: scope.label } };
  }
}

function scopeWords(scope: CancelScope): Plain {
  switch (scope.kind) {
    case "all":
      return l10n.t("all instruments");
    case "instrument":
      return plain.name(scope.instrumentName);
    case "currency":
      return l10n.t("currency {0}", plain.name(scope.currency));
    case "currencyPair":
      return l10n.t("currency pair {0}", plain.name(scope.currencyPair));
    case "instrumentKind":
      return l10n.t("kind {0}", scope.instrumentKind);
    case "orderType":
      return l10n.t("type {0}", scope.orderType);
    case "label":
      return l10n.t("label {0}", plain.name(scope.label));
  }
}
