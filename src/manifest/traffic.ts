import { CONNECTED, IN_TRAFFIC, is } from "./clauses.ts";
import { type Commands, onRow } from "./command.ts";
import { IN_USE } from "./connections.ts";

/** The commands about recorded traffic. */
export const trafficCommands = {
  "tradingRpc.traffic.show": {
    title: "Show Traffic…",
    palette: CONNECTED,
    places: [onRow("connections", IN_USE, "6_log@2")],
  },
  "tradingRpc.traffic.record": {
    title: "Record Traffic…",
    icon: "record",
    palette: CONNECTED,
    places: [onRow("connections", IN_USE, "6_log@3")],
  },
  "tradingRpc.traffic.stopRecording": {
    title: "Stop Recording",
    icon: "stop-circle",
    palette: is("tradingRpc.isRecording"),
  },
  "tradingRpc.traffic.stop": { title: "Stop Traffic Updates", icon: "debug-stop", palette: IN_TRAFFIC },
  "tradingRpc.traffic.pause": {
    title: "Toggle Traffic Updates",
    icon: "debug-pause",
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/title", when: IN_TRAFFIC, group: "navigation@2" }],
  },
  "tradingRpc.traffic.filter": {
    title: "Filter Traffic…",
    icon: "filter",
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/title", when: IN_TRAFFIC, group: "navigation@1" }],
  },
  "tradingRpc.traffic.toggleFailed": { title: "Toggle Failed Requests Only", palette: IN_TRAFFIC },
  "tradingRpc.traffic.toggleEvents": { title: "Toggle Event Details", palette: IN_TRAFFIC },
  "tradingRpc.traffic.open": {
    title: "Open Traffic Entry…",
    palette: IN_TRAFFIC,
    places: [{ menu: "editor/context", when: IN_TRAFFIC, group: "navigation@1" }],
  },
  "tradingRpc.traffic.clear": { title: "Clear Traffic", icon: "clear-all", palette: IN_TRAFFIC },
} satisfies Commands;
