import * as z from "zod";
import { channelDefinitions, hintedChannels, hintedMethods, methods, rowDefinitions } from "./definitions.ts";
import { FILE_DEFINITIONS, fileSchema, orPlaceholder, runSchema, type JsonSchema } from "./fileSchema.ts";
import { SHAPES } from "./hinted/namedShapes.ts";
import {
  CHANNELS_NOT_AT_GATEWAY,
  GATEWAY_PARAMS,
  GATEWAY_PERMISSIONS,
  NOT_AT_GATEWAY,
  PARAMS_NOT_AT_GATEWAY,
  WEB_SOCKET_ONLY_AT_GATEWAY,
} from "./methods/gatewayOffer.ts";
import type {
  ChannelReference,
  Effect,
  GatewayReference,
  HintedMethod,
  MethodDefinition,
  MethodReference,
  Service,
} from "./method.ts";

/*
 * Build time only: the catalogue as JSON Schema. One document for the checks that ship (compiled from it), one for
 * editors (`media/rpc.schema.json`).
 */

/** Returns the name of a shared schema in the document of checks, for the parts of a method or channel. */
const paramsKey = (name: string): string => `params ${name}`;
const resultKey = (name: string): string => `result ${name}`;
const eventKey = (pattern: string): string => `event ${pattern}`;
const rowKey = (name: string): string => `row ${name}`;

/** Returns one JSON Schema document whose `properties` are everything received that has to be checked at run time. */
export function checkedSchemas(): JsonSchema {
  const shape: Record<string, z.ZodType> = { successFrame, errorFrame, subscriptionFrame, heartbeatFrame };
  for (const each of methods) shape[resultKey(each.name)] = each.result;
  for (const [name, row] of Object.entries(rowDefinitions)) shape[rowKey(name)] = row;
  for (const each of channelDefinitions) shape[eventKey(each.pattern)] = each.data;
  return toJsonSchema(z.object(shape));
}

/** Returns the schemas of the parameters of the methods whose result is known exactly. */
export function paramSchemas(): JsonSchema {
  return toJsonSchema(z.object(Object.fromEntries(methods.map((each) => [paramsKey(each.name), each.params]))));
}

/** Returns the schemas of the parameters of all methods and of all exact results. They ship in a part of their own. */
export function referenceSchemas(): JsonSchema {
  const all: readonly (MethodDefinition | HintedMethod)[] = [...methods, ...hintedMethods];
  return toJsonSchema(
    z.object({
      ...Object.fromEntries(all.map((each) => [paramsKey(each.name), each.params])),
      ...Object.fromEntries(methods.map((each) => [resultKey(each.name), each.result])),
    }),
  );
}

/** The facts of a method that ship: no schemas, and nothing that only editors read. */
export interface MethodFacts extends Pick<
  MethodDefinition,
  | "name"
  | "rules"
  | "scopes"
  | "scopesWhen"
  | "effect"
  | "isTrade"
  | "dryRunParam"
  | "rate"
  | "isOnSeveralObjects"
  | "isWebSocketOnly"
  | "isContract"
> {
  /** The paths of secret members in the result, `*` for any index, e.g. `["*", "client_secret"]`. */
  readonly resultSecrets: readonly (readonly string[])[];
  readonly paramSecrets: readonly string[];
  /** Whether the documented result is no more than a hint. */
  readonly isHinted: boolean;
}

/** Returns the facts of all methods, as plain data: first those that are known exactly. */
export function allMethodFacts(): MethodFacts[] {
  return [
    ...methods.map((each: MethodDefinition) => ({
      ...factsOf(each),
      isContract: each.isContract,
      resultSecrets: secretPaths(toJsonSchema(each.result)),
    })),
    ...hintedMethods.map((each) => ({ ...factsOf(each), isHinted: true })),
  ];
}

function factsOf(definition: MethodDefinition | HintedMethod): MethodFacts {
  const {
    params,
    name,
    rules,
    scopes,
    scopesWhen,
    effect,
    isTrade,
    dryRunParam,
    rate,
    isOnSeveralObjects,
    isWebSocketOnly,
  } = definition;
  return {
    name,
    scopes,
    effect,
    rate,
    isContract: false,
    isHinted: false,
    ...(rules === undefined ? {} : { rules }),
    ...(scopesWhen === undefined ? {} : { scopesWhen }),
    ...(isTrade === undefined ? {} : { isTrade }),
    ...(dryRunParam === undefined ? {} : { dryRunParam }),
    ...(isOnSeveralObjects === undefined ? {} : { isOnSeveralObjects }),
    ...(isWebSocketOnly === undefined ? {} : { isWebSocketOnly }),
    resultSecrets: [],
    paramSecrets: secretPaths(toJsonSchema(params)).map((path) => path.join(".")),
  };
}

