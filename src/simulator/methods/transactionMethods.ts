import type { ParamsOf } from "../../catalogue/index.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { LogEntry } from "../../exchange/ledger/cash.ts";
import type { Settlement } from "../../exchange/ledger/state.ts";
import { entryMembers, settlementMembers } from "../accounts/transactions.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { pageAfter } from "../text/pages.ts";

type TransactionMethod =
  | "private/get_transaction_log"
  | `private/get_settlement_history_by_${"currency" | "instrument"}`;

const DEFAULT_ENTRIES = 100;
const DEFAULT_SETTLEMENTS = 20;

/** Makes the methods that list what changed the money of an account, newest first. */
export function transactionMethods({ id, venue, accounts }: HandlerPorts): Pick<MethodHandlers, TransactionMethod> {
  const instrument = (name: string): TradedInstrument | undefined => venue.instrument(name);
  const settlements = (
    params: Omit<ParamsOf<"private/get_settlement_history_by_currency">, "currency">,
    isMeant: (settlement: Settlement) => boolean,
  ): string => {
    const { type, count = DEFAULT_SETTLEMENTS, continuation, search_start_timestamp: latest = Infinity } = params;
    if (type !== undefined && !SETTLEMENT_TYPES.includes(type)) throw invalidParam("type", "invalid type");
    venue.catchUp([]);
    const all = venue.ledger
      .settlements()
      .filter((each) => each.account === String(id) && each.atMs <= latest && isMeant(each))
      .filter((each) => type === undefined || each.type === type)
      .reverse();
    const { items, next } = pageAfter(all, count, continuation);
    return writeJson({
      settlements: items.map(settlementMembers),
      continuation: next === undefined ? null : String(next),
    });
  };
  return {
    "private/get_transaction_log": ({ params }) => {
      const { currency, start_timestamp: from, end_timestamp: until, count = DEFAULT_ENTRIES } = params;
      refuseUnknownCurrency(currency);
      venue.catchUp([]);
      const { continuation = Infinity, query = "" } = params;
      const all = venue.ledger
        .log(String(id))
        .filter((entry) => entry.currency === currency && entry.atMs >= from && entry.atMs <= until)
        .filter((entry) => entry.id <= continuation && isFound(entry, query))
        .reverse();
      const logs = all.slice(0, count).map((entry) => entryMembers(entry, { accounts, instrument }));
      return writeJson({ logs, continuation: all[count]?.id ?? null });
    },
    "private/get_settlement_history_by_currency": ({ params: { currency, ...params } }) => {
      refuseUnknownCurrency(currency);
      return settlements(params, ({ instrument }) => venue.instrument(instrument)?.settlementCurrency === currency);
    },
    "private/get_settlement_history_by_instrument": ({ params: { instrument_name: name, ...params } }) => {
      if (venue.instrument(name) === undefined) throw refusal(13_020);
      return settlements(params, ({ instrument }) => instrument === name);
    },
  };
}

const SETTLEMENT_TYPES: readonly string[] = ["settlement", "delivery", "bankruptcy"];

/**
 * Whether an entry fits a query: words that stand in its type, side, role, or instrument, or `liquidation`.
 * https://docs.deribit.com/api-reference/account-management/private-get_transaction_log
 */
function isFound({ type, side, role, instrument, isLiquidation }: LogEntry, query: string): boolean {
  const text = [type, side, role, instrument, isLiquidation === true ? "liquidation" : ""].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
