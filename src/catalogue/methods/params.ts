import * as z from "zod";
import { filledText, flag, integer, number, suggested, text, timestampMs } from "../fields.ts";

const direction = suggested(["buy", "sell"]).meta({ description: "Buy or sell." });
const timeInForce = suggested(["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]).meta({
  description: "Time in force: how long the order stays open.",
});
const trigger = suggested(["index_price", "mark_price", "last_price"]).meta({
  description: "Price that fires the trigger.",
});

export const orderType = suggested([
  "limit",
  "stop_limit",
  "take_limit",
  "market",
  "stop_market",
  "take_market",
  "market_limit",
  "trailing_stop",
]).meta({ description: "Type of the order." });

/** Whether an order may take liquidity, as a part of an order within a list. */
export const postOnly = {
  post_only: flag("Whether the order never takes liquidity."),
  reject_post_only: flag("Whether a post-only order that would take liquidity is rejected instead of repriced."),
};

/** Legs with their sizes; what they are for is said where they are asked for. */
export const amountLegs = z.array(
  z.strictObject({
    instrument_name: text("Unique instrument identifier."),
    amount: number("Size of the leg."),
    direction: direction.optional(),
  }),
);

/** Parameters that several methods have, under the exchange's own names. */
export const PARAMS = {
  add_positions: z.boolean().meta({ description: "Whether to add the given positions to those of the account." }),
  address: filledText("Address in the format of the currency."),
  advanced: suggested(["usd", "implv"]).meta({
    description: "Prices an option order in USD or in implied volatility.",
  }),
  agreed: z.boolean().meta({ description: "Whether you confirm that the information is correct." }),
  amount: z.number().meta({
    description: "Size: USD for perpetuals and inverse futures, base currency for options and linear futures.",
  }),
  beneficiary_address: filledText("Postal address of the beneficiary."),
  beneficiary_company_name: filledText("Name of the company, if the beneficiary is one."),
  beneficiary_first_name: filledText("First name of the beneficiary, if it is an individual."),
  beneficiary_last_name: filledText("Last name of the beneficiary, if it is an individual."),
  beneficiary_vasp_did: filledText("DID of the virtual asset service provider (VASP) of the beneficiary."),
  beneficiary_vasp_name: filledText("Name of the virtual asset service provider (VASP) of the beneficiary."),
  beneficiary_vasp_website: filledText("Website of the VASP, if it has no DID."),
  block_rfq_id: z.int().meta({ description: "Identifier of the Block RFQ." }),
  continuation: filledText("Continuation token from the previous response."),
  contracts: z.number().meta({ description: "Size in contracts. If amount is given as well, both must say the same." }),
  count: z.int().min(1).max(1000).meta({ description: "Number of items." }),
  currency: filledText("Currency symbol, for example BTC."),
  currency_pair: filledText("Currency pair, written as in index names, for example btc_usdc."),
  depth: z
    .int()
    .meta({ description: "Number of price levels on each side.", examples: [1, 5, 10, 20, 50, 100, 1000, 10000] }),
  destination: z.int().meta({ description: "ID of the subaccount that receives the funds." }),
  trade_direction: direction,
  display_amount: z.number().meta({ description: "Size shown to the market, for an iceberg order." }),
  end_id: filledText("ID of the last trade to return."),
  end_timestamp: timestampMs("Latest time."),
  extended: z.boolean().meta({ description: "Whether to return more members." }),
  hedge: z
    .union([z.looseObject({}), z.string()])
    .meta({ description: "Hedge leg: one instrument with amount, direction, and price." }),
  historical: z.boolean().meta({ description: "Whether to return items older than 24 hours." }),
  id: z.int().meta({ description: "Identifier of the API key." }),
  include_old: z.boolean().meta({ description: "Whether to include orders older than two days." }),
  include_unfilled: z.boolean().meta({ description: "Whether to include orders that ended without a fill." }),
  index_name: filledText("Name of the price index, for example btc_usd."),
  instrument_name: filledText("Unique instrument identifier, for example BTC-PERPETUAL."),
  kind: suggested(["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]).meta({
    description: "Kind of instrument (default: all).",
  }),
  label: z.string().max(64).meta({ description: "Label, up to 64 characters." }),
  legs: z
    .array(
      z.strictObject({
        instrument_name: text("Unique instrument identifier."),
        price: number("Price."),
        ratio: integer("Ratio of the leg to the others."),
        direction: direction.optional(),
      }),
    )
    .meta({ description: "Legs of the structure." }),
  linked_order_type: suggested(["one_triggers_other", "one_cancels_other", "one_triggers_one_cancels_other"]).meta({
    description: "How the order is linked to the orders of otoco_config.",
  }),
  member_id: z.int().min(1).meta({ description: "Identifier of the member." }),
  mmp: z.boolean().meta({ description: "Whether the order counts toward market maker protection (MMP)." }),
  name: filledText("Name of the API key, up to 16 letters, digits, and underscores."),
  nonce: filledText("Nonce of the block trade, shared by both sides."),
  offset: z.int().meta({ description: "Number of items to skip." }),
  order_id: filledText("Unique order identifier."),
  otoco_config: z
    .array(
      z.strictObject({
        amount: number("Size of the leg."),
        direction: direction.optional(),
        type: orderType.optional(),
        label: z.string().max(64).meta({ description: "Label, up to 64 characters." }).optional(),
        price: number("Price."),
        reduce_only: flag("Whether the order can only reduce a position."),
        time_in_force: timeInForce.optional(),
        ...postOnly,
        trigger_price: number("Price at which the trigger fires."),
        trigger_offset: number("Distance of a trailing order from its reference price."),
        trigger: trigger.optional(),
      }),
    )
    .meta({ description: "Orders that the order triggers or cancels." }),
  personal: z.boolean().meta({ description: "Whether the address belongs to you." }),
  post_only: z.boolean().meta({ description: "Whether the order never takes liquidity." }),
  price: z.number().meta({ description: "Limit price." }),
  reduce_only: z.boolean().meta({ description: "Whether the order can only reduce a position." }),
  reject_post_only: z
    .boolean()
    .meta({ description: "Whether a post-only order that would take liquidity is rejected instead of repriced." }),
  role: suggested(["maker", "taker"]).meta({ description: "Side of the account in the block trade." }),
  search_start_timestamp: timestampMs("Latest time to search from."),
  sid: z.int().meta({ description: "ID of the subaccount." }),
  simulated_positions: z
    .union([z.looseObject({}), z.string()])
    .meta({ description: "Positions by instrument: an object with sizes." }),
  sorting: suggested(["asc", "desc", "default"]).meta({
    description: "Sort order. `default` keeps the order of the database.",
  }),
  start_id: filledText("ID of the first trade to return."),
  start_timestamp: timestampMs("Earliest time."),
  subaccount_id: z.int().meta({ description: "ID of the subaccount (default: this account). Main account only." }),
  tag: filledText("Tag or memo, for currencies that need one."),
  time_in_force: timeInForce,
  timestamp: timestampMs("Time of the block trade that both sides agreed on."),
  trades: z
    .array(
      z.strictObject({
        instrument_name: text("Unique instrument identifier."),
        price: number("Price."),
        amount: number("Size of the leg."),
        direction: direction.optional(),
      }),
    )
    .meta({ description: "Trades of the block trade." }),
  trigger,
  trigger_fill_condition: suggested(["first_hit", "complete_fill", "incremental"]).meta({
    description: "Fill of the order that triggers linked orders.",
  }),
  trigger_offset: z.number().meta({ description: "Distance of a trailing order from its reference price." }),
  trigger_price: z.number().meta({ description: "Price at which the trigger fires." }),
  type: suggested(["settlement", "delivery", "bankruptcy"]).meta({
    description: "Type of event (default: all).",
  }),
  unhosted: z.boolean().meta({ description: "Whether the wallet is not held by a service provider." }),
  user_id: z.int().meta({ description: "ID of the account." }),
  valid_until: timestampMs("Server time after which the request is rejected. Prevents late execution."),
  with_continuation: z.boolean().meta({ description: "Whether the result has a continuation token." }),
};

type Name = keyof typeof PARAMS;
type Shape<Listed extends string> = {
  readonly [Each in Listed as Each extends `${infer Base}?` ? Base : Each]: Each extends Name
    ? (typeof PARAMS)[Each]
    : Each extends `${infer Base extends Name}?`
      ? z.ZodOptional<(typeof PARAMS)[Base]>
      : never;
};

/** Returns these parameters for a schema; one whose name ends with `?` is optional. */
export function shared<const Listed extends Name | `${Name}?`>(...listed: readonly Listed[]): Shape<Listed> {
  const schemas: Readonly<Record<string, z.ZodType>> = PARAMS;
  return Object.fromEntries(
    listed.map((each) => {
      const name = each.replace("?", "");
      return [name, name === each ? schemas[name] : schemas[name]?.optional()];
    }),
  ) as Shape<Listed>;
}
