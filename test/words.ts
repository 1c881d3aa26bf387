/*
 * What can be told of the words of the product by reading them: terms that the field doesn't use, forms that read like
 * a translation, and sentences that are too long.
 */

/** One text that a user reads, with the place to look at when something is wrong with it. */
export interface ShownText {
  readonly place: string;
  readonly text: string;
  /** The longest sentence that is allowed here, in words. */
  readonly maxWords: number;
}

interface Rule {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** Words and forms that no text has, each with what to write instead. */
export const RULES: readonly Rule[] = [
  { pattern: /\b(?:answer|answers|answered|answering|reply|replies|replied)\b/i, instead: "response, respond" },
  { pattern: /\bsub-accounts?\b/i, instead: "subaccount" },
  { pattern: /\bsecond factors?\b/i, instead: "2FA code" },
  { pattern: /\b(?:test (?:server|exchange)s?)\b/i, instead: "testnet" },
  { pattern: /\bwire\b/i, instead: "request ID, or send" },
  { pattern: /\blanes?\b/i, instead: "rate limit, credits" },
  { pattern: /\b(?:journals?|intents?|generations?|reconciles?d?|verdicts?)\b/i, instead: "change, Activity, outcome" },
  { pattern: /\bgate\b/i, instead: "confirmation" },
  { pattern: /\blisteners?\b/i, instead: "view or subscription" },
  { pattern: /\bthe editor\b/i, instead: "VS Code" },
  { pattern: /\b(?:lens|lenses)\b/, instead: "CodeLens" },
  { pattern: /\bmisbehav/i, instead: "fault" },
  { pattern: /\bwishe?s?\b/i, instead: "change, feature request" },
  { pattern: /\bmistakes?\b/i, instead: "error" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix" },
  { pattern: /\b(?:ticks?|ticked) (?:the|what|those|at)\b/i, instead: "select, check" },
  { pattern: /\b(?:nobody|somebody|anybody|a person)\b/i, instead: "the product, exchange, server, or you" },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: "automatically, or nothing" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bin the place of\b/i, instead: "instead of" },
  { pattern: /\bwhen left out\b/i, instead: "(default: …)" },
  { pattern: /\bleft out\b/i, instead: "omitted" },
  {
    pattern: /\b(?:stands?|stood) (?:above|beside|behind|below|in|on|there|here|twice|for)\b/i,
    instead: "is shown, is in",
  },
  { pattern: /\bbehind (?:it|them|the)\b/i, instead: "after" },
  { pattern: /\b(?:what|that) became of\b/i, instead: "the outcome of" },
  { pattern: /\bis asked about\b|\bare asked about\b/i, instead: "needs confirmation" },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|later than\b)[a-z]+/i,
    instead: "is not a, has no valid",
  },
  { pattern: /\bso that (?:nobody|there is)\b/i, instead: "so" },
  { pattern: /\b(?:our|ours|we)\b/i, instead: "the extension" },
  { pattern: /\b[Ii]ds?\b(?![._/=-])/, instead: "ID" },
  { pattern: /\bgood til day\b/i, instead: "GTD" },
  { pattern: /\btells? (?:of|about)\b/i, instead: "shows, supports" },
  { pattern: /\b(?:sign of life|for people|on the way|no sense)\b/i, instead: "plain words" },
  { pattern: /\b\d{1,2}\.\d{1,2}\.20\d\d\b/, instead: "2026-11-21" },
  { pattern: /^What (?!if\b|happens$)[^?]*$/, instead: "a noun" },
];

/** Words that the sources and the tests don't have either: in comments, names, test titles, and tables that cite them. */
const SOURCE_RULE: Rule = {
  pattern: /nobody|somebody|anybody|\ba person\b|\basks? about\b|\basked about\b/i,
  instead: "the product, exchange, server, user, or actor by its name; needs confirmation",
};

/** Returns one line for each line of a file that has such a word. */
export function sourceWordFaults(files: ReadonlyMap<string, string>): string[] {
  const { pattern, instead } = SOURCE_RULE;
  return [...files].flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${file}:${String(index + 1)}: "${found}": write ${instead}`];
    }),
  );
}

/** Returns what is wrong with the texts: one line for each place and rule, and for each sentence that is too long. */
export function wordFaults(texts: readonly ShownText[], exceptions: ReadonlyMap<string, string>): string[] {
  return texts.flatMap(({ place, text, maxWords }) => {
    const read = readable(text);
    const faults = RULES.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(read)?.[0];
      return found === undefined || exceptions.has(`${found}: ${shortened(text)}`)
        ? []
        : [`${place}: "${found}" in ${JSON.stringify(shortened(text))}: write ${instead}`];
    });
    const long = sentencesOf(read).filter((sentence) => wordsOf(sentence) > maxWords);
    return [
      ...faults,
      ...long
        .filter((sentence) => !exceptions.has(`long: ${shortened(sentence)}`))
        .map((sentence) => `${place}: ${String(wordsOf(sentence))} words in ${JSON.stringify(sentence)}`),
    ];
  });
}

/** The beginning of a text, which names it in an exception and in a report. */
export const shortened = (text: string): string => text.trim().slice(0, 60);

/** The text without what is code, an address, or the name of something that others have named. */
function readable(text: string): string {
  return text
    .replace(/`[^`]*`/g, "x")
    .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, "]")
    .replace(/https?:\/\/\S+/g, "x")
    .replace(/\$[a-z]+(?:\.[\w…]+)*/gi, "x")
    .replace(/\b(?:private|public)\/\w+/g, "x")
    .replace(/\b\w+_\w+\b/g, "x");
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?:])\s+|\n|(?<=[.!?])$/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((each) => /[\p{L}\p{N}{]/u.test(each)).length;
