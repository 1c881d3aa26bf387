import { IN_DOCUMENT } from "./clauses.ts";
import type { Commands } from "./command.ts";

/** The commands of a document that shows a channel. */
export const channelsCommands = {
  "tradingRpc.channel.stop": { title: "Unsubscribe from Channel", icon: "debug-stop", palette: IN_DOCUMENT },
  "tradingRpc.channel.pause": { title: "Toggle Channel Updates", icon: "debug-pause", palette: IN_DOCUMENT },
  "tradingRpc.channel.filter": { title: "Filter Channel Events…", icon: "filter", palette: IN_DOCUMENT },
  "tradingRpc.channel.clear": { title: "Clear Channel Events", icon: "clear-all", palette: IN_DOCUMENT },
} satisfies Commands;
