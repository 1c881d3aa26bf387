import type { AccountId } from "../instrument.ts";
import { fixedOf, times, total, type Fixed } from "./money.ts";
import type { LedgerState, MarginReserve } from "./state.ts";

/** The part of the size that is kept. https://support.deribit.com/hc/en-us/articles/31600682719645 */
const KEPT_PART = fixedOf(0.03);

/** Returns the margin that an account keeps in a currency. */
export function reservedMargin(state: LedgerState, account: AccountId, currency: string): Fixed {
  return total(state.reserves.get(account)?.values() ?? [], (reserve) =>
    reserve.future.settlementCurrency === currency ? reserveMargin(state, reserve) : 0n,
  );
}

/** Returns the margin of a reserve, in the settlement currency of its future. */
function reserveMargin({ ports }: LedgerState, { future, size }: MarginReserve): Fixed {
  const kept = times(size, KEPT_PART);
  return future.isInverse ? kept : times(kept, ports.prices.index(future));
}

/** Sets or, without a size, ends a reserve. Returns whether the funds of the account cover it; else nothing changes. */
export function setReserve(
  state: LedgerState,
  account: AccountId,
  name: string,
  { reserve, funds }: { readonly reserve: MarginReserve | undefined; readonly funds: (currency: string) => Fixed },
): boolean {
  const own = state.reserves.get(account) ?? new Map<string, MarginReserve>();
  const before = own.get(name);
  if (reserve === undefined) {
    own.delete(name);
    return true;
  }
  const grows = reserveMargin(state, reserve) - (before === undefined ? 0n : reserveMargin(state, before));
  if (grows > 0n && grows > funds(reserve.future.settlementCurrency)) return false;
  state.reserves.set(account, own.set(name, reserve));
  return true;
}
