import { methodFacts } from "../index.ts";
import { paramsNodeOf, resolvedNode } from "./reference.ts";
import type { SchemaNode } from "../problems.ts";

/** The facts of a parameter, for features that help to write one. */
export interface ParamFacts {
  readonly name: string;
  /** A sentence that describes the parameter. */
  readonly description: string;
  /**
   * Whether a call that lacks the parameter is refused: by its schema, or because it has to be stated. True too for the
   * first of several of which one is needed.
   */
  readonly isRequired: boolean;
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** The members of an object, or of the objects of an array; empty where they are not known. */
  readonly members: readonly ParamFacts[];
  /** The least and the largest allowed value of a number; undefined without a bound. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The values that an editor offers from the schema, in their order; for an array those of its items. */
  readonly values: readonly unknown[];
}

/**
 * Returns the parameters of a method in the order of its documentation; empty for one that the catalogue does not know.
 */
export function paramFactsOf(method: string): readonly ParamFacts[] {
  const schema = whole(paramsNodeOf(method) ?? {});
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  for (const rule of methodFacts(method)?.rules ?? []) {
    if (rule.kind === "stated") required.add(rule.param);
    const [first] = rule.kind === "oneOf" ? rule.params : [];
    if (first !== undefined) required.add(first);
  }
  return membersOf(schema, required);
}

function membersOf(schema: SchemaNode, required: ReadonlySet<string> = new Set()): readonly ParamFacts[] {
  return Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>).map(([name, node]) =>
    factsOf(name, whole(node), required.has(name)),
  );
}

function factsOf(name: string, schema: SchemaNode, isRequired: boolean): ParamFacts {
  const { minimum, maximum, description } = schema;
  const items = schema["items"] === undefined ? undefined : whole(schema["items"] as SchemaNode);
  return {
    name,
    description: typeof description === "string" ? description : "",
    isRequired,
    type: typeOf(schema),
    members: membersOf(items ?? schema),
    least: typeof minimum === "number" ? minimum : undefined,
    most: typeof maximum === "number" ? maximum : undefined,
    values: [...valuesOf(schema), ...(items === undefined ? [] : valuesOf(items))],
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
  const own = schema["enum"] ?? schema["suggestedValues"] ?? schema["examples"];
  return [...(Array.isArray(own) ? (own as readonly unknown[]) : []), ...alternatives(schema).flatMap(valuesOf)];
}

function alternatives(schema: SchemaNode): readonly SchemaNode[] {
  return ((schema["anyOf"] ?? []) as readonly SchemaNode[]).map(whole);
}

/** Returns a schema with the parts that it is made of, and what it refers to. */
function whole(schema: SchemaNode): SchemaNode {
  const node = resolvedNode(schema);
  if (node["allOf"] === undefined) return node;
  const { allOf, ...rest } = node;
  const parts = ((allOf ?? []) as readonly SchemaNode[]).map(whole);
  return Object.assign({}, ...parts, rest) as SchemaNode;
}
