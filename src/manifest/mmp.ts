import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An MMP group, frozen or not. */
const MMP_GROUP = /^mmp\.group\b/;

/** The commands about MMP groups. */
export const mmpCommands = {
  "tradingRpc.mmp.refresh": refreshOf("mmp"),
  "tradingRpc.mmp.filter": filterOf("mmp"),
  "tradingRpc.mmp.clearFilter": clearFilterOf("mmp"),
  "tradingRpc.mmp.reset": {
    palette: CONNECTED,
    icon: "discard",
    scope: "mmp.reset",
    places: [onRow("mmp", "mmp.group.frozen", "inline@1"), onRow("mmp", MMP_GROUP, "8_danger@1")],
  },
  "tradingRpc.mmp.resetFromTitle": {
    title: "mmp.reset",
    icon: "discard",
    palette: false,
    scope: "mmp.reset",
    places: [inTitle("mmp", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.mmp.setLimits": {
    palette: CONNECTED,
    scope: "mmp.setLimits",
    places: [onRow("mmp", MMP_GROUP, "8_danger@2")],
  },
  "tradingRpc.mmp.setLimitsFromTitle": {
    title: "mmp.setLimits",
    palette: false,
    scope: "mmp.setLimits",
    places: [inTitle("mmp", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.mmp.open": { palette: false, places: [onRow("mmp", MMP_GROUP, "1_open@1")] },
  "tradingRpc.mmp.copyJson": { palette: false, places: [onRow("mmp", /^mmp\.(index|group)\b/, "2_copy@1")] },
} satisfies Commands;

/** The view of MMP groups. */
export const mmpView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
  copyValue: onRow("mmp", /^mmp\.(index|group(\.frozen)?(\.stale)?|part)$/, "2_copy@2"),
};
