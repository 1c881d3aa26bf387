import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { BlockTrade, BlockTradesFilter, BlockTradesStore } from "../../state/blockTrades.ts";
import {
  ALLOCATION_MEMBERS,
  allocatedToText,
  blockTradeTraits,
  currencyText,
  feeText,
  idText,
  instrumentText,
  legText,
  meaningOf,
  priceText,
  sideText,
  tradeCountText,
  whenText,
  type Allocation,
  type BlockTradeLeg,
} from "./blockTradeWords.ts";
import { filterWords, isFilteringTrades } from "./blockTradesFilter.ts";
import { fitting } from "../text/fitting.ts";
import { fieldLines, fieldNodes, unreadableNodes, without } from "../rows/objectFields.ts";
import type { RowNode } from "../rows/nodes.ts";
import { countText, numberText } from "../text/numbers.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { sentenceLines, type RowIcon } from "../rows/row.ts";
import type { Times } from "../text/times.ts";

/* The Block Trades view: block trades, below them their trades, below these legs, allocations and every member. */

/** The data that the rows of one connection are made from. */
export type BlockTradesShown = Pick<BlockTradesStore, "snapshot" | "hasMore" | "isLoadingMore" | "arrivals">;

interface BlockTradesContext {
  readonly times: Times;
  /** The present in ms since the Unix epoch: block trades of today show their time. */
  readonly nowMs: number;
}

/** The `contextValue` of the row that loads more. */
export const MORE_CONTEXT = "blockTrades.more";

export function blockTradeNodes(shown: BlockTradesShown, context: BlockTradesContext): RowNode[] {
  const { snapshot, hasMore, isLoadingMore } = shown;
  const trades = [...snapshot.items.values()].map((trade) => blockTradeNode(trade, shown, context));
  const unreadable = unreadableNodes(
    "blockTrades",
    snapshot.unreadable,
    l10n.t("An item of the response that is not a valid block trade, shown as received."),
    context.times,
  );
  return [...trades, ...unreadable, ...(hasMore && trades.length > 0 ? [moreNode(isLoadingMore)] : [])];
}

/** Returns the names of the items of the view; `filter` is the one that holds now. */
export function blockTradesWords(filter: () => BlockTradesFilter): ResourceWords {
  return {
    scope: "block_trade:read",
    reading: (place) => l10n.t("Reading the block trades of {0}…", place),
    none: (place) =>
      isFilteringTrades(filter())
        ? l10n.t(
            "No block trades on {0} match the filter “{1}”. Use Clear Block Trade Filter to show all of them.",
            place,
            filterWords(filter()),
          )
        : l10n.t("No block trades on {0}.", place),
    notOffered: (place) =>
      l10n.t(
        "{0} doesn't support private/get_block_trades, so block trades can't be listed. If you know an ID, use Open Block Trade by ID… instead.",
        place,
      ),
  };
}

/** Returns remarks about a list: what a filter leaves out, what a restricted key does not see, and what has come. */
export function blockTradesRemark(
  { arrivals, filter, snapshot }: Pick<BlockTradesStore, "arrivals" | "filter" | "snapshot">,
  keyFeatures: readonly string[] | undefined,
): Plain {
  const filtered =
    isFilteringTrades(filter) && snapshot.items.size > 0
      ? l10n.t("Only block trades that match the filter “{0}” are listed.", filterWords(filter))
      : "";
  const restricted =
    keyFeatures?.includes("restricted_block_trades") === true
      ? l10n.t(
          "This API key can read only block trades made with it. Other block trades of the account are not listed.",
        )
      : "";
  return plain.join(
    [filtered, restricted, arrivedText([...arrivals.keys()])].filter((sentence) => sentence !== ""),
    " ",
  );
}

function arrivedText([first, ...others]: readonly string[]): Plain {
  if (first === undefined) return "";
  if (others.length > 0)
    return l10n.t("New since you opened or refreshed this list: {0} block trades.", countText(others.length + 1));
  return l10n.t("New since you opened or refreshed this list: {0}.", plain.name(first));
}

