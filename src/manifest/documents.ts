import { CONNECTED, IN_DOCUMENT, IN_RESPONSE, IN_SUPPORT_FILE, IN_TRAFFIC, is } from "./clauses.ts";
import { type Commands, inEditor, onRow } from "./command.ts";
import { inBoth, IN_USE } from "./connections.ts";

/** The languages, grammars, schemas and labels of request files, environment files and the extension's documents. */
export const DOCUMENTS = {
  languages: [
    {
      id: "jsonc",
      filenames: ["rpc.env.json", "rpc.env.local.json"],
      filenamePatterns: ["*.rpc.json"],
    },
    {
      id: "trading-rpc-response",
      aliases: ["JSON-RPC Response"],
      filenamePatterns: ["**/trading-rpc-response/*"],
      configuration: "./media/response-language.json",
    },
  ],
  configurationDefaults: {
    "[trading-rpc-response]": {
      "editor.wordWrap": "on",
      // Values wrap between words and after commas. By default, VS Code also breaks at the point of a time.
      "editor.wordWrapBreakAfterCharacters": " \t,",
      "editor.wordWrapBreakBeforeCharacters": "",
    },
  },
  grammars: [
    {
      language: "trading-rpc-response",
      scopeName: "source.trading-rpc-response",
      path: "./media/response-grammar.json",
    },
  ],
  jsonValidation: [
    {
      fileMatch: "*.rpc.json",
      url: "./media/rpc.schema.json",
    },
    {
      fileMatch: ["rpc.env.json", "rpc.env.local.json"],
      url: "./media/rpc.env.schema.json",
    },
  ],
  resourceLabelFormatters: [
    {
      scheme: "trading-rpc-response",
      formatting: {
        label: "${query.t}",
        separator: "/",
      },
    },
  ],
} as const;

/** The commands of a document that shows a channel. */
export const channelsCommands = {
  "tradingRpc.channel.stop": { title: "Unsubscribe from Channel", icon: "debug-stop", palette: IN_DOCUMENT },
  "tradingRpc.channel.pause": { title: "Toggle Channel Updates", icon: "debug-pause", palette: IN_DOCUMENT },
  "tradingRpc.channel.filter": { title: "Filter Channel Events…", icon: "filter", palette: IN_DOCUMENT },
  "tradingRpc.channel.clear": { title: "Clear Channel Events", icon: "clear-all", palette: IN_DOCUMENT },
} satisfies Commands;

/** The commands about the response to a request. */
export const responsesCommands = {
  "tradingRpc.response.pin": { title: "Create Expectation in Request from Response", palette: IN_DOCUMENT },
  "tradingRpc.response.save": {
    title: "Save Response…",
    icon: "save",
    palette: IN_DOCUMENT,
    places: [{ menu: "editor/title", when: IN_RESPONSE, group: "navigation@1" }],
  },
  "tradingRpc.response.sendAnyway": { title: "Send Anyway", palette: false },
  "tradingRpc.response.checkAgain": { title: "Check Outcome Again", palette: false },
  "tradingRpc.response.comparePrevious": {
    title: "Compare Response with Previous",
    icon: "diff",
    palette: IN_DOCUMENT,
  },
  "tradingRpc.response.compareSaved": { title: "Compare Response with Saved…", palette: IN_DOCUMENT },
  "tradingRpc.response.copySignature": { title: "Copy Block Trade Signature", palette: IN_DOCUMENT },
  "tradingRpc.response.act": { title: "Act on Object in Response", palette: false },
} satisfies Commands;

/** The commands about the support file. */
export const supportFileCommands = {
  "tradingRpc.supportFile.preview": { title: "Save Support File…", places: inBoth("2_log@2") },
  "tradingRpc.supportFile.save": inEditor(IN_SUPPORT_FILE, "Save This Support File…", {
    icon: "save",
    inTitle: "navigation@1",
  }),
  "tradingRpc.supportFile.toggleHosts": { title: "Toggle Host Names in Support File", palette: IN_SUPPORT_FILE },
  "tradingRpc.supportFile.toggleFigures": { title: "Toggle Amounts in Support File", palette: IN_SUPPORT_FILE },
} satisfies Commands;

/** The commands about recorded traffic. */
export const trafficCommands = {
  "tradingRpc.traffic.show": {
    title: "Show Traffic…",
    palette: CONNECTED,
    places: [onRow("connections", IN_USE, "6_log@2")],
  },
  "tradingRpc.traffic.record": {
    title: "Record Traffic…",
    icon: "record",
    palette: CONNECTED,
    places: [onRow("connections", IN_USE, "6_log@3")],
  },
  "tradingRpc.traffic.stopRecording": {
    title: "Stop Recording",
    icon: "stop-circle",
    palette: is("tradingRpc.isRecording"),
  },
  "tradingRpc.traffic.stop": { title: "Stop Traffic Updates", icon: "debug-stop", palette: IN_TRAFFIC },
  "tradingRpc.traffic.pause": inEditor(IN_TRAFFIC, "Toggle Traffic Updates", {
    icon: "debug-pause",
    inTitle: "navigation@2",
  }),
  "tradingRpc.traffic.filter": inEditor(IN_TRAFFIC, "Filter Traffic…", { icon: "filter", inTitle: "navigation@1" }),
  "tradingRpc.traffic.toggleFailed": { title: "Toggle Failed Requests Only", palette: IN_TRAFFIC },
  "tradingRpc.traffic.toggleEvents": { title: "Toggle Event Details", palette: IN_TRAFFIC },
  "tradingRpc.traffic.open": inEditor(IN_TRAFFIC, "Open Traffic Entry…", { inContext: "navigation@1" }),
  "tradingRpc.traffic.clear": { title: "Clear Traffic", icon: "clear-all", palette: IN_TRAFFIC },
} satisfies Commands;
