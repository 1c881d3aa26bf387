import {
  all,
  CONNECTED,
  is,
  isVisible,
  mayHaveRows,
  not,
  OFFERS_TRADING,
  SEVERAL_ROWS,
  WITH_ACCOUNT,
} from "./clauses.ts";
import { type Commands, inTitle, onlyIn, onRow, onRowOfAnyView } from "./command.ts";
import { CONNECTION_OF_ANY_VIEW } from "./connections.ts";
import { accountStates, clearFilterOf, filterOf, refreshOf, type View } from "./view.ts";

/** An order in any state. */
export const ORDER = /^order\.(open|pending|ended)\b/;

/** An order in any state, or a group of orders. */
const ORDER_OR_GROUP = /^(order\.(open|pending|ended)\b|orders\.group$)/;

/** An order that is open. */
const OPEN_ORDER = /^order\.open\b/;

/**
 * The commands about open orders. VS Code sorts the Command Palette by what was used last, then by title: there, the
 * commands that cancel several orders begin with other words than the one that cancels one.
 */
export const ordersCommands = {
  "tradingRpc.order.place": {
    title: "Place Order…",
    palette: all(WITH_ACCOUNT, OFFERS_TRADING),
    isScoped: true,
    places: [
      onRow("orders", ORDER, "0_trade@4", OFFERS_TRADING),
      onRow("positions", /^position(\.unsized)?$/, "0_trade@4", OFFERS_TRADING),
      onRow("connections", /^connection\.ready\./, "4_trade@1", OFFERS_TRADING),
    ],
    fromTitle: {
      icon: "add",
      places: [
        inTitle("orders", "navigation@0", all(WITH_ACCOUNT, OFFERS_TRADING, not("tradingRpc.orders.isCancelling"))),
        inTitle("positions", "navigation@0", all(WITH_ACCOUNT, OFFERS_TRADING)),
      ],
    },
  },
  "tradingRpc.order.edit": {
    title: "Edit Order…",
    palette: all(mayHaveRows("orders"), OFFERS_TRADING),
    isScoped: true,
    places: [onRow("orders", OPEN_ORDER, "0_trade@1", OFFERS_TRADING)],
  },
  "tradingRpc.order.cancel": {
    title: "Cancel Order…",
    palette: mayHaveRows("orders"),
    isScoped: true,
    places: [onRow("orders", OPEN_ORDER, "0_trade@2")],
    fromTitle: { places: [inTitle("orders", "8_danger@1", CONNECTED)] },
  },
  "tradingRpc.order.cancelSelected": {
    title: "Cancel Selected Orders…",
    palette: false,
    isScoped: true,
    places: [onRow("orders", OPEN_ORDER, "0_trade@3", SEVERAL_ROWS)],
    fromTitle: {
      title: "Orders: Cancel Selected…",
      palette: is("tradingRpc.orders.severalSelected"),
      places: [inTitle("orders", "8_danger@0", is("tradingRpc.orders.severalSelected"))],
    },
  },
  "tradingRpc.order.cancelRow": {
    title: "Cancel Order",
    icon: "close",
    palette: false,
    isScoped: true,
    places: [onRow("orders", /^order\.open\b(?!.*\.stale$)/, "inline@1")],
  },
  "tradingRpc.order.cancelAll": {
    title: "Cancel All Orders…",
    palette: false,
    isScoped: true,
    places: [onRow("orders", "orders.connection", "8_danger@1")],
    fromTitle: {
      title: "Orders: Cancel All…",
      palette: WITH_ACCOUNT,
      places: [inTitle("orders", "8_danger@3", CONNECTED)],
    },
  },
  "tradingRpc.order.cancelGroup": {
    title: "Cancel Orders in Group…",
    palette: false,
    isScoped: true,
    places: [onRow("orders", "orders.group", "8_danger@1")],
    fromTitle: {
      title: "Orders: Cancel Group…",
      palette: mayHaveRows("orders"),
      places: [inTitle("orders", "8_danger@2", CONNECTED)],
    },
  },
  "tradingRpc.order.cancelEverything": {
    title: "Cancel Everything…",
    palette: WITH_ACCOUNT,
    isScoped: true,
    fromTitle: {
      places: [inTitle("orders", "8_danger@4", CONNECTED), inTitle("connections", "8_danger@1", CONNECTED)],
    },
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
  "tradingRpc.order.open": onlyIn("Open Order", onRow("orders", ORDER, "1_open@1")),
  "tradingRpc.order.copyId": onlyIn("Copy Order ID", onRow("orders", ORDER, "2_copy@1")),
  "tradingRpc.order.copyJson": onlyIn("Copy Order as JSON", onRow("orders", ORDER, "2_copy@2")),
} satisfies Commands;

/** The view of open orders. */
export const ordersView: View = {
  name: "Open Orders",
  initialSize: 30,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your open orders",
      without: "open orders are",
      needs: "Open orders need the trade:read scope",
    }),
    noOrders:
      "No open orders.\n[Place Order…](command:tradingRpc.order.place)\nOr send one from a [new request file](command:tradingRpc.request.new).",
    allHidden: "No open orders match the filter.\n[Clear Filter](command:tradingRpc.orders.clearFilter)",
  },
  copyValue: onRow("orders", "orders.group", "2_copy@1"),
};

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

/** The commands about what happened to an account. */
export const historyCommands = {
  "tradingRpc.accountHistory.show": {
    title: "Show Account History…",
    palette: WITH_ACCOUNT,
    icon: "history",
    places: [onRowOfAnyView(CONNECTION_OF_ANY_VIEW, "1_open@5")],
    fromTitle: {
      icon: "history",
      places: [inTitle("account", "navigation@4", CONNECTED), inTitle("orders", "1_open@1", CONNECTED)],
    },
  },
  "tradingRpc.order.showHistory": onlyIn("Show Order History", onRow("orders", ORDER, "1_open@2")),
} satisfies Commands;
