import { IN_SUPPORT_FILE } from "./clauses.ts";
import { type Commands, inTitle } from "./command.ts";

/** The commands about the support file. */
export const supportFileCommands = {
  "tradingRpc.supportFile.preview": { title: "Save Support File…", places: [inTitle("connections", "2_log@2")] },
  "tradingRpc.supportFile.save": {
    title: "Save This Support File…",
    icon: "save",
    palette: IN_SUPPORT_FILE,
    places: [{ menu: "editor/title", when: IN_SUPPORT_FILE, group: "navigation@1" }],
  },
  "tradingRpc.supportFile.toggleHosts": { title: "Toggle Host Names in Support File", palette: IN_SUPPORT_FILE },
  "tradingRpc.supportFile.toggleFigures": { title: "Toggle Amounts in Support File", palette: IN_SUPPORT_FILE },
} satisfies Commands;
