import type { AccountId } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Lots, Ticks } from "../units.ts";
import { refuseControl } from "./maintenance.ts";
import { fixedOfSteps, magnitude, type Fixed } from "./money.ts";
import { refuseOrder } from "./risk.ts";
import { mustFind, signed, sizeOf, type LedgerState } from "./state.ts";
import { bookMove, type PositionMove } from "./trading.ts";

/** A part of a position that is to be moved to another account. */
export interface AskedMove {
  readonly instrument: string;
  readonly amount: Lots;
  /** The mark price when undefined. */
  readonly price: Ticks | undefined;
}

/** A moved part of a position; the direction is that of the source. */
export interface MovedPosition {
  readonly instrument: string;
  readonly direction: "buy" | "sell";
  readonly amount: Fixed;
  readonly price: Fixed;
}

/** The source has not as much of the position. The exchange's own code for this is not published. */
const NO_SUCH_POSITION: Refusal = { word: "other_reject", detail: "position_too_small" };

/** Moves parts of positions from one account to another, all of them or none; returns them or why not. */
export function movePositions(
  state: LedgerState,
  accounts: { readonly source: AccountId; readonly target: AccountId },
  asked: readonly AskedMove[],
  atMs: number,
): readonly MovedPosition[] | Refusal {
  const moves: PositionMove[] = [];
  const left = new Map<string, Fixed>();
  for (const { instrument: name, amount, price } of asked) {
    const instrument = mustFind(state, name);
    const size = sizeOf(state, accounts.source, name);
    const lots = fixedOfSteps(amount, instrument.lot);
    const rest = (left.get(name) ?? magnitude(size)) - lots;
    if (rest < 0n) return NO_SUCH_POSITION;
    left.set(name, rest);
    const direction = size > 0n ? "buy" : "sell";
    const received = { instrument: name, direction, amount, price, reduceOnly: false, replaces: undefined } as const;
    const refusal = refuseControl(state, accounts.source, name) ?? refuseOrder(state, accounts.target, received);
    if (refusal !== undefined) return refusal;
    moves.push({
      instrument,
      amount: signed(lots, direction),
      price: price === undefined ? state.ports.prices.mark(instrument) : fixedOfSteps(price, instrument.tick),
    });
  }
  for (const move of moves) bookMove(state, accounts, move, atMs);
  return moves.map(({ instrument, amount, price }) => ({
    instrument: instrument.name,
    direction: amount > 0n ? "sell" : "buy",
    amount: magnitude(amount),
    price,
  }));
}
