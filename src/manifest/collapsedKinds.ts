import { all, CONNECTED, isVisible, mayHaveRows, SEVERAL_ROWS, WITH_ACCOUNT } from "./clauses.ts";
import { type Commands, inTitle, onlyIn, onRow, scopedIn } from "./command.ts";
import { accountStates, clearFilterOf, filterOf, refreshOf, type View } from "./view.ts";

/** The fills of an order, or a trade of them. */
const FILL_OF_ORDER = /^fill\.(order|part)$/;

/** The commands about the account's own trades. */
const fillsCommands = {
  "tradingRpc.fills.refresh": refreshOf(
    "fills",
    "Refresh Fills",
    onRow("fills", /^fills\.(day|unreadDay)$/, "1_open@1"),
    onRow("fills", "fills.unreadDay", "inline@1"),
  ),
  "tradingRpc.fills.filter": filterOf("fills", "Filter Fills…"),
  "tradingRpc.fills.clearFilter": clearFilterOf("fills", "Clear Fill Filter"),
  "tradingRpc.fill.openOrder": onlyIn("Open Filled Order", onRow("fills", "fill.order", "1_open@1")),
  "tradingRpc.fill.copyOrderId": onlyIn("Copy ID of Filled Order", onRow("fills", FILL_OF_ORDER, "2_copy@1")),
  "tradingRpc.fill.copyJson": onlyIn("Copy Fill as JSON", onRow("fills", /^fill\./, "2_copy@2")),
} satisfies Commands;

/** The view of the account's own trades. */
const fillsView: View = {
  name: "Fills",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your fills",
      without: "fills are",
      needs: "Fills need the trade:read scope",
    }),
    notOffered:
      "This server can't list fills (no private/get_user_trades_by_currency). Request files still work.\n[New Request File](command:tradingRpc.request.new)",
    none: "No fills.\n[Refresh](command:tradingRpc.fills.refresh)",
    filtered: "No fills match the filter.\n[Clear Filter](command:tradingRpc.fills.clearFilter)",
  },
  copyValue: onRow("fills", "fills.day", "2_copy@1"),
};

/** A block trade, or one of its legs. */
export const BLOCK_TRADE_OR_LEG = /^blockTrade(\.leg)?$/;

/** The commands about block trades. */
const blockTradesCommands = {
  "tradingRpc.blockTrades.refresh": refreshOf("blockTrades", "Refresh Block Trades"),
  "tradingRpc.blockTrades.filter": filterOf("blockTrades", "Filter Block Trades…"),
  "tradingRpc.blockTrades.clearFilter": clearFilterOf("blockTrades", "Clear Block Trade Filter"),
  "tradingRpc.blockTrades.loadMore": { title: "Load More Block Trades", palette: false },
  "tradingRpc.blockTrade.fetch": {
    title: "Open Block Trade by ID…",
    palette: all(WITH_ACCOUNT, isVisible("blockTrades")),
    icon: "search",
    isScoped: true,
    places: [inTitle("blockTrades", "navigation@3")],
  },
  "tradingRpc.blockTrade.open": onlyIn("Open Block Trade", onRow("blockTrades", BLOCK_TRADE_OR_LEG, "1_open@1")),
  "tradingRpc.blockTrade.copyId": onlyIn("Copy Block Trade ID", onRow("blockTrades", "blockTrade", "2_copy@1")),
  "tradingRpc.blockTrade.copyJson": onlyIn("Copy Block Trade as JSON", onRow("blockTrades", "blockTrade", "2_copy@2")),
} satisfies Commands;

