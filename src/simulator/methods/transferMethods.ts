import { fixedOf } from "../../exchange/ledger/money.ts";
import type { LogEntry } from "../../exchange/ledger/cash.ts";
import { depositMembers, transferMembers } from "../accounts/transactions.ts";
import type { WireMembers } from "../market/positions.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusalError } from "../text/refusals.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";

type TransferMethod =
  | "private/submit_transfer_between_subaccounts"
  | "private/submit_transfer_to_subaccount"
  | "private/get_transfers"
  | "private/get_deposits"
  | "private/get_withdrawals";

interface AskedTransfer {
  readonly currency: string;
  readonly amount: number;
  readonly source: number;
  readonly destination: number;
  readonly nonce?: string | undefined;
}

const DEFAULT_COUNT = 10;

/** Makes the methods that move money between accounts of the owner, and that list what came and went. */
export function transferMethods(ports: HandlerPorts): Pick<MethodHandlers, TransferMethod> {
  const { id, clock, accounts, venue } = ports;
  /** The IDs of transfers that were given a nonce. */
  const nonces = new Map<string, number>();
  const sent = (wanted: (entry: LogEntry) => boolean): LogEntry[] =>
    venue.ledger.log(String(id)).filter(wanted).reverse();
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
      page(
        ports,
        params,
        sent(({ type, currency }) => type === "transfer" && currency === params.currency),
        (entry) => transferMembers(entry, accounts, nonceOf(entry)),
      ),
    "private/get_deposits": ({ params }) =>
      page(
        ports,
        params,
        sent(({ type, currency }) => type === "deposit" && currency === params.currency),
        depositMembers,
      ),
    "private/get_withdrawals": ({ params }) => page(ports, params, [], depositMembers),
  };
}

/** Refuses a transfer between accounts that are not both the owner's, and one of nothing. */
function refuseTransfer({ accounts }: HandlerPorts, { currency, amount, source, destination }: AskedTransfer): void {
  refuseUnknownCurrency(currency);
  if (!Number.isFinite(amount) || fixedOf(amount) <= 0n) throw invalidParam("amount", "must be greater than 0");
  if (accounts.find(source) === undefined) throw invalidParam("source", "invalid source");
  if (accounts.find(destination) === undefined || destination === source)
    throw invalidParam("destination", "invalid destination");
}

/** Returns a page of a list with the length of the whole list. */
function page(
  { venue }: HandlerPorts,
  {
    currency,
    count = DEFAULT_COUNT,
    offset = 0,
  }: { currency: string; count?: number | undefined; offset?: number | undefined },
  entries: readonly LogEntry[],
  members: (entry: LogEntry) => WireMembers,
): string {
  refuseUnknownCurrency(currency);
  venue.catchUp([]);
  const start = Math.max(0, offset);
  return writeJson({ data: entries.slice(start, start + count).map(members), count: entries.length });
}
