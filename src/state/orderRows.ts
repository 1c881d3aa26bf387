import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError } from "../base/failure.ts";
import { parseJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import { readRow, type ParamsOf } from "../catalogue/index.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { scopeProblem } from "../session/scope.ts";
import type { Reader, SessionState } from "../session/session.ts";
import { readsSlots, readWithSlots, type SlotReading } from "./isolated.ts";
import { MAX_ORDERS, type Order, type OrderItems } from "./orderItems.ts";
import { readRows, rowsIn } from "./snapshot.ts";

/* Orders as they come over the wire: lists and events in all their forms, odd rows among them. */

export const OPEN_ORDERS_METHOD = "private/get_open_orders";
export const OPEN_ORDERS_OF_INSTRUMENT_METHOD = "private/get_open_orders_by_instrument";
export const ORDER_STATE_METHOD = "private/get_order_state";

/** The filter that narrows the list of open orders. */
export type OpenOrdersQuery = ParamsOf<typeof OPEN_ORDERS_METHOD>;

/**
 * Reads the open orders, where wanted one by one and not parsed; at the gateway with those in isolated margin. `known`:
 * the slots that have open orders. Throws `CallError`; sends nothing where the granted scope does not allow it.
 */
export async function askForOrders(
  reader: Reader,
  state: Extract<SessionState, { status: "ready" }>,
  { wantsOrders, known }: { readonly wantsOrders: boolean; readonly known: Iterable<number> },
): Promise<SlotReading> {
  const missing = scopeProblem(OPEN_ORDERS_METHOD, state);
  if (missing !== undefined) throw new CallError(missing);
  const options = { lane: "view", generation: state.generation } as const;
  if (readsSlots(state)) return await readWithSlots(reader, { method: OPEN_ORDERS_METHOD, params: {}, options, known });
  const response = await reader.readResponse(OPEN_ORDERS_METHOD, {}, { ...options, wantsOrders });
  return { response, isWhole: true };
}

/**
 * Returns the rows of an event. Documented as one order, seen as an array, and in one place of the documentation
 * wrapped in `order`.
 */
export function rowsOfEvent(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (typeof data === "object" && data !== null && !("order_id" in data) && "order" in data) return [data.order];
  return [data];
}

/** Returns the order in a part of an event; undefined where it lacks the id, the state or the time of that. */
export function readNews(row: unknown): Order | undefined {
  const order = readRow("order", row);
  return order?.order_state === undefined || order.last_update_timestamp === undefined ? undefined : order;
}

/** Splits rows into those that name an order, and the others, which cannot be used, but must not be overlooked. */
export function splitRows({ result, list, bodyText }: MaskedResponse): {
  readonly list: readonly Order[];
  readonly unreadable: readonly unknown[];
} {
  const rows = rowsIn(list === undefined ? result : parseJson(bodyText));
  if (rows.length > MAX_ORDERS) throw new CallError({ kind: "unreadableResult", detail: tooManyOrders() });
  return readRows(rows, (row) => readRow("order", row));
}

/** The orders that are parsed before something else can happen: about a millisecond's work. */
const PARSED_AT_ONCE = 200;

/**
 * Parses the orders of a first list that no view has asked for, in pauses, until all are parsed or the result is
 * disposed. The text of the list takes more memory, and can go then.
 */
export function parseInPauses(orders: Pick<OrderItems, "parse">, clock: Clock): Disposable {
  let next: Disposable | undefined;
  const parse = (): void => {
    next = orders.parse(PARSED_AT_ONCE) ? clock.after(0, parse) : undefined;
  };
  parse();
  return { dispose: () => next?.dispose() };
}

/** Returns the reason why no more orders are taken, as a sentence. */
export function tooManyOrders(): Plain {
  return l10n.t("More than {0} open orders are not supported.", MAX_ORDERS);
}
