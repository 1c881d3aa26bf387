/** A row of a view, as plain data. */
export interface Row {
  /** Unique over all views and connections, and the same for the same thing: made by `rowId`. */
  readonly id: string;
  readonly connectionId: string;
  /** What the row stands for at the exchange, e.g. an order id; of a child row that of its parent. */
  readonly objectId: string | undefined;
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon | undefined;
  /** The whole row as one sentence, for those who hear it. */
  readonly spoken: string;
  /** Flags joined by dots, for `when` clauses: `order.open.cancellable` and the like. */
  readonly contextValue: string;
  readonly children: "none" | "collapsed" | "expanded";
  /** What Copy takes; empty where there is nothing to copy. */
  readonly copyText: string;
  /** The level whose page a "Show more" row enlarges; undefined stands for the root. */
  readonly showsMoreOf?: { readonly parentId: string | undefined };
}

/** An icon of the editor by name, with the name of a theme colour. */
export interface RowIcon {
  readonly name: string;
  readonly color: string | undefined;
}

/** One line of a tooltip. Text from outside: shown by `appendText` alone. */
export interface TooltipLine {
  /** Undefined for a line that is a sentence. */
  readonly name: string | undefined;
  readonly value: string;
}

/** Lines that are sentences; those that say nothing are left out. */
export function sentenceLines(values: readonly string[]): TooltipLine[] {
  return values.filter((value) => value !== "").map((value) => ({ name: undefined, value }));
}

/**
 * Rows of a view for the asking: only what the editor wants to draw is made. An arrangement says which rows there are;
 * their texts are read from the living data each time.
 */
export interface RowTree {
  /** The rows below a row, or the first level. Empty for a row that is not there any more. */
  children(parentId: string | undefined): readonly Row[];
  /** A row as it would be drawn now; undefined when what it stands for is gone. Cheap. */
  row(id: string): Row | undefined;
  /** Where a row stands; undefined for the first level and for unknown rows. */
  parentOf(id: string): string | undefined;
  tooltip(id: string): readonly TooltipLine[];
}

/** An id made of parts of any text: the connection's id first, then what sort of thing, then which one. */
export function rowId(connectionId: string, ...parts: readonly string[]): string {
  return [connectionId, ...parts].map(escaped).join("/");
}

/** Hardly a part has anything to escape, and ids are made thousands of times a second. */
function escaped(part: string): string {
  return /[%/]/.test(part) ? part.replaceAll("%", "%25").replaceAll("/", "%2F") : part;
}

/** The parts of an id made by `rowId`. */
export function rowIdParts(id: string): readonly string[] {
  return id.split("/").map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"));
}

/** Everything of a row that is drawn: two rows with the same text need not be drawn again. */
export function rowText(row: Row): string {
  return [row.label, row.description, row.icon?.name, row.icon?.color, row.contextValue, row.children].join("\n");
}
