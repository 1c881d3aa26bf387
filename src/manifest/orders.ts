import { all, CONNECTED, is, isVisible, not, OFFERS_TRADING, SEVERAL_ROWS } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An order in any state. */
export const ORDER = /^order\.(open|pending|ended)\b/;

/** An order in any state, or a group of orders. */
export const ORDER_OR_GROUP = /^(order\.(open|pending|ended)\b|orders\.group$)/;

/** An order that is open. */
const OPEN_ORDER = /^order\.open\b/;

/**
 * The commands about open orders. VS Code sorts the Command Palette by what was used last, then by title: there, the
 * commands that cancel several orders begin with other words than the one that cancels one.
 */
export const ordersCommands = {
  "tradingRpc.order.place": {
    title: "Place Order…",
    palette: all(CONNECTED, OFFERS_TRADING),
    scope: "order.place",
    places: [
      onRow("orders", ORDER, "4_trade@1", OFFERS_TRADING),
      onRow("positions", /^position(\.unsized)?$/, "4_trade@1", OFFERS_TRADING),
      onRow("connections", /^connection\.ready\./, "4_trade@1", OFFERS_TRADING),
    ],
  },
  "tradingRpc.order.edit": {
    title: "Edit Order…",
    palette: all(CONNECTED, OFFERS_TRADING),
    scope: "order.edit",
    places: [onRow("orders", OPEN_ORDER, "7_edit@1", OFFERS_TRADING)],
  },
  "tradingRpc.order.cancel": {
    title: "Cancel Order…",
    palette: CONNECTED,
    scope: "order.cancel",
    places: [onRow("orders", OPEN_ORDER, "8_danger@1")],
  },
  "tradingRpc.order.cancelFromTitle": {
    title: { of: "order.cancel" },
    palette: false,
    scope: "order.cancel",
    places: [inTitle("orders", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.order.cancelSelected": {
    title: "Cancel Selected Orders…",
    palette: false,
    scope: "order.cancelSelected",
    places: [onRow("orders", OPEN_ORDER, "8_danger@2", SEVERAL_ROWS)],
  },
  "tradingRpc.order.cancelSelectedFromTitle": {
    title: "Orders: Cancel Selected…",
    inMenus: "order.cancelSelected",
    palette: is("tradingRpc.orders.severalSelected"),
    scope: "order.cancelSelected",
    places: [inTitle("orders", "8_danger@0", is("tradingRpc.orders.severalSelected"))],
  },
  "tradingRpc.order.cancelRow": {
    title: "Cancel Order",
    icon: "close",
    palette: false,
    scope: "order.cancelRow",
    places: [onRow("orders", /^order\.open\b(?!.*\.stale$)/, "inline@1")],
  },
  "tradingRpc.order.cancelAll": {
    title: "Cancel All Orders…",
    palette: false,
    scope: "order.cancelAll",
    places: [onRow("orders", "orders.connection", "8_danger@1")],
  },
  "tradingRpc.order.cancelAllFromTitle": {
    title: "Orders: Cancel All…",
    inMenus: "order.cancelAll",
    palette: CONNECTED,
    scope: "order.cancelAll",
    places: [inTitle("orders", "8_danger@3", CONNECTED)],
  },
  "tradingRpc.order.cancelGroup": {
    title: "Cancel Orders in Group…",
    palette: false,
    scope: "order.cancelGroup",
    places: [onRow("orders", "orders.group", "8_danger@1")],
  },
  "tradingRpc.order.cancelGroupFromTitle": {
    title: "Orders: Cancel Group…",
    inMenus: "order.cancelGroup",
    palette: CONNECTED,
    scope: "order.cancelGroup",
    places: [inTitle("orders", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.order.cancelEverything": {
    title: "Cancel Everything…",
    palette: CONNECTED,
    scope: "order.cancelEverything",
  },
  "tradingRpc.order.cancelEverythingFromTitle": {
    title: { of: "order.cancelEverything" },
    palette: false,
    scope: "order.cancelEverything",
    places: [inTitle("orders", "8_danger@4", CONNECTED), inTitle("connections", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.order.stopCancelling": {
    title: "Stop Cancelling",
    icon: "debug-stop",
    palette: is("tradingRpc.orders.isCancelling"),
    places: [inTitle("orders", "navigation@0", is("tradingRpc.orders.isCancelling"))],
  },
  "tradingRpc.orders.refresh": refreshOf("orders", "Refresh Open Orders"),
  "tradingRpc.orders.groupBy": {
    title: "Group Orders By…",
    palette: all(CONNECTED, isVisible("orders")),
    places: [{ menu: "tradingRpc.orders.arrange", group: "1_view@1" }],
  },
  "tradingRpc.orders.sortBy": {
    title: "Sort Orders By…",
    palette: all(CONNECTED, isVisible("orders")),
    places: [{ menu: "tradingRpc.orders.arrange", group: "1_view@2" }],
  },
  "tradingRpc.orders.filter": filterOf("orders", "Filter Orders…"),
  "tradingRpc.orders.clearFilter": clearFilterOf("orders", "Clear Order Filter"),
  "tradingRpc.orders.pause": {
    title: "Pause Live Updates",
    icon: { light: "media/pause-light.svg", dark: "media/pause-dark.svg" },
    palette: all(CONNECTED, not("tradingRpc.orders.isPaused")),
    places: [inTitle("orders", "navigation@3", not("tradingRpc.orders.isPaused"))],
  },
  "tradingRpc.orders.resume": {
    title: "Resume Live Updates",
    icon: "play",
    palette: is("tradingRpc.orders.isPaused"),
    places: [inTitle("orders", "navigation@3", is("tradingRpc.orders.isPaused"))],
  },
  "tradingRpc.orders.loadMore": { title: "Load More Orders", palette: false },
  "tradingRpc.order.open": { title: "Open Order", palette: false, places: [onRow("orders", ORDER, "1_open@1")] },
  "tradingRpc.order.copyId": { title: "Copy Order ID", palette: false, places: [onRow("orders", ORDER, "2_copy@1")] },
  "tradingRpc.order.copyJson": {
    title: "Copy Order as JSON",
    palette: false,
    places: [onRow("orders", ORDER, "2_copy@2")],
  },
} satisfies Commands;

/** The view of open orders. */
export const ordersView: View = {
  name: "Open Orders",
  initialSize: 17,
  states: {
    notConnected:
      "Not connected. The simulator needs no account and no network.\n[Start Simulator](command:tradingRpc.simulator.start)\nOr [connect](command:tradingRpc.connection.connect) to your own account. The [walkthrough](command:tradingRpc.walkthrough.open) shows everything in seven steps.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "Open orders need the trade:read scope, which this API key doesn't have. Use another key or add the scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so open orders are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    noOrders:
      "No open orders.\n[New Request File](command:tradingRpc.request.new)\nOr open some [example requests](command:tradingRpc.example.open).",
    allHidden: "No open orders match the filter.\n[Clear Filter](command:tradingRpc.orders.clearFilter)",
  },
  copyValue: onRow("orders", "orders.group", "2_copy@1"),
};
