import { all, CONNECTED, isVisible } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** An API key from any source. */
export const API_KEY = /^apiKey\.(listed|seen|typed)\b/;

/** The commands about API keys. */
export const apiKeysCommands = {
  "tradingRpc.apiKeys.refresh": refreshOf("apiKeys", "Refresh API Keys"),
  "tradingRpc.apiKeys.filter": filterOf("apiKeys", "Filter API Keys…"),
  "tradingRpc.apiKeys.clearFilter": clearFilterOf("apiKeys", "Clear API Key Filter"),
  "tradingRpc.apiKey.open": { title: "Open API Key…", palette: false, places: [onRow("apiKeys", API_KEY, "1_open@1")] },
  "tradingRpc.apiKey.copyClientId": {
    title: "Copy API Key Client ID",
    palette: false,
    places: [onRow("apiKeys", /^apiKey\..*\bknown\b/, "2_copy@1")],
  },
  "tradingRpc.apiKey.copyJson": {
    title: "Copy API Key as JSON",
    palette: false,
    places: [onRow("apiKeys", API_KEY, "2_copy@2")],
  },
  "tradingRpc.apiKey.addKnownId": {
    title: "Add API Key by ID…",
    palette: all(CONNECTED, isVisible("apiKeys")),
    icon: "add",
    places: [inTitle("apiKeys", "navigation@3", CONNECTED)],
  },
  "tradingRpc.apiKey.removeKnownId": {
    title: "Remove API Key from List",
    palette: false,
    places: [onRow("apiKeys", /^apiKey\..*\bremovable\b/, "7_edit@1")],
  },
  "tradingRpc.apiKey.create": {
    title: "Create API Key…",
    palette: CONNECTED,
    scope: "apiKey.create",
    places: [onRow("apiKeys", API_KEY, "5_create@1")],
  },
  "tradingRpc.apiKey.createFromTitle": {
    title: { of: "apiKey.create" },
    palette: false,
    scope: "apiKey.create",
    places: [inTitle("apiKeys", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.apiKey.createKeyPair": { title: "Create Key Pair…", palette: CONNECTED, scope: "apiKey.createKeyPair" },
  "tradingRpc.apiKey.reset": {
    title: "Reset API Key Secret…",
    palette: CONNECTED,
    scope: "apiKey.reset",
    places: [onRow("apiKeys", API_KEY, "8_danger@1")],
  },
  "tradingRpc.apiKey.resetFromTitle": {
    title: { of: "apiKey.reset" },
    palette: false,
    scope: "apiKey.reset",
    places: [inTitle("apiKeys", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.apiKey.delete": {
    title: "Delete API Key…",
    palette: false,
    scope: "apiKey.delete",
    places: [onRow("apiKeys", API_KEY, "8_danger@2")],
  },
  "tradingRpc.apiKey.edit": {
    title: "Edit API Key…",
    palette: CONNECTED,
    icon: "edit",
    scope: "apiKey.edit",
    places: [
      onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.stale$)/, "inline@1"),
      onRow("apiKeys", API_KEY, "4_change@1"),
    ],
  },
  "tradingRpc.apiKey.changeScope": {
    title: "Change Scope of API Key…",
    palette: CONNECTED,
    scope: "apiKey.changeScope",
    places: [onRow("apiKeys", API_KEY, "4_change@2")],
  },
  "tradingRpc.apiKey.enable": {
    title: "Enable API Key",
    palette: CONNECTED,
    scope: "apiKey.enable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.enabled\b)/, "4_change@3")],
  },
  "tradingRpc.apiKey.disable": {
    title: "Disable API Key",
    palette: CONNECTED,
    scope: "apiKey.disable",
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.disabled\b)/, "4_change@4")],
  },
} satisfies Commands;

/** The view of API keys. */
export const apiKeysView: View = {
  name: "API Keys",
  initialSize: 1,
  isCollapsed: true,
  states: {
    notConnected:
      "Not connected. Connect to see the API keys of your account.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "Listing API keys needs the account:read scope, which the API key in use doesn't have. API keys from responses and API keys you add by ID are shown instead.\n[Add API Key by ID…](command:tradingRpc.apiKey.addKnownId)\nOr [edit the connection](command:tradingRpc.connection.edit) to use another key.",
    noKey:
      "This connection has no API key, so API keys are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server can't list API keys (no private/list_api_keys). API keys from responses and API keys you add by ID are shown instead.\n[Add API Key by ID…](command:tradingRpc.apiKey.addKnownId)",
    none: "This account has no API keys.\n[Refresh](command:tradingRpc.apiKeys.refresh)",
    filtered: "No API keys match the filter.\n[Clear Filter](command:tradingRpc.apiKeys.clearFilter)",
  },
  copyValue: onRow("apiKeys", "apiKey.session", "2_copy@1"),
};
