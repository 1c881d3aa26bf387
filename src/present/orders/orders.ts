import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { instrumentNameOf } from "../../state/orderItems.ts";
import { openOrder, type Order, type OrderItem, type OrdersChange } from "../../state/orders.ts";
import type { Environment } from "../../state/records.ts";
import type { Snapshot } from "../../state/snapshot.ts";
import { fieldLines, fieldRows, fieldTooltip, findFieldRow, type FieldsPlace } from "../rows/objectFields.ts";
import { markDistance } from "./orderWords.ts";
import { createOrderIndex, type OrderIndex } from "./orderIndex.ts";
import { fieldsRow, groupRow, groupRowId, moreRow, sourceRow, sourceRowId, unreadableRow } from "./orderLevels.ts";
import {
  isSameContext,
  ORDER_FIELDS,
  orderAge,
  orderRow,
  orderRowId,
  orderTooltip,
  type OrderRowContext,
} from "./orderRow.ts";
import { compileFilter, isFilteringOrders, type OrdersFilter } from "./ordersFilter.ts";
import { groupName, instrumentGroup, type OrderGrouping } from "./ordersGrouping.ts";
import { sortOrders, type OrderSorting } from "./ordersSorting.ts";
import { countText } from "../text/numbers.ts";
import type { PendingChange } from "../outcomes/pendingChanges.ts";
import { branchState, isKeyless, noKeyText } from "../rows/resourceHeading.ts";
import { rowId, rowIdParts, sentenceLines, type Row, type RowTree, type TooltipLine } from "../rows/row.ts";
import type { Times } from "../text/times.ts";

/** The orders of one connection. Its members are read each time, so that they may be getters. */
export interface OrdersSource {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly environment: Environment;
  readonly snapshot: Snapshot<OrderItem>;
  readonly pending: ReadonlyMap<string, PendingChange>;
  /** The scope that the key lacks to cancel; undefined where it may, or where that is unknown. */
  readonly missingToCancel?: Plain | undefined;
  /** Whether the account has isolated orders, which the list leaves out; left out, it has none. */
  readonly hasIsolated?: boolean;
  /** Returns the mark price of an instrument; undefined where none is known that is recent (default: none is). */
  readonly markOf?: (instrumentName: string) => number | undefined;
}

/** The contents and options of the view. */
export interface OrdersView {
  /** The connections that are open or were lost, in the order of the Connections view. */
  readonly sources: readonly OrdersSource[];
  readonly groupBy: OrderGrouping;
  /** The sorting; left out, orders stand as they were received. */
  readonly sortBy?: OrderSorting;
  readonly filter: OrdersFilter;
  /** The number of rows that a level shows at first, and that "Show more" adds. */
  readonly pageSize: number;
  /** The number of rows of a level by the ID of its parent, where "Show more" was used; `pageSize` elsewhere. */
  readonly shownRows: ReadonlyMap<string | undefined, number>;
  readonly times: Times;
  /** The present, in ms since the Unix epoch, for the age of orders (default: rows show none). */
  readonly nowMs?: number;
}

/** The rows of the Open Orders view. */
export interface OrdersTree extends RowTree {
  /**
   * Takes a change of a store; must be called for each. Returns the levels that gained or lost rows: row IDs, and
   * undefined for the first level.
   */
  take(connectionId: string, change: OrdersChange): ReadonlySet<string | undefined>;
  /** Rebuilds the rows; must be called when sources came or went, or grouping, sorting or filter changed. */
  rearrange(): void;
  /**
   * Returns the open orders below the row of a group, including those on pages that are not shown yet. Undefined for
   * any other row.
   */
  membersOf(id: string): readonly Order[] | undefined;
  /** The rows of all groups. */
  readonly groups: readonly Row[];
  /** The number of orders that are shown, and of all. */
  readonly counts: { readonly shown: number; readonly all: number };
}

/** The number of groups above which they start closed, because VS Code makes a row for all that is open. */
const MAX_OPEN_GROUPS = 20;

/** Makes rows from `view`. Expensive parts are kept and brought up to date. */
export function createOrdersTree(view: () => OrdersView): OrdersTree {
  return new OrderRows(view);
}

/** A connection with its orders sorted into groups; the only group has no name when they are not grouped. */
interface Branch {
  readonly source: OrdersSource;
  readonly index: OrderIndex;
}

class OrderRows implements OrdersTree {
  readonly #view: () => OrdersView;
  readonly #orderRowsMade = new WeakMap<OrderItem, { readonly context: OrderRowContext; readonly row: Row }>();
  #branches: ReadonlyMap<string, Branch> | undefined;

