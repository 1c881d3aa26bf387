import { resultSchemaOf } from "../../../../src/catalogue/reference/reference.ts";
import { shapeElement, shapeMembers } from "../../../../src/catalogue/reference/resultShape.ts";
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
