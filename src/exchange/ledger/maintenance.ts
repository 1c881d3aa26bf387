import type { AccountId, TradedInstrument } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import { accountMargin } from "./accountMargin.ts";
import type { Fixed } from "./money.ts";
import { isOfUser, mustFind, pay, type LedgerState } from "./state.ts";
import { marginBalance } from "./summary.ts";

/*
 * The margin balance of an account has to be above its maintenance margin. Here an account is found of which that is
 * not true, and it loses and regains control over its orders; `liquidation` decides when.
 */

/** What an account has, and what it has to keep, in a currency. */
export interface MarginLevel {
  readonly marginBalance: Fixed;
  readonly maintenanceMargin: Fixed;
}

/** An account in one currency. */
export interface AccountCurrency {
  readonly account: AccountId;
  readonly currency: string;
}

export function marginLevel(state: LedgerState, { account, currency }: AccountCurrency): MarginLevel {
  return {
    marginBalance: marginBalance(state, account, currency),
    maintenanceMargin: accountMargin(state, account, currency).maintenance,
  };
}

/** Whether the maintenance margin has reached the margin balance. An account that has nothing keeps nothing. */
export function isShortOfMargin({ marginBalance: balance, maintenanceMargin }: MarginLevel): boolean {
  return maintenanceMargin === 0n ? balance < 0n : balance <= maintenanceMargin;
}

/** Returns the accounts of users that are short of margin, each with the currency in which it is. */
export function shortOfMargin(state: LedgerState): AccountCurrency[] {
  const accounts = new Set([...state.positions.keys(), ...state.cash.accounts()]);
  return [...accounts]
    .filter((account) => isOfUser(state, account))
    .flatMap((account) => usedCurrencies(state, account).map((currency) => ({ account, currency })))
    .filter((each) => isShortOfMargin(marginLevel(state, each)));
}

/** Returns the currencies in which an account has money or positions. */
function usedCurrencies(state: LedgerState, account: AccountId): string[] {
  const ofPositions = [...(state.positions.get(account)?.keys() ?? [])].map(
    (name) => mustFind(state, name).settlementCurrency,
  );
  return [...new Set([...ofPositions, ...state.cash.currencies(account)])];
}

/**
 * Lets the insurance fund pay what an account lacks to a margin balance of 0; nothing where it lacks nothing.
 * https://insights.deribit.com/education/the-deribit-insurance-fund-and-socialised-loss-system
 */
export function insure(state: LedgerState, { account, currency }: AccountCurrency, atMs: number): void {
  const missing = -marginBalance(state, account, currency);
  if (missing <= 0n) return;
  pay(state, state.ports.feeAccount, account, {
    type: "correction",
    atMs,
    currency,
    change: missing,
    cashflow: missing,
  });
}

/** Takes an account's control over its orders in a currency, or gives it back. */
export function setLocked(state: LedgerState, { account, currency }: AccountCurrency, isLocked: boolean): void {
  const locked = state.locked.get(account) ?? new Set<string>();
  if (isLocked) state.locked.set(account, locked.add(currency));
  else if (locked.delete(currency) && locked.size === 0) state.locked.delete(account);
}

/** Returns why an account can't place, edit, or cancel orders of an instrument now; undefined where it can. */
export function refuseControl(state: LedgerState, account: AccountId, name: string): Refusal | undefined {
  const locked = state.locked.get(account);
  if (locked === undefined) return undefined;
  const needed = neededCurrencies(mustFind(state, name));
  return needed.some((currency) => locked.has(currency)) ? { word: "account_locked" } : undefined;
}

/** Returns the currencies in which an instrument needs money. */
export function neededCurrencies(instrument: TradedInstrument): readonly string[] {
  const { kind, baseCurrency, quoteCurrency, settlementCurrency } = instrument;
  return kind === "spot" ? [baseCurrency, quoteCurrency] : [settlementCurrency];
}
