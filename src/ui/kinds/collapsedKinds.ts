import * as l10n from "../../base/l10n.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { plain } from "../../base/plain.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import { describeGroup } from "../../actions/changes/mmpLimits.ts";
import { API_KEYS_WORDS, apiKeyNodes } from "../../present/apiKeys/apiKeys.ts";
import {
  blockTradeNodes,
  blockTradesRemark,
  blockTradesWords,
  MORE_CONTEXT,
} from "../../present/blockTrades/blockTrades.ts";
import { BLOCK_TRADES_FILTER, type BlockTradesViewFilter } from "../../present/blockTrades/blockTradesFilter.ts";
import { dayText, fillNodes, fillsRemark, FILLS_WORDS } from "../../present/fills/fills.ts";
import { indexText } from "../../present/mmp/freezeNotice.ts";
import { frozenBadgeOf, INDEX_OBJECT, mmpNodes, mmpRemark, mmpWords } from "../../present/mmp/mmp.ts";
import { MMP_FILTER, mmpFilterProblem, type MmpViewFilter } from "../../present/mmp/mmpFilter.ts";
import { frozenText, groupText, limitTexts } from "../../present/mmp/mmpWords.ts";
import { pendingKeys, pendingQuotes } from "../../present/outcomes/pendingChanges.ts";
import { nextEnd, quoteNodes, quotesRemark, QUOTES_WORDS, quoteText, RFQ_OBJECT } from "../../present/quotes/quotes.ts";
import { TEXT_FILTER } from "../../present/rows/viewFilter.ts";
import { digitsText } from "../../present/text/numbers.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import { createFillsStore, filledOrders, type FillsStore, type FilledOrder, type OwnTrade } from "../../state/fills.ts";
import { isIsolated } from "../../state/isolated.ts";
import { createMmpStore, MMP_CONFIG_METHOD, type MmpStore } from "../../state/mmp.ts";
import { groupKey, isFrozen, type MmpGroup, type MmpGroupName } from "../../state/mmpGroups.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import { QUOTES_METHOD, RFQS_METHOD, type BlockRfq, type BlockRfqQuote } from "../../state/quotes.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { blockTradesFilterChoices, mmpFilterChoices } from "./askedFilters.ts";
import { itemOf } from "../tree/resourceView.ts";
import { chooseFrom, type ObjectKind, type ObjectList, paneOf, readIntent, type ResourceKind } from "./objects.ts";
import {
  BLOCK_TRADE_OBJECTS,
  blockTradesOf,
  QUOTE_LIST,
  quotesOf,
  inUseClientId,
  API_KEY_OBJECTS,
} from "./collapsedObjects.ts";

/* The kinds of the views that are collapsed at first. */

const MINUTE_MS = 60_000;

const FILL_OBJECTS: ObjectKind<FilledOrder> = {
  keyOf: ({ id }) => id,
  gone: () => l10n.t("That fill isn't listed anymore."),
  readingOf: ({ live, item: { id, trades } }) => ({
    name: `order/${id}`,
    intent: readIntent(
      ORDER_STATE_METHOD,
      { order_id: id, ...(live.orders.hasSlots && isIsolated(trades[0]) ? { isolated: true } : {}) },
      l10n.t("Read Filled Order"),
      plain.name(id),
    ),
  }),
  knownOf: ({ trades }) => trades.map((trade) => receivedOf(trade)),
  isCopiedAsKnown: () => true,
  handlers: ({ open, copyText, copyJson }) => ({
    "tradingRpc.fill.openOrder": open(),
    "tradingRpc.fill.copyOrderId": copyText(l10n.t("Copy ID of Filled Order"), ({ id }) => id),
    "tradingRpc.fill.copyJson": copyJson(),
  }),
};

function fillsOf(live: LiveConnection): FillsStore {
  return live.storeOf(createFillsStore);
}

const FILLS: ResourceKind<OwnTrade, FilledOrder> = {
  name: "fills",
  filter: {
    rules: TEXT_FILTER,
    words: () => ({
      title: l10n.t("Filter Fills"),
      placeholder: l10n.t("Filter by instrument, side, role, label, or order ID"),
    }),
  },
  words: FILLS_WORDS,
  remark: (live) => fillsRemark(fillsOf(live), live.isolatedMargin.isLeftOut(fillsOf(live))),
  figures: (live, times) => dayText(fillsOf(live), times),
  storeOf: fillsOf,
  nodesOf: (live, { times }) => fillNodes(fillsOf(live), times),
  find: (live, objectId) => filledOrders(fillsOf(live).snapshot).filter(({ id }) => id === objectId),
  objects: FILL_OBJECTS,
};

