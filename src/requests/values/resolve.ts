import * as l10n from "@vscode/l10n";
import { plain } from "../../base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { HIDDEN } from "../../rpc/maskSecrets.ts";
import { findPlaceholders, unescapeBraces, type Placeholder } from "./placeholders.ts";
import type { FoundValue, Lookup, VariableSource } from "./variables.ts";

/** The params with their placeholders filled in. */
export type Resolution =
  | { readonly kind: "resolved"; readonly paramsText: string; readonly used: readonly Use[] }
  /** The problems: some placeholders have no value, or one that does not fit; a sentence for each. */
  | { readonly kind: "unresolved"; readonly problems: readonly Unresolved[] };

/** A value that was filled in, and its source. */
export interface Use {
  readonly placeholder: Placeholder;
  readonly found: FoundValue;
}

export interface Unresolved {
  readonly placeholder: Placeholder;
  readonly message: string;
}

/**
 * Fills the placeholders of a JSON text in. A placeholder that is the whole string becomes the literal of its value, as
 * it is written there. Within a longer string, a text, number or truth value is put in. Every other character stays as
 * it is.
 */
export function resolveParams(paramsText: string, lookup: Lookup): Resolution {
  const { text, used, problems } = resolveKnown(paramsText, lookup);
  return problems.length > 0 ? { kind: "unresolved", problems } : { kind: "resolved", paramsText: text, used };
}

/**
 * Fills placeholders in where the user can no longer be asked. Those that have no value stay as they are, and are
 * reported.
 */
export function resolveKnown(paramsText: string, lookup: Lookup): Filled {
  return fillIn(paramsText, { lookup, room: MAX_ROOM }, 0);
}

/** A text with every value filled in that is known. */
export interface Filled {
  readonly text: string;
  readonly used: readonly Use[];
  readonly problems: readonly Unresolved[];
}

/** The deepest nesting of variables. Variables may be made of variables, but not of themselves. */
const MAX_NESTING = 8;

/** The most UTF-16 units that are put together: variables made of variables made of variables could grow endlessly. */
const MAX_ROOM = 4 * 1024 * 1024;
/** The room that looking a value up takes. */
const LOOKUP_ROOM = 64;

interface Filling {
  readonly lookup: Lookup;
  /** The rest of `MAX_ROOM`. */
  room: number;
}

function fillIn(text: string, filling: Filling, nesting: number): Filled {
  const problems: Unresolved[] = [];
  const used: Use[] = [];
  let resolved = "";
  let at = 0;
  for (const placeholder of findPlaceholders(text)) {
    if (isKept(placeholder)) continue;
    const value = valueOf(placeholder, filling, nesting);
    if ("message" in value) {
      problems.push({ placeholder, message: value.message });
      continue;
    }
    const { start, end } = placeholder.isWhole ? placeholder.literal : placeholder.range;
    resolved += unescapeBraces(text.slice(at, start)) + value.text;
    used.push({ placeholder, found: value.found });
    at = end;
  }
  return { text: resolved + unescapeBraces(text.slice(at)), used, problems };
}

/** Whether a placeholder is kept: the session fills it in itself, and it is never in any of our texts. */
function isKept({ path, filter }: Placeholder): boolean {
  return filter === undefined && `{{${path}}}` === SESSION_REFRESH_TOKEN;
}

type Value = { readonly text: string; readonly found: FoundValue } | { readonly message: string };

function valueOf(placeholder: Placeholder, filling: Filling, nesting: number): Value {
  const { path, filter, isWhole, isInName } = placeholder;
  const name = plain.name(path);
  if (isInName)
    return { message: l10n.t("{0} is in a parameter name. Placeholders are only replaced in values.", name) };
  if (filter !== undefined && !FILTERS.includes(filter))
    return { message: l10n.t("Unknown filter {0}. Use string or number.", plain.name(filter)) };
  const found = filling.lookup(path);
  if (found === undefined) return { message: l10n.t("{0} has no value here.", name === "" ? "{{}}" : name) };
  if (nesting >= MAX_NESTING)
    return {
      message: l10n.t(
        "{0} refers to itself through its variables, or they are nested more than {1} deep. Replace a variable in its value by the value itself.",
        name,
        MAX_NESTING,
      ),
    };
  filling.room -= LOOKUP_ROOM + found.valueText.length;
  if (filling.room < 0) return { message: l10n.t("{0} makes the parameters too long.", name) };
  if (found.valueText.includes(HIDDEN))
    return { message: l10n.t("The value of {0} contains a hidden secret, so it can't be sent.", name) };
  const { text: literal, problems } = MADE_OF_OTHERS.has(found.source.kind)
    ? fillIn(found.valueText, filling, nesting + 1)
    : { text: found.valueText, problems: [] };
  if (problems[0] !== undefined) return { message: within(name, nesting, problems[0].message) };
  const text = isWhole ? typed(literal, filter) : embedded(literal);
  if (text !== undefined) return { text, found };
  return {
    message: isWhole
      ? l10n.t("{0} is not a number.", name)
      : l10n.t("{0} is an object or an array, so it can only be used as the whole value.", name),
  };
}

/** Returns the problem of a variable that another one names. Only the outermost name is added to it. */
function within(name: string, nesting: number, message: string): string {
  return nesting > 0 || message.startsWith(`${name} `) ? message : l10n.t("{0}: {1}", name, message);
}

/**
 * The sources whose variables may name others: only files. Everything else is data from outside, whatever braces it
 * holds.
 */
const MADE_OF_OTHERS: ReadonlySet<VariableSource["kind"]> = new Set(["run", "file", "environment"] as const);

/** The types that a value can be converted to. */
export const FILTERS: readonly string[] = ["string", "number"];

function typed(literal: string, filter: string | undefined): string | undefined {
  const isText = literal.startsWith('"');
  if (filter === "string") return isText ? literal : JSON.stringify(literal);
  if (filter !== "number" || !isText) return filter === "number" && !NUMBER.test(literal) ? undefined : literal;
  const inside = literal.slice(1, -1);
  return NUMBER.test(inside) ? inside : undefined;
}

function embedded(literal: string): string | undefined {
  if (literal.startsWith('"')) return literal.slice(1, -1);
  return /^[[{]/.test(literal) ? undefined : literal;
}

/** The form of a number in JSON. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
