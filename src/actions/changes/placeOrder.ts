import { productOf, quotientOf } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isInverse, type Instrument } from "../../state/instruments.ts";
import { figureText } from "../intent/decimal.ts";
import { SEND_WITHIN_MS, type Intent } from "../intent/intent.ts";
import { amountProblem, priceProblem } from "./orderSteps.ts";
import type { Members } from "../intent/fields.ts";
import type { OrderLine } from "./orderLine.ts";
import { spotProblem } from "./spotRules.ts";
import { KNOWN_IDS, type OrderSide } from "./placingNames.ts";

/* Orders that commands place: from the terms that the user typed to the request and the words of its confirmation. */

/** An order that is to be placed. All numbers are the texts that were typed, as JSON writes them. */
export interface TypedOrder {
  readonly instrument: string;
  readonly side: OrderSide;
  readonly line: OrderLine;
  readonly options: OrderOptions;
}

/** The terms of an order beside its line, by the exchange's names; the usual ones hold where one is missing. */
export interface OrderOptions {
  /** The type of the order; left out, `limit`, or `market` without a price. */
  readonly type?: string;
  readonly trigger?: string;
  readonly trigger_price?: string;
  readonly trigger_offset?: string;
  readonly time_in_force?: string;
  readonly display_amount?: string;
  readonly label?: string;
  /** Whether a limit order may take liquidity; left out, it is post-only, and rejected where it would take some. */
  readonly isTaking?: boolean;
}

/** The facts that the intent of an order needs beside its terms. */
export interface PlacingContext {
  readonly origin: Intent["origin"];
  /** The label, which tells the order from others: the user's, or one that was generated. */
  readonly label: string;
  /** The IDs of the known orders that have this label. */
  readonly knownIds: readonly string[];
  /** What the server says about the order, in lines of the confirmation. */
  readonly preview: readonly Plain[];
  /** Whether its price is beyond the band on the side where the exchange changes or refuses it. */
  readonly isOutOfBand: boolean;
  /** The purpose of the order, where it is not just to trade. */
  readonly purpose?: "close" | "reduce";
}

/** Returns the intent to place an order. Its deadline counts from the confirmation. */
export function placeTypedOrder(draft: TypedOrder, context: PlacingContext): Intent {
  const { origin, label, knownIds, preview, isOutOfBand, purpose } = context;
  const { instrument, side, line } = draft;
  return {
    method: methodOf(draft),
    paramsText: `{${orderMembers(draft, label)
      .map(([name, literal]) => `${JSON.stringify(name)}:${literal}`)
      .join(",")}}`,
    origin,
    words: {
      action: purpose === undefined ? l10n.t("Place Order") : ACTIONS[purpose](),
      target: l10n.t("{0} {1} {2} @ {3}", plain.name(instrument), side, figureText(line.amount), priceWords(draft)),
      sentence: sentenceOf(draft, purpose),
      detail: [termsText(draft), ...preview, l10n.t("Label: {0}", plain.name(label)), deadlineText()],
      keep: l10n.t("Don't Place"),
      show: l10n.t("Show Orders"),
    },
    before: { [KNOWN_IDS]: knownIds.join(" ") },
    validForMs: SEND_WITHIN_MS,
    ...(isOutOfBand && line.price !== undefined ? { isBlind: true, typed: line.price } : {}),
  };
}

/** Returns that the exchange takes the order for a while only. */
export function deadlineText(): Plain {
  return l10n.t(
    "The exchange refuses the order if it arrives more than {0} s after you confirm.",
    SEND_WITHIN_MS / 1000,
  );
}

const ACTIONS = {
  close: () => l10n.t("Close Position"),
  reduce: () => l10n.t("Reduce Position"),
} as const;

function methodOf({ side }: TypedOrder): "private/buy" | "private/sell" {
  return side === "buy" ? "private/buy" : "private/sell";
}

/**
 * Returns the method and parameters of an order as the text of a request, with the digits that were typed. `members`:
 * its parameters, each as JSON writes it (default: those of the order alone).
 */
export function orderRequestText(
  draft: TypedOrder,
  label: string | undefined,
  members: readonly (readonly [name: string, literal: string])[] = orderMembers(draft, label),
): string {
  const params = members.map(([name, literal]) => `    ${JSON.stringify(name)}: ${literal}`);
  return [
    "{",
    '  "jsonrpc": "2.0",',
    '  "id": 1,',
    `  "method": "${methodOf(draft)}",`,
    '  "params": {',
    params.join(",\n"),
    "  }",
    "}",
    "",
  ].join("\n");
}

