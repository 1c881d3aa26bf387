import { type Commands, onRow } from "./command.ts";
import { inBoth } from "./connections.ts";

/** The commands that belong to no other group. */
export const generalCommands = {
  "tradingRpc.walkthrough.open": { title: "Open Walkthrough" },
  "tradingRpc.example.open": { title: "Open Example Requests", places: inBoth("1_open@1") },
  "tradingRpc.presentation.toggle": { title: "Toggle Presentation Mode" },
  "tradingRpc.log.show": {
    title: "Show Log",
    places: [...inBoth("2_log@1"), onRow("connections", /^connection\.(?!fact)/, "6_log@1")],
  },
} satisfies Commands;
