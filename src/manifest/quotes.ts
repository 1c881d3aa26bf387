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
  "tradingRpc.quotes.refresh": refreshOf("quotes", "Refresh Block RFQ Quotes"),
  "tradingRpc.quotes.filter": filterOf("quotes", "Filter Block RFQ Quotes…"),
  "tradingRpc.quotes.clearFilter": clearFilterOf("quotes", "Clear Block RFQ Quote Filter"),
  "tradingRpc.quote.cancel": {
    title: "Cancel Block RFQ Quote…",
    palette: CONNECTED,
    scope: "quote.cancel",
    places: [onRow("quotes", QUOTE, "8_danger@1")],
  },
  "tradingRpc.quote.cancelFromTitle": {
    title: { of: "quote.cancel" },
    palette: false,
    scope: "quote.cancel",
    places: [inTitle("quotes", "8_danger@1", CONNECTED)],
  },
  "tradingRpc.quote.cancelSelected": {
    title: "Cancel Selected Block RFQ Quotes…",
    palette: false,
    scope: "quote.cancelSelected",
    places: [onRow("quotes", QUOTE, "8_danger@2", SEVERAL_ROWS)],
  },
  "tradingRpc.quote.cancelRow": {
    title: "Cancel Block RFQ Quote",
    icon: "close",
    palette: false,
    scope: "quote.cancelRow",
    places: [onRow("quotes", "quotes.quote", "inline@1")],
  },
  "tradingRpc.quote.cancelAll": {
    title: "Cancel All Block RFQ Quotes…",
    palette: false,
    scope: "quote.cancelAll",
    places: [onRow("quotes", "quotes.connection", "8_danger@1")],
  },
  "tradingRpc.quote.cancelAllFromTitle": {
    title: "Quotes: Cancel All for Block RFQs…",
    inMenus: "quote.cancelAll",
    palette: CONNECTED,
    scope: "quote.cancelAll",
    places: [inTitle("quotes", "8_danger@2", CONNECTED)],
  },
  "tradingRpc.quote.cancelAllOfRfq": {
    title: "Cancel All Quotes of Block RFQ…",
    palette: false,
    scope: "quote.cancelAllOfRfq",
    places: [onRow("quotes", "quotes.rfq", "8_danger@1")],
  },
  "tradingRpc.quote.open": {
    title: "Open Block RFQ Quote",
    palette: false,
    places: [onRow("quotes", /^quotes\.(rfq|quote(\.pending|\.stale)?|leg|facts)$/, "1_open@1")],
  },
  "tradingRpc.quote.copyId": {
    title: "Copy Block RFQ Quote ID",
    palette: false,
    places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@1")],
  },
  "tradingRpc.quote.copyJson": {
    title: "Copy Block RFQ Quote as JSON",
    palette: false,
    places: [onRow("quotes", RFQ_OR_QUOTE, "2_copy@2")],
  },
} satisfies Commands;

/** The view of Block RFQs and quotes. */
export const quotesView: View = {
  name: "Block RFQ Quotes",
  initialSize: 1,
  isCollapsed: true,
  states: {
    notConnected:
      "Not connected. Connect to see your open Block RFQ quotes.\n[Connect…](command:tradingRpc.connection.connect)\nThe [simulator](command:tradingRpc.simulator.start) needs no account and no network.",
    refused:
      "The exchange rejected the API key or its secret (error 13004). See the Connections view for its response.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another API key.",
    missingScope:
      "Block RFQ quotes need the block_rfq:read scope, which this API key doesn't have. Use another key or add the scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    noKey:
      "This connection has no API key, so Block RFQ quotes are not available. Market data and public methods still work.\n[Show Last Trades…](command:tradingRpc.lastTrades.show)\nOr [edit the connection](command:tradingRpc.connection.edit) to sign in with an API key.",
    notOffered:
      "This server doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them.\n[Cancel All Block RFQ Quotes…](command:tradingRpc.quote.cancelAllFromTitle)",
    none: "No open Block RFQ quotes.\n[Refresh](command:tradingRpc.quotes.refresh)",
    filtered: "No Block RFQ quotes match the filter.\n[Clear Filter](command:tradingRpc.quotes.clearFilter)",
  },
  copyValue: onRow("quotes", /^quotes\.(facts|leg)$/, "2_copy@1"),
};
