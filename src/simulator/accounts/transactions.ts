import type { ExchangeTrade, TradedInstrument } from "../../exchange/instrument.ts";
import type { LogEntry } from "../../exchange/ledger/cash.ts";
import { numberOf, type Fixed } from "../../exchange/ledger/money.ts";
import type { Settlement } from "../../exchange/ledger/state.ts";
import { fromSteps, roundToSteps } from "../../exchange/units.ts";
import type { AccountRegister } from "./accountRegister.ts";
import type { WireMembers } from "../market/positions.ts";

/** What an entry of a log is told with. */
interface EntryContext {
  readonly accounts: AccountRegister;
  readonly instrument: (name: string) => TradedInstrument | undefined;
  /** Returns the ID that a trade has in public and in the trades of its accounts. */
  readonly tradeId: (trade: ExchangeTrade) => string | undefined;
}

/**
 * Returns an entry of the transaction log with the exchange's names. What an entry of its type has not is null, as in
 * the documentation's example.
 * https://docs.deribit.com/api-reference/account-management/private-get_transaction_log
 */
export function entryMembers(entry: LogEntry, { accounts, instrument, tradeId }: EntryContext): WireMembers {
  const account = accounts.find(Number(entry.account));
  const traded = instrument(entry.instrument ?? "");
  return {
    id: entry.id,
    user_seq: entry.userSeq,
    user_id: Number(entry.account),
    username: account?.username ?? "",
    type: entry.type,
    timestamp: entry.atMs,
    currency: entry.currency,
    change: numberOf(entry.change),
    cashflow: numberOf(entry.cashflow),
    commission: numberOf(entry.commission),
    balance: numberOf(entry.balance),
    instrument_name: entry.instrument ?? null,
    side: entry.side ?? "-",
    position: money(entry.position) ?? null,
    price: money(entry.price ?? entry.settlementPrice) ?? null,
    trade_id: idOf(entry, tradeId),
    order_id: entry.orderId ?? null,
    interest_pl: money(entry.totalInterestPl) ?? null,
    ...tradedMembers(entry, traded),
    user_role: entry.role,
    fee_role: entry.role,
    // The profit of a future is cash after the settlement alone.
    profit_as_cashflow: entry.type === "trade" ? traded?.kind === "future" : undefined,
    mark_price: money(entry.markPrice),
    index_price: money(entry.indexPrice),
    settlement_price: money(entry.settlementPrice),
    session_rpl: money(entry.sessionRpl),
    session_upl: money(entry.sessionUpl),
    total_interest_pl: money(entry.totalInterestPl),
    info: infoMembers(entry, accounts),
  };
}

function idOf({ trade }: LogEntry, tradeId: EntryContext["tradeId"]): string | null {
  return trade === undefined ? null : (tradeId(trade) ?? null);
}

function tradedMembers({ amount, currency }: LogEntry, traded: TradedInstrument | undefined): WireMembers {
  if (amount === undefined || traded === undefined) return {};
  const contract = fromSteps(traded.contractSize, traded.lot);
  // What was paid for spot isn't a number of contracts.
  const isPayment = traded.kind === "spot" && currency === traded.quoteCurrency;
  return {
    price_currency: traded.quoteCurrency,
    amount: numberOf(amount),
    contracts: isPayment ? undefined : roundToSteps(numberOf(amount) / contract, WHOLE, "nearest"),
  };
}

const WHOLE = { mantissa: 1, decimals: 0 };

/** Returns what depends on the type of an entry: the other account of a transfer, the profit at a settlement. */
function infoMembers({ type, other, settlementPrice, sessionUpl }: LogEntry, accounts: AccountRegister): WireMembers {
  const { id, username } = accounts.find(Number(other)) ?? {};
  switch (type) {
    case "transfer":
      return { transfer_type: "subaccount", other_user_id: id, other_user: username };
    case "deposit":
      return { deposit_type: "wallet" };
    case "settlement":
      return { settlement_price: money(settlementPrice), floating_pl: money(sessionUpl) };
    case "trade":
    case "delivery":
    case "correction":
      return {};
  }
}

/**
 * Returns a settlement or delivery of a position with the exchange's names.
 * https://docs.deribit.com/api-reference/trading/private-get_settlement_history_by_instrument
 */
export function settlementMembers(settlement: Settlement): WireMembers {
  return {
    type: settlement.type,
    timestamp: settlement.atMs,
    instrument_name: settlement.instrument,
    position: numberOf(settlement.position),
    mark_price: numberOf(settlement.markPrice),
    index_price: numberOf(settlement.indexPrice),
    session_profit_loss: numberOf(settlement.sessionProfitLoss),
    profit_loss: numberOf(settlement.profitLoss),
    funding: numberOf(settlement.funding),
  };
}

/**
 * Returns a transfer as one of its two accounts sees it. Both entries of a transfer follow each other in the log of the
 * exchange, so that the transfer is known by the ID of the first.
 */
export function transferMembers(entry: LogEntry, accounts: AccountRegister, nonce: string | undefined): WireMembers {
  const isPayment = entry.change < 0n;
  return {
    id: isPayment ? entry.id : entry.id - 1,
    created_timestamp: entry.atMs,
    updated_timestamp: entry.atMs,
    type: "subaccount",
    currency: entry.currency,
    amount: Math.abs(numberOf(entry.change)),
    direction: isPayment ? "payment" : "income",
    other_side: accounts.find(Number(entry.other))?.username ?? "",
    state: "confirmed",
    nonce,
  };
}

/** Returns a deposit with the exchange's names. It came from the simulated market, which has no address. */
export function depositMembers({ id, atMs, currency, change }: LogEntry): WireMembers {
  return {
    currency,
    address: "simulator",
    amount: numberOf(change),
    state: "completed",
    transaction_id: String(id),
    received_timestamp: atMs,
    updated_timestamp: atMs,
    note: "",
  };
}

function money(value: Fixed | undefined): number | undefined {
  return value === undefined ? undefined : numberOf(value);
}
