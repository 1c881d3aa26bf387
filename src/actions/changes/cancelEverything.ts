import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { earlierUnknownText, type Intent } from "../intent/intent.ts";
import type { Question } from "../intent/question.ts";
import { cancelMatching, type KnownOrders } from "./cancelMany.ts";
import type { Service } from "../../catalogue/index.ts";
import type { Order } from "../../state/orders.ts";
import type { BlockRfqQuote } from "../../state/quotes.ts";
import { describeOrder, type SeveralIntents } from "./orders.ts";
import { cancelAllQuotes, describeQuote, type KnownQuotes } from "./quotes.ts";

/** The orders and quotes of one connection, as far as they are known. */
export interface KnownEverything {
  readonly orders: KnownOrders;
  /** The Block RFQ quotes; undefined where the API key may not cancel them. */
  readonly quotes: KnownQuotes | undefined;
}

/** One connection in the confirmation of Cancel Everything. */
export interface EverythingLine {
  /** The environment and name of the connection. */
  readonly place: string;
  readonly known: KnownEverything;
  /** Why nothing is sent to it, as a sentence; undefined where the confirmation decides. */
  readonly refusal: string | undefined;
  /** The question that its gate would ask on its own; undefined where it asks none. */
  readonly question: Question | undefined;
  /** Whether it is not ready to ask yet, and asks on its own later. */
  readonly isWaiting?: true;
}

/** The time after which a connection is read again, in ms: a bot has then had the time to place its next orders. */
export const LOOK_AGAIN_MS = 2000;

/** The open orders and quotes of one connection a while after everything was cancelled. */
export interface LeftOver {
  /** The orders that were open when the user was asked, and still are. */
  readonly remaining: readonly Order[];
  /** The orders and quotes that were placed since then, each in one line with its ID. */
  readonly placedSince: readonly Plain[];
  /** The number of quotes that were open when the user was asked, and still are. */
  readonly remainingQuotes: number;
  /** Whether the quotes were read at all. */
  readonly areQuotesRead: boolean;
}

/**
 * Compares what is open with what was known when the user was asked. What is open counts as placed since only if the
 * list of then was whole.
 */
export function leftOver(known: KnownEverything, now: KnownEverything): LeftOver {
  const orderIds = new Set(known.orders.orders.map(({ order_id: id }) => id));
  const quoteIds = new Set(known.quotes?.quotes.map(({ block_rfq_quote_id: id }) => id));
  const isNewOrder = ({ order_id: id }: Order): boolean => known.orders.isCounted && !orderIds.has(id);
  const isNewQuote = ({ block_rfq_quote_id: id }: BlockRfqQuote): boolean =>
    known.quotes?.isCounted === true && !quoteIds.has(id);
  const orders = now.orders.orders;
  const quotes = now.quotes?.quotes ?? [];
  return {
    remaining: orders.filter((order) => !isNewOrder(order)),
    placedSince: [
      ...orders
        .filter(isNewOrder)
        .map((order) => l10n.t("{0} · {1}", describeOrder(order), plain.name(order.order_id))),
      ...quotes.filter(isNewQuote).map((quote) => describeQuote(quote)),
    ],
    remainingQuotes: quotes.filter((quote) => !isNewQuote(quote)).length,
    areQuotesRead: now.quotes !== undefined,
  };
}

const CANCEL_QUOTES_METHOD = "private/cancel_quotes";

/**
 * Returns the intents to cancel all orders and quotes of one connection. The quotes of mass quotes are orders, and are
 * cancelled as such; the call of their own follows where some are known, for a server that tells the two apart. Both
 * freeze mass quotes, so that a bot's next one does not take the place of what was cancelled. Other methods can't:
 * https://docs.deribit.com/api-reference/trading/private-cancel_all. The gateway offers neither quotes nor the freeze.
 */
export function cancelEverything(
  { orders, quotes }: KnownEverything,
  origin: Intent["origin"],
  service: Service = "native",
): SeveralIntents {
  if (service === "gateway") return describedEverything([cancelMatching({ kind: "all" }, orders, origin)]);
  const hasMassQuotes = orders.orders.some(({ quote }) => quote === true);
  const intents = [
    cancelMatching({ kind: "all", freezesQuotes: true }, orders, origin),
    ...(quotes === undefined ? [] : [cancelAllQuotes({ kind: "all" }, quotes, origin)]),
    ...(hasMassQuotes ? [cancelMassQuotes(origin)] : []),
  ];
  return describedEverything(intents);
}

