import { all, CONNECTED, isVisible, OFFERS_TRADING } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** The row of any position. Of one whose orders count something unknown, nothing can be closed. */
const ANY_POSITION = /^position(\.unsized)?$/;

/** The commands about positions. */
export const positionsCommands = {
  "tradingRpc.positions.refresh": refreshOf("positions", "Refresh Positions"),
  "tradingRpc.positions.filter": filterOf("positions", "Filter Positions…"),
  "tradingRpc.positions.clearFilter": clearFilterOf("positions", "Clear Position Filter"),
  "tradingRpc.positions.sortBy": {
    title: "Sort Positions By…",
    palette: all(CONNECTED, isVisible("positions")),
    places: [inTitle("positions", "1_view@2")],
  },
  "tradingRpc.position.close": {
    title: "Close Position…",
    palette: all(CONNECTED, OFFERS_TRADING),
    scope: "position.close",
    places: [onRow("positions", "position", "8_danger@1", OFFERS_TRADING)],
  },
  "tradingRpc.position.reduce": {
    title: "Reduce Position…",
    palette: all(CONNECTED, OFFERS_TRADING),
    scope: "position.reduce",
    places: [onRow("positions", "position", "8_danger@2", OFFERS_TRADING)],
  },
  "tradingRpc.position.open": {
    title: "Open Position",
    palette: false,
    places: [onRow("positions", ANY_POSITION, "1_open@1")],
  },
  "tradingRpc.position.copyName": {
    title: "Copy Instrument Name",
    palette: false,
    places: [onRow("positions", ANY_POSITION, "2_copy@1")],
  },
  "tradingRpc.position.copyJson": {
    title: "Copy Position as JSON",
    palette: false,
    places: [onRow("positions", ANY_POSITION, "2_copy@2")],
  },
} satisfies Commands;

/** The view of positions. */
export const positionsView: View = {
  name: "Positions",
  initialSize: 33,
  states: {
    notConnected:
      "Not connected. Connect to see your positions.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "Positions need the trade:read scope, which this API key doesn't have. Use another key or add the scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so positions are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server can't list positions (no private/get_positions). Request files still work.\n[New Request File](command:tradingRpc.request.new)",
    none: "No positions.\n[Refresh](command:tradingRpc.positions.refresh)",
    filtered: "No positions match the filter.\n[Clear Filter](command:tradingRpc.positions.clearFilter)",
  },
  copyValue: onRow("positions", /^positions\.(group|kept)$/, "2_copy@1"),
};
