import * as l10n from "@vscode/l10n";
import { CallError } from "../base/failure.ts";
import { isResult, resultProblems } from "../catalogue/index.ts";
import type { Answer } from "../rpc/answer.ts";
import { scopeProblem } from "../session/scope.ts";
import type { Reader, SessionState } from "../session/session.ts";
import { MAX_ORDERS, type Order } from "./orderItems.ts";

/* Orders as they come over the wire: lists and events in all their forms, odd rows among them. */

/** Asks for the open orders. Throws `CallError`; without asking where the granted scope does not allow it. */
export async function askForOrders(reader: Reader, state: Extract<SessionState, { status: "ready" }>): Promise<Answer> {
  const missing = scopeProblem("private/get_open_orders", state);
  if (missing !== undefined) throw new CallError(missing);
  return await reader.readAnswer("private/get_open_orders", {}, { lane: "view", generation: state.generation });
}

/** Documented as one order, seen as an array, and in one place of the documentation wrapped in `order`. */
export function rowsOfEvent(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (typeof data === "object" && data !== null && "order" in data && !("order_id" in data)) return [data.order];
  return [data];
}

/** Whether a row has the shape of an order. */
export function isOrder(row: unknown): row is Order {
  return isResult("private/get_order_state", row);
}

/** What is wrong with a row, in words. */
export function shapeProblem(row: unknown): string {
  const problem = resultProblems("private/get_order_state", row)[0];
  return problem === undefined ? "" : [problem.path.join("."), problem.message].filter((part) => part !== "").join(": ");
}

/** Rows that fit, and by id those that do not. Without an id a row cannot even be shown: that fails the reading. */
export function splitRows(answer: Answer): { readonly list: readonly Order[]; readonly unreadable: ReadonlyMap<string, unknown> } {
  if (!Array.isArray(answer.result)) throw unreadable(l10n.t("The answer is not a list."));
  const rows = answer.result as readonly unknown[];
  if (rows.length > MAX_ORDERS) throw unreadable(tooManyOrders());
  if (answer.isExpectedShape) return { list: rows as readonly Order[], unreadable: new Map() };
  const list: Order[] = [];
  const odd = new Map<string, unknown>();
  for (const [index, row] of rows.entries()) {
    if (isOrder(row)) list.push(row);
    else odd.set(idOf(row, index), row);
  }
  return { list, unreadable: odd };
}

function idOf(row: unknown, index: number): string {
  if (typeof row === "object" && row !== null && "order_id" in row && typeof row.order_id === "string") return row.order_id;
  throw unreadable(l10n.t("Order {0} of the answer has no order_id.", index + 1));
}

function unreadable(detail: string): CallError {
  return new CallError({ kind: "unreadableResult", detail });
}

/** Why no more orders are taken, as a sentence. */
export function tooManyOrders(): string {
  return l10n.t("There are more than {0} open orders; so many are not held.", MAX_ORDERS);
}
