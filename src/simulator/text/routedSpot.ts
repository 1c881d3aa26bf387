import type { ParamsOf } from "../../catalogue/index.ts";
import type { Refusal } from "../../exchange/refusal.ts";
import { invalidParam, refusal } from "./errors.ts";

/*
 * What orders of pairs can't have that are matched at the partner's exchange.
 * https://docs.deribit.com/articles/spot-trading-venues
 */

const POST_ONLY_NOT_ALLOWED = 11_055;
const ICEBERG_NOT_ALLOWED = 11_059;
/** The code of all that is not offered for these pairs: order types, times in force, triggers, and data of trades. */
const NOT_SUPPORTED = 11_060;
const LINKED_ORDERS_NOT_SUPPORTED = 13_922;

/** The times in force of each order type; `undefined` is one that is left out. */
const TIMES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  limit: [undefined, "good_til_cancelled", "immediate_or_cancel", "fill_or_kill"],
  market: [undefined, "immediate_or_cancel"],
  stop_limit: [undefined, "good_til_cancelled", "immediate_or_cancel", "fill_or_kill"],
};

/** Refuses an order that can't be routed. `max_show` is the earlier name of `display_amount`. */
export function refuseUnroutable(params: ParamsOf<"private/buy"> & { readonly max_show?: unknown }): void {
  const { type = "limit", time_in_force: time, trigger, linked_order_type: link, otoco_config: config } = params;
  if (link !== undefined || config !== undefined) throw refusal(LINKED_ORDERS_NOT_SUPPORTED);
  if (TIMES[type]?.includes(time) !== true) throw unsupported();
  if (trigger !== undefined && trigger !== "last_price") throw unsupported();
  refuseFlags(params);
}

/** Refuses an edit that makes an order one that can't be routed. */
export function refuseUnroutableEdit(order: PostOnlyFlags, params: Partial<ParamsOf<"private/edit">>): void {
  const { post_only = order.post_only, reject_post_only = order.reject_post_only } = params;
  refuseFlags({ ...params, post_only, reject_post_only });
}

/** Makes the refusal of what is not offered for routed pairs. */
export function unsupported(): Error {
  return refusal(NOT_SUPPORTED);
}

type PostOnlyFlags = Pick<ParamsOf<"private/buy">, "post_only" | "reject_post_only">;

type Flags = PostOnlyFlags & Pick<ParamsOf<"private/buy">, "reduce_only" | "mmp" | "display_amount">;

function refuseFlags(flags: Flags & { readonly max_show?: unknown }): void {
  if (flags.reduce_only === true) throw invalidParam("reduce_only", "not available for spot");
  if (flags.mmp === true) throw invalidParam("mmp", "not available for spot");
  if (flags.display_amount !== undefined || flags.max_show !== undefined) throw refusal(ICEBERG_NOT_ALLOWED);
  // Its price is never changed, so that one that would take can only be refused.
  if (flags.post_only === true && flags.reject_post_only !== true) throw refusal(POST_ONLY_NOT_ALLOWED);
}

/** The reasons that are the partner's exchange's own, by the words that a book has for them. */
const VENUE_REASONS: Readonly<Partial<Record<Refusal["word"], string>>> = {
  price_too_high: "price_band",
  price_too_low: "price_band",
  not_enough_funds: "not_enough_funds",
  not_enough_funds_in_currency: "not_enough_funds",
};

/** Returns a refusal as the partner's exchange gives it: 11030 with its reason. */
export function routedRefusal(given: Refusal): Refusal {
  const detail = VENUE_REASONS[given.word];
  return detail === undefined ? given : { word: "other_reject", detail };
}
