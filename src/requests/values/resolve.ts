import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { isWithoutSecret, standInFor } from "../../rpc/oneTimeSecret.ts";
import { findPlaceholders, unescapeBraces, type Placeholder } from "./placeholders.ts";
import { sourceText, type FoundValue, type Lookup, type VariableSource } from "./variables.ts";

/** The params with their placeholders filled in; for a secret that only the session fills in, with a stand-in. */
type Resolution =
  | { readonly kind: "resolved"; readonly paramsText: string; readonly used: readonly Use[] }
  /** The problems: some placeholders have no value, or one that does not fit; a sentence for each. */
  | { readonly kind: "unresolved"; readonly problems: readonly Unresolved[] };

/** A value that was filled in, and its source. */
export interface Use {
  readonly placeholder: Placeholder;
  readonly found: FoundValue;
  /** The variables that the value is made of in turn. */
  readonly madeOf: readonly Use[];
}

export interface Unresolved {
  readonly placeholder: Placeholder;
  readonly message: Plain;
}

/**
 * Fills the placeholders of a JSON text in. A placeholder that is the whole string becomes the literal of its value, as
 * it is written there. Within a longer string, a text, number or truth value is put in. Every other character stays as
 * it is.
 */
export function resolveParams(paramsText: string, lookup: Lookup): Resolution {
  const { text, used, problems } = fillIn(paramsText, { lookup, room: MAX_ROOM, hasStandIns: true }, []);
  return problems.length > 0 ? { kind: "unresolved", problems } : { kind: "resolved", paramsText: text, used };
}

/**
 * Fills placeholders in where the user can no longer be asked. Those that have no value stay as they are, and are
 * reported.
 */
export function resolveKnown(paramsText: string, lookup: Lookup): Filled {
  return fillIn(paramsText, { lookup, room: MAX_ROOM, hasStandIns: false }, []);
}

/** Returns the sources of a value, each once: its own, then those of the variables that it is made of. */
export function sourcesText({ found, madeOf }: Use): Plain {
  return plain.join([...new Set([sourceText(found.source), ...madeOf.map(sourcesText)])], ", ");
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
  /** Whether a secret of a response gets a stand-in, which the session replaces when it sends. */
  readonly hasStandIns: boolean;
}

/** Fills a text in. `trail`: the paths of the variables whose values it is part of, outermost first. */
function fillIn(text: string, filling: Filling, trail: readonly string[]): Filled {
  const problems: Unresolved[] = [];
  const used: Use[] = [];
  let resolved = "";
  let at = 0;
  for (const placeholder of findPlaceholders(text)) {
    if (isKept(placeholder)) continue;
    const value = valueOf(placeholder, filling, trail);
    if ("message" in value) {
      problems.push({ placeholder, message: value.message });
      continue;
    }
    const { start, end } = placeholder.isWhole ? placeholder.literal : placeholder.range;
    resolved += unescapeBraces(text.slice(at, start)) + value.text;
    used.push({ placeholder, found: value.found, madeOf: value.madeOf });
    at = end;
  }
  return { text: resolved + unescapeBraces(text.slice(at)), used, problems };
}

/** Whether a placeholder is kept: the session fills it in itself, and it is never in any of our texts. */
function isKept({ path, filter }: Placeholder): boolean {
  return filter === undefined && `{{${path}}}` === SESSION_REFRESH_TOKEN;
}

type Value = ({ readonly text: string } & Pick<Use, "found" | "madeOf">) | { readonly message: Plain };

