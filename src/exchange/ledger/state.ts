import type { AccountId, ExchangeTrade, TradedInstrument, Side } from "../instrument.ts";
import type { CashBooks, EntryDetails, LogEntry } from "./cash.ts";
import { FINE_ONE, type Fine, type Fixed } from "./money.ts";
import type { OpenOrders } from "./openOrders.ts";
import { accrue, createPosition, type Position } from "./position.ts";
import type { Margin } from "./margin.ts";
import type { Prices } from "./prices.ts";

/** What the ledger needs from around it. */
export interface LedgerPorts {
  /** Returns an instrument, delivered ones included as long as an account has a position in them. */
  readonly instrument: (name: string) => TradedInstrument | undefined;
  readonly prices: Prices;
  /** Called with each trade as each of its accounts sees it. */
  readonly onTrade: (trade: AccountTrade) => void;
  /** Called with each entry of a transaction log, amid what makes it: positions may be about to change. */
  readonly onEntry?: (entry: LogEntry) => void;
  /** The account that deposits come from; its cash may be below 0, and nothing of it is ever refused. */
  readonly marketAccount: AccountId;
  /**
   * The account that fees go to, and what rounding leaves over at settlement. It is the insurance fund too: it pays
   * what a bankrupt account lacks.
   */
  readonly feeAccount: AccountId;
  /** Returns how many entries of an account's log and how many of its trades are kept, and up to twice as many. */
  readonly keptEntries: (account: AccountId) => number;
}

/** A trade as one of its two accounts sees it. */
export interface AccountTrade {
  readonly trade: ExchangeTrade;
  readonly account: AccountId;
  readonly orderId: string;
  readonly direction: Side;
  readonly role: "maker" | "taker";
  readonly amount: Fixed;
  readonly price: Fixed;
  readonly fee: Fixed;
  readonly feeCurrency: string;
  /** The profit of what it closed, since the last settlement; 0 when it opened, undefined for spot. */
  readonly profitLoss: Fixed | undefined;
  readonly markPrice: Fixed;
  readonly indexPrice: Fixed;
  /** The price of the future that an option is on, which its volatility follows from; undefined for all others. */
  readonly underlyingPrice: Fixed | undefined;
}

/** A settlement or a delivery of one position. */
export interface Settlement {
  readonly type: "settlement" | "delivery";
  readonly account: AccountId;
  readonly atMs: number;
  readonly instrument: string;
  /** Signed, before it. */
  readonly position: Fixed;
  readonly indexPrice: Fixed;
  /** The price of the settlement; the payout of one option at delivery. */
  readonly markPrice: Fixed;
  /** The profit of the session, funding included. */
  readonly sessionProfitLoss: Fixed;
  /** The profit since the average price. */
  readonly profitLoss: Fixed;
  readonly funding: Fixed;
}

/**
 * Margin that an account keeps for what market maker protection may let it trade, whether it has orders or not. The
 * protected orders of futures need none of their own.
 * https://docs.deribit.com/articles/market-maker-protection
 */
export interface MarginReserve {
  /** Any future of the index: it says in which currency the margin is, and what a coin is worth. */
  readonly future: TradedInstrument;
  /** In coins. */
  readonly size: Fixed;
}

/** Everything the ledger knows. */
export interface LedgerState {
  readonly ports: LedgerPorts;
  readonly cash: CashBooks;
  readonly orders: OpenOrders;
  /** Returns the margin of a signed size at the prices of now. */
  readonly margins: (instrument: TradedInstrument, size: Fixed) => Margin;
  readonly positions: Map<AccountId, Map<string, Position>>;
  /** The protected sizes for which an account keeps margin, by account and name. */
  readonly reserves: Map<AccountId, Map<string, MarginReserve>>;
  /** What longs paid for one unit of amount since the beginning, by perpetual: in times that are over, and by now. */
  readonly fundingPerUnit: Map<string, { readonly over: Fine; readonly now: Fine }>;
  readonly trades: Map<AccountId, AccountTrade[]>;
  readonly settlements: Settlement[];
  /** The currencies in which accounts have no control over their orders. */
  readonly locked: Map<AccountId, Set<string>>;
}

/** Returns an instrument. Throws a RangeError for a name that does not exist: callers ask for what was traded. */
export function mustFind({ ports }: LedgerState, name: string): TradedInstrument {
  const instrument = ports.instrument(name);
  if (instrument === undefined) throw new RangeError(`${name} is not an instrument.`);
  return instrument;
}

/** Returns what longs paid for one unit of amount since the beginning, to 1e-24; 0 of what is not funded. */
export function interestValue({ fundingPerUnit }: LedgerState, name: string): number {
  return Number(fundingPerUnit.get(name)?.now ?? 0n) / Number(FINE_ONE);
}

/** Returns the size of a position; 0 where there is none. To ask for it makes none, which would be listed. */
export function sizeOf(state: LedgerState, account: AccountId, name: string): Fixed {
  return state.positions.get(account)?.get(name)?.size ?? 0n;
}

/** Whether an account is a user's, not the market's or that of fees. */
export function isOfUser({ ports }: LedgerState, account: AccountId): boolean {
  return account !== ports.marketAccount && account !== ports.feeAccount;
}

/** Returns a position with all its funding, making one of size 0 where there is none. */
export function positionOf(state: LedgerState, account: AccountId, name: string): Position {
  const fundedUpTo = state.fundingPerUnit.get(name)?.now ?? 0n;
  const known = state.positions.get(account)?.get(name);
  if (known !== undefined) {
    accrue(known, fundedUpTo);
    return known;
  }
  const position = createPosition(fundedUpTo);
  const positions = state.positions.get(account) ?? new Map<string, Position>();
  state.positions.set(account, positions.set(name, position));
  return position;
}

/** Returns the positions of an account with all their funding, oldest first; some may be of size 0. */
export function positionsOf(
  state: LedgerState,
  account: AccountId,
): [instrument: TradedInstrument, position: Position][] {
  return [...(state.positions.get(account)?.keys() ?? [])].map((name) => [
    mustFind(state, name),
    positionOf(state, account, name),
  ]);
}

/** Moves money that one account pays and another one receives. */
export function pay(state: LedgerState, from: AccountId, to: AccountId, money: Omit<EntryDetails, "commission">): void {
  const { change, cashflow } = money;
  state.cash.post(from, { ...money, change: -change, cashflow: -cashflow, commission: 0n, other: to });
  state.cash.post(to, { ...money, commission: 0n, other: from });
}

/** Returns the amount of an order or a trade in whole numbers of 1e-8, below 0 when it sells. */
export function signed(amount: Fixed, direction: Side): Fixed {
  return direction === "buy" ? amount : -amount;
}
