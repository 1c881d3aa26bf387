import type { Order, OrderItem } from "../../state/orders.ts";

/**
 * An index of the orders in each group, kept up to date order by order. A change costs as much as it touches, not as
 * much as there is. Groups and their orders stand in the order of their arrival.
 */
export interface OrderIndex {
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** Returns the group in which an order stands; undefined when it is hidden or unknown. */
  groupOf(orderId: string): string | undefined;
  /** Updates one order. Returns which groups gained or lost it, and whether a group came or went. */
  update(orderId: string, item: OrderItem | undefined): IndexChange;
  /** The number of orders that are shown. */
  readonly count: number;
}

export interface IndexChange {
  readonly groups: readonly string[];
  readonly hasNewOrLostGroup: boolean;
}

/** Sorts orders into groups; `keyOf` gives none to those that are hidden. */
export function createOrderIndex(
  items: ReadonlyMap<string, OrderItem>,
  keyOf: (order: Order) => string | undefined,
): OrderIndex {
  const groups = new Map<string, Set<string>>();
  let count = 0;
  /** A map that is made when it is first asked for, because the first rows need the groups alone. */
  let known: Map<string, string> | undefined;
  const places = (): Map<string, string> => (known ??= placesIn(groups));

  const add = (orderId: string, key: string): boolean => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, new Set([orderId]));
    else group.add(orderId);
    count++;
    return group === undefined;
  };
  const remove = (orderId: string, key: string): boolean => {
    const group = groups.get(key);
    if (group?.delete(orderId) === true) count--;
    return group?.size === 0 && groups.delete(key);
  };

  // A loop would be compiled anew while it runs, which takes longer than what it does.
  items.forEach(({ order }, orderId) => {
    const key = keyOf(order);
    if (key !== undefined) add(orderId, key);
  });

  return {
    groups,
    groupOf: (orderId) => places().get(orderId),
    get count() {
      return count;
    },
    update(orderId, item) {
      const before = places().get(orderId);
      const after = item === undefined ? undefined : keyOf(item.order);
      if (before === after) return NO_CHANGE;
      if (after === undefined) places().delete(orderId);
      else places().set(orderId, after);
      const isLost = before !== undefined && remove(orderId, before);
      const isNew = after !== undefined && add(orderId, after);
      return { groups: [before, after].filter((key) => key !== undefined), hasNewOrLostGroup: isLost || isNew };
    },
  };
}

function placesIn(groups: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string> {
  const places = new Map<string, string>();
  for (const [key, group] of groups) for (const orderId of group) places.set(orderId, key);
  return places;
}

const NO_CHANGE: IndexChange = { groups: [], hasNewOrLostGroup: false };
