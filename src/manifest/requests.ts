import { API_KEY } from "./apiKeys.ts";
import { BLOCK_TRADE_OR_LEG } from "./blockTrades.ts";
import { all, IN_REQUEST_FILE } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { ORDER } from "./orders.ts";

/** The commands about request files, the methods in them, and their history. */
export const requestsCommands = {
  "tradingRpc.request.newFromBlockTrade": {
    palette: false,
    places: [onRow("blockTrades", BLOCK_TRADE_OR_LEG, "3_use@1")],
  },
  "tradingRpc.request.send": {
    icon: "play",
    palette: IN_REQUEST_FILE,
    places: [
      { menu: "editor/title", when: IN_REQUEST_FILE, group: "navigation@1" },
      { menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@1" },
    ],
    keys: [{ key: "ctrl+alt+r", mac: "cmd+alt+r", when: all("editorTextFocus", IN_REQUEST_FILE) }],
  },
  "tradingRpc.request.sendAll": {
    icon: "run-all",
    palette: IN_REQUEST_FILE,
    places: [
      { menu: "editor/title", when: IN_REQUEST_FILE, group: "navigation@2" },
      { menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@3" },
    ],
  },
  "tradingRpc.request.sendFromHere": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@2" }],
  },
  "tradingRpc.request.sendReads": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@1" }],
  },
  "tradingRpc.request.stop": {
    icon: "debug-stop",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@2" }],
  },
  "tradingRpc.request.resend": { palette: IN_REQUEST_FILE },
  "tradingRpc.request.chooseTarget": {
    icon: "plug",
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "1_run@3" }],
  },
  "tradingRpc.request.pin": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@9" }],
  },
  "tradingRpc.request.copyAsCurl": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@9" }],
  },
  "tradingRpc.request.copyAsCode": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@10" }],
  },
  "tradingRpc.request.showVariables": {
    palette: IN_REQUEST_FILE,
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "1_run@4" }],
  },
  "tradingRpc.request.paste": {
    places: [{ menu: "editor/context", when: IN_REQUEST_FILE, group: "9_cutcopypaste@11" }],
  },
  "tradingRpc.request.newFromOrder": { palette: false, places: [onRow("orders", ORDER, "3_use@1")] },
  "tradingRpc.request.newFromApiKey": { palette: false, places: [onRow("apiKeys", API_KEY, "3_use@1")] },
  "tradingRpc.request.new": {
    icon: "new-file",
    places: [inTitle("connections", "1_open@2"), { menu: "file/newFile", group: "file" }],
  },
  "tradingRpc.method.browse": {},
  "tradingRpc.history.show": {
    icon: "history",
    places: [{ menu: "editor/title", when: IN_REQUEST_FILE, group: "2_history@1" }],
  },
  "tradingRpc.history.clear": {},
} satisfies Commands;
