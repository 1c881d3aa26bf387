import { CONNECTED, is } from "./clauses.ts";
import { type Commands, inTitle, onRow, onRowOfAnyView } from "./command.ts";
import { connectionOfAnyView } from "./connections.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** A row of the Account view that can be read. */
const ACCOUNT_ROW = /^account\.(total|currency|profile|ownedAccount)$/;

/** The commands about the account of a connection, and those that switch to another one. */
export const accountCommands = {
  "tradingRpc.account.refresh": refreshOf("account", "Refresh Account"),
  "tradingRpc.account.filter": filterOf("account", "Filter Account…"),
  "tradingRpc.account.clearFilter": clearFilterOf("account", "Clear Account Filter"),
  "tradingRpc.account.open": {
    title: "Open Account Summary",
    palette: false,
    places: [onRow("account", ACCOUNT_ROW, "1_open@1")],
  },
  "tradingRpc.account.copyJson": {
    title: "Copy Account Summary as JSON",
    palette: false,
    places: [onRow("account", ACCOUNT_ROW, "2_copy@2")],
  },
  "tradingRpc.account.switch": {
    title: "Switch Subaccount…",
    palette: CONNECTED,
    places: [
      onRowOfAnyView(connectionOfAnyView("$"), "4_account@1"),
      onRow("connections", /^connection\.ready\.(?!.*\bnoKey\b)/, "4_account@1"),
    ],
  },
  "tradingRpc.account.switchFromTitle": {
    title: { of: "account.switch" },
    palette: false,
    places: [inTitle("orders", "2_account@1", CONNECTED)],
  },
  "tradingRpc.account.switchBack": {
    title: "Switch to Main Account",
    palette: is("tradingRpc.isSwitched"),
    places: [onRow("connections", /^connection\.ready\..*\bswitched\b/, "4_account@2")],
  },
  "tradingRpc.account.switchBackFromTitle": {
    title: { of: "account.switchBack" },
    palette: false,
    places: [inTitle("orders", "2_account@2", is("tradingRpc.isSwitched"))],
  },
} satisfies Commands;

/** The view of the account. */
export const accountView: View = {
  name: "Account",
  initialSize: 12,
  states: {
    notConnected:
      "Not connected. Connect to see balances and margin.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "The account needs the account:read scope, which this API key doesn't have. Use another key or add the scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so account data is not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server can't show the account (no private/get_account_summaries). Request files still work.\n[New Request File](command:tradingRpc.request.new)",
    none: "The account has no currencies.\n[Refresh](command:tradingRpc.account.refresh)",
    filtered: "Nothing in the account matches the filter.\n[Clear Filter](command:tradingRpc.account.clearFilter)",
  },
  copyValue: onRow("account", /^account\.(total|currency|part|empty|profile|owned|ownedAccount)$/, "2_copy@1"),
};
