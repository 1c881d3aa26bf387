import * as z from "zod";
import { filledText, flag, integer, number, suggested, text, timestampMs } from "../fields.ts";

/* Parameters that several methods have, under the exchange's own names. */

export const add_positions = z
  .boolean()
  .meta({ description: "Whether to add the given positions to those of the account." });
export const address = filledText("Address in the format of the currency.");
export const advanced = suggested(["usd", "implv"]).meta({
  description: "Prices an option order in USD or in implied volatility.",
});
export const agreed = z.boolean().meta({ description: "Whether you confirm that the information is correct." });
export const amount = z
  .number()
  .meta({ description: "Size: USD for perpetuals and inverse futures, base currency for options and linear futures." });
export const beneficiary_address = filledText("Postal address of the beneficiary.");
export const beneficiary_company_name = filledText("Name of the company, if the beneficiary is one.");
export const beneficiary_first_name = filledText("First name of the beneficiary, if it is an individual.");
export const beneficiary_last_name = filledText("Last name of the beneficiary, if it is an individual.");
export const beneficiary_vasp_did = filledText("DID of the virtual asset service provider (VASP) of the beneficiary.");
export const beneficiary_vasp_name = filledText(
  "Name of the virtual asset service provider (VASP) of the beneficiary.",
);
export const beneficiary_vasp_website = filledText("Website of the VASP, if it has no DID.");
export const block_rfq_id = z.int().meta({ description: "Identifier of the Block RFQ." });
export const continuation = filledText("Continuation token from the previous response.");
export const contracts = z
  .number()
  .meta({ description: "Size in contracts. If amount is given as well, both must say the same." });
export const count = z.int().min(1).max(1000).meta({ description: "Number of items." });
export const currency = filledText("Currency symbol, for example BTC.");
export const currency_pair = filledText("Currency pair, written as in index names, for example btc_usdc.");
export const depth = z
  .int()
  .meta({ description: "Number of price levels on each side.", examples: [1, 5, 10, 20, 50, 100, 1000, 10000] });
export const destination = z.int().meta({ description: "ID of the subaccount that receives the funds." });
export const trade_direction = suggested(["buy", "sell"]).meta({ description: "Buy or sell." });
export const display_amount = z.number().meta({ description: "Size shown to the market, for an iceberg order." });
export const end_id = filledText("ID of the last trade to return.");
export const end_timestamp = timestampMs("Latest time.");
export const extended = z.boolean().meta({ description: "Whether to return more members." });
export const hedge = z
  .union([z.looseObject({}), z.string()])
  .meta({ description: "Hedge leg: one instrument with amount, direction, and price." });
export const historical = z.boolean().meta({ description: "Whether to return items older than 24 hours." });
export const id = z.int().meta({ description: "Identifier of the API key." });
export const include_old = z.boolean().meta({ description: "Whether to include orders older than two days." });
export const include_unfilled = z
  .boolean()
  .meta({ description: "Whether to include orders that ended without a fill." });
export const index_name = filledText("Name of the price index, for example btc_usd.");
export const instrument_name = filledText("Unique instrument identifier, for example BTC-PERPETUAL.");
export const kind = suggested(["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]).meta({
  description: "Kind of instrument (default: all).",
});
export const label = z.string().max(64).meta({ description: "Label, up to 64 characters." });
export const legs = z
  .array(
    z.strictObject({
      instrument_name: text("Unique instrument identifier."),
      price: number("Price."),
      ratio: integer("Ratio of the leg to the others."),
      direction: suggested(["buy", "sell"]).meta({ description: "Buy or sell." }).optional(),
    }),
  )
  .meta({ description: "Legs of the structure." });
