import { compareNumbers } from "../../base/decimal.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import type { Instrument } from "../../state/instruments.ts";
import type { Order } from "../../state/orders.ts";
import { readRows, rowsIn } from "../../state/snapshot.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";
import type { ReadFigures } from "./orderPreview.ts";
import { cancelOrder, describeOrder, ordersText, type OrderContext, type SeveralIntents } from "./orders.ts";
import { amountProblem, priceProblem } from "./orderSteps.ts";
import {
  deadlineText,
  orderMembers,
  placeTypedOrder,
  termsText,
  type BestPrices,
  type PlacingContext,
  type TypedOrder,
} from "./placeOrder.ts";
import type { ProtectLeg, ProtectLine, TriggerSource } from "./protectLine.ts";

/*
 * Take profit and stop of a position: reduce-only orders of the side that closes it. Both are one request, in which
 * each cancels the other in proportion to what it fills: with the exchange's default, `first_hit`, the first partial
 * fill of one removes the whole other one. https://docs.deribit.com/api-reference/trading/private-buy
 */

/** The position that is protected, as it was read for this. */
export interface ProtectedPosition {
  readonly name: string;
  readonly side: "long" | "short";
  /** The amount of the order that closes it; above 0. */
  readonly amount: number;
  readonly instrument: Instrument | undefined;
}

/** The orders that protect a position: one of them, or both. */
export interface ProtectOrders {
  readonly takeProfit?: TypedOrder;
  readonly stop?: TypedOrder;
}

/** Returns the orders that a line asks for. */
export function protectOrders(position: ProtectedPosition, line: ProtectLine): ProtectOrders {
  const { takeProfit, stop, trigger } = line;
  const amount = line.amount ?? decimalText(position.amount);
  const order = (price: string | undefined, options: TypedOrder["options"]): TypedOrder => ({
    instrument: position.name,
    side: position.side === "long" ? "sell" : "buy",
    line: { amount, price, timing: undefined, isReduceOnly: true },
    options,
  });
  const fired = (kind: "take" | "stop", { price, limit }: ProtectLeg): TypedOrder =>
    order(limit, { type: limit === undefined ? `${kind}_market` : `${kind}_limit`, trigger, trigger_price: price });
  return {
    ...(takeProfit === undefined
      ? {}
      : { takeProfit: takeProfit.limit === undefined ? order(takeProfit.price, {}) : fired("take", takeProfit) }),
    ...(stop === undefined ? {} : { stop: fired("stop", stop) }),
  };
}

/** Returns why a line can't protect a position, as a sentence; undefined where nothing speaks against it. */
export function protectProblem(
  position: ProtectedPosition,
  line: ProtectLine,
  prices: BestPrices | undefined,
): Plain | undefined {
  return (
    protectAmountProblem(position, line) ??
    stepsProblem(position, line) ??
    takeProfitProblem(position, line, prices) ??
    stopProblem(position, line, prices)
  );
}

function protectAmountProblem(
  { amount: all, instrument }: ProtectedPosition,
  { amount }: ProtectLine,
): Plain | undefined {
  if (amount === undefined) return undefined;
  if (compareNumbers(amount, decimalText(all)) > 0) return l10n.t("The position has only {0}.", figureText(all));
  return instrument && amountProblem(amount, instrument.steps)?.message;
}

function stepsProblem({ instrument }: ProtectedPosition, { takeProfit, stop }: ProtectLine): Plain | undefined {
  if (instrument === undefined) return undefined;
  const ofLeg = (leg: ProtectLeg | undefined, kind: "price" | "triggerPrice"): Plain | undefined =>
    leg &&
    (priceProblem(leg.price, instrument.steps, kind)?.message ??
      (leg.limit === undefined ? undefined : priceProblem(leg.limit, instrument.steps, "price")?.message));
  return ofLeg(takeProfit, takeProfit?.limit === undefined ? "price" : "triggerPrice") ?? ofLeg(stop, "triggerPrice");
}

/** Whether a price is beyond another one in the direction in which the position gains. */
function isGain({ side }: ProtectedPosition, price: string, than: Plain): boolean {
  const distance = compareNumbers(price, than);
  return side === "long" ? distance > 0 : distance < 0;
}

