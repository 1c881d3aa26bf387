import type { SchemaNode } from "../src/catalogue/problems.ts";
import { shapeElement, shapeMembers, shapeTypes, shapeValues } from "../src/catalogue/reference/resultShape.ts";

/** A result of this shape: every documented member, one element in each array, the first documented value of each. */
export function sampleOf(schema: SchemaNode): unknown {
  const members = shapeMembers(schema);
  const element = shapeElement(schema);
  const [value] = shapeValues(schema);
  const types = shapeTypes(schema);
  if (element !== undefined) return [sampleOf(element)];
  if (members.length > 0)
    return Object.fromEntries(members.map(({ name, schema: member }) => [name, sampleOf(member)]));
  if (value !== undefined) return JSON.parse(value) as unknown;
  if (types.includes("integer") || types.includes("number")) return 1;
  if (types.includes("boolean")) return true;
  if (types.includes("string")) return "x";
  return types.includes("array") ? [] : {};
}

/** A place in a result. */
export type ResultPath = readonly (string | number)[];

/** The places of all documented members of a shape, from the outside in; of arrays those of the first element. */
export function memberPaths(schema: SchemaNode, path: ResultPath = []): readonly ResultPath[] {
  const element = shapeElement(schema);
  if (element !== undefined) return memberPaths(element, [...path, 0]);
  return shapeMembers(schema).flatMap(({ name, schema: member }) => [
    [...path, name],
    ...memberPaths(member, [...path, name]),
  ]);
}

/** The value at a place. */
export function valueAt(value: unknown, path: ResultPath): unknown {
  return path.reduce((found: unknown, step) => (found as Record<string | number, unknown>)[step], value);
}

/** A copy with another value at a place; without the member where that is undefined. */
export function withValue(value: unknown, path: ResultPath, next: unknown): unknown {
  const copy = structuredClone(value);
  const last = path.at(-1);
  if (last === undefined) return next;
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  if (next === undefined) Reflect.deleteProperty(holder, last);
  else holder[last] = next;
  return copy;
}
