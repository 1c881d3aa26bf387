import { percentText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { BlockTrade, BlockTradesFilter, BlockTradesStore } from "../../state/blockTrades.ts";
import {
  ALLOCATION_MEMBERS,
  allocatedToText,
  blockTradeTraits,
  feeText,
  idText,
  instrumentText,
  legText,
  meaningOf,
  priceText,
  sideText,
  whenText,
  type Allocation,
  type BlockTradeLeg,
} from "./blockTradeWords.ts";
import { filterWords, isFilteringTrades } from "./blockTradesFilter.ts";
import { fact, factLines, factNode, spokenText, staleFact, type Facts } from "../rows/facts.ts";
import { joined } from "../text/joined.ts";
import { fieldLines, fieldNodes, memberNodes, unreadableNodes, without } from "../rows/objectFields.ts";
import type { RowNode } from "../rows/nodes.ts";
import { countText, numberText } from "../text/numbers.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { directionIcon, sentenceLines } from "../rows/row.ts";
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
  return joined([filtered, restricted, arrivedText([...arrivals.keys()])], " ");
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
  const arrivedAtMs = arrivals.get(trade.id);
  const legs = trade.trades ?? [];
  const members = without(trade, ["trades"]);
  const [count, currency, local, ...others] = blockTradeTraits(trade, times);
  return factNode({
    key: `trade ${trade.id}`,
    objectId: trade.id,
    label: id,
    subject: l10n.t("Block trade {0}", id),
    facts: [
      staleFact(snapshot.status === "stale"),
      arrivedAtMs === undefined
        ? undefined
        : fact(l10n.t("new"), l10n.t("new: it arrived at {0}, while this list was open", times.clock(arrivedAtMs))),
      { mark: count ?? "", priority: 3 },
      { mark: currency ?? "", priority: 2 },
      fact(whenText(trade.timestamp, nowMs, times), local ?? "", 1),
      ...others.map((sentence) => ({ sentence })),
      ...legs.slice(0, MAX_LEGS).map((leg) => ({ sentence: legText(leg) })),
      {
        sentence: legs.length > MAX_LEGS ? l10n.t("… and {0} more.", countText(legs.length - MAX_LEGS)) : "",
      },
    ],
    contextValue: "blockTrade",
    copyText: trade.id,
    lines: () => fieldLines(members, times),
    below: () => [
      ...legs.map((leg, index) => legNode(leg, `leg ${String(index)}`, trade.id, times)),
      ...meantNodes(members, undefined, times),
    ],
  });
}

/** Makes the item of a trade of a block trade, or of a combo's leg. */
function legNode(leg: BlockTradeLeg, key: string, objectId: string, times: Times): RowNode {
  const legs = (leg.legs ?? []) as readonly BlockTradeLeg[];
  const shared = ALLOCATION_MEMBERS.flatMap((name) => (leg[name] ?? []).map((each, index) => ({ name, each, index })));
  const fee = feeText(leg.fee, leg.fee_currency);
  const [side, amount] = [sideText(leg), numberText(leg.amount)];
  const rest = without(leg, [...(legs.length > 0 ? ["legs"] : []), ...shared.map(({ name }) => name)]);
  return factNode({
    key,
    objectId,
    label: instrumentText(leg),
    subject: l10n.t("Trade"),
    facts: [
      fact([l10n.t("{0} {1}", side, priceText(leg)), side, amount, ""], legText(leg)),
      { sentence: fee === undefined ? "" : l10n.t("fee {0}", fee) },
      { sentence: leg.iv === undefined ? "" : l10n.t("implied volatility {0}", percentText(numberText(leg.iv))) },
    ],
    icon: directionIcon(leg.direction),
    contextValue: "blockTrade.leg",
    copyText: leg.trade_id,
    lines: () => [
      ...sentenceLines([
        l10n.t("The side is the taker's, as returned by the exchange."),
        ...legs.map((each) => l10n.t("Leg: {0}", legText(each))),
        ...shared.map(({ each }) =>
          spokenText(factLines(l10n.t("Allocated to {0}", allocatedToText(each)), allocationFacts(each, leg))),
        ),
      ]),
      ...fieldLines(rest, times),
    ],
    below: () => [
      ...legs.map((each, index) => legNode(each, `leg ${String(index)}`, objectId, times)),
      ...shared.map(({ name, each, index }) => ({
        ...allocationNode(each, leg, times),
        key: `${name} ${String(index)}`,
        objectId,
      })),
      ...meantNodes(rest, leg, times),
    ],
  });
}

function allocationNode(allocation: Allocation, leg: BlockTradeLeg, times: Times): RowNode {
  const { client_info: client } = allocation;
  const rest = without(allocation, client === undefined ? [] : ["client_info"]);
  const label = allocatedToText(allocation);
  return factNode({
    key: "",
    label,
    subject: l10n.t("Allocated to {0}", label),
    facts: allocationFacts(allocation, leg),
    icon: { name: "person", color: undefined },
    contextValue: "blockTrade.allocation",
    copyText: JSON.stringify(allocation),
    lines: () => [...fieldLines(rest, times), ...(client === undefined ? [] : fieldLines(client, times))],
    below: () => [
      ...(client === undefined
        ? []
        : fieldNodes(client, times).map((node) => ({ ...node, key: `client_info ${node.key}` }))),
      ...meantNodes(rest, leg, times),
    ],
  });
}

function allocationFacts({ amount, fee }: Allocation, leg: BlockTradeLeg): Facts {
  const text = feeText(fee, leg.fee_currency);
  return [numberText(amount), text === undefined ? undefined : { mark: l10n.t("fee {0}", text), priority: 1 }];
}

/** Returns the rows of members, with the meaning of their values: fees in their currency, codes in words. */
function meantNodes(object: object, leg: BlockTradeLeg | undefined, times: Times): RowNode[] {
  const values = object as Readonly<Record<string, unknown>>;
  return memberNodes(object, times, "").map((node) => {
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
  return factNode({
    key: "more",
    label: isLoading ? l10n.t("Loading more…") : l10n.t("Load more…"),
    subject: isLoading ? l10n.t("Loading older block trades.") : l10n.t("Load older block trades."),
    facts: [],
    icon: { name: isLoading ? "loading~spin" : "ellipsis", color: undefined },
    contextValue: MORE_CONTEXT,
  });
}

const MAX_LEGS = 20;
