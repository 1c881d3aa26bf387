import * as z from "zod";
import { choice, filledText, integer, text } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Wallet");

export const walletMethods = [
  hinted("private/cancel_transfer_by_id", changes("wallet", "write"), {
    summary: "Cancels a transfer that is not completed yet.",
    params: z.strictObject({ ...shared("currency"), id: z.int().meta({ description: "Identifier of the transfer." }) }),
    hint: "Transfer",
  }),
  hinted("private/cancel_withdrawal", changes("wallet", "write"), {
    summary: "Cancels a withdrawal that is not confirmed yet.",
    params: z.strictObject({
      ...shared("currency"),
      id: z.number().meta({ description: "Identifier of the withdrawal." }),
    }),
    hint: "Withdrawal",
  }),
  hinted("private/coinbase/estimate_withdrawal_fee", reads("wallet"), {
    summary: "Estimates the network fee of a withdrawal through Coinbase.",
    params: z.strictObject({ ...shared("currency"), network_name: filledText("Name of the network.") }),
    hint: "unknown",
    documentation: "https://docs.deribit.com/api-reference/wallet/private-estimate_withdrawal_fee",
  }),
  hinted("private/create_deposit_address", changes("wallet", "money"), {
    summary: "Creates a deposit address in a currency.",
    params: z.strictObject(shared("currency")),
    hint: "{ creation_timestamp: integer, currency: BTC|ETH|USDC|USDT|EURR, address: string, type: string }",
  }),
  hinted("private/get_current_deposit_address", reads("wallet"), {
    summary: "Returns the deposit address of the account in a currency.",
    params: z.strictObject(shared("currency")),
    hint: "{ creation_timestamp: integer, currency: BTC|ETH|USDC|USDT|EURR, address: string, type: string }",
  }),
  hinted("private/get_deposits", reads("wallet"), {
    summary: "Lists the latest deposits in a currency.",
    params: z.strictObject(shared("currency", "count?", "offset?")),
    hint: `
      { data: [{ currency: BTC|ETH|USDC|USDT|EURR, address: string, amount: number,
      state: pending|completed|rejected|replaced, transaction_id: string, source_address: string,
      received_timestamp: integer, updated_timestamp: integer, note: string,
      clearance_state: in_progress|pending_admin_decision|pending_user_input|success|failed|cancelled|refund_initiated|refunded,
      refund_transaction_id: string }], count: integer }
    `,
  }),
  hinted("private/get_reward_eligibility", unscoped("read"), {
    summary: "Returns for each currency whether the account is eligible for rewards, and the rate.",
    hint: "{ eligibility_status: eligible|partially_eligible|non_eligible, apr_sma7: number }",
  }),
  hinted("private/get_transfers", reads("wallet"), {
    summary: "Lists the latest transfers in a currency.",
    params: z.strictObject(shared("currency", "count?", "offset?")),
    hint: "{ data: [Transfer], count: integer }",
  }),
  hinted("private/get_withdrawals", reads("wallet"), {
    summary: "Lists the latest withdrawals in a currency.",
    params: z.strictObject(shared("currency", "count?", "offset?")),
    hint: "{ data: [Withdrawal], count: integer }",
  }),
  hinted("private/set_clearance_originator", changes("wallet", "money"), {
    summary: "Names the originator of a deposit that is held for clearance.",
    params: z.strictObject({
      deposit_id: z.union([z.looseObject({}), z.string()]).meta({
        description: "Identifier of the deposit: an object with its currency, user, address, and transaction.",
      }),
      originator: z
        .union([z.looseObject({}), z.string()])
        .meta({ description: "Originator of the deposit: an object with name and address." }),
    }),
    hint: "unknown",
  }),
  hinted("private/set_coinbase_subaccount_withdrawals_allowed", unscoped("money"), {
    summary: "Sets whether subaccounts can withdraw through Coinbase.",
    params: z.strictObject({ enabled: z.boolean().meta({ description: "Whether it is allowed." }) }),
    hint: "unknown",
  }),
  hinted("private/submit_transfer_between_subaccounts", changes("wallet", "money"), {
    summary: "Transfers funds between two subaccounts.",
    params: z.strictObject({
      ...shared("currency"),
      amount: z.number().meta({ description: "Amount to transfer, in the currency." }),
      ...shared("destination"),
      source: integer("ID of the subaccount that sends the funds (default: this account)."),
      nonce: text("Unique text. A second request with it is ignored."),
    }),
    hint: "Transfer",
  }),
  hinted("private/submit_transfer_to_subaccount", changes("wallet", "money"), {
    summary: "Transfers funds to a subaccount.",
    params: z.strictObject({
      ...shared("currency"),
      amount: z.number().meta({ description: "Amount to transfer, in the currency." }),
      ...shared("destination"),
    }),
    hint: "Transfer",
  }),
  hinted("private/submit_transfer_to_user", changes("wallet", "money"), {
    summary: "Transfers funds to another user.",
    params: z.strictObject({
      ...shared("currency"),
      amount: z.number().meta({ description: "Amount to transfer, in the currency." }),
      destination: filledText("Address of the receiving user from the address book."),
    }),
    hint: "Transfer",
    isMainAccountOnly: true,
  }),
  hinted("private/withdraw", changes("wallet", "money"), {
    summary: "Withdraws funds to an address of the address book.",
    params: z.strictObject({
      ...shared("currency", "address"),
      amount: z.number().meta({ description: "Amount to withdraw, in the currency." }),
      priority: choice(
        ["insane", "extreme_high", "very_high", "high", "mid", "low", "very_low"],
        "Priority of the withdrawal. Decides the network fee.",
      ),
      nonce: text("Unique text. A second request with it is ignored."),
    }),
    hint: "Withdrawal",
    isMainAccountOnly: true,
  }),
] as const;
