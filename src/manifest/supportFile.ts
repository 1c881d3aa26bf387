import { IN_SUPPORT_FILE } from "./clauses.ts";
import { type Commands, inTitle } from "./command.ts";

/** The commands about the support file. */
export const supportFileCommands = {
  "tradingRpc.saveSupportFile": { places: [inTitle("connections", "2_log@2")] },
  "tradingRpc.support.save": {
    icon: "save",
    palette: IN_SUPPORT_FILE,
    places: [{ menu: "editor/title", when: IN_SUPPORT_FILE, group: "navigation@1" }],
  },
  "tradingRpc.support.toggleHosts": { palette: IN_SUPPORT_FILE },
  "tradingRpc.support.toggleFigures": { palette: IN_SUPPORT_FILE },
} satisfies Commands;
