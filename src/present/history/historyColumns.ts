import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { HistoryList } from "../../state/history.ts";
import { SLOT_MEMBER } from "../../state/isolated.ts";

/** A column of a list: the member that it shows, and its title. */
export interface HistoryColumn {
  readonly member: string;
  readonly title: Plain;
  /** Whether it stands to the right, as numbers do. */
  readonly isNumber?: true;
  /** Whether the member is a time in ms since the Unix epoch. */
  readonly isTime?: true;
}

/** Returns the name of a list. */
export function historyListName(list: HistoryList): Plain {
  const names: Readonly<Record<HistoryList, () => Plain>> = {
    orders: () => l10n.t("Ended orders"),
    trades: () => l10n.t("Own trades"),
    transactions: () => l10n.t("Transaction log"),
    settlements: () => l10n.t("Settlements"),
    triggers: () => l10n.t("Trigger history"),
    deposits: () => l10n.t("Deposits"),
    withdrawals: () => l10n.t("Withdrawals"),
  };
  return names[list]();
}

/**
 * Returns the columns of a list from left to right. Every other member is in the details of a row. `hasSlots`: whether
 * it has rows of the subaccounts of isolated margin.
 */
export function historyColumns(list: HistoryList, hasSlots = false): readonly HistoryColumn[] {
  const columns = COLUMNS[list]();
  return hasSlots ? [...columns, { member: SLOT_MEMBER, title: l10n.t("Isolated subaccount") }] : columns;
}

const time = (member: string): HistoryColumn => ({ member, title: l10n.t("Time"), isTime: true });
const instrument = (): HistoryColumn => ({ member: "instrument_name", title: l10n.t("Instrument") });
const direction = (member = "direction"): HistoryColumn => ({ member, title: l10n.t("Direction") });
const amount = (): HistoryColumn => ({ member: "amount", title: l10n.t("Amount"), isNumber: true });
const price = (): HistoryColumn => ({ member: "price", title: l10n.t("Price"), isNumber: true });
const state = (member: string): HistoryColumn => ({ member, title: l10n.t("State") });
const currency = (): HistoryColumn => ({ member: "currency", title: l10n.t("Currency") });
const type = (): HistoryColumn => ({ member: "type", title: l10n.t("Type") });
const orderId = (): HistoryColumn => ({ member: "order_id", title: l10n.t("Order ID") });
const position = (): HistoryColumn => ({ member: "position", title: l10n.t("Position"), isNumber: true });
const profit = (member: string): HistoryColumn => ({ member, title: l10n.t("Profit"), isNumber: true });
const transaction = (): HistoryColumn => ({ member: "transaction_id", title: l10n.t("Transaction") });
const number = (member: string, title: Plain): HistoryColumn => ({ member, title, isNumber: true });

const COLUMNS: Readonly<Record<HistoryList, () => readonly HistoryColumn[]>> = {
  orders: () => [
    time("last_update_timestamp"),
    instrument(),
    direction(),
    amount(),
    price(),
    number("filled_amount", l10n.t("Filled")),
    number("average_price", l10n.t("Average price")),
    state("order_state"),
    orderId(),
  ],
  trades: () => [
    time("timestamp"),
    instrument(),
    direction(),
    amount(),
    price(),
    number("fee", l10n.t("Fee")),
    { member: "fee_currency", title: l10n.t("Fee currency") },
    profit("profit_loss"),
    orderId(),
  ],
  transactions: () => [
    time("timestamp"),
    type(),
    instrument(),
    direction("side"),
    amount(),
    price(),
    number("change", l10n.t("Change")),
    number("balance", l10n.t("Balance")),
    currency(),
  ],
  settlements: () => [
    time("timestamp"),
    type(),
    instrument(),
    position(),
    number("mark_price", l10n.t("Mark price")),
    number("index_price", l10n.t("Index price")),
    profit("session_profit_loss"),
    number("funding", l10n.t("Funding")),
  ],
  triggers: () => [
    time("timestamp"),
    instrument(),
    { member: "request", title: l10n.t("Event") },
    direction(),
    amount(),
    { member: "trigger", title: l10n.t("Trigger") },
    number("trigger_price", l10n.t("Trigger price")),
    state("order_state"),
    { member: "trigger_order_id", title: l10n.t("Trigger order ID") },
  ],
  deposits: () => [
    time("received_timestamp"),
    currency(),
    amount(),
    state("state"),
    { member: "address", title: l10n.t("Address") },
    transaction(),
  ],
  withdrawals: () => [
    time("created_timestamp"),
    currency(),
    amount(),
    number("fee", l10n.t("Fee")),
    state("state"),
    { member: "address", title: l10n.t("Address") },
    transaction(),
  ],
};
