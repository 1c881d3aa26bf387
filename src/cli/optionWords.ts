import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";

/*
 * The words of a command line, as all commands take them: `--name value` and `--name=value` mean the same; names follow
 * `--`.
 */

/** Functions that take the words of a command in. `option` returns a sentence where that is not possible. */
interface WordReader {
  readonly name: (word: string) => void;
  readonly option: (name: string, source: ValueSource) => Plain | undefined;
}

/** Hands each word to the reader. Returns its first sentence about what is wrong. */
export function readWords(words: readonly string[], reader: WordReader): Plain | undefined {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") for (const each of rest.splice(0)) reader.name(each);
    else if (!word.startsWith("-") || word === "-") reader.name(word);
    else {
      const [name, given] = splitOption(word);
      const problem = reader.option(name, { given, rest });
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Returns the name of an option, and the text after its equals sign. */
export function splitOption(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** The source of an option's value: the text after its equals sign, else the next word. */
export interface ValueSource {
  readonly given: string | undefined;
  readonly rest: string[];
}

/** Returns the sentence about an option that a command doesn't have. */
export function unknownOption(name: string, command: Plain): Plain {
  return l10n.t("{0} is not a trading-rpc {1} option. Use --help to list the options.", plain.name(name), command);
}

/** Returns the value of an option, or a sentence that it is missing. */
export function textOfOption(
  name: string,
  { given, rest }: ValueSource,
): { readonly text: string; readonly problem?: undefined } | { readonly problem: Plain } {
  const text = given ?? rest.shift();
  return text === undefined || text === "" ? { problem: l10n.t("{0} needs a value.", plain.name(name)) } : { text };
}

/** Returns a word in quotes, for a sentence. */
export function shown(word: string | undefined): Plain {
  return word === undefined ? l10n.t("nothing") : plain`"${plain.name(word)}"`;
}

/** Returns the sentence about a format that a command does not have. */
export function formatSentence(formats: readonly ("text" | "json" | "junit" | "github")[], value: string): Plain {
  return l10n.t("--format needs one of {0}, not {1}.", plain.join(formats, ", "), shown(value));
}
