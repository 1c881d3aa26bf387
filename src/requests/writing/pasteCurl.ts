import { draftOfHttp, withCredentialsNote, type PastedRequest } from "./pasteHttp.ts";

/**
 * Returns the requests of a curl command, one for each of its addresses; undefined in the place of one that is no
 * request to the exchange. `input`: what is piped into it.
 */
export function draftsOfCurl(words: readonly string[], input?: string): readonly (PastedRequest | undefined)[] {
  const commands: Command[] = [];
  for (let at = 1; at < words.length;) {
    const word = words[at] ?? "";
    if (commands.length === 0 || word === "--next" || word === "-:")
      commands.push({ urls: [], headerNames: [], data: [], hasUser: false });
    const command = commands.at(-1);
    at += command === undefined || word === "--next" || word === "-:" ? 1 : readOption(command, words, at);
  }
  return commands.flatMap(({ urls, headerNames, data, hasUser }) => {
    const [first] = data;
    const body = data.length === 1 && first === "@-" ? input : data.join("&");
    return urls.map((url) => withCredentialsNote(draftOfHttp({ url, headerNames, body }), hasUser));
  });
}

interface Command {
  readonly urls: string[];
  readonly headerNames: string[];
  readonly data: string[];
  hasUser: boolean;
}

/** The short names of the options that matter, and of all others that have a value. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ X: "request", H: "header", d: "data", u: "user", G: "get", F: "form" },
  ...Object.fromEntries(Array.from("AbcDeEhKmoPQrtTUwxyYzC", (letter) => [letter, "other"])),
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
    "form-string",
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
  if (/^(?:[a-z]+:\/\/|\{\{|\$|[\w.-]+(?::\d+)?\/)/i.test(word)) command.urls.push(word);
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
      command.urls.push(value);
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
    case "form":
    case "form-string":
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
