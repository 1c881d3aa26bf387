import type { Plain } from "../../base/plain.ts";

/** A row of a view, as plain data. */
export interface Row {
  /** The ID: unique over all views and connections, and the same for the same object. Made by `rowId`. */
  readonly id: string;
  readonly connectionId: string;
  /** The ID of the row's object at the exchange, e.g. an order ID; of a child row that of its parent. */
  readonly objectId: string | undefined;
  readonly label: Plain;
  readonly description: Plain;
  readonly icon: RowIcon | undefined;
  /** The whole row as one sentence, for screen readers. */
  readonly spoken: Plain;
  /** The flags joined by dots, for `when` clauses: `order.open.cancellable` and the like. */
  readonly contextValue: string;
  readonly children: "none" | "collapsed" | "expanded";
  /** The text that Copy takes; empty where there is nothing to copy. */
  readonly copyText: string;
  /** The level whose page a "Show more" row enlarges; undefined stands for the root. */
  readonly showsMoreOf?: { readonly parentId: string | undefined };
}

/** An icon of VS Code by name, with the name of a theme color. */
export interface RowIcon {
  readonly name: string;
  readonly color: string | undefined;
}

export const WARNING_ICON: RowIcon = { name: "warning", color: "problemsWarningIcon.foreground" };

/** Returns the icon of an order or trade by its side. */
export function directionIcon(direction: string | undefined): RowIcon {
  if (direction === "buy") return { name: "arrow-up", color: "charts.green" };
  if (direction === "sell") return { name: "arrow-down", color: "charts.red" };
  return { name: "circle-outline", color: undefined };
}

/** A line of a tooltip, shown by `appendText` alone. */
export interface TooltipLine {
  /** The name; undefined for a line that is a sentence. */
  readonly name: Plain | undefined;
  readonly value: Plain;
}

/** Returns lines that are sentences; empty ones are left out. */
export function sentenceLines(values: readonly Plain[]): TooltipLine[] {
  return values.filter((value) => value !== "").map((value) => ({ name: undefined, value }));
}

/**
 * The rows of a view on demand: only what VS Code wants to draw is made. An arrangement says which rows there are;
 * their texts are read from the live data each time.
 */
export interface RowTree {
  /** Returns the rows below a row, or the first level. Empty for a row that is gone. */
  children(parentId: string | undefined): readonly Row[];
  /** Returns a row as it would be drawn now; undefined when its object is gone. Cheap. */
  row(id: string): Row | undefined;
  /** Returns the parent of a row; undefined for the first level and for unknown rows. */
  parentOf(id: string): string | undefined;
  tooltip(id: string): readonly TooltipLine[];
}

/** Makes an ID of parts of any text: the connection's ID first, then the kind of object, then which one. */
export function rowId(connectionId: string, ...parts: readonly string[]): string {
  let id = escaped(connectionId);
  for (const part of parts) id += `/${escaped(part)}`;
  return id;
}

/** Returns an escaped part. Few parts need it, and IDs are made thousands of times a second. */
function escaped(part: string): string {
  return part.includes("%") || part.includes("/") ? part.replaceAll("%", "%25").replaceAll("/", "%2F") : part;
}

/** Returns the parts of an ID made by `rowId`. */
export function rowIdParts(id: string): readonly string[] {
  return id.split("/").map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"));
}

/** Returns everything of a row that is drawn: two rows with the same text need not be drawn again. */
export function rowText(row: Row): string {
  return [row.label, row.description, row.icon?.name, row.icon?.color, row.contextValue, row.children].join("\n");
}
