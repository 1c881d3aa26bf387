import { CONNECTED, IN_TRAFFIC } from "./clauses.ts";
import { type Commands, onRow } from "./command.ts";
import { IN_USE } from "./connections.ts";

/** The commands about recorded traffic. */
export const trafficCommands = {
  "tradingRpc.traffic.show": { palette: CONNECTED, places: [onRow("connections", IN_USE, "6_log@2")] },
  "tradingRpc.traffic.stop": { icon: "debug-stop", palette: IN_TRAFFIC },
  "tradingRpc.traffic.pause": {
    icon: "debug-pause",
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/title", when: IN_TRAFFIC, group: "navigation@2" }],
  },
  "tradingRpc.traffic.filter": {
    icon: "filter",
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/title", when: IN_TRAFFIC, group: "navigation@1" }],
  },
  "tradingRpc.traffic.toggleFailed": { palette: IN_TRAFFIC },
  "tradingRpc.traffic.toggleEvents": { palette: IN_TRAFFIC },
  "tradingRpc.traffic.open": {
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/context", when: IN_TRAFFIC, group: "navigation@1" }],
  },
  "tradingRpc.traffic.clear": { icon: "clear-all", palette: IN_TRAFFIC },
} satisfies Commands;
