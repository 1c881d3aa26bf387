import type { ParamsOf } from "../../catalogue/index.ts";
import type { ExchangeTrade, TradedInstrument } from "../../exchange/instrument.ts";
import type { LogEntry } from "../../exchange/ledger/cash.ts";
import type { Settlement } from "../../exchange/ledger/state.ts";
import { entryMembers, settlementMembers, depositMembers, transferMembers } from "../accounts/transactions.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { handlersOf, type HandlerPorts } from "./handlers.ts";
import { pageAfter } from "../text/pages.ts";
import { fixedOf } from "../../exchange/ledger/money.ts";
import type { WireMembers } from "../market/positions.ts";
import { refusalError } from "../text/refusals.ts";

const DEFAULT_ENTRIES = 100;
const DEFAULT_SETTLEMENTS = 20;

/** Makes the methods that list what changed the money of an account, newest first. */
export const transactionMethods = handlersOf(({ id, venue, accounts, world }) => {
  const instrument = (name: string): TradedInstrument | undefined => venue.instrument(name);
  const tradeId = (trade: ExchangeTrade): string | undefined => world.market.tradeId(trade);
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
      const logs = all.slice(0, count).map((entry) => entryMembers(entry, { accounts, instrument, tradeId }));
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
});

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

type AskedTransfer = ParamsOf<"private/submit_transfer_between_subaccounts"> & { readonly source: number };

const DEFAULT_COUNT = 10;

/** Makes the methods that move money between accounts of the owner, and that list what came and went. */
export const transferMethods = handlersOf((ports) => {
  const { id, clock, accounts, venue } = ports;
  /** The IDs of transfers that were given a nonce. */
  const nonces = new Map<string, number>();
  const nonceOf = (entry: LogEntry): string | undefined => [...nonces].find(([, entryId]) => entryId === entry.id)?.[0];
  const transfer = (asked: AskedTransfer): string => {
    const { currency, source, destination, nonce } = asked;
    refuseTransfer(ports, asked);
    venue.catchUp([]);
    const made = nonce === undefined ? undefined : nonces.get(nonce);
    if (made === undefined) {
      const money = { currency, amount: fixedOf(asked.amount) };
      const refused = venue.ledger.transfer(String(source), String(destination), money, clock.now());
      if (refused !== undefined) throw refusalError(refused, undefined);
    }
    const entries = venue.ledger.log(String(source));
    const entry = made === undefined ? entries.at(-1) : entries.find((each) => each.id === made);
    if (entry === undefined) throw refusal(11_053);
    if (nonce !== undefined) nonces.set(nonce, entry.id);
    return writeJson(transferMembers(entry, accounts, nonce));
  };
  return {
    "private/submit_transfer_between_subaccounts": ({ params: { source = id, ...params }, authorisation }) => {
      if (source !== authorisation?.subject && authorisation?.subject !== accounts.main.id) throw refusal(13_012);
      return transfer({ ...params, source });
    },
    "private/submit_transfer_to_subaccount": ({ params, authorisation }) => {
      if (authorisation?.subject !== accounts.main.id) throw refusal(13_012);
      return transfer({ ...params, source: id });
    },
    "private/get_transfers": ({ params }) =>
      page(ports, params, "transfer", (entry) => transferMembers(entry, accounts, nonceOf(entry))),
    "private/get_deposits": ({ params }) => page(ports, params, "deposit", depositMembers),
    "private/get_withdrawals": ({ params }) => page(ports, params, undefined, depositMembers),
  };
});

/** Refuses a transfer between accounts that are not both the owner's, and one of nothing. */
function refuseTransfer({ accounts }: HandlerPorts, { currency, amount, source, destination }: AskedTransfer): void {
  refuseUnknownCurrency(currency);
  if (!Number.isFinite(amount) || fixedOf(amount) <= 0n) throw invalidParam("amount", "must be greater than 0");
  if (accounts.find(source) === undefined) throw invalidParam("source", "invalid source");
  if (accounts.find(destination) === undefined || destination === source)
    throw invalidParam("destination", "invalid destination");
}

/** Returns a page of the entries of a type, newest first, with the length of the whole list; without one of nothing. */
function page(
  { id, venue }: HandlerPorts,
  { currency, count = DEFAULT_COUNT, offset = 0 }: ParamsOf<"private/get_transfers">,
  type: LogEntry["type"] | undefined,
  members: (entry: LogEntry) => WireMembers,
): string {
  refuseUnknownCurrency(currency);
  venue.catchUp([]);
  const log = type === undefined ? [] : venue.ledger.log(String(id));
  const entries = log.filter((entry) => entry.type === type && entry.currency === currency).reverse();
  const start = Math.max(0, offset);
  return writeJson({ data: entries.slice(start, start + count).map(members), count: entries.length });
}
