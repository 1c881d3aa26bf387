import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { SchemaNode } from "../../catalogue/problems.ts";
import { resultSchemaOf } from "../../catalogue/reference/reference.ts";
import {
  shapeAt,
  shapeElement,
  shapeMembers,
  shapeText,
  shapeTypes,
  shapeValues,
  type ShapeMember,
} from "../../catalogue/reference/resultShape.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import { nodeAt } from "../../requests/file/textEdits.ts";
import { sortText, type Suggestion } from "../text/suggestion.ts";
import { documentedLines } from "./methodWords.ts";

/*
 * What can be written in `result` of `$run.expect` and `$run.until`: the documented members of the result, and
 * comparisons. What is documented may differ from what comes, so nothing is checked against it.
 */

/**
 * Returns names of members and comparisons, or values, for the place at the cursor; none elsewhere. `text`: of the
 * file.
 */
export function expectationSuggestions(text: string, cursor: Cursor): readonly Suggestion[] {
  const { path, request, isName, placeholder } = cursor;
  const [root, option, part, ...inside] = path;
  if (root !== "$run" || (option !== "expect" && option !== "until") || part !== "result") return [];
  if (request.method === undefined || placeholder !== undefined || (isName && inside.length === 0)) return [];
  const place = schemaAt(resultSchemaOf(request.method) ?? {}, isName ? inside.slice(0, -1) : inside);
  if (place === undefined) return [];
  return isName ? nameSuggestions(text, cursor, place) : valueSuggestions(cursor, place);
}

/** Returns what is documented at a place of an expectation, whose comparisons stand between the members. */
function schemaAt(result: SchemaNode, steps: readonly (string | number)[]): SchemaNode | undefined {
  let schema: SchemaNode | undefined = result;
  let isInList = false;
  for (const step of steps) {
    if (schema === undefined) return undefined;
    if (step === "$in") isInList = true;
    else if (step === "$len") schema = { type: "integer" };
    else if (isInList) isInList = false;
    else if (step !== "$not") schema = shapeAt(schema, [step]);
  }
  return isInList ? undefined : schema;
}

function nameSuggestions(text: string, cursor: Cursor, schema: SchemaNode): readonly Suggestion[] {
  const present = namesAround(text, cursor);
  const hasMembers = present.some((name) => !name.startsWith("$"));
  const hasComparisons = present.some((name) => name.startsWith("$"));
  // A comparison and a member of the result cannot be in one object.
  const members = hasComparisons ? [] : shapeMembers(schema).filter(({ name }) => !present.includes(name));
  const comparisons = hasMembers ? [] : comparisonsOf(schema).filter(({ name }) => !present.includes(name));
  return [
    ...members.map((member, index) => memberSuggestion(text, cursor, member, index)),
    ...comparisons.map((each, index) => comparisonName(text, cursor, each, index)),
  ];
}

/** Returns the names in the object at the cursor, apart from the one that is being written. */
function namesAround(text: string, { request, path, literal }: Cursor): readonly string[] {
  const { range } = request;
  const node = nodeAt({ text, range }, path.slice(0, -1));
  return (node?.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) => {
    const [key] = children ?? [];
    return key === undefined || range.start + key.offset === literal.start ? [] : [String(key.value)];
  });
}

function memberSuggestion(text: string, cursor: Cursor, { name, schema }: ShapeMember, index: number): Suggestion {
  return {
    kind: "member",
    label: name,
    description: l10n.t("{0} (documented)", shapeText(schema, 0)),
    lines: documentedLines(schema),
    ...namePlace(text, cursor, name, "${1}"),
    sortText: sortText(0, index),
  };
}

/** A comparison: its name, and the snippet of its operand. */
interface Comparison {
  readonly name: string;
  readonly operand: string;
  readonly meaning: () => Plain;
}