function blockTradeNode(
  trade: BlockTrade,
  { snapshot, arrivals }: BlockTradesShown,
  { times, nowMs }: BlockTradesContext,
): RowNode {
  const id = idText(trade);
  const when = whenText(trade.timestamp, nowMs, times);
  const arrivedAtMs = arrivals.get(trade.id);
  const marks = [
    ...(snapshot.status === "stale" ? [l10n.t("stale")] : []),
    ...(arrivedAtMs === undefined ? [] : [l10n.t("new")]),
  ];
  const traits = [...marks, ...blockTradeTraits(trade, times)];
  const legs = trade.trades ?? [];
  const members = without(trade, ["trades"]);
  return {
    key: `trade ${trade.id}`,
    objectId: trade.id,
    label: id,
    description: fitting(ROOM - widthOf(id), [
      [...marks, tradeCountText(trade), currencyText(trade), when],
      [...marks, currencyText(trade), when],
      [...marks, when],
      marks,
    ]),
    icon: undefined,
    spoken: l10n.t("Block trade {0}: {1}. {2}", id, plain.join(traits, ", "), plain.join(legs.map(legText), "; ")),
    contextValue: "blockTrade",
    copyText: trade.id,
    tooltip: [
      ...sentenceLines([
        l10n.t("Block trade {0}: {1}", id, plain.join(traits, ", ")),
        ...(arrivedAtMs === undefined
          ? []
          : [l10n.t("It arrived at {0}, while this list was open.", times.clock(arrivedAtMs))]),
      ]),
      ...sentenceLines(snapshot.status === "stale" ? [l10n.t("Not up to date: this is the last known state.")] : []),
      ...sentenceLines(legs.slice(0, MAX_LEGS).map(legText)),
      ...(legs.length > MAX_LEGS ? sentenceLines([l10n.t("… and {0} more.", countText(legs.length - MAX_LEGS))]) : []),
      ...fieldLines(members, times),
    ],
    below: () => [
      ...legs.map((leg, index) => legNode(leg, `leg ${String(index)}`, trade.id, times)),
      ...memberNodes(members, undefined, times),
    ],
  };
}

/** Makes the item of a trade of a block trade, or of a combo's leg. */
function legNode(leg: BlockTradeLeg, key: string, objectId: string, times: Times): RowNode {
  const instrument = instrumentText(leg);
  const legs = (leg.legs ?? []) as readonly BlockTradeLeg[];
  const shared = ALLOCATION_MEMBERS.filter((name) => (leg[name]?.length ?? 0) > 0);
  const fee = feeText(leg.fee, leg.fee_currency);
  const traits = [
    legText(leg),
    ...(fee === undefined ? [] : [l10n.t("fee {0}", fee)]),
    ...(leg.iv === undefined ? [] : [l10n.t("implied volatility {0}%", numberText(leg.iv))]),
  ];
  const rest = without(leg, [...(legs.length > 0 ? ["legs"] : []), ...shared]);
  return {
    key,
    objectId,
    label: instrument,
    description: fitting(ROOM_BELOW - widthOf(instrument), [
      [l10n.t("{0} {1}", sideText(leg), priceText(leg))],
      [sideText(leg)],
      [numberText(leg.amount)],
      [],
    ]),
    icon: directionIcon(leg),
    spoken: l10n.t("Trade: {0}", plain.join(traits, ", ")),
    contextValue: "blockTrade.leg",
    copyText: leg.trade_id,
    tooltip: [
      ...sentenceLines([
        l10n.t("Trade: {0}", plain.join(traits, ", ")),
        l10n.t("The side is the taker's, as returned by the exchange."),
      ]),
      ...sentenceLines(legs.map((each) => l10n.t("Leg: {0}", legText(each)))),
      ...sentenceLines(shared.flatMap((name) => (leg[name] ?? []).map((each) => allocationText(each, leg)))),
      ...fieldLines(rest, times),
    ],
    below: () => [
      ...legs.map((each, index) => legNode(each, `leg ${String(index)}`, objectId, times)),
      ...shared.flatMap((name) =>
        (leg[name] ?? []).map((each, index) =>
          allocationNode(each, { key: `${name} ${String(index)}`, objectId, leg, times }),
        ),
      ),
      ...memberNodes(rest, leg, times),
    ],
  };
}

