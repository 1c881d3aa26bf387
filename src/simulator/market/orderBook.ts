import type { Random } from "../../base/clock.ts";
import { createLatestMap } from "../../exchange/keepLatest.ts";
import { isCancellable, type WorldOrder } from "./orders.ts";
import { randomInteger } from "../text/seededRandom.ts";

/** The orders by state: open ones in the order of their placing, and the latest closed ones. */
export interface OrderBook {
  /** Files the order under its state. */
  keep(order: WorldOrder): void;
  find(id: string): WorldOrder | undefined;
  open(): Iterable<WorldOrder>;
  closed(): Iterable<WorldOrder>;
  readonly openCount: number;
  pick(random: Random): WorldOrder | undefined;
  /**
   * Returns the effects on other orders when this one has closed: they become active, or are cancelled for a reason.
   */
  linkedTo(order: WorldOrder): { readonly linked: WorldOrder; readonly action: string }[];
}

/** The number of closed orders that private/get_order_state still knows. */
const MAX_CLOSED = 10_000;

export function createOrderBook(): OrderBook {
  const open = new Map<string, WorldOrder>();
  const closed = createLatestMap<WorldOrder>(MAX_CLOSED);
  // The open orders once more, so that picking one by chance does not walk through all of them.
  const pickable: WorldOrder[] = [];
  const places = new Map<string, number>();
  const remove = (order: WorldOrder): void => {
    const place = places.get(order.order_id);
    const last = pickable.pop();
    if (place === undefined || last === undefined) return;
    places.delete(order.order_id);
    if (last === order) return;
    pickable[place] = last;
    places.set(last.order_id, place);
  };
  return {
    keep(order) {
      if (isCancellable(order)) {
        if (open.has(order.order_id)) return;
        open.set(order.order_id, order);
        places.set(order.order_id, pickable.push(order) - 1);
        return;
      }
      if (open.delete(order.order_id)) remove(order);
      closed.set(order.order_id, order);
    },
    find: (id) => open.get(id) ?? closed.get(id),
    open: () => open.values(),
    closed: () => closed.values(),
    get openCount() {
      return open.size;
    },
    pick: (random) => (pickable.length === 0 ? undefined : pickable[randomInteger(random, 0, pickable.length - 1)]),
    linkedTo(order) {
      const links: { linked: WorldOrder; action: string }[] = [];
      const isFilled = order.order_state === "filled";
      for (const id of order.oto_order_ids ?? []) {
        const linked = open.get(id);
        if (linked !== undefined) links.push({ linked, action: isFilled ? "activate" : "oto_primary_closed" });
      }
      if (order.oco_ref === undefined) return links;
      for (const linked of open.values()) {
        if (linked.oco_ref === order.oco_ref && linked !== order) links.push({ linked, action: "oco_other_closed" });
      }
      return links;
    },
  };
}
