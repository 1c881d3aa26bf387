import * as l10n from "@vscode/l10n";
import { isOpenState } from "../../catalogue/orderStates.ts";
import { fillOf } from "../fill.ts";
import type { Shown } from "../readBack.ts";
import {
  areAs,
  differenceText,
  fieldsOf,
  fieldsText,
  pick,
  presentFields,
  type Fields,
  type Members,
} from "./fields.ts";

/* The terms of an order that an edit changes, as a request asks for them and as an order of the exchange has them. */

const TERMS = ["amount", "contracts", "price", "trigger_price", "trigger_offset"];
const FLAGS = ["post_only", "reduce_only", "reject_post_only", "mmp"];

/**
 * Returns the name of the member that holds the price of an order as its owner gave it: an option order may have its
 * price in USD or in implied volatility. https://docs.deribit.com/api-reference/trading/private-edit
 */
export function priceMember({ advanced }: { readonly advanced?: unknown }): "price" | "usd" | "implv" {
  return advanced === "usd" || advanced === "implv" ? advanced : "price";
}

/** Returns the terms and flags that an edit requests, by the names that an order has for them. */
export function requestedTerms(params: Members): Fields {
  const { price, ...others } = pick(params, [...TERMS, ...FLAGS]);
  return fieldsOf({ ...others, ...(price === undefined ? {} : { [priceMember(params)]: price }) });
}

/** Returns a requested term that an order lacks, so that it proves nothing; undefined where it has them all. */
export function missingTerm(params: Members, order: Members): string | undefined {
  return Object.keys(requestedTerms(params)).find((name) => !FLAGS.includes(name) && (order[name] ?? null) === null);
}

/**
 * Returns in words what an order is beside the requested terms: other terms, or cancelled by the exchange instead of
 * edited. Empty where all is as requested.
 */
export function termsDifference(params: Members, order: Members): string {
  const asked = requestedTerms(params);
  const { order_state: state, cancel_reason: reason } = order;
  if (state === "cancelled" || state === "rejected")
    return typeof reason === "string" ? l10n.t("{0} ({1})", state, reason) : state;
  return differenceText(asked, presentFields(order, asked));
}

/**
 * Returns what an order, read after an edit without a response, says of it. `before`: its terms when the edit was
 * confirmed. An order that has ended with its earlier terms was not edited and never will be.
 */
export function shownTerms(orderId: string, params: Members, order: Members, before: Fields | undefined): Shown {
  const missing = missingTerm(params, order);
  if (order["order_id"] !== orderId || missing !== undefined)
    return { kind: "barred", reason: l10n.t("The exchange returned an order that doesn't show the outcome.") };
  const asked = requestedTerms(params);
  const present = presentFields(order, asked);
  const state = [stateText(order), fieldsText(changedOnly(present, asked, before))].join(", ");
  if (areAs(asked, present)) return { kind: "asAsked", state };
  const isAsBefore = before !== undefined && areAs(before, present);
  if (isAsBefore && isOpenState(order["order_state"])) return { kind: "asBefore", state };
  return { kind: "other", state: isAsBefore ? state : `${stateText(order)}, ${differenceText(asked, present)}` };
}

function stateText(order: Members): string {
  const state = String(order["order_state"]);
  const { filled = 0, amount } = fillOf(order) ?? {};
  if (filled === 0) return state;
  return amount === undefined
    ? l10n.t("{0}, {1} filled", state, filled)
    : l10n.t("{0}, {1} of {2} filled", state, filled, amount);
}

function changedOnly(present: Fields, asked: Fields, before: Fields | undefined): Fields {
  return Object.fromEntries(Object.entries(present).filter(([name]) => before?.[name] !== asked[name]));
}
