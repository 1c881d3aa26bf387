/* Apart from the tables, which bring zod: names are needed at run time. */

/** The channel of all orders of the account. */
export const ALL_ORDERS_CHANNEL = "user.orders.any.any.raw";
