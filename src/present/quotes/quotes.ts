import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { quoteKey, type BlockRfq, type BlockRfqQuote, type QuotesStore } from "../../state/quotes.ts";
import { fitting, ROOM, ROOM_BELOW } from "../text/fitting.ts";
import type { RowNode } from "../rows/nodes.ts";
import { numberText } from "../text/numbers.ts";
import { fieldLines, fieldNodes, unreadableNode, without } from "../rows/objectFields.ts";
import { currencyOf } from "../orders/ordersGrouping.ts";
import { pendingIcon, pendingMark, pendingSentence, type PendingChange } from "../outcomes/pendingChanges.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { sentenceLines, type RowIcon, type TooltipLine } from "../rows/row.ts";
import { durationText, type Times } from "../text/times.ts";

/* The Block RFQ Quotes view: Block RFQs, below them the account's quotes, below these legs and every other member. */

/** The data that the rows of one connection are made from. */
export type QuotesShown = Pick<QuotesStore, "snapshot" | "rfqs" | "rfqFailure">;

interface QuotesMoment {
  readonly times: Times;
  /** The present in ms since the Unix epoch: quotes end with time. */
  readonly nowMs: number;
  /** The changes that are under way on quotes, by their ID. */
  readonly pending?: ReadonlyMap<string, PendingChange>;
}

/** The beginning of the `objectId` of a Block RFQ's row; that of a quote is its ID. */
export const RFQ_OBJECT = "rfq ";

export function quoteNodes(shown: QuotesShown, moment: QuotesMoment): RowNode[] {
  const { times } = moment;
  const { snapshot, rfqs } = shown;
  const byRfq = new Map<number | undefined, BlockRfqQuote[]>();
  for (const quote of snapshot.items.values())
    byRfq.set(quote.block_rfq_id, [...(byRfq.get(quote.block_rfq_id) ?? []), quote]);
  const place = { ...moment, isStale: snapshot.status === "stale" };
  return [
    ...[...byRfq].map(([id, quotes]) => rfqNode(id, quotes, rfqOf(rfqs, id), place)),
    ...snapshot.unreadable.map((row, index) =>
      unreadableNode("quotes", row, {
        index,
        sentence: l10n.t("This response item is not a valid quote. It is shown as received."),
        times,
      }),
    ),
  ];
}

/** Returns the Block RFQ of a quote. The purpose of a quote that names none is unknown. */
function rfqOf(rfqs: QuotesShown["rfqs"], id: number | undefined): BlockRfq | undefined {
  return id === undefined ? undefined : rfqs.get(id);
}

interface Place extends QuotesMoment {
  readonly isStale: boolean;
}

export const QUOTES_WORDS: ResourceWords = {
  scope: "block_rfq:read",
  reading: (place) => l10n.t("Loading Block RFQ quotes for {0}…", place),
  none: (place) => l10n.t("No open Block RFQ quotes on {0}.", place),
  notOffered: (place) =>
    l10n.t(
      "{0} doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them with private/cancel_all_block_rfq_quotes in a request file.",
      place,
    ),
};

/** Returns a remark about the rows: that the Block RFQs themselves could not be read. */
export function quotesRemark({ rfqFailure }: Pick<QuotesShown, "rfqFailure">): Plain {
  return rfqFailure === undefined
    ? ""
    : l10n.t("The Block RFQs couldn't be read from the server, so their expiration times are unknown.");
}

/** Returns a quote in one line, e.g. `buy 10 @ 0.012`. */
export function quoteText({ direction, amount, price }: BlockRfqQuote): Plain {
  const size = numberText(amount);
  return price === undefined
    ? l10n.t("{0} {1}", plain.name(direction), size)
    : l10n.t("{0} {1} @ {2}", plain.name(direction), size, numberText(price));
}

