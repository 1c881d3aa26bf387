import { compareNumbers } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SIDES, type OrderSide } from "./placingNames.ts";

/*
 * The terms of an order in one line, `[buy|sell] amount @ price [gtc|ioc|fok] [post|taker] [reduce]`. Numbers stay the
 * texts that were typed: no digit is lost on the way to the exchange.
 */

/** The terms of an order as they were typed. */
export interface OrderLine {
  /** The typed side (default: none). */
  readonly side?: OrderSide;
  /** The amount, as JSON writes numbers. */
  readonly amount: string;
  /** The price, as JSON writes numbers; undefined for `market`. */
  readonly price: string | undefined;
  /** The word about the time that the order stays open; undefined where none was typed. */
  readonly timing: OrderTiming | undefined;
  /** The typed word about trading at once (default: none). */
  readonly liquidity?: OrderLiquidity;
  readonly isReduceOnly: boolean;
}

/** `gtc`: the order stays open until it is cancelled. `ioc`, `fok`: it trades at once, in part or whole, or not. */
type OrderTiming = (typeof TIMINGS)[number];

/** `post`: the order never takes liquidity. `taker`: a limit order may. */
type OrderLiquidity = (typeof LIQUIDITIES)[number];

const TIMINGS = ["gtc", "ioc", "fok"] as const;
const LIQUIDITIES = ["post", "taker"] as const;

/** A reason why a line is not valid. */
export interface LineProblem {
  /** A sentence that names the place. */
  readonly problem: Plain;
  /** The index of the first character that is not valid. */
  readonly at: number;
}

/** Reads the line of an order. Words may be written in any case. */
export function readOrderLine(text: string): OrderLine | LineProblem {
  const all = lineWords(text);
  const side = SIDES.find((each) => each === all[0]?.text.toLowerCase());
  const [amount, at, price, ...words] = side === undefined ? all : all.slice(1);
  if (amount === undefined)
    return side === undefined
      ? { problem: l10n.t("Enter amount @ price, for example 40 @ 2100.5."), at: 0 }
      : missingAtEnd(text, l10n.t("Enter an amount after the side."));
  const wrongAmount = numberProblem(amount) ?? sizeProblem(amount);
  if (wrongAmount !== undefined) return wrongAmount;
  if (at === undefined) return missingAtEnd(text, l10n.t("Enter @ and a price after the amount."));
  if (at.text !== "@") return problemAt(at, l10n.t("Enter @ between the amount and the price."));
  if (price === undefined) return missingAtEnd(text, l10n.t("Enter a price, or market, after @."));
  const isMarket = price.text.toLowerCase() === "market";
  const wrongPrice = isMarket ? undefined : numberProblem(price);
  if (wrongPrice !== undefined) return wrongPrice;
  const read = readWords(words, isMarket);
  if ("problem" in read) return read;
  return {
    ...(side === undefined ? {} : { side }),
    ...{ amount: amount.text, price: isMarket ? undefined : price.text },
    ...read,
  };
}

/** Returns an order's terms as the line that says them. */
export function orderLineText({ side, amount, price, timing, liquidity, isReduceOnly }: OrderLine): string {
  return [side ?? "", amount, "@", price ?? "market", timing ?? "", liquidity ?? "", isReduceOnly ? "reduce" : ""]
    .filter((each) => each !== "")
    .join(" ");
}

type WordTerms = Pick<OrderLine, "timing" | "liquidity" | "isReduceOnly">;

function readWords(words: readonly Word[], isMarket: boolean): WordTerms | LineProblem {
  const read: string[] = [];
  for (const word of words) {
    const text = word.text.toLowerCase();
    const sentence = wordProblem(text, read) ?? postProblem([...read, text], isMarket);
    if (sentence !== undefined) return problemAt(word, sentence);
    read.push(text);
  }
  const liquidity = LIQUIDITIES.find((each) => read.includes(each));
  return {
    timing: TIMINGS.find((each) => read.includes(each)),
    ...(liquidity === undefined ? {} : { liquidity }),
    isReduceOnly: read.includes(REDUCE),
  };
}

const REDUCE = "reduce";
const WORDS: readonly string[] = [...TIMINGS, ...LIQUIDITIES, REDUCE];

/** Returns why a word can't follow those before it, as a sentence. */
function wordProblem(text: string, before: readonly string[]): Plain | undefined {
  if (!WORDS.includes(text)) return l10n.t("After the price, only gtc, ioc, fok, post, taker, and reduce are allowed.");
  if (before.includes(text)) return l10n.t("The word is there twice.");
  const hasOther = (group: readonly string[]): boolean =>
    group.includes(text) && group.some((each) => before.includes(each));
  if (hasOther(TIMINGS)) return l10n.t("Only one of gtc, ioc, and fok is possible.");
  return hasOther(LIQUIDITIES) ? l10n.t("Only one of post and taker is possible.") : undefined;
}

/** Returns why an order with these words can't be post-only, as a sentence. */
function postProblem(words: readonly string[], isMarket: boolean): Plain | undefined {
  if (!words.includes("post")) return undefined;
  if (isMarket) return l10n.t("A market order can't be post-only. Remove post, or enter a price.");
  return words.includes("ioc") || words.includes("fok")
    ? l10n.t("A post-only order stays open, so it can't be ioc or fok.")
    : undefined;
}

/** A word of a line, with its place. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

/** Returns the words of a line. The sign between amount and price needs no blanks. */
export function lineWords(text: string): readonly Word[] {
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

/** Returns why a word is not a number; undefined where it is one. */
export function numberProblem(word: Word): LineProblem | undefined {
  const sentence = numberTextProblem(word.text);
  return sentence === undefined ? undefined : problemAt(word, sentence);
}

/** Returns why a typed text is not a number, as a sentence; undefined where it is one. */
export function numberTextProblem(text: string): Plain | undefined {
  if (isDecimal(text)) return undefined;
  return commaProblem(text) ?? l10n.t("Enter a number such as 40, 0.001, or 1e-8.");
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/;

/** The most characters of a number. Not one of the exchange has as many digits. */
const MAX_LENGTH = 40;

/** Returns why a number can't be an amount; undefined where it can. */
export function sizeProblem(word: Word): LineProblem | undefined {
  return compareNumbers(word.text, "0") > 0 ? undefined : problemAt(word, l10n.t("The amount must be greater than 0."));
}

/** Returns a problem with a word of a line. */
export function problemAt({ text, at }: Word, sentence: Plain): LineProblem {
  return { problem: l10n.t("At {0} (character {1}): {2}", plain.name(text), at + 1, sentence), at };
}

/** Returns what is missing at the end of a line. */
export function missingAtEnd(text: string, sentence: Plain): LineProblem {
  return { problem: l10n.t("At the end of the line: {0}", sentence), at: text.length };
}