/** The view of block trades. */
const blockTradesView: View = {
  name: "Block Trades",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your block trades",
      without: "block trades are",
      needs: "Block trades need the block_trade:read scope",
    }),
    notOffered:
      "This server can't list block trades (no private/get_block_trades). You can still open one by its ID.\n[Open Block Trade by ID…](command:tradingRpc.blockTrade.fetch)",
    none: "No block trades.\n[Open Block Trade by ID…](command:tradingRpc.blockTrade.fetch)",
    filtered: "No block trades match the filter.\n[Clear Filter](command:tradingRpc.blockTrades.clearFilter)",
  },
  copyValue: onRow("blockTrades", /^blockTrade\.(leg|allocation)$/, "2_copy@1"),
};

/** An MMP group, frozen or not. */
const MMP_GROUP = /^mmp\.group\b/;

/** The commands about MMP groups. */
const mmpCommands = {
  "tradingRpc.mmp.refresh": refreshOf("mmp", "Refresh MMP"),
  "tradingRpc.mmp.filter": filterOf("mmp", "Filter MMP…"),
  "tradingRpc.mmp.clearFilter": clearFilterOf("mmp", "Clear MMP Filter"),
  "tradingRpc.mmp.reset": {
    title: "Reset MMP…",
    palette: mayHaveRows("mmp"),
    icon: "discard",
    isScoped: true,
    places: [onRow("mmp", "mmp.group.frozen", "inline@1"), onRow("mmp", MMP_GROUP, "8_danger@1")],
    fromTitle: { icon: "discard", places: [inTitle("mmp", "8_danger@1", CONNECTED)] },
  },
  "tradingRpc.mmp.setLimits": {
    title: "Set MMP Limits…",
    palette: WITH_ACCOUNT,
    isScoped: true,
    places: [onRow("mmp", MMP_GROUP, "8_danger@2")],
    fromTitle: { places: [inTitle("mmp", "8_danger@2", CONNECTED)] },
  },
  "tradingRpc.mmp.open": onlyIn("Open MMP Limits", onRow("mmp", MMP_GROUP, "1_open@1")),
  "tradingRpc.mmp.copyJson": onlyIn("Copy MMP Limits as JSON", onRow("mmp", /^mmp\.(index|group)\b/, "2_copy@1")),
} satisfies Commands;

/** The view of MMP groups. */
const mmpView: View = {
  name: "MMP",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your market maker protection (MMP) limits and frozen groups",
      without: "MMP limits are",
      needs:
        "MMP needs the trade:read or block_rfq:read scope, and this API key has neither. Use another key or add a scope on the exchange.\n[Edit Connection…](command:tradingRpc.connection.edit)\nOr [connect](command:tradingRpc.connection.connect) with another key.",
    }),
    notOffered:
      "This server doesn't support MMP (no private/get_mmp_config). You can still send its own methods from a request file.\n[New Request File](command:tradingRpc.request.new)",
    none: "MMP is not configured.\n[Set MMP Limits…](command:tradingRpc.mmp.setLimits)",
    filtered:
      "No MMP groups match the filter. Frozen groups that don't match are hidden.\n[Clear Filter](command:tradingRpc.mmp.clearFilter)",
  },
  copyValue: onRow("mmp", /^mmp\.(index|group(\.frozen)?(\.stale)?|part)$/, "2_copy@2"),
};

/** A quote that can be cancelled. */
const QUOTE = /^quotes\.quote(\.stale)?$/;

/** A Block RFQ, or a quote in any state. */
const RFQ_OR_QUOTE = /^quotes\.(rfq|quote(\.pending|\.stale)?)$/;

