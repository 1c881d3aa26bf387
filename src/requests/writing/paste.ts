import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { isJson } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { bareMethod } from "../../catalogue/index.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { TextRange } from "../file/file.ts";
import { indentJson } from "../text/indent.ts";
import { objectsIn } from "./pasteCode.ts";
import { draftsOfCurl } from "./pasteCurl.ts";
import { draftOfHttpie } from "./pasteHttpie.ts";
import { readHttpLines } from "./httpLines.ts";
import { draftOfHttp, withQuotedPlaceholders, type PastedRequest } from "./pasteHttp.ts";
import { placeFinder } from "../text/place.ts";
import { shellScript, type ShellCommand } from "./shellCommands.ts";
import { pureJson } from "../text/pureJson.ts";
import { scanRequests } from "../file/scan.ts";
import { isSecretMember, secretNodes, type SecretNode } from "../text/secrets.ts";
import { hasCredential } from "../../rpc/credentialLook.ts";
import { splitRequests, valuesOf } from "../file/split.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";

/** The clipboard's contents, as a request. */
interface Pasted {
  /**
   * A request, or a list of them, as a request file has it; empty where there is none to insert, and a note says why.
   */
  readonly text: string;
  /** Sentences about everything that was left out or replaced. */
  readonly notes: readonly Plain[];
  /** Whether the clipboard holds requests and nothing else. */
  readonly isWhole: boolean;
}

/**
 * Makes requests of copied text: an example of the documentation, commands of curl or HTTPie, lines of a `.http` file,
 * an item of a Postman collection, objects in the code of a program or in its log. Undefined for any other text.
 * Secrets are omitted or become placeholders. Never throws.
 */
