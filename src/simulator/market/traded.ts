import type { TradedInstrument } from "../../exchange/instrument.ts";
import { nextSettlement } from "../../exchange/market/calendar.ts";
import type { Coin } from "../../exchange/market/indexPath.ts";
import { stepOf } from "../../exchange/units.ts";
import { INDEX, type InstrumentTerms, type SimulatedInstrument } from "./instruments.ts";

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
export function tradedInstrument(instrument: InstrumentTerms): TradedInstrument | undefined {
  return instrument.kind.endsWith("_combo") ? undefined : describeTraded(instrument);
}

/** The instruments of a listing as the exchange trades them. Most are never asked for: one is described when it is. */
interface TradedInstruments {
  /** Returns an instrument, one that has expired too; undefined for a combo, and where there is none. */
  readonly find: (name: string) => TradedInstrument | undefined;
  /** Returns what time passes for: the perpetuals, and what expires after a moment and until another one. */
  readonly due: (fromMs: number, untilMs: number) => readonly TradedInstrument[];
}

/** What is listed, as far as it is traded. */
interface Listed {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  /** Returns the instruments that have not expired. */
  open(): readonly SimulatedInstrument[];
}

export function createTradedInstruments(listing: Listed): TradedInstruments {
  const known = new Map<string, TradedInstrument>();
  const find: TradedInstruments["find"] = (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const listed = listing.instruments.get(name);
    const instrument = listed && tradedInstrument(listed);
    if (instrument !== undefined) known.set(name, instrument);
    return instrument;
  };
  const traded = (instruments: readonly SimulatedInstrument[]): TradedInstrument[] =>
    instruments.flatMap(({ name }) => find(name) ?? []);
  const perpetuals = traded(
    listing.open().filter(({ kind, expiresAtMs }) => kind === "future" && expiresAtMs === undefined),
  );
  return {
    find,
    due(fromMs, untilMs) {
      if (nextSettlement(fromMs) > untilMs) return perpetuals;
      // What has expired is described again where it is asked for.
      for (const [name, { expiresAtMs = Infinity }] of known) if (expiresAtMs <= fromMs) known.delete(name);
      const expiring = listing.open().filter(({ expiresAtMs = Infinity }) => expiresAtMs <= untilMs);
      return [...perpetuals, ...traded(expiring)];
    },
  };
}

/** Returns the terms of an instrument, of a combo too. */
export function describeTraded(terms: InstrumentTerms): TradedInstrument {
  const { name, kind, isDecimal, tickSize, lot, contractSize, expiresAtMs } = terms;
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
    expiresAtMs,
    option:
      kind === "option"
        ? { strike: Number(strike.replace("d", ".")), right: right === "C" ? "call" : "put" }
        : undefined,
  };
}