/** The commands about quotes for Block RFQs. */
const quotesCommands = {
  "tradingRpc.quotes.refresh": refreshOf("quotes", "Refresh Block RFQ Quotes"),
  "tradingRpc.quotes.filter": filterOf("quotes", "Filter Block RFQ Quotes…"),
  "tradingRpc.quotes.clearFilter": clearFilterOf("quotes", "Clear Block RFQ Quote Filter"),
  "tradingRpc.quote.cancel": {
    title: "Cancel Block RFQ Quote…",
    palette: mayHaveRows("quotes"),
    isScoped: true,
    places: [onRow("quotes", QUOTE, "8_danger@1")],
    fromTitle: { places: [inTitle("quotes", "8_danger@1", CONNECTED)] },
  },
  "tradingRpc.quote.cancelSelected": scopedIn(
    "Cancel Selected Block RFQ Quotes…",
    onRow("quotes", QUOTE, "8_danger@2", SEVERAL_ROWS),
  ),
  "tradingRpc.quote.cancelRow": {
    title: "Cancel Block RFQ Quote",
    icon: "close",
    palette: false,
    isScoped: true,
    places: [onRow("quotes", "quotes.quote", "inline@1")],
  },
  "tradingRpc.quote.cancelAll": {
    title: "Cancel All Block RFQ Quotes…",
    palette: false,
    isScoped: true,
    places: [onRow("quotes", "quotes.connection", "8_danger@1")],
    fromTitle: {
      title: "Quotes: Cancel All for Block RFQs…",
      palette: WITH_ACCOUNT,
      places: [inTitle("quotes", "8_danger@2", CONNECTED)],
    },
  },
  "tradingRpc.quote.cancelAllOfRfq": scopedIn(
    "Cancel All Quotes of Block RFQ…",
    onRow("quotes", "quotes.rfq", "8_danger@1"),
  ),
  "tradingRpc.quote.open": onlyIn(
    "Open Block RFQ Quote",
    onRow("quotes", /^quotes\.(rfq|quote(\.pending|\.stale)?|leg|facts)$/, "1_open@1"),
  ),
  "tradingRpc.quote.copyId": onlyIn("Copy Block RFQ Quote ID", onRow("quotes", RFQ_OR_QUOTE, "2_copy@1")),
  "tradingRpc.quote.copyJson": onlyIn("Copy Block RFQ Quote as JSON", onRow("quotes", RFQ_OR_QUOTE, "2_copy@2")),
} satisfies Commands;

/** The view of Block RFQs and quotes. */
const quotesView: View = {
  name: "Block RFQ Quotes",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "your open Block RFQ quotes",
      without: "Block RFQ quotes are",
      needs: "Block RFQ quotes need the block_rfq:read scope",
    }),
    notOffered:
      "This server doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them.\n[Cancel All Block RFQ Quotes…](command:tradingRpc.quote.cancelAllFromTitle)",
    none: "No open Block RFQ quotes.\n[Refresh](command:tradingRpc.quotes.refresh)",
    filtered: "No Block RFQ quotes match the filter.\n[Clear Filter](command:tradingRpc.quotes.clearFilter)",
  },
  copyValue: onRow("quotes", /^quotes\.(facts|leg)$/, "2_copy@1"),
};

/** An API key from any source. */
export const API_KEY = /^apiKey\.(listed|seen|typed)\b/;

