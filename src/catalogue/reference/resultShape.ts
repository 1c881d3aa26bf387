import { plain, type Plain } from "../../base/plain.ts";
import type { SchemaNode } from "../problems.ts";

/*
 * What can be told of a result before it is there, from its exact schema or its documented hint: the schemas of
 * `resultSchemaOf`, in which all references are resolved.
 */

/** A member of an object, as it is documented. */
export interface ShapeMember {
  readonly name: string;
  readonly schema: SchemaNode;
}

/** A step into a result: a member, or any element of an array. */
type ShapeStep = string | number;

/** Returns the members of the objects that a schema describes, each name once, in their documented order. */
export function shapeMembers(schema: SchemaNode): readonly ShapeMember[] {
  const members = new Map<string, SchemaNode>();
  for (const part of partsOf(schema))
    for (const [name, member] of Object.entries((part["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>))
      if (!members.has(name)) members.set(name, member);
  return [...members].map(([name, member]) => ({ name, schema: member }));
}

/** Returns the schema of the elements of the arrays that a schema describes; undefined where it describes none. */
export function shapeElement(schema: SchemaNode): SchemaNode | undefined {
  const elements = partsOf(schema).flatMap((part) =>
    part["type"] === "array" ? [(part["items"] ?? {}) as SchemaNode] : [],
  );
  const [first] = elements;
  return elements.length > 1 ? { anyOf: elements } : first;
}

/** Returns the schema at a place of a result; undefined where nothing is documented there. */
export function shapeAt(schema: SchemaNode | undefined, steps: readonly ShapeStep[]): SchemaNode | undefined {
  let node = schema;
  for (const step of steps) {
    if (node === undefined) return undefined;
    node = typeof step === "number" ? shapeElement(node) : shapeMembers(node).find(({ name }) => name === step)?.schema;
  }
  return node;
}

/** Returns the JSON types that a value can have; empty where none is documented. */
export function shapeTypes(schema: SchemaNode): readonly string[] {
  return [...new Set(partsOf(schema).flatMap(typesOf))];
}

function typesOf({ type, ...node }: SchemaNode): readonly string[] {
  if (typeof type === "string") return [type];
  if (node["properties"] !== undefined) return ["object"];
  const values = node["enum"] ?? ("const" in node ? [node["const"]] : []);
  return (values as readonly unknown[]).map((value) => (value === null ? "null" : typeof value));
}

/** Returns the values that are documented for a value, as they are written in JSON. */
export function shapeValues(schema: SchemaNode): readonly string[] {
  return partsOf(schema).flatMap((part) => {
    const values = part["enum"] ?? part["suggestedValues"] ?? ("const" in part ? [part["const"]] : []);
    return (values as readonly unknown[]).map((value) => JSON.stringify(value));
  });
}

/** Returns the description of a value; empty where there is none. */
export function shapeDescription(schema: SchemaNode): string {
  const [found] = partsOf(schema).flatMap(({ description }) => (typeof description === "string" ? [description] : []));
  return found ?? "";
}

/**
 * Returns a shape in few words, for people: `{ order: { … }, trades: [{ … }] }`. Objects are told to one level, and to
 * as many members as there is room for.
 */
export function shapeText(schema: SchemaNode, levels = 1): Plain {
  const element = shapeElement(schema);
  const members = shapeMembers(schema);
  const objects = members.length === 0 ? [] : [objectText(members, levels)];
  const arrays = element === undefined ? [] : [plain`[${shapeText(element, levels)}]`];
  const values = shapeValues(schema);
  const types = shapeTypes(schema).filter(
    (type) => type !== "array" && type !== "null" && !(type === "object" && members.length > 0),
  );
  const scalars = values.length > 0 && values.length <= MAX_VALUES ? values : types;
  const shapes = new Set([...objects, ...arrays, ...scalars.map((scalar) => plain.text(scalar))]);
  return shapes.size === 0 ? plain`…` : plain.join([...shapes], " | ");
}

function objectText(members: readonly ShapeMember[], levels: number): Plain {
  if (levels === 0) return plain`{ … }`;
  const told = members
    .slice(0, MAX_MEMBERS)
    .map(({ name, schema }) => plain`${plain.text(name)}: ${shapeText(schema, levels - 1)}`);
  return plain`{ ${plain.join([...told, ...(members.length > MAX_MEMBERS ? [plain`…`] : [])], ", ")} }`;
}

const MAX_MEMBERS = 12;
const MAX_VALUES = 4;

/** Returns the schemas that a value of a schema fits all or one of, without those that are made of others. */
function partsOf(schema: SchemaNode): readonly SchemaNode[] {
  const {
    allOf = [],
    anyOf = [],
    ...own
  } = schema as {
    readonly allOf?: readonly SchemaNode[];
    readonly anyOf?: readonly SchemaNode[];
  };
  const parts = [...allOf, ...anyOf].flatMap(partsOf);
  return [own, ...parts];
}
