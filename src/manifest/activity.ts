import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** A change whose outcome is unknown. */
const UNRESOLVED = "activity.unresolved";

/** A change with any outcome. */
const CHANGE = /^activity\.(unresolved|settled)$/;

/** The commands about changes that were sent, and their outcomes. */
export const activityCommands = {
  "tradingRpc.activity.open": { palette: false, places: [onRow("activity", CHANGE, "1_open@1")] },
  "tradingRpc.activity.checkAgain": {
    palette: CONNECTED,
    icon: "search",
    places: [onRow("activity", UNRESOLVED, "inline@1"), onRow("activity", UNRESOLVED, "1_open@2")],
  },
  "tradingRpc.activity.copy": { palette: false, places: [onRow("activity", CHANGE, "2_copy@1")] },
  "tradingRpc.activity.export": { icon: "export", places: [inTitle("activity", "navigation@3")] },
  "tradingRpc.activity.setAside": { places: [onRow("activity", UNRESOLVED, "4_change@1")] },
  "tradingRpc.activity.refresh": refreshOf("activity"),
  "tradingRpc.activity.filter": filterOf("activity"),
  "tradingRpc.activity.clearFilter": clearFilterOf("activity"),
  "tradingRpc.activity.showUnresolved": { places: [inTitle("activity", "1_view@2")] },
  "tradingRpc.activity.showMore": { palette: false },
} satisfies Commands;

/** The view of changes. */
export const activityView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["none", "allResolved", "filtered"],
  copyValue: onRow("activity", /^activity\.(detail|kept)$/, "2_copy@1"),
};
