/** The views of what each connection reads, from top to bottom, each by its ID without the prefix. */
export const CONNECTION_VIEW_NAMES = [
  "account",
  "positions",
  "orders",
  "fills",
  "blockTrades",
  "mmp",
  "quotes",
  "apiKeys",
] as const;

/** All views from top to bottom. */
export const VIEW_NAMES = ["connections", ...CONNECTION_VIEW_NAMES, "activity"] as const;

/** A view of the extension, by its ID without the prefix. */
export type ViewName = (typeof VIEW_NAMES)[number];
