/** The views from top to bottom, each by its ID without the prefix. */
export const VIEW_NAMES = ["connections", "orders", "blockTrades", "mmp", "quotes", "apiKeys", "activity"] as const;

/** A view of the extension, by its ID without the prefix. */
export type ViewName = (typeof VIEW_NAMES)[number];
