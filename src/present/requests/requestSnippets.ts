import * as l10n from "@vscode/l10n";
import { sessionRefusal } from "../../actions/policy.ts";
import { allMethods, type MethodFacts } from "../../catalogue/index.ts";
import { paramFactsOf, type ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { RequestPlace } from "../../requests/file/cursor.ts";
import type { TextRange } from "../../requests/file/file.ts";
import { sortText, type Suggestion } from "../text/suggestion.ts";

/**
 * Returns a request for each method that a file may send, to replace the range, with places to fill in. Methods of the
 * contract come first.
 */
export function requestSnippets(place: RequestPlace, range: TextRange, nextId: number): readonly Suggestion[] {
  const methods = offeredMethods();
  return methods.map((facts, index) => ({
    kind: "request",
    label: facts.name,
    description: methodTraits(facts).join(" · "),
    lines: methodTraits(facts),
    range,
    newText: `${place.needsCommaBefore ? "," : ""}${snippetOf(facts.name, nextId)}${place.needsCommaAfter ? "," : ""}`,
    isSnippet: true,
    filterText: facts.name,
    sortText: sortText(facts.isContract ? 0 : 1, index),
  }));
}

/** Returns methods that can be sent from a file, those of the contract first. */
export function offeredMethods(): readonly MethodFacts[] {
  const offered = allMethods().filter(({ name }) => sessionRefusal(name) === undefined);
  return [...offered.filter(({ isContract }) => isContract), ...offered.filter(({ isContract }) => !isContract)];
}

/**
 * Returns the effect of a method and its scopes, in few words; effects as the documentation of the file's schema calls
 * them.
 */
export function methodTraits({ effect, scopes }: MethodFacts): readonly string[] {
  return [effect, ...(scopes.length === 0 ? [] : [scopes.reduce((one, other) => l10n.t("{0} or {1}", one, other))])];
}

/** Returns a snippet: `${1}` and so on are the places, in the order in which the user visits them. */
export function snippetOf(method: string, id: number): string {
  let count = 0;
  const place = (): string => `\${${String(++count)}}`;
  const members = paramFactsOf(method)
    .filter(({ isRequired }) => isRequired)
    .map((facts) => `    ${JSON.stringify(facts.name)}: ${SPECIAL[facts.name]?.(place) ?? placeOf(facts, place)}`);
  const params = members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n  }`;
  return `{\n  "jsonrpc": "2.0",\n  "id": ${String(id)},\n  "method": ${JSON.stringify(method)},\n  "params": ${params}\n}$0`;
}

/** A signature is entered when the request is sent: a file must not hold it. */
const ASKED_SIGNATURE = String.raw`"{{\$ask.signature}}"`;

/**
 * The params with a special text. The token of the connection need not be typed. An empty scope would take everything
 * from a key, so an undefined variable holds the request back until it is replaced.
 */
const SPECIAL: Readonly<Record<string, (place: () => string) => string>> = {
  refresh_token: () => JSON.stringify(SESSION_REFRESH_TOKEN).replace("$", String.raw`\$`),
  counterparty_signature: () => ASKED_SIGNATURE,
  signature: () => ASKED_SIGNATURE,
  max_scope: (place) => `"${place().replace("}", String.raw`:{{max_scope\}\}}`)}"`,
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