/** Returns what is told about each method to who writes requests, section by section. */
export function describedMethods(): MethodReference[] {
  return [...methods, ...hintedMethods].map((each: MethodDefinition | HintedMethod) => ({
    name: each.name,
    section: each.section,
    summary: each.summary,
    documentation: each.documentation,
    ...(each.isMainAccountOnly === undefined ? {} : { isMainAccountOnly: each.isMainAccountOnly }),
    ...(each.mayAskSecondFactor === undefined ? {} : { mayAskSecondFactor: each.mayAskSecondFactor }),
    ...("hint" in each ? { hint: oneLine(each.hint) } : {}),
  }));
}

/** Returns what is told about each channel. */
export function describedChannels(): ChannelReference[] {
  return [
    ...channelDefinitions.map(({ pattern, summary, access, scopes }) => ({ pattern, summary, access, scopes })),
    ...hintedChannels.map(({ hint, ...each }) => ({ ...each, hint: oneLine(hint) })),
  ].map((each) => (CHANNELS_NOT_AT_GATEWAY.has(each.pattern) ? { ...each, onlyAt: "native" } : each));
}

/** Returns the names of the methods that one kind of server alone offers. */
export function methodsOnlyAt(service: Service): readonly string[] {
  const all: readonly (MethodDefinition | HintedMethod)[] = [...methods, ...hintedMethods];
  return all
    .filter(({ name, onlyAt = NOT_AT_GATEWAY.has(name) ? "native" : undefined }) => onlyAt === service)
    .map(({ name }) => name);
}

/** Returns what the gateway has of its own about methods, by their names. */
export function gatewayReferences(): Readonly<Record<string, GatewayReference>> {
  const schemaOf = (schema: z.ZodType): JsonSchema => {
    const { $schema: _, ...node } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    return node;
  };
  const known = allMethodFacts().filter(({ name }) => !NOT_AT_GATEWAY.has(name));
  return Object.fromEntries(
    known.flatMap(({ name }) => {
      const params = Object.entries(GATEWAY_PARAMS).filter(([, { methods: names }]) => names.includes(name));
      const permission = GATEWAY_PERMISSIONS.find(({ methods: names }) => (names as readonly string[]).includes(name));
      const missing = PARAMS_NOT_AT_GATEWAY[name];
      const reference: GatewayReference = {
        ...(params.length === 0
          ? {}
          : { params: Object.fromEntries(params.map(([param, { schema }]) => [param, schemaOf(schema)])) }),
        ...(missing === undefined ? {} : { missingParams: missing }),
        ...(WEB_SOCKET_ONLY_AT_GATEWAY.has(name) ? { isWebSocketOnly: true } : {}),
        ...(permission === undefined ? {} : { permission: permission.permission, scope: permission.scope }),
      };
      return Object.keys(reference).length === 0 ? [] : [[name, reference]];
    }),
  );
}

/** Returns the notations of the shapes that hints name, by their names. */
export function namedShapes(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(SHAPES).map(([name, text]) => [name, oneLine(text)]));
}

/** Returns a notation without the spaces that only readers of the source need. */
function oneLine(hint: string): string {
  return hint.replaceAll(/\s+/g, "").trim();
}

/** The start of a pattern of a method, which may be written as a path (`bareMethod`). */
const METHOD_START = "^/*(api/v2/+)?";

/**
 * Returns the schema of `*.rpc.json`: plain JSON-RPC requests, one or an array of them. Members with a dollar sign are
 * ours.
 */
