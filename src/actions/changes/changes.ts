import type { MethodName, ReadMethod } from "../../catalogue/index.ts";

/** A method that the catalogue describes and that does more than read. */
type ChangeMethod = Exclude<MethodName, ReadMethod>;

/**
 * What is read to find out what became of a change: the order that it names, the orders that it covers, the key, the
 * limits of a group, whether a group is frozen, the quotes that it covers, or the quote that it names. Nobody: no
 * request reads it, and a lost answer leaves the outcome unknown. Reliability §2.4.
 */
export type ToldBy = "order" | "coveredOrders" | "key" | "limits" | "freeze" | "coveredQuotes" | "quote" | "nobody";

/** What the program knows of a change beyond the facts of the catalogue. */
interface Change {
  readonly toldBy: ToldBy;
}

/** One entry for each change: a method that has none does not compile. */
const CHANGES: Readonly<Record<ChangeMethod, Change>> = {
  "private/cancel": { toldBy: "order" },
  "private/cancel_all": { toldBy: "coveredOrders" },
  "private/cancel_all_by_instrument": { toldBy: "coveredOrders" },
  "private/cancel_all_by_currency": { toldBy: "coveredOrders" },
  "private/cancel_all_by_currency_pair": { toldBy: "coveredOrders" },
  "private/cancel_all_by_kind_or_type": { toldBy: "coveredOrders" },
  "private/cancel_by_label": { toldBy: "coveredOrders" },
  "private/edit_api_key": { toldBy: "key" },
  "private/change_scope_in_api_key": { toldBy: "key" },
  "private/enable_api_key": { toldBy: "key" },
  "private/disable_api_key": { toldBy: "key" },
  "private/set_mmp_config": { toldBy: "limits" },
  "private/reset_mmp": { toldBy: "freeze" },
  "private/cancel_all_block_rfq_quotes": { toldBy: "coveredQuotes" },
  "private/cancel_block_rfq_quote": { toldBy: "quote" },
  "private/enable_cancel_on_disconnect": { toldBy: "nobody" },
  "private/disable_cancel_on_disconnect": { toldBy: "nobody" },
  // The connection signs in again with its key, and what became of the token of the other account is told by nothing.
  "public/exchange_token": { toldBy: "nobody" },
  // The session sends these itself; the gate sends none of them.
  "public/auth": { toldBy: "nobody" },
  "public/set_heartbeat": { toldBy: "nobody" },
  "public/subscribe": { toldBy: "nobody" },
  "public/unsubscribe": { toldBy: "nobody" },
  "public/unsubscribe_all": { toldBy: "nobody" },
  "private/subscribe": { toldBy: "nobody" },
  "private/unsubscribe": { toldBy: "nobody" },
};

/** What is read to find out what became of a request; nobody tells of a method that the catalogue does not describe. */
export function toldBy(method: string): ToldBy {
  return Object.hasOwn(CHANGES, method) ? CHANGES[method as ChangeMethod].toldBy : "nobody";
}

/** Whether a method cancels orders without naming them. */
export function isCancelOfMany(method: string): boolean {
  return toldBy(method) === "coveredOrders";
}
