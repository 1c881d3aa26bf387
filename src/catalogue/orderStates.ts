/** The states of an order; the exchange may have others. https://docs.deribit.com/api-reference/trading */
export const ORDER_STATES = ["open", "filled", "rejected", "cancelled", "untriggered", "triggered", "archive"] as const;

const OPEN_STATES: ReadonlySet<unknown> = new Set(["open", "untriggered"]);
const END_STATES: ReadonlySet<unknown> = new Set(ORDER_STATES.filter((state) => !OPEN_STATES.has(state)));

/** Whether an order in this state can still trade or be cancelled. Always false for an unknown state. */
export function isOpenState(state: unknown): boolean {
  return OPEN_STATES.has(state);
}

/**
 * Whether this state ends an order. An order that was triggered lives on as another one. Always false for an unknown
 * state.
 */
export function isEndState(state: unknown): boolean {
  return END_STATES.has(state);
}
