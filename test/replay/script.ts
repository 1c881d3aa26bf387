import { findNodeAtLocation, parseTree } from "jsonc-parser";

/*
 * Conversations as text. One line is one step:
 *
 * connect the client opens a WebSocket refuse 401 error.json the client asks for a WebSocket and gets this status and
 * body stall the client asks for a WebSocket and gets nothing at all → name method params the client sends this
 * request, character for character; its id gets the name ← name file.json old ⇒ new ; old ⇒ new the server answers with
 * this file, the id of `name` in it ← file.json the server sends this file as it is ← name
 * {"id":<name>,"result":{{file.json#result.order}}} old ⇒ new a text with parts of files in it -- words a quiet moment:
 * the test meets the server here close 1000 reason | cut the server ends the connection http → GET /path | http → POST
 * /path body the client's request over HTTP http ← 400 file.json and its response # words for the reader
 *
 * `<word>` in what the client sends stands for a text that is not known beforehand; the same word stands for the same
 * text ever after, but for the names of requests, which may come again. A part `#result[2]…` of a file is taken byte
 * for byte.
 */

export type Step = { readonly line: number; readonly text: string } & (
  | { readonly kind: "connect" | "stall" | "cut" }
  | { readonly kind: "refuse"; readonly status: number; readonly source: Source }
  | { readonly kind: "expect"; readonly name: string; readonly method: string; readonly params: string }
  | { readonly kind: "send"; readonly name: string | undefined; readonly source: Source }
  | { readonly kind: "mark"; readonly words: string }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  | { readonly kind: "httpExpect"; readonly method: string; readonly target: string; readonly body: string }
  | { readonly kind: "httpSend"; readonly status: number; readonly source: Source }
);

/** Where the bytes come from: a file of the messages, or a text of the script. */
export type Source = { readonly splices: readonly (readonly [string, string])[] } & (
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "text"; readonly text: string }
);

/** The text of each message by its name. */
export type Messages = (file: string) => string;

/** A part of a message, character for character; throws where there is none. */
export function partOf(messages: Messages, file: string, place: readonly (string | number)[]): string {
  const text = messages(file);
  const tree = parseTree(text);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...place]);
  if (node === undefined) throw new Error(`${file} has no ${place.join(".")}`);
  return text.slice(node.offset, node.offset + node.length);
}

export function parseScript(script: string): Step[] {
  const steps: Step[] = [];
  for (const [index, row] of script.split("\n").entries()) {
    const text = row.trim();
    if (text === "" || text.startsWith("#")) continue;
    const step = parseRow(text);
    if (step === undefined) throw new Error(`line ${String(index + 1)} of the script cannot be read: ${text}`);
    steps.push({ line: index + 1, text, ...step });
  }
  return steps;
}

type Unplaced<S> = S extends Step ? Omit<S, "line" | "text"> : never;

