/* Apart from the tables, which bring zod: names are needed at run time. */

/** The channel of all orders of the account. */
export const ALL_ORDERS_CHANNEL = "user.orders.any.any.raw";

/** The channel of every group that market maker protection freezes. */
export const ALL_MMP_TRIGGERS_CHANNEL = "user.mmp_trigger.any";

/** The channel of sign-ins, and of changes of keys. */
export const ACCESS_LOG_CHANNEL = "user.access_log";

/** The channel of block trades of every currency, from waiting for approval to executed. */
export const BLOCK_TRADE_CONFIRMATIONS_CHANNEL = "block_trade_confirmations";

/** The channel of every trade of the account. */
export const ALL_TRADES_CHANNEL = "user.trades.any.any.raw";

/** Returns the channel of changes of the account's Block RFQ quotes in a currency. These channels have no "any". */
export function blockRfqQuotesChannel(currency: string): string {
  return `block_rfq.maker.quotes.${currency}`;
}

/** Returns the channel of new public trades of an instrument, as they happen. */
export function tradesChannel(instrumentName: string): string {
  return `trades.${instrumentName}.100ms`;
}
