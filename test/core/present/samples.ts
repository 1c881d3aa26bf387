import { createTimes } from "../../../src/present/text/times.ts";
import type { Row, TooltipLine } from "../../../src/present/rows/row.ts";
import type { Order, OrderItem } from "../../../src/state/orders.ts";
import type { Snapshot } from "../../../src/state/snapshot.ts";

/** 2026-11-20 12:00:00 UTC, one hour later in Berlin. */
export const NOON_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
export const BERLIN = createTimes(60);

export function order(order_id: string, members: Partial<Order> = {}): Order {
  return {
    order_id,
    instrument_name: "ETH-PERPETUAL",
    order_state: "open",
    direction: "buy",
    amount: 40,
    filled_amount: 0,
    price: 2100,
    order_type: "limit",
    time_in_force: "good_til_cancelled",
    label: "",
    creation_timestamp: NOON_MS,
    last_update_timestamp: NOON_MS,
    ...members,
  };
}

/** An order as the store holds it; what has an end state has ended. */
export function item(of: Order, endedAtMs?: number): OrderItem {
  return { order: of, endedAtMs };
}

export function snapshot(
  orders: readonly (Order | OrderItem)[],
  members: Partial<Snapshot<OrderItem>> = {},
): Snapshot<OrderItem> {
  const items = orders.map((each) =>
    "order" in each && typeof each.order === "object" ? (each as OrderItem) : item(each as Order),
  );
  return {
    status: "live",
    items: new Map(items.map((each) => [each.order.order_id, each])),
    readAtMs: NOON_MS,
    failure: undefined,
    unreadable: [],
    ...members,
  };
}

/** Everything of a row that is seen, in one line. */
export function lineOf(row: Row | undefined): string {
  if (row === undefined) return "(none)";
  const icon =
    row.icon === undefined ? "" : `[${row.icon.name}${row.icon.color === undefined ? "" : ` ${row.icon.color}`}] `;
  const marks = { none: "", collapsed: " ▸", expanded: " ▾" }[row.children];
  return `${icon}${row.label} | ${row.description} | ${row.contextValue}${marks}`;
}

export function textOf(lines: readonly TooltipLine[]): string[] {
  return lines.map(({ name, value }) => (name === undefined ? value : `${name} = ${value}`));
}
