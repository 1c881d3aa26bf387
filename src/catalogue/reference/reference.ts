import type { Problem } from "../../base/failure.ts";
import { once } from "../../base/once.ts";
import { CHANNEL_REFERENCES, METHOD_REFERENCES, NAMED_SHAPES, REFERENCE_SCHEMAS } from "../generated/reference.ts";
import { channelExpression, methodFacts, resultProblems, type Service } from "../index.ts";
import { gatewayParamCheck, type ParamCheck } from "./gateway.ts";
import { checkParams, findRuleProblems } from "../params.ts";
import type { ChannelReference, MethodReference } from "../method.ts";
import { findProblems, resolveReference, type SchemaNode } from "../problems.ts";

/*
 * What is known of all methods and channels of the exchange. It stands apart from `index.ts` because it is large, and
 * only what works on request files needs it: views and commands load without it.
 */

const byName: ReadonlyMap<string, MethodReference> = new Map(METHOD_REFERENCES.map((each) => [each.name, each]));

/** Returns what is known of all methods of the exchange, section by section as the catalogue has them. */
export function methodReferences(): readonly MethodReference[] {
  return METHOD_REFERENCES;
}

/** Returns what is known of a method; undefined for a name that the exchange is not known to have. */
export function methodReference(name: string): MethodReference | undefined {
  return byName.get(name);
}

/** Returns what is known of all channels. */
export function channelReferences(): readonly ChannelReference[] {
  return CHANNEL_REFERENCES;
}

/** Whether a kind of server is known to have a channel. What the catalogue does not know may be there. */
export function isChannelOfferedAt(channel: string, service: Service): boolean {
  const known = CHANNEL_REFERENCES.filter(({ pattern }) => channelExpression(pattern).test(channel));
  return known.length === 0 || known.some(({ onlyAt }) => onlyAt === undefined || onlyAt === service);
}

/** Returns the words that a segment of a channel's name is known to stand for; empty where any name can stand. */
export function segmentWords(segment: string): readonly string[] {
  return SEGMENT_WORDS[segment] ?? [];
}

/** The words that a segment of a channel's name is known to stand for; others are accepted as well. */
const SEGMENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  kind: ["any", "future", "option", "spot", "future_combo", "option_combo"],
  currency: ["any", "BTC", "ETH", "USDC", "USDT", "EURR"],
  interval: ["raw", "100ms", "agg2"],
  group: ["none", "1", "2", "5", "10", "25", "100", "250"],
  depth: ["1", "10", "20"],
  resolution: ["1", "3", "5", "10", "15", "30", "60", "120", "180", "360", "720", "1D"],
};

/** Returns the problems of the parameters of any method of the exchange; empty for another one. */
export function checkAnyParams(name: string, params: unknown): Problem[] {
  const { isHinted = false, rules = [] } = methodFacts(name) ?? {};
  const schema = isHinted ? nodeOf(`params ${name}`) : undefined;
  return schema === undefined
    ? checkParams(name, params)
    : [...findProblems(REFERENCE_SCHEMAS, schema, params), ...findRuleProblems(rules, params)];
}

/** Returns the check of the parameters of any method for a kind of server. */
export function paramCheckAt(service: Service): ParamCheck {
  return service === "native" ? checkAnyParams : gatewayParamCheck(checkAnyParams);
}

/**
 * Returns the schema of a method's parameters, with descriptions and with its references resolved. Undefined for an
 * unknown method.
 */
export function paramsSchemaOf(name: string): SchemaNode | undefined {
  return resolved(nodeOf(`params ${name}`));
}

/**
 * Returns the schema of a method's parameters as it is kept: `resolvedNode` follows the references in it one at a time,
 * which is much cheaper than to resolve all of them. Undefined for an unknown method.
 */
export function paramsNodeOf(name: string): SchemaNode | undefined {
  return nodeOf(`params ${name}`);
}

/** Returns what a node refers to, with the node's own members; the same node where it refers to nothing. */
export function resolvedNode(node: SchemaNode): SchemaNode {
  const { $ref: reference, ...own } = node;
  return typeof reference === "string" ? { ...resolveReference(REFERENCE_SCHEMAS, reference), ...own } : node;
}

/**
 * Returns the schema of a method's result, with its references resolved: exact, or the documented hint. Undefined for
 * an unknown method.
 */
