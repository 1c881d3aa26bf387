import type { SchemaNode } from "../problems.ts";

/** The members of a node that only this program reads. */
const OWN_MEMBERS = ["suggestedValues", "patternName", "isIdentity", "additionalProperties"];

/**
 * Returns a schema without references as JSON Schema draft-07, without members of our own. Known values of an open text
 * become `examples`. An object may have members that the schema does not name. An array says what its items are, which
 * generators need.
 */
export function plainSchema(node: SchemaNode): SchemaNode {
  const { suggestedValues, allOf, ...rest } = node;
  const own = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => !OWN_MEMBERS.includes(name))
      .map(([name, value]) => [name, plainMember(name, value)]),
  );
  const parts = ((allOf ?? []) as readonly SchemaNode[]).map(plainSchema);
  const known = suggestedValues === undefined ? {} : { examples: suggestedValues };
  const items = node["type"] === "array" && node["items"] === undefined ? { items: {} } : {};
  // One part is what the node is made of; several have to hold together.
  return parts.length > 1 ? { ...own, ...known, ...items, allOf: parts } : { ...parts[0], ...own, ...known, ...items };
}

function plainMember(name: string, value: unknown): unknown {
  if (name === "items") return plainSchema(value as SchemaNode);
  if (name === "anyOf") return (value as readonly SchemaNode[]).map(plainSchema);
  if (name !== "properties") return value;
  const members = Object.entries(value as Readonly<Record<string, SchemaNode>>);
  return Object.fromEntries(members.map(([key, each]) => [key, plainSchema(each)]));
}