/** Returns the parameters of an order, each as JSON writes it. Those that are empty are left out. */
export function orderMembers(draft: TypedOrder, label: string | undefined): readonly (readonly [string, string])[] {
  const { instrument, line, options } = draft;
  const type = typeOf(draft);
  const text = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : JSON.stringify(value);
  const isPostOnly = isPost(draft);
  const members: readonly (readonly [string, string | undefined])[] = [
    ["instrument_name", text(instrument)],
    ["amount", line.amount],
    ["type", text(type)],
    ["price", line.price],
    ["trigger", text(options.trigger)],
    ["trigger_price", options.trigger_price],
    ["trigger_offset", options.trigger_offset],
    ["time_in_force", type.endsWith("limit") ? text(timeInForceOf(draft)) : undefined],
    ["post_only", isPostOnly ? "true" : undefined],
    ["reject_post_only", isPostOnly ? "true" : undefined],
    ["reduce_only", line.isReduceOnly ? "true" : undefined],
    ["display_amount", options.display_amount],
    ["label", text(label)],
  ];
  return members.flatMap(([name, literal = ""]) => (literal === "" ? [] : [[name, literal] as const]));
}

function typeOf({ line, options }: TypedOrder): string {
  return options.type ?? (line.price === undefined ? "market" : "limit");
}

function timeInForceOf({ line, options }: TypedOrder): string {
  if (line.timing === "ioc") return "immediate_or_cancel";
  if (line.timing === "fok") return "fill_or_kill";
  return (line.timing === "gtc" ? undefined : options.time_in_force) ?? "good_til_cancelled";
}

/** Whether the order never takes liquidity: the usual case for a limit order that stays open. */
function isPost(draft: TypedOrder): boolean {
  const { line, options } = draft;
  if (line.liquidity !== undefined) return line.liquidity === "post";
  return typeOf(draft) === "limit" && options.isTaking !== true && STAYING.includes(timeInForceOf(draft));
}

const STAYING: readonly string[] = ["good_til_cancelled", "good_til_day"];

/**
 * Returns why the exchange would not take an order, as far as the instrument and the terms tell; undefined where
 * nothing speaks against it.
 */
export function draftProblem(draft: TypedOrder, instrument: Instrument | undefined): Plain | undefined {
  return (
    priceTermsProblem(draft) ??
    triggerTermsProblem(draft) ??
    (instrument && (spotProblem(paramsOf(draft), instrument) ?? stepsProblem(draft, instrument)))
  );
}

function paramsOf(draft: TypedOrder): Members {
  return Object.fromEntries(
    orderMembers(draft, undefined).map(([name, literal]) => [name, JSON.parse(literal) as unknown]),
  );
}

function priceTermsProblem(draft: TypedOrder): Plain | undefined {
  const type = typeOf(draft);
  const { price, liquidity } = draft.line;
  if (["limit", "stop_limit", "take_limit"].includes(type) && price === undefined)
    return l10n.t("A {0} order needs a price instead of market.", plain.name(type));
  if (type.endsWith("market") && price !== undefined)
    return l10n.t("A {0} order has no price. Enter market.", plain.name(type));
  return liquidity === "post" && draft.options.isTaking === true
    ? l10n.t("The order is post-only. Remove post to let it trade at once.")
    : undefined;
}

function triggerTermsProblem(draft: TypedOrder): Plain | undefined {
  const type = typeOf(draft);
  const { trigger, trigger_price: price, trigger_offset: offset } = draft.options;
  if (/^(?:stop|take)_/.test(type) && (price === undefined || trigger === undefined))
    return l10n.t(
      "A {0} order needs a trigger and a trigger price. Use More Options… to enter them.",
      plain.name(type),
    );
  return type === "trailing_stop" && (offset === undefined || trigger === undefined)
    ? l10n.t("A {0} order needs a trigger and a trigger offset. Use More Options… to enter them.", plain.name(type))
    : undefined;
}

function stepsProblem({ line, options }: TypedOrder, { steps }: Instrument): Plain | undefined {
  const ofPrice = (price: string | undefined, kind: "price" | "triggerPrice"): Plain | undefined =>
    price === undefined ? undefined : priceProblem(price, steps, kind)?.message;
  return (
    amountProblem(line.amount, steps)?.message ??
    ofPrice(line.price, "price") ??
    ofPrice(options.trigger_price, "triggerPrice")
  );
}

/**
 * Returns an amount in both units of its instrument, e.g. `100 USD = 0.002 BTC`: calculated from the amount and the
 * price alone, cut to 8 decimals. Undefined where the instrument or the price does not tell.
 * https://docs.deribit.com/api-reference/trading/private-buy
 */
