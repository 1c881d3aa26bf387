import * as z from "zod";
import {
  choice,
  direction,
  flag,
  integer,
  number,
  suggested,
  text,
  textList,
  timestampMs,
  wideInteger,
} from "./fields.ts";
import { ORDER_STATES } from "./orderStates.ts";
import { CURRENCIES } from "./values.ts";

/*
 * Block trades, Block RFQs and quotes. Core specification §2.1 and §2.2, official OpenAPI 2.1.1 for the names beyond.
 */

const allocation = z.looseObject({
  user_id: wideInteger("User the part is allocated to. Hidden for brokers.").optional(),
  amount: number("Amount allocated to that user."),
  fee: number("Fee for the allocated part."),
  client_info: z
    .looseObject({
      client_id: wideInteger("Client of the broker.").optional(),
      client_link_id: wideInteger("Link between broker and client.").optional(),
      name: text("Name of the client."),
    })
    .meta({ description: "Client of the broker. Broker allocations only." })
    .optional(),
});

const allocations = z.array(allocation).optional();

/** A trade of the account. */
const trade = z.looseObject({
  trade_id: z.string().meta({ description: "Unique per currency." }),
  trade_seq: integer("Sequence number of the trade within the instrument."),
  instrument_name: text("Unique instrument identifier."),
  timestamp: timestampMs("When the trade happened.").optional(),
  order_id: text("The account's order in this trade."),
  matching_id: z.union([z.string(), z.null()]).meta({ description: "Always null." }).optional(),
  direction,
  tick_direction: integer("0 plus tick, 1 zero-plus tick, 2 minus tick, 3 zero-minus tick."),
  index_price: number("Index price at the moment of the trade."),
  mark_price: number("Mark price at the moment of the trade."),
  price: number("Price of the trade."),
  amount: number("Size: USD for perpetuals and inverse futures, base currency for options and linear futures."),
  contracts: number("Size in contracts. May be absent in old trades."),
  fee: number("Fee of the account, in fee_currency."),
  fee_currency: choice(CURRENCIES, "Currency of the fee."),
  state: choice(ORDER_STATES, "State of the order."),
  order_type: choice(["limit", "market", "liquidation"], "Type of the order."),
  advanced: choice(["usd", "implv"], "Option order priced in USD or implied volatility."),
  iv: number("Implied volatility for the price. Options only."),
  underlying_price: number("Underlying price used to calculate the implied volatility. Options only."),
  liquidity: choice(["M", "T"], "Whether the account's order was maker or taker."),
  liquidation: choice(["M", "T", "MT"], "Which side was a liquidation."),
  label: text("The label given by the owner."),
  block_trade_id: text("Block trade it was part of."),
  block_rfq_id: wideInteger("Block RFQ it came from.").optional(),
  block_rfq_quote_id: wideInteger("Quote of the Block RFQ. Shown to its maker only.").optional(),
  // Declared as texts, but real values are booleans.
  reduce_only: z
    .union([z.boolean(), z.string()])
    .meta({ description: "Whether the order can only reduce a position." })
    .optional(),
  post_only: z
    .union([z.boolean(), z.string()])
    .meta({ description: "Whether the order never takes liquidity." })
    .optional(),
  mmp: flag("Whether the order counts toward market maker protection (MMP)."),
  risk_reducing: flag("Whether the exchange marked the order as risk-reducing. Portfolio margin only."),
  api: flag("Whether the order was placed through the API."),
  profit_loss: z.union([z.number(), z.null()]).meta({ description: "Profit or loss in the base currency." }).optional(),
  combo_id: text("Combo it was part of."),
  combo_trade_id: z.union([z.number(), z.string()]).meta({ description: "Trade of the combo." }).optional(),
  quote_set_id: text("Set of the mass quote."),
  quote_id: text("Identifier within the mass quote."),
  app_name: text("Application that executed the block trade."),
  broker_code: text("Code of the broker."),
  broker_name: text("Name of the broker."),
  // The core specification's name and the exchange's.
  allocations: allocations.meta({ description: "How the trade is allocated to users." }),
  trade_allocations: allocations.meta({ description: "How the trade is allocated to users." }),
  user_id: wideInteger("Owner of the order.").optional(),
  self_trade: flag("Whether both sides of the trade belong to the account."),
  starbase_match_id: wideInteger("Match ID of the matching engine.").optional(),
  starbase_timestamp: wideInteger("When the trade happened, in ns since the Unix epoch.").optional(),
});

/** A trade, with the trades of its legs if it was of a combo. */
export const userTrade = z.intersection(
  trade,
  z.looseObject({ legs: z.array(trade).meta({ description: "Trades of the combo's legs." }).optional() }),
);

export const blockTrade = z.looseObject({
  id: z.string().meta({ description: "Block trade ID, for example BLOCK-282155." }),
  timestamp: timestampMs("When the block trade was executed.").optional(),
  trades: z.array(userTrade).meta({ description: "Trades that make up the block trade." }).optional(),
  app_name: text("Application that executed the block trade."),
  broker_code: text("Code of the broker."),
  broker_name: text("Name of the broker."),
});

