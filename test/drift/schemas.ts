/* JSON Schema, as far as documents of the exchange use it. */

export type SchemaNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the choices that a node consists of: itself, or those of anyOf, oneOf, and allOf. */
function branchesOf(node: SchemaNode): readonly SchemaNode[] {
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((name) =>
    Array.isArray(node[name]) ? (node[name] as unknown[]) : [],
  );
  return parts.length === 0 ? [node] : [node, ...parts.filter(isNode).flatMap(branchesOf)];
}

/** Returns the types that a node allows; empty where it does not say. */
export function typesOf(node: SchemaNode): readonly string[] {
  const types = branchesOf(node).flatMap(({ type, nullable }) => [
    ...(Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type]).map(String),
    ...(nullable === true ? ["null"] : []),
  ]);
  return [...new Set(types)].toSorted();
}

/** Returns the values that a node lists; undefined where it lists none. `names`: the members with lists. */
export function valuesOf(node: SchemaNode, names: readonly string[]): readonly string[] | undefined {
  const lists = branchesOf(node).flatMap((each) =>
    names.flatMap((name) => (Array.isArray(each[name]) ? [each[name]] : [])),
  );
  return lists.length === 0 ? undefined : [...new Set((lists as unknown[][]).flat().map(String))].toSorted();
}

export function itemsOf(node: SchemaNode): SchemaNode | undefined {
  return branchesOf(node).flatMap(({ items }) => (isNode(items) ? [items] : []))[0];
}

export function propertiesOf(node: SchemaNode): Readonly<Record<string, SchemaNode>> | undefined {
  const found = branchesOf(node).flatMap(({ properties }) => (isNode(properties) ? [properties] : []));
  return found.length === 0 ? undefined : (Object.assign({}, ...found) as Readonly<Record<string, SchemaNode>>);
}

/** Returns a function that replaces references within a document, however they are nested. */
export function resolverOf(document: unknown): (node: unknown) => unknown {
  const lookUp = (reference: string): unknown =>
    reference
      .replace(/^#\//, "")
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((value, part) => (isNode(value) ? value[part] : undefined), document);
  const resolve = (node: unknown, open: readonly string[] = []): unknown => {
    if (Array.isArray(node)) return node.map((each) => resolve(each, open));
    if (!isNode(node)) return node;
    const { $ref: reference } = node;
    if (typeof reference === "string")
      return open.includes(reference) ? {} : resolve(lookUp(reference), [...open, reference]);
    return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, resolve(each, open)]));
  };
  return (node) => resolve(node);
}
