import * as z from "zod";
import {
  choice,
  direction,
  flag,
  integer,
  number,
  secret,
  suggested,
  text,
  textList,
  timestampMs,
  wideInteger,
} from "./fields.ts";
import { ORDER_STATES } from "./orderStates.ts";

/*
 * Objects of the exchange, with the exchange's own names. What tells a row from others is required, and in the response
 * to a change what its verdict rests on; everything else is optional, because recorded responses miss members that the
 * documentation promises, and have null or another type in their place (`reading.ts`). Objects are loose: a member that
 * the exchange adds is kept and shown.
 * Sources: core specification §2, official OpenAPI 2.1.1, and the recorded messages.
 */

const orderState = suggested(ORDER_STATES).meta({ description: "State of the order." });

export const order = z.looseObject({
  order_id: z.string().meta({ description: "Unique order identifier." }),
  instrument_name: text("Unique instrument identifier."),
  order_state: orderState.optional(),
  direction,
  amount: number(
    "Requested size: USD for perpetuals and inverse futures, base currency for options and linear futures.",
  ),
  filled_amount: number("Filled size, in the same unit as amount."),
  average_price: number("Average fill price."),
  price: z
    .union([z.number(), z.string()])
    .meta({ description: "Limit price, or a string such as market_price for market-priced trigger orders." })
    .optional(),
  order_type: text("Type of the order."),
  original_order_type: text("Original type of the order, if the exchange changed it."),
  time_in_force: text("Time in force: how long the order stays open."),
  contracts: number("Size in contracts."),
  max_show: number("Size shown to the market."),
  display_amount: number("Currently visible size of an iceberg order."),
  refresh_amount: number("Size to which the visible part of an iceberg order is refilled."),
  label: text("The label given by the owner."),
  reduce_only: flag("Whether the order can only reduce a position."),
  post_only: flag("Whether the order never takes liquidity."),
  reject_post_only: flag("Whether a post-only order that would take liquidity is rejected instead of repriced."),
  api: flag("Whether the order was placed through the API."),
  web: flag("Whether the order was placed through the web interface."),
  mobile: flag("Whether the order was placed through the mobile app."),
  app_name: text("Application that placed the order."),
  mmp: flag("Whether the order counts toward market maker protection (MMP)."),
  mmp_group: text("MMP group."),
  mmp_cancelled: flag("Whether the order was cancelled by MMP."),
  risk_reducing: flag("Whether the exchange marked the order as risk-reducing."),
  is_rebalance: flag("Whether the exchange placed the order to rebalance."),
  is_liquidation: flag("Whether the exchange placed the order to liquidate."),
  replaced: flag("Whether the order was edited."),
  auto_replaced: flag("Whether the exchange edited the order to follow an option price."),
  block_trade: flag("Whether the order is the result of a block trade."),
  quote: flag("Whether the order is part of a mass quote."),
  quote_set_id: text("Set of the mass quote."),
  quote_id: text("Identifier within the mass quote."),
  cancel_reason: text("Why the order was cancelled."),
  advanced: choice(["usd", "implv"], "Option order priced in USD or implied volatility."),
  implv: number("Price in implied volatility."),
  usd: number("Price in USD."),
  triggered: flag("Whether the trigger has fired."),
  trigger: choice(["index_price", "mark_price", "last_price"], "Price that fires the trigger."),
  trigger_price: number("Price at which the trigger fires."),
  trigger_offset: number("Distance of a trailing order from its reference price."),
  trigger_reference_price: number("Reference price of a trailing order."),
  trigger_order_id: text("Trigger order that became this order."),
  trigger_fill_condition: text("Fill condition that triggers linked orders."),
  oto_order_ids: textList("Orders that this one triggers."),
  oco_ref: text("Reference of the one-cancels-other pair."),
  primary_order_id: text("Order that triggers this one."),
  is_secondary_oto: flag("Whether the order is triggered by another order."),
  is_primary_otoco: flag("Whether the order triggers a one-cancels-other pair."),
  creation_timestamp: timestampMs("When the order was placed.").optional(),
  last_update_timestamp: timestampMs("When the order last changed.").optional(),
  user_id: wideInteger("Owner of the order.").optional(),
  starbase_order_id: wideInteger("Order identifier of the matching engine.").optional(),
  starbase_last_update_timestamp: wideInteger("Last change, in ns since the Unix epoch.").optional(),
});

