import { sessionRefusal } from "../../actions/gate/policy.ts";
import type { Effect } from "../../catalogue/index.ts";
import { COMMON_READS } from "../../catalogue/reference/commonReads.ts";
import { paramFactsOf, type ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { Cursor, RequestPlace } from "../../requests/file/cursor.ts";
import type { TextRange } from "../../requests/file/file.ts";
import { sortText, type Suggestion } from "../text/suggestion.ts";
import { listedMethods, sectionAndSummary, type ListedMethod } from "./methodWords.ts";

/** The place of a new request in a file. */
interface NewRequestPlace extends RequestPlace {
  readonly range: TextRange;
  /** The ID of the request. */
  readonly nextId: number;
}

/**
 * Returns a request for each method that a file may send, to replace the range, with places to fill in, in the order of
 * `offeredMethods`.
 */
export function requestSnippets(
  { range, nextId, ...place }: NewRequestPlace,
  recent: readonly string[] = [],
): readonly Suggestion[] {
  const [before, after] = [place.needsCommaBefore ? "," : "", place.needsCommaAfter ? "," : ""];
  return offeredMethods(recent).map((listed, index) => {
    const { name } = listed.facts;
    return {
      ...methodSuggestion(listed, index),
      range,
      newText: `${before}${snippetOf(name, nextId)}${after}`,
      isSnippet: true,
      filterText: name,
    };
  });
}

/** Returns the names of methods that a file may send, in place of the value of `method` at the cursor. */
export function methodNameSuggestions(
  { path, isName, literal, isText }: Cursor,
  recent: readonly string[] = [],
): readonly Suggestion[] {
  if (isName || path.length !== 1 || path[0] !== "method") return [];
  return offeredMethods(recent).map((listed, index) => {
    const newText = JSON.stringify(listed.facts.name);
    return {
      ...methodSuggestion(listed, index),
      range: literal,
      newText,
      filterText: isText ? newText : listed.facts.name,
    };
  });
}

function methodSuggestion(
  { facts, reference }: ListedMethod,
  index: number,
): Pick<Suggestion, "kind" | "label" | "description" | "lines" | "sortText"> {
  return {
    kind: "request",
    label: facts.name,
    description: sectionAndSummary(reference),
    lines: [],
    sortText: sortText(0, index),
  };
}

/** The effects of methods that come last: those who look for them know their names. */
const LAST_EFFECTS: readonly Effect[] = ["key", "money", "session"];

/** Methods that can be sent from a file, in groups. */
export interface OfferedMethods {
  readonly recent: readonly ListedMethod[];
  readonly common: readonly ListedMethod[];
  /** The others: those of the contract first, then by section, and what changes keys, money, or the account last. */
  readonly others: readonly ListedMethod[];
}

/** Returns the methods that a file can send, in groups. `recent`: the names that were sent last, the newest first. */
export function groupedMethods(recent: readonly string[]): OfferedMethods {
  const all = listedMethods().filter(({ facts: { name } }) => sessionRefusal(name) === undefined);
  const byName = new Map(all.map((listed) => [listed.facts.name as string, listed]));
  const take = (names: readonly string[]): ListedMethod[] =>
    names.flatMap((name) => {
      const listed = byName.get(name);
      byName.delete(name);
      return listed ?? [];
    });
  const [sent, common] = [take(recent), take(COMMON_READS)];
  const isLast = ({ facts }: ListedMethod): boolean => LAST_EFFECTS.includes(facts.effect);
  const rest = [...byName.values()];
  return { recent: sent, common, others: [...rest.filter((each) => !isLast(each)), ...rest.filter(isLast)] };
}

/** Returns the methods that can be sent from a file: recent ones first, then common reads, then the others. */
export function offeredMethods(recent: readonly string[] = []): readonly ListedMethod[] {
  const { recent: sent, common, others } = groupedMethods(recent);
  return [...sent, ...common, ...others];
}

/** Returns a snippet: `${1}` and so on are the places, in the order in which the user visits them. */
export function snippetOf(method: string, id: number): string {
  let count = 0;
  const place = (): string => `\${${String(++count)}}`;
  const members = paramFactsOf(method)
    .filter(({ isRequired }) => isRequired)
    .map(
      (facts) => `    ${JSON.stringify(facts.name)}: ${SPECIAL[facts.name]?.(place, facts) ?? placeOf(facts, place)}`,
    );
  return requestSnippet(method, id, members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n  }`);
}

/** Returns the snippet of a request with the snippet of its parameters. */
export function requestSnippet(method: string, id: number, params: string): string {
  return `{\n  "jsonrpc": "2.0",\n  "id": ${String(id)},\n  "method": ${JSON.stringify(method)},\n  "params": ${params}\n}$0`;
}

/** A signature is entered when the request is sent: a file must not hold it. */
const ASKED_SIGNATURE = String.raw`"{{\$ask.signature}}"`;

/**
 * The params with a special text. The token of the connection need not be typed. An empty scope would take everything
 * from a key, so an undefined variable holds the request back until it is replaced.
 */
const SPECIAL: Readonly<Record<string, (place: () => string, facts: ParamFacts) => string>> = {
  refresh_token: () => JSON.stringify(SESSION_REFRESH_TOKEN).replace("$", String.raw`\$`),
  counterparty_signature: () => ASKED_SIGNATURE,
  signature: () => ASKED_SIGNATURE,
  max_scope(place, { type }) {
    const entries = `"${place().replace("}", String.raw`:{{max_scope\}\}}`)}"`;
    return type === "array" ? `[${entries}]` : entries;
  },
};

/**
 * Returns the places of a value: one, a choice of its known values, or those of the members of an object, of which
 * switches are left out.
 */
function placeOf({ type, values, members }: ParamFacts, place: () => string): string {
  const texts = values.filter((value) => typeof value === "string");
  const chosen = (known: readonly string[]): string =>
    known.length > 0 ? place().replace("}", `|${known.join(",")}|}`) : place();
  if (type === "string") return `"${chosen(texts)}"`;
  if (type === "boolean") return chosen(["true", "false"]);
  if (type === "number") return place();
  const told = members.filter((each) => each.type !== "boolean");
  const object = `{ ${told.map((each) => `${JSON.stringify(each.name)}: ${placeOf(each, place)}`).join(", ")} }`;
  if (type === "array") return members.length > 0 ? `[${object}]` : `["${chosen(texts)}"]`;
  return members.length > 0 ? object : `{ ${place()} }`;
}
