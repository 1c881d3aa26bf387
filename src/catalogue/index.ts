import type * as z from "zod";
import type { Problem } from "../base/failure.ts";
import type { methods, rowDefinitions } from "./definitions.ts";
import type { MethodFacts } from "./describe.ts";
import { METHOD_FACTS } from "./generated/methods.ts";
import { predicates } from "./generated/predicates.ts";
import { CHECKED_SCHEMAS, CHANNEL_PATTERNS } from "./generated/schemas.ts";
import type { Effect, RateClass } from "./method.ts";
import { findProblems, type SchemaNode } from "./problems.ts";
import { fittingValue, withoutNulls } from "./reading.ts";
import { findRuleProblems } from "./rules.ts";
import { UNDESCRIBED_METHODS, type KnownMethod } from "./undescribed.ts";

/* What the rest of the program asks the catalogue. Runs on the generated tables: no zod at run time. */

type Definition = (typeof methods)[number];

/** Name of a method that the catalogue knows. */
export type MethodName = Definition["name"];
type DefinitionOf<M extends MethodName> = Extract<Definition, { name: M }>;
/**
 * Parameters of a method, as they are sent. The catalogue transforms nothing: output is input, and typed throughout.
 */
export type ParamsOf<M extends MethodName> = z.output<DefinitionOf<M>["params"]>;
/** Result of a method, as it is received. */
export type ResultOf<M extends MethodName> = z.output<DefinitionOf<M>["result"]>;
/** Methods that change nothing: all that a store may call. */
export type ReadMethod = Extract<Definition, { effect: "read" }>["name"];

/** What lists are made of. */
export type RowName = keyof typeof rowDefinitions;
/** A row as the program works with it: what does not fit is not there. */
export type RowOf<N extends RowName> = z.output<(typeof rowDefinitions)[N]>;

export type { Effect, KnownMethod, MethodFacts, RateClass };

const byName: ReadonlyMap<string, MethodFacts> = new Map(METHOD_FACTS.map((facts) => [facts.name, facts]));

const known: readonly KnownMethod[] = [...METHOD_FACTS, ...UNDESCRIBED_METHODS];
const knownByName: ReadonlyMap<string, KnownMethod> = new Map(known.map((each) => [each.name, each]));

/** By the name of the method: putting a key together costs more than many a check. */
const resultPredicates: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries(predicates).flatMap(([key, predicate]) =>
    key.startsWith("result ") ? [[key.slice("result ".length), predicate]] : [],
  ),
);

/** All methods that the catalogue describes, in the order of its tables. */
export function allMethods(): readonly MethodFacts[] {
  return METHOD_FACTS;
}

/**
 * All methods that the exchange is known to have: those that the catalogue describes, then those of which it knows no
 * parameters.
 */
export function knownMethods(): readonly KnownMethod[] {
  return known;
}

/** Whether the exchange is known to have a method of this name. */
export function isKnownMethod(name: string): boolean {
  return knownByName.has(name);
}

/** What is known of a method; undefined for a name that the catalogue does not describe. */
export function methodFacts(name: string): MethodFacts | undefined {
  return byName.get(name);
}

/**
 * What a method does to the account. An unknown method counts as a write, except a public one whose name says that it
 * reads.
 */
export function effectOf(name: string): Effect {
  return knownByName.get(name)?.effect ?? (NAMED_LIKE_A_READ.test(name) ? "read" : "write");
}

/** Whether a method cancels orders or quotes and does nothing else: one, several, or all that fit. */
export function isCancel(name: string): boolean {
  const effect = effectOf(name);
  return effect === "reduce" || (effect === "mass" && name.startsWith("private/cancel"));
}

/** Nothing but words and slashes: over HTTP the name becomes a part of the address. */
const NAMED_LIKE_A_READ = /^public(?:\/\w+)*\/(?:(?:get|list)_\w*|ticker|status|test)$/;

/** Which budget a call draws from. */
export function rateClassOf(name: string): RateClass {
  return byName.get(name)?.rate ?? "default";
}

