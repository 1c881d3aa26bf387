import type { AccountId } from "../instrument.ts";
import type { Lots } from "../units.ts";
import type { Desk } from "./desk.ts";
import { remainingOf, type BookOrder } from "./order.ts";

/** Returns by how much an order may reduce the position of its account. */
export function reducibleBy({ ports }: Desk, { account, instrument, direction }: BookOrder): Lots {
  const position = ports.risk.position(account, instrument);
  return Math.max(0, direction === "sell" ? position : -position);
}

/** Makes the orders of an account that may only reduce its position no larger than that. */
export function trimReducing(desk: Desk, account: AccountId, instrument: string): void {
  for (const order of desk.shelf.reducing(account, instrument)) {
    const excess = remainingOf(order) - reducibleBy(desk, order);
    if (excess > 0) desk.reduce(order, excess, "reduce_only");
  }
}
