import type { Side, TradedInstrument } from "../instrument.ts";
import { divideRounded } from "../units.ts";
import { FIXED_ONE, magnitude, payable, smaller, times, type Fixed } from "./money.ts";
import { isPaidInCoin, valueOf } from "./valuation.ts";

/** Fees as parts of a trade's value; below 0 is a rebate. */
interface FeeRates {
  readonly maker: Fixed;
  readonly taker: Fixed;
  readonly delivery: Fixed;
  /** What an order of a liquidation pays instead, as maker or taker. */
  readonly liquidation: Fixed;
}

/*
 * The fees of liquidations of futures: https://support.deribit.com/hc/en-us/articles/25944826427293-11-January-2022.
 * Other coins are assumed to have that of ETH. That of options is from an older page of the exchange,
 * https://www.deribit.com/pages/docs.
 */
const BTC_FUTURE: FeeRates = { maker: 0n, taker: 50_000n, delivery: 25_000n, liquidation: 750_000n };
const OTHER_FUTURE: FeeRates = { ...BTC_FUTURE, liquidation: 900_000n };
const COIN_OPTION: FeeRates = { maker: 30_000n, taker: 30_000n, delivery: 15_000n, liquidation: 200_000n };
const LINEAR_OPTION: FeeRates = { maker: 10_000n, taker: 50_000n, delivery: 15_000n, liquidation: 200_000n };
const SPOT: FeeRates = { maker: 0n, taker: 0n, delivery: 0n, liquidation: 0n };

/** An option's fee is at most an eighth of its premium. */
const OPTION_CAP_DIVISOR = 8n;

/** Returns the published fees of an instrument. https://support.deribit.com/hc/en-us/articles/25944746248989-Fees */
export function feeRates(instrument: TradedInstrument): FeeRates {
  if (instrument.kind === "spot") return SPOT;
  if (instrument.kind !== "option") return instrument.baseCurrency === "BTC" ? BTC_FUTURE : OTHER_FUTURE;
  return isPaidInCoin(instrument) ? COIN_OPTION : LINEAR_OPTION;
}

/** Returns the currency of a trade's fee: the settlement currency; of spot what the account gets, as recorded. */
export function tradeFeeCurrency(
  { kind, baseCurrency, quoteCurrency, settlementCurrency }: TradedInstrument,
  direction: Side,
): string {
  if (kind !== "spot") return settlementCurrency;
  return direction === "buy" ? baseCurrency : quoteCurrency;
}

/** What a fee is counted on. */
interface Charged {
  /** Signed: above 0 was bought. */
  readonly amount: Fixed;
  /** The price of the trade; at delivery the payout of an option, and the delivery price of a future. */
  readonly price: Fixed;
  readonly indexPrice: Fixed;
  readonly rate: Fixed;
}

/**
 * Returns the fee in its currency, rounded to 1e-8. That of a future and of spot is a part of what was traded. An
 * option's is a part of the underlying, at most 12.5 % of the premium.
 */
export function feeOf(instrument: TradedInstrument, { amount, price, indexPrice, rate }: Charged): Fixed {
  const size = magnitude(amount);
  if (instrument.kind === "spot" && amount > 0n) return times(size, rate);
  if (instrument.kind !== "option") return times(payable(valueOf(instrument, size, price)), rate);
  const underlying = isPaidInCoin(instrument) ? size : times(size, indexPrice);
  return smaller(times(underlying, rate), divideRounded(size * price, FIXED_ONE * OPTION_CAP_DIVISOR, "nearest"));
}