  constructor(view: () => OrdersView) {
    this.#view = view;
  }

  get counts(): OrdersTree["counts"] {
    const branches = [...this.#arranged().values()];
    return {
      shown: branches.reduce((sum, { index }) => sum + index.count, 0),
      all: branches.reduce((sum, { source }) => sum + source.snapshot.items.size, 0),
    };
  }

  get groups(): readonly Row[] {
    if (this.#view().groupBy === "none") return [];
    return [...this.#arranged().values()].flatMap((branch) =>
      [...branch.index.groups.keys()].flatMap((key) => this.#groupRow(branch, key) ?? []),
    );
  }

  membersOf(id: string): readonly Order[] | undefined {
    const place = this.#find(id);
    if (place?.kind !== "group") return undefined;
    const { items } = place.branch.source.snapshot;
    return [...(place.branch.index.groups.get(place.key) ?? [])].flatMap(
      (orderId) => openOrder({ items }, orderId) ?? [],
    );
  }

  rearrange(): void {
    this.#branches = undefined;
  }

  take(connectionId: string, change: OrdersChange): ReadonlySet<string | undefined> {
    if (change.membership === "reset") this.rearrange();
    const branch = this.#branches?.get(connectionId);
    if (branch === undefined) return change.membership === "same" ? new Set() : new Set([undefined]);
    const levels = new Set<string | undefined>();
    for (const orderId of change.changed) {
      const { groups, hasNewOrLostGroup } = branch.index.update(orderId, branch.source.snapshot.items.get(orderId));
      if (hasNewOrLostGroup) levels.add(this.#sourceLevel(branch));
      for (const group of groups) {
        levels.add(this.#groupLevel(branch, group));
        // A group of one order has no row, and gets one with the second.
        if ((branch.index.groups.get(group)?.size ?? 0) <= 2) levels.add(this.#sourceLevel(branch));
      }
      // Its row says how many there are.
      if (groups.length > 0 && this.#arranged().size > 1) levels.add(this.#sourceLevel(branch));
    }
    return levels;
  }

  children(parentId: string | undefined): readonly Row[] {
    const branches = [...this.#arranged().values()];
    if (parentId === undefined) {
      const [first] = branches;
      return branches.length === 1 && first !== undefined
        ? this.#branchRows(first)
        : branches.map((branch) => branchRow(branch, this.#view().times));
    }
    const place = this.#find(parentId);
    switch (place?.kind) {
      case "source":
        return this.#branchRows(place.branch);
      case "group":
        return this.#orderRows(place.branch.index.topOf(place.key), place.branch, parentId);
      case "order":
      case "fields":
        return this.#rowsOfOrder(parentId, place);
      case "unreadable":
        return fieldRows(place.object, this.#fieldsPlace(parentId, place));
      case "field":
      case undefined:
        return [];
    }
  }

  row(id: string): Row | undefined {
    const place = this.#find(id);
    switch (place?.kind) {
      case "source":
        return branchRow(place.branch, this.#view().times);
      case "group":
        return this.#groupRow(place.branch, place.key);
      case "order":
        return place.item === undefined ? undefined : this.#orderRow(place.item, place.branch, place.objectId);
      case "fields":
        return place.item === undefined ? undefined : fieldsRow(place.branch.source.connectionId, place.objectId);
      case "unreadable":
        return unreadableRow(place.branch.source.connectionId, Number(place.objectId), place.object);
      case "field":
        return findFieldRow(place.object, place.name, this.#fieldsPlace(place.parentId, place));
      case undefined:
        return this.#moreRow(id);
    }
  }

  parentOf(id: string): string | undefined {
    const place = this.#find(id);
    switch (place?.kind) {
      case "group":
      case "unreadable":
        return this.#sourceLevel(place.branch);
      case "order":
        return this.#parentOfOrder(place.branch, place.objectId);
      case "fields":
        return place.item === undefined ? undefined : orderRowId(place.branch.source.connectionId, place.objectId);
      case "field":
        return place.parentId;
      case "source":
        return undefined;
      case undefined:
        return this.#moreRow(id)?.showsMoreOf?.parentId;
    }
  }

  #parentOfOrder(branch: Branch, orderId: string): string | undefined {
    const { index, source } = branch;
    const parent = index.parentOf(orderId);
    if (parent !== undefined) return orderRowId(source.connectionId, parent);
    const group = index.groupOf(orderId);
    if (group === undefined) return undefined;
    return index.groups.get(group)?.size === 1 ? this.#sourceLevel(branch) : this.#groupLevel(branch, group);
  }

  tooltip(id: string): readonly TooltipLine[] {
    const place = this.#find(id);
    const { times } = this.#view();
    switch (place?.kind) {
      case "order":
        return place.item === undefined
          ? []
          : orderTooltip(place.item, this.#rowContext(place.branch, place.objectId), times);
      case "field":
        return fieldTooltip(place.object, place.name, times);
      case "unreadable": {
        const told = l10n.t(
          "This response item has no order ID, so no actions are available. It is shown as received.",
        );
        return [...sentenceLines([told]), ...fieldLines(place.object, times)];
      }
      case "source": {
        const { environment, connectionName, snapshot } = place.branch.source;
        return sentenceLines([
          isKeyless(snapshot)
            ? noKeyText(environmentWords(environment, connectionName))
            : branchRow(place.branch, times).spoken,
        ]);
      }
      case "fields":
      case "group":
      case undefined:
        return [{ name: undefined, value: this.row(id)?.spoken ?? "" }];
    }
  }

  #arranged(): ReadonlyMap<string, Branch> {
    this.#branches ??= arrange(this.#view());
    return this.#branches;
  }

  #branchRows(branch: Branch): Row[] {
    const { unreadable } = branch.source.snapshot;
    const level = this.#sourceLevel(branch);
    const rows =
      this.#view().groupBy === "none"
        ? this.#orderRows(branch.index.topOf(""), branch, level)
        : this.#page([...branch.index.groups.keys()], branch, level, (key) => this.#groupOrOrder(branch, key));
    return [...rows, ...unreadable.map((object, index) => unreadableRow(branch.source.connectionId, index, object))];
  }

  #orderRows(orderIds: readonly string[], branch: Branch, level: string | undefined): Row[] {
    return this.#page(orderIds, branch, level, (orderId) => {
      const item = branch.source.snapshot.items.get(orderId);
      return item === undefined ? undefined : this.#orderRow(item, branch, orderId);
    });
  }

  /** Returns the row of a group, or that of its only order: a heading would say nothing that the order doesn't. */
  #groupOrOrder(branch: Branch, key: string): Row | undefined {
    const group = branch.index.groups.get(key);
    const [only] = group?.size === 1 ? group : [];
    const item = only === undefined ? undefined : branch.source.snapshot.items.get(only);
    return only === undefined || item === undefined ? this.#groupRow(branch, key) : this.#orderRow(item, branch, only);
  }

  /** Returns the row of an order; the same one until something of it changes, because a row is asked for repeatedly. */
  #orderRow(item: OrderItem, branch: Branch, orderId: string): Row {
    const context = this.#rowContext(branch, orderId);
    const known = this.#orderRowsMade.get(item);
    if (known !== undefined && isSameContext(known.context, context)) return known.row;
    const row = orderRow(item, context);
    this.#orderRowsMade.set(item, { context, row });
    return row;
  }

  /** Returns the rows below an order: the orders that it triggers, the fields that matter, and a row with all. */
  #rowsOfOrder(parentId: string, place: Extract<Place, { kind: "order" | "fields" }>): Row[] {
    const { kind, branch, objectId, item } = place;
    if (item === undefined) return [];
    const fields = this.#fieldsPlace(parentId, place);
    if (kind === "fields") return fieldRows(item.order, fields);
    return [
      ...this.#orderRows(branch.index.below(objectId), branch, parentId),
      ...fieldRows(item.order, fields, ORDER_FIELDS),
      fieldsRow(branch.source.connectionId, objectId),
    ];
  }

  #page(
    keys: readonly string[],
    branch: Branch,
    level: string | undefined,
    toRow: (key: string) => Row | undefined,
  ): Row[] {
    const { shownRows, pageSize } = this.#view();
    const shown = shownRows.get(level) ?? pageSize;
    const rows = keys
      .slice(0, shown)
      .map(toRow)
      .filter((row) => row !== undefined);
    return keys.length > shown
      ? [
          ...rows,
          moreRow(branch.source.connectionId, level, {
            next: Math.min(pageSize, keys.length - shown),
            all: keys.length,
          }),
        ]
      : rows;
  }

  #groupRow(branch: Branch, key: string): Row | undefined {
    const size = branch.index.groups.get(key)?.size;
    return size === undefined
      ? undefined
      : groupRow(branch.source.connectionId, key, size, branch.index.groups.size <= MAX_OPEN_GROUPS);
  }

  /** Returns a "Show more" row, which is made with its level and found there. */
  #moreRow(id: string): Row | undefined {
    const [, , sort, level = ""] = rowIdParts(id);
    return sort === "more" ? this.children(level === "" ? undefined : level).find((row) => row.id === id) : undefined;
  }

  /** Returns the level of a source. If there is only one connection, its rows are the first level. */
  #sourceLevel({ source }: Branch): string | undefined {
    return this.#arranged().size > 1 ? sourceRowId(source.connectionId) : undefined;
  }

  #groupLevel(branch: Branch, key: string): string | undefined {
    return this.#view().groupBy === "none" ? this.#sourceLevel(branch) : groupRowId(branch.source.connectionId, key);
  }

