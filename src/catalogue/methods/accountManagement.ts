import * as z from "zod";
import { accountProfile, accountSummary, userLock } from "../accountEntities.ts";
import { position } from "../entities.ts";
import { choice, filledText, flag, integer, suggested, text } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";
import { shared } from "./params.ts";

const { hinted, method } = methodsOf("Account Management");
const liquiditySupport = methodsOf("Liquidity Support", "lsp");

export const accountManagementMethods = [
  hinted("private/change_margin_model", changes("account", "write"), {
    summary: "Changes the margin model of an account.",
    params: z.strictObject({
      ...shared("user_id?"),
      margin_model: suggested(["cross_pm", "cross_sm", "segregated_pm", "segregated_sm"]).meta({
        description: "Margin model.",
      }),
      dry_run: flag("Whether to return only how margin would change, without changing it."),
    }),
    hint: `
      [{ old_state: { maintenance_margin_rate: number, initial_margin_rate: number, available_balance: number },
      new_state: { maintenance_margin_rate: number, initial_margin_rate: number, available_balance: number },
      currency: BTC|ETH|USDC|USDT|EURR }]
    `,
    dryRunParam: "dry_run",
  }),
  hinted("private/enable_affiliate_program", changes("account", "write"), {
    summary: "Enables the affiliate program for the account.",
    hint: "ok",
  }),
  hinted("private/get_access_log", reads("account"), {
    summary: "Lists sign-ins and changes to API keys and other account settings.",
    params: z.strictObject(shared("offset?", "count?")),
    hint: `
      [{ id: integer, ip: string, timestamp: integer, country: string, city: string, log: string,
      data: object|string }]
    `,
  }),
  method("private/get_account_summary", reads("account"), {
    summary: "Returns balance, equity, and margin of the account in a currency.",
    params: z.strictObject(shared("currency", "subaccount_id?", "extended?")),
    result: z.intersection(accountProfile, accountSummary),
  }),
  hinted("private/get_affiliate_program_info", reads("account"), {
    summary: "Returns the state and earnings of the affiliate program.",
    hint: `
      { is_enabled: boolean, number_of_affiliates: number, link: string, received: { eth: number, btc: number } }
    `,
  }),
  hinted("private/get_currencies", unscoped("read"), {
    summary: "Lists currencies as the account sees them.",
    hint: "array",
  }),
  hinted("private/get_email_language", reads("account"), {
    summary: "Returns the language of e-mails from the exchange.",
    hint: "string",
  }),
  hinted("private/get_new_announcements", reads("account"), {
    summary: "Lists announcements that are not marked as read.",
    hint: "[Announcement]",
  }),
  method("private/get_position", reads("trade"), {
    summary: "Returns the position in one instrument.",
    params: z.strictObject(shared("instrument_name")),
    result: position,
  }),
  method("private/get_positions", reads("trade"), {
    summary: "Lists positions. Without a currency, all of them.",
    params: z.strictObject({
      currency: filledText("Settlement currency (default: all).").optional(),
      kind: choice(["future", "option", "future_combo", "option_combo"], "Kind of instrument (default: all)."),
      ...shared("subaccount_id?"),
    }),
    result: z.array(position),
    rows: { position },
  }),
  hinted("private/get_transaction_log", reads("account"), {
    summary: "Lists changes to the balance in a currency within a time range. High rate-limit cost.",
    params: z.strictObject({
      ...shared("currency", "start_timestamp", "end_timestamp"),
      query: text("Returns only entries that fit, for example trade or an instrument."),
      count: z.int().min(1).max(250).meta({ description: "Number of items." }).optional(),
      ...shared("subaccount_id?"),
      continuation: integer("Continuation token from the previous response."),
    }),
    hint: `
      { continuation: integer|null, logs: [{ id: integer, currency: BTC|ETH|USDC|USDT|EURR, timestamp: integer,
      user_id: integer, username: string, commission: number, cashflow: number, balance: number, change: number,
      user_seq: integer, type: string, role: source|destination, info: object, equity: number, mark_price: number,
      settlement_price: number, index_price: number, instrument_name: string|null, position: number|null, side: string,
      amount: number, price: number|null, price_currency: string, trade_id: string|null, order_id: string|null,
      user_role: maker|taker, fee_role: maker|taker, profit_as_cashflow: boolean, interest_pl: number|null,
      block_rfq_id: integer, ip: string, starbase_match_id: integer, starbase_order_id: integer,
      starbase_timestamp: integer, session_rpl: number, session_upl: number, total_interest_pl: number,
      contracts: number }] }
    `,
    rate: "transactionLog",
  }),
  method("private/get_user_locks", reads("account"), {
    summary: "Returns for each currency whether the account is locked.",
    result: z.array(userLock),
    rows: { userLock },
  }),
  hinted("private/list_custody_accounts", unscoped("read"), {
    summary: "Lists the custody accounts in a currency.",
    params: z.strictObject(shared("currency")),
    hint: `
      [{ currency: BTC|ETH|USDC|USDT|EURR, name: copper|cobo, balance: number, pending_withdrawal_balance: number,
      auto_deposit: boolean, client_id: string, external_id: string, withdrawal_address: string,
      withdrawal_address_change: number, pending_withdrawal_addres: string, deposit_address: string }]
    `,
  }),
  hinted("private/pme/simulate", reads("account"), {
    summary: "Calculates portfolio margin for given positions.",
    params: z.strictObject({
      currency: filledText("Currency, or CROSS for all."),
      ...shared("add_positions?", "simulated_positions?"),
    }),
    hint: "object",
    documentation: "https://docs.deribit.com/api-reference/account-management/private-simulate",
  }),
  hinted("private/set_announcement_as_read", changes("account", "write"), {
    summary: "Marks an announcement as read.",
    params: z.strictObject({ announcement_id: z.number().meta({ description: "Identifier of the announcement." }) }),
    hint: "ok",
  }),
  hinted("private/set_disabled_trading_products", changes("account", "write"), {
    summary: "Sets the kinds of products that an account can not trade.",
    params: z.strictObject({
      ...shared("user_id"),
      trading_products: z
        .array(suggested(["perpetual", "futures", "options", "future_combos", "option_combos", "spots"]))
        .meta({ description: "Kinds of products that can not be traded." }),
    }),
    hint: "ok",
    mayAskSecondFactor: true,
  }),
  hinted("private/set_email_language", changes("account", "write"), {
    summary: "Sets the language of e-mails from the exchange.",
    params: z.strictObject({ language: filledText("Language code, for example en.") }),
    hint: "ok",
  }),
  hinted("private/set_self_trading_config", changes("account", "write"), {
    summary: "Sets what happens when the account would trade with itself.",
    params: z.strictObject({
      mode: suggested(["reject_taker", "cancel_maker"]).meta({
        description: "Order that is rejected or cancelled: the taking one or the resting one.",
      }),
      extended_to_subaccounts: z.boolean().meta({ description: "Whether the setting applies to all subaccounts." }),
      block_rfq_self_match_prevention: flag("Whether self-trade prevention applies to Block RFQs as well."),
    }),
    hint: "ok",
  }),
  hinted("private/simulate_portfolio", reads("account"), {
    summary: "Calculates margin for given positions, alone or on top of those of the account.",
    params: z.strictObject(shared("currency", "add_positions?", "simulated_positions?")),
    hint: `
      { currency: string, equity: number, balance: number, margin_balance: number, initial_margin: number,
      maintenance_margin: number, projected_initial_margin: number, projected_maintenance_margin: number,
      available_funds: number, available_withdrawal_funds: number, available_subaccount_transfer_funds: number,
      total_pl: number, session_rpl: number, session_upl: number, futures_pl: number, futures_session_rpl: number,
      futures_session_upl: number, options_pl: number, options_session_rpl: number, options_session_upl: number,
      options_value: number, options_delta: number, options_gamma: number, options_theta: number,
      options_vega: number, options_gamma_map: object, options_theta_map: object, options_vega_map: object,
      delta_total: number, delta_total_map: object, projected_delta_total: number, additional_reserve: number,
      spot_reserve: number, fee_balance: number, locked_balance: number, margin_model: string,
      portfolio_margining_enabled: boolean, cross_collateral_enabled: boolean, total_equity_usd: number,
      total_initial_margin_usd: number, total_maintenance_margin_usd: number, total_margin_balance_usd: number,
      total_delta_total_usd: number }
    `,
  }),
  hinted("public/get_announcements", unscoped("read"), {
    summary: "Lists announcements of the last 30 days.",
    params: z.strictObject({
      ...shared("start_timestamp?"),
      count: z.int().min(1).max(50).meta({ description: "Number of items." }).optional(),
    }),
    hint: "[Announcement]",
  }),
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
  liquiditySupport.hinted("private/get_lsp_participant_config", reads("account"), {
    summary: "Returns the configuration of the account in the Liquidity Support Program (LSP).",
    hint: "{ config: { enabled: boolean, group_limits: object } }",
  }),
  liquiditySupport.hinted("private/get_lsp_participants", reads("account"), {
    summary: "Lists the participants of the Liquidity Support Program (LSP).",
    params: z.strictObject({
      detailed: flag("Whether to return all details of each participant."),
    }),
    hint: `
      { participants: [{ user_id: integer, enabled: boolean, config: { enabled: boolean, group_limits: object } }] }
    `,
  }),
  liquiditySupport.hinted("private/get_lsp_participants_usage", reads("account"), {
    summary: "Returns how much participants of the Liquidity Support Program (LSP) use.",
    params: z.strictObject(shared("user_id?")),
    hint: "{ cooldown_period_ms: integer, participants: [{ user_id: integer, groups: object }] }",
  }),
  liquiditySupport.hinted("private/get_lsp_usage", reads("account"), {
    summary: "Returns how much the account uses of the Liquidity Support Program (LSP).",
    hint: "{ cooldown_period_ms: integer, groups: object }",
  }),
] as const;
