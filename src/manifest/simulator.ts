import { CONNECTED } from "./clauses.ts";
import { type Commands, onRow } from "./command.ts";

/** The commands about the built-in simulator. */
export const simulatorCommands = {
  "tradingRpc.simulator.start": { title: "Start Simulator" },
  "tradingRpc.simulator.injectFault": {
    title: "Simulate Fault…",
    palette: CONNECTED,
    places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@2")],
  },
} satisfies Commands;
