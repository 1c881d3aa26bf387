import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import { stepOf } from "../../../src/exchange/units.ts";

/* Instruments for tests of the ledger and the market, as the exchange describes them. */

const COMMON = {
  quoteCurrency: "USD",
  coarserTicks: [],
  minAmount: 1,
  maxAmount: 10_000_000,
  contractSize: 1,
  expiresAtMs: undefined,
  option: undefined,
} as const;

/** 2027-03-26 08:00 UTC. */
export const EXPIRY_MS = 1_806_048_000_000;

/** Makes an inverse future; one with a name like BTC-26MAR27 expires at `EXPIRY_MS`. */
export function inverseFuture(name: string): TradedInstrument {
  const coin = name.startsWith("ETH") ? "ETH" : "BTC";
  return {
    ...COMMON,
    name,
    kind: "future",
    baseCurrency: coin,
    settlementCurrency: coin,
    isInverse: true,
    indexName: `${coin.toLowerCase()}_usd`,
    tick: stepOf(coin === "ETH" ? 0.05 : 0.5),
    lot: stepOf(coin === "ETH" ? 1 : 10),
    expiresAtMs: name.endsWith("-PERPETUAL") ? undefined : EXPIRY_MS,
  };
}

/** Makes a linear perpetual, e.g. of `SOL_USDC`. */
export function linearFuture(pair: string, tick: number, lot: number): TradedInstrument {
  return {
    ...COMMON,
    name: `${pair}-PERPETUAL`,
    kind: "future",
    baseCurrency: pair.split("_")[0] ?? "",
    quoteCurrency: "USDC",
    settlementCurrency: "USDC",
    isInverse: false,
    indexName: pair.toLowerCase(),
    tick: stepOf(tick),
    lot: stepOf(lot),
  };
}

/** Makes an option from its name, e.g. `BTC-26MAR27-90000-C` or `XRP_USDC-26MAR27-2d25-P`. */
export function option(name: string): TradedInstrument {
  const [pair = "", , strike = "", right] = name.split("-");
  const [coin = "", quote] = pair.split("_");
  return {
    ...COMMON,
    name,
    kind: "option",
    baseCurrency: coin,
    quoteCurrency: quote ?? coin,
    settlementCurrency: quote ?? coin,
    isInverse: false,
    indexName: quote === undefined ? `${coin.toLowerCase()}_usd` : pair.toLowerCase(),
    tick: stepOf(0.0001),
    lot: stepOf(quote === undefined ? 0.1 : 1000),
    expiresAtMs: EXPIRY_MS,
    option: { strike: Number(strike.replace("d", ".")), right: right === "C" ? "call" : "put" },
  };
}

/** Makes a spot pair, e.g. `BTC_USDC`. */
export function spot(name: string, tick: number, lot: number): TradedInstrument {
  const [base = "", quote = ""] = name.split("_");
  return {
    ...COMMON,
    name,
    kind: "spot",
    baseCurrency: base,
    quoteCurrency: quote,
    settlementCurrency: quote,
    isInverse: false,
    indexName: name.toLowerCase(),
    tick: stepOf(tick),
    lot: stepOf(lot),
  };
}
