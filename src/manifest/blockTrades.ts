import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** A block trade, or one of its legs. */
export const BLOCK_TRADE_OR_LEG = /^blockTrade(\.leg)?$/;

/** The commands about block trades. */
export const blockTradesCommands = {
  "tradingRpc.blockTrades.refresh": refreshOf("blockTrades"),
  "tradingRpc.blockTrades.filter": filterOf("blockTrades"),
  "tradingRpc.blockTrades.clearFilter": clearFilterOf("blockTrades"),
  "tradingRpc.blockTrades.loadMore": { palette: false },
  "tradingRpc.blockTrade.fetch": {
    palette: CONNECTED,
    icon: "search",
    scope: "blockTrade.fetch",
    places: [inTitle("blockTrades", "navigation@3")],
  },
  "tradingRpc.blockTrade.open": { palette: false, places: [onRow("blockTrades", BLOCK_TRADE_OR_LEG, "1_open@1")] },
  "tradingRpc.blockTrade.copyId": { palette: false, places: [onRow("blockTrades", "blockTrade", "2_copy@1")] },
  "tradingRpc.blockTrade.copyJson": { palette: false, places: [onRow("blockTrades", "blockTrade", "2_copy@2")] },
} satisfies Commands;

/** The view of block trades. */
export const blockTradesView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
  copyValue: onRow("blockTrades", /^blockTrade\.(leg|allocation)$/, "2_copy@1"),
};