function takeProfitProblem(
  position: ProtectedPosition,
  { takeProfit, stop, trigger }: ProtectLine,
  prices: BestPrices | undefined,
): Plain | undefined {
  if (takeProfit === undefined) return undefined;
  if (stop !== undefined && !isGain(position, takeProfit.price, plain.text(stop.price)))
    return position.side === "long"
      ? l10n.t("The take profit of a long position has to be above its stop.")
      : l10n.t("The take profit of a short position has to be below its stop.");
  if (takeProfit.limit === undefined) return tradesAtOnce(position, takeProfit.price, prices);
  return trigger === "mark_price" ? takesAtOnce(position, takeProfit.price, prices?.mark) : undefined;
}

/** Returns that a take profit which rests in the book would trade at once; undefined where it would not. */
function tradesAtOnce(position: ProtectedPosition, price: string, prices: BestPrices | undefined): Plain | undefined {
  const best = position.side === "long" ? prices?.bid : prices?.ask;
  if (best === undefined || isGain(position, price, decimalText(best))) return undefined;
  return position.side === "long"
    ? l10n.t("At this price the take profit would trade at once. Enter a price above the bid {0}.", figureText(best))
    : l10n.t("At this price the take profit would trade at once. Enter a price below the ask {0}.", figureText(best));
}

function takesAtOnce(position: ProtectedPosition, price: string, mark: number | undefined): Plain | undefined {
  if (mark === undefined || isGain(position, price, decimalText(mark))) return undefined;
  return position.side === "long"
    ? l10n.t("The take profit would fire at once. Enter a trigger price above the mark price {0}.", figureText(mark))
    : l10n.t("The take profit would fire at once. Enter a trigger price below the mark price {0}.", figureText(mark));
}

function stopProblem(
  position: ProtectedPosition,
  { stop, trigger }: ProtectLine,
  prices: BestPrices | undefined,
): Plain | undefined {
  const mark = stop === undefined || trigger !== "mark_price" ? undefined : prices?.mark;
  if (stop === undefined || mark === undefined) return undefined;
  const isLost =
    position.side === "long"
      ? compareNumbers(stop.price, decimalText(mark)) < 0
      : compareNumbers(stop.price, decimalText(mark)) > 0;
  if (isLost) return undefined;
  return position.side === "long"
    ? l10n.t("The stop would fire at once. Enter a trigger price below the mark price {0}.", figureText(mark))
    : l10n.t("The stop would fire at once. Enter a trigger price above the mark price {0}.", figureText(mark));
}

/** Returns the orders in one sentence. */
export function protectText({ takeProfit, stop }: ProtectOrders): Plain {
  const order = takeProfit ?? stop;
  if (order === undefined) return "";
  const { side, instrument, line } = order;
  const words = [figureText(line.amount), plain.name(instrument)] as const;
  const parts = [
    ...(takeProfit === undefined ? [] : [l10n.t("take profit {0}", whenText(takeProfit))]),
    ...(stop === undefined ? [] : [l10n.t("stop {0}", whenText(stop))]),
  ];
  return side === "buy"
    ? l10n.t("Buy {0} {1}: {2}", ...words, plain.join(parts, ", "))
    : l10n.t("Sell {0} {1}: {2}", ...words, plain.join(parts, ", "));
}

/** Returns price and trigger of an order: `@ 105000`, or `@ market at mark price 90000`. */
function whenText({ line, options }: TypedOrder): Plain {
  const price = line.price === undefined ? l10n.t("market") : figureText(line.price);
  const { trigger, trigger_price: at } = options;
  return trigger === undefined || at === undefined
    ? l10n.t("@ {0}", price)
    : l10n.t("@ {0} at {1} {2}", price, SOURCES[trigger as TriggerSource](), figureText(at));
}

const SOURCES: Readonly<Record<TriggerSource, () => Plain>> = {
  mark_price: () => l10n.t("mark price"),
  last_price: () => l10n.t("last price"),
  index_price: () => l10n.t("index price"),
};

/** Returns what each order does, in lines. */
export function protectLines({ takeProfit, stop }: ProtectOrders): readonly Plain[] {
  return [
    ...(takeProfit === undefined ? [] : [l10n.t("Take profit: {0}", termsText(takeProfit)), afterText(takeProfit)]),
    ...(stop === undefined ? [] : [l10n.t("Stop: {0}", termsText(stop)), afterText(stop)]),
  ];
}