/** Whether a call needs an authenticated session. */
export function isPrivate(name: string): boolean {
  return !name.startsWith("public/");
}

/** What is wrong with the parameters of a known method; empty for an unknown one, whose rules nobody knows. */
export function checkParams(name: string, params: unknown): Problem[] {
  return [...problemsOf(`params ${name}`, params), ...findRuleProblems(byName.get(name)?.rules ?? [], params)];
}

/**
 * Whether a result can be worked with: all that is required is there. A method that the catalogue does not know accepts
 * anything.
 */
export function isResult(name: string, value: unknown): boolean {
  return resultPredicates.get(name)?.(value) === true || read(`result ${name}`, value) !== undefined;
}

/** A result without what does not fit; undefined where nothing can be made of it. */
export function readResult<M extends MethodName>(name: M, value: unknown): ResultOf<M> | undefined {
  return read(`result ${name}`, value) as ResultOf<M> | undefined;
}

/**
 * A row of a list, or what an event carries, without what does not fit; undefined where it is no such row. `receivedOf`
 * has it as it came.
 */
export function readRow<N extends RowName>(name: N, value: unknown): RowOf<N> | undefined {
  const key = `row ${name}`;
  const quick = predicates[key]?.(value) === true ? withoutNulls(value as object) : undefined;
  return (quick ?? read(key, value)) as RowOf<N> | undefined;
}

/** In which members a result does not have the shape of the method, be they required or not. */
export function resultProblems(name: string, value: unknown): Problem[] {
  return problemsOf(`result ${name}`, value);
}

/** Whether the payload of an event has the shape of its channel. */
export function isEvent(channel: string, data: unknown): boolean {
  const pattern = patternOf(channel);
  return pattern === undefined || fits(`event ${pattern}`, data);
}

/** The pattern of the catalogue that a channel's name fits. */
export function patternOf(channel: string): string | undefined {
  return CHANNEL_PATTERNS.find((pattern) => channelExpression(pattern).test(channel));
}

/**
 * Scope entries of which a call with these parameters needs one; empty for a method that the catalogue does not know.
 */
export function neededScopes(name: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  const { scopesWhen } = byName.get(name) ?? {};
  return scopesWhen !== undefined && params[scopesWhen.param] === true
    ? scopesWhen.scopes
    : (knownByName.get(name)?.scopes ?? []);
}

/** Frames of the wire: which of the four it is. */
export function isFrame(
  kind: "successFrame" | "errorFrame" | "subscriptionFrame" | "heartbeatFrame",
  value: unknown,
): boolean {
  return predicates[kind]?.(value) ?? false;
}

/** Whether the granted scope text satisfies one of the needed entries; an empty list is always satisfied. */
export function isScopeGranted(granted: string, needed: readonly string[]): boolean {
  const entries = new Set(granted.split(/\s+/));
  return (
    needed.length === 0 ||
    needed.some((entry) => entries.has(entry) || (entry.endsWith(":read") && entries.has(`${entry}_write`)))
  );
}

function read(key: string, value: unknown): unknown {
  const schema = schemaOf(key);
  return schema === undefined ? value : fittingValue(CHECKED_SCHEMAS, schema, value);
}

/** What comes in thousands has a function of its own; the rest is looked up. */
function fits(key: string, value: unknown): boolean {
  return predicates[key]?.(value) ?? problemsOf(key, value).length === 0;
}

function problemsOf(key: string, value: unknown): Problem[] {
  if (predicates[key]?.(value) === true) return [];
  const schema = schemaOf(key);
  return schema === undefined ? [] : findProblems(CHECKED_SCHEMAS, schema, value, !key.startsWith("params "));
}

function schemaOf(key: string): SchemaNode | undefined {
  return (CHECKED_SCHEMAS["properties"] as Readonly<Record<string, SchemaNode>>)[key];
}

function channelExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]*\}/g, "[^.]+");
  return new RegExp(`^${source}$`, "u");
}