function describedEverything(intents: readonly Intent[]): SeveralIntents {
  return {
    intents,
    describe: (asked) => ({
      action: l10n.t("Cancel Everything"),
      target: l10n.t("all orders and quotes"),
      sentence: l10n.t("Cancel all orders and quotes"),
      detail: asked.map(({ words }) => words.target),
      keep: l10n.t("Keep Orders"),
      show: l10n.t("Show Orders"),
    }),
  };
}

function cancelMassQuotes(origin: Intent["origin"]): Intent {
  return {
    method: CANCEL_QUOTES_METHOD,
    paramsText: JSON.stringify({ cancel_type: "all", freeze_quotes: true }),
    origin,
    words: {
      action: l10n.t("Cancel Mass Quotes"),
      target: l10n.t("all mass quotes"),
      sentence: l10n.t("Cancel all mass quotes"),
      detail: [],
      keep: l10n.t("Keep Quotes"),
    },
  };
}

/** The word that is typed on production. It is not translated, so that what is trained works in every language. */
const TYPED_WORD = "cancel";

/** The most characters that a prompt has room for: about four lines. */
const MAX_PROMPT = 300;

/**
 * Returns the confirmation for all connections. A word is typed where the gate of one of them asks to type; a dialog
 * comes first if a prompt has no room for all connections.
 */
export function everythingQuestions(lines: readonly EverythingLine[]): readonly Question[] {
  const asking = lines.flatMap(({ question }) => question ?? []);
  const isRepetition = asking.some((question) => question.isRepetition === true);
  const said = [...(isRepetition ? [earlierUnknownText()] : []), ...lines.map(lineText)];
  const repetition = isRepetition ? ({ isRepetition: true } as const) : {};
  const title =
    asking.length === 1
      ? l10n.t("Cancel all orders and quotes on 1 connection")
      : l10n.t("Cancel all orders and quotes on {0} connections", asking.length);
  const note = l10n.t(
    "This includes orders and quotes placed elsewhere or in the meantime. New mass quotes are rejected for 1 s.",
  );
  const opening = asking.find(({ isOpening }) => isOpening === true);
  const modal: Question = {
    kind: "modal",
    message: l10n.t("{0}?", title),
    detail: plain.join([note, ...said], "\n"),
    confirm: opening === undefined ? l10n.t("Cancel Everything") : l10n.t("Allow Cancels and Cancel"),
    keep: l10n.t("Keep Orders"),
    show: l10n.t("Show Orders"),
    ...repetition,
  };
  if (!asking.some(({ kind }) => kind === "typed")) return [modal];
  const all = plain.join(said, " · ");
  const prompt = l10n.t("Type {0} to confirm: {1}.", TYPED_WORD, title);
  const hasRoom = all.length <= MAX_PROMPT;
  const typed: Question = {
    kind: "typed",
    message: hasRoom ? plain.join([prompt, note, all], " ") : plain.join([prompt, note], " "),
    expected: TYPED_WORD,
    ...repetition,
  };
  return hasRoom ? [typed] : [modal, typed];
}

function lineText({ place, known, refusal, question, isWaiting }: EverythingLine): Plain {
  const name = plain.text(place);
  if (isWaiting === true) return l10n.t("{0}: not ready yet. It is confirmed separately.", name);
  if (refusal !== undefined) return l10n.t("{0}: nothing is sent. {1}", name, plain.text(refusal));
  const quotes = known.quotes === undefined ? l10n.t("no access to Block RFQ quotes") : quotesText(known.quotes);
  const counts = plain.join([ordersText(known.orders), quotes], ", ");
  return question?.isOpening === true
    ? l10n.t("{0}: {1} (read-only: confirming also allows further cancels, but no other changes)", name, counts)
    : l10n.t("{0}: {1}", name, counts);
}

function ordersText({ orders: { length }, isCounted }: KnownOrders): Plain {
  if (!isCounted) return l10n.t("open orders (number unknown)");
  return length === 1 ? l10n.t("1 open order") : l10n.t("{0} open orders", length);
}

function quotesText({ quotes: { length }, isCounted }: KnownQuotes): Plain {
  if (!isCounted) return l10n.t("Block RFQ quotes (number unknown)");
  return length === 1 ? l10n.t("1 Block RFQ quote") : l10n.t("{0} Block RFQ quotes", length);
}
