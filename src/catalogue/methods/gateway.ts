import * as z from "zod";
import { filledText, flag, integer, number, text } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";

const account = methodsOf("Account Management").hinted;
const market = methodsOf("Market Data").hinted;
const trading = methodsOf("Trading").hinted;

/** What only the partner's gateway offers. Its index of methods is the one page that is the same for all of them. */
const ofGateway = { onlyAt: "gateway", documentation: "https://docs.cdp.coinbase.com/api-reference" } as const;

const isolated = flag("Whether the request is about isolated margin instead of cross margin (default: false).");
const subaccount = integer("ID of the subaccount (default: this account).");

export const gatewayMethods = [
  trading("private/get_leverage", reads("trade"), {
    summary: "Returns the stored leverage and the highest leverage of a future, or of every future with a stored one.",
    params: z.strictObject({
      instrument_name: text("Unique instrument identifier. If omitted, every future with a stored leverage."),
      subaccount_id: subaccount,
      isolated,
    }),
    hint: "unknown",
    ...ofGateway,
  }),
  trading("private/set_leverage", changes("trade", "write"), {
    summary: "Stores the leverage of a future, or removes the stored one.",
    params: z.strictObject({
      instrument_name: filledText("Unique instrument identifier."),
      leverage: z.number().nullable().meta({ description: "Leverage, or null to remove the stored one." }),
      subaccount_id: subaccount,
      isolated,
    }),
    hint: "unknown",
    ...ofGateway,
  }),
  trading("private/get_max_order_size", reads("trade"), {
    summary: "Returns the largest order for a future that funds, position, and open orders allow.",
    params: z.strictObject({
      instrument_name: filledText("Unique instrument identifier."),
      subaccount_id: subaccount,
      isolated,
      leverage: number("Leverage to assume."),
      taker_fee_rate: number("Taker fee to assume."),
      price: number("Price to assume."),
    }),
    hint: "{ max_tradable_amount: unknown, max_tradable_amount_reduce_only: unknown }",
    ...ofGateway,
  }),
  account("private/get_trading_limits", reads("account"), {
    summary: "Returns the limits of open orders and positions for a currency.",
    params: z.strictObject({ currency: filledText("Currency symbol, for example USDC.") }),
    hint: "unknown",
    ...ofGateway,
  }),
  account("private/get_pme_params", reads("account"), {
    summary: "Returns the parameters of the margin calculation for a currency.",
    params: z.strictObject({ currency: filledText("Currency symbol, for example USDC.") }),
    hint: "unknown",
    ...ofGateway,
  }),
  account("private/get_risk_profile", reads("account"), {
    summary: "Returns the risk profile of the account.",
    hint: "unknown",
    ...ofGateway,
  }),
  market("public/tickers_by_currency", unscoped("read"), {
    summary: "Returns the tickers of all instruments of a currency.",
    params: z.strictObject({
      currency: filledText("Currency symbol, for example USDC."),
      kind: text("Kind of instrument."),
      depth: integer("Number of price levels on each side."),
    }),
    hint: "unknown",
    ...ofGateway,
  }),
] as const;
