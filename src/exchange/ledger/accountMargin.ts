import type { AccountId, TradedInstrument } from "../instrument.ts";
import { feeOf, feeRates } from "./fees.ts";
import { marginOf, NO_MARGIN, type Margin } from "./margin.ts";
import { larger, smaller, times, total, type Fixed, fixedOf } from "./money.ts";
import { NO_ORDERS, withOrderAdded, type OpenOrder, type OrderTotals } from "./openOrders.ts";
import type { Prices } from "./prices.ts";
import { mustFind, sizeOf, type LedgerState, type MarginReserve } from "./state.ts";

/** What an account has to keep in one currency. */
interface AccountMargin extends Margin {
  /** The part of `initial` that open orders of spot reserve. */
  readonly spotReserve: Fixed;
}

/** Returns the margin of an account's positions, open orders, and protected sizes in one currency. */
export function accountMargin(state: LedgerState, account: AccountId, currency: string): AccountMargin {
  const parts = [...marginedNames(state, account)].map((name) => {
    const instrument = mustFind(state, name);
    const margin = instrumentMargin(state, account, instrument, { currency });
    return { ...margin, spotReserve: instrument.kind === "spot" ? margin.initial : 0n };
  });
  return {
    initial: total(parts, ({ initial }) => initial) + reservedMargin(state, account, currency),
    maintenance: total(parts, ({ maintenance }) => maintenance),
    spotReserve: total(parts, ({ spotReserve }) => spotReserve),
  };
}

/** Returns the initial margin of all that an account has in a currency, but for one instrument. */
export function initialMarginBeside(state: LedgerState, account: AccountId, currency: string, name: string): Fixed {
  const positions = state.positions.get(account);
  let sum = reservedMargin(state, account, currency);
  const add = (each: string): void => {
    if (each !== name) sum += instrumentMargin(state, account, mustFind(state, each), { currency }).initial;
  };
  for (const each of positions?.keys() ?? []) add(each);
  for (const each of state.orders.instruments(account)) if (positions?.has(each) !== true) add(each);
  return sum;
}

/** Returns the instruments in which an account has positions or orders. */
function marginedNames(state: LedgerState, account: AccountId): ReadonlySet<string> {
  return new Set([...(state.positions.get(account)?.keys() ?? []), ...state.orders.instruments(account)]);
}

/**
 * Returns the margin of an account in one instrument and currency. For a future it is that of the largest of three
 * sizes: the position, the position when every order that buys is filled, and when every order that sells is. An option
 * that is bought needs its premium and fee; spot needs what is paid.
 */
export function instrumentMargin(
  state: LedgerState,
  account: AccountId,
  instrument: TradedInstrument,
  of: { readonly currency: string; readonly orders?: OrderTotals },
): Margin {
  if (instrument.kind !== "spot" && of.currency !== instrument.settlementCurrency) return NO_MARGIN;
  const { buys, sells, cost } = of.orders ?? state.orders.totals(account, instrument.name);
  if (instrument.kind === "spot") {
    const sold = of.currency === instrument.baseCurrency ? sells : 0n;
    return { ...NO_MARGIN, initial: sold + (of.currency === instrument.quoteCurrency ? cost : 0n) };
  }
  const size = sizeOf(state, account, instrument.name);
  const { initial, maintenance } = state.margins(instrument, size);
  const largest = largestSize(instrument, size, { buys, sells });
  return { initial: (largest === size ? initial : state.margins(instrument, largest).initial) + cost, maintenance };
}

/**
 * Returns the signed size that needs the most margin of those that a position can come to by its orders. Margin grows
 * with the size; an option that is bought needs none.
 */
function largestSize(
  { kind }: TradedInstrument,
  size: Fixed,
  { buys, sells }: Pick<OrderTotals, "buys" | "sells">,
): Fixed {
  const sold = smaller(0n, size - sells);
  const bought = kind === "option" ? 0n : larger(0n, size + buys);
  return bought > -sold ? bought : sold;
}

/** Returns the margin that an order needs where there is no position and no other order, in `orderCurrency`. */
export function orderMargin(order: OpenOrder, instrument: TradedInstrument, prices: Prices): Fixed {
  const { buys, sells, cost } = withOrderAdded(NO_ORDERS, order);
  if (instrument.kind === "spot") return sells + cost;
  return marginOf(instrument, instrument.kind === "option" ? -sells : buys - sells, prices).initial + cost;
}

/** Returns the currency in which an order needs margin: a spot order that sells needs what it sells. */
export function orderCurrency(instrument: TradedInstrument, { direction }: Pick<OpenOrder, "direction">): string {
  if (instrument.kind !== "spot") return instrument.settlementCurrency;
  return direction === "buy" ? instrument.quoteCurrency : instrument.baseCurrency;
}

/**
 * Returns what it costs to buy an amount of something that is paid at once, with the fee of a taker where it is in the
 * same currency; 0 of a future.
 */
export function costOf(instrument: TradedInstrument, amount: Fixed, price: Fixed, prices: Prices): Fixed {
  if (instrument.kind === "future") return 0n;
  const premium = times(amount, price);
  return instrument.kind === "spot" ? premium : premium + takerFee(instrument, amount, price, prices);
}

/** Returns the fee of a taker. */
export function takerFee(instrument: TradedInstrument, amount: Fixed, price: Fixed, prices: Prices): Fixed {
  return feeOf(instrument, { amount, price, indexPrice: prices.index(instrument), rate: feeRates(instrument).taker });
}

/** The part of the size that is kept. https://support.deribit.com/hc/en-us/articles/31600682719645 */
const KEPT_PART = fixedOf(0.03);

/** Returns the margin that an account keeps in a currency. */
function reservedMargin(state: LedgerState, account: AccountId, currency: string): Fixed {
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
