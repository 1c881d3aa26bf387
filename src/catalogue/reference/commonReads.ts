import type { AnyReadMethod } from "../index.ts";

/** The reads that most users begin with, the first ones first. */
export const COMMON_READS: readonly AnyReadMethod[] = [
  "private/get_open_orders",
  "private/get_positions",
  "private/get_account_summaries",
  "public/ticker",
  "public/get_order_book",
  "public/get_instruments",
  "private/get_user_trades_by_currency",
  "private/get_order_state",
  "private/get_transaction_log",
  "public/get_time",
];
