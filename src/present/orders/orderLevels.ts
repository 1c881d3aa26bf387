import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { countText } from "../text/numbers.ts";
import { rowId, WARNING_ICON, type Row } from "../rows/row.ts";

/* Rows of the Open Orders view that are not orders: connections, groups, what cannot be read, "Show more". */

export function sourceRowId(connectionId: string): string {
  return rowId(connectionId, "orders");
}

export function groupRowId(connectionId: string, key: string): string {
  return rowId(connectionId, "orders", "group", key);
}

/** Makes a row that isn't an order and has nothing to open or copy, unless it says so. */
function levelRow(
  connectionId: string,
  parts: readonly string[],
  row: Pick<Row, "label" | "spoken" | "contextValue"> & Partial<Row>,
): Row {
  return {
    id: rowId(connectionId, "orders", ...parts),
    connectionId,
    objectId: undefined,
    description: "",
    icon: undefined,
    children: "none",
    copyText: "",
    ...row,
  };
}

/**
 * Returns the row of a connection, where there are several. `label` names environment and connection, `state` says how
 * many orders, or why none.
 */
export function sourceRow(connectionId: string, label: Plain, state: Plain, isBare: boolean): Row {
  return levelRow(connectionId, [], {
    label,
    description: state,
    icon: { name: "plug", color: undefined },
    spoken: isBare ? l10n.t("Connection {0}: {1}", label, state) : l10n.t("{0}: open orders: {1}", label, state),
    contextValue: isBare ? "orders.connection.noKey" : "orders.connection",
    children: isBare ? "none" : "expanded",
  });
}

export function groupRow(connectionId: string, key: string, size: number, isOpen: boolean): Row {
  const label = plain.name(key);
  return levelRow(connectionId, ["group", key], {
    objectId: key,
    label,
    description: countText(size),
    spoken: l10n.t("{0}: open orders: {1}", label, countText(size)),
    contextValue: "orders.group",
    children: isOpen ? "expanded" : "collapsed",
    copyText: key,
  });
}

/** Returns a row of the response that names no order. Its place among such rows tells it from others. */
export function unreadableRow(connectionId: string, index: number, object: unknown): Row {
  return levelRow(connectionId, ["unreadable", String(index)], {
    label: l10n.t("Unreadable"),
    description: l10n.t("item {0}, shown raw", index + 1),
    icon: WARNING_ICON,
    spoken: l10n.t("This response item has no order ID. It is shown as received."),
    contextValue: "order.unreadable",
    children: "collapsed",
    copyText: JSON.stringify(object),
  });
}

/** Returns the row that all members of an order stand below: beside the orders below it, they would hide these. */
export function fieldsRow(connectionId: string, orderId: string): Row {
  return levelRow(connectionId, ["order", orderId, "fields"], {
    objectId: orderId,
    label: l10n.t("All Fields"),
    spoken: l10n.t("All fields of order {0}", plain.name(orderId)),
    contextValue: "fields",
    children: "collapsed",
  });
}

/** Returns a "Show more" row. `next`: the number of rows that it adds, of `all` on the level. */
export function moreRow(
  connectionId: string,
  level: string | undefined,
  { next, all }: { readonly next: number; readonly all: number },
): Row {
  return levelRow(connectionId, ["more", level ?? ""], {
    label: l10n.t("Show {0} more of {1}", countText(next), countText(all)),
    icon: { name: "ellipsis", color: undefined },
    spoken: l10n.t("Show {0} more of {1} orders.", countText(next), countText(all)),
    contextValue: "orders.more",
    showsMoreOf: { parentId: level },
  });
}
