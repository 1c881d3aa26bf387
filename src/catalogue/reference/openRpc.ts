import type { SchemaNode } from "../problems.ts";
import type { MethodEntry } from "./methodTable.ts";
import { plainSchema } from "./plainSchema.ts";
import { paramsSchemaOf } from "./reference.ts";

/** The facts of an OpenRPC document apart from its methods. */
interface OpenRpcHead {
  /** The version of this program: the exchange has none for its methods that changes with them. */
  readonly version: string;
  readonly servers: readonly { readonly name: string; readonly url: string }[];
}

/** English, like the summaries of the methods. */
const TITLE = "Deribit JSON-RPC API";
const DESCRIPTION =
  "Unofficial. Written by Trading RPC from its table of methods. A result with x-resultIsExact false is as documented, and responses can differ.";

/**
 * Returns the methods as an OpenRPC document. Objects that several methods have are in `components.schemas`. What
 * OpenRPC has no place for is in members that begin with `x-`. https://spec.open-rpc.org
 */
export function openRpcDocument(head: OpenRpcHead, entries: readonly MethodEntry[]): SchemaNode {
  const { schemas, share } = sharedSchemas(entries);
  return {
    openrpc: "1.3.2",
    info: { title: TITLE, description: DESCRIPTION, version: head.version },
    servers: head.servers,
    methods: entries.map((entry) => methodObject(entry, share)),
    components: { schemas },
  };
}

function methodObject(entry: MethodEntry, share: (schema: SchemaNode) => SchemaNode): SchemaNode {
  const { name, section, summary, params, result, documentation, rules, scopeWhen } = entry;
  const schemas = paramSchemas(name);
  const isLast = (required: boolean): number => (required ? 0 : 1);
  return {
    name,
    summary,
    tags: [{ name: section }],
    paramStructure: "by-name",
    // In OpenRPC, parameters that can be left out come last.
    params: params
      .toSorted((left, right) => isLast(left.required) - isLast(right.required))
      .map((param) => ({
        name: param.name,
        description: param.description ?? "",
        required: param.required,
        schema: share(schemas[param.name] ?? {}),
      })),
    result: { name: "result", schema: share(result) },
    externalDocs: { url: documentation },
    "x-access": entry.access,
    "x-scope": entry.scope,
    ...(scopeWhen === undefined ? {} : { "x-scopeWhen": scopeWhen }),
    "x-effect": entry.effect,
    "x-rate": entry.rate,
    "x-webSocketOnly": entry.webSocketOnly,
    "x-mainAccountOnly": entry.mainAccountOnly,
    "x-mayAskSecondFactor": entry.mayAskSecondFactor,
    "x-resultIsExact": entry.resultIsExact,
    ...(rules === undefined ? {} : { "x-rules": rules }),
  };
}

/**
 * Returns the schemas of the parameters of a method by name. Known values of an open text are examples: a reader must
 * accept others.
 */
function paramSchemas(method: string): Readonly<Record<string, SchemaNode>> {
  const { properties = {} } = plainSchema(paramsSchemaOf(method) ?? {});
  return properties as Readonly<Record<string, SchemaNode>>;
}

/** The least length of an object's text that is worth a name. */
const WORTH_A_NAME = 120;

interface SharedSchemas {
  readonly schemas: Readonly<Record<string, SchemaNode>>;
  /** Returns a schema with references in the place of shared objects. */
  readonly share: (schema: SchemaNode) => SchemaNode;
}

/** Finds the objects that are there more than once. Each is named after the first member or method that has it. */
function sharedSchemas(entries: readonly MethodEntry[]): SharedSchemas {
  const found = new Map<string, { readonly name: string; count: number; readonly schema: SchemaNode }>();
  const visit = (schema: SchemaNode, name: string): void => {
    for (const [child, childName] of childrenOf(schema, name)) visit(child, childName);
    if (!isObject(schema)) return;
    const text = JSON.stringify(schema);
    if (text.length < WORTH_A_NAME) return;
    const known = found.get(text) ?? { name, count: 0, schema };
    known.count += 1;
    found.set(text, known);
  };
  for (const { name, result } of entries) {
    for (const [param, schema] of Object.entries(paramSchemas(name))) visit(schema, param);
    visit(result, `${name.split("/").at(-1) ?? name}_result`);
  }
  const names = new Map<string, string>();
  for (const [text, { name, count }] of found) if (count > 1) names.set(text, freeName(name, new Set(names.values())));
  const share = (schema: SchemaNode): SchemaNode => {
    const name = isObject(schema) ? names.get(JSON.stringify(schema)) : undefined;
    return name === undefined ? withChildren(schema, share) : { $ref: `#/components/schemas/${name}` };
  };
  const schemas = [...names].map(([text, name]): [string, SchemaNode] => {
    return [name, { title: name, ...withChildren(found.get(text)?.schema ?? {}, share) }];
  });
  return { schemas: Object.fromEntries(schemas), share };
}

function isObject({ properties }: SchemaNode): boolean {
  return properties !== undefined;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${name}_${String(count)}`;
    if (!taken.has(tried)) return tried;
  }
}

/** Returns the schemas right within a schema, each with a name. */
function childrenOf(schema: SchemaNode, name: string): readonly (readonly [schema: SchemaNode, name: string])[] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema;
  const parts = [...(anyOf as readonly SchemaNode[]), ...(allOf as readonly SchemaNode[])];
  return [
    ...Object.entries(properties as Readonly<Record<string, SchemaNode>>).map(([key, each]) => [each, key] as const),
    ...(items === undefined ? [] : [[items as SchemaNode, `${name}_item`] as const]),
    ...parts.map((part) => [part, name] as const),
  ];
}

function withChildren(schema: SchemaNode, change: (child: SchemaNode) => SchemaNode): SchemaNode {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === "items") return [name, change(value as SchemaNode)];
      if (name === "anyOf" || name === "allOf") return [name, (value as readonly SchemaNode[]).map(change)];
      if (name !== "properties") return [name, value];
      const members = Object.entries(value as Readonly<Record<string, SchemaNode>>);
      return [name, Object.fromEntries(members.map(([key, each]) => [key, change(each)]))];
    }),
  );
}
