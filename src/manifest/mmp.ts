import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An MMP group, frozen or not. */
const MMP_GROUP = /^mmp\.group\b/;

/** The commands about MMP groups. */
export const mmpCommands = {
  "tradingRpc.mmp.refresh": refreshOf("mmp", "Refresh MMP"),
  "tradingRpc.mmp.filter": filterOf("mmp", "Filter MMP…"),
  "tradingRpc.mmp.clearFilter": clearFilterOf("mmp", "Clear MMP Filter"),
  "tradingRpc.mmp.reset": {
    title: "Reset MMP…",
    palette: CONNECTED,
    icon: "discard",
    scope: "mmp.reset",
    places: [onRow("mmp", "mmp.group.frozen", "inline@1"), onRow("mmp", MMP_GROUP, "8_danger@1")],
  },
  "tradingRpc.mmp.resetFromTitle": {
    title: { of: "mmp.reset" },
    icon: "discard",
    palette: false,
    scope: "mmp.reset",
    places: [inTitle("mmp", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.mmp.setLimits": {
    title: "Set MMP Limits…",
    palette: CONNECTED,
    scope: "mmp.setLimits",
    places: [onRow("mmp", MMP_GROUP, "8_danger@2")],
  },
  "tradingRpc.mmp.setLimitsFromTitle": {
    title: { of: "mmp.setLimits" },
    palette: false,
    scope: "mmp.setLimits",
    places: [inTitle("mmp", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.mmp.open": { title: "Open MMP Limits", palette: false, places: [onRow("mmp", MMP_GROUP, "1_open@1")] },
  "tradingRpc.mmp.copyJson": {
    title: "Copy MMP Limits as JSON",
    palette: false,
    places: [onRow("mmp", /^mmp\.(index|group)\b/, "2_copy@1")],
  },
} satisfies Commands;

/** The view of MMP groups. */
export const mmpView: View = {
  name: "MMP",
  initialSize: 1,
  isCollapsed: true,
  states: {
    notConnected:
      "Not connected. Connect to see your market maker protection (MMP) limits and frozen groups.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "MMP needs the trade:read or block_rfq:read scope, and this API key has neither. Use another key or add a scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so MMP limits are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server doesn't support MMP (no private/get_mmp_config). You can still send its own methods from a request file.\n[New Request File](command:tradingRpc.request.new)",
    none: "MMP is not configured.\n[Set MMP Limits…](command:tradingRpc.mmp.setLimits)",
    filtered:
      "No MMP groups match the filter. Frozen groups that don't match are hidden.\n[Clear Filter](command:tradingRpc.mmp.clearFilter)",
  },
  copyValue: onRow("mmp", /^mmp\.(index|group(\.frozen)?(\.stale)?|part)$/, "2_copy@2"),
};
