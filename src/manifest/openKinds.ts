import { all, CONNECTED, is, isVisible, mayHaveRows, OFFERS_TRADING, WITH_ACCOUNT } from "./clauses.ts";
import { type Commands, inTitle, onlyIn, onRow, onRowOfAnyView } from "./command.ts";
import { connectionOfAnyView } from "./connections.ts";
import { accountStates, clearFilterOf, filterOf, refreshOf, type View } from "./view.ts";

/** A row of the Account view that can be read. */
const ACCOUNT_ROW = /^account\.(total|currency|profile|ownedAccount)$/;

/** The commands about the account of a connection, and those that switch to another one. */
export const accountCommands = {
  "tradingRpc.account.refresh": refreshOf("account", "Refresh Account"),
  "tradingRpc.account.filter": filterOf("account", "Filter Account…"),
  "tradingRpc.account.clearFilter": clearFilterOf("account", "Clear Account Filter"),
  "tradingRpc.account.open": onlyIn("Open Account Summary", onRow("account", ACCOUNT_ROW, "1_open@1")),
  "tradingRpc.account.copyJson": onlyIn("Copy Account Summary as JSON", onRow("account", ACCOUNT_ROW, "2_copy@2")),
  "tradingRpc.account.switch": {
    title: "Switch Subaccount…",
    palette: WITH_ACCOUNT,
    places: [
      onRowOfAnyView(connectionOfAnyView("$"), "4_account@1"),
      onRow("connections", /^connection\.ready\.(?!.*\bnoKey\b)/, "4_account@1"),
    ],
    fromTitle: { places: [inTitle("orders", "2_account@1", CONNECTED)] },
  },
  "tradingRpc.account.switchBack": {
    title: "Switch to Main Account",
    palette: is("tradingRpc.isSwitched"),
    places: [onRow("connections", /^connection\.ready\..*\bswitched\b/, "4_account@2")],
    fromTitle: { places: [inTitle("orders", "2_account@2", is("tradingRpc.isSwitched"))] },
  },
} satisfies Commands;

/** The view of the account. */
export const accountView: View = {
  name: "Account",
  initialSize: 15,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "balances and margin",
      without: "account data is",
      needs: "The account needs the account:read scope",
    }),
    notOffered:
      "This server can't show the account (no private/get_account_summaries). Request files still work.\n[New Request File](command:tradingRpc.request.new)",
    none: "The account has no currencies.\n[Refresh](command:tradingRpc.account.refresh)",
    filtered: "Nothing in the account matches the filter.\n[Clear Filter](command:tradingRpc.account.clearFilter)",
  },
  copyValue: onRow("account", /^account\.(total|currency|part|empty|profile|owned|ownedAccount)$/, "2_copy@1"),
};

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
    palette: all(mayHaveRows("positions"), OFFERS_TRADING),
    isScoped: true,
    places: [onRow("positions", "position", "0_trade@1", OFFERS_TRADING)],
  },
  "tradingRpc.position.reduce": {
    title: "Reduce Position…",
    palette: all(mayHaveRows("positions"), OFFERS_TRADING),
    isScoped: true,
    places: [onRow("positions", "position", "0_trade@2", OFFERS_TRADING)],
  },
  "tradingRpc.position.flatten": {
    title: "Flatten Positions…",
    palette: all(CONNECTED, OFFERS_TRADING),
    isScoped: true,
    places: [
      onRow("connections", /^connection\.ready\.(?!.*\bnoKey\b)/, "8_danger@2", OFFERS_TRADING),
      onRow("positions", "positions.connection", "8_danger@1", OFFERS_TRADING),
    ],
  },
  "tradingRpc.position.protect": {
    title: "Add Take Profit or Stop…",
    palette: all(CONNECTED, OFFERS_TRADING),
    isScoped: true,
    places: [onRow("positions", "position", "8_danger@3", OFFERS_TRADING)],
  },
  "tradingRpc.position.open": onlyIn("Open Position", onRow("positions", ANY_POSITION, "1_open@1")),
  "tradingRpc.position.copyName": onlyIn("Copy Instrument Name", onRow("positions", ANY_POSITION, "2_copy@1")),
  "tradingRpc.position.copyJson": onlyIn("Copy Position as JSON", onRow("positions", ANY_POSITION, "2_copy@2")),
} satisfies Commands;

/** The view of positions. */
export const positionsView: View = {
  name: "Positions",
  initialSize: 19,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your positions",
      without: "positions are",
      needs: "Positions need the trade:read scope",
    }),
    notOffered:
      "This server can't list positions (no private/get_positions). Request files still work.\n[New Request File](command:tradingRpc.request.new)",
    none: "No positions.\n[Place Order…](command:tradingRpc.order.place)\nOr [read them again](command:tradingRpc.positions.refresh).",
    filtered: "No positions match the filter.\n[Clear Filter](command:tradingRpc.positions.clearFilter)",
  },
  copyValue: onRow("positions", /^positions\.(group|kept)$/, "2_copy@1"),
};
