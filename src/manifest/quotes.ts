import { is, SEVERAL_ROWS } from "./clauses.ts";
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
  "tradingRpc.quotes.cancel": { scope: "quotes.cancel", places: [onRow("quotes", QUOTE, "8_danger@1")] },
  "tradingRpc.quotes.cancelFromTitle": {
    title: "quotes.cancel",
    palette: false,
    scope: "quotes.cancel",
    places: [inTitle("quotes", "8_danger@1", is("tradingRpc.isConnected"))],
  },
  "tradingRpc.quotes.cancelSelected": {
    scope: "quotes.cancelSelected",
    places: [onRow("quotes", QUOTE, "8_danger@2", SEVERAL_ROWS)],
  },
  "tradingRpc.quotes.cancelRow": {
    icon: "close",
    palette: false,
    scope: "quotes.cancelRow",
    places: [onRow("quotes", "quotes.quote", "inline@1")],
  },
  "tradingRpc.quotes.cancelAll": {
    scope: "quotes.cancelAll",
    places: [onRow("quotes", "quotes.connection", "8_danger@1")],
  },
  "tradingRpc.quotes.cancelAllFromTitle": {
    title: "quotes.cancelAll",
    palette: false,
    scope: "quotes.cancelAll",
    places: [inTitle("quotes", "8_danger@2", is("tradingRpc.isConnected"))],
  },
  "tradingRpc.quotes.cancelRfq": {
    palette: false,
    scope: "quotes.cancelRfq",
    places: [onRow("quotes", "quotes.rfq", "8_danger@1")],
  },
  "tradingRpc.quotes.open": {
    places: [onRow("quotes", /^quotes\.(rfq|quote(\.pending|\.stale)?|leg|facts)$/, "1_open@1")],
  },
  "tradingRpc.quotes.copyId": { places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@1")] },
  "tradingRpc.quotes.copyJson": { places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@2")] },
} satisfies Commands;

/** The view of Block RFQs and quotes. */
export const quotesView: View = {
  initialSize: 1,
  isCollapsed: true,
  states: ["notConnected", "refused", "missingScope", "noKey", "notOffered", "none", "filtered"],
};
