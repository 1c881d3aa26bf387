/** The replacement of a hidden word, whatever its length. */
export const HIDDEN_WORD = "•••";

/**
 * Returns a text for a screen that others see. Every word with a digit in it is hidden whole. So neither an amount, its
 * number of digits, nor an ID can be read. Each of these names is hidden too. Instruments, times, durations, and counts
 * of things tell nothing of what is traded and stay readable; what Markdown puts before their signs does not matter.
 */
export function hideFigures(text: string, names: readonly string[]): string {
  return hideNames(text, names).replace(TELLING_OR_WORD, (run, telling?: string) => {
    if (telling !== undefined) return run;
    const [, word = "", end = ""] = /^(.*?)([.,:]*)$/u.exec(run) ?? [];
    return DIGIT.test(word) && !INSTRUMENT.test(word.replaceAll("\\", "")) ? HIDDEN_WORD + end : run;
  });
}

/** Returns the text without these names, where they are not part of a longer word. */
export function hideNames(text: string, names: readonly string[]): string {
  let shown = text;
  const bare = text.replaceAll("\\", "");
  const found = names.filter((each) => each.trim() !== "" && bare.includes(each));
  for (const name of found.sort((a, b) => b.length - a.length)) shown = shown.replace(wholeText(name), HIDDEN_WORD);
  return shown;
}

const DAY = String.raw`\d{4}\\?-\d{2}\\?-\d{2}`;
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\\?\.\d{1,3})?)?`;
const ZONE = String.raw`GMT\\?[+\-]\d{1,2}(?::\d{2})?`;
const DURATION = String.raw`<?\d+(?: |&nbsp;|\u00A0)(?:ms|s|min|h|d)`;
/** The things that are counted. */
const COUNTED = [
  ...["account", "area", "change", "connection", "error", "group", "item", "leg", "order", "outcome", "position"],
  ...["quote", "request", "response", "trade", "closed", "listed"],
].join("|");
const COUNT = String.raw`(?:\d[\d\u202F]* of )?\d[\d\u202F]*(?: |&nbsp;|\u00A0)(?:${COUNTED})s?`;
const TELLING_OR_WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,\-−+@])(${DAY}|${CLOCK}|${ZONE}|${DURATION}|${COUNT})(?![\p{L}\p{N}_\-%:]|[.,]\d)` +
    String.raw`|[\p{L}\p{M}\p{N}_+\-−#≈%.,:@/\\\u202F]+`,
  "gu",
);
const DIGIT = /\p{N}/u;
const INSTRUMENT = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)?-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2}(-\d+(d\d+)?-[CP])?)$/;

/** Returns a pattern of a name that is not part of a longer word, also as Markdown writes it. */
function wholeText(name: string): RegExp {
  const pattern = Array.from(name, (each) =>
    /[\p{L}\p{N}]/u.test(each) ? each : `\\\\?\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
  ).join("");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, "gu");
}