const ROWS: readonly (readonly [RegExp, (groups: readonly string[]) => Unplaced<Step>])[] = [
  [/^connect$/, () => ({ kind: "connect" })],
  [/^stall$/, () => ({ kind: "stall" })],
  [
    /^refuse (\d+) (.*)$/,
    ([status = "", source = ""]) => ({ kind: "refuse", status: Number(status), source: parseSource(source) }),
  ],
  [
    /^→\s+(\w+)\s+((?:public|private)\/\w+)\s+(\{.*\})$/,
    ([name = "", method = "", params = ""]) => ({ kind: "expect", name, method, params }),
  ],
  [
    /^←\s+(?:(\w+)\s+)?((?:[\w.-]+\.json|\{).*)$/,
    ([name = "", source = ""]) => ({ kind: "send", name: name === "" ? undefined : name, source: parseSource(source) }),
  ],
  [/^-- (.+)$/, ([words = ""]) => ({ kind: "mark", words })],
  [/^close (\d+) ?(.*)$/, ([code = "", reason = ""]) => ({ kind: "close", code: Number(code), reason })],
  [/^cut$/, () => ({ kind: "cut" })],
  [
    /^http → (GET|POST) (\S+) ?(.*)$/,
    ([method = "", target = "", body = ""]) => ({ kind: "httpExpect", method, target, body }),
  ],
  [
    /^http ← (\d+) (.*)$/,
    ([status = "", source = ""]) => ({ kind: "httpSend", status: Number(status), source: parseSource(source) }),
  ],
];

function parseRow(text: string): Unplaced<Step> | undefined {
  for (const [pattern, read] of ROWS) {
    const match = pattern.exec(text);
    if (match !== null) return read(match.slice(1).map((group: string | undefined) => group ?? ""));
  }
  return undefined;
}

function parseSource(source: string): Source {
  const [, text = "", rest = ""] = /^(\{.*?\}|[^{]\S*)(?: {2,}(\S.* ⇒ .*))?$/s.exec(source) ?? [];
  if (text === "") throw new Error(`what is sent is a file or a text, then "old ⇒ new": ${source}`);
  const splices =
    rest === ""
      ? []
      : rest.split(" ; ").map((splice): [string, string] => {
          const [old = "", fresh = ""] = splice.split(" ⇒ ");
          return [old.trim(), fresh.trim()];
        });
  return text.startsWith("{") ? { kind: "text", text, splices } : { kind: "file", file: text, splices };
}

/** The text that goes over the wire: the bytes of the source, with the id of the call that is answered. */
export function textOfSource(
  messages: Messages,
  source: Source,
  names: ReadonlyMap<string, string>,
  name?: string,
): string {
  const original = source.kind === "file" ? messages(source.file) : filled(messages, source.text, names);
  const text = source.splices.reduce((spliced, [old, fresh]) => {
    if (old === "" || !spliced.includes(old))
      throw new Error(`"${old}" is not in ${source.kind === "file" ? source.file : source.text}`);
    return spliced.replaceAll(old, fresh);
  }, original);
  return source.kind === "file" && name !== undefined ? withId(text, known(names, name)) : text;
}

function filled(messages: Messages, text: string, names: ReadonlyMap<string, string>): string {
  const embedded = text.replaceAll(/\{\{([\w.-]+)#([\w.]+)\}\}/g, (_, file: string, place: string) =>
    partOf(
      messages,
      file,
      place.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    ),
  );
  return embedded.replaceAll(/<(\w+)>/g, (_, word: string) => known(names, word));
}

/** The outermost id is replaced; what was recorded over HTTP has none, and gets one as its first member. */
function withId(text: string, id: string): string {
  const tree = parseTree(text);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, ["id"]);
  if (node !== undefined) return text.slice(0, node.offset) + id + text.slice(node.offset + node.length);
  return text.replace("{", () => `{"id":${id},`);
}

function known(names: ReadonlyMap<string, string>, name: string): string {
  const value = names.get(name);
  if (value === undefined) throw new Error(`nothing was called ${name}`);
  return value;
}

/**
 * Compares a text of the client with the pattern, in which `<word>` stands for what is not known beforehand. Adds what
 * those words stand for to `names`; responses whether it fits.
 */
export function matches(pattern: string, text: string, names: Map<string, string>): boolean {
  const fresh: string[] = [];
  const expression = pattern
    .split(/(<\w+>)/)
    .map((part) => {
      const word = /^<(\w+)>$/.exec(part)?.[1];
      if (word === undefined) return escape(part);
      const value = names.get(word);
      if (value !== undefined) return escape(value);
      if (fresh.includes(word)) return `\\k<${word}>`;
      fresh.push(word);
      return `(?<${word}>[^"{}\\[\\]]+?)`;
    })
    .join("");
  const found = new RegExp(`^${expression}$`, "s").exec(text);
  if (found === null) return false;
  for (const word of fresh) names.set(word, found.groups?.[word] ?? "");
  return true;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
