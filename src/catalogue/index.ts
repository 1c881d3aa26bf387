import type * as z from "zod";
import type { Problem } from "../base/failure.ts";
import { once } from "../base/once.ts";
import type { hintedMethods, methods, rowDefinitions } from "./definitions.ts";
import type { MethodFacts } from "./describe.ts";
import { unpackFacts } from "./facts.ts";
import { PACKED_FACTS } from "./generated/methods.ts";
import { predicates } from "./generated/predicates.ts";
import { createCheckedSchemas, CHANNEL_PATTERNS } from "./generated/schemas.ts";
import type { Effect, RateClass, Service } from "./method.ts";
import { findProblems, type SchemaNode } from "./problems.ts";
import { fittingValue, withoutNulls } from "./reading.ts";

/* What the rest of the program asks the catalogue. Runs on the generated tables: no zod at run time. */

type Definition = (typeof methods)[number];

/** The name of a method whose result the catalogue knows exactly. */
export type MethodName = Definition["name"];
type DefinitionOf<M extends MethodName> = Extract<Definition, { name: M }>;
/** The name of a method whose documented result is a hint. */
export type HintedName = (typeof hintedMethods)[number]["name"];
/**
 * The parameters of a method, as they are sent. The catalogue transforms nothing: output is input, and typed
 * throughout.
 */
export type ParamsOf<M extends MethodName | HintedName> = z.output<
  Extract<Definition | (typeof hintedMethods)[number], { name: M }>["params"]
>;
/** The result of a method, as it is received. */
export type ResultOf<M extends MethodName> = z.output<DefinitionOf<M>["result"]>;
/** The name of a method that changes nothing. A store may call no other. */
export type ReadMethod = Extract<Definition, { effect: "read" }>["name"];

/** The name of any method that changes nothing, whether its result is known exactly or only documented. */
export type AnyReadMethod = ReadMethod | Extract<(typeof hintedMethods)[number], { effect: "read" }>["name"];

/** The name of a method that can open or change exposure (`isTrade` of its entry). */
export type TradeMethod = Extract<Definition | (typeof hintedMethods)[number], { readonly isTrade: true }>["name"];

/** The name of a kind of row in lists. */
export type RowName = keyof typeof rowDefinitions;
/** A row as the program works with it, without the members that do not fit. */
export type RowOf<N extends RowName> = z.output<(typeof rowDefinitions)[N]>;

export type { Effect, MethodFacts, RateClass, Service };

/**
 * Returns the schemas. They are made when the first value has to be judged by one: nearly all values are frames and
 * rows, which have a compiled check.
 */
const checkedSchemas = once(createCheckedSchemas);

const all: readonly MethodFacts[] = unpackFacts(PACKED_FACTS);
const byName: ReadonlyMap<string, MethodFacts> = new Map(all.map((facts) => [facts.name, facts]));

/** The checks of results by method name, prepared because building a key costs more than many a check. */
const resultPredicates: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries(predicates).flatMap(([key, predicate]) =>
    key.startsWith("result ") ? [[key.slice("result ".length), predicate]] : [],
  ),
);

/** Returns the facts of all methods of the exchange. */
export function allMethods(): readonly MethodFacts[] {
  return all;
}

/**
 * Returns the name of a method as the catalogue has it. Clients and documentation also write `/private/buy` and
 * `/api/v2/private/buy`, which the exchange takes for the same.
 */