/** The commands about API keys. */
const apiKeysCommands = {
  "tradingRpc.apiKeys.refresh": refreshOf("apiKeys", "Refresh API Keys"),
  "tradingRpc.apiKeys.filter": filterOf("apiKeys", "Filter API Keys…"),
  "tradingRpc.apiKeys.clearFilter": clearFilterOf("apiKeys", "Clear API Key Filter"),
  "tradingRpc.apiKey.open": onlyIn("Open API Key…", onRow("apiKeys", API_KEY, "1_open@1")),
  "tradingRpc.apiKey.copyClientId": onlyIn(
    "Copy API Key Client ID",
    onRow("apiKeys", /^apiKey\..*\bknown\b/, "2_copy@1"),
  ),
  "tradingRpc.apiKey.copyJson": onlyIn("Copy API Key as JSON", onRow("apiKeys", API_KEY, "2_copy@2")),
  "tradingRpc.apiKey.addKnownId": {
    title: "Add API Key by ID…",
    palette: all(WITH_ACCOUNT, isVisible("apiKeys")),
    icon: "add",
    places: [inTitle("apiKeys", "navigation@3", CONNECTED)],
  },
  "tradingRpc.apiKey.removeKnownId": onlyIn(
    "Remove API Key from List",
    onRow("apiKeys", /^apiKey\..*\bremovable\b/, "7_edit@1"),
  ),
  "tradingRpc.apiKey.create": {
    title: "Create API Key…",
    palette: WITH_ACCOUNT,
    isScoped: true,
    places: [onRow("apiKeys", API_KEY, "5_create@1")],
    fromTitle: { places: [inTitle("apiKeys", "8_danger@1", CONNECTED)] },
  },
  "tradingRpc.apiKey.createKeyPair": { title: "Create Key Pair…", palette: WITH_ACCOUNT, isScoped: true },
  "tradingRpc.apiKey.reset": {
    title: "Reset API Key Secret…",
    palette: mayHaveRows("apiKeys"),
    isScoped: true,
    places: [onRow("apiKeys", API_KEY, "8_danger@1")],
    fromTitle: { places: [inTitle("apiKeys", "8_danger@2", CONNECTED)] },
  },
  "tradingRpc.apiKey.delete": scopedIn("Delete API Key…", onRow("apiKeys", API_KEY, "8_danger@2")),
  "tradingRpc.apiKey.edit": {
    title: "Edit API Key…",
    palette: mayHaveRows("apiKeys"),
    icon: "edit",
    isScoped: true,
    places: [
      onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.stale$)/, "inline@1"),
      onRow("apiKeys", API_KEY, "4_change@1"),
    ],
  },
  "tradingRpc.apiKey.changeScope": {
    title: "Change Scope of API Key…",
    palette: mayHaveRows("apiKeys"),
    isScoped: true,
    places: [onRow("apiKeys", API_KEY, "4_change@2")],
  },
  "tradingRpc.apiKey.enable": {
    title: "Enable API Key",
    palette: mayHaveRows("apiKeys"),
    isScoped: true,
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.enabled\b)/, "4_change@3")],
  },
  "tradingRpc.apiKey.disable": {
    title: "Disable API Key",
    palette: mayHaveRows("apiKeys"),
    isScoped: true,
    places: [onRow("apiKeys", /^apiKey\.(listed|seen|typed)\b(?!.*\.disabled\b)/, "4_change@4")],
  },
} satisfies Commands;

/** The view of API keys. */
const apiKeysView: View = {
  name: "API Keys",
  initialSize: 3,
  isCollapsed: true,
  when: CONNECTED,
  states: {
    ...accountStates({
      shows: "the API keys of your account",
      without: "API keys are",
      needs:
        "Listing API keys needs the account:read scope, which the API key in use doesn't have. API keys from responses and API keys you add by ID are shown instead.\n[Add API Key by ID…](command:tradingRpc.apiKey.addKnownId)\nOr [edit the connection](command:tradingRpc.connection.edit) to use another key.",
    }),
    notOffered:
      "This server can't list API keys (no private/list_api_keys). API keys from responses and API keys you add by ID are shown instead.\n[Add API Key by ID…](command:tradingRpc.apiKey.addKnownId)",
    none: "This account has no API keys.\n[Refresh](command:tradingRpc.apiKeys.refresh)",
    filtered: "No API keys match the filter.\n[Clear Filter](command:tradingRpc.apiKeys.clearFilter)",
  },
  copyValue: onRow("apiKeys", "apiKey.session", "2_copy@1"),
};

/** The views of this file. */
export const collapsedKindViews = {
  fills: fillsView,
  blockTrades: blockTradesView,
  mmp: mmpView,
  quotes: quotesView,
  apiKeys: apiKeysView,
};

/** The commands of this file, noun by noun. */
export const collapsedKindCommands = {
  ...fillsCommands,
  ...blockTradesCommands,
  ...mmpCommands,
  ...quotesCommands,
  ...apiKeysCommands,
};
