import * as z from "zod";
import { filledText, flag, suggested } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Account Management");

export const accessMethods = [
  hinted({
    name: "private/change_api_key_name",
    summary: "Renames an API key.",
    params: z.strictObject(shared("id", "name")),
    hint: "ApiKey",
    ...changes("account", "key"),
  }),
  hinted({
    name: "private/change_subaccount_name",
    summary: "Renames a subaccount.",
    params: z.strictObject({ ...shared("sid"), name: filledText("New name of the subaccount.") }),
    hint: "ok",
    ...changes("account", "write"),
    isMainAccountOnly: true,
  }),
  hinted({
    name: "private/create_subaccount",
    summary: "Creates a subaccount.",
    params: z.strictObject({}),
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
    ...changes("account", "key"),
    isMainAccountOnly: true,
  }),
  hinted({
    name: "private/delete_member",
    summary: "Removes a member from the main account.",
    params: z.strictObject(shared("member_id")),
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
    ...changes("account", "key"),
    isMainAccountOnly: true,
  }),
  hinted({
    name: "private/get_members",
    summary: "Lists the members of the main account.",
    params: z.strictObject({}),
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
    ...reads("account"),
  }),
  hinted({
    name: "private/get_subaccounts_details",
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
    ...reads("account"),
  }),
  hinted({
    name: "private/remove_subaccount",
    summary: "Removes an empty subaccount.",
    params: z.strictObject({ subaccount_id: z.int().meta({ description: "ID of the subaccount." }) }),
    hint: "ok",
    ...changes("account", "key"),
    mayAskSecondFactor: true,
  }),
  hinted({
    name: "private/set_email_for_subaccount",
    summary: "Sets the e-mail address of a subaccount.",
    params: z.strictObject({ ...shared("sid"), email: filledText("E-mail address.") }),
    hint: "ok",
    ...changes("account", "key"),
    mayAskSecondFactor: true,
  }),
  hinted({
    name: "private/set_member",
    summary: "Adds a member to the main account, or changes one.",
    params: z.strictObject({
      ...shared("member_id?"),
      name: z.string().min(1).max(64).meta({ description: "Name of the member, up to 64 characters." }),
      is_active: flag("Whether the member can sign in."),
      accounts: z.array(z.int()).meta({ description: "IDs of the subaccounts that the member can access." }).optional(),
    }),
    hint: "{ members: [Member], is_direct_access_allowed: boolean }",
    ...changes("account", "key"),
    isMainAccountOnly: true,
  }),
  hinted({
    name: "private/toggle_notifications_from_subaccount",
    summary: "Sets whether the main account receives notifications of a subaccount.",
    params: z.strictObject({
      ...shared("sid"),
      state: z.boolean().meta({ description: "Whether notifications are received." }),
    }),
    hint: "ok",
    ...changes("account", "write"),
    mayAskSecondFactor: true,
  }),
  hinted({
    name: "private/toggle_subaccount_login",
    summary: "Enables or disables signing in to a subaccount.",
    params: z.strictObject({
      ...shared("sid"),
      state: suggested(["enable", "disable"]).meta({ description: "Whether signing in is possible." }),
    }),
    hint: "ok",
    ...changes("account", "key"),
    mayAskSecondFactor: true,
  }),
] as const;
