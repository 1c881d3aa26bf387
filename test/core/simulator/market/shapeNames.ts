import { resultSchemaOf } from "../../../../src/catalogue/reference/reference.ts";
import { shapeElement, shapeMembers, shapeTypes } from "../../../../src/catalogue/reference/resultShape.ts";
import type { SchemaNode } from "../../../../src/catalogue/problems.ts";

/** Returns the names of the members that a method's result is documented to have, those of members' members too. */
export function shapeNames(method: string): readonly string[] {
  return namesIn(resultSchemaOf(method) ?? {});
}

function namesIn(schema: SchemaNode): string[] {
  const element = shapeElement(schema);
  const own = shapeMembers(schema).flatMap(({ name, schema: member }) => [name, ...namesIn(member)]);
  return element === undefined ? own : [...own, ...namesIn(element)];
}

export function isRecordLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the places of a result whose values are of another type than the documented ones, in words. */
export function typeMisfits(method: string, result: unknown): string[] {
  return misfitsIn(resultSchemaOf(method) ?? {}, result, method);
}

function misfitsIn(schema: SchemaNode, value: unknown, place: string): string[] {
  const types = shapeTypes(schema);
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const isWhole = Number.isInteger(value) && types.includes("integer");
  if (types.length > 0 && !types.includes(type) && !isWhole) return [`${place} is ${type}, not ${types.join()}`];
  const members = isRecordLike(value) ? shapeMembers(schema) : [];
  const element = Array.isArray(value) ? shapeElement(schema) : undefined;
  return [
    ...members.flatMap(({ name, schema: member }) =>
      isRecordLike(value) && value[name] !== undefined ? misfitsIn(member, value[name], `${place}.${name}`) : [],
    ),
    ...(element === undefined || !Array.isArray(value)
      ? []
      : value.flatMap((each) => misfitsIn(element, each, `${place}[]`))),
  ];
}
