/** The channels of the exchange that the partner's gateway does not offer. Sources: see `gatewayOffer.ts`. */
export const CHANNELS_NOT_AT_GATEWAY: readonly string[] = [
  "block_rfq.maker.quotes.{currency}",
  "block_rfq.maker.{currency}",
  "block_rfq.taker.{currency}",
  "block_rfq.trades.{currency}",
  "block_trade_confirmations",
  "block_trade_confirmations.{currency}",
  "user.liquidation",
  "user.lsp",
  "user.mmp_trigger.{index_name}",
];
