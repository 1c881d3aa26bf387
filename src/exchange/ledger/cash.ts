import type { AccountId, ExchangeTrade } from "../instrument.ts";
import { keepLatest } from "../keepLatest.ts";
import type { Fixed } from "./money.ts";

/** Why money moved, by the exchange's names. New ones may be added at any time. */
type EntryType = "trade" | "settlement" | "delivery" | "transfer" | "deposit" | "correction";

/** What an entry of the transaction log says besides money. */
export interface EntryDetails {
  readonly type: EntryType;
  readonly atMs: number;
  readonly currency: string;
  /** What the account gained or lost of its cash. */
  readonly change: Fixed;
  /** The premium of options; the profit of the session for futures, which is cash after settlement alone. */
  readonly cashflow: Fixed;
  readonly commission: Fixed;
  readonly instrument?: string;
  readonly side?: "open buy" | "open sell" | "close buy" | "close sell" | "long" | "short" | "-";
  /** Signed, after the transaction. */
  readonly position?: Fixed;
  /** Not signed. */
  readonly amount?: Fixed;
  readonly price?: Fixed;
  readonly markPrice?: Fixed;
  readonly indexPrice?: Fixed;
  readonly settlementPrice?: Fixed;
  readonly trade?: ExchangeTrade;
  readonly orderId?: string;
  readonly role?: "maker" | "taker";
  /** Whether the exchange closed a position by the trade. */
  readonly isLiquidation?: true;
  /** The funding of the session so far. */
  readonly totalInterestPl?: Fixed;
  readonly sessionRpl?: Fixed;
  readonly sessionUpl?: Fixed;
  /** The other account of a transfer or a moved position. */
  readonly other?: AccountId;
}

/** An entry of the transaction log. */
export interface LogEntry extends EntryDetails {
  /** Unique in the exchange. */
  readonly id: number;
  /** Counts the entries of the account in all currencies, from 1. */
  readonly userSeq: number;
  readonly account: AccountId;
  /** The cash after the transaction. */
  readonly balance: Fixed;
}

/** The cash of every account. It changes by entries of the transaction log alone. */
export interface CashBooks {
  balance(account: AccountId, currency: string): Fixed;
  /** Adds an entry and its change. */
  post(account: AccountId, details: EntryDetails): LogEntry;
  /** Returns the entries of an account that are kept, oldest first. */
  log(account: AccountId): readonly LogEntry[];
  /** Returns the currencies that an account has or had, in the order of their first use. */
  currencies(account: AccountId): readonly string[];
  /** Returns the accounts that have or had money. */
  accounts(): Iterable<AccountId>;
}

interface Book {
  readonly balances: Map<string, Fixed>;
  readonly entries: LogEntry[];
  userSeq: number;
}

/**
 * Makes books without money.
 * @param keptEntries returns how many entries of an account are kept, and up to twice as many
 * @param onEntry called with each entry
 */
export function createCashBooks(
  keptEntries: (account: AccountId) => number,
  onEntry: (entry: LogEntry) => void,
): CashBooks {
  const books = new Map<AccountId, Book>();
  let lastId = 0;
  const bookOf = (account: AccountId): Book => {
    const book = books.get(account) ?? { balances: new Map<string, Fixed>(), entries: [], userSeq: 0 };
    books.set(account, book);
    return book;
  };
  return {
    balance: (account, currency) => books.get(account)?.balances.get(currency) ?? 0n,
    post(account, details) {
      const book = bookOf(account);
      const balance = (book.balances.get(details.currency) ?? 0n) + details.change;
      book.balances.set(details.currency, balance);
      const entry = { ...details, id: ++lastId, userSeq: ++book.userSeq, account, balance };
      keepLatest(book.entries, entry, keptEntries(account), ({ atMs }) => atMs);
      onEntry(entry);
      return entry;
    },
    log: (account) => books.get(account)?.entries ?? [],
    currencies: (account) => [...(books.get(account)?.balances.keys() ?? [])],
    accounts: () => books.keys(),
  };
}