/** Returns when the next of them ends, in ms since the Unix epoch; undefined when none has an end to come. */
export function nextEnd({ snapshot, rfqs }: QuotesShown, nowMs: number): number | undefined {
  const ends = [...snapshot.items.values()]
    .flatMap(({ block_rfq_id: id }) => rfqOf(rfqs, id)?.expiration_timestamp ?? [])
    .filter((end) => end > nowMs);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function rfqNode(
  id: number | undefined,
  quotes: readonly BlockRfqQuote[],
  rfq: BlockRfq | undefined,
  place: Place,
): RowNode {
  const currency = currencyText(rfq?.legs ?? quotes.find(({ legs }) => legs !== undefined)?.legs ?? []);
  const number = numberText(id);
  const label = currency === "" ? l10n.t("RFQ {0}", number) : l10n.t("RFQ {0} · {1}", number, currency);
  const count = quotes.length === 1 ? l10n.t("1 quote") : l10n.t("{0} quotes", quotes.length);
  const left = leftText(rfq, place);
  const stale = place.isStale ? [l10n.t("stale")] : [];
  const rest = rfq === undefined ? {} : without(rfq, ["legs", "hedge"]);
  return {
    key: `rfq ${String(id)}`,
    objectId: id === undefined ? undefined : `${RFQ_OBJECT}${String(id)}`,
    label,
    description: fitting(ROOM - label.length, [[...stale, count, left], [...stale, count], [count]]),
    icon: undefined,
    spoken: l10n.t(
      "Block RFQ {0}: {1}",
      number,
      plain.join(
        [currency, ...stale, count, endText(rfq, place), ...quotes.map(quoteText)].filter((part) => part !== ""),
        ", ",
      ),
    ),
    // What cancels all quotes of a Block RFQ has to name it.
    contextValue: id === undefined ? "quotes.unnamed" : "quotes.rfq",
    copyText: number,
    tooltip: [
      ...sentenceLines([endSentence(rfq, place), ...staleSentences(place)]),
      ...(rfq === undefined ? [] : legLines(rfq)),
      ...fieldLines(rest, place.times),
    ],
    isOpen: true,
    below: () => [
      ...quotes.map((quote) => quoteNode(quote, rfq, place)),
      ...(rfq === undefined ? [] : [factsNode(rfq, rest, place)]),
    ],
  };
}

/** Makes the item of the original request, apart from the account's responses to it. */
function factsNode(rfq: BlockRfq, rest: object, place: Place): RowNode {
  const label = l10n.t("Block RFQ");
  const amount = rfq.amount === undefined ? "" : l10n.t("amount {0}", numberText(rfq.amount));
  const end = endText(rfq, place);
  const objectId = `${RFQ_OBJECT}${String(rfq.block_rfq_id)}`;
  return {
    key: "facts",
    objectId,
    label,
    description: fitting(ROOM_BELOW - label.length, [[plain.name(rfq.state), amount], [plain.name(rfq.state)]]),
    icon: { name: "info", color: undefined },
    spoken: l10n.t(
      "Block RFQ: {0}",
      plain.join(
        [plain.name(rfq.state), amount, end, ...(rfq.legs ?? []).map(legText)].filter((part) => part !== ""),
        ", ",
      ),
    ),
    contextValue: "quotes.facts",
    copyText: numberText(rfq.block_rfq_id),
    tooltip: [...sentenceLines([endSentence(rfq, place)]), ...legLines(rfq), ...fieldLines(rest, place.times)],
    below: () => [
      ...legNodes(rfq, objectId, place.times),
      ...fieldNodes(rest, place.times).map((node) => ({ ...node, objectId })),
    ],
  };
}

function quoteNode(quote: BlockRfqQuote, rfq: BlockRfq | undefined, place: Place): RowNode {
  const label = quoteText(quote);
  const id = numberText(quote.block_rfq_quote_id);
  const filled =
    quote.filled_amount === undefined || quote.filled_amount === 0
      ? []
      : [l10n.t("{0} filled", numberText(quote.filled_amount))];
  const state = quote.quote_state === undefined || quote.quote_state === "open" ? [] : [plain.name(quote.quote_state)];
  const left = leftText(rfq, place);
  const pending = place.pending?.get(quoteKey(quote));
  const change = pending === undefined ? [] : [pendingMark(pending)];
  const own = quote.label === undefined || quote.label === "" ? [] : [l10n.t("label {0}", plain.name(quote.label))];
  const legs = (quote.legs ?? []).map((leg) =>
    l10n.t("{0} {1}", plain.name(leg.direction), plain.name(leg.instrument_name)),
  );
  const rest = without(quote, ["legs", "hedge"]);
  return {
    key: quoteKey(quote),
    objectId: quoteKey(quote),
    label,
    description: fitting(ROOM_BELOW - label.length, [
      [...change, ...state, ...filled, left],
      [...change, ...state, ...filled],
      [...change, ...state],
      change,
    ]),
    icon:
      pending === undefined
        ? { ...directionIcon(quote.direction), ...(place.isStale ? { color: "disabledForeground" } : {}) }
        : pendingIcon(pending),
    spoken: l10n.t(
      "Quote {0}: {1}",
      id,
      plain.join(
        [label, ...change, ...state, ...filled, endText(rfq, place), instructionText(quote), ...own, ...legs].filter(
          (part) => part !== "",
        ),
        ", ",
      ),
    ),
    contextValue: contextValueOf(pending, place),
    copyText: id,
    tooltip: [
      ...sentenceLines([
        l10n.t("Quote {0}: {1}", id, label),
        ...(pending === undefined ? [] : [pendingSentence(pending)]),
        endSentence(rfq, place),
        instructionText(quote),
        ...staleSentences(place),
      ]),
      ...legLines(quote),
      ...fieldLines(rest, place.times),
    ],
    below: () => [
      ...legNodes(quote, quoteKey(quote), place.times),
      ...fieldNodes(rest, place.times).map((node) => ({ ...node, objectId: quoteKey(quote) })),
    ],
  };
}

/**
 * Returns flags for the menus: whether it may be cancelled, including a second time after a check left the outcome
 * unknown. A stale quote has no button in its row.
 */
function contextValueOf(pending: PendingChange | undefined, { isStale }: Place): string {
  if (pending === "sending" || pending === "verifying") return "quotes.quote.pending";
  return isStale ? "quotes.quote.stale" : "quotes.quote";
}

type Structure = Pick<BlockRfqQuote, "legs" | "hedge">;
type Leg = NonNullable<Structure["legs"]>[number];
type Hedge = NonNullable<Structure["hedge"]>;

function legNodes({ legs, hedge }: Structure, objectId: string, times: Times): RowNode[] {
  const nodes = (legs ?? []).map((leg, index) =>
    partNode(leg, { key: `leg ${String(index)}`, objectId, text: legText(leg), numbers: legNumbers(leg), times }),
  );
  return hedge === undefined
    ? nodes
    : [
        ...nodes,
        partNode(hedge, {
          key: "hedge",
          objectId,
          text: hedgeText(hedge),
          numbers: [l10n.t("hedge {0}", numberText(hedge.amount ?? 0))],
          times,
        }),
      ];
}

interface PartPlace {
  readonly key: string;
  readonly objectId: string;
  readonly text: Plain;
  readonly numbers: readonly Plain[];
  readonly times: Times;
}

/** Makes the item of a leg, or the hedge. */
function partNode(part: Leg | Hedge, { key, objectId, text, numbers, times }: PartPlace): RowNode {
  const label = plain.name(part.instrument_name);
  return {
    key,
    objectId,
    label,
    description: fitting(ROOM_BELOW - label.length, [numbers, numbers.slice(0, 1), []]),
    icon: directionIcon(part.direction),
    spoken: text,
    contextValue: "quotes.leg",
    copyText: part.instrument_name ?? "",
    tooltip: [...sentenceLines([text]), ...fieldLines(part, times)],
    below: () => fieldNodes(part, times),
  };
}

function legText(leg: Leg): Plain {
  const ratio = leg.ratio === undefined ? "" : l10n.t("ratio {0}", numberText(leg.ratio));
  const price = leg.price === undefined ? "" : l10n.t("price {0}", numberText(leg.price));
  return l10n.t(
    "Leg: {0}",
    plain.join(
      [l10n.t("{0} {1}", plain.name(leg.direction), plain.name(leg.instrument_name)), ratio, price].filter(
        (part) => part !== "",
      ),
      ", ",
    ),
  );
}

function legNumbers(leg: Leg): readonly Plain[] {
  return [
    ...(leg.price === undefined ? [] : [l10n.t("@ {0}", numberText(leg.price))]),
    ...(leg.ratio === undefined ? [] : [l10n.t("× {0}", numberText(leg.ratio))]),
  ];
}

function hedgeText(hedge: Hedge): Plain {
  return l10n.t(
    "Hedge: {0} {1} {2} @ {3}",
    plain.name(hedge.direction),
    numberText(hedge.amount),
    plain.name(hedge.instrument_name),
    numberText(hedge.price),
  );
}

function legLines({ legs, hedge }: Structure): TooltipLine[] {
  return sentenceLines([...(legs ?? []).map(legText), ...(hedge === undefined ? [] : [hedgeText(hedge)])]);
}

/** Returns how long a Block RFQ still runs, and its quotes with it; empty where that is not known. */
function leftText(rfq: BlockRfq | undefined, { nowMs }: QuotesMoment): Plain {
  const end = rfq?.expiration_timestamp;
  if (end === undefined) return "";
  return end <= nowMs ? l10n.t("expired") : l10n.t("{0} left", durationText(end - nowMs));
}

function endText(rfq: BlockRfq | undefined, { nowMs }: QuotesMoment): Plain {
  const end = rfq?.expiration_timestamp;
  if (end === undefined) return l10n.t("expiration unknown");
  return end <= nowMs ? l10n.t("expired") : l10n.t("expires in {0}", durationText(end - nowMs));
}

function endSentence(rfq: BlockRfq | undefined, { times, nowMs }: QuotesMoment): Plain {
  const end = rfq?.expiration_timestamp;
  if (end === undefined) return l10n.t("The expiration time of the Block RFQ is unknown.");
  return end <= nowMs
    ? l10n.t("It expired at {0}, but the server still lists it.", times.local(end))
    : l10n.t("The Block RFQ and all its quotes expire at {0}.", times.local(end));
}

function staleSentences({ isStale }: Place): readonly Plain[] {
  return isStale ? [l10n.t("Not up to date: this is the last known state.")] : [];
}

function instructionText({ execution_instruction: instruction }: BlockRfqQuote): Plain {
  if (instruction === "any_part_of") return l10n.t("can be filled partially");
  return instruction === "all_or_none" ? l10n.t("can only be filled completely") : "";
}

/** Returns the currency that the instruments are named by; several only where they differ. */
function currencyText(legs: readonly Leg[]): Plain {
  return plain.join(
    [...new Set(legs.map((leg) => plain.name(currencyOf(leg.instrument_name ?? NOT_KNOWN))))].slice(0, 2),
    " ",
  );
}

function directionIcon(direction: string | undefined): RowIcon {
  if (direction === "buy") return { name: "arrow-up", color: "charts.green" };
  return direction === "sell"
    ? { name: "arrow-down", color: "charts.red" }
    : { name: "circle-outline", color: undefined };
}