/** An order whose state is asked for. Its outcome is judged by its ID and its state alone. */
export const orderWithState = z.intersection(order, z.looseObject({ order_state: orderState }));

export const publicTrade = z.looseObject({
  trade_id: text("Unique per currency."),
  trade_seq: z.int().meta({ description: "Sequence number of the trade within the instrument." }),
  instrument_name: text("Unique instrument identifier."),
  timestamp: timestampMs("When the trade happened.").optional(),
  direction,
  price: number("Price of the trade."),
  amount: number("Size: USD for perpetuals and inverse futures, base currency for options and linear futures."),
  tick_direction: integer("0 plus tick, 1 zero-plus tick, 2 minus tick, 3 zero-minus tick."),
  index_price: number("Index price at the moment of the trade."),
  mark_price: number("Mark price at the moment of the trade."),
  iv: number("Implied volatility. Options only."),
  contracts: number("Size in contracts. May be absent in old trades."),
  liquidation: choice(["M", "T", "MT"], "Which side was a liquidation."),
  block_trade_id: text("Block trade it was part of."),
  block_trade_leg_count: integer("Number of legs of the block trade."),
  block_rfq_id: wideInteger("Block RFQ it came from.").optional(),
  combo_id: text("Combo it was part of."),
  combo_trade_id: z.union([z.number(), z.string()]).meta({ description: "Trade of the combo." }).optional(),
});

/** A position of the account. https://docs.deribit.com/api-reference/account-management/private-get_positions */
export const position = z.looseObject({
  instrument_name: z.string().meta({ description: "Unique instrument identifier." }),
  kind: text("Kind of the instrument."),
  direction: choice(["buy", "sell", "zero"], "Long, short, or closed."),
  size: number("Size: quote currency for futures, base currency for options. Below 0 if short."),
  size_currency: number("Size in base currency. Futures only. Below 0 if short."),
  average_price: number("Average price at which the position was opened."),
  mark_price: number("Mark price of the instrument."),
  index_price: number("Index price of the instrument."),
  settlement_price: number("Last settlement price. 0 for options."),
  total_profit_loss: number("Profit or loss of the position, in settlement currency."),
  floating_profit_loss: number("Unrealized profit or loss of the session, in settlement currency."),
  realized_profit_loss: number("Realized profit or loss of the session, in settlement currency."),
  realized_funding: number("Funding of the session, part of the realized profit. Perpetuals only."),
  interest_value: number("Value from which interest on the position is calculated. Perpetuals only."),
  initial_margin: number("Initial margin."),
  maintenance_margin: number("Maintenance margin."),
  open_orders_margin: number("Margin of open orders in the instrument."),
  estimated_liquidation_price: number("Estimated liquidation price. Futures only. 0 or -1: none."),
  leverage: number("Available leverage. Futures only."),
  delta: number("Delta."),
  gamma: number("Gamma. Options only."),
  vega: number("Vega. Options only."),
  theta: number("Theta. Options only."),
  average_price_usd: number("Average price in USD. Options only."),
  floating_profit_loss_usd: number("Unrealized profit or loss of the session in USD. Options only."),
});

export const token = z.looseObject({
  access_token: secret("Access token for private methods."),
  refresh_token: secret("Refresh token, used to get a new pair of tokens."),
  token_type: text("Always bearer."),
  expires_in: z.number().meta({ description: "Seconds until the access token expires." }),
  scope: z.string().meta({ description: "Granted scope entries, separated by spaces." }),
  sid: text("Identifier of the session."),
  state: text("Value passed as state in the request."),
  enabled_features: textList("Features of the API key."),
  mandatory_tfa_status: text("Whether the account requires 2FA."),
  google_login: flag("Whether the account signs in with Google."),
});
