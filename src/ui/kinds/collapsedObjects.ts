import * as l10n from "../../base/l10n.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { plain } from "../../base/plain.ts";
import { keyTitle, keyTraits } from "../../present/apiKeys/apiKeyWords.ts";
import { blockTradeTraits, idText } from "../../present/blockTrades/blockTradeWords.ts";
import { quoteText } from "../../present/quotes/quotes.ts";
import { digitsText } from "../../present/text/numbers.ts";
import { KEYS_METHOD, type KnownKey } from "../../state/apiKeys.ts";
import {
  BLOCK_TRADE_METHOD,
  createBlockTradesStore,
  type BlockTrade,
  type BlockTradesStore,
} from "../../state/blockTrades.ts";
import { createQuotesStore, type BlockRfqQuote, type QuotesStore } from "../../state/quotes.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { chooseFrom, type ObjectKind, type ObjectList, readIntent } from "./objects.ts";

/* The objects of collapsed views that request files use, too: without the views, which are loaded by themselves. */

export function blockTradesOf(live: LiveConnection): BlockTradesStore {
  return live.storeOf(createBlockTradesStore);
}

export const BLOCK_TRADE_LIST: ObjectList<BlockTrade> = {
  listed: (live) => [...blockTradesOf(live).snapshot.items.values()],
  storeOf: blockTradesOf,
  choice: ({ item }, { times }) => ({ label: idText(item), traits: blockTradeTraits(item, times) }),
  search: () => l10n.t("Search by ID, currency, time, or broker"),
  none: () => l10n.t("No block trades are listed. Use Open Block Trade by ID… to open one."),
};

/** Returns the document of a block trade, and the call that reads it. */
export function blockTradeReading(id: string): { readonly name: string; readonly intent: Intent } {
  const intent = readIntent(BLOCK_TRADE_METHOD, { id }, l10n.t("Read Block Trade"), plain.name(id));
  return { name: `block-trade/${id}`, intent };
}

export const BLOCK_TRADE_OBJECTS: ObjectKind<BlockTrade> = {
  keyOf: ({ id }) => id,
  gone: () => l10n.t("That block trade isn't listed anymore."),
  readingOf: ({ item }) => blockTradeReading(item.id),
  knownOf: (item) => item,
  choose: async (title, ports) => await chooseFrom(BLOCK_TRADE_LIST, title, ports),
  handlers: ({ open, copyText, copyJson }) => ({
    "tradingRpc.blockTrade.open": open(l10n.t("Open Block Trade")),
    "tradingRpc.blockTrade.copyId": copyText(l10n.t("Copy Block Trade ID"), ({ id }) => id),
    "tradingRpc.blockTrade.copyJson": copyJson(l10n.t("Copy Block Trade as JSON")),
  }),
};

export function quotesOf(live: LiveConnection): QuotesStore {
  return live.storeOf(createQuotesStore);
}

export const QUOTE_LIST: ObjectList<BlockRfqQuote> = {
  listed: (live) => [...quotesOf(live).snapshot.items.values()],
  storeOf: quotesOf,
  choice: ({ item }) => quoteChoice(item),
  search: () => l10n.t("Search by side, price, Block RFQ, or ID"),
  none: () => l10n.t("No Block RFQ quotes are listed."),
};

/** Returns a quote as an item of a list to choose from. */
export function quoteChoice(quote: BlockRfqQuote): ReturnType<ObjectList<BlockRfqQuote>["choice"]> {
  const { block_rfq_id: rfqId, block_rfq_quote_id: id } = quote;
  return { label: quoteText(quote), traits: [l10n.t("RFQ {0}", digitsText(rfqId)), l10n.t("ID {0}", digitsText(id))] };
}

/** Returns the client id of the key in use, even during an outage: the last sign-in's key is also the next one's. */
export function inUseClientId({ state, record }: Pick<LiveConnection, "state" | "record">): string | undefined {
  if (state.status === "ready") return state.identity.clientId;
  return record.clientId === "" ? undefined : record.clientId;
}

export const API_KEY_LIST: ObjectList<KnownKey> = {
  listed: ({ apiKeys }) => [...apiKeys.snapshot.items.values()],
  storeOf: ({ apiKeys }) => apiKeys,
  choice: ({ live, item }) => ({ label: keyTitle(item), traits: keyTraits(item, inUseClientId(live)) }),
  search: () => l10n.t("Which API key?"),
  none: () => l10n.t("No API keys are known. Use Add API Key by ID… to add one."),
};

export const API_KEY_OBJECTS: ObjectKind<KnownKey> = {
  keyOf: ({ id }) => String(id),
  gone: () => l10n.t("That API key isn't listed anymore."),
  // The whole list, because no call reads a single key.
  readingOf: ({ live }) => ({
    name: "keys/api-keys",
    intent: readIntent(KEYS_METHOD, {}, l10n.t("List API Keys"), live.place),
  }),
  knownOf: ({ id, key }) => key ?? { id },
  isCopiedAsKnown: () => true,
  choose: async (title, ports) => await chooseFrom(API_KEY_LIST, title, ports, { none: API_KEY_LIST.none() }),
  handlers: ({ open, copyJson }) => ({
    "tradingRpc.apiKey.open": open(l10n.t("Open API Key")),
    "tradingRpc.apiKey.copyJson": copyJson(l10n.t("Copy API Key as JSON")),
  }),
};
