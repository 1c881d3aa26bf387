import type { TradedInstrument } from "../instrument.ts";
import type { Fixed } from "./money.ts";

/** What the ledger has to know of the market. All prices are of one moment until the caller says that time passed. */
export interface Prices {
  /** The mark price: in the settlement currency for options, else in the quote currency. Above 0 for futures. */
  mark(instrument: TradedInstrument): Fixed;
  /** The index price in the quote currency of the index; above 0. */
  index(instrument: TradedInstrument): Fixed;
  /** The price of what an option is on, which is that of the future of its expiry; the index price for the others. */
  underlying(instrument: TradedInstrument): Fixed;
  /** The mark price at the last settlement: the last 08:00 UTC. */
  settlement(instrument: TradedInstrument): Fixed;
  /** The part of its delta that an instrument still has: 1, and in the last 30 minutes of its life less. */
  deltaLeft(instrument: TradedInstrument): number;
  /** The sensitivities of one option, its delta without what has gone of it; undefined for everything else. */
  greeks(instrument: TradedInstrument): Greeks | undefined;
}

/** The sensitivities of one option, as the exchange counts them: of its price in the quote currency of the index. */
export interface Greeks {
  readonly delta: number;
  readonly gamma: number;
  /** For one percentage point of volatility. */
  readonly vega: number;
  /** For one day. */
  readonly theta: number;
  /** For one percentage point of interest. */
  readonly rho: number;
}
