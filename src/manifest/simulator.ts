import { type Commands, onRow } from "./command.ts";

/** The commands about the built-in simulator. */
export const simulatorCommands = {
  "tradingRpc.startSimulator": {},
  "tradingRpc.simulator.fault": { places: [onRow("connections", /^connection\.ready\..*\bbuiltIn\b/, "5_changes@2")] },
} satisfies Commands;
