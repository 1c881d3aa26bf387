import * as l10n from "@vscode/l10n";
import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { isJson } from "../../base/json.ts";
import { plain } from "../../base/plain.ts";
import { bareMethod } from "../../catalogue/index.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { TextRange } from "../file/file.ts";
import { indentJson } from "../text/indent.ts";
import { draftOfCurl, isCurl } from "./pasteCurl.ts";
import { draftOfHttp, type PastedRequest } from "./pasteHttp.ts";
import { pureJson } from "../text/pureJson.ts";
import { scanRequests } from "../file/scan.ts";
import { hideTokens, secretNodes } from "../text/secrets.ts";
import { splitRequests, valuesOf } from "../file/split.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";

/** The clipboard's contents, as a request. */
export interface Pasted {
  /**
   * A request, or a list of them, as a request file has it; empty where there is none to insert, and a note says why.
   */
  readonly text: string;
  /** Sentences about everything that was left out or replaced. */
  readonly notes: readonly string[];
}

/**
 * Makes a request of copied text: an example of the documentation, a command line of curl, a request of a `.http` file,
 * an item of a Postman collection. Undefined for any other text. Secrets are left out or become placeholders. Never
 * throws.
 */
export function pasteRequest(clipboard: string): Pasted | undefined {
  const text = clipboard
    .replace(/^\uFEFF/, "")
    .replace(/^\s*```\w*\r?\n([^]*?)(?:\r?\n```[^]*)?$/, "$1")
    .trim();
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  const found = /^[[{]/.test(text) ? readJson(text) : isCurl(text) ? readDraft(draftOfCurl(text)) : readHttpFile(text);
  return pastedOf(found);
}

const MAX_LENGTH = 1024 * 1024;
const MAX_REQUESTS = 1000;
const MAX_NAME = 64;

/** The kinds of a piece of the clipboard. */
type Piece =
  | { readonly kind: "request"; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: "response" }
  | { readonly kind: "other" };

function pastedOf(pieces: readonly Piece[]): Pasted | undefined {
  const requests = pieces.flatMap((piece) => (piece.kind === "request" ? [piece] : [])).slice(0, MAX_REQUESTS);
  const isResponseThere = pieces.some(({ kind }) => kind === "response");
  const [first] = requests;
  if (first === undefined)
    return isResponseThere
      ? {
          text: "",
          notes: [
            l10n.t(
              "This is a response, not a request, so its method is unknown. Copy the request from the example instead.",
            ),
          ],
        }
      : undefined;
  const notes = [...new Set(requests.flatMap((each) => each.notes))];
  const left = [
    ...(isResponseThere ? [l10n.t("The request was inserted without the response next to it.")] : []),
    ...(pieces.some(({ kind }) => kind === "other")
      ? [
          l10n.t(
            "Other text in the clipboard wasn't inserted, because it isn't a request. Check that nothing is missing.",
          ),
        ]
      : []),
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
  return { text, notes: [...notes, ...left].map(hideTokens) };
}

/** Reads objects that follow one another, or a list of them, and perhaps a text after them. */
function readJson(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  while (/^[[{]/.test(rest) && pieces.length < MAX_REQUESTS) {
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
  const body = request.get("body");
  const text = body?.type === "object" ? membersOf(body).get("raw") : undefined;
  const headers = request.get("header")?.children ?? [];
  const names = headers.flatMap((each) => (each.type === "object" ? [String(membersOf(each).get("key")?.value)] : []));
  return {
    url: String(raw.value),
    headerNames: request.has("auth") ? [...names, "Authorization"] : names,
    body: text?.type === "string" ? withQuotedPlaceholders(String(text.value)) : undefined,
  };
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
            dropped.map((name) => plain.name(name)).join(", "),
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
  if (hideTokens(text) !== text || secretNodes(parseTree(text)).length > 0) return false;
  return (
    requests.length === 1 &&
    [...problems, ...requests.flatMap((each) => each.problems)].every(({ severity }) => severity !== "error")
  );
}

/** Removes secrets. The session puts its own token in; unknown values are asked for when the request is sent. */
function withoutSecrets(text: string, method: string): { readonly text: string; readonly notes: readonly string[] } {
  let clean = text;
  const notes: string[] = [];
  // One after the other, because each edit moves what follows; what is left after many of them refuses the whole.
  for (let count = 0; count < MAX_SECRETS; count++) {
    const [secret] = secretNodes(parseTree(clean));
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
        : l10n.t("{0} is a secret and was replaced by {1}.", shown, placeholder),
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

/** Reads the requests of a `.http` file, or of a program's log. */
function readHttpFile(text: string): readonly Piece[] {
  return text.split(/^###.*$/m).flatMap((block) => (block.trim() === "" ? [] : readHttpBlock(block)));
}

/** The comments and variables of these files. */
const HTTP_NOISE = /^\s*(?:#|\/\/|@[\w-]+\s*=)/;
const HTTP_QUERY = /^\s*[?&]/;
const HTTP_LINE =
  /^\s*(?:(?:GET|POST|PUT|PATCH|DELETE|WSS?|WEBSOCKET)\s+(?<named>\S+)|(?<bare>(?:https?|wss?):\/\/\S+))(?:\s+HTTP\/[\d.]+)?\s*$/i;

function readHttpBlock(block: string): readonly Piece[] {
  const lines = block.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "" && !HTTP_NOISE.test(line));
  const { named, bare } = HTTP_LINE.exec(lines[first] ?? "")?.groups ?? {};
  const address = named ?? bare;
  if (address === undefined) return [{ kind: "other" }];
  const gap = lines.findIndex((line, index) => index > first && line.trim() === "");
  const end = gap < 0 ? lines.length : gap;
  const head = lines.slice(first + 1, end).filter((line) => !HTTP_NOISE.test(line));
  // A query may go on over several lines.
  const query = head.filter((line) => HTTP_QUERY.test(line)).map((line) => line.trim());
  const headerNames = head.filter((line) => !HTTP_QUERY.test(line)).map((line) => line.replace(/:[^]*/, "").trim());
  const body = withQuotedPlaceholders(lines.slice(end).join("\n").trim());
  const object = body.startsWith("{") ? body.slice(0, valuesOf(splitRequests(body))[0]?.end) : body;
  return readDraft(draftOfHttp({ url: [address, ...query].join(""), headerNames, body: object }));
}

/** Adds quotes around placeholders. Other programs leave them out, which makes the text invalid JSON. */
function withQuotedPlaceholders(text: string): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(/"(?:[^"\\]|\\[^])*"|\{\{([^{}"]*)\}\}/g, (whole, inside: string | undefined) =>
    inside === undefined ? whole : JSON.stringify(whole),
  );
}

function membersOf(node: Node | undefined): ReadonlyMap<string, Node> {
  return new Map(
    (node?.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) =>
      children?.[1] === undefined ? [] : [[String(children[0]?.value), children[1]] as const],
    ),
  );
}