export function bareMethod(name: string): string {
  return name.replace(/^\/*(?:api\/v2\/+)?/, "");
}

/** Returns the facts of a method; undefined for a name that the exchange is not known to have. */
export function methodFacts(name: string): MethodFacts | undefined {
  return byName.get(bareMethod(name));
}

/**
 * Returns the effect of a method on the account. An unknown method counts as a write, except a public one with the name
 * of a read.
 */
export function effectOf(name: string): Effect {
  return methodFacts(name)?.effect ?? (NAMED_LIKE_A_READ.test(bareMethod(name)) ? "read" : "write");
}

/** Whether a method cancels orders or quotes and does nothing else: one, several, or all that fit. */
export function isCancel(name: string): boolean {
  const effect = effectOf(name);
  return effect === "reduce" || (effect === "mass" && bareMethod(name).startsWith("private/cancel"));
}

/**
 * Whether a method needs Allow Trading (`isTrade` of its entry). A method that the exchange is not known to have may
 * place an order, unless it is public: those act for no account.
 */
export function isTrade(name: string): boolean {
  const facts = methodFacts(name);
  return facts === undefined ? isPrivate(name) : facts.isTrade === true;
}

/**
 * Whether a problem of its parameters refuses a change. A value of a mass change that is not documented may select more
 * than was meant, also a number in quotes that selects what is cancelled. An unknown parameter is only told, except
 * where the core specification closes the list: a label does not select quotes there.
 */
export function isRefusedProblem(method: string, { severity, isUnknownMember, isQuotedNumber }: Problem): boolean {
  if (severity === "error" || effectOf(method) !== "mass") return severity === "error";
  if (isQuotedNumber === true) return isCancel(method);
  return isUnknownMember !== true || methodFacts(method)?.isContract === true;
}

/** The names of reads: nothing but words and slashes, because over HTTP the name becomes a part of the address. */
const NAMED_LIKE_A_READ = /^public(?:\/\w+)*\/(?:(?:get|list)_\w*|ticker|status|test)$/;

/** Returns the budget that a call draws from. */
export function rateClassOf(name: string): RateClass {
  return methodFacts(name)?.rate ?? "default";
}

/** Whether a call needs an authenticated session. */
export function isPrivate(name: string): boolean {
  return !bareMethod(name).startsWith("public/");
}

/**
 * Whether a result can be worked with: all that is required is there. A method that the catalogue does not know accepts
 * anything.
 */
export function isResult(name: string, value: unknown): boolean {
  return resultPredicates.get(name)?.(value) === true || read(`result ${name}`, value) !== undefined;
}

/** Returns a result without the members that do not fit; undefined where it is unusable. */
export function readResult<M extends MethodName>(name: M, value: unknown): ResultOf<M> | undefined {
  return read(`result ${name}`, value) as ResultOf<M> | undefined;
}

/**
 * Returns a row of a list, or the payload of an event, without the members that do not fit. Undefined where it is not
 * such a row. `receivedOf` has it as it came.
 */
export function readRow<N extends RowName>(name: N, value: unknown): RowOf<N> | undefined {
  const key = `row ${name}`;
  const quick = predicates[key]?.(value) === true ? withoutNulls(value as object) : undefined;
  return (quick ?? read(key, value)) as RowOf<N> | undefined;
}

/** Whether a row of a list fits as it came, with all of its members. */
export function fitsRow(name: RowName, value: unknown): boolean {
  return fits(`row ${name}`, value);
}

/** Returns the differences of a result from the shape of the method, in required members and others. */
export function resultProblems(name: string, value: unknown): Problem[] {
  return problemsOf(`result ${name}`, value);
}

/** Whether the payload of an event has the shape of its channel. */
export function isEvent(channel: string, data: unknown): boolean {
  const pattern = patternOf(channel);
  return pattern === undefined || fits(`event ${pattern}`, data);
}

/** Returns the pattern of the catalogue that a channel's name fits. */
export function patternOf(channel: string): string | undefined {
  return CHANNEL_PATTERNS.find((pattern) => channelExpression(pattern).test(channel));
}

/**
 * Returns the scope entries of which a call with these parameters needs one. Empty for a method that the catalogue does
 * not know.
 */
export function neededScopes(name: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  const { scopes = [], scopesWhen } = methodFacts(name) ?? {};
  return scopesWhen !== undefined && params[scopesWhen.param] === true ? scopesWhen.scopes : scopes;
}

/** Whether a value is a frame of this kind. */
export function isFrame(
  kind: "successFrame" | "errorFrame" | "subscriptionFrame" | "heartbeatFrame",
  value: unknown,
): boolean {
  return predicates[kind]?.(value) ?? false;
}

/** Whether the granted scope text satisfies one of the needed entries; an empty list is always satisfied. */
export function isScopeGranted(granted: string, needed: readonly string[]): boolean {
  return (
    needed.length === 0 ||
    needed.some((entry) => hasEntry(granted, entry) || (entry.endsWith(":read") && hasEntry(granted, `${entry}_write`)))
  );
}

/** Whether a text has an entry between spaces. It is not split: the simulator asks this with every call. */
function hasEntry(granted: string, entry: string): boolean {
  const isEdge = (at: number): boolean => at < 0 || at >= granted.length || /\s/.test(granted.charAt(at));
  for (let at = granted.indexOf(entry); at >= 0; at = granted.indexOf(entry, at + 1))
    if (isEdge(at - 1) && isEdge(at + entry.length)) return true;
  return false;
}

function read(key: string, value: unknown): unknown {
  const schema = schemaOf(key);
  return schema === undefined ? value : fittingValue(checkedSchemas(), schema, value);
}

/**
 * Whether a value fits the check under a key. Kinds that come in thousands have a compiled function; the rest is looked
 * up.
 */
function fits(key: string, value: unknown): boolean {
  return predicates[key]?.(value) ?? problemsOf(key, value).length === 0;
}

function problemsOf(key: string, value: unknown): Problem[] {
  if (predicates[key]?.(value) === true) return [];
  const schema = schemaOf(key);
  return schema === undefined ? [] : findProblems(checkedSchemas(), schema, value, true);
}

function schemaOf(key: string): SchemaNode | undefined {
  return (checkedSchemas()["properties"] as Readonly<Record<string, SchemaNode>>)[key];
}

/** Returns the expression that the names of a kind of channel fit. */
export function channelExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]*\}/g, "[^.]+");
  return new RegExp(`^${source}$`, "u");
}
