import { compareNumbers, nearestMultiples, productOf, quotientOf, sumOf } from "../../base/decimal.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isCancel, readRow } from "../../catalogue/index.ts";
import { SUMMARIES_METHOD } from "../../state/account.ts";
import { isInverse, type Instrument } from "../../state/instruments.ts";
import type { Order } from "../../state/orders.ts";
import { isSameSize, POSITION_METHOD, positionSize, type ListedPosition } from "../../state/positions.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import type { Intent } from "../intent/intent.ts";
import {
  marketCostLines,
  readBestPrices,
  readMarginAfter,
  readMarketCost,
  type MarginAfter,
  type MarketCost,
  type ReadFigures,
} from "./orderPreview.ts";
import { tickSizeAt } from "./orderSteps.ts";
import { cancelOrder, listedOrders, ordersText, type OrderContext, type SeveralIntents } from "./orders.ts";
import { placeTypedOrder, type TypedOrder } from "./placeOrder.ts";

/*
 * Flatten Positions: each position is closed by a reduce-only limit order that trades at once or not at all, at a bound
 * near the mark price. Never by a market order, whose price has no bound.
 */

/** A position with the order that closes it, and what the server says about that order. */
export interface FlattenLine {
  readonly position: ListedPosition;
  readonly instrument: Instrument;
  readonly draft: TypedOrder;
  /** The lines about its price and its cost. */
  readonly costLines: readonly Plain[];
  /** The margin of the account after it alone; undefined where the exchange doesn't tell. */
  readonly margin: MarginAfter | undefined;
}

/** A position that can't be closed from here, and why. */
export interface LeftOut {
  readonly name: string;
  readonly reason: Plain;
}

/** How far the price of an order may be from the mark price, as factors for a sell and a buy. */
const BOUNDS = {
  future: { sell: "0.995", buy: "1.005" },
  option: { sell: "0.95", buy: "1.05" },
} as const;

/** Whether a position is checked at first: perpetuals and futures are, options are not. */
export function isFlattenedAtFirst({ instrument: { kind } }: Pick<FlattenLine, "instrument">): boolean {
  return kind === "future";
}

/**
 * Reads what closing a position at its bound would trade at and do to the margin. Resolves to the reason where nothing
 * tells its amount or its bound. The position has a side and an amount.
 */
export async function readFlattenLine(
  { position, instrument }: Pick<FlattenLine, "position" | "instrument">,
  read: ReadFigures,
): Promise<FlattenLine | LeftOut> {
  const { instrument_name: name } = position;
  const { side: held, amount } = positionSize(position, instrument);
  const side = held === "long" ? "sell" : "buy";
  const mark = (await readBestPrices(name, read, () => 0))?.mark;
  if (mark === undefined) return { name, reason: l10n.t("The server reports no mark price.") };
  const price = boundOf(decimalText(mark), side, instrument);
  if (price === undefined) return { name, reason: l10n.t("No price within the bound is a multiple of the tick size.") };
  const line = { amount: decimalText(amount), price, timing: "ioc", isReduceOnly: true } as const;
  const draft: TypedOrder = { instrument: name, side, line, options: {} };
  const [cost, margin] = await Promise.all([
    readMarketCost({ instrument: name, side, amount: line.amount, limit: price }, isInverse(instrument), read),
    readMarginAfter(draft, instrument, read),
  ]);
  return {
    position,
    instrument,
    draft,
    costLines: costLines(draft, cost, { mark: decimalText(mark), instrument }),
    margin,
  };
}

/** Returns the price of an order that closes a position: the last tick within the bound; undefined without one. */
export function boundOf(
  mark: string,
  side: "buy" | "sell",
  { kind, steps }: Pick<Instrument, "kind" | "steps">,
): string | undefined {
  const bound = productOf(mark, BOUNDS[kind === "option" ? "option" : "future"][side]);
  const tick = bound === undefined ? undefined : tickSizeAt(bound, steps);
  if (bound === undefined || tick === undefined) return undefined;
  const nearest = nearestMultiples(bound, decimalText(tick));
  const price = sumOf(nearest === undefined ? bound : side === "sell" ? nearest[1] : nearest[0], "0");
  return price !== undefined && compareNumbers(price, "0") > 0 ? price : undefined;
}

