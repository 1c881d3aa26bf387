import { CONNECTED, SEVERAL_ROWS } from "./clauses.ts";
import { type Commands, inTitle, onRow } from "./command.ts";
import { clearFilterOf, filterOf, refreshOf } from "./viewCommands.ts";
import type { View } from "./view.ts";

/** A quote that can be cancelled. */
const QUOTE = /^quotes\.quote(\.stale)?$/;

/** A Block RFQ, or a quote in any state. */
const RFQ_OR_QUOTE = /^quotes\.(rfq|quote(\.pending|\.stale)?)$/;

/** The commands about quotes for Block RFQs. */
export const quotesCommands = {
  "tradingRpc.quotes.refresh": refreshOf("quotes"),
  "tradingRpc.quotes.filter": filterOf("quotes"),
  "tradingRpc.quotes.clearFilter": clearFilterOf("quotes"),
  "tradingRpc.quote.cancel": {
    palette: CONNECTED,
    scope: "quote.cancel",
    places: [onRow("quotes", QUOTE, "8_danger@1")],
  },
  "tradingRpc.quote.cancelFromTitle": {
    title: "quote.cancel",
    palette: false,
    scope: "quote.cancel",
    places: [inTitle("quotes", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.quote.cancelSelected": {
    palette: false,
    scope: "quote.cancelSelected",
    places: [onRow("quotes", QUOTE, "8_danger@2", SEVERAL_ROWS)],
  },
  "tradingRpc.quote.cancelRow": {
    icon: "close",
    palette: false,
    scope: "quote.cancelRow",
    places: [onRow("quotes", "quotes.quote", "inline@1")],
  },
  "tradingRpc.quote.cancelAll": {
    palette: CONNECTED,
    scope: "quote.cancelAll",
    places: [onRow("quotes", "quotes.connection", "8_danger@1")],
  },
  "tradingRpc.quote.cancelAllFromTitle": {
    title: "quote.cancelAll",
    palette: false,
    scope: "quote.cancelAll",
    places: [inTitle("quotes", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.quote.cancelAllOfRfq": {
    palette: false,
    scope: "quote.cancelAllOfRfq",
    places: [onRow("quotes", "quotes.rfq", "8_danger@1")],
  },
  "tradingRpc.quote.open": {
    palette: false,
    places: [onRow("quotes", /^quotes\.(rfq|quote(\.pending|\.stale)?|leg|facts)$/, "1_open@1")],
  },
  "tradingRpc.quote.copyId": { palette: false, places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@1")] },
  "tradingRpc.quote.copyJson": { palette: false, places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@2")] },
} satisfies Commands;

/** The view of Block RFQs and quotes. */
export const quotesView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
  copyValue: onRow("quotes", /^quotes\.(facts|leg)$/, "2_copy@1"),
};
