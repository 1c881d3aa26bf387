import { CONNECTED } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An API key from any source. */
export const API_KEY = /^apiKey\.(listed|seen|typed)\b/;

/** The commands about API keys. */
export const apiKeysCommands = {
  "tradingRpc.apiKeys.refresh": refreshOf("apiKeys"),
  "tradingRpc.apiKeys.filter": filterOf("apiKeys"),
  "tradingRpc.apiKeys.clearFilter": clearFilterOf("apiKeys"),
  "tradingRpc.apiKey.open": { palette: false, places: [onRow("apiKeys", API_KEY, "1_open@1")] },
  "tradingRpc.apiKey.copyClientId": { palette: false, places: [onRow("apiKeys", /^apiKey\..*\bknown\b/, "2_copy@1")] },
  "tradingRpc.apiKey.copyJson": { palette: false, places: [onRow("apiKeys", API_KEY, "2_copy@2")] },
  "tradingRpc.apiKey.addKnownId": {
    palette: CONNECTED,
    icon: "add",
    places: [inTitle("apiKeys", "navigation@3", CONNECTED)],
  },
  "tradingRpc.apiKey.removeKnownId": {
    palette: false,
    places: [onRow("apiKeys", /^apiKey\..*\bremovable\b/, "7_edit@1")],
  },
  "tradingRpc.apiKey.create": {
    palette: CONNECTED,
    scope: "apiKey.create",
    places: [onRow("apiKeys", API_KEY, "5_create@1")],
  },
  "tradingRpc.apiKey.createFromTitle": {
    title: "apiKey.create",
    palette: false,
    scope: "apiKey.create",
    places: [inTitle("apiKeys", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.apiKey.createKeyPair": { palette: CONNECTED, scope: "apiKey.createKeyPair" },
  "tradingRpc.apiKey.reset": {
    palette: CONNECTED,
    scope: "apiKey.reset",
    places: [onRow("apiKeys", API_KEY, "8_danger@1")],
  },
  "tradingRpc.apiKey.resetFromTitle": {
    title: "apiKey.reset",
    palette: false,
    scope: "apiKey.reset",
    places: [inTitle("apiKeys", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.apiKey.delete": {
    palette: false,
    scope: "apiKey.delete",
    places: [onRow("apiKeys", API_KEY, "8_danger@2")],
  },
  "tradingRpc.apiKey.edit": {
    palette: CONNECTED,
    icon: "edit",
    scope: "apiKey.edit",
    places: [
      onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.stale$)/, "inline@1"),
      onRow("apiKeys", API_KEY, "4_change@1"),
    ],
  },
  "tradingRpc.apiKey.changeScope": {
    palette: CONNECTED,
    scope: "apiKey.changeScope",
    places: [onRow("apiKeys", API_KEY, "4_change@2")],
  },
  "tradingRpc.apiKey.enable": {
    palette: CONNECTED,
    scope: "apiKey.enable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.enabled\b)/, "4_change@3")],
  },
  "tradingRpc.apiKey.disable": {
    palette: CONNECTED,
    scope: "apiKey.disable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.disabled\b)/, "4_change@4")],
  },
} satisfies Commands;

/** The view of API keys. */
export const apiKeysView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
  copyValue: onRow("apiKeys", "apiKey.session", "2_copy@1"),
};
