import { sampleOf } from "../../state/orderItems.ts";
import type { Order, OrderItem } from "../../state/orders.ts";

/**
 * An index of the orders in each group, kept up to date order by order. A change costs as much as it touches, not as
 * much as there is. Groups and their orders stand in the order of their arrival.
 *
 * Within a group, an order is below the one that triggers it, which names it in `oto_order_ids`. The first of
 * several that name it has it, and there is only one level below the top: links are what a server says, and links in a
 * circle or to unknown orders hide none.
 */
export interface OrderIndex {
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** Returns the group in which an order stands; undefined when it is hidden or unknown. */
  groupOf(orderId: string): string | undefined;
  /** Returns the orders of a group that are below no other. Those that cancel each other are next to each other. */
  topOf(key: string): readonly string[];
  /** Returns the orders below an order. */
  below(orderId: string): readonly string[];
  /** Returns the order that an order is below. */
  parentOf(orderId: string): string | undefined;
  /** Updates one order. Returns which groups gained, lost or rearranged it, and whether a group came or went. */
  update(orderId: string, item: OrderItem | undefined): IndexChange;
  /** The number of orders that are shown. */
  readonly count: number;
}

interface IndexChange {
  readonly groups: readonly string[];
  readonly hasNewOrLostGroup: boolean;
}

/** Sorts orders into groups; `keyOf` gives none to those that are hidden. */
export function createOrderIndex(
  items: ReadonlyMap<string, OrderItem>,
  keyOf: (item: OrderItem) => string | undefined,
): OrderIndex {
  const groups = new Map<string, Set<string>>();
  let count = 0;
  /** A map that is made when it is first asked for, because the first rows need the groups alone. */
  let known: Map<string, string> | undefined;
  const places = (): Map<string, string> => (known ??= placesIn(groups));
  /** The orders with links. Mostly there are none: then no order costs more than a look at this map. */
  const linked = new Map<string, Order>();
  const families = new Map<string, Family>();
  const familyOf = (key: string): Family => {
    const family = families.get(key) ?? familyIn(groups.get(key) ?? new Set(), linked);
    families.set(key, family);
    return family;
  };
  const familyAround = (orderId: string): Family | undefined =>
    linked.size === 0 ? undefined : familyOf(places().get(orderId) ?? "");

  const link = (order: Order | undefined): void => {
    if (order !== undefined && hasLinks(order)) linked.set(order.order_id, order);
  };
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

  // A loop would be compiled again while it runs, which takes longer than what it does.
  items.forEach((item, orderId) => {
    const key = keyOf(item);
    if (key === undefined) return;
    add(orderId, key);
    if (hasLinks(sampleOf(item))) link(item.order);
  });

  return {
    groups,
    groupOf: (orderId) => places().get(orderId),
    topOf: (key) => (linked.size === 0 ? [...(groups.get(key) ?? [])] : familyOf(key).top),
    below: (orderId) => (linked.has(orderId) ? familyAround(orderId)?.below.get(orderId) : undefined) ?? [],
    parentOf: (orderId) => familyAround(orderId)?.parents.get(orderId),
    get count() {
      return count;
    },
    update(orderId, item) {
      const before = places().get(orderId);
      const after = item === undefined ? undefined : keyOf(item);
      const isMoved = before !== after;
      const order = after === undefined ? undefined : item?.order;
      const isRelinked = linksOf(linked.get(orderId)) !== linksOf(order);
      if (!isMoved && !isRelinked) return NO_CHANGE;
      families.clear();
      if (isRelinked) {
        linked.delete(orderId);
        link(order);
      }
      if (after === undefined) places().delete(orderId);
      else places().set(orderId, after);
      const isLost = isMoved && before !== undefined && remove(orderId, before);
      const isNew = isMoved && after !== undefined && add(orderId, after);
      return { groups: [before, after].filter((key) => key !== undefined), hasNewOrLostGroup: isLost || isNew };
    },
  };
}

function hasLinks({ oto_order_ids: others, oco_ref: ref }: Order): boolean {
  return others !== undefined || ref !== undefined;
}

/** The orders of a group, arranged by their links. */
interface Family {
  readonly top: readonly string[];
  readonly below: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
}

function familyIn(group: ReadonlySet<string>, linked: ReadonlyMap<string, Order>): Family {
  const named = new Map<string, string>();
  for (const [id, { oto_order_ids: others = [] }] of linked) {
    if (!group.has(id)) continue;
    for (const other of others) if (other !== id && group.has(other) && !named.has(other)) named.set(other, id);
  }
  const top: string[][] = [];
  const together = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const id of group) {
    const parent = named.get(id);
    const ref = linked.get(id)?.oco_ref;
    if (parent !== undefined && !named.has(parent)) {
      parents.set(id, parent);
      listIn(below, parent).push(id);
    } else if (ref === undefined) top.push([id]);
    else {
      if (!together.has(ref)) top.push(listIn(together, ref));
      listIn(together, ref).push(id);
    }
  }
  return { top: top.flat(), below, parents };
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Returns the links of an order as a text, to compare; undefined where it has none, as nearly all have. */
function linksOf(order: Order | undefined): string | undefined {
  return order === undefined || !hasLinks(order) ? undefined : JSON.stringify([order.oto_order_ids, order.oco_ref]);
}

function placesIn(groups: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string> {
  const places = new Map<string, string>();
  for (const [key, group] of groups) for (const orderId of group) places.set(orderId, key);
  return places;
}

const NO_CHANGE: IndexChange = { groups: [], hasNewOrLostGroup: false };
