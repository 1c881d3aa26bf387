/* Apart from the tables, which bring zod: names are needed at run time. */

/** The channel of all orders of the account. */
export const ALL_ORDERS_CHANNEL = "user.orders.any.any.raw";

/** Every group that market maker protection freezes. */
export const ALL_MMP_TRIGGERS_CHANNEL = "user.mmp_trigger.any";

/** Sign-ins, and changes of keys. */
export const ACCESS_LOG_CHANNEL = "user.access_log";

/** Block trades of every currency, from waiting for approval to executed. */
export const BLOCK_TRADE_CONFIRMATIONS_CHANNEL = "block_trade_confirmations";

/** Every trade of the account. */
export const ALL_TRADES_CHANNEL = "user.trades.any.any.raw";

/** Changes of the account's Block RFQ quotes in a currency; these channels have no "any". */
export function blockRfqQuotesChannel(currency: string): string {
  return `block_rfq.maker.quotes.${currency}`;
}

/** New public trades of an instrument, as they happen. */
export function tradesChannel(instrumentName: string): string {
  return `trades.${instrumentName}.100ms`;
}