export function requestFileSchema(): JsonSchema {
  // Requests that act on the shared session are not sent from a file. Switching the account always needs confirmation,
  // and channels are followed for the file.
  const known: readonly (MethodDefinition | HintedMethod)[] = [...methods, ...hintedMethods];
  const offered = known.filter(
    (each) => each.effect !== "session" || /\/(?:exchange_token|(?:un)?subscribe)$/.test(each.name),
  );
  const request = {
    type: "object",
    description: "One JSON-RPC request.",
    defaultSnippets: [requestSnippet],
    required: ["method"],
    properties: {
      $schema: { type: "string", doNotSuggest: true },
      $file: fileSchema,
      $run: runSchema,
      jsonrpc: { const: "2.0", description: "Always 2.0." },
      id: {
        type: ["integer", "string"],
        description: "Your ID for this request in the file. The extension replaces it with its own when sending.",
      },
      // No names: the extension offers and explains them itself, with their sections, parameters, and costs. An editor
      // would offer each that stands here a second time, also as a constant of a condition.
      method: { type: "string", pattern: `${METHOD_START}(public|private)(/[A-Za-z0-9_]+)+$` },
      params: { type: "object", description: "Parameters of the method, by name." },
    },
    additionalProperties: false,
    allOf: offered.map((each) => ({
      if: { properties: { method: { pattern: `${METHOD_START}${each.name}$` } }, required: ["method"] },
      then: {
        properties: {
          params: {
            ...withPlaceholders(forEditors(z.toJSONSchema(each.params, { target: "draft-7", io: "input" }))),
            ...rulesForEditors(each),
            markdownDescription: methodMarkdown(each),
          },
        },
        ...(hasRequiredParams(each) ? { required: ["params"] } : {}),
      },
    })),
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "trading-rpc://schemas/rpc.schema.json",
    title: "JSON-RPC requests",
    description: "One JSON-RPC request, or an array of requests.",
    allowTrailingCommas: true,
    defaultSnippets: [
      requestSnippet,
      { label: "Requests", description: "An array of JSON-RPC requests", body: [requestSnippet.body] },
    ],
    if: { type: "array" },
    then: { type: "array", items: { $ref: "#/definitions/request" } },
    else: { $ref: "#/definitions/request" },
    definitions: { request, ...FILE_DEFINITIONS },
  };
}

const requestSnippet = {
  label: "Request",
  description: "A JSON-RPC request",
  body: { jsonrpc: "2.0", id: 1, method: "$1", params: {} },
};

/** Returns the schema of parameters, any of which may be a placeholder, whatever its type. */
function withPlaceholders(params: JsonSchema): JsonSchema {
  const properties = Object.entries((params["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return {
    ...params,
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, orPlaceholder(schema)])),
  };
}

function methodMarkdown(each: MethodDefinition | HintedMethod): string {
  return `${each.summary}\n\n${needsAndDoes(each)}\n\n[Documentation](${each.documentation})`;
}

function needsAndDoes({ scopes, scopesWhen, effect }: MethodDefinition | HintedMethod): string {
  const words = (names: readonly string[]): string => names.map((scope) => `\`${scope}\``).join(" or ");
  const otherwise =
    scopesWhen === undefined ? "" : `, or ${words(scopesWhen.scopes)} if \`${scopesWhen.param}\` is true`;
  return `Scope: ${scopes.length === 0 ? "none" : words(scopes) + otherwise} · ${EFFECT_WORDS[effect]}`;
}

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  read: "Read request",
  reduce: "Write request: cancels",
  write: "Write request",
  mass: "Write request: affects several objects",
  key: "Write request: changes API keys or access",
  money: "Write request: moves money or changes the wallet",
  session: "Acts on the connection",
};

function hasRequiredParams(each: MethodDefinition | HintedMethod): boolean {
  return !each.params.safeParse({}).success || (each.rules ?? []).some(({ kind }) => kind !== "needs");
}

/** Returns the rules between parameters in the language of JSON Schema. */
function rulesForEditors({ params, rules = [] }: MethodDefinition | HintedMethod): JsonSchema {
  const { required = [] } = z.toJSONSchema(params, { target: "draft-7", io: "input" });
  const stated = rules.flatMap((rule) => (rule.kind === "stated" ? [rule.param] : []));
  const needed = rules.flatMap((rule) => (rule.kind === "needs" ? [[rule.param, [rule.other]]] : []));
  const choices = rules.flatMap((rule) =>
    rule.kind === "oneOf" ? [{ anyOf: rule.params.map((param) => ({ required: [param] })) }] : [],
  );
  return {
    ...(stated.length === 0 ? {} : { required: [...required, ...stated] }),
    ...(needed.length === 0 ? {} : { dependencies: Object.fromEntries(needed) as Record<string, string[]> }),
    ...(choices.length === 0 ? {} : { allOf: choices }),
  };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-7", reused: "ref", io: "input" });
}

