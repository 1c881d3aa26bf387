/** What stands in the place of a hidden word, however long it was. */
export const HIDDEN_WORD = "•••";

/**
 * A text for a screen that others see. Every word with a digit in it is hidden whole, so that neither an amount nor how
 * many digits it has can be read, nor an id; and so is each of these names. Instruments are no secret and stay
 * readable; what Markdown puts before their signs does not matter.
 */
export function hideFigures(text: string, names: readonly string[]): string {
  return hideNames(text, names).replace(WORD, (run) => {
    const [, word = "", end = ""] = /^(.*?)([.,:]*)$/u.exec(run) ?? [];
    return DIGIT.test(word) && !INSTRUMENT.test(word.replaceAll("\\", "")) ? HIDDEN_WORD + end : run;
  });
}

/** The text without these names, where they are no part of a longer word. */
export function hideNames(text: string, names: readonly string[]): string {
  let shown = text;
  for (const name of [...names].filter((each) => each.trim() !== "").sort((a, b) => b.length - a.length))
    shown = shown.replace(wholeText(name), HIDDEN_WORD);
  return shown;
}

const WORD = /[\p{L}\p{M}\p{N}_+\-#≈%.,:@/\\]+/gu;
const DIGIT = /\p{N}/u;
const INSTRUMENT = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)?-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2}(-\d+(d\d+)?-[CP])?)$/;

/** A name where it is no part of a longer word, also as Markdown writes it. */
function wholeText(name: string): RegExp {
  const pattern = Array.from(name, (each) =>
    /[\p{L}\p{N}]/u.test(each) ? each : `\\\\?\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
  ).join("");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, "gu");
}
