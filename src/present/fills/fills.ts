import { figureText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { slotText } from "../../actions/intent/slotKnowledge.ts";
import type { CurrencyDay, DayResult } from "../../state/dayResult.ts";
import { isIsolated } from "../../state/isolated.ts";
import { filledOrders, type FilledOrder, type FillsStore, type OwnTrade } from "../../state/fills.ts";
import { fact, factNode, staleFact, type Facts, type RowFact } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { fieldLines, memberNodes, unreadableNodes } from "../rows/objectFields.ts";
import { shortInstrumentName } from "../orders/instrumentKind.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { directionIcon } from "../rows/row.ts";
import { linkFailureText } from "../text/failureText.ts";
import { joined } from "../text/joined.ts";
import { numberText, shortMoneyText, signedText, sumText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

/* The Fills view: the result of the day, then the account's trades by order, below these every member. */

/** The data that the rows of one connection are made from. */
export type FillsShown = Pick<FillsStore, "snapshot" | "day" | "dayFailure">;

export const FILLS_WORDS: ResourceWords = {
  scope: "trade:read",
  reading: (place) => l10n.t("Loading fills for {0}…", place),
  none: (place) => l10n.t("No fills on {0}.", place),
  notOffered: (place) =>
    l10n.t("{0} doesn't support private/get_user_trades_by_currency, so fills can't be listed.", place),
};

export function fillNodes(shown: FillsShown, times: Times): RowNode[] {
  const { snapshot, day } = shown;
  const isStale = snapshot.status === "stale";
  return [
    ...(day === undefined && snapshot.items.size > 0 ? [unreadDayNode()] : []),
    ...(day === undefined ? [] : day.currencies.map((each) => dayNode(each, day))),
    ...filledOrders(snapshot).map((order) => orderNode(order, times, isStale)),
    ...unreadableNodes(
      "fills",
      snapshot.unreadable,
      l10n.t("This response item is not a valid trade. It is shown as received."),
      times,
    ),
  ];
}

/**
 * Returns remarks about the day that could not be read, or not whole, and about trades that are missing. `isLeftOut`:
 * whether trades in isolated margin may be missing.
 */
export function fillsRemark({ day, dayFailure }: Pick<FillsShown, "day" | "dayFailure">, isLeftOut = false): Plain {
  const leftOut = isLeftOut ? l10n.t("Trades in isolated margin may be missing here.") : "";
  if (dayFailure !== undefined)
    return joined([leftOut, l10n.t("The result of the day couldn't be read. {0}", linkFailureText(dayFailure))], " ");
  const remarks = [
    leftOut,
    day?.isWhole === false
      ? l10n.t(
          "The transaction log since 08:00 UTC is too long to be read whole. The result of the day is a part of it.",
        )
      : "",
    day?.areSlotsRead === false
      ? l10n.t("The result of the day may not cover isolated margin: its subaccounts couldn't be listed.")
      : "",
  ];
  return joined(remarks, " ");
}

/** Returns the result of the day for the description of the view; empty where there is none. */
export function dayText({ day }: Pick<FillsShown, "day">, times: Times): Plain {
  if (day === undefined || day.currencies.length === 0) return "";
  const figures = day.currencies.map(({ currency, isIsolated, realized, fees, funding }) =>
    l10n.t(
      "{0} {1}, fees {2}, funding {3}",
      isIsolated === true ? l10n.t("{0} isolated", plain.name(currency)) : plain.name(currency),
      money(realized),
      shortMoneyText(Number(fees)),
      money(funding),
    ),
  );
  return l10n.t("today {0} (as of {1})", plain.join(figures, "; "), times.minute(day.atMs));
}

function money(sum: string): Plain {
  return signedText(Number(sum), shortMoneyText);
}

/** Makes the row that says how the result of the day is read: that costs credits, and is done on request alone. */
function unreadDayNode(): RowNode {
  return factNode({
    key: "day",
    label: l10n.t("Today"),
    facts: [
      fact(l10n.t("not read, use Refresh Fills"), l10n.t("not read yet. Refresh Fills reads the transaction log.")),
    ],
    icon: { name: "calendar", color: undefined },
    contextValue: "fills.unreadDay",
  });
}

function dayNode(each: CurrencyDay, { isWhole, areSlotsRead }: Pick<DayResult, "isWhole" | "areSlotsRead">): RowNode {
  const { currency, isIsolated: isOfSlots, realized, fees, funding, settled } = each;
  const unit = plain.name(currency);
  const name = isOfSlots === true ? l10n.t("{0} isolated", unit) : unit;
  const exact = (sum: string): Plain => l10n.t("{0} {1}", plain.text(sum), unit);
  return factNode({
    key: isOfSlots === true ? `day ${currency} isolated` : `day ${currency}`,
    label: l10n.t("Today {0} {1}", name, money(realized)),
    subject: l10n.t("Since 08:00 UTC in {0}", name),
    facts: [
      { sentence: l10n.t("realized by trades {0}", exact(realized)) },
      fact(l10n.t("fees {0}", shortMoneyText(Number(fees))), l10n.t("fees {0}", exact(fees))),
      fact(l10n.t("funding {0}", money(funding)), l10n.t("funding booked {0}", exact(funding))),
      settled === "0"
        ? undefined
        : fact(
            l10n.t("settled {0}", money(settled)),
            l10n.t("paid out at 08:00 UTC for the session before {0}", exact(settled)),
            1,
          ),
      isWhole ? undefined : l10n.t("incomplete"),
      coverFact(isOfSlots === true, areSlotsRead),
    ],
    icon: { name: "calendar", color: undefined },
    contextValue: "fills.day",
    copyText: realized,
  });
}

/** Returns what a result of the day covers of isolated margin; undefined on native connections. */
function coverFact(isOfSlots: boolean, areSlotsRead: boolean | undefined): RowFact | undefined {
  if (areSlotsRead === undefined) return undefined;
  if (!isOfSlots) return fact(l10n.t("cross"), l10n.t("cross margin alone, without isolated margin"));
  return areSlotsRead
    ? { sentence: l10n.t("all subaccounts of isolated margin together") }
    : fact(l10n.t("incomplete"), l10n.t("only the subaccounts of isolated margin that are known"));
}

function orderNode(order: FilledOrder, times: Times, isStale: boolean): RowNode {
  const { id, trades } = order;
  const [newest, ...older] = trades;
  return factNode({
    key: id,
    objectId: id,
    label: l10n.t("{0} {1}", plain.name(shortInstrumentName(newest.instrument_name)), tradedText(trades)),
    subject: l10n.t("Fill {0} {1}", plain.name(newest.instrument_name), tradedText(trades)),
    facts: [
      times.clock(newest.timestamp),
      ...roleFacts(trades),
      older.length === 0
        ? undefined
        : fact(l10n.t("{0} trades", trades.length), l10n.t("{0} trades", trades.length), 1),
      ...feeFacts(trades),
      isIsolated(newest) ? fact(l10n.t("isolated"), slotText(newest)) : undefined,
      { sentence: newest.label === undefined ? "" : l10n.t("label {0}", plain.name(newest.label)) },
      { sentence: order.orderId === undefined ? "" : l10n.t("order {0}", plain.name(order.orderId)) },
      staleFact(isStale, 4),
    ],
    icon: { ...directionIcon(newest.direction), ...(isStale ? { color: "disabledForeground" } : {}) },
    contextValue: order.orderId === undefined ? "fill.trade" : "fill.order",
    copyText: id,
    lines: () => (older.length === 0 ? fieldLines(newest, times) : []),
    below: () =>
      older.length === 0
        ? memberNodes(newest, times, id, FILL_FIELDS)
        : trades.map((trade) => tradeNode(trade, id, times)),
  });
}

function tradeNode(trade: OwnTrade, objectId: string, times: Times): RowNode {
  const key = plain.name(trade.trade_id);
  return factNode({
    key,
    objectId,
    label: tradedText([trade]),
    subject: l10n.t("Trade {0}", key),
    facts: [
      { sentence: tradedText([trade]) },
      times.clock(trade.timestamp),
      ...roleFacts([trade]),
      ...feeFacts([trade]),
    ],
    icon: directionIcon(trade.direction),
    contextValue: "fill.part",
    copyText: key,
    lines: () => fieldLines(trade, times),
    below: () => memberNodes(trade, times, objectId, FILL_FIELDS),
  });
}

/** The members of a trade that are shown first. */
const FILL_FIELDS = [
  ...["price", "amount", "direction", "fee", "fee_currency", "liquidity", "profit_loss", "timestamp", "order_type"],
  ...["mark_price", "index_price", "iv", "label", "instrument_name", "order_id", "trade_id"],
];

/** Returns side, amount, and price of trades of one order, e.g. `buy 280 @ 94869.5`; a range where prices differ. */
function tradedText(trades: FilledOrder["trades"]): Plain {
  const [{ direction }] = trades;
  const amounts = trades.flatMap(({ amount }) => amount ?? []);
  const prices = trades.flatMap(({ price }) => price ?? []);
  const size = amounts.length < trades.length ? numberText(undefined) : figureText(sumText(amounts));
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const at =
    prices.length < trades.length
      ? numberText(undefined)
      : least === most
        ? numberText(least)
        : l10n.t("{0} to {1}", numberText(least), numberText(most));
  return l10n.t("{0} {1} @ {2}", plain.name(direction), size, at);
}

/** Returns who made and took, and what is special about trades: liquidations and block trades. */
function roleFacts(trades: readonly OwnTrade[]): Facts {
  const has = (role: string): boolean => trades.some(({ liquidity }) => liquidity === role);
  const roles =
    has("M") && has("T") ? l10n.t("maker and taker") : has("M") ? l10n.t("maker") : has("T") ? l10n.t("taker") : "";
  const blockId = trades.find(({ block_trade_id: id }) => id !== undefined)?.block_trade_id;
  return [
    roles,
    trades.some(({ liquidation }) => liquidation !== undefined) ? l10n.t("liquidation") : undefined,
    blockId === undefined ? undefined : fact(l10n.t("block"), l10n.t("block trade {0}", plain.name(blockId))),
  ];
}

/** Returns the fees of trades in each currency; exact where they are spoken. */
function feeFacts(trades: readonly OwnTrade[]): Facts {
  const byCurrency = new Map<string, number[]>();
  for (const { fee, fee_currency: currency = "" } of trades)
    if (fee !== undefined) byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), fee]);
  return [...byCurrency].map(([currency, fees]) => {
    const sum = sumText(fees);
    const unit = currency === "" ? "" : plain.name(currency);
    return fact(l10n.t("fee {0} {1}", shortMoneyText(Number(sum)), unit), l10n.t("fee {0} {1}", plain.text(sum), unit));
  });
}
