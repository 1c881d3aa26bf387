import * as fs from "node:fs";
import * as l10n from "@vscode/l10n";

/*
 * An artificial language: every letter of every sentence is replaced. Text in plain letters does not come from a
 * translation.
 */

const ENGLISH = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const FOREIGN = "áƀçđéƒǧħíĵķłɱñóƥɋřšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŘŠŤÚṼŴẊÝŽ";

/** Letters of a sentence become foreign; its places and icons stay. */
export function foreign(sentence: string): string {
  return sentence
    .split(/(\{\d+\}|\$\([\w~-]+\))/)
    .map((part, index) =>
      index % 2 === 1 ? part : Array.from(part, (letter) => FOREIGN[ENGLISH.indexOf(letter)] ?? letter).join(""),
    )
    .join("");
}

/** Has everything said in that language, until the result is called. */
export function speakForeign(): () => void {
  const sentences = JSON.parse(fs.readFileSync("l10n/bundle.l10n.json", "utf8")) as Readonly<Record<string, string>>;
  l10n.config({ contents: Object.fromEntries(Object.entries(sentences).map(([key, text]) => [key, foreign(text)])) });
  return () => l10n.config({ contents: {} });
}

/** Words in plain letters, two at least, as far as they are not among those that are the same in every language. */
export function plainWords(text: string, same: ReadonlySet<string>): string[] {
  return (text.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !same.has(word));
}
