import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { quoteKey, type BlockRfq, type BlockRfqQuote, type QuotesStore } from "../../state/quotes.ts";
import { currencyOf } from "../orders/ordersGrouping.ts";
import { pendingFact, pendingIcon, type PendingChange } from "../outcomes/pendingChanges.ts";
import { fact, factLines, factNode, spokenText, staleFact, type RowFact, type Facts } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { fieldLines, memberNodes, unreadableNodes, without } from "../rows/objectFields.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { directionIcon, sentenceLines } from "../rows/row.ts";
import { digitsText, numberText } from "../text/numbers.ts";
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
    ...unreadableNodes(
      "quotes",
      snapshot.unreadable,
      l10n.t("This response item is not a valid quote. It is shown as received."),
      times,
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
  const number = digitsText(id);
  const rest = rfq === undefined ? {} : without(rfq, ["legs", "hedge"]);
  return factNode({
    key: `rfq ${String(id)}`,
    objectId: id === undefined ? undefined : `${RFQ_OBJECT}${String(id)}`,
    label: currency === "" ? l10n.t("RFQ {0}", number) : l10n.t("RFQ {0} · {1}", number, currency),
    subject: l10n.t("Block RFQ {0}", number),
    facts: [
      { sentence: currency },
      staleFact(place.isStale, 1),
      quotes.length === 1 ? l10n.t("1 quote") : l10n.t("{0} quotes", quotes.length),
      endFact(rfq, place, 2),
      ...quotes.map((quote) => ({ sentence: quoteText(quote) })),
    ],
    // What cancels all quotes of a Block RFQ has to name it.
    contextValue: id === undefined ? "quotes.unnamed" : "quotes.rfq",
    copyText: number,
    lines: () => [...sentenceLines(legTexts(rfq ?? {})), ...fieldLines(rest, place.times)],
    isOpen: true,
    below: () => [
      ...quotes.map((quote) => quoteNode(quote, rfq, place)),
      ...(rfq === undefined ? [] : [requestNode(rfq, rest, place)]),
    ],
  });
}

/** Makes the item of the original request, apart from the account's responses to it. */
function requestNode(rfq: BlockRfq, rest: object, place: Place): RowNode {
  const objectId = `${RFQ_OBJECT}${String(rfq.block_rfq_id)}`;
  return factNode({
    key: "facts",
    objectId,
    label: l10n.t("Block RFQ"),
    facts: [
      plain.name(rfq.state),
      rfq.amount === undefined ? undefined : { mark: l10n.t("amount {0}", numberText(rfq.amount)), priority: 1 },
      endFact(rfq, place, 2),
      ...legTexts(rfq).map((sentence) => ({ sentence })),
    ],
    icon: { name: "info", color: undefined },
    contextValue: "quotes.facts",
    copyText: digitsText(rfq.block_rfq_id),
    lines: () => fieldLines(rest, place.times),
    below: () => [...legNodes(rfq, objectId, place.times), ...memberNodes(rest, place.times, objectId)],
  });
}

function quoteNode(quote: BlockRfqQuote, rfq: BlockRfq | undefined, place: Place): RowNode {
  const { filled_amount: filled = 0, quote_state: state = "open", label: own = "" } = quote;
  const label = quoteText(quote);
  const id = digitsText(quote.block_rfq_quote_id);
  const pending = place.pending?.get(quoteKey(quote));
  const rest = without(quote, ["legs", "hedge"]);
  return factNode({
    key: quoteKey(quote),
    objectId: quoteKey(quote),
    label,
    subject: l10n.t("Quote {0}", id),
    facts: [
      { sentence: label },
      pendingFact(pending),
      state === "open" ? undefined : { mark: plain.name(state), priority: 1 },
      filled === 0 ? undefined : { mark: l10n.t("{0} filled", numberText(filled)), priority: 2 },
      endFact(rfq, place, 3),
      { sentence: instructionText(quote) },
      { sentence: own === "" ? "" : l10n.t("label {0}", plain.name(own)) },
      ...legTexts(quote).map((sentence) => ({ sentence })),
      staleFact(place.isStale, 4),
    ],
    icon:
      pending === undefined
        ? { ...directionIcon(quote.direction), ...(place.isStale ? { color: "disabledForeground" } : {}) }
        : pendingIcon(pending),
    contextValue: contextValueOf(pending, place),
    copyText: id,
    lines: () => fieldLines(rest, place.times),
    below: () => [
      ...legNodes(quote, quoteKey(quote), place.times),
      ...memberNodes(rest, place.times, quoteKey(quote), QUOTE_FIELDS),
    ],
  });
}

/** The members of a quote that are shown first. */
const QUOTE_FIELDS = [
  ...["price", "amount", "filled_amount", "direction", "execution_instruction", "label", "quote_state"],
  ...["quote_state_reason", "creation_timestamp", "last_update_timestamp", "block_rfq_id", "block_rfq_quote_id"],
];

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

function legNodes(structure: Structure, objectId: string, times: Times): RowNode[] {
  return partsOf(structure).map((part, index) =>
    factNode({
      ...factsOfPart(part),
      key: part === structure.hedge ? "hedge" : `leg ${String(index)}`,
      objectId,
      icon: directionIcon(part.direction),
      contextValue: "quotes.leg",
      copyText: part.instrument_name ?? "",
      lines: () => fieldLines(part, times),
      below: () => memberNodes(part, times, ""),
    }),
  );
}

function legTexts(structure: Structure): readonly Plain[] {
  return partsOf(structure).map((part) => {
    const { subject, facts } = factsOfPart(part);
    return spokenText(factLines(subject, facts));
  });
}

/** Returns the legs, and the hedge where there is one, which alone has an amount. */
function partsOf({ legs = [], hedge }: Structure): readonly (Leg & Partial<Hedge>)[] {
  return [...legs, ...(hedge === undefined ? [] : [hedge])];
}

/** Returns what the row of a leg or of the hedge says. */
function factsOfPart(part: Leg & Partial<Hedge>): { label: Plain; subject: Plain; facts: Facts } {
  const { amount, price, ratio } = part;
  const [label, size, at] = [plain.name(part.instrument_name), numberText(amount), numberText(price)];
  return {
    label,
    subject: amount === undefined ? l10n.t("Leg {0}", label) : l10n.t("Hedge {0}", label),
    facts: [
      { sentence: plain.name(part.direction) },
      amount === undefined ? undefined : fact(l10n.t("hedge {0}", size), l10n.t("amount {0}", size)),
      price === undefined ? undefined : fact(l10n.t("@ {0}", at), l10n.t("price {0}", at), 1),
      ratio === undefined
        ? undefined
        : fact(l10n.t("× {0}", numberText(ratio)), l10n.t("ratio {0}", numberText(ratio)), 2),
    ],
  };
}

/** Returns when a Block RFQ ends, and its quotes with it. */
function endFact(rfq: BlockRfq | undefined, { times, nowMs }: QuotesMoment, priority: number): RowFact {
  const end = rfq?.expiration_timestamp;
  if (end === undefined) return { sentence: l10n.t("expiration unknown") };
  if (end <= nowMs)
    return fact(l10n.t("expired"), l10n.t("expired at {0}, but still listed", times.clock(end)), priority);
  const left = durationText(end - nowMs);
  return fact(l10n.t("{0} left", left), l10n.t("expires in {0}, at {1}", left, times.clock(end)), priority);
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
