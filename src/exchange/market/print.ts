import type { LiquidatedSide, Side } from "../instrument.ts";
import type { Lots, Ticks } from "../units.ts";

/** A trade as the tape remembers it. */
export interface Print {
  /** Counts the trades of the instrument. */
  readonly seq: number;
  readonly atMs: number;
  readonly price: Ticks;
  readonly amount: Lots;
  /** The side of the taker. */
  readonly direction: Side;
  /** Which side was liquidated; undefined for neither. */
  readonly liquidation?: LiquidatedSide | undefined;
  /** Whether it was made at the exchange, and is not one of others. */
  readonly isRecorded: boolean;
}

/** A place on the tape of one instrument: after the trades of others until a moment, and a number of recorded ones. */
export interface TapePlace {
  readonly atMs: number;
  readonly recordedCount: number;
}
