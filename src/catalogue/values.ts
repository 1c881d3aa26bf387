/* Lists of values that are needed at run time too, and so stand apart from what brings zod. */

/** The currencies that the trading methods name. Core specification §4.6; more of them are live. */
export const CURRENCIES = ["BTC", "ETH", "USDC", "USDT", "EURR"] as const;

/**
 * The values of `index_name` in requests about market maker protection. Core specification §4.8; responses name more of
 * them.
 */
export const MMP_INDEXES = [
  ...([
    "btc_usd",
    "eth_usd",
    "btc_usdc",
    "eth_usdc",
    "ada_usdc",
    "algo_usdc",
    "avax_usdc",
    "bch_usdc",
    "bnb_usdc",
    "doge_usdc",
  ] as const),
  ...([
    "dot_usdc",
    "link_usdc",
    "ltc_usdc",
    "near_usdc",
    "paxg_usdc",
    "shib_usdc",
    "sol_usdc",
    "ton_usdc",
    "trx_usdc",
    "trump_usdc",
  ] as const),
  ...([
    "uni_usdc",
    "xrp_usdc",
    "usde_usdc",
    "buidl_usdc",
    "btcdvol_usdc",
    "ethdvol_usdc",
    "btc_usdt",
    "eth_usdt",
    "all",
  ] as const),
] as const;

/** The values of `enabled_features` of an API key. Core specification §4.3. */
export const KEY_FEATURES = ["restricted_block_trades", "block_trade_approval"] as const;

/**
 * The text of `refresh_token` in a call of public/exchange_token that stands for the session's own, which never leaves
 * it. In no other place does this text have a meaning.
 */
export const SESSION_REFRESH_TOKEN = "{{$session.refreshToken}}";

/**
 * The methods that place or change orders on an order book, whose prices and amounts have to fit the steps of the
 * instrument. Block trades, Block RFQs, and combos have steps of their own.
 */
export const ORDER_BOOK_METHODS: ReadonlySet<string> = new Set([
  ...["private/buy", "private/sell", "private/edit", "private/edit_by_label"],
  ...["private/close_position", "private/mass_quote"],
]);
