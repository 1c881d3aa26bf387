import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { INVALID_PARAMS, NOT_FOUND } from "../../catalogue/codes.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import { digitsText, numberText } from "../text/numbers.ts";
import { currencyOf } from "../orders/ordersGrouping.ts";
import type { Times } from "../text/times.ts";

/** A trade that is part of a block trade, or the trade of a combo's leg. */
export type BlockTradeLeg = NonNullable<BlockTrade["trades"]>[number];
/** The part of a trade that one user gets. */
export type Allocation = NonNullable<BlockTradeLeg["allocations"]>[number];

/** The members that hold allocations: the core specification's name and the exchange's. */
export const ALLOCATION_MEMBERS = ["allocations", "trade_allocations"] as const;

export function idText(trade: BlockTrade): Plain {
  return plain.name(trade.id);
}

function tradeCountText({ trades }: BlockTrade): Plain {
  if (trades === undefined) return l10n.t("trades unknown");
  return trades.length === 1 ? l10n.t("1 trade") : l10n.t("{0} trades", trades.length);
}

/** Returns the currency or pair that the instruments are named by, and how many others there are. */
function currencyText({ trades = [] }: BlockTrade): Plain {
  const [first, ...others] = new Set(trades.map((each) => plain.name(currencyOf(each.instrument_name ?? NOT_KNOWN))));
  if (first === undefined) return "";
  return others.length === 0 ? first : l10n.t("{0} +{1}", first, others.length);
}

/** Returns the time of a block trade of today, else the day, with the year where that is another one. */
export function whenText(atMs: number | undefined, nowMs: number, times: Times): Plain {
  if (atMs === undefined) return NOT_KNOWN;
  const [day = ""] = times.local(atMs).split(" ");
  const [today = ""] = times.local(nowMs).split(" ");
  if (day === today) return times.minute(atMs);
  return plain.name(day.slice(0, YEAR) === today.slice(0, YEAR) ? day.slice(YEAR + 1) : day);
}

const YEAR = "0000".length;

/** Returns side and size, e.g. `buy 25`. The side is the taker's, as the exchange gives it. */
export function sideText({ direction, amount }: Pick<BlockTradeLeg, "direction" | "amount">): Plain {
  return l10n.t("{0} {1}", plain.name(direction), numberText(amount));
}

export function instrumentText({ instrument_name: name }: Pick<BlockTradeLeg, "instrument_name">): Plain {
  return plain.name(name);
}

export function priceText({ price }: Pick<BlockTradeLeg, "price">): Plain {
  return l10n.t("@ {0}", numberText(price));
}

/** Returns the trade in one line, e.g. `buy 25 BTC-26MAR27-96000-C @ 0.0781`. */
export function legText(leg: BlockTradeLeg): Plain {
  return l10n.t("{0} {1} {2}", sideText(leg), instrumentText(leg), priceText(leg));
}

/** Returns a fee with its currency; undefined without one. */
export function feeText(fee: number | undefined, currency: string | undefined): Plain | undefined {
  if (fee === undefined) return undefined;
  return currency === undefined ? numberText(fee) : l10n.t("{0} {1}", numberText(fee), plain.name(currency));
}

/** Returns the recipient of an allocation: the broker's client by name or number, else the user. */
export function allocatedToText({ client_info: client, user_id: userId }: Allocation): Plain {
  if (client?.name !== undefined && client.name !== "") return plain.name(client.name);
  if (client?.client_id !== undefined) return l10n.t("client {0}", digitsText(client.client_id));
  return userId === undefined ? l10n.t("unknown user") : l10n.t("user {0}", digitsText(userId));
}

/** Returns the broker, named on the block trade or on one of its trades. */
function brokerText(trade: BlockTrade): Plain | undefined {
  const { broker_name: name, broker_code: code } =
    [trade, ...(trade.trades ?? [])].find((each) => each.broker_name !== undefined || each.broker_code !== undefined) ??
    {};
  if (name !== undefined && code !== undefined) return l10n.t("broker {0} ({1})", plain.name(name), plain.name(code));
  const either = name ?? code;
  return either === undefined ? undefined : l10n.t("broker {0}", plain.name(either));
}

/** Returns the application that executed it, from any place where it is named. */
function applicationText(trade: BlockTrade): Plain | undefined {
  const name = [trade, ...(trade.trades ?? [])].find((each) => each.app_name !== undefined)?.app_name;
  return name === undefined ? undefined : l10n.t("executed by {0}", plain.name(name));
}

/** Returns a block trade in a few words, without its ID. */
export function blockTradeTraits(trade: BlockTrade, times: Times): Plain[] {
  return [
    tradeCountText(trade),
    currencyText(trade),
    times.local(trade.timestamp),
    brokerText(trade),
    applicationText(trade),
  ].filter((part) => part !== undefined);
}

/** Returns the reason why a text cannot be the ID of a block trade, as a sentence; undefined where it can. */
export function blockTradeIdProblem(text: string): Plain | undefined {
  return text === "" ? l10n.t("Enter a block trade ID, for example BLOCK-282155.") : undefined;
}

/** Returns what the exchange's refusal says about an ID; undefined when it is about something else. */
export function unknownBlockTradeText(
  id: string,
  { code, message }: { readonly code: number; readonly message: string },
  place: Plain,
): Plain | undefined {
  const [name, said] = [plain.name(id), plain.name(message)];
  if (code === NOT_FOUND)
    return l10n.t(
      "Block trade {1} was not found on {0}, or this API key can't read it (error {2} {3}). Correct the ID or press Escape.",
      place,
      name,
      code,
      said,
    );
  if (code === INVALID_PARAMS)
    return l10n.t(
      "{0} doesn't accept {1} as the ID of a block trade that this API key can read (error {2} {3}). Correct the ID or press Escape.",
      place,
      name,
      code,
      said,
    );
  return undefined;
}

/**
 * Returns the meaning of a member's value beyond itself; undefined where it speaks for itself. Core specification §2.1.
 */
export function meaningOf(name: string, value: unknown): Plain | undefined {
  const meanings = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  return meanings !== undefined &&
    (typeof value === "string" || typeof value === "number") &&
    Object.hasOwn(meanings, value)
    ? meanings[value]?.()
    : undefined;
}

const MEANINGS: Readonly<Record<string, Readonly<Record<string, () => Plain>>>> = {
  tick_direction: {
    0: () => l10n.t("plus tick"),
    1: () => l10n.t("zero-plus tick"),
    2: () => l10n.t("minus tick"),
    3: () => l10n.t("zero-minus tick"),
  },
  liquidity: { M: () => l10n.t("maker"), T: () => l10n.t("taker") },
  liquidation: { M: () => l10n.t("of the maker"), T: () => l10n.t("of the taker"), MT: () => l10n.t("of both sides") },
  advanced: { usd: () => l10n.t("priced in USD"), implv: () => l10n.t("priced in implied volatility") },
  state: { archive: () => l10n.t("order archived") },
};
