import type { Order, OrderItem } from "../state/orders.ts";

/**
 * Which orders stand in which group, kept up to date order by order: a change costs as much as it touches, not as much
 * as there is. Groups and their orders stand in the order of their coming.
 */
export interface OrderIndex {
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The group in which an order stands; undefined when it is hidden or unknown. */
  groupOf(orderId: string): string | undefined;
  /** Looks again at one order. Says which groups gained or lost it, and whether a group came or went. */
  update(orderId: string, item: OrderItem | undefined): IndexChange;
  /** How many orders are shown. */
  readonly count: number;
}

export interface IndexChange {
  readonly groups: readonly string[];
  readonly hasNewOrLostGroup: boolean;
}

/** Sorts orders into groups; `keyOf` gives none to those that are hidden. */
export function createOrderIndex(items: ReadonlyMap<string, OrderItem>, keyOf: (order: Order) => string | undefined): OrderIndex {
  const groups = new Map<string, Set<string>>();
  const places = new Map<string, string>();

  const add = (orderId: string, key: string): boolean => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, new Set([orderId]));
    else group.add(orderId);
    places.set(orderId, key);
    return group === undefined;
  };
  const remove = (orderId: string, key: string): boolean => {
    const group = groups.get(key);
    group?.delete(orderId);
    places.delete(orderId);
    return group?.size === 0 && groups.delete(key);
  };

  for (const [orderId, { order }] of items) {
    const key = keyOf(order);
    if (key !== undefined) add(orderId, key);
  }

  return {
    groups,
    groupOf: (orderId) => places.get(orderId),
    get count() {
      return places.size;
    },
    update(orderId, item) {
      const before = places.get(orderId);
      const after = item === undefined ? undefined : keyOf(item.order);
      if (before === after) return NO_CHANGE;
      const isLost = before !== undefined && remove(orderId, before);
      const isNew = after !== undefined && add(orderId, after);
      return { groups: [before, after].filter((key) => key !== undefined), hasNewOrLostGroup: isLost || isNew };
    },
  };
}

const NO_CHANGE: IndexChange = { groups: [], hasNewOrLostGroup: false };
