import { parseTree, type Node } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { effectOf } from "../../catalogue/index.ts";
import { FLEETING_PARAMS, isUpkeep } from "../../recording/replay.ts";
import type { Recording, RecordingEntry } from "../../recording/recording.ts";
import { MAX_REQUEST_DEPTH } from "../../requests/file/split.ts";
import { indentJson } from "../../requests/text/indent.ts";
import { isSecretMember } from "../../requests/text/secrets.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import { countText } from "../text/numbers.ts";

/** A request file made of a recording, or a sentence about why there is none. */
type RecordedRequests =
  | { readonly kind: "file"; readonly text: string; readonly told: Plain }
  | { readonly kind: "none"; readonly reason: string };

/** The most characters of the requests, before they are indented. */
const MAX_REQUESTS = 4 * 1024 * 1024;
/** The longest result that is expected whole, in characters. */
const MAX_RESULT = 100_000;
/** The levels of a request around what it expects of a result. */
const OUTER_LEVELS = 5;

type Call = Extract<RecordingEntry, { kind: "call" }>;
type Response = Extract<RecordingEntry, { kind: "response" }>;

/**
 * Returns the requests of a recording as a request file that expects the recorded responses, for simulator and testnet.
 * Without the calls that the program makes on its own, channels, what got no response, and secrets.
 */
export function recordedRequests({ entries }: Recording): RecordedRequests {
  const responses = new Map(entries.flatMap((entry) => (entry.kind === "response" ? [[entry.id, entry]] : [])));
  const calls = entries.filter((entry) => entry.kind === "call");
  const texts: string[] = [];
  let length = 0;
  for (const call of calls) {
    const response = responses.get(call.id);
    if (response === undefined || !isWanted(call)) continue;
    const text = requestText(call, response, texts.length + 1);
    length += text.length;
    if (length > MAX_REQUESTS) break;
    texts.push(text);
  }
  if (texts.length === 0)
    return { kind: "none", reason: l10n.t("The recording has no responses to requests of files or commands.") };
  const [made, others] = [countText(texts.length), countText(calls.length - texts.length)];
  return {
    kind: "file",
    text: `${indentJson(`[${texts.join(",")}]`).text}\n`,
    told: l10n.t("Requests in the file: {0}. Not in it: {1}.", made, others),
  };
}

function isWanted({ method, isOfProgram }: Call): boolean {
  return !isOfProgram && !isUpkeep(method) && effectOf(method) !== "session";
}

function requestText({ method, paramsText }: Call, response: Response, id: number): string {
  const file = id === 1 ? '"$file":{"env":["sim","test"]},' : "";
  const params = jsonOf(paramsText, (name) => FLEETING_PARAMS.includes(name));
  return `{${file}"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params},"$run":{"expect":${expectText(response)}}}`;
}

/** Returns what is expected: the whole result, or the code of an error, whose message may have other words. */
function expectText({ member, bodyText }: Response): string {
  if (member === "error") return `{"error":{"code":${(JSON.parse(bodyText) as { readonly code: number }).code}}}`;
  // A member whose name begins so would be a comparison in an expectation.
  const isComparison = (name: string): boolean => name.startsWith("$");
  const result = bodyText.length > MAX_RESULT ? typeText(parseTree(bodyText)) : jsonOf(bodyText, isComparison);
  return `{"result":${result}}`;
}

/** Returns a JSON text with every literal as it is, without its secrets and the members that are to be left out. */
function jsonOf(text: string, isLeftOut: (name: string) => boolean): string {
  const write = (node: Node | undefined, level: number): string => {
    if (node === undefined) return "null";
    const { type, children = [], offset, length } = node;
    if (level > MAX_REQUEST_DEPTH - OUTER_LEVELS) return typeText(node);
    if (type === "array") return `[${children.map((each) => write(each, level + 1)).join(",")}]`;
    if (type !== "object") return escapeBraces(text.slice(offset, offset + length));
    const members = children.flatMap(({ children: [key, value] = [] }) => {
      const name = String(key?.value);
      const isSecret = value?.type === "string" && isSecretMember(name, String(value.value));
      return isSecret || isLeftOut(name) ? [] : [`${JSON.stringify(name)}:${write(value, level + 1)}`];
    });
    return `{${members.join(",")}}`;
  };
  return write(parseTree(text), 0);
}

function typeText(node: Node | undefined): string {
  return `{"$type":${JSON.stringify(node?.type ?? "null")}}`;
}