const BLOCK_TRADES: ResourceKind<BlockTrade, BlockTrade, BlockTradesViewFilter> = {
  name: "blockTrades",
  filter: {
    rules: BLOCK_TRADES_FILTER,
    words: () => ({
      title: l10n.t("Filter Block Trades"),
      placeholder: l10n.t("Filter the listed block trades by text (exchange filters are below)"),
    }),
    choices: blockTradesFilterChoices,
  },
  asked: { of: ({ asked }) => asked, set: (live, { asked }) => blockTradesOf(live).setFilter(asked) },
  words: (filter) => blockTradesWords(() => filter().asked),
  remark: (live) =>
    blockTradesRemark(blockTradesOf(live), live.state.status === "ready" ? live.state.identity.keyFeatures : undefined),
  storeOf: blockTradesOf,
  nodesOf: (live, moment) => blockTradeNodes(blockTradesOf(live), moment),
  find: (live, key) => itemOf(blockTradesOf(live), key),
  commandOf: (row) =>
    row.contextValue === MORE_CONTEXT
      ? { command: "tradingRpc.blockTrades.loadMore", title: row.label, arguments: [row.id] }
      : undefined,
  // Rows of today show a time, all others their day.
  redrawsInMs: () => MINUTE_MS,
  objects: BLOCK_TRADE_OBJECTS,
};

function mmpOf(live: LiveConnection): MmpStore {
  return live.storeOf(createMmpStore);
}

const MMP_GROUP_LIST: ObjectList<MmpGroup> = {
  listed: (live) => [...mmpOf(live).snapshot.items.values()],
  storeOf: mmpOf,
  isFirst: ({ freeze }, nowMs) => isFrozen(freeze, nowMs),
  choice: ({ item }, { times, clock }) => ({
    label: l10n.t("{0} · {1}", indexText(item), groupText(item)),
    traits: [frozenText(item.freeze, { times, nowMs: clock.now() }) ?? [], limitTexts(item.config)[0] ?? []].flat(),
  }),
  search: () => l10n.t("Search by index, group, or limits"),
  none: () => l10n.t("No groups are listed. Open the MMP view to load them."),
};

/** Returns the call that reads the limits of a group. */
export function limitsReading(group: MmpGroupName): Intent {
  const { index_name: index, mmp_group: name, block_rfq: isRfq } = group;
  // Block RFQ quotes mostly have no groups: none is asked for then.
  const params = {
    index_name: index,
    ...(isRfq && name === "" ? {} : { mmp_group: name }),
    ...(isRfq ? { block_rfq: true } : {}),
  };
  return readIntent(MMP_CONFIG_METHOD, params, l10n.t("Read MMP Limits"), describeGroup(group));
}

export const MMP_GROUP_OBJECTS: ObjectKind<MmpGroup> = {
  keyOf: groupKey,
  gone: () => l10n.t("That group isn't listed any more."),
  readingOf: ({ item }) => ({
    name: `mmp/${describeGroup(item).replaceAll("/", " ")}`,
    intent: limitsReading(item),
  }),
  knownOf: ({ config, freeze }) => config ?? freeze?.received,
  isCopiedAsKnown: () => true,
  choose: async (title, ports) => await chooseFrom(MMP_GROUP_LIST, title, ports),
  handlers: ({ open, copyJson }) => ({
    "tradingRpc.mmp.open": open(l10n.t("Open MMP Limits")),
    "tradingRpc.mmp.copyJson": copyJson(l10n.t("Copy MMP Limits as JSON")),
  }),
};

const MMP: ResourceKind<MmpGroup, MmpGroup, MmpViewFilter> = {
  name: "mmp",
  filter: {
    rules: MMP_FILTER,
    words: () => ({
      title: l10n.t("Filter MMP"),
      placeholder: l10n.t("Filter the listed limits by text (exchange filters are below)"),
    }),
    choices: mmpFilterChoices,
    problemOf: ({ asked }) => mmpFilterProblem(asked),
  },
  asked: { of: ({ asked }) => asked, set: (live, { asked }) => mmpOf(live).setFilter(asked) },
  words: (filter) => mmpWords(() => filter().asked),
  remark(live, { asked }) {
    const { parts, snapshot } = mmpOf(live);
    return mmpRemark(parts, snapshot.items.size > 0 ? asked : {});
  },
  storeOf: mmpOf,
  nodesOf: (live, moment) => mmpNodes(mmpOf(live), moment),
  // The row of an index stands for all of its groups.
  find: (live, objectId) =>
    [...mmpOf(live).snapshot.items.values()].filter(
      (group) => groupKey(group) === objectId || `${INDEX_OBJECT}${group.index_name}` === objectId,
    ),
  badgeOf: frozenBadgeOf,
  objects: MMP_GROUP_OBJECTS,
};

/** What a row of the Block RFQ Quotes view stands for. */
export type InQuotes =
  | { readonly kind: "quote"; readonly quote: BlockRfqQuote }
  | {
      readonly kind: "rfq";
      readonly rfqId: number;
      readonly rfq: BlockRfq | undefined;
      readonly quotes: readonly BlockRfqQuote[];
    };

