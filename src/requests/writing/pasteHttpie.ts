import { isJson } from "../../base/json.ts";
import { draftOfHttp, withCredentialsNote, type PastedRequest } from "./pasteHttp.ts";

/*
 * A command of HTTPie: `http [options] [METHOD] URL [items]`. An item is a header `name:value`, a part of the query
 * `name==value`, or a member of the body, `name=text` or `name:=json`. https://httpie.io/docs/cli/request-items
 */

/**
 * Returns the request of a command of HTTPie; undefined where it is none to the exchange, or takes something from a
 * file. `input`: what is piped into it.
 */
export function draftOfHttpie(words: readonly string[], input?: string): PastedRequest | undefined {
  const [url = "", ...items] = withoutOptions(words.slice(1)).filter((word) => !/^[A-Z]+$/.test(word));
  const isForm = words.some((word) => word === "-f" || word === "--form");
  const request: Items = { headerNames: [], query: [], members: new Map() };
  if (!items.every((item) => takeItem(request, item, isForm))) return undefined;
  const { headerNames, query, members } = request;
  const draft = draftOfHttp({
    url: query.length === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${query.join("&")}`,
    headerNames,
    body: members.size === 0 ? input : objectText(members),
  });
  const hasUser = words.some((word) => /^(?:-a|--auth)/.test(word));
  return withCredentialsNote(draft, hasUser);
}

interface Items {
  readonly headerNames: string[];
  readonly query: string[];
  /** The members of the body, as JSON texts. */
  readonly members: Map<string, string | Map<string, string>>;
}

/** Takes an item. Returns false for one that can't be taken. */
function takeItem({ headerNames, query, members }: Items, item: string, isForm: boolean): boolean {
  const [, name = "", separator = "", value = ""] = ITEM.exec(item) ?? [];
  switch (separator === "=" && isForm ? "==" : separator) {
    case ":":
      return headerNames.push(name) > 0;
    case "==":
      return query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`) > 0;
    case "=":
      put(members, name, JSON.stringify(value));
      return true;
    case ":=":
      put(members, name, PLACEHOLDER.test(value) ? JSON.stringify(value) : value);
      return isJson(value) || PLACEHOLDER.test(value);
    default:
      return false;
  }
}

const ITEM = /^([^:=@]+)(==|:=@?|=@?|:|@)([^]*)$/;
const PLACEHOLDER = /^\{\{[^{}]+\}\}$/;

/** The options that have a value in the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...["-a", "-A", "-o", "-p", "-s", "--auth", "--auth-type", "--output", "--print", "--style", "--pretty", "--session"],
  ...["--timeout", "--proxy", "--verify", "--cert", "--cert-key", "--max-redirects", "--raw"],
]);

function withoutOptions(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => !word.startsWith("-") && !WITH_VALUE.has(words[index - 1] ?? ""));
}

/** Puts a member in; `params[currency]` is the member of a member. */
function put(members: Map<string, string | Map<string, string>>, name: string, valueText: string): void {
  const [, outer = "", inner] = /^([^[]*)(?:\[([^\]]*)\])?$/.exec(name) ?? [];
  if (inner === undefined) {
    members.set(name, valueText);
    return;
  }
  const present = members.get(outer);
  const nested = present instanceof Map ? present : new Map<string, string>();
  members.set(outer, nested.set(inner, valueText));
}

function objectText(members: ReadonlyMap<string, string | Map<string, string>>): string {
  const parts = [...members].map(
    ([name, value]) => `${JSON.stringify(name)}:${typeof value === "string" ? value : objectText(value)}`,
  );
  return `{${parts.join(",")}}`;
}
