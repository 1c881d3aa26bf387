/** The views of what each connection reads, from top to bottom, each by its ID without the prefix. */
export const CONNECTION_VIEW_NAMES = [
  "orders",
  "positions",
  "account",
  "fills",
  "blockTrades",
  "mmp",
  "quotes",
  "apiKeys",
] as const;

/** The views of what is connected, from top to bottom. */
export const VIEW_NAMES = [...CONNECTION_VIEW_NAMES, "connections", "activity"] as const;

/** A view of what is connected, by its ID without the prefix. */
export type ViewName = (typeof VIEW_NAMES)[number];

/** All trees of the sidebar: until something is connected, `start` takes the place of the others. */
export const TREE_NAMES = ["start", ...VIEW_NAMES] as const;

/** A tree of the sidebar, by its ID without the prefix. */
export type TreeName = (typeof TREE_NAMES)[number];
