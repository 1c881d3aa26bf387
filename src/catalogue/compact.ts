import type { JsonSchema } from "./fileSchema.ts";

/*
 * Build time only: what ships of the schemas is as small as it can be without being code. Most of a catalogue is the
 * same four types again and again.
 */

type Node = Record<string, unknown>;

/** The members that say nothing at run time. */
const NOTES = ["suggestedDescriptions", "isSecret", "unit", "$schema"];

/** The least length of a definition that keeps its name. A shorter one is written out where it is used. */
const WORTH_A_NAME = 48;

/**
 * Returns the document without what says nothing at run time. An `integer` of the result is one that is exact.
 * `isDescribed`: the descriptions stay, for what tells people about the schemas.
 */
export function compactSchemas(document: JsonSchema, isDescribed = false): JsonSchema {
  const notes = isDescribed ? NOTES : [...NOTES, "description"];
  const { definitions, properties } = document as { readonly definitions?: Node; readonly properties: Node };
  const open = stripMembers(definitions ?? {}, false, notes);
  // Suggested values and patterns are kept for parameters, which a user writes, and removed from results.
  const stripped = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, strip(schema, name.startsWith("params "), notes)]),
  );
  const strict = stripMembers(definitions ?? {}, true, notes);
  const found = new Map<string, { readonly id: string; readonly schema: unknown }>();
  const link = (node: unknown, sources: Node): unknown => {
    if (Array.isArray(node)) return node.map((each) => link(each, sources));
    if (typeof node !== "object" || node === null) return node;
    const reference = (node as Node)["$ref"];
    if (typeof reference !== "string")
      return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, link(each, sources)]));
    const schema = link(sources[reference.split("/").at(-1) ?? ""], sources);
    const text = JSON.stringify(schema);
    if (text.length < WORTH_A_NAME) return schema;
    const known = found.get(text) ?? { id: `d${String(found.size)}`, schema };
    found.set(text, known);
    return { $ref: `#/definitions/${known.id}` };
  };
  const linked = Object.fromEntries(
    Object.entries(stripped).map(([name, schema]) => [name, link(schema, name.startsWith("params ") ? strict : open)]),
  );
  return {
    definitions: Object.fromEntries([...found.values()].map(({ id, schema }) => [id, schema])),
    properties: linked,
  };
}

/** Returns the document as the source of an expression, in which the letters of `SCALARS` stand for the usual types. */
export function schemaSource(document: JsonSchema): string {
  return Object.entries(SCALARS)
    .reduce((text, [letter, schema]) => text.replaceAll(schema, letter), JSON.stringify(document))
    .replaceAll(/\{"\$ref":"#\/definitions\/(\w+)"\}/g, 'R("$1")');
}

const SCALARS = {
  S: '{"type":"string"}',
  N: '{"type":"number"}',
  I: '{"type":"integer"}',
  B: '{"type":"boolean"}',
  T: '{"type":"string","minLength":1}',
} as const;

/** Returns the declarations of the letters that a schema's source has, and of the references. */
export function scalarSource(source: string): string {
  return [
    ...Object.entries(SCALARS).flatMap(([letter, schema]) =>
      new RegExp(`[:,[]${letter}[,\\]}]`).test(source) ? [`const ${letter}: SchemaNode = ${schema};`] : [],
    ),
    'const R = (name: string): SchemaNode => ({ $ref: "#/definitions/" + name });',
  ].join("\n");
}

function stripMembers(members: Node, isParams: boolean, notes: readonly string[]): Node {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, strip(schema, isParams, notes)]));
}

function strip(node: unknown, isParams: boolean, notes: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((each) => strip(each, isParams, notes));
  if (typeof node !== "object" || node === null) return node;
  // A text or null: one of two schemas, like every other choice.
  const { type } = node as Node;
  if (Array.isArray(type)) return { anyOf: type.map((each) => ({ type: each as string })) };
  const members = Object.entries(node as Node).filter(
    ([name, value]) => !notes.includes(name) && isTold(name, value, isParams),
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === "properties" ? stripMembers(value as Node, isParams, notes) : strip(value, isParams, notes),
    ]),
  );
}

function isTold(name: string, value: unknown, isParams: boolean): boolean {
  if (name === "suggestedValues" || name === "patternName") return isParams;
  if (name === "additionalProperties") return value === false;
  return value !== Number.MIN_SAFE_INTEGER && value !== Number.MAX_SAFE_INTEGER;
}