  #rowContext({ source, index }: Branch, orderId: string): OrderRowContext {
    const { groupBy, nowMs } = this.#view();
    const order = source.snapshot.items.get(orderId)?.order;
    return {
      connectionId: source.connectionId,
      pending: source.pending.get(orderId),
      isStale: source.snapshot.status !== "live",
      namesInstrument: groupBy !== "instrument" || index.groups.get(index.groupOf(orderId) ?? "")?.size === 1,
      hasOrdersBelow: index.below(orderId).length > 0,
      distance: order === undefined ? undefined : markDistance(order, source.markOf),
      ageMinutes: orderAge(order, nowMs),
    };
  }

  #fieldsPlace(
    parentId: string,
    { branch, objectId }: { readonly branch: Branch; readonly objectId: string },
  ): FieldsPlace {
    return { connectionId: branch.source.connectionId, objectId, parentId, times: this.#view().times };
  }

  #find(id: string): Place | undefined {
    const parts = rowIdParts(id);
    const [connectionId = "", , sort, key = ""] = parts;
    const branch = this.#arranged().get(connectionId);
    if (branch === undefined) return undefined;
    if (sort === undefined) return { kind: "source", branch };
    if (sort === "group") return { kind: "group", branch, key };
    return sort === "order" || sort === "unreadable" ? placeAround(branch, sort, key, parts) : undefined;
  }
}

