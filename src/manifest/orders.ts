import { all, CONNECTED, is, not, SEVERAL_ROWS } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An order in any state. */
export const ORDER = /^order\.(open|pending|ended)\b/;

/** An order in any state, or a group of orders. */
export const ORDER_OR_GROUP = /^(order\.(open|pending|ended)\b|orders\.group$)/;

/** An order that is open. */
const OPEN_ORDER = /^order\.open\b/;

/** The commands about open orders. */
export const ordersCommands = {
  "tradingRpc.order.cancel": {
    palette: CONNECTED,
    scope: "order.cancel",
    places: [onRow("orders", OPEN_ORDER, "8_danger@1")],
  },
  "tradingRpc.order.cancelFromTitle": {
    title: "order.cancel",
    palette: false,
    scope: "order.cancel",
    places: [inTitle("orders", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.order.cancelSelected": {
    palette: is("tradingRpc.orders.severalSelected"),
    scope: "order.cancelSelected",
    places: [onRow("orders", OPEN_ORDER, "8_danger@2", SEVERAL_ROWS)],
  },
  "tradingRpc.order.cancelSelectedFromTitle": {
    title: "order.cancelSelected",
    palette: false,
    scope: "order.cancelSelected",
    places: [inTitle("orders", "8_danger@0", is("tradingRpc.orders.severalSelected"))],
  },
  "tradingRpc.order.cancelRow": {
    icon: "close",
    palette: false,
    scope: "order.cancelRow",
    places: [onRow("orders", /^order\.open\b(?!.*\.stale$)/, "inline@1")],
  },
  "tradingRpc.order.cancelAll": {
    palette: CONNECTED,
    scope: "order.cancelAll",
    places: [onRow("orders", "orders.connection", "8_danger@1")],
  },
  "tradingRpc.order.cancelAllFromTitle": {
    title: "order.cancelAll",
    palette: false,
    scope: "order.cancelAll",
    places: [inTitle("orders", "8_danger@3", CONNECTED)],
  },
  "tradingRpc.order.cancelGroup": {
    palette: CONNECTED,
    scope: "order.cancelGroup",
    places: [onRow("orders", "orders.group", "8_danger@1")],
  },
  "tradingRpc.order.cancelGroupFromTitle": {
    title: "order.cancelGroup",
    palette: false,
    scope: "order.cancelGroup",
    places: [inTitle("orders", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.order.stopCancelling": {
    icon: "debug-stop",
    palette: is("tradingRpc.orders.isCancelling"),
    places: [inTitle("orders", "navigation@0", is("tradingRpc.orders.isCancelling"))],
  },
  "tradingRpc.orders.refresh": refreshOf("orders"),
  "tradingRpc.orders.groupBy": {
    palette: CONNECTED,
    places: [{ menu: "tradingRpc.orders.arrange", group: "1_view@1" }],
  },
  "tradingRpc.orders.sortBy": {
    palette: CONNECTED,
    places: [{ menu: "tradingRpc.orders.arrange", group: "1_view@2" }],
  },
  "tradingRpc.orders.filter": filterOf("orders"),
  "tradingRpc.orders.clearFilter": clearFilterOf("orders"),
  "tradingRpc.orders.pause": {
    icon: { light: "media/pause-light.svg", dark: "media/pause-dark.svg" },
    palette: all(CONNECTED, not("tradingRpc.orders.isPaused")),
    places: [inTitle("orders", "navigation@3", not("tradingRpc.orders.isPaused"))],
  },
  "tradingRpc.orders.resume": {
    icon: "play",
    palette: is("tradingRpc.orders.isPaused"),
    places: [inTitle("orders", "navigation@3", is("tradingRpc.orders.isPaused"))],
  },
  "tradingRpc.orders.loadMore": { palette: false },
  "tradingRpc.order.open": { palette: false, places: [onRow("orders", ORDER, "1_open@1")] },
  "tradingRpc.order.copyId": { palette: false, places: [onRow("orders", ORDER, "2_copy@1")] },
  "tradingRpc.order.copyJson": { palette: false, places: [onRow("orders", ORDER, "2_copy@2")] },
} satisfies Commands;

/** The view of open orders. */
export const ordersView: View = {
  initialSize: 30,
  states: ["notConnected", "refused", "missingScope", "noKey", "noOrders", "allHidden"],
  copyValue: onRow("orders", "orders.group", "2_copy@1"),
};
