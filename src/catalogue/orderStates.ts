/** The states of an order; the exchange may have others. https://docs.deribit.com/api-reference/trading */
export const ORDER_STATES = ["open", "filled", "rejected", "cancelled", "untriggered", "triggered", "archive"] as const;

const OPEN_STATES: ReadonlySet<unknown> = new Set(["open", "untriggered"]);
const END_STATES: ReadonlySet<unknown> = new Set(ORDER_STATES.filter((state) => !OPEN_STATES.has(state)));

/** Whether an order in this state can still trade or be cancelled. A state that we do not know is none of these. */
export function isOpenState(state: unknown): boolean {
  return OPEN_STATES.has(state);
}

/**
 * Whether this state ends an order; one that was triggered lives on as another order. A state that we do not know ends
 * nothing.
 */
export function isEndState(state: unknown): boolean {
  return END_STATES.has(state);
}
