/** The channel of every trade of the account. */
export const ALL_TRADES_CHANNEL = "user.trades.any.any.raw";
/** The channel of all orders of the account. */
export const ALL_ORDERS_CHANNEL = "user.orders.any.any.raw";
/** The channel of all MMP groups that are frozen. */
export const ALL_MMP_TRIGGERS_CHANNEL = "user.mmp_trigger.any";
