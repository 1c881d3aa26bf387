import { isObject } from "../base/json.ts";
import { findProblems, resolveReference, type SchemaNode } from "./problems.ts";

/*
 * What is received, as the program works with it. Null is a member that is not there, and so is one of another type:
 * what is required decides alone whether there is anything to work with. What was received stays beside it, to be
 * shown.
 */

/** The key of the received object. A symbol is not compared, copied or sent with the members. */
const RECEIVED = Symbol("received");

/**
 * Returns the part of a value of a schema that may be worked with: the same value where all of it fits. Undefined where
 * something required does not fit.
 */
export function fittingValue(root: SchemaNode, schema: SchemaNode, value: unknown): unknown {
  const { $ref: reference, allOf, anyOf, type } = schema;
  if (typeof reference === "string") return fittingValue(root, resolveReference(root, reference), value);
  if (Array.isArray(allOf))
    return allOf.reduce<unknown>(
      (read, branch) => (read === undefined ? undefined : fittingValue(root, branch as SchemaNode, read)),
      value,
    );
  if (Array.isArray(anyOf)) {
    const readings = anyOf.map((branch) => fittingValue(root, branch as SchemaNode, value));
    return readings.find((each) => each === value) ?? readings.find((each) => each !== undefined);
  }
  if (type === "array" && Array.isArray(value)) return fittingItems(root, schema, value);
  if (type === "object" && isObject(value)) return fittingMembers(root, schema, value);
  return findProblems(root, schema, value, true).some(({ severity }) => severity === "error") ? undefined : value;
}

/** Returns an object as it was received, where that differs from the one that is worked with. */
export function receivedOf(object: object): object {
  return (object as { readonly [RECEIVED]?: object })[RECEIVED] ?? object;
}

/** Returns the object with its received form attached. */
export function withReceived<T extends object>(object: T, received: object): T {
  return Object.defineProperty(object, RECEIVED, { value: received });
}

/**
 * Returns an object without its nulls, if all other members fit. There are thousands of such objects, and mostly
 * nothing has to be removed. Undefined for nested objects, which `fittingValue` reads.
 */
export function withoutNulls(value: object): object | undefined {
  const members = value as Readonly<Record<string, unknown>>;
  let hasNull = false;
  for (const name in members) {
    const member = members[name];
    if (member === null) hasNull = true;
    else if (typeof member === "object" || name === "__proto__") return undefined;
  }
  if (!hasNull) return value;
  const read: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== null) read[name] = members[name];
  return withReceived(read, value);
}

function fittingItems(root: SchemaNode, { items = {} }: SchemaNode, value: readonly unknown[]): unknown {
  const read = value.map((item) => fittingValue(root, items as SchemaNode, item));
  // A list without one of its parts would say something else.
  if (read.includes(undefined)) return undefined;
  return read.every((item, index) => item === value[index]) ? value : read;
}

function fittingMembers(root: SchemaNode, schema: SchemaNode, value: Readonly<Record<string, unknown>>): unknown {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, SchemaNode>>;
  let isWhole = true;
  const read: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const fitted = fittingMember(root, known, member);
    if (fitted === undefined && member !== null && known?.["isIdentity"] === true) return undefined;
    if (fitted !== member) isWhole = false;
    if (fitted !== undefined) read.push([name, fitted]);
  }
  const members: Readonly<Record<string, unknown>> = isWhole ? value : Object.fromEntries(read);
  const isMissing = (name: string): boolean => !Object.hasOwn(members, name) || members[name] === undefined;
  if (((schema["required"] ?? []) as readonly string[]).some(isMissing)) return undefined;
  return isWhole ? value : withReceived(members, receivedOf(value));
}

function fittingMember(root: SchemaNode, schema: SchemaNode | undefined, value: unknown): unknown {
  if (value === null) return undefined;
  return schema === undefined ? value : fittingValue(root, schema, value);
}
