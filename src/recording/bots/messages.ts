import { isObject } from "../../base/json.ts";

/** The members of an order that are kept of a response. */
const ORDER_MEMBERS = ["order_id", "order_state", "instrument_name", "direction", "amount", "filled_amount", "price"];
const BOOK_MEMBERS = ["type", "change_id", "prev_change_id", ...ORDER_MEMBERS];

/** Returns what is kept of a result: the order that it is about. */
export function keptResult(result: unknown): object {
  return partOf(isObject(result) && isObject(result["order"]) ? result["order"] : result, ORDER_MEMBERS);
}

/** Returns what is kept of an event: the numbers of a book, and an order. */
export function keptData(data: unknown): object {
  return partOf(data, BOOK_MEMBERS);
}

function partOf(value: unknown, names: readonly string[]): object {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : {};
}