/** A step of a block trade that waits for approval: by the other side, or by a second user of our own side. */
export const blockTradeConfirmation = z.looseObject({
  nonce: z.string().meta({ description: "Nonce required to approve or reject the block trade." }),
  timestamp: timestampMs("When it was created.").optional(),
  role: choice(["maker", "taker"], "Side of the account."),
  user_id: wideInteger("User ID of the account involved.").optional(),
  username: text("Name of the account involved."),
  state: z
    .looseObject({
      value: suggested(["initial", "accepted", "rejected", "executed"]),
      timestamp: timestampMs("When this state began.").optional(),
    })
    .meta({ description: "State of the account's side." })
    .optional(),
  counterparty_state: z
    .looseObject({ value: z.string(), timestamp: timestampMs("When this state began.").optional() })
    .meta({ description: "State of the counterparty's side." })
    .optional(),
  trades: z
    .array(
      z.looseObject({
        instrument_name: text("Instrument of the trade."),
        direction,
        price: number("Price of the trade."),
        amount: number("Size of the trade."),
      }),
    )
    .optional(),
  app_name: text("Application that executes the block trade."),
  broker_code: text("Code of the broker."),
  broker_name: text("Name of the broker."),
  combo_id: text("Combo of the block trade."),
});

const rfqLeg = z.looseObject({
  instrument_name: text("Instrument of the leg."),
  direction,
  ratio: number("Size of the leg, relative to the other legs."),
  price: number("Price of the leg."),
});

const hedge = z
  .looseObject({
    instrument_name: text("Instrument of the hedge."),
    direction,
    amount: number("Size of the hedge."),
    price: number("Price of the hedge."),
  })
  .meta({ description: "Futures leg that hedges the structure." })
  .optional();

export const blockRfqQuote = z.looseObject({
  block_rfq_quote_id: wideInteger("Identifier of the quote."),
  block_rfq_id: wideInteger("Block RFQ the quote responds to.").optional(),
  // No list is documented; open, filled, cancelled and expired occur.
  quote_state: text("State of the quote."),
  quote_state_reason: text("Why the quote is in its state."),
  direction,
  price: number("Price of the whole structure."),
  amount: number("Size offered."),
  filled_amount: number("Size filled."),
  execution_instruction: choice(["any_part_of", "all_or_none"], "Whether the quote can be filled partially."),
  legs: z.array(rfqLeg).meta({ description: "Legs with their prices." }).optional(),
  hedge,
  label: text("The label given by the maker."),
  app_name: text("Application that placed the quote."),
  replaced: flag("Whether the quote was edited."),
  creation_timestamp: timestampMs("When the quote was placed.").optional(),
  last_update_timestamp: timestampMs("When the quote last changed.").optional(),
});

/** A quote whose state is asked for. Its outcome is judged by its ID and its state alone. */
export const quoteWithState = z.intersection(blockRfqQuote, z.looseObject({ quote_state: z.string() }));

const rfqSide = z
  .array(
    z.looseObject({
      price: number("Price offered."),
      amount: number("Size offered."),
      makers: z.array(z.string()).optional(),
      execution_instruction: text("Whether a partial fill is allowed."),
      last_update_timestamp: timestampMs("When it last changed.").optional(),
      expires_at: timestampMs("When it expires.").optional(),
    }),
  )
  .optional();

const rfqTrades = z
  .array(
    z.looseObject({
      direction,
      price: number("Price of the trade."),
      amount: number("Size of the trade."),
      maker: text("Maker of the trade."),
      hedge_amount: number("Size of the hedge."),
    }),
  )
  .optional();

export const blockRfq = z.looseObject({
  block_rfq_id: wideInteger("Identifier of the Block RFQ."),
  state: choice(["open", "filled", "cancelled", "expired"], "State of the Block RFQ."),
  role: choice(["taker", "maker"], "Side of the account."),
  amount: number("Requested size."),
  min_trade_amount: number("Minimum size that can be traded."),
  legs: z.array(rfqLeg).optional(),
  hedge,
  combo_id: z.union([z.string(), z.null()]).meta({ description: "Combo of the structure." }).optional(),
  taker_rating: text("Reliability rating of the taker, as a range."),
  taker: text("Alias of the taker, if disclosed."),
  disclosed: flag("Whether the taker's alias is disclosed."),
  makers: textList("Makers asked to quote."),
  asks: rfqSide,
  bids: rfqSide,
  mark_price: number("Mark price of the structure."),
  index_prices: z.array(z.number()).optional(),
  label: text("The label given by the taker."),
  app_name: text("Application that created the Block RFQ."),
  included_in_taker_rating: flag("Whether the Block RFQ counts toward the taker's rating."),
  trades: rfqTrades,
  trade_trigger: z
    .looseObject({
      state: text("State of the trigger."),
      price: number("Price of the trigger."),
      direction,
      cancel_reason: text("Why the trigger ended."),
    })
    .optional(),
  trade_allocations: allocations.meta({ description: "How the trades are allocated to users." }),
  creation_timestamp: timestampMs("When it was created.").optional(),
  expiration_timestamp: timestampMs("When it expires.").optional(),
});

/** A Block RFQ that was executed, as everyone sees it. */
export const blockRfqTrade = z.looseObject({
  id: wideInteger("Identifier of the Block RFQ."),
  timestamp: timestampMs("When it was executed."),
  direction,
  amount: z.number(),
  legs: z.array(rfqLeg),
  combo_id: z.union([z.string(), z.null()]).optional(),
  mark_price: number("Mark price of the structure."),
  index_prices: z.array(z.number()).optional(),
  hedge,
  trades: rfqTrades,
});
