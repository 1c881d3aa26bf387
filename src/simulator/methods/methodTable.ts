import type { HintedName, MethodName } from "../../catalogue/index.ts";

/**
 * What the simulator makes of a method. `ledger`: its result or its effect follows from the state of the simulated
 * exchange. `static`: its result is always the same; the sentence says why. `refused`: it has no handler; the sentence
 * is the reason that callers get.
 */
type MethodRole = "ledger" | { readonly static: string } | { readonly refused: string };

const APPROVALS = "Block trades of the simulator need no approval: the two sides sign and execute them.";
const WALLETS = "The simulator has no wallets or addresses outside of the account.";
const AFFILIATES = "The simulator has no affiliate program.";
const IDENTITY = "The simulator has no travel rule and checks no identities.";
const MEMBERS = "The simulator has no members: one owner has all accounts.";
const LIQUIDITY = "The simulator has no Liquidity Support Program.";
const BROKERS = "The simulator has no brokers.";
const GATEWAY = "The gateway alone has this method, and its result is not documented, so it isn't simulated.";
const BLOCK_RFQS = "The Block RFQs of the simulator are made by others; you can quote for them.";

/** The methods that are not `ledger`. */
const OTHER_ROLES: Readonly<Partial<Record<MethodName | HintedName, Exclude<MethodRole, "ledger">>>> = {
  "private/accept_block_rfq": { refused: BLOCK_RFQS },
  "private/add_to_address_book": { refused: WALLETS },
  "private/approve_block_trade": { refused: APPROVALS },
  "private/cancel_block_rfq": { refused: BLOCK_RFQS },
  "private/cancel_block_rfq_trigger": { refused: BLOCK_RFQS },
  "private/cancel_transfer_by_id": { refused: "Transfers are completed at once, so there is none to cancel." },
  "private/cancel_withdrawal": { refused: "Nothing can be withdrawn, so there is no withdrawal to cancel." },
  "private/coinbase/estimate_withdrawal_fee": { refused: "The simulator is not connected to Coinbase." },
  "private/create_block_rfq": { refused: BLOCK_RFQS },
  "private/create_combo": { refused: "The combos of the simulator are fixed." },
  "private/create_deposit_address": { refused: WALLETS },
  "private/delete_address_beneficiary": { refused: IDENTITY },
  "private/delete_member": { refused: MEMBERS },
  "private/enable_affiliate_program": { refused: AFFILIATES },
  "private/get_address_beneficiary": { refused: IDENTITY },
  "private/get_address_book": { refused: WALLETS },
  "private/get_affiliate_program_info": { refused: AFFILIATES },
  "private/get_block_rfq_makers": { refused: BLOCK_RFQS },
  "private/get_block_rfq_user_info": { refused: BLOCK_RFQS },
  "private/get_block_trade_requests": { refused: APPROVALS },
  "private/get_broker_clients": { refused: BROKERS },
  "private/get_broker_trade_requests": { refused: BROKERS },
  "private/get_broker_trades": { refused: BROKERS },
  "private/get_currencies": { static: "The currencies are always the same." },
  "private/get_current_deposit_address": { refused: WALLETS },
  "private/get_lsp_participant_config": { refused: LIQUIDITY },
  "private/get_lsp_participants": { refused: LIQUIDITY },
  "private/get_lsp_participants_usage": { refused: LIQUIDITY },
  "private/get_lsp_usage": { refused: LIQUIDITY },
  "private/get_members": { refused: MEMBERS },
  "private/get_new_announcements": { static: "The simulated exchange announces nothing." },
  "private/get_reward_eligibility": { refused: "The simulator pays no rewards." },
  "private/get_user_locks": { static: "The simulator locks no account. An account in liquidation is not listed." },
  "private/get_withdrawals": { static: "Nothing can be withdrawn, so the list is empty." },
  "private/list_address_beneficiaries": { refused: IDENTITY },
  "private/list_custody_accounts": { refused: "The simulator has no custody accounts." },
  "private/pme/simulate": { refused: "The one margin model is segregated_sm, without portfolio margin." },
  "private/reject_block_trade": { refused: APPROVALS },
  "private/remove_from_address_book": { refused: WALLETS },
  "private/save_address_beneficiary": { refused: IDENTITY },
  "private/set_address_requires_security_key": { refused: WALLETS },
  "private/set_announcement_as_read": { refused: "There are no announcements." },
  "private/set_clearance_originator": { refused: IDENTITY },
  "private/set_coinbase_subaccount_withdrawals_allowed": { refused: "The simulator is not connected to Coinbase." },
  "private/set_disabled_trading_products": { refused: "Every account can trade everything." },
  "private/set_member": { refused: MEMBERS },
  "private/submit_transfer_to_user": { refused: "The simulator has no other users." },
  "private/update_in_address_book": { refused: WALLETS },
  "private/withdraw": { refused: WALLETS },
  "private/get_leverage": { refused: GATEWAY },
  "private/get_max_order_size": { refused: GATEWAY },
  "private/get_pme_params": { refused: GATEWAY },
  "private/get_risk_profile": { refused: GATEWAY },
  "private/get_trading_limits": { refused: GATEWAY },
  "private/set_leverage": { refused: GATEWAY },
  "public/tickers_by_currency": { refused: GATEWAY },
  "public/get_announcements": { static: "The simulated exchange announces nothing." },
  "public/get_apr_history": { refused: "The simulator pays no rewards." },
  "public/get_contract_size": { static: "The contract size of an instrument never changes." },
  "public/get_currencies": { static: "The currencies are always the same." },
  "public/get_index_price_names": { static: "The indexes are always the same." },
  "public/get_supported_index_names": { static: "The indexes are always the same." },
  "public/hello": { static: "The version of the simulator is always the same." },
  "public/test": { static: "The version of the simulator is always the same." },
};

/** Returns what a method of the exchange is in the simulator. Generated into docs/simulator.md. */
export function methodRole(name: string): MethodRole {
  return (OTHER_ROLES as Readonly<Record<string, MethodRole | undefined>>)[name] ?? "ledger";
}

/** Returns why a method is refused; undefined for one that is not. */
export function refusedReason(name: string): string | undefined {
  const role = methodRole(name);
  return typeof role === "object" && "refused" in role ? role.refused : undefined;
}