interface AllocationPlace {
  readonly key: string;
  readonly objectId: string;
  readonly leg: BlockTradeLeg;
  readonly times: Times;
}

function allocationNode(allocation: Allocation, { key, objectId, leg, times }: AllocationPlace): RowNode {
  const { client_info: client } = allocation;
  const rest = without(allocation, client === undefined ? [] : ["client_info"]);
  const fee = feeText(allocation.fee, leg.fee_currency);
  const who = allocatedToText(allocation);
  const amount = numberText(allocation.amount);
  const spoken = allocationText(allocation, leg);
  return {
    key,
    objectId,
    label: who,
    description: fitting(ROOM_BELOW - widthOf(who), [
      ...(fee === undefined ? [] : [[amount, l10n.t("fee {0}", fee)]]),
      [amount],
    ]),
    icon: { name: "person", color: undefined },
    spoken,
    contextValue: "blockTrade.allocation",
    copyText: JSON.stringify(allocation),
    tooltip: [
      ...sentenceLines([spoken]),
      ...fieldLines(rest, times),
      ...(client === undefined ? [] : fieldLines(client, times)),
    ],
    below: () => [
      ...(client === undefined
        ? []
        : fieldNodes(client, times).map((node) => ({ ...node, key: `client_info ${node.key}` }))),
      ...memberNodes(rest, leg, times),
    ],
  };
}

function allocationText(allocation: Allocation, leg: BlockTradeLeg): Plain {
  const fee = feeText(allocation.fee, leg.fee_currency);
  const amount = numberText(allocation.amount);
  const who = allocatedToText(allocation);
  return fee === undefined
    ? l10n.t("Allocated to {0}: {1}", who, amount)
    : l10n.t("Allocated to {0}: {1}, fee {2}", who, amount, fee);
}

/** Returns a row for each member, with the meaning of its value: fees in their currency, codes in words. */
function memberNodes(object: object, leg: BlockTradeLeg | undefined, times: Times): RowNode[] {
  const values = object as Readonly<Record<string, unknown>>;
  return fieldNodes(object, times).map((node) => {
    const value = values[node.key];
    const meaning = meaningOf(node.key, value);
    const description =
      node.key === "fee" && typeof value === "number"
        ? (feeText(value, leg?.fee_currency) ?? node.description)
        : meaning === undefined
          ? node.description
          : l10n.t("{0} ({1})", node.description, meaning);
    return { ...node, description, spoken: l10n.t("{0}: {1}", node.label, description) };
  });
}

function moreNode(isLoading: boolean): RowNode {
  const label = isLoading ? l10n.t("Loading more…") : l10n.t("Load more…");
  return {
    key: "more",
    objectId: undefined,
    label,
    description: "",
    icon: { name: isLoading ? "loading~spin" : "ellipsis", color: undefined },
    spoken: isLoading ? l10n.t("Loading older block trades.") : l10n.t("Load older block trades."),
    contextValue: MORE_CONTEXT,
    copyText: "",
    tooltip: sentenceLines([l10n.t("Loads the next page of older block trades.")]),
  };
}

/** Returns the width of a label, in characters of a description, which are smaller. */
function widthOf(label: string): number {
  return label.length * LABEL_SCALE;
}

const LABEL_SCALE = 1.25;
/**
 * The characters that a sidebar of 300 px shows of a row: without an icon on the first level, and with an icon below
 * it.
 */
const ROOM = 43;
const ROOM_BELOW = 35.5;
const MAX_LEGS = 20;

function directionIcon({ direction }: BlockTradeLeg): RowIcon {
  if (direction === "buy") return { name: "arrow-up", color: "charts.green" };
  if (direction === "sell") return { name: "arrow-down", color: "charts.red" };
  return { name: "circle-outline", color: undefined };
}
