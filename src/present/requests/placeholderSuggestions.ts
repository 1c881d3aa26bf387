import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import type { SchemaNode } from "../../catalogue/problems.ts";
import { resultSchemaOf } from "../../catalogue/reference/reference.ts";
import { shapeAt, shapeElement, shapeMembers, shapeText } from "../../catalogue/reference/resultShape.ts";
import { parsePath, type PathStep } from "../../requests/text/jsonPath.ts";
import { firstMembers, MAX_VISITED } from "../../requests/text/members.ts";
import { resultText, type NamedResult } from "../../requests/values/results.ts";
import type { FoundValue, Lookup } from "../../requests/values/variables.ts";
import { documentedLines } from "./methodWords.ts";
import { foundValueLines, type TextMoment } from "./placeholderWords.ts";
import { NO_SUGGESTIONS, sortText, type Suggestion, type Suggestions } from "../text/suggestion.ts";

/** The names that placeholders of a request can use. */
export interface PlaceholderNames {
  /** The names of variables, the nearest first. */
  readonly variables: readonly string[];
  /** The responses that exist. */
  readonly results: readonly NamedResult[];
  /** The requests that have no response yet, each with its method where it has one. */
  readonly waiting: readonly { readonly name: string; readonly method: string | undefined }[];
  readonly lookup: Lookup;
}

/** The levels of a response that are offered below the typed path. */
const LEVELS = 3;

/**
 * Returns paths for the placeholder at the cursor, or whole placeholders at the place of a value. `text`: of the file.
 */
