import * as z from "zod";
import { filledText, flag, suggested } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Account Management");

export const accessMethods = [
  hinted("private/change_api_key_name", changes("account", "key"), {
    summary: "Renames an API key.",
    params: z.strictObject(shared("id", "name")),
    hint: "ApiKey",
  }),
  hinted("private/change_subaccount_name", changes("account", "write"), {
    summary: "Renames a subaccount.",
    params: z.strictObject({ ...shared("sid"), name: filledText("New name of the subaccount.") }),
    hint: "ok",
    isMainAccountOnly: true,
  }),
  hinted("private/create_subaccount", changes("account", "key"), {
    summary: "Creates a subaccount.",
    hint: `
      { email: string, login_enabled: boolean, is_password: boolean, receive_notifications: boolean,
      system_name: string, security_keys_enabled: boolean, security_keys_assignments: [string], username: string,
      type: subaccount, id: integer, portfolio: { btc: { margin_balance: number, currency: btc|eth,
      maintenance_margin: number, initial_margin: number, equity: number, balance: number,
      available_withdrawal_funds: number, available_funds: number, additional_reserve: number, spot_reserve: number
      } }, margin_model: string, disabled_trading_products: [string], proof_id: string, proof_id_signature: string,
      trading_products_details: [{ enabled: boolean, product: string, overwriteable: boolean,
      requires_consent: boolean }], referrals_count: integer }
    `,
    isMainAccountOnly: true,
  }),
  hinted("private/delete_member", changes("account", "key"), {
    summary: "Removes a member from the main account.",
    params: z.strictObject(shared("member_id")),
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
    isMainAccountOnly: true,
  }),
  hinted("private/get_members", reads("account"), {
    summary: "Lists the members of the main account.",
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
  }),
  hinted("private/get_subaccounts_details", reads("account"), {
    summary: "Lists the positions of all subaccounts in a currency, and their open orders if requested.",
    params: z.strictObject({
      ...shared("currency"),
      with_open_orders: flag("Whether to return open orders as well."),
    }),
    hint: `
      [{ uid: integer, positions: [{ instrument_name: string, kind: future|option|spot|future_combo|option_combo,
      average_price: number, direction: buy|sell|zero, mark_price: number, delta: number, gamma: number,
      vega: number, theta: number, index_price: number, initial_margin: number, maintenance_margin: number,
      settlement_price: number, total_profit_loss: number, floating_profit_loss: number,
      realized_profit_loss: number, size: number, size_currency: number, average_price_usd: number,
      floating_profit_loss_usd: number, leverage: integer, realized_funding: number, interest_value: number,
      open_orders_margin: number, estimated_liquidation_price: number|null }],
      open_orders: [Order] }]
    `,
  }),
  hinted("private/remove_subaccount", changes("account", "key"), {
    summary: "Removes an empty subaccount.",
    params: z.strictObject({ subaccount_id: z.int().meta({ description: "ID of the subaccount." }) }),
    hint: "ok",
    mayAskSecondFactor: true,
  }),
  hinted("private/set_email_for_subaccount", changes("account", "key"), {
    summary: "Sets the e-mail address of a subaccount.",
    params: z.strictObject({ ...shared("sid"), email: filledText("E-mail address.") }),
    hint: "ok",
    mayAskSecondFactor: true,
  }),
  hinted("private/set_member", changes("account", "key"), {
    summary: "Adds a member to the main account, or changes one.",
    params: z.strictObject({
      ...shared("member_id?"),
      name: z.string().min(1).max(64).meta({ description: "Name of the member, up to 64 characters." }),
      is_active: flag("Whether the member can sign in."),
      accounts: z.array(z.int()).meta({ description: "IDs of the subaccounts that the member can access." }).optional(),
    }),
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
    isMainAccountOnly: true,
  }),
  hinted("private/toggle_notifications_from_subaccount", changes("account", "write"), {
    summary: "Sets whether the main account receives notifications of a subaccount.",
    params: z.strictObject({
      ...shared("sid"),
      state: z.boolean().meta({ description: "Whether notifications are received." }),
    }),
    hint: "ok",
    mayAskSecondFactor: true,
  }),
  hinted("private/toggle_subaccount_login", changes("account", "key"), {
    summary: "Enables or disables signing in to a subaccount.",
    params: z.strictObject({
      ...shared("sid"),
      state: suggested(["enable", "disable"]).meta({ description: "Whether signing in is possible." }),
    }),
    hint: "ok",
    mayAskSecondFactor: true,
  }),
] as const;
