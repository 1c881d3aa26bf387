import * as z from "zod";
import { choice, filledText, integer, suggested, text, textList, timestampMs } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Wallet");

/** Who an address belongs to. */
const beneficiary = shared(
  "beneficiary_vasp_name",
  "beneficiary_vasp_did",
  "beneficiary_vasp_website?",
  "beneficiary_first_name?",
  "beneficiary_last_name?",
  "beneficiary_company_name?",
  "beneficiary_address",
);

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
  hinted("private/add_to_address_book", changes("wallet", "money"), {
    summary: "Adds an address to the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
      label: filledText("Label of the address."),
      ...beneficiary,
      ...shared("agreed", "personal"),
      extra_currencies: textList("Further currencies for which the address can be used."),
    }),
    hint: "Address",
    mayAskSecondFactor: true,
  }),
  hinted("private/delete_address_beneficiary", changes("wallet", "money"), {
    summary: "Deletes the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "string",
  }),
  hinted("private/get_address_beneficiary", reads("wallet"), {
    summary: "Returns the beneficiary information of an address.",
    params: z.strictObject(shared("currency", "address", "tag?")),
    hint: "Beneficiary",
  }),
  hinted("private/get_address_book", reads("wallet"), {
    summary: "Lists the addresses of the address book in a currency.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the addresses." }),
    }),
    hint: "[Address]",
  }),
  hinted("private/list_address_beneficiaries", reads("wallet"), {
    summary: "Lists the beneficiary information of addresses.",
    params: z.strictObject({
      ...shared("currency?", "address?", "tag?"),
      created_before: timestampMs("Latest creation, in ms since the Unix epoch.").optional(),
      created_after: timestampMs("Earliest creation, in ms since the Unix epoch.").optional(),
      updated_before: timestampMs("Latest change, in ms since the Unix epoch.").optional(),
      updated_after: timestampMs("Earliest change, in ms since the Unix epoch.").optional(),
      ...shared("personal?", "unhosted?"),
      ...shared("beneficiary_vasp_name?", "beneficiary_vasp_did?", "beneficiary_vasp_website?"),
      limit: z.int().min(1).max(1000).meta({ description: "Number of items." }).optional(),
      ...shared("continuation?"),
    }),
    hint: "{ data: [Beneficiary], continuation: string, count: integer }",
  }),
  hinted("private/remove_from_address_book", changes("wallet", "money"), {
    summary: "Removes an address from the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
    }),
    hint: "string",
  }),
  hinted("private/save_address_beneficiary", changes("wallet", "money"), {
    summary: "Saves the beneficiary information of an address.",
    params: z.strictObject({
      ...shared("currency", "address", "tag?", "agreed", "personal", "unhosted"),
      ...beneficiary,
    }),
    hint: "Beneficiary",
  }),
  hinted("private/set_address_requires_security_key", changes("wallet", "money"), {
    summary: "Sets whether using an address requires a security key.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal"]).meta({ description: "Use of the address." }),
      ...shared("address?"),
      network: text("Network of the address."),
      ...shared("tag?"),
      id: text("Identifier of the address book entry."),
      value: z.boolean().meta({ description: "Whether a security key is required." }),
    }),
    hint: "object",
    isMainAccountOnly: true,
  }),
  hinted("private/update_in_address_book", changes("wallet", "money"), {
    summary: "Changes the beneficiary information of an address in the address book.",
    params: z.strictObject({
      ...shared("currency"),
      type: suggested(["transfer", "withdrawal", "deposit_source"]).meta({ description: "Use of the address." }),
      ...shared("address"),
      ...beneficiary,
      ...shared("agreed", "personal"),
      label: filledText("Label of the address."),
    }),
    hint: "string",
  }),
] as const;
