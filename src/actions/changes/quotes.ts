import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { BlockRfqQuote } from "../../state/quotes.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";
import { placedAgoText, listedOrders, type SeveralIntents } from "./orders.ts";

/** The quotes that one call cancels: every quote of the account, or every quote for a Block RFQ. */
export type QuotesScope = { readonly kind: "all" } | { readonly kind: "rfq"; readonly rfqId: number };

/** The quotes of a scope, as far as they are known. */
export interface KnownQuotes {
  readonly quotes: readonly BlockRfqQuote[];
  /** Whether the list is up to date, so that their number can be given. */
  readonly isCounted: boolean;
}

/** The facts that an intent about a quote needs beside the quote. */
export interface QuoteContext {
  readonly origin: Intent["origin"];
  /** The time, in ms since the Unix epoch; for the quote's age. */
  readonly nowMs: number;
  /** Returns the quote as it is known at the moment; undefined when nothing is known of it. */
  readonly current: (id: number) => BlockRfqQuote | undefined;
}

/**
 * Returns the intent to cancel all quotes of a scope with one call. It stays as it is when quotes come or go during the
 * confirmation, which says that these are cancelled too.
 */
export function cancelAllQuotes(
  scope: QuotesScope,
  { quotes, isCounted }: KnownQuotes,
  origin: Intent["origin"],
): Intent {
  return {
    method: "private/cancel_all_block_rfq_quotes",
    paramsText: JSON.stringify(scope.kind === "all" ? {} : { block_rfq_id: scope.rfqId }),
    origin,
    words: {
      ...scopeWords(scope, isCounted ? quotes.length : undefined),
      note: plain.join(
        [
          scope.kind === "all"
            ? l10n.t(
                "Labels are ignored: all quotes of the account are cancelled, including quotes placed in the meantime.",
              )
            : l10n.t(
                "Labels are ignored: all quotes of the account for this Block RFQ are cancelled, including quotes placed in the meantime.",
              ),
          ...(isCounted ? [] : [l10n.t("The list is not up to date, so their number is unknown.")]),
        ],
        " ",
      ),
      detail: listedOrders(
        quotes.map((quote) => l10n.t("{0} · {1}", describeQuote(quote), plain.join(traitsOf(quote), " · "))),
      ),
      keep: l10n.t("Keep Quotes"),
      show: l10n.t("Show Quotes"),
      about: "quotes",
    },
    // Where nothing is known of them, there is nothing that the response could be held against.
    ...(quotes.length === 0
      ? {}
      : {
          covers: quotes.map((quote) => ({ orderId: String(quote.block_rfq_quote_id), target: describeQuote(quote) })),
        }),
    ...(isCounted ? { typed: String(quotes.length) } : {}),
  };
}

function scopeWords(
  scope: QuotesScope,
  count: number | undefined,
): Pick<IntentWords, "action" | "target" | "sentence"> {
  const rfq = scope.kind === "rfq" ? decimalText(scope.rfqId) : undefined;
  if (count === undefined) {
    return rfq === undefined
      ? {
          action: l10n.t("Cancel All Quotes"),
          target: l10n.t("all Block RFQ quotes"),
          sentence: l10n.t("Cancel all Block RFQ quotes"),
        }
      : {
          action: l10n.t("Cancel All Quotes"),
          target: l10n.t("all quotes of RFQ {0}", rfq),
          sentence: l10n.t("Cancel all quotes of RFQ {0}", rfq),
        };
  }
  const action = count === 1 ? l10n.t("Cancel 1 Quote") : l10n.t("Cancel {0} Quotes", count);
  if (rfq === undefined) {
    return count === 1
      ? { action, target: l10n.t("1 Block RFQ quote"), sentence: l10n.t("Cancel the only Block RFQ quote") }
      : {
          action,
          target: l10n.t("{0} Block RFQ quotes", count),
          sentence: l10n.t("Cancel all {0} Block RFQ quotes", count),
        };
  }
  return count === 1
    ? { action, target: l10n.t("1 quote of RFQ {0}", rfq), sentence: l10n.t("Cancel the only quote of RFQ {0}", rfq) }
    : {
        action,
        target: l10n.t("{0} quotes of RFQ {1}", count, rfq),
        sentence: l10n.t("Cancel all {0} quotes of RFQ {1}", count, rfq),
      };
}

/** Returns the intent to cancel a quote. Void when its price or amount changes during the confirmation. */
export function cancelQuote(quote: BlockRfqQuote, { origin, nowMs, current }: QuoteContext): Intent {
  const target = describeQuote(quote);
  const id = quote.block_rfq_quote_id;
  return {
    method: "private/cancel_block_rfq_quote",
    paramsText: JSON.stringify({ block_rfq_quote_id: id }),
    origin,
    ...(quote.filled_amount === undefined ? {} : { filledAsShown: quote.filled_amount }),
    words: {
      action: l10n.t("Cancel Quote"),
      target,
      sentence: l10n.t("Cancel quote {0}", target),
      detail: [
        ...traitsOf(quote),
        ...(quote.creation_timestamp === undefined ? [] : [placedAgoText(nowMs - quote.creation_timestamp)]),
      ],
      keep: l10n.t("Keep Quote"),
    },
    // A cancel of an unknown quote is sent: the exchange reports whether there is something to cancel.
    changedObject: () => {
      const now = current(id);
      return now === undefined || describeQuote(now) === target ? undefined : "quote";
    },
  };
}

/** Returns the intents to cancel several quotes: one confirmation, then each by a call of its own. */
export function cancelQuotes(quotes: readonly BlockRfqQuote[], context: QuoteContext): SeveralIntents {
  return {
    intents: quotes.map((quote) => cancelQuote(quote, context)),
    describe: (intents) => ({
      action: l10n.t("Cancel {0} Quotes", intents.length),
      target: l10n.t("{0} Block RFQ quotes", intents.length),
      sentence: l10n.t("Cancel {0} Block RFQ quotes", intents.length),
      note: l10n.t("Each quote is cancelled with a separate call. Other quotes stay open."),
      detail: listedOrders(intents.map(({ words }) => l10n.t("{0} · {1}", words.target, words.detail[0] ?? ""))),
      keep: l10n.t("Keep Quotes"),
      show: l10n.t("Show Quotes"),
      about: "quotes",
    }),
  };
}

/** Returns a quote in one line: Block RFQ, direction, size, price. */
export function describeQuote({ block_rfq_id: rfqId, direction, amount, price }: BlockRfqQuote): Plain {
  return l10n.t(
    "RFQ {0} {1} {2} @ {3}",
    decimalText(rfqId),
    plain.name(direction),
    figureText(amount),
    figureText(price),
  );
}

function traitsOf({ block_rfq_quote_id: id, label, filled_amount: filled, amount }: BlockRfqQuote): Plain[] {
  return [
    l10n.t("ID {0}", decimalText(id)),
    ...(label === undefined || label === "" ? [] : [l10n.t("label {0}", plain.name(label))]),
    ...(filled === undefined || amount === undefined || filled === 0
      ? []
      : [l10n.t("{0} of {1} filled", figureText(filled), figureText(amount))]),
  ];
}
