import { CONNECTED, is } from "./clauses.ts";
import { type Commands, inTitle, onRow, onRowOfAnyView } from "./command.ts";
import { connectionOfAnyView } from "./connections.ts";

/** The commands that switch between the accounts of a connection. */
export const accountCommands = {
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
