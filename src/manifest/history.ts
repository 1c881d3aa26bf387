import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow, onRowOfAnyView } from "./command.ts";
import { CONNECTION_OF_ANY_VIEW } from "./connections.ts";
import { ORDER } from "./orders.ts";

/** The commands about what happened to an account. */
export const historyCommands = {
  "tradingRpc.accountHistory.show": {
    title: "Show Account History…",
    palette: CONNECTED,
    icon: "history",
    places: [onRowOfAnyView(CONNECTION_OF_ANY_VIEW, "1_open@5")],
  },
  "tradingRpc.accountHistory.showFromTitle": {
    title: { of: "accountHistory.show" },
    icon: "history",
    palette: false,
    places: [inTitle("account", "navigation@4", CONNECTED), inTitle("orders", "1_open@1", CONNECTED)],
  },
  "tradingRpc.order.showHistory": {
    title: "Show Order History",
    palette: false,
    places: [onRow("orders", ORDER, "1_open@2")],
  },
} satisfies Commands;
