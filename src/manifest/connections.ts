import { CONNECTION_VIEW_NAMES } from "../base/viewNames.ts";
import { all, CONNECTED, IN_RECORDING, is, not, OFFERS_TRADING } from "./clauses.ts";
import { type Commands, inTitle, type MenuPlace, onlyIn, onRow, onRowOfAnyView } from "./command.ts";
import { clearFilterOf, filterOf, type View } from "./view.ts";

/** Returns the pattern of a connection as a heading, in any view of its contents; `end` is the end of the pattern. */
export function connectionOfAnyView(end: string): RegExp {
  return new RegExp(String.raw`^(${CONNECTION_VIEW_NAMES.join("|")})\.connection${end}`);
}

/** A connection as a heading, in any view of its contents. */
export const CONNECTION_OF_ANY_VIEW = connectionOfAnyView(String.raw`\b`);

/** Returns the places in the titles of the two views of connections: before something is connected, and after. */
export function inBoth(group: string): readonly MenuPlace[] {
  return [inTitle("start", group), inTitle("connections", group)];
}

/** A connection that can be connected. */
const UNCONNECTED = /^connection\.(off|waiting|locked)\./;

/** A connection that is connected or connecting. */
export const IN_USE = /^connection\.(connecting|authenticating|ready|waiting|locked)\./;

/** A connection that is saved. */
const SAVED = /^connection\..*\bsaved\b/;

/** A connection on which trading can be allowed, and its limit changed. The simulator needs no permission. */
const TRADING_ACCOUNT = /^connection\.ready\.(test|production|gateway)\.(?!.*\bnoKey\b)/;

/** The commands about connections. */
export const connectionsCommands = {
  "tradingRpc.connection.connect": {
    title: "Connect…",
    icon: "plug",
    places: [onRow("connections", UNCONNECTED, "inline@1"), onRow("connections", UNCONNECTED, "1_open@1")],
  },
  "tradingRpc.connection.disconnect": {
    title: "Disconnect",
    icon: "debug-disconnect",
    enablement: "tradingRpc.isConnected",
    places: [
      onRowOfAnyView(CONNECTION_OF_ANY_VIEW, "4_connection@1"),
      onRow("connections", IN_USE, "inline@2"),
      onRow("connections", IN_USE, "1_open@2"),
    ],
  },
  "tradingRpc.connection.use": onlyIn(
    "Set as Active Connection",
    onRowOfAnyView(CONNECTION_OF_ANY_VIEW, "1_open@1"),
    onRow("connections", /^connection\.(connecting|authenticating|ready|waiting)\.(?!.*\bactive$)/, "1_open@3"),
  ),
  "tradingRpc.connection.add": {
    title: "Add Connection…",
    icon: "add",
    places: inBoth("navigation@1"),
  },
  "tradingRpc.connection.edit": {
    title: "Edit Connection…",
    palette: is("tradingRpc.hasOwnConnection"),
    places: [
      onRowOfAnyView(connectionOfAnyView(String.raw`\.noKey$`), "1_open@3"),
      onRow("connections", SAVED, "7_edit@1"),
      onRow("start", "start.saved", "7_edit@1"),
    ],
  },
  "tradingRpc.connection.forget": {
    title: "Remove Connection…",
    palette: is("tradingRpc.hasOwnConnection"),
    places: [onRow("connections", SAVED, "8_danger@1"), onRow("start", "start.saved", "8_danger@1")],
  },
  "tradingRpc.connections.filter": {
    ...filterOf("connections", "Filter Connections…"),
    places: [inTitle("connections", "3_view@1")],
  },
  "tradingRpc.connections.clearFilter": clearFilterOf("connections", "Clear Connection Filter", 0),
  "tradingRpc.connection.allowChanges": {
    title: "Allow Changes…",
    palette: is("tradingRpc.mayAllowChanges"),
    icon: "unlock",
    places: [onRow("connections", /^connection\.ready\..*\breadOnly\b/, "5_changes@1")],
  },
  "tradingRpc.connection.makeReadOnly": {
    title: "Disallow Changes",
    icon: "lock",
    enablement: "tradingRpc.changesAllowed",
    places: [onRow("connections", /^connection\..*\b(?:changes|cancels)Allowed\b/, "5_changes@1")],
  },
  "tradingRpc.connection.allowTrading": {
    title: "Allow Trading…",
    palette: all(is("tradingRpc.mayAllowTrading"), OFFERS_TRADING),
    icon: "unlock",
    places: [onRow("connections", TRADING_ACCOUNT, "5_changes@2", OFFERS_TRADING)],
  },
  "tradingRpc.connection.disallowTrading": {
    title: "Disallow Trading",
    palette: is("tradingRpc.tradingAllowed"),
    icon: "lock",
    places: [onRow("connections", /^connection\..*\btradingAllowed\b/, "5_changes@3", OFFERS_TRADING)],
  },
  "tradingRpc.connection.showActions": { title: "Show Connection Actions…" },
} satisfies Commands;

/** The view that is there alone until something is connected. */
export const startView: View = {
  name: "Connect",
  initialSize: 3,
  when: not("tradingRpc.isConnected"),
  states: {
    first:
      "Try everything on the simulator. It needs no account and no network.\n[Start Simulator](command:tradingRpc.simulator.start)\nOr use an API key of your account on testnet or production.\n[Add Connection…](command:tradingRpc.connection.add)\nThe [walkthrough](command:tradingRpc.walkthrough.open) shows everything in seven steps.",
  },
};

/** The view of connections. */
export const connectionsView: View = {
  name: "Connections",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    loading: "Loading connections…",
    filtered: "No connections match the filter.\n[Clear Filter](command:tradingRpc.connections.clearFilter)",
  },
  copyValue: onRow("connections", "connection.fact", "2_copy@1"),
};

/** The commands about the built-in simulator. */
export const simulatorCommands = {
  "tradingRpc.simulator.start": { title: "Start Simulator" },
  "tradingRpc.simulator.startFromRecording": {
    title: "Start Simulator from Recording…",
    places: [
      { menu: "explorer/context", when: IN_RECORDING, group: "7_tradingRpc@1" },
      { menu: "editor/title", when: IN_RECORDING, group: "1_run@1" },
    ],
  },
  "tradingRpc.simulator.injectFault": {
    title: "Simulate Fault…",
    palette: is("tradingRpc.hasBuiltInSimulator"),
    places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@2")],
  },
  "tradingRpc.simulator.toggleDemo": {
    title: "Toggle Demo Trading",
    palette: is("tradingRpc.hasBuiltInSimulator"),
    places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@3")],
  },
} satisfies Commands;
