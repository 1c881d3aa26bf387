import type { Problem } from "../../base/failure.ts";
import { isJson, parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { checkAnyParams } from "../../catalogue/reference/reference.ts";
import { literalAt } from "../text/jsonPath.ts";
import { pureJson } from "../text/pureJson.ts";
import { splitRequests } from "../file/split.ts";

/** An HTTP request, from any source: a command line, a file of another program. */
export interface HttpText {
  /** The URL. Its scheme, host and user may be anything, a placeholder of another program included. */
  readonly url: string;
  readonly headerNames: readonly string[];
  readonly body: string | undefined;
}

/** A pasted request as JSON text, and the parts that were left out. */
export interface PastedRequest {
  readonly json: string;
  readonly notes: readonly Plain[];
}

/**
 * Returns an HTTP request in the forms that the exchange takes, as JSON-RPC. They are the object as body, or the method
 * as path with the parameters in the query or the body. Undefined for other forms.
 */
export function draftOfHttp({ url, headerNames, body: written = "" }: HttpText): PastedRequest | undefined {
  const body = withQuotedPlaceholders(written);
  const [, path = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const method = /(?:^|\/)((?:public|private)\/[A-Za-z0-9_/]*[A-Za-z0-9_])\/?$/.exec(path)?.[1];
  const notes = [...addressNotes(path), ...headerNotes(headerNames)];
  const value = objectIn(body);
  if (value !== undefined && "method" in value) return { json: body, notes };
  if (method === undefined) return undefined;
  if (value !== undefined) return { json: requestText(method, literalAt(body, ["params"]) ?? body), notes };
  const pairs = pairsOf(query, body);
  return pairs === undefined
    ? undefined
    : { json: requestText(method, queryParams(method, pairs)), notes: [...notes, ...typeNotes(method, pairs)] };
}

/** Returns a request with a note on the credentials that were next to it. */
export function withCredentialsNote(draft: PastedRequest | undefined, hasUser: boolean): PastedRequest | undefined {
  if (draft === undefined || !hasUser) return draft;
  const note = l10n.t("The credentials in the command were omitted because the connection signs in automatically.");
  return { ...draft, notes: [...draft.notes, note] };
}

/** Returns the pairs of the query, and of a body that is written like one; undefined where there is another body. */
function pairsOf(query: string, body: string): readonly string[] | undefined {
  const isForm = /^[^\s{[]*=/.test(body);
  if (body.trim() !== "" && !isForm) return undefined;
  return [query, body.trim()].flatMap((part) => part.split("&")).filter((pair) => pair !== "");
}

function typeNotes(method: string, pairs: readonly string[]): readonly Plain[] {
  if (methodFacts(method) !== undefined || pairs.length === 0) return [];
  return [
    l10n.t(
      "The extension doesn't know the parameters of {0}. The type of each value was guessed from how it looks.",
      plain.name(method),
    ),
  ];
}

/** The headers that identify the sender. */
const IDENTIFYING = /^(?:authorization|cookie|x-api-key|x-auth.*|api-key)$/i;

function requestText(method: string, paramsText: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${paramsText}}`;
}

function addressNotes(path: string): readonly Plain[] {
  const host = /^[a-z]+:\/\/(?:[^/@]*@)?([^/]+)/i.exec(path)?.[1];
  return host === undefined
    ? []
    : [
        l10n.t(
          "The original request was addressed to {0}. Here, the connection determines where it is sent.",
          plain.name(host),
        ),
      ];
}

function headerNotes(names: readonly string[]): readonly Plain[] {
  return [...new Set(names.filter((name) => IDENTIFYING.test(name)))].map((name) =>
    l10n.t("The header {0} was omitted because the connection signs in automatically.", plain.name(name)),
  );
}

/** Returns the object in a text. Not parsed where it is nested deeply, because its readers are recursive. */
function objectIn(text: string): object | undefined {
  return splitRequests(text).tooDeepAt === undefined ? parseObject(pureJson(text)) : undefined;
}

/**
 * Returns the params of a query. Each text becomes the type that the catalogue gives its parameter. A name that stands
 * twice is a list.
 */
function queryParams(method: string, pairs: readonly string[]): string {
  const values = new Map<string, string[]>();
  for (const pair of pairs) {
    const [name = "", ...rest] = pair.split("=");
    const key = decoded(name);
    values.set(key, [...(values.get(key) ?? []), decoded(rest.join("="))]);
  }
  const members = [...values].map(([key, texts]) => {
    const name = key.replace(/\[\]$/, "");
    return [
      name,
      typedText(method, name, name === key && texts.length === 1 ? choicesOf(texts[0] ?? "") : listsOf(texts)),
    ] as const;
  });
  return `{${[...new Map(members)].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/**
 * Returns the first form that the catalogue accepts; a text where it accepts none. An unknown parameter gets the type
 * that it looks like, except for names that always are texts.
 */
function typedText(method: string, name: string, choices: readonly string[]): string {
  const [quoted = '""', literal = quoted] = choices;
  const problemsOf = (choice: string): readonly Problem[] =>
    checkAnyParams(method, { [name]: JSON.parse(choice) as unknown }).filter(({ path }) => path[0] === name);
  const isKnown =
    methodFacts(method) !== undefined && !problemsOf(quoted).some(({ isUnknownMember }) => isUnknownMember === true);
  if (!isKnown) return TEXTUAL.test(name) ? quoted : literal;
  return choices.find((choice) => problemsOf(choice).length === 0) ?? quoted;
}

const TEXTUAL = /(?:^|_)(?:id|label|name)$/;

function choicesOf(text: string): readonly string[] {
  const quoted = JSON.stringify(text);
  return splitRequests(text).tooDeepAt === undefined && isJson(text) ? [quoted, text.trim()] : [quoted];
}

function listsOf(texts: readonly string[]): readonly string[] {
  return [
    `[${texts.map((text) => JSON.stringify(text)).join(",")}]`,
    `[${texts.map((text) => choicesOf(text).at(-1) ?? "").join(",")}]`,
  ];
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Adds quotes around placeholders. Other programs leave them out, which makes the text invalid JSON. */
export function withQuotedPlaceholders(text: string): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(/"(?:[^"\\]|\\[^])*"|\{\{([^{}"]*)\}\}/g, (whole, inside: string | undefined) =>
    inside === undefined ? whole : JSON.stringify(whole),
  );
}
