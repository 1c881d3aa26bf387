import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import {
  missingAtEnd,
  numberProblem,
  problemAt,
  sizeProblem,
  lineWords,
  type LineProblem,
  type Word,
} from "./orderLine.ts";

/*
 * Take profit and stop of a position in one line, `[amount] [tp price [@ limit]] [sl trigger price [@ limit]]
 * [mark|last|index]`. Numbers stay the texts that were typed.
 */

/** The exchange's names of the prices that fire a trigger, by the words of the line. */
const TRIGGERS = { mark: "mark_price", last: "last_price", index: "index_price" } as const;

export type TriggerSource = (typeof TRIGGERS)[keyof typeof TRIGGERS];

/** One of the two orders. */
export interface ProtectLeg {
  /** The price: of a take profit without a limit its own, else that at which its trigger fires. */
  readonly price: string;
  /** The typed price of the order once its trigger has fired (default: market). */
  readonly limit?: string;
}

export interface ProtectLine {
  /** The typed amount (default: the whole position). */
  readonly amount?: string;
  readonly takeProfit?: ProtectLeg;
  readonly stop?: ProtectLeg;
  readonly trigger: TriggerSource;
}

type Read = { -readonly [Name in keyof ProtectLine]?: ProtectLine[Name] };

/** Reads the line. Words may be written in any case. */
export function readProtectLine(text: string): ProtectLine | LineProblem {
  const words = [...lineWords(text)];
  const read: Read = {};
  while (words.length > 0) {
    const problem = readPart(text, words, read);
    if (problem !== undefined) return problem;
  }
  if (read.takeProfit === undefined && read.stop === undefined)
    return {
      problem: l10n.t("Enter tp and a price, sl and a trigger price, or both, for example tp 105000 sl 90000."),
      at: text.length,
    };
  return { ...read, trigger: read.trigger ?? TRIGGERS.mark };
}

/** Takes the next part of the line from its words. */
function readPart(text: string, words: Word[], read: Read): LineProblem | undefined {
  const word = words.shift();
  if (word === undefined) return undefined;
  switch (word.text.toLowerCase()) {
    case "tp":
      return readLeg({ text, words, read }, word, "takeProfit");
    case "sl":
      return readLeg({ text, words, read }, word, "stop");
    case "mark":
    case "last":
    case "index":
      if (read.trigger !== undefined) return problemAt(word, l10n.t("Only one of mark, last, and index is possible."));
      read.trigger = TRIGGERS[word.text.toLowerCase() as keyof typeof TRIGGERS];
      return undefined;
    default:
      return readAmount(word, read);
  }
}

function readAmount(word: Word, read: Read): LineProblem | undefined {
  const isFirst = Object.keys(read).length === 0;
  if (!isFirst || !/^[-\d.]/.test(word.text))
    return problemAt(
      word,
      l10n.t("Only an amount at the beginning, tp, sl, mark, last, and index are allowed, and @ after a price."),
    );
  const problem = numberProblem(word) ?? sizeProblem(word);
  if (problem === undefined) read.amount = word.text;
  return problem;
}

interface LineState {
  readonly text: string;
  readonly words: Word[];
  readonly read: Read;
}

function readLeg({ text, words, read }: LineState, word: Word, name: "takeProfit" | "stop"): LineProblem | undefined {
  if (read[name] !== undefined) return problemAt(word, l10n.t("The word is there twice."));
  const missing: Plain =
    name === "stop" ? l10n.t("Enter a trigger price after sl.") : l10n.t("Enter a price after tp.");
  const price = words.shift();
  if (price === undefined) return missingAtEnd(text, missing);
  const wrongPrice = numberProblem(price);
  if (wrongPrice !== undefined) return wrongPrice;
  read[name] = { price: price.text };
  if (words[0]?.text !== "@") return undefined;
  words.shift();
  const limit = words.shift();
  if (limit === undefined) return missingAtEnd(text, l10n.t("Enter a limit price after @."));
  const wrongLimit = numberProblem(limit);
  if (wrongLimit === undefined) read[name] = { price: price.text, limit: limit.text };
  return wrongLimit;
}