function descriptionOf(schema: unknown): string {
  return z.globalRegistry.get(schema as z.ZodType)?.description ?? innerDescription(schema);
}

function innerDescription(schema: unknown): string {
  return schema instanceof z.ZodOptional ? descriptionOf(schema.unwrap()) : "";
}

/**
 * Returns a schema for editors: suggested values become an enum that still allows any text. Bounds that only say "a
 * safe integer" go, because an editor would show them.
 */
function forEditors(schema: unknown): JsonSchema {
  return mapSchema(schema, (node) => {
    const { suggestedValues, suggestedDescriptions } = node;
    const rest = without(node, [
      "suggestedValues",
      "suggestedDescriptions",
      "isSecret",
      "unit",
      "patternName",
      "$schema",
    ]);
    if (rest["minimum"] === Number.MIN_SAFE_INTEGER) delete rest["minimum"];
    if (rest["maximum"] === Number.MAX_SAFE_INTEGER) delete rest["maximum"];
    if (suggestedValues === undefined) return rest;
    const descriptions = (suggestedDescriptions ?? {}) as Record<string, string>;
    const values = suggestedValues as string[];
    const { type, ...others } = rest;
    return {
      ...others,
      anyOf: [
        {
          enum: values,
          ...(suggestedDescriptions === undefined
            ? {}
            : { markdownEnumDescriptions: values.map((value) => descriptions[value] ?? "") }),
        },
        { type, doNotSuggest: true },
      ],
    };
  }) as JsonSchema;
}

function without(node: SchemaNode, names: readonly string[]): SchemaNode {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));
}

type SchemaNode = Record<string, unknown>;

function mapSchema(node: unknown, change: (node: SchemaNode) => SchemaNode): unknown {
  if (Array.isArray(node)) return node.map((each) => mapSchema(each, change));
  if (typeof node !== "object" || node === null) return node;
  const mapped = Object.entries(node).map(([key, value]) => [key, mapSchema(value, change)]);
  return change(Object.fromEntries(mapped) as SchemaNode);
}

/** Returns the paths to the members marked `isSecret` in a value of this schema. */
function secretPaths(root: JsonSchema): string[][] {
  const found: string[][] = [];
  const visit = (node: unknown, path: string[]): void => {
    if (typeof node !== "object" || node === null) return;
    const schema = node as SchemaNode;
    if (schema["isSecret"] === true) found.push(path);
    const reference = schema["$ref"];
    if (typeof reference === "string") visit(resolveReference(root, reference), path);
    for (const [name, member] of Object.entries((schema["properties"] ?? {}) as SchemaNode))
      visit(member, [...path, name]);
    visit(schema["items"], [...path, "*"]);
    for (const branch of [...((schema["anyOf"] ?? []) as unknown[]), ...((schema["allOf"] ?? []) as unknown[])])
      visit(branch, path);
  };
  visit(root, []);
  return found;
}

function resolveReference(root: JsonSchema, reference: string): unknown {
  let node: unknown = root;
  for (const part of reference.replace(/^#\//, "").split("/")) node = (node as SchemaNode)[part];
  return node;
}

/*
 * The frames of the wire. https://docs.deribit.com/articles/json-rpc-overview
 * Everything beyond `jsonrpc` is loose: responses carry usIn, usOut, usDiff and testnet, but not always.
 */

const timing = {
  usIn: z.int().meta({ description: "When the request arrived, µs since the Unix epoch." }).optional(),
  usOut: z.int().meta({ description: "When the response left, µs since the Unix epoch." }).optional(),
  usDiff: z.int().meta({ description: "Time spent at the exchange, in µs." }).optional(),
  testnet: z.boolean().meta({ description: "Whether the server is testnet." }).optional(),
};

const id = z.union([z.int(), z.string()]).optional();

export const successFrame = z.looseObject({ jsonrpc: z.literal("2.0"), id, result: z.unknown(), ...timing });

export const errorFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id,
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  ...timing,
});

export const subscriptionFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.literal("subscription"),
  params: z.looseObject({ channel: z.string(), data: z.unknown() }),
});

export const heartbeatFrame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.literal("heartbeat"),
  params: z.looseObject({ type: z.enum(["heartbeat", "test_request"]) }),
});
