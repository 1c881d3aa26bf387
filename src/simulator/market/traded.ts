import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { Coin } from "../../exchange/market/indexPath.ts";
import { stepOf } from "../../exchange/units.ts";
import { expiryOf } from "./expiries.ts";
import { INDEX, type SimulatedInstrument } from "./instruments.ts";

/** The coins whose prices move, by their names. */
export const COINS: ReadonlyMap<string, Coin> = new Map([
  ["BTC", { usdPrice: INDEX.BTC, volatility: 0.46 }],
  ["ETH", { usdPrice: INDEX.ETH, volatility: 0.62 }],
  ["SOL", { usdPrice: INDEX.SOL, volatility: 0.8 }],
  ["XRP", { usdPrice: INDEX.XRP, volatility: 0.83 }],
  ["EURR", { usdPrice: 1.163, volatility: 0.07 }],
]);

/** The largest order, in lots. */
const MAX_LOTS = 10_000_000;

/** Returns an instrument as the exchange trades it; undefined for a combo, whose legs the exchange does not know. */
export function tradedInstrument(instrument: SimulatedInstrument): TradedInstrument | undefined {
  return instrument.kind.endsWith("_combo") ? undefined : describeTraded(instrument);
}

/** Returns the terms of an instrument, of a combo too. */
export function describeTraded({
  name,
  kind,
  isDecimal,
  tickSize,
  lot,
  contractSize,
}: SimulatedInstrument): TradedInstrument {
  const [pair = "", , strike = "", right] = name.split("-");
  const [base = "", quote = "USD"] = pair.split("_");
  // An inverse option is priced in its coin, an inverse future in USD; both are settled in the coin.
  const quoteCurrency = kind.startsWith("option") && !isDecimal ? base : quote;
  return {
    name,
    kind,
    baseCurrency: base,
    quoteCurrency,
    settlementCurrency: isDecimal ? quote : base,
    isInverse: kind === "future" && !isDecimal,
    indexName: `${base}_${quote}`.toLowerCase(),
    tick: stepOf(tickSize),
    coarserTicks: [],
    lot: stepOf(lot),
    minAmount: 1,
    maxAmount: MAX_LOTS,
    contractSize: Math.round(contractSize / lot),
    expiresAtMs: expiryOf(name),
    option:
      kind === "option"
        ? { strike: Number(strike.replace("d", ".")), right: right === "C" ? "call" : "put" }
        : undefined,
  };
}
