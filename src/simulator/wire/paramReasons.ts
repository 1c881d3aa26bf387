import type { Problem } from "../../base/failure.ts";
import { numberIn } from "../../base/json.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { withNumbers, type SchemaNode } from "../../catalogue/problems.ts";
import { checkAnyParams, paramsNodeOf, resolvedNode } from "../../catalogue/reference/reference.ts";
import { invalidParam } from "../text/errors.ts";

/**
 * Refuses parameters that break a rule of the catalogue, with -32602. Uses the exchange's own words where recorded
 * messages show them: "value must be a list", "invalid currency", "must be less than or equal to N". Parameters that
 * the method does not know are passed over. Returns the parameters, with numbers in quotes as numbers.
 */
export function readParams(method: string, params: Readonly<Record<string, unknown>>): typeof params {
  const problems = checkAnyParams(method, params);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem === undefined || isLeftToServer(method, problem, params)) return withNumbers(params, problems);
  const schema = paramsNodeOf(method) ?? {};
  const missing = ((schema["required"] ?? []) as readonly string[]).find((name) => params[name] === undefined);
  const [param = missing ?? "params"] = problem.path.map(String);
  throw invalidParam(param, reasonOf(param, propertyOf(schema, param) ?? {}, params[param]));
}

/**
 * Whether a problem is left to the server. A scope that was left out is not an error to the exchange: it takes it as
 * none.
 */
function isLeftToServer(method: string, { path }: Problem, params: Readonly<Record<string, unknown>>): boolean {
  const stated = methodFacts(method)?.rules?.some(({ kind }) => kind === "stated") ?? false;
  return stated && path.length === 0 && params["id"] !== undefined;
}

function reasonOf(param: string, schema: SchemaNode, value: unknown): string {
  if (value === undefined) return "value required";
  switch (schema["type"]) {
    case "array":
      return Array.isArray(value) ? listReason(schema, value) : "value must be a list";
    case "integer":
    case "number":
      return numberReason(schema, value);
    case "boolean":
      return "value must be a boolean";
    default:
      if (Array.isArray(schema["enum"])) return `invalid ${param}`;
      return typeof value === "string" ? "wrong format" : "value must be a string";
  }
}

function listReason(schema: SchemaNode, list: readonly unknown[]): string {
  if (list.length === 0) return "value must not be empty";
  return list.length > Number(schema["maxItems"] ?? Infinity)
    ? `too many values, at most ${String(schema["maxItems"])}`
    : "invalid format";
}

function numberReason(schema: SchemaNode, written: unknown): string {
  const value = numberIn(written);
  if (value === undefined || (schema["type"] === "integer" && !Number.isSafeInteger(value))) {
    return schema["type"] === "integer" ? "value must be an integer" : "value must be a number";
  }
  return value > Number(schema["maximum"] ?? Infinity)
    ? `must be less than or equal to ${String(schema["maximum"])}`
    : `must be greater than or equal to ${String(schema["minimum"])}`;
}

/** Returns a member of an object's schema, followed through references, with what it takes over from another schema. */
function propertyOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  const found = (schema["properties"] as Readonly<Record<string, SchemaNode>> | undefined)?.[name];
  if (found === undefined) return undefined;
  const { allOf = [], ...own } = resolvedNode(found);
  return Object.assign({}, ...(allOf as readonly SchemaNode[]).map(resolvedNode), own) as SchemaNode;
}
