import type { Instrument } from "../instrument.ts";
import type { Fixed } from "./money.ts";

/** What the ledger has to know of the market. All prices are of one moment until the caller says that time passed. */
export interface Prices {
  /** The mark price: in the settlement currency for options, else in the quote currency. Above 0 for futures. */
  mark(instrument: Instrument): Fixed;
  /** The index price in the quote currency of the index; above 0. */
  index(instrument: Instrument): Fixed;
  /** The price of what an option is on, which is that of the future of its expiry; the index price for the others. */
  underlying(instrument: Instrument): Fixed;
  /** The sensitivities of one option; undefined for everything else. */
  greeks(instrument: Instrument): Greeks | undefined;
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
