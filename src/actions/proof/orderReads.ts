import type { Clock } from "../../base/clock.ts";
import { CallError, toFailure, type Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { FORBIDDEN, METHOD_NOT_FOUND, ORDER_NOT_FOUND } from "../../catalogue/codes.ts";
import type { Log } from "../../base/log.ts";
import type { Session } from "../../session/session.ts";
import { OPEN_ORDERS_METHOD, ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import { findingOf, type Finding, type Observation } from "./evidence.ts";
import { fillOf } from "../intent/fill.ts";

/** The two ways to read one order from the exchange. */
export interface OrderReads {
  /** Whether the server allows reading a single order, as far as this generation has shown. */
  readonly isSingleOffered: boolean;
  /** Reads an order in one of the two ways. Throws `CallError`. */
  read(source: Observation["source"], orderId: string, signal: AbortSignal): Promise<Finding>;
  /** Reads the list and returns which orders are open, with their states. Throws `CallError`. */
  readOpen(): Promise<OpenStates>;
}

interface OpenStates {
  readonly states: ReadonlyMap<string, string>;
  /** Whether every entry names an order; else an order that is not among them may still be there. */
  readonly isWhole: boolean;
}

/** What reading the outcome of a change needs of a connection. */
export interface ReconcilerPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "reader">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the account has isolated orders, which no read of it lists; left out, it has none. */
  readonly hasIsolated?: (() => boolean) | undefined;
}

const READ_TIMEOUT_MS = 10_000;

/** Makes the reads of a connection; orders that are read at the same moment share one read of the list. */
export function createOrderReads({
  session,
  clock,
  hasIsolated = () => false,
}: Pick<ReconcilerPorts, "session" | "clock" | "hasIsolated">): OrderReads {
  let refusedIn: number | undefined;
  let shared:
    | {
        readonly startedAtMs: number;
        readonly generation: number | undefined;
        readonly rows: Promise<readonly unknown[]>;
      }
    | undefined;
  const generation = (): number | undefined =>
    session.state.status === "ready" ? session.state.generation : undefined;
  const readSingle = async (orderId: string, signal: AbortSignal): Promise<Finding> => {
    try {
      const order = await session.reader.read(
        ORDER_STATE_METHOD,
        { order_id: orderId },
        { timeoutMs: READ_TIMEOUT_MS, signal },
      );
      if (order.order_id !== orderId)
        throw new CallError({ kind: "unreadableResult", detail: l10n.t("the response is for a different order") });
      return findingOf(order.order_state, order.cancel_reason, fillOf(order));
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (failure.kind === "exchange" && failure.code === ORDER_NOT_FOUND) return { kind: "absent" };
      if (isBarred(failure)) refusedIn = generation();
      throw thrown;
    }
  };
  const readRows = async (): Promise<readonly unknown[]> => {
    const response = await session.reader.readResponse(OPEN_ORDERS_METHOD, {}, { timeoutMs: READ_TIMEOUT_MS });
    if (!Array.isArray(response.result))
      throw new CallError({ kind: "unreadableResult", detail: l10n.t("the open orders are not an array") });
    const rows: readonly unknown[] = response.result;
    return rows;
  };
  const readList = async (orderId: string): Promise<Finding> => {
    const startedAtMs = clock.monotonicMs();
    if (shared?.startedAtMs !== startedAtMs || shared.generation !== generation())
      shared = { startedAtMs, generation: generation(), rows: readRows() };
    const finding = findInList(await shared.rows, orderId);
    if (finding.kind === "absent") refuseIsolated(hasIsolated());
    return finding;
  };
  return {
    get isSingleOffered() {
      return refusedIn === undefined || refusedIn !== generation();
    },
    read: async (source, orderId, signal) =>
      source === "single" ? await readSingle(orderId, signal) : await readList(orderId),
    readOpen: async () => {
      const { states, isWhole } = openStates(await readRows());
      return { states, isWhole: isWhole && !hasIsolated() };
    },
  };
}

/** Throws a `CallError` where an order that is not listed may be an isolated one. */
function refuseIsolated(hasIsolated: boolean): void {
  if (hasIsolated)
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("isolated orders are not among the open orders") });
}

/** Whether reading this way always fails, however often it is tried. */
export function isBarred(failure: Failure): boolean {
  return (
    failure.kind === "missingScope" ||
    failure.kind === "noKey" ||
    failure.kind === "notOffered" ||
    (failure.kind === "exchange" && (failure.code === METHOD_NOT_FOUND || failure.code === FORBIDDEN))
  );
}

/**
 * Returns what the list says of an order. Only its id and state count: an odd entry must not hide that the order is
 * there.
 */
function findInList(rows: readonly unknown[], orderId: string): Finding {
  const row = rows.find((each) => isRow(each) && each.order_id === orderId);
  if (!isRow(row) && !rows.every(isNamed))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("an item has no order ID") });
  if (!isRow(row)) return { kind: "absent" };
  const finding = findingOf(typeof row.order_state === "string" ? row.order_state : "open", undefined);
  return finding.kind === "open" ? finding : { kind: "absent" };
}

function openStates(rows: readonly unknown[]): OpenStates {
  const states = new Map<string, string>();
  for (const row of rows) {
    if (!isNamed(row)) continue;
    const finding = findingOf(typeof row.order_state === "string" ? row.order_state : "open", undefined);
    if (finding.kind === "open") states.set(row.order_id, finding.state);
  }
  return { states, isWhole: rows.every(isNamed) };
}

function isNamed(row: unknown): row is { readonly order_id: string; readonly order_state?: unknown } {
  return isRow(row) && typeof row.order_id === "string";
}

function isRow(value: unknown): value is { readonly order_id?: unknown; readonly order_state?: unknown } {
  return typeof value === "object" && value !== null;
}
