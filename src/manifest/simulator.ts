import { CONNECTED, IN_RECORDING } from "./clauses.ts";
import { type Commands, onRow } from "./command.ts";

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
    palette: CONNECTED,
    places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@2")],
  },
  "tradingRpc.simulator.toggleDemo": {
    title: "Toggle Demo Trading",
    palette: CONNECTED,
    places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@3")],
  },
} satisfies Commands;