function costLines(
  { side, line }: TypedOrder,
  cost: MarketCost | "empty" | undefined,
  { mark, instrument }: { readonly mark: string; readonly instrument: Instrument },
): readonly Plain[] {
  const price = figureText(line.price ?? "");
  if (cost === undefined) return [l10n.t("The book is not available from this server.")];
  if (cost === "empty") return [l10n.t("The book has no orders at {0} or better, so nothing would trade.", price)];
  const traded = cost.offered ?? line.amount;
  const [prices = ""] = marketCostLines({ ...cost, offered: undefined }, line.amount, instrument);
  const against = costAgainst({ side, traded, average: cost.average, mark }, isInverse(instrument));
  return [
    prices,
    ...(against === undefined
      ? []
      : [
          l10n.t(
            "Cost against the mark price: {0} {1}",
            figureText(against),
            plain.name(instrument.currencies.settlement ?? ""),
          ),
        ]),
    ...(cost.offered === undefined
      ? []
      : [
          l10n.t(
            "The book offers only {0} of {1} at {2} or better.",
            figureText(cost.offered),
            figureText(line.amount),
            price,
          ),
        ]),
  ];
}

/** The decimals of a cost; the last one is cut. */
const COST_PLACES = 8;
const QUOTIENT_PLACES = 30;

/**
 * Returns what an amount costs at an average price, compared with the mark price, in the settlement currency: below 0
 * where the price is better than the mark. An amount of an inverse future is divided by its price.
 */
export function costAgainst(
  {
    side,
    traded,
    average,
    mark,
  }: { readonly side: "buy" | "sell"; readonly traded: string; readonly average: string; readonly mark: string },
  isInverseFuture: boolean,
): string | undefined {
  const valueAt = (price: string): string | undefined =>
    isInverseFuture ? quotientOf(traded, price, QUOTIENT_PLACES)?.text : productOf(traded, price);
  const [own, marked] = [valueAt(average), valueAt(mark)];
  if (own === undefined || marked === undefined) return undefined;
  // Who buys a coin with a future of USD pays with the coin: there, a higher price costs less of it.
  const isOwnFirst = (side === "buy") !== isInverseFuture;
  const cost = isOwnFirst ? sumOf(own, marked, -1) : sumOf(marked, own, -1);
  return cost === undefined ? undefined : quotientOf(cost, "1", COST_PLACES)?.text;
}

/** Returns the margin after an order in one line; empty where the exchange doesn't tell. */
export function marginAfterText(margin: MarginAfter | undefined, currency: string | undefined): Plain {
  if (margin === undefined) return l10n.t("Margin after it: not available from this server.");
  const figures = [margin.initial, margin.maintenance, margin.available].map((value) => figureText(value));
  const unit = plain.name(currency ?? "");
  return margin.isShared
    ? l10n.t(
        "Margin after it, for all currencies together: initial {0}, maintenance {1}, available {2} {3}",
        ...figures,
        unit,
      )
    : l10n.t("Margin after it: initial {0}, maintenance {1}, available {2} {3}", ...figures, unit);
}

/** Whether an order could open a position again once the one in its instrument is closed. */
export function couldOpenAgain({ reduce_only: isReduceOnly }: Order): boolean {
  return isReduceOnly !== true;
}

/** Returns the open orders of instruments, those that could open a position again first. */
export function restingOrders(orders: readonly Order[], names: ReadonlySet<string>): readonly Order[] {
  const own = orders.filter(({ instrument_name: name }) => name !== undefined && names.has(name));
  return [...own.filter(couldOpenAgain), ...own.filter((order) => !couldOpenAgain(order))];
}

/** What is sent to flatten, and what the intents need beside it. */
export interface FlattenPlan {
  readonly lines: readonly FlattenLine[];
  /** The orders that are cancelled before, as the user chose. */
  readonly cancels: readonly Order[];
  /** The positions that can't be closed from here. */
  readonly leftOut: readonly LeftOut[];
  readonly context: OrderContext;
  /** Returns the label of the next order, which no known order has. */
  readonly newLabel: () => string;
}

