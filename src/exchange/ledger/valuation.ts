import type { TradedInstrument } from "../instrument.ts";
import { divideRounded } from "../units.ts";
import { FINE_ONE, FIXED_ONE, larger, type Fine, type Fixed } from "./money.ts";

/*
 * What amounts are worth in the settlement currency. Contract specifications:
 * https://support.deribit.com/hc/en-us/articles/25944756807069-Inverse-perpetual and
 * https://support.deribit.com/hc/en-us/articles/25944738177565-Linear-Perpetual
 */

/**
 * Returns what a signed amount is worth at a price: amount / price for an inverse future, rounded to 1e-24; amount ×
 * price for everything else, exactly.
 */
export function valueOf({ isInverse }: TradedInstrument, amount: Fixed, price: Fixed): Fine {
  return isInverse
    ? divideRounded(amount * FINE_ONE, price, "nearest")
    : (amount * price * FINE_ONE) / (FIXED_ONE * FIXED_ONE);
}

/** Returns the profit of a signed amount that was worth `before` and is worth `after`. */
export function gainOf({ isInverse }: TradedInstrument, before: Fine, after: Fine): Fine {
  return isInverse ? before - after : after - before;
}

/** Returns the price at which an amount has a value, rounded to 1e-8; 0 where there is no amount. */
export function priceOf({ isInverse }: TradedInstrument, amount: Fixed, value: Fine): Fixed {
  if (amount === 0n || value === 0n) return 0n;
  return isInverse
    ? divideRounded(amount * FINE_ONE, value, "nearest")
    : divideRounded(value * FIXED_ONE * FIXED_ONE, amount * FINE_ONE, "nearest");
}

/** Whether an option's premium and payout are in the coin itself, as with BTC-26MAR27-90000-C. */
export function isPaidInCoin({ baseCurrency, settlementCurrency }: TradedInstrument): boolean {
  return baseCurrency === settlementCurrency;
}

/**
 * Returns what one option pays at a delivery price, in the settlement currency: the difference to the strike, divided
 * by the delivery price where it is paid in the coin; rounded to 1e-8.
 */
export function payoutOf(instrument: TradedInstrument, strike: Fixed, deliveryPrice: Fixed): Fixed {
  const difference =
    instrument.option?.right === "put" ? larger(0n, strike - deliveryPrice) : larger(0n, deliveryPrice - strike);
  return isPaidInCoin(instrument) ? divideRounded(difference * FIXED_ONE, deliveryPrice, "nearest") : difference;
}