export function notionalText(
  { amount, price }: Pick<OrderLine, "amount" | "price">,
  instrument: Pick<Instrument, "kind" | "currencies">,
): Plain | undefined {
  const { base, quote } = instrument.currencies;
  const isCombo = instrument.kind.endsWith("combo");
  if (price === undefined || base === undefined || quote === undefined || isCombo) return undefined;
  // The amount of an inverse future is USD; of everything else it is the base currency.
  if (isInverse(instrument)) {
    const inBase = quotientOf(amount, price, NOTIONAL_PLACES);
    if (inBase === undefined) return undefined;
    const terms = [figureText(amount), plain.name(quote), figureText(inBase.text), plain.name(base)] as const;
    return inBase.isExact ? l10n.t("{0} {1} = {2} {3}", ...terms) : l10n.t("{0} {1} ≈ {2} {3}", ...terms);
  }
  const inQuote = productOf(amount, price);
  return inQuote === undefined
    ? undefined
    : l10n.t("{0} {1} = {2} {3}", figureText(amount), plain.name(base), figureText(inQuote), plain.name(quote));
}

const NOTIONAL_PLACES = 8;

/** Returns the order in one sentence, amount and price first. */
function sentenceOf(draft: TypedOrder, purpose: PlacingContext["purpose"]): Plain {
  const { side, line, instrument } = draft;
  const words = [figureText(line.amount), plain.name(instrument), priceWords(draft)] as const;
  if (purpose === "close")
    return side === "buy"
      ? l10n.t("Buy {0} {1} @ {2} to close the position", ...words)
      : l10n.t("Sell {0} {1} @ {2} to close the position", ...words);
  if (purpose === "reduce")
    return side === "buy"
      ? l10n.t("Buy {0} {1} @ {2} to reduce the position", ...words)
      : l10n.t("Sell {0} {1} @ {2} to reduce the position", ...words);
  return side === "buy" ? l10n.t("Buy {0} {1} @ {2}", ...words) : l10n.t("Sell {0} {1} @ {2}", ...words);
}

function priceWords({ line }: TypedOrder): Plain {
  return line.price === undefined ? l10n.t("market") : figureText(line.price);
}

/** Returns the order in one sentence, as the steps say it before it is confirmed. */
export function draftText(draft: TypedOrder): Plain {
  return sentenceOf(draft, undefined);
}

/** Returns all terms besides amount and price, in one line. */
export function termsText(draft: TypedOrder): Plain {
  const { line, options } = draft;
  const type = typeOf(draft);
  const parts = [
    plain.name(type),
    ...(options.trigger === undefined ? [] : [l10n.t("trigger {0}", plain.text(options.trigger))]),
    ...(options.trigger_price === undefined ? [] : [l10n.t("trigger price {0}", figureText(options.trigger_price))]),
    ...(options.trigger_offset === undefined ? [] : [l10n.t("trigger offset {0}", figureText(options.trigger_offset))]),
    ...(type.endsWith("limit") ? [plain.name(timeInForceOf(draft))] : []),
    ...(isPost(draft) ? [l10n.t("post-only, rejected if it would trade at once")] : []),
    ...(line.isReduceOnly ? [l10n.t("reduce-only")] : []),
    ...(options.display_amount === undefined ? [] : [l10n.t("display amount {0}", figureText(options.display_amount))]),
  ];
  return plain.join(parts, " · ");
}

/** The lowest price at which an instrument may be sold, and the highest at which it may be bought. */
export interface PriceBand {
  readonly min: number;
  readonly max: number;
}

/** The prices of an instrument at the moment they were read. */
export interface BestPrices {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly mark: number | undefined;
  /** Undefined where the server does not tell it. */
  readonly band?: PriceBand;
  /** The time of the response, on the monotonic clock, in ms. */
  readonly readAtMs: number;
}

/** Returns prices and steps in one line with their age; only what is known. */
export function marketText(
  prices: BestPrices | undefined,
  instrument: Pick<Instrument, "steps"> | undefined,
  nowMs: number,
): Plain {
  const part = (value: number | undefined, words: (text: Plain) => Plain): readonly Plain[] =>
    value === undefined ? [] : [words(figureText(value))];
  const steps = [
    ...part(instrument?.steps.tickSize, (text) => l10n.t("tick {0}", text)),
    ...part(instrument?.steps.minAmount, (text) => l10n.t("minimum {0}", text)),
  ];
  if (prices === undefined) return plain.join([l10n.t("no prices from this server"), ...steps], " · ");
  const age = l10n.t("{0} s ago", Math.max(0, Math.floor((nowMs - prices.readAtMs) / 1000)));
  return plain.join(
    [
      ...(prices.bid === undefined ? [l10n.t("no bids")] : part(prices.bid, (text) => l10n.t("bid {0}", text))),
      ...(prices.ask === undefined ? [l10n.t("no asks")] : part(prices.ask, (text) => l10n.t("ask {0}", text))),
      ...part(prices.mark, (text) => l10n.t("mark {0}", text)),
      ...steps,
      age,
    ],
    " · ",
  );
}
