/** The views of the manifest, each under its id without our prefix. */
export const VIEW_NAMES = ["connections", "orders", "blockTrades", "mmp", "quotes", "apiKeys", "activity"] as const;

export type ViewName = (typeof VIEW_NAMES)[number];