/** The meaning of an ID. */
type Place =
  | { readonly kind: "source"; readonly branch: Branch }
  | { readonly kind: "group"; readonly branch: Branch; readonly key: string }
  | {
      readonly kind: "order" | "fields";
      readonly branch: Branch;
      readonly objectId: string;
      readonly item: OrderItem | undefined;
    }
  | { readonly kind: "unreadable"; readonly branch: Branch; readonly objectId: string; readonly object: unknown }
  | {
      readonly kind: "field";
      readonly branch: Branch;
      readonly objectId: string;
      readonly object: unknown;
      readonly name: string;
      readonly parentId: string;
    };

/** Returns the meaning of an ID that begins with the kind and the key of an object. */
function placeAround(
  branch: Branch,
  sort: "order" | "unreadable",
  objectId: string,
  parts: readonly string[],
): Place | undefined {
  const { connectionId, snapshot } = branch.source;
  const item = sort === "order" ? snapshot.items.get(objectId) : undefined;
  // A member has two parts of its own, below its object as well as below the row of all members.
  const isField = parts.length > 5;
  if (sort === "order" && !isField) return { kind: parts.length > 4 ? "fields" : "order", branch, objectId, item };
  const object = sort === "order" ? item?.order : snapshot.unreadable[Number(objectId)];
  if (object === undefined) return undefined;
  const parentId = rowId(connectionId, ...parts.slice(1, -2));
  return isField
    ? { kind: "field", branch, objectId, object, name: parts.at(-1) ?? "", parentId }
    : { kind: "unreadable", branch, objectId, object };
}

function arrange({ sources, groupBy, sortBy = "received", filter }: OrdersView): ReadonlyMap<string, Branch> {
  const fits = compileFilter(filter);
  // The instrument of an order is known before the order is parsed.
  const keyOf =
    groupBy === "instrument" && !isFilteringOrders(filter)
      ? (item: OrderItem) => instrumentGroup(instrumentNameOf(item))
      : ({ order }: OrderItem) => (fits(order) ? groupName(groupBy, order) : undefined);
  return new Map(
    sources.map((source) => [
      source.connectionId,
      { source, index: createOrderIndex(sortOrders(source.snapshot.items, sortBy), keyOf) },
    ]),
  );
}

function branchRow({ source, index }: Branch, times: Times): Row {
  const { connectionId, environment, connectionName, snapshot } = source;
  return sourceRow(
    connectionId,
    environmentWords(environment, connectionName),
    branchState(snapshot, countText(index.count), times),
    isKeyless(snapshot),
  );
}
