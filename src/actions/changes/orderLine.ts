import { compareNumbers } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/*
 * The terms of an order in one line, `amount @ price [post|ioc|fok] [reduce]`. Numbers stay the texts that were typed:
 * no digit is lost on the way to the exchange.
 */

/** The terms of an order as they were typed. */
export interface OrderLine {
  /** The amount, as JSON writes numbers. */
  readonly amount: string;
  /** The price, as JSON writes numbers; undefined for `market`. */
  readonly price: string | undefined;
  /** The word about the time that the order stays open; undefined where none was typed. */
  readonly timing: OrderTiming | undefined;
  readonly isReduceOnly: boolean;
}

/** `post`: the order never takes liquidity. `ioc`, `fok`: it trades at once, in part or whole, or not at all. */
type OrderTiming = (typeof TIMINGS)[number];

const TIMINGS = ["post", "ioc", "fok"] as const;

/** A reason why a line is not valid. */
interface LineProblem {
  /** A sentence that names the place. */
  readonly problem: Plain;
  /** The index of the first character that is not valid. */
  readonly at: number;
}

/** Reads the line of an order. Words may be written in any case. */
export function readOrderLine(text: string): OrderLine | LineProblem {
  const [amount, at, price, ...words] = wordsOf(text);
  if (amount === undefined) return { problem: l10n.t("Enter amount @ price, for example 40 @ 2100.5."), at: 0 };
  const wrongAmount = numberProblem(amount) ?? sizeProblem(amount);
  if (wrongAmount !== undefined) return wrongAmount;
  if (at === undefined) return endProblem(text, l10n.t("Enter @ and a price after the amount."));
  if (at.text !== "@") return problemAt(at, l10n.t("Enter @ between the amount and the price."));
  if (price === undefined) return endProblem(text, l10n.t("Enter a price, or market, after @."));
  const isMarket = price.text.toLowerCase() === "market";
  const wrongPrice = isMarket ? undefined : numberProblem(price);
  if (wrongPrice !== undefined) return wrongPrice;
  return readWords({ amount: amount.text, price: isMarket ? undefined : price.text }, words);
}

/** Returns an order's terms as the line that says them. */
export function orderLineText({ amount, price, timing, isReduceOnly }: OrderLine): string {
  return [amount, "@", price ?? "market", timing ?? "", isReduceOnly ? "reduce" : ""]
    .filter((each) => each !== "")
    .join(" ");
}

function readWords(terms: Pick<OrderLine, "amount" | "price">, words: readonly Word[]): OrderLine | LineProblem {
  let timing: OrderTiming | undefined;
  let isReduceOnly = false;
  for (const word of words) {
    const text = word.text.toLowerCase();
    const known = TIMINGS.find((each) => each === text);
    if (known === undefined && text !== "reduce")
      return problemAt(word, l10n.t("After the price, only post, ioc, fok, and reduce are allowed."));
    if (known === undefined ? isReduceOnly : timing === known)
      return problemAt(word, l10n.t("The word is there twice."));
    if (known !== undefined && timing !== undefined)
      return problemAt(word, l10n.t("Only one of post, ioc, and fok is possible."));
    if (known === "post" && terms.price === undefined)
      return problemAt(word, l10n.t("A market order can't be post-only. Remove post, or enter a price."));
    if (known === undefined) isReduceOnly = true;
    else timing = known;
  }
  return { ...terms, timing, isReduceOnly };
}

/** A word of a line, with its place. */
interface Word {
  readonly text: string;
  readonly at: number;
}

/** Returns the words of a line. The sign between amount and price needs no blanks. */
function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/@|[^\s@]+/g)].map(({ 0: word, index }) => ({ text: word, at: index }));
}

/** Whether a text is a number as JSON writes it, so that it can be sent with the digits that were typed. */
export function isDecimal(text: string): boolean {
  return NUMBER.test(text) && text.length <= MAX_LENGTH;
}

/** Returns why a number that was typed with a comma isn't read: it may stand for a point, or for nothing. */
export function commaProblem(text: string): Plain | undefined {
  return text.includes(",") ? l10n.t("Use a point for decimals and no separator for thousands.") : undefined;
}

function numberProblem(word: Word): LineProblem | undefined {
  if (isDecimal(word.text)) return undefined;
  const comma = commaProblem(word.text);
  if (comma !== undefined) return problemAt(word, comma);
  return problemAt(word, l10n.t("Enter a number such as 40, 0.001, or 1e-8."));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/;

/** The most characters of a number. Not one of the exchange has as many digits. */
const MAX_LENGTH = 40;

function sizeProblem(word: Word): LineProblem | undefined {
  return compareNumbers(word.text, "0") > 0 ? undefined : problemAt(word, l10n.t("The amount must be greater than 0."));
}

function problemAt({ text, at }: Word, sentence: Plain): LineProblem {
  return { problem: l10n.t("At {0} (character {1}): {2}", plain.name(text), at + 1, sentence), at };
}

function endProblem(text: string, sentence: Plain): LineProblem {
  return { problem: l10n.t("At the end of the line: {0}", sentence), at: text.length };
}