export const linked_order_type = suggested([
  "one_triggers_other",
  "one_cancels_other",
  "one_triggers_one_cancels_other",
]).meta({ description: "How the order is linked to the orders of otoco_config." });
export const member_id = z.int().min(1).meta({ description: "Identifier of the member." });
export const mmp = z.boolean().meta({ description: "Whether the order counts toward market maker protection (MMP)." });
export const name = filledText("Name of the API key, up to 16 letters, digits, and underscores.");
export const nonce = filledText("Nonce of the block trade, shared by both sides.");
export const offset = z.int().meta({ description: "Number of items to skip." });
export const order_id = filledText("Unique order identifier.");
export const otoco_config = z
  .array(
    z.strictObject({
      amount: number("Size of the leg."),
      direction: suggested(["buy", "sell"]).meta({ description: "Buy or sell." }).optional(),
      type: suggested([
        "limit",
        "stop_limit",
        "take_limit",
        "market",
        "stop_market",
        "take_market",
        "market_limit",
        "trailing_stop",
      ])
        .meta({ description: "Type of the order." })
        .optional(),
      label: z.string().max(64).meta({ description: "Label, up to 64 characters." }).optional(),
      price: number("Price."),
      reduce_only: flag("Whether the order can only reduce a position."),
      time_in_force: suggested(["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"])
        .meta({ description: "Time in force: how long the order stays open." })
        .optional(),
      post_only: flag("Whether the order never takes liquidity."),
      reject_post_only: flag("Whether a post-only order that would take liquidity is rejected instead of repriced."),
      trigger_price: number("Price at which the trigger fires."),
      trigger_offset: number("Distance of a trailing order from its reference price."),
      trigger: suggested(["index_price", "mark_price", "last_price"])
        .meta({ description: "Price that fires the trigger." })
        .optional(),
    }),
  )
  .meta({ description: "Orders that the order triggers or cancels." });
export const personal = z.boolean().meta({ description: "Whether the address belongs to you." });
export const post_only = z.boolean().meta({ description: "Whether the order never takes liquidity." });
export const price = z.number().meta({ description: "Limit price." });
export const reduce_only = z.boolean().meta({ description: "Whether the order can only reduce a position." });
export const reject_post_only = z
  .boolean()
  .meta({ description: "Whether a post-only order that would take liquidity is rejected instead of repriced." });
export const role = suggested(["maker", "taker"]).meta({ description: "Side of the account in the block trade." });
export const search_start_timestamp = timestampMs("Latest time to search from.");
export const sid = z.int().meta({ description: "ID of the subaccount." });
export const simulated_positions = z
  .union([z.looseObject({}), z.string()])
  .meta({ description: "Positions by instrument: an object with sizes." });
export const sorting = suggested(["asc", "desc", "default"]).meta({
  description: "Sort order. `default` keeps the order of the database.",
});
export const start_id = filledText("ID of the first trade to return.");
export const start_timestamp = timestampMs("Earliest time.");
export const subaccount_id = z
  .int()
  .meta({ description: "ID of the subaccount (default: this account). Main account only." });
export const tag = filledText("Tag or memo, for currencies that need one.");
export const time_in_force = suggested([
  "good_til_cancelled",
  "good_til_day",
  "fill_or_kill",
  "immediate_or_cancel",
]).meta({ description: "Time in force: how long the order stays open." });
export const timestamp = timestampMs("Time of the block trade that both sides agreed on.");
export const trades = z
  .array(
    z.strictObject({
      instrument_name: text("Unique instrument identifier."),
      price: number("Price."),
      amount: number("Size of the leg."),
      direction: suggested(["buy", "sell"]).meta({ description: "Buy or sell." }).optional(),
    }),
  )
  .meta({ description: "Trades of the block trade." });
export const trigger = suggested(["index_price", "mark_price", "last_price"]).meta({
  description: "Price that fires the trigger.",
});
export const trigger_fill_condition = suggested(["first_hit", "complete_fill", "incremental"]).meta({
  description: "Fill of the order that triggers linked orders.",
});
export const trigger_offset = z
  .number()
  .meta({ description: "Distance of a trailing order from its reference price." });
export const trigger_price = z.number().meta({ description: "Price at which the trigger fires." });
export const type = suggested(["settlement", "delivery", "bankruptcy"]).meta({
  description: "Type of event (default: all).",
});
export const unhosted = z.boolean().meta({ description: "Whether the wallet is not held by a service provider." });
export const user_id = z.int().meta({ description: "ID of the account." });
export const valid_until = timestampMs("Server time after which the request is rejected. Prevents late execution.");
export const with_continuation = z.boolean().meta({ description: "Whether the result has a continuation token." });
