import * as z from "zod";
import { channelDefinitions, methods } from "./definitions.ts";
import { errorFrame, heartbeatFrame, subscriptionFrame, successFrame } from "./frames.ts";
import type { MethodDefinition } from "./method.ts";

/*
 * Build time only: the catalogue as JSON Schema. One document for the checks that ship (compiled from it), one for
 * editors (`media/rpc.schema.json`).
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Name of a shared schema in the document of checks, for the parts of a method or channel. */
export const paramsKey = (name: string): string => `params ${name}`;
export const resultKey = (name: string): string => `result ${name}`;
export const eventKey = (pattern: string): string => `event ${pattern}`;

/** One JSON Schema document whose `properties` are everything that has to be checked at run time. */
export function checkedSchemas(): JsonSchema {
  const shape: Record<string, z.ZodType> = { successFrame, errorFrame, subscriptionFrame, heartbeatFrame };
  for (const each of methods) {
    shape[paramsKey(each.name)] = each.params;
    shape[resultKey(each.name)] = each.result;
  }
  for (const each of channelDefinitions) shape[eventKey(each.pattern)] = each.data;
  return toJsonSchema(z.object(shape));
}

/** The table that ships: a method without its schemas. */
export interface MethodFacts extends Omit<MethodDefinition, "params" | "result"> {
  readonly params: Readonly<Record<string, ParamFacts>>;
  /** Paths of secret members in the result, `*` for any index, e.g. `["*", "client_secret"]`. */
  readonly resultSecrets: readonly (readonly string[])[];
  readonly paramSecrets: readonly string[];
}

/** What is known of a parameter without its schema. */
export interface ParamFacts {
  readonly description: string;
  readonly isRequired: boolean;
}

/** All methods as plain data. */
export function methodFacts(): MethodFacts[] {
  return methods.map((each: MethodDefinition) => {
    const { params, result, ...facts } = each;
    const described = Object.entries(params.shape).map(([name, schema]) => [
      name,
      { description: descriptionOf(schema), isRequired: !z.safeParse(schema, undefined).success },
    ]);
    return {
      ...facts,
      params: Object.fromEntries(described) as Record<string, ParamFacts>,
      resultSecrets: secretPaths(toJsonSchema(result)),
      paramSecrets: secretPaths(toJsonSchema(params)).map((path) => path.join(".")),
    };
  });
}

/** The schema of `*.rpc.json`: plain JSON-RPC requests, one or an array of them. */
export function requestFileSchema(): JsonSchema {
  const request = {
    type: "object",
    required: ["method"],
    properties: {
      $schema: { type: "string", doNotSuggest: true },
      jsonrpc: { const: "2.0", description: "Always 2.0." },
      id: { type: "integer", description: "Your number for this request within the file; on the wire the session uses its own." },
      method: {
        description: "Name of the method: public/… or private/…",
        anyOf: [
          { enum: methods.map((each) => each.name), markdownEnumDescriptions: methods.map(methodMarkdown) },
          { type: "string", pattern: "^(public|private)/[a-z0-9_]+$", doNotSuggest: true },
        ],
      },
      params: { type: "object", description: "Parameters of the method, by name." },
    },
    patternProperties: { "^\\$": {} },
    additionalProperties: false,
    allOf: methods.map((each) => ({
      if: { properties: { method: { const: each.name } }, required: ["method"] },
      then: {
        properties: { params: { ...forEditors(toJsonSchema(each.params)), markdownDescription: methodMarkdown(each) } },
        ...(hasRequiredParams(each) ? { required: ["params"] } : {}),
      },
    })),
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "trading-rpc://schemas/rpc.schema.json",
    title: "JSON-RPC requests",
    description: "One JSON-RPC request, or an array of requests that are sent one after another.",
    allowTrailingCommas: true,
    if: { type: "array" },
    then: { type: "array", items: { $ref: "#/definitions/request" } },
    else: { $ref: "#/definitions/request" },
    definitions: { request },
  };
}

function methodMarkdown(each: MethodDefinition): string {
  const scopes = each.scopes.length === 0 ? "none" : each.scopes.map((scope) => `\`${scope}\``).join(" or ");
  return `${each.summary}\n\nScope: ${scopes} · Effect: ${each.effect}\n\n[Documentation](${each.documentation})`;
}

function hasRequiredParams(each: MethodDefinition): boolean {
  return !each.params.safeParse({}).success;
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
 * For editors: suggested values become an enum beside any text, and the bounds that only say "a safe integer" go,
 * because an editor would show them.
 */
function forEditors(schema: unknown): JsonSchema {
  return mapSchema(schema, (node) => {
    const { suggestedValues, suggestedDescriptions } = node;
    const rest = without(node, ["suggestedValues", "suggestedDescriptions", "isSecret", "unit", "$schema"]);
    if (rest["minimum"] === Number.MIN_SAFE_INTEGER) delete rest["minimum"];
    if (rest["maximum"] === Number.MAX_SAFE_INTEGER) delete rest["maximum"];
    if (suggestedValues === undefined) return rest;
    const descriptions = (suggestedDescriptions ?? {}) as Record<string, string>;
    const values = suggestedValues as string[];
    const { type, ...others } = rest;
    return {
      ...others,
      anyOf: [{ enum: values, markdownEnumDescriptions: values.map((value) => descriptions[value] ?? "") }, { type, doNotSuggest: true }],
    };
  }) as JsonSchema;
}

/** The same schema without what only people and editors read. */
export function withoutNotes(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (node) => {
    return without(node, ["description", "suggestedValues", "suggestedDescriptions", "isSecret", "unit", "$schema"]);
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

/** Where in a value of this schema the members marked `isSecret` are. */
function secretPaths(root: JsonSchema): string[][] {
  const found: string[][] = [];
  const visit = (node: unknown, path: string[]): void => {
    if (typeof node !== "object" || node === null) return;
    const schema = node as SchemaNode;
    if (schema["isSecret"] === true) found.push(path);
    const reference = schema["$ref"];
    if (typeof reference === "string") visit(resolveReference(root, reference), path);
    for (const [name, member] of Object.entries((schema["properties"] ?? {}) as SchemaNode)) visit(member, [...path, name]);
    visit(schema["items"], [...path, "*"]);
    for (const branch of [...((schema["anyOf"] ?? []) as unknown[]), ...((schema["allOf"] ?? []) as unknown[])]) visit(branch, path);
  };
  visit(root, []);
  return found;
}

function resolveReference(root: JsonSchema, reference: string): unknown {
  let node: unknown = root;
  for (const part of reference.replace(/^#\//, "").split("/")) node = (node as SchemaNode)[part];
  return node;
}
