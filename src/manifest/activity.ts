import { all, CONNECTED, is } from "./clauses.ts";
import { type Commands, inTitle, onlyIn, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf, type View } from "./view.ts";

/** A change whose outcome is unknown. */
const UNRESOLVED = "activity.unresolved";

/** The condition that an outcome is unknown. */
const UNKNOWN_OUTCOME = is("tradingRpc.hasUnknownOutcome");

/** A change with any outcome. */
const CHANGE = /^activity\.(unresolved|settled)$/;

/** The commands about changes that were sent, and their outcomes. */
export const activityCommands = {
  "tradingRpc.activity.open": onlyIn("Open Activity Entry", onRow("activity", CHANGE, "1_open@1")),
  "tradingRpc.activity.checkAgain": {
    title: "Check Unknown Outcome…",
    palette: all(CONNECTED, UNKNOWN_OUTCOME),
    icon: "search",
    places: [onRow("activity", UNRESOLVED, "inline@1"), onRow("activity", UNRESOLVED, "1_open@2")],
  },
  "tradingRpc.activity.copy": onlyIn("Copy Activity Entry", onRow("activity", CHANGE, "2_copy@1")),
  "tradingRpc.activity.export": {
    title: "Export Activity…",
    icon: "export",
    palette: is("tradingRpc.hasActivity"),
    places: [inTitle("activity", "navigation@3")],
  },
  "tradingRpc.activity.setAside": {
    title: "Dismiss Unknown Outcome…",
    palette: UNKNOWN_OUTCOME,
    places: [onRow("activity", UNRESOLVED, "4_change@1")],
  },
  "tradingRpc.activity.refresh": refreshOf("activity", "Refresh Activity"),
  "tradingRpc.activity.filter": filterOf("activity", "Filter Activity…"),
  "tradingRpc.activity.clearFilter": clearFilterOf("activity", "Clear Activity Filter"),
  "tradingRpc.activity.showUnresolved": {
    title: "Toggle Unknown Outcomes Only",
    palette: is("tradingRpc.hasActivity"),
    places: [inTitle("activity", "1_view@2")],
  },
  "tradingRpc.activity.showMore": { title: "Show More Activity", palette: false },
} satisfies Commands;

/** The view of changes. */
export const activityView: View = {
  name: "Activity",
  initialSize: 3,
  isCollapsed: true,
  when: `${CONNECTED} || ${is("tradingRpc.hasActivity")}`,
  states: {
    none: "No changes yet. Orders you cancel and settings you change appear here with their outcome, and stay after a restart. They are kept on this computer, without secrets: the newest 2000 steps of each connection and every unknown outcome.\n[Show Open Orders](command:tradingRpc.orders.focus)",
    allResolved: "No unknown outcomes.\n[Show All](command:tradingRpc.activity.clearFilter)",
    filtered: "No entries match the filter.\n[Clear Filter](command:tradingRpc.activity.clearFilter)",
  },
  copyValue: onRow("activity", /^activity\.(detail|kept)$/, "2_copy@1"),
};