const QUOTE_OBJECTS: ObjectKind<InQuotes> = {
  keyOf: (item) => `${item.kind} ${idOf(item)}`,
  gone: () => l10n.t("That quote is no longer open."),
  readingOf: ({ item }) => ({
    name: `block-rfq/${item.kind === "rfq" ? "Block RFQ" : "quote"} ${idOf(item)}`,
    intent:
      item.kind === "rfq"
        ? readIntent(RFQS_METHOD, { block_rfq_id: item.rfqId }, l10n.t("Read Block RFQ"), digitsText(item.rfqId))
        : readIntent(
            QUOTES_METHOD,
            { block_rfq_quote_id: item.quote.block_rfq_quote_id },
            l10n.t("Read Block RFQ Quote"),
            quoteText(item.quote),
          ),
  }),
  knownOf: (item) => (item.kind === "quote" ? item.quote : (item.rfq ?? item.quotes)),
  isCopiedAsKnown: () => true,
  choose: async (title, ports) =>
    (await chooseFrom(QUOTE_LIST, title, ports)).map(({ live, item }) => ({
      live,
      item: { kind: "quote", quote: item },
    })),
  handlers: ({ open, copyText, copyJson }) => ({
    "tradingRpc.quote.open": open(l10n.t("Open Block RFQ Quote")),
    "tradingRpc.quote.copyId": copyText(l10n.t("Copy Block RFQ Quote ID"), idOf),
    "tradingRpc.quote.copyJson": copyJson(l10n.t("Copy Block RFQ Quote as JSON")),
  }),
};

function idOf(item: InQuotes): string {
  return String(item.kind === "quote" ? item.quote.block_rfq_quote_id : item.rfqId);
}

const QUOTES: ResourceKind<BlockRfqQuote, InQuotes> = {
  name: "quotes",
  filter: {
    rules: TEXT_FILTER,
    words: () => ({
      title: l10n.t("Filter Block RFQ Quotes"),
      placeholder: l10n.t("Filter by Block RFQ, quote, leg, label, or ID"),
    }),
  },
  words: QUOTES_WORDS,
  remark: (live) => quotesRemark(quotesOf(live)),
  storeOf: quotesOf,
  nodesOf: (live, { times, nowMs }) =>
    quoteNodes(quotesOf(live), { times, nowMs, pending: pendingQuotes(live.gate.activity, live.record.id) }),
  alsoOn: ({ gate }) => [gate.onDidChangeActivity],
  find(live, objectId) {
    const { snapshot, rfqs } = quotesOf(live);
    const quote = snapshot.items.get(objectId);
    if (quote !== undefined) return [{ kind: "quote", quote }];
    if (!objectId.startsWith(RFQ_OBJECT)) return [];
    const rfqId = Number(objectId.slice(RFQ_OBJECT.length));
    const quotes = [...snapshot.items.values()].filter(({ block_rfq_id: id }) => id === rfqId);
    return [{ kind: "rfq", rfqId, rfq: rfqs.get(rfqId), quotes }];
  },
  // Rows show how long a quote still runs: by the second in its last minute, less often before.
  redrawsInMs(lives, nowMs) {
    const ends = lives.flatMap((live) => nextEnd(quotesOf(live), nowMs) ?? []);
    return Math.min(...ends) - nowMs <= MINUTE_MS + SLOW_MS ? FAST_MS : SLOW_MS;
  },
  objects: QUOTE_OBJECTS,
};

const FAST_MS = 1000;
const SLOW_MS = 10_000;

const API_KEYS: ResourceKind<KnownKey> = {
  name: "apiKeys",
  filter: {
    rules: TEXT_FILTER,
    words: () => ({
      title: l10n.t("Filter API Keys"),
      placeholder: l10n.t("Filter by name, ID, scope, or address"),
    }),
  },
  words: API_KEYS_WORDS,
  storeOf: ({ apiKeys }) => apiKeys,
  nodesOf: (live, { times, nowMs }) =>
    apiKeyNodes(live.apiKeys.snapshot, {
      times,
      nowMs,
      inUseClientId: inUseClientId(live),
      grantedScope: live.state.status === "ready" ? live.state.identity.scope : undefined,
      pending: pendingKeys(live.gate.activity, live.record.id),
    }),
  alsoOn: ({ onDidChangeState, gate }) => [onDidChangeState, gate.onDidChangeActivity],
  find: ({ apiKeys }, key) => itemOf(apiKeys, key),
  // Ages are read to the day, sometimes to the minute.
  redrawsInMs: () => MINUTE_MS,
  objects: API_KEY_OBJECTS,
};

/** The functions that make the panes of the kinds that are collapsed at first. */
export const COLLAPSED_KINDS = {
  fills: paneOf(FILLS),
  blockTrades: paneOf(BLOCK_TRADES),
  mmp: paneOf(MMP),
  quotes: paneOf(QUOTES),
  apiKeys: paneOf(API_KEYS),
};
