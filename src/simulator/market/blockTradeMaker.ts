import type { Random } from "../../base/clock.ts";
import { randomInteger } from "../text/seededRandom.ts";
import type { SimulatedBlockTrade, SimulatedLeg } from "./blockTrades.ts";

/** The source of block trades. */
export interface BlockTradeMaker {
  /** Makes an ID for a block trade. */
  nextId(): string;
  /** Makes a block trade of legs that are booked. */
  make(
    spec: Omit<SimulatedBlockTrade, "timestamp" | "trades">,
    legs: readonly BookedLeg[],
    atMs: number,
  ): SimulatedBlockTrade;
}

/** A block trade that is asked for. */
export interface BlockTradeSpec extends Pick<
  SimulatedBlockTrade,
  "app_name" | "broker_code" | "broker_name" | "keyId"
> {
  readonly legs: readonly LegSpec[];
  /** The id of the trade; the exchange's before June 2023 were digits alone. */
  readonly id?: string;
}

/** The required facts about a leg; the rest follows from what is booked. */
export type LegSpec = Partial<SimulatedLeg> & Pick<SimulatedLeg, "instrument_name" | "direction" | "amount">;

/** A leg as the ledger and the public tape have it. */
export type BookedLeg = Omit<
  SimulatedLeg,
  "matching_id" | "order_type" | "block_trade_id" | "api" | "reduce_only" | "post_only" | "mmp"
>;

/** Makes the source of an account's block trades. */
export function createBlockTradeMaker(random: Random): BlockTradeMaker {
  let number = 282_000;
  return {
    nextId: () => `BLOCK-${(number += randomInteger(random, 1, 6))}`,
    make: (spec, legs, atMs) => ({
      ...spec,
      timestamp: atMs + 1,
      trades: legs.map((leg) => ({
        matching_id: null,
        order_type: "limit",
        block_trade_id: spec.id,
        api: true,
        reduce_only: false,
        post_only: false,
        mmp: false,
        ...leg,
      })),
    }),
  };
}
