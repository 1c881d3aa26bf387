import { IN_DOCUMENT, IN_RESPONSE } from "./clauses.ts";
import type { Commands } from "./command.ts";

/** The commands about the response to a request. */
export const responsesCommands = {
  "tradingRpc.response.pin": { palette: IN_DOCUMENT },
  "tradingRpc.response.save": {
    icon: "save",
    palette: IN_DOCUMENT,
    places: [{ menu: "editor/title", when: IN_RESPONSE, group: "navigation@1" }],
  },
  "tradingRpc.response.sendAnyway": { palette: false },
  "tradingRpc.response.checkAgain": { palette: false },
  "tradingRpc.response.comparePrevious": { icon: "diff", palette: IN_DOCUMENT },
  "tradingRpc.response.compareSaved": { palette: IN_DOCUMENT },
  "tradingRpc.response.copySignature": { palette: IN_DOCUMENT },
  "tradingRpc.response.act": { palette: false },
} satisfies Commands;
