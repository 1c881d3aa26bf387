import { API_KEY } from "./apiKeys.ts";
import { BLOCK_TRADE_OR_LEG } from "./blockTrades.ts";
import { all, IN_RECORDING, IN_REQUEST_FILE } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { ORDER } from "./orders.ts";

/** The commands about request files, the methods in them, and their history. */
export const requestsCommands = {
  "tradingRpc.request.newFromBlockTrade": {
    title: "New Request from Block Trade",
    palette: false,
    places: [onRow("blockTrades", BLOCK_TRADE_OR_LEG, "3_use@1")],
  },
  "tradingRpc.request.send": {
    title: "Send Request",
    icon: "play",
    palette: IN_REQUEST_FILE,
    places: [
      { menu: "editor/title", when: IN_REQUEST_FILE, group: "navigation@1" },
      { menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@1" },
    ],
    keys: [{ key: "ctrl+alt+r", mac: "cmd+alt+r", when: all("editorTextFocus", IN_REQUEST_FILE) }],
  },
  "tradingRpc.request.sendAll": {
    title: "Send Whole File",
    icon: "run-all",
    palette: IN_REQUEST_FILE,
    places: [
      { menu: "editor/title", when: IN_REQUEST_FILE, group: "navigation@2" },
      { menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@3" },
    ],
  },
  "tradingRpc.request.sendFromHere": {
    title: "Send from Here",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@2" }],
  },
  "tradingRpc.request.sendReads": {
    title: "Send Read Requests",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@1" }],
  },
  "tradingRpc.request.stop": {
    title: "Stop Requests",
    icon: "debug-stop",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@2" }],
  },
  "tradingRpc.request.resend": { title: "Resend Last Request", palette: IN_REQUEST_FILE },
  "tradingRpc.request.chooseTarget": {
    title: "Select Connection for File…",
    icon: "plug",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@3" }],
  },
  "tradingRpc.request.pin": {
    title: "Create Expectation from Response",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@9" }],
  },
  "tradingRpc.request.copyAsCurl": {
    title: "Copy Request as curl",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@9" }],
  },
  "tradingRpc.request.copyAsCode": {
    title: "Copy Request as Code…",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@10" }],
  },
  "tradingRpc.request.showVariables": {
    title: "Show File Variables…",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@4" }],
  },
  "tradingRpc.request.paste": {
    title: "Paste as Request",
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@11" }],
  },
  "tradingRpc.request.newFromOrder": {
    title: "New Request from Order",
    palette: false,
    places: [onRow("orders", ORDER, "3_use@1")],
  },
  "tradingRpc.request.newFromRecording": {
    title: "Create Request File from Recording…",
    places: [
      { menu: "explorer/context", when: IN_RECORDING, group: "7_tradingRpc@2" },
      { menu: "editor/title", when: IN_RECORDING, group: "1_run@2" },
    ],
  },
  "tradingRpc.request.newFromApiKey": {
    title: "New Request from API Key",
    palette: false,
    places: [onRow("apiKeys", API_KEY, "3_use@1")],
  },
  "tradingRpc.request.new": {
    title: "New Request File",
    icon: "new-file",
    places: [inTitle("connections", "1_open@2"), { menu: "file/newFile", group: "file" }],
  },
  "tradingRpc.method.browse": { title: "Browse Methods…" },
  "tradingRpc.history.show": {
    title: "Show Request History",
    icon: "history",
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "2_history@1" }],
  },
  "tradingRpc.history.clear": { title: "Clear Request History…" },
} satisfies Commands;
