import { all, CONNECTED, isVisible } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** A block trade, or one of its legs. */
export const BLOCK_TRADE_OR_LEG = /^blockTrade(\.leg)?$/;

/** The commands about block trades. */
export const blockTradesCommands = {
  "tradingRpc.blockTrades.refresh": refreshOf("blockTrades", "Refresh Block Trades"),
  "tradingRpc.blockTrades.filter": filterOf("blockTrades", "Filter Block Trades…"),
  "tradingRpc.blockTrades.clearFilter": clearFilterOf("blockTrades", "Clear Block Trade Filter"),
  "tradingRpc.blockTrades.loadMore": { title: "Load More Block Trades", palette: false },
  "tradingRpc.blockTrade.fetch": {
    title: "Open Block Trade by ID…",
    palette: all(CONNECTED, isVisible("blockTrades")),
    icon: "search",
    scope: "blockTrade.fetch",
    places: [inTitle("blockTrades", "navigation@3")],
  },
  "tradingRpc.blockTrade.open": {
    title: "Open Block Trade",
    palette: false,
    places: [onRow("blockTrades", BLOCK_TRADE_OR_LEG, "1_open@1")],
  },
  "tradingRpc.blockTrade.copyId": {
    title: "Copy Block Trade ID",
    palette: false,
    places: [onRow("blockTrades", "blockTrade", "2_copy@1")],
  },
  "tradingRpc.blockTrade.copyJson": {
    title: "Copy Block Trade as JSON",
    palette: false,
    places: [onRow("blockTrades", "blockTrade", "2_copy@2")],
  },
} satisfies Commands;

/** The view of block trades. */
export const blockTradesView: View = {
  name: "Block Trades",
  initialSize: 1,
  isCollapsed: true,
  states: {
    notConnected:
      "Not connected. Connect to see your block trades.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "Block trades need the block_trade:read scope, which this API key doesn't have. Use another key or add the scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so block trades are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server can't list block trades (no private/get_block_trades). You can still open one by its ID.\n[Open Block Trade by ID…](command:tradingRpc.blockTrade.fetch)",
    none: "No block trades.\n[Open Block Trade by ID…](command:tradingRpc.blockTrade.fetch)",
    filtered: "No block trades match the filter.\n[Clear Filter](command:tradingRpc.blockTrades.clearFilter)",
  },
  copyValue: onRow("blockTrades", /^blockTrade\.(leg|allocation)$/, "2_copy@1"),
};
