import { invalidParam } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";

/** A currency as public/get_currencies describes it, as far as currencies differ here. */
interface Currency {
  readonly currency: string;
  readonly currency_long: string;
  readonly coin_type: string;
  readonly decimals: number;
  readonly withdrawal_fee: number;
}

/**
 * The currencies. BTC and ETH are those of the documentation's example, XRP is that of a recorded response; the others
 * are made after them.
 */
const CURRENCIES: readonly Currency[] = [
  { currency: "BTC", currency_long: "Bitcoin", coin_type: "BITCOIN", decimals: 8, withdrawal_fee: 0.0001 },
  { currency: "ETH", currency_long: "Ethereum", coin_type: "ETHER", decimals: 6, withdrawal_fee: 0.0006 },
  { currency: "USDC", currency_long: "USD Coin", coin_type: "USDC", decimals: 6, withdrawal_fee: 0.0001 },
  { currency: "USDT", currency_long: "Tether USD", coin_type: "USDT", decimals: 6, withdrawal_fee: 0.0001 },
  { currency: "EURR", currency_long: "StablR Euro", coin_type: "EURR", decimals: 6, withdrawal_fee: 0.0001 },
  { currency: "SOL", currency_long: "Solana", coin_type: "SOL", decimals: 6, withdrawal_fee: 0.0001 },
  { currency: "XRP", currency_long: "XRP", coin_type: "XRP", decimals: 6, withdrawal_fee: 0.0001 },
];

/** The names of the currencies in which an account can have money. */
export const CURRENCY_NAMES: readonly string[] = CURRENCIES.map(({ currency }) => currency);

/**
 * Refuses a `currency` parameter that does not name a currency.
 * https://docs.deribit.com/articles/currency-parameter
 */
export function refuseUnknownCurrency(name: string): void {
  if (!CURRENCY_NAMES.includes(name)) throw invalidParam("currency", "invalid currency");
}

/** Returns all currencies as they go over the wire. */
export function currenciesText(): string {
  return writeJson(
    CURRENCIES.map(({ withdrawal_fee, ...currency }) => ({
      ...currency,
      min_confirmations: 1,
      min_withdrawal_fee: 0.0001,
      withdrawal_fee,
      withdrawal_priorities: [],
      network_currency: currency.currency,
      network_fee: withdrawal_fee,
      in_cross_collateral_pool: false,
    })),
  );
}
