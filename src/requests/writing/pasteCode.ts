import { parseTree, type ParseError } from "jsonc-parser";
import { unescaped } from "./shellCommands.ts";

/* Objects inside of other text: the code of a program, the lines of a log. */

/** An object, and its place in the text. */
interface FoundObject {
  readonly json: string;
  /** The placeholder of each name that is used as a value. */
  readonly filledIn: ReadonlyMap<string, string>;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the outermost objects of a text that are JSON, or literals of Python or JavaScript, as JSON. A name where a
 * value belongs becomes a placeholder. Objects with other code in them are passed over, and what is inside of them is
 * looked at.
 */
export function objectsIn(text: string, isWanted: (json: string) => boolean): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let failures = 0;
  for (let start = text.indexOf("{"); start >= 0 && failures < MAX_FAILURES;) {
    const end = endOfObject(text, start);
    const filledIn = new Map<string, string>();
    const json = end === undefined ? undefined : jsonOf(text.slice(start, end), filledIn);
    if (end !== undefined && json !== undefined && isWanted(json)) found.push({ json, filledIn, start, end });
    else failures += 1;
    start = text.indexOf("{", found.at(-1)?.start === start ? end : start + 1);
  }
  return found;
}

/** The most braces that are tried in vain; a text has hardly more, and each is looked at up to its end. */
const MAX_FAILURES = 500;
/** The longest request that the exchange takes is 32 kB. */
const MAX_LENGTH = 64 * 1024;

/** Returns the end of an object that begins with a brace; undefined where it has none. Quoted texts are passed over. */
function endOfObject(text: string, start: number): number | undefined {
  const part = text.slice(start, start + MAX_LENGTH);
  let depth = 0;
  for (const { 0: token, index } of part.matchAll(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth > MAX_DEPTH) return undefined;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}

const MAX_DEPTH = 50;

/** A token of a literal: a text in quotes with the letters before it, a comment of Python, a name. */
const TOKEN =
  /(?:\b[bruBRU]{1,2})?(?<quoted>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')|(?<comment>#[^\n]*)|(?<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?<colon>\s*:)?/g;

const WORDS: Readonly<Record<string, string>> = {
  ...{ true: "true", false: "false", null: "null" },
  ...{ True: "true", False: "false", None: "null", undefined: "null" },
};

function jsonOf(literal: string, filledIn: Map<string, string>): string | undefined {
  if (isJsonc(literal)) return literal;
  const json = literal.replaceAll(TOKEN, (...found: readonly unknown[]) =>
    tokenText(String(found[0]), found.at(-1) as Partial<Record<string, string>>, filledIn),
  );
  return isJsonc(json) ? json : undefined;
}

function tokenText(
  whole: string,
  { quoted, comment, name, colon }: Partial<Record<string, string>>,
  filledIn: Map<string, string>,
): string {
  if (comment !== undefined) return "";
  if (quoted !== undefined) return isJsonc(quoted) ? quoted : JSON.stringify(unescaped(quoted.slice(1, -1)));
  if (name === undefined) return whole;
  if (colon !== undefined) return `${JSON.stringify(name)}:`;
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (word !== undefined) return word;
  const placeholder = `{{${name.replaceAll(/\W+/g, "_").replace(/^_+(?=\w)/, "")}}}`;
  filledIn.set(name, placeholder);
  return JSON.stringify(placeholder);
}

function isJsonc(text: string): boolean {
  const errors: ParseError[] = [];
  return parseTree(text, errors, { allowTrailingComma: true }) !== undefined && errors.length === 0;
}