export function pasteRequest(clipboard: string): Pasted | undefined {
  const text = clipboard
    .replace(/^\uFEFF/, "")
    .replace(/^\s*```\w*\r?\n([^]*?)(?:\r?\n```[^]*)?$/, "$1")
    .trim();
  if (text === "") return undefined;
  if (text.length > MAX_LENGTH)
    return { text: "", notes: [l10n.t("The clipboard is too large. Up to 1 MiB is read.")], isWhole: false };
  const line = clipboard.slice(0, clipboard.indexOf(text)).split("\n").length;
  const pieces = /^[[{]/.test(text) ? readJson(text) : (readShell(text, line) ?? readHttpFile(text, line));
  if (pieces.some(({ kind }) => kind === "request")) return pastedOf(pieces);
  const inCode = readCode(text, line);
  const pasted = pastedOf(inCode.length > 0 ? inCode : pieces);
  return pasted && { ...pasted, isWhole: false };
}

const MAX_LENGTH = 1024 * 1024;
const MAX_REQUESTS = 1000;
const MAX_NAME = 64;

/** The kinds of a piece of the clipboard. */
type Piece =
  | { readonly kind: "request"; readonly text: string; readonly notes: readonly Plain[] }
  | { readonly kind: "response" }
  | {
      readonly kind: "other";
      /** The lines of the clipboard that hold it, from 1; omitted where it is a part of an object. */
      readonly lines?: readonly number[];
    };

function pastedOf(pieces: readonly Piece[]): Pasted | undefined {
  const all = pieces.flatMap((piece) => (piece.kind === "request" ? [piece] : []));
  const requests = all.slice(0, MAX_REQUESTS);
  const isResponseThere = pieces.some(({ kind }) => kind === "response");
  const [first] = requests;
  if (first === undefined)
    return isResponseThere
      ? {
          text: "",
          isWhole: false,
          notes: [
            l10n.t(
              "This is a response, not a request, so its method is unknown. Copy the request from the example instead.",
            ),
          ],
        }
      : undefined;
  const notes = [...new Set(requests.flatMap((each) => each.notes))];
  const others = pieces.flatMap((piece) => (piece.kind === "other" ? [piece] : []));
  const lines = [...new Set(others.flatMap((each) => each.lines ?? []))].sort((one, other) => one - other);
  const left = [
    ...(all.length > MAX_REQUESTS
      ? [l10n.t("Only the first {0} of {1} requests were inserted.", MAX_REQUESTS, all.length)]
      : []),
    ...(isResponseThere ? [l10n.t("The request was inserted without the response next to it.")] : []),
    ...(others.some((each) => each.lines === undefined)
      ? [
          l10n.t(
            "Other text in the clipboard wasn't inserted, because it isn't a request. Check that nothing is missing.",
          ),
        ]
      : []),
    ...(lines.length === 0
      ? []
      : [
          l10n.t(
            "These lines of the clipboard weren't inserted, because they aren't a request: {0}. Check that nothing is missing.",
            rangesText(lines),
          ),
        ]),
  ];
  const text =
    requests.length === 1
      ? first.text
      : `[\n${requests
          .map((each) =>
            each.text
              .split("\n")
              .map((line) => `  ${line}`)
              .join("\n"),
          )
          .join(",\n")}\n]`;
  return { text, notes: [...notes, ...left], isWhole: left.length === 0 };
}

/** Returns sorted numbers as `1–3, 7`. */
function rangesText(numbers: readonly number[]): Plain {
  const ranges: { first: number; last: number }[] = [];
  for (const each of numbers) {
    const range = ranges.at(-1);
    if (range?.last === each - 1) range.last = each;
    else ranges.push({ first: each, last: each });
  }
  const texts = ranges.map(({ first, last }) => (first === last ? plain`${first}` : plain`${first}–${last}`));
  return plain.join([...texts.slice(0, MAX_NAMED), ...(texts.length > MAX_NAMED ? [plain`…`] : [])], ", ");
}

/** Reads objects that follow one another, or a list of them, and perhaps a text after them. */
function readJson(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  while (/^[[{]/.test(rest)) {
    const split = splitRequests(rest);
    const { root, tooDeepAt } = split;
    const values = valuesOf(split);
    if (tooDeepAt !== undefined) return [...pieces, { kind: "other" }];
    const read = (root === "array" ? values : values.slice(0, 1)).map(({ start, end }) =>
      readObject(rest.slice(start, end)),
    );
    pieces.push(...read.flat());
    rest =
      root === "array"
        ? rest
            .slice(values.at(-1)?.end ?? 1)
            .replace(/^[\s,]*\]/, "")
            .trim()
        : rest.slice(values[0]?.end ?? rest.length).trim();
    if (values.length === 0) break;
  }
  return rest === "" ? pieces : [...pieces, { kind: "other" }];
}

function readObject(text: string): readonly Piece[] {
  const source = withQuotedPlaceholders(text);
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  if (root?.type !== "object" || errors.length > 0) return [{ kind: "other" }];
  const members = membersOf(root);
  const item = members.get("item");
  if (item?.type === "array")
    return (item.children ?? []).flatMap((child) =>
      readObject(source.slice(child.offset, child.offset + child.length)),
    );
  const method = members.get("method");
  // The documentation names the method in some of its responses.
  if (!members.has("params") && (members.has("result") || members.has("error"))) return [{ kind: "response" }];
  if (METHOD_FORM.test(bareMethod(String(method?.value)))) return [readRequest(source, members)];
  const http = postmanText(membersOf(members.get("request") ?? root));
  if (http !== undefined) return readDraft(draftOfHttp(http));
  return [{ kind: "other" }];
}

const METHOD_FORM = /^(?:public|private)\//;

function readDraft(draft: PastedRequest | undefined): readonly Piece[] {
  if (draft === undefined) return [{ kind: "other" }];
  const isObject = /^\s*\{/.test(draft.json);
  const pieces = isObject || /^\s*\[/.test(draft.json) ? readJson(draft.json.trim()) : [];
  return pieces.map((piece) =>
    piece.kind === "request"
      ? { ...piece, text: indentJson(pureJson(piece.text)).text, notes: [...draft.notes, ...piece.notes] }
      : piece,
  );
}

/** Returns the address and the body of an item of a Postman collection. */
function postmanText(request: ReadonlyMap<string, Node>): Parameters<typeof draftOfHttp>[0] | undefined {
  const url = request.get("url");
  const raw = url?.type === "object" ? membersOf(url).get("raw") : url;
  if (raw?.type !== "string") return undefined;
  const headers = request.get("header")?.children ?? [];
  const names = headers.flatMap((each) => (each.type === "object" ? [String(membersOf(each).get("key")?.value)] : []));
  return {
    url: String(raw.value),
    headerNames: request.has("auth") ? [...names, "Authorization"] : names,
    body: postmanBody(membersOf(request.get("body"))),
  };
}

/** Returns the body of an item of a Postman collection: a text, or the fields of a form. */
function postmanBody(body: ReadonlyMap<string, Node>): string | undefined {
  const content = body.get(String(body.get("mode")?.value ?? "raw"));
  if (content?.type === "array") return formText(content.children ?? []);
  return content?.type === "string" ? String(content.value) : undefined;
}

/** Returns the fields of a form as a query. Those that are switched off are not sent. */
function formText(fields: readonly Node[]): string {
  return fields
    .map(membersOf)
    .filter((field) => field.get("disabled")?.value !== true)
    .map((field) => ["key", "value"].map((name) => encodeURIComponent(String(field.get(name)?.value ?? ""))).join("="))
    .join("&");
}

/**
 * Reads a request as it stands, where a request file allows that. Else reads its parts that are sent; no request where
 * that fails too.
 */
function readRequest(source: string, members: ReadonlyMap<string, Node>): Piece {
  const clean = withoutSecrets(
    isJson(source) ? source : indentJson(pureJson(source)).text,
    String(members.get("method")?.value),
  );
  if (isReadable(clean.text)) return { kind: "request", ...clean };
  const params = members.get("params");
  const dropped = [...members.keys()].filter((name) => !SENT.has(name));
  const notes = [
    ...clean.notes,
    ...(params !== undefined && params.type !== "object"
      ? [l10n.t("Unnamed parameters were omitted because the exchange requires named parameters.")]
      : []),
    ...(dropped.length === 0
      ? []
      : [
          l10n.t(
            "Omitted because it is not part of a request: {0}.",
            plain.join(
              dropped.map((name) => plain.name(name)),
              ", ",
            ),
          ),
        ]),
  ];
  const parts = membersOf(parseTree(clean.text));
  const textOf = (node: Node | undefined): string =>
    node === undefined ? "" : clean.text.slice(node.offset, node.offset + node.length);
  const id = parts.get("id");
  const object = parts.get("params")?.type === "object" ? textOf(parts.get("params")) : "{}";
  const built = indentJson(
    `{"jsonrpc":"2.0","id":${Number.isSafeInteger(id?.value) ? textOf(id) : "1"},"method":${textOf(parts.get("method"))},"params":${object}}`,
  ).text;
  return isReadable(built) ? { kind: "request", text: built, notes } : { kind: "other" };
}

const SENT: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/** Whether a request file could have the text and report no error of form, and no secret. */
function isReadable(text: string): boolean {
  const { requests, problems } = scanRequests(text);
  if (pastedSecrets(text).length > 0) return false;
  return (
    requests.length === 1 &&
    [...problems, ...requests.flatMap((each) => each.problems)].every(({ severity }) => severity !== "error")
  );
}

/** Returns the texts that no file takes in: those of secret members, and what can be nothing but a credential. */
function pastedSecrets(text: string): readonly SecretNode[] {
  return secretNodes(parseTree(text), "", (name, value) => isSecretMember(name, value) || hasCredential(value));
}

/** Removes secrets. The session puts its own token in; unknown values are asked for when the request is sent. */
function withoutSecrets(text: string, method: string): { readonly text: string; readonly notes: readonly Plain[] } {
  let clean = text;
  const notes: Plain[] = [];
  // One after the other, because each edit moves what follows; what is left after many of them refuses the whole.
  for (let count = 0; count < MAX_SECRETS; count++) {
    const [secret] = pastedSecrets(clean);
    if (secret === undefined) break;
    const { node, name, path } = secret;
    const shown = plain.name(name);
    const isLeftOut = name === "access_token" && node.parent?.type === "property";
    const isOwn = isSwitch(method) && path.join("\n") === "params\nrefresh_token";
    const placeholder = isOwn
      ? SESSION_REFRESH_TOKEN
      : `{{$ask.${name.replaceAll(/\W+/g, "_").slice(0, MAX_NAME) || "value"}}}`;
    const { start, end } = isLeftOut ? memberRange(node) : { start: node.offset, end: node.offset + node.length };
    clean = clean.slice(0, start) + (isLeftOut ? "" : JSON.stringify(placeholder)) + clean.slice(end);
    notes.push(
      isLeftOut
        ? l10n.t("{0} was omitted because the connection signs in automatically.", shown)
        : l10n.t("{0} is a secret and was replaced by {1}.", shown, plain.text(placeholder)),
    );
  }
  return { text: clean, notes };
}

const MAX_SECRETS = 100;

/** Returns the range of a member with its value and one comma. */
function memberRange({ parent }: Node): TextRange {
  const siblings = parent?.parent?.children ?? [];
  const index = siblings.findIndex((each) => each === parent);
  const { offset = 0, length = 0 } = parent ?? {};
  const [before, next] = [siblings[index - 1], siblings[index + 1]];
  if (before !== undefined) return { start: before.offset + before.length, end: offset + length };
  return { start: offset, end: next?.offset ?? offset + length };
}

/** Reads the commands of a shell; undefined where none of them sends a request. `line`: the number of the first. */
function readShell(text: string, line: number): readonly Piece[] | undefined {
  const { commands, filledIn } = shellScript(text.replaceAll(PROMPT, (prompt) => " ".repeat(prompt.length)));
  const sent = commands.map((command, index) => {
    const drafts = draftsOfCommand(command, commands[index - 1]);
    return { command, drafts, pieces: (drafts ?? []).flatMap(readDraft) };
  });
  if (sent.every(({ drafts }) => drafts === undefined)) return undefined;
  const linesOf = lineFinder(text, line);
  const isRead = ({ command, drafts, pieces }: (typeof sent)[number]): boolean =>
    drafts === undefined ? command.isPiped : pieces.length > 0 && pieces.every(({ kind }) => kind === "request");
  const covered = new Set(sent.filter(isRead).flatMap(({ command }) => linesOf(command.range)));
  const left = sent
    .filter((each) => !isRead(each))
    .flatMap(({ command }) => linesOf(command.range))
    .filter((each) => !covered.has(each));
  const requests = sent.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "request"));
  return [
    ...requests.map((piece) => withFilledIn(piece, filledIn)),
    ...(left.length === 0 ? [] : [{ kind: "other", lines: left } as const]),
  ];
}

/** Returns the requests that a command sends; undefined for a command that sends none. */
function draftsOfCommand(
  command: ShellCommand,
  before: ShellCommand | undefined,
): readonly (PastedRequest | undefined)[] | undefined {
  const words = command.words.slice(command.words.findIndex((word) => !BEFORE_COMMAND.test(word)));
  const input = command.isPiped && before?.words[0] === "echo" ? before.words.at(-1) : undefined;
  const [name = ""] = words;
  if (/^curl(?:\.exe)?$/.test(name)) return draftsOfCurl(words, input);
  return /^https?$/.test(name) ? [draftOfHttpie(words, input)] : undefined;
}

/** The prompt of a shell before a command that sends a request. */
const PROMPT = /^[ \t]*(?:PS [^>\n]*>|[^\s'"]+@[^\s'"]+[$#]|[$>%])[ \t]+(?=(?:curl|https?)(?:\.exe)?\s)/gm;

/** The words that can stand before the name of a command: keywords, and variables for the command alone. */
const BEFORE_COMMAND = /^(?:do|then|else|if|while|time|sudo|env|exec|export|local|!|[A-Za-z_]\w*=[^]*)$/;

/** Returns a function that tells the numbers of the lines that a range of a text touches. */
function lineFinder(text: string, firstLine: number): (range: TextRange) => readonly number[] {
  const placeOf = placeFinder(text);
  return ({ start, end }) => {
    const first = placeOf(start).line;
    const count = placeOf(Math.max(start, end - 1)).line - first + 1;
    return Array.from({ length: count }, (_, index) => firstLine + first - 1 + index);
  };
}

/**
 * Adds a note on the placeholders of a request. `filledIn`: the placeholder of each text that a shell or a program
 * would have put a value in for.
 */
function withFilledIn(piece: Piece, filledIn: ReadonlyMap<string, string>): Piece {
  if (piece.kind !== "request" || filledIn.size === 0) return piece;
  const used = new Set(piece.text.match(/\{\{\w+\}\}/g));
  const parts = [...filledIn].flatMap(([written, placeholder]) =>
    used.has(placeholder)
      ? [plain`${plain.name(/^\$?[(`]/.test(written) ? "$(…)" : written)} (${plain.text(placeholder)})`]
      : [],
  );
  if (parts.length === 0) return piece;
  const shown = plain.join([...parts.slice(0, MAX_NAMED), ...(parts.length > MAX_NAMED ? [plain`…`] : [])], ", ");
  return {
    ...piece,
    notes: [...piece.notes, l10n.t("Values that aren't in the clipboard became placeholders: {0}.", shown)],
  };
}

const MAX_NAMED = 10;

/** Reads the objects in the code of a program, or in its log; empty where there isn't a request. */
function readCode(text: string, line: number): readonly Piece[] {
  const isWanted = (json: string): boolean => readObject(json).some(({ kind }) => kind !== "other");
  // A log can hold an object as a text, with its quotes escaped.
  for (const code of [text, text.replaceAll(/\\(["\\])/g, "$1")]) {
    const found = objectsIn(code, isWanted);
    const pieces = found.flatMap(({ json, filledIn }) => readObject(json).map((each) => withFilledIn(each, filledIn)));
    if (!pieces.some(({ kind }) => kind === "request")) continue;
    const covered = new Set(found.flatMap(lineFinder(code, line)));
    const lines = code
      .split("\n")
      .flatMap((each, index) => (each.trim() === "" || covered.has(line + index) ? [] : [line + index]));
    return [...pieces, ...(lines.length === 0 ? [] : [{ kind: "other", lines } as const])];
  }
  return [];
}

/** Reads the requests of a `.http` file, or lines that begin with a verb. `line`: the number of the first line. */
function readHttpFile(text: string, line: number): readonly Piece[] {
  const { requests, left } = readHttpLines(text);
  const pieces = requests.flatMap(({ index, restIndexes, ...request }): readonly Piece[] => {
    const read = readDraft(draftOfHttp(request));
    const isRequest = read.every(({ kind }) => kind === "request");
    return [
      ...(isRequest ? read : [{ kind: "other", lines: [line + index] } as const]),
      ...restIndexes.map((each) => ({ kind: "other", lines: [line + each] }) as const),
    ];
  });
  return [...pieces, ...left.map((index) => ({ kind: "other", lines: [line + index] }) as const)];
}

function membersOf(node: Node | undefined): ReadonlyMap<string, Node> {
  return new Map(
    (node?.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) =>
      children?.[1] === undefined ? [] : [[String(children[0]?.value), children[1]] as const],
    ),
  );
}
