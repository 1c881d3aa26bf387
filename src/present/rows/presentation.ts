/** The replacement of a hidden word, whatever its length. */
export const HIDDEN_WORD = "•••";

/**
 * Returns a text for a screen that others see. Every word with a digit in it is hidden whole. So neither an amount, its
 * number of digits, nor an ID can be read. Each of these names is hidden too. Instruments are not secret and stay
 * readable; what Markdown puts before their signs does not matter.
 */
export function hideFigures(text: string, names: readonly string[]): string {
  return hideNames(text, names).replace(WORD, (run) => {
    const [, word = "", end = ""] = /^(.*?)([.,:]*)$/u.exec(run) ?? [];
    return DIGIT.test(word) && !INSTRUMENT.test(word.replaceAll("\\", "")) ? HIDDEN_WORD + end : run;
  });
}

/** Returns the text without these names, where they are not part of a longer word. */
export function hideNames(text: string, names: readonly string[]): string {
  let shown = text;
  for (const name of [...names].filter((each) => each.trim() !== "").sort((a, b) => b.length - a.length))
    shown = shown.replace(wholeText(name), HIDDEN_WORD);
  return shown;
}

const WORD = /[\p{L}\p{M}\p{N}_+\-−#≈%.,:@/\\]+/gu;
const DIGIT = /\p{N}/u;
const INSTRUMENT = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)?-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2}(-\d+(d\d+)?-[CP])?)$/;

/** Returns a pattern of a name that is not part of a longer word, also as Markdown writes it. */
function wholeText(name: string): RegExp {
  const pattern = Array.from(name, (each) =>
    /[\p{L}\p{N}]/u.test(each) ? each : `\\\\?\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
  ).join("");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, "gu");
}
