import { IN_SUPPORT_FILE } from "./clauses.ts";
import { type Commands, inTitle } from "./command.ts";

/** The commands about the support file. */
export const supportFileCommands = {
  "tradingRpc.supportFile.preview": { places: [inTitle("connections", "2_log@2")] },
  "tradingRpc.supportFile.save": {
    icon: "save",
    palette: IN_SUPPORT_FILE,
    places: [{ menu: "editor/title", when: IN_SUPPORT_FILE, group: "navigation@1" }],
  },
  "tradingRpc.supportFile.toggleHosts": { palette: IN_SUPPORT_FILE },
  "tradingRpc.supportFile.toggleFigures": { palette: IN_SUPPORT_FILE },
} satisfies Commands;
