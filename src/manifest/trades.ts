import { CONNECTED } from "./clauses.ts";
import { type Commands, onRow, onRowOfAnyView } from "./command.ts";
import { CONNECTION_OF_ANY_VIEW } from "./connections.ts";
import { ORDER_OR_GROUP } from "./orders.ts";

/** The commands about the last trades of an instrument. */
export const tradesCommands = {
  "tradingRpc.lastTrades.show": {
    title: "Show Last Trades…",
    palette: CONNECTED,
    icon: "graph-scatter",
    places: [
      onRowOfAnyView(CONNECTION_OF_ANY_VIEW, "1_open@2"),
      onRow("connections", /^connection\.ready\./, "1_open@4"),
      onRow("orders", ORDER_OR_GROUP, "1_open@3"),
    ],
  },
  "tradingRpc.lastTrades.showWithParameters": {
    title: "Show Last Trades with Options…",
    palette: CONNECTED,
    places: [onRow("orders", ORDER_OR_GROUP, "1_open@4")],
  },
} satisfies Commands;