/** Returns the intents to flatten, in the order of their sending: the cancels, then an order for each position. */
export function flattenPositions(plan: FlattenPlan): SeveralIntents {
  const { lines, cancels, leftOut, context } = plan;
  return {
    intents: [
      ...cancels.map((order) => cancelOrder(order, context)),
      ...lines.map((line) => closingIntent(line, plan)),
    ],
    describe(intents) {
      const cancelCount = intents.filter(({ method }) => isCancel(method)).length;
      const orderCount = intents.length - cancelCount;
      return {
        action: l10n.t("Flatten Positions"),
        target: l10n.t("{0} positions", orderCount),
        sentence: flattenSentence(orderCount, cancelCount),
        note: plain.join([sentNote(), ...leftOut.map(leftOutText)], " "),
        detail: listedOrders(intents.map(({ words }) => plain.text(words.sentence ?? words.target))),
        keep: l10n.t("Keep Positions"),
        show: l10n.t("Show Positions"),
        about: "positions",
      };
    },
  };
}

function sentNote(): Plain {
  return l10n.t(
    "Reduce-only limit orders that trade at once or are cancelled, up to 0.5 % from the mark price (options: 5 %). Each position is read again before its order.",
  );
}

/** Returns that a position is omitted, and why. */
export function leftOutText({ name, reason }: LeftOut): Plain {
  return l10n.t("{0} is omitted: {1}", plain.name(name), reason);
}

function flattenSentence(orderCount: number, cancelCount: number): Plain {
  const positions = orderCount === 1 ? l10n.t("1 position") : l10n.t("{0} positions", orderCount);
  if (cancelCount === 0) return l10n.t("Flatten {0}", positions);
  return l10n.t("Cancel {0} and flatten {1}", ordersText(cancelCount), positions);
}

function closingIntent(
  { position, instrument, draft, costLines: lines, margin }: FlattenLine,
  { context: { origin }, leftOut, newLabel }: FlattenPlan,
): Intent {
  const intent = placeTypedOrder(draft, {
    ...{ origin, label: newLabel(), knownIds: [], isOutOfBand: false, purpose: "close" },
    preview: [...lines, marginAfterText(margin, instrument.currencies.settlement)],
  });
  // The only order has no other words than its own.
  const note = plain.join(leftOut.map(leftOutText), " ");
  return {
    ...intent,
    ...(note === "" ? {} : { words: { ...intent.words, note } }),
    lastLook: {
      method: POSITION_METHOD,
      paramsText: JSON.stringify({ instrument_name: draft.instrument }),
      changedBy(result) {
        const now = readRow("position", result);
        const isSame = now?.instrument_name === draft.instrument && isSameSize(position, now, instrument);
        return isSame ? undefined : "position";
      },
    },
  };
}

/** The margin use from which on flattening stops if it rose, in percent of the margin balance. */
const MOST_MARGIN_USE = 80;

/** The margin use of each currency of an account, in percent of its margin balance. */
export type MarginUse = ReadonlyMap<string, number>;

/** Reads the margin use of an account. Empty where the exchange doesn't tell. */
export async function readMarginUse(read: ReadFigures): Promise<MarginUse> {
  const result = await read(SUMMARIES_METHOD, {});
  const rows = isObject(result) && Array.isArray(result["summaries"]) ? (result["summaries"] as unknown[]) : [];
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const { currency, initial_margin: margin, margin_balance: balance } = readRow("accountSummary", row) ?? {};
      return currency === undefined || margin === undefined || balance === undefined || balance <= 0
        ? []
        : [[currency, (margin * 100) / balance]];
    }),
  );
}

/**
 * Returns why flattening stops: the margin use of a currency rose, and is above the bound. A use that was higher before
 * stops nothing, because flattening is the way out of it. Undefined where it goes on.
 */
export function marginStop(before: MarginUse, now: MarginUse): Plain | undefined {
  for (const [currency, use] of now) {
    const [was, is] = [Math.round(before.get(currency) ?? 0), Math.round(use)];
    if (is > was && is > MOST_MARGIN_USE)
      return l10n.t("Margin use of {0} rose from {1} % to {2} %.", plain.name(currency), was, is);
  }
  return undefined;
}
