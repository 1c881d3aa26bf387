import type { AccountId, Instrument } from "../instrument.ts";
import { feeOf, feeRates } from "./fees.ts";
import { marginOf, NO_MARGIN, type Margin } from "./margin.ts";
import { fixedOfSteps, larger, smaller, times, total, type Fixed } from "./money.ts";
import { mustFind, positionOf, type LedgerState, type OpenOrder } from "./state.ts";

/** What an account has to keep in one currency. */
export interface AccountMargin extends Margin {
  /** The part of `initial` that open orders of spot reserve. */
  readonly spotReserve: Fixed;
}

/** The open orders of one instrument. */
interface Orders {
  readonly buys: OpenOrder[];
  readonly sells: OpenOrder[];
}

/** Returns the margin of an account's positions and of orders, in one currency. */
export function accountMargin(
  state: LedgerState,
  account: AccountId,
  currency: string,
  orders: Iterable<OpenOrder>,
): AccountMargin {
  const byInstrument = groupOrders(orders);
  const names = new Set([...(state.positions.get(account)?.keys() ?? []), ...byInstrument.keys()]);
  const parts = [...names]
    .map((name) => mustFind(state, name))
    .filter((instrument) => isIn(instrument, currency))
    .map((instrument) => {
      const its = byInstrument.get(instrument.name) ?? { buys: [], sells: [] };
      return instrument.kind === "spot"
        ? spotReserve(state, instrument, currency, its)
        : { ...instrumentMargin(state, account, instrument, its), spotReserve: 0n };
    });
  return {
    initial: total(parts, ({ initial }) => initial),
    maintenance: total(parts, ({ maintenance }) => maintenance),
    spotReserve: total(parts, (part) => part.spotReserve),
  };
}

/** Returns the part of the initial margin of an instrument that its open orders add to that of the position. */
export function openOrdersMargin(state: LedgerState, account: AccountId, instrument: Instrument): Fixed {
  const orders = groupOrders(state.ports.openOrders(account)).get(instrument.name);
  if (orders === undefined) return 0n;
  const { size } = positionOf(state, account, instrument.name);
  return (
    instrumentMargin(state, account, instrument, orders).initial -
    marginOf(instrument, size, state.ports.prices).initial
  );
}

/** Returns the margin that an order needs where there is no position, in the currency of `orderCurrency`. */
export function orderMargin(state: LedgerState, order: OpenOrder): Fixed {
  const instrument = mustFind(state, order.instrument);
  if (order.direction === "buy" && instrument.kind !== "future") return costOf(state, instrument, order);
  const amount = fixedOfSteps(order.amount, instrument.lot);
  if (instrument.kind === "spot") return amount;
  return marginOf(instrument, order.direction === "buy" ? amount : -amount, state.ports.prices).initial;
}

/** Returns the currency in which an order needs margin: a spot order that sells needs what it sells. */
export function orderCurrency(
  { kind, baseCurrency, quoteCurrency, settlementCurrency }: Instrument,
  order: OpenOrder,
): string {
  if (kind !== "spot") return settlementCurrency;
  return order.direction === "buy" ? quoteCurrency : baseCurrency;
}

function isIn({ kind, baseCurrency, quoteCurrency, settlementCurrency }: Instrument, currency: string): boolean {
  return kind === "spot" ? currency === baseCurrency || currency === quoteCurrency : currency === settlementCurrency;
}

function groupOrders(orders: Iterable<OpenOrder>): Map<string, Orders> {
  const groups = new Map<string, Orders>();
  for (const order of orders) {
    const group = groups.get(order.instrument) ?? { buys: [], sells: [] };
    groups.set(order.instrument, group);
    (order.direction === "buy" ? group.buys : group.sells).push(order);
  }
  return groups;
}

function spotReserve(
  state: LedgerState,
  instrument: Instrument,
  currency: string,
  { buys, sells }: Orders,
): AccountMargin {
  const reserve =
    (currency === instrument.baseCurrency ? amountOf(instrument, sells) : 0n) +
    (currency === instrument.quoteCurrency ? total(buys, (order) => costOf(state, instrument, order)) : 0n);
  return { ...NO_MARGIN, initial: reserve, spotReserve: reserve };
}

/**
 * Returns the margin of one instrument. For a future it is that of the largest of three sizes: the position, the position
 * when every order that buys is filled, and when every order that sells is. An option that is bought needs its premium
 * and fee.
 */
function instrumentMargin(
  state: LedgerState,
  account: AccountId,
  instrument: Instrument,
  { buys, sells }: Orders,
): Margin {
  const { prices } = state.ports;
  const { size } = positionOf(state, account, instrument.name);
  const { initial, maintenance } = marginOf(instrument, size, prices);
  const sold = marginOf(instrument, smaller(0n, size - amountOf(instrument, sells)), prices).initial;
  if (instrument.kind === "option")
    return { initial: larger(initial, sold) + total(buys, (order) => costOf(state, instrument, order)), maintenance };
  const bought = marginOf(instrument, larger(0n, size + amountOf(instrument, buys)), prices).initial;
  return { initial: larger(initial, larger(bought, sold)), maintenance };
}

function amountOf(instrument: Instrument, orders: Iterable<OpenOrder>): Fixed {
  return total(orders, ({ amount }) => fixedOfSteps(amount, instrument.lot));
}

/** Returns what it costs to fill an order that buys a thing which is paid at once, with the fee of a taker. */
function costOf(state: LedgerState, instrument: Instrument, order: OpenOrder): Fixed {
  const { prices } = state.ports;
  const amount = fixedOfSteps(order.amount, instrument.lot);
  const price = order.price === undefined ? prices.mark(instrument) : fixedOfSteps(order.price, instrument.tick);
  const rate = feeRates(instrument).taker;
  return times(amount, price) + feeOf(instrument, { amount, price, indexPrice: prices.index(instrument), rate });
}