export function placeholderSuggestions(
  text: string,
  cursor: Cursor,
  names: PlaceholderNames,
  moment: TextMoment,
): Suggestions {
  const isValue =
    cursor.path[0] === "params" &&
    cursor.path.length > 1 &&
    !cursor.isName &&
    (cursor.isText || cursor.literal.start === cursor.literal.end);
  const isVariable = cursor.path.includes("vars") && !cursor.isName;
  if (!isValue && (cursor.placeholder === undefined || !isVariable)) return NO_SUGGESTIONS;
  const typed = cursor.placeholder?.typed ?? "";
  const offers = typed.includes("|") ? filterOffers(typed) : pathOffers(typed, names, moment);
  return {
    items: offers.map((offer, index) => suggestionOf(text, cursor, offer, index)),
    isIncomplete: /[.[|]/.test(typed),
  };
}

/** Returns names of requests at `$run.after`, which lists the requests that have to run before. */
export function requestNameSuggestions(
  { path, literal, isText }: Cursor,
  names: readonly string[],
): readonly Suggestion[] {
  if (path[0] !== "$run" || path[1] !== "after") return [];
  return names.map((name, index) => {
    const label = JSON.stringify(name);
    return {
      kind: "value",
      label,
      description: l10n.t("a request in this file"),
      lines: [],
      range: literal,
      newText: label,
      filterText: isText ? label : name,
      sortText: sortText(0, index),
    };
  });
}

/** A path, and its value. */
interface Offer {
  readonly path: string;
  readonly description: Plain;
  readonly lines: readonly Plain[];
}

function filterOffers(typed: string): readonly Offer[] {
  const base = typed.slice(0, typed.indexOf("|"));
  return [
    { path: `${base}|string`, description: l10n.t("as a string"), lines: [] },
    { path: `${base}|number`, description: l10n.t("as a number"), lines: [] },
  ];
}

function pathOffers(typed: string, names: PlaceholderNames, moment: TextMoment): readonly Offer[] {
  const base = /^(.*)[.[][^.[\]]*$/.exec(typed)?.[1];
  const deeper = base === undefined || base.startsWith("$") ? [] : membersBelow(base, names, moment);
  if (deeper.length > 0) return deeper;
  const variables = names.variables.map((name) => valueOffer(name, names.lookup(name), moment));
  const results = names.results.toReversed().flatMap((result) => resultOffers(result, moment));
  const waiting = names.waiting.map(({ name }): Offer => ({
    path: `${name}.result`,
    description: l10n.t("no response yet"),
    lines: [],
  }));
  return [...results, ...variables, ...waiting, ...builtInOffers(names.lookup, moment)];
}

/**
 * Returns the members of a response or a variable below a path. None for a very long value, because finding the path
 * would take too long.
 */
function membersBelow(
  base: string,
  { results, waiting, lookup }: PlaceholderNames,
  moment: TextMoment,
): readonly Offer[] {
  const [name, ...steps] = parsePath(base) ?? [];
  const request = waiting.find((each) => each.name === name);
  if (request !== undefined) return documentedOffers(base, request.method, steps);
  const result = results.find((each) => each.name === name);
  if (result !== undefined && steps.length > 0 && result.bodyText.length > MAX_VISITED * 4) return [];
  const own = result === undefined || steps.length > 0 ? lookup(base)?.valueText : resultText(result);
  return own === undefined
    ? []
    : firstMembers(own, LEVELS).map(({ path, valueText }) => memberOffer(`${base}${path}`, valueText, result, moment));
}

/** Returns what the documentation says of a response that is not there yet, below a path in it. */
function documentedOffers(base: string, method: string | undefined, steps: readonly PathStep[]): readonly Offer[] {
  const [root, ...inside] = steps;
  const result = method === undefined ? undefined : resultSchemaOf(method);
  if (root === undefined)
    return documentedMembers(base, { properties: { result: result ?? {}, error: ERROR_SHAPE } }, LEVELS);
  const schema = shapeAt(
    root === "result" ? result : root === "error" ? ERROR_SHAPE : undefined,
    inside.map((step) => (typeof step === "string" ? step : 0)),
  );
  return schema === undefined ? [] : documentedMembers(base, schema, LEVELS);
}

const ERROR_SHAPE: SchemaNode = {
  properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
};

function documentedMembers(path: string, schema: SchemaNode, levels: number): readonly Offer[] {
  if (levels === 0) return [];
  const element = shapeElement(schema);
  const below = [
    ...shapeMembers(schema)
      .filter(({ name }) => NAME_IN_PATH.test(name))
      .map(({ name, schema: member }) => [`${path}.${name}`, member] as const),
    ...(element === undefined ? [] : [[`${path}[0]`, element] as const]),
  ];
  return below.flatMap(([place, member]) => [
    documentedOffer(place, member),
    ...documentedMembers(place, member, levels - 1),
  ]);
}

const NAME_IN_PATH = /^[A-Za-z_$][\w$-]*$/;

function documentedOffer(path: string, schema: SchemaNode): Offer {
  const shape = shapeText(schema, 0);
  return { path, description: l10n.t("{0} (documented, no response yet)", shape), lines: documentedLines(schema) };
}

function resultOffers(result: NamedResult, moment: TextMoment): readonly Offer[] {
  return firstMembers(resultText(result), LEVELS).map(({ path, valueText }) =>
    memberOffer(`${result.name}${path}`, valueText, result, moment),
  );
}

function memberOffer(path: string, valueText: string, result: NamedResult | undefined, moment: TextMoment): Offer {
  const found: FoundValue = {
    valueText,
    source: result === undefined ? { kind: "run" } : { kind: "result", name: result.name },
    ...(result === undefined ? {} : { atMs: result.atMs }),
    shadowed: [],
  };
  return valueOffer(path, found, moment);
}

function valueOffer(path: string, found: FoundValue | undefined, moment: TextMoment): Offer {
  if (found === undefined) return { path, description: "", lines: [] };
  const lines = foundValueLines(path, found, moment);
  return { path, description: lines[0] ?? "", lines };
}

function builtInOffers(lookup: Lookup, moment: TextMoment): readonly Offer[] {
  const computed = ["$now", "$now-1h", "$now-1d", "$uuid", "$env"].map((path) =>
    valueOffer(path, lookup(path), moment),
  );
  const asked: Readonly<Record<string, Plain>> = {
    "$pick.order": l10n.t("an open order, selected when the request is sent"),
    "$pick.position": l10n.t("an open position, selected when the request is sent"),
    "$pick.blockTrade": l10n.t("a block trade, selected when the request is sent"),
    "$pick.apiKey": l10n.t("an API key, selected when the request is sent"),
    "$pick.instrument": l10n.t("an instrument, selected when the request is sent"),
    "$pick.quote": l10n.t("a Block RFQ quote, selected when the request is sent"),
    "$ask.Value": l10n.t("entered when the request is sent (write the prompt after the dot)"),
  };
  return [...computed, ...Object.entries(asked).map(([path, description]) => ({ path, description, lines: [] }))];
}

/** Returns a suggestion: the whole text with its quotes, in which the placeholder is the chosen one. */
function suggestionOf(text: string, cursor: Cursor, { path, description, lines }: Offer, index: number): Suggestion {
  const { literal, placeholder, isText } = cursor;
  const { before, after } = around(text, cursor);
  const newText = `${before}{{${path}}}${after}`;
  return {
    kind: "variable",
    label: plain.text(placeholder === undefined ? newText : path, MAX_LABEL),
    description,
    lines,
    range: literal,
    newText,
    filterText: `${isText ? before : ""}{{${path}}}`,
    sortText: sortText(placeholder === undefined ? 1 : 0, index),
  };
}

/** Returns the text before and after the placeholder that stays, quotes included. */
function around(text: string, { literal, placeholder }: Cursor): { readonly before: string; readonly after: string } {
  if (placeholder === undefined) return { before: '"', after: '"' };
  const { inner, isClosed } = placeholder;
  const rest = text.slice(isClosed ? inner.end + 2 : inner.end, literal.end);
  return { before: text.slice(literal.start, inner.start - 2), after: rest.endsWith('"') ? rest : `${rest}"` };
}

const MAX_LABEL = 128;