const NUMBERS: readonly Comparison[] = [
  { name: "$gt", operand: "${1:0}", meaning: () => l10n.t("greater than") },
  { name: "$gte", operand: "${1:0}", meaning: () => l10n.t("at least") },
  { name: "$lt", operand: "${1:0}", meaning: () => l10n.t("less than") },
  { name: "$lte", operand: "${1:0}", meaning: () => l10n.t("at most") },
];
const LENGTH: Comparison = { name: "$len", operand: "${1:1}", meaning: () => l10n.t("has this length") };
const MATCH: Comparison = { name: "$match", operand: '"${1:^}"', meaning: () => l10n.t("matches this pattern") };
const ANY: readonly Comparison[] = [
  {
    name: "$type",
    operand: '"${1|string,number,boolean,object,array,null|}"',
    meaning: () => l10n.t("has this type"),
  },
  { name: "$in", operand: "[${1}]", meaning: () => l10n.t("is one of these values") },
  { name: "$absent", operand: "${1|true,false|}", meaning: () => l10n.t("is missing (true) or present (false)") },
  { name: "$not", operand: "${1}", meaning: () => l10n.t("doesn't match this value or comparison") },
];

/** Returns the comparisons that can hold for a value; all where its type is not documented. */
function comparisonsOf(schema: SchemaNode): readonly Comparison[] {
  const types = shapeTypes(schema);
  const isOf = (...wanted: readonly string[]): boolean =>
    types.length === 0 || wanted.some((type) => types.includes(type));
  return [
    ...(isOf("number", "integer") ? NUMBERS : []),
    ...(isOf("array", "string", "object") ? [LENGTH] : []),
    ...(isOf("string") ? [MATCH] : []),
    ...ANY,
  ];
}

function comparisonName(
  text: string,
  cursor: Cursor,
  { name, operand, meaning }: Comparison,
  index: number,
): Suggestion {
  return {
    kind: "comparison",
    label: name,
    description: meaning(),
    lines: [],
    ...namePlace(text, cursor, name, operand),
    sortText: sortText(1, index),
  };
}

/** Returns how a name is put in: with its colon and its value unless they are there, and a comma before another one. */
function namePlace(
  text: string,
  { literal, isText }: Cursor,
  name: string,
  value: string,
): Pick<Suggestion, "range" | "newText" | "isSnippet" | "filterText"> {
  const quoted = JSON.stringify(name);
  const isNamed = /^\s*:/.test(text.slice(literal.end, literal.end + MAX_BLANKS));
  const comma = /^\s*"/.test(text.slice(literal.end, literal.end + MAX_BLANKS)) ? "," : "";
  return {
    range: literal,
    newText: isNamed ? quoted : `${quoted.replace("$", String.raw`\$`)}: ${value}${comma}`,
    isSnippet: !isNamed,
    filterText: isText ? quoted : name,
  };
}

const MAX_BLANKS = 1000;

function valueSuggestions({ literal, isText }: Cursor, schema: SchemaNode): readonly Suggestion[] {
  const place = (newText: string, label: string): Pick<Suggestion, "range" | "newText" | "filterText" | "label"> => ({
    label,
    range: literal,
    newText,
    filterText: isText ? `"${label}` : label,
  });
  const values = [...shapeValues(schema), ...(shapeTypes(schema).includes("boolean") ? ["true", "false"] : [])];
  const isObject = shapeMembers(schema).length > 0;
  const element = shapeElement(schema);
  const shapes = [
    ...(isObject ? [["{ … }", "{ ${1} }", l10n.t("documented members")] as const] : []),
    ...(element === undefined ? [] : [["[ … ]", "[${1}]", l10n.t("each element in its place")] as const]),
  ];
  return [
    ...values.map((value, index): Suggestion => ({
      kind: "value",
      ...place(value, value),
      filterText: value,
      description: l10n.t("documented"),
      lines: [],
      sortText: sortText(0, index),
    })),
    ...shapes.map(([label, newText, description], index): Suggestion => ({
      kind: "member",
      ...place(newText, label),
      description,
      lines: [l10n.t("Documented as {0}. The response can differ.", shapeText(schema))],
      isSnippet: true,
      sortText: sortText(1, index),
    })),
    ...comparisonsOf(schema).map(({ name, operand, meaning }, index): Suggestion => ({
      kind: "comparison",
      ...place(`{ "\\${name}": ${operand} }`, `{ "${name}": … }`),
      description: meaning(),
      lines: [],
      isSnippet: true,
      sortText: sortText(2, index),
    })),
  ];
}
