import { CHECKED_SCHEMAS } from "./generated/schemas.ts";
import { methodFacts } from "./index.ts";
import type { SchemaNode } from "./problems.ts";

/** The facts of a parameter, for features that help to write one. */
export interface ParamFacts {
  readonly name: string;
  /**
   * Whether a call that lacks the parameter is refused: by its schema, or because it has to be stated. True too for the
   * first of several of which one is needed.
   */
  readonly isRequired: boolean;
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** The least and the largest allowed value of a number; undefined without a bound. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The values that an editor offers from the schema, in their order. */
  readonly values: readonly unknown[];
}

/**
 * Returns the parameters of a method in the order of its documentation; empty for one that the catalogue does not know.
 */
export function paramFactsOf(method: string): readonly ParamFacts[] {
  const schema = whole(
    (CHECKED_SCHEMAS["properties"] as Readonly<Record<string, SchemaNode>>)[`params ${method}`] ?? {},
  );
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  for (const rule of methodFacts(method)?.rules ?? []) {
    if (rule.kind === "stated") required.add(rule.param);
    const [first] = rule.kind === "oneOf" ? rule.params : [];
    if (first !== undefined) required.add(first);
  }
  return Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>).map(([name, node]) =>
    factsOf(name, whole(node), required.has(name)),
  );
}

function factsOf(name: string, schema: SchemaNode, isRequired: boolean): ParamFacts {
  const { minimum, maximum } = schema;
  return {
    name,
    isRequired,
    type: typeOf(schema),
    least: typeof minimum === "number" ? minimum : undefined,
    most: typeof maximum === "number" ? maximum : undefined,
    values: valuesOf(schema),
  };
}

function typeOf(schema: SchemaNode): ParamFacts["type"] {
  const { type } = schema;
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean" || type === "array" || type === "object") return type;
  const [first] = alternatives(schema);
  return type === undefined && first !== undefined ? typeOf(first) : "string";
}

function valuesOf(schema: SchemaNode): readonly unknown[] {
  const own = schema["enum"] ?? schema["suggestedValues"];
  return [...(Array.isArray(own) ? (own as readonly unknown[]) : []), ...alternatives(schema).flatMap(valuesOf)];
}

function alternatives(schema: SchemaNode): readonly SchemaNode[] {
  return ((schema["anyOf"] ?? []) as readonly SchemaNode[]).map(whole);
}

/** Returns a schema with the target of its reference, and with the parts that it is made of. */
function whole(schema: SchemaNode): SchemaNode {
  const { $ref: reference, allOf, ...rest } = schema;
  const definitions = CHECKED_SCHEMAS["definitions"] as Readonly<Record<string, SchemaNode>>;
  const referred = typeof reference === "string" ? whole(definitions[reference.split("/").at(-1) ?? ""] ?? {}) : {};
  const parts = ((allOf ?? []) as readonly SchemaNode[]).map(whole);
  return Object.assign({}, referred, ...parts, rest) as SchemaNode;
}
