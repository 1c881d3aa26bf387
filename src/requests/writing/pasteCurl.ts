import * as l10n from "@vscode/l10n";
import { draftOfHttp, type PastedRequest } from "./pasteHttp.ts";

/** Whether a text is a command line of curl, a prompt before it allowed. */
export function isCurl(text: string): boolean {
  return /^(?:[$>%]\s+)?curl(?:\.exe)?\s/.test(text);
}

/** Returns a command line of curl as a request; undefined where the command sends none. */
export function draftOfCurl(text: string): PastedRequest | undefined {
  const words = shellWords(text.replace(/^[$>%]\s+/, "")).slice(1);
  const command: Command = { url: undefined, headerNames: [], data: [], hasUser: false };
  for (let at = 0; at < words.length;) at += readOption(command, words, at);
  const { url, headerNames, data, hasUser } = command;
  const draft =
    url === undefined
      ? undefined
      : draftOfHttp({ url, headerNames, body: data.length === 0 ? undefined : data.join("&") });
  return draft === undefined || !hasUser
    ? draft
    : {
        ...draft,
        notes: [
          ...draft.notes,
          l10n.t("The credentials in the curl command were omitted because the connection signs in automatically."),
        ],
      };
}

interface Command {
  url: string | undefined;
  readonly headerNames: string[];
  readonly data: string[];
  hasUser: boolean;
}

/** The short names of the options that matter, and of all others that have a value. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ X: "request", H: "header", d: "data", u: "user", G: "get" },
  ...Object.fromEntries(Array.from("AbcDeEFhKmoPQrtTUwxyYzC", (letter) => [letter, "other"])),
};

const WITH_VALUE: ReadonlySet<string> = new Set([
  ...[
    "request",
    "header",
    "data",
    "data-raw",
    "data-binary",
    "data-ascii",
    "data-urlencode",
    "json",
    "url",
    "user",
    "oauth2-bearer",
    "other",
  ],
  ...[
    "output",
    "cookie",
    "cookie-jar",
    "user-agent",
    "referer",
    "proxy",
    "max-time",
    "connect-timeout",
    "cacert",
    "cert",
    "key",
    "retry",
    "write-out",
    "form",
  ],
]);

/** Reads an option. Returns how many words it took. */
function readOption(command: Command, words: readonly string[], at: number): number {
  const word = words[at] ?? "";
  if (word.startsWith("--")) {
    const name = word.slice(2);
    take(command, name, words[at + 1] ?? "");
    return WITH_VALUE.has(name) ? 2 : 1;
  }
  if (word.startsWith("-") && word.length > 1) return readLetters(command, word.slice(1), words[at + 1] ?? "");
  if (/^(?:[a-z]+:\/\/|\{\{|\$|[\w.-]+(?::\d+)?\/)/i.test(word)) command.url ??= word;
  return 1;
}

/**
 * Reads letters of options. Those that have no value may stand together; the value of the last one follows it, or is
 * the next word.
 */
function readLetters(command: Command, letters: string, next: string): number {
  for (let at = 0; at < letters.length; at++) {
    const name = SHORT[letters[at] ?? ""] ?? "";
    const isInside = at + 1 < letters.length;
    take(command, name, isInside ? letters.slice(at + 1) : next);
    if (WITH_VALUE.has(name)) return isInside ? 1 : 2;
  }
  return 1;
}

function take(command: Command, name: string, value: string): void {
  switch (name) {
    case "header":
      command.headerNames.push((value.split(":")[0] ?? "").trim());
      break;
    case "url":
      command.url ??= value;
      break;
    case "user":
    case "oauth2-bearer":
      command.hasUser = true;
      break;
    case "data":
    case "data-raw":
    case "data-binary":
    case "data-ascii":
    case "json":
      command.data.push(value);
      break;
    case "data-urlencode":
      command.data.push(value.replace(/=([^]*)$/, (_, text: string) => `=${encodeText(text)}`));
      break;
    default:
      break;
  }
}

function encodeText(text: string): string {
  return text.replaceAll(/[%&+=#]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/**
 * A piece of a command line: a continued line, a quoted text of one of three kinds, an escape, the end, a gap, other
 * characters.
 */
const PIECE =
  /(?<continued>[\\^]\r?\n)|\$'(?<ansi>(?:[^'\\]|\\[^])*)'?|'(?<single>[^']*)'?|"(?<double>(?:[^"\\]|\\[^])*)"?|\\(?<escaped>[^])|(?<end>[\r\n;|]|&(?=[\s&]|$))|(?<gap>[ \t]+)|(?<plain>[^\s'"\\;|&$^]+|[^])/gy;

/** Returns the words of the first command of a text, as a POSIX shell would read it; nothing is filled in or run. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {} } of text.matchAll(PIECE)) {
    const { continued, ansi, single, double, escaped, end, gap, plain } = groups;
    if (end !== undefined) break;
    if (gap !== undefined || continued !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const part =
      single ??
      escaped ??
      plain ??
      (double === undefined
        ? ansiText(ansi ?? "")
        : double.replaceAll(/\\(\r?\n|["\\$`])/g, (_, character: string) =>
            /[\r\n]/.test(character) ? "" : character,
          ));
    word = (word ?? "") + part;
  }
  return word === undefined ? words : [...words, word];
}

const ANSI: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function ansiText(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g,
    (_, unit: string | undefined, byte: string | undefined, character: string | undefined) => {
      const code = unit ?? byte;
      return code === undefined ? (ANSI[character ?? ""] ?? character ?? "") : String.fromCharCode(parseInt(code, 16));
    },
  );
}
