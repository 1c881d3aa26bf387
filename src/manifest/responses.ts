import { IN_DOCUMENT, IN_RESPONSE } from "./clauses.ts";
import type { Commands } from "./command.ts";

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
