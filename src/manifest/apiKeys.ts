import { is } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An API key, wherever its ID comes from. */
export const API_KEY = /^apiKey\.(listed|seen|typed)\b/;

/** The commands about API keys. */
export const apiKeysCommands = {
  "tradingRpc.apiKeys.refresh": refreshOf("apiKeys"),
  "tradingRpc.apiKeys.filter": filterOf("apiKeys"),
  "tradingRpc.apiKeys.clearFilter": clearFilterOf("apiKeys"),
  "tradingRpc.apiKeys.open": { places: [onRow("apiKeys", API_KEY, "1_open@1")] },
  "tradingRpc.apiKeys.copyClientId": { places: [onRow("apiKeys", /^apiKey\..*\bknown\b/, "2_copy@1")] },
  "tradingRpc.apiKeys.copyJson": { places: [onRow("apiKeys", API_KEY, "2_copy@2")] },
  "tradingRpc.apiKeys.addKnownId": {
    icon: "add",
    places: [inTitle("apiKeys", "navigation@3", is("tradingRpc.isConnected"))],
  },
  "tradingRpc.apiKeys.removeKnownId": { places: [onRow("apiKeys", /^apiKey\..*\bremovable\b/, "7_edit@1")] },
  "tradingRpc.apiKeys.edit": { scope: "apiKeys.edit", places: [onRow("apiKeys", API_KEY, "4_change@1")] },
  "tradingRpc.apiKeys.editRow": {
    icon: "edit",
    palette: false,
    scope: "apiKeys.editRow",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.stale$)/, "inline@1")],
  },
  "tradingRpc.apiKeys.changeScope": { scope: "apiKeys.changeScope", places: [onRow("apiKeys", API_KEY, "4_change@2")] },
  "tradingRpc.apiKeys.enable": {
    scope: "apiKeys.enable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.enabled\b)/, "4_change@3")],
  },
  "tradingRpc.apiKeys.disable": {
    scope: "apiKeys.disable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.disabled\b)/, "4_change@4")],
  },
} satisfies Commands;

/** The view of API keys. */
export const apiKeysView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
};
