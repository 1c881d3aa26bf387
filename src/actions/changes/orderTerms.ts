import * as l10n from "@vscode/l10n";
import { differenceText, fieldsOf, pick, presentFields, type Fields, type Members } from "./fields.ts";

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
