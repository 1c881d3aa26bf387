/**
 * The reason why the exchange does not do what it is asked. Each word is the name that the exchange gives to an error;
 * its code and message are known to the catalogue, and the simulator translates.
 */
export type RefusalWord =
  // The order that is meant.
  | "order_not_found"
  | "not_owner_of_order"
  | "already_closed"
  | "not_open_order"
  | "non_unique_order_label"
  | "can_not_cancel_liquidation_order"
  | "can_not_edit_liquidation_order"
  // The instrument.
  | "invalid_or_unsupported_instrument"
  | "book_closed"
  | "orderbook_closed"
  | "settlement_in_progress"
  // Amounts.
  | "qty_too_low"
  | "invalid_amount"
  | "non_integer_contract_amount"
  | "invalid_max_show_amount"
  // Prices.
  | "invalid_price"
  | "price_wrong_tick"
  | "price_too_low"
  | "price_too_high"
  | "invalid_trigger_price"
  | "trigger_price_wrong_tick"
  | "trigger_price_too_low"
  | "trigger_price_too_high"
  // Conditions of the order.
  | "bad_argument"
  | "unsupported_arg_combination"
  | "post_only_not_allowed"
  | "post_only_reject"
  | "order_overlap"
  | "timed_out"
  | "no_more_triggers"
  | "no_more_oto_orders"
  | "other_reject"
  // The account: what the ledger says.
  | "not_enough_funds"
  | "not_enough_funds_in_currency"
  | "non_pme_max_future_position_size"
  | "max_spot_open_orders"
  | "max_spot_order_quantity"
  | "disabled_while_position_lock"
  | "account_locked"
  | "locked_by_admin"
  | "mmp_trigger"
  | "mmp_required";

export interface Refusal {
  readonly word: RefusalWord;
  /** What the exchange appends to the message: the nearest allowed price in ticks, or the largest number allowed. */
  readonly limit?: number;
  /** The currency that is short, with `not_enough_funds_in_currency`. */
  readonly currency?: string;
  /** The parameter that is meant, with `bad_argument`, by the exchange's name. */
  readonly param?: string;
  /** What the exchange appends to `other_reject`. */
  readonly detail?: string;
}