/** Returns what becomes of an order: it rests, or what its trigger makes of it. */
function afterText({ line: { price }, options: { trigger } }: TypedOrder): Plain {
  if (trigger === undefined) return l10n.t("It rests in the book and has no trigger.");
  return price === undefined
    ? l10n.t("Its price isn't limited: once triggered, it trades at whatever the book offers.")
    : l10n.t("Once triggered, it trades at {0} or better, and what doesn't trade stays open.", figureText(price));
}

/** What the intent of a take profit or a stop needs beside its orders. */
interface ProtectContext extends Omit<PlacingContext, "purpose" | "isOutOfBand"> {
  /** The label of the stop where both are placed. */
  readonly stopLabel: string;
}

/** Returns the intent to place the orders: one request, whose second order is the stop where there are both. */
export function protectPosition(orders: ProtectOrders, context: ProtectContext): Intent {
  const { takeProfit, stop } = orders;
  const primary = takeProfit ?? stop;
  if (primary === undefined) throw refused(l10n.t("Nothing to place."));
  const { stopLabel, ...placing } = context;
  const intent = placeTypedOrder(primary, { ...placing, isOutOfBand: false });
  const isBoth = takeProfit !== undefined && stop !== undefined;
  const words: IntentWords = {
    ...intent.words,
    action: actionText(orders),
    target: targetText(orders),
    sentence: protectText(orders),
    detail: [
      ...protectLines(orders),
      ...(isBoth ? [linkedText()] : []),
      ...context.preview,
      l10n.t("Label: {0}", plain.name(context.label)),
      ...(isBoth ? [l10n.t("Label of the stop: {0}", plain.name(stopLabel))] : []),
      deadlineText(),
    ],
  };
  return {
    ...intent,
    words,
    paramsText: objectText(protectMembers(orders, { label: context.label, stopLabel })),
  };
}

function linkedText(): Plain {
  return l10n.t(
    "One request places both. What one fills is taken off the other (one_cancels_other, incremental). If the exchange refuses linked orders, nothing is placed.",
  );
}

function actionText({ takeProfit, stop }: ProtectOrders): Plain {
  if (takeProfit !== undefined && stop !== undefined) return l10n.t("Place Take Profit and Stop");
  return stop === undefined ? l10n.t("Place Take Profit") : l10n.t("Place Stop");
}

function targetText({ takeProfit, stop }: ProtectOrders): Plain {
  const { instrument = "", side = "", line } = takeProfit ?? stop ?? {};
  return plain.join(
    [
      l10n.t("{0} {1} {2}", plain.name(instrument), plain.name(side), figureText(line?.amount ?? "")),
      ...(takeProfit === undefined ? [] : [l10n.t("TP {0}", whenText(takeProfit))]),
      ...(stop === undefined ? [] : [l10n.t("SL {0}", whenText(stop))]),
    ],
    " ",
  );
}

type MemberTexts = readonly (readonly [name: string, literal: string])[];

/** The labels of the orders (default: none, for a request that the user will send). */
interface Labels {
  readonly label?: string;
  readonly stopLabel?: string;
}

/** Returns the parameters of the request, each as JSON writes it. */
export function protectMembers({ takeProfit, stop }: ProtectOrders, { label, stopLabel }: Labels): MemberTexts {
  if (takeProfit === undefined || stop === undefined) {
    const only = takeProfit ?? stop;
    return only === undefined ? [] : orderMembers(only, label);
  }
  // An entry has the side of its own order; its instrument is that of the request.
  const entry: MemberTexts = [
    ["direction", JSON.stringify(stop.side)],
    ...orderMembers(stop, stopLabel).filter(([name]) => name !== "instrument_name"),
  ];
  return [
    ...orderMembers(takeProfit, label),
    ["linked_order_type", '"one_cancels_other"'],
    ["trigger_fill_condition", '"incremental"'],
    ["otoco_config", `[${objectText(entry)}]`],
  ];
}

function objectText(members: MemberTexts): string {
  return `{${members.map(([name, literal]) => `${JSON.stringify(name)}:${literal}`).join(",")}}`;
}

/* A position may have such orders already: to these nothing can be linked. */

/** The reduce-only orders that close a position, by what they are for. */
export interface ClosingOrders {
  readonly takeProfits: readonly Order[];
  readonly stops: readonly Order[];
}

const ORDERS_METHOD = "private/get_open_orders_by_instrument";

