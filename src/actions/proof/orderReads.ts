import type { Clock } from "../../base/clock.ts";
import { CallError, toFailure, type Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { FORBIDDEN, METHOD_NOT_FOUND, ORDER_NOT_FOUND } from "../../catalogue/codes.ts";
import type { Log } from "../../base/log.ts";
import type { Session } from "../../session/session.ts";
import { OPEN_ORDERS_METHOD, ORDER_STATE_METHOD, type OpenOrdersQuery } from "../../state/orderRows.ts";
import { findingOf, type Finding, type Observation } from "./evidence.ts";
import { fillOf } from "../intent/fill.ts";
import type { OrderMargin, SlotKnowledge } from "../intent/slotKnowledge.ts";

/** The two ways to read one order from the exchange. */
export interface OrderReads {
  /** Whether the server allows reading a single order, as far as this generation has shown. */
  readonly isSingleOffered: boolean;
  /** Reads an order in one of the two ways. Throws `CallError`. */
  read(source: Observation["source"], orderId: string, signal: AbortSignal): Promise<Finding>;
  /** Reads the lists that have these orders, and returns which are open, with their states. Throws `CallError`. */
  readOpen(orderIds: Iterable<string>): Promise<OpenStates>;
}

interface OpenStates {
  readonly states: ReadonlyMap<string, string>;
  /** Whether an order that is not among them is open no more: the list that has it was read, and names every order. */
  readonly isWhole: (orderId: string) => boolean;
}

/** What reading the outcome of a change needs of a connection. */
export interface ReconcilerPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "reader">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the account has isolated orders, which no read of it lists; left out, it has none. */
  readonly hasIsolated?: (() => boolean) | undefined;
  /** What is known of isolated margin at the gateway; left out, the connection is a native one. */
  readonly slots?: (() => SlotKnowledge | undefined) | undefined;
}

type OrderReadsPorts = Pick<ReconcilerPorts, "session" | "clock" | "hasIsolated" | "slots">;

const READ_TIMEOUT_MS = 10_000;

/** Makes the reads of a connection; orders that are read at the same moment share one read of the list. */
export function createOrderReads({
  session,
  clock,
  hasIsolated = () => false,
  slots: slotsNow = () => undefined,
}: OrderReadsPorts): OrderReads {
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
  const readFlagged = async (params: { readonly order_id: string }, signal: AbortSignal): Promise<Finding> => {
    const { order_id: orderId } = params;
    try {
      const order = await session.reader.read(ORDER_STATE_METHOD, params, { timeoutMs: READ_TIMEOUT_MS, signal });
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
  /** Reads an order with the flag of its margin: with the other one, the exchange doesn't find it. */
  const readSingle = async (orderId: string, signal: AbortSignal): Promise<Finding> => {
    for (const flags of flagsOf(slotsNow(), orderId)) {
      const finding = await readFlagged({ order_id: orderId, ...flags }, signal);
      if (finding.kind !== "absent") return finding;
    }
    return { kind: "absent" };
  };
  const readRows = async (list: OpenOrdersQuery = {}): Promise<readonly unknown[]> => {
    const response = await session.reader.readResponse(OPEN_ORDERS_METHOD, list, { timeoutMs: READ_TIMEOUT_MS });
    if (!Array.isArray(response.result))
      throw new CallError({ kind: "unreadableResult", detail: l10n.t("the open orders are not an array") });
    const rows: readonly unknown[] = response.result;
    return rows;
  };
  /** Reads the list that has an order of the gateway. One that may be in another list is not absent. */
  const readOwnList = async (slots: SlotKnowledge, orderId: string): Promise<Finding> => {
    const list = listOf(slots.marginOf(orderId));
    const finding = findInList(await readRows(list.params), orderId);
    if (finding.kind === "absent") refuseIsolated(!list.isSure);
    return finding;
  };
  const readList = async (orderId: string): Promise<Finding> => {
    const slots = slotsNow();
    if (slots !== undefined) return await readOwnList(slots, orderId);
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
    async readOpen(orderIds) {
      const slots = slotsNow();
      if (slots === undefined) {
        const { states, isNamed: isWhole } = openStates(await readRows());
        return { states, isWhole: () => isWhole && !hasIsolated() };
      }
      const lists = new Map([...orderIds].map((id) => [id, listOf(slots.marginOf(id))]));
      const read = new Map<string, ReturnType<typeof openStates>>();
      for (const { params } of lists.values()) {
        const key = JSON.stringify(params);
        if (!read.has(key)) read.set(key, openStates(await readRows(params)));
      }
      return {
        states: new Map([...read.values()].flatMap(({ states }) => [...states])),
        isWhole(orderId) {
          const list = lists.get(orderId);
          return list?.isSure === true && read.get(JSON.stringify(list.params))?.isNamed === true;
        },
      };
    },
  };
}

/** The list that has an order. `isSure`: whether an order that is absent from it is open nowhere. */
interface OwnList {
  readonly params: OpenOrdersQuery & { readonly include_isolated?: true; readonly subaccount_id?: number };
  readonly isSure: boolean;
}

/**
 * Returns the list that has an order: that of the account, or that of its slot, which can be missing from the one with
 * both kinds.
 */
function listOf(margin: OrderMargin | undefined): OwnList {
  if (margin === "cross") return { params: {}, isSure: true };
  return margin?.slot === undefined
    ? { params: { include_isolated: true }, isSure: false }
    : { params: { subaccount_id: margin.slot }, isSure: true };
}

/** Returns the flags with which an order is read: both ways where its margin is not known. */
function flagsOf(slots: SlotKnowledge | undefined, orderId: string): readonly { readonly isolated?: true }[] {
  if (slots === undefined) return [{}];
  const margin = slots.marginOf(orderId);
  if (margin === undefined) return [{}, { isolated: true }];
  return margin === "cross" ? [{}] : [{ isolated: true }];
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

/** Returns the open orders among the rows. `isNamed`: whether every row names an order. */
function openStates(rows: readonly unknown[]): {
  readonly states: ReadonlyMap<string, string>;
  readonly isNamed: boolean;
} {
  const states = new Map<string, string>();
  for (const row of rows) {
    if (!isNamed(row)) continue;
    const finding = findingOf(typeof row.order_state === "string" ? row.order_state : "open", undefined);
    if (finding.kind === "open") states.set(row.order_id, finding.state);
  }
  return { states, isNamed: rows.every(isNamed) };
}

function isNamed(row: unknown): row is { readonly order_id: string; readonly order_state?: unknown } {
  return isRow(row) && typeof row.order_id === "string";
}

function isRow(value: unknown): value is { readonly order_id?: unknown; readonly order_state?: unknown } {
  return typeof value === "object" && value !== null;
}
