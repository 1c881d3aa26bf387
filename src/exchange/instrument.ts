import type { Lots, DecimalStep, Ticks } from "./units.ts";

/** Which account an order, a trade, or a position belongs to. */
export type AccountId = string;

/** An instrument that is traded, as both halves of the exchange need it: matching, and the ledger. */
export interface TradedInstrument {
  /** The exchange's name, e.g. `BTC-PERPETUAL`. */
  readonly name: string;
  readonly kind: "future" | "option" | "spot" | "future_combo" | "option_combo";
  /** What an amount counts, e.g. BTC; of an inverse future the amount counts the quote currency instead. */
  readonly baseCurrency: string;
  readonly quoteCurrency: string;
  /** What profit, fees, and margin are paid in. */
  readonly settlementCurrency: string;
  /** Whether profit is amount × (1 / entry - 1 / exit), as with BTC-PERPETUAL. */
  readonly isInverse: boolean;
  readonly indexName: string;
  /** One tick: every price is a whole number of it. */
  readonly tick: DecimalStep;
  /** The coarser ticks of higher prices, lowest first: from `from` on a price is a multiple of `tick`. */
  readonly coarserTicks: readonly { readonly from: Ticks; readonly tick: Ticks }[];
  /** One lot: every amount is a whole number of it. */
  readonly lot: DecimalStep;
  readonly minAmount: Lots;
  /** The largest order. `maxAmount` × the highest price stays a safe integer. */
  readonly maxAmount: Lots;
  /** How many lots one contract is. */
  readonly contractSize: Lots;
  /** The instant of expiry, in ms since the epoch; undefined for perpetuals and spot. */
  readonly expiresAtMs: number | undefined;
  /** The strike is a decimal price of the index, not ticks of the premium; undefined for all but options. */
  readonly option: { readonly strike: number; readonly right: "call" | "put" } | undefined;
}

/** One trade between two orders: what the book is told, the public tape, and the ledger. */
export interface ExchangeTrade {
  /** Counts the trades of all instruments. */
  readonly tradeId: number;
  /** Counts the trades of this instrument, from 1. */
  readonly tradeSeq: number;
  readonly instrument: string;
  readonly price: Ticks;
  readonly amount: Lots;
  readonly atMs: number;
  /** The side of the taker. */
  readonly direction: Side;
  readonly maker: TradeParty;
  readonly taker: TradeParty;
}

/** One side of a trade. */
export interface TradeParty {
  readonly orderId: string;
  readonly account: AccountId;
  /** What the order had left after the trade. */
  readonly remaining: Lots;
  /** Whether the exchange closed a position with the order. */
  readonly isLiquidation?: true;
}

/** Which side of a trade was liquidated: the maker, the taker, or both. */
export type LiquidatedSide = "M" | "T" | "MT";

/** Returns which side of a trade was liquidated; undefined for neither. */
export function liquidatedSide({ maker, taker }: Pick<ExchangeTrade, "maker" | "taker">): LiquidatedSide | undefined {
  if (maker.isLiquidation === true) return taker.isLiquidation === true ? "MT" : "M";
  return taker.isLiquidation === true ? "T" : undefined;
}

export type Side = "buy" | "sell";

/** Returns the other side. */
export function opposite(side: Side): Side {
  return side === "buy" ? "sell" : "buy";
}

/** Returns the tick, in finest ticks, that a price has to be a multiple of. */
export function tickAt({ coarserTicks }: TradedInstrument, price: Ticks): Ticks {
  return coarserTicks.findLast(({ from }) => price >= from)?.tick ?? 1;
}
