import { IN_DOCUMENT } from "./clauses.ts";
import type { Commands } from "./command.ts";

/** The commands of a document that shows a channel. */
export const channelsCommands = {
  "tradingRpc.channel.stop": { icon: "debug-stop", palette: IN_DOCUMENT },
  "tradingRpc.channel.pause": { icon: "debug-pause", palette: IN_DOCUMENT },
  "tradingRpc.channel.filter": { icon: "filter", palette: IN_DOCUMENT },
  "tradingRpc.channel.clear": { icon: "clear-all", palette: IN_DOCUMENT },
} satisfies Commands;