/** Reads the take profits and stops that a position has; undefined where the server does not tell. */
export async function readClosingOrders(
  { name, side }: ProtectedPosition,
  read: ReadFigures,
): Promise<ClosingOrders | undefined> {
  const result = await read(ORDERS_METHOD, { instrument_name: name, type: "all" });
  if (!Array.isArray(result)) return undefined;
  const { list, unreadable } = readRows(rowsIn(result), (row) => readRow("order", row));
  if (unreadable.length > 0) return undefined;
  const closing = list.filter(
    ({ reduce_only: isReduceOnly, direction }) =>
      isReduceOnly === true && direction === (side === "long" ? "sell" : "buy"),
  );
  const isStop = ({ order_type: type = "" }: Order): boolean => type.startsWith("stop_") || type === "trailing_stop";
  return { takeProfits: closing.filter((each) => !isStop(each)), stops: closing.filter(isStop) };
}

/**
 * Returns the line with the leg that it lacks, as the only such order of the position has it: the two are then placed
 * together. Undefined where there is none, or more than one, or one that a line can't say.
 */
export function withPresentLeg(line: ProtectLine, { takeProfits, stops }: ClosingOrders): ProtectLine | undefined {
  if (line.takeProfit !== undefined && line.stop !== undefined) return line;
  const isStopMissing = line.stop === undefined;
  const [present, ...others] = isStopMissing ? stops : takeProfits;
  const leg = present === undefined || others.length > 0 ? undefined : legOf(present);
  if (leg === undefined || (leg.trigger !== undefined && leg.trigger !== line.trigger)) return undefined;
  return { ...line, [isStopMissing ? "stop" : "takeProfit"]: leg.leg };
}

/** Returns an order as a line says it; undefined where it can't. */
function legOf(order: Order): { readonly leg: ProtectLeg; readonly trigger: string | undefined } | undefined {
  const { order_type: type = "", price, trigger_price: at, trigger } = order;
  const limit = typeof price === "number" ? decimalText(price) : undefined;
  if (type === "limit") return limit === undefined ? undefined : { leg: { price: limit }, trigger: undefined };
  if (at === undefined || trigger === undefined) return undefined;
  if (type === "stop_market") return { leg: { price: decimalText(at) }, trigger };
  return (type === "stop_limit" || type === "take_limit") && limit !== undefined
    ? { leg: { price: decimalText(at), limit }, trigger }
    : undefined;
}

/**
 * Returns the intents that cancel the orders which a position has and then place others, with one confirmation for all.
 * Nothing is placed while one of the cancelled orders is still listed.
 */
export function replaceProtection(present: readonly Order[], placing: Intent, context: OrderContext): SeveralIntents {
  const cancels = withoutLinked(present).map((order) => cancelOrder(order, context));
  const [{ instrument_name: name = "" } = {}] = present;
  const placed: Intent = {
    ...placing,
    lastLook: {
      method: ORDERS_METHOD,
      paramsText: JSON.stringify({ instrument_name: name, type: "all" }),
      changedBy(result) {
        const listed = rowsIn(result).flatMap((row) => readRow("order", row) ?? []);
        const open = present.find(({ order_id: id }) => listed.some((each) => each.order_id === id));
        if (open !== undefined) throw refused(l10n.t("{0} is still open.", describeOrder(open)));
        return undefined;
      },
    },
  };
  return {
    intents: [...cancels, placed],
    describe: () => ({
      action: l10n.t("Cancel and Place"),
      target: placing.words.target,
      sentence: l10n.t("Cancel {0} and place: {1}", ordersText(present.length), placing.words.sentence ?? ""),
      note: unprotectedText(),
      detail: [...present.map((order) => l10n.t("Cancel {0}", describeOrder(order))), ...placing.words.detail],
      keep: l10n.t("Keep Orders"),
      show: l10n.t("Show Orders"),
    }),
  };
}

/** Returns that nothing protects the position for a moment. */
export function unprotectedText(): Plain {
  return l10n.t("From the cancel until the new orders are placed, nothing protects the position.");
}

/** Returns the orders without those that the cancel of another one cancels. */
function withoutLinked(orders: readonly Order[]): readonly Order[] {
  return orders.filter(
    ({ oco_ref: ref }, index) => ref === undefined || orders.findIndex((each) => each.oco_ref === ref) === index,
  );
}