export function resultSchemaOf(name: string): SchemaNode | undefined {
  const { hint } = byName.get(name) ?? {};
  return hint === undefined ? resolved(nodeOf(`result ${name}`)) : parseShape(hint, NAMED_SHAPES);
}

/** Whether the exchange documents a member with this name, in the parameters, the result, or an event of anything. */
export function isDocumentedMember(name: string): boolean {
  return documentedMembers().has(name);
}

const documentedMembers = once((): ReadonlySet<string> => {
  const hints = [...METHOD_REFERENCES, ...CHANNEL_REFERENCES].map(({ hint = "" }) => hint);
  const hinted = [...hints, ...Object.values(NAMED_SHAPES)].flatMap((hint) => [...hint.matchAll(/(\w+)"?:/g)]);
  return new Set([...memberNames(REFERENCE_SCHEMAS), ...hinted.map(([, name = ""]) => name)]);
});

function memberNames(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties = {} } = value as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(value).flatMap(memberNames)];
}

/**
 * Returns the differences of a result from what is documented: the exact shape of its method, or the hint. Undefined
 * where neither says anything.
 */
export function documentedProblems(name: string, result: unknown): readonly Problem[] | undefined {
  if (methodFacts(name)?.isHinted !== true) return methodFacts(name) && resultProblems(name, result);
  const schema = resultSchemaOf(name) ?? {};
  return Object.keys(schema).length === 0 ? undefined : findProblems(schema, schema, result, true);
}

function nodeOf(key: string): SchemaNode | undefined {
  const properties = REFERENCE_SCHEMAS["properties"] as Readonly<Record<string, SchemaNode>>;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function resolved(node: SchemaNode | undefined): SchemaNode | undefined {
  return node === undefined ? undefined : whole(node);
}

/** Returns a node in which each reference is replaced by what it points to. */
function whole(node: SchemaNode): SchemaNode {
  return Object.fromEntries(Object.entries(resolvedNode(node)).map(([key, value]) => [key, wholeValue(value)]));
}

function wholeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wholeValue);
  return typeof value === "object" && value !== null ? whole(value as SchemaNode) : value;
}

/*
 * The notation of hints: `{ name: type, … }` for an object, `[type]` for an array, `number|string` or `[type]|string`
 * for one of several types, `buy|sell` for one of several words, `unknown` for what is not documented, and the name
 * of a shape of `hinted/namedShapes.ts`.
 */

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);

/**
 * Returns a hint as a JSON Schema. `shapes` has the notations of the shapes that it can name. Throws `Error` at a text
 * that is not in the notation.
 */
export function parseShape(text: string, shapes: Readonly<Record<string, string>>): SchemaNode {
  const tokens = text.match(/[{}[\],:]|"[^"]*"|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++] ?? "";
    if (token === "" || (expected !== undefined && token !== expected))
      throw new Error(`A hint has ${token === "" ? "an end" : token} instead of ${expected ?? "a type"}: ${text}`);
    return token;
  };
  const membersOf = (): SchemaNode => {
    const properties: Record<string, SchemaNode> = {};
    while (tokens[at] !== "}") {
      const name = take().replaceAll('"', "");
      take(":");
      properties[name] = typeOf();
      if (tokens[at] === ",") at++;
    }
    take("}");
    return { type: "object", properties };
  };
  const typeOf = (): SchemaNode => {
    const token = take();
    if (token !== "{" && token !== "[") return namedType(token, shapes);
    const one = token === "{" ? membersOf() : { type: "array", items: typeOf() };
    if (token === "[") take("]");
    const next = tokens[at];
    if (next?.startsWith("|") !== true) return one;
    // The words that follow are in one token with the bar.
    if (next === "|") at++;
    else tokens[at] = next.slice(1);
    return { anyOf: [one, typeOf()] };
  };
  const schema = typeOf();
  if (at < tokens.length) throw new Error(`A hint goes on after its end: ${text}`);
  return schema;
}

function namedType(token: string, shapes: Readonly<Record<string, string>>): SchemaNode {
  if (token === "unknown") return {};
  const words = token.split("|");
  const types = words.filter((word) => SCALARS.has(word));
  const named = shapes[token];
  if (named !== undefined) return parseShape(named, shapes);
  if (words.every((word) => /^\d+$/.test(word))) return { type: "integer" };
  if (types.length === 0) return { type: "string", suggestedValues: words };
  const [only] = types;
  return types.length === 1 ? { type: only } : { anyOf: types.map((type) => ({ type })) };
}