function valueOf(placeholder: Placeholder, filling: Filling, trail: readonly string[]): Value {
  const { path, filter, isWhole, isInName } = placeholder;
  const name = plain.name(path);
  if (isInName)
    return { message: l10n.t("{0} is in a parameter name. Placeholders are only replaced in values.", name) };
  if (filter !== undefined && !FILTERS.includes(filter))
    return { message: l10n.t("Unknown filter {0}. Use string or number.", plain.name(filter)) };
  const found = filling.lookup(path);
  if (found === undefined) return { message: l10n.t("{0} has no value here.", name === "" ? "{{}}" : name) };
  const within = [...trail, path];
  const nesting = nestingProblem(within, found);
  if (nesting !== undefined) return { message: nesting };
  filling.room -= LOOKUP_ROOM + found.valueText.length;
  if (filling.room < 0) return { message: l10n.t("{0} makes the parameters too long.", name) };
  const withheld = withheldOf(placeholder, found, filling);
  if (withheld !== undefined) return withheld;
  const {
    text: literal,
    used: madeOf,
    problems,
  } = MADE_OF_OTHERS.has(found.source.kind)
    ? fillIn(found.valueText, filling, within)
    : { text: found.valueText, used: [], problems: [] };
  if (problems[0] !== undefined) return { message: withOutermost(within, problems[0].message) };
  const text = isWhole ? typed(literal, filter) : embedded(literal);
  if (text !== undefined) return { text, found, madeOf };
  return {
    message: isWhole
      ? l10n.t("{0} is not a number.", name)
      : l10n.t("{0} is an object or an array, so it can only be used as the whole value.", name),
  };
}

/**
 * Returns the stand-in for a secret that only the session fills in, or the problem with a secret that can't be sent;
 * undefined for every other value.
 */
function withheldOf(placeholder: Placeholder, found: FoundValue, { hasStandIns }: Filling): Value | undefined {
  const { oneTime, source, valueText } = found;
  const { path, filter, isWhole } = placeholder;
  if (!hasStandIns || oneTime?.kind !== "signature" || source.kind !== "result")
    return isWithoutSecret(valueText)
      ? { message: l10n.t("The value of {0} contains a hidden secret, so it can't be sent.", plain.name(path)) }
      : undefined;
  return isWhole && (filter === undefined || filter === "string")
    ? { text: JSON.stringify(standInFor({ kind: oneTime.kind, source: source.name })), found, madeOf: [] }
    : { message: l10n.t("{0} is a secret, so it can only be used as the whole value.", plain.name(path)) };
}

/** Returns the problem of a variable that another one names. Only the outermost name is added to it. */
function withOutermost([outermost = "", ...inner]: readonly string[], message: Plain): Plain {
  const name = plain.name(outermost);
  return inner.length > 0 || message.startsWith(`${name} `) ? message : l10n.t("{0}: {1}", name, message);
}

/** Returns the problem of a variable that is made of itself, or of too many others. `chain` ends with its path. */
function nestingProblem(chain: readonly string[], { source }: FoundValue): Plain | undefined {
  const path = chain.at(-1) ?? "";
  const first = chain.indexOf(path);
  if (first < chain.length - 1)
    return l10n.t(
      "{0} in {1} refers to itself: {2}. Replace one of these references with a value.",
      plain.name(path),
      plain.text(MADE_OF_OTHERS.get(source.kind) ?? ""),
      chainText(chain.slice(first)),
    );
  return chain.length <= MAX_NESTING
    ? undefined
    : l10n.t(
        "{0} is nested more than {1} variables deep: {2}. Replace one of these references with a value.",
        plain.name(path),
        MAX_NESTING,
        chainText(chain),
      );
}

/** Returns the variables of a chain, each of which names the next. */
function chainText(paths: readonly string[]): Plain {
  return plain.join(
    paths.map((path) => plain.name(path)),
    " → ",
  );
}

/**
 * The sources whose variables may name others, by the place where they are written: only files. Everything else is data
 * from outside, whatever braces it holds.
 */
const MADE_OF_OTHERS: ReadonlyMap<VariableSource["kind"], string> = new Map([
  ["run", "$run.vars"],
  ["file", "$file.vars"],
  ["environment", "rpc.env.json"],
]);

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
