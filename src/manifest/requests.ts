import { API_KEY, BLOCK_TRADE_OR_LEG } from "./collapsedKinds.ts";
import { all, IN_RECORDING, IN_REQUEST_FILE } from "./clauses.ts";
import { type Commands, inEditor, onlyIn, onRow } from "./command.ts";
import { inBoth } from "./connections.ts";
import { ORDER } from "./orders.ts";

/** The commands about request files, the methods in them, and their history. */
export const requestsCommands = {
  "tradingRpc.request.newFromBlockTrade": onlyIn(
    "New Request from Block Trade",
    onRow("blockTrades", BLOCK_TRADE_OR_LEG, "3_use@1"),
  ),
  "tradingRpc.request.send": inEditor(IN_REQUEST_FILE, "Send Request", {
    icon: "play",
    inTitle: "navigation@1",
    inContext: "1_run@1",
    keys: [{ key: "ctrl+alt+r", mac: "cmd+alt+r", when: all("editorTextFocus", IN_REQUEST_FILE) }],
  }),
  "tradingRpc.request.sendAll": inEditor(IN_REQUEST_FILE, "Send Whole File", {
    icon: "run-all",
    inTitle: "navigation@2",
    inContext: "1_run@3",
  }),
  "tradingRpc.request.sendFromHere": inEditor(IN_REQUEST_FILE, "Send from Here", { inContext: "1_run@2" }),
  "tradingRpc.request.sendReads": inEditor(IN_REQUEST_FILE, "Send Read Requests", { inTitle: "1_run@1" }),
  "tradingRpc.request.stop": inEditor(IN_REQUEST_FILE, "Stop Requests", { icon: "debug-stop", inTitle: "1_run@2" }),
  "tradingRpc.request.resend": { title: "Resend Last Request", palette: IN_REQUEST_FILE },
  "tradingRpc.request.chooseTarget": inEditor(IN_REQUEST_FILE, "Select Connection for File…", {
    icon: "plug",
    inTitle: "1_run@3",
  }),
  "tradingRpc.request.pin": inEditor(IN_REQUEST_FILE, "Create Expectation from Response", { inContext: "1_run@9" }),
  "tradingRpc.request.copyAsCurl": inEditor(IN_REQUEST_FILE, "Copy Request as curl", { inContext: "9_cutcopypaste@9" }),
  "tradingRpc.request.copyAsCode": inEditor(IN_REQUEST_FILE, "Copy Request as Code…", {
    inContext: "9_cutcopypaste@10",
  }),
  "tradingRpc.request.showVariables": inEditor(IN_REQUEST_FILE, "Show File Variables…", { inContext: "1_run@4" }),
  "tradingRpc.request.paste": {
    title: "Paste as Request",
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@11" }],
  },
  "tradingRpc.request.newFromOrder": onlyIn("New Request from Order", onRow("orders", ORDER, "3_use@1")),
  "tradingRpc.request.newFromRecording": {
    title: "Create Request File from Recording…",
    places: [
      { menu: "explorer/context", when: IN_RECORDING, group: "7_tradingRpc@2" },
      { menu: "editor/title", when: IN_RECORDING, group: "1_run@2" },
    ],
  },
  "tradingRpc.request.newFromApiKey": onlyIn("New Request from API Key", onRow("apiKeys", API_KEY, "3_use@1")),
  "tradingRpc.request.new": {
    title: "New Request File",
    icon: "new-file",
    places: [...inBoth("1_open@2"), { menu: "file/newFile", group: "file" }],
  },
  "tradingRpc.method.browse": { title: "Browse Methods…" },
  "tradingRpc.history.show": {
    title: "Show Request History",
    icon: "history",
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "2_history@1" }],
  },
  "tradingRpc.history.clear": { title: "Clear Request History…" },
} satisfies Commands;
